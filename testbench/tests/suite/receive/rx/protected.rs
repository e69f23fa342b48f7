// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receive path whose reorder stage has check bits (`sram_protection` = `secded`, rows R22 to R24) does the same with the same
//! traffic.

use super::{Dut, Seen, config, delivers_in_order, holding_frames, model};
use pipeline::blocks::secded::Protection;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::reorder::ReorderConfig;
use pipeline::receive::rx::RxConfig;
use tier::pick;

fn protected(config: RxConfig) -> RxConfig {
    RxConfig { reorder: ReorderConfig { sram_protection: Protection::Secded, ..config.reorder }, ..config }
}

fn seen(config: &RxConfig, seed: u64) -> Seen {
    let dut: &mut dyn Dut = &mut *model(config);
    let with_check_bits = config.reorder.sram_protection == Protection::Secded;
    assert_eq!(dut.ports().output("sram_corrected").is_some(), with_check_bits);
    delivers_in_order(dut, config.protocol(), seed, 4000)
}

/// The same seed is the same traffic, and the receiver says that the same became of it.
#[test]
fn check_bits_change_nothing_at_the_top() {
    let (roce, uet) = (AckProtocol::Roce, AckProtocol::Uet);
    let configs = [
        config(roce, 128, 2),
        config(uet, 512, 3),
        holding_frames(config(roce, 512, 3)),
        holding_frames(config(uet, 256, 2)),
    ];
    for (seed, config) in pick((40..).zip(configs), 1) {
        let with = seen(&protected(config), seed);
        with.covers_all();
        assert_eq!(with, seen(&config, seed));
    }
}
