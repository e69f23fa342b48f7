// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic budget`: the cost and the throughput of the design.

use super::table::right as table;
use super::{json, print};
use crate::budget::{Budget, DeviceBudget, Events, Figure, Largest, Rate, ReorderBudget, Smallest, Together, Whole};
use crate::cli;
use crate::config::{Config, Target};
use crate::device::{DEVICES, Device, SRL, URAM288};
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use std::fmt::Write;

pub fn run(args: &cli::Budget, config: &Config) -> Outcome {
    let mut config = config.clone();
    if let Some(name) = &args.device {
        let device = Device::find(name).ok_or_else(|| {
            let names: Vec<_> = DEVICES.iter().map(|device| device.name).collect();
            let boards: Vec<_> = DEVICES.iter().flat_map(|device| device.aliases).copied().collect();
            let help = format!("known are {}; boards {}", names.join(", "), boards.join(", "));
            Failure::with_help(format!("no device {name}"), help)
        })?;
        device.name.clone_into(&mut config.target.device);
        if config.target.lacks_ultra_ram() {
            let help = Target::WITHOUT_ULTRA_RAM;
            return Err(Failure::with_help(format!("{} has no UltraRAM", device.name), help));
        }
    }
    let chosen = StageName::chosen(&args.stage, &config)?;
    if args.max.is_some() {
        let [stage] = chosen[..] else {
            return Err(Failure::with_help(
                "--max is for one stage",
                format!("name it: --stage {}", StageName::with_contexts().join(", or ")),
            ));
        };
        let largest = Largest::of(stage, &config)?;
        print(&if args.json { json(&largest)? } else { largest_text(&largest) })?;
        return if largest.max.is_some() { Ok(()) } else { Err(Failure::Check) };
    }
    let budgets: Vec<_> = chosen.into_iter().map(|stage| Budget::of(stage, &config)).collect::<Outcome<_>>()?;
    let all: Vec<_> = budgets.iter().collect();
    let whole = Whole::of(&all, &config);
    print(&if args.json { json(&budgets)? } else { stages(&all, &whole, &config) })?;
    if whole.passed() { Ok(()) } else { Err(Failure::Check) }
}

fn largest_text(largest: &Largest) -> String {
    let Largest { name, key, pipelines, device, .. } = largest;
    let mut text = match largest.max {
        Some(max) => format!(
            "max      {max} {name} (`{key}`){} on {device}: {:.2} % of the flip-flops, {:.2} % of the blocks, {:.2} % of \
             the distributed memory{}\n",
            if *pipelines == 1 { String::new() } else { format!(" in each of {pipelines} pipelines") },
            largest.registers_percent,
            largest.blocks_percent,
            largest.distributed_percent,
            if largest.ultra_percent > 0.0 {
                format!(", {:.2} % of the UltraRAM", largest.ultra_percent)
            } else {
                String::new()
            }
        ),
        None => format!("max      no {name} at all on {device}\n"),
    };
    for limit in &largest.limit {
        let _ = writeln!(text, "limit    one more: {limit}");
    }
    text
}

/// The resources that are counted for modules, stages and sums.
struct Sizes {
    register_bits: u64,
    flip_flops: u64,
    shift_registers: Option<u64>,
    memory_bits: u64,
    blocks: u64,
    ultra_blocks: u64,
    logic_levels: u32,
}

impl Sizes {
    /// UltraRAM has a column if the sum of the table has any.
    fn head(device: &DeviceBudget, has_ultra: bool) -> impl Iterator<Item = &'static str> {
        let shift = (device.family == "xcup").then_some(SRL);
        let ultra = has_ultra.then_some(URAM288.name);
        let memories = ["memory bits", device.block].into_iter().chain(ultra);
        ["register bits", "flip-flops"].into_iter().chain(shift).chain(memories).chain(["logic levels"])
    }

    fn row(self, has_ultra: bool) -> impl Iterator<Item = String> {
        let ultra = has_ultra.then_some(self.ultra_blocks);
        let memories = [self.memory_bits, self.blocks].into_iter().chain(ultra);
        let all = [self.register_bits, self.flip_flops].into_iter().chain(self.shift_registers).chain(memories);
        all.chain([self.logic_levels.into()]).map(|number| number.to_string())
    }
}

