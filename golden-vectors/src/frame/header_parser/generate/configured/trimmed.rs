// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 17: what switches leave of packets (uet.md 1.12), in the three forms in which they send it.

use super::mpeh::headed;
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::header_parser::generate::protocols::{Carrier, base, stacks};
use crate::frame::samples::tags::turn;
use crate::headers::Udp;
use crate::headers::codec::encode::{Frame, Network};
use crate::rng::{SEED, SplitMix64};

/// What a switch does to the lengths.
#[derive(Clone, Copy)]
enum Form {
    /// Both are those of what is left.
    Both,
    /// That of IP is, with the checksum.
    Ip,
    /// Neither, nor the checksum, though the DSCP has changed.
    Neither,
}

const FORMS: [(&str, Form); 3] = [("both", Form::Both), ("ip", Form::Ip), ("neither", Form::Neither)];
/// The name of a version of IP, and a frame of it.
type Version = (&'static str, fn() -> Frame);

const VERSIONS: [Version; 2] = [("v4", Frame::v4), ("v6", Frame::v6)];
const DSCPS: [u8; 2] = [16, 18];
/// Bytes of payload before.
const PAYLOAD: usize = 200;
const FLAGS: &[&str] = &["Trimmed", "Configured"];
const ROWS: &[&str] = &["R17", "R13"];

/// Adds the groups `trimmed` and `trimmed-strict`.
pub fn add(suite: &mut Suite) {
    // Its own, so that the frames of other groups do not depend on how many there are here.
    let rng = &mut SplitMix64::new(SEED);
    suite.configured("trimmed", "packets that switches have trimmed", &[("trimming", "on")]);
    lengths(suite, rng);
    edges(suite, rng);
    others(suite, rng);
    let strict = [
        ("trimming", "on"),
        ("trimmed_dscp", "0"),
        ("trimmed_last_hop_dscp", "63"),
        ("mpeh", "opcode"),
        ("reserved", "refuse"),
    ];
    suite.configured(
        "trimmed-strict",
        "with other DSCPs, another mark of the MPEH, and reserved bits refused",
        &strict,
    );
    by_opcode(suite, rng);
}

/// The frame with this DSCP.
fn marked(frame: Frame, dscp: u8) -> Frame {
    frame.with_v4(|ip| ip.set_dscp(dscp)).with_v6(|ip| ip.set_dscp(dscp))
}

/// What is left of a frame: so many bytes behind the IP header.
fn trim(frame: Frame, dscp: u8, left: usize, form: Form) -> Vec<u8> {
    let start = frame.link_length();
    let network = match &frame.network {
        Network::V4(_, options) => 20 + options.len(),
        _ => 40,
    };
    let is_v4 = matches!(frame.network, Network::V4(..));
    let frame = marked(frame, dscp);
    let length = (left + if is_v4 { network } else { 0 }) as u16;
    let mut bytes = match form {
        Form::Neither => frame.with(|frame| frame.ip_checksum = Some(0x1234)).bytes(),
        Form::Ip => frame.with(|frame| frame.ip_length = Some(length)).bytes(),
        Form::Both => {
            frame.with(|frame| (frame.ip_length, frame.udp_length) = (Some(length), Some(left as u16))).bytes()
        }
    };
    bytes.truncate(start + network + left);
    bytes
}

/// The stacks that are trimmed: all that carry data, and their carriers.
fn data(rng: &mut SplitMix64) -> Vec<(String, Carrier, Vec<u8>)> {
    let names =
        ["send", "send-mpeh", "write-mpeh", "udp-rud", "udp-rod-syn", "udp-rud-cc", "native-rud", "native-rod-cc-syn"];
    let stacks = stacks().into_iter().filter(|stack| names.contains(&&*stack.name));
    stacks.map(|stack| (stack.name.clone(), stack.carrier, stack.filled(&rng.bytes(60)))).collect()
}

/// Every stack, in every form, cut at and around the ends of headers; 24 bytes from UDP on are the least that switches leave.
fn lengths(suite: &mut Suite, rng: &mut SplitMix64) {
    for (at, (name, carrier, headers)) in data(rng).into_iter().enumerate() {
        for (version, new) in VERSIONS {
            for (which, (form_name, form)) in FORMS.into_iter().enumerate() {
                for left in [7, 8, 11, 12, 15, 16, 19, 20, 23, 24, 25, 27, 28, 44, 90, 108] {
                    let frame = carrier.frame(turn(new(), at + left), &headers, &rng.bytes(PAYLOAD));
                    let dscp = DSCPS[(at + left + which) % 2];
                    let comment = format!("{left} bytes behind IP are left; lengths as of what is left: {form_name}");
                    let id = format!("{name}-{version}-{form_name}-{left}");
                    suite.add(id, comment, aim(FLAGS, ROWS), trim(frame, dscp, left, form));
                }
            }
        }
    }
}

/// Lengths beside what is left, wrong ones, padding, options, and the frame after.
fn edges(suite: &mut Suite, rng: &mut SplitMix64) {
    let aim = aim(&["Trimmed", "Boundary", "Configured"], &["R17", "R9", "R11", "R13"]);
    let stacks = data(rng);
    for (at, (name, carrier, headers)) in stacks.iter().enumerate() {
        let is_udp = *carrier != Carrier::UetNative;
        for (version, new) in VERSIONS {
            let frame = || carrier.frame(turn(new(), at), headers, &[0x5A; PAYLOAD]);
            let own = if version == "v4" { 20 } else { 0 };
            for (left, off) in [24, 28, 60].into_iter().flat_map(|left| [-1_i16, 1, -4, 4].map(|off| (left, off))) {
                let beside = |left: usize| (left as i16 + off) as u16;
                let ip = Some(beside(left) + own);
                let mut bytes = trim(frame().with(|frame| frame.udp_length = Some(beside(left))), 16, left, Form::Ip);
                suite.add(format!("{name}-{version}-udp-{left}{off:+}"), "UDP length beside what is left", aim, bytes);
                bytes = trim(frame(), 18, left, Form::Neither);
                let padded = marked(frame().with(|frame| frame.ip_length = ip), 18);
                let padded = padded.bytes()[..bytes.len()].to_vec();
                suite.add(format!("{name}-{version}-ip-{left}{off:+}"), "IP length beside what is left", aim, padded);
            }
            for length in [0, 7, 8, 19, 20, 23, 24, 0xFFFF] {
                let lying = frame().with(|frame| frame.ip_length = Some(length));
                let lying = marked(lying, 16).bytes();
                suite.add(format!("{name}-{version}-ip-is-{length}"), "any IP length", aim, lying[..110].to_vec());
                if is_udp {
                    let lying = trim(frame().with(|frame| frame.udp_length = Some(length)), 16, 60, Form::Ip);
                    suite.add(format!("{name}-{version}-udp-is-{length}"), "any UDP length", aim, lying);
                }
            }
            let mut padded = trim(frame(), 16, 24, Form::Both);
            padded.resize(padded.len().max(60), 0);
            suite.add(format!("{name}-{version}-padded"), "padded to 60 bytes", aim, padded);
            let whole = marked(frame(), 18).bytes();
            suite.add(format!("{name}-{version}-whole"), "with the DSCP, and nothing cut off", aim, whole);
            suite.add(format!("{name}-{version}-then"), "then one that is not trimmed", aim, frame().bytes());
        }
        let options = carrier.frame(Frame::v4().with_options(vec![1; 4 * (at + 1)]), headers, &[0; PAYLOAD]);
        for (form_name, form) in FORMS {
            let id = format!("{name}-options-{form_name}");
            suite.add(id, "IPv4 with options", aim, trim(options.clone(), 16, 30, form));
        }
    }
}

/// What has the DSCP, or lengths of more than is there, and is no trimmed packet.
fn others(suite: &mut Suite, rng: &mut SplitMix64) {
    let aim = aim(&["Trimmed", "NotOurs", "Configured"], &["R17", "R9", "R11"]);
    for (at, stack) in stacks().into_iter().enumerate() {
        let headers = stack.filled(&rng.bytes(80));
        for (form_name, form) in FORMS {
            let frame = stack.carrier.frame(base(at), &headers, &rng.bytes(PAYLOAD));
            let comment = "all kinds of packets with the DSCP: data is trimmed, all else as ever";
            suite.add(format!("any-{}-{form_name}", stack.name), comment, aim, trim(frame, 16, 90, form));
        }
    }
    for (name, carrier, headers) in data(rng) {
        for dscp in [0, 15, 17, 19, 48, 50, 32] {
            let frame = carrier.frame(base(usize::from(dscp)), &headers, &rng.bytes(PAYLOAD));
            let id = format!("{name}-dscp-{dscp}");
            suite.add(id, "another DSCP", aim, trim(frame, dscp, 60, Form::Ip));
        }
        let fragment = carrier.frame(Frame::v4().with_v4(|ip| ip.set_more_fragments(true)), &headers, &[0; PAYLOAD]);
        suite.add(format!("{name}-fragment"), "a fragment", aim, trim(fragment, 16, 60, Form::Neither));
        let port = |frame: &mut Frame| frame.udp.iter_mut().for_each(|udp: &mut Udp| udp.set_destination(53));
        let other = carrier.frame(Frame::v6(), &headers, &[0; PAYLOAD]).with(port);
        suite.add(format!("{name}-port"), "to nobody's port", aim, trim(other, 16, 60, Form::Ip));
    }
}

/// Each OpCode, where OpCodes announce the MPEH.
fn by_opcode(suite: &mut Suite, rng: &mut SplitMix64) {
    for opcode in 0..=255_u8 {
        let (_, form) = FORMS[usize::from(opcode) % 3];
        let frame = headed(base(opcode.into()), opcode, rng.bytes(1)[0] & 0x40, rng);
        let frame = frame.with(|frame| frame.payload = vec![0xFF; PAYLOAD]);
        let left = [24, 23, 28, 40][usize::from(opcode / 8) % 4];
        let dscp = [0, 63][usize::from(opcode) / 4 % 2];
        let comment = format!("OpCode {opcode:#04x}, {left} bytes are left");
        suite.add(
            format!("{opcode:02x}"),
            comment,
            aim(&["Trimmed", "OpCode", "Configured"], ROWS),
            trim(frame, dscp, left, form),
        );
    }
}
