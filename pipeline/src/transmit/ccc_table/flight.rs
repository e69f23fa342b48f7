// SPDX-License-Identifier: MIT OR Apache-2.0
//! What waits and what is in flight (rows C5 to C11), and what a command does (row C32): five counters side by side. With
//! memories of latency `l`:
//!
//! ```text
//!  2      CCC to `rows`
//!  l + 2  what the event adds
//!  l + 3  sums; is the event refused? is the CCC idle?
//!  l + 4  written
//! ```
//!
//! A row of a CCC that is not open has no meaning: *open* sets all of it.

use super::config::CccTableConfig;
use super::contexts::{Context, Contexts};
use super::deltas::{Deltas, LOWEST};
use super::pass::{Load, PASS, Pass};
use super::ports::{BACKLOG_WIDTH, CREDIT_WIDTH, Command, PACKETS_WIDTH, WINDOW_WIDTH, op};
use crate::blocks::bounds::exists;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, constant, name_nets, select, when};

/// The counts of a CCC.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Counted<L: Reading> {
    #[width(BACKLOG_WIDTH)]
    pub backlog: Bits<L>,
    #[width(PACKETS_WIDTH)]
    pub waiting_rtx: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub rtx_backlog: Bits<L>,
    #[width(PACKETS_WIDTH)]
    pub inflight_pkts: Bits<L>,
    #[width(config.nscc(WINDOW_WIDTH + 1))]
    pub inflight: Option<Bits<L>>,
    #[width(config.rccc(CREDIT_WIDTH))]
    pub credit_number: Option<Bits<L>>,
}

/// What a pass is and does, from step `l` + 4 on. Refused events are none.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Deed<L: Reading> {
    /// The CCC is open after the pass.
    #[reset]
    pub open: Bits<L>,
    /// It has NSCC, and RCCC.
    pub nscc: Bits<L>,
    pub rccc: Bits<L>,
    #[width(2)]
    pub class: Bits<L>,
    #[width(4)]
    pub weight: Bits<L>,
    /// Events for NSCC.
    #[reset]
    #[width(config.nscc(1))]
    pub acks: Option<Bits<L>>,
    #[reset]
    #[width(config.nscc(1))]
    pub nacks: Option<Bits<L>>,
    #[reset]
    #[width(config.nscc(1))]
    pub loses: Option<Bits<L>>,
    /// For RCCC: an ACK, a NACK or credit; credit, and how much; a packet was sent.
    #[reset]
    #[width(config.rccc(1))]
    pub answers: Option<Bits<L>>,
    #[reset]
    #[width(config.rccc(1))]
    pub credits: Option<Bits<L>>,
    #[width(config.rccc(CREDIT_WIDTH - 1))]
    pub granted_quanta: Option<Bits<L>>,
    #[reset]
    #[width(config.rccc(1))]
    pub sent: Option<Bits<L>>,
    /// The CCC is opened.
    #[reset]
    pub opens: Bits<L>,
    /// The turn of the CCC is over.
    #[reset]
    pub ends: Bits<L>,
    /// It unblocks the CCC.
    pub frees: Bits<L>,
    /// The command is done.
    #[reset]
    pub done: Bits<L>,
}

/// What counters count of a pass in step `l` + 4.
#[derive(Bundle)]
#[shape]
pub struct Refusals<L: Reading> {
    #[reset]
    pub closed_events: Bits<L>,
    #[reset]
    pub excess_acks: Bits<L>,
    #[reset]
    pub excess_sends: Bits<L>,
    #[reset]
    pub short_backlogs: Bits<L>,
    #[reset]
    pub refused_data: Bits<L>,
    #[reset]
    pub stale_credits: Bits<L>,
}

/// The counts of all CCCs.
#[name_nets]
pub struct Flight<L: Logic> {
    config: CccTableConfig,
    contexts: Contexts<L>,
    rows: RmwTable<L, Counted<L>>,
    deltas: Reg<Deltas<L>>,
    /// The CCC of a command was in turn.
    was_in_turn: Reg<Bits<L>>,
    /// The command: its CCC exists; class and weight are allowed.
    command_has_ccc: Reg<Bits<L>>,
    command_fits: Reg<Bits<L>>,
    deed: Reg<Deed<L>>,
    refusals: Reg<Refusals<L>>,
}

