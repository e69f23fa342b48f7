// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header builder: against the oracle, there and back through the parser, and all readings in lock-step.

use crate::common::{buildings, captures, soak};
use buildings::{Case, apart, random};
use golden_vectors::headers::codec::{Network, Record, Transport};
use golden_vectors::headers::ipv4;
use pipeline::frame::header_builder::{HeaderBuilderConfig, UdpChecksum, entropy_target};
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use testbench::benches::builder_bench::{Building, build, builder_streams};
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::device::drive::RandomDrive;
use testbench::device::model::{model_of, reference_of};
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::lockstep::readings::Readings;
use testbench::streams::Frame;
use testbench::{Dut, Ports};
use tier::pick;

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];

fn model(width: u32) -> Box<dyn Dut> {
    model_of(&HeaderBuilderConfig::new(width)).expect("it elaborates")
}

fn rtl(config: HeaderBuilderConfig) -> impl Dut {
    let source = Source::of_design(&config).expect("it prints");
    Verilator::new().build(&source).expect("it compiles")
}

fn randoms(count: usize, seed: u64) -> Vec<Case> {
    let mut source = Random::new(seed);
    (0..count).map(|_| random(&mut source)).collect()
}

/// The frames must be those that the oracle makes.
fn agrees(name: &str, dut: &mut dyn Dut, cases: &[(Building, Vec<u8>)], traffic: Traffic) {
    let buildings: Vec<_> = cases.iter().map(|(building, _)| building.clone()).collect();
    let frames = build(dut, &buildings, traffic).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (index, (frame, (building, expected))) in frames.iter().zip(cases).enumerate() {
        let at = frame.bytes.iter().zip(expected).position(|(a, b)| a != b);
        assert!(
            frame.bytes == *expected,
            "{name}, frame {index}, {} of {} bytes, first wrong {at:?}:\n{:02x?}\n{expected:02x?}",
            frame.bytes.len(),
            expected.len(),
            frame.bytes
        );
        assert_eq!(frame.user, 3 * building.rest.user, "{name}, frame {index}");
    }
}

/// A builder without UDP checksum, which is the default.
fn plain(cases: &[Case]) -> Vec<(Building, Vec<u8>)> {
    let each = |case: &Case| {
        let frame = case.without_checksum().frame();
        (case.building(&frame), frame)
    };
    cases.iter().map(each).collect()
}

#[test]
fn captured_frames_are_built_again() {
    let frames: Vec<_> = captures::frames("mixed").into_iter().map(|frame| frame.bytes).collect();
    let cases: Vec<_> = frames.iter().filter_map(|frame| apart(frame)).collect();
    let whole: Vec<_> = cases.iter().map(|case| (case.building(&case.frame()), case.frame())).collect();
    let same = whole.iter().filter(|(_, frame)| frames.contains(frame)).count();
    // All good cases except those with IPv4 options.
    assert!(same > 390, "{same} frames of the capture");
    for width in pick(WIDTHS, 2) {
        let traffic = Traffic { stall: 0.2, seed: 1 };
        let config = HeaderBuilderConfig { udp_checksum: UdpChecksum::Recorded, ..HeaderBuilderConfig::new(width) };
        let mut recorded = model_of(&config).expect("it elaborates");
        agrees(&format!("{width} bits, recorded"), &mut *recorded, &whole, traffic);
        agrees(&format!("{width} bits"), &mut *model(width), &plain(&cases), traffic);
    }
}

#[test]
fn random_records_become_what_the_oracle_writes() {
    for (seed, width) in pick((1..).zip(WIDTHS), 2) {
        for stall in [0.0, 0.4] {
            let cases = plain(&randoms(2000, seed));
            agrees(&format!("{width} bits, stall {stall}"), &mut *model(width), &cases, Traffic { stall, seed });
        }
    }
    let mut reference = reference_of(&HeaderBuilderConfig::new(128)).expect("it elaborates");
    agrees("reference", &mut *reference, &plain(&randoms(100, 9)), Traffic { stall: 0.1, seed: 1 });
}

