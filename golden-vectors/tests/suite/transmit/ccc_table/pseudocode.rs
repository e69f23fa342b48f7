// SPDX-License-Identifier: MIT OR Apache-2.0
//! NSCC as the pseudocode has it, with real numbers (uet.md 2). Times are those of the oracle, in units, and so is the filter
//! of the delay, which the pseudocode leaves to the implementer. Beside the window it keeps how far rounding may have taken that
//! of the oracle from it, by the formats of the page.

use super::near::Near;
use golden_vectors::transmit::ccc_table::oracle::{Link, Settings};
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
    change: Near,
    /// An increase follows: on time, or not.
    then_up: Option<bool>,
}

/// What an ACK says.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    pub new: f64,
    pub marked: bool,
    pub rtt: Option<f64>,
    pub pend: u64,
    pub restore: bool,
    /// Whether fast increase goes on in the oracle after this ACK. Where rounding decides whether *fi_count* is above *cwnd*, it
    /// goes on here too. `None` if windows differ by more than rounding.
    pub oracle: Option<bool>,
}

/// ACKs in which *fi_count* was above the window of the oracle only, or above that of the pseudocode only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partings {
    pub number: u64,
    /// How far *fi_count* was from *cwnd* at most, in bytes.
    pub most: f64,
    /// Those further apart than rounding can take the windows.
    pub unexplained: u64,
}

impl Partings {
    /// Both.
    pub fn and(self, other: Partings) -> Partings {
        Partings {
            number: self.number + other.number,
            most: self.most.max(other.most),
            unexplained: self.unexplained + other.unexplained,
        }
    }
}

/// A sender of 3.6.13 with real numbers. Times are in units of 128 ns.
pub struct Sender {
    reading: Reading,
    link: Link,
    /// Those that are times, and what the stage alone has.
    times: Settings,
    cwnd: Near,
    /// How far the windows may have been apart when no adjustment was under way for the last time.
    apart: f64,
    max_wnd: f64,
    inflight: f64,
    saved: Option<Near>,
    inc_bytes: Near,
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
    pub partings: Partings,
}

impl Sender {
    pub fn new(reading: Reading, link: Link, times: Settings, now: f64) -> Self {
        let base_rtt = times.config_base_rtt as f64;
        let wnd = 1.5 * link.gbps * link.rtt_us * 125.0;
        Sender {
            reading,
            link,
            times,
            cwnd: Near::exact(wnd),
            apart: 0.0,
            max_wnd: wnd,
            inflight: 0.0,
            saved: None,
            inc_bytes: Near::default(),
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
            partings: Partings::default(),
        }
    }

    /// The window.
    pub const fn cwnd(&self) -> f64 {
        self.cwnd.value
    }

    /// How far rounding may have taken the window of the oracle from it.
    pub fn bound(&self) -> f64 {
        self.cwnd.bound(self.apart)
    }

    /// The clock cycle of the next event. Adjustments before it have theirs.
    pub fn at(&mut self, cycle: u64) {
        while self.due.front().is_some_and(|due| due.cycle <= cycle)
            && let Some(due) = self.due.pop_front()
        {
            self.cycle = due.cycle;
            if due.sets == self.sets {
                self.change(due.change);
                if let Some(on_time) = due.then_up {
                    self.fulfil(on_time);
                }
            }
        }
        self.cycle = cycle;
        if self.due.is_empty() {
            let apart = self.bound();
            self.saved = self.saved.map(|saved| Near { common: 0.0, own: saved.bound(self.apart), ..saved });
            self.cwnd = Near { common: 1.0, own: 0.0, ..self.cwnd };
            self.apart = apart;
        }
    }

    /// The window changes by so much.
    fn change(&mut self, change: Near) {
        let cwnd = self.cwnd.and(change);
        self.cwnd = if change.value < 0.0 {
            cwnd.at_least(self.link.mtu, self.apart)
        } else {
            cwnd.at_most(self.max_wnd, self.apart)
        };
    }

    /// The window changes by so much, and then increases, on time or not: now or later.
    fn adjust(&mut self, change: Near, then_up: Option<bool>) {
        if self.reading == Reading::Late {
            self.due.push_back(Due { cycle: self.cycle + 64, sets: self.sets, change, then_up });
            return;
        }
        self.change(change);
        if let Some(on_time) = then_up {
            self.fulfil(on_time);
        }
    }

