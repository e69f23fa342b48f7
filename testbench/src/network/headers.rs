// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a switch reads and changes in the headers of a frame: DSCP, ECN, lengths, the UDP source port.

/// EtherTypes.
const TAGS: [u16; 2] = [0x8100, 0x88A8];
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;
const UDP: u8 = 17;

/// ECN code points.
pub const NOT_ECT: u8 = 0;
/// ECN-capable transport, code point 0.
pub const ECT_0: u8 = 2;
/// Congestion experienced.
pub const CE: u8 = 3;

/// Where the headers of an IP packet are in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headers {
    /// The offset of the IP header.
    pub ip: usize,
    /// It is IPv6.
    pub is_ipv6: bool,
    /// The offset of what follows the IP header.
    pub transport: usize,
    /// That is UDP.
    pub is_udp: bool,
}

fn word(frame: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(frame.get(at..at + 2)?.try_into().ok()?))
}

fn put(frame: &mut [u8], at: usize, value: u16) {
    frame[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

impl Headers {
    /// Those of a frame; `None` if it is no IP packet.
    pub fn of(frame: &[u8]) -> Option<Self> {
        let mut at = 12;
        while TAGS.contains(&word(frame, at)?) {
            at += 4;
        }
        let (ethertype, ip) = (word(frame, at)?, at + 2);
        match ethertype {
            IPV4 => {
                let length = 4 * (frame.get(ip)? & 0xF) as usize;
                let protocol = *frame.get(ip + 9)?;
                (length >= 20 && frame.len() >= ip + length).then_some(Headers {
                    ip,
                    is_ipv6: false,
                    transport: ip + length,
                    is_udp: protocol == UDP,
                })
            }
            IPV6 => {
                let protocol = *frame.get(ip + 6)?;
                (frame.len() >= ip + 40).then_some(Headers {
                    ip,
                    is_ipv6: true,
                    transport: ip + 40,
                    is_udp: protocol == UDP,
                })
            }
            _ => None,
        }
    }

    /// The traffic class: DSCP and ECN.
    fn class(&self, frame: &[u8]) -> u8 {
        match self.is_ipv6 {
            false => frame[self.ip + 1],
            true => frame[self.ip] << 4 | frame[self.ip + 1] >> 4,
        }
    }

    fn set_class(&self, frame: &mut [u8], class: u8) {
        match self.is_ipv6 {
            false => {
                let version = frame[self.ip] as u16;
                self.set_word(frame, 0, version << 8 | class as u16);
            }
            true => {
                frame[self.ip] = frame[self.ip] & 0xF0 | class >> 4;
                frame[self.ip + 1] = frame[self.ip + 1] & 0xF | class << 4;
            }
        }
    }

    /// Changes a word of an IPv4 header, and its checksum by the difference, so that a wrong one stays wrong (RFC 1624).
    fn set_word(&self, frame: &mut [u8], offset: usize, value: u16) {
        let old = word(frame, self.ip + offset).expect("the header is whole");
        let checksum = word(frame, self.ip + 10).expect("the header is whole");
        let sum = !checksum as u32 + !old as u32 + value as u32;
        let sum = (sum & 0xFFFF) + (sum >> 16);
        let sum = (sum & 0xFFFF) + (sum >> 16);
        put(frame, self.ip + offset, value);
        put(frame, self.ip + 10, !(sum as u16));
    }

    /// The DSCP.
    pub fn dscp(&self, frame: &[u8]) -> u8 {
        self.class(frame) >> 2
    }

    /// The ECN code point.
    pub fn ecn(&self, frame: &[u8]) -> u8 {
        self.class(frame) & 3
    }

    /// The sender takes notice of marks.
    pub fn is_ecn_capable(&self, frame: &[u8]) -> bool {
        self.ecn(frame) != NOT_ECT
    }

    /// Sets the DSCP.
    pub fn set_dscp(&self, frame: &mut [u8], dscp: u8) {
        let class = dscp << 2 | self.ecn(frame);
        self.set_class(frame, class);
    }

    /// Sets the ECN code point.
    pub fn set_ecn(&self, frame: &mut [u8], ecn: u8) {
        let class = self.dscp(frame) << 2 | ecn;
        self.set_class(frame, class);
    }

    /// The UDP source port, which is the EV of UET; `None` without UDP.
    pub fn source_port(&self, frame: &[u8]) -> Option<u16> {
        self.is_udp.then(|| word(frame, self.transport)).flatten()
    }

    /// Sets the DSCP and leaves the checksum of IPv4 as it is.
    pub fn put_dscp(&self, frame: &mut [u8], dscp: u8) {
        match self.is_ipv6 {
            false => frame[self.ip + 1] = dscp << 2 | self.ecn(frame),
            true => self.set_dscp(frame, dscp),
        }
    }

    /// Sets the length of IP to that of the frame, and that of UDP or not.
    pub fn set_lengths(&self, frame: &mut [u8], udp: bool) {
        let behind_ip = frame.len() - self.transport;
        match self.is_ipv6 {
            false => self.set_word(frame, 2, (frame.len() - self.ip) as u16),
            true => put(frame, self.ip + 4, behind_ip as u16),
        }
        if udp && self.is_udp && behind_ip >= 8 {
            put(frame, self.transport + 4, behind_ip as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{data, data_v6};
    use super::*;
    use golden_vectors::headers::codec::{Options, read};

    /// What the independent reader says of a frame.
    fn verdict(frame: &[u8]) -> String {
        format!("{:?}", read(frame, &Options::default()).verdict)
    }

    #[test]
    fn changed_headers_are_right() {
        for (frame, is_ipv6) in [(data(7, 100), false), (data_v6(7, 100), true)] {
            let headers = Headers::of(&frame).expect("it is IP");
            assert_eq!((headers.is_ipv6, headers.source_port(&frame)), (is_ipv6, Some(7)));
            let good = verdict(&frame);
            for (dscp, ecn) in [(0, CE), (63, NOT_ECT), (18, ECT_0), (1, 1)] {
                let mut changed = frame.clone();
                headers.set_dscp(&mut changed, dscp);
                headers.set_ecn(&mut changed, ecn);
                assert_eq!((headers.dscp(&changed), headers.ecn(&changed)), (dscp, ecn));
                assert_eq!(verdict(&changed), good, "DSCP {dscp}, ECN {ecn}");
                headers.set_dscp(&mut changed, headers.dscp(&frame));
                headers.set_ecn(&mut changed, headers.ecn(&frame));
                assert_eq!(changed, frame, "nothing else has changed");
            }
        }
    }

    #[test]
    fn a_wrong_checksum_stays_wrong() {
        let mut frame = data(7, 100);
        frame[24] ^= 1;
        let bad = verdict(&frame);
        assert_ne!(bad, verdict(&data(7, 100)));
        Headers::of(&frame).expect("it is IP").set_ecn(&mut frame, CE);
        assert_eq!(verdict(&frame), bad);
    }

    #[test]
    fn frames_without_ip_have_no_headers() {
        assert_eq!(Headers::of(&[0; 60]), None);
        assert_eq!(Headers::of(&data(7, 100)[..30]), None);
    }
}
