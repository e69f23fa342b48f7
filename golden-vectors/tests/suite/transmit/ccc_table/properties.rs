// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run, told apart from the oracle: seen from the ports, in all cases of the vectors.

use super::FILE;
use golden_vectors::schema::timed::Column;
use golden_vectors::{TimedCase, TimedGroup};
use std::collections::BTreeMap;

const IDLE: u64 = 0;
const ACTIVE: u64 = 2;
const READY: u64 = 3;

/// A row as its columns by name.
fn named<'a>(columns: &'a [Column], row: &'a [u64]) -> BTreeMap<&'a str, u64> {
    columns.iter().map(|column| column.name.as_str()).zip(row[1..].iter().copied()).collect()
}

/// Grants are taken in this cycle.
fn takes(case: &TimedCase, cycle: u64) -> bool {
    let steps = case.settings.get("grant_ready").into_iter().flatten();
    steps.rev().find(|(from, _)| *from <= cycle).is_none_or(|(_, ready)| *ready == 1)
}

fn each(check: impl Fn(&TimedGroup, &TimedCase) -> usize) -> usize {
    FILE.groups
        .iter()
        .flat_map(|group| group.tests.iter().map(move |case| (group, case)))
        .map(|(g, c)| check(g, c))
        .sum()
}

/// The grants that are transferred, with their cycles.
fn transfers<'a>(group: &'a TimedGroup, case: &'a TimedCase) -> Vec<(u64, BTreeMap<&'a str, u64>)> {
    let rows = case.expect.outputs["grant"].iter().filter(|row| takes(case, row[0]));
    rows.map(|row| (row[0], named(&group.outputs["grant"], row))).collect()
}

/// C30: a grant stays as it is up to its transfer.
#[test]
fn grants_stay() {
    let stalled = each(|_, case| {
        let rows = &case.expect.outputs["grant"];
        let mut stalled = 0;
        for pair in rows.windows(2) {
            if !takes(case, pair[0][0]) {
                assert_eq!(pair[1][0], pair[0][0] + 1, "{}", case.id);
                assert_eq!(pair[1][1..], pair[0][1..], "{}", case.id);
                stalled += 1;
            }
        }
        stalled
    });
    assert!(stalled > 1000, "{stalled}");
}

/// C27: a turn that was granted with the credit of the start has asked for what it takes, so the CCC does not stand still.
#[test]
fn a_turn_asks_for_what_it_takes() {
    let turns = each(|group, case| {
        if !group.name.starts_with("credit") || !case.id.contains("turn-") {
            return 0;
        }
        let rows = case.expect.outputs["response"].iter();
        let states: Vec<_> = rows.map(|row| named(&group.outputs["response"], row)["state"]).collect();
        assert_eq!(states[states.len() - 2..], [ACTIVE, READY], "{}", case.id);
        1
    });
    assert_eq!(turns, 3 * 6);
}

/// C28, C29: a CCC has at most one turn. Each grant but its first follows the end of a turn: an event `send` with `last`, or a
/// close.
#[test]
fn a_ccc_has_one_turn() {
    let grants = each(|group, case| {
        let sends: Vec<_> = case.inputs["send"].iter().map(|row| (row[0], named(&group.inputs["send"], row))).collect();
        let closes: Vec<_> = case.expect.outputs["response"]
            .iter()
            .map(|row| (row[0], named(&group.outputs["response"], row)))
            .filter(|(_, response)| response["op"] == 2 && response["done"] == 1)
            .collect();
        let mut granted: BTreeMap<u64, usize> = BTreeMap::new();
        let transfers = transfers(group, case);
        for (cycle, grant) in &transfers {
            let ccc = grant["ccc"];
            let count = granted.entry(ccc).or_insert(0);
            *count += 1;
            let ends = sends.iter().filter(|(at, send)| at < cycle && send["ccc"] == ccc && send["last"] == 1).count();
            let closed = closes.iter().filter(|(at, close)| at < cycle && close["ccc"] == ccc).count();
            assert!(*count <= 1 + ends + closed, "{}: cycle {cycle}, CCC {ccc}", case.id);
        }
        transfers.len()
    });
    assert!(grants > 3000, "{grants}");
}

/// C26: the state follows from the counts, and a window has at least one byte.
#[test]
fn states_follow_from_counts() {
    let responses = each(|group, case| {
        let rows = case.expect.outputs["response"].iter();
        let open: Vec<_> =
            rows.map(|row| named(&group.outputs["response"], row)).filter(|response| response["open"] == 1).collect();
        for response in &open {
            let waits = response["backlog"] > 0 || response["waiting_rtx"] > 0;
            assert_eq!(waits, response["state"] > 1, "{}: {response:?}", case.id);
            let idle = !waits && response["inflight_pkts"] == 0;
            assert_eq!(idle, response["state"] == IDLE, "{}: {response:?}", case.id);
            assert!(response["max_wnd"] > 0 && response["base_rtt"] > 0, "{}: {response:?}", case.id);
            assert_eq!(response["cwnd"] > 0, response["nscc"] == 1, "{}: {response:?}", case.id);
            assert!(response["credit"] == 0 || response["rccc"] == 1, "{}: {response:?}", case.id);
            assert!(response["inflight_pkts"] > 0 || response["inflight"] == 0, "{}: {response:?}", case.id);
            if response["nscc"] == 0 && response["rccc"] == 0 && waits {
                assert_eq!(response["state"], READY, "{}: {response:?}", case.id);
            }
        }
        open.len()
    });
    assert!(responses > 10_000, "{responses}");
}

/// C31: each command has one response, *l* + 22 cycles after it enters, hence at least *l* + 23 after it is accepted.
#[test]
fn every_command_is_answered() {
    let commands = each(|group, case| {
        let (commands, responses) = (&case.inputs["command"], &case.expect.outputs["response"]);
        assert_eq!(commands.len(), responses.len(), "{}", case.id);
        for (command, response) in commands.iter().zip(responses) {
            assert!(response[0] >= command[0] + group.configuration["ram_latency"] + 23, "{}", case.id);
            assert_eq!(response[1..3], command[1..3], "{}", case.id);
        }
        commands.len()
    });
    assert!(commands > 10_000, "{commands}");
}
