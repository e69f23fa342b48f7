// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

/// Flag, kind of fault that it finds, description.
pub const NOTES: [(&str, &str, &str); 9] = [
    ("Alone", "state", "A frame into an empty gate."),
    ("BackToBack", "hazard", "Frames in cycles in a row, a drop right behind a pass and the other way round."),
    ("Boundary", "off by one", "A number of beats, records or verdicts right at a limit, or one beside it."),
    ("FullLoad", "throughput", "A beat in every cycle, or nearly so."),
    ("Lead", "ordering", "Records ahead of their frames or behind them."),
    ("Long", "state", "Frames longer than the memory."),
    ("Overflow", "state", "Frames for which there is no room."),
    ("Stall", "handshake", "Consumers that are not ready."),
    ("Verdict", "decoding", "Values of tuser."),
];
