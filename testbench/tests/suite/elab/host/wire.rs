// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of ELAB, written byte by byte (E03, E04): all of a frame follows from where it goes, its packet, its VP and its report.

use crate::transmit::tx::place::Place;
use testbench::device::random::Random;

/// UDP destination port of ELAB, as it is by default.
const PORT: u64 = 7851;
/// Bytes of an IPv4 and an IPv6 header.
const IP_BYTES: [usize; 2] = [20, 40];

/// A packet that a host gives to its ELAB layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub pair: u64,
    pub dscp: u64,
    pub bytes: Vec<u8>,
}

impl Packet {
    /// One of this length with bytes at random, and no DSCP that own reports have.
    pub fn random(random: &mut Random, pair: u64, length: usize) -> Self {
        Packet { pair, dscp: random.below(46), bytes: (0..length).map(|_| random.bits() as u8).collect() }
    }
}

/// The ELAB header, and the UDP source port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    pub sport: u64,
    pub vp: u64,
    pub count: u64,
    pub ecn: bool,
    /// The rate of a burst.
    pub rate: Option<u64>,
    pub burst: u64,
}

/// Appends the low bytes of a number in network order.
fn put(frame: &mut Vec<u8>, bytes: usize, number: u64) {
    frame.extend(&number.to_be_bytes()[8 - bytes..]);
}

/// A number of some bytes in network order.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |high, &low| high << 8 | u64::from(low))
}

/// Where the IP header begins.
fn ip_at(place: &Place) -> usize {
    14 + 4 * usize::from(place.tag.is_some())
}

/// The one's complement sum of a header.
fn checksum(header: &[u8]) -> u64 {
    let mut sum: u64 = header.chunks(2).map(number).sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !sum & 0xFFFF
}

/// The frame of a packet.
pub fn frame(place: &Place, packet: &Packet, info: &Info) -> Vec<u8> {
    let mut elab = Vec::new();
    put(&mut elab, 2, info.vp);
    put(&mut elab, 2, info.count);
    put(&mut elab, 2, u64::from(info.rate.is_some()) << 1 | u64::from(info.ecn));
    put(&mut elab, 2, info.burst);
    if let Some(rate) = info.rate {
        put(&mut elab, 4, rate);
    }
    elab.extend(&packet.bytes);
    let udp_length = 8 + elab.len() as u64;

    let mut out = Vec::new();
    place.macs.iter().for_each(|mac| put(&mut out, 6, *mac));
    if let Some(tag) = place.tag {
        put(&mut out, 2, 0x8100);
        put(&mut out, 2, tag);
    }
    let class = packet.dscp << 2 | 2;
    let [destination, source] = place.ips;
    if place.ipv6 {
        put(&mut out, 2, 0x86DD);
        put(&mut out, 4, 6 << 28 | class << 20);
        put(&mut out, 2, udp_length);
        put(&mut out, 2, 17 << 8 | 64);
        source.iter().chain(&destination).for_each(|word| put(&mut out, 4, *word));
    } else {
        put(&mut out, 2, 0x0800);
        let at = out.len();
        put(&mut out, 2, 0x4500 | class);
        put(&mut out, 2, 20 + udp_length);
        put(&mut out, 4, 0x4000);
        put(&mut out, 4, (64 << 8 | 17) << 16);
        put(&mut out, 4, source[0]);
        put(&mut out, 4, destination[0]);
        let sum = checksum(&out[at..]);
        out[at + 10..at + 12].copy_from_slice(&(sum as u16).to_be_bytes());
    }
    put(&mut out, 2, info.sport);
    put(&mut out, 2, PORT);
    put(&mut out, 2, udp_length);
    put(&mut out, 2, 0);
    out.extend(elab);
    out
}

/// Reads what a frame for this place says of its way and of other packets, and its DSCP and its bytes.
pub fn read(place: &Place, frame: &[u8]) -> (Info, u64, Vec<u8>) {
    let ip = ip_at(place);
    let udp = ip + IP_BYTES[usize::from(place.ipv6)];
    let of = |at: usize, bytes: usize| number(&frame[at..at + bytes]);
    let flags = of(udp + 12, 2);
    let rate = (flags & 2 != 0).then(|| of(udp + 16, 4));
    let info = Info {
        sport: of(udp, 2),
        vp: of(udp + 8, 2),
        count: of(udp + 10, 2),
        ecn: flags & 1 != 0,
        rate,
        burst: of(udp + 14, 2),
    };
    let class = if place.ipv6 { of(ip, 4) >> 20 & 0xFF } else { of(ip + 1, 1) };
    let begin = udp + 16 + 4 * usize::from(rate.is_some());
    (info, class >> 2, frame[begin..].to_vec())
}

/// Marks a frame by ECN, as a switch does.
pub fn mark(place: &Place, frame: &mut [u8]) {
    let ip = ip_at(place);
    if place.ipv6 {
        frame[ip + 1] |= 0x30;
    } else {
        frame[ip + 1] |= 3;
        frame[ip + 10..ip + 12].fill(0);
        let sum = checksum(&frame[ip..ip + 20]);
        frame[ip + 10..ip + 12].copy_from_slice(&(sum as u16).to_be_bytes());
    }
}

/// The place that answers go to.
pub fn back(place: &Place) -> Place {
    let ([to, from], [destination, source]) = (place.macs, place.ips);
    Place { macs: [from, to], ips: [source, destination], ..*place }
}
