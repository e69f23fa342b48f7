// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocol for which the stage is built.

/// The protocol for which the stage is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// RoCEv2, with multipath on or off for each connection.
    Roce,
    /// UET.
    Uet,
}
