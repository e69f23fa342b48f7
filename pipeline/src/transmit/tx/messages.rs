// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes requests, one at a time, and tells `ccc_table` of their bytes (rows TX1, TX2). With memories of latency `l`:
//!
//! ```text
//!  cycle n           take     a request; the rows of its PDC are read
//!        n + l + 2   decide   open, and is there a place?  n + 4 sum of the nominal sizes
//!        n + l + 3   offer    its bytes to `ccc_table`
//!        n + l + 4   settle   until they have entered there
//!        n + l + 7   write    the message, and the end of the ring behind it
//!        n + l + 8   answer
//! ```
//!
//! Whether a PDC is open, and where its ring of messages ends, has this writer alone, so commands on PDCs are jobs of this
//! sequence: they see all requests before them, and requests after them see what they did. A message can be sent as soon as it
//! is in the ring, also in a turn that has begun before; `ccc_table` must not hear of its packets before it knows of its bytes.

use super::config::{ADDRESS_WIDTH, LENGTH_WIDTH, LONGEST, RKEY_WIDTH, TxConfig};
use super::ports::{Accepted, Request};
use crate::blocks::counter::Counter;
use crate::blocks::drained::Drained;
use crate::blocks::skid_buffer;
use crate::transmit::ccc_table::{BACKLOG_WIDTH, DataEvent};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, StateReg, States, bits, clog2, name_nets, select, when,
};

/// A row for each PDC.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct End<L: Reading> {
    /// Requests are accepted.
    pub open: Bits<L>,
    /// Where the next message goes.
    #[shape(config.pointer())]
    pub end: Bits<L>,
}

/// A message, as it is sent.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Message<L: Reading> {
    #[width(ADDRESS_WIDTH)]
    pub address: Bits<L>,
    #[shape(config.handle())]
    pub handle: Bits<L>,
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    /// The number of its packets.
    #[shape(config.packets())]
    pub packets: Bits<L>,
    /// RoCEv2.
    #[width(config.rocev2(1))]
    pub write: Option<Bits<L>>,
    #[width(config.rocev2(ADDRESS_WIDTH))]
    pub remote_address: Option<Bits<L>>,
    #[width(config.rocev2(RKEY_WIDTH))]
    pub rkey: Option<Bits<L>>,
    #[width(config.rocev2(1))]
    pub with_immediate: Option<Bits<L>>,
    #[width(config.rocev2(1))]
    pub with_invalidate: Option<Bits<L>>,
    #[width(config.rocev2(RKEY_WIDTH))]
    pub immediate: Option<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Message<L> {
    /// What a request asks for, as a message of so many packets.
    fn of(request: Request<L>, packets: Bits<L>) -> Self {
        let Request { address, handle, length, write, remote_address, rkey, .. } = request;
        let Request { with_immediate, with_invalidate, immediate, .. } = request;
        Message {
            address,
            handle,
            length,
            packets,
            write,
            remote_address,
            rkey,
            with_immediate,
            with_invalidate,
            immediate,
        }
    }
}

/// RoCEv2 has an operation for the request: there is no RDMA WRITE that invalidates a key, and nothing has both.
#[name_nets]
fn is_an_operation<L: Logic>(request: &Request<L>) -> Bits<L> {
    let invalidates = request.with_invalidate.unwrap_or(Bits::lit(1, 0));
    let excludes =
        request.write.zip(request.with_immediate).map_or(Bits::lit(1, 0), |(write, immediate)| write | immediate);
    !(invalidates & excludes)
}

/// What a command on a PDC asks for.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Job<L: Reading> {
    /// There is a job; it stays until it is answered.
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// Requests are accepted from now on, or refused.
    pub writes: Bits<L>,
    pub open: Bits<L>,
    /// The ring begins anew.
    pub empties: Bits<L>,
}

/// The answer to a job: what was before it.
pub struct JobAnswer<L: Logic> {
    pub valid: Bits<L>,
    pub open: Bits<L>,
    /// How many messages wait or are under way; 0 if the PDC is closed.
    pub messages: Bits<L>,
}

/// Where the sequence of a request or a job is.
#[derive(Clone, Copy, States)]
enum RequestStep {
    /// There is none.
    Idle,
    /// The rows of the PDC are read.
    Looks,
    /// They say whether the request is accepted.
    Decides,
    /// The bytes are offered.
    Offers,
    /// They enter `ccc_table`.
    Settles,
    /// The rows are written.
    Writes,
    /// The answer is given.
    Answers,
}

impl TxConfig {
    /// The memory of a row for each PDC: it may be read in the clock cycle of a write, which then comes after the read.
    pub(super) fn pdc_rows(&self) -> RamShape {
        RamShape::new(self.packet_tracker.pdcs).latency(self.latency()).read_first()
    }

