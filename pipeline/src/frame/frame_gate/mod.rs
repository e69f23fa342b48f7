// SPDX-License-Identifier: MIT OR Apache-2.0
//! `frame_gate`: store and forward. Drops frames whose verdict is drop, or passes them marked; a frame that passes is
//! complete in the memory before its first beat leaves. Contract: `docs/stages/frame_gate.md`.
//!
//! ```text
//!  cycle n          store    a beat of s_axis is written, if there is room; by the verdict in the last beat the frame
//!                            is released (start <- write + 1), or rolled back (write <- start)
//!        n + 1      records  its record is read from the early ones, and the verdict with it
//!        n + 2               it goes to the kept ones, or is discarded; if there is the output `kept`, it shows it there, and
//!                            also that of a good frame for which there was no room
//!        n + 3      fetch    rows of released frames to the memory's address; kept records too
//!        n + 3 + L  arrive   row in the memory's last register (L: its latency)
//!        n + 4 + L  front    first beat on m_axis, its record on m_record
//! ```
//!
//! A record leaves the parser before the end of its frame, and one more stage (`icrc`) delays the frame further. There
//! are therefore two memories of records. `early` is as deep as the number of frames that can be between the record
//! path and the frame path; each verdict removes one record from it, whatever the consumers do. `kept` has the records
//! of released frames. In a single memory, records of dropped frames would accumulate after one that a consumer does
//! not take.
//!
//! Frames wait with their records (two registers, `released`), so that the record of a frame is on `m_record` when the
//! frame begins on `m_axis`. Rows of both memories are prefetched for the consumer (`fifo`), one per clock cycle under
//! any pattern of `ready`.

mod config;
mod frame_buffer;
mod ports;
mod records;

use crate::blocks::table::latency_suffix;
use config::USER;
pub use config::{DropMode, FrameGateConfig};
use frame_buffer::FrameBuffer;
pub use ports::{FrameGateIn, FrameGateOut, GateCounts};
pub use records::MAX_SKEW;
use records::{FrameEnd, Records};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, name_nets, when};

#[name_nets]
impl Design for FrameGateConfig {
    type Stage<L: Logic> = FrameGate<L>;

    fn module_name(&self) -> String {
        let FrameGateConfig { data_width, beats, frames, drop, ram_latency, records, shows_kept, .. } = self;
        let mark = if *drop == DropMode::Mark { "_mark" } else { "" };
        let latency = latency_suffix(*ram_latency);
        let frames = if *records { format!("f{frames}") } else { String::new() };
        let kept = if *shows_kept { "_kept" } else { "" };
        format!("frame_gate_w{data_width}b{beats}{frames}{latency}{mark}{kept}")
    }

    fn build<L: Logic>(&self) -> FrameGate<L> {
        FrameGate {
            config: *self,
            frame_buffer: FrameBuffer::new(self),
            records: self.records.then(|| Records::new(self)),
            counts: ["passed", "dropped", "overflowed"]
                .map(|name| Reg::named(&format!("count_{name}"), &bits(32)).with_reset()),
        }
    }
}

/// The stage `frame_gate`: store and forward with drop.
#[name_nets]
pub struct FrameGate<L: Logic> {
    config: FrameGateConfig,
    frame_buffer: FrameBuffer<L>,
    records: Option<Records<L>>,
    /// Counters of passed, dropped and overflowed frames, 32 bits each.
    counts: [Reg<Bits<L>>; 3],
}

impl<L: Logic> FrameGate<L> {
    /// The record path, if what enters it is shown.
    fn shown(&self) -> Option<&Records<L>> {
        self.records.as_ref().filter(|_| self.config.shows_kept)
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for FrameGate<L> {
    type In = FrameGateIn<L>;
    type Out = FrameGateOut<L>;

    fn input_shape(&self) -> FrameGateIn<Shape> {
        FrameGateIn::shape(self.config)
    }

    fn outputs(&self) -> FrameGateOut<L> {
        let [passed, dropped, overflowed] = Reg::get_all(&self.counts);
        FrameGateOut {
            s_axis: Ready { tready: Bits::lit(1, 1) },
            s_record: self.records.as_ref().map(|records| Ready { tready: records.ready() }),
            m_axis: Axis::offer(self.frame_buffer.valid(), self.frame_buffer.front()),
            m_record_tvalid: self.records.as_ref().map(Records::valid),
            m_record: self.records.as_ref().map(Records::front),
            kept_valid: self.shown().map(Records::kept_valid),
            kept: self.shown().map(Records::kept),
            kept_lost: self.shown().map(Records::kept_lost),
            count: GateCounts { passed, dropped, overflowed },
            high_water: self.frame_buffer.high_water(),
        }
    }

    fn clock(&self, input: &FrameGateIn<L>) {
        let beat = input.s_axis.beat(USER);
        let valid = input.s_axis.tvalid;
        let frame_ends = (valid & beat.tlast).named("frame_ends");
        let marked = beat.tuser.bit(0);
        let refused = match self.config.drop {
            DropMode::Drop => marked,
            DropMode::Mark => Bits::lit(1, 0),
        };
        let fits = match &self.records {
            Some(records) => (self.frame_buffer.fits() & records.room()).named("fits"),
            None => self.frame_buffer.fits(),
        };
        let accept = (fits & !refused).named("accept");
        let [passed, dropped, overflowed] = &self.counts;
        let count = |count: &Reg<Bits<L>>| count.set(count.get() + 1);
        when(frame_ends, || match self.config.drop {
            DropMode::Drop => {
                when(marked, || count(dropped)).or_when(fits, || count(passed)).otherwise(|| count(overflowed));
            }
            DropMode::Mark => {
                when(!fits, || count(overflowed)).or_when(marked, || count(dropped)).otherwise(|| count(passed));
            }
        });
        if let (Some(records), Some(valid), Some(record), Some(ready)) =
            (&self.records, input.s_record_tvalid, input.s_record, input.m_record)
        {
            let loses = (!fits & !marked).named("loses");
            records.clock(FrameEnd { frame_ends, accept, loses }, (valid, record), ready.tready);
        }
        self.frame_buffer.clock(valid, beat, accept, input.m_axis.tready);
    }
}
