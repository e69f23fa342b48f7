// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of a case, read back from its rows.

use golden_vectors::schema::timed::{Row, Span};
use golden_vectors::transmit::packet_tracker::oracle::{
    Ack, Change, Command, Event, Outcome, Outputs, Response, Send, Sent, Settings, Shape, run,
};
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
    let &[marked, retx, ev, arrived, service, pend, restore, reason, credit] = rest else { panic!("{row:?}") };
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
        ev,
        arrived,
        service,
        pend,
        restore: restore == 1,
        reason,
        credit,
    }
}

fn send(row: &Row) -> Send {
    let &[_, pdc, op, size, ev, asks, last] = row.as_slice() else { panic!("{row:?}") };
    Send { pdc, op, size, ev, asks: asks == 1, last: last == 1 }
}

fn command(row: &Row) -> Command {
    let &[
        _,
        op,
        pdc,
        psn,
        ccc,
        window,
        mpr,
        ev,
        all,
        force,
        stays_failed,
        code,
        own_timer,
        rto,
        retries,
        backoff_limit,
        tail_probe,
    ] = row.as_slice()
    else {
        panic!("{row:?}")
    };
    let (all, force, stays_failed, own_timer) = (all == 1, force == 1, stays_failed == 1, own_timer == 1);
    Command {
        op,
        pdc,
        psn,
        ccc,
        window,
        mpr,
        ev,
        all,
        force,
        stays_failed,
        code,
        own_timer,
        rto,
        retries,
        backoff_limit,
        tail_probe,
    }
}

/// What the oracle answers to the inputs of a case.
pub fn answer(group: &TimedGroup, case: &TimedCase, shape: Shape) -> Vec<(u64, Outputs)> {
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let settings = |at: u64| {
        let value = |port: &str| stands(&format!("settings_{port}"), at);
        let all = Settings {
            tick: value("tick"),
            rto: value("rto"),
            retries: value("retries"),
            span: value("span"),
            backoff: value("backoff"),
            backoff_limit: value("backoff_limit"),
            tail_probe: value("tail_probe"),
        };
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
        changes.push((at, Change::Paused(ready("paused"))));
    }
    changes.extend(case.inputs["ack"].iter().map(|row| (row[0], Change::Ack(ack(row)))));
    changes.extend(case.inputs["send"].iter().map(|row| (row[0], Change::Send(send(row)))));
    changes.extend(case.inputs["command"].iter().map(|row| (row[0], Change::Command(command(row)))));
    changes.sort_by_key(|&(cycle, _)| cycle);
    run(shape, settings(0), &changes, case.cycles)
}

/// What is on an output in each cycle.
pub fn expanded<T>(
    answer: &[(u64, Outputs)],
    cycles: u64,
    of: impl Fn(&Outputs) -> Option<T>,
) -> impl Iterator<Item = (u64, T)> {
    let ends = answer.iter().skip(1).map(|&(from, _)| from).chain([cycles]);
    let spans = answer.iter().zip(ends);
    spans.flat_map(move |((from, out), end)| {
        (*from..end.min(cycles)).filter_map(|cycle| Some((cycle, of(out)?))).collect::<Vec<_>>() //
    })
}

fn event(e: Event) -> Row {
    let acknowledged = [e.kind, e.pdc, e.room, e.ccc, e.quanta, e.packets, e.rtx_packets, e.rtx_bytes];
    let path = [e.marked.into(), e.retx.into(), e.feedback.into(), e.ev];
    let sample = [e.timed.into(), e.rtx_count, e.stamp, e.arrived, e.service, e.pend];
    let rest = [e.restore.into(), e.reason, e.size, e.credit, e.packet.into(), e.retransmission.into(), e.last.into()];
    acknowledged.into_iter().chain(path).chain(sample).chain(rest).collect()
}

fn outcome(o: Outcome) -> Row {
    let flags = [o.trigger, o.marked, o.timed].map(u64::from);
    [o.pdc, o.ccc, o.kind, o.psn, o.ev, o.size, o.rtx_count]
        .into_iter()
        .chain(flags)
        .chain([o.age, o.at_base.into()])
        .collect()
}

fn sent(s: Sent) -> Row {
    vec![s.pdc, s.op, s.ok.into(), s.psn, s.size, s.rtx_count, s.marked, s.backs_off.into(), s.room]
}

fn response(r: Response) -> Row {
    let flags = [r.done, r.open, r.failed].map(u64::from);
    let counts = [r.ccc, r.base, r.next, r.in_flight, r.marked, r.retries, r.window];
    [r.op, r.pdc].into_iter().chain(flags).chain(counts).collect()
}

/// The first output that is not as a case expects it.
pub fn differs(case: &TimedCase, answer: &[(u64, Outputs)]) -> Option<&'static str> {
    type Of = fn(&Outputs) -> Option<Row>;
    let streams: [(&str, Of); 5] = [
        ("event", |out| out.event.map(event)),
        ("outcome", |out| out.outcome.map(outcome)),
        ("failure", |out| out.failure.map(|failure| vec![failure.pdc, failure.reason, failure.code])),
        ("sent", |out| out.sent.map(sent)),
        ("response", |out| out.response.map(response)),
    ];
    for (stream, of) in streams {
        let rows = expanded(answer, case.cycles, of).map(|(cycle, row)| [vec![cycle], row].concat());
        if !rows.eq(case.expect.outputs[stream].iter().cloned()) {
            return Some(stream);
        }
    }
    type Level = fn(&Outputs) -> u64;
    let levels: [(&str, Level); 7] = [
        ("busy", |out| out.busy.into()),
        ("quiet", |out| out.quiet.into()),
        ("ack_waiting", |out| out.ack_waiting.into()),
        ("now", |out| out.now),
        ("ack_ready", |out| out.ack_ready.into()),
        ("send_ready", |out| out.send_ready.into()),
        ("command_ready", |out| out.command_ready.into()),
    ];
    for (port, of) in levels {
        let stands = |&[first, last, value]: &Span| {
            let within = answer.partition_point(|&(from, _)| from <= first) - 1;
            answer[within..].iter().take_while(|(from, _)| *from <= last).all(|(_, out)| of(out) == value)
        };
        if !case.expect.levels[port].iter().all(stands) {
            return Some(port);
        }
    }
    let c = answer.last()?.1.counters;
    let counters = [
        ("closed_events", c.closed_events),
        ("outside_acks", c.outside_acks),
        ("old_totals", c.old_totals),
        ("void_nacks", c.void_nacks),
        ("bad_times", c.bad_times),
        ("late_acks", c.late_acks),
        ("refused_sends", c.refused_sends),
        ("empty_sends", c.empty_sends),
        ("timeouts", c.timeouts),
        ("inferred_losses", c.inferred_losses),
        ("declared_losses", c.declared_losses),
    ];
    counters.into_iter().find(|(name, count)| case.expect.counters[*name] != *count).map(|(name, _)| name)
}
