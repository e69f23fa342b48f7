// SPDX-License-Identifier: MIT OR Apache-2.0
//! An output of a switch: a queue and the link behind it, which may lose and repeat frames.

use super::FrameBytes;
use super::link::{Link, LinkConfig, Rate};
use super::queue::{OutputQueue, QueueConfig, QueueCounts};
use crate::device::random::Random;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What a link does to frames at random.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impairment {
    /// The probability that a frame is lost.
    pub loss: f64,
    /// The probability that a frame comes twice.
    pub duplication: f64,
}

/// An output.
#[derive(Clone, Debug, PartialEq)]
pub struct PortConfig {
    /// The queue.
    pub queue: QueueConfig,
    /// The link.
    pub link: LinkConfig,
    /// What the link does at random.
    pub impairment: Impairment,
}

/// What has happened in the queue and on the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// In the queue.
    pub queue: QueueCounts,
    /// Lost at random.
    pub lost: u64,
    /// Repeated at random.
    pub duplicated: u64,
}

impl PortCounts {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (a, b) = (self.queue, other.queue);
        PortCounts {
            queue: QueueCounts {
                arrived: a.arrived + b.arrived,
                marked: a.marked + b.marked,
                trimmed: a.trimmed + b.trimmed,
                dropped: a.dropped + b.dropped,
                priority_dropped: a.priority_dropped + b.priority_dropped,
                peak: a.peak.max(b.peak),
            },
            lost: self.lost + other.lost,
            duplicated: self.duplicated + other.duplicated,
        }
    }
}

/// An output with what waits and what is under way.
#[derive(Clone, Debug)]
pub struct Port {
    impairment: Impairment,
    queue: OutputQueue,
    link: Link,
    random: Random,
    /// Packets that are to be lost: how many come before the first one, and from each to the next.
    losses: VecDeque<u64>,
    /// Packets that were lost so, with how often they will be once more.
    chosen: HashMap<Vec<u8>, u64>,
    again: u64,
    /// Frames without data that are still to be lost.
    answers: u64,
    /// Packets that have been counted for that, by bytes of their payload.
    counted: BTreeSet<Vec<u8>>,
    lost: u64,
    duplicated: u64,
}

/// Bytes of a frame from which on it is one with data.
const DATA: usize = 1024;

impl Port {
    /// An output at which nothing waits.
    pub fn new(config: PortConfig, random: Random) -> Self {
        let (queue, link) = (OutputQueue::new(config.queue), Link::new(config.link));
        Port {
            impairment: config.impairment,
            queue,
            link,
            random,
            losses: VecDeque::new(),
            chosen: HashMap::new(),
            again: 0,
            answers: 0,
            counted: BTreeSet::new(),
            lost: 0,
            duplicated: 0,
        }
    }

    /// What the link does at random from now on.
    pub fn impair(&mut self, impairment: Impairment) {
        self.impairment = impairment;
    }

    /// The rate of its link from now on.
    pub fn set_rate(&mut self, rate: Rate) {
        self.link.set_rate(rate);
    }

    /// The data frames with these numbers, counted from 0 as they come, will find no room in the queue.
    pub fn refuse(&mut self, numbers: impl IntoIterator<Item = u64>) {
        self.queue.refuse(numbers);
    }

    /// These packets with data, counted from 0 on from now, are lost; the numbers ascend. One that is sent again counts once.
    pub fn lose(&mut self, numbers: &[u64]) {
        let mut next = 0;
        self.counted.clear();
        self.losses = numbers.iter().map(|number| number - std::mem::replace(&mut next, number + 1)).collect();
    }

    /// What is lost by [`Self::lose`] is lost so often again when it is sent again.
    pub fn lose_again(&mut self, times: u64) {
        self.again = times;
    }

    /// So many of the next frames without data are lost.
    pub fn lose_answers(&mut self, number: u64) {
        self.answers = number;
    }

    /// This frame is one of those.
    fn loses(&mut self, frame: &FrameBytes) -> bool {
        if frame.len() < DATA {
            let loses = self.answers > 0;
            self.answers -= u64::from(loses);
            return loses;
        }
        let packet = frame[DATA / 2..][..32].to_vec();
        if let Some(left) = self.chosen.get_mut(&packet).filter(|left| **left > 0) {
            *left -= 1;
            return true;
        }
        let Some(before) = self.losses.front_mut() else { return false };
        if !self.counted.insert(packet.clone()) {
            return false;
        }
        if let Some(less) = before.checked_sub(1) {
            *before = less;
            return false;
        }
        self.losses.pop_front();
        self.chosen.insert(packet, self.again);
        true
    }

