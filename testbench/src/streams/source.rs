// SPDX-License-Identifier: MIT OR Apache-2.0
//! A driver: offers items with random pauses, and holds each item until it is taken.

use super::channel::{Channel, Item};
use crate::device::random::Random;
use std::collections::VecDeque;

/// Makes more items when a source has none left, for endless traffic.
pub type Feed = Box<dyn FnMut(&Channel, &mut Random) -> Vec<Item>>;

/// Drives a stream into the device.
pub struct Source {
    channel: Channel,
    queue: VecDeque<Item>,
    feed: Option<Feed>,
    offered: bool,
    pause: f64,
    taken: u64,
}

impl Source {
    /// Makes a source that offers an item in every cycle.
    pub fn new(channel: Channel) -> Self {
        Source { channel, queue: VecDeque::new(), feed: None, offered: false, pause: 0.0, taken: 0 }
    }

    /// Sets the probability of a cycle in which nothing is offered, where the rules allow that.
    pub fn pause(mut self, p: f64) -> Self {
        self.pause = p;
        self
    }

    /// Sets a feed, for endless traffic.
    pub fn feed(mut self, feed: Feed) -> Self {
        self.feed = Some(feed);
        self
    }

    /// Adds items to the queue.
    pub fn send(&mut self, items: impl IntoIterator<Item = Item>) {
        self.queue.extend(items);
    }

    /// The stream that it drives.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Number of items that the device has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether all items have been taken.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty()
    }

    /// Writes this cycle's offer. Whether there is an offer never depends on `ready`.
    pub(super) fn drive(&mut self, outputs: &[u64], input: &mut [u64], random: &mut Random) {
        if self.queue.is_empty()
            && let Some(feed) = &mut self.feed
        {
            self.queue.extend(feed(&self.channel, random));
        }
        self.offered = !self.queue.is_empty() && (self.offered || !random.chance(self.pause));
        self.channel.set_valid(input, self.offered);
        match self.queue.front() {
            Some(item) if self.offered => self.channel.set(input, item),
            // Without `valid` the device must ignore the payload.
            _ => self.channel.payload().for_each(|port| random.value(port, input)),
        }
        if self.offered && self.channel.ready(outputs) {
            self.queue.pop_front();
            self.taken += 1;
            self.offered = false;
        }
    }

    /// The device is reset in this cycle: the offer is withdrawn, but its item stays in the queue.
    pub(super) fn reset(&mut self) {
        self.offered = false;
    }
}
