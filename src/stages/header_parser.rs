// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `header_parser`.

use super::narrow;
use super::spec::{Carries, FrameJudge, Judge, Part, Place, StageSpec};
use crate::config::{Config, table};
use crate::failure::{Failure, Outcome};
use crate::latency;
use golden_vectors::VectorFile;
use golden_vectors::frame::header_parser;
use pipeline::frame::header_parser::HeaderParserConfig;

pub const HEADER_PARSER: StageSpec = StageSpec {
    name: "header_parser",
    description: "Reads the headers of every frame and says what it is",
    place: Some(Place::always(Part::Receive)),
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "protocols", "side_band"],
    only: &[],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| design(config).into(),
    judge: Judge::Frames(FrameJudge::of_verdicts(|config| Ok(vec![vectors(config)?]))),
    latency: |stage| latency::of_frame(stage, "s_axis", &["m_axis", "m_record"]),
};

pub const HEADER_PARSER_CORE: StageSpec = StageSpec {
    name: "header_parser_core",
    description: "The header parser without record buffer and reason counters: what is compared with other parsers",
    place: None,
    design: |config| HeaderParserConfig { record_buffer: false, counters: false, ..design(config) }.into(),
    judge: Judge::Nothing,
    ..HEADER_PARSER
};

pub(super) fn design(config: &Config) -> HeaderParserConfig {
    let Config { protocols, side_band, .. } = *config;
    HeaderParserConfig { protocols, side_band, ..HeaderParserConfig::new(narrow(config.data_width)) }
}

/// The vectors for the protocols of a configuration.
pub fn vectors(config: &Config) -> Outcome<VectorFile> {
    header_parser::vectors_for(&table::of(&config.protocols)).map_err(Failure::defect)
}
