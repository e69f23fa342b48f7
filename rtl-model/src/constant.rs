// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers with a name: the Verilog has each as a `localparam`.

use crate::bits::{Bits, Operand};
use crate::logic::Gates;

/// A number with a name. It may stand right of an operator and takes the width of the left side. Made by [`constant!`](crate::constant).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// A path of Rust, of which the last parts are the name.
    pub path: &'static str,
    /// The number.
    pub value: u64,
}

impl Constant {
    /// The constant as a signal of `width` bits, in which it must fit.
    #[track_caller]
    pub fn lit<L: Gates>(self, width: u32) -> Bits<L> {
        Bits(L::named_constant(width, self.value, self.path))
    }

    /// Its name in Verilog: `FEEDBACK_GOOD` of `super::feedback::GOOD`.
    pub fn name(self) -> String {
        name_of(self.path)
    }
}

impl<L: Gates> Operand<L> for Constant {
    #[track_caller]
    fn beside(self, left: Bits<L>) -> Bits<L> {
        self.lit(L::width(left.0))
    }
}

/// The name of a constant in Verilog, of the path in Rust.
pub(crate) fn name_of(path: &str) -> String {
    let parts = path.split("::").map(str::trim).filter(|part| !["crate", "self", "super"].contains(part));
    let parts: Vec<_> = parts.collect();
    parts.join("_").to_uppercase()
}

/// A constant with its name: of a Rust constant, or with a name and a value.
///
/// ```
/// use rtl_model::{Bits, Model, constant};
///
/// mod kind {
///     pub const PROBE: u64 = 2;
/// }
///
/// let received = Bits::<Model>::lit(2, 2);
/// assert_eq!(received.equals(constant!(kind::PROBE)).value(), 1);
/// assert_eq!(constant!(kind::PROBE).name(), "KIND_PROBE");
/// assert_eq!(constant!("UDP_PORT", 4791).value, 4791);
/// ```
#[macro_export]
macro_rules! constant {
    ($name:literal, $value:expr) => {
        $crate::Constant { path: $name, value: $value }
    };
    ($path:path) => {
        $crate::Constant { path: stringify!($path), value: $path }
    };
}
