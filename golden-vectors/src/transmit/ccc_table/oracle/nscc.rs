// SPDX-License-Identifier: MIT OR Apache-2.0
//! NSCC: RTT and delay, quick adapt, the window, and what needs a division.

use super::adjustment::Adjustment;
use super::ccc::{Ccc, Moment};
use super::settings::sat28;
use super::{Ack, Counters, Event, Loss, Settings, kind, nack};

/// The four combinations of mark and delay (U31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quadrant {
    Proportional,
    Fair,
    None,
    Decrease,
}

/// What quick adapt does with a pass (C16, C17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adapt {
    /// It goes on.
    Passes,
    /// It stops, and changes nothing more.
    Swallowed,
    /// It stops, and sets the window.
    Fires { window: u64 },
}

impl Ccc {
    /// C12 to C24, with NSCC.
    pub fn congestion(&mut self, event: &Event, moment: &Moment<'_>, counters: &mut Counters) -> Option<Adjustment> {
        match event {
            Event::Ack(ack) if ack.kind == kind::ACK => self.ack(ack, moment, counters),
            Event::Ack(ack) if ack.kind == kind::NACK => {
                self.nack(ack, moment, counters);
                None
            }
            Event::Loss(Loss { size, .. }) => {
                // C15, C18d.
                self.ignore = self.ignore.saturating_sub(*size);
                self.lose(*size, moment.settings);
                None
            }
            _ => None,
        }
    }

    fn ack(&mut self, ack: &Ack, moment: &Moment<'_>, counters: &mut Counters) -> Option<Adjustment> {
        let settings = moment.settings;
        let new = ack.quanta << 8;
        let delay = self.sample(ack, settings, counters);
        if let Some(delay) = delay {
            self.filter(delay, moment);
        }
        // C15.
        self.ignore = self.ignore.saturating_sub(new);
        self.achieved = sat28(self.achieved + new);
        let adapt = match delay {
            Some(delay) => self.quick_adapt(ack.marked, false, delay, moment, counters),
            None => Adapt::Passes,
        };
        let quadrant =
            delay.filter(|_| adapt == Adapt::Passes).map(|delay| match (ack.marked, delay < settings.target) {
                (false, true) => Quadrant::Proportional,
                (false, false) => Quadrant::Fair,
                (true, true) => Quadrant::None,
                (true, false) => Quadrant::Decrease,
            });
        let delay = delay.unwrap_or(0);
        // C19.
        let restores = ack.pend == 0 && ack.restore && self.is_saved;
        // C18e.
        let small = delay < settings.small_delay;
        let counted = sat28(self.fi_count + new);
        let grows = quadrant == Some(Quadrant::Proportional) && ack.pend == 0;
        let fast = grows && small && (self.increase || !restores && counted > self.cwnd);
        // C18.
        let before = self.cwnd;
        if let Adapt::Fires { window } = adapt {
            self.set(window);
        } else if ack.pend > 0 {
            let window = (before as i64).min(self.inflight) - (2 * ack.pend * ack.quanta) as i64;
            self.cwnd = window.max(settings.mtu as i64) as u64;
        } else if restores {
            self.set(self.saved);
        } else if fast {
            let max_wnd = settings.max_wnd(self.base_rtt);
            self.cwnd = (before + settings.fi_scale * ack.quanta).min(max_wnd);
        }
        // C19.
        if ack.pend > 0 && !self.is_saved {
            (self.saved, self.is_saved) = (before, true);
        } else if restores {
            self.is_saved = false;
        }
        if grows {
            self.fi_count = if small { counted } else { 0 };
            self.increase = fast;
        } else if quadrant == Some(Quadrant::Decrease) {
            self.fi_count = 0;
            self.increase = false;
        }
        // C21.
        self.received = sat28(self.received + new);
        let Some(quadrant) = quadrant else {
            if adapt != Adapt::Passes {
                self.clear();
            }
            return None;
        };
        // C22.
        if ack.pend == 0 && !fast {
            let more = match quadrant {
                Quadrant::Fair => settings.fi * new,
                Quadrant::Proportional => settings.alpha * ack.quanta * (settings.target - delay),
                Quadrant::None | Quadrant::Decrease => 0,
            };
            self.inc_bytes = (self.inc_bytes + more).min((1 << 36) - 1);
        }
        self.adjustment(quadrant, moment)
    }

    fn nack(&mut self, ack: &Ack, moment: &Moment<'_>, counters: &mut Counters) {
        let settings = moment.settings;
        self.sample(ack, settings, counters);
        let trimmed = matches!(ack.reason, nack::TRIMMED | nack::TRIMMED_LASTHOP);
        if !trimmed {
            return;
        }
        self.filter(settings.config_base_rtt, moment);
        // C15.
        self.ignore = self.ignore.saturating_sub(ack.size);
        let cuts = ack.reason == nack::TRIMMED || !self.rccc;
        if !cuts {
            return;
        }
        self.trigger = true;
        // C16 to C18, C21.
        match self.quick_adapt(true, true, 0, moment, counters) {
            Adapt::Passes => self.lose(ack.size, settings),
            Adapt::Swallowed => self.clear(),
            Adapt::Fires { window } => {
                self.set(window);
                self.clear();
            }
        }
    }

