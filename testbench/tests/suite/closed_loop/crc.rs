// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CRC of UET: bits that flip on the way cost their packets, which are dropped, counted and sent again, and nothing else.
//! Without a CRC NICs speak as well.

use super::setup::{Device, RTT, Sizes, count, models, nic, one_leaf, opened, pdc, report, simulations};
use testbench::closed_loop::{ClosedLoop, Ledger, SentFrames};
use testbench::streams::Channel;
use testbench::{Dut, Error, Ports};
use tier::pick;

/// A NIC to which one frame in so many comes with a bit changed, at the place in it that the number of the frame says.
struct Noisy {
    dut: Device,
    ports: Ports,
    outputs: Vec<u64>,
    frames: Channel,
    every: u64,
    seen: u64,
    beat: u64,
}

impl Noisy {
    fn new(dut: Device, every: u64) -> Self {
        let ports = dut.ports().clone();
        let frames = Channel::input(&ports, "s_axis_rx").expect("it is there");
        Noisy { dut, outputs: vec![0; ports.output_limbs()], ports, frames, every, seen: 0, beat: 0 }
    }
}

impl Dut for Noisy {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.dut.outputs(&mut self.outputs);
        out.copy_from_slice(&self.outputs);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        let at = |name: &str| self.ports.input(name).expect("it is there").offset;
        let mut input = input.to_vec();
        // The first beat ends in the headers; an answer has two, which end behind its first words.
        let hit = self.seen % self.every == self.every - 1 && self.beat == 1;
        if hit {
            input[at("s_axis_rx_tdata")] ^= 1 << (self.seen / self.every % 32);
        }
        if self.frames.valid(&input) && self.frames.ready(&self.outputs) {
            let last = input[at("s_axis_rx_tlast")] == 1;
            self.beat = if last { 0 } else { self.beat + 1 };
            self.seen += u64::from(last);
        }
        self.dut.clock(reset, &input);
    }

    fn failure(&mut self) -> Option<Error> {
        self.dut.failure()
    }
}

/// Messages both ways between two NICs.
fn run(sizes: Sizes, devices: impl Iterator<Item = Device>) -> ClosedLoop {
    let pdcs = [pdc(0, 0, 1, 0), pdc(0, 1, 1, 1), pdc(1, 0, 0, 2)];
    let mut run = opened(&one_leaf(2, true), sizes, &pdcs, devices);
    for pdc in &pdcs {
        [200_000, 0, 1, 4096, 4095, 63, 100_000].into_iter().for_each(|length| run.send(pdc.from, pdc.pdc, length));
    }
    // And back on the first one.
    run.send(1, nic(sizes).peer_pdc(0), 50_000);
    run.until_done(200 * RTT).expect("it is delivered");
    report("two hosts", &run);
    run
}

/// What there is to compare of two runs.
fn outcome(run: &ClosedLoop) -> (Ledger, Vec<SentFrames>, u64) {
    (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect(), run.now())
}

#[test]
fn frames_that_changed_on_the_way_are_dropped_counted_and_sent_again() {
    let noisy = |nic| -> Device { Box::new(Noisy::new(nic, 17)) };
    let model = run(Sizes::default(), models(Sizes::default()).map(noisy));
    let bad = count(&model, "icrc_bad");
    assert!(bad > 10, "{bad} frames were changed");
    let again: u64 = model.nics.iter().map(|nic| nic.sender.counts.again).sum();
    assert!(again > 5, "{again} packets were sent again");
    assert_eq!(count(&model, "icrc_insert_bad") + count(&model, "icrc_insert_other"), 0);
    assert_eq!(count(&model, "gate_dropped"), bad);
    let rtl = run(Sizes::default(), simulations(Sizes::default()).map(noisy));
    assert_eq!((outcome(&rtl), count(&rtl, "icrc_bad")), (outcome(&model), bad));
}

#[test]
fn with_and_without_a_crc_the_verilog_does_what_the_model_does() {
    for uet_crc in pick([true, false], 1) {
        let sizes = Sizes { uet_crc, ..Sizes::default() };
        let model = run(sizes, models(sizes));
        assert_eq!(outcome(&run(sizes, simulations(sizes))), outcome(&model), "CRC {uet_crc}");
        if uet_crc {
            assert!(count(&model, "icrc_good") > 100);
            assert_eq!(count(&model, "icrc_bad") + count(&model, "icrc_other"), 0);
        }
    }
}
