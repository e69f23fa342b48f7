// SPDX-License-Identifier: MIT OR Apache-2.0
//! All modes but the bitmap, beside the walk: they choose an EV in steps `l` + 1 and `l` + 2, and it is granted in step
//! `l` + 5 in place of the walk's.
//!
//! A reset ends nothing that is under way in their tables, as it does not end the callers: see [`Caller::valid`].

use super::EntropySelectorConfig;
use super::modes::mode;
use super::ports::Settings;
use super::recycle::Recycler;
use super::request::{Caller, Heard, Other, Others};
use super::ring::RingRequests;
use super::rounds::Rounds;
use super::single_path::SinglePath;
use crate::clock::Clock;
use crate::update::Ask;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, name_nets, select};

/// A request in step `l` + 5, and before it.
#[derive(Bundle)]
struct Chosen<L: Reading> {
    /// It has an EV.
    ready: Bits<L>,
    ev: Bits<L>,
    /// It gets one out of the ring.
    ring: Bits<L>,
    /// Its mode is one with a bitmap.
    marks: Bits<L>,
}

/// The modes.
#[name_nets]
pub struct OtherModes<L: Logic> {
    config: EntropySelectorConfig,
    clock: Clock<L>,
    /// Steps `l` + 1 and `l` + 2.
    callers: [Reg<Caller<L>>; 2],
    rounds: Option<Rounds<L>>,
    ring: Option<(RingRequests<L>, Recycler<L>)>,
    single_path: Option<SinglePath<L>>,
    /// Step `l` + 1 of feedback.
    heard: Reg<Heard<L>>,
    /// Step `l` + 6 of feedback.
    told: Delay<Heard<L>>,
    /// Steps `l` + 3 and `l` + 4.
    holds: [Reg<Bits<L>>; 2],
    /// Step `l` + 5.
    chosen: Delay<Chosen<L>>,
}

#[name_nets]
impl<L: Logic> OtherModes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, latency, modes) = (bits(1), config.ram_latency, config.modes);
        let chosen = Chosen { ready: flag, ev: bits(config.ev_bits()), ring: flag, marks: flag };
        OtherModes {
            config,
            clock: Clock::new(),
            callers: [1, 2].map(|i| Reg::numbered(latency + i, &config.caller())),
            rounds: modes.draw().then(|| Rounds::new(config)),
            ring: modes.recycle().then(|| (RingRequests::new(config), Recycler::new(config))),
            single_path: modes.has(mode::SINGLE_PATH).then(|| SinglePath::new(config)),
            heard: Reg::new(&config.heard()),
            told: Delay::new(&config.heard(), 5),
            holds: [3, 4].map(|i| Reg::numbered(latency + i, &flag)),
            chosen: Delay::new(&chosen, 3),
        }
    }

    /// What they say to the walk.
    pub fn others(&self) -> Others<L> {
        let Chosen { ready, ev, ring, marks } = self.chosen.get();
        let ev = match &self.ring {
            Some((requests, _)) => select(ring, requests.ev(), ev),
            None => ev,
        };
        Others { holds: self.holds[1].get(), other: Other { valid: ready | ring, ev }, moves: marks }
    }

    /// The feedback in step `l` + 6.
    pub fn told(&self) -> Heard<L> {
        self.told.get()
    }

    /// One cycle. `asked` are the requests in steps 0 and 1, `arrives` the caller in step `l`; `answered` is the feedback
    /// in step 0, `heard` that in step `l`.
    pub fn clock(
        &self,
        asked: [Ask<L>; 2],
        arrives: Caller<L>,
        answered: Ask<L>,
        heard: Heard<L>,
        settings: Settings<L>,
    ) {
        let (time, told, heard_1) = (self.clock.time(), self.told.get(), self.heard.get());
        let [caller_1, caller_2] = Reg::get_all(&self.callers);
        let none = Bits::lit(1, 0);
        let is = |mode: u64| caller_2.way.is(mode);

        let (mut ring, mut holds) = (none, none);
        let mut draws = is(mode::OBLIVIOUS) | is(mode::COUNTER);
        if let Some((requests, recycler)) = &self.ring {
            let served = requests.served();
            ring = caller_2.valid & served.ring;
            holds = ring & is(mode::MIXED);
            draws = served.draws;
            let popped = requests.popped();
            requests.clock(asked[0], [arrives, caller_1, caller_2], settings.explore, recycler.told());
            let pops = Ask { valid: caller_2.valid, key: caller_2.ccc };
            recycler.clock(answered, heard, heard_1, pops, popped, settings.freeze, time);
        } else {
            settings.explore.ignore();
            settings.freeze.ignore();
        }
        let (mut ready, mut ev) = (none, Bits::lit(self.config.ev_bits(), 0));
        if let Some(single_path) = &self.single_path {
            (ready, ev) = (is(mode::SINGLE_PATH), single_path.ev());
            single_path.clock(asked[0], arrives, caller_1, told, settings, time);
        } else {
            settings.idle.ignore();
            settings.reroute.ignore();
        }
        if let Some(rounds) = &self.rounds {
            let drawn = rounds.clock(asked[1], caller_1, caller_2, draws, settings.seed);
            (ready, ev) = (ready | draws, select(draws, drawn, ev));
        } else {
            settings.seed.ignore();
        }
        self.chosen.shift(Chosen { ready: caller_2.valid & ready, ev, ring, marks: caller_2.way.marks() });
        self.holds[1].set(self.holds[0].get());
        self.holds[0].set(holds);
        self.callers[1].set(caller_1);
        self.callers[0].set(arrives);
        self.told.shift(heard_1);
        self.heard.set(heard);
        self.clock.clock();
    }
}
