// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of a case, read back from its rows.

use golden_vectors::packet_tracker::oracle::{Ack, Change, Command, Outputs, Send, Settings, Shape, run};
use golden_vectors::schema::timed::Row;
use golden_vectors::{TimedCase, TimedGroup};
use std::collections::BTreeSet;

/// The size of the stage of a group, with the usual settings after reset.
pub fn shape(group: &TimedGroup) -> Shape {
    let value = |name: &str| group.configuration[name];
    let narrow = |name: &str| u32::try_from(value(name)).unwrap();
    let shape = Shape::new(value("pdcs"), value("window")).psn_bits(narrow("psn_bits")).ev_bits(narrow("ev_bits"));
    shape.cccs(value("cccs")).ram_latency(value("ram_latency"))
}

fn ack(row: &Row) -> Ack {
    let [_, pdc, kind, psn, triggered, trigger, base, sack, counted, rcvd_bytes, mpr, rest @ ..] = row.as_slice()
    else {
        panic!("{row:?}");
    };
    let &[marked, retx, arrived, service, pend, restore, reason, credit] = rest else { panic!("{row:?}") };
    let signed = |value: u64| value as u16 as i16;
    Ack {
        pdc: *pdc,
        kind: *kind,
        psn: *psn,
        triggered: *triggered == 1,
        trigger_offset: signed(*trigger),
        sack_offset: signed(*base),
        sack: *sack,
        counted: *counted == 1,
        rcvd_bytes: *rcvd_bytes,
        mpr: *mpr,
        marked: marked == 1,
        retx: retx == 1,
        arrived,
        service,
        pend,
        restore: restore == 1,
        reason,
        credit,
    }
}

fn send(row: &Row) -> Send {
    let &[_, pdc, op, size, ev, last] = row.as_slice() else { panic!("{row:?}") };
    Send { pdc, op, size, ev, last: last == 1 }
}

fn command(row: &Row) -> Command {
    let &[_, op, pdc, psn, ccc, window, mpr, ev, all, force] = row.as_slice() else { panic!("{row:?}") };
    Command { op, pdc, psn, ccc, window, mpr, ev, all: all == 1, force: force == 1 }
}

/// What the oracle answers to the inputs of a case.
pub fn answer(group: &TimedGroup, case: &TimedCase, shape: Shape) -> Vec<(u64, Outputs)> {
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let settings = |at: u64| {
        let value = |port: &str| stands(&format!("settings_{port}"), at);
        let all = Settings { tick: value("tick"), rto: value("rto"), retries: value("retries"), span: value("span") };
        (value("valid") == 1).then_some(all)
    };
    let mut changes = Vec::new();
    let cycles: BTreeSet<u64> = case.settings.values().flatten().map(|&(at, _)| at).collect();
    for at in cycles {
        let ready = |port: &str| stands(port, at) == 1;
        changes.push((at, Change::Settings(settings(at))));
        changes.push((at, Change::EventReady(ready("event_ready"))));
        changes.push((at, Change::OutcomeReady(ready("outcome_ready"))));
        changes.push((at, Change::FailureReady(ready("failure_ready"))));
    }
    changes.extend(case.inputs["ack"].iter().map(|row| (row[0], Change::Ack(ack(row)))));
    changes.extend(case.inputs["send"].iter().map(|row| (row[0], Change::Send(send(row)))));
    changes.extend(case.inputs["command"].iter().map(|row| (row[0], Change::Command(command(row)))));
    changes.sort_by_key(|&(cycle, _)| cycle);
    run(shape, settings(0), &changes, case.cycles)
}
