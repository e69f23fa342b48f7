// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the vectors of the header parser cover: fields, OpCodes, types, lengths, reserved bits, configurations.

use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::headers::codec::{MpehIndicator, Options, Strictness};
use golden_vectors::headers::opcode;
use golden_vectors::{Case, Field, Group, VectorFile, Verdict};
use std::collections::{BTreeMap, BTreeSet};

fn committed() -> VectorFile {
    VectorFile::embedded_stage("header_parser").unwrap().unwrap()
}

fn value(case: &Case, name: &str) -> Option<u128> {
    case.expect.fields.get(name).map(|field| field.value)
}

fn options(group: &Group) -> Options {
    Options::of_configuration(&group.configuration).unwrap()
}

#[test]
fn every_field_takes_both_ends() {
    let file = committed();
    let mut seen: BTreeMap<&str, BTreeSet<u128>> = BTreeMap::new();
    for (_, case) in file.grouped_cases() {
        for (name, field) in &case.expect.fields {
            seen.entry(name).or_default().insert(field.value);
        }
    }
    let ends = |name: &str, width: u32| match name {
        // Numbers of a kind, numbers that must be true, and places in a frame.
        "l3" | "vlan_count" => (0, 2),
        "transport" => (0, 4),
        "ip_ihl" => (5, 15),
        "vlan0_tpid" | "vlan1_tpid" => (0x8100, 0x88A8),
        "transport_words" => (0, 11),
        "payload_offset" => (14 + 20 + 8, 22 + 60 + 8 + 12 + 8 + 4 + 28),
        "ip_length" | "payload_length" | "ip_slack" => (0, 0),
        "udp_length" => (8, 8),
        _ => (0, u128::MAX >> (128 - width)),
    };
    for (name, &width) in &file.fields {
        let values = seen.get(name.as_str()).unwrap_or_else(|| panic!("{name} never occurs"));
        let (low, high) = ends(name, width);
        assert!(values.contains(&low) && values.contains(&high), "{name}: {low:#x} or {high:#x} is missing");
    }
}

/// A bit of the record in all frames: where it is there, and where it is 1.
#[derive(Default, Clone)]
struct Bit {
    there: Vec<u64>,
    one: Vec<u64>,
}

/// Names whose bits are alike by the rules.
fn alike(one: &str, other: &str) -> bool {
    const LENGTHS: [&str; 3] = ["ip_length", "udp_length", "payload_length"];
    let pair = |a: &str, b: &str| (one == a && other == b) || (one == b && other == a);
    // There are two numbers of tags; headers are whole words; the rate is the third word; UET over UDP has one port,
    // and one of two protocols.
    (one == other && one.ends_with("_tpid"))
        || (LENGTHS.contains(&one) && LENGTHS.contains(&other))
        || pair("elab_b", "transport_words")
        || pair("dport", "uet_native")
        || pair("protocol", "uet_native")
}

/// Any two bits of the record differ in a frame that has both, so that hardware which reads one for the other is found.
/// The upper bits of lengths need frames that are longer than those of a network.
#[test]
fn no_two_bits_are_alike() {
    let file = committed();
    let cases: Vec<&Case> = file.grouped_cases().map(|(_, case)| case).collect();
    let words = cases.len().div_ceil(64);
    let mut bits: BTreeMap<(&str, u32), Bit> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        for (name, Field { value, mask }) in &case.expect.fields {
            for bit in (0..file.fields[name]).filter(|bit| mask >> bit & 1 == 1) {
                let empty = || Bit { there: vec![0; words], one: vec![0; words] };
                let known = bits.entry((name, bit)).or_insert_with(empty);
                known.there[at / 64] |= 1 << (at % 64);
                known.one[at / 64] |= ((value >> bit & 1) as u64) << (at % 64);
            }
        }
    }
    assert_eq!(bits.len() as u32, file.fields.values().sum::<u32>());
    let long = |name: &str, bit: u32| match name {
        "ip_length" | "payload_length" | "udp_length" => bit >= 14,
        "ip_slack" => bit >= 12 || bit == 10,
        "payload_offset" => bit < 2,
        _ => name.ends_with("_tpid"),
    };
    let list: Vec<_> = bits.into_iter().filter(|&((name, bit), _)| !long(name, bit)).collect();
    for (at, &((name, bit), ref one)) in list.iter().enumerate() {
        assert!((0..words).any(|word| one.one[word] != 0), "{name}[{bit}] is never 1");
        assert!(one.one != one.there, "{name}[{bit}] is never 0");
        for &((other, number), ref two) in &list[at + 1..] {
            let both = |word: usize| one.there[word] & two.there[word];
            let meet = (0..words).any(|word| both(word) != 0);
            let differ = (0..words).any(|word| both(word) & (one.one[word] ^ two.one[word]) != 0);
            assert!(!meet || differ || alike(name, other), "{name}[{bit}] is {other}[{number}]");
        }
    }
}

