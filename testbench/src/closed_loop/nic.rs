// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC on a host: the device, what its hosts do, and its wire.

use super::NicConfig;
use super::axis::Axis;
use super::device::Device;
use super::ledger::Ledger;
use super::receiver::ReceiverHost;
use super::sender::SenderHost;
use super::wire::{Egress, Ingress};
use crate::network::{FrameBytes, Headers, Link};
use crate::stream::Channel;
use crate::{Dut, Error};
use rtl_model::netlist::interfaces::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// Frames that a NIC has sent, by their PDS type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentFrames {
    /// Requests.
    pub data: u64,
    /// ACKs.
    pub acks: u64,
    /// NACKs.
    pub nacks: u64,
    /// CREDIT packets.
    pub credits: u64,
    /// CREDIT_REQUEST packets.
    pub requests: u64,
}

/// Codes of control packets (uet.md 1.7).
pub const CREDIT: u8 = 7;
pub const CREDIT_REQUEST: u8 = 8;

/// The code of the control packet in a frame of UET.
fn control_type(frame: &[u8]) -> Option<u8> {
    let pds = frame.get(Headers::of(frame)?.transport + 8..)?;
    let prologue = u16::from_be_bytes([*pds.first()?, *pds.get(1)?]);
    (prologue >> 11 == 11).then_some((prologue >> 7 & 0xF) as u8)
}

/// The PDC identifier for which a frame has credit, and the credit number.
fn credit(frame: &[u8]) -> Option<(u16, u32)> {
    if control_type(frame) != Some(CREDIT) {
        return None;
    }
    let [high, low, payload @ ..] = *frame.get(Headers::of(frame)?.transport + 18..)?.first_chunk::<6>()?;
    Some((u16::from_be_bytes([high, low]), u32::from_be_bytes(payload) & 0xFF_FFFF))
}

impl SentFrames {
    /// A frame is a request.
    fn is_data(frame: &[u8], headers: &Headers) -> bool {
        matches!(frame.get(headers.transport + 8).map(|byte| byte >> 3), Some(2 | 13))
    }

    fn count(&mut self, frame: &[u8]) {
        let kind = Headers::of(frame).and_then(|headers| frame.get(headers.transport + 8)).map(|byte| byte >> 3);
        match kind {
            Some(2 | 13) => self.data += 1,
            Some(7..=9) => self.acks += 1,
            Some(10 | 12) => self.nacks += 1,
            Some(11) => {
                self.credits += (control_type(frame) == Some(CREDIT)) as u64;
                self.requests += (control_type(frame) == Some(CREDIT_REQUEST)) as u64;
            }
            _ => {}
        }
    }
}

/// A NIC.
pub struct Nic {
    device: Device,
    /// The host that sends.
    pub sender: SenderHost,
    /// The host that receives.
    pub receiver: ReceiverHost,
    egress: Egress,
    ingress: Ingress,
    frames: Axis,
    arrivals: Axis,
    commands: Channel,
    /// The fields of a command, until it is taken.
    offered: Option<Vec<(&'static str, u64)>>,
    /// The fields of the last response.
    pub state: BTreeMap<String, u64>,
    /// Source ports of data packets.
    pub evs: BTreeSet<u16>,
    /// The credit numbers that were sent to each PDC identifier, in order.
    pub credits: BTreeMap<u16, Vec<u32>>,
    /// Frames on the wire.
    pub sent: SentFrames,
    /// So many CREDIT packets that arrive are lost.
    pub credits_to_lose: u64,
}

impl Nic {
    /// The NIC of a host, whose device is at power-up.
    pub fn new(device: Box<dyn Dut>, host: u16, config: &NicConfig) -> Result<Self, Error> {
        let mut device = Device::new(device)?;
        if let Ok(failure) = Channel::output(&device.ports, "failure") {
            failure.set_ready(&mut device.inputs, true);
        }
        let ports = &device.ports;
        Ok(Nic {
            sender: SenderHost::new(ports, host, config)?,
            receiver: ReceiverHost::new(ports, config)?,
            egress: Egress::default(),
            ingress: Ingress::default(),
            frames: Axis::new(ports, "m_axis_tx", Direction::Out)?,
            arrivals: Axis::new(ports, "s_axis_rx", Direction::In)?,
            commands: Channel::input(ports, "command")?,
            offered: None,
            evs: BTreeSet::new(),
            credits: BTreeMap::new(),
            state: BTreeMap::new(),
            device,
            sent: SentFrames::default(),
            credits_to_lose: 0,
        })
    }

