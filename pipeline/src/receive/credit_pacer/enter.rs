// SPDX-License-Identifier: MIT OR Apache-2.0
//! What enters the pipeline (rows PC1 and PC2): the sweep, a take, a command or a demand, in this order. `demand` has two
//! places.

use super::config::CreditPacerConfig;
use super::pass::{Pass, Said};
use super::ports::{Command, CreditPacerIn, Demand};
use super::takes::Take;
use crate::blocks::skid_buffer::SkidBuffer;
use rtl_model::{Bits, Logic, name_nets, select};

/// The demands that wait.
#[name_nets]
pub struct Enter<L: Logic> {
    demands: SkidBuffer<Demand<L>>,
}

/// What comes before demands in a clock cycle.
#[derive(Clone, Copy)]
pub struct Before<L: Logic> {
    /// A row of the sweep.
    pub sweep: (Bits<L>, Bits<L>),
    /// A take that is due; there is none in the sweep.
    pub take: Take<L>,
    /// A command waits.
    pub waits: Bits<L>,
    pub command: Command<L>,
}

/// What enters.
#[derive(Clone, Copy)]
pub struct Entering<L: Logic> {
    pub pass: Pass<L>,
    /// What a demand or a command says.
    pub said: Said<L>,
    /// A command does not enter.
    pub held: Bits<L>,
}

#[name_nets]
impl<L: Logic> Enter<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        Enter { demands: SkidBuffer::new(&CreditPacerIn::shape(config).demand) }
    }

    /// There is room for a demand.
    pub fn ready(&self) -> Bits<L> {
        self.demands.ready()
    }

    /// The pass that enters in this clock cycle.
    pub fn entering(&self, before: Before<L>) -> Entering<L> {
        let Before { sweep: (sweeps, swept), take, waits, command } = before;
        let (demand, held) = (self.demands.front(), sweeps | take.valid);
        let other = select(waits, command.source, demand.source);
        let pass = Pass {
            demands: self.demands.valid() & !(held | waits),
            commands: waits & !held,
            takes: take.valid & !take.ahead,
            takes_ahead: take.valid & take.ahead,
            sweeps,
            source: select(sweeps, swept, select(take.valid, take.source, other)),
        };
        // A command has nothing to repeat, and does not look at it.
        let said = Said { number: select(waits, command.number, demand.target), repeat: demand.repeat };
        Entering { pass, said, held }
    }

    /// One clock cycle: a demand is offered unless `busy`; the first one enters.
    pub fn clock(&self, demand: Demand<L>, busy: Bits<L>, enters: Bits<L>) {
        self.demands.clock(demand.valid & !busy, || demand, enters);
    }
}
