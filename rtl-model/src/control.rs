// SPDX-License-Identifier: MIT OR Apache-2.0
//! `when` and `switch`: a real branch in the model, an `if` or `case` in the RTL.

use crate::bits::Bits;
use crate::constant::Constant;
use crate::logic::Control;

/// The continuation of a [`when`].
pub struct When<L: Control>(L::Chain);

/// Runs `body` if `cond` (one bit) holds. The closure is a `Fn`: it assigns only through [`crate::Reg`], [`crate::Var`]
/// and [`crate::Ram`], so it means the same in both interpretations.
#[track_caller]
pub fn when<L: Control>(cond: Bits<L>, body: impl Fn()) -> When<L> {
    When(L::when(cond.0, &body))
}

impl<L: Control> When<L> {
    /// Runs `body` if `cond` holds and no earlier condition did: `else if` in the Verilog.
    #[track_caller]
    pub fn or_when(self, cond: Bits<L>, body: impl Fn()) -> When<L> {
        When(L::or_when(self.0, cond.0, &body))
    }

    /// Runs `body` if no condition held: `else` in the Verilog.
    #[track_caller]
    pub fn otherwise(self, body: impl Fn()) {
        L::otherwise(self.0, &body);
    }
}

/// A value of a [`switch`]: a number or a [`Constant`].
#[derive(Clone, Copy, Debug)]
pub struct Case {
    value: u64,
    path: Option<&'static str>,
}

impl From<u64> for Case {
    fn from(value: u64) -> Self {
        Case { value, path: None }
    }
}

impl From<Constant> for Case {
    fn from(Constant { path, value }: Constant) -> Self {
        Case { value, path: Some(path) }
    }
}

/// The continuation of a [`switch`].
pub struct Switch<L: Control>(L::Switch);

/// Selects a branch by the value of `subject`.
#[track_caller]
pub fn switch<L: Control>(subject: Bits<L>) -> Switch<L> {
    Switch(L::switch(subject.0))
}

impl<L: Control> Switch<L> {
    /// Runs `body` if the subject has this value. Values differ and fit the subject. Of a register, a value with a name has it in the
    /// Verilog.
    #[track_caller]
    pub fn case(self, value: impl Into<Case>, body: impl Fn()) -> Switch<L> {
        let Case { value, path } = value.into();
        Switch(L::case(self.0, value, path, &body))
    }

    /// Runs `body` for all other values.
    #[track_caller]
    pub fn default(self, body: impl Fn()) {
        L::default(self.0, &body);
    }
}
