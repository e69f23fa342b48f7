// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traces of events, the same for the oracle and the pseudocode. Windows are compared after every event, but whenever no
//! adjustment is under way if the pseudocode adjusts at once.

use super::pseudocode::{Feedback, Partings, Reading, Sender};
use golden_vectors::rng::SplitMix64;
use golden_vectors::transmit::ccc_table::oracle::{
    Ack, Algorithms, Command, Data, Event, Link, Loss, Send, Settings, Shape, Table, kind, op,
};

/// What a trace has shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apart {
    /// Comparisons.
    pub compared: u64,
    /// Those more than one MTU apart.
    pub above: u64,
    /// The largest distance in bytes.
    pub most: f64,
    /// Those further apart than rounding can take them, and the most that it can; those in which it can by more than one MTU.
    pub outside: u64,
    pub bound: f64,
    pub loose: u64,
    /// ACKs in which rounding decided whether fast increase begins.
    pub partings: Partings,
    /// Sum of distances relative to the window, and of differences.
    pub sum: f64,
    pub bias: f64,
    /// Adjustments and quick adapts of the oracle.
    pub adjustments: u64,
    pub quick_adapts: u64,
}

impl Apart {
    /// Both.
    pub fn and(self, other: Apart) -> Apart {
        Apart {
            compared: self.compared + other.compared,
            above: self.above + other.above,
            most: self.most.max(other.most),
            outside: self.outside + other.outside,
            bound: self.bound.max(other.bound),
            loose: self.loose + other.loose,
            partings: self.partings.and(other.partings),
            sum: self.sum + other.sum,
            bias: self.bias + other.bias,
            adjustments: self.adjustments + other.adjustments,
            quick_adapts: self.quick_adapts + other.quick_adapts,
        }
    }

    /// Windows are compared. `mtu` is what is too far.
    fn compare(&mut self, oracle: u64, real: &Sender, mtu: f64) {
        let cwnd = real.cwnd();
        let difference = oracle as f64 - cwnd;
        let distance = difference.abs();
        self.compared += 1;
        self.above += u64::from(distance > mtu);
        self.most = self.most.max(distance);
        // Numbers of the pseudocode have 53 bits.
        self.outside += u64::from(distance > real.bound() + 0.001);
        self.bound = self.bound.max(real.bound());
        self.loose += u64::from(real.bound() > mtu);
        self.sum += distance / cwnd;
        self.bias += difference / cwnd;
    }
}

/// What a trace has.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// ACKs in consecutive cycles; else an ACK comes when 4 packets have.
    pub bursts: bool,
    /// Penalties of the receiver.
    pub penalties: bool,
}

impl Reading {
    /// Whether windows differ by no more than rounding in this traffic.
    pub fn holds(self, traffic: Traffic) -> bool {
        match self {
            Reading::Letter => !traffic.bursts && !traffic.penalties,
            Reading::Page => !traffic.bursts,
            Reading::Late => true,
        }
    }
}

