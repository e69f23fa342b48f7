// SPDX-License-Identifier: MIT OR Apache-2.0
//! `header_builder`: a header record and a payload become a frame. Contract: `docs/stages/header_builder.md`.
//!
//! ```text
//!  record
//!  step  1  transport  an MPEH after the BTH, which announces it; entropy into its field; words after IP; IPv4 words added in pairs
//!        2  datagram   after the words of UDP, or that of the entropy header; UDP and IP length; pairs added
//!        3  packet     after IPv4 or IPv6; lengths into their fields; the sum of the IPv4 header
//!        4  frame      after addresses and tags; carries of the sum folded in; number of words
//!        5  head       the checksum into its field; a skid buffer of all headers, side by side
//!  headers and payload
//!        6  join       the next beat of headers, with the first of the payload if there is room in it; or the next of
//!                      the payload
//!        7  rotate     the payload to its place after the headers: by their length modulo the beat
//!        8  merge      with headers, or with what did not fit into the beat before; bytes
//!                      behind the end are 0; a skid buffer, the frame leaves
//! ```
//!
//! Latency at every width: 8 clock cycles from record to first beat, 4 from a beat on `s_axis` to the beat that holds
//! its first byte. The headers together are 32-bit words and two bytes, so they never end with a beat: one beat holds
//! the end of the headers and the beginning of the payload. If the last bytes of a payload do not fit into its last
//! beat, step 8 sends one more beat while the earlier steps stall.
//!
//! With `appends_crc` step 6 puts the place of the CRC, four bytes, behind the payload. If the last beat of the payload has no
//! room for it, it comes as one more beat of the payload; the frame has one more only if it needs it.
//!
//! The two halves advance independently: the record steps if there is room in the skid buffer of step 5, the frame
//! steps if there is room in that of step 8.

mod checksum;
mod config;
mod join;
mod lengths;
mod merge;
mod pack;
mod ports;
mod protocol_filter;
mod tail;

pub use config::{HeaderBuilderConfig, UdpChecksum};
pub use ports::{BuilderCounts, HeaderBuilderIn, HeaderBuilderOut, entropy_target};

use crate::blocks::skid_buffer::SkidBuffer;
use checksum::ChecksumSteps;
use join::{Head, JoinStep};
use lengths::LengthSteps;
use merge::MergeStep;
use pack::PackSteps;
use ports::{USER, USER_IN};
use protocol_filter::selected;
use rtl_model::stream::{Axis, Beat, Ready, Side};
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, name_nets, when};

/// Steps of the record before the skid buffer.
const STEPS: u32 = 4;

#[name_nets]
impl Design for HeaderBuilderConfig {
    type Stage<L: Logic> = HeaderBuilder<L>;

    fn module_name(&self) -> String {
        let checksum = match self.udp_checksum {
            UdpChecksum::Zero => "",
            UdpChecksum::Recorded => "_udp_checksum",
        };
        let appends = if self.appends_crc { "_crc" } else { "" };
        format!("header_builder_w{}{}{checksum}{appends}", self.data_width, self.protocols.suffix())
    }

    fn build<L: Logic>(&self) -> HeaderBuilder<L> {
        let side = self.side_band.shape();
        HeaderBuilder {
            config: *self,
            valid: Reg::new(&bits(STEPS)).with_reset(),
            lengths: LengthSteps::new(),
            checksum: ChecksumSteps::new(),
            pack: PackSteps::new(self),
            heads: SkidBuffer::new(&Head::shape(side)),
            s_axis: SkidBuffer::new(&Beat::shape(self.data_width, USER_IN, Side::NONE)),
            join: JoinStep::new(self.data_width, side, self.appends_crc),
            merge: MergeStep::new(self.data_width, side),
            m_axis: SkidBuffer::new(&Beat::shape(self.data_width, USER, side)),
            counts: ["count_frames", "count_bad"].map(|name| Reg::named(name, &bits(32)).with_reset()),
        }
    }
}

