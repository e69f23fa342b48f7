// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters (row G25).

use super::config::AckGeneratorConfig;
use super::connections::Effect;
use super::ports::{Ack, COUNT_WIDTH, kind};
use crate::blocks::counter::Counter;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets};

/// Flag P of the MPEH, and flag p of the PDS prologue.
const ROCE_PROBE: u32 = 2;
const UET_PROBE: u32 = 3;

/// A transfer in the clock cycle before.
#[derive(Bundle)]
#[shape]
struct Sent<L: Reading> {
    #[reset]
    acks: Bits<L>,
    #[reset]
    naks: Bits<L>,
    #[reset]
    probe_answers: Bits<L>,
    #[reset]
    busy_arrivals: Bits<L>,
}

/// Counters of what was sent, and of what was not.
#[name_nets]
pub struct Counters<L: Logic> {
    probe_flag: u32,
    sent: Reg<Sent<L>>,
    acks: Counter<L>,
    naks: Counter<L>,
    probe_answers: Counter<L>,
    merged_causes: Counter<L>,
    expired: Counter<L>,
    dropped_replies: Counter<L>,
    refused_arrivals: Option<Counter<L>>,
    busy_arrivals: Counter<L>,
    void_events: Counter<L>,
}

/// What they show.
pub struct Counts<L: Logic> {
    /// ACKs, NAKs, answers to probes.
    pub sent: [Bits<L>; 3],
    pub merged_causes: Bits<L>,
    pub expired: Bits<L>,
    pub dropped_replies: Bits<L>,
    pub refused_arrivals: Option<Bits<L>>,
    pub busy_arrivals: Bits<L>,
    pub void_events: Bits<L>,
}

#[name_nets]
impl<L: Logic> Counters<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let flag = bits(1);
        Counters {
            probe_flag: if config.roce(()).is_some() { ROCE_PROBE } else { UET_PROBE },
            sent: Reg::new(&Sent::shape()),
            acks: Counter::new(COUNT_WIDTH),
            naks: Counter::new(COUNT_WIDTH),
            probe_answers: Counter::new(COUNT_WIDTH),
            merged_causes: Counter::new(COUNT_WIDTH),
            expired: Counter::new(COUNT_WIDTH),
            dropped_replies: Counter::new(COUNT_WIDTH),
            refused_arrivals: config.roce(()).map(|()| Counter::new(COUNT_WIDTH)),
            busy_arrivals: Counter::new(COUNT_WIDTH),
            void_events: Counter::new(COUNT_WIDTH),
        }
    }

    /// The counters before this clock cycle.
    pub fn counts(&self) -> Counts<L> {
        Counts {
            sent: [self.acks.get(), self.naks.get(), self.probe_answers.get()],
            merged_causes: self.merged_causes.get(),
            expired: self.expired.get(),
            dropped_replies: self.dropped_replies.get(),
            refused_arrivals: self.refused_arrivals.as_ref().map(Counter::get),
            busy_arrivals: self.busy_arrivals.get(),
            void_events: self.void_events.get(),
        }
    }

    /// One clock cycle: what the pass in step `l` + 7 has done, a transfer of an ACK, and an arrival in the sweep.
    pub fn clock(&self, effect: Effect<L>, ack: Ack<L>, ready: Bits<L>, busy_arrival: Bits<L>) {
        let sent = self.sent.get();
        self.acks.count(sent.acks);
        self.naks.count(sent.naks);
        self.probe_answers.count(sent.probe_answers);
        self.busy_arrivals.count(sent.busy_arrivals);
        let (transfers, probe) = (ack.valid & ready, ack.flags.bit(self.probe_flag));
        let nak = ack.kind.equals(constant!(kind::NAK));
        self.sent.set(Sent {
            acks: transfers & !probe & !nak,
            naks: transfers & nak,
            probe_answers: transfers & probe & !nak,
            busy_arrivals: busy_arrival,
        });
        self.merged_causes.count(effect.merged);
        self.expired.count(effect.expired);
        self.dropped_replies.count(effect.dropped);
        if let (Some(counter), Some(refused)) = (&self.refused_arrivals, effect.refused) {
            counter.count(refused);
        }
        self.void_events.count(effect.is_void);
    }
}
