// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC: a transmit path and a receive path, one clock, and the wire that they share.

use super::NicConfig;
use super::axis::Axis;
use super::device::Device;
use super::ledger::Ledger;
use super::pacer::{Pacer, Way};
use super::receiver::ReceiverHost;
use super::sender::SenderHost;
use super::wire::{Egress, Ingress, Offered, Origin};
use crate::network::{FrameBytes, Headers, Link};
use crate::stream::Channel;
use crate::{Dut, Error};
use rtl_model::netlist::interfaces::Direction;
use std::collections::BTreeMap;

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

impl SentFrames {
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
    tx: Device,
    rx: Device,
    /// Gives credit to those who send to this NIC.
    pacer: Option<Pacer>,
    /// The host that sends.
    pub sender: SenderHost,
    /// The host that receives.
    pub receiver: ReceiverHost,
    egress: Egress,
    ingress: Ingress,
    data: Axis,
    answers: Axis,
    arrivals: Axis,
    records: Channel,
    taken: Channel,
    commands: Channel,
    /// The PDC whose state is asked for, until the command is taken.
    asked: Option<u64>,
    /// Its state, by the names of fields of the response.
    pub state: BTreeMap<String, u64>,
    /// Fields of a record: limbs among the outputs of the one and the inputs of the other, and how many.
    copied: Vec<(usize, usize, usize, u64)>,
    /// Frames on the wire.
    pub sent: SentFrames,
    /// So many CREDIT packets that arrive are lost.
    pub credits_to_lose: u64,
}

impl Nic {
    /// The NIC of a host, whose devices are at power-up.
    pub fn new((tx, rx): (Box<dyn Dut>, Box<dyn Dut>), host: u16, config: &NicConfig) -> Result<Self, Error> {
        let (mut tx, rx) = (Device::new(tx)?, Device::new(rx)?);
        let (records, taken) = (Channel::output(&rx.ports, "m_record")?, Channel::input(&tx.ports, "s_record")?);
        let mut copied = Vec::new();
        for (name, _) in taken.fields() {
            let (from, to) =
                (rx.ports.output(&format!("m_record_{name}")), tx.ports.input(&format!("s_record_{name}")));
            let (Some(from), Some(to)) = (from, to) else { return Err(Error::NoPort(format!("m_record_{name}"))) };
            copied.push((from.offset, to.offset, to.limbs(), to.mask(to.limbs() - 1)));
        }
        if let Ok(failure) = Channel::output(&tx.ports, "failure") {
            failure.set_ready(&mut tx.inputs, true);
        }
        Ok(Nic {
            sender: SenderHost::new(&tx.ports, host, config)?,
            receiver: ReceiverHost::new(&rx.ports, &config.trimmed)?,
            egress: Egress::default(),
            ingress: Ingress::default(),
            data: Axis::new(&tx.ports, "m_axis", Direction::Out)?,
            answers: Axis::new(&rx.ports, "m_answer", Direction::Out)?,
            arrivals: Axis::new(&rx.ports, "s_axis", Direction::In)?,
            records,
            taken,
            commands: Channel::input(&tx.ports, "command")?,
            asked: None,
            state: BTreeMap::new(),
            copied,
            tx,
            rx,
            pacer: None,
            sent: SentFrames::default(),
            credits_to_lose: 0,
        })
    }

    /// This NIC gives credit: a `credit_pacer` at power-up, and the DSCP of CREDIT packets.
    pub fn add_pacer(&mut self, device: Box<dyn Dut>, dscp: u8) -> Result<(), Error> {
        self.pacer = Some(Pacer::new(device, dscp)?);
        Ok(())
    }

    /// It gives credit.
    pub fn has_pacer(&self) -> bool {
        self.pacer.is_some()
    }

    /// Opens a source of the pacer, before there is traffic.
    pub fn open_source(&mut self, source: u64, way: Way) -> Result<BTreeMap<String, u64>, Error> {
        let pacer = self.pacer.as_mut().ok_or_else(|| Error::Design("there is no pacer".to_owned()))?;
        pacer.open(source, way)
    }

    /// A counter of the pacer.
    pub fn count_pacer(&self, name: &str) -> Option<u64> {
        self.pacer.as_ref()?.device.output(name)
    }

    /// Gives the transmit path a command, before there is traffic.
    pub fn command_tx(&mut self, fields: &[(&str, u64)]) -> Result<BTreeMap<String, u64>, Error> {
        self.tx.command(fields)
    }

    /// Gives the receive path a command, before there is traffic.
    pub fn command_rx(&mut self, fields: &[(&str, u64)]) -> Result<BTreeMap<String, u64>, Error> {
        self.rx.command(fields)
    }

