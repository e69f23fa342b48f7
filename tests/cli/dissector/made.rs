// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of every kind with random bits in all headers, against the oracle: every bit is shown, and every reserved one
//! that is not 0 is said.

use super::tshark::{Captured, Shown, Tshark, is_detail, number};
use golden_vectors::headers::Number;
use golden_vectors::headers::codec::encode::Frame;
use golden_vectors::headers::codec::{MpehIndicator, Options, Reading, Reason, Strictness, read};
use golden_vectors::rng::{SEED, SplitMix64};
use std::collections::BTreeMap;

const RESERVED: &str = "_ws.expert.message";
const ROCEV2: u16 = 4791;
const UET: u16 = 4793;
const ELAB: u16 = 7851;
const UET_NATIVE: u8 = 253;

/// Packets of UET of every type, also the reserved ones, over UDP and on IP.
fn uet(rng: &mut SplitMix64) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    for kind in 0..32_u8 {
        for round in 0..12 {
            let mut packet = rng.bytes(60);
            packet[0] = kind << 3 | packet[0] & 7;
            // The kinds of congestion control, and the reserved ones.
            packet[12] = if round % 3 == 2 { packet[12] } else { (round % 3) << 4 | packet[12] & 0xF };
            let native = [&packet[..4], &packet].concat();
            let native = if round % 2 == 0 { Frame::v4() } else { Frame::v6() }.with_protocol(UET_NATIVE, native);
            frames.push(Frame::v4().with_port(UET, packet).bytes());
            frames.push(native.bytes());
        }
    }
    frames
}

fn elab(rng: &mut SplitMix64) -> Vec<Vec<u8>> {
    let frame = |round: usize, rng: &mut SplitMix64| {
        let frame = if round.is_multiple_of(2) { Frame::v4() } else { Frame::v6() };
        frame.with_port(ELAB, rng.bytes(12)).bytes()
    };
    (0..40).map(|round| frame(round, rng)).collect()
}

/// Packets of every OpCode that the table knows, with what announces an MPEH, and some that it does not know.
fn rocev2(rng: &mut SplitMix64, mark: MpehIndicator) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    for opcode in 0..=u8::MAX {
        for _ in 0..2 {
            let mut packet = rng.bytes(72);
            packet[0] = opcode;
            packet[8] |= if mark == MpehIndicator::Bit { 0x40 } else { 0 };
            frames.push(Frame::v4().with_port(ROCEV2, packet).bytes());
        }
    }
    frames
}

fn captured(frames: &[Vec<u8>]) -> Vec<Captured> {
    frames.iter().map(|frame| (frame.clone(), frame.len())).collect()
}

/// What the record of a frame has, by the names of the script.
fn expected(reading: &Reading) -> BTreeMap<String, (Number, u32)> {
    let parts = reading.record.parts();
    let fields = parts.iter().flat_map(|part| part.fields.iter().map(|field| (part.object, field)));
    fields.map(|(object, field)| (format!("mpnic.{object}.{}", field.name), (field.number, field.width))).collect()
}

fn agrees(reading: &Reading, shown: &Shown, about: &str) {
    let expected = expected(reading);
    for (name, (value, width)) in &expected {
        let value = match *value {
            Number::Signed(value) => i128::from(value),
            Number::Plain(bits) if *width <= u64::BITS => bits as i128,
            Number::Plain(bits) => {
                let digits = format!("{bits:00$x}", *width as usize / 4);
                assert_eq!(shown.get(name).map(|text| text[0].replace(':', "")), Some(digits), "{about}: {name}");
                continue;
            }
        };
        assert_eq!(number(shown, name), Some(value), "{about}: {name}");
    }
    let ours = shown.keys().filter(|name| name.starts_with("mpnic.") && !is_detail(name));
    // Of a type that the oracle leaves opaque, the type is shown.
    let opaque = reading.record.parts().iter().all(|part| part.object != "uet" || part.fields[0].name == "entropy");
    for name in ours {
        let is_crc = name == "mpnic.uet.crc" && reading.icrc.is_some();
        let is_known = expected.contains_key(name) || is_crc || (opaque && name == "mpnic.uet.type");
        assert!(is_known, "{about}: {name} is too much");
    }
    // The security header is opaque to the oracle, and has a reserved bit in the script.
    if !shown.contains_key("mpnic.tss.sp") {
        let said = shown.get(RESERVED).into_iter().flatten().filter(|text| text.contains("reserved bits are not 0"));
        assert_eq!(said.count(), reading.reserved as usize, "{about}: {:?}", shown.get(RESERVED));
    }
}

