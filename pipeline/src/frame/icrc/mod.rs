// SPDX-License-Identifier: MIT OR Apache-2.0
//! `icrc`, `icrc_insert`: the invariant CRC of RoCEv2 and the CRC of UET, checked or inserted. Contract: `docs/stages/icrc.md`.
//!
//! ```text
//!  step  0  arrive     the beat in a register, bytes without `tkeep` zero
//!        1  compare    EtherTypes; bytes of the last beat
//!        2  link       tags, layer 3, frame length                                \
//!        3  fields     version, IHL, lengths, fragment, protocol                   | in beats with headers
//!        4  measure    word in which UDP begins; lengths of packet and payload     | only
//!        5  UDP        port, length, type out of their lanes; packet against frame |
//!        6  judge      RoCEv2, UET or neither; end of the packet from this beat on /
//!        7  count      beats left to the end; masked bytes of the headers, side by side
//!        8  choose     one bit per byte: it counts
//!        9  mask       the others are zero
//!       10  multiply   every word advanced to the end of the beat: W / 32 maps of 32 bits
//!       11  add        W / 32 words to one
//!       12  state      advanced by a beat, plus the words: the only loop
//!  check:
//!       13  compare    with the residue for the number of zero bytes at the end of the beat
//!                      the frame leaves; latency 15 clock cycles at every width
//!  insert:
//!    13 ..  rewind     by the zero bytes: 3, 4, 5, 6, 7 steps at 64, 128, 256, 512, 1024 bits
//!           rotate     to its place in the beat
//!                      the frame leaves with it; latency 18, 19, 20, 21, 22 clock cycles
//! ```
//!
//! The CRCs of RoCEv2 and UET differ in polynomial and coverage. If there are both, steps 7 to 12 are there twice: which one
//! a frame has is known in step 6 of the beat with the type of UET, when beats before it have been added up.
//!
//! The steps are the same at every width; only the number of lanes grows. Words are those of the beat at the input,
//! without a shift: a CRC does not depend on the alignment of its message. Everything that does not depend on the bytes
//! of the frame is in the initial state, see `crc`. When the consumer stalls, the whole pipeline stalls, as in the
//! header parser.

mod beat;
mod config;
mod crc;
mod crc_output;
mod headers;
mod mask;
mod patch;
mod ports;
mod sum;
mod sums;

pub use config::{IcrcConfig, IcrcMode, UetFrames};
pub use ports::{IcrcCounts, IcrcIn, IcrcOut};

use crate::blocks::skid_buffer::SkidBuffer;
use crate::frame::{ETHERTYPE, EtherTypes, FrameLength, StepStatus, Steps, kept};
use crate::headers::reason::DropReason;
use beat::DelayedBeat;
use crc_output::CrcOutput;
use headers::{HeaderSteps, VARIANT};
use mask::MaskSteps;
use patch::PatchSteps;
use rtl_model::stream::{Axis, Beat, Ready};
use rtl_model::{Bits, Delay, Design, Logic, Reg, Shape, Stage, bits, name_nets, select, when};
use sums::Sums;

impl IcrcConfig {
    /// The step in which frames leave.
    fn leaves(self) -> u32 {
        match self.mode {
            IcrcMode::Check => 13,
            IcrcMode::Insert => PatchSteps::<rtl_model::Model>::leaves(self.lanes()),
        }
    }

    /// Clock cycles from a beat in to the same beat out.
    pub fn latency(self) -> usize {
        self.leaves() as usize + 2
    }
}

/// Bits of `tuser` below those of the side band: drop and reason.
const USER: u32 = 1 + DropReason::WIDTH;

#[name_nets]
impl Design for IcrcConfig {
    type Stage<L: Logic> = Icrc<L>;

    fn module_name(&self) -> String {
        let mode = match self.mode {
            IcrcMode::Check => "check",
            IcrcMode::Insert => "insert",
        };
        format!("icrc_{mode}_w{}{}", self.data_width, self.suffix())
    }

    fn build<L: Logic>(&self) -> Icrc<L> {
        let lanes = self.lanes();
        let side = self.side_band.shape();
        let delayed_beat = DelayedBeat::shape(*self);
        let leaves = self.leaves();
        let line = |length: u32| Delay::new(&delayed_beat, length as usize);
        let delay = |width: u32, length: u32| Delay::new(&bits(width), length as usize);
        let sums = Sums::new(*self);
        Icrc {
            config: *self,
            valid: Reg::new(&bits(leaves + 1)).with_reset(),
            steps: Steps::new(lanes, leaves + 1),
            types: EtherTypes::new(lanes),
            length: FrameLength::new(lanes),
            headers: HeaderSteps::new(*self),
            mask: MaskSteps::new(lanes),
            starts: Reg::new(&bits(STARTS)),
            variant: delay(VARIANT, 6),
            ending: CrcOutput::new(self.mode, lanes, leaves, &sums),
            sums,
            has_crc: Reg::new(&bits(1)),
            to_verdict: delay(1, leaves - 7),
            lines: [(0, 1), (2, 2), (4, 2), (8, 4)]
                .map(|(step, length)| Delay::named(&format!("line_{step}"), &delayed_beat, length)),
            to_leave: line(leaves - 8),
            m_axis: SkidBuffer::new(&Beat::shape(self.data_width, USER, side)),
            counts: ["count_good", "count_bad", "count_other"].map(|name| Reg::named(name, &bits(32)).with_reset()),
        }
    }
}