/// The stage `header_builder`: frames from records and payload.
#[name_nets]
pub struct HeaderBuilder<L: Logic> {
    config: HeaderBuilderConfig,
    /// One bit per step: it holds a record.
    valid: Reg<Bits<L>>,
    lengths: LengthSteps<L>,
    checksum: ChecksumSteps<L>,
    pack: PackSteps<L>,
    heads: SkidBuffer<Head<L>>,
    s_axis: SkidBuffer<Beat<L>>,
    join: JoinStep<L>,
    merge: MergeStep<L>,
    m_axis: SkidBuffer<Beat<L>>,
    counts: [Reg<Bits<L>>; 2],
}

#[name_nets]
impl<L: Logic> HeaderBuilder<L> {
    /// Steps 6 to 8, the last first.
    fn send(&self, input: &HeaderBuilderIn<L>) {
        let room = self.m_axis.ready();
        let out = self.merge.out();
        when(out.valid & room & out.tlast, || {
            let [frames, bad] = &self.counts;
            frames.set(frames.get() + 1);
            bad.set_if(out.bad, bad.get() + 1);
        });
        self.m_axis.clock(out.valid, || self.merge.beat(&out), input.m_axis.tready);
        let advance = room & !out.extra_beat;
        when(room, || self.merge.clock(&out, &self.join));
        let (head, payload) = (self.heads.front(), self.s_axis.front());
        let next = self.join.next(&head, self.heads.valid(), &payload, self.s_axis.valid());
        when(advance, || self.join.clock(&next, || head, || payload));
        let taken = advance & next.valid;
        self.s_axis.clock(input.s_axis.tvalid, || input.s_axis.beat(USER_IN), taken & next.takes_payload);
        let checksum = self.checksum.get();
        self.heads.clock(self.valid.get().bit(STEPS - 1), || self.head(checksum), taken & next.last);
    }

    /// Step 5: all header bytes with the IPv4 checksum inserted.
    fn head(&self, checksum: Bits<L>) -> Head<L> {
        let (bytes, has_payload, side) = self.pack.head(checksum);
        Head { bytes, last: self.lengths.last_word(), has_payload, side }
    }

    /// Steps 1 to 4, the last first.
    fn collect(&self, input: &HeaderBuilderIn<L>) {
        let valid = self.valid.get();
        when(valid.bit(2), || {
            let header_set = self.pack.header_set_3();
            self.lengths.step_4(&header_set);
            self.checksum.step_4();
            self.pack.step_4();
        });
        when(valid.bit(1), || {
            self.pack.step_3(&self.lengths);
            self.checksum.step_3(self.lengths.ip_length());
            self.lengths.step_3();
        });
        when(valid.bit(0), || {
            let header_set = self.pack.header_set_1();
            self.lengths.step_2(&header_set);
            self.checksum.step_2();
            self.pack.step_2();
        });
        when(input.s_record_tvalid, || {
            let input = HeaderBuilderIn { s_record: selected(input.s_record, &self.config.protocols), ..*input };
            let header_set = self.lengths.step_1(&input.s_record, self.config.protocols.has_uet_crc());
            self.checksum.step_1(&input.s_record);
            self.pack.step_1(&input, header_set);
        });
        self.valid.set(valid.truncate(STEPS - 1).concat(input.s_record_tvalid));
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for HeaderBuilder<L> {
    type In = HeaderBuilderIn<L>;
    type Out = HeaderBuilderOut<L>;

    fn input_shape(&self) -> HeaderBuilderIn<Shape> {
        HeaderBuilderIn::shape(self.config)
    }

    fn outputs(&self) -> HeaderBuilderOut<L> {
        let [frames, bad] = Reg::get_all(&self.counts);
        HeaderBuilderOut {
            s_record: Ready { tready: self.heads.ready() },
            s_axis: Ready { tready: self.s_axis.ready() },
            m_axis: Axis::offer(self.m_axis.valid(), self.m_axis.front()),
            count: BuilderCounts { frames, bad },
        }
    }

    fn clock(&self, input: &HeaderBuilderIn<L>) {
        let advance = self.heads.ready();
        self.send(input);
        when(advance, || self.collect(input));
    }
}
