// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header formats, each described once and used in both directions: the oracle reads them, the encoder writes them.
//!
//! `modular-bitfield` puts the first field of a struct in the least significant bits of byte 0, while a header on the wire
//! has its first field in the most significant bits. So every struct here lists its fields from the last on the wire to the
//! first, and [`Header`] reverses the bytes: the header is one big-endian number, and its low bits are its last field.
//!
//! [`codec`] puts the headers together: a frame is read into a record, and a record is written as a frame.

pub mod aeth;
pub mod atomic_ack;
pub mod atomic_eth;
pub mod bth;
pub mod cnp;
pub mod codec;
pub mod deth;
pub mod elab;
pub mod ethernet;
pub mod icrc;
pub mod ieth;
pub mod immdt;
pub mod ipv4;
pub mod ipv6;
pub mod layout;
pub mod mpeh;
pub mod opcode;
pub mod reth;
pub mod udp;
pub mod uet;
pub mod xrceth;

pub use aeth::{Aeth, Syndrome};
pub use atomic_ack::AtomicAck;
pub use atomic_eth::AtomicEth;
pub use bth::Bth;
pub use cnp::Cnp;
pub use deth::Deth;
pub use elab::{Elab, ElabRate};
pub use ethernet::{Addresses, Tag};
pub use ieth::Ieth;
pub use immdt::ImmDt;
pub use ipv4::Ipv4;
pub use ipv6::Ipv6;
pub use layout::{Layout, Number};
pub use mpeh::{AckFlags, DataFlags, Mpeh};
pub use reth::Reth;
pub use udp::Udp;
pub use xrceth::Xrceth;

/// A header of fixed length, in network order on the wire.
pub trait Header: Copy {
    /// Length on the wire, in bytes.
    const LEN: usize;

    /// Reads the header at the front of `bytes`; `None` if they are too few.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// Appends the header to `out`.
    fn write(self, out: &mut Vec<u8>);
}

/// Implements [`Header`] for a bitfield whose fields are listed from the last to the first.
macro_rules! network_order {
    ($header:ty, $len:literal) => {
        impl $crate::headers::Header for $header {
            const LEN: usize = $len;

            fn read(bytes: &[u8]) -> Option<Self> {
                let mut number: [u8; $len] = bytes.get(..$len)?.try_into().ok()?;
                number.reverse();
                Some(Self::from_bytes(number))
            }

            fn write(self, out: &mut Vec<u8>) {
                out.extend(self.into_bytes().iter().rev());
            }
        }
    };
}
pub(crate) use network_order;
