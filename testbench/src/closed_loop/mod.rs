// SPDX-License-Identifier: MIT OR Apache-2.0
//! A closed loop: NICs (`nic`), joined by a [`network`](crate::network). Hosts send messages whose every byte is checked where
//! it is delivered; a message is complete for its sender only after it has been delivered.
//!
//! ```text
//!  host --request, bytes-----> +-----+ m_axis_tx                   s_axis_rx +-----+ --frames, delivery--> host
//!       <-fetch, completion--- | nic |-----------> wire -> network ---------->| nic |
//!                              +-----+                                        +-----+
//! ```

mod axis;
mod commands;
mod connection;
mod device;
mod forged;
mod kind;
mod ledger;
mod named;
mod nic;
mod payload;
mod pool;
mod protocol;
mod receiver;
mod rocev2;
mod sender;
mod uet;
mod wire;

pub use commands::Commands;
pub use connection::ReceiverCounts;
pub use forged::{Field, Forged};
pub use ledger::{Flow, Ledger, Message};
pub use nic::{Nic, PathEvent, SentFrames};
pub use protocol::Protocol;
pub use rocev2::SubPaths;
pub use sender::SenderCounts;
pub use uet::is_probe;

use crate::device::{Dut, Error};
use crate::network::fabric::mac;
use crate::network::{Fabric, FabricConfig};
use connection::Connection;
use rocev2::Command;
use std::collections::BTreeMap;

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
    /// PDCs that are opened at the host that sends first. The NIC has twice as many: the others are opened at peers.
    pub pdcs: u16,
    /// Messages of a PDC that may be under way.
    pub messages: u32,
    /// Packets that may be between `fetch` and the wire. A packet is taken for sent with its `fetch`, so those that wait for the
    /// wire are in flight for congestion control, and their wait is a delay.
    pub ahead: u64,
    /// Clock cycles from `fetch` to the first byte.
    pub latency: u64,
    /// The transport.
    pub protocol: Protocol,
    /// The host takes a record in one of so many clock cycles.
    pub records_every: u64,
    /// Fields of the command *open* that are the same for all PDCs.
    pub open: Vec<(&'static str, u64)>,
    /// Settings that are written after reset, all fields of each stage that has any: inputs of the NIC with their values.
    pub settings: Vec<(&'static str, u64)>,
}

/// A PDC between two hosts, either of which may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdc {
    /// The host that sends ..
    pub from: u16,
    /// .. and its number there.
    pub pdc: u16,
    /// The host that receives ..
    pub to: u16,
    /// .. and its number there, counted from the first that is opened at peers.
    pub connection: u16,
    /// The first PSN, of which RoCEv2 has the low 24 bits. That of the other direction has all bits inverted.
    pub psn: u32,
    /// Frames are IPv6.
    pub ipv6: bool,
    /// How often it has been opened and closed before: its identifiers are other ones each time.
    pub life: u16,
}

/// An end of a PDC.
#[derive(Clone, Copy, Debug)]
struct End {
    host: u16,
    /// The number of the PDC.
    number: u16,
    /// The PDC identifier, or QP, that packets for it carry.
    id: u32,
    /// The first PSN that it sends.
    psn: u32,
}

impl NicConfig {
    /// The number of a PDC at the host that receives.
    pub const fn peer_pdc(&self, connection: u16) -> u16 {
        self.pdcs + connection
    }
}

/// The identifier of a PDC at its sender, and at its receiver. 0 is none.
const fn local_id(pdc: u16, life: u16) -> u32 {
    0x100 + 0x100 * life as u32 + pdc as u32
}

const fn remote_id(connection: u16, life: u16) -> u32 {
    0x4000 + local_id(connection, life)
}

/// The IP address of a host.
const fn ip(host: u16) -> u64 {
    0x0A00_0001 + host as u64
}

impl Pdc {
    /// Each end with the other one, that of the receiver first: it has to know the PDC before packets come.
    fn ends(self, nic: &NicConfig) -> [[End; 2]; 2] {
        let Pdc { from, to, psn, connection, life, .. } = self;
        let last = nic.protocol.last_psn() as u32;
        let first =
            End { host: from, number: self.pdc, id: nic.protocol.id(local_id(self.pdc, life)), psn: psn & last };
        let (number, id) = (nic.peer_pdc(connection), nic.protocol.id(remote_id(connection, life)));
        let second = End { host: to, number, id, psn: !psn & last };
        [[second, first], [first, second]]
    }
}

/// A command was done.
fn done(fields: &[(&str, u64)], response: &BTreeMap<String, u64>) -> Result<(), Error> {
    match response.get("done") {
        Some(1) => Ok(()),
        _ => Err(Error::Protocol(format!("{fields:?} was not done: {response:?}"))),
    }
}

impl ClosedLoop {
    /// NICs on a network, whose devices are at power-up.
    pub fn new(
        fabric: &FabricConfig,
        nic: &NicConfig,
        devices: impl IntoIterator<Item = Box<dyn Dut>>,
    ) -> Result<Self, Error> {
        let build = |(host, device)| Nic::new(device, host, nic);
        let nics: Vec<_> = (0..).zip(devices).map(build).collect::<Result<_, _>>()?;
        if nics.len() != fabric.hosts.len() {
            return Err(Error::Design(format!("{} NICs for {} hosts", nics.len(), fabric.hosts.len())));
        }
        Ok(ClosedLoop { fabric: Fabric::new(fabric), nics, ledger: Ledger::new(nic.segment), now: 0 })
    }

