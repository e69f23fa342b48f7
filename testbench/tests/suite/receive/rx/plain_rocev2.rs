// SPDX-License-Identifier: MIT OR Apache-2.0
//! With multipath off the answers are plain RoCEv2, byte for byte (rows RX11, RX12, G11, and the fields of an ACK below G18).
//! Each frame is laid out here from the IBA alone: BTH and AETH of volume 1, annex A17 for what carries them, and an ICRC
//! of its own. No code of the pipeline or of the golden model takes part, neither for what arrives nor for what is expected.

use super::{AckProtocol, Command, Dut, QUIET, RxBench, RxConfig, config, does, holding_frames, model, rtl};
use testbench::benches::rx_bench::Endpoints;
use testbench::streams::Frame;
use tier::pick;

/// The opcode of an ACK of a reliable connection, and those of SEND first, middle, last and only.
const ACKNOWLEDGE: u8 = 0x11;
const FIRST: u8 = 0x00;
const MIDDLE: u8 = 0x01;
const LAST: u8 = 0x02;
const ONLY: u8 = 0x04;
/// Syndromes: an ACK without a limit of credits, RNR NAK with timer 12 (0.64 ms), NAK for a PSN sequence error.
const CREDITS: u8 = 0x1F;
const NOT_READY: u8 = 0x2C;
const SEQUENCE_ERROR: u8 = 0x60;
const INVALID_REQUEST: u8 = 0x61;
const PEER_MAC: [u8; 6] = [2, 0, 0, 0, 0, 0xA1];
const OUR_MAC: [u8; 6] = [2, 0, 0, 0, 0, 0xB2];
/// Our QP, with which a connection is opened, and that of the peer.
const OUR_QP: u32 = 0x00_1234;
const PEER_QP: u32 = 0xAB_CD01;
/// The tag of frames over IPv6: priority 3, VLAN 5.
const TAG: [u8; 4] = [0x81, 0x00, 0x60, 0x05];
const PKEY: u16 = 0x8001;
const SOURCE_PORT: u16 = 0xC123;
const DSCP: u8 = 26;

/// What differs between frames that carry a transport header.
#[derive(Clone, Copy)]
struct Path {
    ipv6: bool,
    /// To the peer, not from it.
    back: bool,
    /// The bits of ECN.
    ecn: u8,
    ttl: u8,
}

/// The CRC-32 of Ethernet, one bit after the other.
fn crc(bytes: impl IntoIterator<Item = u8>) -> u32 {
    let shift = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.into_iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(byte), shift))
}

/// The ones' complement sum of a header, in its place.
fn with_checksum(mut header: Vec<u8>, at: usize) -> Vec<u8> {
    let sum: u32 = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let sum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    header[at..at + 2].copy_from_slice(&sum.to_be_bytes());
    header
}

impl Path {
    const fn of(ipv6: bool) -> Self {
        Path { ipv6, back: false, ecn: 2, ttl: 61 }
    }

    /// The addresses of the peer and of this end.
    fn addresses(self) -> [Vec<u8>; 2] {
        if self.ipv6 {
            [[0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]]
                .map(Vec::from)
        } else {
            [[10, 0, 0, 7], [10, 1, 2, 9]].map(Vec::from)
        }
    }

    /// The ends of the connection.
    fn ends(self) -> Endpoints {
        let number = |bytes: Vec<u8>| bytes.into_iter().fold(0, |number, byte| number << 8 | u128::from(byte));
        let [peer_ip, local_ip] = self.addresses().map(number);
        Endpoints { ipv6: self.ipv6, peer_ip, local_ip, context: PKEY }
    }

    fn ip(self, payload: usize) -> Vec<u8> {
        let class = DSCP << 2 | self.ecn;
        let mut addresses = self.addresses();
        if self.back {
            addresses.reverse();
        }
        if self.ipv6 {
            // A flow label in what arrives does not come back.
            let label = if self.back { 0 } else { 5 };
            let mut header = vec![0x60 | class >> 4, class << 4, 0, label];
            header.extend((payload as u16).to_be_bytes());
            header.extend([17, self.ttl]);
            header.extend(addresses.concat());
            return header;
        }
        let mut header = vec![0x45, class];
        header.extend((payload as u16 + 20).to_be_bytes());
        // Identification 0, do not fragment.
        header.extend([0, 0, 0x40, 0, self.ttl, 17, 0, 0]);
        header.extend(addresses.concat());
        with_checksum(header, 10)
    }

