// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of one configuration: the oracle's, of every kind that is committed, and of its own ports.

use golden_vectors::frame::header_parser;
use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::frame::icrc;
use golden_vectors::headers::codec::{Options, read};
use golden_vectors::{Case, Expect, VectorFile};
use std::collections::{BTreeMap, BTreeSet};
use tier::pick;

type Table = BTreeMap<String, String>;

fn table(pairs: &[(&str, &str)]) -> Table {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn made(pairs: &[(&str, &str)]) -> VectorFile {
    header_parser::vectors_for(&table(pairs)).unwrap()
}

/// Choices of all kinds: ports that are 0, shared or those of others, a protocol that is UDP's, nothing at all.
const CHOICES: [&[(&str, &str)]; 14] = [
    &[("rocev2", "off"), ("elab", "off")],
    &[("uet", "off"), ("elab", "off")],
    &[("rocev2", "off"), ("uet", "off")],
    &[("rocev2", "off"), ("uet", "off"), ("elab", "off")],
    &[("uet_port", "5000")],
    &[("uet_port", "0")],
    &[("rocev2_port", "65535"), ("elab_port", "4791"), ("uet_port", "7851")],
    &[("rocev2_port", "7000"), ("uet_port", "7000"), ("elab_port", "7000")],
    &[("uet_protocol", "17")],
    &[("uet_protocol", "6")],
    &[("mpeh", "opcode")],
    &[("reserved", "refuse")],
    &[("elab_inner", "17")],
    &[("trimming", "on")],
];

#[test]
fn by_default_they_are_the_committed_ones() {
    let committed = VectorFile::embedded_stage("header_parser").unwrap().unwrap();
    let own = header_parser::vectors_for(&Table::new()).unwrap();
    assert!(own.cases().eq(committed.cases()));
    assert_eq!(own.number_of_tests, committed.cases().count());
    assert_eq!(
        (icrc::check_vectors_for(&Table::new()).unwrap(), icrc::insert_vectors_for(&Table::new()).unwrap()),
        (icrc::check_vectors(), icrc::insert_vectors())
    );
}

/// Every group is there, and all are for the configuration; what is expected is what the oracle says with its options.
#[test]
fn every_choice_has_every_group() {
    let committed = header_parser::vectors();
    for choice in pick(CHOICES, 4) {
        let (file, options) = (made(choice), Options::of_configuration(&table(choice)).unwrap());
        file.check().unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        let names: BTreeSet<_> = file.groups.iter().map(|group| group.name.as_str()).collect();
        for group in &committed.groups {
            assert!(names.contains(&*format!("own-{}", group.name)), "{choice:?}: {}", group.name);
        }
        assert!(file.number_of_tests > committed.number_of_tests, "{choice:?}");
        for (group, case) in file.grouped_cases() {
            assert_eq!(group.configuration, table(choice));
            let expect = Expect::from(&parse(&case.frame, case.bad_frame, &options));
            assert_eq!(expect, case.expect, "{choice:?}: {}", case.id);
        }
        // Both verdicts, and each transport that is looked for and can be reached.
        let transports: BTreeSet<_> = file.grouped_cases().filter_map(|(_, case)| transport(case)).collect();
        assert!(transports.contains(&0) && transports.contains(&1), "{choice:?}: {transports:?}");
        let shared = options.rocev2 && options.uet_port == options.rocev2_port;
        let on = [(2, options.rocev2), (3, options.uet), (4, options.elab && !shared)];
        assert!(on.into_iter().all(|(number, on)| !on || transports.contains(&number)), "{choice:?}: {transports:?}");
        let reasons: BTreeSet<_> = file.grouped_cases().filter_map(|(_, case)| case.expect.reason).collect();
        assert!(reasons.len() >= if transports.len() == 2 { 7 } else { 8 }, "{choice:?}: {reasons:?}");
    }
}

fn transport(case: &Case) -> Option<u128> {
    case.expect.fields.get("transport").map(|field| field.value)
}

/// At another port a frame is what it was at the old one: same verdict, same record but for the port, same ICRC.
#[test]
fn moved_frames_are_what_they_were() {
    let ports = [("rocev2_port", "40000"), ("uet_port", "40300"), ("elab_port", "41700"), ("uet_protocol", "200")];
    let (file, options) = (made(&ports), Options::of_configuration(&table(&ports)).unwrap());
    let committed = header_parser::vectors();
    let mut moved = 0;
    for group in committed.groups.iter().filter(|group| group.configuration.is_empty()) {
        let own = file.groups.iter().find(|own| own.name == format!("own-{}", group.name)).unwrap();
        assert_eq!(own.tests.len(), group.tests.len());
        for (before, after) in group.tests.iter().zip(&own.tests) {
            assert_eq!(format!("own-{}", before.id), after.id);
            assert_eq!((before.bad_frame, before.frame.len()), (after.bad_frame, after.frame.len()));
            let known = |fields: &BTreeMap<_, _>| {
                let mut fields = fields.clone();
                fields.retain(|name: &String, _| {
                    !["udp_dport", "dport", "ip_protocol", "ip_checksum"].contains(&&**name)
                });
                fields
            };
            let (old, new) = (&before.expect, &after.expect);
            assert_eq!((old.verdict, old.reason), (new.verdict, new.reason), "{}", after.id);
            assert_eq!(known(&old.fields).keys().collect::<Vec<_>>(), known(&new.fields).keys().collect::<Vec<_>>());
            let differing = known(&old.fields).into_iter().filter(|(name, field)| new.fields[name] != *field);
            let differing: Vec<_> = differing.map(|(name, _)| name).collect();
            assert!(differing.iter().all(|name| name.contains("port") || name.contains("protocol")), "{differing:?}");
            let right = |frame: &[u8], options| read(frame, options).icrc;
            assert_eq!(right(&before.frame, &Options::default()), right(&after.frame, &options), "{}", after.id);
            moved += usize::from(before.frame != after.frame);
        }
    }
    assert!(moved > 3000, "{moved}");
}

/// The neighbours of a port, and the default ports, are nobody's.
#[test]
fn what_stands_beside_the_ports_is_there() {
    let file = made(&[("uet_port", "5000"), ("uet_protocol", "99")]);
    let beside = file.groups.iter().find(|group| group.name == "own-beside").unwrap();
    for (port, ours) in [("4999", 1), ("5000", 3), ("5001", 1), ("4793", 1)] {
        let id = format!("own-beside/port-{port}-udp-uud");
        assert_eq!(beside.tests.iter().find(|case| case.id == id).and_then(transport), Some(ours), "{port}");
    }
    for (protocol, ours) in [("98", 0), ("99", 3), ("100", 0), ("253", 0)] {
        let id = format!("own-beside/protocol-{protocol}-native-uud");
        assert_eq!(beside.tests.iter().find(|case| case.id == id).and_then(transport), Some(ours), "{protocol}");
    }
}

/// The ICRC of another port: the same frames, right and wrong as they were; there is none at the default port.
#[test]
fn the_icrc_is_looked_for_at_the_configured_port() {
    let table = table(&[("rocev2_port", "5000")]);
    for (at, by_default) in [
        (icrc::check_vectors_for(&table).unwrap(), icrc::check_vectors()),
        (icrc::insert_vectors_for(&table).unwrap(), icrc::insert_vectors()),
    ] {
        at.check().unwrap();
        let (mut cases, mut filled) = (by_default.grouped_cases(), 0);
        for (group, case) in at.grouped_cases().filter(|(group, _)| group.name != "own-default-port") {
            let (_, before) = cases.next().unwrap();
            assert_eq!(group.configuration, table);
            assert_eq!((&case.rows[0], case.expect.reason), (&before.rows[0], before.expect.reason), "{}", case.id);
            assert_eq!(case.expect.frame.is_some(), before.expect.frame.is_some(), "{}", case.id);
            filled += usize::from(case.rows[0] == "R10");
        }
        assert!(cases.next().is_none() && filled > 300, "{filled}");
        let default = at.groups.iter().find(|group| group.name == "own-default-port").unwrap();
        assert_eq!(default.tests.len(), 4);
        assert!(default.tests.iter().all(|case| case.rows[0] == "R7" && case.expect.frame.is_none()));
    }
}
