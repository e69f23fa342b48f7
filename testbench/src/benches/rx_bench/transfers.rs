// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes into a receive path and comes out of it beside frames, by the names of its ports.

/// A command, by the names of its ports.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The code: 0 read, 1 open, 2 close.
    pub op: u64,
    /// The number of the connection.
    pub connection: u64,
    /// The key by which packets find it.
    pub key: u64,
    /// The first PSN.
    pub psn: u64,
    /// UET: packets of both directions find it.
    pub bidirectional: bool,
    /// RoCEv2: multipath is on.
    pub multipath: bool,
    /// RoCEv2: the QP to which answers go.
    pub peer: u64,
}

impl Command {
    /// Reads the state of a connection.
    pub const fn read(connection: u64) -> Self {
        Command { op: 0, connection, key: 0, psn: 0, bidirectional: false, multipath: false, peer: 0 }
    }

    /// Closes a connection.
    pub const fn close(connection: u64) -> Self {
        Command { op: 2, ..Command::read(connection) }
    }
}

/// The response to a command.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    /// The command was done.
    pub done: bool,
    /// Open: the key has a connection already, or there is no room for it.
    pub key_refused: bool,
    /// The expected PSN.
    pub expected: u64,
    /// The number of packets received behind it.
    pub held: u64,
    /// The number of packets that have been overtaken.
    pub reordered: u64,
    /// The largest number of packets held.
    pub depth: u64,
    /// The connection owes an ACK.
    pub owes: bool,
}

/// A packet on the ports `delivery`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The number of its connection.
    pub connection: u64,
    /// Its PSN.
    pub psn: u64,
    /// The number of its frame.
    pub handle: u64,
}

/// What stands beside a header record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
    /// The packet has its place in the order of a connection.
    pub in_sequence: bool,
    /// There is a connection with its key.
    pub found: bool,
    /// The number of that connection.
    pub connection: u64,
    /// The number of the frame.
    pub handle: u64,
}
