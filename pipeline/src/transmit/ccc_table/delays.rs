// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delay, quadrant and the filtered delay (rows C13, C14 and U31). With memories of latency `l`:
//!
//! ```text
//!  l + 5  delay
//!  l + 6  quadrant; sum of delays
//!  l + 7  is the filtered delay high?
//!  l + 8  by how much
//! ```

use super::config::CccTableConfig;
use super::flight::Deed;
use super::pass::{Kept, PASS, Pass};
use super::ports::WAIT_WIDTH;
use super::rtt::Rtt;
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A sample.
#[derive(Bundle)]
#[shape]
struct Sample<L: Reading> {
    /// There is one.
    valid: Bits<L>,
    /// It is of an ACK.
    acks: Bits<L>,
    #[width(WAIT_WIDTH)]
    delay: Bits<L>,
}

/// What the delay of an ACK with a sample says, from step `l` + 7 on; 0 without.
#[derive(Bundle)]
#[shape]
pub struct Quadrant<L: Reading> {
    /// An ACK with a sample.
    pub sampled: Bits<L>,
    pub proportional: Bits<L>,
    pub fair: Bits<L>,
    pub decrease: Bits<L>,
    /// The delay is below `small_delay`, and above `qa_threshold`.
    pub small: Bits<L>,
    pub above: Bits<L>,
}

/// The filtered delay in step `l` + 9.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Filtered<L: Reading> {
    /// It is above the target.
    pub high: Bits<L>,
    /// The sum of delays, and by how much it is above that of the target.
    #[width(config.delays_width())]
    pub sum: Bits<L>,
    #[width(config.delays_width())]
    pub excess: Bits<L>,
}

/// The delays.
#[name_nets]
pub struct Delays<L: Logic> {
    config: CccTableConfig,
    /// Step `l` + 6.
    sample: Reg<Sample<L>>,
    rows: RmwTable<L, Bits<L>>,
    /// Step `l` + 7: target less delay.
    below_target: Reg<Bits<L>>,
    /// Steps `l` + 7 on.
    quadrant: PipelineRegs<Quadrant<L>>,
    /// Steps `l` + 8 on.
    filtered: PipelineRegs<Filtered<L>>,
}

#[name_nets]
impl<L: Logic> Delays<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, wait, sum) = (bits(1), bits(WAIT_WIDTH), bits(config.delays_width()));
        let quadrant = Quadrant::shape();
        let first = config.delays() + 1;
        Delays {
            config,
            sample: Reg::new(&Sample::shape()),
            rows: RmwTable::new(config.cccs, config.ram_latency, &sum).compared_early(),
            below_target: Reg::new(&wait),
            quadrant: PipelineRegs::new(first..=config.increases() - 1, &quadrant).checked(PASS),
            filtered: PipelineRegs::new(first + 1..=config.increases(), &Filtered::shape(config)).checked(PASS),
        }
    }

    /// Step `l` + 7: the filtered delay after the pass.
    pub fn filtered(&self) -> Bits<L> {
        let shift = self.config.delay_shift;
        PASS.at(self.config.ram_latency + 7, self.rows.modified().slice(shift, WAIT_WIDTH))
    }

    /// The quadrant in this step.
    pub fn quadrant(&self, step: u32) -> Quadrant<L> {
        self.quadrant.at(step)
    }

    /// Step `l` + 7: target less delay.
    pub fn below_target(&self) -> Bits<L> {
        PASS.at(self.config.ram_latency + 7, self.below_target.get())
    }

    /// The filtered delay in this step, `l` + 9 or later.
    pub fn high(&self, step: u32) -> Filtered<L> {
        self.filtered.at(step)
    }

    /// One clock cycle: the passes in all steps, and what those in steps `l` + 5 and `l` + 6 do.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (measured, deed): (Deed<L>, Deed<L>),
        kept: Kept<L>,
        rtt: Rtt<L>,
        base_rtt: Bits<L>,
        settings: InForce<L>,
    ) {
        let config = self.config;
        let (shift, width) = (config.delay_shift, config.delays_width());
        let target = settings.target.concat(Bits::lit(shift, 0));

        // l + 8
        let above = self.filtered.at(config.delays() + 2);
        self.filtered.advance(config.delays() + 4..=config.increases());
        self.filtered.set(config.delays() + 3, Filtered { excess: above.sum - target, ..above });

        // l + 7
        let sum = self.rows.modified();
        self.filtered.set(config.delays() + 2, Filtered { high: sum.greater(target), sum, excess: sum });
        self.quadrant.advance(config.delays() + 2..=config.increases() - 1);

        // l + 6
        let step = config.delays();
        let Sample { valid, acks, delay } = self.sample.get();
        let [is_nack, opens] = [deed.nacks.expect("an event of NSCC"), deed.opens];
        let row = self.rows.operand();
        self.rows.clock(passes[config.access(step) as usize].access(), Bits::lit(1, 1));
        let sampled = valid & acks;
        let trims = is_nack & (kept.reason_1 | kept.reason_2);
        let added = select(trims, settings.config_base_rtt, delay).extend(width);
        let next = row - row.slice(shift, WAIT_WIDTH).extend(width) + added;
        when(passes[step as usize].access().valid, || {
            self.rows.modify(select(sampled | trims, next, row).gate(!opens));
        });
        let above = delay.at_least(settings.target);
        self.quadrant.set(
            step + 1,
            Quadrant {
                sampled,
                proportional: sampled & !kept.marked & !above,
                fair: sampled & !kept.marked & above,
                decrease: sampled & kept.marked & above,
                small: delay.less(settings.small_delay),
                above: delay.greater(settings.qa_threshold),
            },
        );
        self.below_target.set(settings.target - delay);

        // l + 5
        let longer = rtt.rtt.greater(base_rtt);
        let [acks, nacks] = [measured.acks, measured.nacks].map(|kind| kind.expect("an event of NSCC"));
        self.sample.set(Sample { valid: rtt.sample & (acks | nacks), acks, delay: (rtt.rtt - base_rtt).gate(longer) });
    }
}
