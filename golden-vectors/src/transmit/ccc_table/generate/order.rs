// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which waiting events enter (C2). Events are accepted in a settings pause, in which none enters (C33).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Data, Event, Loss, Send, Shape};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

/// Streams by their numbers.
const ACK: usize = 0;
const SEND: usize = 1;
const LOSS: usize = 2;
const DATA: usize = 3;

/// Cycles from the settings to the last one in which no event enters.
const PAUSED: u64 = 160;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("order", "the order of acceptance, and the two sides that alternate", shape, None);
        accepted(suite, shape);
        alternating(suite, shape);
        first(suite, shape);
    }
}

/// The arrangements of two events of each of the streams `ack`, `send` and `loss`.
fn arrangements() -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..6 {
        let more = all.iter().flat_map(|before| {
            let stream = |stream: usize| {
                let used = before.iter().filter(|&&other| other == stream).count();
                (used < 2).then(|| before.iter().copied().chain([stream]).collect::<Vec<_>>())
            };
            [ACK, SEND, LOSS].into_iter().filter_map(stream)
        });
        all = more.collect();
    }
    all
}

/// The event of a stream that is its `n`-th: whether it is refused, and what it leaves, depends on those before it. The second
/// ACK is of the packet that the first loss marks; the second packet that is sent is the one of the second loss.
fn event(script: &Script, stream: usize, n: usize) -> Event {
    let ccc = 0;
    let ack = Ack { timed: false, ..script.ack_of(ccc, 1, 1, 90) };
    match (stream, n) {
        (ACK, 0) => Event::Ack(ack),
        (ACK, _) => Event::Ack(Ack { packets: 0, quanta: 2, rtx_packets: 1, rtx_bytes: 101, ..ack }),
        (SEND, 0) => Event::Send(Send { ccc, size: 200, packet: true, ..Send::default() }),
        (SEND, _) => Event::Send(Send { ccc, size: 102, packet: true, retransmission: true, ..Send::default() }),
        (LOSS, 0) => Event::Loss(Loss { ccc, size: 101 }),
        (LOSS, _) => Event::Loss(Loss { ccc, size: 102 }),
        (_, n) => Event::Data(Data { ccc, bytes: 170 + 60 * n as u64 }),
    }
}

/// CCC 0 with a packet in flight, and a pause that begins. The event that entered last is one of `data`, or one of `send`.
fn begin(script: &mut Script, after_data: bool) -> u64 {
    script.close(0, true);
    script.open_as(0, true, false, 0, 1);
    if after_data {
        script.send(0, 1, 150);
        script.data(0, 40);
    } else {
        script.data(0, 190);
        script.send(0, 1, 150);
    }
    script.idle(3);
    script.set(|s| s);
    script.cycle() + PAUSED
}

/// The events of these streams are accepted, those of one list in one cycle; then they enter.
fn wait(script: &mut Script, cycles: &[Vec<usize>], end: u64) {
    let mut numbers = [0; 4];
    for streams in cycles {
        for &stream in streams {
            script.offer(event(script, stream, numbers[stream]));
            numbers[stream] += 1;
        }
        script.idle(1);
    }
    script.until(end + 12);
    script.read(0);
}

/// Puts an event into the cycle of the one before it, if it is of a later stream and `joins` says so.
fn join(arrangement: &[usize], joins: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for (n, &stream) in arrangement.iter().enumerate() {
        match cycles.last_mut() {
            Some(cycle) if cycle.iter().all(|&other| other < stream) && joins(n) => cycle.push(stream),
            _ => cycles.push(vec![stream]),
        }
    }
    cycles
}

/// Two events of each stream in every order, one in a clock cycle, or several.
fn accepted(suite: &mut Suite, shape: Shape) {
    let all = arrangements();
    // Every order with one size, some with the others.
    let step = if shape == shapes::CYCLES[1] { 1 } else { 11 };
    let ways = [
        ("apart", "one accepted in a clock cycle"),
        ("together", "as many accepted in one clock cycle as the order allows"),
        ("both", "some accepted in one clock cycle"),
    ];
    for (n, (id, comment)) in ways.into_iter().enumerate() {
        let mut script = Script::with(shape, |s| s);
        for arrangement in all.iter().skip(n).step_by(step * if n == 0 { 1 } else { 2 }) {
            let end = begin(&mut script, false);
            wait(&mut script, &join(arrangement, |place| n == 1 || n == 2 && place % 2 == 1), end);
        }
        let rows = aim(&["Order", "Refused"], &["C2", "C5", "C6", "C7", "C11", "C33"]);
        suite.add(id, format!("two events of ack, send and loss in each order, {comment}"), rows, script);
    }
}

/// One and two events of `data` among up to four of the other streams, at each place, after an event of each side.
fn alternating(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    let others = [SEND, LOSS, ACK, SEND];
    for after_data in [false, true] {
        for count in 1..=others.len() {
            for at in 0..=count {
                for data in 1..=2 {
                    let end = begin(&mut script, after_data);
                    let mut streams = others[..count].to_vec();
                    streams.splice(at..at, vec![DATA; data]);
                    wait(&mut script, &join(&streams, |n| n % 3 == 2), end);
                }
            }
        }
    }
    let rows = aim(&["Order"], &["C1", "C2", "C5", "C6", "C7", "C9", "C33"]);
    suite.add("data", "events of data wait, and some of the others", rows, script);
}

/// After reset `data` waits for the others.
fn first(suite: &mut Suite, shape: Shape) {
    for stream in [ACK, SEND, LOSS] {
        let mut script = Script::with(shape, |s| s);
        script.open_as(0, true, false, 0, 1);
        script.set(|s| s);
        let end = script.cycle() + PAUSED;
        wait(&mut script, &[vec![DATA], vec![stream], vec![stream, DATA]], end);
        let rows = aim(&["Order"], &["C2", "C9", "C33"]);
        suite.add(
            format!("first-{stream}"),
            "the first events after reset, of data and of another stream",
            rows,
            script,
        );
    }
}
