// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 14: BTH, MPEH, AETH, RETH.

use super::link::turn;
use super::rng::SplitMix64;
use super::suite::{Suite, aim};
use crate::encode::Frame;
use crate::oracle::frame::Rocev2;
use crate::wire::{
    AckFlags, Aeth, AtomicAck, AtomicEth, Bth, DataFlags, Deth, Ieth, ImmDt, Mpeh, Reth, Syndrome, Xrceth, aeth, reth,
};

/// The six sets of headers: name, OpCode, MPEH.
pub const KINDS: [(&str, u8, bool); 6] = [
    ("plain", 0x04, false),
    ("mpeh", 0x04, true),
    ("aeth", 0x11, false),
    ("reth", 0x0A, false),
    ("mpeh-aeth", 0x11, true),
    ("mpeh-reth", 0x0A, true),
];

/// The frame with an OpCode's headers and perhaps an MPEH, every byte of them different.
pub fn kind(frame: Frame, opcode: u8, mpeh: bool) -> Frame {
    let mut frame = frame.with_opcode(opcode);
    if mpeh {
        frame = frame
            .with_mpeh(Mpeh::new().with_path_id(0xA1).with_flags(0x05).with_flowlet_seq(0xA3A4).with_sched_tag(0xA5A6));
    }
    let reth = Reth::new().with_vaddr(0xC1C2_C3C4_C5C6_C7C8).with_rkey(0xD1D2_D3D4).with_length(0xE1E2_E3E4);
    frame.with_rocev2(|headers| {
        headers.aeth = headers.aeth.map(|_| Aeth::new().with_syndrome(0x1F).with_msn(0xB2_B3B4));
        headers.reth = headers.reth.map(|_| reth);
        headers.immdt = headers.immdt.map(|_| ImmDt::new().with_data(0xF1F2_F3F4));
    })
}

/// The frame with random numbers in every header that it has behind UDP, but in no reserved bit.
pub fn random(frame: Frame, rng: &mut SplitMix64) -> Frame {
    let mut frame = frame;
    if let Some(udp) = &mut frame.udp {
        udp.set_source(rng.next_u64() as u16);
    }
    frame.with_rocev2(|headers| {
        let bth = &mut headers.bth;
        let number = rng.next_u64();
        bth.set_se(number & 1 != 0);
        bth.set_migreq(number & 2 != 0);
        bth.set_fecn(number & 4 != 0);
        bth.set_becn(number & 8 != 0);
        bth.set_ackreq(number & 16 != 0);
        bth.set_pad((number >> 5 & 3) as u8);
        bth.set_pkey((number >> 8) as u16);
        bth.set_dqpn((number >> 24 & 0xFF_FFFF) as u32);
        bth.set_psn((rng.next_u64() >> 40) as u32);
        let opcode = bth.opcode();
        if let Some(mpeh) = &mut headers.mpeh {
            let number = rng.next_u64();
            let tags = Mpeh::new().with_flowlet_seq(number as u16).with_sched_tag((number >> 16) as u16);
            *mpeh = tags.with_path_id((number >> 32) as u8).with_flags((number >> 40) as u8 & 0xF);
        }
        // Headers that came to the vectors later have numbers of their own, so that the frames from before stay.
        let mut later = SplitMix64::new(!rng.clone().next_u64());
        let before = aeth::OPCODES.contains(&opcode) || reth::OPCODES.contains(&opcode);
        first(headers, if before { rng } else { &mut later });
        others(headers, &mut later);
    })
}

fn first(headers: &mut Rocev2, rng: &mut SplitMix64) {
    if let Some(aeth) = &mut headers.aeth {
        *aeth = Aeth::new().with_syndrome(rng.byte() & 0x7F).with_msn((rng.next_u64() >> 40) as u32);
    }
    if let Some(reth) = &mut headers.reth {
        let number = rng.next_u64();
        *reth = Reth::new().with_vaddr(rng.next_u64()).with_rkey(number as u32).with_length((number >> 32) as u32);
    }
}

fn others(headers: &mut Rocev2, rng: &mut SplitMix64) {
    let number = rng.next_u64();
    if let Some(deth) = &mut headers.deth {
        *deth = Deth::new().with_qkey(number as u32).with_sqpn((number >> 40) as u32);
    }
    if let Some(xrceth) = &mut headers.xrceth {
        *xrceth = Xrceth::new().with_srqn((number >> 40) as u32);
    }
    if let Some(atomic) = &mut headers.atomic_eth {
        let keyed = AtomicEth::new().with_vaddr(rng.next_u64()).with_rkey(rng.next_u64() as u32);
        *atomic = keyed.with_swap(rng.next_u64()).with_compare(rng.next_u64());
    }
    if let Some(ack) = &mut headers.atomic_ack {
        *ack = AtomicAck::new().with_original(rng.next_u64());
    }
    if let Some(immdt) = &mut headers.immdt {
        *immdt = ImmDt::new().with_data(rng.next_u64() as u32);
    }
    if let Some(ieth) = &mut headers.ieth {
        *ieth = Ieth::new().with_rkey(rng.next_u64() as u32);
    }
}

/// The groups `opcode` and `rocev2`.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    opcodes(suite, rng);
    suite.group("rocev2", "reserved bits, flags, syndromes, notification packets");
    sample(suite);
    reserved(suite);
    flags(suite);
    for value in [0x00, 0x1F, 0x20, 0x3F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x80, 0xFF] {
        let syndrome = Syndrome::from_bytes([value]);
        let frame = kind(Frame::v4(), 0x11, value & 1 != 0)
            .with_rocev2(|headers| headers.aeth.iter_mut().for_each(|aeth| aeth.set_syndrome(value)));
        let comment = format!("AETH syndrome {value:#04x}: kind {}, value {}", syndrome.kind(), syndrome.value());
        suite.add(format!("syndrome-{value:02x}"), comment, aim(&["Corner"], &["M25"]), frame.bytes());
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
            // As in `random`: frames that came later take no number from those that were there.
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
    let aim = aim(&["Reserved"], &["R13", "M13"]);
    for bit in 0..6 {
        let second = Frame::v4().with_bth(|bth| bth.set_reserved2(1 << bit));
        suite.add(
            format!("byte-8-bit-{bit}"),
            "a reserved bit beside the MPEH bit announces nothing",
            aim,
            second.bytes(),
        );
        let first = Frame::v6().with_bth(|bth| bth.set_reserved1(1 << bit));
        suite.add(
            format!("byte-4-bit-{bit}"),
            "a reserved bit behind FECN and BECN announces nothing",
            aim,
            first.bytes(),
        );
    }
    for tver in [1, 2, 4, 8, 15] {
        let frame = Frame::v4().with_bth(|bth| bth.set_tver(tver));
        suite.add(format!("tver-{tver}"), "transport version not 0: reported, not judged", aim, frame.bytes());
    }
    let mpeh =
        kind(Frame::v4(), 4, true).with_rocev2(|headers| headers.mpeh.iter_mut().for_each(|m| m.set_reserved(0xFFFF)));
    suite.add("mpeh-reserved", "the reserved word of the MPEH not 0", aim, mpeh.bytes());
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
