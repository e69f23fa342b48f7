// SPDX-License-Identifier: MIT OR Apache-2.0
//! All messages of a closed loop, by who sends them: what was asked for, what has been delivered, what is complete.

use super::payload::Part;
use crate::device::Error;
use std::collections::{BTreeMap, BTreeSet};

/// A host and one of its PDCs.
pub type Flow = (u16, u16);

/// A message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its bytes.
    pub length: u32,
    /// Its packets.
    pub packets: u32,
    /// Its packets that have arrived whole, in whatever order.
    pub arrived: u32,
    /// Those that have been delivered.
    pub delivered: u32,
    /// The clock cycle in which it was requested.
    pub requested: Option<u64>,
    /// That in which its last packet was delivered.
    pub received: Option<u64>,
    /// That in which it was complete for its sender.
    pub completed: Option<u64>,
}

/// The messages of a PDC, in the order in which they are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sent {
    messages: Vec<Message>,
    /// Messages and offsets that have arrived.
    arrived: BTreeSet<(u32, u32)>,
    /// The message that is being delivered.
    current: usize,
    bytes: u64,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Payload bytes of a packet.
    segment: u32,
    flows: BTreeMap<Flow, Sent>,
}

fn broken(what: String) -> Result<(), Error> {
    Err(Error::Protocol(what))
}

impl Ledger {
    /// One without messages.
    pub fn new(segment: u32) -> Self {
        Ledger { segment, flows: BTreeMap::new() }
    }

    /// Adds a message; its number among those of its flow.
    pub fn add(&mut self, flow: Flow, length: u32) -> u32 {
        let messages = &mut self.flows.entry(flow).or_default().messages;
        let packets = length.div_ceil(self.segment).max(1);
        messages.push(Message { length, packets, ..Message::default() });
        messages.len() as u32 - 1
    }

    /// The messages of a flow.
    pub fn messages(&self, flow: Flow) -> &[Message] {
        self.flows.get(&flow).map_or(&[], |sent| &sent.messages)
    }

    /// The packets of a flow that have been delivered.
    pub fn delivered_packets(&self, flow: Flow) -> u64 {
        self.messages(flow).iter().map(|message| u64::from(message.delivered)).sum()
    }

    /// What packet `index` of all packets of a flow carries, and of which message.
    pub fn part(&self, flow: Flow, mut index: u64) -> Option<(Part, Message)> {
        for (number, message) in (0..).zip(self.messages(flow)) {
            if index < u64::from(message.packets) {
                let offset = index as u32 * self.segment;
                let length = self.segment.min(message.length - offset);
                return Some((Part { source: flow.0, pdc: flow.1, message: number, offset, length }, *message));
            }
            index -= u64::from(message.packets);
        }
        None
    }

    /// The bytes of a flow that have been delivered.
    pub fn bytes(&self, flow: Flow) -> u64 {
        self.flows.get(&flow).map_or(0, |sent| sent.bytes)
    }

    fn message(&mut self, flow: Flow, message: u32) -> Result<&mut Message, Error> {
        let found = self.flows.get_mut(&flow).and_then(|sent| sent.messages.get_mut(message as usize));
        found.ok_or_else(|| Error::Protocol(format!("flow {flow:?} has no message {message}")))
    }

    /// A message was requested.
    pub fn requested(&mut self, now: u64, flow: Flow, message: u32) -> Result<(), Error> {
        self.message(flow, message)?.requested = Some(now);
        Ok(())
    }

    /// A packet has arrived.
    pub fn arrived(&mut self, part: Part) -> Result<(), Error> {
        let (flow, place) = ((part.source, part.pdc), (part.message, part.offset));
        self.message(flow, part.message)?;
        let sent = self.flows.get_mut(&flow).expect("it has the message");
        if sent.arrived.insert(place) {
            sent.messages[part.message as usize].arrived += 1;
        }
        Ok(())
    }

    /// A packet was delivered: it must be the next one of its flow.
    pub fn delivered(&mut self, now: u64, part: Part) -> Result<(), Error> {
        let flow = (part.source, part.pdc);
        let Some(sent) = self.flows.get_mut(&flow) else { return broken(format!("{part:?} of no flow")) };
        let (current, segment) = (sent.current, self.segment);
        let Some(message) = sent.messages.get_mut(current) else {
            return broken(format!("{part:?} after the last message"));
        };
        let offset = message.delivered * segment;
        let next = Part { message: current as u32, offset, length: segment.min(message.length - offset), ..part };
        if part != next {
            return broken(format!("cycle {now}: {part:?} was delivered in place of {next:?}"));
        }
        message.delivered += 1;
        sent.bytes += part.length as u64;
        if message.delivered == message.packets {
            message.received = Some(now);
            sent.current += 1;
        }
        Ok(())
    }