    /// Gives the device a command, before there is traffic.
    pub fn command(&mut self, fields: &[(&str, u64)]) -> Result<BTreeMap<String, u64>, Error> {
        self.device.command(fields)
    }

    /// Asks for the state of a PDC, which is in `state` some clock cycles later.
    pub fn ask(&mut self, pdc: u64) {
        self.offer(vec![("pdc", pdc)]);
    }

    /// Gives the device a command amid traffic. `state` is empty until there is a response.
    pub fn offer(&mut self, fields: Vec<(&'static str, u64)>) {
        self.offered = Some(fields);
        self.state.clear();
    }

    fn drive_command(&mut self) -> Result<(), Error> {
        if let Some(state) = self.device.response() {
            self.state = state;
        }
        let Device { inputs, outputs, .. } = &mut self.device;
        self.commands.set_valid(inputs, self.offered.is_some());
        if let Some(fields) = &self.offered {
            let mut item = vec![0; self.commands.limbs()];
            for (name, value) in fields {
                item[self.commands.field(name)?.1.start] = *value;
            }
            self.commands.set(inputs, &item);
            if self.commands.ready(outputs) {
                self.offered = None;
            }
        }
        Ok(())
    }

    /// A counter of the device.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.device.output(name)
    }

    /// The counters of the device that are not 0, by name.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let ports = &self.device.ports;
        let none = |port: &&crate::Port| ports.interfaces.iter().all(|it| !of_handshake(it, &port.name));
        let counters = ports.outputs.iter().filter(|port| port.width == 32).filter(none);
        let value = |port: &crate::Port| (port.name.clone(), self.device.outputs[port.offset]);
        counters.map(value).filter(|(_, value)| *value != 0).collect()
    }

    /// The largest number of bytes that waited between wire and receive path.
    pub fn ingress_peak(&self) -> u64 {
        self.ingress.peak
    }

    /// A frame arrives.
    pub fn arrive(&mut self, frame: FrameBytes) {
        if self.credits_to_lose > 0 && control_type(&frame) == Some(CREDIT) {
            self.credits_to_lose -= 1;
            return;
        }
        self.ingress.push(frame);
    }

    /// A clock cycle.
    pub fn step(&mut self, now: u64, link: &mut Link, ledger: &mut Ledger) -> Result<(), Error> {
        self.device.read();
        self.drive_command()?;
        let Device { inputs, outputs, .. } = &mut self.device;
        self.sender.drive(now, self.sent.data, outputs, inputs, ledger)?;
        self.receiver.drive(now, outputs, inputs, ledger)?;
        self.ingress.drive(&self.arrivals, outputs, inputs);
        let takes = self.egress.is_ready(now, link) && self.frames.is_valid(outputs);
        self.frames.set_ready(inputs, takes);
        let sent = if takes { self.egress.take(now, &self.frames, outputs, link)? } else { None };
        if let Some(frame) = sent {
            self.sent.count(&frame);
            let headers = Headers::of(&frame).filter(|headers| SentFrames::is_data(&frame, headers));
            self.evs.extend(headers.and_then(|headers| headers.source_port(&frame)));
            if let Some((pdcid, number)) = credit(&frame) {
                self.credits.entry(pdcid).or_default().push(number);
            }
        }
        self.device.clock();
        self.device.dut.failure().map_or(Ok(()), Err)
    }
}

/// A port belongs to an interface in which there are transfers.
fn of_handshake(interface: &rtl_model::netlist::interfaces::Interface, name: &str) -> bool {
    interface.valid().is_some() && interface.pins().any(|(pin, _)| pin.port == name)
}
