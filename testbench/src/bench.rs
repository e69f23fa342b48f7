// SPDX-License-Identifier: MIT OR Apache-2.0
//! Speed of two devices on the same stimulus, in the same process, in turns: whatever else the machine does, it does
//! to both. What counts is the time that the thread has had the processor: on a busy machine a short run may fit into a time
//! slice that a long one does not get.

use crate::Dut;
use crate::stimulus::Stimulus;
use cpu_time::ThreadTime;

/// Median speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Million cycles a second of each device, in the order given.
    pub mcycles: [f64; 2],
    /// The digests of all repetitions were equal.
    pub equal: bool,
}

impl Speed {
    /// How much faster the first is.
    pub fn ratio(&self) -> f64 {
        self.mcycles[0] / self.mcycles[1]
    }
}

/// Plays the stimulus `repetitions` times on both, in turns. A repetition of the first device is `passes` passes, as
/// it may be too fast for one to be measured; the second then makes as many, so that both stay in the same state.
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
