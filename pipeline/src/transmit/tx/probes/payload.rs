// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of probes, which no host brings (row TX45): zeros, in whole beats. Bytes of the host come in only for frames that have begun, so
//! between two of its packets nothing of the next one is in the header builder.
//!
//! ```text
//!  cycle n    the header builder takes the record of a packet
//!        n+1  its bytes may come, of the host or of a probe
//! ```

use super::super::config::{PAYLOAD_WIDTH, TxConfig};
use crate::frame::Progress;
use crate::frame::header_builder::HeaderBuilderIn;
use rtl_model::stream::Axis;
use rtl_model::{Bits, Logic, Reg, Signal, bits, name_nets, select, when};

/// The place of the ICRC behind the payload.
const ICRC_BYTES: u64 = 4;

/// What goes to `s_axis` of the header builder.
#[name_nets]
pub struct Payload<L: Logic> {
    config: TxConfig,
    /// Packets whose last beat has come.
    whole: Reg<Bits<L>>,
    /// Beats of the packet of a probe that have come.
    beat: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Payload<L> {
    pub fn new(config: TxConfig) -> Self {
        Payload {
            config,
            whole: Reg::new(&Progress::<L>::count()).with_reset(),
            beat: Reg::new(&bits(PAYLOAD_WIDTH)).with_reset(),
        }
    }

    /// Bytes in a beat.
    fn beat_log(config: &TxConfig) -> u32 {
        (config.builder.data_width / 8).trailing_zeros()
    }

    /// The largest payload of at most so many bytes, and of at most as many as that of data has, that fills whole beats with its ICRC; or the
    /// least one.
    pub fn fitted(config: &TxConfig, length: Bits<L>) -> Bits<L> {
        let (log, most) = (Self::beat_log(config), Bits::lit(PAYLOAD_WIDTH, config.segment()));
        let limited = select(length.greater(most), most, length);
        let beats = (limited + ICRC_BYTES) >> u64::from(log);
        let least = (!beats.any()).extend(PAYLOAD_WIDTH);
        ((beats | least) << u64::from(log)) - ICRC_BYTES
    }

    /// The bytes of so many frames, those that have begun, are in the header builder.
    pub fn is_complete(&self, begun: Bits<L>) -> Bits<L> {
        begun.equals(self.whole.get())
    }

    /// The beat that is offered: that of a probe, if probes are sent, whose payload has so many bytes; otherwise that of the host.
    pub fn offer(&self, host: Axis<L>, begun: Bits<L>, (probes, length): (Bits<L>, Bits<L>)) -> Axis<L> {
        let has_begun = !self.is_complete(begun);
        let last = self.beat.get().equals(length >> u64::from(Self::beat_log(&self.config)));
        let zero = Axis::zero(&HeaderBuilderIn::shape(self.config.builder).s_axis);
        let of_probe = Axis { tlast: last, tkeep: !zero.tkeep, ..zero };
        let valid = has_begun & (probes | host.tvalid);
        Axis { tvalid: valid, ..select(probes, of_probe, host) }
    }

    /// One clock cycle: the header builder takes a beat, the last one of its packet.
    pub fn clock(&self, taken: Bits<L>, last: Bits<L>, probes: Bits<L>) {
        let beat = self.beat.get();
        when(taken & last, || self.whole.set(self.whole.get() + 1));
        when(taken & probes, || self.beat.set((beat + 1).gate(!last)));
    }
}
