// SPDX-License-Identifier: MIT OR Apache-2.0
//! `header_parser`: gives a verdict and a header record for every frame. Contract: `docs/stages/header_parser.md`.
//!
//! ```text
//!  step  0  arrive     bytes without `tkeep` zero; words shifted by two bytes, so that all headers are in lanes of 32 bits
//!        1  compare    EtherTypes; bytes of the last beat
//!        2  link       tags, layer 3, frame length
//!        3  rotate     IP words to their lanes
//!        4  network    version, IHL, lengths, protocol
//!        5  rotate     transport words to their lanes; packet and payload length
//!        6  hits       which transport word is in the beat
//!        7  transport  which one; OpCode, UET type, MPEH, rate of ELAB
//!        8  record     words captured; the record leaves
//!     6..   checksum   one step per level of the adder tree, then total, fold, compare
//!           verdict    after the checksum, in the frame's last beat; the frame leaves with it
//! ```
//!
//! The frame waits in a delay line for its verdict. Header logic is active only for beats that can hold headers
//! (`StepStatus::active`). Each step keeps its results until the headers of the next frame arrive, so they are still
//! there when the last beat passes. When a consumer stalls, the whole pipeline stalls: `advance` is the `ready` of the
//! skid buffers at the ends. Latency from `s_axis` to `m_axis`: 13, 14, 15, 16, 17 clock cycles at 64, 128, 256, 512,
//! 1024 bits.

mod capture;
mod checksum;
mod link;
mod network;
mod reserved;
mod transport;
mod transports;
mod verdict;

use crate::blocks::skid_buffer::SkidBuffer;
use crate::frame::{BusLayout, LAST_OF_UDP, Steps, kept, kept_data};
use crate::headers::protocols::{Protocols, Reserved};
use crate::headers::reason::DropReason;
use crate::headers::record::HeaderRecord;
use crate::headers::side_band::SideBand;
use capture::CaptureStep;
use checksum::ChecksumSteps;
use link::LinkSteps;
use network::NetworkSteps;
use rtl_model::stream::{Axis, Beat, Ready, Side};
use rtl_model::{
    Bits, Bundle, Delay, Design, Logic, Reading, Reg, Shape, Stage, Wide, bits, join, name_nets, select, switch, when,
};
use transport::TransportSteps;
use verdict::{Sources, VerdictSteps};

/// Configuration of the stage `header_parser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderParserConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// A skid buffer for the records. Without it `m_record` is valid for one clock cycle and its `tready` is not read.
    pub record_buffer: bool,
    /// A 32-bit counter per reason. Without them `count_*` are 0.
    pub counters: bool,
    /// Transports that it recognises, with their ports.
    pub protocols: Protocols,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, carried with every beat.
    pub side_band: SideBand,
}

/// Bits of `tuser` on `s_axis` below those of the side band: the mark of the MAC.
const USER_IN: u32 = 1;
/// The same on `m_axis`: drop and reason.
const USER_OUT: u32 = 1 + DropReason::WIDTH;

impl HeaderParserConfig {
    /// The default configuration at this bus width in bits.
    pub fn new(data_width: u32) -> Self {
        HeaderParserConfig {
            data_width,
            record_buffer: true,
            counters: true,
            protocols: Protocols::default(),
            side_band: SideBand::NONE,
        }
    }

    fn lanes(self) -> BusLayout {
        // After UDP: the longest header, and an MPEH in it.
        let behind = self.protocols.words() + if self.protocols.rocev2 { 2 } else { 0 };
        BusLayout { count: self.data_width / 32, last: LAST_OF_UDP + behind }
    }

    /// The reasons that it can set. Each has a counter.
    fn reasons(self) -> impl Iterator<Item = DropReason> {
        DropReason::PARSER.into_iter().chain(self.protocols.trimming.then_some(DropReason::Trimmed))
    }

    fn verdict_step(self) -> u32 {
        ChecksumSteps::<rtl_model::Model>::step(self.lanes()) + 1
    }

    /// Clock cycles from a beat in to the same beat out.
    pub fn latency(self) -> usize {
        self.verdict_step() as usize + 2
    }
}

#[name_nets]
impl Design for HeaderParserConfig {
    type Stage<L: Logic> = HeaderParser<L>;

    fn module_name(&self) -> String {
        let bare = if self.record_buffer { "" } else { "_unbuffered" };
        let silent = if self.counters { "" } else { "_uncounted" };
        format!("header_parser_w{}{}{bare}{silent}", self.data_width, self.protocols.suffix())
    }

