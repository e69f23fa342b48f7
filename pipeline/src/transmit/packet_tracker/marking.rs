// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which NACKs mark their packet (row D18).

use super::pass::{Load, Record};
use rtl_model::{Bits, Logic, constant, name_nets};

/// Codes of NACKs that mark, below 32.
const MARKING: u64 = 0x0FFF | 1 << 0x0D | 1 << 0x12 | 1 << 0x14 | 1 << RCVR_INFER_LOSS;
/// The receiver suspects a loss: the NACK answers no packet.
const RCVR_INFER_LOSS: u64 = 0x1A;

/// The NACK marks the packet of this record, if it is in flight.
#[name_nets]
pub fn marks<L: Logic>(nack: Load<L>, record: Record<L>) -> Bits<L> {
    let reason = nack.reason;
    let known = Bits::lit(32, MARKING).slice_at(reason.truncate(5), 1) & !reason.slice(5, 3).any();
    let answers = reason.differs(constant!(RCVR_INFER_LOSS));
    let stale = !nack.retx & record.rtx_count.any() & answers;
    known & !stale
}
