// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of vectors, made in memory.

use super::json;
use super::list::{Kind, SUITES, Suite};
use crate::collect::generator;
use crate::schema::timed::{SCHEMA_NAME as TIMED_NAME, SCHEMA_VERSION as TIMED_VERSION};
use crate::schema::{Generator, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile, bytes};
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::{DataLink, Endianness, TsResolution};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::time::Duration;

/// Name of the list of all other files.
pub const MANIFEST: &str = "MANIFEST.json";

/// A file to write: its name and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Name in the archive.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Every file of the archive, the manifest last.
///
/// # Errors
/// A case cannot be written down, which is a fault of the generator.
pub fn files() -> Result<Vec<Made>, Box<dyn Error>> {
    let made: Vec<_> = SUITES.par_iter().map(|suite| made(suite).map_err(|error| error.to_string())).collect();
    let mut files = Vec::new();
    for of_suite in made {
        files.extend(of_suite?);
    }
    let schema = |name: &str, version: &str| SchemaId { name: name.into(), version: version.into() };
    let manifest = Manifest {
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        schemas: [schema(SCHEMA_NAME, SCHEMA_VERSION), schema(TIMED_NAME, TIMED_VERSION)],
        files: files.iter().map(Entry::of).collect(),
    };
    files.push(Made { name: MANIFEST.into(), bytes: json::text(&manifest)? });
    Ok(files)
}

/// The file of a suite, and its capture if it has one.
fn made(suite: &Suite) -> Result<Vec<Made>, Box<dyn Error>> {
    let name = suite.file_name();
    let (frames, captured) = match suite.kind {
        Kind::Timed(generate) => {
            let file = generate();
            file.check()?;
            return Ok(vec![Made { name, bytes: json::dense_text(&file)? }]);
        }
        Kind::Frames(generate) => (generate(), false),
        Kind::Captured(generate) => (generate(), true),
    };
    frames.check()?;
    let mut files = vec![Made { name, bytes: json::text(&frames)? }];
    if captured {
        files.push(Made { name: format!("{}.pcap", suite.file), bytes: capture(&frames)? });
    }
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

/// What the archive holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    license: String,
    generator: Generator,
    schemas: [SchemaId; 2],
    /// All other files.
    pub files: Vec<Entry>,
}

/// A file in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Name in the archive.
    pub name: String,
    /// Length.
    pub bytes: usize,
    /// SHA-256 sum in hexadecimal digits.
    pub sha256: String,
}

impl Entry {
    fn of(file: &Made) -> Self {
        Self { name: file.name.clone(), bytes: file.bytes.len(), sha256: sum(&file.bytes) }
    }
}

/// The SHA-256 sum in hexadecimal digits.
pub fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
