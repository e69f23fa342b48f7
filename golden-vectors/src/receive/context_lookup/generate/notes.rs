// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 11] = [
    ("Kinds", "key", "Keys with equal bits under different kinds, and kinds that are not included."),
    (
        "NearKey",
        "key",
        "Keys that differ from a stored one in few bits: one, or those that leave it in the same row of a sub-table.",
    ),
    ("BackToBack", "hazard", "Look-ups in consecutive cycles, also of one key."),
    ("Sweep", "reset", "Look-ups and commands while the table is emptied after reset."),
    ("Visible", "hazard", "Look-ups of a key in every cycle before and behind its command takes effect."),
    ("Moved", "hazard", "Look-ups of a key in every cycle while it is moved from place to place."),
    (
        "Refused",
        "command",
        "Commands that must change nothing: no such key, present already, no such kind, no code, full.",
    ),
    ("Ready", "handshake", "Commands in the first cycle in which they are accepted, and held on the port before."),
    ("Chain", "placement", "Placements of a certain number of rounds, up to the limit."),
    ("Stash", "placement", "The stash: its limit, its order, and removal from its front, its middle and its back."),
    ("FullLoad", "throughput", "Random look-ups and commands while the table fills up to 97 % of its rows."),
];
