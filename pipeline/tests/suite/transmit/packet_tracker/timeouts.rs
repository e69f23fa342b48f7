// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time-outs, inferred and declared losses.

use super::bench::{Bench, put};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, event_kind, kind, op, outcome_kind, send_op};
use tier::{is_all, pick};

/// One unit of time per clock cycle.
fn configs() -> impl Iterator<Item = PacketTrackerConfig> {
    let mut config = PacketTrackerConfig::new(16, 256);
    config.settings.tick = 65_535;
    config.settings.rto = 781;
    config.settings.retries = 2;
    config.settings.tail_probe = 0;
    (1..=3).map(move |ram_latency| PacketTrackerConfig { ram_latency, ..config })
}

/// Runs until there is another outcome.
fn next_outcome(bench: &mut Bench, cycles: u64) -> u64 {
    let before = bench.outcomes.len();
    for _ in 0..cycles {
        if bench.outcomes.len() > before {
            return bench.outcomes[before].0;
        }
        bench.idle(1);
    }
    panic!("no outcome in {cycles} clock cycles");
}

/// D20 to D24: doubling, the last scan, the failure, and what ends it.
#[test]
fn time_outs_double_and_the_pdc_fails() {
    for config in configs() {
        let mut bench = Bench::new(config);
        let l = bench.l();
        bench.open(3, 7, 100);
        bench.settle();
        let mut sent = bench.cycle;
        bench.news(3, 2);
        for doubling in 0..2 {
            let lost = next_outcome(&mut bench, 100_000);
            // From the visit that finds it, at most a round after the time-out, to the first examination, and its
            // outcome.
            let timeout = 781 << doubling;
            // A time stamp may be a unit less or more.
            let earliest = sent + timeout + (l + 4) + (l + 5) + 3 * l + 12 - 8;
            assert!((earliest..earliest + 16 + 40).contains(&lost), "{lost}, {earliest}, {l}, {doubling}");
            bench.settle();
            let kinds = bench.kinds(2 * doubling as usize);
            assert_eq!(kinds, [(outcome_kind::LOST, 100), (outcome_kind::LOST, 101)]);
            let response = bench.read(3);
            let fields = [response.marked, response.in_flight, response.retries, response.failed];
            assert_eq!(fields.map(|field| field.value()), [2, 0, doubling + 1, 0]);
            bench.settle();
            sent = lost;
            bench.send(send_op::AGAIN, 3, 0, false);
            bench.settle();
            bench.send(send_op::AGAIN, 3, 0, false);
            bench.settle();
        }
        assert_eq!(bench.outputs().counts.timeouts.value(), 4);
        // The last one takes nothing for lost. It waits until the failure is taken.
        bench.stall = true;
        while bench.outputs().failure.valid.value() == 0 {
            bench.idle(1);
            assert!(bench.cycle < sent + 4000);
        }
        assert_eq!(bench.outputs().failure.pdc.value(), 3);
        bench.idle(300);
        assert_eq!((bench.outputs().failure.valid.value(), bench.outputs().quiet.value()), (1, 0));
        bench.stall = false;
        bench.settle();
        assert_eq!(bench.failures.len(), 1);
        let response = bench.read(3);
        let fields = [response.marked, response.in_flight, response.retries, response.failed];
        assert_eq!(fields.map(|field| field.value()), [0, 2, 2, 1]);
        bench.idle(40_000);
        assert_eq!(bench.outputs().counts.timeouts.value(), 4);
        // The base moves.
        bench.ack(kind::ACK, 3, 100, |_| ());
        bench.settle();
        let response = bench.read(3);
        assert_eq!([response.retries, response.failed].map(|field| field.value()), [0, 0]);
        next_outcome(&mut bench, 2000);
        assert_eq!(bench.failures.len(), 1);
        let kinds: Vec<_> = bench.events.iter().map(|(_, event)| event.kind.value()).collect();
        let [send, ack, loss] = [event_kind::SEND, event_kind::ACK, event_kind::LOSS];
        assert_eq!(kinds, [send, send, loss, loss, send, send, loss, loss, send, send, ack, loss]);
    }
}

/// D21, D22: packets far behind the highest acknowledged one are taken for lost, each PSN once.
#[test]
fn losses_are_inferred_by_span() {
    for config in configs() {
        let mut config = config;
        config.settings.rto = 0;
        config.settings.span = 3;
        let mut bench = Bench::new(config);
        bench.open(3, 7, 0xFFFF_FFFF);
        bench.settle();
        // PSN -1 to 8.
        bench.news(3, 10);
        let sack = |bench: &mut Bench, bit: u64| {
            bench.ack(kind::ACK, 3, 0xFFFF_FFFE, |input| {
                put(&mut input.ack.sack_offset, 2);
                put(&mut input.ack.sack, 1 << bit);
            });
            bench.settle();
            bench.idle(100);
        };
        // The first PSN is 3 behind PSN 2, and 4 behind PSN 3.
        sack(&mut bench, 2);
        assert_eq!(bench.kinds(0), [(outcome_kind::ACKNOWLEDGED, 2)]);
        sack(&mut bench, 6);
        let lost = [(outcome_kind::LOST, 0xFFFF_FFFF), (outcome_kind::LOST, 0), (outcome_kind::LOST, 1)];
        assert_eq!(bench.kinds(2), lost);
        // PSN 2 is acknowledged; those before it are not looked at again.
        sack(&mut bench, 8);
        assert_eq!(bench.kinds(6), [(outcome_kind::LOST, 3), (outcome_kind::LOST, 4)]);
        assert_eq!(bench.outputs().counts.inferred_losses.value(), 5);
        // A base that moves makes none of them look at once more.
        for _ in 0..3 {
            bench.send(send_op::AGAIN, 3, 0, false);
            bench.settle();
        }
        bench.ack(kind::ACK, 3, 0, |_| ());
        bench.settle();
        bench.idle(100);
        assert_eq!(bench.outputs().counts.inferred_losses.value(), 5);
    }
}

