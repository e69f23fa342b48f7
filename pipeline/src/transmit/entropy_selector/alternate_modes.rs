// SPDX-License-Identifier: MIT OR Apache-2.0
//! All modes except `bitmap`, beside the walk: they choose an EV in steps `l` + 1 and `l` + 2, and it replaces the EV
//! of the walk in step `l` + 5. In between, mode `mixed` drops the EV of its ring if it is marked: it is looked up in step
//! `l` + 3, and dropped in step `l` + 4.
//!
//! A reset does not cancel accesses to their tables, as it does not cancel admitted requests: see
//! [`AdmittedRequest::valid`].

use super::config::EntropySelectorConfig;
use super::modes::mode;
use super::request::{AdmittedFeedback, AdmittedRequest, EvOverride, WalkOverride};
use super::reroute::AskedWrite;
use super::ring_drain::RingDrain;
use super::ring_fill::RingFill;
use super::rounds::Rounds;
use super::settings_registers::SettingsInForce;
use super::single_path::SinglePath;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use crate::blocks::timebase::Timebase;
use rtl_model::{Bits, Bundle, Constant, Delay, Logic, Reading, Reg, bits, constant, name_nets, select};

/// Decision of the alternate modes for a request.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Chosen<L: Reading> {
    /// 1 if `ev` replaces the EV of the walk.
    ready: Bits<L>,
    #[width(config.ev_bits())]
    ev: Bits<L>,
    /// 1 if the mode of the CCC marks EVs.
    marks: Bits<L>,
}

/// Decision for the request in step `l` + 3.
#[derive(Bundle)]
struct Proposed<L: Reading> {
    chosen: Chosen<L>,
    /// 1 if the EV is one of the ring and is dropped if it is marked.
    unless_marked: Bits<L>,
}

/// What the alternate modes read from other parts in a clock cycle.
#[name_nets]
#[derive(Clone, Copy)]
pub struct Neighbours<L: Logic> {
    /// Requests in steps 0, 1 and 2.
    pub requests: [Access<L>; 3],
    /// Admitted request in step `l`.
    pub admitted: AdmittedRequest<L>,
    /// Feedback in step 0.
    pub feedback: Access<L>,
    /// Admitted feedback in step `l`.
    pub admitted_feedback: AdmittedFeedback<L>,
    /// Bits of which one is 1 if the EV of [`AlternateModes::proposed_ev`] is free.
    pub proposed_free: Bits<L>,
    /// Write of the asked EV of a single path.
    pub asked: AskedWrite<L>,
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
    /// Decision for the request in steps `l` + 3 and `l` + 4.
    proposed: PipelineRegs<Proposed<L>>,
    /// In step `l` + 4: bits of which one is 1 if the EV is free.
    proposed_free: Reg<Bits<L>>,
    /// Decision of the alternate modes in step `l` + 5.
    chosen: Reg<Chosen<L>>,
}

