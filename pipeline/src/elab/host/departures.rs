// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a packet, or a pair that is due, to the header record of its frame. With memories of latency `l`:
//!
//! ```text
//!  cycle n             a packet or a pair that is due; a request to the scheduler and a query to the feedback
//!        n + l + 11    the row of its pair is read
//!        n + 2 l + 8   grant: its virtual path
//!        n + 2 l + 11  report; with the grant and the row into a FIFO
//!        n + 2 l + 14  its record to the header builder, one per clock cycle
//! ```
//!
//! A pair that is due goes before a packet, but not twice in succession, so packets are never kept waiting for more than one
//! clock cycle. The bytes of a packet pass to the header builder when it has the record, and not before: those of a packet
//! that is not sent are taken and dropped in their place.

use super::config::{ElabHostConfig, LENGTH_WIDTH};
use super::pairs::{PairRow, PairWrite};
use super::ports::Packet;
use crate::blocks::counter::Counter;
use crate::blocks::fifo::Fifo;
use crate::elab::feedback::{self, Due};
use crate::elab::scheduler::{self, Grant};
use crate::frame::header_builder::{HeaderBuilderIn, entropy_target};
use crate::headers::record::{HEADER_WORDS, HeaderPresence, HeaderRecord, l3, transport};
use crate::headers::{Elab, ElabRate};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Delay, Logic, Ram, RamShape, Reading, Reg, bits, clog2, name_nets, select, when};

/// Packets that are under way at most: more than clock cycles to the header builder, so none is lost.
const PACKETS: u64 = 32;
/// Latency of the FIFO, which is small.
const FIFO_LATENCY: u32 = 1;
/// Records with bytes that the header builder has at most, whose bytes have not passed.
const AHEAD: u64 = 16;

/// What has been taken: a packet, or a pair that is due.
#[derive(Bundle)]
#[shape]
struct Taken<L: Reading> {
    /// The packet is sent for its report alone.
    own_report: Bits<L>,
    #[width(6)]
    dscp: Bits<L>,
    #[width(LENGTH_WIDTH)]
    length: Bits<L>,
}

/// A packet with all that its headers say.
#[derive(Bundle)]
struct Departure<L: Reading> {
    taken: Taken<L>,
    /// It has a VP.
    granted: Bits<L>,
    sport: Bits<L>,
    burst: Bits<L>,
    vp: Bits<L>,
    count: Bits<L>,
    ecn: Bits<L>,
    probed: Bits<L>,
    rate: Bits<L>,
    row: PairRow<L>,
}

/// What the stages say, and what is offered.
pub struct Offers<L: Logic> {
    /// All tables can be used.
    pub live: Bits<L>,
    pub packet: Packet<L>,
    pub due: Due<L>,
    pub grant: Grant<L>,
    pub report: feedback::Report<L>,
    pub bytes: Axis<L>,
}

/// Packets on their way to the header builder.
#[name_nets]
pub struct Departures<L: Logic> {
    config: ElabHostConfig,
    /// A pair that is due was taken in the clock cycle before.
    took_due: Reg<Bits<L>>,
    taken: Delay<Taken<L>>,
    /// The pair, until its row is read.
    pairs: Delay<Bits<L>>,
    grants: Delay<Grant<L>>,
    rows: Ram<PairRow<L>>,
    departures: Fifo<L, Departure<L>>,
    /// Packets taken and packets that have left, modulo 64.
    came: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
    /// Records with bytes that the header builder has taken, and whose bytes have not passed.
    expected: Reg<Bits<L>>,
    own_reports: Counter<L>,
    unsent: Counter<L>,
}

