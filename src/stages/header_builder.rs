// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `header_builder`. It runs its own vectors, and those of the header parser in the reverse direction.

use super::spec::{Carries, FrameJudge, Judge, Part, Place, StageSpec};
use super::{StageName, header_parser, narrow, presence};
use crate::config::{Config, table};
use crate::failure::{Failure, Outcome};
use crate::latency::{self, Latency};
use devices::AnyStage;
use golden_vectors::VectorFile;
use golden_vectors::frame::header_builder;
use golden_vectors::headers::codec::{self, Options};
use pipeline::frame::header_builder::HeaderBuilderConfig;
use testbench::benches::builder_bench::{Building, builder_streams};
use testbench::conform::builder;
use testbench::conform::selfcheck::builder_testbench;

pub const HEADER_BUILDER: StageSpec = StageSpec {
    name: "header_builder",
    description: "Makes frames from header records and payloads",
    place: Some(Place {
        // A NIC has it in `rx` and `tx`, and ELAB alone in `elab_host`.
        beside: Some(|config| !presence::has_elab_alone(config) && !presence::is_nic(config)),
        ..Place::always(Part::Send)
    }),
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "protocols", "side_band", "header_builder"],
    only: &[],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| design(config).into(),
    judge: Judge::Frames(FrameJudge {
        made: vectors,
        backwards: Some(StageName::HeaderParser),
        takes: |case| builder::building(case).is_some(),
        run: |dut, cases, traffic, config| {
            builder::run(dut, cases.iter().copied(), traffic, config.header_builder.udp_checksum)
        },
        testbench: |circuit, header, cases, config| {
            builder_testbench(circuit, header, cases.iter().copied(), config.header_builder.udp_checksum)
        },
    }),
    latency: probe,
};

pub(super) fn design(config: &Config) -> HeaderBuilderConfig {
    HeaderBuilderConfig {
        data_width: narrow(config.data_width),
        udp_checksum: config.header_builder.udp_checksum,
        protocols: config.protocols,
        appends_crc: false,
        side_band: config.side_band,
    }
}

fn vectors(config: &Config) -> Outcome<Vec<VectorFile>> {
    let own = header_builder::vectors_for(&table::of_builder(config)).map_err(Failure::defect)?;
    Ok(vec![header_parser::vectors(config)?, own])
}

/// The latency from a record to the first beat of its frame, which has no payload.
fn probe(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let record = codec::read(&latency::rocev2_frame(), &Options::default()).record;
    let building = Building::of(&record, 0, vec![0; 4]);
    let streams = builder_streams(dut.ports(), vec![building], 0.0, 0.0, 1)?;
    latency::first_transfers(&mut *dut, streams, "s_record", &["m_axis"])
}