    /// A frame with this transport header and payload: Ethernet, IP, UDP, and the ICRC behind it all.
    fn frame(self, transport: &[u8]) -> Vec<u8> {
        let mut ethernet = if self.back { [PEER_MAC, OUR_MAC] } else { [OUR_MAC, PEER_MAC] }.concat();
        ethernet.extend(self.ipv6.then_some(TAG).iter().flatten());
        ethernet.extend(if self.ipv6 { [0x86, 0xDD] } else { [0x08, 0x00] });
        let length = 8 + transport.len() + 4;
        let ip = self.ip(length);
        let mut udp = [SOURCE_PORT, 4791, length as u16, 0].map(u16::to_be_bytes).concat();
        udp.extend(transport);
        // Fields that change on the way count as ones: class, label, TTL and checksums; in the BTH the byte of FECN and
        // BECN. 64 ones stand for the link header.
        let (mut masked, at) = ([&ip[..], &udp].concat(), ip.len());
        let changing: &[usize] = if self.ipv6 { &[1, 2, 3, 7] } else { &[1, 8, 10, 11] };
        changing.iter().chain(&[at + 6, at + 7, at + 12]).for_each(|place| masked[*place] = 0xFF);
        if self.ipv6 {
            masked[0] |= 0x0F;
        }
        let icrc = crc([0xFF; 8].into_iter().chain(masked));
        [ethernet, ip, udp, icrc.to_le_bytes().to_vec()].concat()
    }

    /// A packet of data. `changes`: bytes of the headers that are other than usual; byte 8 says whether there is an MPEH.
    fn request(self, opcode: u8, psn: u32, changes: &[(usize, u8)]) -> Frame {
        let mut headers = vec![opcode, 0x40 | 1 << 4];
        headers.extend(PKEY.to_be_bytes());
        headers.extend(OUR_QP.to_be_bytes());
        headers.extend((psn & 0xFF_FFFF).to_be_bytes());
        if changes.iter().any(|(at, value)| *at == 8 && value & 0x40 != 0) {
            headers.extend([2, 3, 0, 9, 0, 0, 0, 0]);
        }
        changes.iter().for_each(|(at, value)| headers[*at] = *value);
        // Three bytes with a pad of one.
        Frame { bytes: self.frame(&[&headers, &[1, 2, 3, 0][..]].concat()), user: 0 }
    }

    /// A request without data, whose extended headers have so many bytes.
    fn bare_request(self, opcode: u8, psn: u32, extended: usize) -> Frame {
        let mut headers = vec![opcode, 0x40];
        headers.extend(PKEY.to_be_bytes());
        headers.extend(OUR_QP.to_be_bytes());
        headers.extend((psn & 0xFF_FFFF).to_be_bytes());
        headers.extend(vec![7; extended]);
        Frame { bytes: self.frame(&headers), user: 0 }
    }

    /// An ACK or NAK: SE 0, MigReq 1, no pad, version 0; the byte of FECN and BECN 0; AckReq 0 and 7 reserved bits; AETH.
    fn answer(self, psn: u32, syndrome: u8, msn: u32) -> Vec<u8> {
        let mut headers = vec![ACKNOWLEDGE, 0x40];
        headers.extend(PKEY.to_be_bytes());
        headers.extend(PEER_QP.to_be_bytes());
        headers.extend((psn & 0xFF_FFFF).to_be_bytes());
        headers.extend((u32::from(syndrome) << 24 | msn).to_be_bytes());
        Path { back: true, ecn: 0, ttl: 64, ..self }.frame(&headers)
    }
}

/// A connection without multipath, and how many of its answers have been compared.
struct Plain<'a> {
    dut: &'a mut dyn Dut,
    run: RxBench,
    path: Path,
    compared: usize,
}

impl<'a> Plain<'a> {
    fn open(dut: &'a mut dyn Dut, ipv6: bool, psn: u32, stall: f64) -> Self {
        let pause = |stream: &str| if ["delivery", "m_delivery"].contains(&stream) { stall } else { 0.1 };
        let mut run = RxBench::new(dut, 5, pause).expect("the streams are there");
        let open = Command {
            op: 1,
            key: OUR_QP.into(),
            psn: u64::from(psn & 0xFF_FFFF),
            peer: PEER_QP.into(),
            ends: Some(Path::of(ipv6).ends()),
            ..Command::read(3)
        };
        assert!(does(&mut run, dut, open).done);
        Plain { dut, run, path: Path::of(ipv6), compared: 0 }
    }

