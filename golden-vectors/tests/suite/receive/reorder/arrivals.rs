// SPDX-License-Identifier: MIT OR Apache-2.0
//! R1 to R7, R21: arrivals and their answers.

use super::help::{Bench, SHAPE, packet};
use golden_vectors::receive::reorder::oracle::{Arrival, Outcome, PROBE, op};

#[test]
fn r1_arrivals_are_not_accepted_while_a_command_enters() {
    let mut bench = Bench::opened(SHAPE, 5);
    let before = bench.unready.len();
    let command = bench.command(op::READ, 0, 0, 0);
    assert_eq!(bench.unready[before..], [command + 1, command + 14]);
    // Stalls of the outputs do not matter.
    bench.inputs.delivery_ready = false;
    bench.inputs.event_ready = false;
    bench.send_all(0, 5..60);
    assert_eq!(bench.unready.len(), before + 2);
}

#[test]
fn r2_the_first_condition_decides() {
    let half = 1 << 23;
    let mut bench = Bench::opened(SHAPE, 100);
    bench.send(0, 102);
    bench.send_all(0, [100]);
    bench.idle(60);
    // Now 101 is expected, 102 waits.
    for (psn, outcome) in [
        (102, Outcome::Duplicate),
        (100, Outcome::Below),
        (101 + half, Outcome::Below),
        (100 + half, Outcome::Above),
        (101 + 64, Outcome::Above),
        (101 + 63, Outcome::Held),
        (101 + 63, Outcome::Duplicate),
        (101, Outcome::InOrder),
        (101, Outcome::Below),
        (102, Outcome::Below),
        (103, Outcome::InOrder),
    ] {
        let cycle = bench.send(0, psn);
        assert_eq!(bench.answer(cycle).outcome, outcome, "{psn:#x}");
    }
    // A probe comes before all but *unknown*.
    for psn in [0, 104, 105, 164, 101 + half] {
        let cycle = bench.arrive(Arrival { flags: PROBE, ..packet(0, psn) });
        assert_eq!(bench.answer(cycle).outcome, Outcome::Probe, "{psn:#x}");
    }
    let probe = Arrival { flags: PROBE, ..packet(0, 104) };
    for arrival in [Arrival { found: false, ..probe }, Arrival { connection: 1, ..probe }, packet(1, 0)] {
        let cycle = bench.arrive(arrival);
        assert_eq!(bench.answer(cycle).outcome, Outcome::Unknown, "{arrival:?}");
    }
}

#[test]
fn r3_slots_are_occupied_until_their_packets_are_read() {
    let mut bench = Bench::opened(SHAPE, 0);
    bench.inputs.delivery_ready = false;
    bench.send_all(0, 0..40);
    bench.idle(60);
    // 16 have been read: 16 is the base, 80 has the slot of 16.
    let (free, full, above) = (bench.send(0, 79), bench.send(0, 80), bench.send(0, 104));
    assert_eq!(
        [free, full, above].map(|at| bench.answer(at).outcome),
        [Outcome::Held, Outcome::NoBuffer, Outcome::Above]
    );
    bench.inputs.delivery_ready = true;
    bench.idle(1);
    bench.inputs.delivery_ready = false;
    bench.idle(20);
    let (free, full) = (bench.send(0, 80), bench.send(0, 81));
    assert_eq!([free, full].map(|at| bench.answer(at).outcome), [Outcome::Held, Outcome::NoBuffer]);
}

