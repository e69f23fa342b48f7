// SPDX-License-Identifier: MIT OR Apache-2.0
//! NSCC as the pseudocode has it, with real numbers (uet.md 2). Times are those of the oracle, in units, and so is the filter
//! of the delay, which the pseudocode leaves to the implementer.

use golden_vectors::ccc_table::oracle::{Link, Settings};
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
    pub increase: bool,
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
        while self.due.front().is_some_and(|due| due.cycle <= cycle)
            && let Some(due) = self.due.pop_front()
        {
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
