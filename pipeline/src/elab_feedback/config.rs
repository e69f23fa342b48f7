// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage.

use super::ElabFeedback;
use crate::elab::ElabSizes;
use rtl_model::{Design, Logic, name_nets};

/// Size of the stage `elab_feedback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabFeedbackConfig(pub ElabSizes);

#[name_nets]
impl Design for ElabFeedbackConfig {
    type Stage<L: Logic> = ElabFeedback<L>;

    fn module_name(&self) -> String {
        self.0.module_name("elab_feedback")
    }

    fn build<L: Logic>(&self) -> ElabFeedback<L> {
        ElabFeedback::new(self.0)
    }
}
