// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model against the oracle: every output is compared in every cycle, under random traffic.

use super::judge::Traffic;
use super::{sizes, soak};
use golden_vectors::frame::frame_gate::oracle::{Beat, Gate, Inputs, Outputs, Shape};
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use testbench::Ports;
use testbench::device::drive::Drive;
use testbench::device::model::model_of;
use testbench::streams::{Channel, Item};
use tier::pick;

fn shape(config: &FrameGateConfig) -> Shape {
    Shape {
        data_width: config.data_width.into(),
        beats: config.beats,
        frames: config.frames,
        mark: config.drop == DropMode::Mark,
        records: config.records,
        ram_latency: config.ram_latency.into(),
    }
}

/// The streams of a gate.
struct Streams {
    ports: Ports,
    frames_in: Channel,
    records_in: Option<Channel>,
    frames_out: Channel,
    records_out: Option<Channel>,
}

impl Streams {
    fn of(ports: &Ports) -> Self {
        let input = |prefix| Channel::input(ports, prefix).expect("it is there");
        let output = |prefix| Channel::output(ports, prefix).expect("it is there");
        Streams {
            ports: ports.clone(),
            frames_in: input("s_axis"),
            records_in: Channel::input(ports, "s_record").ok(),
            frames_out: output("m_axis"),
            records_out: Channel::output(ports, "m_record").ok(),
        }
    }

    fn input(&self, row: &[u64]) -> Inputs<Item, Item> {
        let value = |name: &str| row[self.ports.input(name).expect("it is there").offset];
        let beat = Beat {
            payload: self.frames_in.get(row),
            last: value("s_axis_tlast") == 1,
            drop: value("s_axis_tuser") & 1 == 1,
        };
        Inputs {
            beat: self.frames_in.valid(row).then_some(beat),
            record: self.records_in.as_ref().filter(|records| records.valid(row)).map(|records| records.get(row)),
            frame_taken: self.frames_out.ready(row),
            record_taken: self.records_out.as_ref().is_some_and(|records| records.ready(row)),
        }
    }

    /// The differences.
    fn differs(&self, row: &[u64], expected: &Outputs<Item, Item>) -> Option<String> {
        let value = |name: &str| self.ports.output(name).map_or(0, |port| row[port.offset]);
        let counts = expected.counts;
        let numbers = [
            ("s_axis_tready", 1),
            ("s_record_tready", expected.record_ready.into()),
            ("count_passed", counts.passed),
            ("count_dropped", counts.dropped),
            ("count_overflowed", counts.overflowed),
            ("high_water", expected.high_water),
        ];
        let wrong = numbers.into_iter().find(|(name, expected)| value(name) != *expected);
        let stream = |channel: &Channel, expected: &Option<Item>| {
            let got = channel.valid(row).then(|| channel.get(row));
            (got != *expected).then(|| format!("{}: {got:x?}, expected {expected:x?}", channel.name()))
        };
        wrong
            .map(|(name, expected)| format!("{name}: {}, expected {expected}", value(name)))
            .or_else(|| stream(&self.frames_out, &expected.beat))
            .or_else(|| self.records_out.as_ref().and_then(|records| stream(records, &expected.record)))
    }
}

#[test]
fn the_model_does_what_the_oracle_says_in_every_cycle() {
    for config in pick(sizes(), 1) {
        let mut seen = [0; 3];
        for seed in 10..14 {
            let mut model = model_of(&config).expect("it elaborates");
            let streams = Streams::of(model.ports());
            let mut traffic = Traffic::new(model.ports(), seed);
            let mut gate = Gate::new(shape(&config));
            let mut outputs = vec![0; model.ports().output_limbs()];
            let mut input = vec![0; model.ports().input_limbs()];
            for cycle in 0..soak::cycles(20_000) {
                model.outputs(&mut outputs);
                let expected = gate.outputs();
                if let Some(what) = streams.differs(&outputs, &expected) {
                    panic!("{config:?}, seed {seed}, cycle {cycle}: {what}");
                }
                let reset = traffic.drive(&outputs, &mut input);
                gate.clock(streams.input(&input));
                model.clock(reset, &input);
                if reset {
                    gate = Gate::new(shape(&config));
                    let counts = expected.counts;
                    let counts = [counts.passed, counts.dropped, counts.overflowed];
                    seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += count);
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{config:?}: {seen:?} passed, dropped, overflowed");
    }
}
