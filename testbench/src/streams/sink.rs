// SPDX-License-Identifier: MIT OR Apache-2.0
//! A monitor: takes items with random pauses, keeps them, and checks the rules of the stream.

use super::channel::{Channel, Item};
use crate::device::random::Random;

/// Takes the items of a stream out of the device.
pub struct Sink {
    channel: Channel,
    pause: f64,
    keep: bool,
    waiting: Option<Item>,
    items: Vec<Item>,
    taken: u64,
    violation: Option<String>,
}

impl Sink {
    /// Makes a sink that is ready in every cycle and keeps its items.
    pub fn new(channel: Channel) -> Self {
        Sink { channel, pause: 0.0, keep: true, waiting: None, items: Vec::new(), taken: 0, violation: None }
    }

    /// Sets the probability of a cycle in which it is not ready.
    pub fn pause(mut self, p: f64) -> Self {
        self.pause = p;
        self
    }

    /// The same from now on.
    pub fn set_pause(&mut self, p: f64) {
        self.pause = p;
    }

    /// Checks the items but does not keep them, for endless traffic.
    pub fn discard(mut self) -> Self {
        self.keep = false;
        self
    }

    /// The stream that it takes.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Returns the items that were taken since the last call.
    pub fn take(&mut self) -> Vec<Item> {
        std::mem::take(&mut self.items)
    }

    /// Number of all items taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The items that are kept.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The first violation of a rule by the device.
    pub fn violation(&self) -> Option<&str> {
        self.violation.as_deref()
    }

    pub(super) fn drive(&mut self, cycle: u64, outputs: &[u64], input: &mut [u64], random: &mut Random) {
        let ready = !random.chance(self.pause);
        self.channel.set_ready(input, ready);
        let offered = self.channel.valid(outputs).then(|| self.channel.get(outputs));
        self.check(cycle, offered.as_deref());
        self.waiting = None;
        match offered {
            Some(item) if ready => {
                self.taken += 1;
                if self.keep {
                    self.items.push(item);
                }
            }
            offered => self.waiting = offered,
        }
    }

    /// Checks that an item that was offered but not taken is still offered, unchanged.
    fn check(&mut self, cycle: u64, offered: Option<&[u64]>) {
        let Some(waiting) = &self.waiting else { return };
        let [valid, ready] = self.channel.handshake();
        let broken = match offered {
            None => format!("cycle {cycle}: `{valid}` fell before `{ready}`"),
            Some(offered) => match self.channel.difference(waiting, offered) {
                Some(field) => format!("cycle {cycle}: `{field}` changed before `{ready}`"),
                None => return,
            },
        };
        self.violation.get_or_insert(broken);
    }

    /// The device is reset in this cycle, so an offered item may be withdrawn.
    pub(super) fn reset(&mut self) {
        self.waiting = None;
    }
}
