// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives a transmit path: requests, commands, bytes and records go in; fetches, frames and completions come out.

use testbench::device::drive::Drive;
use testbench::device::random::Random;
use testbench::streams::{Channel, Frame, Item, Streams, beats, frames};
use testbench::{Dut, Ports};

/// Levels that are held at 0, those of them that the transport has: settings stay as they are after reset.
const HELD: [&str; 6] = [
    "packet_tracker_settings_valid",
    "ccc_table_settings_valid",
    "entropy_selector_settings_valid",
    "path_scheduler_settings_valid",
    "probe_settings_valid",
    "pipeline",
];
const SOURCES: [&str; 4] = ["request", "command", "s_axis", "s_record"];
/// With RCCC.
const CREDIT: &str = "credit";
/// With RoCEv2.
const PATH_COMMAND: &str = "path_scheduler_command";
const PATH_EVENT: &str = "path_scheduler_event";
const SINKS: [&str; 4] = ["fetch", "m_axis", "completion", "failure"];
/// Clock cycles within which something happens.
const PATIENCE: u64 = 1 << 20;

/// Fields by their names.
pub type Fields<'a> = &'a [(&'a str, u64)];

/// An item of a channel; fields that are not named are 0.
fn item(channel: &Channel, fields: Fields) -> Item {
    let mut item = vec![0; channel.limbs()].into_boxed_slice();
    for (name, value) in fields {
        item[channel.field(name).expect("the stream has it").1.start] = *value;
    }
    item
}

/// A transfer on `fetch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    pub pdc: u64,
    pub handle: u64,
    pub address: u64,
    pub offset: u64,
    pub length: u64,
    pub first: bool,
    pub last: bool,
    pub psn: u64,
    pub retransmission: bool,
}

/// What came out in a clock cycle.
#[derive(Debug)]
pub enum Event {
    Accepted {
        pdc: u64,
        handle: u64,
        done: bool,
    },
    Fetch(Fetch),
    Frame(Frame),
    Completion {
        pdc: u64,
        handle: u64,
    },
    /// Of this PDC.
    Failure(u64),
    Response(Response),
    /// RoCEv2.
    PathResponse(PathResponse),
    PathEvent(PathEvent),
}

/// The response to a command.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    pub op: u64,
    pub pdc: u64,
    pub done: bool,
    pub open: bool,
    pub state: u64,
    /// 0 without a congestion window.
    pub cwnd: u64,
    pub inflight: u64,
    pub failed: bool,
    pub base: u64,
    pub next: u64,
    pub in_flight: u64,
    pub marked: u64,
    pub messages: u64,
}

/// The response to a command of `path_scheduler`.
#[derive(Clone, Copy, Debug)]
pub struct PathResponse {
    pub op: u64,
    pub qp: u64,
    pub path: u64,
    pub done: bool,
    pub open: bool,
    pub granularity: u64,
    pub state: u64,
    pub weight: u64,
    pub limit: u64,
    pub avoided: bool,
    pub in_flight: u64,
}

/// An event of `path_scheduler`.
#[derive(Clone, Copy, Debug)]
pub struct PathEvent {
    pub qp: u64,
    pub path: u64,
    pub more: bool,
    pub failed: bool,
    pub all_failed: bool,
    pub congested: bool,
    pub saturated: bool,
}

/// A transmit path under traffic.
pub struct Bench<'a> {
    dut: &'a mut dyn Dut,
    ports: Ports,
    streams: Streams,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    held: Vec<usize>,
    /// Settings of a stage that come again and again: the clock cycles from one time to the next, places, values.
    settings: Option<(u64, Vec<(usize, u64)>)>,
    /// Beats of a frame that has not ended.
    beats: Vec<Item>,
    /// There is `path_scheduler`.
    has_paths: bool,
    /// The next clock cycle has a fence for ACKs.
    fences: bool,
}

