// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of `header_builder`: up to date, complete in what they cover, and in agreement with the oracle for whole
//! frames where a record says nothing that contradicts it.

use golden_vectors::frame::header_builder;
use golden_vectors::frame::header_builder::oracle::{Options, Record, build};
use golden_vectors::headers::codec::{self, Network, Part, Reading, Transport};
use golden_vectors::{Case, Field, Reason, VectorError, VectorFile, Verdict};
use std::collections::{BTreeMap, BTreeSet};

fn committed() -> VectorFile {
    VectorFile::embedded_stage("header_builder").unwrap().unwrap()
}

#[test]
fn file_reads_back_as_it_was_made() {
    assert_eq!(committed(), header_builder::vectors());
}

/// The record of a case; every port that it does not name is `open`.
fn record(case: &Case, open: u32) -> Record {
    let port = |name: &str| case.record.get(name).map_or(open, |field| field.value as u32);
    fn words<const N: usize>(name: &str, port: impl Fn(&str) -> u32) -> [u32; N] {
        std::array::from_fn(|i| port(&format!("{name}_{i}")))
    }
    Record {
        ethernet: words("ethernet", port),
        vlan_count: port("vlan_count") as u8,
        l3: port("l3") as u8,
        ip: words("ip", port),
        udp: words("udp", port),
        mpeh: words("mpeh", port),
        header: words("header", port),
        transport: port("transport") as u8,
        uet_native: port("uet_native") == 1,
        has_mpeh: port("has_mpeh") == 1,
        transport_words: port("transport_words") as u8,
        payload_length: port("payload_length") as u16,
        ip_slack: port("ip_slack") as u16,
        entropy: port("entropy"),
        entropy_target: port("entropy_target") as u8,
    }
}

#[test]
fn expectations_are_the_oracle_s_whatever_is_left_open() {
    for (group, case) in committed().grouped_cases() {
        let options = Options::of_configuration(&group.configuration).unwrap();
        for open in [0, u32::MAX, 0x5555_AAAA] {
            let frame = build(&record(case, open), &case.frame, &options);
            assert_eq!(case.expect.frame.as_ref(), Some(&frame), "{}", case.id);
        }
        let reason = case.bad_frame.then_some(Reason::BadFrame);
        assert_eq!((case.expect.verdict == Verdict::Drop, case.expect.reason), (case.bad_frame, reason), "{}", case.id);
    }
}

/// What the parser would say of a frame, and what follows its headers.
fn taken_apart(bytes: &[u8], reading: &Reading) -> (Record, Vec<u8>) {
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect()
    };
    fn filled<const N: usize>(words: Vec<u32>) -> [u32; N] {
        std::array::from_fn(|i| words.get(i).copied().unwrap_or(0xDEAD_BEEF))
    }
    let source = &reading.record;
    let tags = source.link.as_ref().unwrap().tags.len();
    let start = 14 + 4 * tags;
    let (l3, ip) = match source.network {
        None => (0, 0),
        Some(Network::V4(_)) => (1, 20),
        Some(Network::V6(_)) => (2, 40),
    };
    let (transport, native) = match &source.transport {
        None => (u8::from(source.udp.is_some()), false),
        Some(Transport::Rocev2(_)) => (2, false),
        Some(Transport::Uet(headers)) => (3, headers.entropy.is_some()),
        Some(Transport::Elab(_)) => (4, false),
    };
    let udp = start + ip;
    let behind = match (transport, native) {
        (0, _) => udp,
        (_, true) => udp + 4,
        _ => udp + 8,
    };
    let parts = source.parts();
    let (mpeh, others): (Vec<&Part>, Vec<&Part>) =
        parts.iter().skip(usize::from(native)).partition(|part| part.object == "mpeh");
    let bytes_of = |parts: &[&Part]| parts.iter().flat_map(|part| part.bytes.clone()).collect::<Vec<_>>();
    let header = words(&bytes_of(&others));
    let mut entropy = words(&bytes[udp..behind]);
    if native {
        entropy.insert(0, 0xDEAD_BEEF);
    }
    let record = Record {
        ethernet: filled(words(&[&[0xA5, 0xA5], &bytes[..start]].concat())),
        vlan_count: tags as u8,
        l3,
        ip: filled(words(&bytes[start..udp])),
        udp: filled(entropy),
        mpeh: filled(words(&bytes_of(&mpeh))),
        transport,
        uet_native: native,
        has_mpeh: !mpeh.is_empty(),
        transport_words: header.len() as u8,
        header: filled(header),
        payload_length: if transport == 0 { 0xBEEF } else { reading.payload.len() as u16 },
        ip_slack: if source.udp.is_some() { source.slack } else { 0xBEEF },
        entropy: 0xF_FFFF,
        entropy_target: 0,
    };
    let headers = if transport == 0 { udp } else { reading.payload.start };
    (record, bytes[headers..].to_vec())
}

