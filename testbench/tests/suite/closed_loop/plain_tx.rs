// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transmit path in plain Rust, with a fixed window and without retransmissions, for tests of the loop itself. It can do
//! things wrong.

use golden_vectors::frame::encode::{Frame, Network};
use golden_vectors::wire::Udp;
use std::collections::{BTreeMap, VecDeque};
use testbench::ports::interface;
use testbench::stream::{self, Channel, Item};
use testbench::{Dut, Ports};

use rtl_model::netlist::interfaces::Direction;

/// Packets of a PDC under way.
const WINDOW: usize = 24;
const SEGMENT: u64 = 4096;

/// What it does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// A byte of a packet is another one.
    Byte,
    /// Messages are complete when they have been sent.
    Early,
    /// The second packet is sent a second time, with the PSN of the third.
    Twice,
    /// `fetch` asks for the same bytes again.
    Fetch,
}

#[derive(Clone, Debug, Default)]
struct Pdc {
    open: BTreeMap<String, u64>,
    next: u64,
    base: u64,
    /// Messages by handle: address, length, and the PSN behind the last packet once it was sent.
    messages: VecDeque<(u64, u64, u64, Option<u64>)>,
    /// Bytes of the message that is being sent, and packets.
    sent: u64,
    packets: u64,
}

/// A packet: PDC, PSN, and the last one of its message.
type Packet = (u64, u64, bool);