macro_rules! sizes {
    ($of:expr) => {{
        let of = $of;
        Sizes {
            register_bits: of.register_bits,
            flip_flops: of.flip_flops,
            shift_registers: of.shift_registers,
            memory_bits: of.memory_bits,
            blocks: of.blocks,
            ultra_blocks: of.ultra_blocks,
            logic_levels: of.logic_levels,
        }
    }};
}

/// The budgets of some stages and of their sum, as text.
pub fn stages(budgets: &[&Budget], whole: &Whole, config: &Config) -> String {
    let mut text = String::new();
    for budget in budgets {
        if budgets.len() > 1 {
            let _ = writeln!(text, "stage    {}\n", budget.stage);
        }
        text += &sizes(budget);
        text.push('\n');
        memories(&mut text, budget);
        for latency in &budget.latency {
            let _ = writeln!(text, "latency  {} -> {}: {} clocks", latency.from, latency.to, latency.clocks);
        }
        let _ = writeln!(text, "clock    {}", budget.clock.text());
        if let Some(tables) = budget.clock.measured.as_ref().and_then(Figure::tables) {
            let _ = writeln!(text, "LUTs     {}, as synthesized for that", tables.text(budget.device.lut));
        }
        if budgets.len() > 1 {
            text.push('\n');
        }
    }
    if budgets.len() > 1 {
        text += &together(budgets, whole);
    }
    // All stages share one bus, one clock and one link, so their rates are the same.
    if let Some(rate) = budgets.iter().find_map(|budget| budget.rate.as_ref()) {
        frame_rate(&mut text, rate);
    }
    if let Some(events) = budgets.iter().find_map(|budget| budget.events.as_ref()) {
        event_rate(&mut text, events);
    }
    if let Some(budget) = budgets.first() {
        share(&mut text, &budget.device, &whole.total);
    }
    whole.verdict(config).iter().for_each(|line| {
        let _ = writeln!(text, "{line}");
    });
    text
}

/// All stages side by side, and their sum.
fn together(budgets: &[&Budget], whole: &Whole) -> String {
    let ultra = whole.total.ultra_blocks > 0;
    let head = budgets.first().into_iter().flat_map(|budget| Sizes::head(&budget.device, ultra));
    let row = |name: &str, sizes: Sizes| std::iter::once(name.to_owned()).chain(sizes.row(ultra)).collect();
    let rows = budgets.iter().map(|budget| row(&budget.stage, sizes!(&budget.total)));
    table(["stage"].into_iter().chain(head).collect(), rows.chain([row("together", sizes!(&whole.total))]))
}

fn share(text: &mut String, device: &DeviceBudget, total: &Together) {
    let ultra = match total.ultra_percent > 0.0 {
        true => format!(", {:.2} % of {} {}", total.ultra_percent, device.ultra_blocks, URAM288.name),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "device   {}: {:.2} % of {} flip-flops, {:.2} % of {} {}, {:.2} % of {} {}{ultra}",
        device.title,
        total.registers_percent,
        device.registers,
        total.blocks_percent,
        device.blocks,
        device.block,
        total.distributed_percent,
        device.distributed_blocks,
        device.distributed
    );
}

fn sizes(budget: &Budget) -> String {
    let ultra = budget.total.ultra_blocks > 0;
    let head = ["module", "instances"].into_iter().chain(Sizes::head(&budget.device, ultra)).collect();
    let row = |name: &str, instances: String, sizes: Sizes| {
        [name.to_owned(), instances].into_iter().chain(sizes.row(ultra)).collect::<Vec<_>>()
    };
    let modules = budget.modules.iter().map(|module| row(&module.module, module.instances.to_string(), sizes!(module)));
    table(head, modules.chain([row("total", String::new(), sizes!(&budget.total))]))
}

