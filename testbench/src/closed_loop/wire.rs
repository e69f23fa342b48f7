// SPDX-License-Identifier: MIT OR Apache-2.0
//! The MAC of a NIC: a frame of the device begins when the wire is free; what comes in waits for the device.

use super::axis::Axis;
use crate::device::Error;
use crate::network::{FrameBytes, Link};
use std::collections::VecDeque;

/// The way out. The first beat of a frame is taken when the wire is free, and with it the frame begins there.
#[derive(Clone, Debug, Default)]
pub struct Egress {
    /// The frame whose beats are being taken, and the clock cycle in which it began.
    current: Option<(u64, FrameBytes)>,
}

impl Egress {
    /// A beat can be taken in this clock cycle.
    pub fn is_ready(&self, now: u64, link: &Link) -> bool {
        self.current.is_some() || link.is_free(now)
    }

    /// Takes a beat of the device. With the last beat the frame is on the link; a copy of it.
    pub fn take(&mut self, now: u64, axis: &Axis, row: &[u64], link: &mut Link) -> Result<Option<FrameBytes>, Error> {
        let (_, frame) = self.current.get_or_insert_with(|| (now, FrameBytes::new()));
        if !axis.take(row, frame)? {
            return Ok(None);
        }
        let Some((began, frame)) = self.current.take() else { return Ok(None) };
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

    /// No frame waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Offers a beat, which the device takes in this clock cycle if it is ready; the frame, if it is the last one.
    pub fn drive(&mut self, axis: &Axis, outputs: &[u64], inputs: &mut [u64]) -> Option<FrameBytes> {
        let Some(frame) = self.waiting.front() else {
            axis.put_nothing(inputs);
            return None;
        };
        let is_last = axis.put(inputs, frame, self.done);
        if !axis.is_ready(outputs) {
            return None;
        }
        self.done += axis.bytes();
        if !is_last {
            return None;
        }
        self.bytes -= frame.len() as u64;
        self.done = 0;
        self.waiting.pop_front()
    }
}
