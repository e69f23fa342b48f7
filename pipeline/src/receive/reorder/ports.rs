// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/reorder.md`, defines each field.

use super::config::ReorderConfig;
use super::payload::config::PayloadConfig;
use crate::blocks::secded::SramReport;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

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
    /// Changes its tolerance.
    pub const CHANGE: u64 = 3;
}

/// A packet that has arrived; with frames, the fields beside the last beat of one.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is taken while `arrival_ready` is 1.
    #[width(config.pool().is_none().then_some(1))]
    pub valid: Option<Bits<L>>,
    /// The number of its connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The connection has been found.
    pub found: Bits<L>,
    /// The PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The path ID of the MPEH: the number of the sub-path.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// The flags of the MPEH: F, S, P, C from bit 0 on.
    #[width(FLAGS_WIDTH)]
    pub flags: Bits<L>,
    /// The length in bytes.
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    /// What is to be delivered for it.
    #[width(config.pool().is_none().then_some(config.handle_bits))]
    pub handle: Option<Bits<L>>,
}

/// A command on a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 change.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The number of the sub-path whose state is read.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Open: the first PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Open, change: the connection has a tolerance of its own, in place of that of the settings.
    pub own_tolerance: Bits<L>,
    /// Open, change: the largest span of a gap that is not reported, if it has its own.
    #[width(config.slot_bits())]
    pub span: Bits<L>,
    /// Open, change: the largest age, likewise.
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
}

/// The tolerance of gaps, and the limits of cells.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// The largest span of a gap that is not reported.
    #[width(config.slot_bits())]
    pub span: Bits<L>,
    /// The largest age of a gap that is not reported, in units of 64 clock cycles.
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
    /// The most cells of a connection.
    #[shape(config.pool().map(PayloadConfig::count))]
    pub quota: Option<Bits<L>>,
    /// The cells that are kept free for packets without which a connection cannot go on.
    #[shape(config.pool().map(PayloadConfig::count))]
    pub reserve: Option<Bits<L>>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct ReorderIn<L: Reading> {
    /// Frames as they come from the paths. `tuser` is that of the frame gate.
    #[shape(config.pool().map(PayloadConfig::axis))]
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
    #[width(config.pool().is_none().then_some(1))]
    pub delivery_ready: Option<Bits<L>>,
    /// The receiver of frames is ready.
    #[shape(config.pool().map(|_| Ready::shape()))]
    pub m_axis: Option<Ready<L>>,
    /// The receiver of events is ready.
    #[ready(event)]
    pub event_ready: Bits<L>,
}

/// What became of an arrival.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Answer<L: Reading> {
    /// There is an answer.
    #[reset]
    pub valid: Bits<L>,
    /// The connection of the arrival.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Its PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Its path ID.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Its flags.
    #[width(FLAGS_WIDTH)]
    pub flags: Bits<L>,
    /// Its length.
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    /// The code of the outcome: 0 in order, 1 held, 2 duplicate, 3 below, 4 above, 5 no buffer, 6 unknown, 7 probe.
    #[width(OUTCOME_WIDTH)]
    pub outcome: Bits<L>,
    /// The expected PSN: the first one that has not been received. The one before it is the cumulative PSN.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The highest PSN that has been received.
    #[shape(config.psn())]
    pub highest: Bits<L>,
    /// The number of packets that have been received behind the expected PSN.
    #[width(config.count_bits())]
    pub held: Bits<L>,
    /// The packet has been overtaken.
    pub late: Bits<L>,
    /// The expected PSN is in a gap that has been reported.
    pub suspected: Bits<L>,
    /// PSN of bit 0 of the SACK word.
    #[shape(config.psn())]
    pub sack_base: Bits<L>,
    /// One bit per PSN: 1 if it has been received.
    #[width(SACK_WIDTH)]
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
#[shape(config: ReorderConfig)]
pub struct Event<L: Reading> {
    /// There is an event; stays 1 until `event_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The first PSN of the gap.
    #[shape(config.psn())]
    pub first: Bits<L>,
    /// The last PSN of the gap.
    #[shape(config.psn())]
    pub last: Bits<L>,
    /// The span was above the tolerance.
    pub by_span: Bits<L>,
    /// The age was above the tolerance.
    pub by_time: Bits<L>,
}

#[name_nets]
impl<L: Logic> Event<L> {
    /// The gap has been reported before.
    pub fn repeated(&self) -> Bits<L> {
        !(self.by_span | self.by_time)
    }
}

/// The state of a connection and of one of its sub-paths.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct ConnectionState<L: Reading> {
    /// Packets before the expected PSN have not been read.
    pub draining: Bits<L>,
    /// The expected PSN.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The highest PSN that has been received.
    #[shape(config.psn())]
    pub highest: Bits<L>,
    /// The number of packets received behind the expected PSN.
    #[width(config.count_bits())]
    pub held: Bits<L>,
    /// The number of packets that have been overtaken.
    #[width(COUNT_WIDTH)]
    pub reordered: Bits<L>,
    /// The largest number of packets held.
    #[width(config.count_bits())]
    pub depth: Bits<L>,
    /// The longest time for which the packet that is delivered next was missing while others waited for it, in units of 64 clock cycles.
    #[width(TIME_WIDTH)]
    pub duration: Bits<L>,
    /// The number of packets on the sub-path.
    #[width(COUNT_WIDTH)]
    pub path_packets: Bits<L>,
    /// The time of the last one, in units of 64 clock cycles.
    #[width(TIME_WIDTH)]
    pub path_time: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The number of the sub-path.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The connection is open.
    pub open: Bits<L>,
    /// The state.
    #[flatten]
    pub state: ConnectionState<L>,
}

/// Counters of `reorder`, flipped bits, and cells.
#[derive(Bundle)]
pub struct ReorderCounts<L: Reading> {
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
    /// What it has counted.
    #[flatten]
    pub counts: ReorderCounts<L>,
}
