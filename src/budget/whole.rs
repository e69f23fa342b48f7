// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several stages together on one device: their sum and the overall result.

use super::{Budget, Closes, Tables, Taken, percent};
use crate::config::Config;
use crate::device::{Device, URAM288};
use serde::Serialize;

/// The sum and the overall result.
#[derive(Debug, Serialize)]
pub struct Whole {
    /// Whether the stages together fit the device.
    pub fits: bool,
    /// Whether the clock of the configuration is enough for the link and not known not to close.
    pub keeps_up: bool,
    /// The clock at which the stages keep up, in MHz.
    pub needed_mhz: f64,
    /// Whether that clock closes in all stages: the weakest result of any stage.
    pub closes: Closes,
    /// The shortest frames at which stages that take several clock cycles per packet keep up, by stage.
    pub from_frame: Vec<(String, u64)>,
    /// The stages whose clock has not been measured.
    pub not_measured: Vec<String>,
    /// The parts of the device that were counted.
    pub counted: Vec<&'static str>,
    /// Number of look-up tables of one pipeline, if they have been measured for this configuration.
    pub tables: Option<Tables>,
    /// The share of the look-up tables that all pipelines take.
    pub tables_percent: Option<f64>,
    /// What does not fit or does not keep up.
    pub problems: Vec<String>,
    /// The sum of all stages.
    pub total: Together,
}

/// The sum of all stages. Bits and blocks are those of one pipeline, shares those of all pipelines.
#[derive(Debug, Default, Serialize)]
pub struct Together {
    /// Number of flip-flops in the netlists, without those of memories.
    pub register_bits: u64,
    /// Number of flip-flops after synthesis. Those of memories are included; chains that became shift registers are
    /// not.
    pub flip_flops: u64,
    /// Number of tables that are used as shift registers (SRL); absent if the device has none.
    pub shift_registers: Option<u64>,
    /// Number of memory bits.
    pub memory_bits: u64,
    /// Number of bits of the primitives of memories.
    pub allocated_bits: u64,
    /// Share of these bits that store rows, in per cent; copies of a row count once.
    pub efficiency_percent: f64,
    /// Number of flip-flops of memories, which `register_bits` does not include.
    pub memory_flip_flops: u64,
    /// Number of block memories; two memories that each take half a block share one.
    pub blocks: u64,
    /// Number of large blocks.
    pub ultra_blocks: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
    /// The share of the device's flip-flops.
    pub registers_percent: f64,
    /// The share of its block memories.
    pub blocks_percent: f64,
    /// The share of its distributed memory.
    pub distributed_percent: f64,
    /// The share of its large blocks.
    pub ultra_percent: f64,
}

impl Whole {
    /// Sums up the stages and compares the sum with the device and the link.
    pub fn of(budgets: &[&Budget], config: &Config) -> Self {
        let device = Device::find(&config.target.device);
        let total = Together::of(budgets, config.target.pipelines, device);
        let over = device.map_or_else(Vec::new, |device| total.over(device));
        let alone = budgets.iter().any(|budget| budget.too_big);
        let mut problems: Vec<String> = Vec::new();
        for budget in budgets {
            let name = if budgets.len() > 1 { format!("{}: ", budget.stage) } else { String::new() };
            problems.extend(budget.problems.iter().map(|problem| format!("{name}{problem}")));
        }
        // If one stage alone is too large, so is the sum.
        if !alone {
            problems.extend(over.iter().map(|what| format!("together: {what}")));
        }
        let limit = |budget: &&Budget| {
            let events = budget.events.as_ref().filter(|events| events.is_limit())?;
            Some((budget.stage.clone(), events.from_frame?))
        };
        let closing = |budget: &&&Budget| budget.clock.closes == Closes::NotMeasured;
        let figure = |budget: &&Budget| budget.clock.measured.as_ref().and_then(|figure| figure.tables());
        let tables: Option<Tables> = budgets.iter().map(figure).sum::<Option<Tables>>().filter(|_| !budgets.is_empty());
        let pipelines = config.target.pipelines;
        let counted = |device: &Device| {
            let ultra = (total.ultra_blocks > 0).then_some(URAM288.name);
            ["flip-flops", device.blocks.name, device.distributed.name].into_iter().chain(ultra).collect()
        };
        let share = |tables: Tables| {
            device.map_or(0.0, |device| 100.0 * (tables.places() * pipelines) as f64 / device.luts.max(1) as f64)
        };
        Whole {
            needed_mhz: budgets.iter().map(|budget| budget.clock.needed_mhz).fold(0.0, f64::max),
            closes: budgets.iter().map(|budget| budget.clock.closes).min().unwrap_or(Closes::NotMeasured),
            from_frame: budgets.iter().filter_map(limit).collect(),
            not_measured: budgets.iter().filter(closing).map(|budget| budget.stage.clone()).collect(),
            counted: device.map_or_else(Vec::new, counted),
            tables,
            tables_percent: tables.map(share),
            fits: over.is_empty() && !alone,
            keeps_up: budgets.iter().all(|budget| budget.keeps_up()),
            problems,
            total,
        }
    }

