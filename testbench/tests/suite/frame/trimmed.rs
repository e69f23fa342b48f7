// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 17 of the header parser: what switches have left of packets, in all three forms, cut anywhere and damaged, against
//! the oracle.

use super::hostile::{Judge, mutated};
use crate::common::captures;
use pipeline::headers::opcode::MpehIndicator;
use pipeline::headers::protocols::{Protocols, Reserved};
use testbench::device::random::Random;
use testbench::network::{Lengths, Trimming};
use testbench::streams::Frame;
use tier::{is_all, pick};

fn trimming() -> Protocols {
    Protocols { trimming: true, ..Protocols::default() }
}

/// Frames as switches leave them: cut between the IP header and 100 bytes behind it, with one of the DSCPs; one in eight has
/// another DSCP.
fn trimmed(frames: &[Frame], count: usize, seed: u64) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let mut trimmed = Vec::new();
    while trimmed.len() < count {
        let frame = frames[random.below(frames.len() as u64) as usize].bytes.clone();
        let lengths = [Lengths::Adjusted, Lengths::IpAdjusted, Lengths::Kept][random.below(3) as usize];
        let dscp = [16, 18, 16, 18, 16, 18, 16, 17][random.below(8) as usize];
        let keep = random.below(100) as usize;
        let trimming = Trimming { trimmable: dscp_of(&frame), trimmed: dscp, keep, lengths };
        trimmed.extend(trimming.trim(frame).ok().map(|bytes| Frame { bytes, user: 0 }));
    }
    trimmed
}

fn dscp_of(frame: &[u8]) -> u8 {
    testbench::network::headers::Headers::of(frame).map_or(0, |headers| headers.dscp(frame))
}

#[test]
fn trimmed_frames_are_read_as_the_oracle_reads_them() {
    let frames = captures::frames("mixed");
    let all = [
        trimming(),
        Protocols { mpeh: MpehIndicator::OpCode, reserved: Reserved::Refuse, ..trimming() },
        Protocols { uet: false, elab: false, reserved: Reserved::Count, ..trimming() },
        Protocols { rocev2: false, trimmed_dscp: 18, trimmed_last_hop_dscp: 63, ..trimming() },
    ];
    let count = if is_all() { 20_000 } else { 3_000 };
    for protocols in all {
        for width in pick([64, 512, 128, 256, 1024], 2) {
            let mut judge = Judge::model(width, protocols);
            let trimmed = trimmed(&frames, count, width.into());
            judge.judge(&trimmed, 0.1);
            judge.judge(&mutated(&trimmed, count, width.into()), 0.0);
            assert!(judge.count("trimmed") > count as u64 / 20, "{} trimmed", judge.count("trimmed"));
            judge.counters_add_up();
        }
    }
}

#[test]
fn the_verilog_does_the_same() {
    let frames = captures::frames("mixed");
    for width in pick([128, 1024, 64, 256, 512], 1) {
        let mut judge = Judge::rtl_of(width, trimming());
        let trimmed = trimmed(&frames, 2_000, 7);
        judge.judge(&trimmed, 0.1);
        judge.judge(&mutated(&trimmed, 2_000, 8), 0.0);
        judge.counters_add_up();
    }
}
