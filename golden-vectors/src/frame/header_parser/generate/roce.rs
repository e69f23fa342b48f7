// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 16: the headers of RoCEv2. Every OpCode with and without MPEH, reserved bits, flags, syndromes, and frames
//! that the MAC marked.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::{KINDS, kind, random};
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;
use crate::headers::{AckFlags, Bth, DataFlags, Reth, Syndrome, aeth, reth};
use crate::rng::SplitMix64;

/// Adds the groups `opcode` and `rocev2`.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    opcodes(suite, rng);
    suite.group("rocev2", "reserved bits, flags, syndromes, notification packets");
    sample(suite);
    reserved(suite);
    flags(suite);
    for value in [0x00, 0x1F, 0x20, 0x3F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x80, 0xFF] {
        let syndrome = Syndrome::from_bytes([value]);
        let mpeh = value & 1 != 0;
        let rows: &[&str] = if mpeh { &["M25"] } else { &[] };
        let frame = kind(Frame::v4(), 0x11, mpeh)
            .with_rocev2(|headers| headers.aeth.iter_mut().for_each(|aeth| aeth.set_syndrome(value)));
        let comment = format!("AETH syndrome {value:#04x}: kind {}, value {}", syndrome.kind(), syndrome.value());
        suite.add(format!("syndrome-{value:02x}"), comment, aim(&["Corner"], rows), frame.bytes());
    }
    for pad in 0..4 {
        let frame =
            Frame::v6().with_bth(|bth| bth.set_pad(pad)).with(|frame| frame.payload = vec![0x99; 8 - usize::from(pad)]);
        suite.add(
            format!("pad-{pad}"),
            "pad count, also where payload and pad are no multiple of four",
            aim(&["Corner"], &[]),
            frame.bytes(),
        );
    }
    let notice = |bth: &mut Bth| *bth = bth.with_becn(true).with_ackreq(false).with_psn(0);
    let cnp = Frame::v4().with_opcode(0x81).with_bth(notice);
    suite.add("cnp", "a congestion notification packet", aim(&["OpCode"], &["R16"]), cnp.bytes());
    let mut wrong = Frame::v4().bytes();
    wrong.iter_mut().rev().take(4).for_each(|byte| *byte ^= 0xFF);
    suite.add("icrc-wrong", "a wrong ICRC is the next stage's matter", aim(&["Corrupted"], &["R14"]), wrong);
    for (name, opcode, mpeh) in KINDS {
        suite.add_bad(
            format!("bad-{name}"),
            "good headers, but marked bad by the MAC",
            aim(&["BadFrame"], &["R1"]),
            kind(Frame::v4(), opcode, mpeh).bytes(),
        );
    }
}

fn opcodes(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("opcode", "each BTH OpCode, with the headers it asks for");
    for opcode in 0..=255_u8 {
        let turns = usize::from(opcode) + usize::from(opcode >> 3);
        let base = if turns % 2 == 0 { Frame::v4() } else { Frame::v6() };
        let first = aeth::OPCODES.contains(&opcode) || reth::OPCODES.contains(&opcode);
        for mpeh in [false, true] {
            let frame = turn(kind(base.clone(), opcode, mpeh), turns);
            // As in `random`: frames that were added later do not draw from the generator of the older ones.
            let later = &mut SplitMix64::new(u64::from(opcode) << 1 | u64::from(mpeh));
            let frame = random(frame, if first || mpeh == (turns / 2 % 2 == 1) { rng } else { later });
            let name = if mpeh { "-mpeh" } else { "" };
            let rows: &[&str] = if mpeh { &["M13", "M14"] } else { &["M12"] };
            suite.add(
                format!("{opcode:02x}{name}"),
                format!("OpCode {opcode:#04x}, no payload"),
                aim(&["OpCode"], rows),
                frame.bytes(),
            );
        }
    }
}

fn sample(suite: &mut Suite) {
    let frame = Frame::v4()
        .with_v4(|header| *header = header.with_ecn(2).with_dont_fragment(false))
        .with_opcode(0x0A)
        .with_rocev2(|headers| {
            headers.bth = headers.bth.with_dqpn(0x11).with_psn(5);
            headers.reth = Some(Reth::new().with_vaddr(0x1000).with_rkey(0x1234).with_length(16));
        })
        .with(|frame| frame.payload = vec![b'A'; 16]);
    suite.add(
        "sample",
        "an RDMA write whose ICRC scapy computes as 08 80 26 0e",
        aim(&[], &["M11", "M12"]),
        frame.bytes(),
    );
}

fn reserved(suite: &mut Suite) {
    let announces_nothing = aim(&["Reserved"], &["R13", "M13"]);
    for bit in 0..6 {
        let second = Frame::v4().with_bth(|bth| bth.set_reserved2(1 << bit));
        suite.add(
            format!("byte-8-bit-{bit}"),
            "a reserved bit beside the MPEH bit announces nothing",
            announces_nothing,
            second.bytes(),
        );
        let first = Frame::v6().with_bth(|bth| bth.set_reserved1(1 << bit));
        suite.add(
            format!("byte-4-bit-{bit}"),
            "a reserved bit behind FECN and BECN announces nothing",
            announces_nothing,
            first.bytes(),
        );
    }
    for tver in [1, 2, 4, 8, 15] {
        let frame = Frame::v4().with_bth(|bth| bth.set_tver(tver));
        let comment = "transport version not 0: reported, not judged";
        suite.add(format!("tver-{tver}"), comment, aim(&["Reserved"], &["R15"]), frame.bytes());
    }
    let mpeh =
        kind(Frame::v4(), 4, true).with_rocev2(|headers| headers.mpeh.iter_mut().for_each(|m| m.set_reserved(0xFFFF)));
    suite.add(
        "mpeh-reserved",
        "the reserved word of the MPEH not 0",
        aim(&["Reserved"], &["R15", "M14", "M20"]),
        mpeh.bytes(),
    );
}

fn flags(suite: &mut Suite) {
    let data = DataFlags::new;
    let ack = AckFlags::new;
    let cases = [
        ("data-f", data().with_flowlet_boundary(true).into_bytes(), 0x04, "F: first packet of a flowlet", "M16"),
        ("data-s", data().with_path_switch(true).into_bytes(), 0x04, "S: sub-path switched", "M17"),
        ("data-p", data().with_probe(true).into_bytes(), 0x04, "P: probe", "M18"),
        ("data-c", data().with_congestion(true).into_bytes(), 0x04, "C: congestion", "M19"),
        ("data-reserved", data().with_reserved(15).into_bytes(), 0x04, "reserved data flags", "M20"),
        ("ack-r", ack().with_reordering(true).into_bytes(), 0x11, "R: reordering", "M27"),
        ("ack-l", ack().with_loss(true).into_bytes(), 0x11, "L: suspected loss", "M28"),
        ("ack-p", ack().with_probe_response(true).into_bytes(), 0x11, "P: probe response", "M29"),
        ("ack-reserved", ack().with_reserved(31).into_bytes(), 0x11, "reserved acknowledge flags", "M30"),
    ];
    for (name, [value], opcode, what, row) in cases {
        let frame = kind(Frame::v6(), opcode, true)
            .with_rocev2(|headers| headers.mpeh.iter_mut().for_each(|mpeh| mpeh.set_flags(value)));
        suite.add(format!("flag-{name}"), what, aim(&["Corner"], &[row]), frame.bytes());
    }
}
