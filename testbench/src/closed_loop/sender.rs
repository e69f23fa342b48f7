// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a sender: it requests messages, brings the bytes that `fetch` names, and takes completions.

use super::NicConfig;
use super::axis::Axis;
use super::ledger::{Flow, Ledger};
use super::payload::Part;
use super::protocol::Protocol;
use crate::device::{Error, Ports};
use crate::streams::Channel;
use rtl_model::netlist::interfaces::Direction;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What the host knows of a PDC.
#[derive(Clone, Debug, Default)]
struct Sender {
    /// Messages that have not been requested.
    waiting: VecDeque<(u32, u32)>,
    /// Those under way, by handle: number and length.
    under_way: BTreeMap<u64, (u32, u32)>,
    /// The PSN of the next packet that is sent for the first time, after the first one.
    next_psn: Option<u64>,
    /// The next part that is sent for the first time: number of the message and offset.
    next_part: (u32, u32),
    /// PSNs that were sent again.
    sent_again: BTreeSet<u64>,
}

/// Places of fields in an item.
struct Fields<const N: usize>([usize; N]);

impl<const N: usize> Fields<N> {
    fn new(channel: &Channel, names: [&str; N]) -> Result<Self, Error> {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = channel.field(name)?.1.start;
        }
        Ok(Fields(places))
    }

    fn of(&self, item: &[u64]) -> [u64; N] {
        self.0.map(|at| item[at])
    }
}

/// What has been counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounts {
    /// Packets sent for the first time.
    pub new: u64,
    /// Packets sent again.
    pub again: u64,
    /// Of these, packets that had been sent again before: sent three times or more often.
    pub thrice: u64,
    /// Requests that were refused, and made again.
    pub refused: u64,
}

/// The host.
pub struct SenderHost {
    host: u16,
    protocol: Protocol,
    request: Channel,
    request_fields: Fields<4>,
    accepted: [usize; 4],
    fetch: Channel,
    fetch_fields: Fields<9>,
    completion: Channel,
    completion_fields: Fields<2>,
    bytes: Axis,
    handles: u64,
    /// How many messages of a PDC may be under way, all from the first one that is not complete counted (row TX4).
    limit: u32,
    /// How many packets may be between `fetch` and the wire.
    ahead: u64,
    /// Clock cycles from `fetch` to the first byte.
    latency: u64,
    senders: BTreeMap<u16, Sender>,
    /// The request that has no answer yet: PDC, number, length, and whether it was taken.
    asked: Option<(u16, u32, u32, bool)>,
    /// The PDC that was asked for last.
    last: u16,
    /// Packets that are brought, with the clock cycle in which the first byte is there.
    brought: VecDeque<(u64, Vec<u8>)>,
    done: usize,
    /// What has been counted.
    pub counts: SenderCounts,
    /// It takes completions.
    pub takes_completions: bool,
}

impl SenderHost {
    /// A host whose device has these ports.
    pub fn new(ports: &Ports, host: u16, config: &NicConfig) -> Result<Self, Error> {
        let output = |name: &str| ports.output(name).map(|port| port.offset).ok_or_else(|| Error::NoPort(name.into()));
        let request = Channel::input(ports, "request")?;
        let fetch = Channel::output(ports, "fetch")?;
        let completion = Channel::output(ports, "completion")?;
        let names = ["pdc", "handle", "address", "offset", "length", "first", "last", "psn", "retransmission"];
        Ok(SenderHost {
            host,
            protocol: config.protocol.clone(),
            request_fields: Fields::new(&request, ["pdc", "handle", "address", "length"])?,
            accepted: [
                output("accepted_valid")?,
                output("accepted_pdc")?,
                output("accepted_handle")?,
                output("accepted_done")?,
            ],
            fetch_fields: Fields::new(&fetch, names)?,
            completion_fields: Fields::new(&completion, ["pdc", "handle"])?,
            bytes: Axis::new(ports, "s_axis_tx", Direction::In)?,
            handles: 1 << request.field("handle")?.0,
            request,
            fetch,
            completion,
            limit: config.messages,
            ahead: config.ahead,
            latency: config.latency,
            senders: BTreeMap::new(),
            asked: None,
            last: 0,
            brought: VecDeque::new(),
            done: 0,
            counts: SenderCounts::default(),
            takes_completions: true,
        })
    }

    /// A message that waits to be requested.
    pub fn send(&mut self, ledger: &mut Ledger, pdc: u16, length: u32) {
        let number = ledger.add((self.host, pdc), length);
        self.senders.entry(pdc).or_default().waiting.push_back((number, length));
    }

    /// A PDC is opened, with whatever PSN.
    pub fn open(&mut self, pdc: u16) {
        let sender = self.senders.entry(pdc).or_default();
        sender.next_psn = None;
        sender.sent_again.clear();
    }

    fn flow(&self, pdc: u16) -> Flow {
        (self.host, pdc)
    }

    /// A part of a message, without bytes.
    fn part(&self, pdc: u16, message: u32) -> Part {
        Part { source: self.host, pdc, message, offset: 0, length: 0 }
    }

    /// The address of a message: it says which one it is.
    fn address(&self, pdc: u16, number: u32) -> u64 {
        (pdc as u64) << 48 | (number as u64) << 25
    }

