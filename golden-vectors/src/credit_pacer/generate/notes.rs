// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 6] = [
    ("BackToBack", "hazard", "Passes in consecutive cycles, also of one source."),
    ("FullLoad", "throughput", "Passes in every cycle in which one can enter."),
    ("Settings", "settings", "Settings that change, and from which cycle on."),
    ("Stall", "handshake", "Grants are stalled."),
    ("Sweep", "reset", "The first cycles after reset."),
    ("Unready", "handshake", "Demands and commands on the ports while they are not accepted."),
];
