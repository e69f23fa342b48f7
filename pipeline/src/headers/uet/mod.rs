// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet delivery headers of Ultra Ethernet (uet.md 1.1 to 1.8).

mod ack;
mod control;
mod entropy;
pub mod nack;
mod pdc;
mod request;
mod rudi;
mod uud;

pub use ack::{Ack, AckCc, AckCcx, CreditState, NsccState, OtherState};
pub use control::{Control, ControlPayload};
pub use entropy::Entropy;
pub use nack::{Nack, NackCcx};
pub use pdc::{Dpdcid, Syn};
pub use request::{Request, RequestCc};
pub use rudi::Rudi;
pub use uud::Uud;

use super::Layout;
use rtl_model::Table;

/// Type of the security header (TSS), which is recognised and left to the payload.
pub const TSS: u64 = 1;
/// The types that carry a PSN in the sequence of their context: RUD and ROD requests, without and with congestion control.
pub const REQUESTS: [u64; 4] = [RUD_REQ, 3, RUD_CC_REQ, ROD_CC_REQ];
/// The types that the receiver of requests sends back: ACKs and NACKs.
pub const ANSWERS: [u64; 5] = [ACK, ACK_CC, 9, NACK, 12];
/// RUD request.
pub const RUD_REQ: u64 = 2;
/// RUD request that asks for credit.
pub const RUD_CC_REQ: u64 = 13;
/// ROD request that asks for credit.
pub const ROD_CC_REQ: u64 = 14;
/// RUDI request.
pub const RUDI_REQ: u64 = 4;
/// Acknowledgement.
pub const ACK: u64 = 7;
/// Acknowledgement with congestion control.
pub const ACK_CC: u64 = 8;
/// Negative acknowledgement.
pub const NACK: u64 = 10;
/// The same with extended congestion control.
pub const NACK_CCX: u64 = 12;
/// Control packet.
pub const CONTROL: u64 = 11;
/// Control packets that have a PSN in the sequence of their context: NOOP, CLOSE, CLOSE_REQUEST (uet.md 1.7).
pub const SEQUENCED_CONTROL: [u64; 3] = [0, 4, 5];
/// Control packets that the target of a context sends to its initiator: CLEAR_REQUEST, CLOSE_REQUEST, CREDIT (uet.md 1.7).
pub const CONTROL_OF_TARGET: [u64; 3] = [3, 5, 7];
/// The control packet that probes a path.
pub const PROBE: u64 = 6;
/// The control packet that grants credit.
pub const CTL_CREDIT: u64 = 7;
/// The control packet that asks for credit.
pub const CTL_CREDIT_REQUEST: u64 = 8;

/// `cc_type` of an ACK_CC that carries [`CreditState`].
pub const CREDIT: u64 = 1;

/// The headers of a type in the order of the wire; where they depend on a field of another header, the first kind. None
/// for [`TSS`] and the reserved types, where the payload begins with the type.
pub const fn headers(kind: u64) -> &'static [Layout] {
    match kind {
        2 | 3 => &[Request::LAYOUT, Dpdcid::LAYOUT],
        RUDI_REQ | 5 => &[Rudi::LAYOUT],
        6 => &[Uud::LAYOUT],
        ACK => &[Ack::LAYOUT],
        ACK_CC => &[Ack::LAYOUT, AckCc::LAYOUT, NsccState::LAYOUT],
        9 => &[Ack::LAYOUT, AckCcx::LAYOUT],
        NACK => &[Nack::LAYOUT],
        CONTROL => &[Control::LAYOUT, Dpdcid::LAYOUT, ControlPayload::LAYOUT],
        12 => &[Nack::LAYOUT, NackCcx::LAYOUT],
        13 | 14 => &[Request::LAYOUT, Dpdcid::LAYOUT, RequestCc::LAYOUT],
        _ => &[],
    }
}

/// Words of the headers of a type: 0 to 10.
pub fn words(kind: u64) -> u32 {
    headers(kind).iter().map(Layout::bits).sum::<u32>() / 32
}

/// Words that must be present: the headers; for [`TSS`] three, or four with a source identifier; for a reserved type
/// one.
pub fn words_needed(kind: u64, source_identifier: bool) -> u32 {
    match kind {
        TSS => 3 + source_identifier as u32,
        _ => words(kind).max(1),
    }
}

/// Whether a packet of a type ends with a CRC, where CRCs are configured: one that is encrypted has none (uet.md 1.1), and
/// nothing is known of reserved types.
pub fn has_crc(kind: u64) -> bool {
    words(kind) > 0
}

/// [`has_crc`] by the type, 5 bits.
pub fn crc_types() -> Table {
    Table::new(1, (0..32).map(|kind| has_crc(kind).into())).named("uet_has_crc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_uet_md() {
        let bytes: Vec<_> = (0..16).map(|kind| 4 * words(kind)).collect();
        assert_eq!(bytes, [0, 0, 12, 12, 8, 8, 4, 12, 32, 40, 16, 16, 32, 16, 16, 0]);
        assert_eq!((words_needed(TSS, true), words_needed(31, true), words_needed(7, true)), (4, 1, 3));
    }
}
