// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `header_builder` must make of a record and of what follows the headers, whatever the record says: the
//! tables of its contract.
//!
//! "Row n" is row n of the tables in `docs/stages/header_builder.md`. A record that contradicts itself is built by the
//! same rows.

use crate::headers::codec::{self, ConfigurationError, MpehIndicator};
use crate::headers::{Header, Ipv4, Ipv6, Udp, ipv4, opcode, udp};
use crate::schema::Field;
use std::collections::BTreeMap;

/// RoCEv2 in `Record::transport`.
pub const ROCEV2: u8 = 2;
/// UET in `Record::transport`.
pub const UET: u8 = 3;
/// Most words of a transport header.
pub const MOST_WORDS: usize = 11;
/// Words of a BTH.
const BTH_WORDS: usize = 3;
/// The bit of byte 8 of a BTH that announces an MPEH.
const ANNOUNCES: u8 = 0x40;
/// Bytes of an ICRC, and of the CRC of UET.
const CRC: u16 = 4;

/// What `s_record` brings, by the names of its ports; `has_payload` follows from what comes on `s_axis`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// From two bytes ahead of the frame on.
    pub ethernet: [u32; 6],
    /// Tags.
    pub vlan_count: u8,
    /// 0 none, 1 IPv4, 2 and 3 IPv6.
    pub l3: u8,
    /// IP header.
    pub ip: [u32; 10],
    /// UDP; the second word is also the entropy header.
    pub udp: [u32; 2],
    /// MPEH.
    pub mpeh: [u32; 2],
    /// Transport header.
    pub header: [u32; MOST_WORDS],
    /// 0 none, 1 UDP, [`ROCEV2`], [`UET`], 4 and more others.
    pub transport: u8,
    /// UET without UDP.
    pub uet_native: bool,
    /// There is an MPEH.
    pub has_mpeh: bool,
    /// Words of the transport header.
    pub transport_words: u8,
    /// Bytes of the payload.
    pub payload_length: u16,
    /// Bytes of the packet behind the datagram.
    pub ip_slack: u16,
    /// What may be put in, 20 bits.
    pub entropy: u32,
    /// Where: 1 source port or entropy header, 2 flow label.
    pub entropy_target: u8,
}

/// How the stage is configured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `[protocols]`.
    pub protocols: codec::Options,
    /// The UDP checksum is as recorded, and not 0.
    pub recorded_checksum: bool,
}

impl Options {
    /// The options that a table says: keys of `[protocols]`, and `udp_checksum` of `[header_builder]`.
    ///
    /// # Errors
    /// A key is unknown, or has a value that it cannot have.
    pub fn of_configuration(table: &BTreeMap<String, String>) -> Result<Self, ConfigurationError> {
        let mut protocols = table.clone();
        let key = "udp_checksum";
        let recorded_checksum = match protocols.remove(key).as_deref() {
            None | Some("zero") => false,
            Some("recorded") => true,
            Some(value) => {
                let (key, value) = (key.to_owned(), value.to_owned());
                return Err(ConfigurationError::Value { key, value, allowed: "zero or recorded" });
            }
        };
        Ok(Self { protocols: codec::Options::of_configuration(&protocols)?, recorded_checksum })
    }

    /// UET without UDP is one of the transports.
    fn native(&self) -> bool {
        self.protocols.uet && self.protocols.uet_protocol != udp::PROTOCOL
    }

    /// Words of the longest header of the selected transports.
    fn longest(&self) -> usize {
        let codec::Options { rocev2, uet, elab, .. } = self.protocols;
        [(rocev2, MOST_WORDS), (uet, 10), (elab, 3)].iter().filter(|(on, _)| *on).map(|(_, n)| *n).max().unwrap_or(0)
    }
}

/// The frame: headers, then `rest`, which is what comes on `s_axis`.
#[must_use]
pub fn build(record: &Record, rest: &[u8], options: &Options) -> Vec<u8> {
    let record = record.selected(options);
    let mut out = Vec::new();
    // Row 1: the first two bytes are ahead of the frame.
    let tags = usize::from(record.vlan_count.min(2));
    record.ethernet.iter().take(4 + tags).for_each(|word| out.extend(word.to_be_bytes()));
    out.drain(..2);
    record.network(options, &mut out);
    record.udp(options, &mut out);
    record.transport(options).iter().for_each(|word| out.extend(word.to_be_bytes()));
    out.extend(rest);
    out
}

