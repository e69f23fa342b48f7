// SPDX-License-Identifier: MIT OR Apache-2.0
//! The codes of NACKs.

/// TRIMMED
pub const TRIMMED: u64 = 0x01;
/// TRIMMED_LASTHOP
pub const TRIMMED_LASTHOP: u64 = 0x02;
/// NO_PDC_AVAIL
pub const NO_PDC_AVAIL: u64 = 0x04;
/// NO_PKT_BUFFER
pub const NO_PKT_BUFFER: u64 = 0x07;
/// PSN_OOR_WINDOW
pub const PSN_OOR_WINDOW: u64 = 0x0B;
/// INV_DPDCID
pub const INV_DPDCID: u64 = 0x0E;
/// INVALID_SYN
pub const INVALID_SYN: u64 = 0x15;
/// RCVR_INFER_LOSS
pub const RCVR_INFER_LOSS: u64 = 0x1A;
