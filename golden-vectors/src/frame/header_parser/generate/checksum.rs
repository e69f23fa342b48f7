// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 8: the IPv4 header checksum, for every number of carries in its sum and for three places of the header in a
//! beat.

use crate::collect::frames::Suite;
use crate::collect::{Aim, aim};
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;
use crate::headers::ethernet::{C_TAG, S_TAG};
use crate::headers::ipv4::word_sum;
use crate::rng::SplitMix64;

const FOLD: Aim = aim(&["ChecksumFold"], &["R8"]);
const CORRUPTED: Aim = aim(&["Corrupted"], &["R8"]);

/// Adds the group `checksum`. It finds adders that lose a carry or fold it twice.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("checksum", "the IPv4 header checksum: carries, lanes, corruption");
    for carries in 0..10 {
        for (tags, frame) in lanes(fold(carries)) {
            let right = frame.bytes();
            suite.add(
                format!("fold-{carries}-tags-{tags}"),
                format!("a right checksum; the sum of all words has {carries} carries"),
                FOLD,
                right.clone(),
            );
            let by = if carries > 0 && (carries + tags) % 2 == 0 { 1 } else { 0xFFFF };
            let what = if by == 1 { "high" } else { "low" };
            let id = format!("fold-{carries}-tags-{tags}-off");
            suite.add(id, format!("the same, checksum one too {what}"), FOLD, moved(&frame, &right, by));
        }
        if carries > 0 {
            miscounted(suite, carries);
        }
    }
    broadcast(suite);
    both_zeros(suite);
    bits(suite);
    words(suite);
    options(suite, rng);
}

/// The frame with no, one and two tags, which makes three places of the header in a beat.
fn lanes(frame: Frame) -> [(usize, Frame); 3] {
    let one = frame.clone().tagged(C_TAG, 0x64);
    let two = frame.clone().tagged(S_TAG, 0xC8).tagged(C_TAG, 0x64);
    [(0, frame), (1, one), (2, two)]
}

/// A frame whose header words, with the checksum, have a sum with this number of carries.
fn fold(carries: usize) -> Frame {
    // Small words make no carry; large words outside addresses and identification make two.
    let large = carries > 5;
    let frame = Frame::v4().with_v4(|header| {
        header.set_source(0);
        header.set_destination(0);
        header.set_identification(0);
        header.set_reserved(large);
        header.set_ttl(if large { 255 } else { 64 });
        header.set_dscp(if large { 63 } else { 0 });
        header.set_ecn(if large { 3 } else { 0 });
    });
    let ones = if large { carries - 2 } else { carries };
    let frame = frame.with_v4(|header| {
        let fill = |word: usize| if ones > word { 0xFFFF } else { 0 };
        header.set_source(fill(0) << 16 | fill(1));
        header.set_destination(fill(2) << 16 | fill(3));
        header.set_identification(fill(4) as u16);
    });
    match ones.saturating_sub(5) {
        0 => frame,
        more => frame.with_options(
            vec![0xFF; more.div_ceil(2) * 4][..]
                .iter()
                .enumerate()
                .map(|(at, &byte)| if at / 2 < more { byte } else { 0 })
                .collect(),
        ),
    }
}

/// The sum of the header words with the right checksum, and that checksum.
fn sum_of(frame: &Frame, bytes: &[u8]) -> (u32, u16) {
    let start = frame.link_length();
    let length = usize::from(bytes[start] & 0xF) * 4;
    let sum = word_sum(&bytes[start..start + length]);
    (sum, u16::from_be_bytes([bytes[start + 10], bytes[start + 11]]))
}

/// The frame with its checksum changed by `by`.
fn moved(frame: &Frame, bytes: &[u8], by: u16) -> Vec<u8> {
    let (_, checksum) = sum_of(frame, bytes);
    frame.clone().with(|frame| frame.ip_checksum = Some(checksum.wrapping_add(by))).bytes()
}

