// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage with frames in a pool (R30). Without one, none of them is there.

use super::oracle::{Arrival, Beat, Counters, Delivery, Limits, Outputs, Shape};
use super::ports;
use crate::collect::fields::{Fields, fields};

/// Width of a number of cells.
fn cells_width(shape: Shape) -> u32 {
    shape.pool.map_or(1, |pool| pool.cells.ilog2() + 1)
}

/// The columns of a beat. Only the lowest bits of a wide bus are columns.
fn beat(shape: Shape, stream: &'static str) -> Fields<Beat> {
    let keep = shape.pool.map_or(64, |pool| (pool.data_width / 8).min(64) as u32);
    fields!(stream: Beat {
        tdata: 64 => |beat| beat.data,
        tkeep: keep => |beat| beat.keep,
        tlast: 1 => |beat| beat.last.into(),
        tuser: 5 => |beat| beat.user,
    })
}

/// A beat on `s_axis`, with what stands beside it.
pub fn offered(shape: Shape) -> Fields<(Beat, Arrival)> {
    let beside = ports::beside(shape).of(|(_, arrival): &(Beat, Arrival)| arrival);
    beat(shape, "s_axis").of(|(beat, _): &(Beat, Arrival)| beat).beside(beside)
}

/// A beat on `m_axis`, with what stands beside it.
pub fn delivered(shape: Shape) -> Fields<(Beat, Delivery)> {
    let beside = ports::delivery(shape).of(|(_, delivery): &(Beat, Delivery)| delivery);
    beat(shape, "m_axis").of(|(beat, _): &(Beat, Delivery)| beat).beside(beside)
}

/// The limits, which are taken with the settings.
pub fn limits(shape: Shape) -> Fields<Limits> {
    fields!("settings": Limits { quota: cells_width(shape), reserve: cells_width(shape) })
}

/// The levels of the pool.
pub fn levels(shape: Shape) -> Fields<Outputs> {
    fields!(Outputs {
        s_axis_tready: 1 => |out| out.arrival_ready.into(),
        free_cells: cells_width(shape) => |out| out.pool.map_or(0, |pool| pool.free),
        low_water: cells_width(shape) => |out| out.pool.map_or(0, |pool| pool.low_water),
    })
}

/// The counters of R39, in the order of the conditions of R32.
pub fn causes() -> Fields<Counters> {
    fields!(Counters {
        no_cells: 32 => |counters| counters.causes[0],
        over_quota: 32 => |counters| counters.causes[1],
        below_reserve: 32 => |counters| counters.causes[2],
    })
}
