// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB: both halves, and the host.

mod due;
mod halves;
mod host;
mod oracle;
