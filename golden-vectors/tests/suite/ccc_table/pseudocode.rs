// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of the oracle beside a run of the pseudocode with real numbers (uet.md 2). Both get the same events with the same
//! times, in units, and the same filter of the delay, as the pseudocode leaves it to the implementer. They are compared
//! whenever no adjustment is under way.

use golden_vectors::ccc_table::oracle::{
    Ack, Algorithms, Command, Data, Event, Link, Loss, Send, Settings, Shape, Table, kind, op,
};
use golden_vectors::rng::SplitMix64;
use std::collections::VecDeque;

/// How the pseudocode is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// To the letter.
    Letter,
    /// With what the page says of ACKs that restore the window.
    Page,
    /// The same, and adjustments are made 64 clock cycles later, one at a time.
    Late,
}

/// An adjustment under way: its clock cycle, how often the window had been set, and the difference.
#[derive(Clone, Copy, Debug)]
struct Due {
    cycle: u64,
    sets: u64,
    change: f64,
    /// An increase follows: on time, or not.
    then_up: Option<bool>,
}

/// A sender of 3.6.13 with real numbers. Times are in units of 128 ns.
pub struct Sender {
    reading: Reading,
    link: Link,
    /// Those that are times, and what the stage alone has.
    times: Settings,
    pub cwnd: f64,
    max_wnd: f64,
    inflight: f64,
    saved: f64,
    inc_bytes: f64,
    received: f64,
    last_adjust: f64,
    last_dec: f64,
    dec_rtt: f64,
    base_rtt: f64,
    filtered: u64,
    fi_count: f64,
    increase: bool,
    achieved: f64,
    ignored: f64,
    to_ignore: f64,
    qa_end: Option<f64>,
    trigger: bool,
    cycle: u64,
    sets: u64,
    due: VecDeque<Due>,
}

impl Sender {
    pub fn new(reading: Reading, link: Link, times: Settings, now: f64) -> Self {
        let base_rtt = times.config_base_rtt as f64;
        let wnd = 1.5 * link.gbps * link.rtt_us * 125.0;
        Sender {
            reading,
            link,
            times,
            cwnd: wnd,
            max_wnd: wnd,
            inflight: 0.0,
            saved: 0.0,
            inc_bytes: 0.0,
            received: 0.0,
            last_adjust: now,
            last_dec: now,
            dec_rtt: base_rtt,
            base_rtt,
            filtered: 0,
            fi_count: 0.0,
            increase: false,
            achieved: 0.0,
            ignored: 0.0,
            to_ignore: 0.0,
            qa_end: None,
            trigger: false,
            cycle: 0,
            sets: 0,
            due: VecDeque::new(),
        }
    }

    /// The clock cycle of the next event. Adjustments before it have theirs.
    pub fn at(&mut self, cycle: u64) {
        while let Some(due) = self.due.pop_front_if(|due| due.cycle <= cycle) {
            self.cycle = due.cycle;
            if due.sets == self.sets {
                self.change(due.change, due.change < 0.0);
                if let Some(on_time) = due.then_up {
                    self.fulfil(on_time);
                }
            }
        }
        self.cycle = cycle;
    }

    /// The window changes by so much.
    fn change(&mut self, change: f64, down: bool) {
        let cwnd = self.cwnd + change;
        self.cwnd = if down { cwnd.max(self.link.mtu) } else { cwnd.min(self.max_wnd) };
    }

    /// The window changes by so much, and then increases, on time or not: now or later.
    fn adjust(&mut self, change: f64, then_up: Option<bool>) {
        if self.reading == Reading::Late {
            self.due.push_back(Due { cycle: self.cycle + 64, sets: self.sets, change, then_up });
            return;
        }
        self.change(change, change < 0.0);
        if let Some(on_time) = then_up {
            self.fulfil(on_time);
        }
    }

    /// scaling_a.
    fn a(&self) -> f64 {
        self.link.gbps * self.link.rtt_us * 125.0 / 150_000.0
    }

    fn average(&self) -> f64 {
        self.filtered as f64 / 64.0
    }

    /// update_delay.
    fn update_delay(&mut self, delay: f64) {
        self.filtered = self.filtered - (self.filtered >> 6) + delay as u64;
    }

    /// update_base_rtt.
    fn update_base_rtt(&mut self, rtt: f64) {
        self.base_rtt = self.base_rtt.min(rtt);
        self.max_wnd = (1.5 * self.link.gbps / 8.0 * 128.0 * self.base_rtt).max(self.link.mtu);
    }

    pub fn on_send(&mut self, size: f64) {
        self.inflight += size;
    }

    /// The last packet has been acknowledged.
    pub fn nothing_in_flight(&mut self) {
        self.inflight = 0.0;
    }