    /// Opens a PDC at both ends, before there is traffic.
    pub fn open(&mut self, nic: &NicConfig, pdc: Pdc) -> Result<(), Error> {
        for [here, there] in pdc.ends(nic) {
            let (fields, of_paths) = self.open_end(nic, here, there, pdc.ipv6);
            let nic = &mut self.nics[here.host as usize];
            for fields in of_paths {
                done(&fields, &nic.path_command(fields.clone())?)?;
            }
            done(&fields, &nic.command(fields.clone())?)?;
        }
        Ok(())
    }

    /// Opens a PDC at both ends amid traffic.
    pub fn open_later(&mut self, nic: &NicConfig, pdc: Pdc) -> Result<(), Error> {
        for [here, there] in pdc.ends(nic) {
            let (fields, of_paths) = self.open_end(nic, here, there, pdc.ipv6);
            for fields in of_paths {
                done(&fields, &self.path_command(here.host, fields.clone())?)?;
            }
            done(&fields, &self.command(here.host, fields.clone())?)?;
        }
        Ok(())
    }

    /// Closes a PDC at both ends amid traffic, in which it has no part any more.
    pub fn close(&mut self, nic: &NicConfig, pdc: Pdc) -> Result<(), Error> {
        for [_, here] in pdc.ends(nic) {
            let number = here.number.into();
            let fields = vec![("op", 2), ("pdc", number)];
            done(&fields, &self.command(here.host, fields.clone())?)?;
            self.nics[here.host as usize].receiver.close(number);
            let Some(paths) = nic.protocol.sub_paths() else { continue };
            // One that has failed is not drained.
            for fields in paths.drain(number) {
                self.path_command(here.host, fields)?;
            }
            for fields in paths.close(number) {
                done(&fields, &self.path_command(here.host, fields.clone())?)?;
            }
        }
        Ok(())
    }

    /// Gives a NIC a command amid traffic; the response.
    pub fn command(&mut self, host: u16, fields: Command) -> Result<BTreeMap<String, u64>, Error> {
        self.ask(host, fields, |nic| Some(&mut nic.commands))
    }

    /// The same with a command on sub-paths.
    pub fn path_command(&mut self, host: u16, fields: Command) -> Result<BTreeMap<String, u64>, Error> {
        self.ask(host, fields, |nic| nic.path_commands.as_mut())
    }

    fn ask(
        &mut self,
        host: u16,
        fields: Command,
        port: impl Fn(&mut Nic) -> Option<&mut Commands>,
    ) -> Result<BTreeMap<String, u64>, Error> {
        let none = || Error::NoPort("path_scheduler_command".into());
        port(&mut self.nics[host as usize]).ok_or_else(none)?.offer(fields);
        loop {
            self.step()?;
            let state = &port(&mut self.nics[host as usize]).ok_or_else(none)?.state;
            if !state.is_empty() {
                return Ok(state.clone());
            }
        }
    }

    /// The entropies of the sub-paths of a PDC: each goes over a path of its own, as far as there are so many.
    pub fn entropies(&self, nic: &NicConfig, host: u16, number: u16) -> Vec<u16> {
        let count = nic.protocol.sub_paths().map_or(0, |paths| paths.weights.len());
        self.fabric.source_ports(host as usize, count, 0x1000 + 0x100 * number)
    }

    /// Opens one end of a PDC for the hosts; the command for the NIC, and those for its sub-paths.
    fn open_end(&mut self, config: &NicConfig, here: End, there: End, ipv6: bool) -> (Command, Vec<Command>) {
        let number = here.number as u64;
        let (macs, ips) = ([here, there].map(|end| mac(end.host as usize)), [here, there].map(|end| ip(end.host)));
        let mut fields = config.open.clone();
        fields.extend([("op", 1), ("pdc", number), ("psn", here.psn.into()), ("expected", there.psn.into())]);
        fields.extend([("ipv6", ipv6.into()), ("source_mac", macs[0]), ("destination_mac", macs[1])]);
        fields.extend([("source_ip_0", ips[0]), ("destination_ip_0", ips[1])]);
        fields.extend(config.protocol.names(here, there));
        let [own, entropies] = [here, there].map(|end| self.entropies(config, end.host, end.number));
        let flow = (there.host, there.number);
        let index = self.ledger.delivered_packets(flow);
        let nic = &mut self.nics[here.host as usize];
        nic.sender.open(here.number);
        let is_plain = config.protocol.sub_paths().is_some_and(SubPaths::is_plain);
        nic.receiver.open(number, Connection { psn: there.psn.into(), index, id: here.id, flow, entropies, is_plain });
        let paths = config.protocol.sub_paths().map(|paths| paths.open(number, here.psn.into(), &own));
        (fields, paths.unwrap_or_default())
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
