// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ5: every kind of packet with the sizes around the path MTU and around 0, for every path MTU.

use super::Case;
use crate::receive::request_check::oracle::Packet;
use crate::receive::request_check::packets::{MTUS, Place, message, operation, packet, send};
use crate::receive::request_check::script::Script;

/// A packet of this size in its place, and what is needed around it so that only its size can be wrong.
fn sized(place: Place, is_write: bool, mtu: u64, length: u64) -> Vec<Packet> {
    let first = |announced| packet(is_write, Place::First, mtu, announced);
    let this = |announced| packet(is_write, place, length, announced);
    let last = packet(is_write, Place::Last, 7, 0);
    match place {
        Place::First => vec![this(length.max(mtu) + 7), last],
        Place::Middle => vec![first(mtu + length + 7), this(0), last],
        // The announced length is more than a packet, also if the last one has nothing.
        Place::Last => vec![first(mtu + length.max(1)), this(0)],
        Place::Only => vec![this(length)],
    }
}

/// The sizes at the limits, each on a connection that is opened anew.
fn limits(window: u64, mtu: u64, place: Place, is_write: bool) -> Case {
    let mut script = Script::new(window);
    let mut psn = 10;
    for length in [0, 1, 2, mtu / 2, mtu - 1, mtu, mtu + 1, 2 * mtu - 1] {
        script.open(0, psn, mtu);
        script.send(0, &sized(place, is_write, mtu, length));
        script.send(0, &[send(Place::Only, 9)]);
        psn = script.psn(0, 0);
    }
    let name = format!("size: {} {} at MTU {mtu}", operation(is_write), place.name());
    Case::new(name, &["RQ1", "RQ5", "RQ8", "RQ11"], script)
}

/// Sizes of other path MTUs: a full packet of one is refused by another, and each connection has its own.
fn of_other_mtus(window: u64) -> Case {
    let mut script = Script::new(window);
    for mtu in MTUS {
        for other in MTUS {
            script.open(0, 0, mtu);
            script.open(1, 0, other);
            for connection in [0, 1] {
                script.send(connection, &message(true, mtu, 2 * mtu + 1));
            }
        }
    }
    Case::new("size: packets of other MTUs", &["RQ1", "RQ5", "RQ8"], script)
}

/// With an MTU of 0 every size and every length passes, also behind one that was refused with an MTU.
fn unknown(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 0, 256);
    script.send(0, &[send(Place::Only, 257)]);
    script.open(0, 1, 0);
    for is_write in [false, true] {
        for length in [0, 1, 255, 256, 257, 4096, 4097, 8191] {
            for announced in [0, 1, length, 256, 1 << 31, (1 << 31) + 1, u64::from(u32::MAX)] {
                let places = [Place::Only, Place::First, Place::Middle, Place::Middle, Place::Last];
                script.send(0, &places.map(|place| packet(is_write, place, length, announced)));
            }
        }
    }
    // The order counts.
    script.send(0, &[packet(true, Place::Middle, 256, 0), packet(true, Place::Only, 256, 256)]);
    Case::new("size: MTU unknown", &["RQ4", "RQ5", "RQ6"], script)
}

/// An MTU that is known comes after one that is not, in the midst of a message, and the other way round.
fn known_and_unknown(window: u64) -> Case {
    let mut script = Script::new(window);
    for mtus in [[0, 1024], [1024, 0]] {
        for (mtu, psn) in mtus.into_iter().zip([100, 200]) {
            script.open(1, psn, mtu);
            script.send(1, &message(true, 1024, 2048));
            script.send(1, &[packet(true, Place::First, 1024, 9999), packet(true, Place::Last, 1, 0)]);
        }
    }
    Case::new("size: MTU known and unknown by turns", &["RQ1", "RQ5", "RQ6"], script)
}

/// Messages without a byte, alone and between others.
fn nothing(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 0, 256);
    for is_write in [false, true] {
        for bytes in [0, 0, 256, 0, 512, 0] {
            script.send(0, &message(is_write, 256, bytes));
        }
    }
    Case::new("size: messages of no byte", &["RQ5", "RQ6", "RQ11"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let mut cases = vec![of_other_mtus(window), unknown(window), known_and_unknown(window), nothing(window)];
    for mtu in MTUS {
        for place in Place::ALL {
            cases.extend([false, true].map(|is_write| limits(window, mtu, place, is_write)));
        }
    }
    cases
}
