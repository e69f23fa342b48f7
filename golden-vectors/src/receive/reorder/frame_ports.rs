// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage with frames in a pool (R30), and how beats are written as rows of their streams.

use super::oracle::{Arrival, Beat, Delivery, Limits, Outputs, PoolShape};
use super::rows;
use crate::collect::ports::named;
use crate::schema::timed::{Row, Span};
use std::collections::BTreeMap;

/// The counters of R39, in the order of the conditions of R32.
pub const CAUSES: [&str; 3] = ["no_cells", "over_quota", "below_reserve"];

/// Width of a number of cells.
pub const fn cells_width(pool: PoolShape) -> u32 {
    pool.cells.ilog2() + 1
}

/// The columns of a beat. Only the lowest bits of a wide bus are columns.
pub fn beat_columns(pool: PoolShape) -> [(&'static str, u32); 4] {
    let keep = if pool.data_width < 512 { pool.data_width as u32 / 8 } else { 64 };
    [("tdata", 64), ("tkeep", keep), ("tlast", 1), ("tuser", 5)]
}

/// The ports that belong to no stream, beside those of both ways to hold packets.
pub fn widths(pool: PoolShape) -> BTreeMap<String, u32> {
    let cells = cells_width(pool);
    let ports = [
        ("s_axis_tready", 1),
        ("m_axis_tready", 1),
        ("settings_quota", cells),
        ("settings_reserve", cells),
        ("free_cells", cells),
        ("low_water", cells),
    ];
    named(ports).into_iter().chain(CAUSES.map(|name| (name.to_owned(), 32))).collect()
}

/// The values of the ports of the limits.
pub fn limits(Limits { quota, reserve }: Limits) -> BTreeMap<String, u64> {
    named([("settings_quota", quota), ("settings_reserve", reserve)])
}

fn beat(Beat { data, keep, user, last }: Beat) -> [u64; 4] {
    [data, keep, last.into(), user]
}

/// A beat as a row of `s_axis`, with the fields beside it, without its cycle.
pub fn offered(this: Beat, beside: Arrival) -> Row {
    beat(this).into_iter().chain(rows::fields(beside)).collect()
}

/// A beat as a row of `m_axis`, with the fields beside it, without its cycle.
pub fn delivered(outputs: &Outputs) -> Option<Row> {
    let Delivery { connection, psn, .. } = outputs.delivery?;
    Some(beat(outputs.pool?.beat?).into_iter().chain([connection, psn]).collect())
}

/// The levels of the pool in all cycles.
pub fn levels(outputs: &[Outputs]) -> [(&'static str, Vec<Span>); 2] {
    let level = |of: fn(super::oracle::PoolOutputs) -> u64| rows::spans(outputs, |out| out.pool.map_or(0, of));
    [("free_cells", level(|pool| pool.free)), ("low_water", level(|pool| pool.low_water))]
}
