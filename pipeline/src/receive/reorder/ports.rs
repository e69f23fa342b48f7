// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/reorder.md`, defines each field.

use super::config::ReorderConfig;
use super::payload::config::PayloadConfig;
use crate::blocks::secded::SramReport;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

pub use crate::blocks::timebase::TIME_WIDTH;

/// Width of the number of a sub-path, as in the MPEH.
pub const PATH_WIDTH: u32 = 8;
/// Width of the flags, as in the MPEH.
pub const FLAGS_WIDTH: u32 = 8;
/// Number of the flag P among them: the packet is a probe.
pub const PROBE_FLAG: u32 = 2;
/// Width of the length of a packet in bytes.
pub const LENGTH_WIDTH: u32 = 16;
/// Width of the code of an outcome.
pub const OUTCOME_WIDTH: u32 = 3;
/// Width of the code of a command.
pub const OP_WIDTH: u32 = 2;
/// PSNs in a SACK word.
pub const SACK_WIDTH: u32 = 64;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// Codes of outcomes.
pub mod outcome {
    /// The expected packet.
    pub const IN_ORDER: u64 = 0;
    /// A packet behind the expected one, which waits.
    pub const HELD: u64 = 1;
    /// A packet that has been received and waits.
    pub const DUPLICATE: u64 = 2;
    /// A packet before the expected one.
    pub const BELOW: u64 = 3;
    /// A packet behind the window.
    pub const ABOVE: u64 = 4;
    /// A packet whose slot is occupied by one that is to be delivered.
    pub const NO_BUFFER: u64 = 5;
    /// A packet of no open connection.
    pub const UNKNOWN: u64 = 6;
    /// A probe.
    pub const PROBE: u64 = 7;
}

/// Codes of commands.
pub mod op {
    /// Reads the state of a connection and of a sub-path.
    pub const READ: u64 = 0;
    /// Opens a connection.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
}

/// A packet that has arrived; with frames, the fields beside the last beat of one.
#[derive(Bundle)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is taken while `arrival_ready` is 1.
    pub valid: Option<Bits<L>>,
    /// The number of its connection.
    pub connection: Bits<L>,
    /// The connection has been found.
    pub found: Bits<L>,
    /// The PSN.
    pub psn: Bits<L>,
    /// The path ID of the MPEH: the number of the sub-path.
    pub path: Bits<L>,
    /// The flags of the MPEH: F, S, P, C from bit 0 on.
    pub flags: Bits<L>,
    /// The length in bytes.
    pub length: Bits<L>,
    /// What is to be delivered for it.
    pub handle: Option<Bits<L>>,
}

/// A command on a connection.
#[derive(Bundle)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close.
    pub op: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The number of the sub-path whose state is read.
    pub path: Bits<L>,
    /// Open: the first PSN.
    pub psn: Bits<L>,
}

/// The tolerance of gaps, and the limits of cells.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// The largest span of a gap that is not reported.
    pub span: Bits<L>,
    /// The largest age of a gap that is not reported, in units of 64 clock cycles.
    pub time: Bits<L>,
    /// The most cells of a connection.
    pub quota: Option<Bits<L>>,
    /// The cells that are kept free for packets without which a connection cannot go on.
    pub reserve: Option<Bits<L>>,
}

/// Inputs.
#[derive(Bundle)]
pub struct ReorderIn<L: Reading> {
    /// Frames as they come from the paths. `tuser` is that of the frame gate.
    pub s_axis: Option<Axis<L>>,
    /// Arrivals: packets as they come from the paths.
    #[with(s_axis)]
    pub arrival: Arrival<L>,
    /// Commands on connections.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// The receiver of packets is ready.
    #[ready(delivery)]
    pub delivery_ready: Option<Bits<L>>,
    /// The receiver of frames is ready.
    pub m_axis: Option<Ready<L>>,
    /// The receiver of events is ready.
    #[ready(event)]
    pub event_ready: Bits<L>,
}

/// What became of an arrival.
#[derive(Bundle)]
pub struct Answer<L: Reading> {
    /// There is an answer.
    #[reset]
    pub valid: Bits<L>,
    /// The connection of the arrival.
    pub connection: Bits<L>,
    /// Its PSN.
    pub psn: Bits<L>,
    /// Its path ID.
    pub path: Bits<L>,
    /// Its flags.
    pub flags: Bits<L>,
    /// Its length.
    pub length: Bits<L>,
    /// The code of the outcome: 0 in order, 1 held, 2 duplicate, 3 below, 4 above, 5 no buffer, 6 unknown, 7 probe.
    pub outcome: Bits<L>,
    /// The expected PSN: the first one that has not been received. The one before it is the cumulative PSN.
    pub expected: Bits<L>,
    /// The highest PSN that has been received.
    pub highest: Bits<L>,
    /// The number of packets that have been received behind the expected PSN.
    pub held: Bits<L>,
    /// The packet has been overtaken.
    pub late: Bits<L>,
    /// The expected PSN is in a gap that has been reported.
    pub suspected: Bits<L>,
    /// PSN of bit 0 of the SACK word.
    pub sack_base: Bits<L>,
    /// One bit per PSN: 1 if it has been received.
    pub sack: Bits<L>,
}

/// A packet in order.
#[derive(Bundle)]
pub struct Delivery<L: Reading> {
    /// There is a packet; stays 1 until `delivery_ready`.
    pub valid: Option<Bits<L>>,
    /// The number of its connection.
    pub connection: Bits<L>,
    /// Its PSN.
    pub psn: Bits<L>,
    /// What came with it.
    pub handle: Option<Bits<L>>,
}

