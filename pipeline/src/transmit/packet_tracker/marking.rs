// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which NACKs mark their packet (row D18).

use super::pass::{Load, Record};
use crate::headers::uet::nack;
use rtl_model::{Bits, Logic, constant, name_nets};

/// Codes of NACKs that mark, below 32.
const MARKING: u64 = 0x0FFF | 1 << 0x0D | 1 << 0x12 | 1 << 0x14 | 1 << nack::RCVR_INFER_LOSS;

/// The NACK marks the packet of this record, if it is in flight.
#[name_nets]
pub fn marks<L: Logic>(load: Load<L>, record: Record<L>) -> Bits<L> {
    let reason = load.reason;
    let known = Bits::lit(32, MARKING).slice_at(reason.truncate(5), 1) & !reason.slice(5, 3).any();
    let answers = reason.differs(constant!(nack::RCVR_INFER_LOSS));
    let stale = !load.retx & record.rtx_count.any() & answers;
    known & !stale
}
