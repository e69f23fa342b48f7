// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC with its host, on a wire to the [`Peer`]: each frame takes a while, and some are lost.

use super::peer::{MTU, Message, Peer};
use super::wire::{NIC, NIC_PORT, PEER, PKEY, Packet};
use crate::closed_loop::rocev2::setup::nic;
use crate::closed_loop::setup::Device;
use std::collections::{BTreeMap, VecDeque};
use testbench::Ports;
use testbench::closed_loop::Commands;
use testbench::device::random::Random;
use testbench::streams::{Channel, Frame, Item, beats, frames};

/// Clock cycles from one end of the wire to the other.
const DELAY: u64 = 600;
/// PSNs: they wrap soon, in both directions.
pub const FIRST: [u32; 2] = [0xFF_FFF0, 0xFF_FFFA];
/// Messages of a QP that may be under way.
const PLACES: usize = 8;
/// The number of the QP.
const QP: u64 = 3;

/// Numbers for the fields of a 48-bit address.
fn mac(bytes: [u8; 6]) -> u64 {
    bytes.into_iter().fold(0, |all, byte| all << 8 | u64::from(byte))
}

/// The byte of the memory of the host at this address.
fn byte(address: u64) -> u8 {
    let z = (address ^ address >> 23).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z >> 56) as u8
}

/// The bytes from an address on.
pub fn memory(address: u64, length: u32) -> Vec<u8> {
    (0..u64::from(length)).map(|at| byte(address + at)).collect()
}

/// What the host asks for, and the message that the peer is to see.
#[derive(Clone, Debug)]
pub struct Asked {
    pub fields: Vec<(&'static str, u64)>,
    pub message: Message,
}

/// Places of fields in an item.
fn field(channel: &Channel, item: &Item, name: &str) -> u64 {
    item[channel.field(name).expect("it has it").1.start]
}

/// The NIC, its host, and its peer.
pub struct World {
    dut: Device,
    pub ports: Ports,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    commands: Commands,
    path_commands: Commands,
    channels: BTreeMap<&'static str, Channel>,
    pub now: u64,
    pub peer: Peer,
    random: Random,
    /// Part of the frames that are lost, in each direction.
    pub loss: f64,
    /// Frames under way to the NIC, and to the peer.
    to_nic: VecDeque<(u64, Vec<u8>)>,
    to_peer: VecDeque<(u64, Vec<u8>)>,
    /// Beats for the NIC: of the wire, and of its host.
    arriving: VecDeque<Item>,
    bytes: VecDeque<Item>,
    /// Beats of the NIC: frames that come and go.
    received: Vec<Item>,
    sent: Vec<Item>,
    requests: VecDeque<Vec<(&'static str, u64)>>,
    /// Requests that have been taken.
    asked: usize,
    /// Frames in sequence that have come.
    sequenced: u64,
    /// Frames that have come, by handle, and handles whose frames have not.
    by_handle: BTreeMap<u64, Vec<u8>>,
    handles: VecDeque<u64>,
    unnamed: VecDeque<Vec<u8>>,
    named: VecDeque<u64>,
    /// Payloads that are delivered, with their OpCodes.
    pub delivered: Vec<(u8, Vec<u8>)>,
    /// Handles of frames that are named, of both kinds, and the causes of those that are not delivered.
    pub outcomes: Vec<(u64, Option<u64>)>,
    pub completed: Vec<u64>,
    /// Reason and code.
    pub failed: Vec<(u64, u64)>,
    pub frames_sent: u64,
    /// The host takes no records.
    pub stands_still: bool,
    /// Each frame that the NIC has sent.
    pub wire: Vec<Vec<u8>>,
}

impl World {
    /// Opens a QP of plain RoCEv2 in a NIC at power-up.
    pub fn new(mut dut: Device, seed: u64) -> Self {
        let ports = dut.ports().clone();
        let names_in = ["request", "s_axis_tx", "s_axis_rx"];
        let names_out = [
            "fetch",
            "m_axis_tx",
            "m_axis_rx",
            "m_record",
            "delivery",
            "undelivered",
            "completion",
            "failure",
            "refusal",
            "path_scheduler_event",
        ];
        let into = names_in.map(|name| (name, Channel::input(&ports, name).expect("it is there")));
        let out = names_out.map(|name| (name, Channel::output(&ports, name).expect("it is there")));
        let commands = Commands::new(&ports, "").expect("they are there");
        let path_commands = Commands::new(&ports, "path_scheduler_").expect("they are there");
        let mut inputs = vec![0; ports.input_limbs()];
        let outputs = vec![0; ports.output_limbs()];
        dut.clock(true, &inputs);
        out.iter().for_each(|(_, channel)| channel.set_ready(&mut inputs, true));
        let channels = into.into_iter().chain(out).collect();
        let mut world = World {
            dut,
            ports,
            outputs,
            inputs,
            commands,
            path_commands,
            channels,
            now: 0,
            peer: Peer::new(FIRST[0], FIRST[1]),
            random: Random::new(seed),
            loss: 0.0,
            to_nic: VecDeque::new(),
            to_peer: VecDeque::new(),
            arriving: VecDeque::new(),
            bytes: VecDeque::new(),
            received: Vec::new(),
            sent: Vec::new(),
            requests: VecDeque::new(),
            asked: 0,
            sequenced: 0,
            by_handle: BTreeMap::new(),
            handles: VecDeque::new(),
            unnamed: VecDeque::new(),
            named: VecDeque::new(),
            delivered: Vec::new(),
            outcomes: Vec::new(),
            completed: Vec::new(),
            failed: Vec::new(),
            frames_sent: 0,
            stands_still: false,
            wire: Vec::new(),
        };
        while world.output("busy") != 0 || world.now == 0 {
            world.step();
        }
        world.write_settings();
        world.open(FIRST);
        world
    }