#[name_nets]
impl<L: Logic> AlternateModes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, l, modes) = (bits(1), config.ram_latency, config.modes);
        let chosen = Chosen::shape(config);
        AlternateModes {
            config,
            clock: Timebase::new(),
            admitted: PipelineRegs::new(l + 1..=l + 2, &AdmittedRequest::shape(config)),
            rounds: modes.has_rounds().then(|| Rounds::new(config)),
            ring: modes.has_ring().then(|| (RingDrain::new(config), RingFill::new(config))),
            single_path: modes.has(mode::SINGLE_PATH).then(|| SinglePath::new(config)),
            admitted_feedback: Reg::new(&AdmittedFeedback::shape(config)),
            delayed_feedback: Delay::new(&AdmittedFeedback::shape(config), 5),
            proposed: PipelineRegs::new(l + 3..=l + 4, &Proposed { chosen, unless_marked: flag }),
            proposed_free: Reg::new(&bits(if modes.has(mode::MIXED) { config.words() + 1 } else { 1 })),
            chosen: Reg::new(&chosen),
        }
    }

    /// How they override the walk.
    pub fn walk_override(&self) -> WalkOverride<L> {
        let Chosen { ready, ev, marks } = self.chosen.get();
        let ev_override = EvOverride { valid: ready, ev };
        let unless_marked = self.proposed.last().unless_marked;
        // The walk keeps its position if the ring grants.
        let keep_position = (unless_marked & self.proposed_free.get().any()).named("ring_grants");
        WalkOverride { keep_position, ev_override, writes_cursor: marks }
    }

    /// The EV that is proposed for the request in step `l` + 3; the walk tells whether it is free.
    pub fn proposed_ev(&self) -> Bits<L> {
        self.proposed.at(self.config.ram_latency + 3).chosen.ev
    }

    /// The feedback in step `l` + 6.
    pub fn delayed_feedback(&self) -> AdmittedFeedback<L> {
        self.delayed_feedback.get()
    }

    /// One cycle.
    pub fn clock(&self, neighbours: Neighbours<L>, settings: SettingsInForce<L>) {
        let Neighbours { requests: read_access, admitted: entering, feedback, admitted_feedback, .. } = neighbours;
        let (time, delayed_feedback, admitted_feedback_1) =
            (self.clock.time(), self.delayed_feedback.get(), self.admitted_feedback.get());
        let [admitted_1, admitted_2] = self.admitted.each();
        let none = Bits::lit(1, 0);
        let is = |mode: Constant| admitted_2.mode_state.is(mode);

        let (mut ring, mut ring_ev) = (none, Bits::lit(self.config.ev_bits(), 0));
        let mut draws = is(constant!(mode::OBLIVIOUS)) | is(constant!(mode::ROUND_ROBIN));
        if let Some((requests, recycler)) = &self.ring {
            let served = requests.ring_grant();
            ring = admitted_2.valid & served.ring;
            ring_ev = requests.ev() & self.config.space_mask(admitted_2.space);
            draws = served.draws;
            let popped = requests.popped();
            requests.clock(
                [read_access[0], read_access[2]],
                [entering, admitted_1],
                settings.explore,
                recycler.ring_update(),
            );
            let pops = Access { valid: admitted_2.valid, index: admitted_2.ccc };
            recycler.clock(feedback, admitted_feedback, admitted_feedback_1, pops, popped, settings.freeze, time);
        }
        let (mut ready, mut ev) = (none, Bits::lit(self.config.ev_bits(), 0));
        if let Some(single_path) = &self.single_path {
            (ready, ev) = (is(constant!(mode::SINGLE_PATH)), single_path.ev());
            let asked = neighbours.asked;
            single_path.clock(read_access[0], entering, admitted_1, delayed_feedback, asked, settings);
        }
        if let Some(rounds) = &self.rounds {
            let drawn = rounds.clock(read_access[1], admitted_1, admitted_2, draws);
            (ready, ev) = (ready | draws, select(draws, drawn, ev));
        }

        // l + 4
        let Proposed { chosen, unless_marked } = self.proposed.last();
        let dropped = unless_marked & !self.proposed_free.get().any();
        self.chosen.set(Chosen { ready: (chosen.ready & !dropped).named("not_dropped"), ..chosen });

        // l + 3
        self.proposed_free.set(neighbours.proposed_free);

        // l + 2
        self.proposed.shift(Proposed {
            chosen: Chosen {
                ready: admitted_2.valid & ready | ring,
                ev: select(ring, ring_ev, ev),
                marks: admitted_2.mode_state.uses_marks(),
            },
            unless_marked: ring & is(constant!(mode::MIXED)),
        });
        self.admitted.shift(entering);
        self.delayed_feedback.shift(admitted_feedback_1);
        self.admitted_feedback.set(admitted_feedback);
        self.clock.clock();
    }
}
