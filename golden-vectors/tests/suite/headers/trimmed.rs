// SPDX-License-Identifier: MIT OR Apache-2.0
//! Known answers for trimmed packets (row 17), by hand from uet.md 1.12.

use golden_vectors::headers::codec::{Options, Reading, Reason, read};

/// Ethernet, IPv4 with DSCP 16 and a checksum that is that of nothing, UDP to the port of UET, an RUD_CC_REQ: 4,200 bytes
/// behind UDP were sent, and 16 are left. The length of IP is at byte 16, that of UDP at byte 38.
const KEPT: [u8; 58] = [
    0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x08, 0x00, // Ethernet
    0x45, 0x40, 0x10, 0x84, 0, 0, 0x40, 0, 0x40, 17, 0xAB, 0xCD, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
    0x12, 0x34, 0x12, 0xB9, 0x10, 0x70, 0, 0, // UDP
    0x68, 0, 0, 0, 0, 0, 0, 77, 0, 1, 0, 2, 0, 0, 0, 9, // RUD_CC_REQ, PSN 77
];

fn reading(frame: &[u8]) -> Reading {
    read(frame, &Options { trimming: true, ..Options::default() })
}

/// The row and the reason.
fn row(frame: &[u8]) -> (u8, Reason) {
    let Reading { row, reason, .. } = reading(frame);
    (row, reason)
}

fn with(lengths: &[(usize, u16)]) -> Vec<u8> {
    let mut frame = KEPT.to_vec();
    for &(at, length) in lengths {
        frame[at..at + 2].copy_from_slice(&length.to_be_bytes());
    }
    frame
}

#[test]
fn the_three_forms() {
    for (lengths, sent) in [(&[][..], 4180), (&[(16, 44)], 4180), (&[(16, 44), (38, 24)], 0)] {
        let frame = with(lengths);
        assert_eq!(row(&frame), (17, Reason::Trimmed), "{lengths:?}");
        let fields = reading(&frame).fields();
        let field = |name: &str| fields.get(name).map(|field| field.value);
        assert_eq!((field("uet_psn"), field("payload_offset")), (Some(77), Some(58)), "{lengths:?}");
        assert_eq!((field("payload_length"), field("ip_slack")), (Some(sent), None), "{lengths:?}");
    }
    assert_ne!(read(&KEPT, &Options::default()).reason, Reason::Trimmed);
}

#[test]
fn edges() {
    let (cut, udp, sum) = (Reason::HeaderCut, Reason::UdpLength, Reason::IpChecksum);
    assert_eq!(row(&KEPT[..57]), (13, cut));
    // The word with the type is not there, so it is no trimmed packet.
    assert_eq!(row(&KEPT[..46]), (13, cut));
    assert_eq!(row(&KEPT[..45]), (8, sum));
    for (at, length, wanted) in
        [(16, 43, (13, cut)), (38, 23, (13, cut)), (38, 7, (11, udp)), (16, 45, (17, Reason::Trimmed))]
    {
        assert_eq!(row(&with(&[(at, length)])), wanted, "{at} {length}");
    }
    // Padding behind the IP packet, and an IP length that ends in its own header.
    let padded = [with(&[(16, 44)]), vec![0; 2]].concat();
    assert_eq!((row(&padded), reading(&padded).trailer), ((17, Reason::Trimmed), 58..60));
    assert_eq!(row(&with(&[(16, 19)])), (8, sum));
    // Another DSCP, and a type that is no request.
    let mut other = KEPT;
    other[15] = 0x44;
    assert_eq!(row(&other), (8, sum));
    let mut answer = KEPT;
    answer[42] = 7 << 3;
    assert_eq!(row(&answer), (8, sum));
}

/// Of RoCEv2 the BTH and the first word of an MPEH are enough: what is behind it is not promised.
#[test]
fn of_rocev2_the_psn_is_enough() {
    let mut frame = KEPT.to_vec();
    frame[36..38].copy_from_slice(&4791_u16.to_be_bytes());
    frame[42..58].copy_from_slice(&[0x0A, 0x40, 0xFF, 0xFF, 0, 0, 0, 17, 0x40, 0, 0, 99, 5, 0, 0, 7]);
    assert_eq!(row(&frame), (17, Reason::Trimmed));
    let fields = reading(&frame).fields();
    let names = ["bth_psn", "bth_dqpn", "mpeh_path_id", "mpeh_flowlet_seq", "has_reth", "payload_length"];
    let values = names.map(|name| fields[name].value);
    // Behind UDP, BTH, MPEH and RETH, and without the ICRC.
    assert_eq!(values, [99, 17, 5, 7, 1, 4200 - 12 - 8 - 16 - 4]);
    assert!(!fields.contains_key("mpeh_sched_tag") && !fields.contains_key("reth_vaddr"));
    assert_eq!(row(&frame[..57]), (13, Reason::HeaderCut));
}
