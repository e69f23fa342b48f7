// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the speed of two devices on the same stimulus. They run in turns in one process, so that other load on the
//! machine affects both. The measured time is the processor time of the thread: on a busy machine a short run may fit
//! into a time slice that a long one does not get.

use crate::device::Dut;
use crate::device::stimulus::Stimulus;
use cpu_time::ThreadTime;

/// Median speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Million cycles per second of each device, in the order given.
    pub mcycles: [f64; 2],
    /// Whether the digests of all repetitions were equal.
    pub equal: bool,
}

impl Speed {
    /// Speed of the first device divided by that of the second.
    pub fn ratio(&self) -> f64 {
        self.mcycles[0] / self.mcycles[1]
    }
}

/// Plays the stimulus `repetitions` times on both devices, in turns. One repetition of the first device consists of
/// `passes` passes, because one pass may be too fast to be measured. The second device makes as many passes, so that
/// both stay in the same state.
pub fn compare(mut duts: [&mut dyn Dut; 2], stimulus: &Stimulus, repetitions: usize, passes: usize) -> Speed {
    let mut times = [Vec::new(), Vec::new()];
    let mut digests = [Vec::new(), Vec::new()];
    for _ in 0..repetitions.max(1) {
        for (i, dut) in duts.iter_mut().enumerate() {
            let start = ThreadTime::now();
            digests[i].extend((0..passes).map(|_| dut.run(stimulus)));
            times[i].push(start.elapsed().as_secs_f64());
        }
    }
    let cycles = (stimulus.cycles() * passes) as f64 / 1e6;
    Speed { mcycles: times.map(|times| cycles / median(times)), equal: digests[0] == digests[1] }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_median_ignores_one_slow_run() {
        assert_eq!(super::median(vec![1.0, 9.0, 1.1]), 1.1);
    }
}