#[name_nets]
impl<L: Logic> Departures<L> {
    pub fn new(config: ElabHostConfig) -> Self {
        let (flag, half, latency) = (bits(1), bits(16), config.sizes().ram_latency);
        let place = bits(clog2(2 * PACKETS));
        let taken = Taken::shape();
        let row = PairRow::shape();
        let departure = Departure {
            taken,
            granted: flag,
            sport: half,
            burst: half,
            vp: half,
            count: half,
            ecn: flag,
            probed: flag,
            rate: bits(32),
            row,
        };
        let rows = RamShape::new(config.sizes().pairs).latency(latency).read_first();
        Departures {
            config,
            took_due: Reg::new(&flag).with_reset(),
            taken: Delay::new(&taken, config.report_latency() as usize),
            pairs: Delay::new(&config.sizes().pair(), (config.report_latency() - latency) as usize),
            grants: Delay::new(&Grant::shape(config.sizes()), config.grant_leads() as usize),
            rows: Ram::new(rows, &row),
            departures: Fifo::new(PACKETS, FIFO_LATENCY, &departure),
            came: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
            expected: Reg::new(&bits(clog2(2 * AHEAD))).with_reset(),
            own_reports: Counter::new(32),
            unsent: Counter::new(32),
        }
    }

    /// There is room for a packet, while all tables can be used.
    fn room(&self, live: Bits<L>) -> Bits<L> {
        live & (self.came.get() - self.left.get()).less(PACKETS)
    }

    /// A pair that is due can be taken.
    pub fn due_ready(&self, live: Bits<L>) -> Bits<L> {
        self.room(live) & !self.took_due.get()
    }

    /// A packet can be taken.
    pub fn packet_ready(&self, live: Bits<L>, due: Due<L>) -> Bits<L> {
        self.room(live) & !(due.valid & !self.took_due.get())
    }

    /// Counters: packets that were sent for their reports alone, and packets that were not sent.
    pub fn counts(&self) -> (Bits<L>, Bits<L>) {
        (self.own_reports.get(), self.unsent.get())
    }

    /// What is taken: whether there is something, and the pair.
    fn takes(&self, offers: &Offers<L>) -> (Bits<L>, Bits<L>) {
        let takes_due = offers.due.valid & self.due_ready(offers.live);
        let takes_packet = offers.packet.valid & self.packet_ready(offers.live, offers.due);
        (takes_due | takes_packet, select(takes_due, offers.due.pair, offers.packet.pair))
    }

    /// The request to the scheduler and the query to the feedback.
    pub fn asks(&self, offers: &Offers<L>) -> (scheduler::Request<L>, feedback::Query<L>) {
        let (valid, pair) = self.takes(offers);
        let takes_due = offers.due.valid & self.due_ready(offers.live);
        // As the other host counts them (row EH5).
        let empty = takes_due | !offers.packet.length.any();
        (scheduler::Request { valid, pair, empty }, feedback::Query { valid, pair })
    }

    /// The packet at the front can be sent.
    fn can_be_sent(front: &Departure<L>) -> Bits<L> {
        front.granted & front.row.open
    }

    /// The header builder is offered the packet at the front.
    fn offered(&self) -> Bits<L> {
        let room = self.expected.get().less(AHEAD);
        self.departures.valid() & Self::can_be_sent(&self.departures.front()) & room
    }

    /// Bytes pass to the header builder.
    fn passes(&self) -> Bits<L> {
        self.expected.get().any()
    }

    /// The bytes of the packet at the front are dropped: it is not sent, and those before it have passed.
    fn drops(&self) -> Bits<L> {
        let front = self.departures.front();
        let unsent = self.departures.valid() & !Self::can_be_sent(&front);
        unsent & front.taken.length.any() & !self.passes()
    }

    /// A beat of bytes can be taken.
    pub fn bytes_ready(&self, builder: Ready<L>) -> Ready<L> {
        Ready { tready: self.drops() | self.passes() & builder.tready }
    }

    /// What the header builder gets.
    pub fn to_builder(&self, bytes: Axis<L>, m_axis: Ready<L>) -> HeaderBuilderIn<L> {
        let front = self.departures.front();
        HeaderBuilderIn {
            s_record_tvalid: self.offered(),
            s_record: compose(&self.config, &front),
            s_record_entropy: Bits::lit(20, 0),
            s_record_entropy_target: Bits::lit(2, entropy_target::RECORDED),
            s_record_has_payload: front.taken.length.any(),
            s_axis: Axis { tvalid: bytes.tvalid & self.passes(), ..bytes },
            m_axis,
        }
    }

