// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder`: the model beside the oracle, with traffic for which the contract does not say in which cycle a packet is
//! delivered. Everything else is compared in every cycle, and what is delivered in its order for each connection.

use golden_vectors::receive::reorder::oracle::{
    Arrival, Command, Delivery, Inputs, Oracle, Outputs, PROBE, Pace, Settings, Shape, op,
};
use golden_vectors::rng::SplitMix64;
use pipeline::receive::reorder::ReorderConfig;
use std::collections::VecDeque;
use testbench::Dut;
use testbench::device::model::model_of;
use tier::pick;

const NEVER: Settings = Settings { span: 63, time: (1 << 20) - 1 };

struct Pair {
    dut: Box<dyn Dut>,
    oracle: Oracle,
    shape: Shape,
    inputs: Inputs,
    row: Vec<u64>,
    seen: Vec<u64>,
    /// What the oracle has delivered and the model has not, and the other way round, by connection.
    behind: Vec<[VecDeque<Delivery>; 2]>,
    /// Cycles in which the model delivered.
    delivered: Vec<u64>,
}

impl Pair {
    /// Behind the sweep.
    fn new(connections: u64, ram_latency: u32) -> Self {
        let config = ReorderConfig { paths: 4, ram_latency, ..ReorderConfig::new(connections, 64) };
        let shape = Shape::new(connections, 64).ram_latency(ram_latency.into());
        let mut dut = model_of(&config).expect("it elaborates");
        let (row, seen) = (vec![0; dut.ports().input_limbs()], vec![0; dut.ports().output_limbs()]);
        dut.clock(true, &row);
        let (oracle, inputs) = (Oracle::new(shape, Pace::LATE), Inputs::idle(None));
        let behind = vec![Default::default(); connections as usize];
        let mut pair = Pair { dut, oracle, shape, inputs, row, seen, behind, delivered: Vec::new() };
        pair.inputs.settings = Some(NEVER);
        pair.step();
        pair.idle(pair.shape.sweep());
        pair
    }

    fn opened(connections: u64, ram_latency: u32, psn: impl Fn(u64) -> u64) -> Self {
        let mut pair = Self::new(connections, ram_latency);
        for connection in 0..connections {
            pair.command(op::OPEN, connection, psn(connection));
        }
        pair
    }

    fn put(&mut self, port: &str, value: u64) {
        let offset = self.dut.ports().input(port).expect("an input").offset;
        self.row[offset] = value;
    }

    fn get(&self, port: &str) -> u64 {
        self.seen[self.dut.ports().output(port).expect("an output").offset]
    }

    /// The values of the ports of a stream, if it is valid.
    fn stream(&self, name: &str, columns: &[&str]) -> Option<Vec<u64>> {
        let values = || columns.iter().map(|column| self.get(&format!("{name}_{column}"))).collect();
        (self.get(&format!("{name}_valid")) == 1).then(values)
    }

    fn drive(&mut self) {
        let Inputs { arrival, command, settings, delivery_ready, event_ready, .. } = self.inputs;
        let it = arrival.unwrap_or_default();
        for (port, value) in [
            ("arrival_valid", arrival.is_some().into()),
            ("arrival_connection", it.connection),
            ("arrival_found", it.found.into()),
            ("arrival_psn", it.psn),
            ("arrival_path", it.path),
            ("arrival_flags", it.flags),
            ("arrival_length", it.length),
            ("arrival_handle", it.handle),
        ] {
            self.put(port, value);
        }
        let it = command.unwrap_or_default();
        for (port, value) in [
            ("command_valid", command.is_some().into()),
            ("command_op", it.op),
            ("command_connection", it.connection),
            ("command_path", it.path),
            ("command_psn", it.psn),
            ("command_own_tolerance", it.own_tolerance),
            ("command_span", it.span),
            ("command_time", it.time),
        ] {
            self.put(port, value);
        }
        let Settings { span, time } = settings.unwrap_or_default();
        for (port, value) in [
            ("settings_valid", settings.is_some().into()),
            ("settings_span", span),
            ("settings_time", time),
            ("delivery_ready", delivery_ready.into()),
            ("event_ready", event_ready.into()),
        ] {
            self.put(port, value);
        }
    }

