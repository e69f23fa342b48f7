// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two NICs in Icarus with X in the bytes whose `tkeep` is 0, on the wire and in the payload, each beside the model with bytes
//! at random.

use super::setup::{RTT, Sizes, design, one_leaf, opened, pdc};
use crate::common::unknown::Twins;

#[test]
fn bytes_without_tkeep_do_not_matter() {
    // Packets of 512 bytes.
    let sizes = Sizes { segment_log: 9, ..Sizes::default() };
    let circuit = rtl_model::elaborate(&design(sizes)).expect("it has no defects");
    let devices = std::iter::repeat_with(|| -> Box<dyn testbench::Dut> { Box::new(Twins::new(&circuit, false)) });
    let mut run = opened(&one_leaf(2, false), sizes, &[pdc(0, 0, 1, 0)], devices);
    for bytes in [777, 1, 1030] {
        run.send(0, 0, bytes);
    }
    run.until_done(4 * RTT).expect("it is delivered");
    assert_eq!(run.nics[0].sent.data, 6);
}
