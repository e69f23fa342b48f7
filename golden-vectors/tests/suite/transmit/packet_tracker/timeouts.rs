// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time-outs and scans: what takes too long for a committed case, and what can be said without the oracle's words.

use super::help::Run;
use golden_vectors::transmit::packet_tracker::oracle::{
    Ack, Command, Failure, Inputs, Settings, Shape, State, event, op,
};

/// A PDC with some packets, and a unit of time in a clock cycle.
fn opened(shape: Shape, settings: Settings, packets: u64) -> Run {
    let mut run = Run::new(shape);
    run.set(settings);
    run.open(1, 40, 7);
    run.new_packets(1, packets);
    run.drain();
    run
}

fn settings(rto: u64, retries: u64, span: u64) -> Settings {
    Settings { tick: 65_535, rto, retries, span, backoff: 0, backoff_limit: 31, tail_probe: 0 }
}

/// D20 to D23: the largest *T*, and the largest number of time-outs in a row.
#[test]
fn t_doubles_up_to_its_bound() {
    let mut run = opened(Shape::new(2, 64), settings(0, 15, 63), 1);
    run.set(settings(3, 15, 63));
    for retries in 1..=15 {
        let stamp = run.oracle.pdc(1).packet(0).stamp;
        while run.oracle.pdc(1).retries < retries {
            run.idle(1);
        }
        // A scan of one packet, and what is rounded.
        let (wait, timeout) = (run.oracle.time() - stamp, 3 << (retries - 1));
        assert!(wait >= timeout - timeout / 8 && wait < timeout + 80, "{retries}: {wait}");
        run.again(1);
        while run.oracle.pdc(1).packet(0).state != State::InFlight {
            run.idle(1);
        }
    }
    assert!(run.failures.is_empty());
    while run.failures.is_empty() {
        run.idle(1);
    }
    assert_eq!(run.read(1).retries, 15);

    let mut run = opened(Shape::new(2, 64), settings(200_000, 15, 63), 1);
    for timeout in [200_000, 400_000, 800_000] {
        let (since, losses) = (run.oracle.pdc(1).since, run.oracle.outputs().counters.timeouts);
        while run.oracle.outputs().counters.timeouts == losses {
            run.idle(1);
        }
        let wait = run.oracle.time().wrapping_sub(since) % (1 << 20);
        assert!(wait >= timeout && wait < timeout + 60, "{wait}");
        run.again(1);
        run.drain();
    }
}

/// D22: packets of the last eighth time out with the oldest one, others do not.
#[test]
fn the_last_eighth_is_late() {
    for (later, late) in [(0, true), (90, true), (160, false), (500, false)] {
        let mut run = opened(Shape::new(2, 64), settings(1000, 5, 63), 1);
        let first = run.oracle.pdc(1).packet(0).stamp;
        run.until_time(first + later);
        run.new_packets(1, 1);
        while run.oracle.outputs().counters.timeouts == 0 {
            run.idle(1);
        }
        run.drain();
        assert_eq!(run.oracle.outputs().counters.timeouts, 1 + u64::from(late), "{later}");
        // The timer starts anew: the next time-out is that of the packet sent again.
        assert!(run.oracle.pdc(1).since >= first + 1000, "{later}");
    }
}

/// D27: of the packets that are lost, only the one at *B* is certainly missing.
#[test]
fn the_loss_at_b_is_told_from_others() {
    // Packets sent at once, and others so much later that they have a scan of their own.
    for later in [0, 160] {
        let mut run = opened(Shape::new(2, 64), settings(1000, 5, 63), 1);
        run.until_time(run.oracle.pdc(1).packet(0).stamp + later);
        run.new_packets(1, 2);
        while run.oracle.outputs().counters.timeouts < 3 {
            run.idle(1);
        }
        run.drain();
        let at_base: Vec<_> = run.outcomes.iter().map(|(_, outcome)| outcome.at_base).collect();
        assert_eq!(at_base, [true, false, false], "{later}");
        // The base moves; what is then at it is lost again.
        for _ in 0..3 {
            run.again(1);
        }
        run.ack(run.ack_of(1, 40));
        run.drain();
        run.outcomes.clear();
        run.command(Command { op: op::LOSE, pdc: 1, all: true, ..Command::default() });
        run.drain();
        let at_base: Vec<_> = run.outcomes.iter().map(|(_, outcome)| (outcome.psn, outcome.at_base)).collect();
        assert_eq!(at_base, [(41, true), (42, false)], "{later}");
    }
}

