// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transports that are switched off, have another port or protocol number, or share a port.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::header_parser::generate::protocols::{Carrier, base, stacks};
use crate::headers::codec::encode::Frame;
use crate::rng::SplitMix64;

/// A port that no transport has by default.
const SHARED: u16 = 7000;

/// Adds the groups `off-...`, `ports`, `protocol-17`, `same-port` and `same-port-off`. A parser that still uses a
/// default port, or has another order of priority, fails.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    let defaults = [4791, 4793, 7851];
    suite.configured("off-rocev2", "RoCEv2 is not looked for", &[("rocev2", "off")]);
    probes(suite, &defaults, &[253], rng);
    suite.configured("off-uet", "UET is not looked for, neither over UDP nor on IP", &[("uet", "off")]);
    probes(suite, &defaults, &[253], rng);
    suite.configured("off-elab", "ELAB is not looked for", &[("elab", "off")]);
    probes(suite, &defaults, &[253], rng);
    let all_off = [("rocev2", "off"), ("uet", "off"), ("elab", "off")];
    suite.configured("off-all", "no transport is looked for", &all_off);
    probes(suite, &defaults, &[253], rng);

    let others = [
        ("rocev2_port", "65535"),
        ("uet_port", "0"),
        ("elab_port", "4790"),
        ("uet_protocol", "254"),
        ("elab_inner", "17"),
    ];
    suite.configured("ports", "other ports, another protocol, and UDP in the tunnel", &others);
    probes(suite, &[65535, 65534, 0, 1, 4790, 4791, 4793, 7851], &[253, 254, 255, 6], rng);
    suite.configured("protocol-17", "the protocol of UET is UDP's, which comes first", &[("uet_protocol", "17")]);
    probes(suite, &defaults, &[253], rng);

    let same = [("rocev2_port", "7000"), ("uet_port", "7000"), ("elab_port", "7000")];
    suite.configured("same-port", "one port for all: RoCEv2 comes first", &same);
    probes(suite, &[SHARED, 4791], &[253], rng);
    let rest = [("rocev2", "off"), ("uet_port", "4791"), ("elab_port", "4791")];
    suite.configured("same-port-off", "RoCEv2 is off, and UET comes before ELAB at its port", &rest);
    probes(suite, &[4791, 4793, 7851], &[253], rng);
}

/// Frames with the headers of each transport, or fewer bytes, to all these ports and in all these protocols, and some
/// frames of other protocols.
pub fn probes(suite: &mut Suite, ports: &[u16], protocols: &[u8], rng: &mut SplitMix64) {
    let headers = |carriers: &[Carrier]| {
        let chosen =
            ["send-mpeh", "write-imm", "udp-rud-cc", "udp-uud", "native-ack-nscc", "native-uud", "rate", "plain"];
        let known = stacks().into_iter().filter(move |stack| chosen.contains(&&*stack.name));
        known.filter(|stack| carriers.contains(&stack.carrier)).collect::<Vec<_>>()
    };
    for (at, &port) in ports.iter().enumerate() {
        for stack in headers(&[Carrier::Rocev2, Carrier::Uet, Carrier::Elab]) {
            let frame = stack.carrier.frame(base(at), &stack.filled(&rng.bytes(60)), &rng.bytes(at * 9));
            let frame = frame.with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_destination(port)));
            let comment = format!("headers of {} to port {port}", stack.carrier.name());
            add_to(suite, format!("port-{port}-{}", stack.name), comment, frame);
        }
        for length in [0, 3, 7, 11] {
            let frame = base(at + length).with_port(port, rng.bytes(length));
            add_to(suite, format!("port-{port}-bytes-{length}"), format!("{length} bytes to port {port}"), frame);
        }
    }
    for (at, &protocol) in protocols.iter().enumerate() {
        for stack in headers(&[Carrier::UetNative]) {
            let bytes = [stack.filled(&rng.bytes(60)), rng.bytes(at * 5)].concat();
            let frame = base(at).with_protocol(protocol, bytes);
            let comment = format!("headers of UET in protocol {protocol}");
            add_to(suite, format!("protocol-{protocol}-{}", stack.name), comment, frame);
        }
        for length in [0, 3, 7, 8] {
            let frame = base(at + length).with_protocol(protocol, rng.bytes(length));
            let comment = format!("{length} bytes in protocol {protocol}");
            add_to(suite, format!("protocol-{protocol}-bytes-{length}"), comment, frame);
        }
    }
    add_to(suite, "tcp".into(), "TCP".into(), Frame::v6().with_protocol(6, vec![0x50; 20]));
    add_to(suite, "dns".into(), "UDP to nobody".into(), Frame::v4().with_port(53, vec![0; 12]));
    add_to(suite, "arp".into(), "no IP".into(), Frame::other(0x0806, vec![0; 46]));
}

fn add_to(suite: &mut Suite, id: String, comment: String, frame: Frame) {
    suite.add(id, comment, aim(&["Configured"], &["R10", "R12"]), frame.bytes());
}
