// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers behind the BTH, by OpCode (requirements.md C): one table.
//!
//! The upper three bits of an OpCode are the transport, the lower five the operation. Transports share the
//! operations; UD puts a DETH in front of whatever the operation has, XRC an XRCETH in front of a request's. What the
//! table does not know, the whole of RD included (no source here describes its headers), has a BTH and nothing that
//! could be read behind it.

/// A header behind the BTH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// [`Deth`](super::Deth).
    Deth,
    /// [`Xrceth`](super::Xrceth).
    Xrceth,
    /// [`Reth`](super::Reth).
    Reth,
    /// [`AtomicEth`](super::AtomicEth).
    AtomicEth,
    /// [`Aeth`](super::Aeth).
    Aeth,
    /// [`AtomicAck`](super::AtomicAck).
    AtomicAck,
    /// [`ImmDt`](super::ImmDt).
    ImmDt,
    /// [`Ieth`](super::Ieth).
    Ieth,
    /// [`Cnp`](super::Cnp).
    Cnp,
}

/// The upper bits of reliable connection.
pub const RC: u8 = 0x00;
/// The upper bits of unreliable connection.
pub const UC: u8 = 0x20;
/// The upper bits of unreliable datagram.
pub const UD: u8 = 0x60;
/// The upper bits of extended reliable connection.
pub const XRC: u8 = 0xA0;
/// Congestion notification.
pub const CNP: u8 = 0x81;
/// The upper bits that mirror [`RC`] where the OpCode announces an MPEH (M13).
pub const MPEH: u8 = 0xC0;
/// The operation that acknowledges.
pub const ACKNOWLEDGE: u8 = 0x11;
/// The operation that answers an atomic one.
pub const ATOMIC_ACKNOWLEDGE: u8 = 0x12;

/// Operation, the transports that have it, its headers in the order of the wire.
type Row = (u8, &'static [u8], &'static [Extension]);

const EVERY: &[u8] = &[RC, UC, UD, XRC];
const CONNECTED: &[u8] = &[RC, UC, XRC];
const RELIABLE: &[u8] = &[RC, XRC];

/// The operations.
const OPERATIONS: [Row; 23] = [
    (0x00, CONNECTED, &[]),                                  // SEND first
    (0x01, CONNECTED, &[]),                                  // SEND middle
    (0x02, CONNECTED, &[]),                                  // SEND last
    (0x03, CONNECTED, &[Extension::ImmDt]),                  // SEND last with immediate
    (0x04, EVERY, &[]),                                      // SEND only
    (0x05, EVERY, &[Extension::ImmDt]),                      // SEND only with immediate
    (0x06, CONNECTED, &[Extension::Reth]),                   // RDMA WRITE first
    (0x07, CONNECTED, &[]),                                  // RDMA WRITE middle
    (0x08, CONNECTED, &[]),                                  // RDMA WRITE last
    (0x09, CONNECTED, &[Extension::ImmDt]),                  // RDMA WRITE last with immediate
    (0x0A, CONNECTED, &[Extension::Reth]),                   // RDMA WRITE only
    (0x0B, CONNECTED, &[Extension::Reth, Extension::ImmDt]), // RDMA WRITE only with immediate
    (0x0C, RELIABLE, &[Extension::Reth]),                    // RDMA READ request
    (0x0D, RELIABLE, &[Extension::Aeth]),                    // RDMA READ response first
    (0x0E, RELIABLE, &[]),                                   // RDMA READ response middle
    (0x0F, RELIABLE, &[Extension::Aeth]),                    // RDMA READ response last
    (0x10, RELIABLE, &[Extension::Aeth]),                    // RDMA READ response only
    (ACKNOWLEDGE, RELIABLE, &[Extension::Aeth]),             // acknowledge
    (ATOMIC_ACKNOWLEDGE, RELIABLE, &[Extension::Aeth, Extension::AtomicAck]),
    (0x13, RELIABLE, &[Extension::AtomicEth]), // compare and swap
    (0x14, RELIABLE, &[Extension::AtomicEth]), // fetch and add
    (0x16, RELIABLE, &[Extension::Ieth]),      // SEND last with invalidate
    (0x17, RELIABLE, &[Extension::Ieth]),      // SEND only with invalidate
];

/// The headers behind BTH and MPEH, in the order of the wire; `None` for an OpCode that the table does not know.
#[must_use]
pub fn extensions(opcode: u8) -> Option<Vec<Extension>> {
    if opcode == CNP {
        return Some(vec![Extension::Cnp]);
    }
    let (transport, operation) = (opcode & 0xE0, opcode & 0x1F);
    let (_, transports, headers) = OPERATIONS.iter().find(|row| row.0 == operation)?;
    if !transports.contains(&transport) {
        return None;
    }
    // Responses (0x0D to 0x12) go to the requester, whose queue pair needs no shared receive queue.
    let front = match (transport, operation) {
        (UD, _) => Some(Extension::Deth),
        (XRC, 0x0D..=0x12) => None,
        (XRC, _) => Some(Extension::Xrceth),
        _ => None,
    };
    Some(front.into_iter().chain(headers.iter().copied()).collect())
}
