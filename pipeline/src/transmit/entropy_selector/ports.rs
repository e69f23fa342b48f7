// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/entropy_selector.md`, defines every field.

pub use super::config::EV_WIDTH;
use super::config::EntropySelectorConfig;
use super::epoch::RTT_CLASS_WIDTH;
use super::mix::PIPELINE_WIDTH;
use super::modes::MODE_WIDTH;
use super::ring_drain::EXPLORE_WIDTH;
use super::settings::{RTTS_WIDTH, SATURATION_WIDTH, SEED_WIDTH};
use super::space::SPACE_WIDTH;
use crate::blocks::timebase::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Reading, index_width};

/// Width of a kind of feedback.
pub const KIND_WIDTH: u32 = 3;
/// Width of the code of a command.
const OP_WIDTH: u32 = 3;

/// Request for an EV, for one packet.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Request<L: Reading> {
    /// There is a request; it is always taken.
    pub valid: Bits<L>,
    /// The number of the CCC that asks.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The egress ports that can take the packet, one bit each.
    #[width(config.ports as u32)]
    pub free_ports: Bits<L>,
}

/// Feedback on a packet.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Feedback<L: Reading> {
    /// There is feedback; it is always taken.
    pub valid: Bits<L>,
    /// The number of the CCC of the packet.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The EV of the packet, as it was granted.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// The code of what came back: 0 GOOD, 1 ECN, 2 NACK, 3 TIMEOUT, 4 LAST_HOP.
    #[width(KIND_WIDTH)]
    pub kind: Bits<L>,
}

/// Event that asks a single path to move.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Reroute<L: Reading> {
    /// There is an event; it is taken while `reroute_ready` is 1.
    pub valid: Bits<L>,
    /// The number of the CCC whose EV is to change.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
}

/// Command on a CCC.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 resize, 4 reroute.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the CCC that it works on.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Open: the first EV if `fixed`, and the residue of a group.
    #[width(config.ev_bits())]
    pub start: Bits<L>,
    /// Open: the first EV is `start`, not a random one.
    pub fixed: Bits<L>,
    /// Open: log2 of the stride of the group; 0 for no group.
    #[width(SPACE_WIDTH)]
    pub stride: Bits<L>,
    /// Open: the code of the mode, which says how EVs are chosen. Modes are 0 bitmap, 1 oblivious, 2 round
    /// robin, 3 single path, 4 REPS, 5 mixed, 6 penalty.
    #[width(MODE_WIDTH)]
    pub mode: Bits<L>,
    /// Open: feedback does nothing, as for a CCC of ROD or TFC.
    pub rod: Bits<L>,
    /// Open, resize: the EV space; 0 for all EVs, else its exponent.
    #[width(SPACE_WIDTH)]
    pub space: Bits<L>,
    /// Open, resize: log2 of the CCC's RTT in units of `settings_rtt`.
    #[width(RTT_CLASS_WIDTH)]
    pub rtt_class: Bits<L>,
}

/// Codes of the commands.
pub mod op {
    /// Reads the state of the CCC.
    pub const READ: u64 = 0;
    /// Opens the CCC.
    pub const OPEN: u64 = 1;
    /// Closes the CCC.
    pub const CLOSE: u64 = 2;
    /// Changes the EV space and the RTT class of the CCC.
    pub const RESIZE: u64 = 3;
    /// Asks the single path of the CCC to move.
    pub const REROUTE: u64 = 4;
}

/// Settings, which go to registers.
#[derive(Bundle)]
#[shape]
pub struct Settings<L: Reading> {
    /// There are settings; they are always taken.
    pub valid: Bits<L>,
    /// The RTT of class 0, in clock cycles.
    #[width(24)]
    pub rtt: Bits<L>,
    /// The fraction of an EV space that may be marked before marks are not looked at, in parts of 256.
    #[width(SATURATION_WIDTH)]
    pub saturation: Bits<L>,
    /// A number that makes starts and orders other ones in every device.
    #[width(SEED_WIDTH)]
    pub seed: Bits<L>,
    /// The number of packets for which REPS draws EVs before it reuses any.
    #[width(EXPLORE_WIDTH)]
    pub explore: Bits<L>,
    /// The time that REPS stays frozen after a TIMEOUT. The unit is 64 clock cycles.
    #[width(TIME_WIDTH)]
    pub freeze: Bits<L>,
    /// The time without a request until a single path is idle, in RTTs of the CCC.
    #[width(RTTS_WIDTH)]
    pub idle: Bits<L>,
    /// The time until a single path changes without being idle, in RTTs of the CCC.
    #[width(RTTS_WIDTH)]
    pub reroute: Bits<L>,
}

/// Inputs of the stage.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct EntropySelectorIn<L: Reading> {
    /// Requests: each asks for the EV of a packet.
    pub request: Request<L>,
    /// Feedback: what came back about a packet.
    pub feedback: Feedback<L>,
    /// Events: each asks a single path to move.
    pub reroute: Reroute<L>,
    /// Commands on a CCC.
    pub command: Command<L>,
    /// Settings. They are taken with `settings_valid`, and hold until the next ones or a reset.
    pub settings: Settings<L>,
    /// The number of this pipeline in its device. It holds still.
    #[width(PIPELINE_WIDTH)]
    pub pipeline: Bits<L>,
}

/// Answer to a request.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Grant<L: Reading> {
    /// There is a grant.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the CCC of the request.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The CCC is open and `ev` is good.
    pub open: Bits<L>,
    /// The CCC is open, but the port of the EV is not free: ask again.
    pub blocked: Bits<L>,
    /// The EV to send the packet with: the UDP source port.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// Marks were not looked at, as too many EVs have one.
    pub saturated: Bits<L>,
    /// The number of the egress port to send the packet from.
    #[width(index_width(config.ports))]
    pub port: Bits<L>,
}

/// Response to a command.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of its CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The command was possible.
    pub done: Bits<L>,
    /// The CCC is open now.
    pub open: Bits<L>,
    /// Read: the EV that was granted last.
    #[width(config.ev_bits())]
    pub last: Bits<L>,
    /// Read: the number of marked EVs.
    #[width(config.count_bits())]
    pub marked: Bits<L>,
    /// Read: the code of the mode, which says how EVs are chosen.
    #[width(MODE_WIDTH)]
    pub mode: Bits<L>,
    /// Read: the exponent of the EV space.
    #[width(SPACE_WIDTH)]
    pub space: Bits<L>,
    /// Read: the RTT class.
    #[width(RTT_CLASS_WIDTH)]
    pub rtt_class: Bits<L>,
}

/// Counters of `entropy_selector`.
#[derive(Bundle)]
pub struct EntropySelectorCounts<L: Reading> {
    /// Requests for a CCC that is not open, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// Requests of open CCCs that were blocked, since reset. The counter wraps.
    pub blocked_requests: Bits<L>,
    /// Feedback for a CCC that is not open, since reset. The counter wraps.
    pub feedback_closed: Bits<L>,
    /// Feedback for an EV that an open CCC does not have, since reset. The counter wraps.
    pub feedback_range: Bits<L>,
}

/// Outputs of the stage.
#[derive(Bundle)]
pub struct EntropySelectorOut<L: Reading> {
    /// The table is being swept after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// An event can be taken.
    #[ready(reroute)]
    pub reroute_ready: Bits<L>,
    /// The answers to requests, each `l` + 6 clock cycles after its request.
    pub grant: Grant<L>,
    /// The answers to commands, each `l` + 18 clock cycles after its command.
    pub response: Response<L>,
    /// What it has counted.
    #[flatten]
    pub counts: EntropySelectorCounts<L>,
}
