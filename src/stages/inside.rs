// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages inside a stage, with their latencies: each measured as it is built there.

use super::StageName;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::latency::Time;
use crate::wiring::Wiring;
use devices::AnyStage;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::transmit::tx::Paths;
use rayon::prelude::*;
use rtl_model::netlist::circuit::Circuit;

/// An instance: its name in the module, the stage that it is, and how it is built.
type Instance = (&'static str, StageName, AnyStage);

/// The instances of a stage that consists of stages; none of another one.
fn inside(stage: &AnyStage) -> Vec<Instance> {
    // In a module the gate takes each record at once, and its record is shown when it enters the memory.
    let parser = |parser| {
        let design = HeaderParserConfig { record_buffer: false, ..parser };
        ("parser", StageName::HeaderParser, design.into())
    };
    let gate = |gate| ("gate", StageName::FrameGate, FrameGateConfig { shows_kept: true, ..gate }.into());
    match *stage {
        AnyStage::Rx(rx) => {
            let icrc = rx.icrc.map(|icrc| ("icrc", StageName::Icrc, icrc.into()));
            let insert = rx.icrc_insert.map(|icrc| ("icrc_insert", StageName::IcrcInsert, icrc.into()));
            let stages = [
                parser(rx.parser),
                gate(rx.gate),
                ("lookup", StageName::ContextLookup, rx.lookup.into()),
                ("reorder", StageName::Reorder, rx.reorder.into()),
                ("acks", StageName::AckGenerator, rx.ack.into()),
                ("builder", StageName::HeaderBuilder, rx.builder.into()),
            ];
            let check = rx.request_check().map(|check| ("requests", StageName::RequestCheck, check.into()));
            stages.into_iter().chain(icrc).chain(insert).chain(check).collect()
        }
        AnyStage::Tx(tx) => {
            let mut stages: Vec<Instance> = vec![
                ("tracker", StageName::PacketTracker, tx.packet_tracker.into()),
                ("cccs", StageName::CccTable, tx.ccc_table.into()),
                ("builder", StageName::HeaderBuilder, tx.builder.into()),
            ];
            match tx.paths {
                Paths::Selector(selector) => stages.push(("selector", StageName::EntropySelector, selector.into())),
                Paths::Scheduler(scheduler) => stages.push(("scheduler", StageName::PathScheduler, scheduler.into())),
            }
            let icrc = tx.icrc_insert.map(|icrc| ("icrc_insert", StageName::IcrcInsert, icrc.into()));
            stages.into_iter().chain(icrc).collect()
        }
        AnyStage::Nic(nic) => {
            let pacer = nic.pacer.map(|pacer| ("pacer", StageName::CreditPacer, pacer.into()));
            let stages = [("rx", StageName::Rx, nic.rx.into()), ("tx", StageName::Tx, nic.tx.into())];
            stages.into_iter().chain(pacer).collect()
        }
        AnyStage::ElabHost(host) => vec![
            parser(host.parser),
            gate(host.gate),
            ("lookup", StageName::ContextLookup, host.lookup.into()),
            ("feedback", StageName::ElabFeedback, host.feedback.into()),
            ("scheduler", StageName::ElabScheduler, host.scheduler.into()),
            ("builder", StageName::HeaderBuilder, host.builder.into()),
        ],
        _ => Vec::new(),
    }
}

impl StageName {
    /// How the stages inside the stage are connected, with their latencies; `None` for a stage that consists of none.
    pub fn wiring(self, circuit: &Circuit, config: &Config) -> Outcome<Option<Wiring>> {
        let instances = inside(&self.smallest(config));
        if instances.is_empty() {
            return Ok(None);
        }
        let measure = |(name, stage, design): &Instance| match (stage.spec().latency)(design) {
            Ok(latency) => Ok((*name, latency)),
            Err(failure) => Err(Failure::ours(failure)),
        };
        let measured = instances.par_iter().map(measure).collect::<Vec<_>>();
        let mut wiring = Wiring::of(circuit);
        for measured in measured {
            let (name, latency) = measured?;
            for instance in wiring.instances.iter_mut().filter(|instance| instance.name == name) {
                instance.latency = Time::all(&latency, config.target.clock_mhz);
            }
        }
        Ok(Some(wiring))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::READY;
    use std::collections::BTreeSet;

    /// Every configuration that is shipped, and the default one with each protocol alone.
    fn configurations() -> Vec<Config> {
        let shipped = READY.iter().map(|(name, _)| Config::load(Some(name)).expect("it is shipped"));
        let alone = [(true, false), (false, true), (true, true)].map(|(rocev2, uet)| {
            let mut config = Config::default();
            (config.protocols.rocev2, config.protocols.uet, config.protocols.elab) = (rocev2, uet, false);
            config
        });
        shipped.chain(alone).collect()
    }

    /// An instance is measured as it is built: its module has the name of what is measured.
    #[test]
    fn what_is_measured_is_what_is_inside() {
        let mut seen = BTreeSet::new();
        for config in configurations() {
            for stage in StageName::with_parts(&StageName::pipeline(&config), &config) {
                let design = stage.of(&config);
                let circuit = stage.circuit(&config).expect("it elaborates");
                let built = match stage.has_parts() {
                    true => circuit.top().instances.iter().map(|it| (it.name.clone(), it.module.clone())).collect(),
                    false => BTreeSet::new(),
                };
                let module = |part: &AnyStage| format!("{}_{}", stage.module(&config), part.module_name());
                let measured = inside(&design);
                seen.extend(measured.iter().map(|(name, ..)| format!("{}.{name}", stage.name())));
                let measured = measured.iter().map(|(name, _, part)| ((*name).to_owned(), module(part))).collect();
                assert_eq!(built, measured, "{}", stage.name());
            }
        }
        for instance in ["rx.acks", "nic.rx", "tx.scheduler", "elab_host.feedback"] {
            assert!(seen.contains(instance), "{instance}: {seen:?}");
        }
    }

    /// Each instance has a latency, and the receive path delivers and answers.
    #[test]
    fn every_instance_has_a_latency() {
        for config in configurations() {
            for stage in StageName::pipeline(&config) {
                let circuit = stage.circuit(&config).expect("it elaborates");
                let wiring = stage.wiring(&circuit, &config).unwrap_or_else(|failure| panic!("{failure}"));
                for instance in wiring.iter().flat_map(|wiring| &wiring.instances) {
                    let name = format!("{}.{}", stage.name(), instance.name);
                    assert!(!instance.latency.is_empty(), "{name}");
                    let to = |output| instance.latency.iter().any(|time| time.ends_at(output) && time.clocks > 0);
                    assert!(instance.name != "rx" || (to("delivery") && to("m_answer")), "{name}");
                    assert!(instance.name != "acks" || to("ack"), "{name}");
                }
            }
        }
    }
}
