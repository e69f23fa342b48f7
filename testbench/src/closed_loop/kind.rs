// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a frame is.

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A packet of a message.
    Data,
    /// RoCEv2: a packet that probes its sub-path.
    Probe,
    /// An ACK. RoCEv2: whether it has BECN, and flag L.
    Ack {
        /// It says that a packet was marked.
        becn: bool,
        /// It says that the next PSN is taken for lost.
        suspects: bool,
    },
    /// A NACK or NAK.
    Nack,
    /// RoCEv2: a congestion notification packet.
    Cnp,
    /// A CREDIT packet.
    Credit,
    /// A CREDIT_REQUEST packet.
    CreditRequest,
}