    /// C12 and C13. Returns *delay* of a sample.
    fn sample(&mut self, ack: &Ack, settings: &Settings, counters: &mut Counters) -> Option<u64> {
        let first = ack.rtx_count == 0 && !ack.retx;
        let second = ack.rtx_count == 1 && ack.retx;
        let is_ack = ack.kind == kind::ACK;
        let service = if is_ack { ack.service } else { 0 };
        if !ack.timed || !(first || second) || is_ack && service == 65_535 {
            return None;
        }
        let rtt = ack.arrived.wrapping_sub(ack.stamp + service) % (1 << 20);
        if rtt >= 1 << 19 {
            counters.bad_times += 1;
            return None;
        }
        let rtt = rtt.clamp(1, 65_535);
        self.base_rtt = self.base_rtt.min(rtt.max(settings.rtt_floor));
        Some(rtt.saturating_sub(self.base_rtt))
    }

    /// C14.
    fn filter(&mut self, delay: u64, moment: &Moment<'_>) {
        self.filtered = self.filtered - (self.filtered >> moment.shape.delay_shift) + delay;
    }

    /// C16.
    fn quick_adapt(
        &mut self,
        marked: bool,
        loss: bool,
        delay: u64,
        moment: &Moment<'_>,
        counters: &mut Counters,
    ) -> Adapt {
        let settings = moment.settings;
        if !settings.qa_enable {
            return Adapt::Passes;
        }
        if marked && self.ignore > 0 {
            return Adapt::Swallowed;
        }
        if self.qa_started && !moment.reached(self.qa_end) {
            return Adapt::Passes;
        }
        let bad = loss || self.trigger || delay > settings.qa_threshold;
        let little = self.achieved < settings.max_wnd(self.base_rtt) >> settings.qa_gate;
        let adapt = if self.qa_started && bad && little {
            counters.quick_adapts += 1;
            self.ignore = self.inflight.max(0) as u64;
            self.trigger = false;
            Adapt::Fires { window: self.achieved.max(settings.mtu) }
        } else {
            Adapt::Passes
        };
        self.achieved = 0;
        self.qa_started = true;
        self.qa_end = moment.after((self.base_rtt + settings.target).min(65_535));
        adapt
    }

    /// C18d.
    fn lose(&mut self, size: u64, settings: &Settings) {
        self.cwnd = self.cwnd.saturating_sub(size).max(settings.mtu);
    }

    /// C18a, C18c: adjustments under way are void.
    fn set(&mut self, window: u64) {
        self.cwnd = window;
        self.sets = (self.sets + 1) % 64;
    }

    /// C21, if the pass stops.
    fn clear(&mut self) {
        self.inc_bytes = 0;
        self.received = 0;
    }

    /// C23 and C24.
    fn adjustment(&mut self, quadrant: Quadrant, moment: &Moment<'_>) -> Option<Adjustment> {
        let settings = moment.settings;
        let on_time = moment.reached(self.adjust_end);
        let due = on_time || self.received > settings.adjust_bytes;
        if on_time {
            self.adjust_end = moment.after(settings.adjust_period);
        }
        if due {
            self.received = 0;
        }
        let over = self.filtered.saturating_sub(settings.target << moment.shape.delay_shift);
        if quadrant == Quadrant::Decrease && over > 0 && moment.reached(self.decrease_end) {
            self.decrease_end = moment.after((self.base_rtt + 1).min(65_535));
            let cut = (256 * settings.gamma * over / self.filtered).min(256 * settings.max_cut);
            return Some(Adjustment::Down { by: (self.cwnd * cut) >> 16, then_up: due.then_some(on_time) });
        }
        due.then(|| self.fulfil(on_time, settings))
    }

    /// C24: what *inc_bytes* makes of the window.
    fn fulfil(&mut self, on_time: bool, settings: &Settings) -> Adjustment {
        let share = (self.inc_bytes / self.cwnd).min((1 << 24) - 1);
        self.inc_bytes = 0;
        Adjustment::Up(share + if on_time { settings.eta } else { 0 })
    }

    /// An adjustment takes effect. Returns the one that it starts.
    pub fn adjust(&mut self, adjustment: Adjustment, settings: &Settings) -> Option<Adjustment> {
        match adjustment {
            Adjustment::Up(up) => {
                self.cwnd = (self.cwnd + up).min(settings.max_wnd(self.base_rtt));
                None
            }
            Adjustment::Down { by, then_up } => {
                self.cwnd = self.cwnd.saturating_sub(by).max(settings.mtu);
                then_up.map(|on_time| self.fulfil(on_time, settings))
            }
        }
    }
}
