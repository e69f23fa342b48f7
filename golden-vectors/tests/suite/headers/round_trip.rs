// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random records: what is written is read again, bit for bit.

use super::arbitrary::{Sample, sample};
use super::captures::examine;
use golden_vectors::headers::Header;
use golden_vectors::headers::codec::{Link, Network, Options, Reason, Record, Transport, flat, read, write};
use golden_vectors::headers::{Addresses, Ipv4};
use golden_vectors::{Field, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(4000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_record_survives_the_frame(sample in sample()) {
        let Sample { record, payload, trailer, options } = sample;
        let frame = write(&record, &payload, &trailer);
        let reading = examine(&frame, &options);
        prop_assert_eq!((reading.verdict, reading.reason), (Verdict::Ok, Reason::None));
        prop_assert!(reading.rebuilt);
        prop_assert_eq!(&reading.record, &record.settled(payload.len(), trailer.len()));
        prop_assert_eq!(&frame[reading.payload], payload);
        prop_assert_eq!(&frame[reading.trailer], trailer);
        let has_crc = record.uet_crc || matches!(record.transport, Some(Transport::Rocev2(_)));
        let right = has_crc.then_some(true);
        prop_assert_eq!(reading.icrc, right);
    }

    #[test]
    fn settling_twice_is_settling_once(sample in sample()) {
        let (payload, trailer) = (sample.payload.len(), sample.trailer.len());
        let once = sample.record.settled(payload, trailer);
        prop_assert_eq!(once.settled(payload, trailer), once);
    }

    /// Rows 3 and 10: what is not ours is put together again too.
    #[test]
    fn others_pass(header: [u8; 20], addresses: [u8; 12], ethertype: u16, payload in vec(any::<u8>(), 0..60)) {
        let link = Link { addresses: Addresses::from_bytes(addresses), tags: Vec::new(), ethertype };
        let fragment = Ipv4::from_bytes(header).with_more_fragments(true);
        let network = Some(Network::V4(fragment));
        let ours = matches!(ethertype, 0x0800 | 0x86DD | 0x8100 | 0x88A8);
        for network in if ours { vec![network] } else { vec![network, None] } {
            let record = Record { link: Some(link.clone()), network, ..Record::default() };
            let frame = write(&record, &payload, &[]);
            let reading = examine(&frame, &Options::default());
            prop_assert_eq!((reading.verdict, reading.record.transport_name()), (Verdict::Ok, "none"));
            prop_assert_eq!(reading.row, if network.is_some() { 10 } else { 3 });
            prop_assert_eq!(&reading.record, &record.settled(payload.len(), 0));
        }
    }

    /// The record says it flat as well: a field for each bit of each transport header, none wider than it is listed.
    #[test]
    fn the_flat_form_has_all_bits(sample in sample()) {
        let widths: BTreeMap<String, u32> = flat::fields().into_iter().collect();
        let record = sample.record.settled(sample.payload.len(), sample.trailer.len());
        let fields = record.fields();
        for (name, Field { value, .. }) in &fields {
            let width = widths.get(name).copied();
            prop_assert!(width.is_some_and(|width| width == 128 || value >> width == 0), "{} {:?}", name, width);
        }
        for part in record.parts() {
            let mut number: Vec<bool> = Vec::new();
            for field in &part.fields {
                let bits = field.number.bits();
                number.extend((0..field.width).rev().map(|bit| bits >> bit & 1 == 1));
                let name = match field.name {
                    "data" => part.object.to_owned(),
                    name => format!("{}_{name}", part.object),
                };
                prop_assert_eq!((fields[&name].value, widths[&name]), (bits, field.width));
            }
            let byte = |bits: &[bool]| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
            let bytes: Vec<u8> = number.chunks(8).map(byte).collect();
            prop_assert_eq!(bytes, part.bytes);
        }
    }

    /// The ICRC covers the payload and itself (requirements.md C).
    #[test]
    fn a_flipped_bit_behind_the_headers_is_found(sample in sample(), at: prop::sample::Index, bit in 0..8) {
        let mut frame = write(&sample.record, &sample.payload, &sample.trailer);
        let reading = read(&frame, &sample.options);
        if reading.icrc.is_none() {
            return Ok(());
        }
        let covered = reading.payload.start..reading.trailer.start;
        frame[covered.start + at.index(covered.len())] ^= 1u8 << bit;
        let damaged = examine(&frame, &sample.options);
        prop_assert_eq!((damaged.verdict, damaged.reason, damaged.row), (Verdict::Drop, Reason::Icrc, 14));
        prop_assert_eq!(damaged.record, reading.record);
    }

    /// A header that does not fit is row 13 for every transport: the payload and some of the headers are missing, and
    /// the lengths say so.
    #[test]
    fn headers_that_do_not_fit(sample in sample(), missing: prop::sample::Index) {
        let Sample { record, options, .. } = sample;
        if record.parts().is_empty() {
            return Ok(());
        }
        let headers: usize = record.parts().iter().map(|part| part.bytes.len()).sum();
        let has_crc = record.uet_crc || matches!(record.transport, Some(Transport::Rocev2(_)));
        let icrc = if has_crc { 4 } else { 0 };
        // The same frame as one that is not ours: its payload is the front of the headers.
        let length = missing.index(headers + icrc);
        let mut bytes = record.parts().into_iter().flat_map(|part| part.bytes).collect::<Vec<_>>();
        bytes.resize(headers + icrc, 0);
        let other = Record { transport: None, slack: 0, ..record };
        let frame = write(&other, &bytes[..length], &[]);
        let reading = examine(&frame, &options);
        prop_assert_eq!((reading.verdict, reading.reason, reading.row), (Verdict::Drop, Reason::HeaderCut, 13));
    }
}

#[test]
fn a_sum_of_zero_stays_as_it_came() {
    // Both 0 and 0xFFFF are right where the other words add up to 0xFFFF.
    let header = Ipv4::new().with_version(4).with_ihl(5).with_total_length(20).with_protocol(6);
    let mut words = Vec::new();
    header.write(&mut words);
    let sum = words.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum::<u32>();
    let header = header.with_identification(0xFFFF - sum as u16);
    let addresses = Addresses::new();
    for checksum in [0, 0xFFFF] {
        let network = Some(Network::V4(header.with_checksum(checksum)));
        let link = Some(Link { addresses, tags: Vec::new(), ethertype: 0x0800 });
        let record = Record { link, network, ..Record::default() };
        assert_eq!(record.settled(0, 0), record);
        assert_eq!(examine(&write(&record, &[], &[]), &Options::default()).row, 10);
    }
}

#[test]
fn lengths_beyond_their_fields_wrap() {
    let link = Some(Link { addresses: Addresses::new(), tags: Vec::new(), ethertype: 0 });
    let record = Record { link, network: Some(Network::V4(Ipv4::new())), ..Record::default() };
    let long = write(&record, &[0; 70_000], &[]);
    assert_eq!(long.len(), 14 + 20 + 70_000);
    assert_eq!(long[16..18], (70_020u32 as u16).to_be_bytes());
}