fn all_agree(frames: &[Vec<u8>], options: &Options, arguments: &[&str]) -> usize {
    let tshark = Tshark::new();
    let shown = tshark.fields(&tshark.capture(&captured(frames)), &[RESERVED], arguments);
    assert_eq!(shown.len(), frames.len());
    let options = Options { reserved: Strictness::Count, ..*options };
    let mut compared = 0;
    for (number, (frame, shown)) in frames.iter().zip(&shown).enumerate() {
        let reading = read(frame, &options);
        assert!([Reason::None, Reason::Icrc].contains(&reading.reason), "{number}: {reading:?}");
        let presence = reading.record.parts();
        let has_mpeh = presence.iter().any(|part| part.object == "mpeh");
        if presence.iter().any(|part| part.object == "bth") && !has_mpeh {
            assert!(shown.keys().all(|name| !name.starts_with("mpnic.")), "{number}: {shown:?}");
            continue;
        }
        agrees(&reading, shown, &format!("frame {number}"));
        compared += 1;
    }
    compared
}

#[test]
fn uet_and_elab_with_all_bits() {
    let mut rng = SplitMix64::new(SEED);
    let frames = [uet(&mut rng), elab(&mut rng)].concat();
    assert_eq!(all_agree(&frames, &Options::default(), &[]), frames.len());
}

#[test]
fn rocev2_with_all_bits() {
    let frames = rocev2(&mut SplitMix64::new(SEED), MpehIndicator::Bit);
    assert_eq!(all_agree(&frames, &Options::default(), &[]), frames.len());
}

/// M13: the other way to announce an MPEH, for the 23 operations of RC.
#[test]
fn the_opcode_announces_the_mpeh() {
    let frames = rocev2(&mut SplitMix64::new(SEED), MpehIndicator::OpCode);
    let options = Options { mpeh: MpehIndicator::OpCode, ..Options::default() };
    assert_eq!(all_agree(&frames, &options, &["-o", "mpnic_rocev2.mark:opcode"]), 2 * 23);
}

/// M16 to M20 on data, M27 to M30 on acknowledgements.
#[test]
fn flags_of_data_and_of_acknowledgements() {
    let frame = |opcode: u8, flags: u8| {
        let mut packet = vec![0; 60];
        (packet[0], packet[8], packet[13]) = (opcode, 0x40, flags);
        Frame::v4().with_port(ROCEV2, packet).bytes()
    };
    let tshark = Tshark::new();
    let (data, ack) = ("mpnic.mpeh.data_flags.", "mpnic.mpeh.ack_flags.");
    let expected = [
        (0x0A, 1, data, "flowlet_boundary"),
        (0x0A, 2, data, "path_switch"),
        (0x10, 4, data, "probe"),
        (0xA4, 8, data, "congestion"),
        (0x11, 1, ack, "reordering"),
        (0x12, 2, ack, "loss"),
        (0xB1, 4, ack, "probe_response"),
        (0x11, 8, ack, "reserved"),
        (0x0A, 16, data, "reserved"),
    ];
    let frames: Vec<_> = expected.iter().map(|(opcode, flags, _, _)| frame(*opcode, *flags)).collect();
    let shown = tshark.fields(&tshark.capture(&captured(&frames)), &[RESERVED], &[]);
    for ((opcode, flags, class, name), shown) in expected.into_iter().zip(&shown) {
        let details = shown.keys().filter(|name| is_detail(name) && !name.contains("syndrome"));
        let set: Vec<_> = details.filter(|name| number(shown, name) != Some(0)).collect();
        assert_eq!(set, [&format!("{class}{name}")], "OpCode {opcode:#x}, flags {flags:#x}");
        let said = shown.get(RESERVED).is_some_and(|texts| texts.iter().any(|text| text.contains("not 0")));
        assert_eq!(said, name == "reserved", "{shown:?}");
    }
}