/// Beats with the first byte of an IP header: the steps 3 to 11.
const STARTS: u32 = 9;

/// The stages `icrc` and `icrc_insert`.
#[name_nets]
pub struct Icrc<L: Logic> {
    config: IcrcConfig,
    /// One bit per step: it holds a beat.
    valid: Reg<Bits<L>>,
    steps: Steps<L>,
    types: EtherTypes<L>,
    length: FrameLength<L>,
    headers: HeaderSteps<L>,
    mask: MaskSteps<L>,
    starts: Reg<Bits<L>>,
    variant: Delay<Bits<L>>,
    sums: Sums<L>,
    ending: CrcOutput<L>,
    /// Step 7, in the last beat: there is a CRC, and the frame holds the packet.
    has_crc: Reg<Bits<L>>,
    to_verdict: Delay<Bits<L>>,
    /// The frame in steps 0, 2, 4 and 8.
    lines: [Delay<DelayedBeat<L>>; 4],
    to_leave: Delay<DelayedBeat<L>>,
    m_axis: SkidBuffer<Beat<L>>,
    counts: [Reg<Bits<L>>; 3],
}

#[name_nets]
impl<L: Logic> Icrc<L> {
    /// The end of the pipeline: frame and counters.
    fn output(&self, steps: &StepStatus<L>, valid: Bits<L>, ready: Bits<L>) {
        let at = self.config.leaves();
        let leaves = valid.bit(at) & self.m_axis.ready();
        let last = steps.last(at);
        let user = self.to_leave.get().tuser;
        let judged = match self.config.trimming {
            true => !user.bit(0) & user.slice(1, DropReason::WIDTH).differs(DropReason::Trimmed.code()),
            false => !user.bit(0),
        };
        let has_crc = self.to_verdict.get() & judged;
        let wrong = self.ending.wrong();
        when(leaves & last, || {
            let count = |at: usize| self.counts[at].set(self.counts[at].get() + 1);
            when(!has_crc, || count(2)).or_when(wrong, || count(1)).otherwise(|| count(0));
        });
        let beat = || {
            let DelayedBeat { tdata, tkeep, tuser, side } = self.to_leave.get();
            let icrc = Bits::lit(USER, DropReason::Icrc.code() << 1 | 1);
            let user = select(last, select(has_crc & wrong, icrc, tuser), Bits::lit(USER, 0));
            let tdata = self.ending.patched(tdata);
            Beat { tdata, tkeep, tlast: last, tuser: user, side }
        };
        self.m_axis.clock(leaves, beat, ready);
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Icrc<L> {
    type In = IcrcIn<L>;
    type Out = IcrcOut<L>;

    fn input_shape(&self) -> IcrcIn<Shape> {
        IcrcIn::shape(self.config)
    }

    fn outputs(&self) -> IcrcOut<L> {
        let [good, bad, other] = Reg::get_all(&self.counts);
        IcrcOut {
            s_axis: Ready { tready: self.m_axis.ready() },
            m_axis: Axis::offer(self.m_axis.valid(), self.m_axis.front()),
            count: IcrcCounts { good, bad, other },
        }
    }

    fn clock(&self, input: &IcrcIn<L>) {
        let (steps, valid) = (self.steps.get(), self.valid.get());
        let advance = self.m_axis.ready();
        self.output(&steps, valid, input.m_axis.tready);
        when(advance, || {
            let (tvalid, beat) = (input.s_axis.tvalid, kept(input.s_axis.beat(USER)));
            let Beat { tdata, tkeep, tlast, tuser, side } = beat;
            let [line_0, line_2, line_4, line_8] = &self.lines;
            self.ending.clock(&steps, &self.sums, &self.mask);
            self.to_verdict.shift(self.has_crc.get());
            let starts = self.starts.get();
            let of_steps_10_11 = [starts.bit(STARTS - 2), starts.bit(STARTS - 1)];
            let chosen = self.mask.chosen(&steps, valid.bit(7));
            let (headers, mask) = (&self.headers, &self.mask);
            self.sums.clock(&steps, of_steps_10_11, self.variant.get(), &chosen, mask, headers, line_8);
            self.mask.clock(&steps, valid, &chosen, headers);
            when(steps.last(6), || self.has_crc.set(headers.has_crc() & headers.fits.get()));
            self.variant.shift(self.headers.variant[0].get());
            let (link, length) = (self.types.link.get(), self.length.get());
            self.starts.set(starts.truncate(STARTS - 1).concat(self.headers.starts(&steps, link)));
            self.headers.clock(&steps, link, length, [line_2, line_4]);
            let lanes = self.config.lanes();
            self.types.clock(&steps, |i| lanes.word(line_0.get().tdata, ETHERTYPE + i).slice(16, 16));
            self.length.clock(&steps, tvalid, beat);
            self.to_leave.shift(line_8.get());
            line_8.shift(line_4.get());
            line_4.shift(line_2.get());
            line_2.shift(line_0.get());
            line_0.shift(DelayedBeat { tdata, tkeep, tuser, side });
            self.valid.set(valid.truncate(self.config.leaves()).concat(tvalid));
            self.steps.clock(steps, tvalid, tlast);
        });
    }
}