pub struct PlainTx {
    ports: Ports,
    fault: Fault,
    channels: BTreeMap<&'static str, Channel>,
    pdcs: BTreeMap<u64, Pdc>,
    response: bool,
    accepted: Option<[u64; 2]>,
    fetches: VecDeque<(Vec<(&'static str, u64)>, Packet)>,
    unfilled: VecDeque<Packet>,
    beats_in: Vec<Item>,
    beats_out: VecDeque<Item>,
    completions: VecDeque<[u64; 2]>,
    frames: u64,
}

const OUT: [&str; 3] = ["fetch", "m_axis", "completion"];
const IN: [&str; 4] = ["command", "request", "s_axis", "s_record"];

impl PlainTx {
    pub fn new(fault: Fault) -> Self {
        let axis = [("tdata", 512), ("tkeep", 64), ("tlast", 1), ("tuser", 5)];
        let message = [("pdc", 3), ("handle", 16)];
        let request = [("pdc", 3), ("handle", 16), ("address", 64), ("length", 24)];
        let command = ["op", "pdc", "psn", "ipv6", "weight", "destination_mac", "source_mac", "destination_ip_0"];
        let command = command.into_iter().chain(["source_ip_0", "local_pdcid", "remote_pdcid"]).map(|name| (name, 48));
        let fetch = request.into_iter().chain([("offset", 24), ("first", 1), ("last", 1), ("psn", 32)]);
        let record = [("header_0", 32), ("header_1", 32), ("found", 1), ("connection", 3)];
        let (input, output) = (Direction::In, Direction::Out);
        let (valid, ready, t) = (&["valid"][..], &["valid", "ready"][..], &["tvalid", "tready"][..]);
        let ports = Ports::of_interfaces(vec![
            interface("command", input, ready, command),
            interface("request", input, ready, request),
            interface("s_axis", input, t, axis),
            interface("s_record", input, t, record),
            interface("fetch", output, ready, fetch.chain([("retransmission", 1)])),
            interface("m_axis", output, t, axis),
            interface("completion", output, ready, message),
            interface("accepted", output, valid, message.into_iter().chain([("done", 1)])),
            interface("response", output, valid, [("done", 1)]),
            interface("busy", output, &[], [("", 1)]),
        ]);
        let outputs = OUT.map(|name| (name, Channel::output(&ports, name).expect("it is there")));
        let inputs = IN.map(|name| (name, Channel::input(&ports, name).expect("it is there")));
        PlainTx {
            channels: outputs.into_iter().chain(inputs).collect(),
            ports,
            fault,
            pdcs: BTreeMap::new(),
            response: false,
            accepted: None,
            fetches: VecDeque::new(),
            unfilled: VecDeque::new(),
            beats_in: Vec::new(),
            beats_out: VecDeque::new(),
            completions: VecDeque::new(),
            frames: 0,
        }
    }

    /// The fields of a transfer into it.
    fn taken(&self, name: &str, input: &[u64]) -> Option<BTreeMap<String, u64>> {
        let channel = &self.channels[name];
        let item = channel.valid(input).then(|| channel.get(input))?;
        let field = |(field, _): (&str, u32)| (field.to_owned(), item[channel.field(field).expect("its own").1.start]);
        Some(channel.fields().map(field).collect())
    }

    fn item(&self, name: &str, fields: &[(&str, u64)]) -> Item {
        let channel = &self.channels[name];
        let mut item = vec![0; channel.limbs()];
        for (field, value) in fields {
            item[channel.field(field).expect("it is there").1.start] = *value;
        }
        item.into()
    }

    /// The item that it offers on an output.
    fn offered(&self, name: &str) -> Option<Item> {
        match name {
            "fetch" => self.fetches.front().map(|(fields, _)| self.item(name, fields)),
            "m_axis" => self.beats_out.front().cloned(),
            _ => self.completions.front().map(|[pdc, handle]| self.item(name, &[("pdc", *pdc), ("handle", *handle)])),
        }
    }

    /// Asks for the next packet of a PDC that has one.
    fn next_packet(&mut self) {
        let able = |pdc: &&mut Pdc| {
            let unsent = pdc.messages.iter().any(|message| message.3.is_none());
            unsent && pdc.next.wrapping_sub(pdc.base) < WINDOW as u64
        };
        let Some((number, pdc)) = self.pdcs.iter_mut().map(|(number, pdc)| (*number, pdc)).find(|(_, pdc)| able(pdc))
        else {
            return;
        };
        let message = pdc.messages.iter_mut().find(|message| message.3.is_none()).expect("it has one");
        let (handle, address, total) = (message.0, message.1, message.2);
        let (offset, length) = (pdc.sent, (total - pdc.sent).min(SEGMENT));
        let last = offset + length == total;
        let twice = self.fault == Fault::Fetch && pdc.packets == 3;
        let fields = vec![
            ("pdc", number),
            ("handle", handle),
            ("address", address + offset),
            ("offset", if twice { offset - SEGMENT } else { offset }),
            ("length", length),
            ("first", (offset == 0) as u64),
            ("last", last as u64),
            ("psn", pdc.next),
            ("retransmission", 0),
        ];
        self.fetches.push_back((fields, (number, pdc.next, last)));
        pdc.next += 1;
        pdc.packets += 1;
        pdc.sent = if last { 0 } else { offset + length };
        if last {
            message.3 = Some(pdc.next);
            if self.fault == Fault::Early {
                self.completions.push_back([number, handle]);
            }
        }
    }

    /// The frame of a packet whose bytes are there.
    fn build(&mut self, (number, psn, last): Packet, mut bytes: Vec<u8>) {
        let open = &self.pdcs[&number].open;
        self.frames += 1;
        if self.fault == Fault::Byte && self.frames == 5 {
            bytes[1000] ^= 1;
        }
        let prologue: u16 = 2 << 11 | 3 << 7 | (last as u16) << 3;
        let psn = if self.fault == Fault::Twice && psn & 0xFF == 3 { psn - 1 } else { psn };
        let mut payload = prologue.to_be_bytes().to_vec();
        payload.extend([0xFF, 0x00]);
        payload.extend((psn as u32).to_be_bytes());
        payload.extend((open["local_pdcid"] as u16).to_be_bytes());
        payload.extend((open["remote_pdcid"] as u16).to_be_bytes());
        payload.extend(bytes);
        let frame = Frame::v4().with(|frame| {
            frame.rocev2 = None;
            frame.addresses.set_destination(open["destination_mac"]);
            frame.addresses.set_source(open["source_mac"]);
            frame.udp = Some(Udp::new().with_source(49_152 + psn as u16 % 64).with_destination(4793));
            frame.payload = payload;
            if let Network::V4(header, _) = &mut frame.network {
                header.set_dscp(8);
                header.set_ecn(2);
                header.set_source(open["source_ip_0"] as u32);
                header.set_destination(open["destination_ip_0"] as u32);
            }
        });
        let frame = stream::Frame { bytes: frame.bytes(), user: 0 };
        self.beats_out.extend(stream::beats(&self.channels["m_axis"], &frame).expect("a whole stream"));
    }

    fn acknowledge(&mut self, record: &BTreeMap<String, u64>) {
        let kind = record["header_0"] >> 27;
        if record["found"] == 0 || !(7..=9).contains(&kind) {
            return;
        }
        let number = record["connection"];
        let Some(pdc) = self.pdcs.get_mut(&number) else { return };
        pdc.base = pdc.base.max(record["header_1"] + 1);
        while let Some(&(handle, _, _, Some(end))) = pdc.messages.front()
            && end <= pdc.base
        {
            pdc.messages.pop_front();
            if self.fault != Fault::Early {
                self.completions.push_back([number, handle]);
            }
        }
    }
}

impl Dut for PlainTx {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        out.fill(0);
        let mut put = |name: &str, value: u64| out[self.ports.output(name).expect("it is there").offset] = value;
        put("response_valid", self.response as u64);
        put("response_done", 1);
        if let Some([pdc, handle]) = self.accepted {
            let fields = [("valid", 1), ("pdc", pdc), ("handle", handle), ("done", 1)];
            fields.into_iter().for_each(|(name, value)| put(&format!("accepted_{name}"), value));
        }
        for name in ["command", "request", "s_record"] {
            self.channels[name].set_ready(out, true);
        }
        self.channels["s_axis"].set_ready(out, self.beats_out.len() < 200);
        for name in OUT {
            if let Some(item) = self.offered(name) {
                self.channels[name].set_valid(out, true);
                self.channels[name].set(out, &item);
            }
        }
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        if reset {
            *self = PlainTx::new(self.fault);
            return;
        }
        let [fetched, sent, completed] = OUT.map(|name| self.channels[name].ready(input));
        if fetched && let Some((_, packet)) = self.fetches.pop_front() {
            self.unfilled.push_back(packet);
        }
        if completed {
            self.completions.pop_front();
        }
        let room = self.beats_out.len() < 200;
        if sent {
            self.beats_out.pop_front();
        }
        if self.fetches.is_empty() {
            self.next_packet();
        }
        let bytes = &self.channels["s_axis"];
        if room && bytes.valid(input) {
            self.beats_in.push(bytes.get(input));
            let frames = stream::frames(bytes, &self.beats_in).expect("the host keeps the rules");
            if let Some(frame) = frames.into_iter().next() {
                let packet = self.unfilled.pop_front().expect("it was asked for");
                self.beats_in.clear();
                self.build(packet, frame.bytes);
            }
        }
        let command = self.taken("command", input);
        self.response = command.is_some();
        if let Some(open) = command {
            let psn = open["psn"];
            self.pdcs.insert(open["pdc"], Pdc { open, next: psn, base: psn, ..Pdc::default() });
        }
        let request = self.taken("request", input);
        self.accepted = request.as_ref().map(|request| [request["pdc"], request["handle"]]);
        if let Some(request) = request {
            let pdc = self.pdcs.get_mut(&request["pdc"]).expect("it is open");
            pdc.messages.push_back((request["handle"], request["address"], request["length"], None));
        }
        if let Some(record) = self.taken("s_record", input) {
            self.acknowledge(&record);
        }
    }
}
