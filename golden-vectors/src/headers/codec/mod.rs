// SPDX-License-Identifier: MIT OR Apache-2.0
//! The whole of a frame in both directions: [`read`] says what it is and takes its headers apart, [`write()`] puts it
//! together again.
//!
//! Layers are read from the outside in, and the first row that holds decides. Row 1, the MAC's mark, is not in the
//! bytes: [`parse`](crate::frame::header_parser::oracle::parse) has it, and leaves row 14 to the stage behind the parser.
//!
//! | # | condition | result |
//! |---|---|---|
//! | 1 | the MAC marked the frame bad | drop `bad_frame` |
//! | 2 | the frame ends inside the Ethernet header or its first two tags | drop `cut_short` |
//! | 2 | the frame has 131,072 bytes or more | drop `too_long` |
//! | 3 | the EtherType behind at most two tags is neither IPv4's nor IPv6's | ok `none` |
//! | 4 | the frame ends inside the fixed IP header | drop `cut_short` |
//! | 5 | the version does not fit the EtherType | drop `ip_version` |
//! | 6 | IPv4, IHL < 5 | drop `ihl` |
//! | 7 | IPv4, the frame ends inside the options | drop `cut_short` |
//! | 8 | IPv4, the header checksum is wrong | drop `ip_checksum` |
//! | 9 | the IP packet ends behind the frame, or before its own header does | drop `ip_length` |
//! | 10 | IPv4 fragment; or the protocol is neither UDP nor UET's ([`Options::uet_protocol`]) | ok `none` |
//! | 11 | UDP length < 8 or > IP payload, or IP payload < 8 | drop `udp_length` |
//! | 12 | the UDP destination port is none of RoCEv2, UET, ELAB | ok `udp` |
//! | 13 | the transport's headers, for RoCEv2 with the ICRC, for UET with the CRC ([`Options::uet_crc`]), do not fit the UDP datagram or, without UDP, the IP packet; UET, fewer than 4 bytes of headers behind UDP or entropy | drop `header_cut` |
//! | 14 | RoCEv2, the ICRC is wrong, or UET, the CRC is, and [`Options::refuse_icrc`] | drop `icrc` |
//! | 15 | a reserved field is not 0, and [`Strictness::Refuse`] | drop `reserved` |
//! | 16 | otherwise | ok `rocev2`, `uet`, `elab` |
//! | 17 | a trimmed packet, of which no other row says anything but rows 1 to 7, 9 (before its own header), 11 (UDP length < 8) and 13 | ok `rocev2`, `uet`, reason `trimmed` |
//!
//! With [`Options::trimming`] an IP packet that is no fragment is trimmed if its DSCP says so, and the first four bytes of
//! the header behind UDP or entropy are there and are those of data: of a SEND or WRITE of RoCEv2 on a reliable connection,
//! or of an RUD or ROD request of UET. Then a length beyond the frame is that of the packet before it was trimmed, and row
//! 13 asks for the headers of UET, but of RoCEv2 for the BTH and the first word of the MPEH alone.
//!
//! A protocol that is switched off is none of ours in rows 10 and 12. Of a dropped frame there is no record, except
//! in rows 14 and 15: there the headers are complete, and a parser that cuts through has let them go.
//!
//! ```
//! use golden_vectors::headers::codec::{Options, read, write};
//!
//! let mut capture = pcap_file::pcap::PcapReader::new(&include_bytes!("../../../captures/mixed.pcap")[..])?;
//! let frame = capture.next_packet().expect("it has 500")?.data;
//! let reading = read(&frame, &Options::default());
//! assert_eq!(reading.record.transport_name(), "rocev2");
//! let (payload, trailer) = (&frame[reading.payload.clone()], &frame[reading.trailer.clone()]);
//! assert_eq!(write(&reading.record, payload, trailer), *frame);
//! # Ok::<(), pcap_file::PcapError>(())
//! ```

mod configuration;
mod elab;
pub mod encode;
pub mod flat;
pub mod icrc_place;
mod json;
mod options;
mod part;
mod read;
mod record;
mod reserved;
mod rocev2;
mod trimmed;
mod uet;
mod write;

pub use configuration::ConfigurationError;
pub use elab::Elab;
pub use options::{MpehIndicator, Options, Strictness};
pub use part::{Part, PartField};
pub use read::{Reading, read};
pub use record::{Link, Network, Record, Transport};
pub(crate) use reserved::is_reserved;
pub use rocev2::Rocev2;
pub use trimmed::Trimmed;
pub use uet::{AckState, CcState, Context, Delivery, Uet};
pub use write::write;

pub use crate::schema::Reason;
