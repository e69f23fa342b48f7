// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which packets are acknowledged, and which are marked: a word for each block of 64 slots. With memories of latency
//! `l`:
//!
//! ```text
//!  NACK, examination, again  l + 6      word of the PSN to `rows`
//!                            2 l + 6    may it be marked?
//!                            2 l + 7    it is in flight: marked; or it is sent again
//!                            2 l + 8    known
//!  visit                     0          word of the block to `rows`
//!                            l + 1      released packets, which are then acknowledged; or marked ones
//! ```
//!
//! A packet is acknowledged if its bit is the parity of its lap, that is of PSN / *W*. So nothing has to be cleared for
//! a new one: its slot has the parity of the lap before.

use super::config::{BLOCK, BLOCK_BITS, PacketTrackerConfig};
use super::pass::Pass;
use super::releases::Visited;
use super::serving::Serving;
use super::walk::Visit;
use crate::blocks::table::{Access, RmwTable};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A word of states.
#[derive(Bundle)]
#[shape]
struct States<L: Reading> {
    #[width(BLOCK)]
    acknowledged: Bits<L>,
    #[width(BLOCK)]
    marked: Bits<L>,
}

/// Step 2 `l` + 7.
#[derive(Bundle)]
#[shape]
struct Target<L: Reading> {
    /// The PSN in its word.
    #[width(BLOCK)]
    one_hot: Bits<L>,
    /// It is marked if it is in flight; the packet of an examination is late.
    may: Bits<L>,
    late: Bits<L>,
}

/// How a word has the PSN.
#[derive(Bundle)]
struct Seen<L: Reading> {
    acknowledged: Bits<L>,
    marked: Bits<L>,
}

/// What has become of the PSN, in step 2 `l` + 8.
#[derive(Bundle)]
#[shape]
pub struct Marked<L: Reading> {
    /// It was in flight, and is marked.
    pub takes: Bits<L>,
    /// It was in flight; an examination has found it late.
    pub in_flight: Bits<L>,
    pub late: Bits<L>,
}

/// The states of all packets.
#[name_nets]
pub struct PacketStates<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, States<L>>,
    target: Reg<Target<L>>,
    marked: Reg<Marked<L>>,
}

#[name_nets]
impl<L: Logic> PacketStates<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, word) = (bits(1), bits(BLOCK));
        let row = States::shape();
        PacketStates {
            config,
            rows: RmwTable::new(config.pdcs * config.words(), config.ram_latency, &row).compared_early(),
            target: Reg::new(&Target::shape()),
            marked: Reg::new(&Marked::shape()),
        }
    }

    /// Step 2 `l` + 8: what has become of the PSN of the pass.
    pub fn marked(&self) -> Marked<L> {
        self.marked.get()
    }

    /// One clock cycle: the passes in all steps; the packet in step 2 `l` + 6 may be marked, and is late; that in step
    /// 2 `l` + 7 is in the window. The walk has found a packet that is sent again; a visit begins, and one is in step
    /// `l` + 1, with the PSNs that are named, and those of a word from the base on. The result is what this visit
    /// releases.
    #[expect(clippy::too_many_arguments, reason = "passes and visits")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (may, late): (Bits<L>, Bits<L>),
        inside: Bits<L>,
        (walk, found): (Serving<L>, Bits<L>),
        begins: Access<L>,
        (visit, named): (Visit<L>, Bits<L>),
        from_base: Bits<L>,
    ) -> Visited<L> {
        let (config, step) = (self.config, self.config.states() as usize);
        let (row, target) = (self.rows.operand(), self.target.get());
        let all = |bit: Bits<L>| bit.extend_signed(BLOCK);

        // A visit
        let parity = all(visit.parity);
        let acknowledged = !(row.acknowledged ^ parity);
        let wanted = select(walk.agains, row.marked, !acknowledged);
        let packets = named & wanted;
        let releases = all(visit.releases & !walk.agains) & named;
        let kept =
            States { acknowledged: row.acknowledged & !releases | parity & releases, marked: row.marked & !releases };
        // Those before the base are acknowledged, in its lap; the others were so in the lap before.
        let before = select(visit.has_base, !from_base, all(visit.before_base));
        let opened = States { acknowledged: !(before ^ parity), marked: Bits::lit(BLOCK, 0) };

        // A pass
        let pass = passes[step];
        let lap = config.lap_of(pass.psn);
        let Target { one_hot, may: may_mark, late: is_late } = target;
        let seen = self.rows.of_operand(|row| Seen {
            acknowledged: (row.acknowledged & one_hot).any().equals(lap),
            marked: (row.marked & one_hot).any(),
        });
        let in_flight = pass.may_mark() & inside & !(seen.acknowledged | seen.marked);
        let takes = in_flight & may_mark;
        let repeats = pass.finishes & walk.agains & found;
        let marks = kept.marked & !(one_hot & all(repeats)) | one_hot & all(takes);

        let access = passes[config.access(config.states()) as usize];
        let changes = access.may_mark() | access.finishes & walk.agains & found;
        let block = config.place(access.psn).slice(BLOCK_BITS, config.block_bits());
        let index = select(begins.valid, begins.index, config.word(access.pdc, block));
        self.rows.clock(Access { valid: begins.valid | changes, index }, Bits::lit(1, 1));
        when(visit.opens, || self.rows.modify(opened))
            .or_when(visit.releases | pass.may_mark() | repeats, || self.rows.modify(States { marked: marks, ..kept }));
        self.marked.set(Marked { takes, in_flight: in_flight & pass.examines, late: is_late });

        // 2 l + 6
        let number = passes[step - 1].psn.truncate(BLOCK_BITS);
        self.target.set(Target { one_hot: Bits::lit(BLOCK, 1) << number, may, late });

        Visited { valid: visit.releases, packets, late: packets & row.marked }
    }
}
