// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traffic that the defaults are for: what follows from RTT, rate and packet size.

use super::lia_router::Loads;
use crate::config::{Config, Settings};
use pipeline::receive::ack_generator::AckProtocol;

/// The unit of time stamps in nanoseconds.
pub(super) const STAMP_NS: f64 = 128.0;

/// The configuration, as far as settings depend on it.
pub(crate) struct Traffic<'a> {
    pub settings: &'a Settings,
    /// Of `lia_router`.
    pub lia: Loads,
    /// The line rate in Gb/s.
    link_gbps: f64,
    /// Clock cycles per microsecond.
    clocks_per_us: f64,
    /// Clock cycles per unit of time of ELAB.
    elab_unit: f64,
    /// Number of sub-paths of a QP.
    paths: f64,
    /// PSNs in the window of a connection that receives.
    pub window: f64,
    /// The same of a PDC that sends.
    pub tracker_window: f64,
    /// The same of the stage that answers, which answers UET or RoCEv2.
    pub ack_window: f64,
    pub uet: bool,
    /// Bytes of a unit of credit.
    pub credit_unit: f64,
    /// Bytes of a full packet on the wire.
    packet_bytes: u64,
    /// The nominal size of the largest packet.
    pub mtu: u64,
    /// Bytes that one ACK acknowledges.
    pub ack_bytes: u64,
}

impl<'a> Traffic<'a> {
    pub fn of(config: &'a Config) -> Self {
        Traffic {
            settings: &config.settings,
            lia: Loads::of(config),
            link_gbps: config.target.link_gbps,
            clocks_per_us: config.target.clock_mhz,
            elab_unit: config.elab.unit as f64,
            paths: config.path_scheduler.paths as f64,
            window: config.reorder.window as f64,
            tracker_window: config.packet_tracker.window as f64,
            ack_window: config.ack_generator.window as f64,
            uet: config.ack_protocol() == AckProtocol::Uet,
            credit_unit: config.ccc_table.credit_unit as f64,
            packet_bytes: config.packet_bytes(),
            mtu: config.mtu(),
            ack_bytes: config.ack_bytes(),
        }
    }

    /// A time in clock cycles.
    pub fn clocks(&self, us: f64) -> f64 {
        us * self.clocks_per_us
    }

    /// A time in units of 64 clock cycles.
    pub fn ticks(&self, us: f64) -> f64 {
        self.clocks(us) / 64.0
    }

    /// A time in units of time stamps, 128 ns.
    pub fn stamps(&self, us: f64) -> f64 {
        us * 1000.0 / STAMP_NS
    }

    /// A time in units of ELAB.
    pub fn elab_units(&self, us: f64) -> f64 {
        self.clocks(us) / self.elab_unit
    }

    /// A number of round trips, in microseconds.
    pub fn rtts(&self, count: f64) -> f64 {
        count * self.settings.rtt_us
    }

    /// The time up to a probe of the tail in microseconds, 0 for none: not before a packet that waits behind as many as may
    /// wait in front of the wire (TX10) is acknowledged.
    pub fn tail_probe(&self) -> f64 {
        const WAITING: f64 = 32.0;
        let chosen = self.rtts(self.settings.tail_probe_rtts);
        let wait = WAITING * 8.0 * self.packet_bytes as f64 / (self.link_gbps * 1e3);
        if chosen > 0.0 { chosen.max(self.rtts(1.0) + wait) } else { 0.0 }
    }

    /// The window of each of the sub-paths of a QP that starts with so many packets; 0 if windows do not follow marks.
    pub fn initial_window(&self) -> f64 {
        self.settings.initial_packets as f64 / self.paths
    }

    /// Units of time stamps per clock cycle, in 1 / 65536.
    pub fn stamp_parts(&self) -> f64 {
        65_536.0 * self.stamps(1.0) / self.clocks(1.0)
    }

    /// The number of packets that the link carries in so many round trips: bandwidth-delay products.
    pub fn bdps(&self, count: f64) -> f64 {
        packets(self.link_gbps, self.rtts(count), self.packet_bytes)
    }

    /// The bytes that the link carries in a time in microseconds.
    pub fn bytes(&self, us: f64) -> f64 {
        self.link_gbps * 1e3 * us / 8.0
    }

    /// The span of a gap in a window that is tolerated; the register counts to the window less one.
    pub fn span(&self, window: f64) -> f64 {
        (self.settings.tolerance_percent / 100.0 * window).min(window - 1.0)
    }

    /// The packets of one of equal sub-paths without congestion after which its weight rises. The register counts to 63.
    pub fn raise(&self) -> f64 {
        (self.bdps(self.settings.raise_rtts) / self.paths).min(63.0)
    }
}

/// The number of packets at a rate in Gb/s in a time in microseconds.
pub(super) fn packets(gbps: f64, us: f64, packet_bytes: u64) -> f64 {
    gbps * 1e3 * us / 8.0 / packet_bytes as f64
}
