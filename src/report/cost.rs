// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cost: memory by structure, registers and levels by module.

use super::figure::{exact, percent, whole, word};
use super::{bar, name, table};
use crate::device::SRL;
use crate::summary::Summary;
use maud::{Markup, html};

pub fn memory(summary: &Summary) -> Markup {
    let memories = &summary.memories;
    if memories.is_empty() {
        return html! {
            p { "No memories: every bit of state is a flip-flop." }
        };
    }
    let pipelines = summary.target.pipelines;
    let most = memories.iter().map(|memory| memory.bits).max().unwrap_or(0) as f64;
    let structures = html! {
        caption {
            "SRAM by structure, one pipeline"
            @if pipelines > 1 { "; shares of the device are those of all " (exact("/target/pipelines", pipelines)) }
            @if memories.len() > 1 { "; bars compare bits" }
        }
        thead { tr {
            th scope="col" { "structure" } th.n scope="col" { "bits stored" } th.n scope="col" { "allocated" }
            th.n scope="col" { "used" }
            th.n scope="col" { (word("/target/block", summary.target.block)) }
            th.n scope="col" { "of device" }
        } }
        @for stage in &summary.stages {
            @let own: Vec<_> = memories.iter().enumerate().filter(|(_, memory)| memory.stage == stage.stage).collect();
            @if !own.is_empty() {
                tbody {
                    @if summary.stages.len() > 1 {
                        tr.group { th colspan="6" scope="rowgroup" { (stage.stage) } }
                    }
                    @for (i, memory) in own {
                        @let at = |field: &str| format!("/memories/{i}/{field}");
                        tr {
                            th scope="row" {
                                (name(&at("name"), &memory.name))
                                @if memory.module != stage.budget.top {
                                    span.shape { "of " (name(&at("module"), &memory.module)) }
                                }
                                span.shape {
                                    @if memory.copies > 1 { (whole(&at("copies"), memory.copies)) " × " }
                                    (whole(&at("rows"), memory.rows)) " × " (exact(&at("width"), memory.width)) " bits"
                                }
                                span.shape {
                                    "in "
                                    @if memory.primitives > 0 { (whole(&at("primitives"), memory.primitives)) " " }
                                    (word(&at("primitive"), memory.primitive))
                                }
                                @if memories.len() > 1 { (bar(memory.bits as f64, most)) }
                            }
                            td.n { (whole(&at("bits"), memory.bits)) }
                            td.n { (whole(&at("allocated_bits"), memory.allocated_bits)) }
                            td.n { (percent(&at("efficiency_percent"), memory.efficiency_percent)) }
                            td.n { (whole(&at("blocks"), memory.blocks)) }
                            td.n { (percent(&at("blocks_percent"), memory.blocks_percent)) }
                        }
                    }
                }
            }
        }
        tfoot {
            tr {
                th scope="row" { "one pipeline" }
                td.n { (whole("/total/memory_bits", summary.whole.total.memory_bits)) }
                td.n { (whole("/total/allocated_bits", summary.whole.total.allocated_bits)) }
                td.n { (percent("/total/efficiency_percent", summary.whole.total.efficiency_percent)) }
                td.n { (whole("/total/blocks", summary.whole.total.blocks)) }
                td.n { (percent("/total/blocks_percent", summary.whole.total.blocks_percent)) }
            }
        }
    };
    table("SRAM by structure", structures)
}

pub fn logic(summary: &Summary) -> Markup {
    let modules = summary.stages.iter().flat_map(|stage| &stage.budget.modules);
    let sizes: Vec<_> = modules.map(|module| module.register_bits * module.instances).collect();
    let most = sizes.iter().max().copied().unwrap_or(0) as f64;
    // A single bar has nothing to be compared with.
    let several = sizes.len() > 1;
    let shift = summary.whole.total.shift_registers.is_some();
    let columns = if shift { 6 } else { 5 };
    let modules = html! {
        caption {
            "Registers and operators on the longest path, one pipeline; flip-flops are what synthesis leaves of the registers, with "
            "those of memories"
            @if several { "; bars compare the register bits of all instances" }
        }
        thead { tr {
            th scope="col" { "module" } th.n scope="col" { "instances" } th.n scope="col" { "register bits" }
            th.n scope="col" { "flip-flops" }
            @if shift { th.n scope="col" { (SRL) } }
            th.n scope="col" { "levels" }
        } }
        @for (i, stage) in summary.stages.iter().enumerate() {
            tbody {
                @if summary.stages.len() > 1 { tr.group { th colspan=(columns) scope="rowgroup" { (stage.stage) } } }
                @for (j, module) in stage.budget.modules.iter().enumerate() {
                    @let at = |field: &str| format!("/stages/{i}/budget/modules/{j}/{field}");
                    tr {
                        th scope="row" {
                            (name(&at("module"), &module.module))
                            @if several { (bar((module.register_bits * module.instances) as f64, most)) }
                        }
                        td.n { (whole(&at("instances"), module.instances)) }
                        td.n { (whole(&at("register_bits"), module.register_bits)) }
                        td.n { (whole(&at("flip_flops"), module.flip_flops)) }
                        @if let Some(tables) = module.shift_registers {
                            td.n { (whole(&at("shift_registers"), tables)) }
                        }
                        td.n { (exact(&at("logic_levels"), module.logic_levels)) }
                    }
                }
            }
        }
        tfoot { tr {
            th scope="row" { "one pipeline" }
            td.n {}
            td.n { (whole("/total/register_bits", summary.whole.total.register_bits)) }
            td.n { (whole("/total/flip_flops", summary.whole.total.flip_flops)) }
            @if let Some(tables) = summary.whole.total.shift_registers {
                td.n { (whole("/total/shift_registers", tables)) }
            }
            td.n { (exact("/total/logic_levels", summary.whole.total.logic_levels)) }
        } }
    };
    html! {
        p.lead {
            "With " (exact("/target/pipelines", summary.target.pipelines))
            @if summary.target.pipelines == 1 { " pipeline" } @else { " pipelines" } ", "
            (percent("/total/registers_percent", summary.whole.total.registers_percent)) " of the flip-flops of "
            (word("/target/device", summary.target.device))
            ". Levels are an upper bound: synthesis packs several operators into one table."
        }
        (table("Registers and logic by module", modules))
    }
}
