// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which VPs are dead (rows V21 to V25): packets were sent on them, and the other host denies that any has come. The paper is silent
//! on it. With memories of latency `l`:
//!
//! ```text
//!  step 0        pair to `view`
//!       l + 1    which VPs are dead, and which of them are due for a try; two steps
//!       l + 7    VP of the packet to `silences`
//!       2 l + 8  is it answered, is it dead, does it count as a try; a loop of one clock cycle for one VP
//!       2 l + 9  copies for requests and for reports
//! ```
//!
//! A VP waits while the bit that its packets toggle differs from the one that its reports copy. So neither pipeline writes
//! what the other one does, and no count of packets can wrap. A wait that is long *asks*; a report of no packets that sees this
//! *denies*. A report that is missing is no evidence.

use super::ports::VpNotice;
use super::records::{Answered, PacketUpdate};
use crate::blocks::counter::Counter;
use crate::blocks::table::{Access, BitPlaneRam, BitPlaneRamShape, LaneWrite, RmwTable};
use crate::elab::{ElabSizes, PERIOD_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Signal, name_nets, select, when};

/// Bits of the exponent of the interval between tries.
const BACKOFF_WIDTH: u32 = 2;
/// Bit planes of `view`.
const PLANES: usize = BACKOFF_WIDTH as usize + 3;
/// Periods of a quarter of `settings_silence` that must have begun behind the last packet that was counted.
const PERIODS: u64 = 3;
/// 2 to this many periods without any report of it are too long for each VP of the pair: the other host may not know of it.
const EACH: u32 = 3;
/// Width of the number of VPs for this, which is at most half of what it can hold.
pub const MOST_WIDTH: u32 = PERIOD_WIDTH - EACH;

/// State of a VP.
#[derive(Bundle)]
#[shape]
struct Silence<L: Reading> {
    /// Toggles with the first packet after an answer.
    sent: Bits<L>,
    /// 1 if it is dead, unless it has been answered.
    dead: Bits<L>,
    /// The bit of the period at the last try.
    tried: Bits<L>,
    /// Tries so far, up to 3.
    #[width(BACKOFF_WIDTH)]
    backoff: Bits<L>,
    /// Packets without an answer that were in later periods than those before, up to 2; 3 if one has asked. The report of a single
    /// one, or of some that were close together, may have been lost.
    #[width(2)]
    later: Bits<L>,
    /// Period of the last packet for which the above changed.
    #[width(PERIOD_WIDTH)]
    from: Bits<L>,
}

/// The VPs of a pair as requests see them, one bit per VP.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct SilenceView<L: Reading> {
    #[shape(sizes.each())]
    sent: Bits<L>,
    #[shape(sizes.each())]
    dead: Bits<L>,
    #[shape(sizes.each())]
    tried: Bits<L>,
    #[shape([sizes.each(); BACKOFF_WIDTH as usize])]
    backoff: [Bits<L>; BACKOFF_WIDTH as usize],
}

/// A packet behind step `l` + 7.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Sent<L: Reading> {
    /// A packet that will be reported if it arrives.
    #[reset]
    valid: Bits<L>,
    /// The sweep of a row instead.
    #[reset]
    clears: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    #[shape(sizes.vp())]
    vp: Bits<L>,
    /// What the request saw of the last reports of the VP.
    answered: Bits<L>,
    denied: Bits<L>,
    /// VPs of the pair.
    #[width(MOST_WIDTH)]
    vps: Bits<L>,
}

/// A packet in step `l` + 7, before its VP is known to be dead or not.
pub struct SentPacket<L: Logic> {
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// What the request saw of the reports of its pair.
    pub answered: Answered<L>,
}

/// Finds dead VPs.
#[name_nets]
pub struct SilenceTracker<L: Logic> {
    sizes: ElabSizes,
    view: BitPlaneRam<L>,
    fetched: Reg<SilenceView<L>>,
    silences: RmwTable<L, Silence<L>>,
    /// Steps `l` + 8 to 2 `l` + 8.
    sent: Delay<Sent<L>>,
    /// Step 2 `l` + 9.
    decided: Reg<Sent<L>>,
    died: Reg<VpNotice<L>>,
    deaths: Counter<L>,
}

