// SPDX-License-Identifier: MIT OR Apache-2.0
//! The flat names of the record.

use super::arbitrary::{Sample, sample};
use super::known_answers::{CNP, ELAB, IPV6, UET, hex, passed};
use golden_vectors::headers::codec::{Options, flat, read, write};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_name_is_there_once() {
    let list = flat::fields();
    let names: BTreeMap<String, u32> = list.iter().cloned().collect();
    assert_eq!(names.len(), list.len());
    assert!(list.iter().all(|&(_, width)| (1..=128).contains(&width)));
}

/// A width for each name that a header uses with another: what hardware has to be wide enough for (uet.md 1.2 to 1.8).
#[test]
fn widths_are_those_of_the_formats() {
    let fields: BTreeMap<String, u32> = flat::fields().into_iter().collect();
    for (name, width) in [
        ("immdt", 32),
        ("ieth_rkey", 32),
        ("deth_qkey", 32),
        ("deth_sqpn", 24),
        ("xrceth_srqn", 24),
        ("atomic_eth_swap", 64),
        ("atomic_ack_original", 64),
        ("has_immdt", 1),
        ("uet_type", 5),
        ("uet_next_hdr", 4),
        ("uet_ctl_type", 4),
        ("uet_psn", 32),
        ("uet_clear_psn_offset", 16),
        ("uet_pdc_info", 4),
        ("uet_psn_offset", 12),
        ("uet_credit_target", 24),
        ("uet_req", 2),
        ("uet_sack_bitmap", 64),
        ("uet_rcv_cwnd_pend", 7),
        ("uet_rcvd_bytes", 24),
        ("uet_credit", 24),
        ("uet_nack_code", 8),
        ("uet_entropy", 16),
        ("uet_pkt_id", 32),
        ("elab_vp_id", 16),
        ("elab_b", 1),
        ("elab_vp_rburst_rate", 32),
        ("vlan1_tpid", 16),
        ("ip_id", 16),
        ("udp_checksum", 16),
        ("payload_offset", 8),
        ("payload_length", 16),
        ("transport_words", 4),
    ] {
        assert_eq!(fields.get(name), Some(&width), "{name}");
    }
}

/// No name is listed that no frame has.
#[test]
fn every_name_is_used() {
    let mut runner = TestRunner::deterministic();
    let mut unused: BTreeSet<String> = flat::fields().into_iter().map(|(name, _)| name).collect();
    for _ in 0..4000 {
        let Sample { record, payload, trailer, options } = sample().new_tree(&mut runner).unwrap().current();
        read(&write(&record, &payload, &trailer), &options).fields().keys().for_each(|name| {
            unused.remove(name);
        });
    }
    assert_eq!(unused, BTreeSet::new());
}

/// Fields of the network header, and of tags.
#[test]
fn fields_of_the_network_header() {
    let values = |text: &str, names: &[&str]| {
        let fields = passed(text, &Options::default()).record.fields();
        names.iter().map(|&name| fields.get(name).map(|field| field.value)).collect::<Vec<_>>()
    };
    let names =
        ["ip_ihl", "ip_id", "ip_reserved", "ip_df", "ip_mf", "ip_fragment_offset", "ip_checksum", "udp_checksum"];
    assert_eq!(values(CNP, &names), [5, 0x1234, 0, 1, 0, 0, 0x0DB8, 0].map(Some));
    assert_eq!(values(IPV6, &names), [None, None, None, None, None, None, None, Some(0xBEEF)]);
    let names = ["vlan0_tpid", "vlan0_tci", "vlan1_tpid", "vlan1_tci", "ip_slack", "transport", "l3"];
    assert_eq!(values(IPV6, &names), [0x88A8, 0xE123, 0x8100, 0x1FFF, 0, 2, 2].map(Some));
    assert_eq!(values(UET, &["transport", "uet_type", "uet_native", "sport"]), [Some(3), Some(8), Some(1), None]);
    assert_eq!(values(ELAB, &["transport", "elab_b", "vlan0_tpid"]), [Some(4), Some(1), None]);
}

/// A fragment has no UDP header, and says where it belongs.
#[test]
fn fields_of_a_fragment() {
    let mut frame = hex(CNP);
    (frame[20], frame[24], frame[25]) = (0x20 | 0x15, 0, 0);
    frame[21] = 0x55;
    let sum: u32 = frame[14..34].chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    let fields = read(&frame, &Options::default()).record.fields();
    let values = ["fragment", "ip_df", "ip_mf", "ip_fragment_offset", "transport"].map(|name| fields[name].value);
    assert_eq!(values, [1, 0, 1, 0x1555, 0]);
    assert!(!fields.contains_key("sport") && !fields.contains_key("ip_slack"));
}
