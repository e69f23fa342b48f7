// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers after the BTH, by OpCode (requirements.md C).

use super::{Aeth, AtomicAck, AtomicEth, Cnp, Deth, Ieth, ImmDt, Layout, Reth, Xrceth};
use rtl_model::{Bits, Logic, Table, name_nets, select};

/// The headers after BTH and MPEH in the order of the wire. Header `i` is bit `i` of a set of them.
pub const EXTENSIONS: [Layout; 9] = [
    Deth::LAYOUT,
    Xrceth::LAYOUT,
    Reth::LAYOUT,
    AtomicEth::LAYOUT,
    Aeth::LAYOUT,
    AtomicAck::LAYOUT,
    ImmDt::LAYOUT,
    Ieth::LAYOUT,
    Cnp::LAYOUT,
];

const DETH: u16 = 1 << 0;
const XRCETH: u16 = 1 << 1;
const RETH: u16 = 1 << 2;
const ATOMIC_ETH: u16 = 1 << 3;
const AETH: u16 = 1 << 4;
const ATOMIC_ACK: u16 = 1 << 5;
const IMMDT: u16 = 1 << 6;
const IETH: u16 = 1 << 7;
const CNP: u16 = 1 << 8;

/// The OpCode of a congestion notification.
const NOTIFICATION: u8 = 0x81;
/// First of the OpCodes that indicate an MPEH with `mpeh = "opcode"` (M13).
const WITH_MPEH: u8 = 0xC0;

/// The MPEH indicator (M13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MpehIndicator {
    /// Byte 8 of the BTH, mask 0x40.
    #[default]
    Bit,
    /// The OpCode: 0xC0 plus the operation of RC.
    OpCode,
}

/// The set of headers after BTH and MPEH; `None` for an undefined OpCode.
pub fn extensions(opcode: u8) -> Option<u16> {
    if opcode == NOTIFICATION {
        return Some(CNP);
    }
    let (reliable, datagram, extended) = match opcode >> 5 {
        0 => (true, false, false),
        1 => (false, false, false),
        3 => (false, true, false),
        5 => (true, false, true),
        _ => return None,
    };
    let operation = opcode & 0x1F;
    let headers = match operation {
        0x04 => 0,
        0x05 => IMMDT,
        _ if datagram => return None,
        0x00..=0x02 | 0x07 | 0x08 => 0,
        0x03 | 0x09 => IMMDT,
        0x06 | 0x0A => RETH,
        0x0B => RETH | IMMDT,
        _ if !reliable => return None,
        0x0C => RETH,
        0x0E => 0,
        0x0D | 0x0F..=0x11 => AETH,
        0x12 => AETH | ATOMIC_ACK,
        0x13 | 0x14 => ATOMIC_ETH,
        0x16 | 0x17 => IETH,
        _ => return None,
    };
    // A response needs no shared receive queue.
    Some(headers | if datagram { DETH } else { 0 } | if extended && !is_response(opcode) { XRCETH } else { 0 })
}

/// The OpCode without its MPEH indicator, and whether it had one.
fn unmarked(opcode: u8, mark: MpehIndicator) -> (u8, bool) {
    let plain = opcode.wrapping_sub(WITH_MPEH);
    let announces = mark == MpehIndicator::OpCode && plain < 0x20 && extensions(plain).is_some();
    if announces { (plain, true) } else { (opcode, false) }
}

/// Whether the OpCode is that of SEND or WRITE of a reliable connection.
pub fn is_send_or_write(opcode: u8, mark: MpehIndicator) -> bool {
    let (plain, _) = unmarked(opcode, mark);
    matches!(plain, 0x00..=0x0B | 0x16 | 0x17)
}

/// Whether it is that of another request of a reliable connection, which asks for a response (READ, atomics), for an
/// operation that came later (FLUSH, ATOMIC WRITE), or for one that is not defined.
pub fn is_unserved_request(opcode: u8, mark: MpehIndicator) -> bool {
    let (plain, _) = unmarked(opcode, mark);
    plain < 0x20 && !is_send_or_write(opcode, mark) && !is_response(plain)
}

/// Whether it is that of the first or only packet of such a message.
pub fn begins_message(opcode: u8, mark: MpehIndicator) -> bool {
    let (plain, _) = unmarked(opcode, mark);
    matches!(plain, 0x00 | 0x04..=0x06 | 0x0A | 0x0B | 0x17)
}

/// Whether it is that of a WRITE.
pub fn is_write(opcode: u8, mark: MpehIndicator) -> bool {
    let (plain, _) = unmarked(opcode, mark);
    matches!(plain, 0x06..=0x0B)
}

