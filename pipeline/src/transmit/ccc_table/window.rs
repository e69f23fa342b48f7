// SPDX-License-Identifier: MIT OR Apache-2.0
//! *cwnd* (rows C18 and C19) and the effect of adjustments (row C24). All changes have one form: two bounds with a value each,
//! and one sum, which [`Bounds`] gives. With memories of latency `l`:
//!
//! ```text
//!  l + 13  CCC to `rows`
//!  l + 14  two comparisons, a sum, a selection; is the ACK fast?
//!  l + 15  written
//! ```

use super::bounds::{Bounds, Change};
use super::config::CccTableConfig;
use super::flight::Deed;
use super::pass::{PASS, Pass};
use super::ports::WINDOW_WIDTH;
use super::products::saturated;
use super::settings::InForce;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Width of *sets*.
pub const SETS_WIDTH: u32 = 6;

/// A row.
#[derive(Bundle)]
#[shape]
pub struct Window<L: Reading> {
    #[width(WINDOW_WIDTH)]
    pub cwnd: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub saved: Bits<L>,
    pub is_saved: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub fi_count: Bits<L>,
    pub increase: Bits<L>,
    #[width(SETS_WIDTH)]
    pub sets: Bits<L>,
}

/// What a pass has done, in step `l` + 15.
#[derive(Bundle)]
#[shape]
pub struct Moved<L: Reading> {
    /// The ACK has rcv_cwnd_pend, or is fast: it does not add to *inc_bytes*.
    pub excluded: Bits<L>,
    #[reset]
    pub adjusted: Bits<L>,
    /// The adjustment is void.
    #[reset]
    pub is_void: Bits<L>,
}

/// The windows of all CCCs.
#[name_nets]
pub struct Windows<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Window<L>>,
    bounds: Bounds<L>,
    moved: Reg<Moved<L>>,
}

#[name_nets]
impl<L: Logic> Windows<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, bytes) = (bits(1), bits(WINDOW_WIDTH));
        let row = Window::shape();
        Windows {
            config,
            rows: RmwTable::new(config.cccs, config.ram_latency, &row).compared_early(),
            bounds: Bounds::new(config),
            moved: Reg::new(&Moved::shape()),
        }
    }

    /// The bounds of passes that come.
    pub fn bounds(&self) -> &Bounds<L> {
        &self.bounds
    }

    /// Step `l` + 15: the window after the pass.
    pub fn window(&self) -> Window<L> {
        PASS.at(self.config.ram_latency + 15, self.rows.modified())
    }

    /// Step `l` + 15: what the pass has done.
    pub fn moved(&self) -> Moved<L> {
        PASS.at(self.config.ram_latency + 15, self.moved.get())
    }

    /// One clock cycle: the passes in all steps; what the one in step `l` + 14 does; *sets* as the adjustment in that step was
    /// started.
    pub fn clock(&self, passes: &[Pass<L>], deed: Deed<L>, sets: Bits<L>, settings: InForce<L>) {
        let config = self.config;
        let pass = passes[config.window() as usize];
        let (row, change) = (self.rows.operand(), self.bounds.change());
        let Change { fires, pends, restoring, proportional, decrease, small, .. } = change;
        let cwnd = row.cwnd;

        // fi_count + new - cwnd - 1 with one carry chain: it is not negative if the sum is above cwnd.
        let width = WINDOW_WIDTH + 2;
        let (a, b, c) = (row.fi_count.extend(width), change.new.extend(width), !cwnd.extend(width));
        let carries = a & b | a & c | b & c;
        let difference = (a ^ b ^ c) + (carries << 1);
        // A saturated sum is not above the largest window.
        let passed = !difference.bit(width - 1) & !cwnd.all();

        let clears = restoring & row.is_saved;
        let fast = (change.may_be_fast & (row.increase | passed & !clears)).named("fast");
        let grows = (change.may_be_fast & !clears & (row.increase | passed)).named("grows");
        let adjusted = pass.adjusts & deed.open & sets.equals(row.sets);
        let wide = cwnd.extend(WINDOW_WIDTH + 1);
        let is_low = wide.at_most(change.low);
        let is_high = wide.at_least(change.high);
        let sum = cwnd + change.summand;
        // Comparisons and sum are known last, so as little as possible is behind them. A command that opens moves nothing.
        let bound = select(is_low, change.low_value, change.high_value);
        let moved = select(is_low | is_high, bound, sum);
        let (restores, opens) = (clears & !fires, deed.opens);
        let kept = select(opens, settings.config_wnd, select(restores, row.saved, cwnd));
        let counts = proportional & !pends;
        let fi_count =
            saturated(row.fi_count.extend(WINDOW_WIDTH + 1) + change.new.extend(WINDOW_WIDTH + 1), WINDOW_WIDTH);
        let is_set = (fires | restores | opens).extend(SETS_WIDTH);
        let next = Window {
            cwnd: select(change.moves | grows | adjusted, moved, kept),
            saved: select(pends & !row.is_saved, cwnd, row.saved),
            is_saved: (pends | row.is_saved & !restoring) & !opens,
            fi_count: select(counts, fi_count.gate(small), row.fi_count).gate(!(decrease | opens)),
            increase: select(counts, fast, row.increase) & !(decrease | opens),
            sets: row.sets + is_set,
        };
        self.rows.clock(passes[config.access(config.window()) as usize].access(), Bits::lit(1, 1));
        when(pass.access().valid, || self.rows.modify(next));
        self.moved.set(Moved { excluded: pends | fast, adjusted, is_void: pass.adjusts & !adjusted });
    }
}
