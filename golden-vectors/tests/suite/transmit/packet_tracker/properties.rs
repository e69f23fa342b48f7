// SPDX-License-Identifier: MIT OR Apache-2.0
//! D34, told apart from the oracle: seen from the ports, in all cases of the vectors and in random ones of other sizes. The
//! events go to the oracle of `ccc_table`, which must never refuse one.

use super::FILE;
use golden_vectors::schema::timed::Column;
use golden_vectors::transmit::ccc_table::oracle::{
    Ack, Algorithms, Command, Data, Event, Loss, Send, Shape as CccShape, Table, op as ccc_op,
};
use golden_vectors::transmit::packet_tracker::load_vectors;
use golden_vectors::transmit::packet_tracker::oracle::{Settings, Shape, ack, event, op, outcome, send};
use golden_vectors::{TimedCase, TimedGroup};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A row of a stream by the names of its columns.
type Named<'a> = BTreeMap<&'a str, u64>;

/// Random traffic for sizes that the file does not have.
static MORE: LazyLock<Vec<TimedGroup>> = LazyLock::new(|| {
    let soon = |window| Settings {
        tick: 40_000,
        rto: 300,
        retries: 2,
        span: window / 8,
        backoff: 60,
        backoff_limit: 4,
        tail_probe: 90,
    };
    let shapes = [
        Shape::new(2, 64).psn_bits(24).ev_bits(1).ram_latency(1),
        Shape::new(4, 128).ev_bits(16).ram_latency(3),
        Shape::new(8, 256).cccs(1000),
        Shape::new(2, 4096).psn_bits(24).cccs(2),
        Shape::new(256, 512).ev_bits(4),
    ];
    shapes.into_iter().flat_map(|shape| load_vectors(shape.reset(soon(shape.window)))).collect()
});

fn cases() -> impl Iterator<Item = (&'static TimedGroup, &'static TimedCase)> {
    let groups = FILE.groups.iter().chain(MORE.iter());
    groups.flat_map(|group| group.tests.iter().map(move |case| (group, case)))
}

fn named<'a>(columns: &'a [Column], row: &'a [u64]) -> Named<'a> {
    columns.iter().map(|column| column.name.as_str()).zip(row[1..].iter().copied()).collect()
}

/// An output stream, with the cycles.
fn output<'a>(group: &'a TimedGroup, case: &'a TimedCase, stream: &str) -> Vec<(u64, Named<'a>)> {
    let rows = case.expect.outputs[stream].iter();
    rows.map(|row| (row[0], named(&group.outputs[stream], row))).collect()
}

/// What is transferred of an output stream: rows in cycles with its `ready`.
fn transfers<'a>(group: &'a TimedGroup, case: &'a TimedCase, stream: &str) -> Vec<(u64, Named<'a>)> {
    let port = format!("{stream}_ready");
    let steps = case.settings.get(&port).map_or(&[][..], |steps| steps);
    let ready = |cycle: u64| steps.iter().rev().find(|(from, _)| *from <= cycle).is_none_or(|(_, ready)| *ready == 1);
    output(group, case, stream).into_iter().filter(|(cycle, _)| ready(*cycle)).collect()
}

/// An output stays as it is up to its transfer.
#[test]
fn outputs_stay() {
    let mut stalled = 0;
    for (group, case) in cases() {
        for stream in ["event", "outcome", "failure"] {
            let taken: BTreeSet<u64> = transfers(group, case, stream).iter().map(|(cycle, _)| *cycle).collect();
            for pair in case.expect.outputs[stream].windows(2).filter(|pair| !taken.contains(&pair[0][0])) {
                assert_eq!(pair[1][0], pair[0][0] + 1, "{}", case.id);
                assert_eq!(pair[1][1..], pair[0][1..], "{}", case.id);
                stalled += 1;
            }
        }
    }
    assert!(stalled > 3000, "{stalled}");
}

/// What the events of a PDC add up to since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    flying: i64,
    marks: i64,
    bytes: i64,
}

impl Sums {
    fn add(&mut self, event: &Named<'_>) {
        let field = |name: &str| event[name] as i64;
        match event["kind"] {
            event::ACK => {
                self.flying -= field("packets");
                self.marks -= field("rtx_packets");
                self.bytes -= field("rtx_bytes");
            }
            event::NACK | event::LOSS => {
                self.flying -= 1;
                self.marks += 1;
                self.bytes += field("size");
            }
            event::SEND if event["packet"] == 1 => {
                self.flying += 1;
                self.marks -= field("retransmission");
                self.bytes -= field("retransmission") * field("size");
            }
            _ => {}
        }
    }
}

