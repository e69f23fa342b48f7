// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every key of the configuration, defined once; a file for the sections that belong together.

#[macro_use]
mod entry;

mod ack_generator;
mod blocks;
mod ccc_table;
mod conform;
mod credit_pacer;
mod field;
mod frames;
mod kind;
mod lia_router;
mod packet_tracker;
mod path_selection;
mod protocols;
mod receiver;
mod rx;
mod settings;
mod target;
mod tx;

pub use ack_generator::AckGenerator;
pub use blocks::{Arbiter, Fifo, MarkMonitor, SkidBuffer, Tally};
pub use ccc_table::CccTable;
pub use conform::Conform;
pub use credit_pacer::CreditPacer;
use field::{Field, Section, Whatever, Words, line, names};
pub use frames::{FrameGate, HeaderBuilder};
pub(crate) use kind::list;
pub use kind::{Kind, Value};
pub use lia_router::LiaRouter;
pub use packet_tracker::PacketTracker;
pub use path_selection::{Elab, EntropySelector, PathScheduler};
pub use receiver::{ContextLookup, HoldMode, Reorder};
pub use rx::Rx;
pub use settings::Settings;
pub use target::Target;
pub use tx::Tx;

use pipeline::headers::protocols::Protocols;
use pipeline::headers::side_band::SideBand;

configuration! {
    /// All settings.
    Config {
        /// Bits per beat of the AXI4-Stream at both ends of the pipeline.
        data_width: u64 = 512, Kind::OneOf(&[64, 128, 256, 512, 1024]);

        [target] Target;
        [protocols] Protocols;
        [side_band] SideBand;
        [frame_gate] FrameGate;
        [header_builder] HeaderBuilder;
        [context_lookup] ContextLookup;
        [reorder] Reorder;
        [ack_generator] AckGenerator;
        [rx] Rx;
        [entropy_selector] EntropySelector;
        [path_scheduler] PathScheduler;
        [elab] Elab;
        [ccc_table] CccTable;
        [packet_tracker] PacketTracker;
        [credit_pacer] CreditPacer;
        [lia_router] LiaRouter;
        [tx] Tx;
        [settings] Settings;
        [mark_monitor] MarkMonitor;
        [tally] Tally;
        [fifo] Fifo;
        [skid_buffer] SkidBuffer;
        [arbiter] Arbiter;
        [conform] Conform;
    }
}

/// A key of the configuration.
pub struct Key {
    /// The table that contains it; empty at the top level.
    pub section: &'static str,
    /// The name of the key.
    pub name: &'static str,
    /// Its meaning, line by line, which is printed as the comment above the key.
    pub help: &'static [&'static str],
    /// The values that are allowed.
    pub kind: Kind,
    /// Reads its value.
    pub get: fn(&Config) -> Value,
    /// Writes its value, which must be of the right kind.
    pub set: fn(&mut Config, Value),
}

impl Key {
    /// All keys, in the order in which a configuration is printed.
    pub fn all() -> impl Iterator<Item = &'static Key> {
        SECTIONS.iter().copied().flatten()
    }

    /// `section.name`, or the name at the top level.
    pub fn full_name(&self) -> String {
        if self.section.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.section, self.name) }
    }

    /// Finds a key by its section (`""` at the top level) and its name.
    pub fn find(section: &str, name: &str) -> Option<&'static Key> {
        Self::all().find(|key| key.section == section && key.name == name)
    }
}