    /// Sends packets, waits for what comes back, and compares it.
    fn gives(&mut self, what: &str, sent: &[Frame], expected: &[Vec<u8>]) {
        self.run.send(sent).expect("they have bytes");
        self.run.until_idle(self.dut, QUIET).expect("it ends");
        assert_eq!(self.run.count("gate_dropped"), Some(0), "{what}: a frame that was made here is unlawful");
        let answers = self.run.answers().expect("they are lawful").split_off(self.compared);
        let answers: Vec<_> = answers.into_iter().map(|(_, frame)| frame.bytes).collect();
        assert_eq!(answers.len(), expected.len(), "{what}: {answers:02x?}");
        for (answer, expected) in answers.iter().zip(expected) {
            assert_eq!(format!("{answer:02x?}"), format!("{expected:02x?}"), "{what}");
        }
        self.compared += answers.len();
    }
}

/// ACKs: of a count of packets, of one that asks, of the timer, of repetitions; and NAKs of a sequence error.
fn acknowledges(dut: &mut dyn Dut, ipv6: bool) {
    // PSNs wrap in the first message.
    let first = 0xFF_FFFE_u32;
    let mut plain = Plain::open(dut, ipv6, first, 0.1);
    let path = plain.path;
    let request = |opcode, number, changes: &[_]| path.request(opcode, first.wrapping_add(number), changes);
    let answer = |number: u32, syndrome, msn| path.answer(first.wrapping_add(number), syndrome, msn);
    let asks = (8, 0x80);

    let message = [FIRST, MIDDLE, MIDDLE, LAST].into_iter().zip(0..).map(|(opcode, at)| request(opcode, at, &[]));
    plain.gives("four packets", &message.collect::<Vec<_>>(), &[answer(3, CREDITS, 1)]);
    plain.gives("AckReq", &[request(ONLY, 4, &[asks])], &[answer(4, CREDITS, 2)]);
    plain.gives("the timer", &[request(FIRST, 5, &[]), request(LAST, 6, &[])], &[answer(6, CREDITS, 3)]);
    // A solicited event and the bits of congestion are not answered by any bit; nor is CE of the network.
    plain.gives("SE", &[request(ONLY, 7, &[asks, (1, 0xC0 | 1 << 4)])], &[answer(7, CREDITS, 4)]);
    plain.gives("FECN and BECN", &[request(ONLY, 8, &[asks, (4, 0xC0)])], &[answer(8, CREDITS, 5)]);
    let marked = Path { ecn: 3, ..path }.request(ONLY, first.wrapping_add(9), &[asks]);
    plain.gives("CE", &[marked], &[answer(9, CREDITS, 6)]);
    // Nor does a peer that sends an MPEH get one. With flag P nothing is received, and what was is acknowledged (G4).
    plain.gives("MPEH", &[request(ONLY, 10, &[(8, 0xC0)])], &[answer(10, CREDITS, 7)]);
    plain.gives("a probe", &[request(ONLY, 11, &[(8, 0x40), (13, 4)])], &[answer(10, CREDITS, 7)]);

    // Number 11 is missing: one NAK for the gap.
    plain.gives("a gap", &[request(ONLY, 12, &[])], &[answer(11, SEQUENCE_ERROR, 7)]);
    plain.gives("the same gap", &[request(ONLY, 13, &[asks])], &[]);
    plain.gives("the gap is filled", &[request(ONLY, 11, &[asks])], &[answer(13, CREDITS, 10)]);
    // The peer went back to the packet that was missing, and sends all behind it again.
    plain.gives("again", &[request(ONLY, 12, &[])], &[answer(13, CREDITS, 10)]);
    plain.gives("the next gap", &[request(ONLY, 15, &[])], &[answer(14, SEQUENCE_ERROR, 10)]);
    plain.gives("the end", &[request(ONLY, 14, &[asks])], &[answer(15, CREDITS, 12)]);
    assert_eq!((plain.compared, plain.run.count("acks"), plain.run.count("naks")), (13, Some(11), Some(2)));
    // The timer has made one ACK due, and the second packet behind a gap found its NAK sent (G11).
    let counters = ["expired", "merged_causes", "void_events", "unknown_paths", "probe_answers"];
    assert_eq!(counters.map(|name| plain.run.count(name)), [1, 1, 0, 0, 0].map(Some));
}

