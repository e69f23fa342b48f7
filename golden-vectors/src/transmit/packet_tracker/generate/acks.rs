// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ACKs release, and how long it takes (D11 to D14).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Shape};
use crate::transmit::packet_tracker::script::Script;
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES.into_iter().chain([shapes::ROCE, shapes::FOUR_BLOCKS]) {
        suite.group("acks", "what ACKs release, and in how many clock cycles", shape, None);
        cumulative(suite, shape);
        bitmaps(suite, shape);
        parts(suite, shape);
        repeated(suite, shape);
    }
    for shape in shapes::BLOCKS {
        suite.group("bounds", "ACKs at the bounds of what they may say, and around PSN 0", shape, None);
        bounds(suite, shape);
        bits(suite, shape);
        offsets(suite, shape);
        whole(suite, shape);
        wraps(suite, shape);
    }
}

/// A window that begins so many PSNs before the end of a block, with so many packets.
fn filled(shape: Shape, before: u64, packets: u64) -> Script {
    let mut script = Script::opened(shape, 640 - before);
    script.packets(0, packets);
    script.drain();
    script
}

/// Cumulative ACKs of one packet and of many, within a block and over its end.
fn cumulative(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 5, 30);
    for (n, psn) in [0, 1, 3, 0, 9, 4].into_iter().enumerate() {
        script.seen(script.ack_of(0, script.psn(0, psn)));
        if n % 2 == 0 {
            script.packets(0, 3);
        }
    }
    // Back to back.
    script.packets(0, 10);
    for _ in 0..3 {
        script.offer_ack(script.ack_of(0, script.psn(0, 0)));
        script.offer_ack(script.ack_of(0, script.psn(0, 4)));
    }
    script.accepted();
    script.drain();
    script.read(0);
    let rows = aim(&["Blocks"], &["D1", "D11", "D12", "D13", "D14", "D17", "D26", "D27"]);
    suite.add("cumulative", "cumulative ACKs of one packet and of many", rows, script);
}

/// Bitmaps that name packets of one block and of two, alone and behind a cumulative part.
fn bitmaps(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Blocks", "Bitmap"], &["D11", "D12", "D13", "D14", "D17"]);
    let bitmaps = [1_u64, 0b1011 << 3, 0xFF00, 1 << 40, 0x8000_0000_0000_0001 >> 20 << 1, (1 << 44) - 2];
    for before in [1, 24, 64] {
        let mut script = filled(shape, before, 50);
        for sack in bitmaps {
            script.seen(script.sack_of(0, 1, sack));
        }
        script.seen(script.ack_of(0, script.psn(0, 2)));
        for (psn, sack) in [(3, 0b1011), (5, 0b11 << 20), (9, 1 << 30 | 1)] {
            let ack = script.ack_of(0, script.psn(0, psn));
            script.seen(Ack { sack_offset: 1, sack, ..ack });
        }
        suite.add(format!("bitmaps-{before}"), "bitmaps of one block and of two", rows, script);
    }
}

/// Each number of visits of the two parts: blocks in both, in one of them, with nothing to release in some of them.
fn parts(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 2, 60);
    // Only the bitmap, in the second block of the window, then the first block alone, then both in both parts.
    for (psn, first, sack) in [(-1, 2, 1), (-1, 0, 1), (0, 10, 1), (0, 1, 0b11), (3, 2, 0b111), (3, 30, 1 << 9 | 1)] {
        let ack = script.ack_of(0, script.psn(0, psn));
        script.seen(Ack { sack_offset: first - psn as i16, sack, ..ack });
    }
    // Bits that only name what is acknowledged cumulatively: there is no second part.
    let ack = script.ack_of(0, script.psn(0, 6));
    script.seen(Ack { sack_offset: -70, sack: u64::MAX, ..ack });
    let rows = aim(&["Blocks", "Bitmap"], &["D11", "D12", "D13"]);
    suite.add("parts", "blocks in the cumulative part, in that of the bitmap, and in both", rows, script);
}

/// The same ACK again, with nothing new; older ones; and packets that come late after their NACK.
fn repeated(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 30, 40);
    let ack = Ack { sack_offset: 4, sack: 0x3F0, ..script.ack_of(0, script.psn(0, 7)) };
    let old = script.ack_of(0, script.psn(0, 3));
    script.seen(ack);
    script.seen(ack);
    script.seen(old);
    for offset in [0, 1, 20] {
        script.ack(script.nack_of(0, script.psn(0, offset), 0x1A));
    }
    script.seen(Ack { triggered: false, ..old });
    // One of those in the cumulative part, one in the bitmap.
    let ack = script.ack_of(0, script.psn(0, 0));
    script.seen(Ack { sack_offset: 1, sack: 1 << 19, ..ack });
    script.seen(Ack { sack_offset: 1, sack: 1 << 19, ..ack });
    script.again(0, 1);
    script.drain();
    script.read(0);
    let rows = aim(&["Repeated", "Late"], &["D11", "D12", "D13", "D14", "D17", "D27", "U22"]);
    suite.add("repeated", "ACKs that repeat, and packets acknowledged while they are marked", rows, script);
}