/// Sums are never negative, and are what a read says when nothing is on its way; a close leaves 0.
#[test]
fn events_add_up_to_the_counts() {
    let (mut reads, mut closes) = (0, 0);
    for (group, case) in cases() {
        let events = transfers(group, case, "event");
        let mut sums: BTreeMap<u64, Sums> = BTreeMap::new();
        let mut left = events.iter().peekable();
        let inputs: Vec<u64> = ["ack", "send"].iter().flat_map(|s| &case.inputs[*s]).map(|row| row[0]).collect();
        let quiet = |cycle: u64| {
            case.expect.levels["quiet"].iter().any(|span| span[0] <= cycle && cycle <= span[1] && span[2] == 1)
        };
        for (command, (cycle, response)) in case.inputs["command"].iter().zip(output(group, case, "response")) {
            while let Some((_, event)) = left.next_if(|(at, _)| *at < cycle) {
                let sums = sums.entry(event["pdc"]).or_default();
                sums.add(event);
                let all = [sums.flying, sums.marks, sums.bytes];
                assert!(all.iter().all(|&sum| sum >= 0), "{}: {sums:?} after {event:?}", case.id);
            }
            // Nothing was on its way when the command was accepted, and nothing has been accepted since.
            let alone = quiet(command[0]) && !inputs.iter().any(|&at| command[0] <= at + 1 && at <= cycle);
            if alone && response["op"] == op::READ {
                let sums = sums.get(&response["pdc"]).copied().unwrap_or_default();
                let counts = [response["in_flight"] as i64, response["marked"] as i64];
                assert_eq!([sums.flying, sums.marks], counts, "{}: cycle {cycle}", case.id);
                reads += 1;
            }
            closes += u64::from(response["op"] == op::CLOSE && response["done"] == 1);
        }
    }
    assert!(reads > 1000 && closes > 200, "{reads} reads, {closes} closes");
}

/// The cases of random traffic, which end with all PDCs closed.
fn loads() -> impl Iterator<Item = (&'static TimedGroup, &'static TimedCase)> {
    cases().filter(|(group, _)| group.name.starts_with("load-"))
}

/// Each new packet has one outcome of kinds 0, 1, 4, 5; each NACK and loss is followed by a retransmission, or by 1 or 5.
#[test]
fn every_packet_has_one_end() {
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Life {
        new: u64,
        again: u64,
        ends: u64,
        marks: u64,
        late: u64,
    }
    let (mut packets, mut retransmissions) = (0, 0);
    for (group, case) in loads() {
        let mut lives: BTreeMap<(u64, u64), Life> = BTreeMap::new();
        for (_, sent) in output(group, case, "sent").iter().filter(|(_, sent)| sent["ok"] == 1) {
            let life = lives.entry((sent["pdc"], sent["psn"])).or_default();
            *if sent["op"] == send::NEW { &mut life.new } else { &mut life.again } += 1;
        }
        for (_, outcome) in transfers(group, case, "outcome") {
            let life = lives.get_mut(&(outcome["pdc"], outcome["psn"])).expect("it was sent");
            let kind = outcome["kind"];
            let late = [outcome::LATE, outcome::DISCARDED_LATE].contains(&kind);
            let marks = [outcome::NACK, outcome::LOST, outcome::NO_ROOM].contains(&kind);
            life.late += u64::from(late);
            life.marks += u64::from(marks);
            life.ends += u64::from(!marks);
        }
        for (psn, life) in lives {
            assert_eq!(life.new, life.ends, "{}: {psn:?} {life:?}", case.id);
            assert_eq!(life.marks, life.again + life.late, "{}: {psn:?} {life:?}", case.id);
            packets += life.new;
            retransmissions += life.again;
        }
    }
    assert!(packets > 5000 && retransmissions > 400, "{packets} {retransmissions}");
}

/// The event of `ccc_table` that an event is, by the table of the page.
fn passed(e: &Named<'_>) -> Event {
    let flag = |name: &str| e[name] == 1;
    let (ccc, size) = (e["ccc"], e["size"]);
    match e["kind"] {
        event::SEND => {
            let (packet, retransmission, last) = (flag("packet"), flag("retransmission"), flag("last"));
            Event::Send(Send { ccc, size, packet, retransmission, last, blocked: false })
        }
        event::LOSS => Event::Loss(Loss { ccc, size }),
        kind => Event::Ack(Ack {
            ccc,
            kind,
            quanta: e["quanta"],
            packets: e["packets"],
            rtx_packets: e["rtx_packets"],
            rtx_bytes: e["rtx_bytes"],
            marked: flag("marked"),
            retx: flag("retx"),
            timed: flag("timed"),
            rtx_count: e["rtx_count"],
            stamp: e["stamp"],
            arrived: e["arrived"],
            service: e["service"],
            pend: e["pend"],
            restore: flag("restore"),
            reason: e["reason"],
            size,
            credit: e["credit"],
        }),
    }
}

