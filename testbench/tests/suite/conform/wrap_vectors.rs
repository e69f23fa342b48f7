// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of numbers at the limits of their widths, which are too long for the committed files: on the model and on the
//! Verilated RTL.

use golden_vectors::TimedFile;
use golden_vectors::receive::ack_generator;
use golden_vectors::receive::ack_generator::oracle::Protocol;
use golden_vectors::transmit::ccc_table;
use golden_vectors::transmit::ccc_table::oracle::Algorithms;
use golden_vectors::transmit::packet_tracker;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use rtl_model::{Design, elaborate};
use testbench::Dut;
use testbench::conform::timed_bench::run;
use testbench::device::compiled::Compiled;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use tier::pick;

/// Plays one of them, in the tier all each. How many there are.
fn play<D: Design>(design: &D, file: &TimedFile) -> usize {
    let circuit = elaborate(design).unwrap_or_else(|report| panic!("{report}"));
    let model = Compiled::new().build(&circuit).expect("it compiles");
    let rtl = Verilator::new().build(&Source::of_circuit(&circuit).expect("it prints")).expect("it compiles");
    let devices: [(&str, Box<dyn Dut>); 2] = [("model", Box::new(model)), ("RTL", Box::new(rtl))];
    for (name, mut dut) in devices {
        let cases = file.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case)));
        for (group, case) in pick(cases, 1) {
            let result = run(&mut *dut, group, case).expect("the ports are there");
            assert!(result.passed(), "{name}: {}: {:?}", result.id, result.problems);
        }
    }
    file.cases().count()
}

#[test]
fn counts_of_ccc_table() {
    let sizes = [(Algorithms::Both, CccAlgorithms::Both), (Algorithms::Nscc, CccAlgorithms::Nscc)];
    let played = sizes.map(|(oracle, algorithms)| {
        let file = ccc_table::wrap_vectors(ccc_table::oracle::Shape::new(oracle, 1));
        play(&CccTableConfig::new(1, algorithms), &file)
    });
    assert!(played.iter().all(|cases| *cases > 1), "{played:?}");
}

#[test]
fn times_of_packet_tracker() {
    let file = packet_tracker::wrap_vectors(packet_tracker::oracle::Shape::new(2, 64));
    assert_eq!(play(&PacketTrackerConfig { cccs: 16, ..PacketTrackerConfig::new(2, 64) }, &file), 5);
}

#[test]
fn numbers_of_ack_generator() {
    let sizes = [(Protocol::Uet, AckProtocol::Uet, 64), (Protocol::Roce, AckProtocol::Roce, 1024)];
    let play_one = |(oracle, protocol, window)| {
        let file = ack_generator::wrap_vectors(ack_generator::oracle::Shape::new(oracle, 2, window));
        play(&AckGeneratorConfig::new(protocol, 2, window), &file)
    };
    let played: Vec<_> = pick(sizes, 1).into_iter().map(play_one).collect();
    assert!(played.iter().all(|cases| *cases > 1), "{played:?}");
}