    /// The window becomes smaller by so much.
    fn lose(&mut self, size: f64) {
        self.cwnd = self.cwnd.plus(-size).at_least(self.link.mtu, self.apart);
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

    pub fn on_ack(&mut self, now: f64, ack: &Feedback) {
        let Feedback { new, marked, rtt, pend, restore, oracle } = *ack;
        let mtu = self.link.mtu;
        self.inflight -= new;
        self.ignored += new;
        self.received += new;
        self.achieved += new;
        // apply_cwnd_penalty.
        let mut restored = false;
        if pend > 0 {
            self.saved.get_or_insert(self.cwnd);
            self.cwnd = self.cwnd.at_most(self.inflight, self.apart);
            self.lose(pend as f64 * new / 128.0);
        } else if restore && let Some(saved) = self.saved.take() {
            self.cwnd = saved;
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
            (false, true) if pend == 0 => self.increase_by(5.0 * mtu * self.a(), self.times.fi as f64, new),
            (false, false) if pend == 0 => self.proportional_increase(new, delay, restored, oracle),
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

    /// *inc_bytes* grows by so many bytes times a factor, which the oracle has rounded.
    fn increase_by(&mut self, factor: f64, rounded: f64, bytes: f64) {
        let more = Near::exact(factor * bytes).within((rounded - factor).abs() * bytes);
        self.inc_bytes = self.inc_bytes.and(more);
        assert!(self.inc_bytes.value < f64::from(1 << 30) * 64.0, "inc_bytes of the oracle saturates");
    }

    /// fulfill_adjustment.
    fn fulfil(&mut self, on_time: bool) {
        let (wanted, rounded) =
            if on_time { (0.15 * self.link.mtu * self.a(), self.times.eta as f64) } else { (0.0, 0.0) };
        let Near { value: bytes, own: off, .. } = std::mem::take(&mut self.inc_bytes);
        let (cwnd, bound) = (self.cwnd.value, self.bound());
        // With windows c and c + n: b / (c + n) = b / c - n x b / c^2 + n^2 x b / (c^2 x (c + n)).
        let slope = bytes / (cwnd * cwnd);
        let least = (cwnd - bound).max(self.link.mtu);
        let curve = slope * bound * bound / least;
        // The quotient is rounded down.
        let more = curve + off / least + 1.0 + (rounded - wanted).abs();
        let moved = self.cwnd.times(-slope).within(more);
        self.adjust(Near { value: bytes / cwnd + wanted, ..moved }, None);
    }

    fn proportional_increase(&mut self, new: f64, delay: f64, restored: bool, oracle: Option<bool>) {
        if delay < self.times.small_delay as f64 {
            self.fi_count += new;
            if self.begins(restored, oracle) || self.increase {
                if !restored {
                    self.cwnd = self.cwnd.plus(new * 0.25 * self.a()).at_most(self.max_wnd, self.apart);
                }
                self.increase = true;
                return;
            }
        } else {
            self.fi_count = 0.0;
        }
        self.increase = false;
        let alpha = 4.0 * self.a() * self.link.mtu / (12_000.0 / 128.0);
        let rounded = self.times.alpha as f64 / 256.0;
        self.increase_by(alpha, rounded, new * (self.times.target as f64 - delay));
    }

    /// Whether *fi_count* is above the window, or above that of the oracle if rounding decides it.
    fn begins(&mut self, restored: bool, oracle: Option<bool>) -> bool {
        let begins = self.fi_count > self.cwnd.value && !restored;
        let Some(oracle) = oracle.filter(|oracle| *oracle != begins && !self.increase) else { return begins };
        let distance = (self.fi_count - self.cwnd.value).abs();
        let unexplained = restored || distance > self.bound();
        self.partings = self.partings.and(Partings { number: 1, most: distance, unexplained: unexplained.into() });
        if unexplained { begins } else { oracle }
    }

    /// By how much the window changes, if it does.
    fn multiplicative_decrease(&mut self, now: f64) -> Option<Near> {
        let (average, target) = (self.average(), self.times.target as f64);
        let apart = if self.reading >= Reading::Page { self.dec_rtt } else { self.base_rtt };
        if average <= target || now - self.last_dec <= apart {
            return None;
        }
        self.last_dec = now;
        self.dec_rtt = self.base_rtt;
        let part = (average - target) / average;
        let cut = (0.8 * part).min(0.5);
        // gamma has 8 fraction bits, the quotient 16; the product is rounded down.
        let off = (self.times.gamma as f64 / 256.0 - 0.8).abs() * part + 1.0 / 65_536.0;
        Some(self.cwnd.times(-cut).within((self.cwnd.value + self.bound()) * off + 1.0))
    }

    fn quick_adapt(&mut self, now: f64, loss: bool, marked: bool, delay: f64) -> bool {
        let mut result = false;
        if self.ignored < self.to_ignore && marked {
            result = true;
        } else if self.qa_end.is_none_or(|end| now >= end) {
            let bad = self.trigger || loss || delay > self.times.qa_threshold as f64 && !self.link.trim;
            if self.qa_end.is_some() && bad && self.achieved < self.max_wnd / 8.0 {
                self.cwnd = Near::exact(self.achieved.max(self.link.mtu));
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
            self.inc_bytes = Near::default();
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
                self.lose(size);
            }
        }
    }

    pub fn on_loss(&mut self, size: f64) {
        self.lose(size);
        self.ignored += size;
        self.inflight -= size;
    }
}
