// SPDX-License-Identifier: MIT OR Apache-2.0
//! More messages are under way at once where `tx.messages` is larger, on models, and on the Verilog.

use super::setup::{RTT, Sizes, models, one_leaf, opened, pdc, simulations};

const MESSAGES: u32 = 128;

/// The clock cycles in which short messages that are asked for at once are delivered and acknowledged.
fn clocks(sizes: Sizes, devices: &mut dyn Iterator<Item = Box<dyn testbench::Dut>>) -> u64 {
    let mut run = opened(&one_leaf(2, false), sizes, &[pdc(0, 0, 1, 0)], devices);
    let begin = run.now();
    for n in 0..MESSAGES {
        run.send(0, 0, 100 + n);
    }
    run.until_done(60 * RTT).expect("they are delivered");
    assert_eq!(run.nics[0].sent.data, u64::from(MESSAGES), "one packet for each");
    run.now() - begin
}

/// With so many messages of a PDC at once.
fn with(messages: u64) -> Sizes {
    Sizes { messages, ..Sizes::default() }
}

#[test]
fn so_many_are_under_way_in_a_round_trip() {
    let times = [8, 64].map(|messages| clocks(with(messages), &mut models(with(messages))));
    // 128 messages, eight at a time and 64 at a time; nothing is lost. A round trip of short packets is a little less than RTT.
    eprintln!("{MESSAGES} messages, 8 and 64 at a time: {times:?} clock cycles");
    assert!(times[0] > 10 * RTT && times[1] < 7 * RTT, "{times:?}");
}

#[test]
fn the_verilog_has_as_many() {
    for messages in [8, 64] {
        let sizes = with(messages);
        assert_eq!(clocks(sizes, &mut simulations(sizes)), clocks(sizes, &mut models(sizes)), "{messages} messages");
    }
}