    pub fn on_ack(&mut self, now: f64, new: f64, marked: bool, rtt: Option<f64>, pend: u64, restore: bool) {
        let mtu = self.link.mtu;
        self.inflight -= new;
        self.ignored += new;
        self.received += new;
        self.achieved += new;
        // apply_cwnd_penalty.
        let mut restored = false;
        if pend > 0 {
            if self.saved == 0.0 {
                self.saved = self.cwnd;
            }
            self.cwnd = mtu.max(self.cwnd.min(self.inflight) - pend as f64 * new / 128.0);
        } else if restore && self.saved > 0.0 {
            self.cwnd = self.saved;
            self.saved = 0.0;
            self.sets += 1;
            restored = self.reading >= Reading::Page;
        }
        let Some(rtt) = rtt else { return };
        self.update_base_rtt(rtt);
        let delay = rtt - self.base_rtt;
        self.update_delay(delay);
        if self.quick_adapt(now, false, marked, delay) {
            return;
        }
        let on_time = now - self.last_adjust >= self.times.adjust_period as f64;
        let due = (on_time || self.received > 8.0 * mtu).then_some(on_time);
        if on_time {
            self.last_adjust = now;
        }
        if due.is_some() {
            self.received = 0.0;
        }
        match (marked, delay >= self.times.target as f64) {
            (false, true) if pend == 0 => self.inc_bytes += 5.0 * mtu * self.a() * new,
            (false, false) if pend == 0 => self.proportional_increase(new, delay, restored),
            (true, true) => {
                self.increase = false;
                self.fi_count = 0.0;
                if let Some(change) = self.multiplicative_decrease(now) {
                    return self.adjust(change, due);
                }
            }
            _ => {}
        }
        if let Some(on_time) = due {
            self.fulfil(on_time);
        }
    }

    /// fulfill_adjustment.
    fn fulfil(&mut self, on_time: bool) {
        let eta = if on_time { 0.15 * self.link.mtu * self.a() } else { 0.0 };
        let change = self.inc_bytes / self.cwnd + eta;
        self.inc_bytes = 0.0;
        self.adjust(change, None);
    }

    fn proportional_increase(&mut self, new: f64, delay: f64, restored: bool) {
        if delay < self.times.small_delay as f64 {
            self.fi_count += new;
            if self.fi_count > self.cwnd && !restored || self.increase {
                if !restored {
                    self.cwnd = (self.cwnd + new * 0.25 * self.a()).min(self.max_wnd);
                }
                self.increase = true;
                return;
            }
        } else {
            self.fi_count = 0.0;
        }
        self.increase = false;
        let alpha = 4.0 * self.a() * self.link.mtu / (12_000.0 / 128.0);
        self.inc_bytes += alpha * new * (self.times.target as f64 - delay);
    }

    /// By how much the window changes, if it does.
    fn multiplicative_decrease(&mut self, now: f64) -> Option<f64> {
        let (average, target) = (self.average(), self.times.target as f64);
        let apart = if self.reading >= Reading::Page { self.dec_rtt } else { self.base_rtt };
        if average <= target || now - self.last_dec <= apart {
            return None;
        }
        self.last_dec = now;
        self.dec_rtt = self.base_rtt;
        Some(self.cwnd * (0.8 * (target - average) / average).max(-0.5))
    }

    fn quick_adapt(&mut self, now: f64, loss: bool, marked: bool, delay: f64) -> bool {
        let mut result = false;
        if self.ignored < self.to_ignore && marked {
            result = true;
        } else if self.qa_end.is_none_or(|end| now >= end) {
            let bad = self.trigger || loss || delay > self.times.qa_threshold as f64 && !self.link.trim;
            if self.qa_end.is_some() && bad && self.achieved < self.max_wnd / 8.0 {
                self.cwnd = self.achieved.max(self.link.mtu);
                self.sets += 1;
                self.to_ignore = self.inflight;
                self.ignored = 0.0;
                self.trigger = false;
                result = true;
            }
            self.achieved = 0.0;
            self.qa_end = Some(now + self.base_rtt + self.times.target as f64);
        }
        if result {
            self.inc_bytes = 0.0;
            self.received = 0.0;
        }
        result
    }

    pub fn on_nack(&mut self, now: f64, reason: u64, size: f64, rtt: Option<f64>) {
        self.inflight -= size;
        if let Some(rtt) = rtt {
            self.update_base_rtt(rtt);
        }
        if reason == 1 || reason == 2 {
            self.update_delay(self.times.config_base_rtt as f64);
            self.ignored += size;
            self.trigger = true;
            if !self.quick_adapt(now, true, true, 0.0) {
                self.cwnd = (self.cwnd - size).max(self.link.mtu);
            }
        }
    }

    pub fn on_loss(&mut self, size: f64) {
        self.cwnd = (self.cwnd - size).max(self.link.mtu);
        self.ignored += size;
        self.inflight -= size;
    }
}

