// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands: each goes through the pipeline twice (row R17). The first pass looks at the connection, and in the second one
//! the command takes effect, if it can be done.

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::payload::Blocked;
use super::ports::{Command, ReorderIn, op};
use crate::blocks::command_port::CommandPort;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, constant, name_nets, select, when};

/// The second pass of a command.
#[derive(Bundle)]
#[shape]
pub struct Second<L: Reading> {
    /// It enters in this clock cycle.
    #[reset]
    pub enters: Bits<L>,
    /// The command can be done; kept until the next command.
    pub done: Bits<L>,
}

/// The command port, and the second pass.
#[name_nets]
pub struct Commands<L: Logic> {
    config: ReorderConfig,
    port: CommandPort<L, Command<L>>,
    second: Reg<Second<L>>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: ReorderConfig) -> Self {
        Commands {
            config,
            port: CommandPort::new(config.command_port(), &ReorderIn::shape(config).command),
            second: Reg::new(&Second::shape()),
        }
    }

    /// The tables are being swept.
    pub fn busy(&self) -> Bits<L> {
        self.port.busy()
    }

    /// A command can be taken.
    pub fn ready(&self) -> Bits<L> {
        self.port.ready()
    }

    /// A pass enters in this clock cycle: of a command, or of the sweep.
    pub fn enters(&self) -> Bits<L> {
        self.port.sweep_valid() | self.port.issue() | self.second.get().enters
    }

    /// A row is swept in this clock cycle, and its number.
    pub fn sweep(&self) -> (Bits<L>, Bits<L>) {
        (self.port.sweep_valid(), self.port.sweep_row())
    }

    /// The command, and whether it can be done.
    pub fn command(&self) -> (Command<L>, Bits<L>) {
        (self.port.command(), self.second.get().done)
    }

    /// The pass that enters, of a command or of the sweep; `shape` gives the fields that it does not have.
    pub fn pass(&self, other: Pass<L>) -> Pass<L> {
        let (command, Second { enters: applies, done }) = (self.port.command(), self.second.get());
        let sweeps = self.port.sweep_valid();
        let (swept_connection, swept_path) = self.port.sweep_index();
        let does = |code| applies & done & command.op.equals(code);
        Pass {
            valid: self.enters(),
            arrives: Bits::lit(1, 0),
            looks: self.port.issue(),
            applies,
            opens: does(constant!(op::OPEN)),
            closes: does(constant!(op::CLOSE)),
            checks: Bits::lit(1, 0),
            seeks: Bits::lit(1, 0),
            renews: Bits::lit(1, 0),
            sweeps,
            connection: select(sweeps, swept_connection, command.connection),
            psn: command.psn.gate(!sweeps),
            path: select(sweeps, swept_path.extend(command.path.width()), command.path),
            ..other
        }
    }

    /// One clock cycle: the pass in step `l` + 10 with what has been found, and what is being cleared.
    pub fn clock(&self, passes: &[Pass<L>], found: Found<L>, blocked: Option<Blocked<L>>, command: Command<L>) {
        let (looking, issued) = (passes[self.config.move_step() as usize].looks, self.port.command());
        self.second.set(Second { enters: looking, done: self.second.get().done });
        when(looking, || {
            let is = |code| issued.op.equals(code);
            let (mut opens, mut closes) = (!found.open & !found.draining, found.open);
            if let Some(Blocked { same, any }) = blocked {
                (opens, closes) = (opens & !same, closes & !any);
            }
            let changes = is(constant!(op::CHANGE)) & found.open;
            let done =
                changes | is(constant!(op::READ)) | is(constant!(op::OPEN)) & opens | is(constant!(op::CLOSE)) & closes;
            self.second.set(Second { enters: looking, done });
        });
        self.port.clock(command.valid, command);
    }
}
