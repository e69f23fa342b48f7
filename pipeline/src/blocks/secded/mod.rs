// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories that correct one flipped bit and detect two (SECDED, single error correction, double error detection).
//!
//! | item | what it is |
//! |---|---|
//! | [`Code`] | the check bits of a word, its parity-check matrix, and how an error is found |
//! | [`SecdedRam`] | a memory whose rows have check bits |
//! | [`UpsetMonitor`] | counts what the memories of a stage have corrected and detected |
//! | [`TableRam`] | a memory with or without check bits, as a configuration says: what tables and FIFOs are built on |

mod code;
mod kind;
mod monitor;
mod ram;
mod row;
mod stored;
mod table_ram;

pub use code::{Code, WORD_WIDTH, check_bits};
pub use kind::{Protection, RamKind};
pub use monitor::{SramReport, UpsetMonitor};
pub use ram::{SecdedRam, Upsets};
pub use stored::{StoredReg, StoredRow};
pub use table_ram::TableRam;
