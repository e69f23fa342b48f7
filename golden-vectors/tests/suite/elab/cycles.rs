// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles of the sending half for each latency, as the last table of its contract has them.

use golden_vectors::elab::scheduler::oracle::{
    Answer,
    Command,
    Event,
    Notice,
    Op,
    Report,
    Settings,
    Shape,
    answer, //
};

/// Latency, then V1, V3, V7, V10, V11, V12 and V14 of the table.
const TABLE: [(u64, [u64; 7]); 3] =
    [(1, [10, 7, 15, 1, 9, 10, 15]), (2, [12, 8, 16, 2, 10, 11, 16]), (3, [14, 9, 17, 3, 11, 12, 17])];

const MOST: u64 = 0xFF_FFFF;
const SETTINGS: Settings = Settings::new(255, 0, 2, 1);

fn request(cycle: u64) -> (u64, Event) {
    (cycle, Event::Request(0))
}

fn report(cycle: u64, vp: u64, count: u64, ecn: bool) -> (u64, Event) {
    (cycle, Event::Report(Report { vp, count, ecn, ..Report::default() }))
}

fn probed(cycle: u64, vp: u64, rate: u64) -> (u64, Event) {
    (cycle, Event::Report(Report { vp, probed: true, rate, ..Report::default() }))
}

fn op(cycle: u64, op: Op, vp: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::new(op, 0, vp)))
}