/// A suspected loss.
#[derive(Bundle)]
pub struct Event<L: Reading> {
    /// There is an event; stays 1 until `event_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The first PSN of the gap.
    pub first: Bits<L>,
    /// The last PSN of the gap.
    pub last: Bits<L>,
    /// The span was above the tolerance.
    pub by_span: Bits<L>,
    /// The age was above the tolerance.
    pub by_time: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    pub op: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The number of the sub-path.
    pub path: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The connection is open.
    pub open: Bits<L>,
    /// Packets before the expected PSN have not been read.
    pub draining: Bits<L>,
    /// The expected PSN.
    pub expected: Bits<L>,
    /// The highest PSN that has been received.
    pub highest: Bits<L>,
    /// The number of packets received behind the expected PSN.
    pub held: Bits<L>,
    /// The number of packets that have been overtaken.
    pub reordered: Bits<L>,
    /// The largest number of packets held.
    pub depth: Bits<L>,
    /// The longest time for which a packet was missing, in units of 64 clock cycles.
    pub duration: Bits<L>,
    /// The number of packets on the sub-path.
    pub path_packets: Bits<L>,
    /// The time of the last one, in units of 64 clock cycles.
    pub path_time: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ReorderOut<L: Reading> {
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// An arrival can be taken.
    #[ready(arrival)]
    pub arrival_ready: Option<Bits<L>>,
    /// A beat can be taken.
    pub s_axis: Option<Ready<L>>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// What became of each arrival, `l` + 12 clock cycles after it.
    pub answer: Answer<L>,
    /// The frames, each connection in the order of PSNs.
    pub m_axis: Option<Axis<L>>,
    /// The packets, each connection in the order of PSNs.
    #[with(m_axis)]
    pub delivery: Delivery<L>,
    /// Gaps above the tolerance: suspected losses.
    pub event: Event<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// Arrivals that had been received and waited, since reset. The counter wraps.
    pub duplicates: Bits<L>,
    /// Arrivals before the expected PSN, since reset. The counter wraps.
    pub below_window: Bits<L>,
    /// Arrivals behind the window, since reset. The counter wraps.
    pub above_window: Bits<L>,
    /// Arrivals for which there was no buffer: their slot was occupied, or the pool had no cell for them, since reset. The counter wraps.
    pub no_buffer: Bits<L>,
    /// Arrivals of no open connection, since reset. The counter wraps.
    pub unknown_connections: Bits<L>,
    /// Arrivals on a sub-path that no connection has, since reset. The counter wraps.
    pub unknown_paths: Bits<L>,
    /// Flipped bits in the memories, with `sram_protection` = `secded`.
    pub sram: Option<SramReport<L>>,
    /// The number of free cells.
    pub free_cells: Option<Bits<L>>,
    /// The fewest free cells since reset.
    pub low_water: Option<Bits<L>>,
    /// Arrivals without a buffer because a beat found no cell, since reset. The counter wraps.
    pub no_cells: Option<Bits<L>>,
    /// Arrivals without a buffer because of the quota of their connection, since reset. The counter wraps.
    pub over_quota: Option<Bits<L>>,
    /// Arrivals without a buffer because of the reserve, since reset. The counter wraps.
    pub below_reserve: Option<Bits<L>>,
}

impl ReorderConfig {
    pub(crate) fn input_shape(self) -> ReorderIn<Shape> {
        let (flag, connection, psn, path) = (bits(1), self.connection(), self.psn(), bits(PATH_WIDTH));
        let pool = self.pool();
        // What the other way to hold packets does not have.
        let of_handles = |shape: Bits<Shape>| pool.is_none().then_some(shape);
        let count = pool.map(PayloadConfig::count);
        ReorderIn {
            s_axis: pool.map(PayloadConfig::axis),
            arrival: Arrival {
                valid: of_handles(flag),
                connection,
                found: flag,
                psn,
                path,
                flags: bits(FLAGS_WIDTH),
                length: bits(LENGTH_WIDTH),
                handle: of_handles(bits(self.handle_bits)),
            },
            command: Command { valid: flag, op: bits(OP_WIDTH), connection, path, psn },
            settings: Settings {
                valid: flag,
                span: bits(self.slot_bits()),
                time: bits(TIME_WIDTH),
                quota: count,
                reserve: count,
            },
            delivery_ready: of_handles(flag),
            m_axis: pool.map(|_| Ready::shape()),
            event_ready: flag,
        }
    }

    pub(super) fn answer(self) -> Answer<Shape> {
        let flag = bits(1);
        Answer {
            valid: flag,
            connection: self.connection(),
            psn: self.psn(),
            path: bits(PATH_WIDTH),
            flags: bits(FLAGS_WIDTH),
            length: bits(LENGTH_WIDTH),
            outcome: bits(OUTCOME_WIDTH),
            expected: self.psn(),
            highest: self.psn(),
            held: bits(self.count_bits()),
            late: flag,
            suspected: flag,
            sack_base: self.psn(),
            sack: bits(SACK_WIDTH),
        }
    }

    pub(super) fn event(self) -> Event<Shape> {
        let (flag, psn) = (bits(1), self.psn());
        Event { valid: flag, connection: self.connection(), first: psn, last: psn, by_span: flag, by_time: flag }
    }

    pub(crate) fn response(self) -> Response<Shape> {
        let (flag, count) = (bits(1), bits(self.count_bits()));
        Response {
            valid: flag,
            op: bits(OP_WIDTH),
            connection: self.connection(),
            path: bits(PATH_WIDTH),
            done: flag,
            open: flag,
            draining: flag,
            expected: self.psn(),
            highest: self.psn(),
            held: count,
            reordered: bits(COUNT_WIDTH),
            depth: count,
            duration: bits(TIME_WIDTH),
            path_packets: bits(COUNT_WIDTH),
            path_time: bits(TIME_WIDTH),
        }
    }
}
