// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, each of which is a pass (rows C31 and C32); the sweep (row C34). There is one command at a time, so that what it
//! finds is kept in one register each, in the step in which it is known.

use super::config::CccTableConfig;
use super::flight::{Counted, Deed};
use super::pass::Pass;
use super::ports::{CccTableIn, Command, Response, WAIT_WIDTH, WINDOW_WIDTH};
use crate::blocks::command_port::CommandPort;
use rtl_model::{Bits, Logic, Reg, Signal, bits, name_nets, when};

/// The command port, and the response.
#[name_nets]
pub struct Commands<L: Logic> {
    config: CccTableConfig,
    port: CommandPort<L, Command<L>>,
    counted: Reg<Counted<L>>,
    base_rtt: Reg<Bits<L>>,
    max_wnd: Reg<Bits<L>>,
    delay: Option<Reg<Bits<L>>>,
    cwnd: Option<Reg<Bits<L>>>,
    credit: Option<Reg<Bits<L>>>,
    response: Reg<Response<L>>,
}

/// What a command finds.
pub struct Found<L: Logic> {
    /// Step `l` + 4.
    pub counted: Counted<L>,
    /// Step `l` + 5.
    pub base_rtt: Bits<L>,
    /// Step `l` + 7.
    pub delay: Option<Bits<L>>,
    /// Step `l` + 8.
    pub max_wnd: Bits<L>,
    /// Step `l` + 15.
    pub cwnd: Option<Bits<L>>,
    pub credit: Option<Bits<L>>,
    /// Step `l` + 21.
    pub deed: Deed<L>,
    pub state: Bits<L>,
    pub in_turn: Bits<L>,
    pub credit_target: Bits<L>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let bytes = bits(WINDOW_WIDTH);
        Commands {
            config,
            port: CommandPort::new(config.command_port(), &CccTableIn::shape(config).command),
            counted: Reg::new(&Counted::shape(config)),
            base_rtt: Reg::new(&bits(WAIT_WIDTH)),
            max_wnd: Reg::new(&bytes),
            delay: config.nscc(()).map(|()| Reg::new(&bits(WAIT_WIDTH))),
            cwnd: config.nscc(()).map(|()| Reg::new(&bytes)),
            credit: config.rccc(()).map(|()| Reg::new(&bits(WINDOW_WIDTH + 1))),
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

    /// One clock cycle: the passes in all steps, and what they find; a command is offered; one that waits is held.
    pub fn clock(&self, passes: &[Pass<L>], found: Found<L>, command: Command<L>, held: Bits<L>) {
        let l = self.config.ram_latency as usize;
        let Command { op, ccc, .. } = self.port.command();
        let deed = found.deed;
        let nothing = Bits::lit(WINDOW_WIDTH, 0);
        let counted = self.counted.get();
        let [delay, cwnd, credit] = [&self.delay, &self.cwnd, &self.credit].map(|reg| reg.as_ref().map(Reg::get));
        let shown = Response {
            valid: passes[l + 21].commands,
            op,
            ccc,
            done: deed.done,
            open: deed.open,
            state: found.state,
            granted: found.in_turn,
            nscc: deed.nscc,
            rccc: deed.rccc,
            class: deed.class,
            weight: deed.weight,
            backlog: counted.backlog,
            rtx_backlog: counted.rtx_backlog,
            waiting_rtx: counted.waiting_rtx,
            inflight_pkts: counted.inflight_pkts,
            inflight: counted.inflight.map_or(nothing.concat(Bits::lit(1, 0)), |value| value.gate(deed.nscc)),
            cwnd: cwnd.map_or(nothing, |value| value.gate(deed.nscc)),
            max_wnd: self.max_wnd.get(),
            base_rtt: self.base_rtt.get(),
            delay: delay.map_or(Bits::lit(WAIT_WIDTH, 0), |value| value.gate(deed.nscc)),
            credit: credit.map_or(nothing.concat(Bits::lit(1, 0)), |value| value.gate(deed.rccc)),
            credit_target: found.credit_target,
        };
        // Not that of another pass: the row of a CCC that does not exist is nothing.
        let commands = passes[l + 21].commands;
        let shown = Response { valid: commands, op, ccc, done: deed.done, ..shown.gate(commands & deed.open) };
        self.response.set(shown);

        when(passes[l + 4].commands, || self.counted.set(found.counted));
        when(passes[l + 5].commands, || self.base_rtt.set(found.base_rtt));
        when(passes[l + 8].commands, || self.max_wnd.set(found.max_wnd));
        if let (Some(reg), Some(delay)) = (&self.delay, found.delay) {
            when(passes[l + 7].commands, || reg.set(delay));
        }
        if let (Some(reg), Some(cwnd)) = (&self.cwnd, found.cwnd) {
            when(passes[l + 15].commands, || reg.set(cwnd));
        }
        if let (Some(reg), Some(credit)) = (&self.credit, found.credit) {
            when(passes[l + 15].commands, || reg.set(credit));
        }
        self.port.clock_held(command.valid, command, Some(held));
    }
}
