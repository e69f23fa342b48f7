// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays events on a device, as early as the rows let them come, and compares all that comes out with the oracle, in the order of each
//! stream. Clock cycles matter for RQ13 and RQ15 alone.

use golden_vectors::receive::request_check::oracle::{
    Arrival, Delivery, Event, Oracle, Packet, Refused, Status, Verdict,
};
use pipeline::receive::request_check::RequestCheckConfig;
use std::collections::{BTreeSet, VecDeque};
use testbench::device::random::Random;
use testbench::streams::Channel;
use testbench::{Dut, Ports};

/// Clock cycles without any progress after which it stands still.
const PATIENCE: u64 = 20_000;
/// Deliveries that may be taken and not passed on (RQ15).
const DELIVERIES: u64 = 16;

/// What is expected of the device.
#[derive(Default)]
struct Expected {
    verdicts: VecDeque<Verdict>,
    passed: VecDeque<Delivery>,
    refused: VecDeque<Refused>,
}

/// A device under events.
pub struct Play<'a> {
    dut: &'a mut dyn Dut,
    ports: Ports,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    random: Random,
    pause: f64,
    latency: u64,
    opened: BTreeSet<u64>,
    oracle: Oracle,
    expected: Expected,
    /// Clock cycles in which arrivals were taken, but for those of long ago; and how many have been taken.
    recent: VecDeque<u64>,
    arrivals: u64,
    now: u64,
    quiet: u64,
    /// An arrival was taken in the clock cycle before.
    took: bool,
}

impl<'a> Play<'a> {
    /// From reset on.
    pub fn new(dut: &'a mut dyn Dut, config: &RequestCheckConfig, seed: u64, pause: f64) -> Self {
        let ports = dut.ports().clone();
        let inputs = vec![0; ports.input_limbs()];
        dut.clock(true, &inputs);
        Play {
            outputs: vec![0; ports.output_limbs()],
            inputs,
            ports,
            dut,
            random: Random::new(seed),
            pause,
            latency: config.ram_latency.into(),
            opened: BTreeSet::new(),
            oracle: Oracle::new(),
            expected: Expected::default(),
            recent: VecDeque::new(),
            arrivals: 0,
            now: 0,
            quiet: 0,
            took: false,
        }
    }

    /// All events; the number of packets that were refused by their own fault.
    pub fn run(mut self, events: &[Event]) -> Result<u64, String> {
        let mut rest = events;
        while !rest.is_empty() {
            // Up to the next *open*, which comes when nothing is under way.
            let end = rest.iter().position(|event| matches!(event, Event::Open { .. })).unwrap_or(rest.len());
            self.traffic(&rest[..end])?;
            self.settle()?;
            if let Some(Event::Open { connection, psn, mtu }) = rest.get(end) {
                self.open(*connection, *psn, *mtu)?;
            }
            rest = rest.get(end + 1..).unwrap_or(&[]);
        }
        self.opened.clone().into_iter().try_for_each(|connection| self.status(connection))?;
        let counted = self.value("invalid_requests");
        let same = counted == self.oracle.invalid_requests();
        if same {
            Ok(counted)
        } else {
            Err(format!("{counted} requests are refused, {:?}", self.oracle.invalid_requests()))
        }
    }

    fn value(&self, name: &str) -> u64 {
        self.outputs[self.ports.output(name).unwrap_or_else(|| panic!("no port {name}")).offset]
    }

    fn set(&mut self, name: &str, value: u64) {
        let at = self.ports.input(name).unwrap_or_else(|| panic!("no port {name}")).offset;
        self.inputs[at] = value;
    }

    /// Offers a transfer with these fields; the result is 1 if it is taken.
    fn offer(&mut self, name: &str, fields: Option<&[(&str, u64)]>) -> bool {
        let channel = Channel::input(&self.ports, name).expect("it is there");
        channel.set_valid(&mut self.inputs, fields.is_some());
        for (field, value) in fields.into_iter().flatten() {
            self.set(&format!("{name}_{field}"), *value);
        }
        fields.is_some() && channel.ready(&self.outputs)
    }

    /// Arrivals and deliveries: each stream in its order, a delivery after the arrivals in front of it.
    fn traffic(&mut self, events: &[Event]) -> Result<(), String> {
        let (mut arrivals, mut deliveries) = (VecDeque::new(), VecDeque::new());
        for event in events {
            match event {
                Event::Arrival(arrival) => arrivals.push_back(*arrival),
                Event::Delivery(delivery) => deliveries.push_back((self.arrivals + arrivals.len() as u64, *delivery)),
                Event::Open { .. } => unreachable!("it is between them"),
            }
        }
        while !(arrivals.is_empty() && deliveries.is_empty()) {
            self.read();
            let pauses = [self.random.chance(self.pause), self.random.chance(self.pause)];
            let arrival = arrivals.front().copied().filter(|_| !pauses[0]);
            // RQ11: arrivals of just now are not in front of a delivery yet.
            while self.recent.front().is_some_and(|taken| taken + self.latency + 2 <= self.now) {
                self.recent.pop_front();
            }
            let known = self.arrivals - self.recent.len() as u64;
            let due = |(after, _): &&(u64, Delivery)| *after <= known;
            let delivery = deliveries.front().filter(due).map(|(_, delivery)| *delivery).filter(|_| !pauses[1]);
            if self.offer("arrival", arrival.map(|it| arrival_fields(&it)).as_deref()) {
                arrivals.pop_front();
                self.take_arrival(&arrival.expect("it is offered"))?;
            } else {
                self.took = false;
            }
            if self.offer("delivery", delivery.map(|it| delivery_fields(&it)).as_deref()) {
                deliveries.pop_front();
                self.take_delivery(delivery.expect("it is offered"))?;
            }
            self.clock()?;
        }
        Ok(())
    }