    /// The overall result in some lines.
    pub fn verdict(&self, config: &Config) -> Vec<String> {
        if !self.passed() {
            return self.problems.iter().map(|problem| format!("does not fit: {problem}")).collect();
        }
        let device = Device::find(&config.target.device);
        let (title, lut, luts) = device.map_or(("", "", 0), |device| (device.title, device.lut, device.luts));
        let tables = match (self.tables, self.tables_percent) {
            (Some(tables), Some(percent)) => {
                format!("; {} were measured, {percent:.2} % of {luts}", tables.text(lut))
            }
            _ => String::new(),
        };
        let (link, needed) = (config.target.link_gbps, self.needed_mhz);
        let closes = match self.closes {
            Closes::Yes => format!(": {needed:.1} MHz close, as measured after place and route"),
            Closes::Larger => {
                format!(": {needed:.1} MHz close, as measured after place and route, in part of larger configurations")
            }
            _ => format!(" if {needed:.1} MHz close; not measured for {}", self.not_measured.join(", ")),
        };
        let fits = format!("fits {title}: counted are {}; LUTs are not{tables}", self.counted.join(", "));
        let limits =
            self.from_frame.iter().map(|(stage, frame)| format!("{stage} keeps up from frames of {frame} bytes on"));
        [fits].into_iter().chain(limits).chain([format!("keeps up with {link} Gb/s{closes}")]).collect()
    }

    /// Whether the stages fit and keep up.
    pub fn passed(&self) -> bool {
        self.fits && self.keeps_up
    }
}

impl Together {
    fn of(budgets: &[&Budget], pipelines: u64, device: Option<&Device>) -> Self {
        let mut sum = Together::default();
        for total in budgets.iter().map(|budget| &budget.total) {
            sum.register_bits += total.register_bits;
            sum.flip_flops += total.flip_flops;
            sum.memory_bits += total.memory_bits;
            sum.allocated_bits += total.allocated_bits;
            sum.memory_flip_flops += total.memory_flip_flops;
            sum.logic_levels = sum.logic_levels.max(total.logic_levels);
        }
        // Half blocks of two stages may share a block.
        let taken: Taken = budgets.iter().map(|budget| budget.total.taken).sum();
        (sum.blocks, sum.ultra_blocks) = (taken.blocks(), taken.ultra);
        sum.efficiency_percent = percent(sum.memory_bits, sum.allocated_bits);
        let all = taken.times(pipelines);
        let share = |used: u64, of: fn(&Device) -> u64| {
            device.map_or(0.0, |device| 100.0 * used as f64 / of(device).max(1) as f64)
        };
        sum.shift_registers = budgets.iter().map(|budget| budget.total.shift_registers).sum();
        sum.registers_percent = share(sum.flip_flops * pipelines, |device| device.registers);
        sum.blocks_percent = share(all.blocks(), |device| device.blocks.count);
        sum.distributed_percent = share(all.distributed, |device| device.distributed.count);
        sum.ultra_percent = match device.and_then(|device| device.ultra.as_ref()) {
            Some(_) => share(all.ultra, |device| device.ultra.as_ref().map_or(0, |ultra| ultra.count)),
            None => 0.0,
        };
        sum
    }

    /// The resources that are exceeded.
    fn over(&self, device: &Device) -> Vec<String> {
        let shares = [
            (self.registers_percent, "flip-flops"),
            (self.blocks_percent, device.blocks.name),
            (self.distributed_percent, device.distributed.name),
            (self.ultra_percent, URAM288.name),
        ];
        let over = shares.into_iter().filter(|(percent, _)| *percent > 100.0);
        over.map(|(percent, what)| format!("{percent:.1} % of the {what} of {}", device.title)).collect()
    }
}