/// Whether it is that of the last or only packet of such a message.
pub fn completes_message(opcode: u8, mark: MpehIndicator) -> bool {
    let (plain, _) = unmarked(opcode, mark);
    is_send_or_write(opcode, mark) && !matches!(plain, 0x00 | 0x01 | 0x06 | 0x07)
}

/// Whether the operation is that of a response.
const fn is_response(opcode: u8) -> bool {
    matches!(opcode & 0x1F, 0x0D..=0x12)
}

/// The OpCode of a frame with or without an MPEH: an operation of RC says with its two upper bits which it is (M13).
#[name_nets]
pub fn announcing<L: Logic>(opcode: Bits<L>, mpeh: Bits<L>) -> Bits<L> {
    let (operation, service) = (opcode.truncate(5), opcode.slice(5, 3));
    let known = Table::new(1, (0..32).map(|operation| extensions(operation).is_some().into())).named("of_rc");
    let same = service.bit(2).equals(service.bit(1));
    let says = (operation.look_up(&known) & same & !service.bit(0)).named("announces");
    select(says, mpeh.concat(mpeh).concat(Bits::lit(1, 0)).concat(operation), opcode)
}

/// The table entry of an OpCode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpcodeHeaders {
    /// 1 if the OpCode indicates an MPEH.
    pub mpeh: bool,
    /// The set of headers after BTH and MPEH.
    pub extensions: u16,
    /// Words of BTH and these headers: 3 to 11.
    pub words: u32,
    /// 1 if the flags of the MPEH are those of an acknowledgement (M27 to M30).
    pub acknowledges: bool,
}

impl OpcodeHeaders {
    /// The entry of any OpCode.
    pub fn of(opcode: u8, mark: MpehIndicator) -> Self {
        let (plain, mpeh) = unmarked(opcode, mark);
        let extensions = extensions(plain).unwrap_or(0);
        let bits = |i: usize| if extensions >> i & 1 == 1 { EXTENSIONS[i].bits() } else { 0 };
        OpcodeHeaders {
            mpeh,
            extensions,
            words: 3 + (0..EXTENSIONS.len()).map(bits).sum::<u32>() / 32,
            acknowledges: matches!(plain >> 5, 0 | 5) && matches!(plain & 0x1F, 0x11 | 0x12),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opcode_asks_for_more_than_eleven_words() {
        let words = |opcode| OpcodeHeaders::of(opcode, MpehIndicator::Bit).words;
        assert_eq!((0..=255).map(words).max(), Some(11));
        // Compare and swap of XRC: BTH, XRCETH, AtomicETH.
        assert_eq!((words(0x04), words(0xB3)), (3, 11));
    }

    #[test]
    fn packets_of_messages() {
        let all = |is: fn(u8, MpehIndicator) -> bool, mark| (0..=255).filter(|x| is(*x, mark)).collect::<Vec<u8>>();
        let plain: Vec<u8> = (0x00..=0x0B).chain([0x16, 0x17]).collect();
        let marked: Vec<u8> = plain.iter().map(|opcode| opcode | 0xC0).collect();
        assert_eq!(all(is_send_or_write, MpehIndicator::Bit), plain);
        assert_eq!(all(is_send_or_write, MpehIndicator::OpCode), [plain, marked].concat());
        let unserved: Vec<u8> = [0x0C].into_iter().chain(0x13..=0x15).chain(0x18..=0x1F).collect();
        assert_eq!(all(is_unserved_request, MpehIndicator::Bit), unserved);
        assert_eq!(all(is_unserved_request, MpehIndicator::OpCode), [&unserved[..], &[0xCC, 0xD3, 0xD4]].concat());
        let last = [0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0A, 0x0B, 0x16, 0x17];
        assert_eq!(all(completes_message, MpehIndicator::Bit), last);
        assert_eq!(all(begins_message, MpehIndicator::Bit), [0x00, 0x04, 0x05, 0x06, 0x0A, 0x0B, 0x17]);
        assert_eq!(all(is_write, MpehIndicator::Bit), [0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B]);
    }

    #[test]
    fn an_opcode_announces_an_mpeh_if_asked_to_and_if_rc_has_it() {
        let of = |opcode| OpcodeHeaders::of(opcode, MpehIndicator::OpCode);
        assert_eq!((of(0xCA).mpeh, of(0xCA).extensions), (true, RETH));
        assert!(!of(0xD5).mpeh && !of(0x0A).mpeh && !OpcodeHeaders::of(0xCA, MpehIndicator::Bit).mpeh);
    }
}
