// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which sources are open, their targets, and whether they are to be told their credit again (rows PC3, PC7 and PC10). With
//! memories of latency `l`:
//!
//! ```text
//!  1      source to `rows`
//!  l + 1  does it exist?
//!  l + 2  the row; open, target and repeat after the pass; the credit numbers at which a grant ends
//! ```

use super::config::CreditPacerConfig;
use super::pass::{Pass, Said};
use super::ports::{CREDIT_WIDTH, QUANTA_WIDTH, op};
use super::settings::InForce;
use crate::blocks::bounds::exists;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, constant, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape]
struct Target<L: Reading> {
    open: Bits<L>,
    #[width(CREDIT_WIDTH)]
    target: Bits<L>,
    repeat: Bits<L>,
}

/// What a pass in step `l` + 3 finds, with the settings of step `l` + 2.
#[derive(Bundle)]
#[shape]
pub struct Aim<L: Reading> {
    /// A command was done.
    pub done: Bits<L>,
    /// It opens the source.
    pub opens: Bits<L>,
    /// A demand of a source that is not open, or an old one.
    #[reset]
    pub closed_demand: Bits<L>,
    #[reset]
    pub stale_demand: Bits<L>,
    /// After the pass. After reset no source is open, also that of a pass that has read one table and not the other.
    #[reset]
    pub open: Bits<L>,
    #[width(CREDIT_WIDTH)]
    pub target: Bits<L>,
    /// The credit number is to be said again: after the pass, but before it for a take from the demand queue, which does that.
    pub repeat: Bits<L>,
    /// Beyond the target by `advance`.
    #[width(CREDIT_WIDTH)]
    pub farthest: Bits<L>,
    /// A take: the target, and the farthest number, less a quota.
    #[width(CREDIT_WIDTH)]
    pub last_quota: Bits<L>,
    #[width(CREDIT_WIDTH)]
    pub last_quota_ahead: Bits<L>,
    #[width(QUANTA_WIDTH)]
    pub quota: Bits<L>,
    /// `advance` is not 0; is at least half of all numbers; is more.
    pub any_advance: Bits<L>,
    pub far_advance: Bits<L>,
    pub beyond_half: Bits<L>,
}

/// The targets of all sources.
#[name_nets]
pub struct Targets<L: Logic> {
    config: CreditPacerConfig,
    rows: RmwTable<L, Target<L>>,
    /// Step `l` + 2: there is a pass, and a source of its number. After reset there is no pass, but still what the table has read
    /// for one.
    exists: Reg<Bits<L>>,
    /// Step `l` + 3.
    aim: Reg<Aim<L>>,
}

#[name_nets]
impl<L: Logic> Targets<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        let row = Target::shape();
        Targets {
            config,
            rows: RmwTable::new(config.sources, config.ram_latency, &row).compared_early(),
            exists: Reg::new(&bits(1)).with_reset(),
            aim: Reg::new(&Aim::shape()),
        }
    }

    /// What the pass in step `l` + 3 finds.
    pub fn aim(&self) -> Aim<L> {
        self.aim.get()
    }

    /// One clock cycle: the passes in all steps; what the one in step `l` + 2 says; the code of the command.
    pub fn clock(&self, passes: &[Pass<L>], said: Said<L>, code: Bits<L>, settings: InForce<L>) {
        let (config, number) = (self.config, said.number);
        let step = config.targets();
        let (pass, exists_here) = (passes[step as usize], self.exists.get());

        // l + 2
        let row = self.rows.operand();
        self.rows.clock(passes[config.access(step) as usize].access(), Bits::lit(1, 1));
        let target = row.target;
        let was_open = row.open & exists_here;
        let does = |op| pass.commands & exists_here & code.equals(op);
        let opens = does(constant!(op::OPEN)) & !row.open;
        let closes = does(constant!(op::CLOSE)) & row.open;
        let is_old = (number - target).bit(CREDIT_WIDTH - 1);
        let moves = opens | pass.demands & was_open & !is_old;
        let repeat = row.repeat & !opens | pass.demands & was_open & said.repeat;
        let after = Target {
            open: (was_open | opens) & !closes,
            target: select(moves, number, target),
            repeat: repeat & !pass.takes,
        };
        when(pass.access().valid, || self.rows.modify(after.gate(!pass.sweeps)));
        let InForce { quota, advance, beyond_quota, .. } = settings;
        // Both sums are made side by side, so that neither waits for the comparison.
        let farthest = select(moves, number + advance, target + advance);
        self.aim.set(Aim {
            done: does(constant!(op::READ)) | opens | closes,
            opens,
            closed_demand: pass.demands & !was_open,
            stale_demand: pass.demands & was_open & is_old,
            open: after.open,
            target: after.target,
            repeat,
            farthest,
            last_quota: target - quota.extend(CREDIT_WIDTH),
            last_quota_ahead: target + beyond_quota,
            quota,
            any_advance: advance.any(),
            far_advance: advance.bit(CREDIT_WIDTH - 1),
            beyond_half: advance.bit(CREDIT_WIDTH - 1) & advance.truncate(CREDIT_WIDTH - 1).any(),
        });

        // l + 1: without a pass, what the table has kept is of no source.
        let next = passes[step as usize - 1];
        self.exists.set(next.access().valid & exists(next.source, config.sources));
    }
}