impl Record {
    /// Of a transport that is not selected, what only its records have counts as 0.
    fn selected(&self, options: &Options) -> Self {
        let mut record = *self;
        record.has_mpeh &= options.protocols.rocev2;
        record.uet_native &= options.native();
        record.header.iter_mut().skip(options.longest()).for_each(|word| *word = 0);
        record
    }

    fn is_native(&self) -> bool {
        self.uet_native && self.transport == UET
    }

    /// Rows 3 to 5: there is nothing behind a frame without an IP header.
    fn has_layer_4(&self) -> bool {
        self.l3 != 0 && self.transport != 0
    }

    /// Rows 4, 5 and 16.
    fn transport(&self, options: &Options) -> Vec<u32> {
        if !self.has_layer_4() || self.transport < ROCEV2 {
            return Vec::new();
        }
        let mut words = self.header.to_vec();
        if self.transport == ROCEV2 {
            self.announce(&mut words, options);
        }
        let mut count = usize::from(self.transport_words).min(MOST_WORDS);
        if self.transport == ROCEV2 && self.has_mpeh {
            words.splice(BTH_WORDS..BTH_WORDS, self.mpeh);
            count += self.mpeh.len();
        }
        words.truncate(count);
        words
    }

    /// Row 16: the BTH says whether an MPEH stands behind it.
    fn announce(&self, words: &mut [u32], options: &Options) {
        let mut bytes: Vec<u8> = words[..BTH_WORDS].iter().flat_map(|word| word.to_be_bytes()).collect();
        match options.protocols.mpeh {
            _ if !options.protocols.rocev2 => {}
            MpehIndicator::Bit if self.has_mpeh => bytes[8] |= ANNOUNCES,
            MpehIndicator::Bit => bytes[8] &= !ANNOUNCES,
            MpehIndicator::OpCode => {
                let operation = bytes[0] & 0x1F;
                let reliable = [opcode::RC, opcode::MPEH].contains(&(bytes[0] & 0xE0));
                if reliable && opcode::extensions(opcode::RC | operation).is_some() {
                    bytes[0] = operation | if self.has_mpeh { opcode::MPEH } else { opcode::RC };
                }
            }
        }
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
    }

    /// Row 7: an ICRC or CRC stands behind the payload.
    fn has_crc(&self, options: &Options) -> bool {
        let codec::Options { uet, uet_crc, .. } = options.protocols;
        self.transport == ROCEV2 || self.transport == UET && uet && uet_crc && self.transport_words > 0
    }

    /// Row 7, without the UDP header: what it carries, or what UET carries behind IP with its entropy header.
    fn carried(&self, options: &Options) -> u16 {
        let crc = if self.has_crc(options) { CRC } else { 0 };
        (4 * self.transport(options).len() as u16).wrapping_add(self.payload_length).wrapping_add(crc)
    }

    /// Row 7.
    fn udp_length(&self, options: &Options) -> u16 {
        self.carried(options).wrapping_add(Udp::LEN as u16)
    }

    /// Rows 8 and 9: what stands behind the IP header.
    fn ip_payload(&self, options: &Options) -> u16 {
        match self.is_native() {
            true => self.carried(options).wrapping_add(4),
            false => self.udp_length(options).wrapping_add(self.ip_slack),
        }
    }

    /// Rows 2, 6 and 8 to 11, and row 14.
    fn network(&self, options: &Options, out: &mut Vec<u8>) {
        let bytes: Vec<u8> = self.ip.iter().flat_map(|word| word.to_be_bytes()).collect();
        let (Some(v4), Some(v6)) = (Ipv4::read(&bytes), Ipv6::read(&bytes)) else { return };
        match self.l3 {
            0 => {}
            1 => {
                let more = (u16::from(v4.ihl()) * 4).wrapping_sub(Ipv4::LEN as u16);
                let length = match self.transport {
                    0 => v4.total_length().wrapping_sub(more),
                    _ => self.ip_payload(options).wrapping_add(Ipv4::LEN as u16),
                };
                summed(v4.with_ihl(5).with_total_length(length)).write(out);
            }
            _ => {
                let length = if self.transport == 0 { v6.payload_length() } else { self.ip_payload(options) };
                let label = if self.entropy_target == 2 { self.entropy } else { v6.flow_label() };
                v6.with_payload_length(length).with_flow_label(label).write(out);
            }
        }
    }

