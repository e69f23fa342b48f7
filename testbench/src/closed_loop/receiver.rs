// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a receiver: it takes frames, their records and the order in which they are delivered, and checks every byte.

use super::NicConfig;
use super::axis::Axis;
use super::connection::{Connection, ReceiverCounts, Request};
use super::ledger::Ledger;
use super::named::{Delivered, Named};
use super::pool::Pool;
use super::protocol::Protocol;
use crate::device::{Error, Ports};
use crate::network::{FrameBytes, Headers};
use crate::streams::Channel;
use rtl_model::netlist::interfaces::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// How packets are delivered.
enum Order {
    /// The device names frames that have left.
    Named(Named),
    /// It holds them.
    Pool(Pool),
}

/// The host.
pub struct ReceiverHost {
    frames: Axis,
    records: Channel,
    order: Order,
    connections: BTreeMap<u64, Connection>,
    /// The frame of which beats have come.
    partial: FrameBytes,
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
        let records = Channel::output(ports, "m_record")?;
        let order = match Pool::of(ports)? {
            Some(pool) => Order::Pool(pool),
            None => Order::Named(Named::new(ports, &records)?),
        };
        Ok(ReceiverHost {
            frames: Axis::new(ports, "m_axis_rx", Direction::Out)?,
            records,
            order,
            connections: BTreeMap::new(),
            partial: FrameBytes::new(),
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
        if let Order::Named(named) = &mut self.order {
            named.close(number);
        }
    }

    /// A frame is about to come that is not part of any message, whatever is in it. False if it is there already.
    pub fn expect_foreign(&mut self, frame: FrameBytes) -> bool {
        self.foreign.insert(frame)
    }

    /// A frame has entered the device. From a pool it leaves when those before it have, and its ACK may be ahead of it: then this is
    /// the arrival of its packet.
    pub fn entered(&self, frame: &FrameBytes, ledger: &mut Ledger) -> Result<(), Error> {
        if matches!(self.order, Order::Named(_)) || self.foreign.contains(frame) {
            return Ok(());
        }
        let Some(headers) = Headers::of(frame).filter(|headers| headers.is_udp) else { return Ok(()) };
        let counts = &mut ReceiverCounts::default();
        let request = self.protocol.read(frame, &headers, &self.connections, ledger, counts)?;
        request.and_then(|request| request.part).map_or(Ok(()), |part| ledger.arrived(part))
    }

    /// A clock cycle.
    pub fn drive(&mut self, now: u64, outputs: &[u64], inputs: &mut [u64], ledger: &mut Ledger) -> Result<(), Error> {
        if self.stands_still {
            self.records.set_ready(inputs, false);
            self.frames.set_ready(inputs, false);
            match &self.order {
                Order::Named(named) => named.stand_still(inputs),
                Order::Pool(pool) => pool.stand_still(inputs),
            }
            return Ok(());
        }
        let takes = now.is_multiple_of(self.every);
        self.records.set_ready(inputs, takes);
        if takes
            && self.records.valid(outputs)
            && let Order::Named(named) = &mut self.order
        {
            named.record(now, &self.records.get(outputs))?;
        }
        self.frames.set_ready(inputs, true);
        if self.frames.is_valid(outputs) && self.frames.take(outputs, &mut self.partial)? {
            let frame = std::mem::take(&mut self.partial);
            let request = self.read(&frame, ledger)?;
            let part = request.and_then(|request| request.part);
            match &mut self.order {
                Order::Named(named) => {
                    part.map_or(Ok(()), |part| ledger.arrived(part))?;
                    named.frame(request);
                }
                Order::Pool(_) if part.is_some() => {
                    return Err(Error::Protocol(format!("cycle {now}: {request:?} has not been in the pool")));
                }
                Order::Pool(_) => {}
            }
        }
        match &mut self.order {
            Order::Named(named) => {
                self.counts.undelivered += named.drive(now, outputs, inputs)?;
                while let Order::Named(named) = &mut self.order
                    && let Some(delivered) = named.next(now)?
                {
                    self.deliver(now, delivered, ledger)?;
                }
            }
            Order::Pool(pool) => {
                if let Some(([connection, psn], frame)) = pool.drive(outputs, inputs)? {
                    let Some(request) = self.read(&frame, ledger)? else {
                        return Err(Error::Protocol(format!("cycle {now}: PSN {psn} is delivered, and no request")));
                    };
                    let delivered = Delivered { connection, psn, request, of_connection: true };
                    self.deliver(now, delivered, ledger)?;
                }
            }
        }
        Ok(())
    }

    /// The request in the frame that has come; `None` if it is something else. A payload that is not as it was sent is an error.
    fn read(&mut self, frame: &FrameBytes, ledger: &Ledger) -> Result<Option<Request>, Error> {
        if self.foreign.remove(frame) {
            self.counts.foreign += 1;
            // If it is of no connection it may be in sequence, but it is never delivered.
            return Ok(Some(Request { psn: 0, id: 0, part: None }));
        }
        let Some(headers) = Headers::of(frame).filter(|headers| headers.is_udp) else { return Ok(None) };
        self.protocol.read(frame, &headers, &self.connections, ledger, &mut self.counts)
    }

    fn deliver(&mut self, now: u64, delivered: Delivered, ledger: &mut Ledger) -> Result<(), Error> {
        let Delivered { connection, psn, request, of_connection } = delivered;
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
