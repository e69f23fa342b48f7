// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of up to 2^31 bytes (rows TX1, TX2): longer ones are refused, and the sum of all that a PDC may have is counted.

use super::run::Run;
use super::scenarios::{CLEAN, CONSISTENT, PDCS, checker, config, counters_are_0, credits};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;
use tier::pick;

/// Bytes of the longest message.
const LONGEST: u64 = 1 << 31;

/// All places of a PDC have the longest messages, and all that is longer is refused.
fn longest(dut: &mut dyn Dut, config: &TxConfig) {
    let mut run = Run::new(dut, checker(config, None), (PDCS, 1), (CLEAN, credits(config)), |_| 0.0, 10);
    assert!(run.open(0, 1000, &[]).done);
    for length in [LONGEST + 1, LONGEST + (1 << 20), (1 << 32) - 1] {
        run.request(0, length);
        run.until_done();
    }
    run.traffic(4, 0.0);
    assert_eq!((run.checker.refusals, run.bench.output("refused_requests")), (3, 3));
    (0..config.messages).for_each(|_| run.request(0, LONGEST));
    run.traffic(4000, 0.0);
    assert_eq!((run.checker.refusals, run.read(0).messages), (3, config.messages));
    // The bytes of each fetch are those of the message.
    assert!(run.fetches.len() > 20, "{} packets", run.fetches.len());
    counters_are_0(&run, &CONSISTENT);
    assert!(run.close(0, true).done);
    counters_are_0(&run, &CONSISTENT);
}

/// A message that is whole, of more packets than one of 2^24 bytes could have.
fn whole(dut: &mut dyn Dut, config: &TxConfig, length: u64) {
    let mut run = Run::new(dut, checker(config, None), (PDCS, 2), (CLEAN, credits(config)), |_| 0.0, 10);
    assert!(run.open(0, 0xFFFF_FF00, &[]).done);
    run.request(0, length);
    run.request(0, 100);
    let packets = length.div_ceil(1 << config.segment_log) + 1;
    let end = run.bench.cycle() + 400 * packets;
    while run.checker.frames < packets && run.bench.cycle() < end {
        run.step();
    }
    run.until_done();
    assert_eq!((run.checker.frames, run.checker.retransmissions, run.checker.completions), (packets, 0, 2));
    counters_are_0(&run, &CONSISTENT);
}

/// Packets of 2^this bytes.
fn with_segment(segment_log: u32, width: u32) -> TxConfig {
    let mut config = TxConfig { segment_log, ..config(CccAlgorithms::Nscc, width, 64, 2) };
    (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
    config.ccc_table.settings.mtu = (1 << segment_log) + 256;
    config
}

#[test]
fn a_pdc_may_have_as_many_of_the_longest_messages_as_it_has_places() {
    for (segment_log, width) in pick([(8, 512), (12, 1024), (13, 512)], 1) {
        let config = with_segment(segment_log, width);
        longest(&mut *model(&config), &config);
    }
}

#[test]
fn a_message_of_more_than_2_to_24_bytes_arrives() {
    for length in pick([(1 << 24) + 5000, (1 << 28) + 1], 1) {
        let config = with_segment(13, 1024);
        whole(&mut *model(&config), &config, length);
    }
}

#[test]
fn the_verilog_has_the_longest_messages_too() {
    let config = with_segment(8, 256);
    longest(&mut rtl(&config, 50_000), &config);
}