    /// Writes the settings of these sizes.
    fn write_settings(&mut self) {
        let settings = nic(&super::sizes()).settings;
        let valids = settings.iter().map(|(name, _)| {
            let (stage, _) = name.split_once("settings_").expect("an input of settings");
            (format!("{stage}settings_valid"), 1)
        });
        let all: Vec<_> = settings.iter().map(|(name, value)| ((*name).to_owned(), *value)).chain(valids).collect();
        let offsets = all.iter().map(|(name, _)| self.ports.input(name).expect("it is there").offset);
        let offsets: Vec<_> = offsets.collect();
        offsets.iter().zip(&all).for_each(|(offset, (_, value))| self.inputs[*offset] = *value);
        self.step();
        offsets.iter().for_each(|offset| self.inputs[*offset] = 0);
        self.step();
    }

    /// Frames in sequence that have come.
    pub fn received(&self) -> u64 {
        self.sequenced
    }

    /// Closes the QP, and opens it again with a peer that begins anew.
    pub fn reopen(&mut self) {
        // Nothing of the old one is under way.
        self.peer.timeout = u64::MAX >> 1;
        self.steps(4 * DELAY);
        assert_eq!(self.command(vec![("op", 2), ("pdc", QP)])["done"], 1);
        // The path is drained and removed.
        [7, 9, 2].into_iter().for_each(|op| _ = self.path_command(vec![("op", op), ("qp", QP)]));
        self.peer = Peer::new(0x1000, 0x2000);
        self.open([0x1000, 0x2000]);
    }

    /// The state of the QP.
    pub fn state(&mut self) -> BTreeMap<String, u64> {
        self.command(vec![("pdc", QP)])
    }

    pub fn output(&self, name: &str) -> u64 {
        self.outputs[self.ports.output(name).unwrap_or_else(|| panic!("no port {name}")).offset]
    }

    /// Sub-path 0 alone, without probes, and no MPEH.
    fn open(&mut self, [first, expected]: [u32; 2]) {
        let (qp, weight) = (("qp", QP), ("weight", 32));
        let psn = ("psn", u64::from(first));
        self.path_command(vec![("op", 1), qp, psn, ("granularity", 3)]);
        self.path_command(vec![("op", 4), qp, weight, ("entropy", NIC_PORT.into())]);
        self.path_command(vec![("op", 5), qp, weight, ("force", 1)]);
        let ip = |bytes: [u8; 4]| u64::from(u32::from_be_bytes(bytes));
        let open = vec![
            ("op", 1),
            ("pdc", QP),
            psn,
            ("expected", expected.into()),
            ("mtu", MTU as u64),
            ("weight", 4),
            ("dscp", super::wire::DSCP.into()),
            ("multipath", 0),
            ("source_mac", mac(NIC.mac)),
            ("destination_mac", mac(PEER.mac)),
            ("source_ip_0", ip(NIC.ip)),
            ("destination_ip_0", ip(PEER.ip)),
            ("local_qp", NIC.qp.into()),
            ("remote_qp", PEER.qp.into()),
            ("pkey", PKEY.into()),
        ];
        assert_eq!(self.command(open)["done"], 1);
    }

