// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sub-path: its packets, and the effect of feedback on its weight and state (T12 to T14, T23 to T25, T27, T28, T30).

use super::follow::Follow;
use super::hold::Hold;
use super::load::Load;
use super::{Causes, Feedback, Granularity, Kind, Settings, Shape, State};

/// Largest value of the count of GOOD (T13).
const GOODS: u64 = 63;
/// Largest value of the count of losses (T14).
const LOST: u64 = 7;
/// Largest value of the count of steps (T13).
const STEPS: u64 = 7;

/// By how much a weight rises or falls (T13).
fn eighth(weight: u64) -> u64 {
    1.max(weight / 8)
}

/// What a feedback says, and when (T12).
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    pub kind: Kind,
    /// The kind, slow or not.
    said: Kind,
    pub slow: bool,
    pub bandwidth: u64,
    /// The time (T23).
    pub time: u64,
    /// The settings that are applied to it (T14).
    pub settings: Settings,
    /// Of a QP with one path (T33).
    single: bool,
}

impl Heard {
    /// T12: `delay` is the setting of the cycle of the effect.
    pub fn new(feedback: Feedback, delay: u64, time: u64, settings: Settings) -> Self {
        let slow = delay != 0 && feedback.rtt > delay;
        let said = Kind::of(feedback.kind);
        let kind = match said {
            Kind::Good if slow => Kind::Ecn,
            kind => kind,
        };
        Heard { kind, said, slow, bandwidth: feedback.bandwidth, time, settings, single: false }
    }

    /// The same, of a QP with this granularity.
    pub fn of(self, granularity: Granularity) -> Self {
        Heard { single: granularity == Granularity::Single, ..self }
    }

    /// T32: a mark that is a notification.
    pub fn notifies(self) -> bool {
        self.kind == Kind::Mark && self.bandwidth != 0
    }

    /// A step halves the weight and the window.
    fn halves(self) -> bool {
        self.kind == Kind::Nack || self.notifies()
    }
}

/// A sub-path since reset.
#[derive(Debug, Default)]
pub struct SubPath {
    pub state: State,
    pub load: Load,
    pub follow: Follow,
    /// Weight of an active or a probed sub-path.
    weight: u64,
    pub limit: u64,
    good: u64,
    /// Packets lost since one has arrived.
    lost: u64,
    /// Spares the sub-path from the first of them on.
    grace: Hold,
    steps: u64,
    hold: Hold,
    pub congested: bool,
    pub avoided: bool,
    /// True if the sub-path has failed by itself and no command has addressed it since (T14, T17).
    pub unseen: bool,
    /// True if it was reported as saturated since the last command that addressed it (T25).
    pub reported: bool,
}

impl SubPath {
    /// T4.
    pub const fn weight(&self) -> u64 {
        match self.state {
            State::Active => self.weight,
            _ => 0,
        }
    }

    /// The weight in a response (T17).
    pub const fn told_weight(&self) -> u64 {
        match self.state {
            State::Active | State::Probed => self.weight,
            _ => 0,
        }
    }

    /// T15: whether this sub-path takes such feedback in this cycle.
    pub fn takes(&self, shape: Shape, effect: u64, kind: Kind) -> bool {
        match kind {
            Kind::Answer => matches!(self.state, State::Probing | State::Probed | State::Active),
            Kind::Mark => self.state == State::Active,
            Kind::Arrived => self.state != State::Absent,
            _ => self.state != State::Absent && self.load.in_flight(shape, effect) > 0,
        }
    }

    /// T12: feedback that this sub-path takes. Returns the causes that it alone can tell (T25).
    pub fn feedback(&mut self, shape: Shape, effect: u64, window: u64, heard: Heard) -> Causes {
        let mut causes = Causes::default();
        let in_flight = self.load.in_flight(shape, effect);
        if !matches!(heard.kind, Kind::Answer | Kind::Mark | Kind::Arrived) {
            if self.state == State::Active && self.load.full(shape, effect) && !self.reported {
                causes.saturated = true;
                self.reported = true;
            }
            self.load.answer(shape, effect, window);
        }
        match self.state {
            // T28.
            _ if heard.kind == Kind::Return => {}
            State::Active => {
                let avoided = self.avoided;
                self.hold.pass(heard.time);
                let halves = heard.halves() && !self.hold.is_on();
                self.follow.hear(shape, &heard.settings, heard.said, halves, in_flight);
                self.rate(heard);
                causes.congested = self.avoided && !avoided;
                self.count_lost(heard);
                causes.failed = self.state == State::Failed;
            }
            State::Probing | State::Probed => self.probed(heard),
            _ => {}
        }
        causes
    }

