// SPDX-License-Identifier: MIT OR Apache-2.0
//! RCCC: the sender's half (`ccc_table` in `tx`) and the receiver's half (`credit_pacer`) together, without NSCC.

use super::setup::{
    BDP, CREDIT_REQUEST_CLOCKS, HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, closed_loop, count, one_leaf, pdc, report, us,
};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::entropy_selector::Modes;
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::Impairment;
use tier::is_all;

const RCCC: Sizes = Sizes {
    segment_log: 12,
    rto: 781,
    algorithms: CccAlgorithms::Rccc,
    advance: 879,
    credit_unit: 256,
    records_every: 1,
    messages: 8,
    modes: Modes::BITMAP,
    tolerance: 3 * RTT / 64,
    cells: None,
    check_mac: false,
    uet_crc: true,
};

/// A loop in which each PDC has RCCC alone. ECN is off at the last hop (uet.md 3).
fn with_credit(hosts: usize, sizes: Sizes, impairment: Impairment, pdcs: &[Pdc]) -> ClosedLoop {
    let mut fabric = one_leaf(hosts, true);
    fabric.downlink.queue.marking = None;
    fabric.downlink.impairment = impairment;
    closed_loop(&fabric, sizes, pdcs)
}

/// Clock cycles of the bytes of these messages on a wire, and an RTT, as in the tests with NSCC. RUD_CC_REQ is 4 bytes longer. The
/// last packet counts twice, so a message may be faster by the 66 clock cycles that one takes.
fn least(messages: &[u32]) -> u64 {
    let wire = |bytes: u32| bytes as u64 + bytes.div_ceil(SEGMENT) as u64 * (HEADERS + 4 + OVERHEAD);
    messages.iter().map(|bytes| wire(*bytes)).sum::<u64>() / 64 + RTT
}

/// Clock cycles from the request of the last message of a host to its completion.
fn took(run: &ClosedLoop, host: u16) -> u64 {
    let message = run.ledger.messages((host, 0)).last().expect("there is one");
    message.completed.zip(message.requested).map(|(end, start)| end - start).expect("it is complete")
}

fn wait(run: &mut ClosedLoop, cycles: u64) {
    (0..cycles).for_each(|_| run.step().expect("the rules hold"));
}

fn single_flow(sizes: Sizes) {
    const BYTES: u32 = 2_000_000;
    let mut run = with_credit(2, sizes, Impairment::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, BYTES);
    run.until_done(100_000).expect("it is delivered");
    report("single flow", &run);
    let (took, least) = (took(&run, 0), least(&[BYTES]));
    println!("{:?}, {:.1} us; at least {:.1} us", run.nics[1].sent, us(took), us(least));
    assert_eq!((run.nics[0].sender.counts.again, count(&run, "packet_tracker_timeouts")), (0, 0));
    // Speculation ends with the first CREDIT, which has come before the credit of the start was used up; then there is always some.
    assert!(took < least + RTT / 10, "{took} of {least}");
    assert!(run.nics[1].sent.credits > BYTES as u64 / 16_384, "{:?}", run.nics[1].sent);
    assert!(run.fabric.downlink(1).counts().queue.peak < BDP / 10);
}

#[test]
fn a_single_flow_is_as_fast_as_its_link() {
    single_flow(RCCC);
}

#[test]
fn a_single_flow_that_chooses_credit_does_the_same() {
    single_flow(Sizes { algorithms: CccAlgorithms::Both, ..RCCC });
}

/// The unit of credit is what both ends take it for.
#[test]
fn it_is_as_fast_in_other_units_of_credit() {
    for credit_unit in [64, 4096] {
        single_flow(Sizes { credit_unit, ..RCCC });
    }
}

