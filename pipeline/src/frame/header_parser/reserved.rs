// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 15: reserved bits that are not 0, detected in step 8, when all headers are in the record.

use super::capture::CaptureStep;
use crate::headers::opcode::{MpehIndicator, OpcodeHeaders};
use crate::headers::protocols::Protocols;
use crate::headers::record::transport;
use crate::headers::uet::{self, CreditState};
use crate::headers::{Aeth, Bth, Cnp, Deth, Elab, Layout, Mpeh, Xrceth};
use rtl_model::{Bits, Logic, Table, constant, name_nets};

/// Bits of the BTH, after which the extensions begin; only the first extension can have reserved bits.
const BTH: u32 = 96;

/// Detects reserved bits that are not 0.
pub(super) struct ReservedBits {
    protocols: Protocols,
    /// By OpCode: the flags of the MPEH are those of an acknowledgement.
    acknowledges: Table,
}

impl ReservedBits {
    pub fn new(protocols: Protocols) -> Self {
        let acknowledges = (0..=255).map(|opcode| u64::from(OpcodeHeaders::of(opcode, protocols.mpeh).acknowledges));
        ReservedBits { protocols, acknowledges: Table::new(1, acknowledges).named("opcode_acknowledges") }
    }

    /// A reserved bit is not 0 in the frame whose record is here, if it is of a selected transport.
    pub fn any<L: Logic>(&self, from: &CaptureStep<L>) -> Bits<L> {
        let transport = from.headers().transport;
        let mut any = Bits::lit(1, 0);
        if self.protocols.rocev2 {
            any = any | (transport.equals(constant!(transport::ROCEV2)) & self.rocev2(from));
        }
        if self.protocols.uet {
            any = any | (transport.equals(constant!(transport::UET)) & self.uet(from));
        }
        if self.protocols.elab {
            any = any | (transport.equals(constant!(transport::ELAB)) & of(&Elab::LAYOUT, 0, |i| from.header(i)));
        }
        any
    }

    fn rocev2<L: Logic>(&self, from: &CaptureStep<L>) -> Bits<L> {
        let header = |i: u32| from.header(i);
        let behind = |layout: &Layout| of(layout, BTH, header);
        let has = from.headers().has;
        let bth = Bth::read(header);
        let mpeh = Mpeh::read(|i| from.mpeh(i));
        // M20, M30.
        let ack_flag = mpeh.flags.bit(3) & bth.opcode.look_up(&self.acknowledges);
        let mpeh = of(&Mpeh::LAYOUT, 0, |i| from.mpeh(i)) | mpeh.flags.slice(4, 4).any() | ack_flag;
        // If the OpCode is the MPEH indicator, the bit that is the indicator otherwise is one of the seven reserved
        // ones.
        let bit = match self.protocols.mpeh {
            MpehIndicator::Bit => Bits::lit(1, 0),
            MpehIndicator::OpCode => bth.mpeh,
        };
        let aeth = Aeth::read(|i| header(BTH / 32 + i)).syndrome.bit(7);
        of(&Bth::LAYOUT, 0, header)
            | bit
            | (has.mpeh & mpeh)
            | (has.deth & behind(&Deth::LAYOUT))
            | (has.xrceth & behind(&Xrceth::LAYOUT))
            | (has.aeth & aeth)
            | (has.cnp & behind(&Cnp::LAYOUT))
    }

    fn uet<L: Logic>(&self, from: &CaptureStep<L>) -> Bits<L> {
        let header = |i: u32| from.header(i);
        let uet_type = header(0).slice(27, 5);
        let entropy = from.headers().native & of(&uet::Entropy::LAYOUT, 0, |_| from.udp(1));
        let mut any = entropy;
        for value in 0..16 {
            let mut at = 0;
            let mut found = Bits::lit(1, 0);
            for layout in uet::headers(value) {
                found = found | of(layout, at, header);
                at += layout.bits();
            }
            if value == uet::ACK_CC {
                let state = at - CreditState::LAYOUT.bits();
                let credit = uet::AckCc::read(|i| header(3 + i)).cc_type.equals(constant!(uet::CREDIT));
                found = found | (credit & of(&CreditState::LAYOUT, state, header));
            }
            if value == uet::RUDI_REQ {
                found = found | uet::Rudi::read(header).m;
            }
            any = any | (uet_type.equals(value) & found);
        }
        any
    }
}

/// A bit of the header that must be 0 is not. The header begins at bit `at` of the words.
#[name_nets]
fn of<L: Logic>(layout: &Layout, at: u32, word: impl Fn(u32) -> Bits<L>) -> Bits<L> {
    let mut masks = Vec::new();
    for (start, field) in layout.places().filter(|(_, field)| field.zero) {
        for bit in at + start..at + start + field.width {
            let index = (bit / 32) as usize;
            masks.resize(masks.len().max(index + 1), 0_u64);
            masks[index] |= 1 << (31 - bit % 32);
        }
    }
    let words = (0..).zip(masks).filter(|(_, mask)| *mask > 0);
    words.fold(Bits::lit(1, 0), |any, (i, mask)| any | (word(i) & mask).any())
}
