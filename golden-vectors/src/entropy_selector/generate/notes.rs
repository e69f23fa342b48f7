// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 28] = [
    ("BackToBack", "hazard", "Events on the same CCC in cycles in a row: each must see what the one before has left."),
    ("Boundary", "off by one", "A count or a cycle right at a limit, or one beside it."),
    ("IgnoredTraffic", "decoding", "Among the others some requests and feedback that must be refused without a trace."),
    ("ClosedCcc", "state", "Requests or feedback for a CCC that is not open."),
    ("Command", "state", "Operations while requests and feedback go on."),
    ("Dropped", "hazard", "Feedback in the very cycle in which a penalty is to go down, or beside it."),
    ("Egress", "configuration", "EVs dealt out to more egress ports than one."),
    ("Epoch", "ageing", "Marks renewed or looked at about the change of an epoch."),
    ("Frozen", "state", "A ring that gives its EVs again and again, and the end of that."),
    ("FullLoad", "throughput", "A request and a feedback in every cycle."),
    ("HeldValid", "handshake", "Operations stand on the inputs while they are not accepted."),
    ("Idle", "ageing", "A CCC without events for so long that a short number of the epoch has come round."),
    ("Interleaved", "hazard", "CCCs in turns at every distance: what belongs to one must not reach the other."),
    ("Kind", "decoding", "Each kind of feedback."),
    ("Reopened", "state", "A CCC closed and opened again, perhaps in another mode: nothing of before may come back."),
    ("Mode", "configuration", "Modes that the stage is built with and others, and CCCs of different modes."),
    ("NoSuchCcc", "range", "The number of a CCC that does not exist, where the port can carry one."),
    ("OutOfRange", "range", "Feedback on an EV that does not exist."),
    ("Penalty", "arithmetic", "Penalties of EVs: what adds to them, what takes off, and where they stop."),
    ("Ring", "hazard", "EVs written into a ring and taken from it, while the other is under way, and when it is full."),
    ("Rod", "state", "A CCC that must not regard feedback."),
    ("Round", "arithmetic", "The EV space comes round, and its order changes."),
    ("Saturated", "arithmetic", "About as many marks as `limit`, or all EVs marked."),
    ("Settings", "state", "Settings that change while events are under way, and ones outside their range."),
    ("Space", "range", "An EV space smaller than the largest, and one that changes while events are under way."),
    ("Sparse", "search", "All EVs marked but one or two, which are far away or just behind."),
    ("Sweep", "reset", "Events in the cycles behind reset in which the table is swept."),
    ("Timer", "off by one", "Times of 64 cycles, about the one in which something is due."),
];
