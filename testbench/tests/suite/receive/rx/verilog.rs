// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked of the model at the top is asked of the Verilog too, of one device of each protocol.

use super::{changes, fields, lost, probes, tag, trimmed};
use super::{config, rtl};
use pipeline::receive::ack_generator::AckProtocol;

#[test]
fn the_verilog_of_rocev2_answers_in_the_same_way() {
    let config = fields::narrow(config(AckProtocol::Roce, 512, 2));
    let dut = &mut rtl(&config, 0);
    tag::tells_one_way_delays(dut, &config);
    fields::says_what_has_come(dut, &config, 500, 9);
    probes::probes_of_rocev2(dut, &config);
    changes::the_span_takes_effect(dut, &config);
}

#[test]
fn the_verilog_of_uet_answers_in_the_same_way() {
    let config = lost::patient(config(AckProtocol::Uet, 512, 2));
    let dut = &mut rtl(&config, 0);
    probes::probes_of_uet(dut, &config);
    trimmed::trimmed_packets_are_refused(dut, &config);
    lost::answers_are_lost_that_wait_for_too_long(dut);
    lost::contexts_are_not_set_up(dut, &config);
    lost::pdcid_0_is_no_context(dut, &config);
}
