// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDCs are opened, resized and closed by one command for both paths, while others send.

use super::setup::{RTT, Sizes, closed_loop, nic, one_leaf, pdc, report};
use std::collections::BTreeMap;
use testbench::closed_loop::{ClosedLoop, Pdc};

/// Codes of commands.
const OPEN: u64 = 1;
const CLOSE: u64 = 2;
const RESIZE: u64 = 3;

/// Two hosts, between which one PDC sends all the time.
fn busy() -> ClosedLoop {
    let mut run = closed_loop(&one_leaf(2, true), Sizes::default(), &[pdc(0, 0, 1, 0)]);
    (0..4).for_each(|_| run.send(0, 0, 1_000_000));
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    run
}

/// The fields of these names of the response to a command.
fn response<const N: usize>(run: &mut ClosedLoop, fields: Vec<(&'static str, u64)>, names: [&str; N]) -> [u64; N] {
    let response: BTreeMap<_, _> = run.command(0, fields).expect("there is a response");
    names.map(|name| response[name])
}

#[test]
fn a_pdc_is_opened_and_closed_amid_traffic() {
    let (mut run, config) = (busy(), nic(Sizes::default()));
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
    run.until_done(200_000).expect("it is delivered");
    report("lives", &run);
}

#[test]
fn what_can_not_be_done_changes_nothing() {
    let mut run = busy();
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
    let mut run = busy();
    let before = run.nics[0].evs.len();
    assert!(before > 20, "{before}");
    assert_eq!(response(&mut run, vec![("op", RESIZE), ("pdc", 0), ("space", 2)], ["done", "open"]), [1, 1]);
    // Packets that have been given an EV before have left.
    (0..RTT).for_each(|_| run.step().expect("the rules hold"));
    run.nics[0].evs.clear();
    let sent = run.nics[0].sent.data;
    run.until_done(200_000).expect("it is delivered");
    let (sent, after) = (run.nics[0].sent.data - sent, run.nics[0].evs.len());
    assert!(sent > 100 && (2..=4).contains(&after), "{after} EVs in {sent} packets");
}
