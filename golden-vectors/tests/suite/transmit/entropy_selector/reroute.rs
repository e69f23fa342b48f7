// SPDX-License-Identifier: MIT OR Apache-2.0
//! N5 and N6: asked to move. The epoch of cycle t is t / 64; the CCC is of ROD.

use super::help::{SHAPE, evs, feedback, request, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Event, Kind, Mode, Op, Settings, answer as run_all,
};

const NEVER: u64 = 255;

fn rod(settings: Settings, events: &[(u64, Event)]) -> Answer {
    run_on(SHAPE, Command::open(0, 5, Mode::SinglePath).rod(), settings, events)
}

fn reroute(cycle: u64) -> (u64, Event) {
    (cycle, Event::Reroute(0))
}

#[test]
fn u05_u28_feedback_does_nothing_for_rod_and_the_event_moves_it() {
    let told: Vec<_> = (0..100).map(|n| feedback(40 + n, 5, Kind::of(1 + n % 3))).collect();
    let asked: Vec<_> = (0..100).map(|n| request(200 + 10 * n)).collect();
    let path = |moves: &[(u64, Event)]| {
        evs(&rod(Settings::new(64, 128), &[&[request(39)], &told[..], moves, &asked].concat()))[1..].to_vec()
    };
    assert_eq!(path(&[]), [5; 100]);
    assert_eq!(path(&[reroute(150)]), [6; 100]);
}

#[test]
fn n5_which_request_it_knows_and_which_sees_it() {
    for (latency, known, seen) in [(1, 6, 1), (2, 7, 2), (3, 8, 3)] {
        let run = |events: &[(u64, Event)]| {
            let open = Command::open(0, 5, Mode::SinglePath);
            evs(&run_on(SHAPE.ram_latency(latency), open, Settings::new(64, 128), events))
        };
        for (distance, ev) in [(known - 1, 5), (known, 6)] {
            assert_eq!(run(&[request(60), reroute(60 + distance), request(200)]), [5, ev]);
        }
        for (distance, ev) in [(seen - 1, 5), (seen, 6)] {
            assert_eq!(run(&[request(60), reroute(200), request(200 + distance)]), [5, ev]);
        }
    }
}

#[test]
fn n6_the_command() {
    let command = |at| (at, Event::Command(Command::new(Op::Reroute, 0, 0)));
    let answer = rod(Settings::new(64, 128), &[request(40), command(180), request(199), request(400)]);
    // The request of cycle 199 does not see it yet, and that of cycle 400 does.
    assert_eq!((evs(&answer), answer.responses[1].done), (vec![5, 5, 6], true));
    assert_eq!(evs(&rod(Settings::new(64, 128), &[request(40), command(180), request(200)])), [5, 6]);
    for (asked, ev) in [(189, 6), (190, 5)] {
        assert_eq!(evs(&rod(Settings::new(64, 128), &[command(180), request(asked), request(400)])), [5, ev]);
    }
    // Of a closed CCC, and of another mode.
    let open = (10, Event::Command(Command::open(1, 0, Mode::Bitmap)));
    let asked = [0, 1, 2, 3].map(|ccc| (40 + 25 * ccc, Event::Command(Command::new(Op::Reroute, ccc, 0))));
    let answer = run_all(SHAPE, Settings::new(64, 128), &[&[open], &asked[..]].concat());
    let seen: Vec<_> = answer.responses[1..].iter().map(|r| (r.done, r.open)).collect();
    assert_eq!(seen, [(false, false), (false, true), (false, false), (false, false)]);
}

#[test]
fn n3_n5_u06_once_in_so_many_rtt_and_at_once_if_idle() {
    let asked: Vec<_> = (0..400).flat_map(|n| [request(40 + 8 * n), reroute(44 + 8 * n)]).collect();
    for reroute in [0, 1, 4, 10] {
        let grants = rod(Settings::new(64, 128).path(NEVER, reroute), &asked).grants;
        let moves: Vec<_> = grants
            .windows(2)
            .filter(|pair| pair[0].index != pair[1].index)
            .map(|pair| (pair[1].cycle - 8) / 64)
            .collect();
        assert!(moves.len() as u64 >= 50 / (reroute.max(1) + 1) - 1, "{moves:?}");
        assert!(moves.windows(2).all(|pair| pair[1] - pair[0] == reroute.max(1) + 1), "{moves:?}");
    }
    // Idle for an RTT: at once, though no change is due.
    let events = [request(40), reroute(60), request(127), request(191), request(319), request(320)];
    assert_eq!(evs(&rod(Settings::new(64, 128).path(1, NEVER), &events)), [5, 5, 5, 6, 6]);
    let late = [request(40), reroute(60), request(100), request(110)];
    assert_eq!(evs(&rod(Settings::new(64, 128).path(1, NEVER), &late)), [5; 3]);
}

#[test]
fn n2_open_forgets_what_was_asked() {
    let [close, open] = [Command::new(Op::Close, 0, 0), Command::open(0, 5, Mode::SinglePath)].map(Event::Command);
    let events = [request(40), reroute(60), (70, close), (100, open), (130, Event::Request(0, ALL_FREE)), request(300)];
    assert_eq!(evs(&rod(Settings::new(64, 128), &events)), [5, 5, 5]);
}
