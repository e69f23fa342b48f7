// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts a frame made for one choice of protocols and ports to the same frame for another choice.

use crate::headers::codec::icrc_place::covered;
use crate::headers::codec::{MpehIndicator, Options};
use crate::headers::{Addresses, Header, Ipv6, Tag, ethernet, ipv4, opcode, udp};

/// Prefix of the names of groups whose frames were converted from committed groups.
pub const OWN: &str = "own-";

/// The bit of BTH byte 8 that announces an MPEH, where the MPEH is announced by this bit.
const MARK: u8 = 0x40;
/// OpCodes below this one are those of RC. Only these can announce an MPEH by the OpCode.
const RELIABLE: u8 = 0x20;

/// Converts `frame` from the options `from` to the options `to`. A UDP port of `from` becomes the port of the same
/// transport in `to`, and a port that differs from that of RoCEv2 in one bit differs from the new one in the same
/// bit. The protocol number of UET and the MPEH mark are converted too. Faults of the frame stay: checksum, ICRC
/// and CRC change exactly as much as the bytes that they cover. A cut frame stays cut at the same byte.
#[must_use]
pub fn moved(frame: &[u8], from: &Options, to: &Options) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    let Some((network, protocol, transport)) = places(frame) else { return bytes };
    let Some(&number) = frame.get(protocol) else { return bytes };
    if number == udp::PROTOCOL {
        move_datagram(&mut bytes, transport, from, to);
        keep_crc(frame, &mut bytes, from);
    } else if number == from.uet_protocol {
        bytes[protocol] = to.uet_protocol;
        if protocol == network + V4_PROTOCOL {
            keep_checksum(&mut bytes[network..], u16::from(number), u16::from(to.uet_protocol));
        }
    }
    bytes
}

/// Offsets of protocol and checksum in an IPv4 header, and of the next header in an IPv6 header.
const V4_PROTOCOL: usize = 9;
const V4_CHECKSUM: usize = 10;
const V6_NEXT: usize = 6;

/// Offsets of the IP header, of its protocol field, and of what follows the header.
fn places(frame: &[u8]) -> Option<(usize, usize, usize)> {
    let mut at = Addresses::LEN;
    for tags in 0.. {
        let ethertype = u16::from_be_bytes([*frame.get(at)?, *frame.get(at + 1)?]);
        let start = at + 2;
        match ethertype {
            _ if tags < 2 && ethernet::is_tag(ethertype) => at += Tag::LEN,
            ethernet::IPV4 => {
                let words = usize::from(frame.get(start)? & 0xF).max(5);
                return Some((start, start + V4_PROTOCOL, start + 4 * words));
            }
            ethernet::IPV6 => return Some((start, start + V6_NEXT, start + Ipv6::LEN)),
            _ => return None,
        }
    }
    None
}

/// Converts the UDP destination port of a datagram, and the MPEH mark of RoCEv2.
fn move_datagram(bytes: &mut [u8], udp: usize, from: &Options, to: &Options) {
    let Some([high, low]) = bytes.get_mut(udp + 2..udp + 4) else { return };
    let old = u16::from_be_bytes([*high, *low]);
    [*high, *low] = port(old, from, to).to_be_bytes();
    let is_rocev2 = old == from.rocev2_port && from.mpeh == MpehIndicator::Bit;
    let Some(bth) = bytes.get_mut(udp + 8..udp + 17).filter(|_| is_rocev2 && to.mpeh == MpehIndicator::OpCode) else {
        return;
    };
    if bth[0] < RELIABLE && bth[8] & MARK != 0 {
        (bth[0], bth[8]) = (bth[0] | opcode::MPEH, bth[8] & !MARK);
    }
}

fn port(old: u16, from: &Options, to: &Options) -> u16 {
    let ports = [(from.rocev2_port, to.rocev2_port), (from.uet_port, to.uet_port), (from.elab_port, to.elab_port)];
    let own = ports.into_iter().find(|&(port, _)| port == old).map(|(_, to)| to);
    let off = old ^ from.rocev2_port;
    own.unwrap_or(if off.is_power_of_two() { to.rocev2_port ^ off } else { old })
}

/// Changes ICRC or CRC by as much as the change of the bytes requires: a right one stays right, a wrong one stays wrong
/// by the same bits.
fn keep_crc(old: &[u8], bytes: &mut [u8], options: &Options) {
    let Ok((code, covered, _)) = covered(old, options) else { return };
    let (Some(before), Some(after)) = (old.get(covered.clone()), bytes.get(covered.clone())) else { return };
    let change = code.of(before).into_iter().zip(code.of(after)).map(|(before, after)| before ^ after);
    let change: Vec<_> = change.collect();
    bytes.iter_mut().skip(covered.end).zip(change).for_each(|(byte, change)| *byte ^= change);
}

/// Changes the IPv4 checksum after one word changed (RFC 1624, equation 3): a right one stays right, a wrong one
/// stays wrong.
fn keep_checksum(header: &mut [u8], old: u16, new: u16) {
    let Some([high, low]) = header.get_mut(V4_CHECKSUM..V4_CHECKSUM + 2) else { return };
    let checksum = u16::from_be_bytes([*high, *low]);
    let sum = u32::from(!checksum) + u32::from(!old) + u32::from(new);
    [*high, *low] = (!ipv4::fold(sum)).to_be_bytes();
}
