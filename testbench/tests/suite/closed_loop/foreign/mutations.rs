// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a running exchange with addresses, P_Key or SPDCID, QP or PDC identifier and PSN at random, and with right sums:
//! as long as one address is foreign, nothing else is delivered, and nothing completes before it has been delivered.

use super::{Kind, OPEN, refused, steps};
use crate::closed_loop::setup::{RTT, count};
use testbench::closed_loop::{ClosedLoop, Field, Forged};
use testbench::device::random::Random;
use tier::pick;

/// Clock cycles for one foreign frame.
const EVERY: u64 = 40;
const MESSAGE: u32 = 20_000;

/// A number with some of its low bits at random.
fn near(random: &mut Random, value: u128, bits: u32) -> u128 {
    value ^ u128::from(random.bits() & ((1 << random.below(u64::from(bits) + 1)) - 1))
}

/// Source and destination.
fn addresses(frame: &[u8], kind: Kind) -> Option<[u128; 2]> {
    let forged = Forged::of(frame, kind.rocev2)?;
    Some([Field::Source, Field::Destination].map(|field| forged.get(field)))
}

/// A frame with at least one foreign address.
fn mutation(random: &mut Random, frame: &[u8], keys: &[u128], kind: Kind) -> Vec<u8> {
    let mut forged = Forged::of(frame, kind.rocev2).expect("it is of the protocol");
    let own = [Field::Source, Field::Destination].map(|field| forged.get(field));
    while [Field::Source, Field::Destination].map(|field| forged.get(field)) == own {
        for field in [Field::Source, Field::Destination] {
            match random.below(4) {
                0 => {
                    forged = {
                        let bit = random.below(forged.bits(field).into()) as u32;
                        forged.flipped(field, bit)
                    }
                }
                // The address of the other end.
                1 => forged.set(field, own[usize::from(field == Field::Source)]),
                _ => {}
            }
        }
    }
    if random.below(2) == 0 {
        let psn = near(random, forged.get(Field::Psn), 10);
        forged.set(Field::Psn, psn);
    }
    match random.below(4) {
        0 => forged.set(Field::Key, keys[random.below(keys.len() as u64) as usize]),
        1 => {
            let key = near(random, forged.get(Field::Key), 16);
            forged.set(Field::Key, key)
        }
        _ => {}
    }
    if random.below(4) == 0 {
        let context = near(random, forged.get(Field::Context), 16);
        forged.set(Field::Context, context);
    }
    forged.finish()
}

/// Messages go on all the time, one after the other.
fn keep_busy(run: &mut ClosedLoop) {
    if run.ledger.is_done() {
        (0..OPEN).for_each(|pdc| run.send(0, pdc, MESSAGE));
    }
}

fn mutations_change_nothing(kind: Kind, frames: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut run = kind.open(kind.models());
    // A frame of each kind on each connection, as a stranger may have seen them.
    let mut seen: [Vec<Vec<u8>>; 2] = [Vec::new(), Vec::new()];
    for pdc in 0..OPEN {
        for host in [1, 0] {
            run.send(0, pdc, 400);
            run.nics[host].intercepted = Some(Vec::new());
            steps(&mut run, 2 * RTT);
            let kept = run.nics[host].intercepted.take().expect("it is there");
            seen[host].extend(kept.first().cloned());
            kept.into_iter().for_each(|frame| run.nics[host].arrive_at_last(frame));
            run.until_done(20 * RTT).expect("it is delivered");
        }
    }
    let keys = seen.each_ref().map(|frames| {
        let forged = frames.iter().map(|frame| Forged::of(frame, kind.rocev2).expect("it is of the protocol"));
        forged.map(|forged| forged.get(Field::Key)).collect::<Vec<_>>()
    });
    assert_eq!(seen.each_ref().map(Vec::len), [usize::from(OPEN); 2]);

    for n in 0..frames {
        keep_busy(&mut run);
        let host = (n % 2) as usize;
        // What a stranger has seen grows old: PSNs are near the ones that are expected now.
        let old = &seen[host][random.below(OPEN.into()) as usize];
        // Answers to mutations come as well: they are from elsewhere.
        let fresh = run.nics[host].last_arrival.clone().filter(|frame| addresses(frame, kind) == addresses(old, kind));
        let frame = fresh.filter(|_| random.below(4) > 0).unwrap_or_else(|| old.clone());
        let foreign = mutation(&mut random, &frame, &keys[host], kind);
        run.nics[host].arrive_foreign(foreign);
        steps(&mut run, EVERY);
    }
    run.until_done(40 * RTT).expect("it is delivered");
    steps(&mut run, 2 * RTT);
    for host in 0..2 {
        let [source, destination, context] = refused(&run, host);
        println!("{kind:?}: host {host} refuses {source} {destination} {context} of {}", frames / 2);
        assert!(source > frames / 8 && destination > frames / 16, "few had the key of a connection");
        assert_eq!(context, 0, "an address of each is foreign");
    }
    let foreign: u64 = run.nics.iter().map(|nic| nic.receiver.counts.foreign).sum();
    assert!(foreign > frames * 9 / 10, "{foreign} of {frames} have left as frames");
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
}

#[test]
fn frames_with_a_foreign_address_change_nothing() {
    let frames = if tier::is_all() { 125_000 } else { 1_000 };
    for (seed, kind) in (0..).zip(pick([(true, false), (true, true), (false, true), (false, false)], 2)) {
        let (rocev2, ipv6) = kind;
        for part in 0..2 {
            mutations_change_nothing(
                Kind { rocev2, ipv6, any_peer: false, backoff_limit: None },
                frames,
                2 * seed + part,
            );
        }
    }
}
