// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 29] = [
    ("BackToBack", "hazard", "Arrivals in consecutive cycles, also of one connection."),
    ("Class", "class", "A line of the table of classes."),
    ("Command", "command", "Open, close and read, also such that cannot be done."),
    ("Connections", "turns", "Several connections at a time."),
    ("Delay", "fields", "One-way delays and service times, at their limits."),
    ("Event", "events", "Gaps that are reported: filled by then, in part, or not."),
    ("Flowlet", "fields", "The flowlet that an ACK gives back, with and without a gap."),
    ("Full", "replies", "Replies when there is no room for them, or room for one."),
    ("FullLoad", "throughput", "Random traffic of several connections."),
    ("Inferred", "events", "NACKs for each PSN of a gap."),
    ("Kind", "fields", "ACK and ACK_CC."),
    ("Messages", "fields", "The number of messages when packets wait for others."),
    ("Nak", "class", "One NAK per gap, receiver not ready, and invalid requests."),
    ("NoRoom", "class", "Packets for which there is no buffer, or no room before, and how often that is said."),
    ("Offset", "fields", "Offsets from the cumulative PSN, at their limits."),
    ("PsnWrap", "wrap", "PSNs that wrap to 0."),
    ("Refused", "command", "Commands that must change nothing."),
    ("Reopened", "command", "Connections that are opened again: nothing of their previous opening is left."),
    ("Reply", "replies", "Answers to single packets."),
    ("Settings", "settings", "Settings that change in each cycle, and those after reset."),
    ("Stall", "handshake", "The output is stalled, and what is due merges."),
    ("Sweep", "reset", "Arrivals, commands and visits in the first cycles after reset."),
    ("Timer", "timer", "ACKs that become due by time, and what meets them."),
    ("Trigger", "fields", "The packet whose path or EV is given back: the latest marked one, or the latest one."),
    ("Trimmed", "class", "Trimmed packets."),
    ("Turns", "turns", "Replies and due connections in turn."),
    ("Unready", "handshake", "Events and commands on the ports while they are not accepted."),
    ("Urgent", "coalescing", "What is acknowledged at once, and what is not."),
    ("Visible", "hazard", "Something in every cycle around the effect of something else."),
];

/// The flag of cases that are too long to be committed.
pub const WRAP: (&str, &str, &str) = ("Wrap", "wrap", "Numbers that wrap after many events.");
