// SPDX-License-Identifier: MIT OR Apache-2.0
//! The leaves of a record, listed from its widths. They are the same in every reading of it, so they are listed by code that
//! is compiled once: `derive(Bundle)` writes a table of the fields.

use crate::bits::Bits;
use crate::leaf::{Field, LeafSpec, join};
use crate::logic::Shape;
use crate::resets::Resets;
use crate::role::{self, Mark};
use crate::wide::Wide;

/// The widths of a signal or of a record of signals.
pub trait Widths {
    /// Appends its leaves, in order.
    fn describe(&self, leaves: &mut Leaves);
}

/// The shape of a bundle as a field of another one: `derive(Bundle)` makes it from `#[shape(..)]`, for parameters of these types.
#[diagnostic::on_unimplemented(
    message = "a field of the type `{Self}` has no shape of the parameters `{Parameters}`",
    label = "this bundle is not marked `#[shape]`, or has other parameters",
    note = "the field can say its shape: #[shape(..)]"
)]
pub trait ShapeOf<Parameters> {
    /// The widths of its fields.
    fn shape_of(parameters: Parameters) -> Self;
}

/// What `derive(Bundle)` knows of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Its name and comment.
    pub field: Field,
    /// It is marked `#[reset]`.
    pub reset: bool,
    /// What its attributes say of its interface.
    pub mark: Mark,
    /// It is marked `#[flatten]`: a record whose fields are those of the record around it.
    pub flatten: bool,
}

/// The leaves that have been listed, and where in the record the next one is.
pub struct Leaves {
    found: Vec<LeafSpec>,
    /// The names of the fields around it, joined by `_`.
    prefix: String,
    /// The field around it is marked.
    reset: bool,
    /// The next record is flattened.
    flatten: bool,
}

impl Leaves {
    /// The leaves of a record: its fields, and their widths.
    pub fn record(&mut self, fields: &[FieldSpec], widths: &[&dyn Widths]) {
        let (first, outer) = (self.found.len(), self.reset);
        let is_flattened = std::mem::take(&mut self.flatten);
        for (spec, widths) in fields.iter().zip(widths) {
            let before = self.found.len();
            (self.reset, self.flatten) = (spec.reset, spec.flatten);
            if spec.flatten {
                widths.describe(self);
                // There is no record, where an option is none.
                self.flatten = false;
                continue;
            }
            self.inside(spec.field.name, *widths);
            role::in_field(&mut self.found[before..], &self.prefix, spec.field, spec.mark);
        }
        self.reset = outer;
        // The interface is that of the record around it.
        if !is_flattened {
            role::in_record(&mut self.found[first..], &self.prefix);
        }
    }

    fn inside(&mut self, name: &str, widths: &dyn Widths) {
        let inner = join(&self.prefix, name);
        let outer = std::mem::replace(&mut self.prefix, inner);
        widths.describe(self);
        self.prefix = outer;
    }

    fn leaf(&mut self, width: u32, wide: bool) {
        self.found.push(LeafSpec::alone(&self.prefix, width, wide, self.reset));
    }
}

impl Widths for Bits<Shape> {
    fn describe(&self, leaves: &mut Leaves) {
        leaves.leaf(self.0, false);
    }
}

impl Widths for Wide<Shape> {
    fn describe(&self, leaves: &mut Leaves) {
        leaves.leaf(self.0, true);
    }
}

impl<W: Widths, const N: usize> Widths for [W; N] {
    fn describe(&self, leaves: &mut Leaves) {
        for (i, element) in self.iter().enumerate() {
            leaves.inside(&i.to_string(), element);
        }
    }
}

impl<W: Widths> Widths for Option<W> {
    fn describe(&self, leaves: &mut Leaves) {
        if let Some(widths) = self {
            widths.describe(leaves);
        }
    }
}

/// The leaves of a signal under a name.
pub fn leaves_of(widths: &dyn Widths, prefix: &str) -> Vec<LeafSpec> {
    listed(widths, prefix, false)
}

/// The leaves side by side: the width of a row of a memory.
pub fn width_of(widths: &dyn Widths) -> u32 {
    leaves_of(widths, "").iter().map(|leaf| leaf.width).sum()
}

/// Per leaf: the reset acts on it.
pub(crate) fn reset_leaves(widths: &dyn Widths, resets: Resets) -> Vec<bool> {
    let leaves = listed(widths, "", resets == Resets::Plain);
    leaves.into_iter().map(|leaf| leaf.reset && resets != Resets::Nothing).collect()
}

fn listed(widths: &dyn Widths, prefix: &str, reset: bool) -> Vec<LeafSpec> {
    let mut leaves = Leaves { found: Vec::new(), prefix: prefix.to_owned(), reset, flatten: false };
    widths.describe(&mut leaves);
    leaves.found
}
