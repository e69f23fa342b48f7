// SPDX-License-Identifier: MIT OR Apache-2.0
//! `arbiter`: requests in, one grant out, held until it is taken. Contract: `docs/blocks.md`.
//!
//! ```text
//!  cycle n      request i is 1, and no grant waits
//!        n + 1  the grant of request i, until grant_ready is 1; in that clock cycle request i is served, and the bit
//!               of the request does not ask for another grant
//! ```

use super::ports::Ready;
use crate::blocks::arbiter::{Arbiter, Grant, Policy};
use rtl_model::{Bits, Bundle, Design, Logic, Reading, Reg, Shape, Stage, name_nets, when};

/// Size and policy of an arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArbiterConfig {
    /// Number of requests, 2 to 64.
    pub requests: u32,
    /// Which of them is granted.
    pub policy: Policy,
}

#[name_nets]
impl Design for ArbiterConfig {
    type Stage<L: Logic> = ArbiterStage<L>;

    fn module_name(&self) -> String {
        let policy = match self.policy {
            Policy::Priority => "priority",
            Policy::RoundRobin => "round_robin",
        };
        format!("arbiter_n{}_{policy}", self.requests)
    }

    fn build<L: Logic>(&self) -> ArbiterStage<L> {
        ArbiterStage {
            config: *self,
            arbiter: Arbiter::new(self.policy, self.requests),
            granted: Reg::new(&Grant::shape(self.requests)),
        }
    }
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: ArbiterConfig)]
pub struct ArbiterIn<L: Reading> {
    /// One bit per request, which stays 1 until it is granted and its grant is taken.
    #[width(config.requests)]
    pub requests: Bits<L>,
    /// The receiver of the grants.
    pub grant: Ready<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ArbiterOut<L: Reading> {
    /// The request that is granted.
    pub grant: Grant<L>,
}

/// The stage `arbiter`.
#[name_nets]
pub struct ArbiterStage<L: Logic> {
    config: ArbiterConfig,
    arbiter: Arbiter<L>,
    granted: Reg<Grant<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for ArbiterStage<L> {
    type In = ArbiterIn<L>;
    type Out = ArbiterOut<L>;

    fn input_shape(&self) -> ArbiterIn<Shape> {
        ArbiterIn::shape(self.config)
    }

    fn outputs(&self) -> ArbiterOut<L> {
        ArbiterOut { grant: self.granted.get() }
    }

    fn clock(&self, input: &ArbiterIn<L>) {
        let granted = self.granted.get();
        let taken = granted.valid & input.grant.ready;
        let served = granted.one_hot.gate(taken);
        let next = self.arbiter.grant(input.requests & !served);
        let advance = taken | !granted.valid;
        when(advance, || self.granted.set(next));
        self.arbiter.clock(next, advance);
    }
}
