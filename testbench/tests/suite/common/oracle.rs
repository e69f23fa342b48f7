// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the outputs of the header parser with the oracle for whole frames.

use golden_vectors::Verdict;
use golden_vectors::headers::codec::{self, Options, Strictness};
use pipeline::headers::protocols::{MpehIndicator, Protocols, Reserved};
use testbench::benches::parser_bench::Outcome;

/// The same options for the oracle; the ICRC is checked by the stage after the parser.
pub fn options(protocols: &Protocols) -> Options {
    Options {
        rocev2: protocols.rocev2,
        uet: protocols.uet,
        elab: protocols.elab,
        rocev2_port: protocols.rocev2_port,
        uet_port: protocols.uet_port,
        uet_protocol: protocols.uet_protocol,
        uet_crc: protocols.uet_crc,
        elab_port: protocols.elab_port,
        tunnelled: protocols.elab_inner,
        mpeh: match protocols.mpeh {
            MpehIndicator::Bit => codec::MpehIndicator::Bit,
            MpehIndicator::OpCode => codec::MpehIndicator::OpCode,
        },
        reserved: match protocols.reserved {
            Reserved::Ignore => Strictness::Ignore,
            Reserved::Count => Strictness::Count,
            Reserved::Refuse => Strictness::Refuse,
        },
        trimming: protocols.trimming,
        trimmed_dscp: protocols.trimmed_dscp,
        trimmed_last_hop_dscp: protocols.trimmed_last_hop_dscp,
        refuse_icrc: false,
    }
}

/// The differences from the oracle.
pub fn differences(bytes: &[u8], options: &Options, outcome: &Outcome) -> Vec<String> {
    let reading = codec::read(bytes, options);
    let reason = reading.reason;
    let (drop, code) = (reading.verdict == Verdict::Drop, reason.code());
    if (outcome.drop, outcome.reason) != (drop, code) {
        return vec![format!("drop {} reason {}, expected {reason:?}", outcome.drop, outcome.reason)];
    }
    if outcome.bytes != bytes {
        return vec!["the frame has changed".to_owned()];
    }
    if drop {
        return Vec::new();
    }
    let wrong = |(name, field): (&String, &golden_vectors::Field)| match outcome.record.field(name) {
        Some(got) if field.matches(got) => None,
        got => Some(format!("{name}: {got:x?}, expected {:x}", field.value)),
    };
    reading.fields().iter().filter_map(wrong).collect()
}
