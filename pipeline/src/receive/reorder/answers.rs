// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answers to arrivals, in step `l` + 12, and the responses to commands, one step later (rows R4, R5 and R19).

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::{PASS, Pass};
use super::ports::{Answer, Command, ConnectionState, Response, SACK_WIDTH, outcome};
use super::progress::Progress;
use super::statistics::Statistics;
use super::sub_paths::PathState;
use super::window::word_base;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Reg, Signal, bits, constant, name_nets, when};

/// Answers and responses.
#[name_nets]
pub struct Answers<L: Logic> {
    config: ReorderConfig,
    /// Steps `l` + 6 to `l` + 11.
    sack: PipelineRegs<Bits<L>>,
    answer: Reg<Answer<L>>,
    /// Step `l` + 12; 0 for a check, whose `expected` is another PSN.
    held: Reg<Bits<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Answers<L> {
    pub fn new(config: ReorderConfig) -> Self {
        Answers {
            config,
            sack: PipelineRegs::new(config.ram_latency + 6..=config.ram_latency + 11, &bits(SACK_WIDTH)).checked(PASS),
            answer: Reg::new(&Answer::shape(config)),
            held: Reg::new(&bits(config.count_bits())),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// The answer that is output.
    pub fn answer(&self) -> Answer<L> {
        self.answer.get()
    }

    /// The response that is output.
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// The number of packets held in step `l` + 12.
    pub fn held(&self) -> Bits<L> {
        self.held.get()
    }

    /// One clock cycle: the passes in all steps; the SACK word in step `l` + 5; what has been found and the row of progress
    /// in step `l` + 11.
    pub fn clock(&self, passes: &[Pass<L>], sack: Bits<L>, found: Found<L>, row: Progress<L>) {
        let (pass, word) = (passes[self.config.ram_latency as usize + 11], self.sack.last());
        let held = row.received - found.expected.truncate(self.config.count_bits());
        self.held.set(held.gate(!pass.checks));
        self.answer.set(Answer { valid: pass.arrives, ..self.answer.get() });
        when(pass.arrives, || {
            let known = found.outcome.differs(constant!(outcome::UNKNOWN));
            let has_psn = known & found.outcome.differs(constant!(outcome::PROBE));
            self.answer.set(Answer {
                valid: pass.arrives,
                connection: pass.connection,
                psn: pass.psn,
                path: pass.path,
                flags: pass.flags,
                length: pass.length,
                outcome: found.outcome,
                expected: found.expected.gate(known),
                highest: found.highest.gate(known),
                held: held.gate(known),
                late: found.late & known,
                suspected: row.gap & !row.at_expected & known,
                sack_base: word_base(pass.psn).gate(known),
                sack: word.gate(has_psn),
            });
        });
        self.sack.shift(sack);
    }

    /// The same for step `l` + 12 of a command that takes effect; its connection was being `cleared` then.
    pub fn respond(
        &self,
        passes: &[Pass<L>],
        found: Found<L>,
        statistics: Statistics<L>,
        state: PathState<L>,
        (command, done): (Command<L>, Bits<L>),
        cleared: Option<Bits<L>>,
    ) {
        let pass = passes[self.config.last_step() as usize];
        let Command { op, connection, path, .. } = command;
        let draining = match cleared {
            Some(cleared) => found.draining | cleared | pass.closes & found.gap,
            None => found.draining,
        };
        let Statistics { reordered, depth, duration } = statistics.gate(!pass.opens);
        let state = ConnectionState {
            draining,
            expected: found.expected,
            highest: found.highest,
            held: self.held.get(),
            reordered,
            depth,
            duration,
            path_packets: state.packets,
            path_time: state.time,
        };
        self.response.set(Response { valid: pass.applies, op, connection, path, done, open: found.open, state });
    }
}
