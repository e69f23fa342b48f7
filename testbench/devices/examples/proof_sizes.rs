// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the Verilog of stages at sizes for proofs, which are smaller than those that a configuration can have, or have
//! other settings. Used by `scripts/prove-receiver` and `scripts/prove-sender`.
//!
//! usage: proof_sizes DIRECTORY

use devices::AnyStage;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use std::error::Error;
use std::path::PathBuf;
use testbench::device::source::Source;

/// Keys of UET are the narrowest ones. The sub-tables have eight rows each.
const LOOKUP: ContextLookupConfig =
    ContextLookupConfig { entries: 2, kinds: KeyKinds { rocev2: false, uet: true, elab: false }, ram_latency: 1 };

/// The search takes groups of 16 slots and the SACK word has 64, so there is no smaller window. PSNs have the bits of a
/// slot, and two more: they wrap after four windows.
const REORDER: ReorderConfig =
    ReorderConfig { paths: 2, psn_bits: 8, handle_bits: 1, ram_latency: 1, ..ReorderConfig::new(2, 64) };

/// Cells of four beats of 64 bits.
const PAYLOAD: ReorderConfig = ReorderConfig {
    hold: Hold::Payload(PayloadConfig { cell_bytes: 32, quota: 4, reserve: 0, ..PayloadConfig::new(64, 4) }),
    ..REORDER
};

const fn ack(protocol: AckProtocol) -> AckGeneratorConfig {
    AckGeneratorConfig { replies: 4, handle_bits: 1, ram_latency: 1, ..AckGeneratorConfig::new(protocol, 2, 64) }
}

/// A window of three packets of the largest size, and no quick adapt.
const CCC_SETTINGS: CccTableSettings = CccTableSettings { config_wnd: 12_288, qa_enable: 0, ..CccTableSettings::new() };

const fn ccc(algorithms: CccAlgorithms) -> CccTableConfig {
    CccTableConfig { classes: 1, ram_latency: 1, settings: CCC_SETTINGS, ..CccTableConfig::new(2, algorithms) }
}

const TRACKER: PacketTrackerConfig =
    PacketTrackerConfig { psn_bits: 24, ev_bits: 1, cccs: 1, ram_latency: 1, ..PacketTrackerConfig::new(2, 64) };

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).ok_or("usage: proof_sizes DIRECTORY")?);
    let designs: [(&str, AnyStage); 8] = [
        ("context_lookup", LOOKUP.into()),
        ("reorder", REORDER.into()),
        ("reorder_payload", PAYLOAD.into()),
        ("ack_generator_roce", ack(AckProtocol::Roce).into()),
        ("ack_generator_uet", ack(AckProtocol::Uet).into()),
        ("ccc_table", ccc(CccAlgorithms::None).into()),
        ("ccc_table_nscc", ccc(CccAlgorithms::Nscc).into()),
        ("packet_tracker", TRACKER.into()),
    ];
    for (name, stage) in designs {
        let mut circuit = stage.circuit()?;
        circuit.rename(name);
        Source::of_circuit(&circuit)?.write_to(&directory)?;
    }
    Ok(())
}