#[test]
fn a_builder_of_one_transport_builds_its_frames() {
    let none = Protocols { rocev2: false, uet: false, elab: false, ..Protocols::default() };
    let one = [
        ("rocev2", Protocols { rocev2: true, ..none }),
        ("uet", Protocols { uet: true, ..none }),
        ("elab", Protocols { elab: true, ..none }),
    ];
    for (name, protocols) in one {
        let config = HeaderBuilderConfig { protocols, ..HeaderBuilderConfig::new(64) };
        let mut model = model_of(&config).expect("it elaborates");
        let cases = randoms(1500, 51).into_iter();
        let own: Vec<_> = cases.filter(|case| [name, "udp", "none"].contains(&case.record.transport_name())).collect();
        assert!(own.iter().filter(|case| case.record.transport_name() == name).count() > 100, "{name}");
        agrees(name, &mut *model, &plain(&own), Traffic { stall: 0.1, seed: 1 });
    }
}

/// Through the builder, then `icrc_insert`, `icrc` and the parser.
#[test]
fn the_parser_reads_the_record_that_the_builder_was_given() {
    for (seed, width) in pick((11..).zip(WIDTHS), 2) {
        let traffic = Traffic { stall: 0.3, seed };
        let cases = randoms(600, seed);
        let expected: Vec<_> = cases.iter().map(|case| case.without_checksum().frame()).collect();
        let buildings: Vec<_> = cases.iter().zip(&expected).map(|(case, frame)| without_crc(case, frame)).collect();
        let built = build(&mut *model(width), &buildings, traffic).expect("it builds");
        let through = |mode: IcrcMode, frames: &[Frame]| -> Vec<Frame> {
            let mut model = model_of(&IcrcConfig::new(width, mode)).expect("it elaborates");
            let outcomes = parse(&mut *model, frames, traffic).expect("it runs");
            assert!(outcomes.iter().all(|outcome| !outcome.drop), "{mode:?}, {width} bits");
            outcomes.into_iter().map(|outcome| Frame { bytes: outcome.bytes, user: 0 }).collect()
        };
        let inserted = through(IcrcMode::Insert, &built);
        assert!(inserted != built);
        let sent = through(IcrcMode::Check, &inserted);
        for (index, (frame, expected)) in sent.iter().zip(&expected).enumerate() {
            assert!(frame.bytes == *expected, "{width} bits, frame {index}");
        }
        let mut parser = model_of(&HeaderParserConfig::new(width)).expect("it elaborates");
        let outcomes = parse(&mut *parser, &sent, traffic).expect("it runs");
        for (index, (outcome, case)) in outcomes.iter().zip(&cases).enumerate() {
            assert!(!outcome.drop, "{width} bits, frame {index}: reason {}", outcome.reason);
            let Case { record, payload, trailer } = case.without_checksum();
            for (name, field) in record.settled(payload.len(), trailer.len()).fields() {
                let got = outcome.record.field(&name);
                assert!(
                    got.is_some_and(|got| field.matches(got)),
                    "{width} bits, frame {index}, {name}: {got:x?}, {field:x?}"
                );
            }
        }
    }
}

/// The frame with zeros in place of the ICRC or CRC.
fn without_crc(case: &Case, frame: &[u8]) -> Building {
    let mut building = case.building(frame);
    if case.has_crc() {
        building.rest.bytes[case.payload.len()..][..4].fill(0);
    }
    building
}

/// The record with entropy at the position of the contract.
fn with_entropy(record: &Record, entropy: u32, into: u64) -> Record {
    let mut record = record.clone();
    match (into, &mut record.network) {
        (entropy_target::SOURCE_PORT, _) => {
            record.udp = record.udp.map(|udp| udp.with_source(entropy as u16));
            if let Some(Transport::Uet(headers)) = &mut record.transport {
                headers.entropy = headers.entropy.map(|header| header.with_entropy(entropy as u16));
            }
        }
        (entropy_target::FLOW_LABEL, Some(Network::V6(header))) => *header = header.with_flow_label(entropy),
        _ => {}
    }
    record
}

