// SPDX-License-Identifier: MIT OR Apache-2.0
//! A monitor: takes items with random pauses, keeps them, and checks the rules of the stream.

use super::channel::{Channel, Item};
use crate::random::Random;

/// Takes a stream out of the device.
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
    /// A sink that is ready in every cycle and keeps what it gets.
    pub fn new(channel: Channel) -> Self {
        Sink { channel, pause: 0.0, keep: true, waiting: None, items: Vec::new(), taken: 0, violation: None }
    }

    /// The probability of a cycle in which it is not ready.
    pub fn pause(mut self, p: f64) -> Self {
        self.pause = p;
        self
    }

    /// Checks, but keeps nothing: for endless traffic.
    pub fn discard(mut self) -> Self {
        self.keep = false;
        self
    }

    /// The stream.
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// What has been taken since the last call.
    pub fn take(&mut self) -> Vec<Item> {
        std::mem::take(&mut self.items)
    }

    /// Items taken in all.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Items kept.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The first rule that the device broke.
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

    /// What waited must still be there, unchanged.
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

    /// The device is reset in this cycle: what waits may be gone.
    pub(super) fn reset(&mut self) {
        self.waiting = None;
    }
}
