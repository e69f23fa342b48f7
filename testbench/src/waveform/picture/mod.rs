// SPDX-License-Identifier: MIT OR Apache-2.0
//! A timing diagram for the documentation, made from a run of the model: chosen signals in a window of cycles, as SVG.
//!
//! ```no_run
//! use pipeline::examples::tally::TallyConfig;
//! use testbench::waveform::picture::{gap, of_run, signal};
//!
//! let design = TallyConfig { rows: 4, width: 32, amount_width: 16, ram_latency: 2 };
//! let lines = [signal("event_valid"), signal("event_row").when("event_valid"), gap(), signal("done_value")];
//! let svg = of_run(&design, "One event", 4..12, &lines, |cycle, inputs| {
//!     inputs.set("event_valid", (cycle == 5) as u64);
//! })?;
//! # Ok::<(), testbench::Error>(())
//! ```

mod draw;
mod shapes;

use super::{Recorded, Recording};
use crate::device::model::watched_reference_of;
use crate::device::{Dut, Error, Ports};
use rtl_model::Design;
use std::ops::Range;

/// A line of a picture.
#[derive(Clone, Debug, Default)]
pub struct Line {
    path: String,
    when: Option<String>,
    tones: Vec<(u64, u8)>,
}

/// A signal by its path: the names of the instances around it and its own, separated by dots.
pub fn signal(path: &str) -> Line {
    Line { path: path.to_owned(), ..Line::default() }
}

/// A gap between groups of signals.
pub fn gap() -> Line {
    Line::default()
}

impl Line {
    /// Shows the value only while this signal is not 0, because it has no meaning otherwise.
    pub fn when(mut self, path: &str) -> Self {
        self.when = Some(path.to_owned());
        self
    }

    /// Sets colours from 1 to 3 by cycle, to mark a value in all lines of the picture.
    pub fn tones(mut self, tones: &[(u64, u8)]) -> Self {
        self.tones = tones.to_vec();
        self
    }
}

/// The inputs of a cycle; each is 0 unless it is set.
pub struct Inputs<'a> {
    ports: &'a Ports,
    reset: bool,
    row: Vec<u64>,
}

impl Inputs<'_> {
    /// Sets an input, or `rst`. Panics if there is no such input, because pictures are made by tests.
    pub fn set(&mut self, name: &str, value: u64) {
        if name == "rst" {
            self.reset = value != 0;
            return;
        }
        let port = self.ports.input(name).unwrap_or_else(|| panic!("no input `{name}`"));
        port.of_mut(&mut self.row)[0] = value;
    }
}

/// Runs the model of a design from power-up to the end of the window and draws the window.
pub fn of_run<D: Design + 'static>(
    design: &D,
    title: &str,
    window: Range<u64>,
    lines: &[Line],
    mut drive: impl FnMut(u64, &mut Inputs),
) -> Result<String, Error> {
    let mut dut = Recorded::new(watched_reference_of(design)?);
    let ports = dut.ports().clone();
    for cycle in 0..window.end {
        let mut inputs = Inputs { ports: &ports, reset: false, row: vec![0; ports.input_limbs()] };
        drive(cycle, &mut inputs);
        dut.clock(inputs.reset, &inputs.row);
    }
    of_recording(dut.recording(), title, window, lines)
}

/// Draws a window of a recording.
pub fn of_recording(recording: &Recording, title: &str, window: Range<u64>, lines: &[Line]) -> Result<String, Error> {
    let kept = recording.cycles();
    if window.is_empty() || window.start < kept.start || window.end > kept.end {
        return Err(Error::Protocol(format!("the cycles {window:?} are not among those recorded, {kept:?}")));
    }
    let rows = lines.iter().map(|line| shapes::row(recording, &window, line)).collect::<Result<Vec<_>, _>>()?;
    Ok(draw::svg(title, &window, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waveform::Layout;

    /// `valid` is 1 in cycles 1 and 2; `value` counts cycles.
    fn recording() -> Recording {
        struct Nothing(Ports);
        impl Dut for Nothing {
            fn ports(&self) -> &Ports {
                &self.0
            }
            fn outputs(&mut self, _: &mut [u64]) {}
            fn clock(&mut self, _: bool, _: &[u64]) {}
        }
        let mut dut = Nothing(Ports::new([("valid", 1)], [("value", 70)]));
        let mut recording = Recording::all(Layout::of(&dut));
        for cycle in 0..4 {
            recording.add(false, &[(cycle == 1 || cycle == 2) as u64], &[0xa0 + cycle, cycle & 1], &mut dut);
        }
        recording
    }

    #[test]
    fn values_are_shown_where_they_mean_something() {
        let lines = [signal("valid"), gap(), signal("value").when("valid").tones(&[(2, 1)])];
        let svg = of_recording(&recording(), "Title & more", 0..4, &lines).expect("it draws");
        assert!(svg.contains(">0x100\u{2026}<") && svg.contains(">0xa2<"), "too long is cut:\n{svg}");
        assert!(svg.contains("Title &amp; more") && svg.contains("[69:0]") && svg.contains("class=\"t1"), "{svg}");
        assert!(!svg.contains(">0xa0<") && !svg.contains("0xa3"), "{svg}");
    }

    #[test]
    fn a_signal_or_cycle_that_is_not_there_is_an_error() {
        let error = |window: Range<u64>, path: &str| {
            of_recording(&recording(), "", window, &[signal(path)]).expect_err("not there").to_string()
        };
        assert_eq!(error(0..4, "nothing"), "the device has no port `nothing`");
        assert!(error(2..9, "valid").contains("2..9 are not among"));
    }
}
