// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports of their own (rows W12 to W14) in lock-step, with what must have happened meanwhile.

mod host;
mod watch;

use crate::common::soak;
use host::Host;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::{ElabFeedbackConfig, ElabFeedbackSettings};
use std::collections::BTreeSet;
use testbench::Ports;
use testbench::device::random::Random;
use testbench::drives::elab::elab_feedback_drive;
use testbench::lockstep::readings::Readings;
use tier::pick;
use watch::{Counts, EVENTS, OF_SEVERAL_PAIRS, Watch};

const SIZES: [ElabSizes; 6] = [
    ElabSizes::new(1, 4, 8),
    ElabSizes::new(3, 8, 8),
    ElabSizes::new(4, 64, 8),
    ElabSizes { ram_latency: 1, ..ElabSizes::new(5, 2, 8) },
    ElabSizes { ram_latency: 3, ..ElabSizes::new(3, 4, 8) },
    ElabSizes::new(100, 4, 8),
];

/// At every size all happens that the contract distinguishes, and nothing is output too early, too late or not at all.
#[test]
fn pairs_are_due_as_the_contract_says() {
    let mut wrong = Vec::new();
    for (seed, sizes) in pick((1..).zip(SIZES), 1) {
        let (config, counts) = (ElabFeedbackConfig::new(sizes), Counts::default());
        let drive = |ports: &Ports| {
            let traffic = elab_feedback_drive(ports, sizes, Random::new(seed))?;
            Ok(Watch::new(ports, config, traffic, Counts::clone(&counts)))
        };
        Readings::new(soak::cycles(200_000)).agree(&config, drive).unwrap_or_else(|e| panic!("{sizes:?}: {e}"));
        let happened: BTreeSet<_> = counts.borrow().keys().copied().collect();
        let wanted: BTreeSet<_> =
            EVENTS.into_iter().filter(|what| sizes.pairs > 1 || !OF_SEVERAL_PAIRS.contains(what)).collect();
        let missing: Vec<_> = BTreeSet::difference(&wanted, &happened).collect();
        if !missing.is_empty() {
            wrong.push(format!("{sizes:?}: {missing:?} have not occurred: {:#?}", counts.borrow()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// W13: when nothing goes back but the packets that are asked for, every VP is reported once after the last packet, and
/// then nothing more is due.
#[test]
fn every_vp_is_reported_once_after_the_last_packet() {
    for (seed, sizes) in pick((1..).zip(SIZES), 1) {
        let report_time = 3 * (sizes.pairs + 40);
        let settings = ElabFeedbackSettings { report_time, ..ElabFeedbackSettings::default() };
        let config = ElabFeedbackConfig { sizes, settings };
        let drive = |ports: &Ports| Ok(Host::new(ports, config, Random::new(seed)));
        Readings::new(Host::cycles(config)).whole().agree(&config, drive).unwrap_or_else(|e| panic!("{sizes:?}: {e}"));
    }
}
