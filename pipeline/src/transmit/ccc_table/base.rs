// SPDX-License-Identifier: MIT OR Apache-2.0
//! *base_rtt* and *max_wnd* (row C13). With memories of latency `l`:
//!
//! ```text
//!  3      CCC to `rows`
//!  l + 4  the smaller RTT
//!  l + 5  delay; two products with wnd_rate
//!  l + 6  their sum
//!  l + 7  bounds
//!  l + 8  max_wnd
//! ```

use super::config::CccTableConfig;
use super::flight::Deed;
use super::pass::{PASS, Pass};
use super::ports::{RATE_WIDTH, WAIT_WIDTH, WINDOW_WIDTH};
use super::rtt::Rtts;
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Bits of wnd_rate in each of two products, the low and the high ones.
const LOW_RATE: u32 = 11;
const HIGH_RATE: u32 = RATE_WIDTH - LOW_RATE;
/// Fraction bits of wnd_rate.
const FRACTION: u32 = 4;

/// The base RTTs.
#[name_nets]
pub struct Base<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Bits<L>>,
    /// Step `l` + 6.
    low: Reg<Bits<L>>,
    high: Reg<Bits<L>>,
    /// Step `l` + 7.
    product: Reg<Bits<L>>,
    /// Steps `l` + 8 to `l` + 15.
    max_wnd: PipelineRegs<Bits<L>>,
    /// Steps `l` + 6 to `l` + 14.
    base_rtt: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Base<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (wait, first) = (bits(WAIT_WIDTH), config.base() + 2);
        Base {
            config,
            rows: RmwTable::new(config.cccs, config.ram_latency, &wait).compared_early(),
            low: Reg::new(&bits(WAIT_WIDTH + LOW_RATE)),
            high: Reg::new(&bits(WAIT_WIDTH + HIGH_RATE)),
            product: Reg::new(&bits(WAIT_WIDTH + RATE_WIDTH)),
            max_wnd: PipelineRegs::new(first + 2..=config.window(), &bits(WINDOW_WIDTH)).checked(PASS),
            base_rtt: PipelineRegs::new(first..=config.window(), &wait).checked(PASS),
        }
    }

    /// Step `l` + 5: *base_rtt* after the pass.
    pub fn base_rtt(&self) -> Bits<L> {
        PASS.at(self.config.ram_latency + 5, self.rows.modified())
    }

    /// The same in a later step.
    pub fn base_rtt_at(&self, step: u32) -> Bits<L> {
        self.base_rtt.at(step)
    }

    /// *max_wnd* in this step.
    pub fn max_wnd(&self, step: u32) -> Bits<L> {
        self.max_wnd.at(step)
    }

    /// One clock cycle: the passes in all steps, and what the pass in step `l` + 4 does.
    pub fn clock(&self, passes: &[Pass<L>], deed: Deed<L>, rtts: Option<&Rtts<L>>, settings: InForce<L>) {
        let config = self.config;

        // l + 7
        let product = self.product.get();
        let most = WINDOW_WIDTH + FRACTION;
        let beyond = product.slice(most, product.width() - most).any();
        let window = product.slice(FRACTION, WINDOW_WIDTH) | beyond.extend_signed(WINDOW_WIDTH);
        let mtu = settings.mtu.extend(WINDOW_WIDTH);
        self.max_wnd.shift(select(window.less(mtu), mtu, window));

        // l + 6
        let high = self.high.get().concat(Bits::lit(LOW_RATE, 0));
        self.product.set(high + self.low.get().extend(high.width()));

        // l + 5
        let base_rtt = self.rows.modified();
        self.base_rtt.shift(base_rtt);
        self.low.set(base_rtt * settings.wnd_rate.slice(0, LOW_RATE));
        self.high.set(base_rtt * settings.wnd_rate.slice(LOW_RATE, HIGH_RATE));

        // l + 4
        let step = config.base();
        let row = self.rows.operand();
        self.rows.clock(passes[config.access(step) as usize].access(), Bits::lit(1, 1));
        let measured = rtts.map_or(row, |rtts| {
            let rtt = rtts.at(step);
            let [acks, nacks] = [deed.acks, deed.nacks].map(|kind| kind.expect("an event of NSCC"));
            let shorter = (acks | nacks) & rtt.sample & rtt.floored.less(row);
            select(shorter, rtt.floored, row)
        });
        let next = select(deed.opens, settings.config_base_rtt, measured);
        when(passes[step as usize].access().valid, || self.rows.modify(next));
    }
}
