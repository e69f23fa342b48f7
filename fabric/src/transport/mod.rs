// SPDX-License-Identifier: MIT OR Apache-2.0
//! A UET end point: connections (PDCs) made of the tables of the project's own stages.
//!
//! Congestion control is `ccc_table`, the window of packets `packet_tracker`, and the choice of paths `entropy_selector`, each as the table
//! that the oracle of the stage is made of, or is judged by. So what is simulated is what the Verilog does, but for its clock cycles.
//! What answers packets, and what grants credit, is here.

mod bitmap;
mod pacer;
mod receiver;
mod sender;

use crate::event::{MICROSECOND, NANOSECOND, Time};
use crate::host::{Done, EndPoint};
use crate::packet::{Body, Packet};
use golden_vectors::transmit::entropy_selector::oracle::Mode;
use pacer::Pacer;
use receiver::Receiver;
use sender::Sender;
use std::collections::VecDeque;

/// Picoseconds of the unit of `ccc_table` and `packet_tracker`.
const UNIT: Time = 128 * NANOSECOND;
/// Picoseconds of a clock cycle of `entropy_selector`. It measures only epochs and freezes.
const CYCLE: Time = NANOSECOND;
/// The first PSN.
const START: u32 = 1;

/// What controls how much is in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// The sender's window (NSCC).
    Nscc,
    /// The receiver's credit (RCCC).
    Rccc,
    /// Both.
    Both,
}

/// What all end points of a run have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Rate of the link in Mb/s.
    pub rate: u64,
    /// Round trip of a packet and its ACK in an empty network, over the longest path.
    pub rtt: Time,
    /// Bytes of a full packet.
    pub packet: u32,
    /// Bytes of its headers.
    pub header: u32,
    /// Bytes of control packets, and of trimmed ones.
    pub control_size: u32,
    /// What controls how much is in the network.
    pub control: Control,
    /// How paths are chosen.
    pub selection: Mode,
    /// EVs of a connection, a power of two.
    pub paths: u64,
    /// Switches trim.
    pub trim: bool,
    /// Received bytes for which there is an ACK.
    pub ack_bytes: u64,
    /// The first time-out.
    pub rto: Time,
    /// After so long without an ACK the last packet is sent again; 0 for never.
    pub tail_probe: Time,
    /// Of REPS: for how long old EVs are used after a time-out.
    pub freeze: Time,
    /// Of REPS: packets with new EVs at first, and after a freeze.
    pub explore: u64,
    /// Most packets of a connection behind the first one without an ACK, a power of two.
    pub window: u64,
}

impl Setup {
    /// Bytes of payload of a full packet.
    #[must_use]
    pub const fn payload(&self) -> u64 {
        (self.packet - self.header) as u64
    }

    /// Packets of a message.
    #[must_use]
    pub const fn packets(&self, bytes: u64) -> u64 {
        let packets = bytes.div_ceil(self.payload());
        if packets == 0 { 1 } else { packets }
    }

    /// Bytes of the packet of a message with this number.
    #[must_use]
    pub const fn size(&self, bytes: u64, number: u64) -> u32 {
        let before = number * self.payload();
        let rest = bytes.saturating_sub(before);
        let payload = if rest < self.payload() { rest } else { self.payload() };
        payload as u32 + self.header
    }

    /// Bandwidth-delay product in bytes.
    #[must_use]
    pub const fn bdp(&self) -> u64 {
        // Mb/s x ps / 8 = bytes x 1e-6.
        (self.rate as u128 * self.rtt as u128 / 8_000_000) as u64
    }
}

/// A message from one host to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number in the run.
    pub flow: u32,
    /// The host at the other end, and the number of the connection there.
    pub peer: u32,
    /// The number of the connection at the other end.
    pub context: u32,
    /// Its bytes.
    pub bytes: u64,
}

/// A UET end point.
#[derive(Debug)]
pub struct Uet {
    host: u32,
    setup: Setup,
    sender: Sender,
    receiver: Receiver,
    pacer: Pacer,
    /// Control packets that wait for the link. They go before data.
    control: VecDeque<Packet>,
    done: VecDeque<Done>,
}

impl Uet {
    /// An end point with messages that it sends, and messages that it receives. The seed makes its EVs.
    #[must_use]
    pub fn new(host: u32, setup: Setup, sends: &[Message], receives: &[Message], seed: u64) -> Self {
        Uet {
            host,
            setup,
            sender: Sender::new(host, setup, sends, seed),
            receiver: Receiver::new(setup, receives),
            pacer: Pacer::new(setup, receives.len()),
            control: VecDeque::new(),
            done: VecDeque::new(),
        }
    }

    /// A control packet to the other end of a connection.
    fn answer(&mut self, now: Time, to: Message, ev: u16, body: Body) {
        let packet = Packet {
            source: self.host,
            destination: to.peer,
            context: to.context,
            flow: to.flow,
            ev,
            marked: false,
            size: self.setup.control_size,
            sent: now,
            body,
        };
        self.control.push_back(packet);
    }
}

impl EndPoint for Uet {
    fn start(&mut self, now: Time, context: u32) {
        self.sender.start(now, context);
        self.done.extend(self.sender.take_done());
    }

    fn receive(&mut self, now: Time, packet: &Packet) {
        let context = packet.context;
        match packet.body {
            Body::Data(data) => {
                let to = self.receiver.message(context);
                if self.setup.control != Control::Nscc {
                    self.pacer.ask(now, context, data.credit_target, data.trimmed.is_some());
                }
                if let Some(answer) = self.receiver.receive(context, packet, &data) {
                    self.answer(now, to, packet.ev, answer);
                }
                if self.receiver.is_complete(context) {
                    self.done.push_back(Done::Delivered(to.flow));
                }
            }
            Body::Ack(ack) => self.sender.ack(now, context, packet.ev, &ack),
            Body::Nack(nack) => self.sender.nack(now, context, packet.ev, &nack),
            Body::Credit(credit) => self.sender.credit(now, context, credit),
        }
        self.done.extend(self.sender.take_done());
    }

    fn next(&mut self, now: Time) -> Option<Packet> {
        self.control.pop_front().or_else(|| self.sender.next(now))
    }

    fn wake_up(&self) -> Option<Time> {
        [self.sender.wake_up(), self.pacer.wake_up()].into_iter().flatten().min()
    }

    fn wake(&mut self, now: Time) {
        self.sender.wake(now);
        self.done.extend(self.sender.take_done());
        while let Some((context, credit)) = self.pacer.wake(now) {
            let to = self.receiver.message(context);
            // Credit is spread over the paths too.
            let ev = credit as u16 ^ (credit >> 16) as u16;
            self.answer(now, to, ev, Body::Credit(credit));
        }
    }

    fn take_done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = self.sender.counters();
        counters.extend(self.receiver.counters());
        counters
    }
}

/// The first time-out of a network whose queues hold so many bytes, as uet-htsim has it: 15 us, and six full queues.
#[must_use]
pub const fn default_rto(rate: u64, queue: u64) -> Time {
    15 * MICROSECOND + 6 * queue * 8_000_000 / rate
}