#[test]
fn an_incast_is_paced_by_its_receiver() {
    const BYTES: u32 = 400_000;
    let pdcs: Vec<_> = (0..8).map(|host| pdc(host, 0, 8, host)).collect();
    let mut run = with_credit(9, RCCC, Impairment::default(), &pdcs);
    (0..8).for_each(|host| run.send(host, 0, BYTES));
    let least = least(&[BYTES; 8]);
    wait(&mut run, 3 * RTT);
    let early = run.fabric.counts().queue.trimmed;
    let bytes = |run: &ClosedLoop| (0..8).map(|host| run.ledger.bytes((host, 0))).collect::<Vec<_>>();
    while bytes(&run).iter().sum::<u64>() < 4 * BYTES as u64 && run.now() < least {
        run.step().expect("the rules hold");
    }
    let (half, shares) = (run.now(), bytes(&run));
    run.until_done(2 * least).expect("it is delivered");
    report("incast", &run);
    let counts = run.fabric.counts().queue;
    let again: u64 = run.nics.iter().map(|nic| nic.sender.counts.again).sum();
    println!("{} trimmed, {early} of them in two RTTs, {again} again", counts.trimmed);
    println!("{:.1} us; at least {:.1}; bytes after {:.1} us: {shares:?}", us(run.now()), us(least), us(half));
    assert_eq!((count(&run, "packet_tracker_timeouts"), counts.dropped), (0, 0));
    // What is sent before the credit of the start is used up; later the queue, which empties slowly, trims a few at most.
    assert!(counts.trimmed <= early + early / 50);
    assert!(early <= 8 * BDP / SEGMENT as u64, "{early}");
    assert!((early..=early + early / 8).contains(&again), "{again} of {early}");
    assert!(run.now() < least * 106 / 100, "{} of {least}", run.now());
    // Each has an eighth of what is delivered, to two fifths of that: what was trimmed holds up what is behind it.
    let mean = shares.iter().sum::<u64>() / 8;
    assert!(mean > 190_000 && shares.iter().all(|share| share.abs_diff(mean) < mean * 2 / 5), "{shares:?}");
}

/// Credit that nobody else wants has come meanwhile, so the sender need not ask.
#[test]
fn a_sender_stops_and_begins_again() {
    const BYTES: u32 = 400_000;
    for (advance, late) in [(RCCC.advance, 0), (0, RTT)] {
        let mut run = with_credit(2, Sizes { advance, ..RCCC }, Impairment::default(), &[pdc(0, 0, 1, 0)]);
        for pause in [0, 5, 50] {
            wait(&mut run, pause * RTT);
            run.send(0, 0, BYTES);
            run.until_done(10 * least(&[BYTES])).expect("it is delivered");
            let (took, least) = (took(&run, 0), least(&[BYTES]));
            println!("{advance} in advance, after {pause} RTTs: {:.1} us; at least {:.1}", us(took), us(least));
            let late = if pause == 0 { 0 } else { late };
            assert!((least + late - 200..least + late + RTT / 10).contains(&took), "{took}");
        }
        report("stops", &run);
        assert_eq!((run.nics[0].sender.counts.again, count(&run, "packet_tracker_timeouts")), (0, 0));
    }
}

/// The other one wants all credit, so there is none in advance. The one that stopped has what rounding to 256 bytes has left: with it
/// it sends a packet that says what it wants.
#[test]
fn a_sender_begins_again_beside_another() {
    const BYTES: u32 = 400_000;
    let mut run = with_credit(3, RCCC, Impairment::default(), &[pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)]);
    (0..8).for_each(|_| run.send(1, 0, 500_000));
    run.send(0, 0, BYTES);
    wait(&mut run, 15 * RTT);
    assert!(run.ledger.messages((0, 0))[0].completed.is_some(), "it has stopped");
    let (before, other) = (run.now(), run.ledger.bytes((1, 0)));
    run.send(0, 0, BYTES);
    while run.ledger.messages((0, 0))[1].completed.is_none() && run.now() < before + 20 * RTT {
        run.step().expect("the rules hold");
    }
    let (took, other) = (took(&run, 0), run.ledger.bytes((1, 0)) - other);
    report("beside another", &run);
    println!("{:.1} us for {BYTES} bytes, {other} bytes of the other one", us(took));
    // Half of the link, an RTT until the receiver knows, and what waits in the queue.
    assert!(took < least(&[BYTES; 2]) + 2 * RTT, "{took}");
    assert!(other > BYTES as u64, "{other}");
    run.until_done(100_000).expect("it is delivered");
}

