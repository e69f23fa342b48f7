// SPDX-License-Identifier: MIT OR Apache-2.0
//! A progress bar on standard error, if that is a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::LazyLock;

/// Bars of what runs at the same time, one below the other.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A bar that goes away when it is done.
pub struct Progress(ProgressBar);

impl Progress {
    /// For `total` steps.
    pub fn new(what: &str, total: usize) -> Self {
        let bar = BARS.add(ProgressBar::new(total as u64)).with_message(what.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.tick();
        Progress(bar)
    }

    /// Steps done.
    pub fn add(&self, steps: usize) {
        self.0.inc(steps as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
