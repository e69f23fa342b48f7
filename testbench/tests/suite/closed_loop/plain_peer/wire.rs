// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of RoCEv2 between a NIC and its peer, written and read byte by byte from the IBA alone: BTH, RETH, AETH and the extended headers of
//! volume 1, annex A17 for what carries them and for CNPs, and an ICRC of its own. No code of the pipeline or of the golden model takes part.

/// The CRC-32 of Ethernet, a byte at a time.
fn crc(bytes: impl IntoIterator<Item = u8>) -> u32 {
    let table: Vec<u32> = (0..256u32)
        .map(|byte| (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }))
        .collect();
    !bytes.into_iter().fold(!0, |crc, byte| crc >> 8 ^ table[(crc as u8 ^ byte) as usize])
}

/// The ones' complement sum of a header with an even number of bytes.
fn checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    !((sum & 0xFFFF) + (sum >> 16)) as u16
}

/// An end of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub mac: [u8; 6],
    pub ip: [u8; 4],
    pub qp: u32,
}

/// The NIC, and its peer.
pub const NIC: End = End { mac: [2, 0, 0, 0, 0, 1], ip: [10, 0, 0, 1], qp: 0x00_1234 };
pub const PEER: End = End { mac: [2, 0, 0, 0, 0, 2], ip: [10, 0, 0, 2], qp: 0xAB_CD01 };
pub const PKEY: u16 = 0x8001;
/// The DSCP of data, and the UDP source port of each end.
pub const DSCP: u8 = 26;
pub const NIC_PORT: u16 = 0xC0DE;
pub const PEER_PORT: u16 = 0xD00D;

/// OpCodes of reliable connections.
pub const ACKNOWLEDGE: u8 = 0x11;
pub const CNP: u8 = 0x81;

/// Codepoints of ECN.
pub const ECT: u8 = 2;
pub const CE: u8 = 3;

/// A packet: the BTH and what is behind it, pad left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub opcode: u8,
    /// The first byte behind the OpCode, pad count left out: SE and MigReq.
    pub flags: u8,
    pub becn: bool,
    pub ack_request: bool,
    pub psn: u32,
    /// Extended headers, and the payload.
    pub extended: Vec<u8>,
    pub payload: Vec<u8>,
    pub ecn: u8,
}

/// Bytes of the extended headers behind the BTH of an OpCode, for those that come here.
fn extended(opcode: u8) -> usize {
    match opcode {
        // With immediate data, or a key that is invalidated.
        0x03 | 0x05 | 0x09 | 0x16 | 0x17 => 4,
        // RETH.
        0x06 | 0x0A => 16,
        0x0B => 20,
        // AETH.
        ACKNOWLEDGE => 4,
        CNP => 16,
        _ => 0,
    }
}

impl Packet {
    /// An ACK or NAK.
    pub fn acknowledge(psn: u32, syndrome: u8, msn: u32) -> Self {
        let extended = (u32::from(syndrome) << 24 | msn & 0xFF_FFFF).to_be_bytes().to_vec();
        Packet { extended, ..Packet::request(ACKNOWLEDGE, psn, false, Vec::new(), Vec::new()) }
    }

    /// A request, which can be marked.
    pub fn request(opcode: u8, psn: u32, ack_request: bool, extended: Vec<u8>, payload: Vec<u8>) -> Self {
        let psn = psn & 0xFF_FFFF;
        Packet { opcode, flags: 0x40, becn: false, ack_request, psn, extended, payload, ecn: ECT }
    }

    /// A congestion notification packet.
    pub fn cnp() -> Self {
        let request = Packet::request(CNP, 0, false, vec![0; 16], Vec::new());
        Packet { flags: 0, becn: true, ..request }
    }

