// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the flags of the cases. These texts are part of the vector file.

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 40] = [
    ("Again", "sending", "Packets that are sent again."),
    ("Backoff", "nack", "Peers that have no room: nothing is sent for a time, and then one packet."),
    ("BackToBack", "hazard", "Operations in consecutive cycles, also of one PDC."),
    ("BadTime", "time", "Times of transmission from the future."),
    ("Bitmap", "ack", "ACKs with a bitmap."),
    ("Blocks", "ack", "Blocks of 64 PSNs: how many are visited, and in which order."),
    ("Closed", "refused", "Operations of PDCs that are not open."),
    ("Command", "command", "Commands, also such that cannot be done."),
    ("Cycles", "time", "Each clock cycle that the page states."),
    ("Deadline", "time", "Packets in each unit of time around a deadline."),
    ("Declared", "loss", "Packets that are declared lost."),
    ("Discarded", "command", "Packets that a close discards."),
    ("Empty", "refused", "A packet is to be sent again, and none is marked."),
    ("Example", "page", "An example of the page."),
    ("Failure", "loss", "PDCs with too many time-outs in a row."),
    ("Full", "refused", "The window has no room."),
    ("FullLoad", "throughput", "Operations in every cycle in which one can enter."),
    ("Inferred", "loss", "Losses that are inferred from ACKs of later packets."),
    ("Late", "ack", "Packets that are acknowledged while they are marked for retransmission."),
    ("Nack", "nack", "NACKs of packets in each state."),
    ("Open", "handshake", "As many events or outcomes as may be open."),
    ("Order", "order", "Operations that wait at the same time: their order."),
    ("Outside", "refused", "ACKs that say more than was sent, or are too old."),
    ("Passed", "ack", "Fields that are passed on."),
    ("PsnWrap", "wrap", "PSNs around 0."),
    ("Quiet", "state", "The output quiet."),
    ("Refused", "refused", "Operations and commands that must change nothing."),
    ("Reopened", "command", "PDCs that are opened again: nothing of their previous opening is left."),
    ("Repeated", "ack", "ACKs that come again, or late."),
    ("Settings", "settings", "Settings that change, and from which cycle on."),
    ("Stall", "handshake", "Outputs are stalled."),
    ("Sweep", "reset", "The first cycles after reset."),
    ("TailProbe", "loss", "The last packet of a window is sent again when no ACK comes."),
    ("Time", "time", "The time, and how fast it passes."),
    ("TimeOut", "loss", "Packets that are lost by time."),
    ("Total", "ack", "Numbers of received bytes."),
    ("Trigger", "time", "The packet that made the peer answer, and its age."),
    ("Unready", "handshake", "Operations and commands on the ports while they are not accepted."),
    ("Visible", "hazard", "Something in every cycle around the effect of something else."),
    ("Void", "refused", "NACKs and scans without effect."),
];

/// The flag of cases that are too long to be committed.
pub const WRAP: (&str, &str, &str) = ("Wrap", "wrap", "Times at the limits of their widths.");
