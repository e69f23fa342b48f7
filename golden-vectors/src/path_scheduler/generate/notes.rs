// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 20] = [
    ("BackToBack", "hazard", "Events on the same QP in cycles in a row: each must see what the one before has left."),
    ("Boundary", "off by one", "A count or a cycle right at a limit, or one beside it."),
    ("IgnoredTraffic", "decoding", "Among the others some requests and feedback that must be refused without a trace."),
    ("Command", "state", "Operations, done or refused."),
    ("Draw", "arithmetic", "The order in which sub-paths of some weights are drawn."),
    ("Failing", "state", "Sub-paths that fail, until none is left."),
    ("Flowlet", "ageing", "Pauses about as long as the time behind which a flowlet ends."),
    ("FullLoad", "throughput", "A request and a feedback in every cycle, or nearly so."),
    ("Granularity", "configuration", "Granularities, also one behind the other on the same QP."),
    ("HeldValid", "handshake", "Operations or feedback that stand on the inputs while they are not accepted."),
    ("InFlight", "arithmetic", "The number of packets in flight, and what depends on it."),
    ("Interleaved", "hazard", "QPs in turns: what belongs to one must not reach the other."),
    ("Kind", "decoding", "Each kind of feedback."),
    ("Reopened", "state", "A QP or a sub-path that comes once more: nothing of before may come back."),
    ("NoSuchQp", "range", "The number of a QP that does not exist, where the port can carry one."),
    ("OutOfRange", "range", "Sub-paths that cannot exist."),
    ("Probe", "decoding", "Packets on a sub-path that is named."),
    ("Psn", "arithmetic", "The numbers of packets, also where they begin again."),
    ("Settings", "state", "Settings at their limits, and ones that change while events are under way."),
    ("Sweep", "reset", "Events in the cycles behind reset in which the tables are swept."),
];
