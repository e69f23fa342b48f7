// SPDX-License-Identifier: MIT OR Apache-2.0
//! Branches.

use super::reading::Reading;

/// The statements of a branch: a closure. It is called through this trait because a table of `Fn` has entries for all ways of
/// calling a closure, and the stages have thousands of branches.
pub trait Body {
    /// Runs them.
    fn run(&self);
}

impl<F: Fn()> Body for F {
    fn run(&self) {
        self();
    }
}

/// An interpretation with `when` and `switch`.
pub trait Control: Reading {
    /// What a `when` leaves for its `otherwise`.
    type Chain: Copy;
    /// What a `switch` leaves for its next case.
    type Switch: Copy;

    /// Opens an `if`; `body` is its branch.
    fn when(cond: Self::Narrow, body: &dyn Body) -> Self::Chain;
    /// Adds an `else if` branch to the chain.
    fn or_when(chain: Self::Chain, cond: Self::Narrow, body: &dyn Body) -> Self::Chain;
    /// Adds the `else` branch and ends the chain.
    fn otherwise(chain: Self::Chain, body: &dyn Body);
    /// Opens a `case` statement on `subject`.
    fn switch(subject: Self::Narrow) -> Self::Switch;
    /// One value of it, and the path of its name, if it has one.
    fn case(switch: Self::Switch, value: u64, path: Option<&'static str>, body: &dyn Body) -> Self::Switch;
    /// Adds the default branch and ends the `case` statement.
    fn default(switch: Self::Switch, body: &dyn Body);
}
