// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, each of which is a walk (rows D28 and D29); the sweep (row D33). There is one command at a time, so that
//! what its second pass finds is kept in one register each, in the step in which it is known.

use super::config::PacketTrackerConfig;
use super::context::Context;
use super::outputs::Ending;
use super::pass::Pass;
use super::ports::{Command, PacketTrackerIn, Response};
use super::timers::Timer;
use super::window::Window;
use crate::blocks::command_port::CommandPort;
use rtl_model::{Bits, Logic, Reg, Signal, name_nets, when};

/// The command port, and the response.
#[name_nets]
pub struct Commands<L: Logic> {
    config: PacketTrackerConfig,
    port: CommandPort<L, Command<L>>,
    context: Reg<Context<L>>,
    timer: Reg<Timer<L>>,
    base: Reg<Bits<L>>,
    length: Reg<Bits<L>>,
    next: Reg<Bits<L>>,
    response: Reg<Response<L>>,
}

/// What a pass finds.
pub struct Shown<L: Logic> {
    /// Step `l` + 3.
    pub context: Context<L>,
    /// Step `l` + 4.
    pub window: Window<L>,
    pub timer: Timer<L>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        Commands {
            config,
            port: CommandPort::new(config.command_port(), &PacketTrackerIn::shape(config).command),
            context: Reg::new(&Context::shape(config)),
            timer: Reg::new(&Timer::shape()),
            base: Reg::new(&config.psn()),
            length: Reg::new(&config.count()),
            next: Reg::new(&config.psn()),
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

    /// The walk of a command has not entered, or has not ended.
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

    /// One clock cycle: the passes in all steps, and what they find; an operation that ends; a command is offered; the
    /// walk of the command ends.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        shown: &Shown<L>,
        ending: &Ending<L>,
        command: Command<L>,
        finishes: Bits<L>,
    ) {
        let config = self.config;
        let Command { op, pdc, .. } = self.port.command();
        let (context, timer, base, length) = (self.context.get(), self.timer.get(), self.base.get(), self.length.get());

        // 2 l + 9
        let valid = ending.pass.finishes & ending.walk.commands;
        let state = Response {
            valid,
            op,
            pdc,
            done: ending.walk.done,
            open: context.open,
            failed: timer.failed,
            ccc: context.ccc,
            base,
            next: self.next.get(),
            in_flight: ending.counted.flying,
            marked: ending.counted.marks,
            retries: timer.retries,
            window: context.window,
        };
        let Response { op, pdc, done, .. } = state.gate(valid);
        self.response.set(Response { valid, op, pdc, done, ..state.gate(valid & context.open) });

        // l + 3 to l + 5
        self.next.set(base + length.extend(config.psn_bits));
        when(passes[config.windows() as usize].finishes, || self.context.set(shown.context));
        when(passes[config.records() as usize].finishes, || {
            self.base.set(shown.window.base);
            self.length.set(shown.window.length);
            self.timer.set(shown.timer);
        });
        self.port.clock_held(command.valid, command, Some(!finishes));
    }
}
