// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC on a host: the device, what its hosts do, and its wire.

use super::NicConfig;
use super::axis::Axis;
use super::commands::Commands;
use super::device::Device;
use super::kind::Kind;
use super::ledger::Ledger;
use super::protocol::Protocol;
use super::receiver::ReceiverHost;
use super::sender::SenderHost;
use super::uet;
use super::uet::is_probe;
use super::wire::{Egress, Ingress};
use crate::device::{Dut, Error};
use crate::network::fabric::mac;
use crate::network::{FrameBytes, Headers, Link};
use crate::streams::Channel;
use rtl_model::netlist::interfaces::Direction;
use std::collections::BTreeMap;

/// Frames that a NIC has sent, by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentFrames {
    /// Packets of messages.
    pub data: u64,
    /// RoCEv2: packets that probe sub-paths.
    pub probes: u64,
    /// ACKs.
    pub acks: u64,
    /// RoCEv2: those of them with BECN.
    pub becn: u64,
    /// RoCEv2: those of them with flag L, that the next PSN is taken for lost.
    pub suspects: u64,
    /// NACKs, or NAKs.
    pub nacks: u64,
    /// RoCEv2: congestion notification packets.
    pub cnps: u64,
    /// CREDIT packets.
    pub credits: u64,
    /// CREDIT_REQUEST packets.
    pub requests: u64,
}

impl SentFrames {
    fn count(&mut self, kind: Kind) {
        match kind {
            Kind::Data => self.data += 1,
            Kind::Probe => self.probes += 1,
            Kind::Ack { becn, suspects } => {
                self.acks += 1;
                self.becn += u64::from(becn);
                self.suspects += u64::from(suspects);
            }
            Kind::Nack => self.nacks += 1,
            Kind::Cnp => self.cnps += 1,
            Kind::Credit => self.credits += 1,
            Kind::CreditRequest => self.requests += 1,
        }
    }
}

/// What has been said of a sub-path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEvent {
    /// The clock cycle.
    pub now: u64,
    /// The fields of the event.
    pub fields: BTreeMap<String, u64>,
}

/// A NIC.
pub struct Nic {
    device: Device,
    protocol: Protocol,
    /// The host that sends.
    pub sender: SenderHost,
    /// The host that receives.
    pub receiver: ReceiverHost,
    egress: Egress,
    ingress: Ingress,
    frames: Axis,
    arrivals: Axis,
    /// Commands on PDCs.
    pub commands: Commands,
    /// RoCEv2: commands on sub-paths.
    pub path_commands: Option<Commands>,
    path_events: Option<Channel>,
    failures: Channel,
    /// Data packets by source port: those of each EV, or each sub-path.
    pub evs: BTreeMap<u16, u64>,
    /// The credit numbers that were sent to each PDC identifier, in order.
    pub credits: BTreeMap<u16, Vec<u32>>,
    /// Frames on the wire.
    pub sent: SentFrames,
    /// Events of sub-paths.
    pub events: Vec<PathEvent>,
    /// Answers to probes of them.
    pub answers: Vec<PathEvent>,
    /// PDCs that have failed: the clock cycle, the PDC, and the reason.
    pub failed: Vec<(u64, u64, u64)>,
    /// Its MAC takes no frames.
    pub paused: bool,
    /// So many CREDIT packets that arrive are lost.
    pub credits_to_lose: u64,
    /// The last ACK that has arrived.
    pub last_ack: Option<FrameBytes>,
    /// The last frame that has arrived of those that somebody has sent.
    pub last_arrival: Option<FrameBytes>,
    /// Frames that arrive go here, if it is there, and not to the device.
    pub intercepted: Option<Vec<FrameBytes>>,
}

impl Nic {
    /// The NIC of a host, whose device is at power-up.
    pub fn new(device: Box<dyn Dut>, host: u16, config: &NicConfig) -> Result<Self, Error> {
        let mut device = Device::new(device, &config.settings)?;
        let has_paths = config.protocol.sub_paths().is_some();
        let failures = Channel::output(&device.ports, "failure")?;
        let path_events = has_paths.then(|| Channel::output(&device.ports, "path_scheduler_event")).transpose()?;
        for channel in [&failures].into_iter().chain(&path_events) {
            channel.set_ready(&mut device.inputs, true);
        }
        if let Some(port) = device.ports.input("station_address") {
            device.inputs[port.offset] = mac(host.into());
        }
        let ports = &device.ports;
        Ok(Nic {
            protocol: config.protocol.clone(),
            sender: SenderHost::new(ports, host, config)?,
            receiver: ReceiverHost::new(ports, config)?,
            egress: Egress::default(),
            ingress: Ingress::default(),
            frames: Axis::new(ports, "m_axis_tx", Direction::Out)?,
            arrivals: Axis::new(ports, "s_axis_rx", Direction::In)?,
            commands: Commands::new(ports, "")?,
            path_commands: has_paths.then(|| Commands::new(ports, "path_scheduler_")).transpose()?,
            path_events,
            failures,
            evs: BTreeMap::new(),
            credits: BTreeMap::new(),
            device,
            sent: SentFrames::default(),
            events: Vec::new(),
            answers: Vec::new(),
            failed: Vec::new(),
            paused: false,
            credits_to_lose: 0,
            last_ack: None,
            last_arrival: None,
            intercepted: None,
        })
    }

