// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header parser against the oracle of whole frames, beyond the golden vectors: captures, and the captures cut and
//! mutated, in every configuration of the protocols.

#[path = "common/captures.rs"]
mod captures;

use golden_vectors::oracle::frame::{self, Options, Reason, Strictness};
use pipeline::header_parser::HeaderParserConfig;
use pipeline::protocols::{MpehMark, Protocols, Reserved};
use testbench::model::model_of;
use testbench::parser_bench::{Outcome, Traffic, parse};
use testbench::random::Random;
use testbench::stream::Frame;

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];

/// The same choices for the oracle.
fn options(protocols: &Protocols) -> Options {
    Options {
        rocev2: protocols.rocev2,
        uet: protocols.uet,
        elab: protocols.elab,
        rocev2_port: protocols.rocev2_port,
        uet_port: protocols.uet_port,
        uet_protocol: protocols.uet_protocol,
        elab_port: protocols.elab_port,
        mpeh: match protocols.mpeh {
            MpehMark::Bit => frame::MpehMark::Bit,
            MpehMark::OpCode => frame::MpehMark::OpCode,
        },
        reserved: match protocols.reserved {
            Reserved::Ignore => Strictness::Ignore,
            Reserved::Count => Strictness::Count,
            Reserved::Refuse => Strictness::Refuse,
        },
        ..Options::default()
    }
}

fn check(width: u32, protocols: Protocols, frames: &[Frame], stall: f64) {
    let config = HeaderParserConfig { protocols, ..HeaderParserConfig::new(width) };
    let mut model = model_of(&config).expect("it elaborates");
    let outcomes = parse(&mut model, frames, Traffic { stall, seed: 1 }).expect("it runs");
    for (i, (frame, outcome)) in frames.iter().zip(&outcomes).enumerate() {
        let differences = differences(&frame.bytes, &options(&protocols), outcome);
        assert!(
            differences.is_empty(),
            "{width} bits, {protocols:?}, frame {i}: {differences:?}\n{:02x?}",
            frame.bytes
        );
    }
}

fn differences(bytes: &[u8], options: &Options, outcome: &Outcome) -> Vec<String> {
    let reading = frame::read(bytes, options);
    // The ICRC is checked by the stage behind the parser.
    let refused = options.reserved == Strictness::Refuse && reading.reserved > 0;
    let reason = match reading.reason {
        Reason::Icrc if refused => Reason::Reserved,
        Reason::Icrc => Reason::None,
        reason => reason,
    };
    let (drop, code) = (reason != Reason::None, reason.code());
    if (outcome.drop, outcome.reason) != (drop, code) {
        return vec![format!("drop {} reason {}, expected {reason:?}", outcome.drop, outcome.reason)];
    }
    if drop {
        return Vec::new();
    }
    let wrong = |(name, field): (&String, &golden_vectors::Field)| match outcome.record.field(name) {
        Some(got) if field.matches(got) => None,
        got => Some(format!("{name}: {got:x?}, expected {:x}", field.value)),
    };
    reading.record.fields().iter().filter_map(wrong).collect()
}

/// The frames cut anywhere.
fn cut(frames: &[Frame]) -> Vec<Frame> {
    let cuts = |frame: &Frame| (1..=frame.bytes.len().min(160)).map(|n| frame.bytes[..n].to_vec()).collect::<Vec<_>>();
    frames.iter().flat_map(cuts).map(|bytes| Frame { bytes, user: 0 }).collect()
}

/// Frames with some bytes of their headers changed.
fn mutated(frames: &[Frame], count: usize, seed: u64) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let mutate = |i: usize| {
        let mut bytes = frames[i % frames.len()].bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len().min(120) as u64) as usize;
            bytes[at] = match random.below(3) {
                0 => bytes[at] ^ (1 << random.below(8)),
                1 => random.below(256) as u8,
                _ => bytes[at].wrapping_add(1),
            };
        }
        Frame { bytes, user: 0 }
    };
    (0..count).map(mutate).collect()
}

#[test]
fn captured_frames_are_read_as_the_oracle_reads_them() {
    let frames = captures::frames("mixed");
    for width in WIDTHS {
        check(width, Protocols::default(), &frames, 0.2);
    }
}

#[test]
fn so_are_cut_and_mutated_ones() {
    let frames = captures::frames("mixed");
    for (i, width) in WIDTHS.into_iter().enumerate() {
        check(width, Protocols::default(), &cut(&frames[20 * i..20 * i + 20]), 0.0);
        check(width, Protocols::default(), &mutated(&frames, 20_000, i as u64), 0.1);
    }
}

#[test]
fn in_every_configuration() {
    let default = Protocols::default();
    let all = [
        Protocols { rocev2: false, ..default },
        Protocols { uet: false, ..default },
        Protocols { elab: false, ..default },
        Protocols { rocev2: false, uet: false, elab: true, ..default },
        Protocols { rocev2: false, uet: true, elab: false, ..default },
        Protocols { mpeh: MpehMark::OpCode, ..default },
        Protocols { reserved: Reserved::Refuse, ..default },
        Protocols { mpeh: MpehMark::OpCode, reserved: Reserved::Refuse, ..default },
        Protocols { reserved: Reserved::Count, ..default },
        Protocols { rocev2_port: 4793, ..default },
        Protocols { uet_protocol: 17, elab_port: 4791, rocev2_port: 53, ..default },
    ];
    let frames = captures::frames("mixed");
    for (i, protocols) in all.into_iter().enumerate() {
        for width in [64, 512] {
            check(width, protocols, &mutated(&frames, 5_000, i as u64), 0.1);
        }
    }
}
