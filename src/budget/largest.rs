// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the largest number of contexts that a device holds.

use super::Size;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use serde::Serialize;

/// The result of `budget --max`. Its JSON form is an interface like that of the budget.
#[derive(Debug, Serialize)]
pub struct Largest {
    /// The version of this layout.
    pub version: u32,
    /// The name of the contexts.
    pub name: &'static str,
    /// The key of the configuration that sets their number.
    pub key: String,
    /// The largest number; absent if not even the smallest fits.
    pub max: Option<u64>,
    /// The number of pipelines, each of which has this number of contexts.
    pub pipelines: u64,
    /// The name of the device.
    pub device: &'static str,
    /// The share of the flip-flops at that number.
    pub registers_percent: f64,
    /// The share of the block memories at that number.
    pub blocks_percent: f64,
    /// The share of the distributed memory at that number.
    pub distributed_percent: f64,
    /// The share of the UltraRAM at that number.
    pub ultra_percent: f64,
    /// What prevents one context more.
    pub limit: Vec<String>,
}

impl Largest {
    /// Searches between the limits of the key. The stage is elaborated for each number that is tried.
    pub fn of(stage: StageName, config: &Config) -> Outcome<Self> {
        let contexts = stage.contexts().ok_or_else(|| {
            Failure::with_help(
                "this stage keeps no contexts",
                format!("--max is for the stages with contexts: {}", StageName::with_contexts().join(", ")),
            )
        })?;
        let size = |place| Size::of(stage, &contexts.with(config, contexts.number(place)));
        let key = format!("{}.{}", contexts.section, contexts.key);
        let answer = |max, size: &Size, limit| Largest {
            version: 1,
            name: contexts.name,
            key: key.clone(),
            max,
            pipelines: config.target.pipelines,
            device: size.device.title,
            registers_percent: size.device.registers_percent,
            blocks_percent: size.device.blocks_percent,
            distributed_percent: size.device.distributed_percent,
            ultra_percent: size.device.ultra_percent,
            limit,
        };
        let (fewest, most) = (0, contexts.numbers() - 1);
        let smallest = size(fewest)?;
        if !smallest.problems().is_empty() {
            return Ok(answer(None, &smallest, smallest.problems()));
        }
        let largest = size(most)?;
        if largest.problems().is_empty() {
            let most = contexts.number(most);
            return Ok(answer(Some(most), &largest, vec![format!("`{key}` is at most {most}")]));
        }
        // The number at place `good` fits, and that at `bad` does not.
        let (mut good, mut bad) = ((fewest, smallest), (most, largest));
        while good.0 + 1 < bad.0 {
            let middle = good.0.midpoint(bad.0);
            let tried = size(middle)?;
            match tried.problems().is_empty() {
                true => good = (middle, tried),
                false => bad = (middle, tried),
            }
        }
        Ok(answer(Some(contexts.number(good.0)), &good.1, bad.1.problems()))
    }
}
