// SPDX-License-Identifier: MIT OR Apache-2.0
//! What unblocks a QP in `ccc_table` (rows TX28, TX37): feedback on one of its sub-paths, and the response to a command of the host
//! for `path_scheduler`. Each waits here until `ccc_table` has been told; until then no further feedback, or no further command, is
//! taken.
//!
//! ```text
//!  cycle e        feedback is taken, or the response to a command comes
//!        e + 1    `ccc_table` is told from here on, before it is told the end of a turn
//! ```
//!
//! A request to `path_scheduler` that did not see the change was made less than `l` + 3 clock cycles after it. Either the end of its
//! turn has not been told in cycle e, and `ccc_table` hears of the change first; or it has been told, and the QP is unblocked now.

use super::config::TxConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, name_nets, select};

/// A QP.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Unblocked<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
}

/// QPs that may have room on a sub-path again.
#[name_nets]
pub struct Unblocks<L: Logic> {
    of_feedback: Reg<Unblocked<L>>,
    of_command: Reg<Unblocked<L>>,
}

#[name_nets]
impl<L: Logic> Unblocks<L> {
    pub fn new(config: TxConfig) -> Self {
        let shape = Unblocked::shape(config);
        Unblocks { of_feedback: Reg::new(&shape), of_command: Reg::new(&shape) }
    }

    /// Feedback may be taken.
    pub fn takes_feedback(&self) -> Bits<L> {
        !self.of_feedback.get().valid
    }

    /// A command of `path_scheduler` may be taken. Its response comes before the next command.
    pub fn takes_command(&self) -> Bits<L> {
        !self.of_command.get().valid
    }

    /// What `ccc_table` is to be told.
    pub fn unblocked(&self) -> Unblocked<L> {
        let (feedback, command) = (self.of_feedback.get(), self.of_command.get());
        let first = select(feedback.valid, feedback, command);
        Unblocked { valid: feedback.valid | command.valid, ..first }
    }

    /// One clock cycle: it has been `told`; feedback, and the response to a command.
    pub fn clock(&self, told: Bits<L>, feedback: Unblocked<L>, response: Unblocked<L>) {
        let (of_feedback, of_command) = (self.of_feedback.get(), self.of_command.get());
        let told_command = told & !of_feedback.valid;
        let next = |last: Unblocked<L>, new: Unblocked<L>, told: Bits<L>| Unblocked {
            valid: new.valid | last.valid & !told,
            ..select(new.valid, new, last)
        };
        self.of_feedback.set(next(of_feedback, feedback, told));
        self.of_command.set(next(of_command, response, told_command));
    }
}
