// SPDX-License-Identifier: MIT OR Apache-2.0
//! An entropy selector with the ports of the stage that runs the oracle in every cycle and can be given faults.

use golden_vectors::transmit::entropy_selector::oracle::{
    Answer, Command, Ev, Event, Kind, Op, Settings, SettingsPorts, Shape, answer,
};
use rtl_model::netlist::interfaces::Direction;
use testbench::device::ports::interface;
use testbench::{Dut, Ports};

/// Changes the answers before they come out.
pub type Fault = fn(&mut Answer);

pub struct FakeSelector {
    shape: Shape,
    ports: Ports,
    fault: Fault,
    cycle: u64,
    accepted: Option<u64>,
    events: Vec<(u64, Event)>,
    answer: Answer,
}

impl FakeSelector {
    pub fn new(shape: Shape, fault: Fault) -> Self {
        let Shape { cccs, evs, .. } = shape;
        let a = if cccs <= 2 { 1 } else { (cccs - 1).ilog2() + 1 };
        let e = evs.ilog2();
        let free_ports = ("free_ports", shape.ports as u32);
        let request = interface("request", Direction::In, &["valid"], [("ccc", a), free_ports]);
        let feedback = interface("feedback", Direction::In, &["valid"], [("ccc", a), ("ev", 16), ("kind", 3)]);
        let reroute = interface("reroute", Direction::In, &["valid", "ready"], [("ccc", a)]);
        let command = [
            ("op", 3),
            ("ccc", a),
            ("start", e),
            ("fixed", 1),
            ("stride", 4),
            ("mode", 3),
            ("rod", 1),
            ("space", 4),
            ("rtt_class", 3),
        ];
        let command = interface("command", Direction::In, &["valid", "ready"], command);
        let settings = [
            ("rtt", 24),
            ("saturation", 9),
            ("seed", 32),
            ("explore", 16),
            ("freeze", 20),
            ("idle", 8),
            ("reroute", 8),
        ];
        let settings = interface("settings", Direction::In, &["valid"], settings);
        let pipeline = interface("pipeline", Direction::In, &[], [("", 4)]);
        let grant = [
            ("ccc", a),
            ("open", 1),
            ("blocked", 1),
            ("ev", 16),
            ("saturated", 1),
            ("port", if shape.ports <= 2 { 1 } else { shape.ports.ilog2() }),
        ];
        let grant = interface("grant", Direction::Out, &["valid"], grant);
        let response = [
            ("op", 3),
            ("ccc", a),
            ("done", 1),
            ("open", 1),
            ("last", e),
            ("marked", e + 1),
            ("mode", 3),
            ("space", 4),
            ("rtt_class", 3),
        ];
        let response = interface("response", Direction::Out, &["valid"], response);
        let mut interfaces = vec![request, feedback, reroute, command, settings, pipeline, grant, response];
        let levels = [
            ("busy", 1),
            ("refused_requests", 32),
            ("blocked_requests", 32),
            ("feedback_closed", 32),
            ("feedback_range", 32),
        ];
        interfaces.extend(levels.map(|(name, width)| interface(name, Direction::Out, &[], [("", width)])));
        FakeSelector {
            shape,
            ports: Ports::of_interfaces(interfaces),
            fault,
            cycle: 0,
            accepted: None,
            events: Vec::new(),
            answer: Answer::default(),
        }
    }

    fn ready(&self) -> bool {
        self.cycle >= self.shape.cccs && self.accepted.is_none_or(|at| self.cycle >= at + self.shape.operations())
    }

    fn reroute_ready(&self) -> bool {
        let unready = |at: u64| self.cycle == at + self.shape.reroute_unready();
        self.cycle >= self.shape.cccs && !self.accepted.is_some_and(unready)
    }
}

impl Dut for FakeSelector {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        // What is as old as that has been answered.
        let answered = self.shape.operations();
        if self.events.last().is_some_and(|&(at, _)| at + answered >= self.cycle) {
            let first = SettingsPorts { valid: false, pipeline: 0, values: self.shape.settings };
            self.answer = answer(self.shape, first, &self.events);
            (self.fault)(&mut self.answer);
        }
        let (ready, reroute_ready) = (self.ready(), self.reroute_ready());
        let mut put = |name: &str, value: u64| {
            if let Some(port) = self.ports.output(name) {
                out[port.offset] = value;
            }
        };
        put("busy", (self.cycle < self.shape.cccs) as u64);
        put("command_ready", ready as u64);
        put("reroute_ready", reroute_ready as u64);
        let grant = self.answer.grants.iter().find(|grant| grant.cycle == self.cycle);
        put("grant_valid", grant.is_some() as u64);
        if let Some(grant) = grant {
            put("grant_ccc", grant.ccc);
            put("grant_open", grant.open as u64);
            put("grant_blocked", grant.blocked as u64);
            put("grant_ev", grant.ev);
            put("grant_saturated", grant.saturated as u64);
            put("grant_port", grant.port);
        }
        let response = self.answer.responses.iter().find(|response| response.cycle == self.cycle);
        put("response_valid", response.is_some() as u64);
        if let Some(response) = response {
            put("response_op", response.op.code());
            put("response_ccc", response.ccc);
            put("response_done", response.done as u64);
            put("response_open", response.open as u64);
            put("response_last", response.last);
            put("response_marked", response.marked);
            put("response_mode", response.mode);
            put("response_space", response.space);
            put("response_rtt_class", response.class);
        }
        put("refused_requests", self.answer.refused_requests);
        put("blocked_requests", self.answer.blocked_requests);
        put("feedback_closed", self.answer.feedback_closed);
        put("feedback_range", self.answer.feedback_range);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        if reset {
            (self.cycle, self.accepted) = (0, None);
            self.events.clear();
            self.answer = Answer::default();
            return;
        }
        let get = |name: &str| self.ports.input(name).map_or(0, |port| input[port.offset]);
        let values = Settings {
            rtt: get("settings_rtt"),
            saturation: get("settings_saturation"),
            seed: get("settings_seed"),
            explore: get("settings_explore"),
            freeze: get("settings_freeze"),
            idle: get("settings_idle"),
            reroute: get("settings_reroute"),
        };
        let settings = SettingsPorts { valid: get("settings_valid") == 1, pipeline: get("pipeline"), values };
        let mut events = Vec::new();
        let known = self.events.iter().rev().find_map(|(_, event)| match event {
            Event::Settings(settings) => Some(*settings),
            _ => None,
        });
        if known != Some(settings) {
            events.push(Event::Settings(settings));
        }
        if get("command_valid") == 1 && self.ready() {
            self.accepted = Some(self.cycle);
            events.push(Event::Command(Command {
                op: Op::of(get("command_op")),
                ccc: get("command_ccc"),
                start: get("command_start"),
                fixed: get("command_fixed") == 1,
                stride: get("command_stride"),
                mode: get("command_mode"),
                rod: get("command_rod") == 1,
                space: get("command_space"),
                class: get("command_rtt_class"),
            }));
        }
        if get("feedback_valid") == 1 {
            let kind = Kind::of(get("feedback_kind"));
            events.push(Event::Feedback(get("feedback_ccc"), Ev::Wire(get("feedback_ev")), kind));
        }
        if get("reroute_valid") == 1 && self.reroute_ready() {
            events.push(Event::Reroute(get("reroute_ccc")));
        }
        if get("request_valid") == 1 {
            events.push(Event::Request(get("request_ccc"), get("request_free_ports")));
        }
        self.events.extend(events.into_iter().map(|event| (self.cycle, event)));
        self.cycle += 1;
    }
}
