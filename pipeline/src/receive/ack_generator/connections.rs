// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the connections, and what a pass does to its own (rows G5 to G12, G15, G20 and G21): an access in step 5, the
//! effect in step `l` + 6.

use super::arrivals::Arrivals;
use super::config::AckGeneratorConfig;
use super::events::Events;
use super::pass::Pass;
use super::ports::{Command, op};
use super::row::{Row, Verdict};
use super::settings::InForce;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, name_nets, select, when};

/// What a pass has done, in step `l` + 7.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Effect<L: Reading> {
    /// The connection became due.
    #[reset]
    pub becomes_due: Bits<L>,
    /// It began to owe.
    pub begins: Bits<L>,
    /// The packet became the trigger, or the connection was opened.
    pub sets_trigger: Bits<L>,
    /// UET: the SACK word is set.
    #[width(config.uet(1))]
    pub sets_sack: Option<Bits<L>>,
    /// RoCE: *flowlet* is set, to this.
    #[width(config.roce(1))]
    pub sets_flowlet: Option<Bits<L>>,
    #[width(config.roce(super::ports::FLOWLET_WIDTH))]
    pub flowlet: Option<Bits<L>>,
    /// RoCE: the command says which code RNR NAKs have.
    #[width(config.roce(1))]
    pub sets_rnr_code: Option<Bits<L>>,
    /// The command was done, and its connection owes an ACK.
    pub done: Bits<L>,
    pub draining: Bits<L>,
    /// What counters count.
    #[reset]
    pub merged: Bits<L>,
    #[reset]
    pub expired: Bits<L>,
    #[reset]
    pub dropped: Bits<L>,
    #[reset]
    #[width(config.roce(1))]
    pub refused: Option<Bits<L>>,
    #[reset]
    pub is_void: Bits<L>,
}

/// What a pass in step `l` + 6 asks of its neighbours.
#[derive(Clone, Copy)]
pub struct Decision<L: Logic> {
    /// A reply is decided, whether there is room or not.
    pub replies: Bits<L>,
    /// The arrival is not *unknown*.
    pub known: Bits<L>,
    /// The pass sets the expected PSN.
    pub updates: Bits<L>,
    /// An event begins its replies, with this PSN.
    pub infers: Bits<L>,
    pub first: Bits<L>,
    /// An event is done.
    pub ends_event: Bits<L>,
}

/// A row as a pass sees it, and what the pass does to it.
#[derive(Bundle)]
struct Seen<L: Reading> {
    verdict: Verdict<L>,
    /// The event is not void.
    gap: Bits<L>,
    /// The connection is due, or waits.
    due: Bits<L>,
    owed: Bits<L>,
    /// Owed: a packet was marked.
    marked: Bits<L>,
    /// The command opens it.
    opens: Bits<L>,
    becomes_due: Bits<L>,
    /// It has the expected PSN of the pass.
    updates: Bits<L>,
    /// What it has after the pass.
    open: Bits<L>,
    toggle: Bits<L>,
    waiting: Bits<L>,
}

/// The rows of all connections.
#[name_nets]
pub struct Connections<L: Logic> {
    config: AckGeneratorConfig,
    rows: RmwTable<L, Row<L>>,
    effect: Reg<Effect<L>>,
}