/// D11: *a* at its bounds.
fn bounds(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 3, 7);
    let window = shape.window as i64;
    let half = 1 << (shape.psn_bits - 1);
    for psn in [7, 8, 64, half, half - 1, half + 1, -window - 2, -window - 1, -window, -2, -1] {
        script.seen(script.ack_of(0, script.psn(0, psn)));
    }
    script.seen(script.ack_of(0, script.psn(0, 6)));
    // Nothing is in flight.
    for psn in [-1, 0, -2, 3] {
        script.seen(script.ack_of(0, script.psn(0, psn)));
    }
    let rows = aim(&["Outside", "Repeated"], &["D11", "D14", "D31"]);
    suite.add("bounds", "ACKs of what was sent, was not sent, and was acknowledged long ago", rows, script);
}

/// D11: *o* of a bit at its bounds, with ACKs that are new, repeated and old.
fn bits(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 3, 20);
    for psn in [-1, 0, 2, -9] {
        // The last packet that was sent, one more, and both; below the base; and far from it.
        for (first, sack) in [(15, 1), (16, 1), (14, 0b101), (-3, 1), (-3, 0b10_0001), (-64, u64::MAX), (-60, 1 << 63)]
        {
            let ack = script.ack_of(0, script.psn(0, psn));
            script.ack(Ack { sack_offset: first - psn as i16, sack, ..ack });
            script.drain();
        }
        script.read(0);
    }
    let rows = aim(&["Outside", "Bitmap"], &["D11", "D12", "D31"]);
    suite.add("bits", "bits of what was sent, was not sent, and is behind the base", rows, script);
}

/// `sack_offset` and `trigger_offset` are signed.
fn offsets(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 40, 30);
    for offset in [i16::MIN, i16::MIN + 1, -63, -1, 0, i16::MAX, i16::MAX - 1] {
        let ack = script.ack_of(0, script.psn(0, 5));
        script.seen(Ack { sack_offset: offset, sack: u64::from(offset < 0) << 63, trigger_offset: offset, ..ack });
    }
    // The trigger is below the cumulative one, above it, or not released.
    for (offset, sack) in [(-1, 0), (0, 0), (3, 1 << 2), (4, 1 << 2), (3, 1 << 2)] {
        let ack = script.ack_of(0, script.psn(0, 1));
        script.seen(Ack { sack_offset: 1, sack, trigger_offset: offset, ..ack });
    }
    let rows = aim(&["Bitmap", "Trigger"], &["D11", "D16"]);
    suite.add("offsets", "offsets of the bitmap and of the trigger with either sign", rows, script);
}

/// A whole window with one ACK, and with a bitmap behind it; then all of it with bitmaps, from behind.
fn whole(suite: &mut Suite, shape: Shape) {
    for before in if shape.window > 128 { vec![17] } else { vec![64, 17] } {
        let window = shape.window as i64;
        let mut script = filled(shape, before, shape.window);
        script.seen(script.ack_of(0, script.psn(0, window - 1)));
        script.packets(0, shape.window);
        for far in (0..window / 64).rev() {
            script.ack(Ack { ..script.sack_of(0, 64 * far as i16, u64::MAX) });
        }
        script.drain();
        // All are acknowledged, and the base has not moved: visits of all blocks without a read.
        script.seen(script.ack_of(0, script.psn(0, window - 1)));
        let rows = aim(&["Blocks", "FullLoad"], &["D11", "D12", "D13", "D14"]);
        suite.add(format!("whole-{before}"), "a whole window with one ACK, and with bitmaps", rows, script);
    }
}

/// PSNs around 0: base, next, cumulative ACK, bitmap, NACK and *again* on either side of it.
fn wraps(suite: &mut Suite, shape: Shape) {
    for before in [1, 3, 64, 70] {
        let mut script = Script::opened(shape, shape.psn(0_u64.wrapping_sub(before)));
        let start = script.base(0);
        script.packets(0, 64);
        let psn = |n: u64| shape.psn(start + n);
        for n in [before - 1, before, before + 1] {
            script.ack(script.nack_of(0, psn(n % 64), 0x0D));
        }
        script.drain();
        script.seen(script.sack_of(0, (before % 64) as i16 - 1, 0b100_1001));
        script.again(0, 4);
        script.again(0, 5);
        script.drain();
        script.seen(script.ack_of(0, psn(before / 2)));
        script.seen(Ack { sack_offset: 3, sack: 0b101, ..script.ack_of(0, psn(before.min(50) + 2)) });
        script.seen(script.ack_of(0, psn(63)));
        script.packets(0, 2);
        script.drain();
        script.read(0);
        let rows = aim(&["PsnWrap", "Blocks"], &["D6", "D7", "D8", "D11", "D12", "D14", "D18"]);
        suite.add(format!("wraps-{before}"), "windows with PSN 0 in them", rows, script);
    }
}
