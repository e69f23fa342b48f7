// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors on a header builder: its own vectors, and those of the header parser in the reverse direction.
//! Records and payloads go in, frames come out.

use super::{CaseResult, difference};
use crate::benches::builder_bench::{Building, Built, build_all};
use crate::benches::parser_bench::Traffic;
use crate::device::{Dut, Error};
use crate::streams::Frame;
use golden_vectors::{Case, Reason, Verdict};
use pipeline::frame::header_builder::UdpChecksum;

/// Number of bytes of the Ethernet header without tags.
const ETHERNET: usize = 14;
/// Number of bytes of a VLAN tag.
const TAG: usize = 4;
/// Byte offset of the checksum in a UDP header.
const CHECKSUM: usize = 6;

/// Returns the record and payload from which the frame of a case is built. A case of the builder has a record. For a
/// case of the parser, it is the expected output of the parser; `None` if the frame cannot be built because
///
/// * it is dropped or marked by its source: no field of such a frame is expected;
/// * it has IPv4 options, which the record does not contain: the builder always sends IHL 5 ("What is not as recorded" in
///   `docs/stages/header_builder.md`);
/// * the case does not define all bits of all headers, or not the end of the headers.
///
/// The bytes after the headers come from the frame: payload, ICRC, and what follows the datagram or the packet. The
/// builder computes the lengths and the checksum of IPv4, and both are right in a frame that passes. The UDP checksum
/// may have any value; a builder that sends none has zeros there.
pub fn building(case: &Case) -> Option<Building> {
    if is_own(case) {
        return Some(Building::of_case(case));
    }
    // Of a trimmed packet the frame is not all that its headers say.
    let whole = case.expect.reason != Some(Reason::Trimmed);
    if case.expect.verdict == Verdict::Drop || case.bad_frame || !whole {
        return None;
    }
    let (network, transport) = (network_end(case)?, known(case, "transport")?);
    let headers = if transport == 0 { network } else { known(case, "payload_offset")? };
    let building = Building::of_fields(&case.expect.fields, case.frame.get(headers..)?.to_vec());
    let complete = building.header_bits() as usize == 8 * headers;
    (complete && is_said(case, transport)).then_some(building)
}

/// Whether it is a case of the builder.
pub fn is_own(case: &Case) -> bool {
    !case.record.is_empty()
}

/// Returns the frame that is expected, with its verdict in `user`. For a case of the parser, a builder without UDP
/// checksum ([`UdpChecksum::Zero`]) has zeros in place of the checksum.
pub(crate) fn expected(case: &Case, udp_checksum: UdpChecksum) -> Frame {
    let (drop, reason) = (case.expect.verdict == Verdict::Drop, case.expect.reason.unwrap_or(Reason::None));
    let mut bytes = case.expect.frame.as_ref().unwrap_or(&case.frame).clone();
    let has_udp = case.expect.fields.contains_key("udp_checksum");
    if udp_checksum == UdpChecksum::Zero && !is_own(case) && has_udp {
        let udp = network_end(case).unwrap_or(bytes.len());
        bytes.iter_mut().skip(udp + CHECKSUM).take(2).for_each(|byte| *byte = 0);
    }
    Frame { bytes, user: u64::from(drop) | u64::from(reason.code()) << 1 }
}

/// Whether the case says which headers there are and how long the payload is.
fn is_said(case: &Case, transport: usize) -> bool {
    let needed = [
        ("payload_length", true),
        ("ip_slack", case.expect.fields.contains_key("udp_length")),
        ("transport_words", transport > 1),
        ("has_mpeh", transport == 2),
        ("uet_native", transport == 3),
    ];
    transport == 0 || needed.iter().all(|&(name, needed)| !needed || known(case, name).is_some())
}

/// Offset of the end of the IP header, or of the Ethernet header if there is no IP; `None` if the header has options,
/// or if the case does not say.
fn network_end(case: &Case) -> Option<usize> {
    let ip = match known(case, "l3")? {
        0 => 0,
        1 if known(case, "ip_ihl")? == 5 => 20,
        2 => 40,
        _ => return None,
    };
    Some(ETHERNET + TAG * known(case, "vlan_count")?.min(2) + ip)
}

/// Returns a field if the case defines all of its bits.
fn known(case: &Case, name: &str) -> Option<usize> {
    let field = case.expect.fields.get(name).filter(|field| field.mask == u128::MAX)?;
    usize::try_from(field.value).ok()
}

/// Sends the records and payloads of all cases, one after the other, and compares the frames. A case that cannot be
/// built fails. `udp_checksum` is the setting of the builder.
pub fn run<'a>(
    dut: &mut dyn Dut,
    cases: impl IntoIterator<Item = &'a Case>,
    traffic: Traffic,
    udp_checksum: UdpChecksum,
) -> Result<Vec<CaseResult>, Error> {
    let cases: Vec<_> = cases.into_iter().map(|case| (case, building(case))).collect();
    let buildings: Vec<_> = cases.iter().filter_map(|(_, building)| building.clone()).collect();
    let mut built = build_all(dut, &buildings, traffic)?.into_iter();
    let compare = |(case, building): &(&Case, Option<Building>)| {
        let built = building.as_ref().and_then(|_| built.next());
        let problems = built.map_or_else(
            || vec!["the frame cannot be built".to_owned()],
            |built| check(&expected(case, udp_checksum), built),
        );
        CaseResult { id: case.id.clone(), problems }
    };
    Ok(cases.iter().map(compare).collect())
}

fn check(expected: &Frame, Built { frame, stray }: Built) -> Vec<String> {
    let mut problems = Vec::from_iter(stray);
    if frame.user != expected.user {
        problems.push(format!("tuser: {:#x}, expected {:#x}", frame.user, expected.user));
    }
    if frame.bytes != expected.bytes {
        problems.push(difference(&expected.bytes, &frame.bytes));
    }
    problems
}
