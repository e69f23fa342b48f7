// SPDX-License-Identifier: MIT OR Apache-2.0
//! Path selection of Ultra Ethernet as shipped: a round is used once (U08, U13), half marked stops skipping (U12), a ROD
//! path moves once in 10 RTT (U06), a round takes one to two RTT (U10).

use super::device::{Device, shipped};
use mpnic::config::Config;
use mpnic::settings::spaces;
use mpnic::stages::StageName;
use std::collections::BTreeSet;

const CONFIGS: [&str; 2] = ["uet-400g", "ecp5-10g"];
const OPEN: u64 = 1;
const BITMAP: u64 = 0;
const SINGLE_PATH: u64 = 3;
const ECN: u64 = 1;

fn open(device: &mut Device, ccc: u64, mode: u64, rod: u64, code: u32) {
    device.command(&[("op", OPEN), ("ccc", ccc), ("mode", mode), ("rod", rod), ("space", code.into())]);
}

/// The EV of the next packet, and whether the CCC is saturated.
fn grant(device: &mut Device, ccc: u64) -> (u64, bool) {
    device.send("request", &[("ccc", ccc), ("free_ports", 1)]);
    device.wait("grant");
    assert_eq!(device.get("grant_open"), 1);
    let granted = (device.get("grant_ev"), device.get("grant_saturated") == 1);
    device.clock();
    granted
}

/// The EVs of as many packets, requested in consecutive clock cycles, and whether the CCC is saturated.
fn grants(device: &mut Device, ccc: u64, packets: u64) -> Vec<(u64, bool)> {
    let (mut asked, mut granted) = (0, Vec::new());
    while (granted.len() as u64) < packets {
        if device.get("grant_valid") == 1 {
            assert_eq!(device.get("grant_open"), 1);
            granted.push((device.get("grant_ev"), device.get("grant_saturated") == 1));
        }
        if asked < packets {
            device.set("request_valid", 1);
            device.set("request_ccc", ccc);
            device.set("request_free_ports", 1);
            asked += 1;
        }
        device.clock();
    }
    granted
}

/// The space at the rate of the link.
fn space(config: &Config) -> (u64, u32) {
    let space = &spaces(config)[0];
    assert!((1.0..=2.0).contains(&space.round_rtts), "U10: {space:?}");
    (space.evs, space.code)
}

#[test]
fn a_round_uses_every_ev_once_and_ports_are_dynamic() {
    for name in CONFIGS {
        let config = shipped(name);
        let (evs, code) = space(&config);
        let mut device = Device::new(StageName::EntropySelector, &config);
        open(&mut device, 1, BITMAP, 0, code);
        for round in 0..3 {
            let granted: BTreeSet<_> = grants(&mut device, 1, evs).into_iter().map(|(ev, _)| ev).collect();
            assert_eq!(granted.len() as u64, evs, "{name}, round {round}");
            assert!(granted.iter().all(|ev| (49_152..=65_535).contains(ev)), "{name}: {granted:?}");
        }
    }
}

#[test]
fn half_marked_stops_skipping() {
    for name in CONFIGS {
        let config = shipped(name);
        let (evs, code) = space(&config);
        let mut device = Device::new(StageName::EntropySelector, &config);
        open(&mut device, 1, BITMAP, 0, code);
        let all: Vec<_> = grants(&mut device, 1, evs).into_iter().map(|(ev, _)| ev).collect();
        let (half, rest) = all.split_at(all.len() / 2);
        let mark = |device: &mut Device, ev: u64| device.send("feedback", &[("ccc", 1), ("ev", ev), ("kind", ECN)]);
        half.iter().for_each(|ev| mark(&mut device, *ev));
        device.idle(16);
        for (ev, saturated) in grants(&mut device, 1, evs) {
            assert!(!saturated && rest.contains(&ev), "{name}: {ev} with half of {evs} marked");
        }
        mark(&mut device, rest[0]);
        device.idle(16);
        let granted = grants(&mut device, 1, evs);
        assert!(granted.iter().all(|(_, saturated)| *saturated), "{name}");
        assert_eq!(granted.iter().collect::<BTreeSet<_>>().len() as u64, evs, "{name}: all EVs again");
    }
}

#[test]
fn a_rod_path_moves_once_in_ten_rtt_and_at_once_when_idle() {
    for name in CONFIGS {
        let config = shipped(name);
        let rtt = (config.settings.rtt_us * config.target.clock_mhz).ceil() as u64;
        let mut device = Device::new(StageName::EntropySelector, &config);
        open(&mut device, 2, SINGLE_PATH, 1, 0);
        let mut last = grant(&mut device, 2).0;
        let (mut moved, end) = (Vec::new(), device.cycle + 45 * rtt);
        // Congestion on every packet, twenty packets per RTT.
        while device.cycle < end {
            device.send("feedback", &[("ccc", 2), ("ev", last), ("kind", ECN)]);
            device.send("reroute", &[("ccc", 2)]);
            device.idle(rtt / 20);
            let (ev, _) = grant(&mut device, 2);
            if ev != last {
                moved.push(device.cycle);
            }
            last = ev;
        }
        assert!((3..=4).contains(&moved.len()), "{name}: {} moves in 45 RTT", moved.len());
        assert!(moved.windows(2).all(|pair| pair[1] - pair[0] >= 10 * rtt - rtt / 10), "{name}: {moved:?}");
        // Idle for longer than an RTT: it moves with the next packet.
        device.send("reroute", &[("ccc", 2)]);
        device.idle(3 * rtt);
        assert_ne!(grant(&mut device, 2).0, last, "{name}");
        // Feedback alone moves nothing (U28).
        let (last, end) = (grant(&mut device, 2).0, device.cycle + 25 * rtt);
        while device.cycle < end {
            device.send("feedback", &[("ccc", 2), ("ev", last), ("kind", ECN)]);
            device.idle(rtt / 2);
            assert_eq!(grant(&mut device, 2).0, last, "{name}");
        }
    }
}
