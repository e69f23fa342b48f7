// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[settings]`: what the registers of the stages hold after reset, in physical units.

use super::{Key, Kind, Value, auto_or, whole};

pub(super) const KEYS: &[Key] = &[
    key!(
        "settings",
        "rtt_us",
        "Round trip of an idle network in microseconds; the default is that of the reference network of NSCC (uet.md 2.1).",
        Kind::Number(0.5, 5000.0),
        Number,
        settings.rtt_us
    ),
    Key {
        section: "settings",
        name: "packet_bytes",
        help: "Bytes of a full packet on the wire, with which the link rate becomes packets; \"auto\" is tx.segment with headers (uet.md 5).",
        kind: Kind::AutoOrWhole(64, 9216),
        get: |config| auto_or(config.settings.packet_bytes),
        set: |config, value| config.settings.packet_bytes = whole(&value),
    },
    Key {
        section: "settings",
        name: "mtu",
        help: "Nominal size of the largest packet in bytes, which NSCC counts with (U21); \"auto\" is tx.segment.",
        kind: Kind::AutoOrWhole(1, 16_383),
        get: |config| auto_or(config.settings.mtu),
        set: |config, value| config.settings.mtu = whole(&value),
    },
    key!(
        "settings",
        "trim",
        "Whether switches trim packets; without, NSCC has a larger target and quick adapt looks at delays (uet.md 2.2).",
        Kind::Flag,
        Flag,
        settings.trim
    ),
    key!(
        "settings",
        "saturation_percent",
        "Share of its EVs that may be marked before a CCC stops avoiding marked EVs (U12).",
        Kind::Number(0.0, 100.0),
        Number,
        settings.saturation_percent
    ),
    key!(
        "settings",
        "reroute_rtts",
        "Round trips between two moves of a single path that is not idle (U06).",
        Kind::Whole(1, 255),
        Whole,
        settings.reroute_rtts
    ),
    key!(
        "settings",
        "idle_rtts",
        "Round trips without a packet after which a single path is idle and may move at once (U06).",
        Kind::Whole(0, 255),
        Whole,
        settings.idle_rtts
    ),
    key!(
        "settings",
        "reps_explore_bdps",
        "Bandwidth-delay products of packets for which REPS draws new EVs before it reuses any (uet.md 4.2).",
        Kind::Number(0.0, 16.0),
        Number,
        settings.reps_explore_bdps
    ),
    key!(
        "settings",
        "reps_freeze_us",
        "Time in microseconds for which REPS reuses old EVs after a TIMEOUT (uet.md 4.2).",
        Kind::Number(0.0, 200_000.0),
        Number,
        settings.reps_freeze_us
    ),
    key!(
        "settings",
        "seed",
        "Number that makes the order of EVs another one in every device (U08).",
        Kind::Whole(0, u32::MAX as u64),
        Whole,
        settings.seed
    ),
    key!(
        "settings",
        "flowlet_rtts",
        "Gap in round trips after which a flowlet of a QP begins, unless its own is set; more than paths differ (M03).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.flowlet_rtts
    ),
    key!(
        "settings",
        "window_bdps",
        "Bandwidth-delay products of packets that a sub-path may have in flight (M47, M67).",
        Kind::Number(0.1, 64.0),
        Number,
        settings.window_bdps
    ),
    key!(
        "settings",
        "raise_rtts",
        "Round trips without congestion after which the weight of a sub-path rises; 0 for never (M64).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.raise_rtts
    ),
    key!(
        "settings",
        "delay_percent",
        "RTT of a packet, in percent of `rtt_us`, above which its sub-path counts as congested; 0 for never (M64).",
        Kind::Number(0.0, 10_000.0),
        Number,
        settings.delay_percent
    ),
    key!(
        "settings",
        "migrate_rtts",
        "Round trips with congestion in a row after which packets leave a sub-path; 0 for never (M62, M70).",
        Kind::Whole(0, 7),
        Whole,
        settings.migrate_rtts
    ),
    key!(
        "settings",
        "fail_timeouts",
        "Number of TIMEOUTs in a row with which a sub-path fails; 0 for never (M72).",
        Kind::Whole(0, 7),
        Whole,
        settings.fail_timeouts
    ),
    key!(
        "settings",
        "tolerance_percent",
        "Largest span of a gap that is no suspected loss, in percent of the window of the stage; 100 for never (M57, M100, U24).",
        Kind::Number(0.0, 100.0),
        Number,
        settings.tolerance_percent
    ),
    key!(
        "settings",
        "tolerance_rtts",
        "Largest age of a gap that is no suspected loss, in round trips; more than paths differ (M57, M83).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.tolerance_rtts
    ),
    key!(
        "settings",
        "rto_us",
        "First retransmission time-out in microseconds, which doubles with each in a row; 0 for never (RTO_Init_Time).",
        Kind::Number(0.0, 33_000.0),
        Number,
        settings.rto_us
    ),
    key!(
        "settings",
        "rto_retries",
        "Time-outs in a row after which a PDC fails with the next one (Max_RTO_Retx_Cnt).",
        Kind::Whole(0, 15),
        Whole,
        settings.rto_retries
    ),
    key!(
        "settings",
        "ack_packets",
        "Packets that one ACK of a connection without multipath acknowledges (M103).",
        Kind::Whole(1, 255),
        Whole,
        settings.ack_packets
    ),
    key!(
        "settings",
        "ack_packets_multipath",
        "The same with multipath; with 1 every packet brings back its path (M26, M84).",
        Kind::Whole(1, 255),
        Whole,
        settings.ack_packets_multipath
    ),
    Key {
        section: "settings",
        name: "ack_bytes",
        help: "Bytes that one ACK of UET acknowledges (U29); \"auto\" is 16384, at most a quarter of a bandwidth-delay product, at least mtu.",
        kind: Kind::AutoOrWhole(1, 65_535),
        get: |config| auto_or(config.settings.ack_bytes),
        set: |config, value| config.settings.ack_bytes = whole(&value),
    },
    key!(
        "settings",
        "ack_rtts",
        "Time after which a packet of RoCEv2 is acknowledged, in round trips; 0 for never (M59, M103).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.ack_rtts
    ),
    key!(
        "settings",
        "alpha",
        "Weight of a new rate in the average rate of a virtual path (E12, E16).",
        Kind::Number(0.0, 0.99),
        Number,
        settings.alpha
    ),
    key!(
        "settings",
        "update_rtts",
        "Least time between two updates of the rate of a virtual path, in round trips (E12).",
        Kind::Number(0.0, 16.0),
        Number,
        settings.update_rtts
    ),
    key!(
        "settings",
        "explore_rtts",
        "Round trips without a mark after which a burst explores a virtual path, T_explore (E15, E16).",
        Kind::Number(1.0, 1000.0),
        Number,
        settings.explore_rtts
    ),
    key!(
        "settings",
        "burst_bdps",
        "Length of that burst in bandwidth-delay products, but at least 10 packets, C_burst (E16).",
        Kind::Number(0.0, 4.0),
        Number,
        settings.burst_bdps
    ),
    key!(
        "settings",
        "report_rtts",
        "Time after which ELAB reports without a packet that goes back, in round trips; 0 is never (E11).",
        Kind::Number(0.0, 100.0),
        Number,
        settings.report_rtts
    ),
];
