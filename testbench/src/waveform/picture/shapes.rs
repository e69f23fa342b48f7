// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of a line: spans of cycles with one value.

use super::Line;
use crate::device::{Error, Port};
use crate::waveform::{Recording, Signal};
use std::fmt::Write;
use std::ops::Range;

/// A line of the picture.
pub struct Row {
    /// Its signal; `None` for a gap.
    pub name: Option<String>,
    /// Width in bits.
    pub width: u32,
    /// Its spans, from left to right.
    pub stretches: Vec<Stretch>,
}

/// A span of cycles with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The cycles.
    pub cycles: Range<u64>,
    /// The value of the signal; `None` where it has no meaning.
    pub value: Option<String>,
    /// Its colour, or 0 for none.
    pub tone: u8,
}

/// Makes the row of a line.
pub fn row(recording: &Recording, window: &Range<u64>, line: &Line) -> Result<Row, Error> {
    if line.path.is_empty() {
        return Ok(Row { name: None, width: 0, stretches: Vec::new() });
    }
    let find = |path: &String| recording.layout().signal(path).ok_or_else(|| Error::NoPort(path.clone()));
    let signal = find(&line.path)?;
    let when = line.when.as_ref().map(find).transpose()?;
    let limbs = |signal: &Signal, cycle| recording.value(signal, cycle).unwrap_or_default().to_vec();
    let mut stretches: Vec<Stretch> = Vec::new();
    for cycle in window.clone() {
        let means = when.is_none_or(|when| limbs(when, cycle).iter().any(|&limb| limb != 0));
        let value = means.then(|| hex(&signal.port, &limbs(signal, cycle)));
        let tone = line.tones.iter().find(|(at, _)| *at == cycle).map_or(0, |(_, tone)| *tone);
        match stretches.last_mut() {
            Some(last) if last.value == value && last.tone == tone => last.cycles.end = cycle + 1,
            _ => stretches.push(Stretch { cycles: cycle..cycle + 1, value, tone }),
        }
    }
    Ok(Row { name: Some(line.path.clone()), width: signal.port.width, stretches })
}

/// A bit as a digit, a wider value in hexadecimal.
fn hex(port: &Port, limbs: &[u64]) -> String {
    if port.width == 1 {
        return limbs[0].to_string();
    }
    let mut digits = String::new();
    for limb in limbs.iter().rev() {
        let _ = write!(digits, "{limb:016x}");
    }
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}
