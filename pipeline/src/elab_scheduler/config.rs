// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage.

use super::ElabScheduler;
use crate::elab::ElabSizes;
use rtl_model::{Design, Logic, name_nets};

/// Size of the stage `elab_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabSchedulerConfig(pub ElabSizes);

#[name_nets]
impl Design for ElabSchedulerConfig {
    type Stage<L: Logic> = ElabScheduler<L>;

    fn module_name(&self) -> String {
        self.0.module_name("elab_scheduler")
    }

    fn build<L: Logic>(&self) -> ElabScheduler<L> {
        ElabScheduler::new(self.0)
    }
}