/// Three pairs of four VPs, of which 0 and 1 of pair 0 are there; a unit is 16 cycles.
fn run_with(latency: u64, settings: Settings, events: &[(u64, Event)]) -> Answer {
    let mut all = [(0, MOST), (1, 1)]
        .map(|(vp, bandwidth)| (60 + 20 * vp, Event::Command(Command::add(0, vp, bandwidth))))
        .to_vec();
    all.extend_from_slice(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(Shape::new(3, 4, 16).ram_latency(latency), settings, &all)
}

fn run(latency: u64, events: &[(u64, Event)]) -> Answer {
    run_with(latency, SETTINGS, events)
}

#[test]
fn v1_request_to_grant() {
    for (latency, [grant, ..]) in TABLE {
        assert_eq!(run(latency, &[request(200)]).grants[0].cycle, 200 + grant);
    }
}

#[test]
fn v3_request_to_the_length_of_its_burst() {
    for (latency, [_, burst, ..]) in TABLE {
        let begins = |distance| {
            let calls = [report(400, 0, 1, true), report(480, 0, 1, false), request(600)];
            let change = (600 + distance, Event::Settings(Settings { burst: 0, ..SETTINGS }));
            run(latency, &[&calls[..], &[change]].concat()).bursts
        };
        // Written in the cycle before, the other length is in force (V20).
        assert_eq!([begins(burst - 1), begins(burst)], [0, 1]);
    }
}

#[test]
fn v7_report_to_the_first_request_that_sees_it() {
    for (latency, [_, _, sight, ..]) in TABLE {
        // VP 0 falls from all to nothing, VP 1 rises.
        let vp =
            |distance| run(latency, &[probed(400, 1, MOST), probed(401, 0, 0), request(401 + distance)]).grants[0].vp;
        assert_eq!([vp(0), vp(sight - 2), vp(sight), vp(sight + 9)], [0, 0, 1, 1]);
        let calls = |distance| {
            run(latency, &[report(400, 0, 1, true), report(480, 0, 1, false), request(480 + distance)]).bursts
        };
        assert_eq!([calls(sight - 1), calls(sight)], [0, 1]);
    }
}

/// *R* behind reports; a read comes late enough to see all.
fn rate(latency: u64, settings: Settings, events: &[(u64, Event)]) -> u64 {
    run_with(latency, settings, &[events, &[op(800, Op::Read, 0)]].concat()).responses[2].rate
}

#[test]
fn v10_report_to_its_time_and_window() {
    for (latency, [_, _, _, window, ..]) in TABLE {
        // Added in unit 3 or 4; unit 26 begins with cycle 416, and 28 with 448.
        let second = |at| rate(latency, SETTINGS, &[report(416 - window, 0, 0, false), report(at, 0, 8, false)]);
        assert_eq!(second(448 - window - 1), 0, "T is 1");
        assert_eq!(second(448 - window), 8 * 32768 * 255 / 256, "T is 2");
        let changed = |distance| {
            let change = (420 + distance, Event::Settings(SETTINGS));
            rate(latency, Settings { window: 1 << 19, ..SETTINGS }, &[report(420, 0, 80, false), change])
        };
        assert!(changed(window - 1) > 0 && changed(window) == 0);
    }
}

#[test]
fn v11_report_to_its_alpha() {
    for (latency, [_, _, _, _, alpha, ..]) in TABLE {
        let changed = |distance| {
            let change = (420 + distance, Event::Settings(SETTINGS));
            rate(latency, Settings { alpha: 0, ..SETTINGS }, &[report(420, 0, 80, false), change])
        };
        assert!(changed(alpha - 1) > 0 && changed(alpha) == 0);
    }
}

#[test]
fn v12_v13_report_to_its_second_time_and_to_how_long_it_waits() {
    for (latency, [_, _, _, _, _, explore, ..]) in TABLE {
        let calls = |settings, first, second, more: &[(u64, Event)]| {
            let events = [report(first, 0, 1, true), report(second, 0, 1, false), request(900)];
            run_with(latency, settings, &[&events, more].concat()).bursts
        };
        let three = Settings { explore: 3, ..SETTINGS };
        // Unit 26 begins with cycle 416, 29 with 464.
        assert_eq!(calls(three, 416 - explore, 464 - explore - 1, &[]), 0);
        assert_eq!(calls(three, 416 - explore, 464 - explore, &[]), 1);
        assert_eq!(calls(three, 416 - explore - 1, 464 - explore - 1, &[]), 1);
        let change = |distance| [(500 + distance, Event::Settings(Settings { explore: 1 << 19, ..SETTINGS }))];
        assert_eq!([explore - 1, explore].map(|distance| calls(SETTINGS, 400, 500, &change(distance))), [0, 1]);
    }
}

#[test]
fn v14_operation_to_operation_response_and_request() {
    for (latency, [_, _, sight, _, _, _, next]) in TABLE {
        let responses = |distance| {
            let answer = run(latency, &[op(200, Op::Read, 0), op(200 + distance, Op::Read, 1)]);
            answer.responses[2..].iter().map(|response| response.cycle).collect::<Vec<_>>()
        };
        assert_eq!(responses(1), [200 + next]);
        assert_eq!(responses(next - 1), [200 + next]);
        assert_eq!(responses(next), [200 + next, 200 + 2 * next]);
        let vp = |distance| run(latency, &[op(200, Op::Remove, 0), request(200 + distance)]).grants[0].vp;
        assert_eq!([vp(0), vp(sight), vp(sight + 1)], [0, 0, 1], "as of the effect");
        assert_eq!(Shape::new(1, 4, 8).ram_latency(latency).commands(), next);
    }
}

#[test]
fn v14_reports_are_not_accepted_in_the_cycle_of_the_effect() {
    for latency in 1..4 {
        let bandwidth = |at| run(latency, &[op(420, Op::Read, 0), probed(at, 0, 7), op(800, Op::Read, 0)]).responses[3];
        assert_eq!([419, 420, 421, 422].map(|at| bandwidth(at).bandwidth), [7, 7, MOST, 7]);
    }
}

#[test]
fn v15_a_read_sees_all_reports_before_it() {
    for latency in 1..4 {
        // By its effect, which is in the cycle behind its acceptance, and in which no report is accepted.
        let read = |effect: u64| {
            let events = [probed(400, 0, 99), op(effect - 1, Op::Read, 0), probed(402, 0, 98)];
            run(latency, &events).responses[2].bandwidth
        };
        assert_eq!([399, 401, 403, 420].map(read), [MOST, 99, 98, 98]);
    }
}

#[test]
fn v20_settings_are_in_force_from_the_next_cycle_until_others_are() {
    let other = |settings: Settings| Settings { burst: 9, alpha: 3, ..settings };
    let bursts = |first: Settings, change: (u64, Settings)| {
        let calls = [report(400, 0, 1, true), report(480, 0, 1, false), request(600)];
        let change = (change.0, Event::Settings(change.1));
        run_with(2, first, &[&[change][..], &calls].concat()).bursts
    };
    let none = Settings { burst: 0, ..SETTINGS };
    assert_eq!([599, 600, 607, 608].map(|at| bursts(none, (at, other(SETTINGS)))), [1, 1, 1, 0]);
    // Values that are not valid change nothing, nor do they end anything.
    assert_eq!(bursts(none, (300, Settings { valid: false, ..SETTINGS })), 0);
    assert_eq!(bursts(SETTINGS, (300, Settings { valid: false, ..none })), 1);
    // In the sweep, too.
    assert_eq!(bursts(none, (3, SETTINGS)), 1);
    let shape = Shape::new(3, 4, 16).reset_to(Settings { valid: false, ..SETTINGS });
    let add = (60, Event::Command(Command::add(0, 0, MOST)));
    let calls = [add, report(400, 0, 1, true), report(480, 0, 1, false), request(600)];
    assert_eq!(answer(shape, Settings { valid: false, ..none }, &calls).bursts, 1, "those after reset");
    assert_eq!(answer(shape, none, &calls).bursts, 0);
}

#[test]
fn v18_the_sweep() {
    let shape = Shape::new(3, 4, 16);
    let events = |at| {
        let add = (at, Event::Command(Command::add(2, 5, 9)));
        answer(shape, SETTINGS, &[report(at, 0, 1, false), add, request(at)])
    };
    let seen = [43, 44].map(|at| {
        let answer = events(at);
        (answer.absent_reports, answer.responses.len(), answer.refused_requests, answer.no_vp_requests)
    });
    assert_eq!(seen, [(0, 0, 1, 0), (1, 1, 0, 1)]);
}

/// Latency, then the rows of V22, V24 and V25 of the table.
const DEAD: [(u64, [u64; 5]); 3] = [(1, [10, 11, 2, 11, 15]), (2, [12, 13, 3, 13, 16]), (3, [14, 15, 4, 15, 17])];

/// A period is a unit, and no packet goes to VP 1 while VP 0 is alive. From `begin` on packets wait, one asks, and is denied.
fn silent(latency: u64, begin: u64, asks: u64, events: &[(u64, Event)]) -> Answer {
    let waits = [begin, begin + 16, begin + 32, asks].map(request);
    let denies = [report(asks + 16, 0, 0, false)];
    run_with(latency, SETTINGS.silence(4), &[&waits[..], &denies, events].concat())
}

#[test]
fn v22_request_to_its_second_period_and_to_silence() {
    for (latency, [sent, ..]) in DEAD {
        // Units 13 and 18 begin with cycles 208 and 288; the last packet before the one that asks is two units behind the first.
        let deaths = |begin, asks| silent(latency, begin, asks, &[request(384)]).deaths;
        assert_eq!(deaths(208 - sent, 288 - sent - 1), 0);
        assert_eq!(deaths(208 - sent, 288 - sent), 1);
        assert_eq!(deaths(208 - sent - 1, 288 - sent - 1), 1);
        let changed = |distance| {
            let change = (384 + distance, Event::Settings(SETTINGS));
            silent(latency, 200, 280, &[request(384), change]).deaths
        };
        assert_eq!([changed(sent - 1), changed(sent)], [0, 1], "it is in force from the next cycle on");
    }
}

#[test]
fn v22_request_to_what_sees_its_packet() {
    for (latency, [_, seen, ..]) in DEAD {
        // VP 0 is dead from the packet of cycle 384 on, and is not tried before unit 26, which begins with cycle 416.
        let vp = |distance| silent(latency, 200, 280, &[request(384), request(384 + distance)]).grants[5].vp;
        assert_eq!([vp(seen - 1), vp(seen)], [0, 1]);
        let deaths = |distance| silent(latency, 200, 280, &[report(200 + distance, 0, 1, false), request(384)]).deaths;
        assert_eq!([deaths(seen - 1), deaths(seen)], [1, 0]);
        // The packet that asks.
        let denied = |distance| {
            let asks = [200, 216, 232, 280].map(request);
            let events = [&asks[..], &[report(280 + distance, 0, 0, false), request(384)]].concat();
            run_with(latency, SETTINGS.silence(4), &events).deaths
        };
        assert_eq!([denied(seen - 1), denied(seen)], [0, 1]);
    }
}

#[test]
fn v24_request_to_its_first_period() {
    for (latency, [_, _, tries, ..]) in DEAD {
        let vp = |at| silent(latency, 200, 280, &[request(384), request(at)]).grants[5].vp;
        assert_eq!([vp(416 - tries - 1), vp(416 - tries)], [1, 0]);
    }
}

#[test]
fn v25_request_to_death_and_report_to_return() {
    for (latency, [_, _, _, dead, returned]) in DEAD {
        let answer = silent(latency, 200, 280, &[request(384), report(500, 0, 1, false)]);
        let notice = |cycle| Notice { cycle, pair: 0, sport: 0 };
        assert_eq!((answer.dead, answer.returned), (vec![notice(384 + dead)], vec![notice(500 + returned)]));
        assert_eq!((answer.deaths, answer.returns), (1, 1));
    }
}
