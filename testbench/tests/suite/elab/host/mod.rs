// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ELAB layer of a host: all forms in lock-step, and two hosts that send to each other over a network (rows EH1 to EH12).

mod alone;
mod bench;
mod dead;
mod network;
mod pairs;
mod unknown;
mod wire;

use crate::common::devices::{model, rtl};
use crate::common::soak::cycles;
use bench::Host;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::{ElabFeedbackConfig, ElabFeedbackSettings};
use pipeline::elab::host::ElabHostConfig;
use pipeline::elab::scheduler::{ElabSchedulerConfig, ElabSchedulerSettings};
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::headers::protocols::Protocols;
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::pick;

/// Clock cycles after which a report goes alone.
const REPORT_TIME: u64 = 3000;
/// The DSCP of such a packet.
const REPORT_DSCP: u64 = 46;
/// Packets of a burst.
const BURST: u64 = 6;

/// A host of this width with so many pairs of four VPs.
fn config(width: u32, ram_latency: u32, pairs: u64) -> ElabHostConfig {
    let protocols = Protocols { rocev2: false, uet: false, ..Protocols::default() };
    let sizes = ElabSizes { ram_latency, ..ElabSizes::new(pairs, 4, 16) };
    let alpha = ElabSchedulerSettings::default().alpha;
    ElabHostConfig {
        parser: HeaderParserConfig { protocols, ..HeaderParserConfig::new(width) },
        gate: FrameGateConfig { ram_latency, ..FrameGateConfig::new(width, 16_384, 64) },
        lookup: ContextLookupConfig {
            entries: pairs,
            kinds: KeyKinds { rocev2: false, uet: false, elab: true },
            ram_latency,
        },
        feedback: ElabFeedbackConfig {
            sizes,
            settings: ElabFeedbackSettings { burst: BURST, report_time: REPORT_TIME },
        },
        scheduler: ElabSchedulerConfig {
            sizes,
            settings: ElabSchedulerSettings { alpha, window: 20, explore: 100, burst: BURST, silence: 300 },
        },
        builder: HeaderBuilderConfig { protocols, ..HeaderBuilderConfig::new(width) },
        report_dscp: REPORT_DSCP,
    }
}

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    for (width, latency, pairs) in pick([(64, 1, 8), (512, 3, 5)], 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(7)));
        Readings::new(cycles(20_000)).agree(&config(width, latency, pairs), drive).expect("they agree");
    }
}
