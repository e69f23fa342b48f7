// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events and commands that ask a single path to move (rules N5, N6). The asked EV of a CCC is the EV that it was granted
//! last; it moves when a request may leave it. With memories of latency `l`:
//!
//! ```text
//!  event    step 0  CCC to `cursors`
//!                l  the cursor is the asked EV
//!  command  in the clock cycle in which it takes effect; no event is accepted `l` cycles before
//! ```
//!
//! An asked EV is valid if its generation is that of the CCC state. *Open* clears it: the generation has one bit, and the
//! asked EV may be older than the opening before.

use super::config::EntropySelectorConfig;
use super::ports::Reroute;
use super::records::Cursor;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, bits, name_nets, select};

/// EV that is asked to be left.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Asked<L: Reading> {
    pub valid: Bits<L>,
    /// Generation of the CCC state at its grant.
    pub generation: Bits<L>,
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
}

/// Write of an asked EV.
#[derive(Bundle)]
pub struct AskedWrite<L: Reading> {
    pub access: Access<L>,
    pub asked: Asked<L>,
}

/// Events that ask a single path to move.
#[name_nets]
pub struct Reroutes<L: Logic> {
    config: EntropySelectorConfig,
    /// Events in steps 1 to `l`.
    arrived: PipelineRegs<Access<L>>,
}

#[name_nets]
impl<L: Logic> Reroutes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let access = Access { valid: bits(1), index: config.ccc() };
        Reroutes { config, arrived: PipelineRegs::new(1..=config.ram_latency, &access) }
    }

    /// The write in this clock cycle: that of a command, or that of the event in step `l`, whose `cursor` this is.
    pub fn write(&self, cursor: Cursor<L>, command: AskedWrite<L>) -> AskedWrite<L> {
        let Cursor { generation, ev } = cursor;
        let event = AskedWrite { access: self.arrived.last(), asked: Asked { valid: Bits::lit(1, 1), generation, ev } };
        let AskedWrite { access, asked } = select(command.access.valid, command, event);
        AskedWrite { access: Access { valid: command.access.valid | event.access.valid, ..access }, asked }
    }

    /// One cycle.
    pub fn clock(&self, reroute: Reroute<L>, ready: Bits<L>) {
        let valid = reroute.valid & ready & self.config.index_valid(reroute.ccc);
        self.arrived.shift(Access { valid, index: reroute.ccc });
    }
}