    fn take_arrival(&mut self, arrival: &Arrival) -> Result<(), String> {
        self.expected.verdicts.extend(self.oracle.arrive(arrival));
        self.arrivals += 1;
        self.recent.push_back(self.now);
        if self.took {
            return Err("RQ15: an arrival is taken in the clock cycle after another one".to_owned());
        }
        self.took = true;
        Ok(())
    }

    fn take_delivery(&mut self, delivery: Delivery) -> Result<(), String> {
        match self.oracle.deliver(&delivery) {
            Ok(()) => self.expected.passed.push_back(delivery),
            Err(refused) => self.expected.refused.push_back(refused),
        }
        let open = self.expected.passed.len() + self.expected.refused.len();
        if open as u64 > DELIVERIES { Err(format!("RQ15: {open} deliveries are open")) } else { Ok(()) }
    }

    /// Until nothing is under way; then no more than that comes.
    fn settle(&mut self) -> Result<(), String> {
        let open = |expected: &Expected| {
            !(expected.verdicts.is_empty() && expected.passed.is_empty() && expected.refused.is_empty())
        };
        while open(&self.expected) {
            self.idle()?;
        }
        for _ in 0..30 {
            self.idle()?;
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<(), String> {
        self.read();
        self.offer("arrival", None);
        self.offer("delivery", None);
        self.took = false;
        self.clock()
    }

    /// Opens a connection. Before and after that its state is that of the oracle.
    fn open(&mut self, connection: u64, psn: u64, mtu: u64) -> Result<(), String> {
        self.status(connection)?;
        self.read();
        while !self.offer("command", Some(&[("connection", connection), ("mtu", mtu)])) {
            self.clock()?;
            self.read();
        }
        self.clock()?;
        self.offer("command", None);
        self.oracle.open(connection, psn, mtu);
        self.opened.insert(connection);
        // It has its effect some clock cycles later.
        (0..20).try_for_each(|_| self.idle())?;
        self.status(connection)
    }

    /// RQ13. A connection that has not been opened may have any state.
    fn status(&mut self, connection: u64) -> Result<(), String> {
        let Status { cause, psn } = self.oracle.status(connection);
        ["status_connection", "loss_connection"].iter().for_each(|port| self.set(port, connection));
        (0..=self.latency).try_for_each(|_| self.idle())?;
        let found = [self.value("status_cause"), self.value("status_psn")];
        let void = self.value("loss_void") == u64::from(cause != 0);
        let same = found[0] == cause && (cause == 0 || found[1] == psn) && void;
        if same || !self.opened.contains(&connection) {
            Ok(())
        } else {
            Err(format!("RQ13: connection {connection} has {found:?}, not {cause}, {psn}"))
        }
    }

    fn read(&mut self) {
        self.dut.outputs(&mut self.outputs);
    }

    /// Takes what comes out, and ends the clock cycle.
    fn clock(&mut self) -> Result<(), String> {
        let before = self.expected.verdicts.len() + self.expected.passed.len() + self.expected.refused.len();
        if self.value("verdict_valid") == 1 {
            let fields = ["connection", "outcome", "psn", "expected", "invalid", "last"];
            let [connection, outcome, psn, expected, invalid, last] =
                fields.map(|name| self.value(&format!("verdict_{name}")));
            let found = Verdict { connection, outcome, psn, expected, invalid: invalid == 1, last: last == 1 };
            let wanted = self.expected.verdicts.pop_front();
            if wanted != Some(found) {
                return Err(format!("verdict {found:?}, expected {wanted:?}"));
            }
        }
        for name in ["passed", "refused"] {
            let ready = !self.random.chance(self.pause);
            self.set(&format!("{name}_ready"), ready.into());
            if self.value(&format!("{name}_valid")) == 0 || !ready {
                continue;
            }
            let of = |field: &str| self.value(&format!("{name}_{field}"));
            let (connection, handle) = (of("connection"), of("handle"));
            let (found, wanted) = if name == "passed" {
                let found = Delivery { connection, psn: of("psn"), handle };
                (format!("{:?}", Some(found)), format!("{:?}", self.expected.passed.pop_front()))
            } else {
                let found = Refused { connection, handle, behind: of("behind") == 1 };
                (format!("{:?}", Some(found)), format!("{:?}", self.expected.refused.pop_front()))
            };
            if found != wanted {
                return Err(format!("{name}: {found}, expected {wanted}"));
            }
        }
        let after = self.expected.verdicts.len() + self.expected.passed.len() + self.expected.refused.len();
        self.quiet = if before == after && before > 0 { self.quiet + 1 } else { 0 };
        if self.quiet > PATIENCE {
            return Err(format!("nothing comes; expected {:?}", self.expected.verdicts.front()));
        }
        self.dut.clock(false, &self.inputs);
        self.now += 1;
        Ok(())
    }
}

fn arrival_fields(arrival: &Arrival) -> Vec<(&'static str, u64)> {
    let &Arrival { connection, outcome, psn, expected, packet } = arrival;
    let Packet { first, last, write, length, dma_length } = packet;
    vec![
        ("connection", connection),
        ("outcome", outcome),
        ("psn", psn),
        ("expected", expected),
        ("first", first.into()),
        ("last", last.into()),
        ("write", write.into()),
        ("length", length),
        ("dma_length", dma_length),
    ]
}

fn delivery_fields(delivery: &Delivery) -> Vec<(&'static str, u64)> {
    let &Delivery { connection, psn, handle } = delivery;
    vec![("connection", connection), ("psn", psn), ("handle", handle)]
}