    fn build<L: Logic>(&self) -> HeaderParser<L> {
        let lanes = self.lanes();
        let side = self.side_band.shape();
        let delayed_beat = DelayedBeat::shape(*self);
        let verdict = self.verdict_step();
        HeaderParser {
            config: *self,
            steps: Steps::new(lanes, verdict),
            link: LinkSteps::new(lanes),
            network: NetworkSteps::new(lanes, self.protocols),
            transport: TransportSteps::new(lanes, self.protocols),
            checksum: ChecksumSteps::new(lanes),
            verdict: VerdictSteps::new(verdict - 1, self.protocols),
            capture: CaptureStep::new(lanes, self.protocols, side),
            to_capture: Delay::new(&delayed_beat, 7),
            kept_7: Reg::named("kept_7", &delayed_beat),
            tail: Reg::numbered(7, &bits(16)),
            to_verdict: Delay::new(&delayed_beat, verdict as usize - 7),
            m_axis: SkidBuffer::new(&Beat::shape(self.data_width, USER_OUT, side)),
            m_record: self.record_buffer.then(|| SkidBuffer::new(&HeaderRecord::shape(self.side_band))),
            counts: self.reasons().map(|r| Reg::named(&join("count", r.name()), &bits(32)).with_reset()).collect(),
        }
    }
}

/// A beat in a delay line.
#[derive(Bundle)]
#[shape(config: HeaderParserConfig)]
struct DelayedBeat<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(config.data_width)]
    tdata: Wide<L>,
    #[width(config.data_width / 8)]
    tkeep: Wide<L>,
    tlast: Bits<L>,
    #[shape(config.side_band.shape())]
    side: Side<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: HeaderParserConfig)]
