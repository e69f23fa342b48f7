// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of vectors, made in memory.

use super::{
    elab_feedback, elab_scheduler, entropy_selector, frame_gate, generator, header_builder, header_parser, icrc,
    icrc_insert, json, path_scheduler,
};
use crate::arbiter::arbiter;
use crate::fifo::fifo;
use crate::schema::{Generator, SchemaId, TimedFile, VectorFile, bytes};
use crate::skid_buffer::skid_buffer;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::{DataLink, Endianness, TsResolution};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::time::Duration;

/// A file to write: its name and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Name in the folder of vectors.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Every file of the folder of vectors.
///
/// # Errors
/// A case cannot be written down, which is a fault of the generator.
pub fn files() -> Result<Vec<Made>, Box<dyn Error>> {
    let frames = header_parser();
    let stages = [entropy_selector(), path_scheduler(), elab_scheduler(), elab_feedback(), frame_gate()];
    let blocks = [fifo(), skid_buffer(), arbiter()];
    let timed: Vec<TimedFile> = stages.into_iter().chain(blocks).collect();
    let (checked, inserted, built) = (icrc(), icrc_insert(), header_builder());
    [&frames, &checked, &inserted, &built].into_iter().try_for_each(VectorFile::check)?;
    timed.iter().try_for_each(TimedFile::check)?;
    let mut files = vec![
        Made { name: "header_parser.json".into(), bytes: json::text(&frames)? },
        Made { name: "header_parser.pcap".into(), bytes: capture(&frames)? },
        Made { name: "icrc.json".into(), bytes: json::text(&checked)? },
        Made { name: "icrc.pcap".into(), bytes: capture(&checked)? },
        Made { name: "icrc_insert.json".into(), bytes: json::text(&inserted)? },
        Made { name: "header_builder.json".into(), bytes: json::text(&built)? },
    ];
    for file in &timed {
        files.push(Made { name: format!("{}.json", file.stage), bytes: json::dense_text(file)? });
    }
    let manifest = Manifest {
        license: &frames.license,
        generator: generator(),
        schemas: [&frames.schema, &timed[0].schema],
        files: files.iter().map(Entry::of).collect(),
    };
    files.push(Made { name: "MANIFEST.json".into(), bytes: json::text(&manifest)? });
    Ok(files)
}

/// The frames in the order of the tests, one microsecond apart; without those that the JSON has to shorten.
fn capture(vectors: &VectorFile) -> Result<Vec<u8>, Box<dyn Error>> {
    let header = PcapHeader {
        datalink: DataLink::ETHERNET,
        endianness: Endianness::Little,
        ts_resolution: TsResolution::MicroSecond,
        ..PcapHeader::default()
    };
    let mut writer = PcapWriter::with_header(Vec::new(), header)?;
    let cases = vectors.grouped_cases().filter(|(_, case)| case.frame.len() <= bytes::WHOLE);
    for (at, (_, case)) in (0..).zip(cases) {
        let length = u32::try_from(case.frame.len())?;
        writer.write_packet(&PcapPacket::new(Duration::from_micros(at), length, &case.frame))?;
    }
    Ok(writer.into_writer())
}

#[derive(Serialize)]
struct Manifest<'a> {
    license: &'a str,
    generator: Generator,
    schemas: [&'a SchemaId; 2],
    files: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    bytes: usize,
    sha256: String,
}

impl Entry {
    fn of(file: &Made) -> Self {
        let sha256 = Sha256::digest(&file.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { name: file.name.clone(), bytes: file.bytes.len(), sha256 }
    }
}
