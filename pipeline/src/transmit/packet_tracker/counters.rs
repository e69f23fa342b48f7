// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters (row D31).

use super::outputs::Ending;
use super::ports::COUNT_WIDTH;
use crate::blocks::counter::Counter;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets};

/// What has happened in a clock cycle, to passes in several steps.
#[derive(Bundle)]
#[shape]
pub struct Happened<L: Reading> {
    #[reset]
    pub closed_event: Bits<L>,
    #[reset]
    pub outside_ack: Bits<L>,
    #[reset]
    pub old_total: Bits<L>,
    #[reset]
    pub void_nack: Bits<L>,
    #[reset]
    pub bad_time: Bits<L>,
    #[reset]
    pub late_ack: Bits<L>,
    #[reset]
    pub refused_send: Bits<L>,
    #[reset]
    pub empty_send: Bits<L>,
    #[reset]
    pub timeout: Bits<L>,
    #[reset]
    pub inferred_loss: Bits<L>,
    #[reset]
    pub declared_loss: Bits<L>,
    #[reset]
    pub backoff: Bits<L>,
}

#[name_nets]
impl<L: Logic> Happened<L> {
    /// What has happened to the operation in step 2 `l` + 9; a loss was by time, by span or by command; the trigger of
    /// an ACK has a time of transmission from the future; a marked packet is acknowledged; a backoff begins.
    pub fn of(
        ending: &Ending<L>,
        [by_time, by_span, by_command]: [Bits<L>; 3],
        bad_trigger: Bits<L>,
        late_ack: Bits<L>,
        backoff: Bits<L>,
    ) -> Self {
        let Ending { pass, walk, owner, takes, sends, again, repeats, timed, .. } = *ending;
        let open = owner.open;
        let single = pass.nacks | pass.credits | pass.ends | pass.news;
        let of_walk = pass.finishes & !walk.commands & !walk.open;
        let lost = takes & pass.examines;
        let bad_nack = pass.nacks & takes & !timed;
        Happened {
            closed_event: single & !open | of_walk,
            outside_ack: pass.finishes & walk.outside,
            old_total: pass.finishes & walk.old_total,
            void_nack: pass.nacks & open & !takes,
            bad_time: bad_nack | bad_trigger,
            late_ack,
            refused_send: pass.news & open & !sends,
            empty_send: again & walk.open & !repeats,
            timeout: lost & by_time,
            inferred_loss: lost & by_span,
            declared_loss: lost & by_command,
            backoff,
        }
    }
}

/// Counters of what has happened.
#[name_nets]
pub struct Counters<L: Logic> {
    /// What has happened one clock cycle ago.
    happened: Reg<Happened<L>>,
    closed_events: Counter<L>,
    outside_acks: Counter<L>,
    old_totals: Counter<L>,
    void_nacks: Counter<L>,
    bad_times: Counter<L>,
    late_acks: Counter<L>,
    refused_sends: Counter<L>,
    empty_sends: Counter<L>,
    timeouts: Counter<L>,
    inferred_losses: Counter<L>,
    declared_losses: Counter<L>,
    backoffs: Counter<L>,
}

#[name_nets]
impl<L: Logic> Counters<L> {
    pub fn new() -> Self {
        let flag = bits(1);
        Counters {
            happened: Reg::new(&Happened::shape()),
            closed_events: Counter::new(COUNT_WIDTH),
            outside_acks: Counter::new(COUNT_WIDTH),
            old_totals: Counter::new(COUNT_WIDTH),
            void_nacks: Counter::new(COUNT_WIDTH),
            bad_times: Counter::new(COUNT_WIDTH),
            late_acks: Counter::new(COUNT_WIDTH),
            refused_sends: Counter::new(COUNT_WIDTH),
            empty_sends: Counter::new(COUNT_WIDTH),
            timeouts: Counter::new(COUNT_WIDTH),
            inferred_losses: Counter::new(COUNT_WIDTH),
            declared_losses: Counter::new(COUNT_WIDTH),
            backoffs: Counter::new(COUNT_WIDTH),
        }
    }

    /// The counters before this clock cycle, in the order of the ports.
    pub fn counts(&self) -> [Bits<L>; 12] {
        [
            &self.closed_events,
            &self.outside_acks,
            &self.old_totals,
            &self.void_nacks,
            &self.bad_times,
            &self.late_acks,
            &self.refused_sends,
            &self.empty_sends,
            &self.timeouts,
            &self.inferred_losses,
            &self.declared_losses,
            &self.backoffs,
        ]
        .map(Counter::get)
    }

    /// One clock cycle.
    pub fn clock(&self, happens: Happened<L>) {
        let happened = self.happened.get();
        self.closed_events.count(happened.closed_event);
        self.outside_acks.count(happened.outside_ack);
        self.old_totals.count(happened.old_total);
        self.void_nacks.count(happened.void_nack);
        self.bad_times.count(happened.bad_time);
        self.late_acks.count(happened.late_ack);
        self.refused_sends.count(happened.refused_send);
        self.empty_sends.count(happened.empty_send);
        self.timeouts.count(happened.timeout);
        self.inferred_losses.count(happened.inferred_loss);
        self.declared_losses.count(happened.declared_loss);
        self.backoffs.count(happened.backoff);
        self.happened.set(happens);
    }
}