#[test]
fn r4_answers_say_what_has_been_received() {
    let last = (1 << 24) - 1;
    let mut bench = Bench::opened(SHAPE, last);
    let cycles = [2, last, 1, 1, 0].map(|psn| bench.send(0, psn));
    let fields = cycles.map(|at| {
        let answer = bench.answer(at);
        (answer.outcome, answer.expected, answer.highest, answer.held, answer.late)
    });
    assert_eq!(
        fields,
        [
            (Outcome::Held, last, 2, 1, false),
            (Outcome::InOrder, 0, 2, 1, true),
            (Outcome::Held, 0, 2, 2, true),
            (Outcome::Duplicate, 0, 2, 2, false),
            (Outcome::InOrder, 3, 2, 0, true),
        ]
    );
    let cycle = bench.arrive(Arrival { path: 77, flags: 0xF8, length: 9000, ..packet(0, 3) });
    let answer = bench.answer(cycle);
    assert_eq!((answer.arrival.path, answer.arrival.flags, answer.arrival.length), (77, 0xF8, 9000));
    assert_eq!((answer.expected, answer.highest, answer.late), (4, 3, false));
    let cycle = bench.send(1, 70);
    let answer = bench.answer(cycle);
    assert_eq!((answer.expected, answer.highest, answer.held, answer.sack_base, answer.sack), (0, 0, 0, 0, 0));
}

#[test]
fn r5_sack_words() {
    let mut bench = Bench::opened(SHAPE, 100);
    let word = |bench: &mut Bench, psn: u64| {
        let cycle = bench.send(0, psn);
        let answer = bench.answer(cycle);
        (answer.sack_base, answer.sack)
    };
    // 64 to 99 are before the base.
    let before = (1 << 36) - 1;
    assert_eq!(word(&mut bench, 102), (64, before | 1 << 38));
    assert_eq!(word(&mut bench, 130), (128, 0b100));
    assert_eq!(word(&mut bench, 100), (64, before | 1 << 36 | 1 << 38));
    assert_eq!(word(&mut bench, 63), (0, !0));
    assert_eq!(word(&mut bench, 192), (192, 0));
    assert_eq!(word(&mut bench, 101), (64, before | 0b111 << 36));
    let cycle = bench.arrive(Arrival { flags: PROBE, ..packet(0, 101) });
    let answer = bench.answer(cycle);
    assert_eq!((answer.sack_base, answer.sack), (64, 0));
}

#[test]
fn r6_sub_paths_count_whatever_comes() {
    let mut bench = Bench::opened(SHAPE, 100);
    let mut last = 0;
    for (psn, flags) in [(102, 0), (102, 0), (99, 0), (500, 0), (1, PROBE), (100, 0)] {
        bench.idle(40);
        last = bench.arrive(Arrival { path: 2, flags, ..packet(0, psn) });
    }
    bench.arrive(Arrival { path: 2, found: false, ..packet(0, 101) });
    bench.arrive(Arrival { path: 4, ..packet(0, 101) });
    bench.command(op::READ, 0, 2, 0);
    assert_eq!((bench.response().path_packets, bench.response().path_time), (6, (last + 9) / 64));
    for path in [0, 4, 255] {
        bench.command(op::READ, 0, path, 0);
        assert_eq!((bench.response().path_packets, bench.response().path_time), (0, 0));
    }
    assert_eq!(bench.counters().unknown_paths, 1);
}

#[test]
fn r7_other_flags_change_nothing() {
    let mut plain = Bench::opened(SHAPE, 0);
    let mut flagged = Bench::opened(SHAPE, 0);
    for psn in [1, 0, 3, 3, 2, 90] {
        plain.arrive(packet(0, psn));
        flagged.arrive(Arrival { flags: 0xFB, ..packet(0, psn) });
    }
    plain.idle(60);
    flagged.idle(60);
    assert_eq!(plain.delivered, flagged.delivered);
    let outcomes = |bench: &Bench| bench.answers.iter().map(|(_, answer)| answer.outcome).collect::<Vec<_>>();
    assert_eq!(outcomes(&plain), outcomes(&flagged));
}

#[test]
fn r21_counters() {
    let mut bench = Bench::opened(SHAPE, 0);
    bench.send_all(0, [2, 2, 2, 100, 100, 0, 0, 0]);
    bench.send_all(3, [0, 0, 0, 0]);
    bench.arrive(Arrival { path: 9, ..packet(0, 0) });
    bench.arrive(Arrival { path: 9, ..packet(3, 0) });
    let counters = bench.counters();
    assert_eq!(counters.outcomes, [1, 1, 2, 3, 2, 0, 5, 0]);
    assert_eq!(counters.unknown_paths, 1);
}
