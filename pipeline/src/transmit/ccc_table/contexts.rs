// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which CCCs are open, with which algorithms, class and weight (rows C4 and C32). Only commands write them, one at a time,
//! so that the row of the last command is all that has to be forwarded. With memories of latency `l`:
//!
//! ```text
//!  1      CCC to `rows`
//!  l + 2  row in a register; is the CCC that of the last command?
//!  l + 3  the row, or that of the last command; a command changes it
//!  l + 4  written
//! ```

use super::config::CccTableConfig;
use super::pass::Pass;
use crate::blocks::bounds::exists;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, across, bits, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    /// The algorithms, if *open* chooses them.
    #[width(config.chosen(1))]
    pub nscc: Option<Bits<L>>,
    #[width(config.chosen(1))]
    pub rccc: Option<Bits<L>>,
    #[width(2)]
    pub class: Bits<L>,
    #[width(4)]
    pub weight: Bits<L>,
}

/// The last command.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
struct Latest<L: Reading> {
    /// There was one.
    #[reset]
    valid: Bits<L>,
    #[shape(config.ccc())]
    ccc: Bits<L>,
    context: Context<L>,
}

/// The contexts.
#[name_nets]
pub struct Contexts<L: Logic> {
    config: CccTableConfig,
    rows: WriteFirstRam<L, Context<L>>,
    /// Step `l` + 2.
    fetched: Reg<Context<L>>,
    /// Step `l` + 3.
    stored: Reg<Context<L>>,
    is_latest: Reg<Bits<L>>,
    latest: Reg<Latest<L>>,
    /// Step `l` + 4 of a command or the sweep.
    writes: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, row) = (bits(1), Context::shape(config));
        Contexts {
            config,
            rows: WriteFirstRam::new(config.cccs, config.ram_latency, 1, &row),
            fetched: Reg::new(&row),
            stored: Reg::new(&row),
            is_latest: Reg::new(&flag),
            latest: Reg::new(&Latest::shape(config)),
            writes: Reg::new(&flag).with_reset(),
        }
    }

    /// The context of the pass in step `l` + 3.
    pub fn context(&self) -> Context<L> {
        select(self.is_latest.get(), self.latest.get().context, self.stored.get())
    }

    /// One clock cycle: the passes in all steps; the context after the pass in step `l` + 3.
    pub fn clock(&self, passes: &[Pass<L>], after: Context<L>) {
        let l = self.config.ram_latency as usize;
        let (latest, deciding, compared) = (self.latest.get(), passes[l + 3], passes[l + 2]);
        let (row, fetched) = (self.rows.data(0), self.fetched.get());

        // l + 4
        let write = Access { valid: self.writes.get(), index: latest.ccc };
        self.rows.clock(&[passes[1].ccc], write, latest.context);

        // l + 3
        let writes = deciding.commands | deciding.sweeps;
        self.writes.set(writes);
        when(writes, || {
            let context = after.gate(!deciding.sweeps);
            self.latest.set(Latest { valid: Bits::lit(1, 1), ccc: deciding.ccc, context });
        });

        // l + 2
        let ahead = across(deciding);
        let behind = ahead.commands & ahead.ccc.equals(compared.ccc);
        let before = !ahead.commands & latest.valid & latest.ccc.equals(compared.ccc);
        self.is_latest.set(behind | before);
        self.stored.set(fetched);

        // l + 1
        let open = row.open & exists(passes[l + 1].ccc, self.config.cccs);
        self.fetched.set(Context { open, ..row });
    }
}
