// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two NICs of each ready-made and documented configuration fill a link of their rate and RTT, with its settings after reset.

use super::shell;
use crate::Place;
use tier::pick;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/nic");

/// Configuration and protocol; clock in MHz, rate of the link of a pipeline in Gb/s, RTT in us, bytes of a packet.
const CASES: [(&str, &str); 5] = [
    ("$EXAMPLES/nic.toml", "uet 200 10 12 1024"),
    ("$EXAMPLES/roce.toml", "rocev2 200 10 12 1024"),
    ("uet-400g", "uet 322.265625 100 12 4096"),
    ("mp-rdma-100g", "rocev2 322.265625 100 12 4096"),
    ("ecp5-10g", "uet 100 10 50 4096"),
];

#[test]
fn two_nics_fill_their_link() {
    for (config, arguments) in pick(CASES, 1) {
        let place = Place::fresh();
        let config = config.replace("$EXAMPLES", EXAMPLES);
        place.run(&format!("model --config {config} --stage nic --name mpnic_nic --out nic")).good();
        shell(&place, &format!("cp {EXAMPLES}/*.py . && cc -O1 -shared -fPIC -o libmpnic_nic.so mpnic_nic*.c")).good();
        let said = shell(&place, &format!("python3 goodput.py {arguments}")).good();
        let percent = said.lines().last().and_then(|line| line.split(' ').nth(2)).and_then(|text| text.parse().ok());
        assert!(percent.is_some_and(|percent: f64| (97.0..=100.0).contains(&percent)), "{config}: {said}");
    }
}