#[test]
fn the_oracle_for_whole_frames_writes_the_same() {
    let file = VectorFile::embedded_stage("header_parser").unwrap().unwrap();
    let mut count = 0;
    for (group, case) in file.grouped_cases().filter(|(_, case)| case.frame.len() < 10_000) {
        let protocols = codec::Options::of_configuration(&group.configuration).unwrap();
        let reading = golden_vectors::frame::header_parser::oracle::parse(&case.frame, case.bad_frame, &protocols);
        let without_options = !matches!(reading.record.network, Some(Network::V4(header)) if header.ihl() > 5);
        // What is left of a trimmed packet is shorter than its headers say.
        let is_whole = !case.id.starts_with("trimmed");
        if reading.verdict == Verdict::Ok && without_options && is_whole {
            let (record, rest) = taken_apart(&case.frame, &reading);
            let options = Options { protocols, recorded_checksum: true };
            assert_eq!(build(&record, &rest, &options), case.frame, "{}", case.id);
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn every_row_and_every_number_that_means_nothing_occurs() {
    let file = committed();
    let rows: BTreeSet<_> = file.grouped_cases().flat_map(|(_, case)| case.rows.clone()).collect();
    let requirements = ["M12", "M13", "M41", "M49", "M51"].map(str::to_owned);
    assert_eq!(rows, (1..=16).map(|row| format!("R{row}")).chain(requirements).collect());
    let records: Vec<_> = file.cases().map(|case| record(case, 0)).collect();
    let kinds: BTreeSet<_> = records.iter().map(|r| (r.l3, r.transport, r.uet_native, r.has_mpeh)).collect();
    for transport in 0..8 {
        for l3 in [1, 2] {
            for (native, mpeh) in [(false, false), (false, true), (true, false), (true, true)] {
                assert!(kinds.contains(&(l3, transport, native, mpeh)), "{l3} {transport} {native} {mpeh}");
            }
        }
    }
    assert!([0, 3].iter().all(|&l3| (0..5).all(|kind| kinds.iter().any(|known| (known.0, known.1) == (l3, kind)))));
    assert!((0..4).all(|tags| records.iter().any(|r| r.vlan_count == tags)));
    for transport in [1, 2, 3, 4, 7] {
        for mpeh in [false, transport == 2] {
            let of_kind = records.iter().filter(|r| r.transport == transport && r.has_mpeh == mpeh);
            let words: BTreeSet<_> = of_kind.map(|r| r.transport_words).collect();
            assert_eq!(words, (0..16).collect(), "{transport} {mpeh}");
        }
    }
    let into: BTreeSet<_> =
        records.iter().map(|r| (r.l3.min(2), r.transport.min(4), r.uet_native, r.entropy_target)).collect();
    for (l3, transport, native) in
        [(0, 0, false), (1, 0, false), (2, 2, false), (1, 2, false), (1, 3, true), (2, 3, true)]
    {
        assert!((0..4).all(|how| into.contains(&(l3, transport, native, how))), "{l3} {transport} {native}");
    }
    let bad = file.cases().filter(|case| case.bad_frame).count();
    assert!(bad > 15, "{bad}");
    let both = records.iter().filter(|r| u32::from(r.payload_length) + u32::from(r.ip_slack) > 0xFFFF).count();
    assert!(both > 10, "{both}");
}

#[test]
fn every_option_decides() {
    let file = committed();
    let mut decided = BTreeSet::new();
    for (group, case) in file.grouped_cases() {
        for key in group.configuration.keys() {
            let mut without = group.configuration.clone();
            without.remove(key);
            let other = build(&record(case, 1), &case.frame, &Options::of_configuration(&without).unwrap());
            if case.expect.frame.as_ref() != Some(&other) {
                decided.insert(key.clone());
            }
        }
    }
    assert_eq!(decided, ["rocev2", "uet", "elab", "mpeh", "udp_checksum", "uet_protocol"].map(str::to_owned).into());
}

/// For a stage of any configuration there are the vectors of the default, with what must come of them then.
#[test]
fn vectors_are_made_for_any_configuration() {
    let table: BTreeMap<_, _> =
        [("uet", "off"), ("udp_checksum", "recorded")].map(|(k, v)| (k.into(), v.into())).into();
    let (made, default) =
        (header_builder::vectors_for(&table).unwrap(), header_builder::vectors_for(&BTreeMap::new()).unwrap());
    made.check().unwrap();
    assert!(made.groups.iter().all(|group| group.configuration == table));
    let pairs = || made.grouped_cases().zip(default.cases());
    assert!(pairs().all(|((_, one), two)| (&one.id, &one.frame) == (&two.id, &two.frame)));
    let other = pairs().filter(|((_, one), two)| one.expect != two.expect).count();
    assert!(other > 100, "{other}");
    assert_eq!(default.number_of_tests, committed().cases().count());
    assert!(header_builder::vectors_for(&[("udp_checksum".to_owned(), "1".to_owned())].into()).is_err());
}

#[test]
fn a_port_that_there_is_not_is_refused() {
    let mut file = committed();
    file.groups[0].tests[0].record.insert("header_11".into(), Field::exact(0));
    assert!(matches!(file.check(), Err(VectorError::Field { field, .. }) if field == "header_11"));
    let mut file = committed();
    file.groups[0].tests[0].record.insert("l3".into(), Field::exact(4));
    assert!(matches!(file.check(), Err(VectorError::Field { field, .. }) if field == "l3"));
}
