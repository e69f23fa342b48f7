// SPDX-License-Identifier: MIT OR Apache-2.0
//! The delay of the receive path: constant for packets in order, and what reordering adds if paths differ (M102).

use super::{config, does, holding_frames, model, open};
use golden_vectors::headers::codec::encode;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::RxConfig;
use std::collections::{BTreeSet, VecDeque};
use testbench::benches::rx_bench::RxBench;
use testbench::device::random::Random;
use testbench::streams::{Channel, Frame, Item, beats};
use testbench::{Dut, Ports};

/// The key of connection `c`.
const fn key(connection: u64) -> u64 {
    0x1000 + connection
}

/// A device whose outputs are always taken, with a clock.
struct Line {
    dut: Box<dyn Dut>,
    ports: Ports,
    frames: Channel,
    /// What says that a packet is delivered: a transfer of `delivery`, or the last beat of a frame on `m_delivery`.
    delivery: Channel,
    holds_frames: bool,
    waiting: VecDeque<(Item, bool)>,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    cycle: u64,
    /// The cycles in which last beats were taken.
    taken: Vec<u64>,
    /// The cycles of deliveries, with their PSNs.
    delivered: Vec<(u64, u64)>,
}

impl Line {
    /// Connections 0 to 7 are open, each with PSN 0.
    fn new(config: &RxConfig) -> Self {
        let mut dut = model(config);
        let mut run = RxBench::new(&mut *dut, 0, |_| 0.0).expect("the streams are there");
        for connection in 0..8 {
            assert!(does(&mut run, &mut *dut, open(connection, key(connection), 0)).done);
        }
        let ports = dut.ports().clone();
        let mut inputs = vec![0; ports.input_limbs()];
        let holds_frames = ports.output("m_delivery_tvalid").is_some();
        let delivery = if holds_frames { "m_delivery" } else { "delivery" };
        for sink in ["m_axis", "m_record", delivery, "m_answer"] {
            Channel::output(&ports, sink).expect("it is there").set_ready(&mut inputs, true);
        }
        Line {
            frames: Channel::input(&ports, "s_axis").expect("it is there"),
            delivery: Channel::output(&ports, delivery).expect("it is there"),
            holds_frames,
            outputs: vec![0; ports.output_limbs()],
            dut,
            ports,
            waiting: VecDeque::new(),
            inputs,
            cycle: 0,
            taken: Vec::new(),
            delivered: Vec::new(),
        }
    }

    /// A packet joins those that wait in front of the device. The number of its beats.
    fn arrives(&mut self, connection: u64, psn: u64, payload: usize) -> u64 {
        let frame = encode::Frame::v4().with(|frame| frame.payload = vec![0xA5; payload]).with_opcode(0x04);
        let frame = frame.with_bth(|bth| {
            bth.set_dqpn(key(connection) as u32);
            bth.set_psn(psn as u32);
        });
        let beats = beats(&self.frames, &Frame { bytes: frame.bytes(), user: 0 }).expect("it has bytes");
        let count = beats.len();
        self.waiting.extend(beats.into_iter().enumerate().map(|(i, beat)| (beat, i + 1 == count)));
        count as u64
    }

    fn clock(&mut self) {
        self.dut.outputs(&mut self.outputs);
        self.frames.set_valid(&mut self.inputs, !self.waiting.is_empty());
        if let Some((beat, is_last)) = self.waiting.front() {
            self.frames.set(&mut self.inputs, beat);
            if self.frames.ready(&self.outputs) {
                if *is_last {
                    self.taken.push(self.cycle);
                }
                self.waiting.pop_front();
            }
        }
        let got = |name| self.outputs[self.ports.output(name).expect("it is there").offset];
        if self.delivery.valid(&self.outputs) && (!self.holds_frames || got("m_delivery_tlast") == 1) {
            self.delivered.push((self.cycle, got("delivery_psn")));
        }
        self.dut.clock(false, &self.inputs);
        self.cycle += 1;
    }
}

