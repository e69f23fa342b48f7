// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a receiver: it takes frames, their records and the order in which they are delivered, and checks every byte.

use super::NicConfig;
use super::axis::Axis;
use super::connection::{Connection, ReceiverCounts, Request};
use super::ledger::Ledger;
use super::protocol::Protocol;
use crate::device::{Error, Ports};
use crate::network::{FrameBytes, Headers};
use crate::streams::Channel;
use rtl_model::netlist::interfaces::Direction;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A frame that has its place in an order.
#[derive(Clone, Copy, Debug)]
struct Placed {
    connection: u64,
    /// There once the whole frame is.
    request: Option<Request>,
}

/// The places of the fields of a record and of a delivery.
#[derive(Clone, Copy, Debug)]
struct Places {
    in_sequence: usize,
    connection: usize,
    handle: usize,
    delivery: [usize; 3],
    undelivered: [usize; 2],
}

/// The host.
pub struct ReceiverHost {
    frames: Axis,
    records: Channel,
    deliveries: Channel,
    undelivered: Channel,
    places: Places,
    connections: BTreeMap<u64, Connection>,
    /// The frame of which beats have come, whole frames without a record, records without a frame.
    partial: FrameBytes,
    whole: VecDeque<Option<Request>>,
    recorded: VecDeque<Option<u64>>,
    /// By handle.
    placed: BTreeMap<u64, Placed>,
    /// Deliveries whose frames are not whole yet.
    waiting: VecDeque<[u64; 3]>,
    protocol: Protocol,
    /// A record is taken in one of so many clock cycles.
    every: u64,
    /// Frames that nobody has sent.
    foreign: BTreeSet<FrameBytes>,
    /// The host takes nothing.
    pub stands_still: bool,
    /// What has been counted.
    pub counts: ReceiverCounts,
}

impl ReceiverHost {
    /// A host whose device has these ports.
    pub fn new(ports: &Ports, config: &NicConfig) -> Result<Self, Error> {
        let (records, deliveries) = (Channel::output(ports, "m_record")?, Channel::output(ports, "delivery")?);
        let undelivered = Channel::output(ports, "undelivered")?;
        let place = |channel: &Channel, name: &str| channel.field(name).map(|(_, at)| at.start);
        let places = Places {
            in_sequence: place(&records, "in_sequence")?,
            connection: place(&records, "connection")?,
            handle: place(&records, "handle")?,
            delivery: [place(&deliveries, "connection")?, place(&deliveries, "psn")?, place(&deliveries, "handle")?],
            undelivered: [place(&undelivered, "connection")?, place(&undelivered, "handle")?],
        };
        Ok(ReceiverHost {
            frames: Axis::new(ports, "m_axis_rx", Direction::Out)?,
            records,
            deliveries,
            undelivered,
            places,
            connections: BTreeMap::new(),
            partial: FrameBytes::new(),
            whole: VecDeque::new(),
            recorded: VecDeque::new(),
            placed: BTreeMap::new(),
            waiting: VecDeque::new(),
            protocol: config.protocol.clone(),
            every: config.records_every,
            foreign: BTreeSet::new(),
            stands_still: false,
            counts: ReceiverCounts::default(),
        })
    }

    /// A connection has been opened.
    pub fn open(&mut self, number: u64, connection: Connection) {
        self.connections.insert(number, connection);
    }

    /// It has been closed, and all that was to be delivered has been: the other frames of it are free (row RX24).
    pub fn close(&mut self, number: u64) {
        self.placed.retain(|_, placed| placed.connection != number);
    }

    /// A frame is about to come that is not part of any message, whatever is in it. False if it is there already.
    pub fn expect_foreign(&mut self, frame: FrameBytes) -> bool {
        self.foreign.insert(frame)
    }

