// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table without a clock: it agrees with the stage when operations come one at a time, and scans when it says so.

use super::help::{Run, SIZE};
use golden_vectors::transmit::packet_tracker::load_traces;
use golden_vectors::transmit::packet_tracker::oracle::{
    Ack, Change, Command, Effects, Event, Operation, Outcome, Packet, Pdc, Replay, Response, Send, Sent, Settings,
    Shape, Table, ack, event, op, outcome, send,
};

/// What has come of all operations so far. The order of PDCs is that of visits in one form, and that of time-outs in the other,
/// so what scans put out is kept for each PDC.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    events: Vec<Vec<Event>>,
    outcomes: Vec<Vec<Outcome>>,
    failures: Vec<u64>,
    sent: Vec<Sent>,
    responses: Vec<Response>,
}

fn by_pdc<T: Copy>(shape: Shape, all: impl Iterator<Item = T>, pdc: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let mut sorted = vec![Vec::new(); shape.pdcs as usize];
    all.for_each(|item| sorted[pdc(&item) as usize].push(item));
    sorted
}

/// The state of a PDC, with all packets of its window.
fn state(pdc: &Pdc) -> (Vec<u64>, Vec<Packet>) {
    let flags = [pdc.open, pdc.failed].map(u64::from);
    let window = [pdc.ccc, pdc.window, pdc.mpr, pdc.base, pdc.length, pdc.flying, pdc.marks, pdc.first, pdc.examined];
    let rest = [pdc.upper, pdc.top, pdc.total, pdc.since, pdc.retries];
    let numbers = flags.into_iter().chain(window).chain(rest).collect();
    (numbers, (0..pdc.length).map(|offset| pdc.packet(offset)).collect())
}

/// The stage and the table. The time of the stage stands still but between operations, because its scans come later than
/// those of the table, and one examination after the other.
struct Pair {
    shape: Shape,
    run: Run,
    table: Table,
    events: Vec<Event>,
    outcomes: Vec<Outcome>,
    seen: Seen,
    now: u64,
    settings: Settings,
    tick: u64,
}

impl Pair {
    /// Both at this time, or a little later.
    fn new(shape: Shape, time: u64) -> Self {
        let (run, table) = (Run::new(shape), Table::new(shape));
        let (tick, settings, seen) = (shape.reset.tick, shape.reset, Seen::default());
        let (events, outcomes) = (Vec::new(), Vec::new());
        let mut pair = Pair { shape, run, table, events, outcomes, seen, now: 0, settings, tick };
        pair.run.set(Settings { tick: 65_535, ..settings });
        pair.run.until_time(time);
        pair.pass(0);
        pair
    }

    /// So many cycles of time, without scans; then what is due.
    fn pass(&mut self, cycles: u64) {
        let longest = (1 << 26) - 1;
        self.run.set(Settings {
            tick: self.tick,
            rto: 0,
            span: self.shape.window - 1,
            backoff: longest,
            tail_probe: 0,
            ..self.settings
        });
        self.run.idle(cycles);
        self.settings.tick = 0;
        self.run.set(self.settings);
        self.now += self.run.oracle.time().wrapping_sub(self.now) % (1 << 20);
        self.table.set(self.now, self.settings);
        self.settle();
    }

    fn take(&mut self, of: impl Fn(&mut Table, u64) -> &Effects) {
        let effects = of(&mut self.table, self.now);
        self.events.extend(&effects.events);
        self.outcomes.extend(&effects.outcomes);
        self.seen.failures.extend(effects.failure.map(|failure| failure.pdc));
        self.seen.sent.extend(effects.sent);
        self.seen.responses.extend(effects.response);
    }

