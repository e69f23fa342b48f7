// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 21] = [
    ("Absent", "range", "Reports of VPs that are not present, or have another port."),
    ("Alpha", "arithmetic", "Shares of the newest rate."),
    ("BackToBack", "hazard", "Events on the same pair in cycles in a row: each must see what the one before has left."),
    ("Boundary", "off by one", "A count, a time or a cycle right at a limit, or one beside it."),
    ("Burst", "state", "Packets that go to one VP for a burst."),
    ("IgnoredTraffic", "decoding", "Among the others some requests and reports that must be refused without a trace."),
    ("Command", "state", "Operations, done or refused."),
    ("Dead", "ageing", "VPs on which packets are sent, and of which reports say nothing."),
    ("Empty", "arithmetic", "VPs of which nothing is left."),
    ("Explore", "ageing", "VPs that wait until they call."),
    ("FullLoad", "throughput", "A request and a report in every cycle, or nearly so."),
    ("HeldValid", "handshake", "Operations or reports that stand on the inputs while they are not accepted."),
    ("Interleaved", "hazard", "Pairs or VPs in turns: what belongs to one must not reach the other."),
    ("Reopened", "state", "A VP that comes once more: nothing of before may come back."),
    ("Indication", "decoding", "Marks and measured bursts."),
    ("NoSuchPair", "range", "The number of a pair that does not exist, where the port can carry one."),
    ("Rate", "arithmetic", "The rate of some packets in some time."),
    ("Settings", "state", "Settings at their limits, and ones that change while events are under way."),
    ("Sweep", "reset", "Events in the cycles behind reset in which the tables are swept."),
    ("Weight", "arithmetic", "The order in which VPs of some bandwidths are drawn."),
    ("Window", "ageing", "Reports that are gathered until a window has passed."),
];