impl<'a> Bench<'a> {
    /// Resets the device and waits until its tables are swept. `pause` gives the probability of a pause for each stream.
    pub fn new(dut: &'a mut dyn Dut, seed: u64, pause: impl Fn(&str) -> f64) -> Self {
        let ports = dut.ports().clone();
        let mut streams = Streams::new(&ports, Random::new(seed));
        let (has_credit, has_paths) =
            (ports.input("credit_valid").is_some(), ports.input("path_scheduler_command_valid").is_some());
        let more = has_credit.then_some(CREDIT).into_iter().chain(has_paths.then_some(PATH_COMMAND));
        for name in SOURCES.into_iter().chain(more) {
            streams = streams.source(name, |source| source.pause(pause(name))).expect("it is there");
        }
        for name in SINKS.into_iter().chain(has_paths.then_some(PATH_EVENT)) {
            streams = streams.sink(name, |sink| sink.pause(pause(name))).expect("it is there");
        }
        let held = HELD.iter().filter_map(|name| ports.input(name)).map(|port| port.offset).collect();
        let (outputs, inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        dut.clock(true, &inputs);
        let mut bench = Bench {
            dut,
            ports,
            streams,
            outputs,
            inputs,
            held,
            settings: None,
            beats: Vec::new(),
            has_paths,
            fences: false,
        };
        for _ in 0..PATIENCE {
            bench.clock();
            if bench.output("busy") == 0 {
                return bench;
            }
        }
        panic!("the tables are never swept");
    }

    /// An output, as it was in the last clock cycle.
    pub fn output(&self, name: &str) -> u64 {
        self.outputs[self.ports.output(name).unwrap_or_else(|| panic!("no output {name}")).offset]
    }

    /// There is such an output.
    pub fn has(&self, name: &str) -> bool {
        self.ports.output(name).is_some()
    }

    fn clock(&mut self) {
        self.dut.outputs(&mut self.outputs);
        self.streams.drive(&self.outputs, &mut self.inputs);
        for at in &self.held {
            self.inputs[*at] = 0;
        }
        if let Some((period, fields)) = &self.settings
            && self.streams.cycle().is_multiple_of(*period)
        {
            for (at, value) in fields {
                self.inputs[*at] = *value;
            }
        }
        let fence = self.ports.input("ack_fence").expect("it is there").offset;
        self.inputs[fence] = std::mem::take(&mut self.fences).into();
        self.dut.clock(false, &self.inputs);
        self.streams.finish().expect("the rules of streams are kept");
    }

    /// Gives these settings to a stage again and again, which pauses `ccc_table`.
    pub fn settings(&mut self, stage: &str, period: u64, fields: Fields) {
        let place = |name: &str| self.ports.input(&format!("{stage}_settings_{name}")).expect("it is there").offset;
        let mut places = vec![(place("valid"), 1)];
        places.extend(fields.iter().map(|(name, value)| (place(name), *value)));
        self.settings = Some((period, places));
    }

    /// All records that were offered have been taken.
    pub fn records_are_taken(&mut self) -> bool {
        self.streams.source_mut("s_record").expect("it is there").is_done()
    }

    /// Puts a fence behind the records that have been taken.
    pub fn ack_fence(&mut self) {
        self.fences = true;
    }

    /// A stream that comes out is not taken from now on, or is.
    pub fn stalls(&mut self, stream: &str, stalls: bool) {
        self.streams.sink_mut(stream).expect("it is there").set_pause(if stalls { 1.0 } else { 0.0 });
    }

    /// Number of clock cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.streams.cycle()
    }

