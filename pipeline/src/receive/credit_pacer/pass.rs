// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: a demand, a command, a take, or the sweep of a row (row PC1).

use super::config::CreditPacerConfig;
use super::ports::CREDIT_WIDTH;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, name_nets};

/// The pipeline of passes.
pub const PASS: Pipeline = Pipeline::new("pass");

/// A pass. At most one of its kinds is 1.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct Pass<L: Reading> {
    #[reset]
    pub demands: Bits<L>,
    #[reset]
    pub commands: Bits<L>,
    /// A take from the demand queue.
    #[reset]
    pub takes: Bits<L>,
    /// A take from the ahead queue.
    #[reset]
    pub takes_ahead: Bits<L>,
    /// The row is swept.
    #[reset]
    pub sweeps: Bits<L>,
    #[shape(config.source())]
    pub source: Bits<L>,
}

/// What a demand or a command says.
#[derive(Bundle)]
#[shape]
pub struct Said<L: Reading> {
    /// The credit number.
    #[width(CREDIT_WIDTH)]
    pub number: Bits<L>,
    /// A demand: its sender may have missed the last number.
    pub repeat: Bits<L>,
}

#[name_nets]
impl<L: Logic> Pass<L> {
    /// The access to the row of its source.
    pub fn access(&self) -> Access<L> {
        let changes = self.demands | self.commands | self.takes | self.takes_ahead;
        Access { valid: changes | self.sweeps, index: self.source }
    }
}
