// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic budget`: what the design costs and carries.

use super::{json, print};
use crate::budget::Budget;
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
        if Device::find(name).is_none() {
            let names: Vec<_> = DEVICES.iter().map(|device| device.name).collect();
            return Err(Failure::with_help(format!("no device {name}"), format!("known are {}", names.join(", "))));
        }
        config.target.device.clone_from(name);
    }
    let budget = Budget::of(args.stage.unwrap_or(StageName::DEFAULT), &config)?;
    print(&if args.json { json(&budget)? } else { text(&budget) })?;
    if budget.fits { Ok(()) } else { Err(Failure::Check) }
}

/// The budget for people.
pub fn text(budget: &Budget) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["module", "instances", "register bits", "memory bits", budget.device.block, "logic levels"]);
    for module in &budget.modules {
        table.add_row([
            module.module.clone(),
            module.instances.to_string(),
            module.register_bits.to_string(),
            module.memory_bits.to_string(),
            module.blocks.to_string(),
            module.logic_levels.to_string(),
        ]);
    }
    let total = &budget.total;
    table.add_row([
        "total".to_owned(),
        String::new(),
        total.register_bits.to_string(),
        total.memory_bits.to_string(),
        total.blocks.to_string(),
        total.logic_levels.to_string(),
    ]);
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text);
    for memory in budget.modules.iter().flat_map(|module| &module.memories) {
        let _ = writeln!(
            text,
            "memory   {}: {} x {} bits, {} read port(s), data after {} clock(s)",
            memory.name, memory.rows, memory.width, memory.read_ports, memory.latency
        );
    }
    for latency in &budget.latency {
        let _ = writeln!(text, "latency  {} -> {}: {} clocks", latency.from, latency.to, latency.clocks);
    }
    if let Some(rate) = &budget.rate {
        let _ = writeln!(
            text,
            "rate     {} Gb/s need {:.1} MHz of {} at the worst frame length, {} bytes: {:.2} of {:.2} Mframe/s",
            rate.link_gbps, rate.clock_needed_mhz, rate.clock_mhz, rate.worst_frame, rate.link_mframes, rate.mframes
        );
    }
    let device = &budget.device;
    let _ = writeln!(
        text,
        "device   {}: {:.2} % of {} flip-flops, {:.2} % of {} {}",
        device.title, device.registers_percent, device.registers, device.blocks_percent, device.blocks, device.block
    );
    match budget.fits {
        true => text.push_str("fits\n"),
        false => budget.problems.iter().for_each(|problem| {
            let _ = writeln!(text, "does not fit: {problem}");
        }),
    }
    text
}
