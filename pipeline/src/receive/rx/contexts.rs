// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a connection in all stages by one command, so that no packet finds it in one stage and not in
//! another. The key of a connection is the last thing that *open* writes and the first one that *close* removes:
//!
//! ```text
//!  open   reorder: open  ->  acks: open  ->  lookup: insert the key  ->  response
//!         refused by one of them: reorder: close  ->  answers that wait leave  ->  acks: close  ->  response
//!         refused by the lookup, when one key was there: frames that found it leave  ->  reorder: close  ->  ..
//!  close  reorder: read  ->  lookup: remove the key  ->  frames that found it leave  ->  reorder: close
//!         ->  answers that wait leave  ->  acks: close, until it owes nothing  ->  their frames end  ->  response
//!  read   reorder: read  ->  acks: read  ->  response
//!  change reorder: change  ->  acks: change  ->  response
//! ```
//!
//! *Close* needs the number of the connection only: the keys are kept. A connection that is not open is not closed, and the
//! sequence ends after its first step. While the reorder stage clears the cells of another connection it refuses to close one
//! (row R35); it is asked again. The answers of the reorder stage that are under way reach the ACK generator before it is told
//! to close, and what that has to say leaves before, too, so nothing of it is for the peer of a later connection.
//!
//! PDC identifier 0 of UET is no context (uet.md 1.2): the lookup is told to read its key, not to insert it, and *open* is refused as
//! for a key that has a connection.
//!
//! A connection with both directions has two keys. That of ACKs is inserted first and removed last, so an *open* that is
//! refused for the key of requests takes back a key that few packets have found.

use super::answered::{Answered, Answering};
use super::check_waits::{CheckWaits, Checking};
use super::config::RxConfig;
use super::notices::Notices;
use super::ports::{Command, Response, op};
use super::speakers::Ends;
use super::undelivered::UndeliveredFrames;
use crate::blocks::drained::Drained;
use crate::frame::Progress;
use crate::receive::ack_generator::{self, AckProtocol};
use crate::receive::{context_lookup, reorder};
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, StateReg, States, bits, name_nets, select, when};

/// Width of a PDC identifier.
const PDCID_WIDTH: u32 = 16;

/// Where the sequence of a command is.
#[derive(Clone, Copy, States)]
enum Step {
    /// There is no command.
    Idle,
    /// A command for the reorder stage is offered, or its response awaited.
    Reorder,
    /// The same for the ACK generator.
    Acks,
    /// The same for the lookup.
    Lookup,
    /// Frames that found the key leave.
    Drains,
    /// What the ACK generator has to say leaves.
    Answers,
    /// The last of it goes to the header builder.
    Records,
    /// Its frame ends, and all frames have been named that are not delivered.
    Frames,
    /// The response is given.
    Responds,
}

/// By what packets find a connection.
#[derive(Bundle)]
struct StoredKey<L: Reading> {
    key: Bits<L>,
    bidirectional: Option<Bits<L>>,
}

/// The sequence of a command through the stages.
#[name_nets]
pub struct Contexts<L: Logic> {
    /// Width of the indexes of the lookup, which has two keys for each connection of UET.
    index_width: u32,
    /// Keys are PDC identifiers.
    uet: bool,
    step: StateReg<L, Step>,
    /// 1 if the command of this step has been accepted.
    accepted: Reg<Bits<L>>,
    command: Reg<Command<L>>,
    /// The keys of connections.
    keys: Ram<StoredKey<L>>,
    /// 1 if the connection is to be closed: at the end of *close*, or after an *open* that was refused.
    closes: Reg<Bits<L>>,
    /// Both directions: the key that the lookup is told of is that of ACKs.
    acks_key: Option<Reg<Bits<L>>>,
    /// The number of frames that had been taken when the key was removed.
    last_frame: Reg<Bits<L>>,
    /// Since then: these frames have left, and a packet that was lost and had found it has been told of.
    frames_left: Reg<Bits<L>>,
    lost_told: Reg<Bits<L>>,
    answered: Answered<L>,
    /// The ACK that was under way when the ACK generator owed nothing any more.
    last_ack: Drained<L>,
    /// RoCEv2: the congestion notifications that waited then.
    last_notice: Option<Drained<L>>,
    /// The number of answers that had begun when it had gone to the header builder.
    last_answer: Reg<Bits<L>>,
    /// Since then: the frames of all these have ended.
    answers_left: Reg<Bits<L>>,
    /// The frames that were not to be delivered when it was closed in the reorder stage.
    last_undelivered: Option<Drained<L>>,
    /// RoCEv2, if requests are checked.
    check_waits: Option<CheckWaits<L>>,
    response: Reg<Response<L>>,
}

