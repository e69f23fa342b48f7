// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of the settings: what the registers hold after reset.

/// The settings from reset on, in the units of the ports. The default is for 322.265625 MHz, 100 Gb/s, an RTT of 12 us
/// and packets of 4 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulerSettings {
    /// Flowlet time of a QP that is opened without one, in units of 64 clock cycles. One RTT: more than the delays of
    /// paths differ (row M03).
    pub flowlet: u64,
    /// GOOD feedback that raises a weight: the packets of one of 8 sub-paths in an RTT (row M64).
    pub raise: u64,
    /// Losses in a row that fail a sub-path (row M72).
    pub fail: u64,
    /// Shortest time from the first of them to a NACK that fails it, in units of 64 clock cycles: half an RTT. A path that is alive
    /// delivers a packet in it.
    pub fail_time: u64,
    /// A QP without an active sub-path waits, and does not fail (row M75).
    pub wait: bool,
    /// Steps down in a row, at most one per RTT, after which a sub-path is avoided (rows M62 and M70).
    pub migrate: u64,
    /// Most packets in flight on a sub-path: twice the bandwidth-delay product in packets of 1 KiB (row M67).
    pub window: u64,
    /// Window of a sub-path when it starts, in packets; it then follows marks up to `window`. 0: all windows are `window` (rows M67 and M69).
    pub initial: u64,
    /// Time between two steps down of a sub-path, in units of 64 clock cycles: an RTT (row M69).
    pub rtt: u64,
    /// Round-trip time above which a packet counts as marked, in units of 128 ns: one and a half RTT (rows M47
    /// and M64).
    pub delay: u64,
}

impl SchedulerSettings {
    /// The default.
    pub const DEFAULT: SchedulerSettings = SchedulerSettings {
        flowlet: 61,
        raise: 5,
        fail: 3,
        fail_time: 31,
        wait: false,
        migrate: 3,
        window: 293,
        initial: 0,
        rtt: 61,
        delay: 141,
    };
}

impl Default for SchedulerSettings {
    fn default() -> Self {
        SchedulerSettings::DEFAULT
    }
}