    /// Gives the device a command, before there is traffic.
    pub fn command(&mut self, fields: Vec<(&'static str, u64)>) -> Result<BTreeMap<String, u64>, Error> {
        self.device.command(&mut self.commands, fields)
    }

    /// The same with a command on sub-paths.
    pub fn path_command(&mut self, fields: Vec<(&'static str, u64)>) -> Result<BTreeMap<String, u64>, Error> {
        let commands = self.path_commands.as_mut().ok_or_else(|| Error::NoPort("path_scheduler_command".into()))?;
        self.device.command(commands, fields)
    }

    /// Asks for the state of a PDC, which is in the state of `commands` some clock cycles later.
    pub fn ask(&mut self, pdc: u64) {
        self.commands.offer(vec![("pdc", pdc)]);
    }

    /// A counter of the device.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.device.output(name)
    }

    /// The counters of the device that are not 0, by name.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let ports = &self.device.ports;
        let none = |port: &&crate::device::Port| ports.interfaces.iter().all(|it| !of_handshake(it, &port.name));
        let counters = ports.outputs.iter().filter(|port| port.width == 32).filter(none);
        let value = |port: &crate::device::Port| (port.name.clone(), self.device.outputs[port.offset]);
        counters.map(value).filter(|(_, value)| *value != 0).collect()
    }

    /// The largest number of bytes that waited between wire and receive path.
    pub fn ingress_peak(&self) -> u64 {
        self.ingress.peak
    }

    /// Frames wait between wire and receive path.
    pub fn has_arrivals(&self) -> bool {
        !self.ingress.is_empty()
    }

    /// A frame arrives that nobody has sent: it must have no effect.
    pub fn arrive_foreign(&mut self, frame: FrameBytes) {
        if self.receiver.expect_foreign(frame.clone()) {
            self.ingress.push(frame);
        }
    }

    /// A frame arrives that has been intercepted.
    pub fn arrive_at_last(&mut self, frame: FrameBytes) {
        self.ingress.push(frame);
    }

    /// A frame arrives.
    pub fn arrive(&mut self, frame: FrameBytes) {
        let kind = self.protocol.kind(&frame);
        if self.credits_to_lose > 0 && kind == Some(Kind::Credit) {
            self.credits_to_lose -= 1;
            return;
        }
        if matches!(kind, Some(Kind::Ack { .. })) && !is_probe(&frame) {
            self.last_ack = Some(frame.clone());
        }
        self.last_arrival = Some(frame.clone());
        match &mut self.intercepted {
            Some(intercepted) => intercepted.push(frame),
            None => self.ingress.push(frame),
        }
    }

    /// Takes what the device says unasked.
    fn take_events(&mut self, now: u64) -> Result<(), Error> {
        let outputs = &self.device.outputs;
        if self.failures.valid(outputs) {
            let item = self.failures.get(outputs);
            let [pdc, reason] =
                ["pdc", "reason"].map(|name| self.failures.field(name).map(|field| item[field.1.start]));
            self.failed.push((now, pdc?, reason?));
        }
        if self.device.output("probe_answer_valid") == Some(1) {
            let fields = self.device.outputs_of("probe_answer_");
            self.answers.push(PathEvent { now, fields });
        }
        let Some(events) = self.path_events.as_ref().filter(|events| events.valid(outputs)) else { return Ok(()) };
        let item = events.get(outputs);
        let field = |(name, _): (&str, u32)| (name.to_owned(), item[events.field(name).expect("it has it").1.start]);
        let fields = events.fields().map(field).collect();
        self.events.push(PathEvent { now, fields });
        Ok(())
    }

    /// A clock cycle.
    pub fn step(&mut self, now: u64, link: &mut Link, ledger: &mut Ledger) -> Result<(), Error> {
        self.device.read();
        self.take_events(now)?;
        let Device { inputs, outputs, .. } = &mut self.device;
        for commands in [&mut self.commands].into_iter().chain(&mut self.path_commands) {
            commands.drive(outputs, inputs)?;
        }
        self.sender.drive(now, self.sent.data, outputs, inputs, ledger)?;
        self.receiver.drive(now, outputs, inputs, ledger)?;
        if let Some(frame) = self.ingress.drive(&self.arrivals, outputs, inputs) {
            self.receiver.entered(&frame, ledger)?;
        }
        let takes = !self.paused && self.egress.is_ready(now, link) && self.frames.is_valid(outputs);
        self.frames.set_ready(inputs, takes);
        let sent = if takes { self.egress.take(now, &self.frames, outputs, link)? } else { None };
        if let Some(frame) = sent {
            self.tally(&frame)?;
        }
        self.device.clock();
        self.device.dut.failure().map_or(Ok(()), Err)
    }

    /// A frame has gone to the wire.
    fn tally(&mut self, frame: &[u8]) -> Result<(), Error> {
        self.protocol.check(frame)?;
        let Some(kind) = self.protocol.kind(frame) else { return Ok(()) };
        self.sent.count(kind);
        if kind == Kind::Data {
            let port = Headers::of(frame).and_then(|headers| headers.source_port(frame));
            *self.evs.entry(port.unwrap_or(0)).or_default() += 1;
        }
        if let Some((pdcid, number)) = uet::credit(frame).filter(|_| kind == Kind::Credit) {
            self.credits.entry(pdcid).or_default().push(number);
        }
        Ok(())
    }
}

/// A port belongs to an interface in which there are transfers.
fn of_handshake(interface: &rtl_model::netlist::interfaces::Interface, name: &str) -> bool {
    interface.valid().is_some() && interface.pins().any(|(pin, _)| pin.port == name)
}
