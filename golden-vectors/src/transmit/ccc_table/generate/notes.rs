// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 35] = [
    ("Adjustment", "window", "Changes of the window that need a division, 64 cycles later."),
    ("BackToBack", "hazard", "Events in consecutive cycles, also of one CCC."),
    ("Bits", "settings", "Each bit of the settings."),
    ("Blocked", "turns", "CCCs that could not send in their turn."),
    ("Classes", "turns", "Several classes of grants."),
    ("Closed", "counts", "Events of CCCs that are not open."),
    ("Command", "command", "Commands, also such that cannot be done."),
    ("Credit", "credit", "Credit of the receiver, and what is asked of it."),
    ("Deadline", "time", "Events in each unit around a deadline."),
    ("Decrease", "window", "Decreases by the filtered delay."),
    ("FastIncrease", "window", "Fast increase: where it begins, goes on, and ends."),
    ("Full", "turns", "As many takes as may be open."),
    ("FullLoad", "throughput", "Events in every cycle."),
    ("Link", "settings", "The settings of links from 100 to 800 Gb/s."),
    ("Nack", "window", "NACKs with each kind of reason."),
    ("Negative", "counts", "Bytes in flight below 0, and what is left with no packet in flight."),
    ("Order", "order", "Events that wait at the same time: their order."),
    ("Penalty", "window", "The receiver's penalty."),
    ("Quadrant", "window", "The four combinations of mark and delay, at their bounds."),
    ("QuickAdapt", "window", "Quick adapt: what fires it, and what does not."),
    ("Refused", "refused", "Events and commands that must change nothing."),
    ("Reopened", "command", "CCCs that are opened again: nothing of their previous opening is left."),
    ("Restore", "window", "The window before a penalty comes back."),
    ("Sample", "time", "RTTs that can be used, and that cannot."),
    ("Settings", "settings", "Settings that change, and from which cycle on."),
    ("Short", "counts", "More is sent than was known to wait."),
    ("Stall", "handshake", "The output is stalled."),
    ("State", "state", "IDLE, PENDING, ACTIVE and READY."),
    ("Swallowed", "window", "What quick adapt swallows."),
    ("Sweep", "reset", "The first cycles after reset."),
    ("TimeWrap", "time", "Times that wrap."),
    ("Turn", "turns", "Turns, takes and grants."),
    ("Unready", "handshake", "Events and commands on the ports while they are not accepted."),
    ("Visible", "hazard", "Something in every cycle around the effect of something else."),
    ("Void", "window", "Adjustments that come too late."),
];

/// The flag of cases that are too long to be committed.
pub const WRAP: (&str, &str, &str) = ("Wrap", "wrap", "Counts at the limits of their widths.");
