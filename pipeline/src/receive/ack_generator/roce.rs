// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: the class of an arrival (row G4). What follows from the arrival alone is found in step 4, both for a connection
//! with multipath and for one without it; the row of the connection decides in step `l` + 6.

use super::packets::RocePacket;
use super::pass::Pass;
use super::ports::outcome;
use super::row::{RoceRow, RoceVerdict, Row, Verdict};
use super::settings::InForce;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// What an arrival may be: 0 in all fields but the last two for another pass, or an arrival that is unknown.
#[derive(Bundle)]
#[shape]
pub struct RoceClass<L: Reading> {
    #[reset]
    pub known: Bits<L>,
    #[reset]
    pub in_order: Bits<L>,
    /// In order or held: a packet that had not been received.
    #[reset]
    pub receives: Bits<L>,
    /// The same, and its PSN is the highest.
    #[reset]
    pub is_highest: Bits<L>,
    #[reset]
    probe: Bits<L>,
    /// *again* with multipath, and without it.
    #[reset]
    again_on: Bits<L>,
    #[reset]
    again_off: Bits<L>,
    /// No buffer for the expected PSN, and for another one.
    #[reset]
    not_ready: Bits<L>,
    /// A request that is not served, with the expected PSN.
    #[reset]
    invalid: Bits<L>,
    #[reset]
    no_buffer: Bits<L>,
    /// There was no room in front of the reorder stage, for a packet behind the expected one.
    #[reset]
    no_room: Bits<L>,
    /// *out of sequence* without multipath.
    #[reset]
    behind: Bits<L>,
    /// *refused* with multipath, whatever *answered* is.
    #[reset]
    beyond: Bits<L>,
    /// An ACK is asked for; a marked packet asks with multipath.
    #[reset]
    asks: Bits<L>,
    #[reset]
    mark_asks: Bits<L>,
}

#[name_nets]
impl<L: Logic> RoceClass<L> {
    /// Step 4.
    pub fn of(pass: &Pass<L>, packet: RocePacket<L>, settings: InForce<L>) -> Self {
        let [in_order, held, duplicate, below] =
            [outcome::IN_ORDER, outcome::HELD, outcome::DUPLICATE, outcome::BELOW].map(|code| pass.is(code));
        let [above, no_buffer, refuses] =
            [outcome::ABOVE, outcome::NO_BUFFER, outcome::PROBE].map(|code| pass.is(code));
        let (expected, receives) = (pass.psn.equals(pass.expected), in_order | held);
        let unserved = refuses & packet.unserved;
        let no_room = refuses & packet.no_room & !packet.unserved;
        // In the order of PSNs, from half of them before the expected one on.
        let is_before = (pass.psn - pass.expected).bit(pass.psn.width() - 1);
        let repeats = no_room & is_before;
        let probe = refuses & !packet.unserved & !packet.no_room;
        let trimmed = probe & packet.trimmed;
        let beyond = above | unserved & !expected;
        RoceClass {
            known: pass.known(),
            in_order,
            receives,
            is_highest: receives & pass.psn.equals(packet.highest),
            probe,
            again_on: below | duplicate | repeats,
            again_off: below | repeats | probe & !packet.trimmed,
            not_ready: (no_buffer | no_room) & expected,
            invalid: unserved & expected,
            no_buffer: no_buffer & !expected,
            no_room: no_room & !is_before & !expected,
            behind: held | duplicate | beyond | trimmed | no_buffer & !expected,
            beyond,
            asks: pass.ack_request,
            mark_asks: pass.ecn & settings.on_ecn,
        }
    }

    /// Step `l` + 6, for a row: what the pass does to its connection. There is room for a reply, or not; it completes so many
    /// messages.
    pub fn verdict(
        &self,
        pass: &Pass<L>,
        row: &Row<L>,
        settings: InForce<L>,
        room: Bits<L>,
        messages: Bits<L>,
    ) -> Verdict<L> {
        let (open, state) = (row.open, row.roce.expect("a row of RoCEv2"));
        let RoceRow { multipath, answered, packets, .. } = state;
        let waiting = row.waiting;
        let (on, off) = (open & multipath, open & !multipath);
        let new = open & select(multipath, self.receives, self.in_order);
        let again = open & select(multipath, self.again_on, self.again_off);
        let fresh = !answered;
        let not_ready = open & (self.not_ready | self.no_room & fresh) | on & (self.no_buffer & fresh);
        let sequence = off & self.behind & !answered;
        let invalid = open & self.invalid;
        let replies = on & self.probe;
        let overflows = replies & !room;
        let fails = not_ready | sequence | invalid;
        let triggers = new | again | fails;
        // Without a waiting ACK there are no packets yet; both answers are ready when the row says which one it is.
        let limit = |less_one: Option<Bits<L>>| {
            let less_one = less_one.expect("a setting of RoCEv2");
            select(waiting, packets.at_least(less_one), !less_one.any())
        };
        let counts = select(multipath, limit(settings.count_multipath_less_one), limit(settings.count_less_one));
        let asks = self.asks | self.mark_asks & multipath;
        Verdict {
            known: open & self.known,
            replies,
            overflows,
            triggers,
            new,
            urgent: again | fails | overflows | triggers & asks,
            counts,
            count: packets.gate(waiting) + 1,
            sum: state.msn + messages.extend(state.msn.width()),
            roce: Some(RoceVerdict {
                sequence,
                not_ready,
                invalid,
                in_order: open & self.in_order,
                repeats: off & self.behind & answered,
                refused: pass.arrives & !(open & self.known)
                    | on & (self.beyond | self.no_buffer & answered)
                    | open & self.no_room & answered,
            }),
        }
    }

    /// Step `l` + 6: the fields of the row that RoCEv2 alone has.
    #[expect(clippy::too_many_arguments, reason = "what the pass has found")]
    pub fn merge(
        &self,
        pass: &Pass<L>,
        row: RoceRow<L>,
        verdict: Verdict<L>,
        (owed, waiting): (Bits<L>, Bits<L>),
        (opens, multipath): (Bits<L>, Bits<L>),
        suspects: Bits<L>,
        becomes_trigger: Bits<L>,
    ) -> RoceRow<L> {
        let packet = pass.roce.expect("a packet of RoCEv2");
        let RoceVerdict { sequence, not_ready, invalid, in_order, .. } = verdict.roce.expect("a verdict of RoCEv2");
        let fails = sequence | not_ready | invalid;
        // The last code counts.
        let stays = owed & !fails;
        let updates = verdict.known | opens;
        // It has no trigger: the delay is that of no packet.
        let untimed = !owed & verdict.overflows;
        RoceRow {
            multipath: select(opens, multipath, row.multipath),
            reordered: owed & row.reordered | verdict.triggers & (pass.held.any() | packet.late),
            suspected: select(updates, packet.suspected, row.suspected | suspects),
            sequence: !in_order & (stays & row.sequence | sequence),
            not_ready: !in_order & (stays & row.not_ready | not_ready),
            invalid: !in_order & (stays & row.invalid | invalid),
            answered: !in_order & !opens & (row.answered | fails),
            timed: becomes_trigger | row.timed & !untimed,
            packets: select(verdict.new, verdict.count, row.packets.gate(waiting)),
            msn: select(verdict.known, verdict.sum, row.msn.gate(!opens)),
            top: select(verdict.known & self.is_highest, packet.flowlet, row.top.gate(!opens)),
        }
    }
}
