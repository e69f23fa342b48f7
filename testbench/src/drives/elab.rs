// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic for both ELAB stages. It uses few pairs and ports, so that reports and operations meet on the same
//! virtual paths.

use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::drives::constrained::ConstrainedDrive;
use pipeline::elab::ElabSizes;

/// Source ports of a pair: one of each VP, and further ports of some VPs.
fn sports(sizes: ElabSizes) -> impl Iterator<Item = u64> {
    let other = |vp: u64| [0xC000 | vp, if vp.is_multiple_of(3) { 0x8000 | vp } else { 0xC000 | vp }];
    (0..sizes.vps).flat_map(other)
}

/// Traffic for the sending stage: VPs are added and removed under load, with reports for them and some reports for
/// others.
pub fn elab_scheduler_drive(ports: &Ports, sizes: ElabSizes, random: Random) -> Result<ConstrainedDrive, Error> {
    let rates = [0, 1, 255, 256, 5000, 0x1_0000, 0x2_8000, 0x3_0001, 0x40_0000, 0xFF_FFFF];
    ConstrainedDrive::new(ports, random)
        .value_set("request_pair", 0..sizes.pairs)?
        .value_set("request_empty", [0, 0, 0, 1])?
        .value_set("report_pair", 0..sizes.pairs)?
        .value_set("report_vp", sports(sizes))?
        .value_set("report_count", [0, 0, 0, 1, 2, 7, 40, 300, 65_535])?
        .value_set("report_ecn", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])?
        .value_set("report_probed", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])?
        .value_set("report_rate", rates.into_iter().chain([0x100_0000, 0xFFFF_FFFF]))?
        .value_set("command_op", [0, 1, 1, 1, 1, 1, 2, 3])?
        .value_set("command_pair", 0..sizes.pairs)?
        .value_set("command_sport", sports(sizes))?
        .value_set("command_bandwidth", rates)?
        .held("settings_alpha", [0, 77, 77, 77, 128, 255])?
        .held("settings_window", [0, 1, 2, 3, 8])?
        .held("settings_explore", [0, 1, 5, 30])?
        .held("settings_burst", [0, 1, 2, 10, 65_535])?
        .held("settings_silence", [0, 1, 4, 4, 9, 40])
}

/// Traffic for the receiving stage: packets of few ports, some of them in bursts. Sometimes no query comes for long, or
/// no pair that is due is taken.
pub fn elab_feedback_drive(ports: &Ports, sizes: ElabSizes, random: Random) -> Result<ConstrainedDrive, Error> {
    ConstrainedDrive::new(ports, random)
        .value_set("arrival_pair", 0..sizes.pairs)?
        .value_set("arrival_sport", sports(sizes))?
        .value_set("arrival_burst", [0, 0, 1, 2, 65_535])?
        .value_set("query_pair", 0..sizes.pairs)?
        .value_set("command_pair", 0..sizes.pairs)?
        .held("settings_burst", [0, 2, 3, 10, 65_535])?
        .held("settings_report_time", [0, 1, 2, 9, 40, 40, 300, 300, 0x80_0000])?
        .value_set("due_ready", [0, 1, 1])
}
