// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files: pcap and pcapng with Ethernet frames. They are read as a whole, and errors name the place. What is
//! written is a pcap.

use crate::failure::{Failure, Outcome};
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapParser, PcapWriter};
use pcap_file::pcapng::{PcapNgParser, RawBlock};
use pcap_file::{DataLink, Endianness, PcapError, TsResolution};
use std::path::Path;
use std::time::Duration;

/// A captured frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The captured bytes.
    pub bytes: Vec<u8>,
    /// The offset of these bytes in the file.
    pub at: usize,
    /// Its length on the wire according to the capture.
    pub length: u32,
}

/// Reads a file; returns its packets and all its bytes.
pub fn load(path: &Path) -> Outcome<(Vec<Packet>, Vec<u8>)> {
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::message(format!("{name} is a directory, not a capture")));
    }
    let bytes = std::fs::read(path).map_err(Failure::file(path))?;
    Ok((read(&name, &bytes)?, bytes))
}

/// Reads the bytes of a file; `name` is the file name in errors.
pub fn read(name: &str, bytes: &[u8]) -> Outcome<Vec<Packet>> {
    let failure = |wrong: Wrong| {
        let place = match wrong.packet {
            Some(packet) => format!("packet {packet}, offset {}", wrong.offset),
            None => format!("offset {}", wrong.offset),
        };
        Failure::message(format!("{name}: {place}: {}", wrong.what))
    };
    let packets = match bytes.get(..4) {
        _ if bytes.is_empty() => return Err(Failure::message(format!("{name} is empty"))),
        Some([0x0a, 0x0d, 0x0d, 0x0a]) => pcapng(bytes),
        _ => pcap(bytes),
    };
    let packets = packets.map_err(failure)?;
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

/// A problem of a capture, and its place.
struct Wrong {
    offset: usize,
    packet: Option<usize>,
    what: String,
}

/// Magic numbers for micro- and nanoseconds, in both byte orders.
const MAGIC: [u32; 4] = [0xa1b2_c3d4, 0xa1b2_3c4d, 0xd4c3_b2a1, 0x4d3c_b2a1];

/// Number of bytes of a packet's header in a pcap.
const PACKET_HEADER: usize = 16;
/// Number of bytes of a block's header in a pcapng.
const BLOCK_HEADER: usize = 8;

const LINK: &str = "is not Ethernet (1), the only one this command reads";

fn pcap(bytes: &[u8]) -> Result<Vec<Packet>, Wrong> {
    let header = |what: String| Wrong { offset: 0, packet: None, what };
    let (mut rest, parser) = PcapParser::new(bytes).map_err(|error| {
        header(match error {
            PcapError::IncompleteBuffer
                if bytes.get(..4).is_none_or(|magic| MAGIC.contains(&word(Endianness::Big, magic))) =>
            {
                format!("the file ends inside its header: {} bytes of 24", bytes.len())
            }
            _ => "neither pcap nor pcapng: the magic number is unknown".to_owned(),
        })
    })?;
    let link = parser.header().datalink;
    if link != DataLink::ETHERNET {
        return Err(Wrong { offset: 20, packet: None, what: format!("link type {} {LINK}", u32::from(link)) });
    }
    let mut packets = Vec::new();
    while !rest.is_empty() {
        // `next_packet` is not used, because it rejects an original length above the snap length.
        let (next, raw) = parser.next_raw_packet(rest).map_err(|_| Wrong {
            offset: bytes.len() - rest.len(),
            packet: Some(packets.len()),
            what: cut(rest, parser.header().endianness),
        })?;
        let at = bytes.len() - rest.len() + PACKET_HEADER;
        packets.push(Packet { bytes: raw.data.into_owned(), at, length: raw.orig_len.max(raw.incl_len) });
        rest = next;
    }
    Ok(packets)
}

/// Describes where in a packet of a pcap the file ends.
fn cut(rest: &[u8], endianness: Endianness) -> String {
    match (rest.get(8..12), rest.get(16..)) {
        (Some(length), Some(data)) => {
            let length = word(endianness, length);
            format!("the file ends inside the packet: {} bytes of {length}", data.len())
        }
        _ => format!("the file ends inside the packet's header: {} bytes of 16", rest.len()),
    }
}

const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

fn pcapng(bytes: &[u8]) -> Result<Vec<Packet>, Wrong> {
    let wrong = |rest: &[u8], packet, what: String| Wrong { offset: bytes.len() - rest.len(), packet, what };
    let (mut rest, mut parser) = PcapNgParser::new(bytes).map_err(|error| wrong(bytes, None, block_error(&error)))?;
    let mut packets = Vec::new();
    while !rest.is_empty() {
        let at = wrong_at(rest, bytes, packets.len());
        let (next, block) = parser.next_raw_block(rest).map_err(|error| at(block_error(&error)))?;
        if let Some((interface, mut packet)) = packet(&block, parser.section().endianness).map_err(&at)? {
            packet.at += bytes.len() - rest.len() + BLOCK_HEADER;
            match parser.interfaces().get(interface).map(|interface| interface.linktype) {
                Some(DataLink::ETHERNET) => packets.push(packet),
                Some(link) => return Err(at(format!("link type {} {LINK}", u32::from(link)))),
                None => return Err(at(format!("there is no interface {interface}"))),
            }
        }
        rest = next;
    }
    Ok(packets)
}

fn wrong_at(rest: &[u8], bytes: &[u8], packet: usize) -> impl Fn(String) -> Wrong + use<> {
    let offset = bytes.len() - rest.len();
    move |what| Wrong { offset, packet: Some(packet), what }
}

fn block_error(error: &PcapError) -> String {
    match error {
        PcapError::IncompleteBuffer => "the file ends inside a block".to_owned(),
        other => format!("not a pcapng block: {other}"),
    }
}

/// The interface and the packet of a block that holds one. The position is that after the block's header.
fn packet(block: &RawBlock<'_>, endianness: Endianness) -> Result<Option<(usize, Packet)>, String> {
    let body = &block.body;
    let number = |at: usize| match body.get(at..at + 4) {
        Some(bytes) => Ok(word(endianness, bytes)),
        None => Err("a block that is too short for its packet".to_owned()),
    };
    let (interface, start, captured, length) = match block.type_ {
        SIMPLE_PACKET => {
            let length = number(0)?;
            let room = body.len() - 4;
            (0, 4, length.min(room as u32), length)
        }
        ENHANCED_PACKET => (number(0)? as usize, 20, number(12)?, number(16)?),
        PACKET => {
            let (high, low) = (number(0)? >> 16, number(0)? & 0xffff);
            let interface = if endianness == Endianness::Big { high } else { low };
            (interface as usize, 20, number(12)?, number(16)?)
        }
        _ => return Ok(None),
    };
    let bytes = body.get(start..).and_then(|data| data.get(..captured as usize));
    let bytes = bytes.ok_or_else(|| format!("{captured} bytes captured do not fit their block"))?.to_vec();
    Ok(Some((interface, Packet { bytes, at: start, length: length.max(captured) })))
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

    const CAPTURE: &[u8] = include_bytes!("../golden-vectors/captures/rocev2.pcap");

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
        let last = packets[2].at - PACKET_HEADER;
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
            block(ENHANCED_PACKET, &body);
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
