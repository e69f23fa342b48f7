// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue of a switch output: one for data, and one that goes first, for trimmed frames and control (ACKs, NACKs).

use super::FrameBytes;
use super::headers::Headers;
use super::marking::Marking;
use super::trim::Trimming;
use crate::device::random::Random;
use std::collections::{BTreeSet, VecDeque};

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueConfig {
    /// Bytes of data that can wait.
    pub capacity: u64,
    /// Bytes of trimmed frames and control that can wait.
    pub priority_capacity: u64,
    /// DSCPs of control.
    pub control: Vec<u8>,
    /// Marks data by the depth that a frame leaves behind.
    pub marking: Option<Marking>,
    /// Trims what finds no room; without, it is dropped.
    pub trimming: Option<Trimming>,
}

/// Which of the two queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Data.
    Low,
    /// Trimmed frames and control.
    High,
}

/// What has happened to frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// Came in, whatever became of them.
    pub arrived: u64,
    /// Marked.
    pub marked: u64,
    /// Trimmed.
    pub trimmed: u64,
    /// Data that was dropped.
    pub dropped: u64,
    /// Trimmed frames and control that were dropped.
    pub priority_dropped: u64,
    /// The largest number of bytes of data that waited.
    pub peak: u64,
}

/// A queue with what waits.
#[derive(Clone, Debug)]
pub struct OutputQueue {
    config: QueueConfig,
    low: VecDeque<FrameBytes>,
    high: VecDeque<FrameBytes>,
    depths: [u64; 2],
    /// Data frames that came in, and the numbers of those that find no room whatever there is.
    data: u64,
    refused: BTreeSet<u64>,
    /// What has happened.
    pub counts: QueueCounts,
}

impl OutputQueue {
    /// An empty queue.
    pub fn new(config: QueueConfig) -> Self {
        let (low, high) = (VecDeque::new(), VecDeque::new());
        OutputQueue {
            config,
            low,
            high,
            depths: [0; 2],
            data: 0,
            refused: BTreeSet::new(),
            counts: QueueCounts::default(),
        }
    }

    /// The bytes that wait in one of the queues.
    pub fn depth(&self, class: Class) -> u64 {
        self.depths[class as usize]
    }

    /// The data frames with these numbers, counted from 0 as they come, will find no room.
    pub fn refuse(&mut self, numbers: impl IntoIterator<Item = u64>) {
        self.refused.extend(numbers);
    }

    fn class(&self, frame: &[u8]) -> Class {
        let Some(headers) = Headers::of(frame) else { return Class::Low };
        let dscp = headers.dscp(frame);
        let trimmed = self.config.trimming.is_some_and(|trimming| trimming.trimmed == dscp);
        if trimmed || self.config.control.contains(&dscp) { Class::High } else { Class::Low }
    }

    /// Puts a frame at the end; if there is no room it is trimmed, or dropped.
    pub fn push(&mut self, frame: FrameBytes) {
        self.counts.arrived += 1;
        let class = self.class(&frame);
        let refused = class == Class::Low && self.refused.contains(&self.data);
        self.data += u64::from(class == Class::Low);
        match class {
            Class::High => self.push_high(frame),
            Class::Low if !refused && self.depths[0] + frame.len() as u64 <= self.config.capacity => {
                self.depths[0] += frame.len() as u64;
                self.counts.peak = self.counts.peak.max(self.depths[0]);
                self.low.push_back(frame);
            }
            Class::Low => match self.config.trimming.map(|trimming| trimming.trim(frame)) {
                Some(Ok(trimmed)) => {
                    self.counts.trimmed += 1;
                    self.push_high(trimmed);
                }
                _ => self.counts.dropped += 1,
            },
        }
    }

    fn push_high(&mut self, frame: FrameBytes) {
        let depth = self.depths[1] + frame.len() as u64;
        if depth <= self.config.priority_capacity {
            self.depths[1] = depth;
            self.high.push_back(frame);
        } else {
            self.counts.priority_dropped += 1;
        }
    }

    /// Takes the frame that goes next.
    pub fn pop(&mut self, random: &mut Random) -> Option<FrameBytes> {
        if let Some(frame) = self.high.pop_front() {
            self.depths[1] -= frame.len() as u64;
            return Some(frame);
        }
        let mut frame = self.low.pop_front()?;
        self.depths[0] -= frame.len() as u64;
        if let Some(marking) = self.config.marking {
            self.counts.marked += marking.mark(self.depths[0], &mut frame, random) as u64;
        }
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{CONTROL, TRIMMABLE, ack, data};
    use super::super::trim::Lengths;
    use super::*;

    fn config() -> QueueConfig {
        let trimming = Trimming { trimmable: TRIMMABLE, trimmed: 16, keep: 24, lengths: Lengths::Adjusted };
        QueueConfig {
            capacity: 2 * data(0, 1000).len() as u64,
            priority_capacity: 200,
            control: vec![CONTROL],
            marking: None,
            trimming: Some(trimming),
        }
    }

    #[test]
    fn what_finds_no_room_is_trimmed_and_goes_first() {
        let (mut queue, mut random) = (OutputQueue::new(config()), Random::new(1));
        for ev in 0..3 {
            queue.push(data(ev, 1000));
        }
        queue.push(ack(9));
        queue.push(ack(10));
        let counts = QueueCounts { arrived: 5, trimmed: 1, peak: 2 * data(0, 1000).len() as u64, ..queue.counts };
        assert_eq!(queue.counts, counts);
        let left: Vec<_> = std::iter::from_fn(|| queue.pop(&mut random)).collect();
        let port = |frame: &FrameBytes| Headers::of(frame).and_then(|headers| headers.source_port(frame));
        assert_eq!(left.iter().map(port).collect::<Vec<_>>(), [2, 9, 10, 0, 1].map(Some));
        assert_eq!((left[0].len(), left[3].len()), (58, data(0, 1000).len()));
        assert_eq!((queue.depth(Class::Low), queue.depth(Class::High)), (0, 0));
    }

    #[test]
    fn both_queues_have_an_end() {
        let mut queue = OutputQueue::new(QueueConfig { trimming: None, ..config() });
        (0..5).for_each(|ev| queue.push(data(ev, 1000)));
        (0..5).for_each(|ev| queue.push(ack(ev)));
        let room = 200 / ack(0).len() as u64;
        assert_eq!((queue.counts.dropped, queue.counts.priority_dropped), (3, 5 - room));
    }

    #[test]
    fn marks_depend_on_what_is_behind() {
        let frame = data(0, 1000).len() as u64;
        let marking = Some(Marking { low: 0, high: frame - 1 });
        let (mut queue, mut random) = (OutputQueue::new(QueueConfig { marking, ..config() }), Random::new(1));
        (0..2).for_each(|ev| queue.push(data(ev, 1000)));
        let marked = |frame: FrameBytes| Headers::of(&frame).map(|headers| headers.ecn(&frame) == 3);
        assert_eq!([0; 2].map(|_| queue.pop(&mut random).and_then(marked)), [Some(true), Some(false)]);
        assert_eq!(queue.counts.marked, 1);
    }
}
