// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a connection in all stages by one command, so that no packet finds it in one stage and not in
//! another. The key of a connection is the last thing that *open* writes and the first one that *close* removes:
//!
//! ```text
//!  open   stages: open   ->  lookup: insert the key  ->  response
//!                            refused: stages: close  ->  response
//!  close  stages: read   ->  lookup: remove the key  ->  frames that found it leave  ->  stages: close  ->  response
//!  read   stages: read   ->  response
//! ```
//!
//! *Close* needs the number of the connection only: the keys are kept. A connection that is not open is not closed, and the
//! sequence ends after its first step.

use super::config::RxConfig;
use super::ports::{Command, Response, op};
use crate::{context_lookup, reorder};
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, bits, name_nets, select, when};

/// Where the sequence is, one bit per step; at most one is 1, none while there is no command.
#[derive(Bundle)]
struct Steps<L: Reading> {
    /// A command for the stages is offered, or their response awaited.
    #[reset]
    stages: Bits<L>,
    /// A command for the lookup is offered, or its response awaited.
    #[reset]
    lookup: Bits<L>,
    /// Frames that found the key leave.
    #[reset]
    drains: Bits<L>,
    /// The response is given.
    #[reset]
    responds: Bits<L>,
}

#[name_nets]
impl<L: Logic> Steps<L> {
    /// No step.
    fn none() -> Self {
        let no = Bits::lit(1, 0);
        Steps { stages: no, lookup: no, drains: no, responds: no }
    }
}

/// The sequence of a command through the stages.
#[name_nets]
pub struct Contexts<L: Logic> {
    steps: Reg<Steps<L>>,
    /// 1 if the command of this step has been accepted.
    accepted: Reg<Bits<L>>,
    command: Reg<Command<L>>,
    /// The keys of connections.
    keys: Ram<Bits<L>>,
    /// 1 if the connection is to be closed in the stages: at the end of *close*, or after an insert that was refused.
    closes: Reg<Bits<L>>,
    /// The number of frames that had been taken when the key was removed.
    last_frame: Reg<Bits<L>>,
    response: Reg<Response<L>>,
}

/// What the stages show in a clock cycle.
pub struct Shown<L: Logic> {
    /// All tables can be used.
    pub live: Bits<L>,
    pub reorder_ready: Bits<L>,
    pub reorder: reorder::Response<L>,
    pub lookup_ready: Bits<L>,
    pub lookup: context_lookup::Response<L>,
    /// Frames taken and frames that have left.
    pub frames: (Bits<L>, Bits<L>),
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    pub fn new(config: &RxConfig) -> Self {
        let flag = bits(1);
        let keys = RamShape::new(config.reorder.connections).latency(config.reorder.ram_latency);
        Contexts {
            steps: Reg::new(&Steps { stages: flag, lookup: flag, drains: flag, responds: flag }),
            accepted: Reg::new(&flag).with_reset(),
            command: Reg::new(&config.command()),
            keys: Ram::new(keys, &bits(config.lookup.kinds.key_width())),
            closes: Reg::new(&flag),
            last_frame: Reg::new(&bits(super::identify::PLACE_WIDTH)),
            response: Reg::new(&config.response()),
        }
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        let Steps { stages, lookup, drains, responds } = self.steps.get();
        !(stages | lookup | drains | responds)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.steps.get().responds, ..self.response.get() }
    }

    /// The command for the reorder stage.
    pub fn for_reorder(&self) -> reorder::Command<L> {
        let Command { op, connection, path, psn, .. } = self.command.get();
        let lit = |value| Bits::lit(reorder::OP_WIDTH, value);
        let first = select(op.equals(op::OPEN), lit(reorder::op::OPEN), lit(reorder::op::READ));
        let op = select(self.closes.get(), lit(reorder::op::CLOSE), first);
        reorder::Command { valid: self.steps.get().stages & !self.accepted.get(), op, connection, path, psn }
    }

    /// The command for the lookup, with keys of this kind.
    pub fn for_lookup(&self, kind: u64) -> context_lookup::Command<L> {
        let Command { op, key, connection, .. } = self.command.get();
        let lit = |value| Bits::lit(context_lookup::OP_WIDTH, value);
        let opens = op.equals(op::OPEN);
        context_lookup::Command {
            valid: self.steps.get().lookup & !self.accepted.get(),
            op: select(opens, lit(context_lookup::op::INSERT), lit(context_lookup::op::REMOVE)),
            kind: Bits::lit(context_lookup::KIND_WIDTH, kind),
            key: select(opens, key, self.keys.data()),
            key_1: None,
            key_2: None,
            key_3: None,
            index: connection,
        }
    }

    /// One clock cycle: a command is offered.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>) {
        let Steps { stages, lookup, drains, responds } = self.steps.get();
        let (command, accepted, closes) = (self.command.get(), self.accepted.get(), self.closes.get());
        let (is_open, is_close) = (command.op.equals(op::OPEN), command.op.equals(op::CLOSE));
        let (taken, left) = shown.frames;
        let no = Bits::lit(1, 0);

        let accepts = (offered.valid & self.idle() & shown.live).named("accepts");
        let stages_answer = (stages & accepted & shown.reorder.valid).named("stages_answer");
        let lookup_answers = (lookup & accepted & shown.lookup.valid).named("lookup_answers");
        let drained = (drains & left.equals(self.last_frame.get())).named("drained");
        // The stages have opened the connection, or have it open.
        let goes_on = (is_open & shown.reorder.done | is_close & shown.reorder.open) & !closes;
        let inserted = (is_open & shown.lookup.done).named("inserted");

        when(accepts, || {
            self.command.set(offered);
            self.closes.set(no);
            self.steps.set(Steps { stages: Bits::lit(1, 1), ..Steps::none() });
        })
        .or_when(stages_answer, || {
            // A connection that is read first by *close*, or closed again after *open*: not done.
            let halfway = (is_close & !closes | is_open & closes).named("halfway");
            let done = shown.reorder.done & !halfway;
            self.response.set(Response::of(command, shown.reorder, done, is_open & closes));
            self.steps.set(Steps { lookup: goes_on, responds: !goes_on, ..Steps::none() });
        })
        .or_when(lookup_answers, || {
            self.closes.set(!inserted);
            self.last_frame.set(taken);
            self.steps.set(Steps {
                stages: is_open & !inserted,
                drains: is_close,
                responds: inserted,
                ..Steps::none()
            });
        })
        .or_when(drained, || self.steps.set(Steps { stages: Bits::lit(1, 1), ..Steps::none() }))
        .or_when(responds, || self.steps.set(Steps::none()));
        let takes = stages & shown.reorder_ready | lookup & shown.lookup_ready;
        self.accepted.set((accepted | takes) & !(stages_answer | lookup_answers));

        when(inserted & lookup_answers, || self.keys.write(command.connection, command.key));
        self.keys.read(command.connection);
        self.keys.clock();
    }
}
