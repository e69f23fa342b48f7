// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures in the format pcapng. A section has interfaces, each with a link type of its own.

use super::{Contents, Packet, Wrong, without_fcs, word};
use pcap_file::pcapng::blocks::interface_description::{InterfaceDescriptionBlock, InterfaceDescriptionOption};
use pcap_file::pcapng::{PcapNgParser, RawBlock};
use pcap_file::{DataLink, Endianness, PcapError};

/// Number of bytes of a block's header.
const BLOCK_HEADER: usize = 8;

const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
pub const ENHANCED_PACKET: u32 = 6;

/// Reads a capture.
pub fn read(bytes: &[u8]) -> Result<Contents, Wrong> {
    let wrong = |rest: &[u8], packet, what: String| Wrong { offset: bytes.len() - rest.len(), packet, what };
    let (mut rest, mut parser) = PcapNgParser::new(bytes).map_err(|error| wrong(bytes, None, block_error(&error)))?;
    let mut contents = Contents::default();
    while !rest.is_empty() {
        let at = wrong_at(rest, bytes, contents.packets.len());
        let (next, block) = parser.next_raw_block(rest).map_err(|error| at(block_error(&error)))?;
        if let Some((number, mut packet)) = packet(&block, parser.section().endianness).map_err(&at)? {
            packet.at += bytes.len() - rest.len() + BLOCK_HEADER;
            let Some(interface) = parser.interfaces().get(number) else {
                return Err(at(format!("there is no interface {number}")));
            };
            match interface.linktype {
                DataLink::ETHERNET => contents.packets.push(of_interface(packet, block.type_, interface)),
                link => contents.other_links.get_or_insert((link.into(), 0)).1 += 1,
            }
        }
        rest = next;
    }
    Ok(contents)
}

/// The packet without what follows it. A simple packet block does not say how much was captured: as much as the snap
/// length allows; what is left of the block is padding.
fn of_interface(mut packet: Packet, kind: u32, interface: &InterfaceDescriptionBlock<'_>) -> Packet {
    if kind == SIMPLE_PACKET && interface.snaplen != 0 {
        packet.bytes.truncate(interface.snaplen as usize);
    }
    // The draft has it in bits, with an example in bytes; programs write either.
    let fcs = interface.options.iter().find_map(|option| match *option {
        InterfaceDescriptionOption::IfFcsLen(bytes @ ..8) => Some(u32::from(bytes)),
        InterfaceDescriptionOption::IfFcsLen(bits) => Some(u32::from(bits / 8)),
        _ => None,
    });
    without_fcs(packet, fcs.unwrap_or(0))
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
