// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, each of which is a pass, and their responses (rows PC9 and PC10); the sweep (row PC12).

use super::config::CreditPacerConfig;
use super::credits::Credit;
use super::ports::{CREDIT_WIDTH, Command, CreditPacerIn, Response};
use crate::blocks::command_port::CommandPort;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, name_nets};

/// What a command finds of the targets, in step `l` + 4.
#[derive(Bundle)]
#[shape]
pub struct Found<L: Reading> {
    pub done: Bits<L>,
    pub open: Bits<L>,
    #[width(CREDIT_WIDTH)]
    pub target: Bits<L>,
}

/// The command port, and the response.
#[name_nets]
pub struct Commands<L: Logic> {
    port: CommandPort<L, Command<L>>,
    /// Step `l` + 4.
    found: Reg<Found<L>>,
    /// Step `l` + 5.
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        Commands {
            port: CommandPort::new(config.command_port(), &CreditPacerIn::shape(config).command),
            found: Reg::new(&Found::shape()),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// The tables are being swept.
    pub fn busy(&self) -> Bits<L> {
        self.port.busy()
    }

    /// A row is swept in this clock cycle, and its number.
    pub fn sweep(&self) -> (Bits<L>, Bits<L>) {
        (self.port.sweep_valid(), self.port.sweep_row())
    }

    /// A command can be taken.
    pub fn ready(&self) -> Bits<L> {
        self.port.ready()
    }

    /// The pass of a command has not entered.
    pub fn waits(&self) -> Bits<L> {
        self.port.issue()
    }

    /// The command.
    pub fn command(&self) -> Command<L> {
        self.port.command()
    }

    /// The response that is output.
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// One clock cycle: a command in step `l` + 3 finds this; the pass in step `l` + 4 is one, and leaves this credit; a
    /// command is offered; one that waits is held.
    pub fn clock(&self, found: Found<L>, commands: Bits<L>, credit: Credit<L>, command: Command<L>, held: Bits<L>) {
        let Command { op, source, .. } = self.port.command();
        let Found { done, open, target } = self.found.get();
        let Credit { credit, queued, ahead } = credit;
        let shown = Response { valid: commands, op, source, done, open, credit, target, queued, ahead };
        // The state of a source that is not open is nothing.
        self.response.set(Response { valid: commands, op, source, done, ..shown.gate(open) });
        self.found.set(found);
        self.port.clock_held(command.valid, command, Some(held));
    }
}