/// 260 bytes of nominal size: it leaves 4 bytes less of what rounding to 256 bytes has left.
const FOUR_LESS: u32 = 260 - 108;

/// Clock cycles in which the message of a sender that stands still is complete: it is looked at twice, an RTT until it has credit,
/// and one of its packet.
const ASKS: u64 = 2 * CREDIT_REQUEST_CLOCKS + 2 * RTT + RTT / 10;

/// Sends such messages from host 0, one after the other; each is delivered within so many clock cycles. The longest time, and the
/// CREDIT_REQUEST packets.
fn small_messages(run: &mut ClosedLoop, count: usize, patience: u64) -> (u64, u64) {
    let (asked, mut longest) = (run.nics[0].sent.requests, 0);
    for _ in 0..count {
        wait(run, RTT / 2);
        run.send(0, 0, FOUR_LESS);
        let begin = run.now();
        while run.ledger.messages((0, 0)).last().expect("it was sent").completed.is_none() {
            assert!(run.now() < begin + patience, "cycle {}: it stands still", run.now());
            run.step().expect("the rules hold");
        }
        longest = longest.max(run.now() - begin);
    }
    (longest, run.nics[0].sent.requests - asked)
}

/// Requests ask for credit. A sender that has none at all, and gets none in advance, sends CREDIT_REQUEST in their place.
#[test]
fn a_sender_without_credit_asks_for_it() {
    let mut run = with_credit(2, Sizes { advance: 0, ..RCCC }, Impairment::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 400_000);
    run.until_done(100_000).expect("it is delivered");
    assert_eq!(run.nics[0].sent.requests, 0, "a sender with packets in flight need not ask");
    let (longest, asked) = small_messages(&mut run, 200, ASKS);
    report("small messages", &run);
    println!("{asked} times asked, {:.1} us at most", us(longest));
    // Without asking, the first stand still after 22 messages.
    assert!(asked >= 200 / 64, "{asked}");
    assert!(longest > CREDIT_REQUEST_CLOCKS, "{longest}");
    assert_eq!(run.nics[1].receiver.counts.requests, asked);
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
}

/// The same with credit in advance, which there is only while two others do not want all.
#[test]
fn a_sender_without_credit_asks_for_it_beside_two_others() {
    let pdcs = [pdc(0, 0, 3, 0), pdc(1, 0, 3, 1), pdc(2, 0, 3, 2)];
    let mut run = with_credit(4, RCCC, Impairment::default(), &pdcs);
    (0..20).for_each(|_| (1..3).for_each(|host| run.send(host, 0, 500_000)));
    run.send(0, 0, 400_000);
    wait(&mut run, 15 * RTT);
    // The two others each get a quota first, and what has been sent waits in a queue.
    let (longest, asked) = small_messages(&mut run, 40, ASKS + 2 * RTT);
    let others = [1, 2].map(|host| run.ledger.messages((host, 0)).last().expect("there is one").received);
    println!("{asked} times asked, {:.1} us at most, until {:.1} us", us(longest), us(run.now()));
    assert_eq!(others, [None; 2], "the others still send");
    assert!(asked > 0 && longest > CREDIT_REQUEST_CLOCKS, "{asked}, {longest}");
    run.until_done(400_000).expect("it is delivered");
}

