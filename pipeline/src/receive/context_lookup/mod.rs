// SPDX-License-Identifier: MIT OR Apache-2.0
//! `context_lookup`: finds the context of a received frame by its key. Contract: `docs/stages/context_lookup.md` (rows
//! C1 to C13). With memories of latency `l`:
//!
//! ```text
//!  look-up  ->  lookups    0 rows  1 read  2 stash, hand, victim  l + 1 compare  l + 2 select  ->  answer, l + 3 cycles later
//!                             sub-tables 0 to 3, written at one row a time
//!  command  ->  commands   1 rows  2 read  l + 2 compare  l + 3 decide  l + 4 change  ->  response, l + 4 cycles later
//!                          placement of keys of the stash, one move every l + 5 cycles
//! ```
//!
//! A cuckoo hash table of four sub-tables with one key per row, and a stash: a key has one row in each sub-table and is
//! in one of them, or waits in a register. All are compared at once, so a look-up takes the same time wherever its key is.
//! Look-ups never stall: commands and placements have read ports of their own, and write one row at a time. An insert
//! takes effect before any key is moved for it, in one of its rows or in the stash; that makes room afterwards.

mod commands;
mod config;
mod hash;
mod kinds;
mod lookups;
mod ports;
mod records;
mod stash;
mod sub_tables;

pub use config::ContextLookupConfig;
pub use kinds::{KeyKinds, kind};
pub use ports::*;

use crate::blocks::table::latency_suffix;
use commands::{Commands, REGISTERS};
use hash::RowHash;
use lookups::Lookups;
use rtl_model::{Design, Logic, Shape, Stage, name_nets};
use sub_tables::SubTables;

#[name_nets]
impl Design for ContextLookupConfig {
    type Stage<L: Logic> = ContextLookup<L>;

    fn module_name(&self) -> String {
        format!("context_lookup_{}{}", self.suffix(), latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> ContextLookup<L> {
        ContextLookup::new(*self)
    }
}

/// The stage `context_lookup`: from a key to the index of a context.
#[name_nets]
pub struct ContextLookup<L: Logic> {
    config: ContextLookupConfig,
    hash: RowHash,
    lookups: Lookups<L>,
    commands: Commands<L>,
    sub_tables: SubTables<L>,
}

#[name_nets]
impl<L: Logic> ContextLookup<L> {
    fn new(config: ContextLookupConfig) -> Self {
        ContextLookup {
            config,
            hash: RowHash::new(config),
            lookups: Lookups::new(config, REGISTERS),
            commands: Commands::new(config),
            sub_tables: SubTables::new(config),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ContextLookup<L> {
    type In = ContextLookupIn<L>;
    type Out = ContextLookupOut<L>;

    fn input_shape(&self) -> ContextLookupIn<Shape> {
        ContextLookupIn::shape(self.config)
    }

    fn outputs(&self) -> ContextLookupOut<L> {
        let ([unknown_rocev2, unknown_uet, unknown_elab], unknown_kinds) = self.lookups.unknown();
        ContextLookupOut {
            busy: self.commands.sweeping(),
            command_ready: self.commands.ready(),
            answer: self.lookups.answer(),
            response: self.commands.response(),
            unknown_rocev2,
            unknown_uet,
            unknown_elab,
            unknown_kinds,
        }
    }

    fn clock(&self, input: &ContextLookupIn<L>) {
        let ContextLookupIn { lookup, command } = *input;
        let (looked_up, entries) = (self.sub_tables.looked_up(), self.sub_tables.entries());
        let (registers, sweeping) = (self.commands.registers(), self.commands.sweeping());
        let (look_up, reads, read, write) =
            (self.lookups.reads(), self.commands.reads(), self.commands.rows(), self.commands.write());
        self.lookups.clock(lookup, sweeping, &self.hash, looked_up, &registers);
        self.commands.clock(command, &self.hash, entries);
        self.sub_tables.clock(look_up, reads, read, write);
    }
}
