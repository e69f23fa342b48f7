// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much reorder SRAM a link needs: the window and the cells that hold what fast paths bring while packets of the slow
//! one are under way (M100, M101). The rule is in `docs/how-to/budget.md`.
//!
//! The traffic that is worst for one connection at the full rate: full packets in turn over all paths, of which one is
//! later than the others by the whole difference in delay.

#[cfg(test)]
mod tests;

use super::Size;
use crate::config::{Config, HoldMode};
use crate::failure::Outcome;
use crate::stages::StageName;
use pipeline::receive::reorder::PayloadConfig;
use serde::Serialize;

/// The largest window of `reorder`, in PSNs.
const LARGEST_WINDOW: u64 = 1024;
/// The largest pool of `reorder`, in cells.
const LARGEST_POOL: u64 = 65_536;

/// What `reorder` needs for the link.
#[derive(Debug, Serialize)]
pub struct ReorderBudget {
    /// Number of paths of a connection.
    pub paths: u64,
    /// The difference in delay, in microseconds: that for which a gap is tolerated.
    pub delay_difference_us: f64,
    /// The link rate in Gb/s.
    pub link_gbps: f64,
    /// Bytes of a packet on the wire.
    pub packet_bytes: u64,
    /// Number of packets that the link carries in that time, rounded up to a whole turn over all paths.
    pub packets: u64,
    /// Number of PSNs of the window that the traffic needs.
    pub window_needed: u64,
    /// The window that is configured.
    pub window: u64,
    /// Number of cells that the traffic needs if frames are held.
    pub cells_needed: u64,
    /// Bytes of a cell.
    pub cell_bytes: u64,
    /// The number of cells that is configured; absent if frames are not held.
    pub cells: Option<u64>,
    /// The stage that holds frames in the smallest window and pool that suffice; absent if the largest do not.
    pub smallest: Option<Smallest>,
}

/// The stage with the smallest window and pool that suffice.
#[derive(Debug, Serialize)]
pub struct Smallest {
    /// The window.
    pub window: u64,
    /// The number of cells.
    pub cells: u64,
    /// Number of memory bits.
    pub memory_bits: u64,
    /// Number of block memories.
    pub blocks: u64,
}

impl ReorderBudget {
    /// Computes it for the settings and the link of a configuration.
    pub fn of(config: &Config) -> Outcome<Self> {
        let traffic = Traffic::of(config);
        let payload = config.reorder.hold == HoldMode::Payload;
        let (window_needed, cells_needed) = (traffic.window(), traffic.cells());
        let suffices = window_needed <= LARGEST_WINDOW && cells_needed <= LARGEST_POOL;
        Ok(ReorderBudget {
            paths: traffic.paths,
            delay_difference_us: config.settings.tolerance_rtts * config.settings.rtt_us,
            link_gbps: config.target.link_gbps,
            packet_bytes: config.packet_bytes(),
            packets: traffic.late,
            window_needed,
            window: config.reorder.window,
            cells_needed,
            cell_bytes: cell_bytes(config),
            cells: payload.then_some(config.reorder.cells),
            smallest: suffices.then(|| Smallest::of(config, window_needed, cells_needed)).transpose()?,
        })
    }

    /// What the configured stage has too little of.
    pub fn problems(&self) -> Vec<String> {
        let Self { delay_difference_us, link_gbps, .. } = self;
        let most = |name: &str, key: &str, needed: u64, configured: u64| {
            (needed > configured).then(|| {
                format!(
                    "paths that differ by {delay_difference_us} us at {link_gbps} Gb/s need {needed} {name}, not \
                     {configured} ({key}, or a smaller settings.tolerance_rtts)"
                )
            })
        };
        let window = most("PSNs of the window", "reorder.window", self.window_needed, self.window);
        let cells = self.cells.and_then(|cells| most("cells", "reorder.cells", self.cells_needed, cells));
        window.into_iter().chain(cells).collect()
    }
}

impl Smallest {
    fn of(config: &Config, window: u64, cells: u64) -> Outcome<Self> {
        let (window, cells) = (window.max(64).next_power_of_two(), cells.max(16).next_power_of_two());
        let mut config = config.clone();
        config.reorder.hold = HoldMode::Payload;
        config.reorder.window = window;
        config.reorder.cells = cells;
        config.reorder.cell_bytes = Some(cell_bytes(&config));
        (config.reorder.quota, config.reorder.reserve) = (None, None);
        let total = Size::of(StageName::Reorder, &config)?.total;
        Ok(Smallest { window, cells, memory_bits: total.memory_bits, blocks: total.blocks })
    }
}

