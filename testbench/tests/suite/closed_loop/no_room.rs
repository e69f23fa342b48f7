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
    assert!(model.overflowed > 40 && model.told < us(RTT), "{name}: {model:?}");
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