    /// One clock cycle, and what came out in it.
    pub fn step(&mut self) -> Vec<Event> {
        self.clock();
        let mut events = Vec::new();
        let of = |name: &str| self.output(name);
        if of("accepted_valid") == 1 {
            let (pdc, handle, done) = (of("accepted_pdc"), of("accepted_handle"), of("accepted_done") == 1);
            events.push(Event::Accepted { pdc, handle, done });
        }
        if of("response_valid") == 1 {
            events.push(Event::Response(Response {
                op: of("response_op"),
                pdc: of("response_pdc"),
                done: of("response_done") == 1,
                open: of("response_open") == 1,
                state: of("response_state"),
                cwnd: if self.has("response_cwnd") { of("response_cwnd") } else { 0 },
                inflight: of("response_inflight"),
                failed: of("response_failed") == 1,
                base: of("response_base"),
                next: of("response_next"),
                in_flight: of("response_in_flight"),
                marked: of("response_marked"),
                messages: of("response_messages"),
            }));
        }
        if self.has_paths && of("path_scheduler_response_valid") == 1 {
            let of = |name: &str| of(&format!("path_scheduler_response_{name}"));
            events.push(Event::PathResponse(PathResponse {
                op: of("op"),
                qp: of("qp"),
                path: of("path"),
                done: of("done") == 1,
                open: of("open") == 1,
                granularity: of("granularity"),
                state: of("state"),
                weight: of("weight"),
                limit: of("limit"),
                avoided: of("avoided") == 1,
                in_flight: of("in_flight"),
            }));
        }
        for name in ["completion", "fetch", "failure"].into_iter().chain(self.has_paths.then_some(PATH_EVENT)) {
            let sink = self.streams.sink_mut(name).expect("it is there");
            let items = sink.take();
            let channel = sink.channel();
            for item in items {
                let of = |field: &str| item[channel.field(field).expect("it is there").1.start];
                events.push(match name {
                    "completion" => Event::Completion { pdc: of("pdc"), handle: of("handle") },
                    "failure" => Event::Failure(of("pdc")),
                    PATH_EVENT => Event::PathEvent(PathEvent {
                        qp: of("qp"),
                        path: of("path"),
                        more: of("more") == 1,
                        failed: of("failed") == 1,
                        all_failed: of("all_failed") == 1,
                        congested: of("congested") == 1,
                        saturated: of("saturated") == 1,
                    }),
                    _ => Event::Fetch(Fetch {
                        pdc: of("pdc"),
                        handle: of("handle"),
                        address: of("address"),
                        offset: of("offset"),
                        length: of("length"),
                        first: of("first") == 1,
                        last: of("last") == 1,
                        psn: of("psn"),
                        retransmission: of("retransmission") == 1,
                    }),
                });
            }
        }
        let sink = self.streams.sink_mut("m_axis").expect("it is there");
        let last = sink.channel().field("tlast").expect("it is there").1.start;
        for beat in sink.take() {
            let ends = beat[last] == 1;
            self.beats.push(beat);
            if ends {
                let whole = frames(sink.channel(), &std::mem::take(&mut self.beats)).expect("it is a frame");
                events.extend(whole.into_iter().map(Event::Frame));
            }
        }
        events
    }

    fn send(&mut self, stream: &str, fields: Fields) {
        let source = self.streams.source_mut(stream).expect("it is there");
        let item = item(source.channel(), fields);
        source.send([item]);
    }

    /// Offers a request.
    pub fn request(&mut self, fields: Fields) {
        self.send("request", fields);
    }

    /// Offers a command.
    pub fn command(&mut self, fields: Fields) {
        self.send("command", fields);
    }

    /// Offers a command of `path_scheduler`.
    pub fn path_command(&mut self, fields: Fields) {
        self.send(PATH_COMMAND, fields);
    }

    /// Offers credit for the peer of a PDC.
    pub fn credit(&mut self, pdc: u64, credit: u64) {
        self.send(CREDIT, &[("pdc", pdc), ("number", credit)]);
    }

    /// All credit has been taken.
    pub fn has_no_credit(&mut self) -> bool {
        self.streams.source_mut(CREDIT).is_ok_and(|source| source.is_done())
    }

    /// Offers the record of a frame.
    pub fn record(&mut self, fields: Fields) {
        self.send("s_record", fields);
    }

    /// Brings the bytes of a packet, which may be bad.
    pub fn bytes(&mut self, bytes: Vec<u8>, is_bad: bool) {
        let source = self.streams.source_mut("s_axis").expect("it is there");
        let frame = Frame { bytes, user: is_bad.into() };
        let items = beats(source.channel(), &frame).expect("it has bytes");
        source.send(items);
    }
}