    /// A clock cycle.
    pub fn drive(&mut self, now: u64, outputs: &[u64], inputs: &mut [u64], ledger: &mut Ledger) -> Result<(), Error> {
        if self.stands_still {
            self.records.set_ready(inputs, false);
            self.frames.set_ready(inputs, false);
            self.deliveries.set_ready(inputs, false);
            return Ok(());
        }
        let takes = now.is_multiple_of(self.every);
        self.records.set_ready(inputs, takes);
        if takes && self.records.valid(outputs) {
            let record = self.records.get(outputs);
            let Places { in_sequence, connection, handle, .. } = self.places;
            let handle = (record[in_sequence] == 1).then_some(record[handle]);
            let placed = Placed { connection: record[connection], request: None };
            if let Some(handle) = handle
                && self.placed.insert(handle, placed).is_some()
            {
                return Err(Error::Protocol(format!("cycle {now}: the frame {handle} before had no outcome")));
            }
            self.recorded.push_back(handle);
        }
        self.frames.set_ready(inputs, true);
        if self.frames.is_valid(outputs) && self.frames.take(outputs, &mut self.partial)? {
            let request = self.read(ledger)?;
            if let Some(part) = request.and_then(|request| request.part) {
                ledger.arrived(part)?;
            }
            self.whole.push_back(request);
            self.partial.clear();
        }
        while !self.whole.is_empty() && !self.recorded.is_empty() {
            let (request, handle) = (self.whole.pop_front().flatten(), self.recorded.pop_front().flatten());
            if let Some(handle) = handle {
                // One that is not delivered may have been named before its last byte is there.
                self.placed.entry(handle).and_modify(|placed| placed.request = request);
                if request.is_none() {
                    return Err(Error::Protocol(format!("cycle {now}: {handle} is in sequence, and no request")));
                }
            }
        }
        self.undelivered.set_ready(inputs, true);
        if self.undelivered.valid(outputs) {
            let item = self.undelivered.get(outputs);
            let [connection, handle] = self.places.undelivered.map(|at| item[at]);
            if self.placed.remove(&handle).is_none_or(|placed| placed.connection != connection) {
                return Err(Error::Protocol(format!(
                    "cycle {now}: frame {handle} of connection {connection} is not delivered, and there is no such frame"
                )));
            }
            self.counts.undelivered += 1;
        }
        self.deliveries.set_ready(inputs, true);
        if self.deliveries.valid(outputs) {
            let item = self.deliveries.get(outputs);
            self.waiting.push_back(self.places.delivery.map(|at| item[at]));
        }
        while let Some(&named) = self.waiting.front() {
            let [connection, psn, handle] = named;
            let Some(placed) = self.placed.get(&handle) else {
                return Err(Error::Protocol(format!(
                    "cycle {now}: {named:?} is delivered, and there is no such frame"
                )));
            };
            let Some(request) = placed.request else { break };
            let of_connection = placed.connection == connection;
            self.placed.remove(&handle);
            self.deliver(now, connection, psn, request, of_connection, ledger)?;
            self.waiting.pop_front();
        }
        Ok(())
    }

    /// The request in the frame that has come; `None` if it is something else. A payload that is not as it was sent is an error.
    fn read(&mut self, ledger: &Ledger) -> Result<Option<Request>, Error> {
        let frame = &self.partial;
        if self.foreign.remove(frame) {
            self.counts.foreign += 1;
            // If it is of no connection it may be in sequence, but it is never delivered.
            return Ok(Some(Request { psn: 0, id: 0, part: None }));
        }
        let Some(headers) = Headers::of(frame).filter(|headers| headers.is_udp) else { return Ok(None) };
        self.protocol.read(frame, &headers, &self.connections, ledger, &mut self.counts)
    }

    fn deliver(
        &mut self,
        now: u64,
        connection: u64,
        psn: u64,
        request: Request,
        of_connection: bool,
        ledger: &mut Ledger,
    ) -> Result<(), Error> {
        let named = format!("cycle {now}: connection {connection}, PSN {psn}, {request:?}");
        let Some(open) = self.connections.get_mut(&connection) else {
            return Err(Error::Protocol(format!("{named}: nothing is open")));
        };
        let flow = request.part.map(|part| (part.source, part.pdc));
        let expected = (open.psn, open.id, Some(open.flow), true);
        if (psn, request.id, flow, of_connection) != expected || request.psn != psn {
            return Err(Error::Protocol(format!("{named}: expected is {expected:?}")));
        }
        open.psn = (psn + 1) & self.protocol.last_psn();
        open.index += 1;
        self.counts.delivered += 1;
        ledger.delivered(now, request.part.expect("it has a flow"))
    }
}
