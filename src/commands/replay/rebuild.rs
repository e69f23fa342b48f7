// SPDX-License-Identifier: MIT OR Apache-2.0
//! The option `replay --rebuild`: frames of the known transports are built again from their header records, in a copy
//! of the capture.

use crate::backend::{self, Use};
use crate::capture::Packet;
use crate::cli::Backend;
use crate::config::{Config, HeaderBuilder};
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use pipeline::frame::header_builder::UdpChecksum;
use pipeline::headers::record::transport;
use std::path::{Path, PathBuf};
use testbench::Dut;
use testbench::benches::builder_bench::{Building, build};
use testbench::benches::parser_bench::{self, Traffic, parse};
use testbench::benches::replay::crc;
use testbench::files::WholeFile;
use testbench::streams::record::Record;

/// Number of bytes of an ICRC or CRC.
const CRC: usize = 4;

/// The stages `header_builder` and `icrc_insert`, and the copy of the capture.
pub struct Rebuild {
    builder: Box<dyn Dut>,
    icrc: Option<Box<dyn Dut>>,
    uet_crc: bool,
    path: PathBuf,
    file: WholeFile,
    capture: Vec<u8>,
    /// Number of frames that differ from the original.
    different: Vec<usize>,
}

impl Rebuild {
    /// Opens the copy; `capture` is all bytes of the file. A copy that cannot be written is an error before the run.
    pub fn new(path: &Path, capture: Vec<u8>, backend: Backend, config: &Config, to: Use) -> Outcome<Self> {
        let file = WholeFile::create(path).map_err(Failure::file(path))?;
        // The checksum of a frame is known only from its record.
        let header_builder = HeaderBuilder { udp_checksum: UdpChecksum::Recorded };
        let config = &Config { header_builder, ..config.clone() };
        let insert = || backend::device(backend, &StageName::IcrcInsert.of(config), to);
        Ok(Rebuild {
            builder: backend::device(backend, &StageName::HeaderBuilder.of(config), to)?,
            icrc: (config.protocols.rocev2 || config.protocols.has_uet_crc()).then(insert).transpose()?,
            uet_crc: config.protocols.has_uet_crc(),
            path: path.to_owned(),
            file,
            capture,
            different: Vec::new(),
        })
    }

    /// Builds the packets for which that is possible, and says for each whether it was built. Packets come with their
    /// numbers.
    pub fn packets(
        &mut self,
        packets: &[(usize, &Packet, &parser_bench::Outcome)],
        traffic: Traffic,
    ) -> Outcome<Vec<bool>> {
        let chosen: Vec<_> = packets.iter().map(|(_, _, outcome)| can_be_built(outcome)).collect();
        let to_build = || packets.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(packet, _)| packet);
        let buildings: Vec<_> =
            to_build().map(|(_, packet, outcome)| building(packet, &outcome.record, self.uet_crc)).collect();
        let mut frames = build(&mut *self.builder, &buildings, traffic)?;
        if let Some(icrc) = &mut self.icrc {
            let done = parse(&mut **icrc, &frames, traffic)?;
            frames.iter_mut().zip(done).for_each(|(frame, done)| frame.bytes = done.bytes);
        }
        for ((number, packet, _), frame) in to_build().zip(&frames) {
            if frame.bytes != packet.bytes {
                self.different.push(*number);
            }
            // A frame of another length does not fit into the copy.
            if frame.bytes.len() == packet.bytes.len() {
                self.capture[packet.at..packet.at + frame.bytes.len()].copy_from_slice(&frame.bytes);
            }
        }
        Ok(chosen)
    }

    /// Writes the copy.
    pub fn finish(self) -> Outcome {
        let Rebuild { path, file, capture, different, .. } = self;
        file.finish(&capture).map_err(Failure::file(&path))?;
        if let Some(number) = different.first() {
            eprintln!("{} frames were not built as they came, the first of them frame {number}", different.len());
            return Err(Failure::Check);
        }
        Ok(())
    }
}

/// Whether the frame is good, has a known transport, and is complete in its record, which does not contain IPv4
/// options.
fn can_be_built(outcome: &parser_bench::Outcome) -> bool {
    let record = &outcome.record;
    let ours = record.get("transport") >= u128::from(transport::ROCEV2);
    !outcome.drop && ours && record.field("ip_ihl").is_none_or(|words| words == 5)
}

/// The record, and the bytes after the headers without ICRC or CRC.
fn building(packet: &Packet, record: &Record, uet_crc: bool) -> Building {
    let offset = record.get("payload_offset") as usize;
    let mut rest = packet.bytes.get(offset..).unwrap_or_default().to_vec();
    if crc(record, uet_crc).is_some() {
        let crc = rest.iter_mut().skip(record.get("payload_length") as usize).take(CRC);
        crc.for_each(|byte| *byte = 0);
    }
    Building::of_parsed(record, rest)
}