/// Wrong checksums that look right to a fold that loses the carries, or adds them twice.
fn miscounted(suite: &mut Suite, carries: usize) {
    let frame = turn(fold(carries), carries);
    let bytes = frame.bytes();
    let (sum, _) = sum_of(&frame, &bytes);
    let high = (sum >> 16) as u16;
    suite.add(
        format!("fold-{carries}-lost"),
        "right only if the carries are not added back",
        FOLD,
        moved(&frame, &bytes, high),
    );
    suite.add(
        format!("fold-{carries}-twice"),
        "right only if the carries are added back twice",
        FOLD,
        moved(&frame, &bytes, high.wrapping_neg()),
    );
}

/// The header that a widely used receiver wrongly refuses; the flag `ChecksumFold` has the links.
fn broadcast(suite: &mut Suite) {
    let frame = Frame::v4().with_v4(|header| {
        header.set_source(0xC0A8_0101);
        header.set_destination(0xFFFF_FFFF);
    });
    for (tags, frame) in lanes(frame) {
        let id = format!("broadcast-tags-{tags}");
        suite.add(id, "192.168.1.1 to 255.255.255.255, sum 0x3fffc: right, refused by some", FOLD, frame.bytes());
    }
}

/// If the right checksum is 0, 0xFFFF is right too.
fn both_zeros(suite: &mut Suite) {
    let (sum, checksum) = sum_of(&Frame::v4(), &Frame::v4().bytes());
    assert!(sum & 0xFFFF != 0);
    let frame = Frame::v4().with_v4(|header| header.set_identification(header.identification().wrapping_add(checksum)));
    for value in [0x0000, 0xFFFF, 0x0001, 0xFFFE] {
        let frame = frame.clone().with(|frame| frame.ip_checksum = Some(value));
        let id = format!("zero-{value:04x}");
        suite.add(
            id,
            format!("checksum {value:#06x} where 0 is right; 0xffff is 0 too in ones' complement"),
            FOLD,
            frame.bytes(),
        );
    }
    for value in [0x0000, 0xFFFF] {
        let frame = Frame::v4().with(|frame| frame.ip_checksum = Some(value));
        suite.add(
            format!("not-zero-{value:04x}"),
            "a checksum of 0 does not mean that there is none",
            CORRUPTED,
            frame.bytes(),
        );
    }
}

fn bits(suite: &mut Suite) {
    for bit in 0..16 {
        let frame = turn(Frame::v4(), bit);
        let (_, checksum) = sum_of(&frame, &frame.bytes());
        let frame = frame.with(|frame| frame.ip_checksum = Some(checksum ^ 1 << bit));
        suite.add(format!("bit-{bit}"), "one bit of the checksum changed", CORRUPTED, frame.bytes());
    }
}

fn words(suite: &mut Suite) {
    for byte in 1..20 {
        let frame = turn(Frame::v4(), byte);
        let mut bytes = frame.bytes();
        bytes[frame.link_length() + byte] ^= 1 << (byte % 8);
        suite.add(format!("byte-{byte}"), "one bit of one header byte changed", CORRUPTED, bytes);
    }
    let mut swapped = Frame::v4().with_v4(|header| header.set_source(0x0A0B_0C0D)).bytes();
    swapped.swap(26, 28);
    swapped.swap(27, 29);
    suite.add("swapped-words", "two words swapped: the sum cannot tell", FOLD, swapped.clone());
    swapped.swap(26, 27);
    suite.add("swapped-bytes", "two bytes of a word swapped: the sum can tell", CORRUPTED, swapped);
}

fn options(suite: &mut Suite, rng: &mut SplitMix64) {
    for words in 1..=10 {
        let frame = turn(Frame::v4().with_options(rng.bytes(words * 4)), words);
        let ihl = words + 5;
        let mut bytes = frame.bytes();
        let right = aim(&["Options", "ChecksumFold"], &["R7", "R8"]);
        suite.add(format!("options-{ihl}"), format!("{words} words of options, right checksum"), right, bytes.clone());
        bytes[frame.link_length() + ihl * 4 - 1] ^= 0x10;
        let wrong = aim(&["Options", "Corrupted"], &["R8"]);
        suite.add(format!("options-{ihl}-last"), "one bit of the last option byte changed", wrong, bytes);
    }
}
