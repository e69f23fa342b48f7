// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection that is closed leaves nothing behind (rows RX8, RX9, RX18): no answer that goes to the peer of a later one, no
//! frame that has found it, and no connection that is half open because the cells of another one are being cleared.

use super::alone::{Alone, Uet, ev_of, lawful, multipath, request};
use super::directions::{close_request, open};
use super::probes::uet;
use super::receiver::TRIMMED;
use super::{AckProtocol, Command, Dut, RxBench, config, does, holding_frames, model, rtl};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::Delivery;
use pipeline::receive::reorder::ReorderSettings;
use pipeline::receive::rx::RxConfig;
use testbench::streams::Frame;
use tier::pick;

/// Stands for never.
const NEVER: u64 = (1 << 20) - 1;
const RCVR_INFER_LOSS: u8 = 0x1A;
const KEY: u64 = 0x600;
const AR: u32 = 0x08;

fn frame(bytes: Vec<u8>) -> Frame {
    Frame { bytes, user: 0 }
}

/// While the cells of many packets are cleared another connection is closed, and its key serves a third one.
fn closes_while_cells_are_cleared(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    for (connection, psn) in [(1, 100), (3, 500)] {
        alone.does(multipath(config, connection, KEY + connection, psn));
    }
    let held = |psn| frame(request(KEY + 1, psn, 900).with_mpeh(Mpeh::new()).bytes());
    let frames: Vec<_> = (101..160).map(held).collect();
    alone.run.send(&frames).expect("they have bytes");
    alone.rest();
    let free = alone.count("free_cells");
    assert!(free < 300, "{free} of 512 cells are free");
    alone.does(Command::close(1));
    assert!(alone.count("free_cells") < 400, "they are being cleared");
    alone.does(Command::close(3));
    assert_eq!(alone.count("free_cells"), 512, "*close* waits for the cells of the other one");
    alone.does(multipath(config, 5, KEY + 3, 900));
    let again = does(&mut alone.run, alone.dut, Command::close(3));
    assert!(!again.done, "it is closed");
    assert_eq!(
        alone.answers_to(&request(KEY + 3, 900, 64).with_mpeh(Mpeh::new())).len(),
        1,
        "the key is that of the third"
    );
    let delivered = alone.run.delivered_frames().expect("they are whole");
    assert_eq!(delivered.iter().map(|(connection, psn, _)| (*connection, *psn)).collect::<Vec<_>>(), [(5, 900)]);
}

/// The PSNs in NACKs of suspected losses that have left.
fn suspected(run: &RxBench) -> Vec<u64> {
    let answers = run.answers().expect("they are lawful");
    let psns = answers.iter().filter_map(|(_, frame)| match uet(&lawful(frame)) {
        Delivery::Nack(nack, None) if nack.nack_code() == RCVR_INFER_LOSS => {
            let (psn, connection) = (u64::from(nack.nack_psn()), 2 + u64::from(nack.nack_psn()) / 4000);
            assert_eq!(u64::from(nack.dpdcid()), (KEY + connection) ^ 0x5A5A, "PSN {psn} goes to another peer");
            Some(psn)
        }
        _ => None,
    });
    psns.collect()
}

/// Three gaps one after the other: the first fills the replies, the second waits for room, the third in `reorder`.
fn losses_are_said_before_it_closes(dut: &mut dyn Dut, config: &RxConfig) {
    const FIRST: [u64; 3] = [1000, 5000, 9000];
    let mut alone = Alone::new(dut, config);
    for (connection, psn) in (2..5).zip(FIRST) {
        alone.does(multipath(config, connection, KEY + connection, psn));
    }
    alone.reorder_settings(ReorderSettings { span: 10, time: NEVER });
    alone.run.pause("m_answer", 0.98).expect("it is there");
    let behind = |(connection, psn)| frame(Uet::request((KEY + connection) as u16, psn + 60).frame().bytes());
    let frames: Vec<_> = (2..5).zip(FIRST).map(behind).collect();
    alone.run.send(&frames).expect("they have bytes");
    alone.run.run(alone.dut, 1200).expect("nothing breaks");
    let of_last = |run: &RxBench| suspected(run).into_iter().filter(|psn| *psn >= FIRST[2]).collect::<Vec<_>>();
    assert!(of_last(&alone.run).is_empty() && suspected(&alone.run).len() < 64, "most answers wait");
    alone.does(Command::close(4));
    // All have been said, and all frames have left.
    assert_eq!(alone.count("naks"), 180);
    assert_eq!(of_last(&alone.run), (FIRST[2]..FIRST[2] + 60).collect::<Vec<_>>());
    // Nothing of it is left for a connection of the same number.
    alone.does(multipath(config, 4, KEY + 9, FIRST[2]));
    alone.run.pause("m_answer", 0.0).expect("it is there");
    alone.rest();
    assert_eq!(of_last(&alone.run), (FIRST[2]..FIRST[2] + 60).collect::<Vec<_>>());
    assert_eq!(suspected(&alone.run).len(), 180);
}

