// SPDX-License-Identifier: MIT OR Apache-2.0
//! All modes except `bitmap`, beside the walk: they choose an EV in steps `l` + 1 and `l` + 2, and it replaces the EV
//! of the walk in step `l` + 5.
//!
//! A reset does not cancel accesses to their tables, as it does not cancel admitted requests: see
//! [`AdmittedRequest::valid`].

use super::config::EntropySelectorConfig;
use super::modes::mode;
use super::ports::Settings;
use super::request::{AdmittedFeedback, AdmittedRequest, EvOverride, WalkOverride};
use super::ring_drain::RingDrain;
use super::ring_fill::RingFill;
use super::rounds::Rounds;
use super::single_path::SinglePath;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use crate::blocks::timebase::Timebase;
use rtl_model::{Bits, Bundle, Constant, Delay, Logic, Reading, Reg, bits, constant, name_nets, select};

/// Decision of the alternate modes for a request, up to step `l` + 5.
#[derive(Bundle)]
struct Chosen<L: Reading> {
    /// 1 if `ev` replaces the EV of the walk.
    ready: Bits<L>,
    ev: Bits<L>,
    /// 1 if the request gets an EV of the ring.
    ring: Bits<L>,
    /// 1 if the mode of the CCC marks EVs.
    marks: Bits<L>,
}

/// All modes except `bitmap`: they choose an EV beside the walk.
#[name_nets]
pub struct AlternateModes<L: Logic> {
    config: EntropySelectorConfig,
    /// Time in units of 64 cycles.
    clock: Timebase<L>,
    /// Admitted requests in steps `l` + 1 and `l` + 2.
    admitted: PipelineRegs<AdmittedRequest<L>>,
    /// Rounds of `oblivious`, `round_robin` and `reps`; absent if none of them is built.
    rounds: Option<Rounds<L>>,
    /// Rings of `reps` and `mixed`; absent if neither is built.
    ring: Option<(RingDrain<L>, RingFill<L>)>,
    /// Mode `single_path`; absent if it is not built.
    single_path: Option<SinglePath<L>>,
    /// Admitted feedback in step `l` + 1.
    admitted_feedback: Reg<AdmittedFeedback<L>>,
    /// Admitted feedback, delayed to step `l` + 6.
    delayed_feedback: Delay<AdmittedFeedback<L>>,
    /// In steps `l` + 3 and `l` + 4: the walk keeps its position, because the ring grants.
    keep_position: PipelineRegs<Bits<L>>,
    /// Decision of the alternate modes, delayed to step `l` + 5.
    chosen: Delay<Chosen<L>>,
}

#[name_nets]
impl<L: Logic> AlternateModes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, l, modes) = (bits(1), config.ram_latency, config.modes);
        let chosen = Chosen { ready: flag, ev: bits(config.ev_bits()), ring: flag, marks: flag };
        AlternateModes {
            config,
            clock: Timebase::new(),
            admitted: PipelineRegs::new(l + 1..=l + 2, &config.admitted()),
            rounds: modes.has_rounds().then(|| Rounds::new(config)),
            ring: modes.has_ring().then(|| (RingDrain::new(config), RingFill::new(config))),
            single_path: modes.has(mode::SINGLE_PATH).then(|| SinglePath::new(config)),
            admitted_feedback: Reg::new(&config.admitted_feedback()),
            delayed_feedback: Delay::new(&config.admitted_feedback(), 5),
            keep_position: PipelineRegs::new(l + 3..=l + 4, &flag),
            chosen: Delay::new(&chosen, 3),
        }
    }

    /// How they override the walk.
    pub fn walk_override(&self) -> WalkOverride<L> {
        let Chosen { ready, ev, ring, marks } = self.chosen.get();
        let ev = match &self.ring {
            Some((requests, _)) => select(ring, requests.ev(), ev),
            None => ev,
        };
        WalkOverride {
            keep_position: self.keep_position.last(),
            ev_override: EvOverride { valid: ready | ring, ev },
            writes_cursor: marks,
        }
    }

    /// The feedback in step `l` + 6.
    pub fn delayed_feedback(&self) -> AdmittedFeedback<L> {
        self.delayed_feedback.get()
    }

    /// One cycle. `read_access` are the requests in steps 0 and 1, `entering` is the admitted request in step `l`;
    /// `feedback_read` is the feedback in step 0, `admitted_feedback` that in step `l`.
    pub fn clock(
        &self,
        read_access: [Access<L>; 2],
        entering: AdmittedRequest<L>,
        feedback_read: Access<L>,
        admitted_feedback: AdmittedFeedback<L>,
        settings: Settings<L>,
    ) {
        let (time, delayed_feedback, admitted_feedback_1) =
            (self.clock.time(), self.delayed_feedback.get(), self.admitted_feedback.get());
        let [admitted_1, admitted_2] = self.admitted.each();
        let none = Bits::lit(1, 0);
        let is = |mode: Constant| admitted_2.mode_state.is(mode);

        let (mut ring, mut keep_position) = (none, none);
        let mut draws = is(constant!(mode::OBLIVIOUS)) | is(constant!(mode::ROUND_ROBIN));
        if let Some((requests, recycler)) = &self.ring {
            let served = requests.ring_grant();
            ring = admitted_2.valid & served.ring;
            keep_position = ring & is(constant!(mode::MIXED));
            draws = served.draws;
            let popped = requests.popped();
            requests.clock(
                read_access[0],
                [entering, admitted_1, admitted_2],
                settings.explore,
                recycler.ring_update(),
            );
            let pops = Access { valid: admitted_2.valid, index: admitted_2.ccc };
            recycler.clock(feedback_read, admitted_feedback, admitted_feedback_1, pops, popped, settings.freeze, time);
        } else {
            settings.explore.ignore();
            settings.freeze.ignore();
        }
        let (mut ready, mut ev) = (none, Bits::lit(self.config.ev_bits(), 0));
        if let Some(single_path) = &self.single_path {
            (ready, ev) = (is(constant!(mode::SINGLE_PATH)), single_path.ev());
            single_path.clock(read_access[0], entering, admitted_1, delayed_feedback, settings, time);
        } else {
            settings.idle.ignore();
            settings.reroute.ignore();
        }
        if let Some(rounds) = &self.rounds {
            let drawn = rounds.clock(read_access[1], admitted_1, admitted_2, draws, settings.seed);
            (ready, ev) = (ready | draws, select(draws, drawn, ev));
        } else {
            settings.seed.ignore();
        }
        self.chosen.shift(Chosen {
            ready: admitted_2.valid & ready,
            ev,
            ring,
            marks: admitted_2.mode_state.uses_marks(),
        });
        self.keep_position.shift(keep_position);
        self.admitted.shift(entering);
        self.delayed_feedback.shift(admitted_feedback_1);
        self.admitted_feedback.set(admitted_feedback);
        self.clock.clock();
    }
}
