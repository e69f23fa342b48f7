// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a pair of hosts. The addresses in the lookup are the last thing that *open* writes and the first one that
//! *close* removes, so no packet is counted for a pair that is not open:
//!
//! ```text
//!  open   the row is read  ->  lookup: insert the addresses  ->  the row is written  ->  response
//!  close  the row is read  ->  lookup: remove the addresses  ->  the row is written, frames that found them leave
//!         ->  feedback: clear  ->  response
//!  read   the row is read  ->  response
//! ```

use super::config::ElabHostConfig;
use super::ports::{Command, Response, op};
use crate::elab::feedback;
use crate::headers::destination::Destination;
use crate::receive::context_lookup::{self, kind};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Shape, StateReg, States, bits, name_nets, select, when,
};

/// The upper half of the word of an IPv4 address that is mapped into IPv6, ::ffff:a.b.c.d.
const MAPPED: u64 = 0x0000_FFFF;

/// Source and destination address of a received packet, as the lookup stores them.
#[derive(Bundle)]
#[shape]
pub struct PairKey<L: Reading> {
    #[width(32)]
    pub destination: [Bits<L>; 4],
    #[width(32)]
    pub source: [Bits<L>; 4],
}

/// An address as one of IPv6.
#[name_nets]
pub fn mapped<L: Logic>(ipv6: Bits<L>, address: [Bits<L>; 4]) -> [Bits<L>; 4] {
    let zero = Bits::lit(32, 0);
    select(ipv6, address, [zero, zero, Bits::lit(32, MAPPED), address[0]])
}

#[name_nets]
impl<L: Logic> PairKey<L> {
    /// The four words of the key, the lowest first.
    pub fn words(&self) -> [Bits<L>; 4] {
        let PairKey { destination: [d0, d1, d2, d3], source: [s0, s1, s2, s3] } = *self;
        [d2.concat(d3), d0.concat(d1), s2.concat(s3), s0.concat(s1)]
    }
}

/// What is known of a pair.
#[derive(Bundle)]
#[shape]
pub struct PairRow<L: Reading> {
    pub open: Bits<L>,
    #[shape(Destination::shape(false, false))]
    pub destination: Destination<L>,
}

/// The write of a row.
pub struct PairWrite<L: Logic> {
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub row: PairRow<L>,
}

/// What is kept for *close*.
#[derive(Bundle)]
#[shape]
struct Kept<L: Reading> {
    open: Bits<L>,
    key: PairKey<L>,
}

/// Where the sequence of a command is.
#[derive(Clone, Copy, States)]
enum Step {
    /// There is no command, or its row is read.
    Idle,
    /// The command for the lookup is offered, or its response awaited.
    Lookup,
    /// Frames that found the addresses leave.
    Drains,
    /// The command for `elab_feedback` is offered.
    Clears,
    /// The response is given.
    Responds,
}

/// What the stages show in a clock cycle.
pub struct Shown<L: Logic> {
    /// All tables can be used.
    pub live: Bits<L>,
    pub lookup_ready: Bits<L>,
    pub lookup: context_lookup::Response<L>,
    pub feedback_ready: Bits<L>,
    /// Frames taken and frames that have left.
    pub frames: (Bits<L>, Bits<L>),
}