    /// The memory of a row for each message.
    pub(super) fn message_ram(&self) -> RamShape {
        RamShape::new(self.message_rows()).latency(self.latency()).read_first()
    }

    /// The row of the message at this place of the ring.
    pub(super) fn message_row<L: Logic>(&self, pdc: Bits<L>, pointer: Bits<L>) -> Bits<L> {
        pdc.concat(pointer.truncate(self.place_bits()))
    }
}

/// Requests, from the host to the tables.
#[name_nets]
pub struct Messages<L: Logic> {
    config: TxConfig,
    step: StateReg<L, RequestStep>,
    /// Bit i is 1 if the step of reading began i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    /// The sweep after reset, and the PDC whose row is swept.
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
    request: Reg<Request<L>>,
    /// What is under way is a job.
    is_job: Reg<Bits<L>>,
    job: Reg<Job<L>>,
    /// Whether each PDC is open, and where its ring ends: read here and by `turns`.
    ends: Ram<End<L>>,
    end: Reg<End<L>>,
    head: Reg<Bits<L>>,
    /// The number of packets, and what their nominal sizes have besides the payload.
    packets: Reg<Bits<L>>,
    overheads: Reg<Bits<L>>,
    bytes: Reg<Bits<L>>,
    /// The message is not too long.
    fits: Reg<Bits<L>>,
    has_room: Reg<Bits<L>>,
    entered: Drained<L>,
    /// The messages, for `turns`.
    rows: Ram<Message<L>>,
    /// Their names, for `completions`.
    handles: Ram<Bits<L>>,
    /// Counter: requests that were not accepted.
    refused: Counter<L>,
}

/// What is read elsewhere of the tables.
pub struct MessageReads<L: Logic> {
    /// `turns`: the PDC whose ring end it needs.
    pub turn_pdc: Bits<L>,
    /// `turns`: the row of the message that it needs.
    pub turn_row: Bits<L>,
    /// `completions`: the row of the message whose name it needs.
    pub completion_row: Bits<L>,
}

#[name_nets]
impl<L: Logic> Messages<L> {
    pub fn new(config: TxConfig) -> Self {
        let flag = bits(1);
        let end = End::shape(config);
        let packets = config.packets();
        let overhead = clog2(config.overhead() + 1);
        Messages {
            config,
            step: StateReg::new(),
            reads: Reg::new(&bits(config.latency() + 1)).with_reset(),
            sweeping: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            sweep_row: Reg::new(&config.pdc()).with_reset(),
            request: Reg::new(&Request::shape(config)),
            is_job: Reg::new(&flag),
            job: Reg::new(&Job::shape(config)),
            ends: Ram::new(config.pdc_rows().reads(2), &end),
            end: Reg::new(&end),
            head: Reg::new(&config.pointer()),
            packets: Reg::new(&packets),
            overheads: Reg::new(&bits(packets.bits() + overhead)),
            bytes: Reg::new(&bits(BACKLOG_WIDTH)),
            fits: Reg::new(&flag),
            has_room: Reg::new(&flag),
            entered: Drained::new(skid_buffer::PLACES, 1),
            rows: Ram::new(config.message_ram(), &Message::shape(config)),
            handles: Ram::new(config.message_ram(), &config.handle()),
            refused: Counter::new(32),
        }
    }