    /// All scans, up to a round of visits in which there is none.
    fn settle(&mut self) {
        let mut quiet = 0;
        while quiet < self.shape.pdcs + 40 {
            quiet = if self.run.oracle.outputs().quiet { quiet + 1 } else { 0 };
            self.run.idle(1);
        }
        while self.table.next_scan().is_some_and(|due| due <= self.now) {
            self.take(Table::scan);
        }
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Ack(ack) => {
                self.run.ack(*ack);
                self.take(|table, now| table.step(now, Operation::Ack(ack)));
            }
            Change::Send(send) => {
                self.run.send(*send);
                self.take(|table, now| table.step(now, Operation::Send(send)));
            }
            Change::Command(command) => {
                // Timers of its own would not wait until time has passed.
                let command = Command { rto: 0, tail_probe: 0, ..*command };
                self.run.command(command);
                self.take(|table, now| table.step(now, Operation::Command(&command)));
            }
            Change::Settings(Some(settings)) => {
                self.settings = *settings;
                self.tick = settings.tick;
                self.pass(0);
            }
            _ => return,
        }
        self.settle();
        for pdc in 0..self.shape.pdcs {
            assert_eq!(state(self.run.oracle.pdc(pdc)), state(self.table.pdc(pdc)), "PDC {pdc} behind {change:?}");
        }
        assert_eq!(self.run.oracle.outputs().counters, *self.table.counters(), "{change:?}");
    }

    /// All that has come of it, which must be the same.
    fn seen(mut self) -> Seen {
        self.seen.events = by_pdc(self.shape, self.events.into_iter(), |event| event.pdc);
        self.seen.outcomes = by_pdc(self.shape, self.outcomes.into_iter(), |outcome| outcome.pdc);
        self.seen.failures.sort_unstable();
        let run = self.run;
        let mut failures: Vec<u64> = run.failures.iter().map(|(_, pdc)| *pdc).collect();
        failures.sort_unstable();
        let stage = Seen {
            events: by_pdc(self.shape, run.events.iter().map(|(_, event)| *event), |event| event.pdc),
            outcomes: by_pdc(self.shape, run.outcomes.iter().map(|(_, outcome)| *outcome), |outcome| outcome.pdc),
            failures,
            sent: run.sent.iter().map(|(_, sent)| *sent).collect(),
            responses: run.responses.iter().map(|(_, response)| *response).collect(),
        };
        assert_eq!(stage, self.seen);
        stage
    }
}

/// D34: operations are atomic, so the random traffic of the vectors has the same effects in both forms, if one operation comes when
/// the one before is over.
#[test]
fn agrees_with_the_stage() {
    let shapes = [
        (Shape::new(4, 64), 0),
        (Shape::new(2, 128).psn_bits(24).ev_bits(16).cccs(3).ram_latency(1), 0),
        (Shape::new(16, 256).ev_bits(3).ram_latency(3), 0),
        // The time repeats.
        (Shape::new(4, 64).cccs(1), (1 << 20) - 2000),
    ];
    let (mut outcomes, mut kinds, mut events, mut failures) = ([0; 7], [0; 5], 0, 0);
    for (shape, time) in shapes {
        for trace in load_traces(shape, 4) {
            let mut pair = Pair::new(shape, time);
            let mut last = shape.sweep();
            for (cycle, change) in trace {
                if cycle > last {
                    pair.pass(cycle - last);
                    last = cycle;
                }
                pair.change(&change);
            }
            let seen = pair.seen();
            seen.outcomes.iter().flatten().for_each(|outcome| outcomes[outcome.kind as usize] += 1);
            seen.events.iter().flatten().for_each(|event| kinds[event.kind as usize] += 1);
            events += seen.events.iter().map(Vec::len).sum::<usize>();
            failures += seen.failures.len();
        }
    }
    assert!(outcomes.iter().chain(&kinds).all(|&count| count > 20), "{outcomes:?} {kinds:?}");
    assert!(events > 5000 && failures > 3, "{events} events, {failures} failures");
}

fn new(pdc: u64) -> Send {
    Send { pdc, op: send::NEW, size: SIZE, ev: 9, asks: true, last: false }
}

/// Without probes of the tail.
fn unprobed(shape: Shape) -> Shape {
    shape.reset(Settings { tail_probe: 0, ..shape.reset })
}

/// PDC 1 of a table, with this PSN.
fn opened(shape: Shape, pdc: u64, psn: u64) -> Table {
    let mut table = Table::new(shape);
    let open = Command { op: op::OPEN, pdc, psn, ccc: 7, ..Command::default() };
    assert!(table.step(0, Operation::Command(&open)).response.unwrap().done);
    table
}