    /// One cycle of both. Returns whether an arrival was accepted.
    fn step(&mut self) -> bool {
        self.drive();
        self.dut.outputs(&mut self.seen);
        self.dut.clock(false, &self.row);
        let cycle = self.oracle.cycle();
        let out = self.oracle.step(&self.inputs);
        self.compare(cycle, &out);
        self.inputs.next();
        self.inputs.settings = None;
        out.arrival_ready
    }

    fn compare(&mut self, cycle: u64, out: &Outputs) {
        let levels = ["busy", "arrival_ready", "command_ready"].map(|port| self.get(port) == 1);
        assert_eq!(levels, [out.busy, out.arrival_ready, out.command_ready], "cycle {cycle}");
        let answer = out.answer.map(|it| {
            let repeated =
                [it.arrival.connection, it.arrival.psn, it.arrival.path, it.arrival.flags, it.arrival.length];
            let state = [it.outcome as u64, it.expected, it.highest, it.held, it.late.into(), it.suspected.into()];
            [repeated.as_slice(), &state, &[it.sack_base, it.sack]].concat()
        });
        let repeated = ["connection", "psn", "path", "flags", "length"];
        let state = ["outcome", "expected", "highest", "held", "late", "suspected", "sack_base", "sack"];
        assert_eq!(self.stream("answer", &[repeated.as_slice(), &state].concat()), answer, "cycle {cycle}");
        let event = out.event.map(|it| vec![it.connection, it.first, it.last, it.by_span.into(), it.by_time.into()]);
        let columns = ["connection", "first", "last", "by_span", "by_time"];
        assert_eq!(self.stream("event", &columns), event, "cycle {cycle}");
        let response = out.response.map(|it| {
            let state = [it.done.into(), it.open.into(), it.expected, it.highest, it.held];
            [state.as_slice(), &[it.reordered, it.depth, it.duration, it.path_packets, it.path_time]].concat()
        });
        let state = ["done", "open", "expected", "highest", "held"];
        let statistics = ["reordered", "depth", "duration", "path_packets", "path_time"];
        assert_eq!(self.stream("response", &[state, statistics].concat()), response, "cycle {cycle}");
        let delivery = self.stream("delivery", &["connection", "psn", "handle"]);
        let delivery = delivery.map(|it| Delivery { connection: it[0], psn: it[1], handle: it[2] });
        for (side, packet) in [out.delivery, delivery].into_iter().enumerate() {
            let Some(packet) = packet.filter(|_| self.inputs.delivery_ready) else { continue };
            if side == 1 {
                self.delivered.push(cycle);
            }
            let behind = &mut self.behind[packet.connection as usize];
            match behind[1 - side].pop_front() {
                Some(other) => assert_eq!(other, packet, "cycle {cycle}"),
                None => behind[side].push_back(packet),
            }
        }
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// A packet, in the next cycle in which it is accepted.
    fn send(&mut self, arrival: Arrival) {
        loop {
            self.inputs.arrival = Some(arrival);
            if self.step() {
                return;
            }
        }
    }

    /// A command, and its response.
    fn command(&mut self, op: u64, connection: u64, psn: u64) {
        while !self.oracle.outputs().command_ready {
            self.step();
        }
        self.inputs.command = Some(Command { op, connection, path: connection % 4, psn, ..Command::default() });
        self.idle(self.shape.response() + 1);
    }

    /// Both have delivered the same.
    fn end(mut self) -> Vec<u64> {
        self.idle(300);
        assert!(self.behind.iter().flatten().all(VecDeque::is_empty), "{:?}", self.behind);
        self.delivered
    }
}

fn packet(connection: u64, psn: u64, handle: u64) -> Arrival {
    let (psn, handle) = (psn & 0xFF_FFFF, handle & 0xFFFF);
    Arrival { connection, found: true, psn, path: handle % 5, flags: 0, length: handle, handle }
}

/// Calls `with` for every order of the numbers below `count`.
fn orders(count: u64, with: &mut impl FnMut(&[u64])) {
    fn longer(order: &mut Vec<u64>, count: u64, with: &mut impl FnMut(&[u64])) {
        if order.len() as u64 == count {
            return with(order);
        }
        for next in 0..count {
            if !order.contains(&next) {
                order.push(next);
                longer(order, count, with);
                order.pop();
            }
        }
    }
    longer(&mut Vec::new(), count, with);
}

/// Every order of seven packets, one order behind the other in every cycle; each also with one lost, which comes last, and
/// with one twice.
#[test]
fn every_order_of_seven_packets() {
    for ram_latency in pick([2, 1, 3], 1) {
        let mut pair = Pair::opened(2, ram_latency, |_| 0xFF_F000);
        let (mut first, mut handle) = (0xFF_F000, 0);
        let mut play = |numbers: &[u64]| {
            for number in numbers {
                handle += 1;
                pair.send(packet(0, first + number, handle));
            }
            first += 7;
        };
        let mut n = 0;
        orders(7, &mut |order| {
            play(order);
            n += 1;
            for at in 0..7 {
                // The latencies share the work.
                if n % 3 != u64::from(ram_latency) % 3 {
                    continue;
                }
                let lost = order.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, number)| *number);
                play(&lost.chain([order[at]]).collect::<Vec<_>>());
                for again in at + 1..=7 {
                    let mut twice = order.to_vec();
                    twice.insert(again, order[at]);
                    play(&twice);
                }
            }
        });
        let delivered = pair.end();
        assert!(delivered.len() > 7 * 5040);
    }
}

