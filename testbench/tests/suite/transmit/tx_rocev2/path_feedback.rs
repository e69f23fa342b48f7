// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ACKs say of sub-paths (row TX34): MARK for one with BECN that `packet_tracker` finds good and ARRIVED for one without, also
//! if it says that a packet is lost; nothing for one that is outside or of a QP that is closed.

use super::paths::PACKET;
use super::peer::{ACK, Network, SEQUENCE_ERROR};
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, Plan, UNQUIET, config, limits, open_all};
use crate::transmit::tx::path_feedback::{Feedback, Watched};
use pipeline::headers::protocols::MpehIndicator;
use pipeline::transmit::tx::TxConfig;
use testbench::device::model::watched_reference_of;

const MARK: u64 = 5;
const ARRIVED: u64 = 7;
/// Packets and answers are under way for so long that what the test says comes first.
const SLOW: Network = Network { delay: (3000, 3000), ..CLEAN };

#[test]
fn sub_paths_hear_of_each_ack_once() {
    // Its tag names no packet.
    let config = TxConfig { tag_is_time: true, ..config(64, 8, 1, MpehIndicator::Bit) };
    let (mut dut, seen) = Watched::new(watched_reference_of(&config).expect("it has no defects"), true);
    let conditions = Conditions { network: SLOW, pause: &|_| 0.0, host_delay: 5, bad: 0.0 };
    let mut run = Run::new(&mut dut, limits(&config, UNQUIET), 3, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    run.request(1, 256 * 8, false);
    run.steps(1200);
    let first = run.fetches.first().expect("packets are sent").1.psn;
    assert!(run.fetches.len() >= 6 && seen.borrow().is_empty(), "{:?}", run.fetches.len());
    // Each names one packet more, and some say that the next one is lost.
    let good =
        [(ACK, 0, (false, true)), (ACK, 1, (true, true)), (SEQUENCE_ERROR, 2, (false, true)), (ACK, 3, (true, false))];
    for (n, (syndrome, path, says)) in (0..).zip(good) {
        // A NAK acknowledges what is before its PSN.
        let psn = first + n + u64::from(syndrome == SEQUENCE_ERROR);
        let far = (ACK, first + 1000);
        for (qp, what, path, says) in
            [(1, far, 2, (true, true)), (1, (syndrome, psn), path, says), (1, far, 3, (false, true))]
        {
            let fields = run.peer.says(qp, what, path, says);
            run.bench.record(&fields);
        }
        run.steps(150);
    }
    let kind = |marked| if marked { MARK } else { ARRIVED };
    let wanted: Vec<Feedback> = good.iter().map(|(_, path, says)| (1, *path, kind(says.1))).collect();
    assert_eq!(*seen.borrow(), wanted);
    assert_eq!(run.bench.output("packet_tracker_outside_acks"), 8);
}