/// D21, D22: only a scan by time is a last one.
#[test]
fn losses_are_inferred_also_if_no_time_out_is_left() {
    let mut run = opened(Shape::new(2, 64), settings(0, 0, 4), 12);
    run.ack(Ack { triggered: false, sack_offset: 1, sack: 1 << 9, ..run.ack_of(1, 39) });
    run.idle(80);
    run.drain();
    assert_eq!(run.oracle.outputs().counters.inferred_losses, 5);
    assert_eq!(run.read(1).marked, 5);
}

/// D20: scans come in the order of visits, from the PDC behind the one before.
#[test]
fn scans_go_round() {
    let mut run = Run::new(Shape::new(8, 64));
    run.set(settings(0, 3, 63));
    for pdc in 0..8 {
        run.open(pdc, 0, 1);
        run.new_packets(pdc, 1);
    }
    run.drain();
    run.idle(500);
    run.events.clear();
    run.set(settings(100, 3, 63));
    while run.events.len() < 8 {
        run.idle(1);
    }
    let order: Vec<u64> = run.events.iter().map(|(_, event)| event.pdc).collect();
    let expected: Vec<u64> = (0..8).map(|n| (order[0] + n) % 8).collect();
    assert_eq!(order, expected);
}

/// D25: *lose* is answered before its examinations, and the next command waits for them.
#[test]
fn a_command_waits_for_declared_losses() {
    for open in [true, false] {
        let mut run = opened(Shape::new(2, 64), settings(0, 3, 63), 20);
        let pdc = u64::from(open);
        let (_, response) = run.command(Command { op: op::LOSE, pdc, all: true, ..Command::default() });
        assert_eq!((response.done, response.in_flight, response.marked), (open, if open { 20 } else { 0 }, 0));
        let asked = run.oracle.cycle();
        let response = run.read(1);
        let answered = run.responses[run.responses.len() - 1].0;
        if open {
            assert_eq!((response.in_flight, response.marked), (0, 20));
            // The rest of the examinations, and the end.
            assert!(answered - asked > 1 + 14 + 14 + 14, "{}", answered - asked);
        } else {
            assert_eq!(answered - asked, 1 + 14 + 14);
        }
        let losses = run.events.iter().filter(|(_, event)| event.kind == event::LOSS).count();
        assert_eq!(losses, if open { 20 } else { 0 });
    }
}

/// D23: while a failure is stalled the scan is under way, so a command waits and `quiet` is 0.
#[test]
fn a_stalled_failure_holds_commands() {
    let mut run = opened(Shape::new(2, 64), settings(100, 0, 63), 1);
    let stalled = Inputs { failure_ready: false, ..Inputs::idle(None) };
    while run.oracle.outputs().failure.is_none() {
        run.step(&stalled);
    }
    let read = Command { op: op::READ, pdc: 1, ..Command::default() };
    run.step(&Inputs { command: Some(read), ..stalled });
    for _ in 0..100 {
        let out = run.oracle.outputs();
        assert!(!out.quiet && !out.command_ready && out.failure == Some(Failure { pdc: 1, ..Failure::default() }));
        run.step(&stalled);
    }
    let responses = run.responses.len();
    let taken = run.oracle.cycle();
    run.drain();
    assert_eq!(run.responses[responses].0, taken + 1 + 14 + 14);
    assert!(run.responses[responses].1.failed);
}
