// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle against a capture by an encoder outside this project, field by field.

use golden_vectors::Verdict;
use golden_vectors::oracle::{Network, Parsed, Record, Rocev2, parse};
use golden_vectors::wire::icrc::icrc;
use pcap_file::pcap::PcapReader;
use serde_json::{Map, Value, json};
use std::net::{Ipv4Addr, Ipv6Addr};

const CAPTURE: &[u8] = include_bytes!("../captures/rocev2.pcap");
const EXPECTED: &str = include_str!("../captures/rocev2.jsonl");

/// A frame in the shape of the lines beside the capture, without number and ICRC.
fn line(parsed: &Parsed) -> Value {
    let mut line = Map::new();
    let verdict = if parsed.verdict == Verdict::Ok { "ok" } else { "drop" };
    line.insert("verdict".into(), verdict.into());
    let Record { link, network, udp, rocev2 } = &parsed.record;
    if let Some(link) = link {
        let vlans: Vec<u16> = link.tags.iter().map(|tci| tci & 0xFFF).collect();
        line.insert("vlans".into(), vlans.into());
    }
    if let Some(network) = network {
        line.extend(internet(network));
    }
    if let Some(udp) = udp {
        line.insert("transport".into(), if rocev2.is_some() { "rocev2" } else { "udp" }.into());
        line.insert("sport".into(), udp.source().into());
        line.insert("dport".into(), udp.destination().into());
    }
    if let Some(rocev2) = rocev2 {
        line.extend(transport(rocev2));
    }
    line.into()
}

fn internet(network: &Network) -> Map<String, Value> {
    let mut part = Map::new();
    let address = |address: u128| match network.flow_label {
        Some(_) => Ipv6Addr::from(address).to_string(),
        None => Ipv4Addr::from(address as u32).to_string(),
    };
    part.insert("dscp".into(), network.dscp.into());
    part.insert("ecn".into(), network.ecn.into());
    part.insert("l3".into(), if network.flow_label.is_some() { "ipv6" } else { "ipv4" }.into());
    part.insert("src".into(), address(network.source).into());
    part.insert("dst".into(), address(network.destination).into());
    if let Some(flow_label) = network.flow_label {
        part.insert("flow_label".into(), flow_label.into());
    }
    part
}

fn transport(rocev2: &Rocev2) -> Map<String, Value> {
    let bth = rocev2.bth;
    let mut part = Map::new();
    part.insert(
        "bth".into(),
        json!({
            "opcode": bth.opcode(), "se": u8::from(bth.se()), "migreq": u8::from(bth.migreq()), "pad": bth.pad(),
            "tver": bth.tver(), "pkey": bth.pkey(), "fecn": u8::from(bth.fecn()), "becn": u8::from(bth.becn()),
            "dqpn": bth.dqpn(), "ackreq": u8::from(bth.ackreq()), "psn": bth.psn(),
        }),
    );
    if let Some(mpeh) = rocev2.mpeh {
        let (flowlet_seq, sched_tag) = (mpeh.flowlet_seq(), mpeh.sched_tag());
        let mpeh = json!({
            "path_id": mpeh.path_id(), "flags": mpeh.flags(), "flowlet_seq": flowlet_seq, "sched_tag": sched_tag,
        });
        part.insert("mpeh".into(), mpeh);
    }
    if let Some(aeth) = rocev2.aeth {
        part.insert("aeth".into(), json!({ "syndrome": aeth.syndrome(), "msn": aeth.msn() }));
    }
    if let Some(reth) = rocev2.reth {
        let (vaddr, rkey, length) = (reth.vaddr(), reth.rkey(), reth.length());
        part.insert("reth".into(), json!({ "vaddr": vaddr, "rkey": rkey, "length": length }));
    }
    part
}

#[test]
fn agrees_with_the_capture() {
    let mut reader = PcapReader::new(CAPTURE).unwrap();
    let mut count = 0;
    for text in EXPECTED.lines() {
        let mut expected: Map<String, Value> = serde_json::from_str(text).unwrap();
        expected.remove("frame");
        expected.remove("icrc");
        let packet = reader.next_packet().unwrap().unwrap();
        assert_eq!(line(&parse(&packet.data, false)), Value::from(expected), "frame {count}");
        count += 1;
    }
    assert!(reader.next_packet().is_none());
    assert_eq!(count, 200);
}

#[test]
fn computes_its_icrcs() {
    let mut reader = PcapReader::new(CAPTURE).unwrap();
    let mut count = 0;
    while let Some(packet) = reader.next_packet() {
        let packet = packet.unwrap();
        let record = parse(&packet.data, false).record;
        let start = 14 + 4 * record.link.unwrap().tags.len();
        let network = record.network.unwrap();
        let fixed = if network.flow_label.is_some() { 40 } else { 0 };
        let end = start + fixed + usize::from(network.length);
        let sent = &packet.data[end - 4..end];
        assert_eq!(icrc(&packet.data[start..end - 4]), sent, "frame {count}");
        count += 1;
    }
    assert_eq!(count, 200);
}