    /// Puts a frame in the queue.
    pub fn push(&mut self, frame: FrameBytes) {
        self.queue.push(frame);
    }

    /// A clock cycle: frames begin on the link if it is free. A frame that is lost takes its time on the wire all the same.
    pub fn step(&mut self, now: u64) {
        while self.link.is_free(now)
            && let Some(frame) = self.queue.pop(&mut self.random)
        {
            self.link.send(now, frame);
        }
    }

    /// The frames that arrive at the other end in this clock cycle.
    pub fn arrive(&mut self, now: u64) -> Vec<FrameBytes> {
        let mut arrived = Vec::new();
        while let Some(frame) = self.link.arrive(now) {
            if self.loses(&frame) || self.random.chance(self.impairment.loss) {
                self.lost += 1;
                continue;
            }
            if self.random.chance(self.impairment.duplication) {
                self.duplicated += 1;
                arrived.push(frame.clone());
            }
            arrived.push(frame);
        }
        arrived
    }

    /// Nothing waits or is under way.
    pub fn is_empty(&self) -> bool {
        let depth = |class| self.queue.depth(class);
        self.link.is_empty() && depth(super::Class::Low) + depth(super::Class::High) == 0
    }

    /// What has happened.
    pub fn counts(&self) -> PortCounts {
        PortCounts { queue: self.queue.counts, lost: self.lost, duplicated: self.duplicated }
    }

    /// The bytes of data that wait.
    pub fn depth(&self) -> u64 {
        self.queue.depth(super::Class::Low)
    }
}

#[cfg(test)]
mod tests {
    use super::super::link::Rate;
    use super::super::samples::data;
    use super::*;

    fn config(impairment: Impairment) -> PortConfig {
        let (capacity, priority_capacity) = (1 << 40, 1 << 40);
        PortConfig {
            queue: QueueConfig { capacity, priority_capacity, control: vec![], marking: None, trimming: None },
            link: LinkConfig { rate: Rate { bytes: 10, cycles: 3 }, delay: 17, overhead: 24, first_bit: false },
            impairment,
        }
    }

    #[test]
    fn a_port_sends_at_the_rate_of_its_link() {
        let mut port = Port::new(config(Impairment::default()), Random::new(5));
        (0..100).for_each(|ev| port.push(data(ev, 500)));
        let (mut now, mut count) = (0, 0);
        while !port.is_empty() {
            port.step(now);
            count += port.arrive(now).len();
            now += 1;
        }
        let bytes = 100 * (data(0, 500).len() as u64 + 24);
        assert_eq!((count, now - 1), (100, (3 * bytes).div_ceil(10) + 17));
    }

    #[test]
    fn frames_of_data_are_lost_by_their_numbers() {
        let mut port = Port::new(config(Impairment::default()), Random::new(5));
        port.lose(&[0, 3, 4]);
        // Bytes in the middle of a frame tell packets apart.
        let frame = |i: u16| {
            let mut bytes = data(i, if i.is_multiple_of(2) { 2000 } else { 10 });
            bytes.iter_mut().skip(DATA / 2).for_each(|byte| *byte = i as u8);
            bytes
        };
        (0..14).for_each(|i| port.push(frame(i)));
        let (mut now, mut arrived) = (0, Vec::new());
        while !port.is_empty() {
            port.step(now);
            arrived.extend(port.arrive(now));
            now += 1;
        }
        let kept: Vec<_> = [1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13].map(frame).into();
        assert_eq!((arrived, port.counts().lost), (kept, 3));
    }

    #[test]
    fn frames_are_lost_and_repeated_with_their_probabilities() {
        let mut port = Port::new(config(Impairment { loss: 0.1, duplication: 0.05 }), Random::new(5));
        (0..10_000).for_each(|i| port.push(data(i as u16, 10)));
        let (mut now, mut count) = (0, 0);
        while !port.is_empty() {
            port.step(now);
            count += port.arrive(now).len() as u64;
            now += 1;
        }
        let PortCounts { lost, duplicated, .. } = port.counts();
        assert!((900..1100).contains(&lost) && (370..530).contains(&duplicated), "{lost}, {duplicated}");
        assert_eq!(count, 10_000 - lost + duplicated);
    }
}