    /// The tables are being swept.
    pub fn busy(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// Nothing is under way.
    fn idle(&self) -> Bits<L> {
        self.step.is(RequestStep::Idle)
    }

    /// A request can be taken, if the tables can be used and there is no job.
    pub fn ready(&self, live: Bits<L>, job: Job<L>) -> Bits<L> {
        self.idle() & live & !job.valid
    }

    /// The PDC whose rows are read.
    pub fn pdc(&self) -> Bits<L> {
        select(self.is_job.get(), self.job.get().pdc, self.request.get().pdc)
    }

    /// The answer to the request, valid for one clock cycle.
    pub fn accepted(&self) -> Accepted<L> {
        let Request { pdc, handle, .. } = self.request.get();
        let valid = self.step.is(RequestStep::Answers) & !self.is_job.get();
        Accepted { valid, pdc, handle, done: self.has_room.get() }
    }

    /// The answer to the job, valid for one clock cycle.
    pub fn job_answer(&self) -> JobAnswer<L> {
        let End { open, end } = self.end.get();
        let valid = self.step.is(RequestStep::Answers) & self.is_job.get();
        JobAnswer { valid, open, messages: (end - self.head.get()).gate(open) }
    }

    /// The bytes of a message for `ccc_table`.
    pub fn data(&self) -> DataEvent<L> {
        let valid = self.step.is(RequestStep::Offers);
        DataEvent { valid, ccc: self.request.get().pdc, bytes: self.bytes.get() }
    }

    /// The end of the ring of the PDC that `turns` reads, `l` clock cycles later.
    pub fn end(&self) -> Bits<L> {
        self.ends.data_port(1).end
    }

    /// The message that `turns` reads.
    pub fn row(&self) -> Message<L> {
        self.rows.data()
    }

    /// The name that `completions` reads.
    pub fn handle(&self) -> Bits<L> {
        self.handles.data()
    }

    /// Counter: requests that were not accepted.
    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// One clock cycle: a request and a job are offered; `head` is that of the PDC of [`Self::pdc`]; `ccc_table` can take
    /// bytes, bytes wait there, and some of them enter.
    pub fn clock(
        &self,
        live: Bits<L>,
        (request, job): (Request<L>, Job<L>),
        head: Bits<L>,
        (data_ready, waiting, entering): (Bits<L>, Bits<L>, Bits<L>),
        reads: MessageReads<L>,
    ) {
        let [looks, offers] = [RequestStep::Looks, RequestStep::Offers].map(|step| self.step.is(step));
        let [writes, answers] = [RequestStep::Writes, RequestStep::Answers].map(|step| self.step.is(step));
        let (held, is_job, asked) = (self.request.get(), self.is_job.get(), self.job.get());
        let (end, packets, has_room) = (self.end.get(), self.packets.get(), self.has_room.get());
        let (sweeping, sweep_row) = (self.sweeping.get(), self.sweep_row.get());
        let yes = Bits::lit(1, 1);
        let waited = self.reads.get().bit(self.config.latency());
        let takes_job = self.idle() & live & job.valid;
        let takes = self.ready(live, job) & request.valid;
        let (pdc, is_told) = (self.pdc(), offers & data_ready);

        self.reads.set(self.reads.get() << 1 | (takes | takes_job).extend(self.config.latency() + 1));
        when(takes_job, || self.job.set(job));
        when(takes, || self.request.set(request));
        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            RequestStep::Idle => {
                when(takes | takes_job, || {
                    self.is_job.set(takes_job);
                    go(RequestStep::Looks);
                });
            }
            RequestStep::Looks => {
                when(waited, || go(RequestStep::Decides));
            }
            RequestStep::Decides => {
                let count = end.end - self.head.get();
                let room = end.open & count.less(self.config.messages) & self.fits.get() & !is_job;
                self.has_room.set(room);
                when(room, || go(RequestStep::Offers))
                    .or_when(is_job, || go(RequestStep::Writes))
                    .otherwise(|| go(RequestStep::Answers));
            }
            RequestStep::Offers => {
                when(data_ready, || go(RequestStep::Settles));
            }
            RequestStep::Settles => {
                when(self.entered.over(), || go(RequestStep::Writes));
            }
            RequestStep::Writes => go(RequestStep::Answers),
            RequestStep::Answers => go(RequestStep::Idle),
        });
        self.entered.clock(is_told, waiting, entering);
        self.refused.count(answers & !is_job & !has_room);

        // The rows, as the read that began with the step gives them.
        when(looks, || {
            self.end.set(self.ends.data());
            self.head.set(head);
        });
        // max(1, ceil(length / segment)), and the sum of nominal sizes; the request holds still for more steps than these.
        let segment_log = self.config.segment_log;
        let wide = LENGTH_WIDTH + 1;
        let rounded = held.length.extend(wide) + (self.config.segment() - 1);
        let width = packets.width();
        let whole = rounded.slice(segment_log, width);
        self.fits.set(held.length.at_most(LONGEST) & is_an_operation(&held));
        self.packets.set(select(held.length.any(), whole, Bits::lit(width, 1)));
        let overhead = Bits::lit(clog2(self.config.overhead() + 1), self.config.overhead());
        self.bytes.set(self.overheads.get().extend(BACKLOG_WIDTH) + held.length.extend(BACKLOG_WIDTH));
        self.overheads.set(packets * overhead);

        // A message is behind those before it; a job opens, closes, or begins the ring anew.
        let row = self.config.message_row(held.pdc, end.end);
        when(writes & !is_job, || {
            self.rows.write(row, Message::of(held, packets));
            self.handles.write(row, held.handle);
        });
        let of_job = End { open: asked.open, end: end.end.gate(!asked.empties) };
        let of_message = End { open: yes, end: end.end + 1 };
        when(sweeping | writes & (asked.writes | !is_job), || {
            let new = select(is_job, of_job, of_message);
            self.ends.write(select(sweeping, sweep_row, pdc), new.gate(!sweeping));
        });
        when(sweeping, || {
            self.sweep_row.set(sweep_row + 1);
            self.sweeping.set(!sweep_row.all());
        });
        self.ends.read(pdc);
        self.ends.read_port(1, reads.turn_pdc);
        self.ends.clock();
        self.rows.read(reads.turn_row);
        self.rows.clock();
        self.handles.read(reads.completion_row);
        self.handles.clock();
    }
}
