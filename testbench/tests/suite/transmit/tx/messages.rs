// SPDX-License-Identifier: MIT OR Apache-2.0
//! The messages of a PDC or QP and their packets, said without clock cycles (rows TX1 to TX4, TX8, TX41).

use super::bench::Fetch;
use std::collections::{HashMap, HashSet};

/// Clock cycles within which a request is answered, so that a completion in them may have come too late for it.
const ANSWER: u64 = 16;

/// A message that was accepted.
#[derive(Clone, Debug)]
struct Message {
    handle: u64,
    address: u64,
    length: u64,
    packets: u64,
    first_psn: u64,
    complete: bool,
}

/// The messages of one PDC since it was opened.
#[derive(Clone, Debug)]
pub struct Messages {
    /// The bits that a PSN has.
    psn_mask: u64,
    /// Payload bytes of a packet.
    segment: u64,
    messages: Vec<Message>,
    /// The message and the number of the packet that is next.
    next: (usize, u64),
    psn: u64,
    /// The oldest message that is not complete.
    head: usize,
    /// The first transmission of each PSN.
    sent: HashMap<u64, Fetch>,
    /// PSNs that an ACK has named.
    named: HashSet<u64>,
    /// The last PSNs that messages have had which are complete, each with the handle.
    over: HashMap<u64, u64>,
    /// The clock cycle of the last completion.
    completed: u64,
}

impl Messages {
    /// None yet; the first packet has this PSN, of so many bits.
    pub fn new(psn: u64, psn_bits: u32, segment: u64) -> Self {
        Messages {
            psn_mask: (1 << psn_bits) - 1,
            segment,
            messages: Vec::new(),
            next: (0, 0),
            psn,
            head: 0,
            sent: HashMap::new(),
            named: HashSet::new(),
            over: HashMap::new(),
            completed: 0,
        }
    }

    /// Messages that wait or are under way.
    pub fn under_way(&self) -> u64 {
        (self.messages.len() - self.head) as u64
    }

    /// The PSN of the next new packet.
    pub fn next_psn(&self) -> u64 {
        self.psn
    }

    /// A request may be refused because so many messages are all that fit.
    pub fn may_be_full(&self, limit: u64, now: u64) -> bool {
        self.under_way() >= limit || now < self.completed + ANSWER
    }

    /// A message is accepted.
    pub fn accepted(&mut self, handle: u64, address: u64, length: u64, limit: u64) {
        // One that the device has let go may not have been said to be complete.
        let open_ones = self.messages.iter().filter(|message| !message.complete).count() as u64;
        assert!(open_ones <= limit, "there is no room, {open_ones} of {limit}");
        let packets = length.div_ceil(self.segment).max(1);
        self.messages.push(Message { handle, address, length, packets, first_psn: 0, complete: false });
    }

    /// Bytes are asked for: those of the next packet, or those of one that was sent before, whose message is not complete (TX41).
    pub fn fetched(&mut self, fetch: Fetch) {
        if fetch.retransmission {
            let complete = self.over.get(&fetch.psn);
            assert_eq!(complete, None, "{fetch:?} after the completion of its message");
            let first = self.sent.get(&fetch.psn).unwrap_or_else(|| panic!("{fetch:?} was never sent"));
            assert_eq!(Fetch { retransmission: false, ..fetch }, *first, "other bytes than before");
            return;
        }
        let (at, index) = self.next;
        let message = self.messages.get_mut(at).unwrap_or_else(|| panic!("{fetch:?} of no message"));
        let (offset, last) = (index * self.segment, index + 1 == message.packets);
        let expected = Fetch {
            pdc: fetch.pdc,
            handle: message.handle,
            address: message.address.wrapping_add(offset),
            offset,
            length: if last { message.length - offset } else { self.segment },
            first: index == 0,
            last,
            psn: self.psn,
            retransmission: false,
        };
        assert_eq!(fetch, expected, "the next packet");
        if index == 0 {
            message.first_psn = self.psn;
        }
        self.sent.insert(self.psn, fetch);
        self.over.remove(&self.psn);
        self.psn = (self.psn + 1) & self.psn_mask;
        self.next = if last { (at + 1, 0) } else { (at, index + 1) };
    }

    /// An ACK that is given to the device names PSNs.
    pub fn named(&mut self, psns: impl IntoIterator<Item = u64>) {
        self.named.extend(psns);
    }

    /// A message is said to be complete: all of its packets have been acknowledged, and it had not been said.
    pub fn completed(&mut self, handle: u64, now: u64) {
        let (head, next) = (self.head, self.next.0);
        let message = self.messages[head..].iter_mut().find(|message| message.handle == handle && !message.complete);
        let message = message.unwrap_or_else(|| panic!("no message {handle} is under way"));
        let psns = (0..message.packets).map(|i| (message.first_psn + i) & self.psn_mask);
        assert!(psns.clone().all(|psn| self.named.contains(&psn)), "message {handle} has not been acknowledged");
        message.complete = true;
        self.over.extend(psns.map(|psn| (psn, handle)));
        self.completed = now;
        while self.messages.get(self.head).is_some_and(|message| message.complete) {
            self.head += 1;
        }
        assert!(self.head <= next, "a message that has not been sent");
    }

    /// The nominal sizes of packets that have not been sent, each of them so many bytes larger than its payload.
    pub fn unsent(&self, overhead: u64) -> u64 {
        let size = |packets: u64, bytes: u64| bytes + packets * overhead;
        let (at, index) = self.next;
        let rest = self.messages.iter().skip(at);
        let whole: u64 = rest.map(|message| size(message.packets, message.length)).sum();
        whole - size(index, index * self.segment)
    }

    /// Packets that no ACK has named.
    pub fn outstanding(&self) -> u64 {
        self.sent.keys().filter(|psn| !self.named.contains(psn)).count() as u64
    }
}