#[test]
fn entropy_goes_where_it_is_asked_for_and_bad_sources_are_said() {
    let mut source = Random::new(5);
    let each = |case: Case| {
        let (entropy, into) = (source.bits() as u32 & 0xF_FFFF, source.below(4));
        let record = with_entropy(&case.without_checksum().record, entropy, into);
        let frame = Case { record, ..case.clone() }.frame();
        let building = case.building(&frame).entropy(entropy.into(), into);
        // A source without payload cannot mark a frame as bad.
        let bad = source.chance(0.3) && !building.rest.bytes.is_empty();
        (if bad { building.bad() } else { building }, frame)
    };
    let cases: Vec<_> = randoms(1000, 6).into_iter().map(each).collect();
    let bad = cases.iter().filter(|(building, _)| building.rest.user == 1).count() as u64;
    for width in pick(WIDTHS, 2) {
        let mut model = model(width);
        agrees(&format!("{width} bits"), &mut *model, &cases, Traffic { stall: 0.2, seed: 4 });
        let ports = model.ports().clone();
        let mut outputs = vec![0; ports.output_limbs()];
        model.outputs(&mut outputs);
        let count = |name: &str| outputs[ports.output(name).expect("it is there").offset];
        assert_eq!((count("count_frames"), count("count_bad")), (1000, bad), "{width} bits");
    }
}

/// If the other words add up to 0xFFFF, both 0x0000 and 0xFFFF are right, and the recorded checksum is kept.
#[test]
fn both_zeros_of_the_ipv4_checksum_stay() {
    let mut cases = Vec::new();
    for case in randoms(300, 7) {
        let Some(Network::V4(header)) = case.record.network else { continue };
        let settled = |header| {
            let record = Record { network: Some(Network::V4(header)), ..case.record.clone() };
            match record.settled(case.payload.len(), case.trailer.len()).network {
                Some(Network::V4(header)) => header,
                other => panic!("{other:?}"),
            }
        };
        let sum = |header: golden_vectors::headers::Ipv4| {
            let mut bytes = Vec::new();
            golden_vectors::headers::Header::write(header, &mut bytes);
            ipv4::fold(ipv4::word_sum(&bytes))
        };
        let blank = settled(header.with_identification(0)).with_checksum(0);
        let header = header.with_identification(0xFFFF - sum(blank));
        for checksum in [0, 0xFFFF, 0x1234] {
            let header = header.with_checksum(checksum);
            assert_eq!(settled(header).checksum(), if checksum == 0xFFFF { 0xFFFF } else { 0 });
            let record = Record { network: Some(Network::V4(header)), ..case.record.clone() };
            cases.push(Case { record, ..case.clone() });
        }
    }
    assert!(cases.len() > 200);
    agrees("512 bits", &mut *model(512), &plain(&cases), Traffic { stall: 0.0, seed: 1 });
}

#[test]
fn the_verilated_rtl_builds_the_same() {
    for (seed, width) in pick((21..).zip(WIDTHS), 2) {
        let cases = plain(&randoms(1000, seed));
        let mut rtl = rtl(HeaderBuilderConfig::new(width));
        agrees(&format!("RTL, {width} bits"), &mut rtl, &cases, Traffic { stall: 0.3, seed });
    }
}

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    let buildings: Vec<_> = plain(&randoms(400, 31)).into_iter().map(|(building, _)| building).collect();
    let built = |ports: &Ports, stall, seed| builder_streams(ports, buildings.clone(), stall, 0.0005, seed);
    for (width, short) in pick([(64, 40_000), (128, 30_000), (256, 30_000), (512, 20_000), (1024, 20_000)], 1) {
        let (config, readings) = (HeaderBuilderConfig::new(width), Readings::new(soak::cycles(short)));
        for (seed, stall) in (0..).zip([0.0, 0.3, 0.8]) {
            readings.agree(&config, |ports| built(ports, stall, seed)).expect("they agree");
        }
        // Inputs that break all rules.
        readings.agree(&config, |ports| Ok(RandomDrive::new(ports, Random::new(4)))).expect("they agree");
    }
    let config = HeaderBuilderConfig { udp_checksum: UdpChecksum::Recorded, ..HeaderBuilderConfig::new(64) };
    Readings::new(soak::cycles(20_000)).agree(&config, |ports| built(ports, 0.2, 5)).expect("they agree");
}

