// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `[settings]`: how the stages that choose paths behave after reset, in physical units. The defaults are those
//! of the sources. `crate::settings` converts them to what registers hold.

use super::Config;

/// The settings after reset, in physical units.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The round trip of an idle network, in microseconds.
    pub rtt_us: f64,
    /// Bytes of a full packet on the wire; `None` for those of a segment.
    pub packet_bytes: Option<u64>,
    /// The nominal size of the largest packet of UET; `None` for that of a segment.
    pub mtu: Option<u64>,
    /// Whether switches trim packets.
    pub trim: bool,
    /// The share of its EVs that may be marked before a CCC stops avoiding marked EVs, in per cent.
    pub saturation_percent: f64,
    /// Round trips between two moves of a single path that is not idle.
    pub reroute_rtts: u64,
    /// Round trips without a packet after which a single path is idle.
    pub idle_rtts: u64,
    /// Bandwidth-delay products of packets for which REPS draws new EVs.
    pub reps_explore_bdps: f64,
    /// The time for which REPS reuses old EVs after a TIMEOUT, in microseconds.
    pub reps_freeze_us: f64,
    /// The number that makes the order of EVs another one in every device.
    pub seed: u64,
    /// The gap after which a flowlet begins, in round trips.
    pub flowlet_rtts: f64,
    /// Bandwidth-delay products of packets that a sub-path may have in flight.
    pub window_bdps: f64,
    /// Round trips without congestion after which the weight of a sub-path rises.
    pub raise_rtts: f64,
    /// The RTT above which a sub-path counts as congested, in per cent of `rtt_us`.
    pub delay_percent: f64,
    /// Round trips with congestion in a row after which packets leave a sub-path.
    pub migrate_rtts: u64,
    /// Number of TIMEOUTs in a row with which a sub-path fails.
    pub fail_timeouts: u64,
    /// The span of a gap that is no suspected loss, in per cent of the window of the stage.
    pub tolerance_percent: f64,
    /// The time for which a gap is no suspected loss, in round trips.
    pub tolerance_rtts: f64,
    /// The first retransmission time-out, in microseconds.
    pub rto_us: f64,
    /// Time-outs in a row after which a PDC fails with the next one.
    pub rto_retries: u64,
    /// Packets that one ACK acknowledges, without multipath.
    pub ack_packets: u64,
    /// The same with multipath.
    pub ack_packets_multipath: u64,
    /// Bytes that one ACK of UET acknowledges; `None` for what the bandwidth-delay product allows.
    pub ack_bytes: Option<u64>,
    /// The time after which a packet of RoCEv2 is acknowledged, in round trips.
    pub ack_rtts: f64,
    /// The weight of a new rate in the average rate of a virtual path.
    pub alpha: f64,
    /// The least time between two updates of that rate, in round trips.
    pub update_rtts: f64,
    /// Round trips without a mark after which a burst explores a virtual path.
    pub explore_rtts: f64,
    /// The length of that burst in bandwidth-delay products.
    pub burst_bdps: f64,
    /// The time after which the receiver of ELAB reports without a packet that goes back, in round trips.
    pub report_rtts: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            rtt_us: 12.0,
            packet_bytes: None,
            mtu: None,
            trim: true,
            saturation_percent: 50.0,
            reroute_rtts: 10,
            idle_rtts: 1,
            reps_explore_bdps: 1.0,
            reps_freeze_us: 10_000.0,
            seed: 0x9e37_79b9,
            flowlet_rtts: 1.0,
            window_bdps: 2.0,
            raise_rtts: 1.0,
            delay_percent: 150.0,
            migrate_rtts: 3,
            fail_timeouts: 3,
            tolerance_percent: 50.0,
            tolerance_rtts: 1.0,
            rto_us: 1000.0,
            rto_retries: 5,
            ack_packets: 4,
            ack_packets_multipath: 1,
            ack_bytes: None,
            ack_rtts: 0.17,
            alpha: 0.3,
            update_rtts: 0.125,
            explore_rtts: 200.0,
            burst_bdps: 0.5,
            report_rtts: 1.0,
        }
    }
}

/// Bytes of a packet before its payload: those of an Ethernet frame of 4150 bytes with 4096 bytes of payload (uet.md 5).
const HEADERS: u64 = 54;
/// Most bytes that an ACK acknowledges unless said otherwise (U29).
const ACK_BYTES: u64 = 16_384;

/// What follows from segment, link and RTT unless it is said.
impl Config {
    /// Bytes of a full packet on the wire.
    pub fn packet_bytes(&self) -> u64 {
        self.settings.packet_bytes.unwrap_or(self.tx.segment + HEADERS)
    }

    /// The nominal size of the largest packet.
    pub fn mtu(&self) -> u64 {
        self.settings.mtu.unwrap_or(self.tx.segment)
    }

    /// Bytes that the link carries in a round trip.
    pub(crate) fn bdp_bytes(&self) -> f64 {
        self.target.link_gbps * 1e3 * self.settings.rtt_us / 8.0
    }

    /// Bytes that one ACK acknowledges. A sender whose window is one or two bandwidth-delay products must hear of a part of
    /// it before it stands still: a quarter of one, but no less than a packet.
    pub fn ack_bytes(&self) -> u64 {
        let bdp = self.bdp_bytes();
        self.settings.ack_bytes.unwrap_or_else(|| ((bdp / 4.0) as u64).min(ACK_BYTES).max(self.mtu()))
    }
}
