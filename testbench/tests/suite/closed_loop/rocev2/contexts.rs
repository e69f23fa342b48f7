// SPDX-License-Identifier: MIT OR Apache-2.0
//! QPs are opened and closed, with their sub-paths, while others send.

use super::super::setup::{RTT, pdc, report};
use super::setup::{FLOWLET, PACKET, Sizes, closed_loop, nic, settle, two_leaves};
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::Impairment;

/// A second QP is opened, sends both ways and is closed, again and again, while the first one sends.
fn lives(impairment: Impairment, granularity: u64) -> ClosedLoop {
    let paths = [(300, 16), (350, 16), (450, 16), (700, 16)];
    let sizes = Sizes { tolerance: 20, granularity, ..Sizes::paths(4, 16) };
    let config = nic(&sizes);
    let mut run = closed_loop(&two_leaves(2, &paths, impairment), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 1_000_000));
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    for life in 0..12 {
        // PSNs wrap in every other life.
        let psn = 0xFF_FFF8 + 0x8000 * u32::from(life / 2 * (life % 2));
        let other = Pdc { psn, ipv6: life % 2 == 1, life, ..pdc(0, 1, 1, 1) };
        run.open_later(&config, other).expect("it opens");
        let ends = [(other.from, other.pdc), (other.to, config.peer_pdc(other.connection))];
        for (host, number) in ends {
            [0, 5001, 60_002, 3].into_iter().for_each(|length| run.send(host, number, length));
        }
        let ends_now = |run: &ClosedLoop, (host, number)| {
            run.ledger.messages((host, number)).iter().all(|message| message.completed.is_some())
        };
        while !ends.iter().all(|end| ends_now(&run, *end)) {
            run.step().expect("the rules hold");
        }
        run.close(&config, other).expect("it closes");
    }
    assert!(!run.ledger.is_done(), "the first QP has come to an end, so there was no traffic");
    run.until_done(1_000_000).expect("it is delivered");
    report("lives", &run);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
    run
}

#[test]
fn a_qp_is_opened_and_closed_amid_traffic() {
    lives(Impairment::default(), PACKET);
}

/// Packets that come twice may come when their QP has been closed, or opened with another number.
#[test]
fn a_qp_is_opened_and_closed_amid_repetitions() {
    let run = lives(Impairment { loss: 0.0, duplication: 0.02 }, FLOWLET);
    let strangers: u64 = run.nics.iter().map(|nic| nic.receiver.counts.strangers).sum();
    println!("{:?}; {strangers} packets of QPs that were closed", run.fabric.counts());
    assert!(run.fabric.counts().duplicated > 20, "{:?}", run.fabric.counts());
}

#[test]
fn a_qp_is_opened_and_closed_amid_losses() {
    let run = lives(Impairment { loss: 0.005, duplication: 0.005 }, FLOWLET);
    assert!(run.fabric.counts().lost > 4, "{:?}", run.fabric.counts());
}
