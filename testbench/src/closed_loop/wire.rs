// SPDX-License-Identifier: MIT OR Apache-2.0
//! The MAC of a NIC: credit, answers and data share the wire out, in this order; what comes in waits for the device.

use super::axis::Axis;
use crate::Error;
use crate::network::{FrameBytes, Link};
use std::collections::VecDeque;

/// Where a frame comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The receive path: an ACK or NACK.
    Answer,
    /// The transmit path.
    Data,
    /// The pacer: a frame as a whole.
    Credit,
}

/// Who has something.
#[derive(Clone, Copy, Debug)]
pub struct Offered {
    /// The pacer.
    pub credit: bool,
    /// The receive path.
    pub answer: bool,
    /// The transmit path.
    pub data: bool,
}

/// The way out. The first beat of a frame is taken when the wire is free, and with it the frame begins there.
#[derive(Clone, Debug, Default)]
pub struct Egress {
    /// The frame whose beats are being taken, and the clock cycle in which it began.
    current: Option<(Origin, u64, FrameBytes)>,
}

impl Egress {
    /// Whose beat is taken in this clock cycle; it depends on who has one.
    pub fn choose(&self, now: u64, link: &Link, offered: Offered) -> Option<Origin> {
        let Offered { credit, answer, data } = offered;
        match &self.current {
            Some((Origin::Answer, ..)) => answer.then_some(Origin::Answer),
            Some((Origin::Data | Origin::Credit, ..)) => data.then_some(Origin::Data),
            None if !link.is_free(now) => None,
            None if credit => Some(Origin::Credit),
            None if answer => Some(Origin::Answer),
            None => data.then_some(Origin::Data),
        }
    }

    /// Takes the beat of the one chosen. With the last beat the frame is on the link; a copy of it.
    pub fn take(
        &mut self,
        now: u64,
        origin: Origin,
        (axis, row): (&Axis, &[u64]),
        link: &mut Link,
    ) -> Result<Option<FrameBytes>, Error> {
        let (_, began, frame) = self.current.get_or_insert_with(|| (origin, now, FrameBytes::new()));
        if !axis.take(row, frame)? {
            return Ok(None);
        }
        let (began, frame) = (*began, std::mem::take(frame));
        self.current = None;
        link.send_since(began, now, frame.clone());
        Ok(Some(frame))
    }
}

/// The way in.
#[derive(Clone, Debug, Default)]
pub struct Ingress {
    waiting: VecDeque<FrameBytes>,
    /// Bytes of the first one that the device has taken.
    done: usize,
    bytes: u64,
    /// The largest number of bytes that waited.
    pub peak: u64,
}

impl Ingress {
    /// A frame has come.
    pub fn push(&mut self, frame: FrameBytes) {
        self.bytes += frame.len() as u64;
        self.peak = self.peak.max(self.bytes);
        self.waiting.push_back(frame);
    }

    /// Offers a beat, which the device takes in this clock cycle if it is ready.
    pub fn drive(&mut self, axis: &Axis, outputs: &[u64], inputs: &mut [u64]) {
        let Some(frame) = self.waiting.front() else { return axis.put_nothing(inputs) };
        let is_last = axis.put(inputs, frame, self.done);
        if !axis.is_ready(outputs) {
            return;
        }
        self.done += axis.bytes();
        if is_last {
            self.bytes -= frame.len() as u64;
            self.waiting.pop_front();
            self.done = 0;
        }
    }
}
