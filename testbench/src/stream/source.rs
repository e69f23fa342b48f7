// SPDX-License-Identifier: MIT OR Apache-2.0
//! A driver: offers items with random pauses, and holds what it offers until it is taken.

use super::channel::{Channel, Item};
use crate::random::Random;
use std::collections::VecDeque;

/// Makes more items when a source has none left: endless traffic.
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
    /// A source that offers an item in every cycle.
    pub fn new(channel: Channel) -> Self {
        Source { channel, queue: VecDeque::new(), feed: None, offered: false, pause: 0.0, taken: 0 }
    }

    /// The probability of a cycle in which nothing is offered, where that is allowed.
    pub fn pause(mut self, p: f64) -> Self {
        self.pause = p;
        self
    }

    /// Endless traffic.
    pub fn feed(mut self, feed: Feed) -> Self {
        self.feed = Some(feed);
        self
    }

    /// Adds items.
    pub fn send(&mut self, items: impl IntoIterator<Item = Item>) {
        self.queue.extend(items);
    }

    /// The stream.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Items taken by the device.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// All has been taken.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty()
    }

    /// Writes this cycle's offer. Whether there is one never depends on `ready`.
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
            // Nobody may look at the payload without `valid`.
            _ => self.channel.payload().for_each(|port| random.value(port, input)),
        }
        if self.offered && self.channel.ready(outputs) {
            self.queue.pop_front();
            self.taken += 1;
            self.offered = false;
        }
    }

    /// The device is reset in this cycle: the offer is withdrawn, its item is not.
    pub(super) fn reset(&mut self) {
        self.offered = false;
    }
}
