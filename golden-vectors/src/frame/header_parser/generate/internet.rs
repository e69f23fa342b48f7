// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows 4 to 7, 9 and 10: IPv4 and IPv6 headers. The checksum has a file of its own.

use crate::collect::frames::Suite;
use crate::collect::{Aim, aim};
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::{Frame, Network};

const LENGTH: Aim = aim(&["Boundary"], &["R9"]);
const NOT_OURS: Aim = aim(&["NotOurs"], &["R10"]);

pub fn add_v4(suite: &mut Suite) {
    suite.group("ipv4", "IPv4 version, header length, total length, fragments and protocols");
    for version in 0..16 {
        let frame = turn(Frame::v4(), version.into()).with_v4(|header| header.set_version(version));
        suite.add(format!("version-{version}"), "version under EtherType 0x0800", aim(&[], &["R5"]), frame.bytes());
    }
    for ihl in 0..5 {
        let frame = turn(Frame::v4(), ihl.into()).with_v4(|header| header.set_ihl(ihl));
        suite.add(
            format!("ihl-{ihl}"),
            "IHL below its least value, checksum right for 20 bytes",
            aim(&[], &["R6"]),
            frame.bytes(),
        );
    }
    suite.add("ihl-5", "least IHL", aim(&["Boundary"], &["R6", "R7"]), Frame::v4().bytes());
    header_length(suite);
    total_length(suite);
    padding(suite);
    fragments(suite);
    for protocol in [0, 1, 6, 16, 18, 19, 47, 58, 81, 255] {
        let frame = turn(Frame::v4(), protocol.into()).with_protocol(protocol, vec![0x5A; 20]);
        suite.add(format!("protocol-{protocol}"), "a protocol that is not UDP", NOT_OURS, frame.bytes());
    }
    let bare = Frame::v4().with_protocol(6, Vec::new());
    suite.add(
        "no-payload",
        "an IPv4 header and nothing else",
        aim(&["NotOurs", "Boundary"], &["R9", "R10"]),
        bare.bytes(),
    );
    common(suite, Frame::v4);
}

fn header_length(suite: &mut Suite) {
    for words in 1..=10_u8 {
        let ihl = 5 + words;
        let frame = turn(Frame::v4(), ihl.into()).with_options(vec![1; usize::from(words) * 4]);
        let whole = frame.bytes();
        let end = frame.link_length() + usize::from(ihl) * 4;
        let aim = aim(&["Options", "Boundary"], &["R7", "R9"]);
        suite.add(format!("options-cut-{ihl}"), "ends inside the last option", aim, whole[..end - 1].to_vec());
        if words % 3 == 1 {
            let packet = frame.with_protocol(1, Vec::new());
            suite.add(format!("options-end-{ihl}"), "ends right behind the last option", aim, packet.bytes());
        }
    }
}

fn total_length(suite: &mut Suite) {
    let right = 20 + 8 + 12 + 4;
    let lengths = [0, 1, 19, 20, 21, 27, 28, 29, right - 1, right, right + 1, right + 256, 0x8000, 0xFFFF];
    for (at, length) in lengths.into_iter().enumerate() {
        let frame = turn(Frame::v4(), at).with(|frame| frame.ip_length = Some(length));
        suite.add(
            format!("length-{length}"),
            format!("total length {length} where {right} is right"),
            LENGTH,
            frame.bytes(),
        );
    }
    for (length, what) in [(31, "one below"), (32, "equal to"), (33, "one above")] {
        let frame = Frame::v4().with_options(vec![1; 12]).with_protocol(1, vec![7; 4]);
        let frame = frame.with(|frame| frame.ip_length = Some(length));
        suite.add(format!("length-ihl8-{length}"), format!("total length {what} the header's"), LENGTH, frame.bytes());
    }
}

fn padding(suite: &mut Suite) {
    let flags = &["Padding", "Boundary"];
    let packet = aim(flags, &["R9"]);
    for (name, fill) in [("zeros", 0x00), ("ones", 0xFF)] {
        let short = Frame::v4().with_port(53, vec![0x42]).with(|frame| frame.trailer = vec![fill; 17]);
        suite.add(format!("pad-60-{name}"), "a 29-byte packet in a frame of 60 bytes", packet, short.bytes());
    }
    let long = Frame::v4().with(|frame| frame.trailer = vec![0xEE; 100]);
    suite.add("trailer-100", "a frame 100 bytes longer than its packet", aim(flags, &["R9", "M11"]), long.bytes());
    let beyond = Frame::v4().with(|frame| {
        frame.trailer = vec![0xEE; 3];
        frame.ip_length = Some(20 + 8 + 12 + 4 + 4);
    });
    suite.add("trailer-claimed", "total length one beyond the padding", packet, beyond.bytes());
    let empty = Frame::v4().with_protocol(6, Vec::new()).with(|frame| frame.trailer = vec![0; 26]);
    suite.add("pad-empty", "an empty packet in a frame of 60 bytes", packet, empty.bytes());
}