/// The sequence of a command.
#[name_nets]
pub struct Pairs<L: Logic> {
    config: ElabHostConfig,
    /// Bit i is 1 if the command was taken i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    step: StateReg<L, Step>,
    /// The lookup has taken its command.
    accepted: Reg<Bits<L>>,
    command: Reg<Command<L>>,
    kept: Ram<Kept<L>>,
    /// The next row of the sweep.
    swept: Reg<Bits<L>>,
    /// The number of frames that had been taken when the addresses were removed.
    last_frame: Reg<Bits<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Pairs<L> {
    pub fn new(config: ElabHostConfig) -> Self {
        let (flag, sizes) = (bits(1), config.sizes());
        let ip = [bits(32); 4];
        let kept = Kept::shape();
        let latency = sizes.ram_latency;
        Pairs {
            config,
            reads: Reg::new(&bits(latency + 1)).with_reset(),
            step: StateReg::new(),
            accepted: Reg::new(&flag).with_reset(),
            command: Reg::new(&Command::shape(config)),
            kept: Ram::new(RamShape::new(sizes.pairs).latency(latency).read_first(), &kept),
            swept: Reg::new(&sizes.pair()).with_reset(),
            last_frame: Reg::new(&config.place()),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        !self.reads.get().any() & self.step.is(Step::Idle)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.step.is(Step::Responds), ..self.response.get() }
    }

    fn opens(&self) -> Bits<L> {
        self.command.get().op.equals(op::OPEN)
    }

    /// The addresses of the pair as packets from the other host have them: those of *open*, or those that were kept.
    fn key(&self) -> PairKey<L> {
        let Command { ipv6, destination_ip, source_ip, .. } = self.command.get();
        let given = PairKey { destination: mapped(ipv6, source_ip), source: mapped(ipv6, destination_ip) };
        select(self.opens(), given, self.kept.data().key)
    }

    /// The command for the lookup.
    pub fn for_lookup(&self, index: Bits<Shape>) -> context_lookup::Command<L> {
        let lit = |value| Bits::lit(context_lookup::OP_WIDTH, value);
        let [key, key_1, key_2, key_3] = self.key().words();
        context_lookup::Command {
            valid: self.step.is(Step::Lookup) & !self.accepted.get(),
            op: select(self.opens(), lit(context_lookup::op::INSERT), lit(context_lookup::op::REMOVE)),
            kind: Bits::lit(context_lookup::KIND_WIDTH, kind::ELAB),
            key,
            key_1: Some(key_1),
            key_2: Some(key_2),
            key_3: Some(key_3),
            index: self.command.get().pair.extend(index.bits()),
        }
    }

    /// The command for `elab_feedback`.
    pub fn for_feedback(&self) -> feedback::Command<L> {
        feedback::Command { valid: self.step.is(Step::Clears), pair: self.command.get().pair }
    }

    /// The lookup has done what the command asks for.
    fn lookup_done(&self, shown: &Shown<L>) -> Bits<L> {
        self.step.is(Step::Lookup) & self.accepted.get() & shown.lookup.valid & shown.lookup.done
    }

    /// The write of a row: by *open*, by *close*, or in the sweep, after which none is open.
    pub fn write(&self, shown: &Shown<L>) -> PairWrite<L> {
        let command = self.command.get();
        let Command { destination_mac, source_mac, tagged, tag, ipv6, destination_ip, source_ip, .. } = command;
        let destination = Destination {
            destination_mac,
            source_mac,
            tagged,
            tag,
            ipv6,
            destination_ip,
            source_ip,
            remote_qp: None,
            pkey: None,
            multipath: None,
            local_pdcid: None,
            remote_pdcid: None,
        };
        let sweeps = !shown.live;
        PairWrite {
            valid: select(sweeps, self.config.sizes().index_valid(self.swept.get()), self.lookup_done(shown)),
            pair: select(sweeps, self.swept.get(), command.pair),
            row: PairRow { open: self.opens() & !sweeps, destination },
        }
    }

    /// One clock cycle: a command is offered, and a row is written.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>, write: &PairWrite<L>) {
        let lookup = self.step.is(Step::Lookup);
        let (command, accepted, reads) = (self.command.get(), self.accepted.get(), self.reads.get());
        let (opens, closes) = (self.opens(), command.op.equals(op::CLOSE));
        let (yes, no, response) = (Bits::lit(1, 1), Bits::lit(1, 0), self.response.get());
        let latency = self.config.sizes().ram_latency;
        let (taken, left) = shown.frames;
        let kept = Kept { open: write.row.open, key: self.key() };

        let accepts = (offered.valid & self.idle() & shown.live).named("accepts");
        let known = reads.bit(latency).named("row_known");
        let is_open = (self.kept.data().open & self.config.sizes().index_valid(command.pair)).named("is_open");
        let may_open = opens & !is_open & self.config.sizes().index_valid(command.pair);
        let to_lookup = (may_open | closes & is_open).named("to_lookup");
        let answers = (lookup & accepted & shown.lookup.valid).named("lookup_answers");
        let done = shown.lookup.done;
        let drained = left.equals(self.last_frame.get()).named("drained");

        self.reads.set(reads << 1 | accepts.extend(latency + 1));
        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            Step::Idle => {
                when(accepts, || self.command.set(offered)).or_when(known, || {
                    let reads_only = command.op.equals(op::READ) & self.config.sizes().index_valid(command.pair);
                    self.response.set(Response {
                        valid: yes,
                        op: command.op,
                        pair: command.pair,
                        done: to_lookup | reads_only,
                        addresses_refused: no,
                        open: is_open,
                    });
                    when(to_lookup, || go(Step::Lookup)).otherwise(|| go(Step::Responds));
                });
            }
            Step::Lookup => {
                when(answers, || {
                    let (addresses_refused, open) = (opens & !done, opens & done);
                    self.response.set(Response { done, addresses_refused, open, ..response });
                    self.last_frame.set(taken);
                    when(closes, || go(Step::Drains)).otherwise(|| go(Step::Responds));
                });
            }
            Step::Drains => {
                when(drained, || go(Step::Clears));
            }
            Step::Clears => {
                when(shown.feedback_ready, || go(Step::Responds));
            }
            Step::Responds => go(Step::Idle),
        });
        self.accepted.set((accepted | lookup & shown.lookup_ready) & !answers);

        when(!shown.live, || self.swept.set(self.swept.get() + 1));
        when(write.valid, || self.kept.write(write.pair, kept));
        self.kept.read(command.pair);
        self.kept.clock();
    }
}