/// The last beat comes as many clock cycles after the first record as the contract says, and no earlier beat is late.
#[test]
fn a_beat_leaves_in_every_clock() {
    for width in pick(WIDTHS, 2) {
        let beat = width as usize / 8;
        let cases = plain(&randoms(400, 41));
        let (buildings, frames): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
        let beats: usize = frames.iter().map(|frame| frame.len().div_ceil(beat)).sum();
        let mut model = model(width);
        let mut streams = builder_streams(model.ports(), buildings, 0.0, 0.0, 1).expect("it has the streams");
        let latency = HeaderBuilderConfig::new(width).latency() as u64;
        let (mut first, mut last) = (None, 0);
        streams
            .run(&mut *model, 100, |s| {
                let (sources, sinks) = s.parts();
                if sources[0].taken() > 0 {
                    first.get_or_insert(s.cycle());
                }
                last = s.cycle();
                sinks[0].taken() >= beats as u64
            })
            .expect("it runs");
        let first = first.expect("a record was taken");
        assert_eq!(last - first, latency + beats as u64 - 1, "{width} bits, {beats} beats");
    }
}

/// A record whose payload comes late: full beats of headers leave at once, the rest with the payload.
#[test]
fn a_frame_waits_for_its_payload_and_no_longer() {
    for width in pick(WIDTHS, 2) {
        let mut model = model(width);
        let ports = model.ports().clone();
        let port = |name: &str| ports.input(name).expect("it is there").offset;
        let valid = ports.output("m_axis_tvalid").expect("it is there").offset;
        let mut input = vec![0; ports.input_limbs()];
        let mut outputs = vec![0; ports.output_limbs()];
        // Ethernet without tags, then one byte.
        for name in ["m_axis_tready", "s_record_has_payload", "s_axis_tkeep", "s_axis_tlast"] {
            input[port(name)] = 1;
        }
        model.clock(true, &input);
        model.clock(false, &input);
        let mut clocks = |offered: &str| {
            input[port(offered)] = 1;
            model.clock(false, &input);
            input[port(offered)] = 0;
            (1..100).find(|_| {
                model.outputs(&mut outputs);
                model.clock(false, &input);
                outputs[valid] == 1
            })
        };
        let config = HeaderBuilderConfig::new(width);
        assert_eq!(clocks("s_record_tvalid"), (width == 64).then_some(config.latency()), "{width} bits");
        assert_eq!(clocks("s_axis_tvalid"), Some(config.payload_latency()), "{width} bits");
    }
}

/// Frames of one beat, one per clock cycle.
#[test]
fn a_record_is_taken_in_every_clock() {
    let short: Vec<_> = randoms(3000, 51)
        .into_iter()
        .filter(|case| case.record.transport.is_none() && case.record.network.is_none())
        .map(|case| Case { payload: Vec::new(), trailer: Vec::new(), ..case })
        .collect();
    let cases = plain(&short);
    assert!(cases.len() > 100 && cases.iter().all(|(_, frame)| frame.len() <= 22));
    let buildings: Vec<_> = cases.into_iter().map(|(building, _)| building).collect();
    for width in [256, 512, 1024] {
        let mut model = model(width);
        let mut streams = builder_streams(model.ports(), buildings.clone(), 0.0, 0.0, 1).expect("it has the streams");
        streams.run(&mut *model, 100, |s| s.cycle() == 1000).expect("it runs");
        let (sources, sinks) = streams.parts();
        assert!(sources[0].taken() >= 998 && sinks[0].taken() >= 990, "{width} bits");
    }
}
