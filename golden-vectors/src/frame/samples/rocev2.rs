// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts RoCEv2 headers into a frame: the header set of each kind, with fixed or random fields.

use crate::headers::codec::Rocev2;
use crate::headers::codec::encode::Frame;
use crate::headers::{Aeth, AtomicAck, AtomicEth, Deth, Ieth, ImmDt, Mpeh, Reth, Xrceth, aeth, reth};
use crate::rng::SplitMix64;

/// Six header sets that differ in length: name, OpCode, and whether there is an MPEH.
pub const KINDS: [(&str, u8, bool); 6] = [
    ("plain", 0x04, false),
    ("mpeh", 0x04, true),
    ("aeth", 0x11, false),
    ("reth", 0x0A, false),
    ("mpeh-aeth", 0x11, true),
    ("mpeh-reth", 0x0A, true),
];

/// The frame with the headers that `opcode` requires, and with an MPEH if `mpeh` is set. All bytes of a header
/// differ, so that a byte taken from a wrong place is seen.
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

/// The frame with random values in the UDP source port and in all RoCEv2 headers. Reserved bits stay 0.
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
        // Headers that were added to the vectors later draw from a generator of their own. So the older frames have
        // not changed.
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
