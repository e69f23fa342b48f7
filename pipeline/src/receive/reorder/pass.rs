// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: an arrival, or in its place a command, a check of a gap, or the sweep of a row.

use super::config::ReorderConfig;
use super::ports::{FLAGS_WIDTH, LENGTH_WIDTH, PATH_WIDTH, PROBE_FLAG};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, name_nets};

/// The pipeline of passes.
pub const PASS: Pipeline = Pipeline::new("pass");

/// A pass through the pipeline. At most one of its kinds is 1, but *opens* and *closes* are kinds of *applies*,
/// *seeks* and *renews* of *checks*.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Pass<L: Reading> {
    /// There is a pass.
    #[reset]
    pub valid: Bits<L>,
    /// An arrival.
    #[reset]
    pub arrives: Bits<L>,
    /// A command looks at the connection.
    #[reset]
    pub looks: Bits<L>,
    /// A command takes effect.
    #[reset]
    pub applies: Bits<L>,
    /// It opens the connection.
    pub opens: Bits<L>,
    /// It closes the connection.
    pub closes: Bits<L>,
    /// A check, of the PSNs from that of the pass on.
    #[reset]
    pub checks: Bits<L>,
    /// Check: the first missing PSN is wanted, not the first one received.
    pub seeks: Bits<L>,
    /// Check: the horizons are renewed, and nothing is wanted.
    pub renews: Bits<L>,
    /// Rows are swept.
    #[reset]
    pub sweeps: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Arrival: its connection has been found.
    pub found: Bits<L>,
    #[shape(config.psn())]
    pub psn: Bits<L>,
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    #[width(FLAGS_WIDTH)]
    pub flags: Bits<L>,
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
}

#[name_nets]
impl<L: Logic> Pass<L> {
    /// The access to the row of its connection.
    pub fn access(&self) -> Access<L> {
        Access { valid: self.valid, index: self.connection }
    }

    /// 1 if it starts the connection anew, at its PSN. Neither bit is 1 without a pass.
    pub fn starts(&self) -> Bits<L> {
        self.opens | self.sweeps
    }

    /// 1 for a probe.
    pub fn is_probe(&self) -> Bits<L> {
        self.flags.bit(PROBE_FLAG)
    }
}
