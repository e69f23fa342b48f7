// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames for tests of the network, from the encoder of the golden vectors.

use golden_vectors::headers::Udp;
use golden_vectors::headers::codec::encode::{Frame, Network};

/// DSCP of data.
pub const TRIMMABLE: u8 = 8;
/// DSCP of answers.
pub const CONTROL: u8 = 46;
/// The PSN of all packets.
pub const PSN: u64 = 0x0102_0304;
const UET_PORT: u16 = 4793;

fn uet(frame: Frame, ev: u16, dscp: u8, ecn: u8, payload: Vec<u8>) -> Vec<u8> {
    let frame = frame.with(|frame| {
        frame.rocev2 = None;
        frame.udp = Some(Udp::new().with_source(ev).with_destination(UET_PORT));
        frame.payload = payload;
        match &mut frame.network {
            Network::V4(header, _) => {
                header.set_dscp(dscp);
                header.set_ecn(ecn);
            }
            Network::V6(header, _) => {
                header.set_dscp(dscp);
                header.set_ecn(ecn);
            }
            Network::None => unreachable!("the frames are IP"),
        }
    });
    frame.with_uet_crc().bytes()
}

/// A RUD_REQ with 44 bytes of SES and this number of payload bytes.
fn request(payload: usize) -> Vec<u8> {
    let prologue: u16 = 2 << 11 | 3 << 7;
    let mut bytes = prologue.to_be_bytes().to_vec();
    bytes.extend([0xFF, 0x00]);
    bytes.extend((PSN as u32).to_be_bytes());
    bytes.extend([0, 1, 0, 2]);
    bytes.extend(vec![0x5E; 44]);
    bytes.extend((0..payload).map(|i| i as u8));
    bytes
}

/// Data over IPv4.
pub fn data(ev: u16, payload: usize) -> Vec<u8> {
    uet(Frame::v4(), ev, TRIMMABLE, 2, request(payload))
}

/// Data over IPv6.
pub fn data_v6(ev: u16, payload: usize) -> Vec<u8> {
    uet(Frame::v6(), ev, TRIMMABLE, 2, request(payload))
}

/// An ACK.
pub fn ack(ev: u16) -> Vec<u8> {
    let prologue: u16 = 7 << 11;
    let mut bytes = prologue.to_be_bytes().to_vec();
    bytes.extend([0, 0, 0, 0, 0, 5, 0, 2, 0, 1]);
    uet(Frame::v4(), ev, CONTROL, 0, bytes)
}
