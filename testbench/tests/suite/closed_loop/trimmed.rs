// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trimmed packets in the forms in which switches send them (row 17 of the header parser): none has to be found by time-out.

use super::setup::{
    Device, RTT, SEGMENT, Sizes, closed_loop, count, models, one_leaf, opened, pdc, report, simulations, two_leaves, us,
};
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::{FabricConfig, Impairment, Lengths};

/// Packets of the message, and how many of them are trimmed.
pub const PACKETS: u32 = 150;
pub const TRIMMED: u64 = 16;
/// Bytes that are left from the UDP header on: the least, and with the default of a switch 128 in all, give or take a few.
const KEEP: [usize; 2] = [24, 90];
pub const FORMS: [Lengths; 3] = [Lengths::Adjusted, Lengths::IpAdjusted, Lengths::Kept];

/// The network, whose queues trim in this form.
pub fn trims(mut fabric: FabricConfig, keep: usize, lengths: Lengths) -> FabricConfig {
    for queue in [&mut fabric.downlink.queue, &mut fabric.path_queue] {
        queue.trimming.iter_mut().for_each(|trimming| (trimming.keep, trimming.lengths) = (keep, lengths));
    }
    fabric
}

/// The numbers of the data packets that are trimmed: one in nine, or those in a row.
pub fn spread() -> impl Iterator<Item = u64> {
    (0..TRIMMED).map(|n| 9 * n + 3)
}

pub fn burst() -> impl Iterator<Item = u64> {
    40..40 + TRIMMED
}

/// What must not have happened, and what must.
fn ends(run: &mut ClosedLoop, what: &str) -> f64 {
    run.until_done(200 * RTT).expect("it is delivered");
    report(what, run);
    let took = us(run.now());
    println!("{what}: {took:.1} us");
    assert_eq!(run.fabric.counts().queue.trimmed, TRIMMED, "{what}");
    assert_eq!(count(run, "parser_trimmed"), TRIMMED, "{what}");
    assert_eq!(count(run, "packet_tracker_timeouts"), 0, "{what}");
    // Each again, and hardly any other.
    let again = run.nics[0].sender.counts.again;
    assert!((TRIMMED..=TRIMMED + 2).contains(&again), "{what}: {again}");
    took
}

/// The time in which 150 packets are complete, 16 of which are trimmed in front of the host that receives them.
fn at_the_last_hop(what: &str, run: &mut ClosedLoop, numbers: impl Iterator<Item = u64>) -> f64 {
    run.fabric.downlink_mut(1).refuse(numbers);
    run.send(0, 0, PACKETS * SEGMENT);
    ends(run, what)
}

#[test]
fn trimmed_packets_need_no_timeout_whatever_their_lengths() {
    for (keep, lengths, ipv6) in FORMS.into_iter().flat_map(|form| [(KEEP[0], form, false), (KEEP[1], form, true)]) {
        let fabric = trims(one_leaf(2, true), keep, lengths);
        let pdcs = [Pdc { ipv6, ..pdc(0, 0, 1, 0) }];
        let what = format!("{lengths:?}, {keep} bytes from UDP on, IPv{}", if ipv6 { 6 } else { 4 });
        for (name, numbers) in [("one in nine", spread().collect::<Vec<_>>()), ("in a row", burst().collect())] {
            let mut run = closed_loop(&fabric, Sizes::default(), &pdcs);
            let took = at_the_last_hop(&format!("{what}, {name}"), &mut run, numbers.into_iter());
            assert!(took <= 75.0, "{took}");
        }
    }
}

/// On the way, where NSCC takes them for congestion.
#[test]
fn trimmed_on_the_way() {
    for lengths in FORMS {
        let fabric = trims(two_leaves(2, &[390], Impairment::default()), KEEP[0], lengths);
        let mut run = closed_loop(&fabric, Sizes::default(), &[pdc(0, 0, 1, 0)]);
        run.fabric.path_mut(0, 1, 0).refuse(spread());
        run.send(0, 0, PACKETS * SEGMENT);
        ends(&mut run, &format!("{lengths:?}, on the way"));
    }
}

#[test]
fn the_verilog_takes_them_too() {
    for (lengths, ipv6) in [(Lengths::IpAdjusted, true), (Lengths::Kept, false)] {
        let run = |devices: &mut dyn Iterator<Item = Device>| {
            let fabric = trims(one_leaf(2, true), KEEP[0], lengths);
            let mut run = opened(&fabric, Sizes::default(), &[Pdc { ipv6, ..pdc(0, 0, 1, 0) }], devices);
            let took = at_the_last_hop(&format!("Verilog or model, {lengths:?}"), &mut run, spread());
            assert!(took <= 75.0, "{took}");
            (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect::<Vec<_>>(), run.now())
        };
        let model = run(&mut models(Sizes::default()));
        assert_eq!(run(&mut simulations(Sizes::default())), model);
    }
}
