// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the Verilog of stages of the receiver at sizes for proofs, which are smaller than those that a configuration can
//! have. Used by `scripts/prove-receiver`.
//!
//! usage: proof_sizes DIRECTORY

use devices::AnyStage;
use pipeline::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::reorder::ReorderConfig;
use std::error::Error;
use std::path::PathBuf;
use testbench::source::Source;

/// Keys of UET are the narrowest ones. The sub-tables have eight rows each.
const LOOKUP: ContextLookupConfig =
    ContextLookupConfig { entries: 2, kinds: KeyKinds { rocev2: false, uet: true, elab: false }, ram_latency: 1 };

/// The search takes groups of 16 slots and the SACK word has 64, so there is no smaller window. PSNs have the bits of a
/// slot, and two more: they wrap after four windows.
const REORDER: ReorderConfig =
    ReorderConfig { paths: 2, psn_bits: 8, handle_bits: 1, ram_latency: 1, ..ReorderConfig::new(2, 64) };

const fn ack(protocol: AckProtocol) -> AckGeneratorConfig {
    AckGeneratorConfig { replies: 4, handle_bits: 1, ram_latency: 1, ..AckGeneratorConfig::new(protocol, 2, 64) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).ok_or("usage: proof_sizes DIRECTORY")?);
    let designs: [(&str, AnyStage); 4] = [
        ("context_lookup", LOOKUP.into()),
        ("reorder", REORDER.into()),
        ("ack_generator_roce", ack(AckProtocol::Roce).into()),
        ("ack_generator_uet", ack(AckProtocol::Uet).into()),
    ];
    for (name, stage) in designs {
        let mut circuit = stage.circuit()?;
        circuit.rename(name);
        Source::of_circuit(&circuit)?.write_to(&directory)?;
    }
    Ok(())
}
