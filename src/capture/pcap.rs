// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures in the format pcap.

use super::{Contents, LINK, Packet, Wrong, without_fcs, word};
use pcap_file::pcap::PcapParser;
use pcap_file::{DataLink, Endianness, PcapError};

/// Magic numbers for micro- and nanoseconds, in both byte orders.
const MAGIC: [u32; 4] = [0xa1b2_c3d4, 0xa1b2_3c4d, 0xd4c3_b2a1, 0x4d3c_b2a1];

/// Number of bytes of a packet's header.
pub const PACKET_HEADER: usize = 16;

/// The link type of the header is its lower half; bit 26 says that bits 28 to 31 count the words of 16 bits of the
/// frame check sequence (draft-ietf-opsawg-pcap, section 4).
fn link_and_fcs(field: u32) -> (u32, u32) {
    let words = if field >> 26 & 1 == 1 { field >> 28 } else { 0 };
    (field & 0xffff, 2 * words)
}

/// Reads a capture.
pub fn read(bytes: &[u8]) -> Result<Contents, Wrong> {
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
    let (link, fcs) = link_and_fcs(parser.header().datalink.into());
    if link != u32::from(DataLink::ETHERNET) {
        return Err(Wrong { offset: 20, packet: None, what: format!("link type {link} {LINK}") });
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
        let packet = Packet { bytes: raw.data.into_owned(), at, length: raw.orig_len.max(raw.incl_len) };
        packets.push(without_fcs(packet, fcs));
        rest = next;
    }
    Ok(Contents { packets, other_links: None })
}

/// Describes where in a packet the file ends.
fn cut(rest: &[u8], endianness: Endianness) -> String {
    match (rest.get(8..12), rest.get(16..)) {
        (Some(length), Some(data)) => {
            let length = word(endianness, length);
            format!("the file ends inside the packet: {} bytes of {length}", data.len())
        }
        _ => format!("the file ends inside the packet's header: {} bytes of 16", rest.len()),
    }
}
