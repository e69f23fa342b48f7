// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the source says of single nets.

use super::reading::Reading;
use crate::hint::Origin;
use crate::steps::Pipeline;

/// An interpretation whose nets may have names.
pub trait Naming: Reading {
    /// Whether nets keep names: true for the netlist, false for values.
    const NAMES: bool = false;

    /// Gives the net its name, followed by an index for one of many.
    fn name(a: Self::Narrow, name: &str, index: Option<usize>);
    /// Offers the net a name, which it takes if it gets no better one.
    fn offer_name(_: Self::Narrow, _: Origin, _: &str) {}
    /// Declares that the stage leaves (part of) an input unread on purpose.
    fn ignore(a: Self::Narrow);

    /// The net in this step of a pipeline, or in none.
    #[track_caller]
    fn in_step(a: Self::Narrow, _: Option<(Pipeline, u32)>) -> Self::Narrow {
        a
    }
    /// Checks that the net is in the step before this one, if it is in any of the pipeline.
    #[track_caller]
    fn enters(_: Self::Narrow, _: Pipeline, _: u32) {}

    /// Gives the net its name.
    fn name_wide(a: Self::Wide, name: &str, index: Option<usize>);
    /// Offers the net a name, which it takes if it gets no better one.
    fn offer_name_wide(_: Self::Wide, _: Origin, _: &str) {}
    /// Declares that the stage leaves (part of) an input unread on purpose.
    fn ignore_wide(a: Self::Wide);
    /// The net in this step of a pipeline, or in none.
    #[track_caller]
    fn in_step_wide(a: Self::Wide, _: Option<(Pipeline, u32)>) -> Self::Wide {
        a
    }
    /// Checks that the net is in the step before this one, if it is in any of the pipeline.
    #[track_caller]
    fn enters_wide(_: Self::Wide, _: Pipeline, _: u32) {}
}