fn memories(text: &mut String, budget: &Budget) {
    for memory in budget.modules.iter().flat_map(|module| &module.memories) {
        let made_of = match memory.primitives {
            0 => memory.primitive.to_owned(),
            count => format!("{count} {} of {} x {}", memory.primitive, memory.arrangement.0, memory.arrangement.1),
        };
        let lanes = if memory.lanes > 1 { format!(" in {} lanes", memory.lanes) } else { String::new() };
        let ultra = memory.ultra.as_ref().map_or_else(String::new, |ultra| {
            format!("; on demand {} {}, zeros at power-up", ultra.primitives, ultra.primitive)
        });
        let _ = writeln!(
            text,
            "memory   {}: {} x {} bits{lanes}, {} read port(s), data after {} clock(s)\n         {made_of}: {:.1} % of {} bits used; {} \
             flip-flops{ultra}",
            memory.name,
            memory.rows,
            memory.width,
            memory.read_ports,
            memory.latency,
            memory.efficiency_percent,
            memory.allocated_bits,
            memory.flip_flops
        );
    }
    if let Some(contexts) = &budget.contexts {
        let packets = contexts.packets.as_ref().map_or_else(String::new, |packets| {
            format!("; {:.1} bits stored for each packet of a window of {}", packets.bits, packets.window)
        });
        let _ = writeln!(
            text,
            "contexts {} {}: {:.1} bits stored, {:.1} allocated each; {:.0} in a megabyte of blocks{packets}",
            contexts.count, contexts.name, contexts.bits, contexts.allocated_bits, contexts.per_megabyte
        );
    }
    if let Some(reorder) = &budget.reorder {
        reorder_sram(text, reorder, budget.device.block);
    }
    if !budget.choices.is_empty() {
        let head =
            vec!["RAM latency", "clocks", "ns", "flip-flops", "memory bits", budget.device.block, "logic levels", ""];
        let rows = budget.choices.iter().map(|choice| {
            vec![
                format!("{} = {}", choice.key, choice.value),
                choice.latency.to_string(),
                format!("{:.1}", choice.latency_ns),
                choice.flip_flops.to_string(),
                choice.memory_bits.to_string(),
                choice.blocks.to_string(),
                choice.logic_levels.to_string(),
                if choice.chosen { "taken" } else { "" }.to_owned(),
            ]
        });
        let _ = write!(text, "\n{}\n", table(head, rows));
    }
}

fn reorder_sram(text: &mut String, reorder: &ReorderBudget, block: &str) {
    let ReorderBudget { paths, delay_difference_us, link_gbps, packet_bytes, packets, .. } = reorder;
    let ReorderBudget { window_needed, window, cells_needed, cell_bytes, .. } = reorder;
    let cells = reorder.cells.map_or_else(|| "no frames are held".to_owned(), |cells| format!("{cells} configured"));
    let _ = writeln!(
        text,
        "reorder  {paths} paths that differ by {delay_difference_us} us at {link_gbps} Gb/s: {packets} packets of \
         {packet_bytes} bytes\n         need a window of {window_needed} PSNs ({window} configured), and {cells_needed} cells of \
         {cell_bytes} bytes to hold frames ({cells})"
    );
    let _ = match &reorder.smallest {
        Some(Smallest { window, cells, memory_bits, blocks }) => writeln!(
            text,
            "         smallest that holds them: window = {window}, cells = {cells}: {memory_bits} memory bits, {blocks} {block}"
        ),
        None => writeln!(text, "         no window or pool is large enough"),
    };
}

fn frame_rate(text: &mut String, rate: &Rate) {
    let head = vec!["frame, bytes", "beats", "link Mframe/s", "pipelines Mframe/s", "MHz needed", ""];
    let rows = rate.points.iter().map(|point| {
        vec![
            point.frame.to_string(),
            point.beats.to_string(),
            format!("{:.2}", point.link_mframes),
            format!("{:.2}", point.mframes),
            format!("{:.1}", point.clock_needed_mhz),
            if point.keeps_up { "" } else { "too slow" }.to_owned(),
        ]
    });
    let _ = write!(text, "\n{}\n", table(head, rows));
    let _ = writeln!(
        text,
        "rate     {} Gb/s need {:.1} MHz of {} at the worst frame length, {} bytes: {:.2} of {:.2} Mframe/s",
        rate.link_gbps, rate.clock_needed_mhz, rate.clock_mhz, rate.worst_frame, rate.link_mframes, rate.mframes
    );
}

fn event_rate(text: &mut String, events: &Events) {
    if events.clocks > 1 {
        let from = match events.from_frame {
            Some(frame) => format!("keeps up with {} Gb/s from frames of {frame} bytes on", events.link_gbps),
            None => format!("does not keep up with {} Gb/s", events.link_gbps),
        };
        let Events { clocks, mevents, .. } = events;
        let _ = writeln!(text, "rate     {mevents:.2} million packets a second, one in {clocks} clocks; {from}");
        return;
    }
    let from = match events.from_frame {
        Some(frame) => format!("one a frame keeps up with {} Gb/s from {frame} bytes", events.link_gbps),
        None => format!("one a frame does not keep up with {} Gb/s", events.link_gbps),
    };
    let _ = writeln!(text, "rate     {:.2} million events a second; {from}", events.mevents);
}