fn fragments(suite: &mut Suite) {
    let named = [
        ("df", 0, true, false, false, "must not be fragmented: not a fragment"),
        ("reserved", 0, false, false, true, "the reserved flag alone: not a fragment"),
        ("first", 0, false, true, false, "first fragment"),
        ("first-df", 0, true, true, false, "first fragment, though it must not be fragmented"),
        ("middle", 185, false, true, false, "middle fragment"),
        ("last", 370, false, false, false, "last fragment"),
        ("last-place", 0x1FFF, false, false, false, "highest offset"),
    ];
    let aim = aim(&["Fragment"], &["R10"]);
    for (at, (name, offset, df, mf, reserved, what)) in named.into_iter().enumerate() {
        let frame = turn(Frame::v4(), at).with_v4(|header| {
            header.set_fragment_offset(offset);
            header.set_dont_fragment(df);
            header.set_more_fragments(mf);
            header.set_reserved(reserved);
        });
        suite.add(format!("fragment-{name}"), what, aim, frame.bytes());
    }
    for bit in 0..13 {
        let frame = Frame::v4().with_v4(|header| header.set_fragment_offset(1 << bit));
        suite.add(format!("offset-bit-{bit}"), "one bit of the fragment offset", aim, frame.bytes());
    }
}

pub fn add_v6(suite: &mut Suite) {
    suite.group("ipv6", "IPv6 version, payload length and next headers");
    for version in 0..16 {
        let frame = turn(Frame::v6(), version.into()).with_v6(|header| header.set_version(version));
        suite.add(format!("version-{version}"), "version under EtherType 0x86DD", aim(&[], &["R5"]), frame.bytes());
    }
    let right = 8 + 12 + 4;
    let lengths = [0, 1, 7, 8, 9, right - 1, right, right + 1, right + 256, 0x8000, 0xFFFF];
    for (at, length) in lengths.into_iter().enumerate() {
        let frame = turn(Frame::v6(), at).with(|frame| frame.ip_length = Some(length));
        suite.add(
            format!("length-{length}"),
            format!("payload length {length} where {right} is right"),
            LENGTH,
            frame.bytes(),
        );
    }
    let padded = Frame::v6().with(|frame| frame.trailer = vec![0xEE; 100]);
    suite.add("trailer-100", "a frame 100 bytes longer than its packet", aim(&["Padding"], &["R9"]), padded.bytes());
    let empty = Frame::v6().with_protocol(59, Vec::new());
    suite.add(
        "no-payload",
        "an IPv6 header and nothing else",
        aim(&["NotOurs", "Boundary"], &["R9", "R10"]),
        empty.bytes(),
    );
    for protocol in [1, 4, 6, 16, 18, 41, 50, 58, 59, 255] {
        let frame = turn(Frame::v6(), protocol.into()).with_protocol(protocol, vec![0x5A; 20]);
        suite.add(format!("next-{protocol}"), "a next header that is not UDP", NOT_OURS, frame.bytes());
    }
    extensions(suite);
    common(suite, Frame::v6);
}

/// An IPv6 extension header of eight bytes, followed by the header `next`.
fn extension(next: u8) -> Vec<u8> {
    vec![next, 0, 1, 4, 0, 0, 0, 0]
}

fn extensions(suite: &mut Suite) {
    let chain = |kinds: &[u8]| {
        let bytes = kinds.iter().skip(1).chain(&[17]).flat_map(|&next| extension(next)).collect();
        Frame::v6().with_v6(|header| header.set_next_header(kinds[0])).with(|frame| {
            if let Network::V6(_, extensions) = &mut frame.network {
                *extensions = bytes;
            }
        })
    };
    let chains: [(&str, &[u8], &str); 8] = [
        ("hop-by-hop", &[0], "hop-by-hop options before UDP"),
        ("routing", &[43], "a routing header before UDP"),
        ("fragment", &[44], "a fragment header before UDP"),
        ("destination", &[60], "destination options before UDP"),
        ("authentication", &[51], "an authentication header before UDP"),
        ("chain", &[0, 43, 44, 60], "a chain of four"),
        ("repeated", &[0, 0, 0], "hop-by-hop options three times"),
        ("mobility", &[135], "a mobility header before UDP"),
    ];
    for (at, (name, kinds, what)) in chains.into_iter().enumerate() {
        let aim = aim(&["ExtensionHeader", "NotOurs"], &["R10"]);
        suite.add(format!("ext-{name}"), what, aim, turn(chain(kinds), at).bytes());
        let beyond = chain(kinds).with(|frame| frame.ip_length = Some(8 * kinds.len() as u16 + 25));
        if at < 3 {
            suite.add(format!("ext-{name}-length"), "the same, payload length one too large", LENGTH, beyond.bytes());
        }
    }
    let jumbogram = chain(&[0]).with(|frame| frame.ip_length = Some(0));
    suite.add(
        "ext-jumbogram",
        "payload length 0, as before a jumbo payload option",
        aim(&["ExtensionHeader"], &["R9"]),
        jumbogram.bytes(),
    );
}

/// Cases that both versions have: ECN codes, frame lengths around a beat, jumbo frames.
fn common(suite: &mut Suite, base: fn() -> Frame) {
    for ecn in 0..4 {
        let frame =
            turn(base(), ecn.into()).with_v4(|header| header.set_ecn(ecn)).with_v6(|header| header.set_ecn(ecn));
        suite.add(format!("ecn-{ecn}"), "ECN code", aim(&["Corner"], &[]), frame.bytes());
    }
    let least = base().bytes().len();
    for size in [64, 65, 66, 127, 128, 129] {
        if size < least {
            continue;
        }
        let frame = base().with(|frame| frame.payload = vec![0xC3; size - least]);
        suite.add(
            format!("size-{size}"),
            "a frame about as long as a beat or two",
            aim(&["Boundary"], &["M11"]),
            frame.bytes(),
        );
    }
    let jumbo = base().with(|frame| frame.payload = vec![0x3C; 8960]);
    suite.add("jumbo", "a payload of 8960 bytes", aim(&["Jumbo"], &["R9"]), jumbo.bytes());
}
