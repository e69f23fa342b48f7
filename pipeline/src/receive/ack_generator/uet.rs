// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET: the class of an arrival (row G4), found in step 4 but for what depends on the connection being open.

use super::packets::UetPacket;
use super::pass::Pass;
use super::ports::{LENGTH_WIDTH, outcome};
use super::row::{Row, UetRow, Verdict};
use super::settings::InForce;
use crate::headers::uet::nack;
use rtl_model::{Bits, Bundle, Logic, Reading, constant, name_nets, select};

/// What an arrival may be: 0 in all fields but codes and bytes for another pass.
#[derive(Bundle)]
#[shape]
pub struct UetClass<L: Reading> {
    #[reset]
    known: Bits<L>,
    #[reset]
    arrives: Bits<L>,
    /// Of an open connection.
    #[reset]
    new: Bits<L>,
    #[reset]
    again: Bits<L>,
    #[reset]
    replies: Bits<L>,
    /// A reply that there is no buffer.
    #[reset]
    pub no_buffer: Bits<L>,
    /// It replies, or the arrival is *unknown*.
    #[reset]
    open_replies: Bits<L>,
    /// It sets the SACK word.
    #[reset]
    pub sets_sack: Bits<L>,
    /// An ACK with p, if it is known.
    #[reset]
    probe: Bits<L>,
    /// The reason of a NACK, if it is known, and if it is not.
    #[width(nack::WIDTH)]
    code: Bits<L>,
    #[width(nack::WIDTH)]
    unknown_code: Bits<L>,
    /// An ACK is asked for.
    asks: Bits<L>,
    /// Bytes that it counts.
    #[width(LENGTH_WIDTH)]
    bytes: Bits<L>,
}

#[name_nets]
impl<L: Logic> UetClass<L> {
    /// Step 4.
    pub fn of(pass: &Pass<L>, packet: UetPacket<L>, settings: InForce<L>) -> Self {
        let UetPacket { syn, retx, trimmed, no_room, last_hop, length, .. } = packet;
        let [in_order, held, duplicate, below] =
            [outcome::IN_ORDER, outcome::HELD, outcome::DUPLICATE, outcome::BELOW].map(|code| pass.is(code));
        let [above, no_buffer, probe] = [outcome::ABOVE, outcome::NO_BUFFER, outcome::PROBE].map(|code| pass.is(code));
        // In the order of PSNs, from half of them before the expected one on.
        let is_before = (pass.psn - pass.expected).bit(pass.psn.width() - 1);
        let (probe, no_room) = (probe & !no_room, probe & no_room);
        let (repeats, no_buffer) = (no_room & is_before, no_buffer | no_room & !is_before);
        let known = pass.known();
        // An ACK before has left it out, so nobody else acknowledges it.
        let closes_gap = in_order & (pass.psn + 1).differs(pass.expected);
        let setting = |setting: Option<Bits<L>>| setting.expect("a setting of UET");
        let choose = |c, a: u64, b: u64| select(c, Bits::lit(nack::WIDTH, a), Bits::lit(nack::WIDTH, b));
        let cut = choose(last_hop, nack::TRIMMED_LASTHOP, nack::TRIMMED);
        let above_code = choose(syn, nack::INVALID_SYN, nack::PSN_OOR_WINDOW);
        let whole = select(above, above_code, constant!(nack::NO_PKT_BUFFER).lit(nack::WIDTH));
        let replies = known & trimmed | probe | above | no_buffer;
        let least = setting(settings.min).extend(LENGTH_WIDTH);
        UetClass {
            known,
            arrives: pass.arrives,
            new: !trimmed & (in_order | held),
            again: !trimmed & (duplicate | below | repeats),
            replies,
            no_buffer: !trimmed & no_buffer,
            open_replies: pass.arrives & !known | replies,
            sets_sack: !trimmed & (in_order | held | duplicate),
            probe: !trimmed & probe,
            code: select(trimmed, cut, whole),
            unknown_code: choose(syn, nack::NO_PDC_AVAIL, nack::INV_DPDCID),
            asks: pass.ack_request
                | closes_gap
                | syn
                | setting(settings.per_packet)
                | retx & setting(settings.on_retx)
                | pass.ecn & settings.on_ecn,
            bytes: select(length.less(least), least, length),
        }
    }

    /// Bytes that count minus those per ACK, with a sign.
    pub fn excess(&self, trigger: Bits<L>) -> Bits<L> {
        let wide = |x: Bits<L>| x.extend(LENGTH_WIDTH + 2);
        wide(self.bytes) - wide(trigger)
    }

    /// Step `l` + 5: the same, without a reply if there was a NACK for want of a buffer shortly before.
    pub fn unless(self, told: Bits<L>) -> Self {
        UetClass { replies: self.replies & !told, open_replies: self.open_replies & !told, ..self }
    }

    /// Step `l` + 6, for a row: what the pass does to its connection. There is room for a reply, or not; `excess` is
    /// [`Self::excess`], and `length` that of the packet.
    pub fn verdict(&self, row: &Row<L>, excess: Bits<L>, room: Bits<L>, length: Bits<L>) -> Verdict<L> {
        let (open, state) = (row.open, row.uet.expect("a row of UET"));
        let (new, again) = (open & self.new, open & self.again);
        let known = open & self.known;
        let replies = select(open, self.open_replies, self.arrives);
        let overflows = open & self.replies & !room;
        let triggers = new | again;
        // Without a waiting ACK there are no bytes yet; both answers are ready when the row says which one it is.
        let reached = |excess: Bits<L>| !excess.bit(excess.width() - 1);
        let counts = select(row.waiting, reached(state.bytes.extend(excess.width()) + excess), reached(excess));
        Verdict {
            known,
            replies,
            overflows,
            triggers,
            new,
            urgent: again | overflows | new & (self.asks | state.first),
            counts,
            count: state.bytes.gate(row.waiting) + self.bytes,
            sum: state.total + length.extend(state.total.width()),
            roce: None,
        }
    }

    /// The reason of the NACK for a reply; 0 for an ACK with p, and whether it is one.
    pub fn code(&self, known: Bits<L>) -> (Bits<L>, Bits<L>) {
        let probe = known & self.probe;
        (select(known, self.code, self.unknown_code).gate(!probe), probe)
    }

    /// Step `l` + 6: the fields of the row that UET alone has.
    pub fn merge(&self, row: UetRow<L>, verdict: Verdict<L>, waiting: Bits<L>, opens: Bits<L>) -> UetRow<L> {
        UetRow {
            first: opens | row.first & !(verdict.triggers | verdict.overflows),
            bytes: select(verdict.new, verdict.count, row.bytes.gate(waiting)),
            total: select(verdict.new, verdict.sum, row.total.gate(!opens)),
        }
    }
}