/// The receiver has nothing more to grant, so nothing but CREDIT_REQUEST, which has the target that it knows, repairs this.
#[test]
fn a_last_credit_that_is_lost_is_repaired() {
    let mut run = with_credit(2, Sizes { advance: 0, ..RCCC }, Impairment::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 400_000);
    run.until_done(100_000).expect("it is delivered");
    for lost in [1, 3] {
        let asked = run.nics[0].sent.requests;
        while run.nics[0].sent.requests == asked {
            wait(&mut run, RTT / 2);
            run.send(0, 0, FOUR_LESS);
            while !run.ledger.is_done() && run.nics[0].sent.requests == asked {
                run.step().expect("the rules hold");
            }
        }
        // It is on its way.
        run.nics[0].credits_to_lose = lost;
        let (begin, credits, void) =
            (run.now(), run.nics[1].sent.credits, run.nics[1].count("credit_pacer_void_turns"));
        run.until_done(ASKS + lost * CREDIT_REQUEST_CLOCKS).expect("it is delivered");
        let again = run.nics[0].sent.requests - asked;
        let credits = run.nics[1].sent.credits - credits;
        println!("{lost} lost: {again} times asked, {credits} CREDIT packets, {:.1} us", us(run.now() - begin));
        assert_eq!((run.nics[0].credits_to_lose, again, credits), (0, lost + 1, lost + 1));
        assert_eq!(run.nics[1].count("credit_pacer_void_turns"), void);
    }
}

/// CREDIT and CREDIT_REQUEST packets: how many were sent, and how many came.
fn controls(run: &ClosedLoop) -> [[u64; 2]; 2] {
    run.nics.iter().fold([[0; 2]; 2], |[[credits, came], [requests, arrived]], nic| {
        let (sent, received) = (nic.sent, nic.receiver.counts);
        [[credits + sent.credits, came + received.credits], [requests + sent.requests, arrived + received.requests]]
    })
}

/// What is lost are packets, ACKs and CREDIT packets.
#[test]
fn everything_arrives_in_spite_of_losses() {
    let pdcs = [pdc(0, 0, 1, 0), pdc(1, 0, 0, 0)];
    let mut run = with_credit(2, RCCC, Impairment { loss: 0.02, duplication: 0.0 }, &pdcs);
    pdcs.iter().for_each(|pdc| (0..2).for_each(|_| run.send(pdc.from, pdc.pdc, 500_000)));
    run.until_done(400_000).expect("it is delivered");
    wait(&mut run, 2 * RTT);
    report("losses", &run);
    let [[credits, came], requests] = controls(&run);
    println!("{came} of {credits} CREDIT packets came, CREDIT_REQUEST {requests:?}");
    assert!(came < credits && run.nics.iter().all(|nic| nic.sender.counts.again > 0));
}

/// The same with nothing in advance: what is lost of CREDIT is missed, and CREDIT_REQUEST may be lost too.
#[test]
fn everything_arrives_in_spite_of_losses_without_credit_in_advance() {
    let pdcs = [pdc(0, 0, 1, 0), pdc(1, 0, 0, 0)];
    // Of the CREDIT_REQUEST packets, some ninety in the longer run, at least one must be lost.
    let mut run = with_credit(2, Sizes { advance: 0, ..RCCC }, Impairment { loss: 0.05, duplication: 0.0 }, &pdcs);
    let (large, small) = if is_all() { (6, 400) } else { (1, 150) };
    pdcs.iter().for_each(|pdc| (0..large).for_each(|_| run.send(pdc.from, pdc.pdc, 500_000)));
    run.until_done(4_000_000).expect("it is delivered");
    // Small messages ask often.
    for _ in 0..small {
        pdcs.iter().for_each(|pdc| run.send(pdc.from, pdc.pdc, FOUR_LESS));
        run.until_done(200_000).expect("it is delivered");
    }
    wait(&mut run, 2 * RTT);
    report("losses, nothing in advance", &run);
    let [[credits, came], [requests, arrived]] = controls(&run);
    println!("{came} of {credits} CREDIT packets, {arrived} of {requests} CREDIT_REQUEST packets came");
    assert!(came < credits && arrived < requests && run.nics.iter().all(|nic| nic.sender.counts.again > 0));
}
