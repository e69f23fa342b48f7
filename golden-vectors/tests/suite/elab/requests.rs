// SPDX-License-Identifier: MIT OR Apache-2.0
//! V2 and V3 by hand-made examples.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Event, Op, Settings, Shape, answer};

const MOST: u64 = 0xFF_FFFF;

/// Bursts of three packets, a VP calls two units behind a mark.
const BURSTS: Settings = Settings { explore: 2, burst: 3, ..SETTINGS };

/// VPs call, in the order of their marks, by cycle 500.
fn call(vps: &[u64]) -> Vec<(u64, Event)> {
    (400..).zip(vps).flat_map(|(at, &vp)| [ecn(at, vp, 1), count(at + 40, vp, 1)]).collect()
}

/// VP and burst of each packet.
fn seen(settings: Settings, bandwidths: &[u64], events: &[Vec<(u64, Event)>]) -> Vec<(u64, u64)> {
    column(&run_with(settings, bandwidths, &events.concat()), |grant| (grant.vp, grant.burst))
}

#[test]
fn v2_refused() {
    let request = |at, pair| (at, Event::Request(pair));
    let answer = run(
        &[9],
        &[request(47, 0), request(48, 0), request(400, 0), request(401, 1), request(402, 2), request(403, 3)],
    );
    assert_eq!((answer.refused_requests, answer.no_vp_requests), (3, 2));
    let ok = column(&answer, |grant| (grant.pair, grant.ok));
    assert_eq!(ok, [(0, false), (0, false), (0, true), (1, false), (2, false), (3, false)]);
    assert!(answer.grants.iter().all(|grant| grant.ok || (grant.vp, grant.sport, grant.burst) == (0, 0, 0)));
}

#[test]
fn v3_a_burst_for_each_call_the_lowest_first() {
    let drawn = [(1, 0), (0, 0)];
    let twice = seen(BURSTS, &[MOST, MOST, MOST, MOST], &[call(&[3, 2]), stream(600, 8)]);
    assert_eq!(twice[..6], [(2, 1), (2, 1), (2, 1), (3, 2), (3, 2), (3, 2)]);
    // B of both is now 0 or nearly so.
    assert_eq!(twice[6..], drawn);
    let one = Settings { burst: 1, ..BURSTS };
    assert_eq!(seen(one, &[MOST; 4], &[call(&[3, 2]), stream(600, 4)]), [(2, 1), (3, 2), (1, 0), (0, 0)]);
    let none = Settings { burst: 0, ..BURSTS };
    assert_eq!(seen(none, &[MOST; 4], &[call(&[3, 2]), stream(600, 2)]), drawn);
}

#[test]
fn v3_a_call_that_was_not_heard_stays_until_it_is_taken_back() {
    let later = |units: u64| vec![count(440 + 8 * units, 1, 1)];
    let bursts =
        |more: Vec<(u64, Event)>| run_with(BURSTS, &[MOST; 2], &[call(&[1]), more, stream(600, 8)].concat()).bursts;
    assert_eq!([bursts(vec![]), bursts(later(1)), bursts(later(2))], [1, 1, 0]);
}

#[test]
fn v3_the_vp_of_a_burst_is_removed() {
    let ten = Settings { burst: 10, ..BURSTS };
    let gone = vec![op(583, Op::Remove, 1)];
    // The request of cycle 600 is the first one that does not see it: two packets went there before.
    let before = seen(ten, &[MOST; 2], &[call(&[1]), gone.clone(), stream(598, 6)]);
    assert_eq!(before, [(1, 1), (1, 1), (0, 0), (0, 0), (0, 0), (0, 0)]);
    // Added again without a packet in between it has the other eight, whatever its call.
    let back = vec![add(603, 1, MOST)];
    let again = seen(ten, &[MOST; 2], &[call(&[1]), gone.clone(), back.clone(), stream(598, 2), stream(700, 10)]);
    assert_eq!(again[..10], [(1, 1); 10]);
    // The call 1 was heard, so the VP that comes with call 0 calls.
    assert_eq!(again[10..], [(1, 2), (1, 2)]);
    let drawn = seen(ten, &[MOST; 2], &[call(&[1]), gone, back, stream(598, 3), stream(700, 2)]);
    assert_eq!(drawn[2..], [(0, 0), (1, 2), (1, 2)], "a packet in between ends the burst");
}

#[test]
fn v3_lengths() {
    for burst in [1, 2, 255, 667] {
        let length = Settings { burst, ..BURSTS };
        let seen = seen(length, &[MOST; 3], &[call(&[2]), stream(600, 700)]);
        assert_eq!(seen.iter().filter(|&&packet| packet == (2, 1)).count() as u64, burst);
        assert!(seen[..burst as usize].iter().all(|&packet| packet == (2, 1)));
    }
}

#[test]
fn v3_numbers_begin_again_with_1() {
    // A call every two units of 8 cycles, heard at once.
    let shape = Shape::new(1, 2, 8).ram_latency(1);
    let settings = Settings { explore: 0, burst: 1, ..SETTINGS };
    let mut events = vec![(40, Event::Command(golden_vectors::elab::scheduler::oracle::Command::add(0, PORT, MOST)))];
    events.push(ecn(200, 0, 1));
    for n in 1..=65_538 {
        events.push(count(200 + 16 * n, 0, 1));
        events.push((200 + 16 * n + 15, Event::Request(0)));
    }
    let answer = answer(shape, settings, &events);
    let numbers = column(&answer, |grant| grant.burst);
    assert_eq!((numbers[0], numbers[1], answer.bursts), (1, 2, 65_538));
    assert_eq!(numbers[65_533..], [65_534, 65_535, 1, 2, 3]);
}
