// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet delivery headers of Ultra Ethernet (uet.md 1.1 to 1.8), one file a type.
//!
//! Reserved flags are named by their bits, `reserved_65` for masks 0x40 and 0x20, so that a name has one width in all
//! types.

pub mod ack;
pub mod ack_cc;
pub mod ack_ccx;
pub mod control;
pub mod crc;
pub mod entropy;
pub mod nack;
pub mod nack_ccx;
pub mod pdc;
pub mod prologue;
pub mod request;
pub mod rudi;
pub mod tss;
pub mod uud;

pub use ack::Ack;
pub use ack_cc::{AckCc, CreditState, NsccState, OtherState};
pub use ack_ccx::AckCcx;
pub use control::{Control, ControlPayload};
pub use entropy::Entropy;
pub use nack::Nack;
pub use nack_ccx::NackCcx;
pub use pdc::{Dpdcid, Syn};
pub use prologue::Prologue;
pub use request::{Request, RequestCc};
pub use rudi::Rudi;
pub use tss::Tss;
pub use uud::Uud;
