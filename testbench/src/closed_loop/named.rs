// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device that names frames: all of them have left with their records, `delivery` and `undelivered` say what becomes of those in
//! sequence (row RX24).

use super::connection::Request;
use crate::device::{Error, Ports};
use crate::streams::Channel;
use std::collections::{BTreeMap, VecDeque};

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

/// A packet that is delivered.
#[derive(Clone, Copy, Debug)]
pub struct Delivered {
    pub connection: u64,
    pub psn: u64,
    pub request: Request,
    /// The frame has come for that connection.
    pub of_connection: bool,
}

/// What has come of frames.
pub struct Named {
    deliveries: Channel,
    undelivered: Channel,
    places: Places,
    /// Whole frames without a record, records without a frame.
    whole: VecDeque<Option<Request>>,
    recorded: VecDeque<Option<u64>>,
    /// By handle.
    placed: BTreeMap<u64, Placed>,
    /// Deliveries whose frames are not whole yet.
    waiting: VecDeque<[u64; 3]>,
}

impl Named {
    /// Of a device with these ports.
    pub fn new(ports: &Ports, records: &Channel) -> Result<Self, Error> {
        let [deliveries, undelivered] = [Channel::output(ports, "delivery")?, Channel::output(ports, "undelivered")?];
        let place = |channel: &Channel, name: &str| channel.field(name).map(|(_, at)| at.start);
        let places = Places {
            in_sequence: place(records, "in_sequence")?,
            connection: place(records, "connection")?,
            handle: place(records, "handle")?,
            delivery: [place(&deliveries, "connection")?, place(&deliveries, "psn")?, place(&deliveries, "handle")?],
            undelivered: [place(&undelivered, "connection")?, place(&undelivered, "handle")?],
        };
        Ok(Named {
            deliveries,
            undelivered,
            places,
            whole: VecDeque::new(),
            recorded: VecDeque::new(),
            placed: BTreeMap::new(),
            waiting: VecDeque::new(),
        })
    }

    /// A connection has been closed, and all that was to be delivered has been: its other frames are free.
    pub fn close(&mut self, number: u64) {
        self.placed.retain(|_, placed| placed.connection != number);
    }

    /// The host takes nothing.
    pub fn stand_still(&self, inputs: &mut [u64]) {
        self.deliveries.set_ready(inputs, false);
    }

    /// A record has come.
    pub fn record(&mut self, now: u64, record: &[u64]) -> Result<(), Error> {
        let Places { in_sequence, connection, handle, .. } = self.places;
        let handle = (record[in_sequence] == 1).then_some(record[handle]);
        let placed = Placed { connection: record[connection], request: None };
        if let Some(handle) = handle
            && self.placed.insert(handle, placed).is_some()
        {
            return Err(Error::Protocol(format!("cycle {now}: the frame {handle} before had no outcome")));
        }
        self.recorded.push_back(handle);
        Ok(())
    }

    /// A frame has come, with a request or without one.
    pub fn frame(&mut self, request: Option<Request>) {
        self.whole.push_back(request);
    }

    /// A clock cycle; how many frames are named as never to be delivered.
    pub fn drive(&mut self, now: u64, outputs: &[u64], inputs: &mut [u64]) -> Result<u64, Error> {
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
        let mut undelivered = 0;
        self.undelivered.set_ready(inputs, true);
        if self.undelivered.valid(outputs) {
            let item = self.undelivered.get(outputs);
            let [connection, handle] = self.places.undelivered.map(|at| item[at]);
            if self.placed.remove(&handle).is_none_or(|placed| placed.connection != connection) {
                return Err(Error::Protocol(format!(
                    "cycle {now}: frame {handle} of connection {connection} is not delivered, and there is no such frame"
                )));
            }
            undelivered += 1;
        }
        self.deliveries.set_ready(inputs, true);
        if self.deliveries.valid(outputs) {
            let item = self.deliveries.get(outputs);
            self.waiting.push_back(self.places.delivery.map(|at| item[at]));
        }
        Ok(undelivered)
    }

    /// The next packet that is delivered and whole.
    pub fn next(&mut self, now: u64) -> Result<Option<Delivered>, Error> {
        let Some(&named) = self.waiting.front() else { return Ok(None) };
        let [connection, psn, handle] = named;
        let Some(placed) = self.placed.get(&handle) else {
            return Err(Error::Protocol(format!("cycle {now}: {named:?} is delivered, and there is no such frame")));
        };
        let Some(request) = placed.request else { return Ok(None) };
        let of_connection = placed.connection == connection;
        self.placed.remove(&handle);
        self.waiting.pop_front();
        Ok(Some(Delivered { connection, psn, request, of_connection }))
    }
}
