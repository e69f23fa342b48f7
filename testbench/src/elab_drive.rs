// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for both halves of ELAB: few pairs and ports, so that reports and operations meet on the same virtual paths.

use crate::palette_drive::PaletteDrive;
use crate::random::Random;
use crate::{Error, Ports};
use pipeline::elab::ElabSizes;

/// Ports of a pair: of every VP one, of some another.
fn sports(sizes: ElabSizes) -> impl Iterator<Item = u64> {
    let other = |vp: u64| [0xC000 | vp, if vp.is_multiple_of(3) { 0x8000 | vp } else { 0xC000 | vp }];
    (0..sizes.vps).flat_map(other)
}

/// For the sending half: VPs that come and go under load, reports of them, and some of others.
pub fn elab_scheduler_drive(ports: &Ports, sizes: ElabSizes, random: Random) -> Result<PaletteDrive, Error> {
    let rates = [0, 1, 255, 256, 5000, 0x1_0000, 0x2_8000, 0x3_0001, 0x40_0000, 0xFF_FFFF];
    PaletteDrive::new(ports, random)
        .palette("request_pair", 0..sizes.pairs)?
        .palette("report_pair", 0..sizes.pairs)?
        .palette("report_vp", sports(sizes))?
        .palette("report_count", [0, 1, 2, 7, 40, 300, 65_535])?
        .palette("report_ecn", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])?
        .palette("report_probed", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])?
        .palette("report_rate", rates.into_iter().chain([0x100_0000, 0xFFFF_FFFF]))?
        .palette("control_op", [0, 1, 1, 1, 1, 1, 2, 3])?
        .palette("control_pair", 0..sizes.pairs)?
        .palette("control_sport", sports(sizes))?
        .palette("control_bandwidth", rates)?
        .held("settings_alpha", [0, 77, 77, 77, 128, 255])?
        .held("settings_window", [0, 1, 2, 3, 8])?
        .held("settings_explore", [0, 1, 5, 30])?
        .held("settings_burst", [0, 1, 2, 10, 255])
}

/// For the receiving half: packets of few ports, bursts among them.
pub fn elab_feedback_drive(ports: &Ports, sizes: ElabSizes, random: Random) -> Result<PaletteDrive, Error> {
    PaletteDrive::new(ports, random)
        .palette("arrival_pair", 0..sizes.pairs)?
        .palette("arrival_sport", sports(sizes))?
        .palette("arrival_burst", [0, 0, 1, 2, 65_535])?
        .palette("ask_pair", 0..sizes.pairs)?
        .palette("control_pair", 0..sizes.pairs)?
        .held("settings_burst", [0, 2, 3, 10, 255])
}
