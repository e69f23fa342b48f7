// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latency, rate and fairness of delivery, and what happens when it is stalled.

use super::bench::{Bench, Drive, Packet};
use pipeline::receive::reorder::{ReorderConfig, op, outcome};
use rtl_model::Stage;

/// Nobody takes packets.
const STALLED: Drive = Drive { packet: None, stall: true, stall_event: false, command: None, settings: None };

fn packet(connection: u64, psn: u64) -> Packet {
    Packet { connection, psn, ..Packet::default() }
}

/// R11: the latency of a packet in order, and one packet per clock cycle on one connection.
#[test]
fn one_packet_a_clock_on_one_connection() {
    for ram_latency in 1..=3 {
        let config = ReorderConfig { ram_latency, ..ReorderConfig::new(4, 64) };
        let mut bench = Bench::new(config);
        bench.command(op::READ, 0, 0, 0);
        bench.open(2, 0);
        bench.idle(10);
        let begin = bench.cycle;
        for psn in 0..1000 {
            bench.send(packet(2, psn), false);
        }
        bench.drain();
        let cycles: Vec<u64> = bench.seen.delivered.iter().map(|(cycle, ..)| cycle - begin).collect();
        assert_eq!(cycles[0], config.delivery_latency().into());
        // Turns begin with one packet, and soon all have some.
        let last = cycles[999] - cycles[0];
        assert!(last < 999 + 16, "{last} clock cycles");
        assert_eq!(cycles[999] - cycles[499], 500, "no gap when it runs");
    }
}

/// R11: one packet per clock cycle if every turn has one packet, of another connection each.
#[test]
fn one_packet_a_clock_on_many_connections() {
    for ram_latency in 1..=3 {
        let config = ReorderConfig { ram_latency, ..ReorderConfig::new(32, 64) };
        let mut bench = Bench::new(config);
        (0..32).for_each(|connection| bench.open(connection, 5));
        let begin = bench.cycle;
        for psn in 5..37 {
            for connection in 0..32 {
                bench.send(packet(connection, psn), false);
            }
        }
        bench.drain();
        assert_eq!(bench.seen.delivered.len(), 1024);
        for (i, (cycle, ..)) in bench.seen.delivered.iter().enumerate() {
            assert_eq!(*cycle, begin + i as u64 + u64::from(config.delivery_latency()));
        }
    }
}

/// R10: a connection with many packets to be read does not keep another one waiting.
#[test]
fn a_long_run_starves_nobody() {
    let config = ReorderConfig::new(4, 1024);
    let mut bench = Bench::new(config);
    (0..4).for_each(|connection| bench.open(connection, 0));
    for psn in 1..1024 {
        bench.send(packet(0, psn), false);
    }
    bench.idle(100);
    let begin = bench.cycle;
    bench.send(packet(0, 0), false);
    bench.idle(100);
    for connection in 1..4 {
        bench.send(packet(connection, 0), false);
    }
    bench.drain();
    for connection in 1..4 {
        let (cycle, ..) = bench.seen.delivered.iter().find(|(_, number, _)| *number == connection).expect("delivered");
        let latency = u64::from(config.delivery_latency());
        assert!(cycle - begin < 100 + latency + 6 * 16 + 32, "connection {connection}: {}", cycle - begin);
    }
    // The run goes on at one packet per clock cycle.
    let (first, last) = (bench.seen.delivered[0].0, bench.seen.delivered[1026].0);
    assert_eq!(last - first, 1026);
}

/// R9 and *no buffer*: with delivery stalled, 16 packets are read, and the window is counted from there.
#[test]
fn a_stalled_delivery_leaves_no_buffer() {
    for ram_latency in 1..=3 {
        let config = ReorderConfig { ram_latency, ..ReorderConfig::new(2, 64) };
        let mut bench = Bench::new(config);
        bench.open(1, 100);
        let stalled = |bench: &mut Bench, psn: u64| {
            bench.send(packet(1, psn), true);
            bench.repeat(60, STALLED);
        };
        // 16 packets are read; the slots hold 64 more.
        (100..180).for_each(|psn| stalled(&mut bench, psn));
        assert_eq!(bench.seen.outcomes[outcome::IN_ORDER as usize], 80);
        (180..244).for_each(|psn| stalled(&mut bench, psn));
        assert_eq!(bench.seen.outcomes[outcome::NO_BUFFER as usize], 64);
        stalled(&mut bench, 244);
        assert_eq!(bench.seen.outcomes[outcome::ABOVE as usize], 1);
        assert_eq!(bench.stage.outputs().counts.no_buffer.value(), 64);
        bench.drain();
        (180..300).for_each(|psn| bench.send(packet(1, psn), false));
        bench.drain();
        assert_eq!(bench.seen.delivered.len(), 200);
    }
}

/// R18, R19: what is held is discarded by *close*; *open* waits until the rest has been read.
#[test]
fn a_connection_is_closed_while_packets_are_held() {
    let mut bench = Bench::new(ReorderConfig::new(4, 64));
    for opening in 0..20 {
        let start = 1000 * opening;
        bench.open(2, start);
        for psn in [0, 1, 4, 3, 6] {
            bench.send(Packet { connection: 2, psn: start + psn, path: psn, ..Packet::default() }, false);
        }
        bench.idle(30);
        let response = bench.command(op::READ, 2, 0, 3);
        assert_eq!((response.state.expected.value(), response.state.highest.value()), (start + 2, start + 6));
        assert_eq!(
            (response.state.held.value(), response.state.depth.value(), response.state.reordered.value()),
            (3, 3, 1)
        );
        assert_eq!((response.state.draining.value(), response.state.path_packets.value()), (0, 1));
        assert_eq!(bench.command(op::READ, 2, 0, 2).state.path_packets.value(), 0, "absent");
        assert_eq!(bench.command(op::OPEN, 2, 7, 0).done.value(), 0, "it is open");
        assert_eq!(bench.command(op::CLOSE, 2, 0, 0).state.held.value(), 3);
        assert_eq!(bench.command(op::CLOSE, 2, 0, 0).done.value(), 0, "it is closed");
        bench.send(packet(2, start + 2), false);
        bench.idle(60);
        assert_eq!(bench.seen.outcomes[outcome::UNKNOWN as usize], opening + 1);
        assert_eq!(bench.seen.delivered.len() as u64, 2 * (opening + 1));
    }
}

/// R18: *open* is refused while packets have not been read.
#[test]
fn a_connection_is_not_opened_while_it_drains() {
    let mut bench = Bench::new(ReorderConfig::new(4, 64));
    bench.open(0, 50);
    (50..90).for_each(|psn| bench.send(packet(0, psn), true));
    bench.repeat(60, STALLED);
    let stalled = |bench: &mut Bench, code: u64| {
        let command = Some((code, 0, 500, 0));
        bench.clock(Drive { command, ..STALLED });
        bench.repeat(60, STALLED);
        bench.seen.responses.last().expect("a response").1
    };
    let closed = stalled(&mut bench, op::CLOSE);
    assert_eq!((closed.done.value(), closed.open.value(), closed.state.draining.value()), (1, 0, 1));
    let refused = stalled(&mut bench, op::OPEN);
    assert_eq!((refused.done.value(), refused.open.value(), refused.state.draining.value()), (0, 0, 1));
    bench.drain();
    assert_eq!(bench.seen.delivered.len(), 40);
    bench.open(0, 500);
    bench.send(packet(0, 500), false);
    bench.drain();
    assert_eq!(bench.seen.delivered.len(), 41);
}
