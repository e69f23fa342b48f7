// SPDX-License-Identifier: MIT OR Apache-2.0
//! An entropy selector with the ports of the stage that runs the oracle in every cycle and can be given faults.

use golden_vectors::entropy_selector::oracle::{Answer, Control, Event, Kind, Op, Settings, Shape, answer};
use rtl_model::netlist::interfaces::Direction;
use testbench::ports::interface;
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
        let request = interface("request", Direction::In, &["valid"], [("ccc", a)]);
        let feedback = interface("feedback", Direction::In, &["valid"], [("ccc", a), ("ev", 16), ("kind", 2)]);
        let control = [("op", 2), ("ccc", a), ("start", e), ("mode", 3), ("rod", 1), ("space", 4)];
        let control = interface("control", Direction::In, &["valid", "ready"], control);
        let settings = [
            ("rtt", 24),
            ("limit", e + 1),
            ("seed", 16),
            ("explore", 8),
            ("freeze", 20),
            ("idle", 19),
            ("reroute", 19),
        ];
        let settings = interface("settings", Direction::In, &[], settings);
        let grant = [
            ("ccc", a),
            ("open", 1),
            ("ev", 16),
            ("saturated", 1),
            ("port", if shape.ports <= 2 { 1 } else { shape.ports.ilog2() }),
        ];
        let grant = interface("grant", Direction::Out, &["valid"], grant);
        let response = [
            ("op", 2),
            ("ccc", a),
            ("done", 1),
            ("open", 1),
            ("last", e),
            ("marked", e + 1),
            ("mode", 3),
            ("space", 4),
        ];
        let response = interface("response", Direction::Out, &["valid"], response);
        let mut interfaces = vec![request, feedback, control, settings, grant, response];
        let levels = [("busy", 1), ("refused_requests", 32), ("feedback_closed", 32), ("feedback_range", 32)];
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
}

impl Dut for FakeSelector {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        // What is as old as that has been answered.
        let answered = self.shape.operations();
        if self.events.last().is_some_and(|&(at, _)| at + answered >= self.cycle) {
            let first = Settings::new(64, 0);
            self.answer = answer(self.shape, first, &self.events);
            (self.fault)(&mut self.answer);
        }
        let ready = self.ready();
        let mut put = |name: &str, value: u64| {
            if let Some(port) = self.ports.output(name) {
                out[port.offset] = value;
            }
        };
        put("busy", (self.cycle < self.shape.cccs) as u64);
        put("control_ready", ready as u64);
        let grant = self.answer.grants.iter().find(|grant| grant.cycle == self.cycle);
        put("grant_valid", grant.is_some() as u64);
        if let Some(grant) = grant {
            put("grant_ccc", grant.ccc);
            put("grant_open", grant.open as u64);
            put("grant_ev", grant.ev);
            put("grant_saturated", grant.saturated as u64);
            put("grant_port", grant.port);
        }
        let response = self.answer.responses.iter().find(|response| response.cycle == self.cycle);
        put("response_valid", response.is_some() as u64);
        if let Some(response) = response {
            put("response_op", response.op as u64);
            put("response_ccc", response.ccc);
            put("response_done", response.done as u64);
            put("response_open", response.open as u64);
            put("response_last", response.last);
            put("response_marked", response.marked);
            put("response_mode", response.mode);
            put("response_space", response.space);
        }
        put("refused_requests", self.answer.refused_requests);
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
        let settings = Settings {
            rtt: get("settings_rtt"),
            limit: get("settings_limit"),
            seed: get("settings_seed"),
            explore: get("settings_explore"),
            freeze: get("settings_freeze"),
            idle: get("settings_idle"),
            reroute: get("settings_reroute"),
        };
        let mut events = Vec::new();
        let known = self.events.iter().rev().find_map(|(_, event)| match event {
            Event::Settings(settings) => Some(*settings),
            _ => None,
        });
        if known != Some(settings) {
            events.push(Event::Settings(settings));
        }
        if get("control_valid") == 1 && self.ready() {
            self.accepted = Some(self.cycle);
            events.push(Event::Control(Control {
                op: Op::ALL[get("control_op") as usize],
                ccc: get("control_ccc"),
                start: get("control_start"),
                mode: get("control_mode"),
                rod: get("control_rod") == 1,
                space: get("control_space"),
            }));
        }
        if get("feedback_valid") == 1 {
            let kind = Kind::ALL[get("feedback_kind") as usize];
            events.push(Event::Feedback(get("feedback_ccc"), get("feedback_ev"), kind));
        }
        if get("request_valid") == 1 {
            events.push(Event::Request(get("request_ccc")));
        }
        self.events.extend(events.into_iter().map(|event| (self.cycle, event)));
        self.cycle += 1;
    }
}
