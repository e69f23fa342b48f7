// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands: each is a pass, which waits until it can enter (rows G21 to G24); and the sweep (row G26).

use super::config::AckGeneratorConfig;
use super::connections::Effect;
use super::pass::Pass;
use super::ports::{AckGeneratorIn, Command, Response};
use super::row::Row;
use crate::blocks::command_port::CommandPort;
use rtl_model::{Bits, Logic, Reg, name_nets};

/// The command port, and the response.
#[name_nets]
pub struct Commands<L: Logic> {
    port: CommandPort<L, Command<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        Commands {
            port: CommandPort::new(config.command_port(), &AckGeneratorIn::shape(config).command),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// The table is being swept.
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

    /// Step `l` + 7 of a pass, with the row after it.
    pub fn respond(&self, pass: Pass<L>, row: Row<L>, effect: Effect<L>) {
        let Command { op, connection, .. } = self.port.command();
        self.response.set(Response {
            valid: pass.commands,
            op,
            connection,
            done: effect.done,
            open: row.open,
            draining: effect.draining,
            expected: row.expected,
            msn: row.roce.map(|roce| roce.msn),
            bytes: row.uet.map(|uet| uet.total),
        });
    }

    /// One clock cycle: a command is offered; one that waits is held by an arrival.
    pub fn clock(&self, command: Command<L>, arrives: Bits<L>) {
        self.port.clock_held(command.valid, command, Some(arrives));
    }
}
