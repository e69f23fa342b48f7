// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several PDCs for each NIC, all to all, small messages, PSNs that wrap, IPv4 and IPv6.

use super::setup::{PDCS, Sizes, closed_loop, report, two_leaves};
use testbench::closed_loop::Pdc;
use testbench::device::random::Random;
use testbench::network::Impairment;

#[test]
fn small_messages_of_many_pdcs_whose_psns_wrap() {
    const HOSTS: u16 = 3;
    let mut connections = [0; HOSTS as usize];
    let mut pdcs = Vec::new();
    for from in 0..HOSTS {
        for number in 0..PDCS {
            let to = (from + 1 + number % (HOSTS - 1)) % HOSTS;
            let connection = connections[to as usize];
            connections[to as usize] += 1;
            let psn = 0xFFFF_FFFF - 7 * number as u32;
            pdcs.push(Pdc { from, pdc: number, to, connection, psn, ipv6: number % 3 == 1, life: 0 });
        }
    }
    assert!(connections.iter().all(|count| *count <= PDCS));
    let sizes = Sizes { segment_log: 9, ..Sizes::default() };
    let impairment = Impairment { loss: 0.002, duplication: 0.002 };
    let mut run = closed_loop(&two_leaves(HOSTS as usize, &[300, 400, 500, 900], impairment), sizes, &pdcs);
    let mut random = Random::new(11);
    for pdc in &pdcs {
        for _ in 0..30 {
            let length = match random.below(4) {
                0 => random.below(3),
                1 => random.below(600),
                2 => 512 * random.below(5),
                _ => random.below(6000),
            };
            run.send(pdc.from, pdc.pdc, length as u32);
        }
    }
    run.until_done(1_500_000).expect("it is delivered");
    report("many", &run);
    for nic in &run.nics {
        assert!(nic.sender.counts.new > 300 && nic.sent.acks > 100, "{:?} {:?}", nic.sender.counts, nic.sent);
    }
}