/// Whom *open* opens a connection for.
pub struct Opened<L: Logic> {
    pub valid: Bits<L>,
    pub connection: Bits<L>,
    /// RoCEv2: the QP of the peer.
    pub peer: Option<Bits<L>>,
    pub multipath: Option<Bits<L>>,
    /// RoCEv2: its path MTU, if requests are checked.
    pub mtu: Option<Bits<L>>,
    pub ends: Ends<L>,
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
    /// No packet that was lost is to be told of.
    pub lost_idle: Bits<L>,
    pub answers: Answering<L>,
    /// RoCEv2: a congestion notification waits; it is taken.
    pub notices: Option<(Bits<L>, Bits<L>)>,
    /// Answers whose frame has begun, and those whose frame has ended.
    pub answer_frames: (Bits<L>, Bits<L>),
    /// A frame is named that is never delivered; that is taken.
    pub undelivered: Option<(Bits<L>, Bits<L>)>,
    /// RoCEv2: what the check of requests shows.
    pub check: Option<Checking<L>>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    pub fn new(config: &RxConfig) -> Self {
        let flag = bits(1);
        let keys = RamShape::new(config.reorder.connections).latency(config.reorder.ram_latency);
        let Command { key, bidirectional, .. } = Command::shape(*config);
        Contexts {
            index_width: config.lookup.index().bits(),
            uet: config.protocol() == AckProtocol::Uet,
            step: StateReg::new(),
            accepted: Reg::new(&flag).with_reset(),
            command: Reg::new(&Command::shape(*config)),
            keys: Ram::new(keys, &StoredKey { key, bidirectional }),
            closes: Reg::new(&flag),
            acks_key: bidirectional.map(|_| Reg::new(&flag)),
            last_frame: Reg::new(&config.place()),
            frames_left: Reg::new(&flag),
            lost_told: Reg::new(&flag),
            answered: Answered::new(&config.ack),
            last_ack: Drained::new(1, config.ack.take_cycles()),
            last_notice: config.roce(()).map(|()| {
                let (notices, cycles) = Notices::<L>::extent(config);
                Drained::new(notices, cycles)
            }),
            last_answer: Reg::new(&Progress::<L>::count()),
            answers_left: Reg::new(&flag),
            last_undelivered: (!config.holds_frames()).then(|| {
                let (frames, cycles) = UndeliveredFrames::<L>::extent(config);
                Drained::new(frames, cycles)
            }),
            check_waits: config.request_check().map(|_| CheckWaits::new(config)),
            response: Reg::new(&Response::shape(*config)),
        }
    }

    /// The connection of the command.
    pub fn connection(&self) -> Bits<L> {
        self.command.get().connection
    }

