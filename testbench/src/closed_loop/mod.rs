// SPDX-License-Identifier: MIT OR Apache-2.0
//! A closed loop: NICs, each a transmit path (`tx`) and a receive path (`rx`) of UET, joined by a [`network`](crate::network).
//! Hosts send messages whose every byte is checked where it is delivered; a message is complete for its sender only after it
//! has been delivered.
//!
//! ```text
//!  host --request, bytes--> +----+ m_axis                         s_axis +----+ --frames, delivery--> host
//!       <-fetch, completion-| tx |---+                       +---------->| rx |
//!                           +----+   +--> wire -> network ---+           +----+
//!                              ^     |                                    | |
//!                              |     +------------ m_answer --------------+ |
//!                              +------------------ m_record ----------------+
//! ```
//!
//! A NIC may have a `credit_pacer`, the receiver's half of RCCC. Credit targets of requests and CREDIT_REQUEST packets go to it, and
//! its grants go to the wire as CREDIT packets.

mod axis;
mod device;
mod ledger;
mod nic;
mod pacer;
mod payload;
mod receiver;
mod sender;
mod wire;

use pacer::Way;

pub use ledger::{Flow, Ledger, Message};
pub use nic::{Nic, SentFrames};
pub use receiver::ReceiverCounts;
pub use sender::SenderCounts;

use crate::network::fabric::mac;
use crate::network::{Fabric, FabricConfig};
use crate::{Dut, Error};

/// NICs on a network.
pub struct ClosedLoop {
    /// The network.
    pub fabric: Fabric,
    /// The NIC of each host.
    pub nics: Vec<Nic>,
    /// All messages.
    pub ledger: Ledger,
    now: u64,
}

/// What the NICs of a loop have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NicConfig {
    /// Payload bytes of a packet.
    pub segment: u32,
    /// PDCs of a transmit path. Of the connections of a receive path so many are for ACKs and CREDIT packets, and then so many
    /// receive.
    pub pdcs: u16,
    /// Messages of a PDC that may be under way.
    pub messages: u32,
    /// Packets that may be between `fetch` and the wire. A packet is taken for sent with its `fetch`, so those that wait for the
    /// wire are in flight for congestion control, and their wait is a delay.
    pub ahead: u64,
    /// Clock cycles from `fetch` to the first byte.
    pub latency: u64,
    /// DSCPs of trimmed frames.
    pub trimmed: Vec<u8>,
    /// Fields of the command *open* of the transmit path that are the same for all PDCs.
    pub open: Vec<(&'static str, u64)>,
}

/// A PDC between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdc {
    /// The host that sends ..
    pub from: u16,
    /// .. and its number there.
    pub pdc: u16,
    /// The host that receives ..
    pub to: u16,
    /// .. and which of its connections it has, counted from the first that receives.
    pub connection: u16,
    /// The first PSN.
    pub psn: u32,
    /// Frames are IPv6.
    pub ipv6: bool,
}

/// The PDC identifier of a PDC at its sender, and at its receiver. 0 is none.
const fn local_pdcid(pdc: u16) -> u64 {
    0x100 + pdc as u64
}

const fn remote_pdcid(connection: u16) -> u64 {
    0x4000 + connection as u64
}

/// The IP address of a host.
const fn ip(host: u16) -> u64 {
    0x0A00_0001 + host as u64
}

impl ClosedLoop {
    /// NICs on a network, whose devices are at power-up.
    pub fn new(
        fabric: &FabricConfig,
        nic: &NicConfig,
        devices: impl IntoIterator<Item = (Box<dyn Dut>, Box<dyn Dut>)>,
    ) -> Result<Self, Error> {
        let build = |(host, devices)| Nic::new(devices, host, nic);
        let nics: Vec<_> = (0..).zip(devices).map(build).collect::<Result<_, _>>()?;
        if nics.len() != fabric.hosts.len() {
            return Err(Error::Design(format!("{} NICs for {} hosts", nics.len(), fabric.hosts.len())));
        }
        Ok(ClosedLoop { fabric: Fabric::new(fabric), nics, ledger: Ledger::new(nic.segment), now: 0 })
    }

    /// Opens a PDC at both ends.
    pub fn open(&mut self, nic: &NicConfig, pdc: Pdc) -> Result<(), Error> {
        let Pdc { from, to, psn, connection, .. } = pdc;
        let (local, remote) = (local_pdcid(pdc.pdc), remote_pdcid(connection));
        let mut fields = nic.open.clone();
        let at = [("op", 1), ("pdc", pdc.pdc as u64), ("psn", psn as u64), ("ipv6", pdc.ipv6 as u64)];
        let macs = [("destination_mac", mac(to as usize)), ("source_mac", mac(from as usize))];
        let ips = [("destination_ip_0", ip(to)), ("source_ip_0", ip(from))];
        fields.extend(at.into_iter().chain(macs).chain(ips));
        fields.extend([("local_pdcid", local), ("remote_pdcid", remote)]);
        let done = |what: &str, response: std::collections::BTreeMap<String, u64>| match response.get("done") {
            Some(1) => Ok(()),
            _ => Err(Error::Protocol(format!("{what} of {pdc:?} was not done: {response:?}"))),
        };
        let number = nic.pdcs as u64 + connection as u64;
        let receiver = &mut self.nics[to as usize];
        let open = [("op", 1), ("connection", number), ("key", remote), ("psn", psn as u64)];
        done("open at the receiver", receiver.command_rx(&open)?)?;
        receiver.receiver.open(number, psn as u64, remote as u16, (from, pdc.pdc));
        if receiver.has_pacer() {
            let (macs, ips) = ([to, from].map(|host| mac(host as usize)), [to, from].map(ip));
            let way = Way { macs, ips, ipv6: pdc.ipv6, pdcids: [remote as u16, local as u16] };
            done("open of the source", receiver.open_source(number, way)?)?;
        }
        let sender = &mut self.nics[from as usize];
        // By the key of ACKs and CREDIT packets the receive path of the sender names the PDC.
        let answers = [("op", 1), ("connection", pdc.pdc as u64), ("key", 1 << 16 | local), ("psn", 0)];
        done("open for ACKs", sender.command_rx(&answers)?)?;
        done("open", sender.command_tx(&fields)?)
    }

    /// A message of this length is to be sent.
    pub fn send(&mut self, from: u16, pdc: u16, length: u32) {
        self.nics[from as usize].sender.send(&mut self.ledger, pdc, length);
    }

    /// Clock cycles since the loop began.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// A clock cycle.
    pub fn step(&mut self) -> Result<(), Error> {
        let (now, nics) = (self.now, &mut self.nics);
        self.fabric.step(now, |host, frame| nics[host].arrive(frame));
        for (host, nic) in nics.iter_mut().enumerate() {
            let host_of = |error| Error::Protocol(format!("host {host}, cycle {now}: {error}"));
            nic.step(now, self.fabric.uplink(host), &mut self.ledger).map_err(host_of)?;
        }
        self.now += 1;
        Ok(())
    }

    /// Runs until all messages are complete; an error if they are not after so many clock cycles.
    pub fn until_done(&mut self, patience: u64) -> Result<(), Error> {
        let end = self.now + patience;
        while !self.ledger.is_done() {
            if self.now == end {
                let missing = self.ledger.missing();
                return Err(Error::Protocol(format!("after {end} clock cycles {missing:?} is not complete")));
            }
            self.step()?;
        }
        Ok(())
    }
}
