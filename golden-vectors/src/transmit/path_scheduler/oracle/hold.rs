// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hold between two steps (T23), and the time for which a sub-path is spared (T14).

/// Deadlines wrap to 0 at this value.
const TIMES: u64 = 1 << 16;

/// Whether a sub-path is on hold, and until when.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold {
    deadline: Option<u64>,
}

impl Hold {
    /// True if a mark is not a step.
    pub const fn is_on(self) -> bool {
        self.deadline.is_some()
    }

    /// Feedback of this time ends the hold if the deadline is reached.
    pub fn pass(&mut self, time: u64) {
        if !self.at(time) {
            self.deadline = None;
        }
    }

    /// True if the deadline has not been reached at this time.
    pub const fn at(self, time: u64) -> bool {
        match self.deadline {
            Some(deadline) => (time % TIMES + TIMES - deadline) % TIMES >= TIMES / 2,
            None => false,
        }
    }

    /// A first loss at this time spares the sub-path for so long, and for the rest of the unit of time.
    pub fn spare(&mut self, time: u64, after: u64) {
        self.deadline = Some((time + after + 1) % TIMES);
    }

    /// A step at this time.
    pub fn begin(&mut self, time: u64, rtt: u64) {
        self.deadline = (rtt != 0).then_some((time + rtt + 1) % TIMES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_wrap() {
        let mut hold = Hold::default();
        hold.begin(TIMES - 2, 3);
        for (time, on) in [(TIMES - 1, true), (0, true), (1, true), (2, false)] {
            hold.pass(time);
            assert_eq!(hold.is_on(), on, "{time}");
        }
    }
}
