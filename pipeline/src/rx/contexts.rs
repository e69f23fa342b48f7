// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a connection in all stages by one command, so that no packet finds it in one stage and not in
//! another. The key of a connection is the last thing that *open* writes and the first one that *close* removes:
//!
//! ```text
//!  open   reorder: open  ->  acks: open  ->  lookup: insert the key  ->  response
//!         refused by one of them: reorder: close  ->  acks: close  ->  response
//!  close  reorder: read  ->  lookup: remove the key  ->  frames that found it leave  ->  reorder: close  ->  acks: close
//!         ->  response
//!  read   reorder: read  ->  acks: read  ->  response
//! ```
//!
//! *Close* needs the number of the connection only: the keys are kept. A connection that is not open is not closed, and the
//! sequence ends after its first step. The answers of the reorder stage that are under way reach the ACK generator before it
//! is told to close.

use super::answers::PeerWrite;
use super::config::RxConfig;
use super::ports::{Command, Response, op};
use crate::{ack_generator, context_lookup, reorder};
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, bits, name_nets, select, when};

/// Where the sequence is, one bit per step; at most one is 1, none while there is no command.
#[derive(Bundle)]
struct Steps<L: Reading> {
    /// A command for the reorder stage is offered, or its response awaited.
    #[reset]
    reorder: Bits<L>,
    /// The same for the ACK generator.
    #[reset]
    acks: Bits<L>,
    /// The same for the lookup.
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
        Steps { reorder: no, acks: no, lookup: no, drains: no, responds: no }
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
    /// 1 if the connection is to be closed: at the end of *close*, or after an *open* that was refused.
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
    pub acks_ready: Bits<L>,
    pub acks: ack_generator::Response<L>,
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
            steps: Reg::new(&Steps { reorder: flag, acks: flag, lookup: flag, drains: flag, responds: flag }),
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
        let Steps { reorder, acks, lookup, drains, responds } = self.steps.get();
        !(reorder | acks | lookup | drains | responds)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.steps.get().responds, ..self.response.get() }
    }

    /// The code of the command for the reorder stage and the ACK generator, which have the same ones.
    fn op(&self) -> Bits<L> {
        let lit = |value| Bits::lit(reorder::OP_WIDTH, value);
        let opens = self.command.get().op.equals(op::OPEN);
        let first = select(opens, lit(reorder::op::OPEN), lit(reorder::op::READ));
        select(self.closes.get(), lit(reorder::op::CLOSE), first)
    }

    /// The command for the reorder stage.
    pub fn for_reorder(&self) -> reorder::Command<L> {
        let Command { connection, path, psn, .. } = self.command.get();
        let valid = self.steps.get().reorder & !self.accepted.get();
        reorder::Command { valid, op: self.op(), connection, path, psn }
    }

    /// The command for the ACK generator.
    pub fn for_acks(&self) -> ack_generator::Command<L> {
        let Command { connection, psn, multipath, .. } = self.command.get();
        let valid = self.steps.get().acks & !self.accepted.get();
        ack_generator::Command { valid, op: self.op(), connection, psn, multipath }
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

    /// The QP of the peer, written when *open* has opened the connection in all stages.
    pub fn peer(&self, shown: &Shown<L>) -> PeerWrite<L> {
        let Command { connection, peer, .. } = self.command.get();
        PeerWrite { valid: self.inserted(shown), connection, peer: peer.unwrap_or(Bits::lit(1, 0)) }
    }

    /// The key is in the table.
    fn inserted(&self, shown: &Shown<L>) -> Bits<L> {
        let answers = self.steps.get().lookup & self.accepted.get() & shown.lookup.valid;
        answers & self.command.get().op.equals(op::OPEN) & shown.lookup.done
    }

    /// One clock cycle: a command is offered.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>) {
        let Steps { reorder, acks, lookup, drains, responds } = self.steps.get();
        let (command, accepted, closes) = (self.command.get(), self.accepted.get(), self.closes.get());
        let (is_open, is_close) = (command.op.equals(op::OPEN), command.op.equals(op::CLOSE));
        let (taken, left) = shown.frames;
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));

        let accepts = (offered.valid & self.idle() & shown.live).named("accepts");
        let reorder_answers = (reorder & accepted & shown.reorder.valid).named("reorder_answers");
        let acks_answer = (acks & accepted & shown.acks.valid).named("acks_answer");
        let lookup_answers = (lookup & accepted & shown.lookup.valid).named("lookup_answers");
        let drained = (drains & left.equals(self.last_frame.get())).named("drained");
        let inserted = self.inserted(shown).named("inserted");
        // *Close* removes the key after it has found the connection open.
        let removes = (is_close & !closes & shown.reorder.open).named("removes");
        let not_open = is_open & !closes & !shown.reorder.done | is_close & !closes & !shown.reorder.open;
        let to_acks = (!removes & !not_open).named("to_acks");
        let to_lookup = (is_open & !closes & shown.acks.done).named("to_lookup");
        let undoes = (is_open & !closes & !shown.acks.done).named("undoes");

        when(accepts, || {
            self.command.set(offered);
            self.closes.set(no);
            self.steps.set(Steps { reorder: yes, ..Steps::none() });
        })
        .or_when(reorder_answers, || {
            // What *open* was refused stays in the response.
            let was_refused = is_open & closes;
            let stage =
                Response { done: shown.reorder.done & to_acks, ..Response::of(command, shown.reorder, shown.acks) };
            let refused = Response { done: no, key_refused: self.response.get().key_refused, ..stage };
            self.response.set(select(was_refused, refused, stage));
            self.steps.set(Steps { acks: to_acks, lookup: removes, responds: not_open, ..Steps::none() });
        })
        .or_when(acks_answer, || {
            self.response.set(self.response.get().with_acks(shown.acks));
            self.closes.set(closes | undoes);
            self.steps.set(Steps {
                reorder: undoes,
                lookup: to_lookup,
                responds: !(undoes | to_lookup),
                ..Steps::none()
            });
        })
        .or_when(lookup_answers, || {
            self.response.set(Response { key_refused: is_open & !inserted, ..self.response.get() });
            self.closes.set(!inserted);
            self.last_frame.set(taken);
            let refused = is_open & !inserted;
            self.steps.set(Steps { reorder: refused, drains: is_close, responds: inserted, ..Steps::none() });
        })
        .or_when(drained, || self.steps.set(Steps { reorder: yes, ..Steps::none() }))
        .or_when(responds, || self.steps.set(Steps::none()));
        let takes = reorder & shown.reorder_ready | acks & shown.acks_ready | lookup & shown.lookup_ready;
        self.accepted.set((accepted | takes) & !(reorder_answers | acks_answer | lookup_answers));

        when(inserted, || self.keys.write(command.connection, command.key));
        self.keys.read(command.connection);
        self.keys.clock();
    }
}
