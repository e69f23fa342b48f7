// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of a frame in JSON: pairs of hexadecimal digits. A frame that is longer than [`WHOLE`] is written as its first
//! bytes and the number of zeros behind them, since the digits of one would be more than those of all others.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::fmt::Write;

/// Bytes that are written down one by one, at most.
pub const WHOLE: usize = 1 << 16;
/// Bytes of a frame that is read, at most: some times the longest that a stage takes.
const MOST: usize = 1 << 24;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Long { bytes: String, zeros: usize },
}

pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let text = if bytes.len() <= WHOLE {
        Text::Whole(digits(bytes))
    } else {
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if used > WHOLE {
            return Err(S::Error::custom(format!(
                "a frame has {used} bytes ahead of its zeros, of which {WHOLE} are kept"
            )));
        }
        Text::Long { bytes: digits(&bytes[..used]), zeros: bytes.len() - used }
    };
    text.serialize(serializer)
}

fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let (text, zeros) = match Text::deserialize(deserializer)? {
        Text::Whole(text) => (text, 0),
        Text::Long { bytes, zeros } => (bytes, zeros),
    };
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 && zeros <= MOST => {
            let mut bytes: Vec<_> = digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect();
            bytes.resize(bytes.len() + zeros, 0);
            Ok(bytes)
        }
        Some(digits) if digits.len() % 2 == 0 => {
            Err(D::Error::custom(format!("a frame with {zeros} zeros at its end; at most {MOST} are read")))
        }
        _ => Err(D::Error::custom("a frame is an even number of hexadecimal digits")),
    }
}

/// The same where they may be missing.
pub mod optional {
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => super::serialize(bytes, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}
