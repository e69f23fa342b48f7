// SPDX-License-Identifier: MIT OR Apache-2.0
//! Path selection of multipath RoCEv2 as shipped: first weights come from probes (M43), shares follow bandwidths (M63),
//! and a flow leaves a sub-path that stays congested (M62, M70).

use super::device::{Device, shipped};
use mpnic::config::Config;
use mpnic::stages::StageName;

const CONFIGS: [&str; 2] = ["mp-rdma-100g", "ecp5-10g"];
const OPEN: u64 = 1;
const ADD: u64 = 4;
const START: u64 = 5;
const LIMIT: u64 = 6;
const FLOW: u64 = 0;
const PACKET: u64 = 2;
const PROBE: u64 = 2;
const GOOD: u64 = 0;
const ECN: u64 = 1;
const PROBE_ANSWER: u64 = 4;

/// An RTT in units of 64 clock cycles.
fn rtt(config: &Config) -> u64 {
    (config.settings.rtt_us * config.target.clock_mhz / 64.0) as u64
}

/// Opens QP 0, and brings up a sub-path for each of these bandwidths: add, probe, answer, start.
fn open(device: &mut Device, granularity: u64, bandwidths: &[u64], rtt: u64) {
    device.command(&[("op", OPEN), ("granularity", granularity)]);
    for (path, &bandwidth) in (0..).zip(bandwidths) {
        device.command(&[("op", ADD), ("path", path), ("weight", 255), ("entropy", 100 + path)]);
        device.send("request", &[("kind", PROBE), ("path", path)]);
        device.wait("grant");
        assert_eq!((device.get("grant_ok"), device.get("grant_flags")), (1, 4), "a probe goes out");
        let answer = [("path", path), ("kind", PROBE_ANSWER), ("rtt", rtt), ("bandwidth", bandwidth)];
        device.send("feedback", &answer);
        device.command(&[("op", START), ("path", path)]);
    }
}

/// The sub-path of the next packet, and its flags, if a window has room.
fn asked(device: &mut Device) -> Option<(u64, u64)> {
    device.send("request", &[]);
    device.wait("grant");
    let granted = (device.get("grant_ok") == 1).then(|| (device.get("grant_path"), device.get("grant_flags")));
    device.clock();
    granted
}

fn grant(device: &mut Device) -> (u64, u64) {
    asked(device).expect("a window has room")
}

fn feedback(device: &mut Device, path: u64, kind: u64, rtt: u64) {
    device.send("feedback", &[("path", path), ("kind", kind), ("rtt", rtt)]);
}

/// Sprayed over paths of 40 : 1, the slowest path is the one that limits; it may cost 2 % at most.
#[test]
fn shares_follow_bandwidths() {
    for name in CONFIGS {
        let config = shipped(name);
        let rtt = rtt(&config);
        for bandwidths in [[240, 6, 6, 6, 6, 6, 6, 6], [248, 62, 62, 248, 62, 62, 248, 62]] {
            let mut device = Device::new(StageName::PathScheduler, &config);
            open(&mut device, PACKET, &bandwidths, rtt);
            for (path, weight) in (0..).zip(bandwidths) {
                device.command(&[("op", LIMIT), ("path", path), ("weight", weight)]);
            }
            let mut shares = [0.0; 8];
            let packets = 4096;
            for _ in 0..packets {
                let (path, _) = grant(&mut device);
                shares[path as usize] += 1.0 / f64::from(packets);
                feedback(&mut device, path, GOOD, rtt);
            }
            let total = bandwidths.iter().sum::<u64>() as f64;
            let load = bandwidths.iter().zip(shares).map(|(bandwidth, share)| share * total / *bandwidth as f64);
            let throughput = 1.0 / load.fold(0.0, f64::max);
            assert!(throughput >= 0.98, "{name}: {throughput:.3} of {bandwidths:?}, shares {shares:?}");
        }
    }
}

#[test]
fn a_flow_leaves_a_path_that_stays_congested() {
    for name in CONFIGS {
        let mut config = shipped(name);
        // A flow leaves a full window, so windows stay large.
        config.settings.initial_packets = 0;
        let rtt = rtt(&config);
        let mut device = Device::new(StageName::PathScheduler, &config);
        open(&mut device, FLOW, &[200, 100, 150], rtt);
        let first = grant(&mut device).0;
        feedback(&mut device, first, GOOD, rtt);
        let (mut rtts, mut moved) = (0, None);
        while moved.is_none() && rtts < 20 {
            // Eight packets per RTT, each marked.
            for _ in 0..8 {
                let (path, flags) = grant(&mut device);
                feedback(&mut device, path, ECN, rtt);
                if path != first {
                    moved = Some((path, flags));
                    break;
                }
                device.idle(64 * rtt / 8);
            }
            rtts += 1;
        }
        let (path, flags) = moved.unwrap_or_else(|| panic!("{name}: it stays on {first}"));
        assert!((2..=8).contains(&rtts), "{name}: it moves after {rtts} RTT");
        assert_eq!(flags & 2, 2, "{name}: flag S");
        assert_ne!(path, first, "{name}");
    }
}

/// A path in the closed loop: a queue that serves a packet in so many clock cycles.
struct Path {
    /// Clock cycles per packet.
    service: u64,
    /// When the queue will be empty.
    free: u64,
}

impl Path {
    /// When the answer to a packet sent now comes back, and whether the packet is marked: the queue holds half a round trip.
    fn send(&mut self, now: u64, rtt: u64) -> (u64, bool) {
        self.free = self.free.max(now) + self.service;
        (self.free + rtt, self.free - now > rtt / 2)
    }
}

/// Probes say that all paths are equal, which they are not: marks and delay must bring the shares to the bandwidths (M63,
/// M64). The sender keeps one and a half bandwidth-delay products in flight.
#[test]
fn weights_find_the_bandwidths() {
    for name in CONFIGS {
        let config = shipped(name);
        let rtt = 64 * rtt(&config);
        let mut device = Device::new(StageName::PathScheduler, &config);
        open(&mut device, PACKET, &[128, 128, 128, 128], rtt / 64);
        let per_rtt = [20, 10, 5, 5];
        let mut paths = per_rtt.map(|packets| Path { service: rtt / packets, free: 0 });
        let capacity = per_rtt.iter().sum::<u64>();
        let mut waiting: Vec<(u64, u64, u64, bool)> = Vec::new();
        let (start, mut delivered) = (device.cycle, [0; 4]);
        // The last third counts.
        let (counts, end) = (start + 200 * rtt, start + 300 * rtt);
        while device.cycle < end {
            let now = device.cycle;
            if let Some(at) = waiting.iter().position(|(back, ..)| *back <= now) {
                let (_, path, sent, marked) = waiting.remove(at);
                feedback(&mut device, path, if marked { ECN } else { GOOD }, (now - sent) / 64);
                delivered[path as usize] += u64::from(now >= counts);
            } else if (waiting.len() as u64) < 3 * capacity / 2 {
                let Some((path, _)) = asked(&mut device) else { continue };
                let (back, marked) = paths[path as usize].send(device.cycle, rtt);
                waiting.push((back, path, device.cycle, marked));
            } else {
                device.clock();
            }
        }
        let throughput = delivered.iter().sum::<u64>() as f64 / (100 * capacity) as f64;
        println!("{name}: {throughput:.3} of the bandwidth, packets {delivered:?}");
        assert!(throughput > 0.85, "{name}: {throughput:.3}, packets {delivered:?}");
    }
}
