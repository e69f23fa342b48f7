// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps of a command.

use rtl_model::States;

/// Where the sequence of a command is.
#[derive(Clone, Copy, States)]
pub enum CommandStep {
    /// There is no command.
    Idle,
    /// `messages` is asked for the state of the PDC.
    Looks,
    /// `turns` is told to forget the messages of the PDC.
    Empties,
    /// `completions` is told the same.
    Clears,
    /// A command for `packet_tracker` is offered, or its response awaited.
    Tracker,
    /// The same for the entropy selector, with UET.
    Selector,
    /// The same for `ccc_table`.
    Cccs,
    /// Grants that were under way are served.
    Grants,
    /// The header builder takes the packets that were under way.
    Packets,
    /// Their frames end.
    Frames,
    /// Outcomes and events of the PDC leave `packet_tracker`.
    Drains,
    /// The events enter `ccc_table`.
    Settles,
    /// RoCEv2: a train of probes goes to the header builder.
    Probes,
    /// `messages` is told to accept requests.
    Admits,
    /// The response is given.
    Responds,
}
