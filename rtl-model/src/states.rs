// SPDX-License-Identifier: MIT OR Apache-2.0
//! State machines: an enum of states, and the register that holds one of them.

use crate::bits::{Bits, bits};
use crate::constant::Constant;
use crate::control::switch;
use crate::logic::Logic;
use crate::ops::index_width;
use crate::state::Reg;
pub use rtl_model_derive::States;
use std::marker::PhantomData;

/// The states of a sequence: an enum whose variants have no data. `#[derive(States)]` makes it.
pub trait States: Copy + 'static {
    /// All states in their order, each with its name in Verilog, `STEP_READ` of `Step::Read`. The first one is that at power-up
    /// and after reset.
    const ALL: &'static [(Self, &'static str)];

    /// The place of the state in their order, by which the register holds it.
    fn number(self) -> u64;
}

/// A register that holds one of some states. It has the name of its field.
///
/// ```
/// use rtl_model::{Model, StateReg, States};
///
/// #[derive(Clone, Copy, States)]
/// enum Step {
///     Idle,
///     Read,
///     Write,
/// }
///
/// let step = StateReg::<Model, Step>::new();
/// assert_eq!(step.is(Step::Idle).value(), 1);
/// // One clock cycle: a branch for each state, `case` in the Verilog.
/// let clock = || {
///     step.cases(|state| match state {
///         Step::Idle => step.go(Step::Read),
///         Step::Read => step.go(Step::Write),
///         Step::Write => step.go(Step::Idle),
///     });
/// };
/// # let _ = clock;
/// ```
///
/// A state without a branch does not compile:
///
/// ```compile_fail
/// # use rtl_model::{Model, StateReg, States};
/// # #[derive(Clone, Copy, States)]
/// # enum Step {
/// #     Idle,
/// #     Read,
/// # }
/// # let step = StateReg::<Model, Step>::new();
/// step.cases(|state| match state {
///     Step::Idle => step.go(Step::Read),
/// });
/// ```
pub struct StateReg<L: Logic, S: States>(Reg<Bits<L>>, PhantomData<S>);

impl<L: Logic, S: States> StateReg<L, S> {
    /// The register; the reset acts on it.
    #[track_caller]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        StateReg(Reg::new(&bits(Self::width())).with_reset(), PhantomData)
    }

    fn width() -> u32 {
        index_width(S::ALL.len() as u64)
    }

    fn constant(state: S) -> Constant {
        let value = state.number();
        Constant { path: S::ALL[value as usize].1, value }
    }

    /// It is in this state.
    #[track_caller]
    pub fn is(&self, state: S) -> Bits<L> {
        self.0.get().equals(Self::constant(state))
    }

    /// It is in this state from the next clock cycle on.
    #[track_caller]
    pub fn go(&self, state: S) {
        self.0.set(Self::constant(state).lit(Self::width()));
    }

    /// Runs `body` for the state that it is in; in the Verilog it is a `case` with a branch for each.
    #[track_caller]
    pub fn cases(&self, body: impl Fn(S)) {
        let mut rest = switch(self.0.get());
        for &(state, _) in S::ALL {
            rest = rest.case(Self::constant(state), || body(state));
        }
    }
}