/// A trace of so many events of one CCC.
pub fn trace(seed: u64, link: Link, reading: Reading, events: u64, traffic: Traffic) -> Apart {
    let Traffic { bursts, penalties } = traffic;
    let settings = Settings::of(link);
    let shape = Shape::new(Algorithms::Nscc, 1).reset(settings);
    let mut rng = SplitMix64::new(seed);
    let mut table = Table::new(shape);
    let open = Command { op: op::OPEN, weight: 1, ..Command::default() };
    table.command(0, 0, &open, false);
    let mut real = Sender::new(reading, link, settings, 0.0);
    let mut apart = Apart::default();
    // Nominal sizes of a packet: with that of an MTU *received* is often just what an adjustment needs, or one packet less.
    let size = if (seed / 8).is_multiple_of(2) { 4160 } else { 4096 };
    // Cycles and their time in units.
    let mut cycle = 100_u64;
    let time = |cycle: u64| ((u128::from(cycle) * u128::from(settings.tick)) >> 16) as u64;
    let adjust = |table: &mut Table, real: &mut Sender, cycle: u64| {
        while table.next_adjustment().is_some_and(|due| due <= cycle) {
            table.adjust();
        }
        real.at(cycle);
    };
    let between = (4.0 * size as f64 * 8.0 / link.gbps * link.mhz / 1000.0) as u64;
    let mut queue = 0.0_f64;
    let mut drift = 0.0;
    let mut slow = 1;
    // rcvd_bytes is a sum that is rounded, so that what is rounded does not add up.
    let mut received = 0_u64;
    let mut left = events;
    while left > 0 {
        // The sender fills its window.
        table.step(cycle, 0, &Event::Data(Data { ccc: 0, bytes: size }));
        while table.ccc(0).limit >= 0 && table.ccc(0).inflight_pkts < 2000 {
            table.step(cycle, 0, &Event::Send(Send { size, packet: true, ..Send::default() }));
            table.step(cycle, 0, &Event::Data(Data { ccc: 0, bytes: size }));
            real.on_send(size as f64);
        }
        // ACKs come at full rate, or slowly, as in an incast.
        if rng.below(60) == 0 {
            slow = [1, 1, 1, 30][rng.below(4) as usize];
        }
        // The network: a queue that fills or empties for a while.
        if rng.below(40) == 0 {
            drift = (rng.below(2001) as f64 - 1150.0) / 200.0;
        }
        let burst = if bursts && rng.below(12) == 0 { 1 + rng.below(70) } else { 1 };
        for _ in 0..burst.min(left) {
            cycle += 1;
            queue = (queue + drift + rng.below(7) as f64 - 3.0).clamp(0.0, 400.0);
            let base = if rng.below(300) == 0 { 94 - rng.below(14) } else { 94 };
            let rtt = base + queue as u64;
            let now = time(cycle);
            adjust(&mut table, &mut real, cycle);
            let stamp = now.wrapping_sub(rtt) % (1 << 20);
            let ack = Ack { timed: true, stamp, arrived: now % (1 << 20), ..Ack::default() };
            let pick = rng.below(1000);
            let packets = table.ccc(0).inflight_pkts;
            if packets == 0 {
                break;
            }
            left -= 1;
            let at = now as f64;
            if pick < 4 && queue > 100.0 || pick == 0 {
                table.step(cycle, now % (1 << 20), &Event::Loss(Loss { ccc: 0, size }));
                real.on_loss(size as f64);
            } else if pick < 12 && queue > 150.0 || pick == 1 {
                let reason = 1 + pick % 2;
                let nack = Ack { kind: kind::NACK, reason, size, ..ack };
                table.step(cycle, now % (1 << 20), &Event::Ack(nack));
                real.on_nack(at, reason, size as f64, Some(rtt as f64));
            } else {
                let packets = packets.min(1 + rng.below(7));
                let before = received.div_ceil(256);
                received += size * packets;
                let quanta = received.div_ceil(256) - before;
                let marked = queue > 80.0 && rng.below(10) > 0 || queue > 30.0 && rng.below(4) == 0;
                let pend = if penalties && pick > 985 { rng.below(128) } else { 0 };
                let restore = rng.below(3) == 0;
                let timed = pick != 500;
                let ack = Ack { quanta, packets, marked, pend, restore, timed, ..ack };
                table.step(cycle, now % (1 << 20), &Event::Ack(ack));
                let oracle = reading.holds(traffic).then(|| table.ccc(0).increase);
                let (new, rtt) = ((256 * quanta) as f64, timed.then_some(rtt as f64));
                real.on_ack(at, &Feedback { new, marked, rtt, pend, restore, oracle });
            }
            // C11, before anything is sent.
            if table.ccc(0).inflight_pkts == 0 {
                real.nothing_in_flight();
            }
            // What is lost is sent again, or forgotten.
            if table.ccc(0).waiting_rtx > 0 {
                let again = Send { size, packet: true, retransmission: true, ..Send::default() };
                table.step(cycle, 0, &Event::Send(again));
                real.on_send(size as f64);
            }
            if reading == Reading::Late {
                apart.compare(table.ccc(0).cwnd, &real, link.mtu);
            }
        }
        let gap = (between / 2 + rng.below(between)) * slow;
        cycle += if bursts { gap } else { gap.max(128) };
        adjust(&mut table, &mut real, cycle);
        if reading != Reading::Late && !table.is_adjusting() {
            apart.compare(table.ccc(0).cwnd, &real, link.mtu);
        }
    }
    apart.partings = real.partings;
    assert_eq!(table.counters().excess_acks + table.counters().excess_sends, 0, "no event is refused");
    apart.adjustments = table.counters().adjustments;
    apart.quick_adapts = table.counters().quick_adapts;
    apart
}
