// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quick adapt (rows C15 to C17). What *achieved* is compared with is known before: *achieved* + *new* < *g* is *achieved* <
//! *g* - *new*. With memories of latency `l`:
//!
//! ```text
//!  l + 9   part of max_wnd; wait
//!  l + 10  less what is new; deadline; what is to be ignored
//!  l + 11  four comparisons, then a selection
//!  l + 12  written
//! ```

use super::config::CccTableConfig;
use super::deadline::{after, reached, wait};
use super::delays::Quadrant;
use super::flight::Deed;
use super::pass::{Kept, PASS, Pass};
use super::ports::{CREDIT_WIDTH, TIME_WIDTH, WAIT_WIDTH, WINDOW_WIDTH};
use super::products::saturated;
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape]
struct Adapting<L: Reading> {
    #[width(WINDOW_WIDTH)]
    ignore: Bits<L>,
    #[width(WINDOW_WIDTH)]
    achieved: Bits<L>,
    #[width(TIME_WIDTH)]
    end: Bits<L>,
    started: Bits<L>,
    trigger: Bits<L>,
}

/// What is known of a pass in step `l` + 11.
#[derive(Bundle)]
#[shape]
struct Known<L: Reading> {
    /// Bytes that are ignored, and achieved.
    #[width(CREDIT_WIDTH)]
    ignored: Bits<L>,
    #[width(CREDIT_WIDTH)]
    achieved: Bits<L>,
    acks: Bits<L>,
    /// The NACK cuts.
    cuts: Bits<L>,
    /// Quick adapt is evaluated, for a marked packet or a NACK.
    #[reset]
    judges: Bits<L>,
    marks: Bits<L>,
    /// It does not need the trigger.
    urgent: Bits<L>,
    /// *achieved* must be less, signed.
    #[width(WINDOW_WIDTH + 1)]
    bound: Bits<L>,
    /// The next deadline.
    #[width(TIME_WIDTH)]
    until: Bits<L>,
}

/// What quick adapt does, from step `l` + 12 on.
#[derive(Bundle)]
#[shape]
pub struct Adapted<L: Reading> {
    /// It sets the window.
    #[reset]
    pub fires: Bits<L>,
    pub swallowed: Bits<L>,
    /// The NACK cuts.
    pub cuts: Bits<L>,
    /// Bytes achieved before.
    #[width(WINDOW_WIDTH)]
    pub achieved: Bits<L>,
}

/// Quick adapt.
#[name_nets]
pub struct Adapt<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Adapting<L>>,
    /// Step `l` + 10.
    part: Reg<Bits<L>>,
    wait: Reg<Bits<L>>,
    known: Reg<Known<L>>,
    /// Steps `l` + 12 to `l` + 16.
    adapted: PipelineRegs<Adapted<L>>,
}

/// What quick adapt is told of passes.
pub struct AdaptIn<L: Logic> {
    /// Step `l` + 9.
    pub max_wnd: Bits<L>,
    pub base_rtt: Bits<L>,
    /// Step `l` + 10.
    pub now: Bits<L>,
    pub quadrant: Quadrant<L>,
    /// Step `l` + 11.
    pub due: Bits<L>,
    pub inflight: Bits<L>,
}

#[name_nets]
impl<L: Logic> Adapt<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, bytes, time) = (bits(1), bits(WINDOW_WIDTH), bits(TIME_WIDTH));
        let row = Adapting::shape();
        let step = config.adapt();
        Adapt {
            config,
            rows: RmwTable::new(config.cccs, config.ram_latency, &row).compared_early(),
            part: Reg::new(&bytes),
            wait: Reg::new(&bits(WAIT_WIDTH)),
            known: Reg::new(&Known::shape()),
            adapted: PipelineRegs::new(step + 1..=step + 5, &Adapted::shape()).checked(PASS),
        }
    }

    /// What it does, in this step.
    pub fn at(&self, step: u32) -> Adapted<L> {
        self.adapted.at(step)
    }

    /// One clock cycle: the passes in all steps, what they do, and what is kept of them.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        deeds: &[Deed<L>],
        kept: &[Kept<L>],
        from: AdaptIn<L>,
        settings: InForce<L>,
    ) {
        let config = self.config;
        let (step, bytes) = (config.adapt() as usize, WINDOW_WIDTH);

        // l + 11
        let (row, known) = (self.rows.operand(), self.known.get());
        let ignored = known.ignored.extend(bytes);
        let passed = row.ignore.at_most(ignored);
        let left = row.ignore - ignored;
        let achieved = saturated(row.achieved.extend(bytes + 1) + known.achieved.extend(bytes + 1), bytes);
        let few = !known.bound.bit(bytes) & row.achieved.less(known.bound.truncate(bytes));
        let over = !row.started | reached(from.due, row.end);
        // Whether all is ignored is known last.
        let ready = (known.judges & over & row.started & few & (row.trigger | known.urgent)).named("ready");
        let swallowed = known.marks & !passed;
        let restarts = known.judges & over & !swallowed;
        let fires = ready & !swallowed;
        self.rows.clock(passes[config.access(config.adapt()) as usize].access(), Bits::lit(1, 1));
        let in_flight = from.inflight.truncate(bytes).gate(!from.inflight.bit(bytes));
        let next = Adapting {
            // One selection behind what is known last.
            ignore: select(fires, in_flight, left.gate(!passed)),
            achieved: select(known.acks, achieved, row.achieved).gate(!restarts),
            end: select(restarts, known.until, row.end),
            started: row.started | restarts,
            trigger: (row.trigger | known.cuts) & !fires,
        };
        when(passes[step].access().valid, || self.rows.modify(next.gate(!deeds[step].opens)));
        self.adapted.shift(Adapted { fires, swallowed, cuts: known.cuts, achieved });

        // l + 10
        let (deed, event) = (deeds[step - 1], kept[step - 1]);
        let [acks, nacks, loses] = [deed.acks, deed.nacks, deed.loses].map(|kind| kind.expect("an event of NSCC"));
        let received = event.received();
        let new = received.gate(acks);
        let size = event.size.extend(CREDIT_WIDTH);
        let cuts = nacks & (event.reason_1 | event.reason_2 & !deed.rccc);
        let judges = (acks & from.quadrant.sampled | cuts) & settings.qa_enable;
        self.known.set(Known {
            ignored: new | size.gate(loses | nacks & (event.reason_1 | event.reason_2)),
            achieved: new,
            acks,
            cuts,
            judges,
            marks: judges & (event.marked | cuts),
            urgent: from.quadrant.above | cuts,
            bound: self.part.get().extend(bytes + 1) - new.extend(bytes + 1),
            until: after(from.now, self.wait.get()),
        });

        // l + 9
        self.part.set(from.max_wnd >> settings.qa_gate);
        self.wait.set(wait(from.base_rtt, settings.target));
    }
}