/// The time-outs of the page, at the times of the page.
#[test]
fn time_outs() {
    let mut table = opened(unprobed(Shape::new(2, 256)), 1, 107);
    for _ in 0..3 {
        assert!(table.step(1000, Operation::Send(&new(1))).sent.unwrap().ok);
    }
    let ack = |psn| Ack { pdc: 1, kind: ack::ACK, psn, ..Ack::default() };
    table.step(1020, Operation::Ack(&ack(107)));
    let mut last = 1020;
    // The first deadline is that of the base before: its scan is void.
    assert_eq!(table.next_scan(), Some(8813));
    assert!(table.scan(8813).events.is_empty());
    let again = Send { op: send::AGAIN, ..new(1) };
    for (n, (due, first, second)) in [
        (8833, 8900, 8901),
        (24_459, 24_500, 24_500),
        (55_711, 55_711, 55_711),
        (118_215, 118_215, 118_215),
        (243_223, 243_223, 243_223),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(table.next_scan(), Some(due));
        let effects = table.scan(due);
        let losses: Vec<_> = effects.outcomes.iter().map(|outcome| (outcome.kind, outcome.psn)).collect();
        assert_eq!(losses, [(outcome::LOST, 108), (outcome::LOST, 109)]);
        assert!(effects.events.iter().all(|event| event.kind == event::LOSS && event.size == SIZE));
        assert_eq!((effects.events.len(), effects.failure), (2, None));
        assert_eq!((table.pdc(1).retries, table.pdc(1).since), (1 + n as u64, due));
        for (time, psn) in [(first, 108), (second, 109)] {
            assert_eq!(table.step(time, Operation::Send(&again)).sent.unwrap().psn, psn);
        }
        last = due;
    }
    let due = last + 250_016;
    assert_eq!(table.next_scan(), Some(due));
    let effects = table.scan(due);
    assert_eq!(
        (effects.events.len(), effects.outcomes.len(), effects.failure.map(|failure| (failure.pdc, failure.reason))),
        (0, 0, Some((1, 0)))
    );
    assert_eq!((table.next_scan(), table.counters().timeouts), (None, 10));
    // The base moves: the timer runs again.
    table.step(due + 5, Operation::Ack(&ack(108)));
    assert_eq!(table.next_scan(), Some(due + 5 + 7813));
    table.step(due + 6, Operation::Ack(&ack(109)));
    table.scan(due + 5 + 7813);
    assert_eq!(table.next_scan(), None);
}

/// D38: the last packet is lost once when no ACK comes, and then all by time.
#[test]
fn the_tail_is_probed_once() {
    let mut table = opened(Shape::new(2, 64), 1, 30);
    for time in [0, 0, 10] {
        table.step(time, Operation::Send(&new(1)));
    }
    let lost = |table: &mut Table, due| {
        assert_eq!(table.next_scan(), Some(due));
        table.scan(due).outcomes.iter().map(|outcome| outcome.psn).collect::<Vec<_>>()
    };
    assert_eq!(lost(&mut table, 188), [32]);
    let again = Send { op: send::AGAIN, ..new(1) };
    assert_eq!(table.step(200, Operation::Send(&again)).sent.unwrap().psn, 32);
    // The last packet has been sent too late for this time-out.
    table.step(5000, Operation::Send(&new(1)));
    assert_eq!(lost(&mut table, 7813), [30, 31, 32]);
    let ack = Ack { pdc: 1, kind: ack::ACK, psn: 30, ..Ack::default() };
    table.step(9000, Operation::Ack(&ack));
    assert_eq!(lost(&mut table, 9188), [33]);
    assert_eq!((table.counters().inferred_losses, table.counters().timeouts), (2, 3));
}

/// D38: a tail that is too young is probed when it is old, and one that does not ask for an ACK never.
#[test]
fn the_tail_is_probed_when_it_is_old() {
    let mut table = opened(Shape::new(2, 64), 1, 30);
    table.step(0, Operation::Send(&new(1)));
    table.step(100, Operation::Send(&new(1)));
    assert_eq!(table.next_scan(), Some(188));
    assert!(table.scan(188).outcomes.is_empty());
    assert_eq!(table.next_scan(), Some(288));
    table.step(280, Operation::Send(&Send { asks: false, ..new(1) }));
    assert!(table.scan(288).outcomes.is_empty());
    assert_eq!(table.next_scan(), Some(100 + 7813));
    table.step(290, Operation::Send(&new(1)));
    assert_eq!(table.next_scan(), Some(290));
    assert!(table.scan(290).outcomes.is_empty());
    assert_eq!(table.next_scan(), Some(290 + 188));
    assert_eq!(table.scan(478).outcomes[0].psn, 33);
}