/// What a trace has shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apart {
    /// Comparisons.
    pub compared: u64,
    /// Those more than one MTU apart.
    pub above: u64,
    /// The largest distance in bytes.
    pub most: f64,
    /// The same after fast increase has begun or ended one ACK apart, as windows were some bytes apart: *fi_count* was above
    /// one of them only. It is not counted above.
    pub split: u64,
    pub most_split: f64,
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
            split: self.split + other.split,
            most_split: self.most_split.max(other.most_split),
            sum: self.sum + other.sum,
            bias: self.bias + other.bias,
            adjustments: self.adjustments + other.adjustments,
            quick_adapts: self.quick_adapts + other.quick_adapts,
        }
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
    // Cycles and their time in units.
    let mut cycle = 100_u64;
    let time = |cycle: u64| (u128::from(cycle) * u128::from(settings.tick) >> 16) as u64;
    let adjust = |table: &mut Table, real: &mut Sender, cycle: u64| {
        while table.next_adjustment().is_some_and(|due| due <= cycle) {
            table.adjust();
        }
        real.at(cycle);
    };
    let between = (4.0 * 4160.0 * 8.0 / link.gbps * link.mhz / 1000.0) as u64;
    let mut queue = 0.0_f64;
    let mut drift = 0.0;
    let mut slow = 1;
    // rcvd_bytes is a sum that is rounded, so that what is rounded does not add up.
    let mut received = 0_u64;
    let mut is_split = false;
    let mut left = events;
    while left > 0 {
        // The sender fills its window.
        table.step(cycle, 0, &Event::Data(Data { ccc: 0, bytes: 4160 }));
        while table.ccc(0).limit >= 0 && table.ccc(0).inflight_pkts < 2000 {
            table.step(cycle, 0, &Event::Send(Send { size: 4160, packet: true, ..Send::default() }));
            table.step(cycle, 0, &Event::Data(Data { ccc: 0, bytes: 4160 }));
            real.on_send(4160.0);
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
            left -= 1;
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
                continue;
            }
            let at = now as f64;
            if pick < 4 && queue > 100.0 || pick == 0 {
                table.step(cycle, now % (1 << 20), &Event::Loss(Loss { ccc: 0, size: 4160 }));
                real.on_loss(4160.0);
            } else if pick < 12 && queue > 150.0 || pick == 1 {
                let reason = 1 + pick % 2;
                let nack = Ack { kind: kind::NACK, reason, size: 4160, ..ack };
                table.step(cycle, now % (1 << 20), &Event::Ack(nack));
                real.on_nack(at, reason, 4160.0, Some(rtt as f64));
            } else {
                let packets = packets.min(1 + rng.below(7));
                let before = received.div_ceil(256);
                received += 4160 * packets;
                let quanta = received.div_ceil(256) - before;
                let marked = queue > 80.0 && rng.below(10) > 0 || queue > 30.0 && rng.below(4) == 0;
                let pend = if penalties && pick > 985 { rng.below(128) } else { 0 };
                let restore = rng.below(3) == 0;
                let timed = pick != 500;
                let ack = Ack { quanta, packets, marked, pend, restore, timed, ..ack };
                table.step(cycle, now % (1 << 20), &Event::Ack(ack));
                real.on_ack(at, (256 * quanta) as f64, marked, timed.then_some(rtt as f64), pend, restore);
            }
            is_split |= table.ccc(0).increase != real.increase;
            // What is lost is sent again, or forgotten.
            if table.ccc(0).waiting_rtx > 0 {
                let again = Send { size: 4160, packet: true, retransmission: true, ..Send::default() };
                table.step(cycle, 0, &Event::Send(again));
                real.on_send(4160.0);
            }
            if table.ccc(0).inflight_pkts == 0 {
                real.nothing_in_flight();
            }
        }
        let gap = (between / 2 + rng.below(between)) * slow;
        cycle += if bursts { gap } else { gap.max(128) };
        adjust(&mut table, &mut real, cycle);
        if !table.is_adjusting() {
            let cwnd = table.ccc(0).cwnd as f64;
            let distance = (cwnd - real.cwnd).abs();
            apart.compared += 1;
            let far = distance > link.mtu;
            is_split &= far || table.ccc(0).increase != real.increase;
            if is_split {
                apart.split += u64::from(far);
                apart.most_split = apart.most_split.max(distance);
            } else {
                apart.above += u64::from(far);
                apart.most = apart.most.max(distance);
            }
            apart.sum += distance / real.cwnd;
            apart.bias += (cwnd - real.cwnd) / real.cwnd;
        }
    }
    assert_eq!(table.counters().excess_acks + table.counters().excess_sends, 0, "no event is refused");
    apart.adjustments = table.counters().adjustments;
    apart.quick_adapts = table.counters().quick_adapts;
    apart
}
