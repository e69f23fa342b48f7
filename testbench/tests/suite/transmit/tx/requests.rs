// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CREDIT_REQUESTs that are to leave a transmit path (rows TX22 to TX24): when they are counted, and what their frames say.

use super::checker::Destination;
use std::collections::VecDeque;

/// The most by which packets of one turn can have exceeded the credit.
const EXCEEDED: u64 = 2048;
/// Clock cycles in which an answer to the device has its effect, and those in which a visit becomes a packet.
const EFFECT: u64 = 200;

/// What is expected of the times.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Clock cycles in which each PDC is looked at once.
    pub round: u64,
    /// Clock cycles more than two rounds in which something happens to a PDC that has something to send and nothing in flight; with
    /// losses there may be more in flight than is seen, and this is not looked at.
    pub patience: Option<u64>,
}

impl Pace {
    /// Nothing is looked at.
    pub const NONE: Pace = Pace { round: 0, patience: None };
}

/// A PDC as it is when a request is counted.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub pdc: u64,
    pub destination: Destination,
    /// The clock cycle in which the command that opened it was offered.
    pub opened: u64,
    /// The last clock cycle in which it was sent something, sent something, or had a message accepted.
    pub moved: u64,
    /// The nominal sizes of packets that have not been sent.
    pub unsent: u64,
    /// Packets that no ACK has named.
    pub outstanding: u64,
    /// The credit numbers that the device was given last, the newest one first.
    pub credits: [u64; 2],
}

/// A request that was counted.
struct Counted {
    at: u64,
    pdcs: Vec<Standing>,
}

/// The expectations.
pub struct Requests {
    pace: Pace,
    count: u64,
    counted: VecDeque<Counted>,
    /// Frames that have left.
    pub frames: u64,
    /// For each PDC the clock cycle of the last one, as it was counted.
    last: Vec<u64>,
}

/// A request as its frame says it.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub pdc: u64,
    pub target: u64,
}

impl Requests {
    pub fn new(pace: Pace, pdcs: u64) -> Self {
        Requests { pace, count: 0, counted: VecDeque::new(), frames: 0, last: vec![0; pdcs as usize] }
    }

    /// The counter in a clock cycle, in which the open PDCs are these.
    pub fn counted(&mut self, now: u64, count: u64, pdcs: impl FnOnce() -> Vec<Standing>) {
        if count != self.count {
            assert_eq!(count, self.count + 1, "one in a clock cycle");
            self.count = count;
            self.counted.push_back(Counted { at: now, pdcs: pdcs() });
        }
    }

    /// The identifiers and the payload of a frame of one, whose other fields are right.
    pub fn frame(&mut self, pdcids: [u64; 2], payload: u64) -> (Request, Standing) {
        let Counted { at, pdcs } = self.counted.pop_front().expect("it was counted");
        self.frames += 1;
        let standing = pdcs.into_iter().find(|standing| standing.destination.pdcids == pdcids);
        let standing =
            standing.unwrap_or_else(|| panic!("cycle {at}: a request of a PDC that is not open: {pdcids:x?}"));
        let Standing { pdc, opened, moved, unsent, outstanding, credits, .. } = standing;
        // It was looked at twice since it was opened.
        assert!(at >= opened + self.pace.round, "cycle {at}: PDC {pdc} was opened in {opened}");
        let last = std::mem::replace(&mut self.last[pdc as usize], at);
        // Commands of the host make visits late, and then the next one is sooner.
        let is_soon = last > 0 && at + EFFECT <= last + self.pace.round;
        assert!(self.pace.patience.is_none() || !is_soon, "cycle {at}: PDC {pdc} has asked in {last}");
        assert_eq!(payload >> 24, 0, "payload");
        if self.pace.patience.is_some() && at > moved + EFFECT {
            assert!(unsent > 0 && outstanding == 0, "cycle {at}: does not stand still: {standing:x?}");
            let wants = credits.map(|credit| payload.wrapping_sub(credit) & 0xFF_FFFF);
            let bounds = unsent.div_ceil(256)..=(unsent + EXCEEDED).div_ceil(256);
            assert!(wants.iter().any(|wants| bounds.contains(wants)), "{wants:?} for {standing:?}");
        }
        (Request { pdc, target: payload }, standing)
    }

    /// A PDC that has something to send and nothing in flight sends or asks in time.
    pub fn check(&self, now: u64, standing: &Standing) {
        let Some(patience) = self.pace.patience else { return };
        let Standing { pdc, moved, unsent, outstanding, .. } = *standing;
        if unsent > 0 && outstanding == 0 {
            let since = moved.max(self.last[pdc as usize]);
            assert!(now <= since + 2 * self.pace.round + patience, "cycle {now}: PDC {pdc} does nothing since {since}");
        }
    }

    /// As many frames as were counted.
    pub fn all_have_left(&self) -> bool {
        self.counted.is_empty()
    }
}
