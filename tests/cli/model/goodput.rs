// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two NICs of each ready-made and documented configuration fill a link of their rate and RTT, with its settings after reset.

use super::shell;
use crate::Place;
use mpnic::config::{Config, READY, Target};
use pipeline::receive::ack_generator::AckProtocol;
use tier::pick;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/nic");

/// The arguments of `goodput.py` for a configuration; `None` if it has no NIC, as a switch. Pipelines share the link.
fn arguments(name: &str) -> Option<String> {
    let config = Config::load(Some(name)).unwrap_or_else(|failure| panic!("{failure}"));
    let (Target { clock_mhz, link_gbps, pipelines, .. }, protocols) = (&config.target, config.protocols);
    let (gbps, rtt, segment) = (link_gbps / *pipelines as f64, config.settings.rtt_us, config.tx.segment);
    let protocol = match config.tx_protocol() {
        AckProtocol::Uet => "uet",
        AckProtocol::Roce => "rocev2",
    };
    let is_nic = (protocols.uet || protocols.rocev2) && !config.lia_router.present;
    is_nic.then(|| format!("{protocol} {clock_mhz} {gbps} {rtt} {segment}"))
}

#[test]
fn two_nics_fill_their_link() {
    let documented = ["nic.toml", "roce.toml"].map(|name| format!("{EXAMPLES}/{name}"));
    let all = documented.into_iter().chain(READY.iter().map(|(name, _)| (*name).to_owned()));
    let cases: Vec<_> = all.filter_map(|name| Some((arguments(&name)?, name))).collect();
    assert_eq!(cases.len(), 5);
    for (arguments, config) in pick(cases, 1) {
        let place = Place::fresh();
        place.run(&format!("model --config {config} --stage nic --name mpnic_nic --out nic")).good();
        shell(&place, &format!("cp {EXAMPLES}/*.py . && cc -O1 -shared -fPIC -o libmpnic_nic.so mpnic_nic*.c")).good();
        let said = shell(&place, &format!("python3 goodput.py {arguments}")).good();
        let percent = said.lines().last().and_then(|line| line.split(' ').nth(2)).and_then(|text| text.parse().ok());
        assert!(percent.is_some_and(|percent: f64| (97.0..=100.0).contains(&percent)), "{config}: {said}");
    }
}
