// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks the registered stages, and that the numbers in vectors agree with the configuration.

use super::*;
use crate::config::{Key, Kind, recorded};
use crate::vectors;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::ccc_table::CccAlgorithms;

fn timed() -> impl Iterator<Item = (StageName, &'static TimedJudge)> {
    StageName::ALL.iter().filter_map(|stage| match &stage.spec().judge {
        Judge::Timed(judge) => Some((*stage, judge)),
        _ => None,
    })
}

#[test]
fn names_are_told_apart_and_keys_are_there() {
    for stage in StageName::ALL {
        let spec = stage.spec();
        assert_eq!(StageName::find(spec.name), Some(*stage));
        for section in spec.sections {
            assert!(Key::all().any(|key| key.section == *section), "{}: [{section}]", spec.name);
        }
        for (section, name) in spec.only.iter().chain(spec.except) {
            assert!(Key::find(section, name).is_some() && spec.sections.contains(section), "{}: {name}", spec.name);
        }
        if let Some(contexts) = spec.contexts {
            let key = Key::find(contexts.section, contexts.key).expect(spec.name);
            assert!(matches!(key.kind, Kind::Whole(..) | Kind::OneOf(_)) && stage.has_key(key), "{}", spec.name);
        }
    }
}

/// What a transmit path needs.
const NEEDS: &str = "UET with NSCC or RCCC, or RoCEv2 and tx.protocol = \"roce\"";

#[test]
fn the_pipeline_is_in_the_order_of_the_way() {
    let mut config = Config::default();
    let names = |config: &Config| StageName::pipeline(config).into_iter().map(StageName::name).collect::<Vec<_>>();
    (config.protocols.rocev2, config.protocols.uet, config.protocols.elab) = (true, true, true);
    let all = ["rx", "elab_feedback", "path_scheduler", "elab_scheduler", "header_builder", "icrc_insert", "tx"];
    assert_eq!(names(&config), all);
    let with_parts = |config: &Config| {
        let all = StageName::with_parts(&StageName::pipeline(config), config);
        all.into_iter().map(StageName::name).collect::<Vec<_>>()
    };
    let parts = ["header_parser", "icrc", "frame_gate", "context_lookup", "reorder", "request_check", "ack_generator"];
    let of_tx = ["packet_tracker", "ccc_table", "entropy_selector"];
    assert_eq!(with_parts(&config), [&parts[..], &all[..6], &of_tx, &["tx"]].concat());
    assert_eq!(StageName::left_out(&config).count(), 0);
    (config.protocols.rocev2, config.protocols.elab) = (false, false);
    // What both have is made once.
    assert_eq!(names(&config), ["nic"]);
    let parts = [
        "header_parser",
        "icrc",
        "frame_gate",
        "context_lookup",
        "reorder",
        "ack_generator",
        "header_builder",
        "icrc_insert",
    ];
    assert_eq!(with_parts(&config), [&parts[..], &["rx"], &of_tx, &["tx", "nic"]].concat());
    // Receivers give credit with RCCC.
    config.ccc_table.algorithms = CccAlgorithms::Rccc;
    assert_eq!(names(&config), ["nic"]);
    assert_eq!(with_parts(&config), [&parts[..], &["rx"], &of_tx, &["tx", "credit_pacer", "nic"]].concat());
    // Without an algorithm there is no transmit path, and its stages are there alone.
    config.ccc_table.algorithms = CccAlgorithms::None;
    assert_eq!(names(&config), ["rx", "entropy_selector", "ccc_table", "header_builder", "icrc_insert"]);
    assert_eq!(StageName::left_out(&config).collect::<Vec<_>>(), [(StageName::Tx, NEEDS)]);
    // Without a protocol that it receives there is no receive path, and its stages are there alone.
    (config.protocols.uet, config.protocols.elab) = (false, true);
    assert_eq!(names(&config), ["elab_host"]);
    let of_elab =
        ["header_parser", "frame_gate", "context_lookup", "elab_scheduler", "elab_feedback", "header_builder"];
    assert_eq!(with_parts(&config), [&of_elab[..], &["elab_host"]].concat());
    let left_out = [(StageName::Rx, "RoCEv2 or UET"), (StageName::Tx, NEEDS)];
    assert_eq!(StageName::left_out(&config).collect::<Vec<_>>(), left_out);
}

