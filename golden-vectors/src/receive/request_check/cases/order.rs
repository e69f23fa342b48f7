// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ4: every kind of packet behind every state, and what comes first if more than one rule is broken.

use super::Case;
use crate::receive::request_check::packets::{Place, operation, packet, send, write};
use crate::receive::request_check::script::Script;

/// The path MTU of most cases.
const MTU: u64 = 512;

/// Bytes of a last packet.
const REST: u64 = 100;

const CONNECTION: u64 = 1;

/// What has come before the packet that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing.
    Opened,
    /// A whole message.
    Ended(bool),
    /// A first packet and so many middle ones.
    Open(bool, u64),
}

impl State {
    const ALL: [State; 7] = [
        State::Opened,
        State::Ended(false),
        State::Ended(true),
        State::Open(false, 0),
        State::Open(false, 1),
        State::Open(true, 0),
        State::Open(true, 1),
    ];

    fn name(self) -> String {
        match self {
            State::Opened => "open".to_owned(),
            State::Ended(is_write) => format!("a {}", operation(is_write)),
            State::Open(is_write, middle) => format!("a {} of {}", operation(is_write), 1 + middle),
        }
    }

    /// Brings a connection into this state. An open WRITE has so many bytes to come.
    fn reach(self, script: &mut Script, mtu: u64, left: u64) {
        script.open(CONNECTION, 0x00_1000, mtu);
        match self {
            State::Opened => {}
            State::Ended(is_write) => script.send(CONNECTION, &[packet(is_write, Place::Only, REST, REST)]),
            State::Open(is_write, middle) => {
                let announced = (1 + middle) * MTU + left;
                script.send(CONNECTION, &[packet(is_write, Place::First, MTU, announced)]);
                for _ in 0..middle {
                    script.send(CONNECTION, &[packet(is_write, Place::Middle, MTU, announced)]);
                }
            }
        }
    }
}

/// A packet with which nothing is wrong but what it follows: the bytes that an open WRITE should have left, and itself.
fn tried(place: Place, is_write: bool) -> (u64, [u64; 2]) {
    match place {
        Place::First => (REST, [MTU, 3 * MTU]),
        Place::Middle => (MTU + REST, [MTU, 0]),
        Place::Last => (REST, [REST, 0]),
        Place::Only => (REST, [REST, if is_write { REST } else { 0 }]),
    }
}

/// One of 56 pairs. Behind the packet comes a message of one packet.
fn pair(window: u64, state: State, place: Place, is_write: bool, mtu: u64) -> Case {
    let (left, [length, announced]) = tried(place, is_write);
    let mut script = Script::new(window);
    state.reach(&mut script, mtu, left);
    script.send(CONNECTION, &[packet(is_write, place, length, announced), send(Place::Only, REST)]);
    let unknown = if mtu == 0 { ", MTU unknown" } else { "" };
    let name = format!("order: {} {} behind {}{unknown}", operation(is_write), place.name(), state.name());
    Case::new(name, &["RQ4", "RQ8", "RQ11", "RQ13"], script)
}

/// More than one rule is broken: the order counts before the size, and the size before the length.
fn precedence(window: u64) -> Case {
    let mut script = Script::new(window);
    let (first, only) = (write(Place::First, MTU, MTU + REST), send(Place::Only, MTU + 1));
    let broken = [
        // Order, size and length; order and size; order and length.
        vec![first, write(Place::First, MTU - 1, MTU)],
        vec![first, only],
        vec![first, write(Place::Only, 3, 4)],
        vec![write(Place::Middle, MTU + 1, 0)],
        vec![first, send(Place::Last, MTU + 1)],
        // Size and length.
        vec![write(Place::First, MTU - 1, MTU)],
        vec![write(Place::First, MTU + 1, (1 << 31) + 1)],
        vec![write(Place::Only, MTU + 1, MTU)],
        vec![first, write(Place::Middle, MTU + 1, 0)],
        vec![first, write(Place::Middle, REST, 0)],
        vec![first, write(Place::Last, MTU + 1, 0)],
        vec![first, write(Place::Last, 0, 0)],
        // Length alone.
        vec![first, write(Place::Middle, MTU, 0)],
        vec![first, write(Place::Last, MTU, 0)],
    ];
    for (n, packets) in (0..).zip(broken) {
        script.open(CONNECTION, 100 * n, MTU);
        script.send(CONNECTION, &packets);
    }
    Case::new("order before size before length", &["RQ1", "RQ4", "RQ5", "RQ6", "RQ14"], script)
}

/// A packet that was refused leaves no message open and ends none: what counts is what passed.
fn behind_a_first(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 5, MTU);
    script.send(0, &[send(Place::First, MTU), send(Place::First, MTU), send(Place::Last, 1), send(Place::Only, 1)]);
    script.open(0, 5, MTU);
    script.send(0, &[send(Place::Last, 1), send(Place::First, MTU), send(Place::Last, 1)]);
    Case::new("nothing is legal again behind a refused packet", &["RQ4", "RQ8", "RQ10", "RQ11"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let mut cases = vec![precedence(window), behind_a_first(window)];
    for mtu in [MTU, 0] {
        for state in State::ALL {
            for place in Place::ALL {
                cases.extend([false, true].map(|is_write| pair(window, state, place, is_write, mtu)));
            }
        }
    }
    cases
}
