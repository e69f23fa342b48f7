// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[settings]`: what the registers of the stages hold after reset, in physical units. The defaults are those of the
//! sources. `crate::settings` converts them to what registers hold.

use super::Kind::{AutoOrWhole, Number, Whole};
use pipeline::routing::lia_router::Hop;

section! {
    /// The settings after reset, in physical units.
    Settings: settings {
        /// Round trip of an idle network in microseconds; the default is that of the reference network of NSCC (uet.md 2.1).
        rtt_us: f64 = 12.0, Number(0.5, 5000.0);
        /// Bytes of a full packet on the wire, with which the link rate becomes packets; "auto" is tx.segment with headers (uet.md 5).
        packet_bytes: Option<u64> = None, AutoOrWhole(64, 9216);
        /// Nominal size of the largest packet in bytes, which NSCC counts with (U21); "auto" is tx.segment.
        mtu: Option<u64> = None, AutoOrWhole(1, 16_383);
        /// Whether switches trim packets; without, NSCC has a larger target and quick adapt looks at delays (uet.md 2.2).
        trim: bool = true;
        /// Share of its EVs that may be marked before a CCC stops avoiding marked EVs (U12).
        saturation_percent: f64 = 50.0, Number(0.0, 100.0);
        /// Round trips between two moves of a single path that is not idle (U06).
        reroute_rtts: u64 = 10, Whole(1, 255);
        /// Round trips without a packet after which a single path is idle and may move at once (U06).
        idle_rtts: u64 = 1, Whole(0, 255);
        /// Bandwidth-delay products of packets for which REPS draws new EVs before it reuses any (uet.md 4.2).
        reps_explore_bdps: f64 = 1.0, Number(0.0, 16.0);
        /// Time in microseconds for which REPS reuses old EVs after a TIMEOUT (uet.md 4.2).
        reps_freeze_us: f64 = 1_000.0, Number(0.0, 200_000.0);
        /// Number that makes the order of EVs another one in every device (U08).
        seed: u64 = 0x9e37_79b9, Whole(0, u32::MAX as u64);
        /// Gap in round trips after which a flowlet of a QP begins, unless its own is set; more than paths differ (M03).
        flowlet_rtts: f64 = 1.0, Number(0.0, 255.0);
        /// Bandwidth-delay products of packets that a sub-path may have in flight (M47, M67).
        window_bdps: f64 = 2.0, Number(0.1, 64.0);
        /// Packets in flight with which the sub-paths of a QP start, all together; from there on the window of each follows its ECN marks, up to
        /// `window_bdps`. 0 for windows that do not, as for QPs by flow: `window_bdps` alone bounds them, and nothing lowers a rate (M66, M67, M69).
        initial_packets: u64 = 16, Whole(0, 1023);
        /// Round trips without congestion after which the weight of a sub-path rises; 0 for never (M64).
        raise_rtts: f64 = 1.0, Number(0.0, 255.0);
        /// RTT of a packet, in percent of `rtt_us`, above which its sub-path counts as congested; 0 for never (M64).
        delay_percent: f64 = 150.0, Number(0.0, 10_000.0);
        /// Round trips with congestion in a row after which packets leave a sub-path; 0 for never (M62, M70).
        migrate_rtts: u64 = 3, Whole(0, 7);
        /// Number of losses in a row, with no packet that arrives between, with which a sub-path fails; 0 for never (M72).
        fail_losses: u64 = 3, Whole(0, 7);
        /// Round trips from the first of these losses to the one that fails the sub-path, unless that is a time-out; 0 for time-outs alone (M72, M104).
        fail_rtts: f64 = 0.5, Number(0.0, 255.0);
        /// Whether a QP without an active sub-path waits for one to return; otherwise it fails (M75).
        wait_for_path: bool = false;
        /// Whether the NIC probes sub-paths that are new or have failed, and starts them with the first answer (M43, M61, M72).
        probe_paths: bool = true;
        /// Packets of such a probe, back to back: their dispersion is the bandwidth, 1 for the round-trip time alone (M43).
        probe_packets: u64 = 8, Whole(1, 16);
        /// Payload bytes of each, at most `tx.segment`.
        probe_bytes: u64 = 4096, Whole(64, 8192);
        /// Time without an answer after which a probe is lost, in round trips; more than the slowest path takes (M61).
        probe_timeout_rtts: f64 = 4.0, Number(1.0, 255.0);
        /// Largest span of a gap that is no suspected loss, in percent of the window of the stage; 100 for never (M57, M100, U24).
        tolerance_percent: f64 = 50.0, Number(0.0, 100.0);
        /// Largest age of a gap that is no suspected loss, in round trips; more than paths differ (M57, M83).
        tolerance_rtts: f64 = 2.0, Number(0.0, 255.0);
        /// First retransmission time-out in microseconds, which doubles with each in a row; 0 for never (RTO_Init_Time).
        rto_us: f64 = 1000.0, Number(0.0, 8_000_000.0);
        /// Time-outs in a row after which a PDC fails with the next one; 16 for never (Max_RTO_Retx_Cnt).
        rto_retries: u64 = 5, Whole(0, 16);
        /// Time without an ACK after which the last packet of a connection is sent again, once, in round trips; less than `rto_us`, 0 for never. It is
        /// at least one round trip and the time of 32 packets, which may wait in front of the wire (D38).
        tail_probe_rtts: f64 = 2.0, Number(0.0, 255.0);
        /// First backoff for a NACK of a peer that has no room, in round trips, which doubles with each in a row; an RNR NAK names its own time.
        backoff_rtts: f64 = 1.0, Number(0.0, 255.0);
        /// Backoffs in a row after which a connection fails with the next one, of RNR NAKs or NACKs; 31 for never.
        backoff_limit: u64 = 31, Whole(0, 31);
        /// Packets that one ACK of a connection without multipath acknowledges (M103).
        ack_packets: u64 = 4, Whole(1, 255);
        /// The same with multipath; with 1 every packet brings back its path (M26, M84).
        ack_packets_multipath: u64 = 1, Whole(1, 255);
        /// Bytes that one ACK of UET acknowledges (U29); "auto" is 16384, at most a quarter of a bandwidth-delay product, at least mtu.
        ack_bytes: Option<u64> = None, AutoOrWhole(1, 65_535);
        /// Time after which a packet of RoCEv2 is acknowledged, in round trips; 0 for never (M59, M103).
        ack_rtts: f64 = 0.17, Number(0.0, 255.0);
        /// RoCEv2 without multipath: least time between two congestion notification packets of a connection, in microseconds; 0 for none (RX27).
        cnp_us: f64 = 50.0, Number(0.0, 100_000.0);
        /// Weight of a new rate in the average rate of a virtual path (E12, E16).
        alpha: f64 = 0.3, Number(0.0, 0.99);
        /// Least time between two updates of the rate of a virtual path, in round trips (E12).
        update_rtts: f64 = 0.125, Number(0.0, 16.0);
        /// Round trips without a mark after which a burst explores a virtual path, T_explore (E15, E16).
        explore_rtts: f64 = 200.0, Number(1.0, 1000.0);
        /// Length of that burst in bandwidth-delay products, but at least 10 packets, C_burst (E16).
        burst_bdps: f64 = 0.5, Number(0.0, 4.0);
        /// Time without an answer after which a virtual path is dead, in round trips; more than one, 0 is never (V21, V22).
        silence_rtts: f64 = 1.5, Number(0.0, 64.0);
        /// Time after which ELAB reports without a packet that goes back, in round trips; 0 is never (E11).
        report_rtts: f64 = 1.0, Number(0.0, 100.0);
        /// UET: answers per second to packets of no connection, at most (RX14).
        stranger_answers: u64 = 1000, Whole(1, 1_000_000);
        /// Least clock cycles of an interval of `lia_router`, which are whole sweeps; a link carries one flit in each (L21).
        lia_interval: u64 = 1000, Whole(1, 65_535);
        /// Weight of queued flits beside those that left in an interval, w (L12, L13).
        lia_weight: f64 = 1.0, Number(0.0, 15.9375);
        /// Load of a group above which it is mixed traffic, in what a link carries: of all switches of the own group together, as all below (L19).
        lia_mixed: f64 = 1.5, Number(0.0, 64.0);
        /// Load of a group above which it is adversarial traffic (L19).
        lia_adversarial: f64 = 3.0, Number(0.0, 64.0);
        /// T: how much more the minimal path may have waiting, times its hops, for benign traffic (L11).
        lia_bias_benign: f64 = 6.0, Number(-32_768.0, 32_767.0);
        /// The same for mixed traffic.
        lia_bias_mixed: f64 = 0.0, Number(-32_768.0, 32_767.0);
        /// The same for adversarial traffic; -32768 is never minimal.
        lia_bias_adversarial: f64 = -32_768.0, Number(-32_768.0, 32_767.0);
        /// GPSTh: load of the group of an own link above which it is saturated (L17).
        lia_link_load: f64 = 0.8, Number(0.0, 64.0);
        /// SGC: part of the own links; if more are saturated, the first local hop is kept (L17).
        lia_saturated_links: f64 = 0.5, Number(0.0, 1.0);
        /// RCTh: load of a local link of another group, by this switch, above which the second local hop is kept (L18).
        lia_remote_load: f64 = 0.7, Number(0.0, 64.0);
        /// The first local hop of `lia_router`: by its rule, always kept, or never, "dropped".
        lia_first_hop: Hop = Hop::Rule;
        /// The second local hop.
        lia_second_hop: Hop = Hop::Rule;
        /// Whether flits that are on a link do not count as waiting for it.
        lia_corrected: bool = true;
    }
}
