// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic budget`: what the design costs and carries.

use super::{json, print};
use crate::budget::{Budget, Largest};
use crate::cli;
use crate::config::Config;
use crate::device::{DEVICES, Device};
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write;

/// Runs the command.
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
    }
    let stage = args.stage.unwrap_or(StageName::DEFAULT);
    if args.max.is_some() {
        let largest = Largest::of(stage, &config)?;
        print(&if args.json { json(&largest)? } else { largest_text(&largest) })?;
        return if largest.max.is_some() { Ok(()) } else { Err(Failure::Check) };
    }
    let budget = Budget::of(stage, &config)?;
    print(&if args.json { json(&budget)? } else { text(&budget) })?;
    if budget.fits { Ok(()) } else { Err(Failure::Check) }
}

fn largest_text(largest: &Largest) -> String {
    let Largest { name, key, pipelines, device, .. } = largest;
    let mut text = match largest.max {
        Some(max) => format!(
            "max      {max} {name} (`{key}`){} on {device}: {:.2} % of the flip-flops, {:.2} % of the blocks, {:.2} % of \
             the distributed memory\n",
            if *pipelines == 1 { String::new() } else { format!(" in each of {pipelines} pipelines") },
            largest.registers_percent,
            largest.blocks_percent,
            largest.distributed_percent
        ),
        None => format!("max      no {name} at all on {device}\n"),
    };
    for limit in &largest.limit {
        let _ = writeln!(text, "limit    one more: {limit}");
    }
    text
}

/// A table without lines, all but the first column to the right.
fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(head);
    rows.for_each(|row| {
        table.add_row(row);
    });
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// The budget for people.
pub fn text(budget: &Budget) -> String {
    let mut text = sizes(budget);
    text.push('\n');
    memories(&mut text, budget);
    for latency in &budget.latency {
        let _ = writeln!(text, "latency  {} -> {}: {} clocks", latency.from, latency.to, latency.clocks);
    }
    rates(&mut text, budget);
    let device = &budget.device;
    let _ = writeln!(
        text,
        "device   {}: {:.2} % of {} flip-flops, {:.2} % of {} {}, {:.2} % of {} {}",
        device.title,
        device.registers_percent,
        device.registers,
        device.blocks_percent,
        device.blocks,
        device.block,
        device.distributed_percent,
        device.distributed_blocks,
        device.distributed
    );
    match budget.fits {
        true => text.push_str("fits\n"),
        false => budget.problems.iter().for_each(|problem| {
            let _ = writeln!(text, "does not fit: {problem}");
        }),
    }
    text
}

fn sizes(budget: &Budget) -> String {
    let head = ["module", "instances", "register bits", "memory bits", budget.device.block, "logic levels"];
    let modules = budget.modules.iter().map(|module| {
        [
            module.module.clone(),
            module.instances.to_string(),
            module.register_bits.to_string(),
            module.memory_bits.to_string(),
            module.blocks.to_string(),
            module.logic_levels.to_string(),
        ]
    });
    let total = &budget.total;
    let sum = [
        "total".to_owned(),
        String::new(),
        total.register_bits.to_string(),
        total.memory_bits.to_string(),
        total.blocks.to_string(),
        total.logic_levels.to_string(),
    ];
    table(head, modules.chain([sum]))
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
        let _ = writeln!(
            text,
            "contexts {} {}: {:.1} bits stored, {:.1} allocated each; {:.0} in a megabyte of blocks",
            contexts.count, contexts.name, contexts.bits, contexts.allocated_bits, contexts.per_megabyte
        );
    }
    if !budget.choices.is_empty() {
        let head =
            ["RAM latency", "clocks", "ns", "flip-flops", "memory bits", budget.device.block, "logic levels", ""];
        let rows = budget.choices.iter().map(|choice| {
            [
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

fn rates(text: &mut String, budget: &Budget) {
    if let Some(rate) = &budget.rate {
        let head = ["frame, bytes", "beats", "link Mframe/s", "pipelines Mframe/s", "MHz needed", ""];
        let rows = rate.points.iter().map(|point| {
            [
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
    if let Some(events) = &budget.events {
        let from = match events.from_frame {
            Some(frame) => format!("one a frame keeps up with {} Gb/s from {frame} bytes", events.link_gbps),
            None => format!("one a frame does not keep up with {} Gb/s", events.link_gbps),
        };
        let _ = writeln!(text, "rate     {:.2} million events a second; {from}", events.mevents);
    }
}
