// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 2: frames of 128 KiB and more, which a sender that does not stop makes.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::padded::{LIMIT, padded};
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;

/// Adds the group `long`: lengths around the limit, and one at which a counter of 17 bits has wrapped.
pub fn add(suite: &mut Suite) {
    suite.group("long", "frames a byte and a beat of every width shorter and longer than the first that is too long");
    let beats = [128, 64, 32, 16, 8];
    let shorter = beats.into_iter().chain([1]).map(|less| LIMIT - less);
    let longer = [0, 1].into_iter().chain(beats.into_iter().rev()).map(|more| LIMIT + more);
    let limit = aim(&["Long", "Boundary", "Padding"], &["R2", "R16"]);
    for (at, length) in shorter.chain(longer).enumerate() {
        let base = if at % 2 == 0 { Frame::v4() } else { Frame::v6() };
        let comment = format!("{length} bytes, all but the first of them padding");
        suite.add(format!("{length}"), comment, limit, padded(&turn(base, at), length));
    }
    // A byte counter of 17 bits that wraps would show 60 bytes.
    let twice = 2 * LIMIT + 60;
    suite.add(
        format!("{twice}"),
        "60 bytes more than twice the limit",
        aim(&["Long"], &["R2"]),
        padded(&Frame::v4(), twice),
    );
    let precedes = &["Long", "Precedence"];
    suite.add_bad("marked", "too long, and marked bad", aim(precedes, &["R1", "R2"]), padded(&Frame::v4(), LIMIT));
    let wrong = Frame::v4().with(|frame| frame.ip_checksum = Some(1));
    suite.add("checksum", "too long, and a wrong checksum", aim(precedes, &["R2", "R8"]), padded(&wrong, LIMIT + 1));
    suite.add("after", "a good frame behind them", aim(&["StaleState"], &["R16"]), Frame::v4().bytes());
}