    /// Arrivals of a connection that is being closed have no verdict yet; frames of a connection that is being opened are still to
    /// be refused.
    fn check_waits(&self) -> [Bits<L>; 2] {
        let waits = self.check_waits.as_ref().map(CheckWaits::wait);
        waits.unwrap_or([Bits::lit(1, 0); 2])
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(Step::Idle)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.step.is(Step::Responds), ..self.response.get() }
    }

    /// The code of the command for the reorder stage and the ACK generator, which have the same ones.
    fn op(&self) -> Bits<L> {
        let (lit, op) = (|value| Bits::lit(reorder::OP_WIDTH, value), self.command.get().op);
        let [opens, changes] = [op::OPEN, op::CHANGE].map(|code| op.equals(code));
        let other = select(changes, lit(reorder::op::CHANGE), lit(reorder::op::READ));
        let first = select(opens, lit(reorder::op::OPEN), other);
        select(self.closes.get(), lit(reorder::op::CLOSE), first)
    }

    /// The command for the reorder stage.
    pub fn for_reorder(&self) -> reorder::Command<L> {
        let command = self.command.get();
        let Command { connection, path, psn, own_tolerance, tolerance_span, tolerance_time, .. } = command;
        let valid = self.step.is(Step::Reorder) & !self.accepted.get();
        let op = self.op();
        let (span, time) = (tolerance_span, tolerance_time);
        reorder::Command { valid, op, connection, path, psn, own_tolerance, span, time }
    }

    /// The command for the ACK generator.
    pub fn for_acks(&self) -> ack_generator::Command<L> {
        let Command { connection, psn, multipath, own_rnr_code, rnr_code, .. } = self.command.get();
        let [_, names] = self.check_waits();
        let valid = self.step.is(Step::Acks) & !self.accepted.get() & !names;
        ack_generator::Command { valid, op: self.op(), connection, psn, multipath, own_rnr_code, rnr_code }
    }

    /// The command for the lookup, with keys of this kind.
    pub fn for_lookup(&self, kind: u64) -> context_lookup::Command<L> {
        let lit = |value| Bits::lit(context_lookup::OP_WIDTH, value);
        let StoredKey { key, bidirectional } = self.key();
        let of_direction = |both: Bits<L>, acks_key: &Reg<Bits<L>>| {
            let pdcid = key.slice(0, PDCID_WIDTH);
            select(both, acks_key.get().concat(pdcid), key)
        };
        context_lookup::Command {
            valid: self.step.is(Step::Lookup) & !self.accepted.get(),
            op: select(
                self.inserts(),
                // PDCID 0 does not get into the table: it is read, and the answer does not count.
                select(self.no_key(), lit(context_lookup::op::READ), lit(context_lookup::op::INSERT)),
                lit(context_lookup::op::REMOVE),
            ),
            kind: Bits::lit(context_lookup::KIND_WIDTH, kind),
            key: bidirectional.zip(self.acks_key.as_ref()).map_or(key, |(both, turn)| of_direction(both, turn)),
            key_1: None,
            key_2: None,
            key_3: None,
            index: self.command.get().connection.extend(self.index_width),
        }
    }

    /// The key of the connection: that of *open*, or the one that was kept.
    fn key(&self) -> StoredKey<L> {
        let Command { op, key, bidirectional, .. } = self.command.get();
        select(op.equals(op::OPEN), StoredKey { key, bidirectional }, self.keys.data())
    }

    /// The lookup is told to insert a key, not to remove one.
    fn inserts(&self) -> Bits<L> {
        self.command.get().op.equals(op::OPEN) & !self.closes.get()
    }

    /// UET: the key is PDC identifier 0, which is no context.
    fn no_key(&self) -> Bits<L> {
        let key = self.command.get().key;
        if self.uet { !key.slice(0, PDCID_WIDTH).any() } else { Bits::lit(1, 0) }
    }

    /// The lookup has done what it was told to do; it has not inserted PDC identifier 0.
    fn lookup_done(&self, shown: &Shown<L>) -> Bits<L> {
        shown.lookup.done & !(self.inserts() & self.no_key())
    }

    /// The connection has two keys.
    fn bidirectional(&self) -> Bits<L> {
        self.key().bidirectional.unwrap_or(Bits::lit(1, 0))
    }

    /// No other key of the connection follows the one that the lookup is told of.
    fn is_last_key(&self) -> Bits<L> {
        let at_end = |acks_key: &Reg<Bits<L>>| acks_key.get() ^ self.inserts();
        self.acks_key.as_ref().map_or(Bits::lit(1, 1), |acks_key| !self.bidirectional() | at_end(acks_key))
    }

    /// Whom the connection is open for: written before the key, so that no packet finds the connection without.
    pub fn opened(&self) -> Opened<L> {
        let Command { connection, peer, multipath, mtu, ends, .. } = self.command.get();
        Opened { valid: self.step.is(Step::Lookup) & self.inserts(), connection, peer, multipath, mtu, ends }
    }

    /// All keys are in the table.
    fn inserted(&self, shown: &Shown<L>) -> Bits<L> {
        let answers = self.step.is(Step::Lookup) & self.accepted.get() & shown.lookup.valid;
        answers & self.inserts() & self.is_last_key() & self.lookup_done(shown)
    }

    /// One clock cycle: a command is offered.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>) {
        let [reorder, acks, lookup] = [Step::Reorder, Step::Acks, Step::Lookup].map(|step| self.step.is(step));
        let (command, accepted, closes) = (self.command.get(), self.accepted.get(), self.closes.get());
        let (is_open, is_close) = (command.op.equals(op::OPEN), command.op.equals(op::CLOSE));
        let (taken, left) = shown.frames;
        let (no, response) = (Bits::lit(1, 0), self.response.get());

        let accepts = (offered.valid & self.idle() & shown.live).named("accepts");
        let reorder_answers = (reorder & accepted & shown.reorder.valid).named("reorder_answers");
        let acks_answer = (acks & accepted & shown.acks.valid).named("acks_answer");
        let lookup_answers = (lookup & accepted & shown.lookup.valid).named("lookup_answers");
        let frames_left = (self.frames_left.get() | left.equals(self.last_frame.get())).named("frames_left");
        let lost_told = (self.lost_told.get() | shown.lost_idle).named("lost_told");
        let drained = (frames_left & lost_told).named("drained");
        let inserted = self.inserted(shown).named("inserted");
        // *Close* removes the key after it has found the connection open.
        let removes = (is_close & !closes & shown.reorder.open).named("removes");
        let not_open = is_open & !closes & !shown.reorder.done | is_close & !closes & !shown.reorder.open;
        let to_acks = (!removes & !not_open).named("to_acks");
        // Cells of another connection are being cleared.
        let closes_again = (closes & shown.reorder.open & !shown.reorder.done).named("closes_again");
        let to_lookup = (is_open & !closes & shown.acks.done).named("to_lookup");
        let undoes = (is_open & !closes & !shown.acks.done).named("undoes");
        // The key of requests is refused: that of ACKs is taken back.
        let (key, inserts, last_key) = (self.key(), self.inserts(), self.is_last_key());
        let (removes_key, key_refused) = (!inserts, (inserts & !self.lookup_done(shown)).named("key_refused"));
        let takes_back = (key_refused & self.bidirectional() & last_key).named("takes_back");

        let ended = shown.answer_frames.1.equals(self.last_answer.get());
        let answers_left = (self.answers_left.get() | ended).named("answers_left");
        let notified = self.last_notice.as_ref().map_or(Bits::lit(1, 1), Drained::over);
        let all_named = self.last_undelivered.as_ref().map_or(Bits::lit(1, 1), Drained::over);

        let [checks, names] = self.check_waits();
        let status = shown.check.as_ref().map(|check| check.status);
        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            Step::Idle => {
                when(accepts, || {
                    self.command.set(offered);
                    self.closes.set(no);
                    go(Step::Reorder);
                });
            }
            Step::Reorder => {
                when(reorder_answers, || {
                    // What *open* was refused stays in the response.
                    let was_refused = is_open & closes;
                    let of_stage = Response::of(command, shown.reorder, shown.acks).with_status(status);
                    let stage = Response { done: shown.reorder.done & to_acks, ..of_stage };
                    let refused = Response { done: no, key_refused: response.key_refused, ..stage };
                    self.response.set(select(was_refused, refused, stage));
                    when(closes_again, || go(Step::Reorder))
                        .or_when(closes, || go(Step::Answers))
                        .or_when(removes, || go(Step::Lookup))
                        .or_when(not_open, || go(Step::Responds))
                        .otherwise(|| go(Step::Acks));
                });
            }
            Step::Acks => {
                when(acks_answer, || {
                    self.response.set(response.with_acks(shown.acks).with_status(status));
                    self.closes.set(closes | undoes);
                    // It is asked again until it owes nothing.
                    when(undoes, || go(Step::Reorder))
                        .or_when(to_lookup, || go(Step::Lookup))
                        .or_when(closes & shown.acks.draining, || go(Step::Acks))
                        .or_when(closes, || go(Step::Records))
                        .otherwise(|| go(Step::Responds));
                });
            }
            Step::Lookup => {
                when(lookup_answers, || {
                    self.response.set(Response { key_refused: key_refused | response.key_refused, ..response });
                    self.closes.set(closes | removes_key & last_key | key_refused);
                    self.last_frame.set(taken);
                    self.frames_left.set(no);
                    self.lost_told.set(no);
                    when(key_refused & !takes_back, || go(Step::Reorder))
                        .or_when(takes_back | !last_key, || go(Step::Lookup))
                        .or_when(inserts, || go(Step::Responds))
                        .otherwise(|| go(Step::Drains));
                });
            }
            Step::Drains => {
                self.frames_left.set(frames_left);
                self.lost_told.set(lost_told);
                when(drained, || go(Step::Reorder));
            }
            Step::Answers => {
                when(self.answered.over() & !checks, || go(Step::Acks));
            }
            Step::Records => {
                when(self.last_ack.over() & notified & shown.answers.taken, || {
                    self.last_answer.set(shown.answer_frames.0);
                    self.answers_left.set(no);
                    go(Step::Frames);
                });
            }
            Step::Frames => {
                self.answers_left.set(answers_left);
                when(answers_left & all_named, || go(Step::Responds));
            }
            Step::Responds => go(Step::Idle),
        });
        if let Some(acks_key) = &self.acks_key {
            // *Open* begins with the key of ACKs, *close* ends with it.
            when(reorder_answers, || acks_key.set(!removes)).or_when(lookup_answers, || acks_key.set(!acks_key.get()));
        }
        let Answering { ack, taken: takes_ack, .. } = &shown.answers;
        self.last_ack.clock(acks_answer & closes, ack.valid, ack.valid & *takes_ack);
        if let Some((last, (valid, taken))) = self.last_notice.as_ref().zip(shown.notices) {
            last.clock(acks_answer & closes, valid, taken);
        }
        let closed = reorder_answers & closes;
        let answers = self.check_waits.as_ref().zip(shown.check.as_ref()).map_or(closed, |(waits, check)| {
            waits.clock([closed, reorder_answers & is_open & !closes & shown.reorder.done], check)
        });
        self.answered.clock(answers, command.connection, &shown.answers);
        if let Some((last, (valid, taken))) = self.last_undelivered.as_ref().zip(shown.undelivered) {
            last.clock(reorder_answers & closes, valid, taken);
        }
        let takes = reorder & shown.reorder_ready | acks & !names & shown.acks_ready | lookup & shown.lookup_ready;
        self.accepted.set((accepted | takes) & !(reorder_answers | acks_answer | lookup_answers));

        when(inserted, || self.keys.write(command.connection, key));
        self.keys.read(command.connection);
        self.keys.clock();
    }
}
