// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases with frames. These texts are part of the vector file.

use crate::receive::reorder::generate::notes;

/// Flags of cases with frames only: flag, kind of fault, description.
const OWN: [(&str, &str, &str); 15] = [
    ("AtOnce", "cells", "Cells that are taken and returned, for each reason, in one cycle."),
    ("Base", "limits", "The packet with the PSN of the base, to which quota and reserve do not apply."),
    ("Beats", "frames", "Frames of every length around full cells."),
    ("Boundary", "off by one", "A number of cells right at a limit, or one beside it."),
    ("Causes", "counters", "More than one condition for which a frame is refused."),
    ("Cut", "cells", "Frames for which cells do not last."),
    ("Long", "frames", "Jumbo frames, the longest that are stored, and longer ones."),
    ("Pauses", "handshake", "Cycles without a beat, within frames and between them."),
    ("Quota", "limits", "The quota of a connection, and which cells count for it in which cycle."),
    ("Refused", "cells", "Frames and commands that are refused: the cells of such frames are returned."),
    ("Reserve", "limits", "Cells that held packets leave free."),
    ("Settings", "limits", "Limits that change, those after reset, and tolerances that change."),
    ("Slots", "outcome", "Slots that are occupied by frames that are to be delivered."),
    ("Unready", "handshake", "Beats and commands on the ports while they are not accepted."),
    ("Whole", "cells", "A pool whose cells are all free again."),
];

/// Those of the cases that handles have too.
const COMMON: [&str; 23] = [
    "BackToBack",
    "Closed",
    "Command",
    "Connections",
    "Duplicate",
    "FullLoad",
    "FullWindow",
    "Gaps",
    "Limit",
    "Lost",
    "NoBuffer",
    "Orders",
    "Probe",
    "PsnWrap",
    "Reopened",
    "Stall",
    "Statistics",
    "Age",
    "Sweep",
    "Turns",
    "Tolerance",
    "Unknown",
    "Visible",
];

/// Flag, kind of fault, description.
pub fn notes() -> Vec<(&'static str, &'static str, &'static str)> {
    notes::NOTES.into_iter().filter(|(flag, ..)| COMMON.contains(flag)).chain(OWN).collect()
}