/// A transmit path of RoCEv2 has the scheduler, and alone it is part of a NIC.
#[test]
fn what_is_sent_is_of_the_protocol_that_is_chosen() {
    let mut config = Config::default();
    (config.protocols.rocev2, config.protocols.uet, config.protocols.elab) = (true, true, false);
    config.tx.protocol = AckProtocol::Roce;
    let parts = StageName::Tx.parts(&config);
    assert!(parts.contains(&StageName::PathScheduler) && !parts.contains(&StageName::EntropySelector), "{parts:?}");
    assert!(StageName::pipeline(&config).contains(&StageName::EntropySelector), "UET has one beside it");
    // With RoCEv2 alone the key is not looked at.
    (config.protocols.uet, config.tx.protocol) = (false, AckProtocol::Uet);
    assert_eq!(StageName::pipeline(&config), [StageName::Nic]);
    assert_eq!(StageName::Nic.parts(&config), [StageName::Rx, StageName::Tx]);
}

/// The configuration that committed vectors ask for has the numbers that they record.
#[test]
fn what_vectors_record_reads_back() {
    let mut read = 0;
    for (stage, judge) in timed() {
        for file in vectors::committed(stage).expect("they are read") {
            let Vectors::Timed(file) = file else { panic!("{} has timed vectors", stage.name()) };
            for group in &file.groups {
                let config = recorded::config(&stage.name(), judge.parameters, &group.configuration);
                let config = config.unwrap_or_else(|failure| panic!("{failure}"));
                assert_eq!((judge.size)(&config), group.configuration, "{}", group.name);
                read += 1;
            }
        }
    }
    assert!(read > 50, "{read}");
}

/// The numbers of a configuration lead back to an equal configuration.
#[test]
fn every_configured_size_is_one_that_vectors_may_record() {
    let mut config = Config::default();
    for (depth, data_width, frames) in [(256, 1024, 2), (1 << 22, 64, 4096), (32_768, 512, 512)] {
        (config.frame_gate.depth, config.data_width, config.frame_gate.frames) = (depth, data_width, frames);
        for (stage, judge) in timed() {
            let size = (judge.size)(&config);
            let again = recorded::config(&stage.name(), judge.parameters, &size);
            let again = again.unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!((judge.size)(&again), size);
        }
    }
}

#[test]
fn what_no_configuration_says_no_vectors_may_record() {
    let said = |stage: StageName, name: &str, number: Option<u64>| {
        let Judge::Timed(judge) = &stage.spec().judge else { panic!("{} has timed vectors", stage.name()) };
        let mut size = (judge.size)(&Config::default());
        match number {
            Some(number) => size.insert(name.to_owned(), number),
            None => size.remove(name),
        };
        let read = recorded::config(&stage.name(), judge.parameters, &size);
        read.map(|_| String::new()).unwrap_or_else(|failure| failure.to_string())
    };
    use StageName::{ElabFeedback, EntropySelector, FrameGate, PathScheduler};
    for (stage, name, number, allowed) in [
        (EntropySelector, "cccs", 0, "a whole number from 1 to 4096"),
        (EntropySelector, "modes", 0, "a number from 1 to 127, a bit for each mode"),
        (EntropySelector, "modes", 128, "a number from 1 to 127, a bit for each mode"),
        (EntropySelector, "ram_latency", 4, "1, 2 or 3"),
        (PathScheduler, "paths", 3, "2, 4, 8, 16, 32 or 64"),
        (ElabFeedback, "unit", 7, "a whole number from 8 to 65535"),
        (FrameGate, "beats", 3, "a power of two from 2 to 524288"),
        (FrameGate, "beats", 1 << 20, "a power of two from 2 to 524288"),
        (FrameGate, "mark", 2, "0 or 1"),
        (FrameGate, "records", 2, "0 or 1"),
    ] {
        let stage_name = stage.name();
        let wanted = format!("mpnic: the vectors for `{stage_name}` ask for `{name}` = {number}; it is {allowed}");
        assert_eq!(said(stage, name, Some(number)), wanted);
    }
    assert!(said(FrameGate, "beats", None).contains("do not say what `beats` is"));
    assert_eq!(said(EntropySelector, "ports", None), "", "files from before there were ports");
    assert!(said(PathScheduler, "cccs", Some(1)).contains("say what `cccs` is, which it does not have"));
}