#[test]
fn every_opcode_occurs_with_and_without_mpeh_by_both_marks() {
    let file = committed();
    let mut seen = BTreeSet::new();
    for (group, case) in file.grouped_cases() {
        if let (Some(opcode), Some(mpeh)) = (value(case, "bth_opcode"), value(case, "has_mpeh")) {
            seen.insert((options(group).mpeh == MpehIndicator::Bit, opcode as u8, mpeh == 1));
        }
    }
    for opcode in 0..=255_u8 {
        assert!(seen.contains(&(true, opcode, false)) && seen.contains(&(true, opcode, true)), "{opcode:#04x}");
        let mirrored = (0xC0..0xE0).contains(&opcode) && opcode::extensions(opcode - 0xC0).is_some();
        assert!(
            seen.contains(&(false, opcode, mirrored)) && !seen.contains(&(false, opcode, !mirrored)),
            "{opcode:#04x}"
        );
    }
}

/// uet.md 1.2: every type over UDP and on IP, over IPv4 and IPv6, and what else decides on its headers.
#[test]
fn every_type_of_uet_occurs_everywhere() {
    let file = committed();
    let (mut types, mut states, mut contexts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for case in file.cases() {
        let (Some(kind), Some(native)) = (value(case, "uet_type"), value(case, "uet_native")) else { continue };
        types.insert((kind, native, value(case, "l3").unwrap()));
        states.extend(value(case, "uet_cc_type").map(|state| (state, native)));
        contexts.extend(value(case, "uet_syn").map(|syn| (kind, syn, native)));
    }
    assert_eq!(types.len(), 32 * 2 * 2);
    assert!([0, 1, 2, 15].into_iter().all(|state| states.contains(&(state, 0)) && states.contains(&(state, 1))));
    let both = [2, 3, 11, 13, 14].map(|kind| [(kind, 0, 0), (kind, 0, 1), (kind, 1, 0), (kind, 1, 1)]);
    assert_eq!(contexts, both.into_iter().flatten().collect());
}

/// Row 13: for every number of bytes behind UDP or IP that are too few for the headers of a frame that passes with more.
#[test]
fn headers_are_cut_at_every_byte() {
    let file = committed();
    for prefix in ["cut-rocev2", "cut-uet", "cut-elab"] {
        let mut cut: BTreeMap<String, BTreeMap<usize, bool>> = BTreeMap::new();
        for case in file.cases().filter(|case| case.id.starts_with(&format!("{prefix}/"))) {
            let (name, length) = case.id.rsplit_once('-').unwrap();
            if let Ok(length) = length.parse() {
                cut.entry(name.to_owned()).or_default().insert(length, case.expect.verdict == Verdict::Ok);
            }
        }
        assert!(!cut.is_empty());
        for (name, lengths) in cut {
            let last = *lengths.keys().last().unwrap();
            assert!((0..=last).all(|length| lengths.get(&length) == Some(&(length == last))), "{name}: {lengths:?}");
        }
    }
}

/// Every reserved field is not 0 in a frame in which no other is, and that frame is refused; a frame with all other bits
/// set passes (M20, M30, E04, uet.md 1.1 to 1.8).
#[test]
fn every_reserved_field_is_refused_alone() {
    let file = committed();
    let mut alone: BTreeSet<String> = BTreeSet::new();
    let (mut several, mut none) = (0, 0);
    for (group, case) in file.grouped_cases().filter(|(group, _)| options(group).reserved == Strictness::Refuse) {
        let counted = Options { reserved: Strictness::Count, ..options(group) };
        let reading = parse(&case.frame, case.bad_frame, &counted);
        match reading.reserved {
            0 => none += usize::from(case.expect.verdict == Verdict::Ok),
            1 => alone.extend(reading.fields().into_iter().filter(|(_, field)| field.value != 0).map(|(name, _)| name)),
            _ => several += 1,
        }
        assert_eq!(case.expect.reason == Some(golden_vectors::Reason::Reserved), reading.reserved > 0, "{}", case.id);
    }
    assert!(several > 20 && none > 80, "{several} {none}");
    let names: Vec<&String> =
        file.fields.keys().filter(|name| name.contains("_reserved") && *name != "ip_reserved").collect();
    assert!(names.len() > 15);
    for name in names.into_iter().map(String::as_str).chain(["bth_tver", "uet_cc_flags", "mpeh_flags", "aeth_syndrome"])
    {
        assert!(alone.contains(name), "{name}");
    }
}

/// Frames with reserved bits and without pass where they are counted, and hardware's counter tells them apart.
#[test]
fn counted_frames_pass() {
    let file = committed();
    let mut counts = [0, 0];
    for (group, case) in file.grouped_cases().filter(|(group, _)| options(group).reserved == Strictness::Count) {
        let reading = parse(&case.frame, case.bad_frame, &options(group));
        assert_eq!(case.expect.verdict, Verdict::Ok, "{}", case.id);
        counts[usize::from(reading.reserved > 0)] += 1;
    }
    assert!(counts[0] > 50 && counts[1] > 100, "{counts:?}");
}

/// Each option has groups with another value than its default, in which it changes what comes of a frame.
#[test]
fn every_option_decides() {
    let file = committed();
    let mut decided: BTreeSet<&str> = BTreeSet::new();
    for (group, case) in file.grouped_cases() {
        for key in group.configuration.keys() {
            let mut without = group.configuration.clone();
            without.remove(key);
            let other = parse(&case.frame, case.bad_frame, &Options::of_configuration(&without).unwrap());
            if golden_vectors::Expect::from(&other) != case.expect {
                decided.insert(key);
            }
        }
    }
    let all = [
        "rocev2",
        "uet",
        "elab",
        "rocev2_port",
        "uet_port",
        "elab_port",
        "uet_protocol",
        "mpeh",
        "reserved",
        "trimming",
        "trimmed_dscp",
        "trimmed_last_hop_dscp",
    ];
    assert_eq!(decided, all.into_iter().collect());
    // What is in the tunnel is in no field.
    assert!(file.groups.iter().any(|group| group.configuration.contains_key("elab_inner")));
}

/// Row 2: a frame of 128 KiB is too long, whatever the width of the bus, and no shorter one is.
#[test]
fn frames_end_a_byte_and_a_beat_beside_the_limit_at_every_width() {
    let limit = 131_072;
    for stage in ["header_parser", "icrc", "icrc_insert"] {
        let file = VectorFile::embedded_stage(stage).unwrap().unwrap();
        let lengths: BTreeSet<_> =
            file.cases().map(|case| case.frame.len()).filter(|&length| length > 65_597).collect();
        assert!([limit - 1, limit, limit + 1].iter().all(|length| lengths.contains(length)), "{stage}: {lengths:?}");
        assert!(lengths.last() > Some(&(2 * limit)), "{stage}: a count may wrap twice");
    }
    let mut told: BTreeMap<usize, BTreeSet<Option<golden_vectors::Reason>>> = BTreeMap::new();
    for case in committed().cases().filter(|case| case.id.starts_with("long/") && !case.bad_frame) {
        told.entry(case.frame.len()).or_default().insert(case.expect.reason);
    }
    for beat in [8, 16, 32, 64, 128] {
        assert_eq!(told[&(limit - beat)], BTreeSet::from([None]), "{beat} bytes less");
        assert_eq!(told[&(limit + beat)], BTreeSet::from([Some(golden_vectors::Reason::TooLong)]), "{beat} bytes more");
    }
}
