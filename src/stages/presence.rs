// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which parts of a pipeline a configuration asks for.

use crate::config::Config;
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::ccc_table::CccAlgorithms;

/// Whether there is a transmit path.
pub fn sends(config: &Config) -> bool {
    match config.tx_protocol() {
        AckProtocol::Uet => config.protocols.uet && config.ccc_table.algorithms != CccAlgorithms::None,
        AckProtocol::Roce => config.protocols.rocev2,
    }
}

/// Whether ELAB is the only protocol. With other protocols, `rx` has the parser and the gate of all.
pub fn has_elab_alone(config: &Config) -> bool {
    let Protocols { rocev2, uet, elab, .. } = config.protocols;
    elab && !rocev2 && !uet
}

/// Whether the pipeline is a NIC: both paths, with the same connections, those of one protocol.
pub fn is_nic(config: &Config) -> bool {
    let Protocols { rocev2, uet, elab, .. } = config.protocols;
    sends(config) && rocev2 != uet && !elab
}
