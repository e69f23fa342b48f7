// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ6: WRITEs that are as long as they say, a byte shorter or longer, or wrong in one bit of the length.

use super::Case;
use crate::receive::request_check::oracle::{LONGEST, Packet};
use crate::receive::request_check::packets::{MTUS, Place, message, send, write};
use crate::receive::request_check::script::Script;

/// Each of these on a connection that is opened anew, and a SEND behind it.
fn each(window: u64, name: String, mtu: u64, tries: impl IntoIterator<Item = Vec<Packet>>) -> Case {
    let mut script = Script::new(window);
    let mut psn = 0x7F_FFF0;
    for packets in tries {
        script.open(0, psn, mtu);
        script.send(0, &packets);
        script.send(0, &[send(Place::Only, 1)]);
        psn = script.psn(0, 0);
    }
    Case::new(name, &["RQ6", "RQ8", "RQ11", "RQ14"], script)
}

/// The length, one less, one more, and those that differ in one of 32 bits.
fn around(length: u64) -> impl Iterator<Item = u64> {
    let near = [Some(length), length.checked_sub(1), Some(length + 1)];
    near.into_iter().flatten().chain((0..32).map(move |bit| length ^ 1 << bit))
}

fn only(window: u64, mtu: u64) -> Case {
    let lengths = [0, 1, mtu - 1, mtu];
    let tries =
        lengths.into_iter().flat_map(|length| around(length).map(move |told| vec![write(Place::Only, length, told)]));
    each(window, format!("length: WRITE only at MTU {mtu}"), mtu, tries)
}

/// What a first packet may announce: more than a packet, and 2^31 at most.
fn first(window: u64, mtu: u64) -> Case {
    let small = [0, 1, mtu - 1, mtu, mtu + 1, mtu + 2, 2 * mtu, 2 * mtu + 1];
    let large = [LONGEST - mtu, LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + mtu, LONGEST + 2 * mtu, 0xFFFF_FFFF];
    let tries = small.into_iter().chain(large).map(|told| {
        let left = told.saturating_sub(mtu);
        let next = if left > mtu { write(Place::Middle, mtu, 0) } else { write(Place::Last, left, 0) };
        vec![write(Place::First, mtu, told), next]
    });
    each(window, format!("length: WRITE first at MTU {mtu}"), mtu, tries)
}

/// Something has to be left for the last packet.
fn middle(window: u64, mtu: u64) -> Case {
    let lefts = (0..4).flat_map(|before| {
        [1, mtu - 1, mtu, mtu + 1, 2 * mtu].map(|left| {
            let told = (1 + before) * mtu + left;
            let middles = (0..=before).map(|_| write(Place::Middle, mtu, 0));
            let first = [write(Place::First, mtu, told)];
            let packets: Vec<_> = first.into_iter().chain(middles).collect();
            let last = if left > mtu { left - mtu } else { 1 };
            [packets, vec![write(Place::Last, last, 0)]].concat()
        })
    });
    each(window, format!("length: WRITE middle at MTU {mtu}"), mtu, lefts)
}

/// A last packet has what is left, in all bits.
fn last(window: u64, mtu: u64) -> Case {
    let tries = [0, 1, 3].into_iter().flat_map(move |middles| {
        [1, 2, mtu - 1, mtu].into_iter().flat_map(move |length| {
            // Those that are not more than a packet are refused in the first one, which is tried above.
            let told = around((1 + middles) * mtu + length).filter(move |&told| told > (1 + middles) * mtu);
            told.map(move |told| {
                let mut packets = vec![write(Place::First, mtu, told)];
                packets.extend((0..middles).map(|_| write(Place::Middle, mtu, 0)));
                packets.push(write(Place::Last, length, 0));
                packets
            })
        })
    });
    each(window, format!("length: WRITE last at MTU {mtu}"), mtu, tries)
}

/// WRITEs of one to many packets, whole, one after the other.
fn whole(window: u64, mtu: u64) -> Case {
    let mut script = Script::new(window);
    script.open(1, 0, mtu);
    for packets in (0..9).chain([40]) {
        for bytes in [packets * mtu, packets * mtu + 1, (packets + 1) * mtu - 1] {
            script.send(1, &message(true, mtu, bytes));
        }
    }
    Case::new(format!("length: whole WRITEs at MTU {mtu}"), &["RQ6", "RQ11"], script)
}

/// The length in the place of a RETH does not matter where there is none.
fn no_reth(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 0, 256);
    for noise in [0, 1, 256, 257, LONGEST, LONGEST + 1, 0xFFFF_FFFF] {
        let packets = message(false, 256, 600).into_iter().chain(message(false, 256, 3));
        let sends: Vec<_> = packets.map(|packet| Packet { dma_length: noise, ..packet }).collect();
        let later = |packet: Packet| if packet.first { packet } else { Packet { dma_length: noise, ..packet } };
        let writes: Vec<_> = message(true, 256, 1000).into_iter().map(later).collect();
        script.send(0, &sends);
        script.send(0, &writes);
    }
    Case::new("length: no RETH", &["RQ2", "RQ6"], script)
}

/// What a WRITE has left is of one connection and of one WRITE.
fn interleaved(window: u64) -> Case {
    let mut script = Script::new(window);
    script.open(0, 0, 256);
    script.open(1, 0, 512);
    for bytes in [700, 2000, 1025, 4000] {
        let (a, b) = (message(true, 256, bytes), message(true, 512, 2 * bytes));
        for n in 0..a.len().max(b.len()) {
            script.send(0, &a[n.min(a.len())..(n + 1).min(a.len())]);
            script.send(1, &b[n.min(b.len())..(n + 1).min(b.len())]);
        }
        // A SEND between: the next WRITE begins anew.
        script.send(0, &message(false, 256, bytes));
    }
    Case::new("length: two connections by turns", &["RQ6", "RQ7", "RQ11"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let of_an_mtu = |mtu| [only, first, middle, last, whole].map(|case| case(window, mtu));
    [no_reth(window), interleaved(window)].into_iter().chain(MTUS.into_iter().flat_map(of_an_mtu)).collect()
}
