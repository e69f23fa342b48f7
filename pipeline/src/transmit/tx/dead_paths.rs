// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sub-paths that `path_scheduler` has found dead, or that the host has made fail: what is in flight on each is declared lost, and goes
//! over others (row TX38). With the last sub-path of a QP the QP fails.
//!
//! ```text
//!  cycle 0    taken from `path_scheduler`
//!        1    the *lose* of the first sub-path is offered to `contexts`; each other one from the clock cycle after it was taken
//! ```

use super::config::TxConfig;
use super::own_command::OwnCommand;
use crate::transmit::packet_tracker::EV_WIDTH;
use crate::transmit::path_scheduler::{LostPaths, PathSchedulerConfig};
use rtl_model::{Bits, Logic, Reg, Signal, name_nets, when};

/// The dead sub-paths of a QP.
#[name_nets]
pub struct DeadPaths<L: Logic> {
    config: TxConfig,
    dead: Reg<LostPaths<L>>,
}

#[name_nets]
impl<L: Logic> DeadPaths<L> {
    pub fn new(config: TxConfig, scheduler: PathSchedulerConfig) -> Self {
        DeadPaths { config, dead: Reg::new(&LostPaths::shape(scheduler)) }
    }

    /// Those of another QP can be taken.
    pub fn ready(&self) -> Bits<L> {
        !self.dead.get().valid
    }

    /// What is offered to `contexts`.
    pub fn lose(&self) -> OwnCommand<L> {
        let LostPaths { valid, qp, paths, all_failed } = self.dead.get();
        OwnCommand {
            valid,
            pdc: qp,
            path: paths.first_set().extend(EV_WIDTH),
            fails: all_failed & !Self::others(paths).any(),
            ..OwnCommand::zero(&OwnCommand::shape(self.config))
        }
    }

    /// All but the first one.
    fn others(paths: Bits<L>) -> Bits<L> {
        paths & (paths - 1)
    }

    /// One clock cycle: sub-paths are offered; a *lose* is taken.
    pub fn clock(&self, lost: LostPaths<L>, taken: Bits<L>) {
        let dead = self.dead.get();
        let others = Self::others(dead.paths);
        when(!dead.valid, || self.dead.set(lost))
            .or_when(taken, || self.dead.set(LostPaths { valid: others.any(), paths: others, ..dead }));
    }
}