/// D25: packets of one EV are declared lost, and the others are not.
#[test]
fn losses_are_declared_by_command() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.open(3, 7, 100);
        for ev in [5, 6, 5, 7] {
            bench.clock(|input| {
                put(&mut input.send.valid, 1);
                put(&mut input.send.pdc, 3);
                put(&mut input.send.op, send_op::NEW);
                put(&mut input.send.ev, ev);
            });
        }
        let response = bench.command(op::LOSE, 3, |input| put(&mut input.command.ev, 5));
        assert_eq!([response.done, response.in_flight].map(|field| field.value()), [1, 4]);
        bench.settle();
        assert_eq!(bench.kinds(0), [(outcome_kind::LOST, 100), (outcome_kind::LOST, 102)]);
        bench.command(op::LOSE, 3, |input| put(&mut input.command.all, 1));
        bench.settle();
        assert_eq!(bench.kinds(2), [(outcome_kind::LOST, 101), (outcome_kind::LOST, 103)]);
        assert_eq!(bench.outputs().counts.declared_losses.value(), 4);
        // One that is not done.
        let response = bench.command(op::LOSE, 4, |_| ());
        assert_eq!(response.done.value(), 0);
        bench.settle();
        // One for an empty window.
        bench.open(4, 7, 100);
        assert_eq!(bench.command(op::LOSE, 4, |_| ()).done.value(), 1);
        bench.settle();
        assert_eq!(bench.read(3).retries.value(), 0);
    }
}

/// D23: an ACK that moves the base before the end enters keeps the PDC from failing, also if it ends in the clock cycle
/// before.
#[test]
fn an_ack_during_the_last_scan() {
    let (mut failures, mut saved) = (0, 0);
    for config in configs() {
        for offset in pick(0..100, 25) {
            let mut config = config;
            config.settings.rto = 200;
            config.settings.retries = 0;
            let mut bench = Bench::new(config);
            let l = bench.l();
            bench.open(3, 7, 100);
            bench.settle();
            bench.news(3, 1);
            bench.idle(190 + offset);
            bench.ack(kind::ACK, 3, 100, |_| ());
            bench.settle();
            let ended = bench.events[1].0 - (3 * l + 12);
            for (cycle, pdc) in &bench.failures {
                assert_eq!(*pdc, 3);
                assert!(cycle - (2 * l + 10) < ended, "{config:?}, {offset}");
            }
            failures += bench.failures.len();
            saved += usize::from(bench.failures.is_empty());
            let response = bench.read(3);
            assert_eq!([response.failed, response.retries].map(|field| field.value()), [0, 0]);
        }
    }
    let least = if is_all() { 20 } else { 5 };
    assert!(failures > least && saved > least, "{failures}, {saved}");
}

/// D20 to D23, in clock cycles: visits, head, examinations, end; and where visits go on.
#[test]
fn cycles_of_a_scan() {
    for config in configs() {
        // So many that the next visit sees the end of the scan.
        let config = PacketTrackerConfig { pdcs: 32, ..config };
        let mut bench = Bench::new(config);
        let (l, pdcs, pdc) = (bench.l(), config.pdcs, 3);
        let time = |cycle: u64| (65_535 * cycle) >> 16;
        // The clock cycle of the next visit of the PDC.
        let mut visit = bench.cycle + pdc;
        bench.open(pdc, 7, 100);
        bench.settle();
        bench.send(send_op::NEW, pdc, 4160, false);
        let mut since = time(bench.cycle);
        bench.news(pdc, 2);
        bench.settle();
        for doubling in 0..2 {
            while time(visit + l + 1) < since + (781 << doubling) {
                visit += pdcs;
            }
            let examination = visit + (l + 4) + (l + 5);
            let before = bench.events.len();
            bench.idle(examination + 3 * l + 12 + 3 - bench.cycle);
            let cycles: Vec<_> = bench.events[before..].iter().map(|(cycle, _)| *cycle).collect();
            let lost = (0..3).map(|i| examination + i + 3 * l + 12);
            assert_eq!(cycles, lost.collect::<Vec<_>>(), "{config:?}, {doubling}");
            // The end, and the visit of the next PDC.
            let end = examination + 2 + 2 * l + 10;
            since = time(end);
            visit = end + 1 + pdcs - 1;
            for _ in 0..3 {
                bench.send(send_op::AGAIN, pdc, 0, false);
                bench.settle();
            }
        }
    }
}

/// D7, in clock cycles: the packet is in the second block from that of *first*.
#[test]
fn cycles_of_a_search() {
    for config in configs() {
        let mut bench = Bench::new(config);
        let l = bench.l();
        bench.open(3, 7, 60);
        bench.settle();
        bench.news(3, 100);
        bench.settle();
        for psn in [62, 130] {
            bench.ack(kind::NACK, 3, psn, |_| ());
            bench.settle();
        }
        // 62 is in the first block; 130 is in the third one, and *first* in the first one.
        for (psn, blocks) in [(62, 1), (130, 3)] {
            let accepted = bench.cycle;
            bench.send(send_op::AGAIN, 3, 0, false);
            bench.settle();
            let (cycle, sent) = bench.sent[bench.sent.len() - 1];
            assert_eq!((sent.ok.value(), sent.psn.value()), (1, psn));
            let end = accepted + 1 + 2 * l + 10 + blocks * (l + 5) + 1;
            assert_eq!(cycle, end + 2 * l + 10, "{config:?}, {psn}");
        }
    }
}