/// RNR NAKs: nobody takes the packets in order, until there is no place for one more.
fn is_not_ready(dut: &mut dyn Dut, ipv6: bool) {
    let first = 0x00_0FF0;
    let mut plain = Plain::open(dut, ipv6, first, 1.0);
    let path = plain.path;
    for number in 0..200 {
        let packet = path.request(ONLY, first + number, &[(8, 0x80)]);
        plain.run.send(std::slice::from_ref(&packet)).expect("it has bytes");
        plain.run.until_idle(plain.dut, QUIET).expect("it ends");
        if plain.run.count("no_buffer") == Some(0) {
            plain.gives("there is room", &[], &[path.answer(first + number, CREDITS, number + 1)]);
            continue;
        }
        let nak = path.answer(first + number, NOT_READY, number);
        plain.gives("there is no room", &[], std::slice::from_ref(&nak));
        plain.gives("it comes again", &[packet], &[nak]);
        assert!(number >= 64, "a window of 64 takes {number} packets");
        assert_eq!((plain.run.count("acks"), plain.run.count("naks")), (Some(number.into()), Some(2)));
        return;
    }
    panic!("{} packets wait", plain.compared);
}

/// Requests of operations that the receive path does not have: READ, atomics, FLUSH, ATOMIC WRITE, and OpCodes without a
/// meaning. The NAK has the PSN of the request, when that is the expected one.
fn does_not_serve(dut: &mut dyn Dut, ipv6: bool) {
    let first = 0xFF_FFFE_u32;
    let mut plain = Plain::open(dut, ipv6, first, 0.1);
    let path = plain.path;
    let answer = |number: u32, syndrome, msn| path.answer(first.wrapping_add(number), syndrome, msn);
    let data = |number: u32| path.request(ONLY, first.wrapping_add(number), &[(8, 0x80)]);
    let others = [(0x0C, 16), (0x13, 28), (0x14, 28), (0x15, 0), (0x18, 0), (0x1C, 4), (0x1D, 16), (0x1F, 0)];
    // Three packets for each, all of them messages.
    for ((opcode, extended), number) in others.into_iter().zip((0..).step_by(3)) {
        let request = |number: u32| path.bare_request(opcode, first.wrapping_add(number), extended);
        let what = format!("OpCode {opcode:#x}");
        plain.gives(&what, &[data(number)], &[answer(number, CREDITS, number + 1)]);
        let invalid = answer(number + 1, INVALID_REQUEST, number + 1);
        plain.gives(&what, &[request(number + 1)], std::slice::from_ref(&invalid));
        plain.gives("it comes again", &[request(number + 1)], &[invalid]);
        plain.gives("what is behind it", &[data(number + 2), request(number + 3)], &[]);
        // A peer that sends something else in its place has it received, with what waited behind it.
        plain.gives("another packet", &[data(number + 1)], &[answer(number + 2, CREDITS, number + 3)]);
    }
    assert_eq!(plain.run.count("naks"), Some(2 * others.len() as u64));
}

fn both_ways(dut: &mut dyn Dut) {
    for ipv6 in [false, true] {
        acknowledges(dut, ipv6);
        is_not_ready(dut, ipv6);
        does_not_serve(dut, ipv6);
    }
}

fn rocev2(width: u32, latency: u32) -> RxConfig {
    config(AckProtocol::Roce, width, latency)
}

#[test]
fn answers_without_multipath_are_plain_rocev2_byte_for_byte() {
    for (width, latency) in pick([(64, 1), (512, 3)], 1) {
        both_ways(&mut *model(&rocev2(width, latency)));
    }
    // With frames in a pool the answers are the same.
    both_ways(&mut *model(&holding_frames(rocev2(128, 2))));
}

#[test]
fn those_of_the_verilog_are_too() {
    both_ways(&mut rtl(&rocev2(256, 2), 0));
}

#[test]
fn the_crc_made_here_is_that_of_ethernet_and_leaves_out_what_changes_on_the_way() {
    assert_eq!(crc(*b"123456789"), 0xCBF4_3926);
    let icrc = |bytes: Vec<u8>| bytes[bytes.len() - 4..].to_vec();
    for path in [Path::of(false), Path::of(true)] {
        assert_ne!(icrc(path.answer(5, CREDITS, 1)), icrc(path.answer(5, CREDITS, 2)));
        let marked = Path { ecn: 3, ttl: 3, ..path };
        assert_eq!(icrc(path.request(ONLY, 1, &[]).bytes), icrc(marked.request(ONLY, 1, &[(4, 0x40)]).bytes));
    }
}