    /// A clock cycle; `sent` packets have gone to the wire.
    pub fn drive(
        &mut self,
        now: u64,
        sent: u64,
        outputs: &[u64],
        inputs: &mut [u64],
        ledger: &mut Ledger,
    ) -> Result<(), Error> {
        self.take_answer(outputs)?;
        self.ask(now, outputs, inputs, ledger)?;
        self.take_fetch(now, sent, outputs, inputs)?;
        self.bring(now, outputs, inputs);
        self.completion.set_ready(inputs, self.takes_completions);
        if self.takes_completions && self.completion.valid(outputs) {
            let [pdc, handle] = self.completion_fields.of(&self.completion.get(outputs));
            let sender = self.senders.entry(pdc as u16).or_default();
            let Some((number, _)) = sender.under_way.remove(&handle) else {
                return Err(Error::Protocol(format!(
                    "PDC {pdc}: a message {handle} that is not under way is complete"
                )));
            };
            ledger.completed(now, self.flow(pdc as u16), number)?;
        }
        Ok(())
    }

    fn take_answer(&mut self, outputs: &[u64]) -> Result<(), Error> {
        let [valid, pdc, handle, done] = self.accepted.map(|at| outputs[at]);
        if valid == 0 {
            return Ok(());
        }
        let answered = match self.asked {
            Some((asked, number, length, true)) if (asked as u64, number as u64 % self.handles) == (pdc, handle) => {
                (number, length)
            }
            asked => return Err(Error::Protocol(format!("an answer for PDC {pdc}, {handle}: asked for {asked:?}"))),
        };
        let sender = self.senders.entry(pdc as u16).or_default();
        if done == 0 {
            self.counts.refused += 1;
            sender.under_way.remove(&handle);
            sender.waiting.push_front(answered);
        }
        self.asked = None;
        Ok(())
    }

    /// Requests the next message of the PDCs in turn.
    fn ask(&mut self, now: u64, outputs: &[u64], inputs: &mut [u64], ledger: &mut Ledger) -> Result<(), Error> {
        if self.asked.is_none() {
            let can = |sender: &Sender| {
                let oldest = sender.under_way.values().map(|(number, _)| *number).min();
                let next = sender.waiting.front().map(|(number, _)| *number);
                next.is_some_and(|next| next - oldest.unwrap_or(next) < self.limit)
            };
            let mut able = self.senders.iter().filter(|(_, sender)| can(sender)).map(|(pdc, _)| *pdc);
            let first = able.next();
            let next = first.filter(|pdc| *pdc > self.last).or_else(|| able.find(|pdc| *pdc > self.last)).or(first);
            if let Some(pdc) = next {
                let sender = self.senders.get_mut(&pdc).expect("it can ask");
                let (number, length) = sender.waiting.pop_front().expect("it can ask");
                sender.under_way.insert(number as u64 % self.handles, (number, length));
                (self.asked, self.last) = (Some((pdc, number, length, false)), pdc);
                ledger.requested(now, self.flow(pdc), number)?;
            }
        }
        let offered = self.asked.filter(|asked| !asked.3);
        self.request.set_valid(inputs, offered.is_some());
        let Some((pdc, number, length, _)) = offered else { return Ok(()) };
        let mut item = vec![0; self.request.limbs()];
        let values = [pdc as u64, number as u64 % self.handles, self.address(pdc, number), length as u64];
        for (at, value) in self.request_fields.0.into_iter().zip(values) {
            item[at] = value;
        }
        for (name, value) in self.protocol.request(&Part { offset: 0, length, ..self.part(pdc, number) }) {
            item[self.request.field(name)?.1.start] = value;
        }
        self.request.set(inputs, &item);
        if self.request.ready(outputs) {
            self.asked = Some((pdc, number, length, true));
        }
        Ok(())
    }

    /// Takes what is to be brought, and checks it (rows TX2, TX3, TX8).
    fn take_fetch(&mut self, now: u64, sent: u64, outputs: &[u64], inputs: &mut [u64]) -> Result<(), Error> {
        let ready = self.counts.new + self.counts.again < sent + self.ahead;
        self.fetch.set_ready(inputs, ready);
        if !ready || !self.fetch.valid(outputs) {
            return Ok(());
        }
        let fetched = self.fetch_fields.of(&self.fetch.get(outputs));
        let [pdc, handle, address, offset, bytes, first, last, psn, again] = fetched;
        let base = self.address(pdc as u16, 0);
        let sender = self.senders.entry(pdc as u16).or_default();
        let wrong = |what: &str| Err(Error::Protocol(format!("cycle {now}: fetch {fetched:?}: {what}")));
        let Some(&(number, length)) = sender.under_way.get(&handle) else { return wrong("no such message") };
        let end = offset + bytes;
        if address != base + ((number as u64) << 25) + offset || end > length as u64 {
            return wrong("the bytes are not in the message");
        }
        if (first == 1) != (offset == 0) || (last == 1) != (end == length as u64) {
            return wrong("`first` and `last` are not right");
        }
        if again == 0 {
            if sender.next_psn.is_some_and(|next| next != psn) || sender.next_part != (number, offset as u32) {
                return wrong("not the next packet");
            }
            sender.next_psn = Some((psn + 1) & self.protocol.last_psn());
            sender.sent_again.remove(&psn);
            sender.next_part = if last == 1 { (number + 1, 0) } else { (number, end as u32) };
        } else {
            self.counts.thrice += u64::from(!sender.sent_again.insert(psn));
        }
        self.counts.new += 1 - again;
        self.counts.again += again;
        let part = Part { offset: offset as u32, length: bytes as u32, ..self.part(pdc as u16, number) };
        self.brought.push_back((now + self.latency, self.protocol.bytes(&part)));
        Ok(())
    }

    fn bring(&mut self, now: u64, outputs: &[u64], inputs: &mut [u64]) {
        let first = self.brought.front().filter(|(since, _)| *since <= now);
        let Some((_, packet)) = first else { return self.bytes.put_nothing(inputs) };
        let is_last = self.bytes.put(inputs, packet, self.done);
        if !self.bytes.is_ready(outputs) {
            return;
        }
        self.done += self.bytes.bytes();
        if is_last {
            self.brought.pop_front();
            self.done = 0;
        }
    }
}
