// SPDX-License-Identifier: MIT OR Apache-2.0
//! A header's fields as data: names, widths and values, all derived from the one struct that lists them.

use super::Header;
use modular_bitfield::Specifier;
use modular_bitfield::error::{InvalidBitPattern, OutOfBounds};

/// A header that can name its fields.
pub trait Layout: Header {
    /// Name and width in bits of every field, from the first on the wire to the last; together they are the whole
    /// header.
    fn fields() -> Vec<(&'static str, u32)>;

    /// The values, in the order of [`fields`](Self::fields).
    fn numbers(&self) -> Vec<Number>;
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number without sign, or a flag.
    Plain(u128),
    /// A difference between two sequence numbers.
    Signed(i16),
}

impl Number {
    /// The bits on the wire.
    #[must_use]
    pub fn bits(self) -> u128 {
        match self {
            Self::Plain(bits) => bits,
            Self::Signed(number) => u128::from(number.cast_unsigned()),
        }
    }
}

impl From<i16> for Number {
    fn from(number: i16) -> Self {
        Self::Signed(number)
    }
}

macro_rules! plain {
    ($($kind:ty)+) => {
        $(impl From<$kind> for Number {
            fn from(number: $kind) -> Self {
                Self::Plain(u128::from(number))
            }
        })+
    };
}
plain!(bool u8 u16 u32 u64 u128);

/// Sixteen bits in two's complement (uet.md 1.3 to 1.5: the offsets to a PSN are signed).
pub enum Signed16 {}

impl Specifier for Signed16 {
    const BITS: usize = 16;
    type Bytes = u16;
    type InOut = i16;

    fn into_bytes(input: i16) -> Result<u16, OutOfBounds> {
        Ok(input.cast_unsigned())
    }

    fn from_bytes(bytes: u16) -> Result<i16, InvalidBitPattern<u16>> {
        Ok(bytes.cast_signed())
    }
}

/// The name of a field outside this program: `type` cannot be one inside.
#[must_use]
pub fn name(field: &'static str) -> &'static str {
    if field == "kind" { "type" } else { field }
}

/// Declares a bitfield whose fields are listed from the last to the first, with [`Header`] and [`Layout`].
/// The length in bytes stands behind the name.
macro_rules! header {
    (
        $(#[$attribute:meta])*
        pub struct $header:ident: $len:literal {
            $($(#[$about:meta])* pub $field:ident: $kind:ident,)+
        }
    ) => {
        $(#[$attribute])*
        pub struct $header {
            $($(#[$about])* pub $field: $kind,)+
        }

        $crate::headers::network_order!($header, $len);

        impl $crate::headers::Layout for $header {
            fn fields() -> Vec<(&'static str, u32)> {
                let width = |bits: usize| bits as u32;
                let last_to_first = [
                    $(($crate::headers::layout::name(stringify!($field)), width(<$kind as modular_bitfield::Specifier>::BITS)),)+
                ];
                last_to_first.into_iter().rev().collect()
            }

            fn numbers(&self) -> Vec<$crate::headers::Number> {
                let last_to_first = [$($crate::headers::Number::from(self.$field()),)+];
                last_to_first.into_iter().rev().collect()
            }
        }
    };
}
pub(crate) use header;
