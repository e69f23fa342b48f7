// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files: pcap and pcapng with Ethernet frames, as they are or compressed with gzip. They are read as a whole,
//! and errors name the place. What is written is a pcap.

mod pcap;
mod pcapng;

use crate::failure::{Failure, Outcome};
use crate::files;
use flate2::read::MultiGzDecoder;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::{Endianness, TsResolution};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// A captured frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The captured bytes, without the frame check sequence.
    pub bytes: Vec<u8>,
    /// The offset of these bytes in the capture.
    pub at: usize,
    /// Its length on the wire according to the capture, without the frame check sequence.
    pub length: u32,
}

/// The magic number of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a file, or standard input if it is called `-`; returns its packets, and all bytes of the capture.
pub fn load(path: &Path) -> Outcome<(Vec<Packet>, Vec<u8>)> {
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::message(format!("{name} is a directory, not a capture")));
    }
    let mut bytes = files::read(path).map_err(Failure::file(path))?;
    if bytes.starts_with(&GZIP) {
        let mut plain = Vec::new();
        let unpacked = MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain);
        unpacked.map_err(|error| Failure::message(format!("{name}: not a whole gzip file: {error}")))?;
        bytes = plain;
    }
    Ok((read(&name, &bytes)?, bytes))
}

/// Reads the bytes of a capture; `name` is the file name in messages. Frames of links other than Ethernet are left
/// out, which a message says.
pub fn read(name: &str, bytes: &[u8]) -> Outcome<Vec<Packet>> {
    let failure = |wrong: Wrong| {
        let place = match wrong.packet {
            Some(packet) => format!("packet {packet}, offset {}", wrong.offset),
            None => format!("offset {}", wrong.offset),
        };
        Failure::message(format!("{name}: {place}: {}", wrong.what))
    };
    let read = match bytes.get(..4) {
        _ if bytes.is_empty() => return Err(Failure::message(format!("{name} is empty"))),
        Some([0x0a, 0x0d, 0x0d, 0x0a]) => pcapng::read(bytes),
        _ => pcap::read(bytes),
    };
    let Contents { packets, other_links } = read.map_err(failure)?;
    if let Some((link, count)) = other_links {
        if packets.is_empty() {
            return Err(Failure::message(format!("{name}: link type {link} {LINK}")));
        }
        eprintln!("{name}: {count} frames are left out: link type {link} {LINK}");
    }
    match packets.is_empty() {
        true => Err(Failure::message(format!("{name} holds no packets"))),
        false => Ok(packets),
    }
}

/// A pcap of frames with their times, in nanoseconds.
pub fn write<'a>(frames: impl Iterator<Item = (Duration, &'a [u8])>) -> Outcome<Vec<u8>> {
    let header =
        PcapHeader { ts_resolution: TsResolution::NanoSecond, endianness: Endianness::Little, ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(Vec::new(), header).map_err(Failure::defect)?;
    for (time, bytes) in frames {
        writer.write_packet(&PcapPacket::new(time, bytes.len() as u32, bytes)).map_err(Failure::defect)?;
    }
    Ok(writer.into_writer())
}

/// What a capture holds.
#[derive(Default)]
struct Contents {
    packets: Vec<Packet>,
    /// The first other link type, and the number of frames of all of them.
    other_links: Option<(u32, usize)>,
}

/// A problem of a capture, and its place.
struct Wrong {
    offset: usize,
    packet: Option<usize>,
    what: String,
}

const LINK: &str = "is not Ethernet (1), the only one this command reads";

/// Takes the frame check sequence of this many bytes away, as far as it was captured.
fn without_fcs(mut packet: Packet, fcs: u32) -> Packet {
    packet.length = packet.length.saturating_sub(fcs);
    packet.bytes.truncate(packet.length as usize);
    packet
}

fn word(endianness: Endianness, bytes: &[u8]) -> u32 {
    let fold = |word: u32, byte: &u8| word << 8 | u32::from(*byte);
    match endianness {
        Endianness::Big => bytes.iter().fold(0, fold),
        Endianness::Little => bytes.iter().rev().fold(0, fold),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTURE: &[u8] = include_bytes!("../../golden-vectors/captures/rocev2.pcap");

    #[test]
    fn what_is_written_reads() {
        let frames: [(u64, &[u8]); 3] = [(0, &[1; 60]), (15, &[2; 64]), (3_000_000_007, &[3; 1514])];
        let Ok(file) = write(frames.iter().map(|(ns, bytes)| (Duration::from_nanos(*ns), *bytes))) else {
            panic!("it writes")
        };
        let Ok(packets) = read("written", &file) else { panic!("it reads") };
        assert!(packets.iter().map(|packet| &packet.bytes[..]).eq(frames.iter().map(|(_, bytes)| *bytes)));
        // Nanoseconds, little-endian; the time of the last packet.
        assert_eq!(file[..4], 0xa1b2_3c4d_u32.to_le_bytes());
        let last = packets[2].at - pcap::PACKET_HEADER;
        assert_eq!(file[last..last + 8], [3, 0, 0, 0, 7, 0, 0, 0]);
    }

    /// A pcapng with one Ethernet interface and these packets, as enhanced packet blocks.
    fn as_pcapng(packets: &[Packet]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut block = |kind: u32, body: &[u8]| {
            let padded = body.len().next_multiple_of(4);
            let length = (padded as u32 + 12).to_le_bytes();
            file.extend_from_slice(&kind.to_le_bytes());
            file.extend_from_slice(&length);
            file.extend_from_slice(body);
            file.resize(file.len() + padded - body.len(), 0);
            file.extend_from_slice(&length);
        };
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        block(0x0a0d_0d0a, &words(&[0x1a2b_3c4d, 1, !0, !0]));
        block(1, &words(&[1, 65_535]));
        for packet in packets {
            let mut body = words(&[0, 0, 0, packet.bytes.len() as u32, packet.length]);
            body.extend_from_slice(&packet.bytes);
            block(pcapng::ENHANCED_PACKET, &body);
        }
        file
    }

    #[test]
    fn pcap_and_pcapng_hold_the_same() {
        let Ok(packets) = read("capture", CAPTURE) else { panic!("the capture reads") };
        assert_eq!(packets.len(), 200);
        let file = as_pcapng(&packets);
        let Ok(same) = read("capture", &file) else { panic!("it reads") };
        let frames = |packets: &[Packet]| packets.iter().map(|p| (p.bytes.clone(), p.length)).collect::<Vec<_>>();
        assert_eq!(frames(&same), frames(&packets));
        for (file, packets) in [(CAPTURE, &packets), (&file[..], &same)] {
            assert!(packets.iter().all(|packet| file[packet.at..].starts_with(&packet.bytes)));
        }
    }

    /// A changed file gives packets or an error, never a panic.
    #[test]
    fn broken_captures_are_errors() {
        let Ok(packets) = read("capture", CAPTURE) else { panic!("the capture reads") };
        let files = [CAPTURE[..4000].to_vec(), as_pcapng(&packets[..20])];
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..40_000 {
            let mut file = files[round % 2].clone();
            for _ in 0..1 + random(3) {
                // Headers are changed more often than payload.
                let at = if random(2) == 0 { random(120) } else { random(file.len()) };
                file[at] = [0, 1, 0x7f, 0xff, random(256) as u8][random(5)];
            }
            if random(4) == 0 {
                file.truncate(random(file.len()));
            }
            let _ = read("broken", &file);
        }
    }
}
