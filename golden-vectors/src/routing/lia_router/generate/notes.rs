// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 22] = [
    ("BackToBack", "hazard", "Events of one group in consecutive cycles and in the same cycle."),
    ("Bias", "decision", "Weighted occupancies that differ by the bias, and by one more or less."),
    ("Command", "command", "Commands, also such that cannot be done."),
    ("Corrected", "decision", "Occupancies with and without what is in flight."),
    ("Draw", "random", "Links and switches that are drawn, with each seed."),
    ("Edge", "time", "An event in each cycle around a sweep or an interval."),
    ("FirstHop", "rule", "The first local hop: loads of own links around the threshold, and their number."),
    ("FullLoad", "throughput", "A packet and an event of each kind in every cycle."),
    ("Interval", "time", "Intervals of some sweeps."),
    ("Level", "rule", "Loads at the limits of levels, and one beside them."),
    ("Local", "path", "Packets for the own group."),
    ("Negative", "order", "Flits that leave before they have entered."),
    ("OwnLinks", "rule", "Own links that lead to the destination, some or all of them."),
    ("Path", "path", "Paths to every group from every switch."),
    ("Place", "command", "The switch is placed anew, under load."),
    ("Reset", "reset", "The next case begins with a reset under load."),
    ("Saturated", "limit", "Extended counters beyond the largest number."),
    ("SecondHop", "rule", "The second local hop: loads of remote links around the threshold."),
    ("Settings", "settings", "Settings that change, and from which cycle on."),
    ("Unknown", "refused", "Groups, switches and ports that do not exist."),
    ("Weight", "counter", "Weights of queued flits, of each size."),
    ("Wrap", "wrap", "Counters around 0."),
];