#[name_nets]
impl<L: Logic> SilenceTracker<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (l, sent) = (sizes.ram_latency, Sent::shape(sizes));
        let view = BitPlaneRamShape { rows: sizes.pairs, lanes: sizes.vps, width: PLANES as u32, ram_latency: l };
        SilenceTracker {
            sizes,
            view: BitPlaneRam::new(view),
            fetched: Reg::new(&SilenceView::shape(sizes)),
            silences: RmwTable::new(sizes.rows(), l, &Silence::shape()),
            sent: Delay::new(&sent, l as usize + 1),
            decided: Reg::new(&sent),
            died: Reg::new(&VpNotice::shape(sizes)),
            deaths: Counter::new(32),
        }
    }

    /// VPs found dead, and the last one of them.
    pub fn deaths(&self) -> (Bits<L>, VpNotice<L>) {
        (self.deaths.get(), self.died.get())
    }

    /// What the report side is to see of a packet.
    pub fn packet_update(&self) -> PacketUpdate<L> {
        let (Sent { valid, clears, pair, vp, .. }, row) = (self.decided.get(), self.silences.modified());
        PacketUpdate { valid: valid | clears, pair, vp, sent: row.sent, dead: row.dead, asks: row.later.all() }
    }

    /// Step `l` + 1: the dead VPs of the pair, and those of them that are due for a try.
    pub fn dead(&self, answered: Bits<L>, period: Bits<L>) -> (Bits<L>, Bits<L>) {
        let SilenceView { sent, dead, tried, backoff } = self.fetched.get();
        let each = dead.width();
        let bit = |of: u64| slot_bits(period)[of as usize].extend_signed(each);
        let [low, high] = backoff;
        let slot = high & (low & bit(3) | !low & bit(2)) | !high & (low & bit(1) | !low & bit(0));
        let dead = (dead & (sent ^ answered)).named("dead");
        (dead, (dead & (slot ^ tried)).named("due_for_try"))
    }

    /// One clock cycle. `reads` and `fetches` belong to the request in step 0 and in step `l`; the packet is in step `l` + 7, and
    /// `sport` is that of the one in step 2 `l` + 8.
    pub fn clock(
        &self,
        (pair, fetches): (Bits<L>, Bits<L>),
        packet: SentPacket<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        (period, enabled): (Bits<L>, Bits<L>),
        sport: Bits<L>,
    ) {
        let (sweeps, swept) = sweeps;
        let (sent, decided, row) = (self.sent.get(), self.decided.get(), self.silences.operand());

        // l
        when(fetches, || {
            let [sent, dead, tried, low, high] = self.view.data::<PLANES>();
            self.fetched.set(SilenceView { sent, dead, tried, backoff: [low, high] });
        });

        // 2 l + 9, and 0
        let Silence { sent: toggle, dead, tried, backoff, .. } = self.silences.modified();
        let value = backoff.concat(tried).concat(dead).concat(toggle);
        let valid = decided.valid | decided.clears;
        self.view.clock(pair, LaneWrite { valid, row: decided.pair, lane: decided.vp, value });

        // l + 7, and the table's own steps
        let pair = select(sweeps, swept.0, packet.pair);
        let vp = select(sweeps, swept.1, packet.vp);
        self.silences.clock(Access { valid: packet.valid | sweeps, index: self.sizes.row(pair, vp) }, Bits::lit(1, 1));

        // 2 l + 8
        let (after, dies) = self.after(&sent, row, period, enabled);
        when(sent.valid, || self.silences.modify(after));
        when(sent.clears, || self.silences.modify(Silence::zero(&Silence::shape())));
        self.deaths.count(self.died.get().valid);
        self.died.set(VpNotice { valid: dies, pair: sent.pair, sport });
        self.decided.set(sent);
        self.sent.shift(Sent {
            valid: packet.valid,
            clears: sweeps,
            pair,
            vp,
            answered: packet.answered.each.slice_at(packet.vp, 1),
            denied: packet.answered.denied.slice_at(packet.vp, 1),
            vps: packet.answered.vps,
        });
    }

    /// Step 2 `l` + 8: the row after a packet, and whether its VP is found dead.
    fn after(&self, packet: &Sent<L>, row: Silence<L>, period: Bits<L>, enabled: Bits<L>) -> (Silence<L>, Bits<L>) {
        let waits = (row.sent ^ packet.answered).named("waits");
        let passed = period - row.from;
        let asked = row.later.all().named("has_asked");
        let counts = (!row.later.bit(1) & passed.any()).named("counts");
        let asks = (row.later.bit(1) & !asked & passed.at_least(PERIODS)).named("asks");
        let unheard = (!passed.slice(EACH, MOST_WIDTH).less(packet.vps)).named("unheard");
        let dies = packet.valid & waits & !row.dead & asked & (packet.denied | unheard) & enabled;
        let slots = slot_bits(period);
        let pick = |at: Bits<L>| {
            select(at.bit(1), select(at.bit(0), slots[3], slots[2]), select(at.bit(0), slots[1], slots[0]))
        };
        let tries = (waits & row.dead & (pick(row.backoff) ^ row.tried)).named("tries");
        let next = select(row.backoff.all(), row.backoff, row.backoff + 1);
        let after = Silence {
            sent: packet.answered ^ Bits::lit(1, 1),
            dead: waits & (row.dead | dies),
            tried: select(dies, slots[0], select(tries, pick(next), row.tried)),
            backoff: select(tries, next, row.backoff).gate(waits & row.dead),
            later: (row.later + (counts | asks).extend(2)).gate(waits),
            from: select(waits & !counts & !asks, row.from, period),
        };
        (after, dies)
    }
}

/// The bits of a period whose changes are times for tries: of intervals 2, 8, 32 and 128 periods long.
#[name_nets]
fn slot_bits<L: Logic>(period: Bits<L>) -> [Bits<L>; 4] {
    [1, 3, 5, 7].map(|bit| period.bit(bit))
}