/// The bytes of a cell. A configuration that holds no frames may say less than this bus needs.
fn cell_bytes(config: &Config) -> u64 {
    let width = u32::try_from(config.data_width).unwrap_or(512);
    let default = PayloadConfig::new(width, config.reorder.cells).cell_bytes;
    config.reorder.cell_bytes.unwrap_or(default).max(PayloadConfig::least_cell_bytes(width))
}

/// The traffic of one connection in clock cycles.
#[derive(Clone, Copy, Debug)]
struct Traffic {
    paths: u64,
    /// Beats of a packet.
    beats: u64,
    /// Beats of a cell.
    cell_beats: u64,
    /// Clock cycles from one packet to the next.
    slot: u64,
    /// Packets by which those of the slow path are late; a multiple of `paths`.
    late: u64,
    ram_latency: u64,
}

impl Traffic {
    fn of(config: &Config) -> Self {
        let beat_bytes = config.data_width / 8;
        let beats = config.packet_bytes().div_ceil(beat_bytes);
        let bits = 8.0 * config.packet_bytes() as f64;
        // Rounded down: packets that come a little faster need no less.
        let slot = (bits / (config.target.link_gbps * 1e3) * config.target.clock_mhz) as u64;
        let slot = slot.max(beats);
        let late_clocks = config.settings.tolerance_rtts * config.settings.rtt_us * config.target.clock_mhz;
        let paths = config.reorder.paths;
        Traffic {
            paths,
            beats,
            cell_beats: (cell_bytes(config) / beat_bytes).max(1),
            slot,
            late: (late_clocks as u64).div_ceil(slot).next_multiple_of(paths),
            ram_latency: config.ram_latency().into(),
        }
    }

    /// Clock cycles from the last beat of the packet that was missing to the first beat that leaves (R34), and those for
    /// which a stream can pause behind a first turn that is shorter than the distance of turns (R11).
    fn latency(&self) -> u64 {
        let pause = (2 * self.ram_latency + 4).saturating_sub(self.paths.min(16) * self.beats);
        5 * self.ram_latency + 26 + pause
    }

    /// PSNs from the first one whose packet has not begun to leave to the newest one. A packet is read before it leaves, so
    /// that this is enough.
    fn window(&self) -> u64 {
        self.late + self.latency().div_ceil(self.slot) + 1
    }

    /// The cells that are taken when one more is needed, and that one. Each path has one packet in a turn of `paths`
    /// packets, and each cell of it is taken with its first beat and is free again *l* + 6 clock cycles after its last
    /// beat has left (R36).
    fn cells(&self) -> u64 {
        let Traffic { paths, beats, cell_beats, slot, late, ram_latency } = *self;
        let turn = paths * slot;
        let after = beats - 1 + self.latency();
        let leaves = late * slot + after;
        let cells = beats.div_ceil(cell_beats);
        let stay = |path: u64, cell: u64| {
            let arrives = if path == 0 { late * slot } else { path * slot };
            let last = ((cell + 1) * cell_beats).min(beats) - 1;
            let taken = arrives + cell * cell_beats;
            // In its turn, but not before it is there.
            let begins = (leaves + path * beats).max(arrives + after);
            Stay { taken, free: begins + last + ram_latency + 6 }
        };
        let stays: Vec<_> = (0..paths).flat_map(|path| (0..cells).map(move |cell| stay(path, cell))).collect();
        let taken = |at: u64| stays.iter().map(|stay| stay.count(at, turn)).sum::<u64>();
        1 + stays.iter().map(|stay| taken(stay.taken)).max().unwrap_or(0)
    }
}

/// The stay of a cell in the pool: it counts as taken from the cycle after `taken` up to the one before `free`.
struct Stay {
    taken: u64,
    free: u64,
}

impl Stay {
    /// How many of the stays that begin a turn after each other hold a cell in this cycle of a long run.
    fn count(&self, at: u64, turn: u64) -> u64 {
        // A number of turns later is the same cycle.
        let at = at + (self.free / turn + 1) * turn;
        let begun = |from: u64| (at - from).div_euclid(turn);
        begun(self.taken + 1) - begun(self.free)
    }
}
