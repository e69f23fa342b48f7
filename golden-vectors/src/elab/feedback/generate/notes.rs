// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 21] = [
    ("BackToBack", "hazard", "Events on the same pair in cycles in a row: each must see what the one before has left."),
    ("Boundary", "off by one", "A count or a cycle right at a limit, or one beside it."),
    ("Burst", "state", "Packets of bursts, until these have a result."),
    ("IgnoredTraffic", "decoding", "Among the others some arrivals and queries that must be refused without a trace."),
    ("Count", "arithmetic", "Packets since the last report."),
    ("Due", "state", "Pairs that wait for a report of their own."),
    ("Empty", "state", "Queries for a pair of which no VP is known."),
    ("Forget", "state", "Pairs that are forgotten."),
    ("FullLoad", "throughput", "An arrival and a query in every cycle, or nearly so."),
    ("HeldValid", "handshake", "Operations or arrivals that stand on the inputs while they are not accepted."),
    ("Interleaved", "hazard", "Pairs or VPs in turns: what belongs to one must not reach the other."),
    ("Interrupted", "state", "Bursts that end before they are complete."),
    ("Reopened", "state", "A VP that is known once more: nothing of before may come back."),
    ("Mark", "decoding", "Packets that are marked."),
    ("NewPort", "state", "A VP that takes the place of another."),
    ("NoSuchPair", "range", "The number of a pair that does not exist, where the port can carry one."),
    ("Rate", "arithmetic", "The rate of some packets in some time."),
    ("Settings", "state", "Settings at their limits, and ones that change while events are under way."),
    ("Stall", "handshake", "The output `due` is not ready for some cycles."),
    ("Sweep", "reset", "Events in the cycles behind reset in which the tables are swept."),
    ("Turns", "state", "Which VP is reported next."),
];
