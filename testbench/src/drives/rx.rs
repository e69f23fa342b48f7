// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endless traffic for a receive path of RoCEv2: connections are opened, and then requests of all of them arrive, a few of
//! which overtake others.

use crate::benches::rx_bench::{HELD, holds_frames};
use crate::device::drive::Drive;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::streams::{Feed, Frame, Streams, beats};
use golden_vectors::headers::codec::encode;
use std::cell::Cell;
use std::rc::Rc;

/// SEND only.
const SEND_ONLY: u8 = 0x04;
/// Packets of a connection that may overtake each other.
const SPREAD: u64 = 4;
/// Clock cycles after which the last command has been done.
const PATIENCE: u64 = 1000;

/// Frames back to back, and everything that leaves is taken.
pub struct RxDrive {
    streams: Streams,
    held: Vec<usize>,
}

impl RxDrive {
    /// Opens `connections` connections, and sends frames of `payload` bytes on them. `pause` is the probability of a clock
    /// cycle without a beat where one could be.
    pub fn new(ports: &Ports, connections: u64, payload: usize, pause: f64, seed: u64) -> Result<Self, Error> {
        let all_open = Rc::new(Cell::new(false));
        let deliveries: &[_] = if holds_frames(ports) { &["m_delivery"] } else { &["delivery", "undelivered"] };
        let mut streams = Streams::new(ports, Random::new(seed))
            .source("command", |source| source.feed(opens(connections, Rc::clone(&all_open))))?
            .source("s_axis", |source| source.pause(pause).feed(requests(connections, all_open, payload)))?;
        for name in ["m_axis", "m_record", "m_answer"].iter().chain(deliveries) {
            streams = streams.sink(name, |sink| sink.discard())?;
        }
        let held = HELD.iter().filter_map(|name| ports.input(name)).map(|port| port.offset).collect();
        Ok(RxDrive { streams, held })
    }
}

/// Commands that open connections, each with its number as its QP and with PSN 0.
fn opens(connections: u64, all_open: Rc<Cell<bool>>) -> Feed {
    let mut next = 0;
    Box::new(move |channel, _| {
        if next == connections {
            all_open.set(true);
            return Vec::new();
        }
        let mut item = vec![0; channel.limbs()].into_boxed_slice();
        for (name, value) in [("op", 1), ("connection", next), ("key", next), ("multipath", 1), ("any_peer", 1)] {
            if let Ok((_, at)) = channel.field(name) {
                item[at.start] = value;
            }
        }
        next += 1;
        vec![item]
    })
}

/// Requests of the connections, once the last command has been done.
fn requests(connections: u64, all_open: Rc<Cell<bool>>, payload: usize) -> Feed {
    let mut senders: Vec<(u64, Vec<u64>)> = vec![(0, Vec::new()); connections as usize];
    let mut left = PATIENCE;
    Box::new(move |channel, random| {
        if left > 0 {
            left -= u64::from(all_open.get());
            return Vec::new();
        }
        let connection = random.below(senders.len() as u64);
        let (next, waiting) = &mut senders[connection as usize];
        while (waiting.len() as u64) < SPREAD {
            waiting.push(*next);
            *next = (*next + 1) & 0xFF_FFFF;
        }
        let psn = waiting.swap_remove(random.below(SPREAD) as usize);
        let frame = encode::Frame::v4()
            .with(|frame| frame.payload = vec![0xA5; payload])
            .with_opcode(SEND_ONLY)
            .with_bth(|bth| {
                bth.set_dqpn(connection as u32);
                bth.set_psn(psn as u32);
                bth.set_ackreq(false);
            });
        beats(channel, &Frame { bytes: frame.bytes(), user: 0 }).unwrap_or_default()
    })
}

impl Drive for RxDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let reset = self.streams.drive(outputs, input);
        for at in &self.held {
            input[*at] = 0;
        }
        reset
    }
}
