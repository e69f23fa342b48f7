// SPDX-License-Identifier: MIT OR Apache-2.0
//! A header parser that is no pipeline: it waits for the whole frame and asks the oracle. It shows that the bench of
//! the real one finds faults.

use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::headers::codec::{Options, Reading};
use golden_vectors::{Reason, Verdict};
use pipeline::frame::header_parser::HeaderParserConfig;
use rtl_model::netlist::interfaces::Direction;
use std::collections::VecDeque;
use testbench::device::ports::interface;
use testbench::streams::record::expected_ports;
use testbench::streams::{Channel, Frame, Item, beats, frames};
use testbench::{Dut, Ports};

pub struct Fake {
    ports: Ports,
    input: Channel,
    output: Channel,
    record: Channel,
    partial: Vec<Item>,
    beats: VecDeque<Item>,
    records: VecDeque<Item>,
    /// Changes the result of the oracle.
    pub fault: fn(usize, &mut Reading),
    count: usize,
}

impl Fake {
    /// Makes a device with a data path of `width` bits.
    pub fn new(width: u32) -> Self {
        let axis = |name: &str, direction, user: u32| {
            let fields = [("tdata", width), ("tkeep", width / 8), ("tlast", 1), ("tuser", user)];
            interface(name, direction, &["tvalid", "tready"], fields)
        };
        // The record has the ports of the real one.
        let real = rtl_model::elaborate(&HeaderParserConfig::new(64)).expect("it elaborates");
        let record = real.top().interfaces().into_iter().find(|one| one.name == "m_record").expect("it has records");
        let ports =
            Ports::of_interfaces(vec![axis("s_axis", Direction::In, 1), axis("m_axis", Direction::Out, 5), record]);
        Fake {
            input: Channel::input(&ports, "s_axis").expect("declared"),
            output: Channel::output(&ports, "m_axis").expect("declared"),
            record: Channel::output(&ports, "m_record").expect("declared"),
            ports,
            partial: Vec::new(),
            beats: VecDeque::new(),
            records: VecDeque::new(),
            fault: |_, _| {},
            count: 0,
        }
    }

    fn judge(&mut self) {
        let Some(frame) = frames(&self.input, &self.partial).expect("legal beats").pop() else { return };
        self.partial.clear();
        let mut parsed = parse(&frame.bytes, frame.user & 1 == 1, &Options::default());
        (self.fault)(self.count, &mut parsed);
        self.count += 1;
        let drop = (parsed.verdict == Verdict::Drop) as u64;
        let user = drop | (parsed.reason as Reason as u64) << 1;
        self.beats.extend(beats(&self.output, &Frame { bytes: frame.bytes, user }).expect("declared"));
        let ports = expected_ports(&parsed.fields());
        let mut item = Vec::new();
        for (name, width) in self.record.fields() {
            let value = ports.get(name).map_or(0, |field| field.value);
            item.extend((0..width.div_ceil(64)).map(|limb| (value >> (64 * limb)) as u64));
        }
        self.records.push_back(item.into());
    }
}

impl Dut for Fake {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        out.fill(0);
        self.input.set_ready(out, self.beats.len() < 400 && self.records.len() < 20);
        self.output.set_valid(out, !self.beats.is_empty());
        self.record.set_valid(out, !self.records.is_empty());
        if let Some(item) = self.beats.front() {
            self.output.set(out, item);
        }
        if let Some(item) = self.records.front() {
            self.record.set(out, item);
        }
    }

    fn clock(&mut self, _: bool, input: &[u64]) {
        let room = self.beats.len() < 400 && self.records.len() < 20;
        if self.output.ready(input) {
            self.beats.pop_front();
        }
        if self.record.ready(input) {
            self.records.pop_front();
        }
        if room && self.input.valid(input) {
            self.partial.push(self.input.get(input));
            self.judge();
        }
    }
}
