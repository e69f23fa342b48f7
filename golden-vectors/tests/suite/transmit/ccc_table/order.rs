// SPDX-License-Identifier: MIT OR Apache-2.0
//! C2: what a sender offers in its order takes effect in this order, whatever else waits.

use golden_vectors::rng::SplitMix64;
use golden_vectors::transmit::ccc_table::oracle::{
    Ack, Algorithms, Command, Data, Event, Inputs, Loss, Oracle, Send, Settings, Shape, kind, op,
};
use std::collections::VecDeque;

/// A sender that knows what it has sent: each of its events is legal after those before it, and in few other orders.
#[derive(Default)]
struct Sender {
    flying: VecDeque<u64>,
    marked: VecDeque<u64>,
}

impl Sender {
    fn event(&mut self, rng: &mut SplitMix64) -> Event {
        let ack = Ack { kind: kind::ACK, ..Ack::default() };
        let choice = rng.below(6);
        if choice < 2
            && let Some(size) = self.marked.pop_front()
        {
            if choice == 0 {
                return Event::Ack(Ack { rtx_packets: 1, rtx_bytes: size, ..ack });
            }
            self.flying.push_back(size);
            return Event::Send(Send { size, packet: true, retransmission: true, ..Send::default() });
        }
        if (2..5).contains(&choice)
            && let Some(size) = self.flying.pop_back()
        {
            if choice == 2 {
                return Event::Ack(Ack { packets: 1, quanta: size / 256, ..ack });
            }
            self.marked.push_front(size);
            let nack = Ack { kind: kind::NACK, reason: 4, size, ..Ack::default() };
            return if choice == 3 { Event::Ack(nack) } else { Event::Loss(Loss { ccc: 0, size }) };
        }
        let size = 100 + rng.below(4000);
        self.flying.push_back(size);
        Event::Send(Send { size, packet: true, ..Send::default() })
    }
}

/// Nothing is offered, and grants are taken.
fn idle() -> Inputs {
    Inputs { grant_ready: true, ..Inputs::default() }
}

/// A stage with CCC 0 open, and more data than is ever sent.
fn opened() -> Oracle {
    let mut oracle = Oracle::new(Shape::new(Algorithms::Nscc, 2));
    let open = Command { op: op::OPEN, weight: 1, ..Command::default() };
    let mut left = VecDeque::from([None, Some(Event::Data(Data { ccc: 0, bytes: 1 << 31 }))]);
    while !left.is_empty() || !oracle.is_idle() {
        let out = oracle.outputs();
        let mut inputs = idle();
        if out.command_ready
            && let Some(next) = left.pop_front()
        {
            inputs.command = next.is_none().then_some(open);
            inputs.events[3] = next;
        }
        oracle.step(&inputs);
    }
    oracle
}

#[test]
fn what_is_offered_in_order_takes_effect_in_order() {
    let mut together = 0;
    for seed in 0..20 {
        let mut rng = SplitMix64::new(seed);
        let (mut oracle, mut sender) = (opened(), Sender::default());
        let mut next = None;
        for cycle in 0..20_000 {
            let out = oracle.outputs();
            let mut inputs = idle();
            // In a pause as many are accepted as can wait.
            if cycle % 500 == 0 {
                inputs.settings = Some(Settings::RESET);
            }
            // As many in one clock cycle as are in the order of their streams.
            let mut free = 0;
            while rng.below(4) > 0 {
                let event = next.take().unwrap_or_else(|| sender.event(&mut rng));
                let stream = event.stream();
                if stream < free || !out.ready[stream] {
                    next = Some(event);
                    break;
                }
                together += u64::from(free > 0);
                free = stream + 1;
                inputs.events[stream] = Some(event);
            }
            if rng.below(2) == 0 {
                inputs.events[3] = Some(Event::Data(Data { ccc: 0, bytes: 0 }));
            }
            oracle.step(&inputs);
        }
        if let Some(event) = next {
            while !oracle.outputs().ready[event.stream()] {
                oracle.step(&idle());
            }
            let mut inputs = idle();
            inputs.events[event.stream()] = Some(event);
            oracle.step(&inputs);
        }
        while !oracle.is_idle() {
            oracle.step(&idle());
        }
        let (ccc, counters) = (oracle.table().ccc(0), oracle.table().counters());
        let refused = [counters.excess_acks, counters.excess_sends, counters.short_backlogs, counters.refused_data];
        assert_eq!(refused, [0; 4], "seed {seed}");
        let (flying, marked) = (sender.flying.len() as u64, sender.marked.len() as u64);
        assert_eq!((ccc.inflight_pkts, ccc.waiting_rtx), (flying, marked), "seed {seed}");
        assert_eq!(ccc.rtx_backlog, sender.marked.iter().sum::<u64>(), "seed {seed}");
    }
    assert!(together > 10_000, "{together}");
}
