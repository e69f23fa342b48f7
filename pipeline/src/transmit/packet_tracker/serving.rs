// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk serves: taken over in step 2 `l` + 9 of its first pass. It stays until the next walk begins, so that the
//! second pass finds it in all of its steps.

use super::config::{EV_WIDTH, PacketTrackerConfig};
use super::context::Owner;
use super::judge::Judged;
use super::ports::{Command, MPR_WIDTH, QUANTA_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets, select};

/// What a walk serves, from its beginning on.
#[derive(Bundle)]
pub struct Serving<L: Reading> {
    pub acks: Bits<L>,
    pub agains: Bits<L>,
    pub commands: Bits<L>,
    pub pdc: Bits<L>,
    pub ccc: Bits<L>,
    pub open: Bits<L>,
    /// An ACK that is not outside, or is; it moves the base.
    pub accepted: Bits<L>,
    pub outside: Bits<L>,
    pub moves: Bits<L>,
    /// The command.
    pub done: Bits<L>,
    pub opens: Bits<L>,
    pub closes: Bits<L>,
    pub changes: Bits<L>,
    pub loses: Bits<L>,
    /// The window before it.
    pub base: Bits<L>,
    pub length: Bits<L>,
    pub upper: Option<Bits<L>>,
    pub first: Bits<L>,
    pub cumulative: Bits<L>,
    pub has_trigger: Bits<L>,
    pub trigger: Bits<L>,
    pub quanta: Bits<L>,
    pub old_total: Bits<L>,
    /// Fields of the ACK.
    pub mpr: Bits<L>,
    pub marked: Bits<L>,
    pub retx: Bits<L>,
    pub arrived: Bits<L>,
    pub service: Bits<L>,
    pub pend: Bits<L>,
    pub restore: Bits<L>,
    /// Of *again*, or of the ACK.
    pub ev: Bits<L>,
    pub last: Bits<L>,
}

#[name_nets]
impl<L: Logic> Serving<L> {
    /// What was found of this PDC; whose it is; where its first marked PSN may be; the command.
    pub fn of(pdc: Bits<L>, judged: &Judged<L>, owner: Owner<L>, first: Bits<L>, command: Command<L>) -> Self {
        let Judged { asked, open, does, window, cumulative, outside, .. } = *judged;
        let ack = asked.ack;
        let commands = !(asked.acks | asked.agains);
        let done = commands & does.done;
        let accepted = asked.acks & open & !outside;
        let opens = done & does.opens;
        Serving {
            acks: asked.acks,
            agains: asked.agains,
            commands,
            pdc,
            ccc: owner.ccc,
            open,
            accepted,
            outside: asked.acks & open & outside,
            moves: accepted & cumulative.any(),
            done,
            opens,
            closes: done & does.closes,
            changes: done & does.changes,
            loses: commands & does.loses,
            base: select(opens, command.psn, window.base),
            length: window.length,
            upper: window.upper,
            first,
            cumulative,
            has_trigger: accepted & judged.has_trigger,
            trigger: judged.trigger,
            quanta: judged.quanta,
            old_total: accepted & judged.old_total,
            mpr: ack.mpr,
            marked: ack.marked,
            retx: ack.retx,
            arrived: ack.arrived,
            service: ack.service,
            pend: ack.pend,
            restore: ack.restore,
            ev: select(asked.agains, asked.ev, ack.ev),
            last: asked.last,
        }
    }
}

impl PacketTrackerConfig {
    pub(super) fn serving(self) -> Serving<Shape> {
        let (flag, count, ack) = (bits(1), self.count(), self.input_shape().ack);
        Serving {
            acks: flag,
            agains: flag,
            commands: flag,
            pdc: self.pdc(),
            ccc: self.ccc(),
            open: flag,
            accepted: flag,
            outside: flag,
            moves: flag,
            done: flag,
            opens: flag,
            closes: flag,
            changes: flag,
            loses: flag,
            base: self.psn(),
            length: count,
            upper: self.upper(bits),
            first: count,
            cumulative: count,
            has_trigger: flag,
            trigger: count,
            quanta: bits(QUANTA_WIDTH),
            old_total: flag,
            mpr: bits(MPR_WIDTH),
            marked: flag,
            retx: flag,
            arrived: bits(TIME_WIDTH),
            service: ack.service,
            pend: ack.pend,
            restore: flag,
            ev: bits(EV_WIDTH),
            last: flag,
        }
    }
}
