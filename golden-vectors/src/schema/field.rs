// SPDX-License-Identifier: MIT OR Apache-2.0
//! One expected field: a value, and which of its bits count.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// An expected value with a don't-care mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The value; bits outside the mask are 0.
    pub value: u128,
    /// Ones where bits count; all ones if the whole field does.
    pub mask: u128,
}

impl Field {
    /// A field of which every bit counts.
    #[must_use]
    pub const fn exact(value: u128) -> Self {
        Self { value, mask: u128::MAX }
    }

    /// Whether `actual` is what is expected.
    #[must_use]
    pub const fn matches(&self, actual: u128) -> bool {
        actual & self.mask == self.value & self.mask
    }
}

/// In JSON: a plain number, or one with a mask beside it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Exact(String),
    Masked { value: String, mask: String },
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = format!("{:#x}", self.value);
        let text = match self.mask {
            u128::MAX => Text::Exact(value),
            mask => Text::Masked { value, mask: format!("{mask:#x}") },
        };
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |text: &str| {
            text.strip_prefix("0x")
                .and_then(|digits| u128::from_str_radix(digits, 16).ok())
                .ok_or_else(|| D::Error::custom(format!("{text:?} is not a number like 0x1f")))
        };
        match Text::deserialize(deserializer)? {
            Text::Exact(value) => Ok(Self::exact(number(&value)?)),
            Text::Masked { value, mask } => Ok(Self { value: number(&value)?, mask: number(&mask)? }),
        }
    }
}
