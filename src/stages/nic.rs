// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC, `nic`: both paths.

use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use super::{StageName, credit_pacer, presence, rx, tx};
use crate::config::{AckGenerator, Config, HoldMode, Reorder};
use crate::failure::{Failure, Outcome};
use crate::latency::{self, Latency, Path};
use devices::AnyStage;
use pipeline::headers::protocols::Protocols;
use pipeline::nic::NicConfig;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::tx::Paths;
use pipeline::transmit::tx::TxConfig;

pub const NIC: StageSpec = StageSpec {
    name: "nic",
    description: "A NIC of UET or multipath RoCEv2 as one module: both paths, with one command for both",
    place: Some(Place {
        holds: Some(|_| &[StageName::Rx, StageName::Tx, StageName::CreditPacer]),
        ..Place::of(Part::Both, presence::is_nic)
    }),
    carries: Carries::FramesAndPackets(|config| tx::design(config).packet_clocks()),
    header_records: true,
    sections: &[
        "",
        "protocols",
        "side_band",
        "frame_gate",
        "reorder",
        "ack_generator",
        "rx",
        "header_builder",
        "ccc_table",
        "packet_tracker",
        "entropy_selector",
        "path_scheduler",
        "tx",
    ],
    only: &ONLY,
    except: tx::EXCEPT,
    ram_latency: true,
    // Those of its parts, on ports with their names.
    settings: &[],
    contexts: Some(Contexts { name: "PDCs", section: "packet_tracker", key: "pdcs", window: None }),
    design: |config| design(config).into(),
    // That of its stages.
    judge: Judge::Nothing,
    latency: probe,
};

/// What `tx` reads of the protocols, and what the parser reads of them.
const ONLY: [(&str, &str); tx::ONLY.len() + 4] = {
    let mut keys = [("protocols", "reserved"); tx::ONLY.len() + 4];
    keys[0].1 = "uet_protocol";
    keys[1].1 = "trimmed_dscp";
    keys[2].1 = "trimmed_last_hop_dscp";
    let (_, of_tx) = keys.split_at_mut(4);
    of_tx.copy_from_slice(tx::ONLY);
    keys
};

/// The latencies of the receive path. Its answers are frames on the wire that both paths share.
fn probe(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let AnyStage::Nic(nic) = stage else { return Ok(Vec::new()) };
    let ends = ["local_pdcid", "remote_pdcid", "local_qp", "remote_qp"].map(|name| (name, latency::KEY.into()));
    // What the transmit path does not open a PDC without: a weight, and with UET an algorithm and a mode that there is.
    let mode = match nic.tx.paths {
        Paths::Selector(selector) => selector.modes.mask().trailing_zeros().into(),
        Paths::Scheduler(..) => 0,
    };
    let opening =
        [&ends[..], &[("weight", 1), ("nscc", 1), ("mode", mode), ("any_peer", 1), ("multipath", 1)]].concat();
    let path = Path { input: "s_axis_rx", frames: "m_axis_rx", answers: "m_axis_tx", opening: &opening };
    latency::receive(stage, &nic.rx, path)
}

/// What no NIC can be made of, of whichever protocol it is.
pub(super) fn check(config: &Config) -> Outcome {
    has_protocol(StageName::Nic, config)?;
    let config = of_one_protocol(config);
    if config.reorder.hold == HoldMode::Payload && credit_pacer::gives_credit(&config) {
        return Err(Failure::with_help(
            "a NIC with RCCC does not hold frames: credit is asked for in records, which held frames do not have",
            "write `hold = \"descriptor\"` below [reorder], or `algorithms = \"nscc\"` below [ccc_table]",
        ));
    }
    Ok(())
}

/// A path without RoCEv2 and UET would take no packet.
pub(super) fn has_protocol(stage: StageName, config: &Config) -> Outcome {
    let Protocols { rocev2, uet, .. } = config.protocols;
    if rocev2 || uet {
        return Ok(());
    }
    Err(Failure::with_help(
        format!("{} is of RoCEv2 or UET, and [protocols] has neither", stage.name()),
        "write `rocev2 = true` or `uet = true` below [protocols]",
    ))
}

