// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of pipelines, which the netlist checks as it checks widths.

use crate::logic::{Logic, Naming};
use crate::signal::{Leaf, Signal, leaves, record};

/// A pipeline. The netlist knows of a value in which step it is: that of the operands it is made of. Operands, or a
/// condition and what is assigned under it, of two steps of one pipeline are STEP MISMATCH.
///
/// What is made of values of two pipelines is in no step, and neither is what comes out of a plain register or a memory: the
/// stage says in which step that is, by [`at`](Self::at).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pipeline {
    name: &'static str,
}

impl Pipeline {
    /// A pipeline under the name that messages have. Parts of a stage with the same pipeline share its steps.
    pub const fn new(name: &'static str) -> Self {
        Pipeline { name }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The value, in this step from here on.
    #[track_caller]
    pub fn at<T: Signal>(self, step: u32, value: T) -> T {
        marked(value, Some((self, step)))
    }

    /// Checks that a value which is to be in this step after the next clock edge is in the step before it now.
    #[track_caller]
    pub fn enters<T: Signal>(self, step: u32, value: T) {
        if T::Logic::NAMES {
            // A loop, because with a closure the closure would be the tracked caller.
            for leaf in leaves(&value) {
                match leaf {
                    Leaf::Narrow(a) => T::Logic::enters(a, self, step),
                    Leaf::Wide(a) => T::Logic::enters_wide(a, self, step),
                }
            }
        }
    }
}

/// The value in no step: that of another operation, which this one is compared with, or takes a result of.
#[track_caller]
pub fn across<T: Signal>(value: T) -> T {
    marked(value, None)
}

#[track_caller]
fn marked<T: Signal>(value: T, step: Option<(Pipeline, u32)>) -> T {
    if !T::Logic::NAMES {
        return value;
    }
    let mut leaves = leaves(&value);
    mark(&mut leaves, step);
    record(&value.shape(), leaves)
}

#[track_caller]
fn mark<L: Logic>(leaves: &mut [Leaf<L>], step: Option<(Pipeline, u32)>) {
    for leaf in leaves {
        *leaf = match *leaf {
            Leaf::Narrow(a) => Leaf::Narrow(L::in_step(a, step)),
            Leaf::Wide(a) => Leaf::Wide(L::in_step_wide(a, step)),
        };
    }
}
