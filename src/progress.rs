// SPDX-License-Identifier: MIT OR Apache-2.0
//! A progress bar on standard error, if that is a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::LazyLock;

/// Bars of concurrent work, one below the other.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A bar that disappears when the work is done.
pub struct Progress(ProgressBar);

impl Progress {
    /// Makes a bar for `total` steps.
    pub fn new(what: &str, total: usize) -> Self {
        let bar = BARS.add(ProgressBar::new(total as u64)).with_message(what.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.tick();
        Progress(bar)
    }

    /// Adds finished steps.
    pub fn add(&self, steps: usize) {
        self.0.inc(steps as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