    /// Asks for the state of a PDC, which is in `state` some clock cycles later.
    pub fn ask(&mut self, pdc: u64) {
        self.asked = Some(pdc);
    }

    fn drive_command(&mut self) -> Result<(), Error> {
        if let Some(state) = self.tx.response() {
            self.state = state;
        }
        self.commands.set_valid(&mut self.tx.inputs, self.asked.is_some());
        if let Some(pdc) = self.asked {
            let mut item = vec![0; self.commands.limbs()];
            item[self.commands.field("pdc")?.1.start] = pdc;
            self.commands.set(&mut self.tx.inputs, &item);
            if self.commands.ready(&self.tx.outputs) {
                self.asked = None;
            }
        }
        Ok(())
    }

    /// A counter of the transmit path.
    pub fn count_tx(&self, name: &str) -> Option<u64> {
        self.tx.output(name)
    }

    /// A counter of the receive path.
    pub fn count_rx(&self, name: &str) -> Option<u64> {
        self.rx.output(name)
    }

    /// The counters of all devices that are not 0, by name.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let of = |device: &Device, prefix: &str| -> Vec<_> {
            let none = |port: &&crate::Port| device.ports.interfaces.iter().all(|it| !of_handshake(it, &port.name));
            let counters = device.ports.outputs.iter().filter(|port| port.width == 32).filter(none);
            let value = |port: &crate::Port| (format!("{prefix}.{}", port.name), device.outputs[port.offset]);
            counters.map(value).filter(|(_, value)| *value != 0).collect()
        };
        let pacer = self.pacer.as_ref().map(|pacer| of(&pacer.device, "pacer"));
        of(&self.tx, "tx").into_iter().chain(of(&self.rx, "rx")).chain(pacer.into_iter().flatten()).collect()
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
        self.tx.read();
        self.rx.read();
        self.sender.drive(now, self.sent.data, &self.tx.outputs, &mut self.tx.inputs, ledger)?;
        self.drive_command()?;
        self.hand_over();
        self.receiver.drive(now, &self.rx.outputs, &mut self.rx.inputs, ledger)?;
        self.ingress.drive(&self.arrivals, &self.rx.outputs, &mut self.rx.inputs);
        let credit = self.pace();
        let (answer, data) = (self.answers.is_valid(&self.rx.outputs), self.data.is_valid(&self.tx.outputs));
        let chosen = self.egress.choose(now, link, Offered { credit, answer, data });
        self.answers.set_ready(&mut self.rx.inputs, chosen == Some(Origin::Answer));
        self.data.set_ready(&mut self.tx.inputs, chosen == Some(Origin::Data));
        let sent = match (chosen, &mut self.pacer) {
            (Some(Origin::Answer), _) => {
                self.egress.take(now, Origin::Answer, (&self.answers, &self.rx.outputs[..]), link)?
            }
            (Some(Origin::Data), _) => self.egress.take(now, Origin::Data, (&self.data, &self.tx.outputs[..]), link)?,
            (Some(Origin::Credit), Some(pacer)) => {
                let frame = pacer.take()?;
                link.send(now, frame.clone());
                Some(frame)
            }
            _ => None,
        };
        if let Some(frame) = sent {
            self.sent.count(&frame);
        }
        self.tx.clock();
        self.rx.clock();
        let paced = self.pacer.as_mut().and_then(Pacer::clock);
        let failed = self.tx.dut.failure().or_else(|| self.rx.dut.failure()).or(paced);
        failed.map_or(Ok(()), Err)
    }

    /// Credit targets go from the receiver to the pacer. Whether it has credit to be sent.
    fn pace(&mut self) -> bool {
        let targets = std::mem::take(&mut self.receiver.targets);
        self.pacer.as_mut().is_some_and(|pacer| pacer.drive(targets))
    }

    /// Records go from the receive path to the transmit path, which has no more bits of a connection than it has PDCs.
    fn hand_over(&mut self) {
        let valid = self.records.valid(&self.rx.outputs);
        self.taken.set_valid(&mut self.tx.inputs, valid);
        self.records.set_ready(&mut self.rx.inputs, self.taken.ready(&self.tx.outputs));
        if valid {
            for &(from, to, limbs, mask) in &self.copied {
                self.tx.inputs[to..to + limbs].copy_from_slice(&self.rx.outputs[from..from + limbs]);
                self.tx.inputs[to + limbs - 1] &= mask;
            }
        }
    }
}

/// A port belongs to an interface in which there are transfers.
fn of_handshake(interface: &rtl_model::netlist::interfaces::Interface, name: &str) -> bool {
    interface.valid().is_some() && interface.pins().any(|(pin, _)| pin.port == name)
}
