// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 28] = [
    ("BackToBack", "hazard", "Events on the same QP in cycles in a row: each must see what the one before has left."),
    ("Boundary", "off by one", "A count or a cycle right at a limit, or one beside it."),
    ("IgnoredTraffic", "decoding", "Among the others some requests and feedback that must be refused without a trace."),
    ("Command", "state", "Commands, done or refused."),
    ("Delay", "arithmetic", "Packets whose RTT is above the limit, or beside it."),
    ("Draw", "arithmetic", "The order in which sub-paths of some weights are drawn."),
    ("Entropy", "state", "Entropies of sub-paths, also such that change."),
    ("Event", "handshake", "What software is told of the sub-paths of a QP."),
    ("Failing", "state", "Sub-paths that fail, until none is left."),
    ("Flowlet", "ageing", "Pauses about as long as the flowlet time."),
    ("Following", "arithmetic", "Windows that follow marks."),
    ("FullLoad", "throughput", "A request and a feedback in every cycle, or nearly so."),
    ("Granularity", "configuration", "Granularities, also one behind the other on the same QP."),
    ("HeldValid", "handshake", "Operations or feedback that stand on the inputs while they are not accepted."),
    ("InFlight", "arithmetic", "The number of packets in flight, and what depends on it."),
    ("Interleaved", "hazard", "QPs in turns: what belongs to one must not reach the other."),
    ("Kind", "decoding", "Each kind of feedback."),
    ("Reopened", "state", "A QP or a sub-path that comes once more: nothing of before may come back."),
    ("Migration", "state", "Sub-paths that stay congested, and what leaves them."),
    ("NoSuchQp", "range", "The number of a QP that does not exist, where the port can carry one."),
    ("OutOfRange", "range", "Sub-paths that cannot exist."),
    ("Probe", "decoding", "Packets on a sub-path that is named."),
    ("Psn", "arithmetic", "The numbers of packets, also where they begin again."),
    ("Settings", "state", "Settings at their limits, and ones that change while events are under way."),
    ("Steps", "ageing", "Marks within an RTT, which are one step."),
    ("Sweep", "reset", "Events in the cycles behind reset in which the tables are swept."),
    ("Switch", "decoding", "When a packet says that its sender has switched."),
    ("Window", "arithmetic", "Sub-paths with as many packets in flight as they may have."),
];
