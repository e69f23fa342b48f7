// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path for long: packets that overtake each other, are lost and sent again, come twice or with changed bits,
//! on streams that stall in several ways. Every packet that was sent and not lost is delivered once and in order, and the
//! counters are those of what was done to the packets.

use super::answers::Answered;
use super::receiver::Receiver;
use super::{QUIET, config, does, holding_frames, model, open, rtl};
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::RxConfig;
use std::time::Instant;
use testbench::Dut;
use testbench::benches::rx_bench::{Command, RxBench};
use testbench::device::random::Random;

/// Frames that are sent and checked at a time.
const ROUND: usize = 10_000;
/// Clock cycles of a frame, about.
const CLOCKS: u64 = 16;
/// Rounds after which a connection is closed and opened again.
const REOPENED: usize = 16;
/// How likely a stream pauses: frames in, deliveries, other streams. What leaves keeps up with what comes, as the frame gate
/// would drop the rest.
const PAUSES: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [0.3, 0.2, 0.1], [0.5, 0.3, 0.3]];

/// What `scripts/soak` asks for: packets on the model, a tenth of them on the Verilog.
fn packets(short: usize) -> usize {
    match std::env::var("MPNIC_RX_PACKETS") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("MPNIC_RX_PACKETS={text} is not a number")),
        Err(_) => short,
    }
}

/// Frames through the device, in rounds; how many packets were delivered.
fn soak(what: &str, dut: &mut dyn Dut, protocol: AckProtocol, frames: usize) {
    let mut delivered = 0;
    let start = Instant::now();
    for (seed, [frames_in, deliveries, others]) in (100..).zip(PAUSES) {
        let mut random = Random::new(seed);
        let pause = |stream: &str| match stream {
            "s_axis" => frames_in,
            "delivery" | "m_delivery" => deliveries,
            _ => others,
        };
        let mut run = RxBench::new(dut, seed, pause).expect("the streams are there");
        let (mut receiver, mut answered) = (Receiver::new(protocol, 64), Answered::default());
        let opened =
            |receiver: &mut Receiver, run: &mut RxBench, random: &mut Random, dut: &mut dyn Dut, connection| {
                let (key, psn) = (receiver.free_key(random), random.below(1 << protocol.psn_bits()));
                assert!(does(run, dut, open(connection, key, psn)).done);
                receiver.open(connection, key, psn);
            };
        for connection in 0..8 {
            opened(&mut receiver, &mut run, &mut random, dut, connection);
        }
        let rounds = (frames / PAUSES.len()).div_ceil(ROUND);
        for round in 0..rounds {
            if round % REOPENED == REOPENED - 1 {
                let connection = (round / REOPENED) as u64 % 8;
                assert!(does(&mut run, dut, Command::close(connection)).done);
                receiver.close(connection);
                opened(&mut receiver, &mut run, &mut random, dut, connection);
            }
            let mut sent = receiver.traffic(&mut random, ROUND.min(frames / PAUSES.len()));
            sent.extend(receiver.complete(&mut random));
            sent.extend(receiver.repetitions(&mut random));
            run.send(&sent).expect("they have bytes");
            run.until_idle(dut, QUIET).expect("it ends");
            receiver.check_answers(&run, &mut answered);
            receiver.check(&run).covers_all();
            receiver.forget();
            run.forget().expect("the streams are there");
        }
        delivered += receiver.seen().of("delivered");
        let (marks, sent) = (answered.marked, receiver.seen().of("marked"));
        assert!(marks > sent / 20, "{what}: {marks} of {sent} marks come back");
    }
    assert!(delivered as usize > frames / 2, "{delivered} of {frames} packets");
    let seconds = start.elapsed().as_secs_f64();
    println!("soak {what}: {delivered} packets delivered, {:.0} a second", delivered as f64 / seconds);
}

/// Each with its bus width and the latency of its memories.
fn configs() -> [(&'static str, AckProtocol, RxConfig); 3] {
    let (roce, uet) = (AckProtocol::Roce, AckProtocol::Uet);
    [
        ("rocev2 w512l2", roce, config(roce, 512, 2)),
        ("uet w256l3", uet, config(uet, 256, 3)),
        ("rocev2 w512l2 payload", roce, holding_frames(config(roce, 512, 2))),
    ]
}

#[test]
fn packets_are_delivered_once_and_in_order_for_long() {
    let each = packets(90_000) / configs().len();
    for (what, protocol, config) in configs() {
        soak(&format!("model {what}"), &mut *model(&config), protocol, each);
    }
}

#[test]
fn the_verilog_delivers_once_and_in_order_for_long() {
    let each = packets(9_000) / 10 / configs().len();
    for (what, protocol, config) in configs() {
        let frames = each.max(4000);
        soak(&format!("verilog {what}"), &mut rtl(&config, CLOCKS * frames as u64), protocol, frames);
    }
}
