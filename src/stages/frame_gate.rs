// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `frame_gate`.

use super::narrow;
use super::spec::{Carries, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, FrameGate, Key};
use crate::failure::Outcome;
use crate::latency::{self, Latency};
use devices::AnyStage;
use golden_vectors::frame::frame_gate;
use golden_vectors::frame::frame_gate::oracle::Shape;
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use rtl_model::netlist::interfaces::Direction;
use testbench::device::random::Random;
use testbench::streams::{Frame, Streams, beats};

pub const FRAME_GATE: StageSpec = StageSpec {
    name: "frame_gate",
    description: "Drops frames whose verdict is drop, with their records",
    place: Some(Place::always(Part::Receive)),
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "side_band", "frame_gate"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: None,
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("", "data_width"),
            Parameter::other("beats", allowed_beats, set_beats),
            Parameter::key("frame_gate", "frames"),
            Parameter::key("frame_gate", "drop").called("mark"),
            Parameter::key("frame_gate", "records"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| frame_gate::load_vectors(shape(config)),
    }),
    latency: probe,
};

pub(super) fn design(config: &Config) -> FrameGateConfig {
    let FrameGate { depth, frames, drop, records } = config.frame_gate;
    let sized = FrameGateConfig::new(narrow(config.data_width), depth, frames);
    FrameGateConfig { drop, records, ram_latency: config.ram_latency(), side_band: config.side_band, ..sized }
}

fn shape(config: &Config) -> Shape {
    let FrameGateConfig { data_width, beats, frames, drop, records, ram_latency, .. } = design(config);
    let mark = drop == DropMode::Mark;
    Shape { data_width: data_width.into(), mark, records, ..Shape::new(beats, frames, ram_latency.into()) }
}

/// From the shallowest memory of the widest bus to the deepest of the narrowest: vectors count beats, the configuration
/// bytes.
fn limits() -> (u64, u64) {
    let of = |section, name| Key::find(section, name).and_then(|key| key.kind.limits()).unwrap_or((0, 0));
    let ((shallow, deep), (least, widest)) = (of("frame_gate", "depth"), of("", "data_width"));
    (8 * shallow / widest.max(1), 8 * deep / least.max(1))
}

fn allowed_beats() -> String {
    let (fewest, most) = limits();
    format!("a power of two from {fewest} to {most}")
}

fn set_beats(config: &mut Config, beats: u64) -> bool {
    let (fewest, most) = limits();
    let allowed = (fewest..=most).contains(&beats) && beats.is_power_of_two();
    if allowed {
        config.frame_gate.depth = beats * (config.data_width / 8);
    }
    allowed
}

/// From a frame of one beat in, with its record, to frame and record out.
fn probe(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let mut streams = Streams::new(dut.ports(), Random::new(1)).source("s_axis", |source| source)?;
    streams = streams.sink("m_axis", |sink| sink)?;
    let mut outputs = vec!["m_axis"];
    if dut.ports().interface("s_record", Direction::In).is_some() {
        streams = streams.source("s_record", |source| source)?.sink("m_record", |sink| sink)?;
        outputs.push("m_record");
        let records = streams.source_mut("s_record")?;
        let record = vec![0; records.channel().limbs()].into_boxed_slice();
        records.send([record]);
    }
    let source = streams.source_mut("s_axis")?;
    let items = beats(source.channel(), &Frame { bytes: vec![0; 8], user: 0 })?;
    source.send(items);
    latency::first_transfers(&mut *dut, streams, "s_axis", &outputs)
}