#[name_nets]
impl<L: Logic> Flight<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let flag = bits(1);
        Flight {
            config,
            contexts: Contexts::new(config),
            rows: RmwTable::new(config.cccs, config.ram_latency, &Counted::shape(config)).compared_early(),
            deltas: Reg::new(&Deltas::shape(config)),
            was_in_turn: Reg::new(&flag),
            command_has_ccc: Reg::new(&flag),
            command_fits: Reg::new(&flag),
            deed: Reg::new(&Deed::shape(config)),
            refusals: Reg::new(&Refusals::shape()),
        }
    }

    /// Step `l` + 4: the counts after the pass.
    pub fn counted(&self) -> Counted<L> {
        PASS.at(self.config.ram_latency + 4, self.rows.modified())
    }

    /// Step `l` + 4: what the pass does.
    pub fn deed(&self) -> Deed<L> {
        PASS.at(self.config.ram_latency + 4, self.deed.get())
    }

    /// Step `l` + 4: what is counted.
    pub fn refusals(&self) -> Refusals<L> {
        PASS.at(self.config.ram_latency + 4, self.refusals.get())
    }

    /// One clock cycle: the passes in all steps and their loads; the command; the CCC of the pass in step `l` + 2 was in turn.
    pub fn clock(&self, passes: &[Pass<L>], loads: &[Load<L>], command: Command<L>, was_in_turn: Bits<L>) {
        let config = self.config;
        let (step, no) = (config.flight() as usize, Bits::lit(1, 0));
        let pass = passes[step];
        let (row, context, deltas) = (self.rows.operand(), self.contexts.context(), self.deltas.get());
        let open = context.open;
        let nscc = context.nscc.unwrap_or(Bits::lit(1, config.nscc(()).is_some().into()));
        let rccc = context.rccc.unwrap_or(Bits::lit(1, config.rccc(()).is_some().into()));

        // The sums, whose highest bit says that a count would leave its range.
        let inflight_pkts = row.inflight_pkts.extend(PACKETS_WIDTH + 1) + deltas.inflight_pkts;
        let waiting_rtx = row.waiting_rtx.extend(PACKETS_WIDTH + 1) + deltas.waiting_rtx;
        let rtx_backlog = row.rtx_backlog.extend(WINDOW_WIDTH + 1) + deltas.rtx_backlog;
        let backlog = row.backlog.extend(BACKLOG_WIDTH + 1) + deltas.backlog;
        let [pkts_out, rtx_out] = [inflight_pkts, waiting_rtx].map(|sum| sum.bit(PACKETS_WIDTH));
        let [bytes_out, backlog_out] = [rtx_backlog.bit(WINDOW_WIDTH), backlog.bit(BACKLOG_WIDTH)];
        let inflight = row.inflight.map(|inflight| inflight.extend_signed(WINDOW_WIDTH + 2) + deltas.inflight);
        let negative = inflight.map_or(no, |sum| sum.bit(WINDOW_WIDTH + 1));
        let lowest = row.inflight.map(|inflight| inflight.extend_signed(WINDOW_WIDTH + 2) + deltas.above_lowest);
        let too_low = lowest.map_or(no, |sum| sum.bit(WINDOW_WIDTH + 1));
        let highest = inflight.map_or(no, |sum| sum.bit(WINDOW_WIDTH));
        let too_high = nscc & !negative & highest;
        let granted_quanta = deltas.credit.zip(row.credit_number).map(|(credit, number)| credit - number);
        let is_stale = granted_quanta.map_or(no, |difference| difference.bit(CREDIT_WIDTH - 1));

        let stale_credits = pass.credits & rccc & is_stale;
        // Sums that an event does not change stay in their ranges. Of a packet that is sent others may leave them (row C11).
        let excess = pkts_out | too_high | deltas.answers & (rtx_out | bytes_out);
        let refused_data = pass.feeds & backlog_out;
        let refused = excess | refused_data | stale_credits;
        let belongs = open & !pass.odd & !(pass.credits & !rccc);
        let counts = belongs & !refused;

        let is = |code| pass.commands & command.op.equals(code);
        let [reads, opening, closing, changing] =
            [is(constant!(op::READ)), is(constant!(op::OPEN)), is(constant!(op::CLOSE)), is(constant!(op::CHANGE))];
        let waits = row.backlog.any() | row.waiting_rtx.any();
        let idle = !waits & !row.inflight_pkts.any();
        let opens = opening & !open & self.command_fits.get();
        let closes = closing & open & (command.force | idle & !self.was_in_turn.get());
        let changes = changing & open & self.command_fits.get();

        let after = Context {
            open: (open | opens) & !closes,
            nscc: context.nscc.map(|nscc| select(opens, command.nscc, nscc)),
            rccc: context.rccc.map(|rccc| select(opens, command.rccc, rccc)),
            class: select(opens | changes, command.class, context.class),
            weight: select(opens | changes, command.weight, context.weight),
        };
        let none_in_flight = row.inflight_pkts.equals(deltas.leaves_none);
        let next = Counted {
            backlog: backlog.truncate(BACKLOG_WIDTH).gate(!backlog_out),
            waiting_rtx: waiting_rtx.truncate(PACKETS_WIDTH).gate(!rtx_out),
            rtx_backlog: rtx_backlog.truncate(WINDOW_WIDTH).gate(!bytes_out),
            inflight_pkts: inflight_pkts.truncate(PACKETS_WIDTH),
            inflight: inflight.map(|sum| {
                let least = Bits::lit(WINDOW_WIDTH + 1, (2 << WINDOW_WIDTH) - LOWEST);
                select(too_low, least, sum.truncate(WINDOW_WIDTH + 1)).gate(!none_in_flight)
            }),
            credit_number: row
                .credit_number
                .map(|number| select(pass.credits, deltas.credit.expect("a credit number of RCCC"), number)),
        };
        let short = deltas.resent & (rtx_out | bytes_out) | deltas.sent & !deltas.resent & backlog_out;
        let events = pass.is_event();

        self.rows.clock(passes[2].access(), Bits::lit(1, 1));
        let kept = select(counts & events, next, row);
        when(passes[step].access().valid, || self.rows.modify(kept.gate(!opens)));
        self.refusals.set(Refusals {
            closed_events: events & !belongs & !deltas.only_frees,
            excess_acks: deltas.answers & excess & open,
            excess_sends: deltas.sent & excess & open,
            short_backlogs: short & counts,
            refused_data: refused_data & open,
            stale_credits: stale_credits & open,
        });
        let live = (pass.access().valid & after.open).named("live");
        let has_nscc = after.nscc.unwrap_or(nscc);
        let has_rccc = after.rccc.unwrap_or(rccc);
        self.deed.set(Deed {
            open: live,
            nscc: has_nscc,
            rccc: has_rccc,
            class: after.class,
            weight: after.weight,
            acks: config.nscc(()).map(|()| pass.acks & counts & nscc),
            nacks: config.nscc(()).map(|()| pass.nacks & counts & nscc),
            loses: config.nscc(()).map(|()| pass.loses & counts & nscc),
            answers: config.rccc(()).map(|()| (pass.acks | pass.nacks | pass.credits) & counts & rccc),
            credits: config.rccc(()).map(|()| pass.credits & counts),
            granted_quanta: granted_quanta.map(|difference| difference.truncate(CREDIT_WIDTH - 1)),
            sent: config.rccc(()).map(|()| deltas.sent & counts & rccc),
            opens,
            ends: deltas.last | closes,
            frees: deltas.frees,
            done: reads & self.command_has_ccc.get() | opens | closes | changes,
        });
        self.contexts.clock(passes, after);

        // l + 2
        self.deltas.set(Deltas::of(config, passes[step - 1], loads[step - 1]));
        self.was_in_turn.set(was_in_turn);
        let has_ccc = exists(command.ccc, config.cccs);
        let known = if config.classes == 4 { has_ccc } else { has_ccc & command.class.less(config.classes) };
        self.command_has_ccc.set(has_ccc);
        self.command_fits.set(known & command.weight.any());
    }
}
