// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDCs are opened, resized and closed by one command for both paths and the pacer, while others send.

use super::setup::{RTT, Sizes, TRIMMABLE, closed_loop, count, nic, one_leaf, pdc, report};
use pipeline::transmit::ccc_table::CccAlgorithms;
use std::collections::BTreeMap;
use testbench::closed_loop::{ClosedLoop, Pdc};

/// Codes of commands.
const OPEN: u64 = 1;
const CLOSE: u64 = 2;
const RESIZE: u64 = 3;
const LOSE: u64 = 4;

/// Credit that one CREDIT packet adds at most, in units of 256 bytes.
const QUOTA: u32 = 64;

/// Two hosts, between which one PDC sends these megabytes.
fn busy(sizes: Sizes, megabytes: u32) -> ClosedLoop {
    let mut run = closed_loop(&one_leaf(2, true), sizes, &[pdc(0, 0, 1, 0)]);
    (0..megabytes).for_each(|_| run.send(0, 0, 1_000_000));
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    run
}

/// The fields of these names of the response to a command.
fn response<const N: usize>(run: &mut ClosedLoop, fields: Vec<(&'static str, u64)>, names: [&str; N]) -> [u64; N] {
    let response: BTreeMap<_, _> = run.command(0, fields).expect("there is a response");
    names.map(|name| response[name])
}

/// A second PDC is opened, sends both ways and is closed, again and again, while the first sends these megabytes.
fn lives(sizes: Sizes, megabytes: u32) -> ClosedLoop {
    let (mut run, config) = (busy(sizes, megabytes), nic(sizes));
    for life in 0..12 {
        let other = Pdc { psn: 0x8000 * u32::from(life), ipv6: life % 2 == 1, life, ..pdc(0, 1, 1, 1) };
        run.open_later(&config, other).expect("it opens");
        let ends = [(other.from, other.pdc), (other.to, config.peer_pdc(other.connection))];
        for (host, number) in ends {
            [0, 5000, 60_000].into_iter().for_each(|length| run.send(host, number, length));
        }
        let ends_now = |run: &ClosedLoop, (host, number)| {
            run.ledger.messages((host, number)).iter().all(|message| message.completed.is_some())
        };
        while !ends.iter().all(|end| ends_now(&run, *end)) {
            run.step().expect("the rules hold");
        }
        for (host, number) in ends {
            let closed = run.command(host, vec![("op", CLOSE), ("pdc", number.into())]).expect("there is a response");
            assert_eq!((closed["done"], closed["open"]), (1, 0), "{closed:?}");
        }
    }
    assert!(!run.ledger.is_done(), "the first PDC has come to an end, so there was no traffic");
    run.until_done(1_000_000).expect("it is delivered");
    report("lives", &run);
    run
}

#[test]
fn a_pdc_is_opened_and_closed_amid_traffic() {
    lives(Sizes::default(), 4);
}

/// The credit numbers of each PDC begin with the first quota and grow by no more than a quota, so none is of a life before.
fn credit_of_one_life(run: &ClosedLoop) -> usize {
    let all = run.nics.iter().flat_map(|nic| &nic.credits);
    all.map(|(pdcid, numbers)| {
        let grows = |pair: &[u32]| (pair[0]..=pair[0] + QUOTA).contains(&pair[1]);
        assert!(numbers[0] <= QUOTA && numbers.windows(2).all(grows), "{pdcid:#x}: {numbers:?}");
        numbers.len()
    })
    .sum()
}

/// Row NI10.
#[test]
fn a_pdc_with_credit_is_opened_and_closed_amid_traffic() {
    // With a CRC the first CREDIT in advance comes when a turn has been granted without it; the turn needs more than that gives (row C27).
    for (advance, uet_crc) in [(0, true), (879, false), (879, true)] {
        let run = lives(Sizes { algorithms: CccAlgorithms::Rccc, advance, uet_crc, ..Sizes::default() }, 8);
        let credits = credit_of_one_life(&run);
        assert!(credits > 500, "{credits}");
        for none in ["credit_pacer_closed_demands", "packet_tracker_timeouts"] {
            assert_eq!(count(&run, none), 0, "{none}, {advance} in advance, CRC {uet_crc}");
        }
    }
}

/// Row NI10. A PDC is closed at some time after it was opened, so that credit in advance waits then, or is on its way to `tx`.
#[test]
fn credit_that_waits_ends_with_its_pdc() {
    const LIVES: u16 = 96;
    let sizes = Sizes { algorithms: CccAlgorithms::Rccc, ..Sizes::default() };
    let (mut run, config) = (busy(sizes, 16), nic(sizes));
    for life in 0..LIVES {
        let other = Pdc { life, ..pdc(0, 1, 1, 1) };
        run.open_later(&config, other).expect("it opens");
        (0..2 * life).for_each(|_| run.step().expect("the rules hold"));
        for (host, number) in [(other.to, config.peer_pdc(other.connection)), (other.from, other.pdc)] {
            let closed = run.command(host, vec![("op", CLOSE), ("pdc", number.into())]).expect("there is a response");
            assert_eq!((closed["done"], closed["open"]), (1, 0), "{closed:?}");
        }
    }
    assert!(!run.ledger.is_done(), "the first PDC has come to an end, so there was no traffic");
    run.until_done(1_000_000).expect("it is delivered");
    report("credit that waits", &run);
    credit_of_one_life(&run);
    let sent: u64 = run.nics.iter().map(|nic| nic.sent.credits).sum();
    let dropped = count(&run, "credit_pacer_credits") - sent;
    println!("{sent} CREDIT packets, credit dropped {dropped} times");
    assert!(dropped > u64::from(LIVES) / 2, "{dropped}");
}

/// Row NI10. A host takes no completions, so the *close* of a PDC whose peer asks for credit does not end; the other PDC gets credit
/// all the same.
#[test]
fn credit_of_a_pdc_that_closes_does_not_hold_up_that_of_others() {
    let sizes = Sizes { algorithms: CccAlgorithms::Rccc, ..Sizes::default() };
    let [stays, closes] = [pdc(1, 0, 0, 0), pdc(1, 1, 0, 1)];
    let mut run = closed_loop(&one_leaf(2, true), sizes, &[stays, closes]);
    let number = nic(sizes).peer_pdc(closes.connection);
    run.nics[0].sender.takes_completions = false;
    (0..8).for_each(|_| run.send(1, 0, 1_000_000));
    (0..2).for_each(|_| run.send(1, 1, 1_000_000));
    (0..6).for_each(|_| run.send(0, number, 5000));
    (0..4 * RTT).for_each(|_| run.step().expect("the rules hold"));
    run.nics[0].commands.offer(vec![("op", CLOSE), ("pdc", number.into()), ("force", 1)]);
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    let before = run.nics[0].sent.credits;
    (0..16 * RTT).for_each(|_| run.step().expect("the rules hold"));
    let credits = run.nics[0].sent.credits - before;
    println!("{credits} CREDIT packets in 16 RTTs in which a PDC closes");
    assert!(run.nics[0].commands.state.is_empty(), "it is closed");
    // At most 0.99 of 16 RTTs of the link, in quotas of 16 KiB, which are 145.
    assert!(credits > 100, "{credits}");
    run.nics[0].sender.takes_completions = true;
    let completed = |run: &ClosedLoop| run.ledger.messages((1, 0)).iter().all(|message| message.completed.is_some());
    for _ in 0..100_000 {
        run.step().expect("the rules hold");
        if completed(&run) {
            break;
        }
    }
    assert!(completed(&run), "it is not delivered");
    assert_eq!(run.nics[0].commands.state["done"], 1);
    assert!(!run.nics[0].credits.is_empty());
}

/// Rows NI6, NI10: a PDC that is open keeps its credit when it is opened again.
#[test]
fn an_open_that_is_refused_takes_no_credit_away() {
    let sizes = Sizes { algorithms: CccAlgorithms::Rccc, ..Sizes::default() };
    let (mut run, config) = (busy(sizes, 4), nic(sizes));
    for _ in 0..3 {
        let again = vec![("op", OPEN), ("pdc", config.peer_pdc(0).into()), ("local_pdcid", 0x777), ("weight", 1)];
        let refused = run.command(1, again).expect("there is a response");
        assert_eq!((refused["done"], refused["open"]), (0, 1), "{refused:?}");
        (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    }
    assert!(!run.ledger.is_done(), "there was no traffic");
    let before = run.nics[1].sent.credits;
    run.until_done(1_000_000).expect("it is delivered");
    assert!(run.nics[1].sent.credits > before && credit_of_one_life(&run) > 100);
    for none in ["credit_pacer_closed_demands", "packet_tracker_timeouts"] {
        assert_eq!(count(&run, none), 0, "{none}");
    }
}

/// Row NI7. ACKs of one PDC come faster than they can be judged; the *close* of the other one ends all the same.
#[test]
fn a_close_ends_amid_a_flood_of_acks() {
    const ACKS: u64 = 4000;
    let (stays, closes) = (pdc(0, 0, 1, 0), pdc(0, 1, 1, 1));
    let mut run = closed_loop(&one_leaf(2, true), Sizes::default(), &[stays, closes]);
    run.send(0, 0, 50_000);
    run.until_done(100_000).expect("it is delivered");
    let ack = run.nics[0].last_ack.clone().expect("there was one");
    (0..ACKS).for_each(|_| run.nics[0].arrive(ack.clone()));
    (0..200).for_each(|_| run.step().expect("the rules hold"));
    run.nics[0].commands.offer(vec![("op", CLOSE), ("pdc", 1)]);
    let mut cycles = 0;
    while run.nics[0].commands.state.is_empty() {
        run.step().expect("the rules hold");
        cycles += 1;
        assert!(cycles < ACKS, "it does not end as long as there are ACKs");
    }
    println!("closed after {cycles} clock cycles");
    assert!(run.nics[0].has_arrivals(), "there are no more ACKs");
    assert_eq!(run.nics[0].commands.state["done"], 1);
    run.send(0, 0, 50_000);
    run.until_done(1_000_000).expect("it is delivered");
}

/// Row NI8: what a host takes for lost comes twice, and is delivered once.
#[test]
fn a_host_declares_losses_amid_traffic() {
    let mut run = busy(Sizes::default(), 4);
    for _ in 0..8 {
        let before = count(&run, "packet_tracker_declared_losses");
        let lose = vec![("op", LOSE), ("pdc", 0), ("all", 1)];
        assert_eq!(response(&mut run, lose, ["done", "open"]), [1, 1]);
        (0..2 * RTT).for_each(|_| run.step().expect("the rules hold"));
        let declared = count(&run, "packet_tracker_declared_losses") - before;
        assert!(declared > 0 && !run.ledger.is_done(), "{declared} packets");
    }
    run.until_done(1_000_000).expect("it is delivered");
    report("declared losses", &run);
    let [declared, duplicates, below, timeouts] =
        ["packet_tracker_declared_losses", "duplicates", "below_window", "packet_tracker_timeouts"]
            .map(|name| count(&run, name));
    let twice = duplicates + below;
    println!("{declared} packets declared lost, {twice} came twice");
    // Those whose ACK was on its way are not sent again.
    assert!((declared / 2..declared).contains(&twice) && timeouts == 0, "{declared} {twice} {timeouts}");
}

#[test]
fn what_can_not_be_done_changes_nothing() {
    let mut run = busy(Sizes::default(), 4);
    let names = ["done", "open", "key_refused"];
    // It is open.
    let at_0 = vec![("op", OPEN), ("pdc", 0), ("local_pdcid", 0x777), ("remote_pdcid", 0x777)];
    assert_eq!(response(&mut run, at_0, names), [0, 1, 0]);
    // Messages are under way.
    assert_eq!(response(&mut run, vec![("op", CLOSE), ("pdc", 0)], names), [0, 1, 0]);
    // Packets for this identifier are those of PDC 0.
    let at_5 = vec![("op", OPEN), ("pdc", 5), ("local_pdcid", 0x100), ("remote_pdcid", 0x777), ("weight", 1)];
    assert_eq!(response(&mut run, at_5, names), [0, 0, 1]);
    // A mode that `entropy_selector` does not have: the receive path has been opened, and is closed again.
    let at_5 = vec![("op", OPEN), ("pdc", 5), ("local_pdcid", 0x777), ("mode", 7)];
    assert_eq!(response(&mut run, at_5, names), [0, 0, 0]);
    let closed = [(CLOSE, 5), (RESIZE, 5), (CLOSE, 9)];
    for (op, pdc) in closed {
        assert_eq!(response(&mut run, vec![("op", op), ("pdc", pdc)], names), [0, 0, 0], "{op}");
    }
    // Nothing is left of it: its identifier can be had by another.
    let at_6 = vec![("op", OPEN), ("pdc", 6), ("local_pdcid", 0x777), ("weight", 1), ("expected", 0x55)];
    assert_eq!(response(&mut run, at_6, names), [1, 1, 0]);
    assert_eq!(response(&mut run, vec![("pdc", 6)], ["done", "open", "expected"]), [1, 1, 0x55]);
    assert!(!run.ledger.is_done(), "there was no traffic");
    run.until_done(200_000).expect("it is delivered");
}

/// PDC 0 spreads its packets over all 64 EVs, and then over four of them.
#[test]
fn a_pdc_is_resized_amid_traffic() {
    let mut run = busy(Sizes::default(), 4);
    let before = run.nics[0].evs.len();
    assert!(before > 20, "{before}");
    assert_eq!(
        response(
            &mut run,
            vec![("op", RESIZE), ("pdc", 0), ("space", 2), ("dscp", TRIMMABLE.into())],
            ["done", "open"]
        ),
        [1, 1]
    );
    // Packets that have been given an EV before have left.
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    run.nics[0].evs.clear();
    let sent = run.nics[0].sent.data;
    run.until_done(200_000).expect("it is delivered");
    let (sent, after) = (run.nics[0].sent.data - sent, run.nics[0].evs.len());
    assert!(sent > 100 && (2..=4).contains(&after), "{after} EVs in {sent} packets");
}

/// PDC 0 has more than eight packets in flight, then at most eight, and then more again (rows TX18, TX25).
#[test]
fn a_window_is_resized_amid_traffic() {
    const WINDOW: u64 = 8;
    let mut run = busy(Sizes::default(), 4);
    let in_flight = |run: &mut ClosedLoop| response(run, vec![("pdc", 0)], ["in_flight"])[0];
    assert!(in_flight(&mut run) > WINDOW);
    let resize = |run: &mut ClosedLoop, window| {
        response(
            run,
            vec![
                ("op", RESIZE),
                ("pdc", 0),
                ("window", window),
                ("class", 1),
                ("weight", 2),
                ("dscp", TRIMMABLE.into()),
            ],
            ["done", "open"],
        )
    };
    assert_eq!(resize(&mut run, WINDOW), [1, 1]);
    (0..2 * RTT).for_each(|_| run.step().expect("the rules hold"));
    let mut most = 0;
    for _ in 0..40 {
        (0..RTT / 8).for_each(|_| run.step().expect("the rules hold"));
        most = most.max(in_flight(&mut run));
    }
    assert!((2..=WINDOW).contains(&most), "{most} in flight");
    // There is no such class; window and EV space are then those of the command all the same.
    let wrong = vec![("op", RESIZE), ("pdc", 0), ("window", 0), ("class", 3), ("weight", 2)];
    assert_eq!(response(&mut run, wrong, ["done", "open"]), [0, 1]);
    (0..2 * RTT).for_each(|_| run.step().expect("the rules hold"));
    assert!(in_flight(&mut run) > WINDOW);
    assert!(!run.ledger.is_done(), "there was no traffic");
    run.until_done(400_000).expect("it is delivered");
}
