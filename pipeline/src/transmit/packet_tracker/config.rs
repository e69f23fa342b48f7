// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, its settings from reset on, the steps of its pipeline, and the widths derived from them.

use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Shape, bits, clog2, index_width};

/// PSNs of a block: a word of the memory of states.
pub(super) const BLOCK: u32 = 64;
/// Width of the number of a PSN in its block.
pub(super) const BLOCK_BITS: u32 = 6;
/// Events, and outcomes, that are open at most (row D4).
pub const OPEN: u64 = 32;
/// Width of an EV or sub-path.
pub const EV_WIDTH: u32 = 16;

/// The settings from reset on, in the units of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketTrackerSettings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// The first retransmission time-out; 0 for never.
    pub rto: u64,
    /// Time-outs in a row after which a PDC fails with the next one; 16 and above for never.
    pub retries: u64,
    /// A packet so many PSNs behind the highest acknowledged one is not taken for lost.
    pub span: u64,
    /// The first backoff for a NACK.
    pub backoff: u64,
    /// Backoffs in a row after which a PDC fails with the next one; 31 for never.
    pub backoff_limit: u64,
    /// After this time without an ACK the last packet is sent again; 0 for never.
    pub tail_probe: u64,
}

impl PacketTrackerSettings {
    /// Those for a window of this many PSNs at 322.265625 MHz: time-outs from 1 ms on, half of the window, backoffs from 12 us on, and a probe
    /// of the tail after 24 us.
    pub const fn for_window(window: u64) -> Self {
        let (span, backoff, backoff_limit, tail_probe) = (window / 2, 94, 31, 188);
        PacketTrackerSettings { tick: 1589, rto: 7813, retries: 5, span, backoff, backoff_limit, tail_probe }
    }
}

/// Size of the stage `packet_tracker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketTrackerConfig {
    /// Number of PDCs, or of QPs, a power of two from 2 to 4096.
    pub pdcs: u64,
    /// The most PSNs from base to next, a power of two from 64 to 4096.
    pub window: u64,
    /// Width of a PSN: 24 for RoCEv2, 32 for UET.
    pub psn_bits: u32,
    /// Low bits of the EV or sub-path that are kept for each packet, 1 to 16.
    pub ev_bits: u32,
    /// Number of CCCs, 1 to 16384.
    pub cccs: u64,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: PacketTrackerSettings,
}

impl PacketTrackerConfig {
    /// A stage for UET with 1024 CCCs, EVs of 8 bits, memories of latency 2 and the default settings.
    pub const fn new(pdcs: u64, window: u64) -> Self {
        let settings = PacketTrackerSettings::for_window(window);
        PacketTrackerConfig { pdcs, window, psn_bits: 32, ev_bits: 8, cccs: 1024, ram_latency: 2, settings }
    }

    /// The step in which the context of an operation is known.
    pub(super) const fn contexts(self) -> u32 {
        self.ram_latency + 2
    }

    /// The step of its window, and of its timer.
    pub(super) const fn windows(self) -> u32 {
        self.ram_latency + 3
    }

    /// The step in which its record is written, or read.
    pub(super) const fn records(self) -> u32 {
        self.ram_latency + 4
    }

    /// The step in which its PSN is marked, or no longer.
    pub(super) const fn states(self) -> u32 {
        2 * self.ram_latency + 7
    }

    /// The step of the counts of packets.
    pub(super) const fn counts(self) -> u32 {
        2 * self.ram_latency + 8
    }

    /// The step in which outputs are decided.
    pub(super) const fn outputs(self) -> u32 {
        2 * self.ram_latency + 9
    }

    /// The step of the effect, in which a walk begins.
    pub(super) const fn effect(self) -> u32 {
        2 * self.ram_latency + 10
    }

    /// The step of a pass in which a table of this step is read.
    pub(super) const fn access(self, step: u32) -> u32 {
        step - self.ram_latency - 1
    }

    /// Shape of the number of a PDC.
    pub(super) const fn pdc(self) -> Bits<Shape> {
        bits(clog2(self.pdcs))
    }

    /// Shape of the number of a CCC.
    pub(super) const fn ccc(self) -> Bits<Shape> {
        bits(index_width(self.cccs))
    }

    /// Shape of a PSN.
    pub(super) const fn psn(self) -> Bits<Shape> {
        bits(self.psn_bits)
    }

    /// Width of the number of a slot.
    pub(super) const fn slot_bits(self) -> u32 {
        clog2(self.window)
    }

    /// Width of a number of packets from 0 to the window, and of the low bits of a PSN that tell apart all from base to
    /// next.
    pub(crate) const fn count_bits(self) -> u32 {
        self.slot_bits() + 1
    }

    /// Shape of such a number.
    pub(super) const fn count(self) -> Bits<Shape> {
        bits(self.count_bits())
    }

    /// Width of the number of a block, of which the highest bit is the parity of the lap.
    pub(super) const fn block_bits(self) -> u32 {
        self.count_bits() - BLOCK_BITS
    }

    /// Words of the states of a PDC.
    pub(super) const fn words(self) -> u64 {
        self.window / BLOCK as u64
    }

    /// The value, if EVs have bits that are kept once for a PDC.
    pub(super) fn upper<T>(self, value: impl FnOnce(u32) -> T) -> Option<T> {
        (self.ev_bits < EV_WIDTH).then(|| value(EV_WIDTH - self.ev_bits))
    }

    /// The command port: the next command is accepted when this one has been answered (row D28), and `busy` is 1 for 64
    /// clock cycles after the sweep (row D33).
    pub(super) const fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.pdcs,
            low_bits: 0,
            high_bits: clog2(self.pdcs),
            drain_cycles: 64,
            command_interval: self.effect() as u64 + 2,
        }
    }

    /// Part of the module name: the sizes.
    pub(super) fn suffix(self) -> String {
        let PacketTrackerConfig { pdcs, window, psn_bits, ev_bits, cccs, .. } = self;
        format!("p{pdcs}w{window}n{psn_bits}e{ev_bits}c{cccs}")
    }
}