/// `ccc_table` refuses no event of this stage but credit that is old, and holds nothing when all PDCs are closed.
#[test]
fn ccc_table_takes_all_events() {
    let mut events = 0;
    for (group, case) in cases() {
        let cccs = group.configuration["cccs"].next_power_of_two().max(2);
        let mut table = Table::new(CccShape::new(Algorithms::Both, cccs));
        let mut cycle = 100;
        let adjust = |table: &mut Table, cycle: u64| {
            while table.next_adjustment().is_some_and(|due| due <= cycle) {
                table.adjust();
            }
        };
        for ccc in 0..cccs {
            let open = Command { op: ccc_op::OPEN, ccc, nscc: true, rccc: true, weight: 1, ..Command::default() };
            table.command(cycle, 0, &open, false);
            table.step(cycle, 0, &Event::Data(Data { ccc, bytes: u32::MAX.into() }));
        }
        for (_, event) in transfers(group, case, "event") {
            cycle += 1;
            adjust(&mut table, cycle);
            table.step(cycle, cycle % (1 << 20), &passed(&event));
            events += 1;
        }
        let counters = table.counters();
        let refused = [counters.excess_acks, counters.excess_sends, counters.short_backlogs, counters.closed_events];
        assert_eq!(refused, [0; 4], "{}", case.id);
        if group.name.starts_with("load-") {
            for ccc in (0..cccs).map(|ccc| table.ccc(ccc)) {
                assert_eq!([ccc.inflight_pkts, ccc.waiting_rtx, ccc.rtx_backlog], [0; 3], "{}", case.id);
            }
        }
    }
    assert!(events > 20_000, "{events}");
}

/// Counters are the numbers of what is seen on the ports.
#[test]
fn counters_count_what_is_seen() {
    let mut seen = 0;
    for (group, case) in cases() {
        let (events, outcomes) = (transfers(group, case, "event"), transfers(group, case, "outcome"));
        let sent = output(group, case, "sent");
        let count = |rows: &[(u64, Named<'_>)], of: fn(&Named<'_>) -> bool| {
            rows.iter().filter(|(_, row)| of(row)).count() as u64 //
        };
        let counter = |name: &str| case.expect.counters[name];
        let lost = counter("timeouts") + counter("inferred_losses") + counter("declared_losses");
        assert_eq!(count(&events, |event| event["kind"] == event::LOSS), lost, "{}", case.id);
        // Those that are lost behind a backoff have the same outcome as a NACK for want of room.
        let told = count(&outcomes, |outcome| [outcome::LOST, outcome::NO_ROOM].contains(&outcome["kind"]));
        assert!(told >= lost, "{}: {told} {lost}", case.id);
        let late = count(&outcomes, |outcome| outcome["kind"] == outcome::LATE);
        assert_eq!(late, counter("late_acks"), "{}", case.id);
        let refused = count(&sent, |sent| sent["ok"] == 0);
        let all = counter("refused_sends") + counter("empty_sends") + counter("closed_events");
        assert!(refused <= all && refused >= counter("refused_sends") + counter("empty_sends"), "{}", case.id);
        // Each operation of `ack` has an event, or is counted as one that has none; but a backoff is told by the events after it.
        let answered = count(&events, |event| event["kind"] <= event::CREDIT);
        let without = counter("outside_acks") + counter("void_nacks") + counter("closed_events");
        let acks = case.inputs["ack"].iter().filter(|row| row[2] != ack::BACKOFF).count() as u64;
        assert!(acks <= answered + without, "{}: {acks} {answered} {without}", case.id);
        seen += lost + late + refused;
    }
    assert!(seen > 3000, "{seen}");
}

/// D10, D28: each operation that has an answer has one, in its order.
#[test]
fn answers_come_in_order() {
    for (group, case) in cases() {
        let asked: Vec<_> = case.inputs["send"].iter().map(|row| (row[1], row[2])).collect();
        let asked: Vec<_> = asked.into_iter().filter(|(_, op)| [send::NEW, send::AGAIN].contains(op)).collect();
        let sent = output(group, case, "sent");
        let answered: Vec<_> = sent.iter().map(|(_, sent)| (sent["pdc"], sent["op"])).collect();
        assert_eq!(asked, answered, "{}", case.id);
        let commands: Vec<_> = case.inputs["command"].iter().map(|row| [row[1], row[2]]).collect();
        let responses: Vec<_> = case.expect.outputs["response"].iter().map(|row| [row[1], row[2]]).collect();
        assert_eq!(commands, responses, "{}", case.id);
    }
}
