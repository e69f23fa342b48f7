// SPDX-License-Identifier: MIT OR Apache-2.0
//! `elab_feedback`: counts what arrives on each virtual path (VP) of an ELAB pair of hosts, and reports one VP in turn with
//! every packet back. Contract: `docs/stages/elab_feedback.md` (rows W1 to W10; E05 to E07, E11, E15). With memories of
//! latency `l`:
//!
//! ```text
//!  arrival  ->  arrivals  0 arrive  l + 1 count  l + 2 seen
//!                                                  | by asks of this clock and later, in their step l + 2
//!  ask      ->  asks      0 arrive  l + 1 turn  l + 2 fetch  2 l + 3 say  2 l + 4 divide  ->  report, 2 l + 10 clocks later
//!  control  ->  desk      one pair a time, in the place of one arrival
//! ```
//!
//! One arrival and one ask every clock; nothing stalls but arrivals, for the clock of an operation. Counts wrap, rates stop
//! at the most that fits. Pairs that there are not are counted and change nothing. Every memory has one writer: what was
//! received and what was reported are counted apart, and a report is their difference.

mod arrivals;
mod asks;
mod burst;
mod config;
mod ports;
mod records;

pub use config::ElabFeedbackConfig;
pub use ports::*;

use crate::desk::Desk;
use crate::elab::ElabSizes;
use arrivals::Arrivals;
use asks::Asks;
use rtl_model::{Logic, Shape, Stage, name_nets};

/// Cycles from one operation to the next.
const SPACING: u64 = 2;

/// The stage.
#[name_nets]
pub struct ElabFeedback<L: Logic> {
    sizes: ElabSizes,
    desk: Desk<L, Control<L>>,
    arrivals: Arrivals<L>,
    asks: Asks<L>,
}

#[name_nets]
impl<L: Logic> ElabFeedback<L> {
    fn new(sizes: ElabSizes) -> Self {
        ElabFeedback {
            sizes,
            desk: Desk::new(sizes.desk(SPACING), &input_shape(sizes).control),
            arrivals: Arrivals::new(sizes),
            asks: Asks::new(sizes),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ElabFeedback<L> {
    type In = ElabFeedbackIn<L>;
    type Out = ElabFeedbackOut<L>;

    fn input_shape(&self) -> ElabFeedbackIn<Shape> {
        input_shape(self.sizes)
    }

    fn outputs(&self) -> ElabFeedbackOut<L> {
        let [refused_asks, empty_asks] = self.asks.refused();
        ElabFeedbackOut {
            busy: self.desk.busy(),
            control_ready: self.desk.ready(),
            arrival_ready: !(self.desk.busy() | self.desk.issues()),
            report: self.asks.report(),
            refused_arrivals: self.arrivals.refused(),
            refused_asks,
            empty_asks,
        }
    }

    fn clock(&self, input: &ElabFeedbackIn<L>) {
        let ElabFeedbackIn { arrival, ask, control, settings } = *input;
        let (busy, sweeps) = (self.desk.busy(), (self.desk.sweeps(), self.desk.swept()));
        let forgets = (self.desk.issues(), self.desk.operation().pair);
        let (choice, seen, reads) = (self.arrivals.choice(), self.arrivals.seen(), self.asks.reads(ask));
        self.asks.clock(ask, busy, sweeps, choice, seen);
        let arrival = Arrival { valid: arrival.valid & !busy, ..arrival };
        self.arrivals.clock(arrival, sweeps, forgets, &settings, reads);
        self.desk.clock(control.valid, control);
    }
}