    /// A message is complete for its sender: all of it must have arrived, and it is so once. Packets of messages before it may
    /// still be missing, so that it has not been delivered (row TX4).
    pub fn completed(&mut self, now: u64, flow: Flow, number: u32) -> Result<(), Error> {
        let message = self.message(flow, number)?;
        if message.completed.is_some() {
            return broken(format!("cycle {now}: message {number} of flow {flow:?} is complete twice"));
        }
        message.completed = Some(now);
        if message.arrived < message.packets {
            return broken(format!("cycle {now}: message {number} of flow {flow:?} is complete: {message:?}"));
        }
        Ok(())
    }

    /// All messages have been delivered and are complete.
    pub fn is_done(&self) -> bool {
        let ends = |message: &Message| message.completed.is_some() && message.received.is_some();
        self.flows.values().all(|sent| sent.messages.iter().all(ends))
    }

    /// The first message that has not been delivered or is not complete.
    pub fn missing(&self) -> Option<(Flow, usize, Message)> {
        self.flows.iter().find_map(|(flow, sent)| {
            let at =
                sent.messages.iter().position(|message| message.completed.is_none() || message.received.is_none())?;
            Some((*flow, at, sent.messages[at]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOW: Flow = (2, 5);

    fn part(message: u32, offset: u32, length: u32) -> Part {
        Part { source: 2, pdc: 5, message, offset, length }
    }

    #[test]
    fn packets_are_counted_through_all_messages() {
        let mut ledger = Ledger::new(100);
        [250, 0, 100].into_iter().for_each(|length| _ = ledger.add(FLOW, length));
        let parts: Vec<_> = (0..5).filter_map(|index| ledger.part(FLOW, index)).map(|(part, _)| part).collect();
        assert_eq!(parts, [part(0, 0, 100), part(0, 100, 100), part(0, 200, 50), part(1, 0, 0), part(2, 0, 100)]);
        assert_eq!((ledger.part(FLOW, 5), ledger.part(FLOW, u64::MAX)), (None, None));
        ledger.delivered(1, part(0, 0, 100)).expect("it is the first");
        assert_eq!(ledger.delivered_packets(FLOW), 1);
    }

    #[test]
    fn packets_come_once_and_in_order() {
        let mut ledger = Ledger::new(100);
        assert_eq!([250, 0].map(|length| ledger.add(FLOW, length)), [0, 1]);
        ledger.delivered(1, part(0, 0, 100)).expect("it is the first");
        let wrong = [part(0, 0, 100), part(0, 200, 50), part(0, 100, 99), part(1, 0, 0)];
        assert!(wrong.iter().all(|part| ledger.clone().delivered(2, *part).is_err()));
        ledger.delivered(2, part(0, 100, 100)).expect("it is the second");
        ledger.delivered(3, part(0, 200, 50)).expect("it is the third");
        ledger.delivered(4, part(1, 0, 0)).expect("it is the only one");
        assert!(ledger.delivered(5, part(1, 0, 0)).is_err(), "twice");
        assert_eq!(ledger.bytes(FLOW), 250);
    }

    #[test]
    fn messages_are_complete_once_and_not_before_their_packets_have_arrived() {
        let mut ledger = Ledger::new(100);
        assert_eq!([250, 0].map(|length| ledger.add(FLOW, length)), [0, 1]);
        ledger.arrived(part(1, 0, 0)).expect("it is a part");
        ledger.completed(3, FLOW, 1).expect("it has arrived");
        for offset in [0, 200, 200] {
            ledger.arrived(part(0, offset, 50)).expect("it is a part");
        }
        assert!(ledger.clone().completed(3, FLOW, 0).is_err(), "a packet is missing, and one has come twice");
        assert!(ledger.arrived(part(2, 0, 0)).is_err(), "there is no such message");
        ledger.arrived(part(0, 100, 100)).expect("it is a part");
        assert_eq!(ledger.missing().map(|(flow, number, _)| (flow, number)), Some((FLOW, 0)));
        ledger.completed(6, FLOW, 0).expect("it has arrived");
        assert!(ledger.completed(7, FLOW, 0).is_err(), "twice");
        assert!(!ledger.is_done(), "nothing has been delivered");
    }
}
