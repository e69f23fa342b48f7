// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link: frames one behind the other at a rate, each with a gap, and a delay. Time on the wire is exact: fractions of a
//! clock cycle add up.

use super::FrameBytes;
use std::collections::VecDeque;

/// Bytes per clock cycle, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Bytes ..
    pub bytes: u64,
    /// .. in this number of clock cycles.
    pub cycles: u64,
}

/// A link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkConfig {
    /// Its rate.
    pub rate: Rate,
    /// From a bit in to the bit out, in clock cycles.
    pub delay: u64,
    /// Bytes on the wire beside those of each frame. On Ethernet preamble, FCS and gap: 24.
    pub overhead: u64,
    /// A frame arrives with its first bit, at a receiver that takes it as fast as the link brings it; otherwise with its
    /// last bit.
    pub first_bit: bool,
}

/// The bytes of an Ethernet frame that is as short as possible, without FCS.
pub const SHORTEST: u64 = 60;

/// A link with what is on it. Times are in parts of a clock cycle, `rate.bytes` of which are one.
#[derive(Clone, Debug)]
pub struct Link {
    config: LinkConfig,
    /// When the wire is free.
    free: u64,
    /// Frames with the clock cycles in which they arrive.
    flying: VecDeque<(u64, FrameBytes)>,
}

impl Link {
    /// A link on which nothing is.
    pub fn new(config: LinkConfig) -> Self {
        Link { config, free: 0, flying: VecDeque::new() }
    }

    /// The rate of frames that begin from now on.
    pub fn set_rate(&mut self, rate: Rate) {
        self.free = self.free.div_ceil(self.config.rate.bytes) * rate.bytes;
        self.config.rate = rate;
    }

    /// A frame can begin in this clock cycle.
    pub fn is_free(&self, now: u64) -> bool {
        self.free < (now + 1) * self.config.rate.bytes
    }

    /// A frame begins in this clock cycle, in which the wire is free.
    pub fn send(&mut self, now: u64, frame: FrameBytes) {
        self.send_since(now, now, frame);
    }

    /// A frame whose first byte was there in cycle `began`, when the wire was free, and whose last one is there now.
    pub fn send_since(&mut self, began: u64, now: u64, frame: FrameBytes) {
        assert!(self.is_free(began), "a frame is on the wire");
        let LinkConfig { rate, delay, overhead, first_bit } = self.config;
        let start = self.free.max(began * rate.bytes);
        let bytes = (frame.len() as u64).max(SHORTEST) + overhead;
        self.free = (start + bytes * rate.cycles).max(now * rate.bytes);
        let sent = if first_bit { start } else { self.free };
        self.flying.push_back((sent.div_ceil(rate.bytes) + delay, frame));
    }

    /// The frame that arrives in this clock cycle.
    pub fn arrive(&mut self, now: u64) -> Option<FrameBytes> {
        let (cycle, _) = self.flying.front()?;
        if *cycle > now {
            return None;
        }
        self.flying.pop_front().map(|(_, frame)| frame)
    }

    /// Nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.flying.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames as fast as the link takes them; the clock cycles in which they arrive.
    fn arrivals(config: LinkConfig, sizes: &[usize]) -> Vec<u64> {
        let (mut link, mut sizes) = (Link::new(config), sizes.iter().peekable());
        let mut arrived = Vec::new();
        let mut now = 0;
        while sizes.peek().is_some() || !link.is_empty() {
            while link.arrive(now).is_some() {
                arrived.push(now);
            }
            while link.is_free(now)
                && let Some(size) = sizes.next()
            {
                link.send(now, vec![0; *size]);
            }
            now += 1;
        }
        arrived
    }

    #[test]
    fn the_rate_is_reached_exactly() {
        for (bytes, cycles, overhead) in [(64, 1, 24), (64, 1, 0), (125, 8, 24), (7, 9, 1), (200, 1, 0)] {
            let config = LinkConfig { rate: Rate { bytes, cycles }, delay: 5, overhead, first_bit: false };
            let sizes: Vec<_> = (0..1000).map(|i| 60 + i * 37 % 1500).collect();
            let mut sent = 0;
            for (arrived, size) in arrivals(config, &sizes).into_iter().zip(&sizes) {
                sent += *size as u64 + overhead;
                assert_eq!(arrived, (sent * cycles).div_ceil(bytes) + 5);
            }
        }
    }

    #[test]
    fn a_frame_arrives_with_its_first_or_its_last_bit() {
        let of = |first_bit| LinkConfig { rate: Rate { bytes: 64, cycles: 1 }, delay: 100, overhead: 24, first_bit };
        assert_eq!(arrivals(of(false), &[4000, 1]), [100 + 63, 100 + 65], "short frames are padded");
        assert_eq!(arrivals(of(true), &[4000, 1]), [100, 100 + 63]);
    }

    #[test]
    fn a_frame_that_comes_slowly_takes_its_time() {
        let config = LinkConfig { rate: Rate { bytes: 64, cycles: 1 }, delay: 0, overhead: 0, first_bit: false };
        let mut link = Link::new(config);
        link.send_since(10, 12, vec![0; 640]);
        assert!(!link.is_free(19) || link.arrive(19).is_none());
        assert!(link.arrive(20).is_some(), "the wire is slower");
        link.send_since(30, 90, vec![0; 640]);
        assert!(link.arrive(89).is_none());
        assert!(link.arrive(90).is_some(), "the sender is slower");
    }
}