    /// T13 and T23.
    fn rate(&mut self, heard: Heard) {
        let Heard { kind, slow, time, settings, .. } = heard;
        let kind = if kind == Kind::Answer && slow { Kind::Ecn } else { kind };
        match kind {
            Kind::Good => {
                self.good = GOODS.min(self.good + 1);
                if settings.raise != 0 && self.good >= settings.raise {
                    self.weight = self.limit.min(self.weight + eighth(self.weight));
                    self.recover();
                }
                return;
            }
            Kind::Answer => return self.recover(),
            Kind::Return | Kind::Arrived => return,
            Kind::Ecn | Kind::Nack | Kind::Timeout | Kind::Mark => {}
        }
        self.good = 0;
        self.congested = true;
        let step = !self.hold.is_on();
        self.weight = match kind {
            Kind::Timeout => 1,
            _ if step && heard.halves() => self.weight.div_ceil(2),
            _ if step => 1.max(self.weight - eighth(self.weight)),
            _ => self.weight,
        };
        self.avoided |= settings.migrate != 0 && kind == Kind::Timeout;
        if step {
            self.hold.begin(time, settings.rtt);
            self.steps = STEPS.min(self.steps + 1);
            self.avoided |= settings.migrate != 0 && self.steps >= settings.migrate;
        }
    }

    /// T13.
    fn recover(&mut self) {
        (self.good, self.steps, self.congested, self.avoided) = (0, 0, false, false);
    }

    /// T14.
    fn count_lost(&mut self, Heard { kind, time, settings, single, .. }: Heard) {
        if !matches!(kind, Kind::Nack | Kind::Timeout) {
            self.lost = 0;
            return;
        }
        // A path that is alive delivers a packet in this time.
        let mut spared = settings.fail_time == 0;
        if self.lost == 0 {
            self.grace.spare(time, settings.fail_time);
            spared = true;
        } else {
            spared |= self.grace.at(time);
        }
        self.lost = LOST.min(self.lost + 1);
        let may = kind == Kind::Timeout || !spared;
        if may && settings.fail != 0 && self.lost >= settings.fail && !single {
            self.state = State::Failed;
            self.unseen = true;
        }
    }

    /// T24.
    fn probed(&mut self, Heard { kind, slow, bandwidth, .. }: Heard) {
        if kind == Kind::Answer {
            let weight = if slow { bandwidth / 2 } else { bandwidth };
            (self.state, self.weight, self.congested) = (State::Probed, weight.max(1).min(self.limit), slow);
        }
    }

    /// T17: a new sub-path without any history.
    pub fn add(&mut self, limit: u64) {
        (self.state, self.limit, self.weight) = (State::Probing, limit, 0);
        self.begin();
    }

    /// T17: one that has failed is to be probed again.
    pub fn retry(&mut self) {
        self.state = State::Probing;
        self.begin();
    }

    /// T17: `forced` is the weight, if it is not that of the probe's answer.
    pub fn start(&mut self, shape: Shape, initial: u64, forced: Option<u64>) {
        self.state = State::Active;
        self.follow.start(shape, initial);
        self.weight = forced.map_or(self.weight, |weight| weight.min(self.limit));
        self.begin();
    }

    /// T22: packets were lost, and none has arrived since.
    pub const fn is_losing(&self) -> bool {
        self.lost > 0
    }

    /// T17: no counts, no flags.
    fn begin(&mut self) {
        self.recover();
        (self.lost, self.hold) = (0, Hold::default());
    }

    /// T17.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.weight = self.weight.min(limit);
    }
}