    /// One clock cycle; `builder` are the readies of the header builder, for record and bytes.
    pub fn clock(&self, offers: &Offers<L>, write: PairWrite<L>, builder: (Bits<L>, Ready<L>)) {
        let (takes, pair) = self.takes(offers);
        let takes_due = (offers.due.valid & self.due_ready(offers.live)).named("takes_due");
        let front = self.departures.front();
        let (has_bytes, drops) = (front.taken.length.any(), self.drops());
        let departs = (self.offered() & builder.0).named("departs");
        let ends = offers.bytes.tvalid & offers.bytes.tlast;
        let unsent = self.departures.valid() & !Self::can_be_sent(&front);
        let dropped = (unsent & (!has_bytes | drops & ends)).named("dropped");
        let passed = (self.passes() & ends & builder.1.tready).named("passed");
        let leaves = departs | dropped;

        self.took_due.set(takes_due);
        when(takes, || self.came.set(self.came.get() + 1));
        when(leaves, || self.left.set(self.left.get() + 1));
        let width = self.expected.get().width();
        let added = (departs & has_bytes).extend(width);
        self.expected.set(self.expected.get() + added - passed.extend(width));
        self.own_reports.count(departs & front.taken.own_report);
        self.unsent.count(dropped & !front.taken.own_report);

        let (taken, grant, report) = (self.taken.get(), self.grants.get(), offers.report);
        let departure = || Departure {
            taken,
            granted: grant.ok,
            sport: grant.sport,
            burst: grant.burst,
            vp: report.vp,
            count: report.count,
            ecn: report.ecn,
            probed: report.probed,
            rate: report.rate,
            row: self.rows.data(),
        };
        self.departures.clock(report.valid, departure, leaves);
        self.grants.shift(offers.grant);
        self.taken.shift(Taken {
            own_report: takes_due,
            dscp: select(takes_due, Bits::lit(6, self.config.report_dscp), offers.packet.dscp),
            length: offers.packet.length.gate(!takes_due),
        });
        when(write.valid, || self.rows.write(write.pair, write.row));
        self.rows.read(self.pairs.get());
        self.rows.clock();
        self.pairs.shift(pair);
    }
}

/// The record of a packet. A report of which nothing is known has VP_ID 0, which is no VP.
#[name_nets]
fn compose<L: Logic>(config: &ElabHostConfig, departure: &Departure<L>) -> HeaderRecord<L> {
    let lit = Bits::lit;
    let Departure { taken, sport, burst, vp, count, ecn, probed, rate, row, .. } = *departure;
    let to = row.destination;
    let (ethernet, ip) = to.network(taken.dscp, lit(20, 0));
    let info = Elab { vp_id: vp, vp_rcnt: count, reserved: lit(14, 0), b: probed, e: ecn, burst_id: burst };
    let words: Vec<_> = info.words().into_iter().chain(ElabRate { vp_rburst_rate: rate }.words()).collect();
    let header: [Bits<L>; HEADER_WORDS] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(lit(32, 0)));
    HeaderRecord {
        ethernet,
        vlan_count: to.tagged.extend(2),
        l3: select(to.ipv6, lit(2, l3::IPV6), lit(2, l3::IPV4)),
        ip,
        udp: [sport.concat(lit(16, config.parser.protocols.elab_port.into())), lit(32, 0)],
        mpeh: [lit(32, 0); 2],
        header,
        transport: lit(3, transport::ELAB),
        uet_native: lit(1, 0),
        has: HeaderPresence::of(lit(1, 0), lit(9, 0)),
        transport_words: lit(4, 2) + probed.extend(4),
        inner_protocol: lit(8, 0),
        payload_offset: lit(8, 0),
        payload_length: taken.length,
        ip_slack: lit(16, 0),
        tid: None,
        tdest: None,
        tuser: None,
    }
}