pub struct HeaderParserIn<L: Reading> {
    /// Frames from the MAC, without FCS. On the last beat `tuser` bit 0 is 1 if the MAC found the frame bad;
    /// above it is the side band.
    #[shape(Axis::shape(config.data_width, USER_IN, config.side_band.shape()))]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
    /// The receiver of the records is ready.
    pub m_record: Ready<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct HeaderParserOut<L: Reading> {
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// The same frames, unchanged. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the
    /// reason; above them is the side band.
    pub m_axis: Axis<L>,
    /// There is a record; it stays until `m_record_tready` is 1.
    #[valid(m_record)]
    pub m_record_tvalid: Bits<L>,
    /// The header record: one for each frame, in the order of the frames, with the side band of the frame's
    /// first beat.
    pub m_record: HeaderRecord<L>,
    /// Frames since reset, one counter for each reason. They wrap.
    pub count: Counts<L>,
}

/// Frames by reason, wrapping.
#[derive(Bundle)]
pub struct Counts<L: Reading> {
    /// Frames that passed.
    pub none: Bits<L>,
    /// Frames that the MAC marked bad.
    pub bad_frame: Bits<L>,
    /// Frames that end inside the Ethernet, tag or IP header.
    pub cut_short: Bits<L>,
    /// Frames whose IP version does not fit the EtherType.
    pub ip_version: Bits<L>,
    /// Frames with an IHL below 5.
    pub ihl: Bits<L>,
    /// Frames with a wrong IPv4 header checksum.
    pub ip_checksum: Bits<L>,
    /// Frames whose IP length is beyond the frame or below its own header.
    pub ip_length: Bits<L>,
    /// Frames whose UDP length is beyond the IP payload or below 8 bytes.
    pub udp_length: Bits<L>,
    /// Frames in which the headers of the transport do not fit the datagram.
    pub header_cut: Bits<L>,
    /// Frames with reserved bits that are not 0. They are refused or, where these bits are only counted, pass.
    pub reserved: Bits<L>,
    /// Frames of 128 KiB or more.
    pub too_long: Bits<L>,
    /// Frames that passed as trimmed packets; `none` does not count them.
    pub trimmed: Option<Bits<L>>,
}

/// The stage `header_parser`: verdict and header record for every frame.
#[name_nets]
pub struct HeaderParser<L: Logic> {
    config: HeaderParserConfig,
    steps: Steps<L>,
    link: LinkSteps<L>,
    network: NetworkSteps<L>,
    checksum: ChecksumSteps<L>,
    transport: TransportSteps<L>,
    verdict: VerdictSteps<L>,
    capture: CaptureStep<L>,
    to_capture: Delay<DelayedBeat<L>>,
    /// Step 7: bytes without `tkeep` are 0, as they are in the words of the first steps.
    kept_7: Reg<DelayedBeat<L>>,
    tail: Reg<Bits<L>>,
    to_verdict: Delay<DelayedBeat<L>>,
    m_axis: SkidBuffer<Beat<L>>,
    m_record: Option<SkidBuffer<HeaderRecord<L>>>,
    counts: Vec<Reg<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> HeaderParser<L> {
    /// All steps advance: neither output stalls.
    fn advance(&self) -> Bits<L> {
        let frames = self.m_axis.ready();
        match &self.m_record {
            Some(records) => frames & records.ready(),
            None => frames,
        }
    }

    /// The register that counts frames of this reason.
    fn counter(&self, reason: DropReason) -> Option<&Reg<Bits<L>>> {
        self.config.reasons().zip(&self.counts).find_map(|(candidate, count)| (candidate == reason).then_some(count))
    }

    /// Counts a frame that leaves under its drop reason.
    fn count(&self, reason: Bits<L>) {
        let count = |count: &Reg<Bits<L>>| count.set(count.get() + 1);
        let reserved = self.config.protocols.reserved;
        let reasons = self.config.reasons().zip(&self.counts);
        let drops =
            reasons.skip(1).filter(|(reason, _)| *reason != DropReason::Reserved || reserved == Reserved::Refuse);
        let good = switch(reason).case(0, || count(&self.counts[0]));
        drops.fold(good, |rest, (reason, register)| rest.case(reason.code(), || count(register)));
        if reserved == Reserved::Count {
            when(self.verdict.marked(), || self.counter(DropReason::Reserved).into_iter().for_each(count));
        }
    }

    /// The ends of the pipeline: frame, record and counters.
    fn output(&self, advance: Bits<L>, input: &HeaderParserIn<L>) {
        let frame = self.to_verdict.get();
        let reason = self.verdict.reason();
        let leaves = frame.valid & advance;
        if self.config.counters {
            when(leaves & frame.tlast, || self.count(reason));
        }
        let beat = || {
            let drop = match self.config.protocols.trimming {
                true => reason.any() & reason.differs(DropReason::Trimmed.code()),
                false => reason.any(),
            };
            let verdict = select(frame.tlast, reason.concat(drop), Bits::lit(USER_OUT, 0));
            Beat { tdata: frame.tdata, tkeep: frame.tkeep, tlast: frame.tlast, tuser: verdict, side: frame.side }
        };
        self.m_axis.clock(leaves, beat, input.m_axis.tready);
        match &self.m_record {
            Some(records) => {
                let push = self.capture.valid() & advance;
                records.clock(push, || self.capture.record(), input.m_record.tready);
            }
            None => input.m_record.tready.ignore(),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for HeaderParser<L> {
    type In = HeaderParserIn<L>;
    type Out = HeaderParserOut<L>;

    fn input_shape(&self) -> HeaderParserIn<Shape> {
        HeaderParserIn::shape(self.config)
    }

    fn outputs(&self) -> HeaderParserOut<L> {
        let count = |reason: DropReason| {
            let reserved = self.config.protocols.reserved;
            let counted = self.config.counters && (reason != DropReason::Reserved || reserved != Reserved::Ignore);
            self.counter(reason).filter(|_| counted).map_or(Bits::lit(32, 0), Reg::get)
        };
        let (m_record_tvalid, m_record) = match &self.m_record {
            Some(records) => (records.valid(), records.front()),
            None => (self.capture.valid() & self.advance(), self.capture.record()),
        };
        HeaderParserOut {
            s_axis: Ready { tready: self.advance() },
            m_axis: Axis::offer(self.m_axis.valid(), self.m_axis.front()),
            m_record_tvalid,
            m_record,
            count: Counts {
                none: count(DropReason::None),
                bad_frame: count(DropReason::BadFrame),
                cut_short: count(DropReason::CutShort),
                ip_version: count(DropReason::IpVersion),
                ihl: count(DropReason::Ihl),
                ip_checksum: count(DropReason::IpChecksum),
                ip_length: count(DropReason::IpLength),
                udp_length: count(DropReason::UdpLength),
                header_cut: count(DropReason::HeaderCut),
                reserved: count(DropReason::Reserved),
                too_long: count(DropReason::TooLong),
                trimmed: self.config.protocols.trimming.then(|| count(DropReason::Trimmed)),
            },
        }
    }

    fn clock(&self, input: &HeaderParserIn<L>) {
        let advance = self.advance();
        self.output(advance, input);
        when(advance, || {
            let steps = self.steps.get();
            let from = Sources { link: &self.link, network: &self.network, capture: &self.capture };
            self.verdict.clock(&steps, (self.config.verdict_step() - 1, self.checksum.good()), from);
            let delayed_beat = self.kept_7.get();
            let width = self.config.data_width;
            let words = || delayed_beat.tdata.part(0, width - 16).concat(self.tail.get().widen());
            self.capture.clock(&steps, words, delayed_beat.side, &self.transport);
            when(steps.active(7), || self.tail.set(delayed_beat.tdata.slice(width - 16, 16)));
            self.to_verdict.shift(delayed_beat);
            self.checksum.clock(&steps, &self.network);
            self.transport.clock(&steps, &self.network);
            self.network.clock(&steps, &self.link);
            let (tvalid, beat) = (input.s_axis.tvalid, input.s_axis.beat(USER_IN));
            let Beat { tdata, tkeep, tlast, side, .. } = beat;
            // Each has one register behind it, whose reset it can be.
            self.link.clock(&steps, tvalid, self.steps.headers_next(), kept(beat));
            let last = self.to_capture.get();
            self.kept_7.set(DelayedBeat { tdata: kept_data(last.tdata, last.tkeep), ..last });
            self.to_capture.shift(DelayedBeat { valid: tvalid, tdata, tkeep, tlast, side });
            self.steps.clock(steps, tvalid, tlast);
        });
    }
}