#[name_nets]
impl<L: Logic> Connections<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        Connections {
            config,
            rows: RmwTable::new(config.connections, config.ram_latency, &Row::shape(config)).compared_early(),
            effect: Reg::new(&Effect::shape(config)),
        }
    }

    /// The row of the pass in step `l` + 7, as the pass leaves it.
    pub fn row(&self) -> Row<L> {
        self.rows.modified()
    }

    /// What the pass in step `l` + 7 has done.
    pub fn effect(&self) -> Effect<L> {
        self.effect.get()
    }

    /// One clock cycle: the passes in all steps; what is known of the arrival in step `l` + 6, the bit on the side of takes, and
    /// whether there is room for a reply.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        arrivals: &Arrivals<L>,
        events: &Events<L>,
        command: Command<L>,
        settings: InForce<L>,
        taken_bit: Bits<L>,
        room: Bits<L>,
    ) -> Decision<L> {
        let pass = passes[self.config.effect() as usize];
        let (row, sides) = (self.rows.operand(), events.sides());
        let is = |code| pass.commands & command.op.equals(code);
        let [reads, opening, closing, changing] = [op::READ, op::OPEN, op::CLOSE, op::CHANGE].map(is);
        let seen = self.rows.of_operand(|row| {
            let verdict = arrivals.verdict(&pass, &row, settings, room);
            let in_gap = pass.reports & row.open & sides.to_last;
            let gap = row.roce.map_or(in_gap, |roce| in_gap & roce.multipath);
            let ends = row.waiting & (pass.expires | closing);
            let makes_due = verdict.urgent | ends;
            let due = row.toggle ^ taken_bit;
            let owed = due | row.waiting;
            let opens = opening & !row.open & !owed;
            let becomes_due = (makes_due | verdict.new & verdict.counts) & !due;
            let causes = verdict.triggers | verdict.overflows;
            // An ACK must not name the packet that its NAK would have refused.
            let clears = verdict.roce.zip(row.roce).map_or(Bits::lit(1, 0), |(verdict, roce)| {
                verdict.in_order & (roce.sequence | roce.not_ready | roce.invalid)
            });
            Seen {
                verdict,
                gap,
                due,
                owed,
                marked: owed & row.marked & !clears,
                opens,
                becomes_due,
                updates: verdict.known | opens,
                open: (row.open | opens) & !closing,
                toggle: row.toggle ^ becomes_due,
                waiting: (row.waiting | causes & !due) & !becomes_due,
            }
        });
        let Seen { verdict, gap, due, owed, marked, opens, becomes_due, updates, open, toggle, waiting } = seen;
        self.rows.clock(passes[5].access(), Bits::lit(1, 1));

        let (closes, changes) = (closing & row.open, changing & row.open);
        let merges = verdict.triggers | verdict.overflows;
        let becomes_trigger = verdict.triggers & (pass.ecn | !marked);
        let held = if row.roce.is_some() { pass.held.any() } else { pass.held };
        let roce = row.roce.map(|state| {
            let opened = (opens, command.multipath.expect("a command of RoCEv2"));
            let suspects = gap & sides.from_first;
            arrivals.merge_roce(&pass, state, verdict, (owed, row.waiting), opened, suspects, becomes_trigger)
        });
        let next = Row {
            open,
            toggle,
            waiting,
            // Not selects: synthesis would make an enable of them, behind all that it takes to find `updates`.
            expected: pass.expected.gate(updates) | row.expected.gate(!updates),
            held: held.gate(updates) | row.held.gate(!updates),
            marked: marked | verdict.triggers & pass.ecn,
            roce,
            uet: row.uet.map(|state| arrivals.merge_uet(state, verdict, row.waiting, opens)),
        };
        when(pass.valid, || self.rows.modify(next.gate(!pass.sweeps)));

        let repeats = verdict.roce.map(|verdict| verdict.repeats);
        let known_cause = repeats.map_or(due & merges, |repeats| due & merges | repeats);
        let flowlet = row.roce.map(|state| arrivals.flowlet(&pass, state.top));
        self.effect.set(Effect {
            becomes_due: becomes_due & pass.valid,
            begins: merges & !owed,
            sets_trigger: becomes_trigger | opens,
            sets_sack: self.config.uet(()).map(|()| verdict.known & arrivals.sets_sack() | opens),
            sets_flowlet: verdict.roce.map(|verdict| verdict.in_order | opens),
            flowlet,
            sets_rnr_code: self.config.roce(opens | changes),
            done: reads | opens | closes | changes,
            draining: owed,
            merged: known_cause,
            expired: pass.expires & row.waiting,
            dropped: verdict.replies & !room,
            refused: verdict.roce.map(|verdict| verdict.refused),
            is_void: pass.reports & !gap,
        });
        Decision {
            replies: verdict.replies,
            known: verdict.known,
            infers: gap,
            updates,
            first: select(sides.from_first, row.expected, events.event().first),
            ends_event: pass.reports & !gap,
        }
    }
}
