// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 28] = [
    ("Ahead", "credit", "Credit in advance of sources without demand."),
    ("BackToBack", "hazard", "Passes in consecutive cycles, also of one source."),
    ("BothQueues", "queue", "Sources that wait in both queues."),
    ("Burst", "rate", "What may be granted at once after a pause."),
    ("Closed", "refused", "Demands and takes of sources that are not open."),
    ("Command", "command", "Commands, also such that cannot be done."),
    ("CreditWrap", "wrap", "Credit numbers around 0."),
    ("Cycles", "time", "Each clock cycle that the page states."),
    ("Difference", "demand", "Targets at each distance from the one before."),
    ("Due", "queue", "Sources that are just due, or just not."),
    ("Example", "page", "The example of the page."),
    ("FullLoad", "throughput", "Passes in every cycle in which one can enter."),
    ("Idle", "queue", "Sources that are just idle, or just not."),
    ("Level", "rate", "The level at its limits, at 0, and just beside it."),
    ("Order", "order", "What waits at the same time: its order."),
    ("Quota", "credit", "Quotas of each size."),
    ("Rate", "rate", "Rates of each size."),
    ("Refused", "refused", "Commands that must change nothing."),
    ("Reopened", "command", "Sources that are closed and opened again while they wait."),
    ("Repeat", "credit", "Demands with `repeat`: the credit number is said again, though it has not grown."),
    ("Reset", "reset", "The next case begins with a reset while grants and sources wait."),
    ("RoundRobin", "order", "Sources that have demand get credit by turns."),
    ("Settings", "settings", "Settings that change, and from which cycle on."),
    ("Stale", "refused", "Demands with an old target."),
    ("Stall", "handshake", "Grants are stalled."),
    ("Sweep", "reset", "The first cycles after reset."),
    ("Unready", "handshake", "Demands and commands on the ports while they are not accepted."),
    ("Void", "refused", "Takes without a grant."),
];