    /// A command, and its response.
    pub fn command(&mut self, fields: Vec<(&'static str, u64)>) -> BTreeMap<String, u64> {
        self.commands.offer(fields);
        while self.commands.state.is_empty() {
            self.step();
        }
        self.commands.state.clone()
    }

    /// One on the path.
    pub fn path_command(&mut self, fields: Vec<(&'static str, u64)>) -> BTreeMap<String, u64> {
        self.path_commands.offer(fields.clone());
        while self.path_commands.state.is_empty() {
            self.step();
        }
        assert_eq!(self.path_commands.state["done"], 1, "{fields:?}");
        self.path_commands.state.clone()
    }

    /// The state of the path.
    pub fn path(&mut self) -> BTreeMap<String, u64> {
        self.path_command(vec![("qp", QP)])
    }

    /// The host asks for a message, whose bytes it has from an address on.
    pub fn send(&mut self, asked: &Asked) {
        let handle = self.requests.len() + self.asked;
        let fields = [("pdc", QP), ("handle", handle as u64)].into_iter().chain(asked.fields.iter().copied());
        self.requests.push_back(fields.collect());
    }

    /// All requests have been taken, and so many messages are complete.
    pub fn until_complete(&mut self, count: usize, patience: u64) {
        let end = self.now + patience;
        while self.completed.len() < count {
            assert!(
                self.now < end,
                "{} of {count} messages are complete, {:?}",
                self.completed.len(),
                self.peer.counts
            );
            self.step();
        }
    }

    /// The same for what the peer sends.
    pub fn until_peer_is_done(&mut self, patience: u64) {
        let end = self.now + patience;
        while !self.peer.is_done() {
            assert!(self.now < end, "{:?}", self.peer.counts);
            self.step();
        }
    }

    pub fn steps(&mut self, count: u64) {
        (0..count).for_each(|_| self.step());
    }

    /// What the NIC offers on a stream, and is taken in this clock cycle.
    fn take(&self, name: &str) -> Option<Item> {
        let channel = &self.channels[name];
        (channel.valid(&self.outputs) && channel.ready(&self.inputs)).then(|| channel.get(&self.outputs))
    }

    /// Offers the first item of a queue; it leaves if the NIC takes it.
    fn offer(&mut self, name: &'static str, queue: fn(&mut Self) -> &mut VecDeque<Item>) {
        let first = queue(self).front().cloned();
        let channel = &self.channels[name];
        channel.set_valid(&mut self.inputs, first.is_some());
        if let Some(item) = first {
            channel.set(&mut self.inputs, &item);
            if channel.ready(&self.outputs) {
                queue(self).pop_front();
            }
        }
    }

    /// A clock cycle.
    pub fn step(&mut self) {
        self.dut.outputs(&mut self.outputs);
        self.commands.drive(&self.outputs, &mut self.inputs).expect("it has the fields");
        self.path_commands.drive(&self.outputs, &mut self.inputs).expect("it has the fields");
        let still = self.stands_still;
        for name in ["m_record", "m_axis_rx"] {
            self.channels[name].set_ready(&mut self.inputs, !still);
        }
        self.step_wire();
        self.step_requests();
        self.offer("s_axis_rx", |world| &mut world.arriving);
        self.offer("s_axis_tx", |world| &mut world.bytes);
        self.take_bytes();
        self.take_frames();
        self.take_rest();
        self.dut.clock(false, &self.inputs);
        self.now += 1;
    }

    /// The wire, and the peer at its other end.
    fn step_wire(&mut self) {
        let now = self.now;
        if self.to_peer.front().is_some_and(|(at, _)| *at <= now) {
            let (_, frame) = self.to_peer.pop_front().expect("there is one");
            self.peer.hear(now, &frame).unwrap_or_else(|wrong| panic!("cycle {now}: {wrong}"));
        }
        // One frame takes as long as its beats.
        if self.arriving.is_empty() && self.to_nic.front().is_some_and(|(at, _)| *at <= now) {
            let (_, bytes) = self.to_nic.pop_front().expect("there is one");
            self.arriving.extend(beats(&self.channels["s_axis_rx"], &Frame { bytes, user: 0 }).expect("it has bytes"));
        }
        if self.to_nic.len() < 64
            && let Some(frame) = self.peer.step(now)
            && !self.random.chance(self.loss)
        {
            self.to_nic.push_back((now + DELAY, frame));
        }
    }

    /// A request, while fewer messages are under way than the NIC has places for.
    fn step_requests(&mut self) {
        if self.output("accepted_valid") == 1 {
            assert_eq!(self.output("accepted_done"), 1, "a request is refused");
        }
        let may = self.asked - self.completed.len() < PLACES;
        let channel = &self.channels["request"];
        channel.set_valid(&mut self.inputs, may && !self.requests.is_empty());
        let Some(fields) = self.requests.front().filter(|_| may) else { return };
        let mut item = vec![0; channel.limbs()];
        for (name, value) in fields {
            item[channel.field(name).expect("it has it").1.start] = *value;
        }
        channel.set(&mut self.inputs, &item);
        if channel.ready(&self.outputs) {
            self.requests.pop_front();
            self.asked += 1;
        }
    }

    fn take_bytes(&mut self) {
        let Some(item) = self.take("fetch") else { return };
        let fetch = &self.channels["fetch"];
        let [address, length] = ["address", "length"].map(|name| field(fetch, &item, name));
        let mut bytes = memory(address, length as u32);
        bytes.resize(bytes.len().next_multiple_of(4) + 4, 0);
        self.bytes.extend(beats(&self.channels["s_axis_tx"], &Frame { bytes, user: 0 }).expect("it has bytes"));
    }

    /// Frames that leave for the wire, and those that have come.
    fn take_frames(&mut self) {
        for (name, is_sent) in [("m_axis_tx", true), ("m_axis_rx", false)] {
            let Some(item) = self.take(name) else { continue };
            let is_last = field(&self.channels[name], &item, "tlast") == 1;
            let items = if is_sent { &mut self.sent } else { &mut self.received };
            items.push(item);
            if !is_last {
                continue;
            }
            let items = std::mem::take(items);
            let Frame { bytes, user } = frames(&self.channels[name], &items).expect("it is lawful").remove(0);
            assert_eq!(user, 0, "{name}: a frame with a mark: {bytes:02x?}");
            if is_sent {
                self.frames_sent += 1;
                self.wire.push(bytes.clone());
                if !self.random.chance(self.loss) {
                    self.to_peer.push_back((self.now + DELAY, bytes));
                }
            } else {
                self.unnamed.push_back(bytes);
            }
        }
        // Frames and records come in the same order.
        if let Some(item) = self.take("m_record") {
            let channel = &self.channels["m_record"];
            let [in_sequence, handle] = ["in_sequence", "handle"].map(|name| field(channel, &item, name));
            self.sequenced += in_sequence;
            self.handles.push_back(if in_sequence == 1 { handle } else { u64::MAX });
        }
        while !self.handles.is_empty() && !self.unnamed.is_empty() {
            let (handle, frame) = (self.handles.pop_front(), self.unnamed.pop_front());
            self.by_handle.insert(handle.expect("there is one"), frame.expect("there is one"));
        }
    }

    fn take_rest(&mut self) {
        if let Some(item) = self.take("delivery") {
            let handle = field(&self.channels["delivery"], &item, "handle");
            self.outcomes.push((handle, None));
            self.named.push_back(handle);
        }
        while let Some(frame) = self.named.front().and_then(|handle| self.by_handle.remove(handle)) {
            self.named.pop_front();
            let (packet, _) = Packet::read(&frame, [PEER, NIC]).expect("the peer has sent it");
            self.delivered.push((packet.opcode, packet.payload));
        }
        if let Some(item) = self.take("undelivered") {
            let [handle, cause] = ["handle", "cause"].map(|name| field(&self.channels["undelivered"], &item, name));
            self.outcomes.push((handle, Some(cause)));
        }
        if let Some(item) = self.take("completion") {
            self.completed.push(field(&self.channels["completion"], &item, "handle"));
        }
        if let Some(item) = self.take("failure") {
            let [reason, code] = ["reason", "code"].map(|name| field(&self.channels["failure"], &item, name));
            self.failed.push((reason, code));
        }
    }
}