/// Replies that wait because the network is stalled leave before the connection is closed.
fn replies_leave_before_it_closes(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 6, KEY, 1000));
    alone.run.pause("m_answer", 0.99).expect("it is there");
    let trimmed = |psn| frame(Uet { dscp: TRIMMED as u8, ..Uet::request(KEY as u16, psn) }.frame().bytes());
    let frames: Vec<_> = (1000..1020).map(trimmed).collect();
    alone.run.send(&frames).expect("they have bytes");
    alone.run.until_sent(alone.dut).expect("they are taken");
    alone.does(Command::close(6));
    assert_eq!(alone.count("naks"), 20);
    assert_eq!(alone.run.answers().expect("they are lawful").len(), 20, "the last ones are still in the NIC");
}

/// So does an ACK that is merged and due, however far it has come.
fn an_ack_leaves_before_it_closes(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    for waits in [1, 10, 30, 60, 100, 1000] {
        alone.does(multipath(config, 6, KEY, 1000));
        let before = alone.run.answers().expect("they are lawful").len();
        alone.run.pause("m_answer", 0.998).expect("it is there");
        let asks = Uet { flags: AR, ..Uet::request(KEY as u16, 1000) };
        alone.run.send(&[frame(asks.frame().bytes())]).expect("it has bytes");
        alone.run.until_sent(alone.dut).expect("it is taken");
        alone.run.run(alone.dut, waits).expect("nothing breaks");
        alone.does(Command::close(6));
        let answers = alone.run.answers().expect("they are lawful").len() - before;
        assert_eq!(answers, 1, "closed {waits} clock cycles later: the ACK is still in the NIC");
        alone.run.pause("m_answer", 0.0).expect("it is there");
        alone.rest();
    }
}

/// An EV is given back whatever its value, though a later packet has come before the answer leaves (RX13).
fn an_ev_of_0_is_given_back(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 6, KEY, 1000));
    alone.run.pause("m_answer", 1.0).expect("it is there");
    let sent = |psn: u64| Uet {
        dscp: TRIMMED as u8,
        flags: AR,
        ev: if psn < 1012 { 0 } else { 7 },
        ..Uet::request(KEY as u16, psn)
    };
    let frames: Vec<_> = (1000..1013).map(|psn| frame(sent(psn).frame().bytes())).collect();
    alone.run.send(&frames).expect("they have bytes");
    alone.run.run(alone.dut, 1000).expect("nothing breaks");
    alone.run.pause("m_answer", 0.0).expect("it is there");
    let evs: Vec<_> = alone.rest().iter().map(ev_of).collect();
    assert_eq!(evs, [vec![0; 12], vec![7]].concat());
}

/// A key is taken back with the frames that have found it: none leaves with the connection after the *open* was refused.
fn a_refused_open_leaves_no_frame(dut: &mut dyn Dut) {
    let mut run =
        RxBench::new(dut, 3, |stream| if stream == "m_record" { 0.9 } else { 0.0 }).expect("the streams are there");
    assert!(does(&mut run, dut, open(0, 0x111, false)).done);
    let found = |run: &RxBench| {
        let identified = run.identified().expect("there are records");
        identified.iter().filter(|it| it.found && it.connection == 2).count()
    };
    let mut all = 0;
    for _ in 0..20 {
        run.send(&vec![close_request(0x111); 200]).expect("they have bytes");
        let refused = does(&mut run, dut, open(2, 0x111, true));
        assert!(!refused.done && refused.key_refused, "{refused:?}");
        let left = found(&run);
        run.until_idle(dut, 500).expect("it ends");
        assert_eq!(found(&run), left, "frames leave with a connection that is closed");
        all = left;
    }
    assert!(all > 20, "{all} frames found the key that was taken back");
}

#[test]
fn a_connection_closes_while_the_cells_of_another_are_cleared() {
    for latency in pick([2, 1, 3], 1) {
        let config = holding_frames(config(AckProtocol::Roce, 64, latency));
        closes_while_cells_are_cleared(&mut *model(&config), &config);
    }
}

#[test]
fn what_is_to_be_said_of_a_connection_leaves_before_it_is_closed() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(AckProtocol::Uet, 512, latency);
        losses_are_said_before_it_closes(&mut *model(&config), &config);
        replies_leave_before_it_closes(&mut *model(&config), &config);
        an_ack_leaves_before_it_closes(&mut *model(&config), &config);
    }
}

#[test]
fn an_ev_of_0_is_that_of_its_packet() {
    let config = config(AckProtocol::Uet, 512, 2);
    an_ev_of_0_is_given_back(&mut *model(&config), &config);
}

#[test]
fn frames_that_found_a_key_that_is_taken_back_leave_first() {
    for latency in pick([1, 3], 1) {
        a_refused_open_leaves_no_frame(&mut *model(&config(AckProtocol::Uet, 512, latency)));
    }
}

#[test]
fn the_verilog_does_the_same() {
    let config = config(AckProtocol::Uet, 512, 2);
    let mut dut = rtl(&config, 200_000);
    losses_are_said_before_it_closes(&mut dut, &config);
    an_ack_leaves_before_it_closes(&mut dut, &config);
    a_refused_open_leaves_no_frame(&mut dut);
}
