// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows 2 and 3: Ethernet header, tags and EtherType, also values elsewhere that look like an EtherType.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::tags::{TAG_SETS, tag};
use crate::headers::codec::encode::Frame;
use crate::headers::ethernet::{C_TAG, IPV4, IPV6, S_TAG};

const OTHER: [(u16, &str); 14] = [
    (0x0806, "ARP"),
    (0x88CC, "LLDP"),
    (0x88F7, "PTP"),
    (0x8808, "MAC control"),
    (0x0000, "length field 0"),
    (0x002E, "length field 46"),
    (0x05DC, "length field 1500"),
    (0x0801, "one above IPv4"),
    (0x07FF, "one below IPv4"),
    (0x86DC, "one below IPv6"),
    (0x8600, "upper half of IPv6"),
    (0x9100, "a tag of another maker"),
    (0x8101, "one above the C-TAG"),
    (0xFFFF, "highest"),
];

pub fn add(suite: &mut Suite) {
    suite.group("link", "Ethernet header, tags and EtherType");
    let other = aim(&["NotOurs"], &["R3"]);
    for (ethertype, what) in OTHER {
        let frame = Frame::other(ethertype, vec![0x11; 46]);
        suite.add(format!("type-{ethertype:04x}"), format!("EtherType {ethertype:#06x}: {what}"), other, frame.bytes());
    }
    for (name, tpids) in TAG_SETS {
        let flags: &[&str] = if tpids.is_empty() { &[] } else { &["Tagged"] };
        let tagged = aim(flags, &["R2", "M11"]);
        suite.add(
            format!("tags-{name}-arp"),
            "ARP behind these tags",
            aim(flags, &["R2"]),
            tag(Frame::other(0x0806, vec![0; 28]), tpids).bytes(),
        );
        suite.add(
            format!("tags-{name}-v4"),
            "RoCEv2 over IPv4 behind these tags",
            tagged,
            tag(Frame::v4(), tpids).bytes(),
        );
        suite.add(
            format!("tags-{name}-v6"),
            "RoCEv2 over IPv6 behind these tags",
            tagged,
            tag(Frame::v6(), tpids).bytes(),
        );
        let whole = tag(Frame::other(0x0806, Vec::new()), tpids).bytes();
        let short = whole[..whole.len() - 1].to_vec();
        let edge = aim(&["Boundary"], &["R2", "R3"]);
        suite.add(format!("shortest-{name}"), "ends right behind the EtherType", edge, whole);
        suite.add(format!("too-short-{name}"), "ends inside the EtherType", edge, short);
    }
    third_tag(suite);
    look_alikes(suite);
}

fn third_tag(suite: &mut Suite) {
    for (name, tpids) in [("ccc", [C_TAG; 3]), ("scc", [S_TAG, C_TAG, C_TAG]), ("sss", [S_TAG; 3])] {
        let frame = tag(Frame::v4(), &tpids).bytes();
        let aim = aim(&["Tagged", "NotOurs"], &["R3"]);
        suite.add(
            format!("third-tag-{name}-cut"),
            "a third tag's EtherType is the last thing in the frame",
            aim,
            frame[..22].to_vec(),
        );
        suite.add(format!("third-tag-{name}"), "a third tag is an EtherType like any other", aim, frame);
    }
}

fn look_alikes(suite: &mut Suite) {
    let aim = aim(&["Tagged"], &["R3"]);
    for number in [0x0800, 0x86DD, 0x8100, 0x88A8] {
        let one = Frame::v4().tagged(C_TAG, number).bytes();
        suite.add(format!("tci-{number:04x}"), "tag control information that looks like an EtherType", aim, one);
        let two = Frame::v6().tagged(S_TAG, 1).tagged(C_TAG, number).bytes();
        suite.add(
            format!("inner-tci-{number:04x}"),
            "inner tag control information that looks like an EtherType",
            aim,
            two,
        );
    }
    for (ethertype, version) in [(IPV4, "4"), (IPV6, "6")] {
        let arp = Frame::other(0x0806, vec![0; 46]).with(|frame| {
            frame.addresses.set_source(0x0200_0000_0000 | u64::from(ethertype));
            frame.addresses.set_destination(u64::from(ethertype) << 32 | u64::from(ethertype));
        });
        suite.add(format!("mac-like-{version}"), "addresses that look like an EtherType", aim, arp.bytes());
    }
    let broadcast = Frame::v4().with(|frame| frame.addresses.set_destination(0xFFFF_FFFF_FFFF));
    suite.add("broadcast", "to everybody", aim, broadcast.bytes());
    let multicast = Frame::v6().with(|frame| frame.addresses.set_destination(0x3333_0000_0001));
    suite.add("multicast", "to a group", aim, multicast.bytes());
}