/// Packets of all connections that overtake each other, with losses, duplicates, probes and events that wait.
#[test]
fn random_traffic() {
    for (connections, ram_latency) in pick([(2, 1), (4, 2), (8, 3), (32, 1)], 1) {
        let mut random = SplitMix64::new(connections);
        let mut pair = Pair::opened(connections, ram_latency, |connection| 0xFF_FFF0 + connection % 16);
        pair.inputs.settings = Some(Settings { span: 12, time: 2 });
        pair.step();
        for cycle in 0..30_000 {
            if random.below(16) != 0 {
                let connection = random.below(connections);
                let ahead = match random.below(12) {
                    0..3 => 0,
                    3..11 => random.below(9),
                    _ => random.below(20),
                };
                let psn = (pair.oracle.expected(connection) + ahead).wrapping_sub(random.below(8) / 7);
                let flags = if random.below(40) == 0 { PROBE } else { random.next_u64() & 0xFB };
                let found = random.below(50) != 0;
                pair.inputs.arrival = Some(Arrival { flags, found, ..packet(connection, psn, cycle) });
            }
            pair.inputs.event_ready = random.below(3) == 0;
            if random.below(40) == 0 {
                let op = if random.below(4) == 0 { op::CHANGE } else { op::READ };
                let (connection, path, own_tolerance) = (random.below(connections), random.below(5), random.below(2));
                let (span, time) = (random.below(pair.shape.window), random.below(8));
                pair.inputs.command = Some(Command { op, connection, path, psn: 0, own_tolerance, span, time });
            }
            pair.step();
        }
        pair.inputs.event_ready = true;
        assert!(pair.end().len() > 10_000);
    }
}

/// R11: a stream of a lone connection is delivered at one packet per cycle, from its second turn on.
#[test]
fn a_stream_of_one_connection() {
    for ram_latency in pick([2, 1, 3], 1) {
        let mut pair = Pair::opened(2, ram_latency, |_| 0);
        let begun = pair.oracle.cycle();
        (0..500).for_each(|psn| pair.send(packet(0, psn, psn)));
        let shape = pair.shape;
        let delivered = pair.end();
        assert_eq!(delivered.len(), 500);
        assert_eq!(delivered[0], begun + shape.delivery());
        // Nothing but the rest of the turn interval is lost.
        assert!(delivered[499] < begun + shape.delivery() + 499 + 2 * shape.ram_latency + 4, "{delivered:?}");
        assert!(delivered[50..].windows(2).all(|pair| pair[1] == pair[0] + 1), "{delivered:?}");
    }
}
