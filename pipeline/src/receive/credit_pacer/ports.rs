// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports and their shapes. The contract, `docs/stages/credit_pacer.md`, defines each field.

use super::config::CreditPacerConfig;
use rtl_model::{Bits, Bundle, Reading};

/// Width of a credit number, in units of credit, here called quanta.
pub const CREDIT_WIDTH: u32 = 24;
/// Width of the quanta of one grant.
pub const QUANTA_WIDTH: u32 = 12;
/// Width of the rate.
pub const RATE_WIDTH: u32 = 24;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// Codes of commands.
pub mod op {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// Reads the state.
    pub const READ: u64 = 0;
    /// Opens a source.
    pub const OPEN: u64 = 1;
    /// Closes a source.
    pub const CLOSE: u64 = 2;
}

/// What a source could use.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct Demand<L: Reading> {
    /// There is a demand.
    pub valid: Bits<L>,
    /// The number of the source.
    #[shape(config.source())]
    pub source: Bits<L>,
    /// The credit number up to which it could use credit.
    #[width(CREDIT_WIDTH)]
    pub target: Bits<L>,
    /// It is from CREDIT_REQUEST: its sender has no credit, and may have missed the last number.
    pub repeat: Bits<L>,
}

/// A command on a source.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct Command<L: Reading> {
    /// There is a command.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the source.
    #[shape(config.source())]
    pub source: Bits<L>,
    /// Open: the credit number to begin with.
    #[width(CREDIT_WIDTH)]
    pub number: Bits<L>,
}

/// Settings.
#[derive(Bundle)]
#[shape]
pub struct Settings<L: Reading> {
    /// The fields are in force from the next clock cycle on.
    pub valid: Bits<L>,
    /// The credit per clock cycle, in 1 / 65536 quanta.
    #[width(RATE_WIDTH)]
    pub rate: Bits<L>,
    /// The largest grant, in quanta.
    #[width(QUANTA_WIDTH)]
    pub quota: Bits<L>,
    /// What may be granted at once after a pause, in quanta.
    #[width(QUANTA_WIDTH)]
    pub burst: Bits<L>,
    /// Credit that a source may hold beyond its demand, in quanta.
    #[width(CREDIT_WIDTH)]
    pub advance: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct CreditPacerIn<L: Reading> {
    /// What sources could use.
    pub demand: Demand<L>,
    /// Commands on sources.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// The receiver of grants is ready.
    #[ready(grant)]
    pub grant_ready: Bits<L>,
}

/// Credit for a source.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct Grant<L: Reading> {
    /// There is a grant; stays 1 until `grant_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the source.
    #[shape(config.source())]
    pub source: Bits<L>,
    /// Its credit number.
    #[width(CREDIT_WIDTH)]
    pub credit: Bits<L>,
    /// By how much it has grown; 0 if the number is said again.
    #[width(QUANTA_WIDTH)]
    pub quanta: Bits<L>,
    /// It is beyond the demand.
    pub ahead: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: CreditPacerConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the source.
    #[shape(config.source())]
    pub source: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The source is open.
    pub open: Bits<L>,
    /// Its credit number.
    #[width(CREDIT_WIDTH)]
    pub credit: Bits<L>,
    /// Its credit target.
    #[width(CREDIT_WIDTH)]
    pub target: Bits<L>,
    /// It waits in the demand queue.
    pub queued: Bits<L>,
    /// It waits in the ahead queue.
    pub ahead: Bits<L>,
}

/// Counters of `credit_pacer`.
#[derive(Bundle)]
pub struct CreditPacerCounts<L: Reading> {
    /// Demands of sources that are not open, since reset. The counter wraps.
    pub closed_demands: Bits<L>,
    /// Demands older than what is known, since reset. The counter wraps.
    pub stale_demands: Bits<L>,
    /// Grants since reset. The counter wraps.
    pub credits: Bits<L>,
    /// Takes without a grant, since reset. The counter wraps.
    pub void_turns: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct CreditPacerOut<L: Reading> {
    /// A demand can be taken.
    #[ready(demand)]
    pub demand_ready: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// Credit for sources.
    pub grant: Grant<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// What it has counted.
    #[flatten]
    pub counts: CreditPacerCounts<L>,
}
