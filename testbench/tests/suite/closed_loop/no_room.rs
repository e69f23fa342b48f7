// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver whose host stands still: it takes neither frames nor records for a while, so the gate overflows. The sender is told,
//! and all is delivered (row RX25).

use super::rocev2::setup as rocev2;
use super::setup::{self, Device, RTT, SEGMENT, Sizes, count, one_leaf, pdc, us};
use testbench::closed_loop::{ClosedLoop, NicConfig};

/// 100 us.
const STILL: u64 = 19_531;
const PACKETS: u32 = 51;

/// What is to be seen of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figures {
    /// Microseconds until the message is complete.
    done: f64,
    /// The same until the receiver says that it has no room.
    told: f64,
    /// How often it does.
    naks: u64,
    overflowed: u64,
    /// Packets that were sent.
    sent: u64,
}

fn run(nic: &NicConfig, devices: impl Iterator<Item = Device>) -> Figures {
    let mut run = ClosedLoop::new(&one_leaf(2, false), nic, devices.take(2)).expect("the ports are there");
    run.open(nic, pdc(0, 0, 1, 0)).expect("it opens");
    run.send(0, 0, PACKETS * SEGMENT);
    run.nics[1].receiver.stands_still = true;
    let (begin, mut told) = (run.now(), None);
    while run.now() < begin + STILL {
        run.step().expect("it is lawful");
        if told.is_none() && count(&run, "naks") > 0 {
            told = Some(run.now());
        }
    }
    let naks = count(&run, "naks");
    run.nics[1].receiver.stands_still = false;
    run.until_done(200 * RTT).expect("it is delivered");
    let counts = run.nics[0].sender.counts;
    Figures {
        done: us(run.now() - begin),
        told: us(told.expect("it says so") - begin),
        naks,
        overflowed: count(&run, "gate_overflowed"),
        sent: counts.again + u64::from(PACKETS),
    }
}

fn check(name: &str, model: Figures, verilog: Figures) {
    println!("{name}: {model:?}");
    assert_eq!(model, verilog, "{name}");
    // The first packets are there after half an RTT, and there are more than the gate has room for.
    assert!(model.overflowed > 30 && model.told < us(RTT), "{name}: {model:?}");
    // One in an RTT.
    assert!(model.naks <= 1 + STILL / RTT, "{name}: {model:?}");
}

#[test]
fn a_sender_is_told_that_the_host_of_its_receiver_stands_still() {
    let sizes = Sizes::default();
    let (nic, models) = (setup::nic(sizes), setup::models(sizes));
    check("UET", run(&nic, models), run(&nic, setup::simulations(sizes)));
    let sizes = rocev2::Sizes::paths(1, 64);
    let (nic, models) = (rocev2::nic(&sizes), rocev2::models(&sizes));
    check("RoCEv2", run(&nic, models), run(&nic, rocev2::simulations(&sizes)));
}

/// Clock cycles of a microsecond, nearly.
const MICROSECOND: u64 = RTT / 12;

/// What a receiver without room costs, and what another one gets meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Packets that were sent to the one without room: those of its message, and those sent again.
    pub first: u64,
    pub again: u64,
    /// Gb/s of the other one while the host stands still.
    pub other: f64,
    pub timeouts: u64,
    /// Packets for which the gate had no room, and for which the receiver had no buffer.
    pub overflowed: u64,
    pub no_buffer: u64,
}

/// Host 0 sends to host 1, which stands still for so long, and all the time to host 2.
pub fn cost(nic: &NicConfig, microseconds: u64, devices: impl Iterator<Item = Device>) -> Cost {
    let mut run = ClosedLoop::new(&one_leaf(3, false), nic, devices.take(3)).expect("the ports are there");
    for (number, to) in [(0, 1), (1, 2)] {
        run.open(nic, pdc(0, number, to, 0)).expect("it opens");
    }
    run.send(0, 0, PACKETS * SEGMENT);
    run.nics[1].receiver.stands_still = true;
    let (begin, mut waiting) = (run.now(), 0);
    while run.now() < begin + microseconds * MICROSECOND {
        // There is always a message for host 2.
        if waiting < 2 + (run.ledger.bytes((0, 1)) / MESSAGE) {
            run.send(0, 1, MESSAGE as u32);
            waiting += 1;
        }
        run.step().expect("it is lawful");
    }
    let other = 8.0 * run.ledger.bytes((0, 1)) as f64 / (1000.0 * us(run.now() - begin));
    run.nics[1].receiver.stands_still = false;
    run.until_done(400 * RTT).expect("it is delivered");
    println!("all is delivered after {:.0} us", us(run.now() - begin));
    let count = |host: usize, name: &str| run.nics[host].count(name).expect("it counts");
    Cost {
        first: PACKETS.into(),
        again: run.nics[0].sender.counts.again,
        other,
        timeouts: count(0, "packet_tracker_timeouts"),
        overflowed: count(1, "gate_overflowed"),
        no_buffer: count(1, "no_buffer"),
    }
}

/// Bytes of a message to host 2.
const MESSAGE: u64 = 1_000_000;

/// For 1 ms in the model, and for 10 ms in the Verilog: the window once more, and a packet for each wait.
#[test]
fn a_receiver_without_room_costs_its_sender_few_packets() {
    let sizes = Sizes::default();
    let uet = (setup::nic(sizes), "UET", [60, 70]);
    let paths = rocev2::Sizes::paths(1, 64);
    let rocev2 = (rocev2::nic(&paths), "RoCEv2", [60, 75]);
    for (nic, name, most) in [uet, rocev2] {
        let is_uet = name == "UET";
        for (microseconds, most) in [1000, 10_000].into_iter().zip(most) {
            let cost = match (is_uet, microseconds) {
                (true, 1000) => cost(&nic, microseconds, setup::models(sizes)),
                (true, _) => cost(&nic, microseconds, setup::simulations(sizes)),
                (false, 1000) => cost(&nic, microseconds, rocev2::models(&paths)),
                (false, _) => cost(&nic, microseconds, rocev2::simulations(&paths)),
            };
            println!("{name}, {microseconds} us: {cost:?}");
            assert!(cost.again < most && cost.other > 90.0, "{name}, {microseconds} us: {cost:?}");
            assert_eq!(cost.timeouts, 0, "{name}, {microseconds} us: {cost:?}");
        }
    }
}
