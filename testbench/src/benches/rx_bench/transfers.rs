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
    /// Who may speak to it; anyone if it is not given.
    pub ends: Option<Endpoints>,
}

/// The ends of a connection, by the names of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// The addresses are IPv6.
    pub ipv6: bool,
    /// The address of the peer; IPv4 has the lowest 32 bits.
    pub peer_ip: u128,
    /// The address of this end, likewise.
    pub local_ip: u128,
    /// The P_Key, or the PDC identifier at the peer.
    pub context: u16,
}

impl Endpoints {
    /// The ports of a command with their values. IPv4 has the first word only: what the others are does not matter.
    fn ports(self) -> impl Iterator<Item = (String, u64)> {
        let words = |name: &'static str, address: u128| {
            let word = move |i: u32| {
                if self.ipv6 { (address >> (96 - 32 * i)) as u32 } else { (address as u32).rotate_left(i) }
            };
            (0..4).map(move |i| (format!("{name}_{i}"), u64::from(word(i))))
        };
        let context = ["pkey", "remote_pdcid"].map(|name| (name.to_owned(), self.context.into()));
        let ips = words("peer_ip", self.peer_ip).chain(words("local_ip", self.local_ip));
        ips.chain(context).chain([("ipv6".to_owned(), self.ipv6.into())])
    }

    /// The same for a connection with these ends, or one that anyone may speak to. Answers of RoCEv2 have the P_Key.
    pub(super) fn fields(ends: Option<Self>) -> Vec<(String, u64)> {
        match ends {
            Some(ends) => ends.ports().collect(),
            None => vec![("any_peer".to_owned(), 1), ("pkey".to_owned(), DEFAULT_PKEY)],
        }
    }
}

/// The P_Key of the default partition, a full member.
const DEFAULT_PKEY: u64 = 0xFFFF;

impl Command {
    /// Reads the state of a connection.
    pub const fn read(connection: u64) -> Self {
        Command { op: 0, connection, key: 0, psn: 0, bidirectional: false, multipath: false, peer: 0, ends: None }
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
    /// RoCEv2: why a request was refused, and its PSN; 0 where requests are not checked.
    pub refused: (u64, u64),
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

/// A frame on the ports `undelivered`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// The number of its connection.
    pub connection: u64,
    /// The number of the frame.
    pub handle: u64,
    /// Why it is not delivered.
    pub cause: u64,
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
