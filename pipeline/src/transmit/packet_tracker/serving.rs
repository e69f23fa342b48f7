// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk serves: taken over in step 2 `l` + 9 of its first pass. It stays until the next walk begins, so that the
//! second pass finds it in all of its steps.

use super::config::{EV_WIDTH, PacketTrackerConfig};
use super::context::Owner;
use super::judge::Judged;
use super::ports::{BACKOFF_LIMIT_WIDTH, Command, MPR_WIDTH, QUANTA_WIDTH, REASON_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, bits, name_nets, select};

/// What a walk serves, from its beginning on.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Serving<L: Reading> {
    pub acks: Bits<L>,
    pub agains: Bits<L>,
    pub commands: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    #[shape(config.ccc())]
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
    /// It declares packets lost, or only makes the PDC fail.
    pub loses: Bits<L>,
    pub fails: Bits<L>,
    /// A PDC that has failed is so no more.
    pub revives: Bits<L>,
    /// The peer has no room for a packet of the window, and this is what it says.
    pub backs_off: Bits<L>,
    #[width(REASON_WIDTH)]
    pub reason: Bits<L>,
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    /// The window before it.
    #[shape(config.psn())]
    pub base: Bits<L>,
    #[shape(config.count())]
    pub length: Bits<L>,
    #[shape(config.upper(bits))]
    pub upper: Option<Bits<L>>,
    #[shape(config.count())]
    pub first: Bits<L>,
    #[shape(config.count())]
    pub cumulative: Bits<L>,
    pub has_trigger: Bits<L>,
    #[shape(config.count())]
    pub trigger: Bits<L>,
    #[width(QUANTA_WIDTH)]
    pub quanta: Bits<L>,
    pub old_total: Bits<L>,
    /// Fields of the ACK.
    #[width(MPR_WIDTH)]
    pub mpr: Bits<L>,
    pub marked: Bits<L>,
    pub retx: Bits<L>,
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
    #[width(16)]
    pub service: Bits<L>,
    #[width(7)]
    pub pend: Bits<L>,
    pub restore: Bits<L>,
    /// Of *again*, or of the ACK.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    pub last: Bits<L>,
}

#[name_nets]
impl<L: Logic> Serving<L> {
    /// What was found of this PDC; whose it is; where its first marked PSN may be; the command.
    pub fn of(pdc: Bits<L>, judged: &Judged<L>, owner: Owner<L>, first: Bits<L>, command: Command<L>) -> Self {
        let Judged { asked, open, does, window, cumulative, outside, .. } = *judged;
        let ack = asked.ack;
        let commands = !(asked.acks | asked.agains | asked.backs_off);
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
            revives: commands & does.loses & !command.stays_failed,
            fails: commands & does.fails,
            backs_off: asked.backs_off & open & judged.has_psn,
            reason: ack.reason,
            backoff_limit: asked.backoff_limit,
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