fn design(config: &Config) -> NicConfig {
    let config = of_one_protocol(config);
    let pacer = credit_pacer::gives_credit(&config).then(|| credit_pacer::design(&config));
    // The tags of ACKs mean the same both ways.
    let tx = TxConfig { tag_is_time: config.rx.tag_is_time, ..tx::design(&config) };
    NicConfig { rx: rx::design(&config), tx, pacer }
}

/// The configuration with what the NIC has whatever the keys say.
pub(super) fn as_used(config: &Config) -> Config {
    let NicConfig { rx, tx, pacer } = design(config);
    let own = of_one_protocol(config);
    // The sections of the protocol that it is not of stay as they are: they change nothing.
    let mut used = rx::as_used(&tx::as_used(config));
    used.reorder.connections = rx.reorder.connections;
    used.reorder.psn_bits = rx.reorder.psn_bits.into();
    used.context_lookup.entries = rx.lookup.entries;
    used.ack_generator = AckGenerator { protocol: config.ack_generator.protocol, ..own.ack_generator };
    used.ack_generator.handle_bits = rx.ack.handle_bits.into();
    used.packet_tracker.psn_bits = tx.packet_tracker.psn_bits.into();
    if let Some(pacer) = pacer {
        used.credit_pacer.sources = pacer.sources;
    }
    used
}

/// Both paths are of one protocol, and all stages have as many contexts as there are PDCs.
pub fn of_one_protocol(config: &Config) -> Config {
    let mut config = tx::own_config(config);
    let protocol = config.tx_protocol();
    let Protocols { rocev2_port, mpeh, uet_port, uet_protocol, uet_crc, reserved, .. } = config.protocols;
    let Protocols { trimming, trimmed_dscp, trimmed_last_hop_dscp, .. } = config.protocols;
    let none = Protocols { rocev2: false, uet: false, elab: false, reserved, ..Default::default() };
    let none = Protocols { trimming, trimmed_dscp, trimmed_last_hop_dscp, ..none };
    config.protocols = match protocol {
        AckProtocol::Uet => Protocols { uet: true, uet_port, uet_protocol, uet_crc, ..none },
        AckProtocol::Roce => Protocols { rocev2: true, rocev2_port, mpeh, ..none },
    };
    let (pdcs, psn_bits) = (config.packet_tracker.pdcs, protocol.psn_bits().into());
    (config.packet_tracker.psn_bits, config.ccc_table.cccs) = (psn_bits, pdcs);
    (config.entropy_selector.cccs, config.path_scheduler.qps) = (pdcs, pdcs);
    config.credit_pacer.sources = pdcs;
    (config.reorder.connections, config.reorder.psn_bits) = (pdcs, psn_bits);
    let (acks, Reorder { window, handle_bits, .. }) = (&mut config.ack_generator, &config.reorder);
    (acks.protocol, acks.connections) = (protocol, pdcs);
    (acks.window, acks.handle_bits) = (*window, *handle_bits);
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parser, ICRC check and sender of a NIC know that switches trim, if the configuration says so.
    #[test]
    fn trimming_reaches_all_that_knows_of_it() {
        for (rocev2, trimming) in [(true, true), (true, false), (false, true), (false, false)] {
            let mut config = Config::default();
            let of = &mut config.protocols;
            (of.rocev2, of.uet, of.elab, of.trimming, of.trimmed_dscp) = (rocev2, !rocev2, false, trimming, 5);
            let NicConfig { rx, tx, .. } = design(&config);
            let Protocols { trimming: parses, trimmed_dscp, .. } = rx.parser.protocols;
            assert_eq!((parses, trimmed_dscp), (trimming, 5));
            assert_eq!(rx.icrc.map(|icrc| icrc.trimming), Some(trimming));
            assert_eq!(tx.builder.protocols.trimming, rocev2 && trimming);
        }
    }
}