    /// The frame from one end to the other.
    pub fn frame(&self, [from, to]: [End; 2], source_port: u16, ecn: u8) -> Vec<u8> {
        let pad = self.payload.len().wrapping_neg() & 3;
        let mut transport = vec![self.opcode, self.flags | (pad as u8) << 4];
        transport.extend(PKEY.to_be_bytes());
        transport.extend((u32::from(self.becn) << 30 | to.qp).to_be_bytes());
        transport.extend((u32::from(self.ack_request) << 31 | self.psn).to_be_bytes());
        transport.extend(&self.extended);
        transport.extend(&self.payload);
        transport.resize(transport.len() + pad, 0);
        let udp_length = 8 + transport.len() as u16 + 4;
        let mut ip = vec![0x45, DSCP << 2 | ecn];
        ip.extend((20 + udp_length).to_be_bytes());
        ip.extend([0, 0, 0x40, 0, 64, 17, 0, 0]);
        ip.extend([from.ip, to.ip].concat());
        let sum = checksum(&ip);
        ip[10..12].copy_from_slice(&sum.to_be_bytes());
        let udp = [source_port, 4791, udp_length, 0].map(u16::to_be_bytes).concat();
        let behind = [ip, udp, transport].concat();
        let icrc = icrc(&behind);
        [[to.mac, from.mac].concat(), vec![8, 0], behind, icrc.to_le_bytes().to_vec()].concat()
    }

    /// Reads a frame to this end; what is not lawful is an error. All reserved bits are 0.
    pub fn read(frame: &[u8], [from, to]: [End; 2]) -> Result<(Self, u16), String> {
        let wrong = |what: &str| Err(format!("{what}: {frame:02x?}"));
        if frame.len() < 14 + 20 + 8 + 12 + 4
            || frame[..12] != [to.mac, from.mac].concat()[..]
            || frame[12..14] != [8, 0]
        {
            return wrong("Ethernet");
        }
        let (behind, icrc_of_frame) = frame[14..].split_at(frame.len() - 14 - 4);
        let (ip, udp, transport) = (&behind[..20], &behind[20..28], &behind[28..]);
        let length = u16::from_be_bytes([ip[2], ip[3]]);
        if ip[0] != 0x45 || checksum(ip) != 0 || usize::from(length) != frame.len() - 14 || ip[9] != 17 {
            return wrong("IPv4");
        }
        if ip[12..16] != from.ip || ip[16..20] != to.ip || ip[6..8] != [0x40, 0] || ip[1] >> 2 != DSCP {
            return wrong("IPv4");
        }
        let port = u16::from_be_bytes([udp[0], udp[1]]);
        if udp[2..] != [4791, length - 20, 0].map(u16::to_be_bytes).concat()[..] {
            return wrong("UDP");
        }
        if icrc(behind).to_le_bytes() != icrc_of_frame {
            return wrong("ICRC");
        }
        let word = |at: usize| u32::from_be_bytes(transport[at..at + 4].try_into().expect("four bytes"));
        let (opcode, pad) = (transport[0], usize::from(transport[1] >> 4 & 3));
        // TVer; FECN and the reserved bits beside it; the seven reserved bits behind AckReq, one of which announces an MPEH.
        let reserved = u32::from(transport[1] & 0xF) | word(4) & 0xBF00_0000 | word(8) & 0x7F00_0000;
        if reserved != 0 || transport[2..4] != PKEY.to_be_bytes() || word(4) & 0xFF_FFFF != to.qp {
            return wrong("BTH");
        }
        let (at, end) = (12 + extended(opcode), transport.len() - pad);
        if at > end || transport[end..].iter().any(|byte| *byte != 0) {
            return wrong("lengths");
        }
        let packet = Packet {
            opcode,
            flags: transport[1] & 0xC0,
            becn: word(4) >> 30 & 1 == 1,
            ack_request: word(8) >> 31 == 1,
            psn: word(8) & 0xFF_FFFF,
            extended: transport[12..at].to_vec(),
            payload: transport[at..end].to_vec(),
            ecn: ip[1] & 3,
        };
        Ok((packet, port))
    }
}

/// The ICRC of what is behind the Ethernet header. Fields that change on the way count as ones, and 64 ones stand for the link header.
fn icrc(behind: &[u8]) -> u32 {
    let changing = [1, 8, 10, 11, 20 + 6, 20 + 7, 28 + 4];
    let masked = behind.iter().enumerate().map(|(at, byte)| if changing.contains(&at) { 0xFF } else { *byte });
    crc([0xFF; 8].into_iter().chain(masked))
}

/// Distance of a PSN from another one, as a signed number.
pub const fn ahead(psn: u32, of: u32) -> i32 {
    (psn.wrapping_sub(of) << 8) as i32 >> 8
}

#[test]
fn the_crc_is_that_of_ethernet() {
    assert_eq!(crc(*b"123456789"), 0xCBF4_3926);
}