/// 100 packets in order on each of eight connections, each alone on the device: cycles from the
/// last beat of each to its delivery, with the number of its beats.
fn of_packets_alone(config: &RxConfig, ram_latency: u32) -> BTreeSet<(u64, u64)> {
    let mut line = Line::new(config);
    let mut random = Random::new(u64::from(ram_latency));
    let mut seen = BTreeSet::new();
    for psn in 0..100 {
        for connection in 0..8 {
            // Until nothing is under way; any phase of visits.
            for _ in 0..300 + random.below(300) {
                line.clock();
            }
            let beats = line.arrives(connection, psn, [0, 64, 256, 1000, 4000][random.below(5) as usize]);
            let count = line.delivered.len();
            while line.delivered.len() == count {
                line.clock();
            }
            let (cycle, delivered) = line.delivered[count];
            assert_eq!(delivered, psn);
            seen.insert((beats, cycle - line.taken[count]));
        }
    }
    seen
}

/// At 512 bits, by the latency of memories: cycles from the last beat of a packet to its delivery. They stand on the page.
const DELAYS: [(u32, u64); 3] = [(1, 66), (2, 72), (3, 78)];

#[test]
fn a_packet_in_order_is_delivered_after_a_constant_time() {
    for (ram_latency, delay) in DELAYS {
        let seen = of_packets_alone(&config(AckProtocol::Roce, 512, ram_latency), ram_latency);
        let delays: BTreeSet<_> = seen.iter().map(|(_, delay)| *delay).collect();
        assert_eq!(delays.into_iter().collect::<Vec<_>>(), [delay], "latency {ram_latency}");
    }
}

/// The same with frames in a pool, to the last beat of a packet of one beat. Each further beat adds two cycles: one on its way
/// into the pool, and one out of it.
const DELAYS_OF_FRAMES: [(u32, u64); 3] = [(1, 72), (2, 79), (3, 86)];

#[test]
fn a_frame_in_order_is_delivered_after_a_constant_time_and_its_beats_twice() {
    let mut found = BTreeSet::new();
    for (ram_latency, _) in DELAYS_OF_FRAMES {
        let seen = of_packets_alone(&holding_frames(config(AckProtocol::Roce, 512, ram_latency)), ram_latency);
        assert!(seen.iter().map(|(beats, _)| beats).collect::<BTreeSet<_>>().len() == 5, "{seen:?}");
        found.extend(seen.into_iter().map(|(beats, cycles)| (ram_latency, cycles - 2 * (beats - 1))));
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), DELAYS_OF_FRAMES);
}

/// The cycles in which packets of one connection are delivered that are sent every `gap` cycles over two paths in turn, the
/// second of which takes `difference` cycles more; or over one of the two at `random`.
fn over_two_paths(gap: u64, difference: u64, random: Option<u64>) -> Vec<u64> {
    const PACKETS: u64 = 2000;
    let mut line = Line::new(&config(AckProtocol::Roce, 512, 2));
    let start = line.cycle;
    let mut random = random.map(Random::new);
    let mut second = |psn| random.as_mut().map_or(psn % 2, |random| random.below(2));
    let mut arrivals: Vec<_> = (0..PACKETS).map(|psn| (psn * gap + second(psn) * difference, psn)).collect();
    arrivals.sort_unstable();
    let mut arrivals = VecDeque::from(arrivals);
    let mut cycles = Vec::new();
    while cycles.len() < PACKETS as usize {
        while arrivals.front().is_some_and(|(at, _)| start + at <= line.cycle) {
            let (_, psn) = arrivals.pop_front().expect("there is one");
            line.arrives(0, psn, 64);
        }
        line.clock();
        cycles = line.delivered.iter().map(|(cycle, _)| cycle - start).collect();
        assert!(line.cycle < start + PACKETS * gap + difference + 10_000, "{} are delivered", cycles.len());
    }
    assert!(line.delivered.iter().map(|(_, psn)| *psn).eq(0..PACKETS), "they are in order");
    cycles
}

/// At 512 bits, of frames of two beats, which come at half of the full rate and less: at full rate they would wait for each
/// other on the wire too. A packet may come up to one interval after one of the other path.
#[test]
fn reordering_adds_the_difference_of_the_paths() {
    for gap in [4, 8, 16] {
        let without = over_two_paths(gap, 0, None);
        // No packet is held for longer than the window reaches.
        for difference in [1, 10, 25 * gap, 50 * gap] {
            for random in [None, Some(difference)] {
                let with = over_two_paths(gap, difference, random);
                let most = with.iter().zip(&without).map(|(with, without)| with.saturating_sub(*without)).max();
                println!("M102 gap {gap} difference {difference}: up to {most:?} cycles later");
                assert!(most <= Some(difference + gap), "gap {gap}, difference {difference}: {most:?} cycles later");
            }
        }
    }
}
