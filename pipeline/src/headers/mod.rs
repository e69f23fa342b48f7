// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers, one file each: a bundle of signals with its byte layout. Parser and builder read and write headers only
//! through these, so a field cannot be read from one place and written to another.

pub mod catalog;
pub(crate) mod destination;
pub mod layout;
pub mod loss_tag;
pub mod opcode;
pub mod protocols;
pub mod reason;
pub mod record;
pub mod side_band;
pub mod uet;

mod aeth;
mod atomic_ack;
mod atomic_eth;
mod bth;
mod cnp;
mod deth;
mod elab;
mod ethernet;
mod ieth;
mod immdt;
mod ipv4;
mod ipv6;
mod mpeh;
mod reth;
mod udp;
mod xrceth;

pub use aeth::Aeth;
pub use atomic_ack::AtomicAck;
pub use atomic_eth::AtomicEth;
pub use bth::Bth;
pub use cnp::Cnp;
pub use deth::Deth;
pub use elab::{Elab, ElabRate};
pub use ethernet::Ethernet;
pub use ieth::Ieth;
pub use immdt::ImmDt;
pub use ipv4::Ipv4;
pub use ipv6::Ipv6;
pub use layout::{Field, Layout};
pub use mpeh::Mpeh;
pub use reth::Reth;
pub use udp::Udp;
pub use xrceth::Xrceth;
