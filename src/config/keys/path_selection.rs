// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of path selection.

use super::Kind::{OneOf, Whole};
use pipeline::transmit::entropy_selector::{Modes, WIRE_BASE, WIRE_RANGE, mode};
use pipeline::transmit::path_scheduler::EntropyRule;

section! {
    /// Size and modes of the stage `entropy_selector`.
    EntropySelector: entropy_selector {
        /// Number of congestion control contexts (CCCs) of the stage `entropy_selector`, per pipeline.
        cccs: u64 = 1024, Whole(1, 4096);
        /// Number of entropy values (EVs) per CCC: the paths that it chooses from.
        evs: u64 = 256, OneOf(&[16, 32, 64, 128, 256, 512, 1024]);
        /// Number of egress ports of the NIC; the lowest bits of an EV select its port.
        ports: u64 = 1, OneOf(&[1, 2, 4, 8]);
        /// Lowest EV on the wire, a UDP source port: a multiple of `wire_range`.
        wire_base: u64 = WIRE_BASE, Whole(16, 65_520);
        /// Number of EVs on the wire; each CCC has `evs` of them, at a random place.
        wire_range: u64 = WIRE_RANGE, OneOf(&[16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768]);
    }
    /// The modes that a context can use. The bitmap is always included.
    flags modes: Modes = Modes::ALL => {
        /// Support for CCCs that use every EV once per round. Path-aware spraying with a bitmap is always included.
        oblivious: mode::OBLIVIOUS;
        /// Support for CCCs that use the EVs in the order of their numbers.
        round_robin: mode::ROUND_ROBIN;
        /// Support for CCCs that use one EV at a time, as for ROD.
        single_path: mode::SINGLE_PATH;
        /// Support for CCCs that reuse EVs whose feedback has no mark.
        reps: mode::REPS;
        /// Support for CCCs that reuse such EVs while there are any, and otherwise use the bitmap.
        mixed: mode::MIXED;
        /// Support for a bitmap with a number of penalties instead of a mark.
        penalty: mode::PENALTY;
    }
}

words!(EntropyRule = [("xor", EntropyRule::Xor), ("table", EntropyRule::Table)]);

section! {
    /// Size of the stage `path_scheduler`.
    PathScheduler: path_scheduler {
        /// Number of queue pairs (QPs) of the stage `path_scheduler`, per pipeline.
        qps: u64 = 1024, Whole(1, 4096);
        /// Number of sub-paths per QP.
        paths: u64 = 8, OneOf(&[2, 4, 8, 16, 32, 64]);
        /// Bits of the weight of a sub-path: 8 share bandwidths of 1:40 within 2 %, 4 within 40 %.
        weight_bits: u64 = 8, Whole(4, 8);
        /// Bits of the number of packets in flight on a sub-path; its window is below half of what they count.
        in_flight_bits: u64 = 16, Whole(8, 24);
        /// Entropy of a sub-path: "table" has one for each, which commands change; "xor" needs no memory and no
        /// additional latency: that of the QP XOR the number of the sub-path.
        entropy: EntropyRule = EntropyRule::Table;
    }
}

section! {
    /// Size of both ELAB stages.
    Elab: elab {
        /// Number of pairs of hosts of the stages `elab_scheduler` and `elab_feedback`, per pipeline.
        pairs: u64 = 1024, Whole(1, 4096);
        /// Number of virtual paths (VPs) per pair.
        vps: u64 = 8, OneOf(&[2, 4, 8, 16, 32, 64]);
        /// Clock cycles per unit of time of ELAB's rates; the unit must be the same time on both hosts.
        unit: u64 = 322, Whole(8, 65_535);
        /// The DSCP of packets that `elab_host` sends for their report alone.
        report_dscp: u64 = 46, Whole(0, 63);
    }
}
