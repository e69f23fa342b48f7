// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver's half of RCCC: a `credit_pacer` that gets the credit targets of requests and CREDIT_REQUEST packets, and whose
//! grants become CREDIT packets.

use super::device::Device;
use crate::network::FrameBytes;
use crate::stream::Channel;
use crate::{Dut, Error};
use golden_vectors::frame::encode::{Frame, Network};
use golden_vectors::wire::Udp;
use std::collections::{BTreeMap, VecDeque};

const UET_PORT: u16 = 4793;
/// Type of a control packet, and the code of CREDIT (uet.md 1.2, 1.7).
const CONTROL: u16 = 11;
const CREDIT: u16 = 7;

/// How CREDIT packets get to a source. Of two values the first one is that of this NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// MAC addresses.
    pub macs: [u64; 2],
    /// IP addresses, or the first words of such.
    pub ips: [u64; 2],
    /// The IP version is 6.
    pub ipv6: bool,
    /// PDC identifiers.
    pub pdcids: [u16; 2],
}

impl Way {
    /// A CREDIT packet: the credit number is in the low 24 bits of its payload (row TX15).
    fn frame(&self, credit: u64, dscp: u8) -> FrameBytes {
        let mut packet = (CONTROL << 11 | CREDIT << 7).to_be_bytes().to_vec();
        packet.extend([0; 6]);
        packet.extend(self.pdcids.iter().flat_map(|pdcid| pdcid.to_be_bytes()));
        packet.extend((credit as u32).to_be_bytes());
        let frame = if self.ipv6 { Frame::v6() } else { Frame::v4() };
        let frame = frame.with(|frame| {
            frame.rocev2 = None;
            frame.addresses.set_source(self.macs[0]);
            frame.addresses.set_destination(self.macs[1]);
            frame.udp = Some(Udp::new().with_source(49_152).with_destination(UET_PORT));
            frame.payload = packet;
            match &mut frame.network {
                Network::V4(header, _) => {
                    header.set_dscp(dscp);
                    header.set_source(self.ips[0] as u32);
                    header.set_destination(self.ips[1] as u32);
                }
                Network::V6(header, _) => {
                    header.set_dscp(dscp);
                    header.set_source((self.ips[0] as u128) << 96);
                    header.set_destination((self.ips[1] as u128) << 96);
                }
                Network::None => unreachable!("it is IP"),
            }
        });
        frame.bytes()
    }
}

/// The pacer.
pub struct Pacer {
    /// The device.
    pub device: Device,
    demand: Channel,
    /// Places of source, target and repeat in a demand, of source and credit in a grant.
    demand_places: [usize; 3],
    grant: Channel,
    grant_places: [usize; 2],
    ways: BTreeMap<u64, Way>,
    waiting: VecDeque<[u64; 3]>,
    dscp: u8,
}

impl Pacer {
    /// One whose device is at power-up; the DSCP of CREDIT packets.
    pub fn new(device: Box<dyn Dut>, dscp: u8) -> Result<Self, Error> {
        let device = Device::new(device)?;
        let (demand, grant) = (Channel::input(&device.ports, "demand")?, Channel::output(&device.ports, "grant")?);
        let place = |channel: &Channel, name: &str| channel.field(name).map(|(_, at)| at.start);
        Ok(Pacer {
            demand_places: [place(&demand, "source")?, place(&demand, "target")?, place(&demand, "repeat")?],
            grant_places: [place(&grant, "source")?, place(&grant, "credit")?],
            device,
            demand,
            grant,
            ways: BTreeMap::new(),
            waiting: VecDeque::new(),
            dscp,
        })
    }

    /// Opens a source, before there is traffic. Credit numbers begin with 0, as at the sender (`ccc_table`, row C32).
    pub fn open(&mut self, source: u64, way: Way) -> Result<BTreeMap<String, u64>, Error> {
        self.ways.insert(source, way);
        self.device.command(&[("op", 1), ("source", source), ("number", 0)])
    }

    /// A clock cycle begins; sources, their targets, and whether a CREDIT_REQUEST has asked. Whether there is a grant.
    pub fn drive(&mut self, targets: impl IntoIterator<Item = [u64; 3]>) -> bool {
        let Device { inputs, outputs, dut, .. } = &mut self.device;
        dut.outputs(outputs);
        self.waiting.extend(targets);
        self.demand.set_valid(inputs, !self.waiting.is_empty());
        if let Some(values) = self.waiting.front() {
            let mut item = vec![0; self.demand.limbs()];
            for (at, value) in self.demand_places.into_iter().zip(values) {
                item[at] = *value;
            }
            self.demand.set(inputs, &item);
            if self.demand.ready(outputs) {
                self.waiting.pop_front();
            }
        }
        self.grant.set_ready(inputs, false);
        self.grant.valid(outputs)
    }

    /// Takes the grant that there is: a CREDIT packet.
    pub fn take(&mut self) -> Result<FrameBytes, Error> {
        self.grant.set_ready(&mut self.device.inputs, true);
        let item = self.grant.get(&self.device.outputs);
        let [source, credit] = self.grant_places.map(|at| item[at]);
        let way = self.ways.get(&source).ok_or_else(|| Error::Protocol(format!("credit for source {source}")))?;
        Ok(way.frame(credit, self.dscp))
    }

    /// The clock cycle ends; an error of the device.
    pub fn clock(&mut self) -> Option<Error> {
        self.device.clock();
        self.device.dut.failure()
    }
}