/// Scans come in the order of their times, whatever the order of PDCs, and between them there is nothing to do.
#[test]
fn scans_come_when_they_are_due() {
    let shape = unprobed(Shape::new(64, 64));
    let mut table = Table::new(shape);
    let number = |n: u64| n * 37 % 64;
    for n in 0..64 {
        let open = Command { op: op::OPEN, pdc: number(n), ..Command::default() };
        table.step(0, Operation::Command(&open));
        table.step(10 * n, Operation::Send(&new(number(n))));
    }
    for n in 0..64 {
        assert_eq!(table.next_scan(), Some(10 * n + 7813));
        let effects = table.scan(10 * n + 7813);
        assert_eq!((effects.events.len(), effects.events[0].pdc), (1, number(n)));
    }
    // All are marked. Their timers run on, but nothing is lost by them.
    assert_eq!(table.next_scan(), Some(2 * 7813 + 7813));
    // A shorter time-out is in force at once, also for timers that run.
    table.set(9000, Settings { rto: 1, retries: 0, ..shape.reset });
    assert_eq!(table.next_scan(), Some(9000));
    table.set(9000, Settings { rto: 0, ..shape.reset });
    assert_eq!(table.next_scan(), None);
}

/// D21: a packet too far behind is looked for at once, and once for each base.
#[test]
fn losses_are_inferred_at_once() {
    let mut table = opened(Shape::new(2, 64), 1, 40);
    table.set(0, Settings { rto: 0, span: 4, tail_probe: 0, ..Settings::reset(64) });
    for _ in 0..12 {
        table.step(5, Operation::Send(&new(1)));
    }
    let sack = Ack { pdc: 1, kind: ack::ACK, psn: 39, sack_offset: 1, sack: 1 << 9, ..Ack::default() };
    assert_eq!(table.step(77, Operation::Ack(&sack)).outcomes.len(), 1);
    assert_eq!(table.next_scan(), Some(77));
    let lost: Vec<u64> = table.scan(77).outcomes.iter().map(|outcome| outcome.psn).collect();
    assert_eq!(lost, [40, 41, 42, 43, 44]);
    table.step(78, Operation::Ack(&Ack { sack: 1 << 11, ..sack }));
    // Each PSN is examined once.
    assert_eq!(table.next_scan(), Some(78));
    let lost: Vec<u64> = table.scan(78).outcomes.iter().map(|outcome| outcome.psn).collect();
    assert_eq!(lost, [45, 46]);
    assert_eq!((table.next_scan(), table.counters().inferred_losses), (None, 7));
}

/// The traffic of the bench does what its figure is for: most operations have an effect, and all kinds of them occur.
#[test]
fn traffic_of_the_bench() {
    let shape = Shape::new(64, 256);
    let (mut operations, mut without, mut packets, mut kinds) = (0, 0, 0, [0; 7]);
    for trace in load_traces(shape, 8) {
        let mut replay = Replay::new(shape);
        for (cycle, change) in &trace {
            replay.change(*cycle, change, |effects| {
                packets += effects.sent.iter().filter(|sent| sent.ok).count();
                effects.outcomes.iter().for_each(|outcome| kinds[outcome.kind as usize] += 1);
            });
        }
        let is_operation = |change: &Change| matches!(change, Change::Ack(_) | Change::Send(_) | Change::Command(_));
        operations += trace.iter().filter(|(_, change)| is_operation(change)).count() as u64;
        let c = replay.table().counters();
        without += c.closed_events + c.outside_acks + c.void_nacks + c.refused_sends + c.empty_sends;
    }
    assert!(without * 2 < operations, "{without} of {operations}");
    assert!(packets > 1000 && kinds.iter().all(|&count| count >= 10), "{packets} packets, {kinds:?}");
    println!("{without} of {operations} operations without effect, {packets} packets, {kinds:?} outcomes");
}
