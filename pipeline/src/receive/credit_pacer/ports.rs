// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports and their shapes. The contract, `docs/stages/credit_pacer.md`, defines each field.

use super::config::CreditPacerConfig;
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

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
pub struct Demand<L: Reading> {
    /// There is a demand.
    pub valid: Bits<L>,
    /// The number of the source.
    pub source: Bits<L>,
    /// The credit number up to which it could use credit.
    pub target: Bits<L>,
    /// It is from CREDIT_REQUEST: its sender has no credit, and may have missed the last number.
    pub repeat: Bits<L>,
}

/// A command on a source.
#[derive(Bundle)]
pub struct Command<L: Reading> {
    /// There is a command.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close.
    pub op: Bits<L>,
    /// The number of the source.
    pub source: Bits<L>,
    /// Open: the credit number to begin with.
    pub number: Bits<L>,
}

/// Settings.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// The fields are in force from the next clock cycle on.
    pub valid: Bits<L>,
    /// The credit per clock cycle, in 1 / 65536 quanta.
    pub rate: Bits<L>,
    /// The largest grant, in quanta.
    pub quota: Bits<L>,
    /// What may be granted at once after a pause, in quanta.
    pub burst: Bits<L>,
    /// Credit that a source may hold beyond its demand, in quanta.
    pub advance: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
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
pub struct Grant<L: Reading> {
    /// There is a grant; stays 1 until `grant_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the source.
    pub source: Bits<L>,
    /// Its credit number.
    pub credit: Bits<L>,
    /// By how much it has grown; 0 if the number is said again.
    pub quanta: Bits<L>,
    /// It is beyond the demand.
    pub ahead: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    pub op: Bits<L>,
    /// The number of the source.
    pub source: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The source is open.
    pub open: Bits<L>,
    /// Its credit number.
    pub credit: Bits<L>,
    /// Its credit target.
    pub target: Bits<L>,
    /// It waits in the demand queue.
    pub queued: Bits<L>,
    /// It waits in the ahead queue.
    pub ahead: Bits<L>,
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
    /// Demands of sources that are not open, since reset. The counter wraps.
    pub closed_demands: Bits<L>,
    /// Demands older than what is known, since reset. The counter wraps.
    pub stale_demands: Bits<L>,
    /// Grants since reset. The counter wraps.
    pub credits: Bits<L>,
    /// Takes without a grant, since reset. The counter wraps.
    pub void_turns: Bits<L>,
}

impl CreditPacerConfig {
    pub(super) fn input_shape(self) -> CreditPacerIn<Shape> {
        let (flag, source, number, quanta) = (bits(1), self.source(), bits(CREDIT_WIDTH), bits(QUANTA_WIDTH));
        CreditPacerIn {
            demand: Demand { valid: flag, source, target: number, repeat: flag },
            command: Command { valid: flag, op: bits(op::WIDTH), source, number },
            settings: Settings { valid: flag, rate: bits(RATE_WIDTH), quota: quanta, burst: quanta, advance: number },
            grant_ready: flag,
        }
    }

    pub(super) fn grant(self) -> Grant<Shape> {
        let flag = bits(1);
        Grant {
            valid: flag,
            source: self.source(),
            credit: bits(CREDIT_WIDTH),
            quanta: bits(QUANTA_WIDTH),
            ahead: flag,
        }
    }

    pub(super) fn response(self) -> Response<Shape> {
        let (flag, number) = (bits(1), bits(CREDIT_WIDTH));
        Response {
            valid: flag,
            op: bits(op::WIDTH),
            source: self.source(),
            done: flag,
            open: flag,
            credit: number,
            target: number,
            queued: flag,
            ahead: flag,
        }
    }
}