    /// Rows 3, 7, 12 and 13.
    fn udp(&self, options: &Options, out: &mut Vec<u8>) {
        if !self.has_layer_4() {
            return;
        }
        let bytes: Vec<u8> = self.udp.iter().flat_map(|word| word.to_be_bytes()).collect();
        let Some(mut header) = Udp::read(&bytes) else { return };
        let entropy = (self.entropy_target == 1).then_some(self.entropy as u16);
        if self.is_native() {
            // The second word: entropy in its upper half.
            let recorded = (self.udp[1] >> 16) as u16;
            out.extend(entropy.unwrap_or(recorded).to_be_bytes());
            out.extend((self.udp[1] as u16).to_be_bytes());
            return;
        }
        header.set_source(entropy.unwrap_or(header.source()));
        header.set_length(self.udp_length(options));
        if !options.recorded_checksum {
            header.set_checksum(0);
        }
        header.write(out);
    }

    /// The ports that the record is read from, each with its width and its value.
    #[must_use]
    pub fn ports(&self) -> Vec<(String, u32, u32)> {
        let word = |name: &str, words: &[u32]| {
            words.iter().enumerate().map(|(i, &word)| (format!("{name}_{i}"), 32, word)).collect::<Vec<_>>()
        };
        let words = [
            word("ethernet", &self.ethernet),
            word("ip", &self.ip),
            word("udp", &self.udp),
            word("mpeh", &self.mpeh),
            word("header", &self.header),
        ];
        let flags = [
            ("vlan_count", 2, self.vlan_count.into()),
            ("l3", 2, self.l3.into()),
            ("transport", 3, self.transport.into()),
            ("uet_native", 1, self.uet_native.into()),
            ("has_mpeh", 1, self.has_mpeh.into()),
            ("transport_words", 4, self.transport_words.into()),
            ("payload_length", 16, self.payload_length.into()),
            ("ip_slack", 16, self.ip_slack.into()),
            ("entropy", 20, self.entropy),
            ("entropy_target", 2, self.entropy_target.into()),
        ];
        words.concat().into_iter().chain(flags.map(|(name, width, value)| (name.to_owned(), width, value))).collect()
    }

    /// The same as vectors have it: all that is no header word, and of the words those of which the frame has some bits.
    #[must_use]
    pub fn as_recorded(&self, options: &Options) -> BTreeMap<String, Field> {
        let frame = build(self, &[], options);
        let is_read =
            |name: &str, width: u32| width < u32::BITS || build(&self.with_word_inverted(name), &[], options) != frame;
        let ports = self.ports().into_iter().filter(|(name, width, _)| is_read(name, *width));
        ports.map(|(name, _, value)| (name, Field::exact(value.into()))).collect()
    }

    fn with_word_inverted(&self, port: &str) -> Self {
        let mut record = *self;
        let Record { ethernet, ip, udp, mpeh, header, .. } = &mut record;
        let lists: [(&str, &mut [u32]); 5] =
            [("ethernet", ethernet), ("ip", ip), ("udp", udp), ("mpeh", mpeh), ("header", header)];
        for (name, words) in lists {
            let named = words.iter_mut().enumerate().filter(|(i, _)| port == format!("{name}_{i}"));
            named.for_each(|(_, word)| *word = !*word);
        }
        record
    }
}

/// Row 11. The sum of the header without its checksum is never 0, so that 0 and 0xFFFF are both right where the complement
/// of the sum is 0.
fn summed(header: Ipv4) -> Ipv4 {
    let mut words = Vec::new();
    header.with_checksum(0).write(&mut words);
    match !ipv4::fold(ipv4::word_sum(&words)) {
        0 if header.checksum() == 0xFFFF => header,
        sum => header.with_checksum(sum),
    }
}
