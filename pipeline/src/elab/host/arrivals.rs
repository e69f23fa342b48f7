// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the header record of a frame to what both halves of ELAB learn of it. With memories of latency `l`:
//!
//! ```text
//!  cycle 0        the record enters its memory in the gate; its addresses to the lookup
//!        l + 3    the pair, or none, into a FIFO
//!        2 l + 5  its record on `m_record`
//!        2 l + 6  arrival and report
//! ```
//!
//! A packet counts if it has bytes or is one of a burst: two hosts that have nothing to send would otherwise report each
//! other's reports for ever.

use super::config::ElabHostConfig;
use super::pairs::{PairKey, mapped};
use crate::blocks::fifo::Fifo;
use crate::blocks::skid_buffer::SkidBuffer;
use crate::elab::{feedback, scheduler};
use crate::headers::record::{HeaderRecord, l3, transport};
use crate::headers::{Elab, ElabRate, Ipv4, Ipv6, Udp};
use crate::receive::context_lookup::{self, KIND_WIDTH, Lookup, kind};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Codepoint of a packet that is marked by ECN.
const CONGESTION_EXPERIENCED: u64 = 3;

/// The pair of a frame.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
pub struct Identity<L: Reading> {
    pub found: Bits<L>,
    #[shape(config.sizes().pair())]
    pub pair: Bits<L>,
}

/// What the halves learn of a packet.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
struct Notice<L: Reading> {
    #[shape(config.sizes().pair())]
    pair: Bits<L>,
    /// It is counted as received.
    counts: Bits<L>,
    #[width(16)]
    sport: Bits<L>,
    ecn: Bits<L>,
    #[width(16)]
    burst: Bits<L>,
    /// It carries a report, with the fields that follow.
    reports: Bits<L>,
    #[width(16)]
    vp: Bits<L>,
    #[width(16)]
    count: Bits<L>,
    marked: Bits<L>,
    probed: Bits<L>,
    #[width(32)]
    rate: Bits<L>,
}

/// Frames from the gate to their consumer, and notices to both halves.
#[name_nets]
pub struct Arrivals<L: Logic> {
    config: ElabHostConfig,
    /// It has as many rows as the gate keeps records, so it is never full.
    identities: Fifo<L, Identity<L>>,
    notices: SkidBuffer<Notice<L>>,
    /// Frames whose addresses were looked up, and frames that have left; they wrap.
    taken: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Arrivals<L> {
    pub fn new(config: ElabHostConfig) -> Self {
        let (flag, pair) = (bits(1), config.sizes().pair());
        let (half, word) = (bits(16), bits(32));
        let notice = Notice::shape(config);
        Arrivals {
            config,
            identities: Fifo::new(config.gate.frames, config.gate.ram_latency, &Identity::shape(config)),
            notices: SkidBuffer::new(&notice),
            taken: Reg::new(&config.place()).with_reset(),
            left: Reg::new(&config.place()).with_reset(),
        }
    }

    /// There is a record for its consumer: that of a frame whose pair is known, and there is room for its notice.
    pub fn record_valid(&self) -> Bits<L> {
        self.identities.valid() & self.notices.ready()
    }

    /// The pair of the frame whose record is next.
    pub fn front(&self) -> Identity<L> {
        self.identities.front()
    }

    /// How many frames have been looked up and how many have left; both wrap.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get(), self.left.get())
    }

    /// The look-up of a record that the gate keeps. One that is not of ELAB has a kind that no key of the table has.
    pub fn look_up(&self, kept: Bits<L>, record: &HeaderRecord<L>) -> Lookup<L> {
        let is_v6 = record.l3.equals(l3::IPV6);
        let at = |i: usize| record.ip[i];
        let source = mapped(is_v6, [select(is_v6, at(2), at(3)), at(3), at(4), at(5)]);
        let destination = mapped(is_v6, [select(is_v6, at(6), at(4)), at(7), at(8), at(9)]);
        let [key, key_1, key_2, key_3] = PairKey { destination, source }.words();
        let is_elab = record.transport.equals(transport::ELAB);
        let kind = select(is_elab, Bits::lit(KIND_WIDTH, kind::ELAB), Bits::lit(KIND_WIDTH, kind::ROCEV2));
        Lookup { valid: kept, kind, key, key_1: Some(key_1), key_2: Some(key_2), key_3: Some(key_3) }
    }

    /// The arrival for `elab_feedback`, if the other half is ready for the report.
    pub fn arrival(&self, report_ready: Bits<L>) -> feedback::Arrival<L> {
        let Notice { pair, counts, sport, ecn, burst, .. } = self.notices.front();
        let valid = self.notices.valid() & counts & report_ready;
        feedback::Arrival { valid, pair, sport, ecn, burst }
    }

    /// The report for `elab_scheduler`, if the other half is ready for the arrival.
    pub fn report(&self, arrival_ready: Bits<L>) -> scheduler::Report<L> {
        let Notice { pair, reports, vp, count, marked, probed, rate, .. } = self.notices.front();
        let valid = self.notices.valid() & reports & arrival_ready;
        scheduler::Report { valid, pair, vp, count, ecn: marked, probed, rate }
    }

    /// The notice of a frame.
    fn notice(&self, record: &HeaderRecord<L>) -> Notice<L> {
        let Identity { found, pair } = self.front();
        let header = Elab::read(|i| record.header[i as usize]);
        let ElabRate { vp_rburst_rate } = ElabRate::read(|_| record.header[2]);
        let (v4, v6) = (Ipv4::read(|i| record.ip[i as usize]), Ipv6::read(|i| record.ip[i as usize]));
        let ecn = select(record.l3.equals(l3::IPV6), v6.ecn, v4.ecn);
        Notice {
            pair,
            counts: found & (record.payload_length.any() | header.burst_id.any()),
            sport: Udp::read(|i| record.udp[i as usize]).source,
            ecn: ecn.equals(CONGESTION_EXPERIENCED),
            burst: header.burst_id,
            reports: found & header.vp_id.any(),
            vp: header.vp_id,
            count: header.vp_rcnt,
            marked: header.e,
            probed: header.b,
            rate: vp_rburst_rate.gate(header.b),
        }
    }

    /// One clock cycle: a record is kept, an answer of the lookup comes, the gate offers a record, and its consumer and both
    /// halves are ready or not.
    pub fn clock(
        &self,
        kept: Bits<L>,
        answer: context_lookup::Answer<L>,
        record: &HeaderRecord<L>,
        record_ready: Bits<L>,
        halves_ready: Bits<L>,
    ) {
        let leaves = (self.record_valid() & record_ready).named("record_leaves");
        when(self.notices.valid() & halves_ready, || self.left.set(self.left.get() + 1));
        when(kept, || self.taken.set(self.taken.get() + 1));
        self.notices.clock(leaves, || self.notice(record), halves_ready);
        let pair = answer.index.truncate(self.config.sizes().pair().bits());
        self.identities.clock(answer.valid, || Identity { found: answer.found, pair }, leaves);
    }
}
