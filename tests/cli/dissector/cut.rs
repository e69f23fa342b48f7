// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that end early. tshark says what is missing, and Lua never gives up ([`Tshark`] looks for its errors).

use super::tshark::{Captured, Tshark, committed, number};
use golden_vectors::headers::codec::encode::Frame;
use golden_vectors::headers::codec::{Options, Reason, read};

const MESSAGE: &str = "_ws.expert.message";

/// Every frame of both captures, cut behind every seventh byte of its headers and some of its payload.
fn pieces(sent: fn(&[u8], usize) -> usize) -> Vec<Captured> {
    let frames = ["mixed.pcap", "rocev2.pcap"].into_iter().flat_map(|name| committed(name).1);
    let cut = |frame: Vec<u8>| {
        let ends = (0..frame.len().min(180)).step_by(7);
        ends.map(|end| (frame[..end].to_vec(), sent(&frame, end))).collect::<Vec<_>>()
    };
    frames.flat_map(cut).collect()
}

#[test]
fn frames_cut_at_every_seventh_byte() {
    let tshark = Tshark::new();
    let pieces = pieces(|_, end| end);
    assert!(pieces.len() > 10_000, "{}", pieces.len());
    assert_eq!(tshark.text(&tshark.capture(&pieces), true).len(), pieces.len());
}

/// Cut by the capture: the length that was sent is known. Errors of Wireshark's own dissectors that pass through Lua
/// would have it give up after a hundred of them.
#[test]
fn frames_captured_in_part() {
    let tshark = Tshark::new();
    let pieces = pieces(|frame, _| frame.len());
    assert_eq!(tshark.text(&tshark.capture(&pieces), true).len(), pieces.len());
    let packet = |opcode: u8, mpeh: u8| {
        let mut packet: Vec<u8> = (0..160).collect();
        (packet[0], packet[8]) = (opcode, mpeh);
        Frame::v4().with_port(4791, packet).bytes()
    };
    let opcodes =
        [0x00, 0x04, 0x05, 0x0A, 0x10, 0x11, 0x12, 0x13, 0x17, 0x24, 0x44, 0x64, 0x65, 0x81, 0xA4, 0xB1, 0xC4];
    let frames: Vec<_> = opcodes.iter().flat_map(|&opcode| [packet(opcode, 0), packet(opcode, 0x40)]).collect();
    let parts = frames.iter().flat_map(|frame| (42..120).map(|end| (frame[..end].to_vec(), frame.len())));
    let parts: Vec<Captured> = parts.collect();
    let capture = tshark.capture(&parts);
    assert_eq!(tshark.text(&capture, true).len(), parts.len());
    // What has been captured of it is shown: byte 12 is the first of the MPEH (M14).
    for ((part, _), shown) in parts.iter().zip(&tshark.fields(&capture, &[], &[])) {
        let has_mpeh = part.len() >= 42 + 20 && part[42 + 8] == 0x40;
        assert_eq!(number(shown, "mpnic.mpeh.path_id"), has_mpeh.then_some(12), "{} bytes", part.len());
    }
}

/// Lengths that are right and headers that do not fit them: `cut short` is said where the oracle says `header_cut`.
#[test]
fn headers_that_do_not_fit() {
    let mut frames = Vec::new();
    let mut add = |frame: Frame, packet: &[u8]| {
        for end in 0..packet.len() {
            frames.push(
                frame.clone().with_port(frame.udp.map_or(0, |udp| udp.destination()), packet[..end].to_vec()).bytes(),
            );
        }
    };
    let filled = |first: u8, at: usize, bits: u8| {
        let mut packet = vec![0; 52];
        (packet[0], packet[at]) = (first, packet[at] | bits);
        packet
    };
    for opcode in [0x00, 0x04, 0x05, 0x0A, 0x0B, 0x11, 0x12, 0x13, 0x17, 0x65, 0xA3] {
        add(Frame::v4(), &filled(opcode, 8, 0x40));
    }
    for kind in 0..32 {
        add(Frame::v4().with_port(4793, Vec::new()), &filled(kind << 3, 1, 0));
        add(Frame::v6().with_port(4793, Vec::new()), &filled(kind << 3 | 4, 1, 4));
    }
    add(Frame::v4().with_port(7851, Vec::new()), &filled(0, 5, 2));
    let tshark = Tshark::new();
    let captured: Vec<Captured> = frames.iter().map(|frame| (frame.clone(), frame.len())).collect();
    let shown = tshark.fields(&tshark.capture(&captured), &[MESSAGE], &[]);
    assert_eq!(shown.len(), frames.len());
    let mut counts = [0, 0];
    for (number, (frame, shown)) in frames.iter().zip(&shown).enumerate() {
        let reading = read(frame, &Options::default());
        let rocev2 = frame[36..38] == 4791_u16.to_be_bytes();
        // Wireshark asks nobody about an empty datagram. A packet that ends before the bit that announces an MPEH is like
        // any other, and Wireshark's.
        let without = is_empty_datagram(frame) || (rocev2 && frame.len() < 42 + 12);
        let said = shown.get(MESSAGE).is_some_and(|texts| texts.iter().any(|text| text.contains(" cut short: ")));
        let cut = reading.reason == Reason::HeaderCut;
        assert_eq!(said, cut && !without, "{number}: {} bytes, {:?}, {shown:?}", frame.len(), reading.reason);
        counts[usize::from(said)] += 1;
    }
    assert!(counts[0] > 1000 && counts[1] > 500, "{counts:?}");
}

/// Whether the UDP datagram that ends the frame carries nothing.
fn is_empty_datagram(frame: &[u8]) -> bool {
    let headers = if frame[12..14] == [0x86, 0xDD] { 14 + 40 + 8 } else { 14 + 20 + 8 };
    frame.len() == headers
}
