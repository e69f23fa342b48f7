// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices, networks and loops that the tests share.

use crate::common::devices::{model, rtl};
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::credit_pacer::{CreditPacerConfig, CreditPacerSettings};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig, ReorderSettings};
use pipeline::receive::rx::RxConfig;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};
use pipeline::transmit::entropy_selector::{EntropySelectorConfig, EntropySelectorSettings, Modes};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};
use testbench::Dut;
use testbench::closed_loop::{ClosedLoop, NicConfig, Pdc, Protocol};
use testbench::network::{
    FabricConfig, Impairment, Lengths, LinkConfig, Marking, PathConfig, PortConfig, QueueConfig, Rate, Trimming,
};

/// DSCPs as in the example of uet.md 1.12.
pub const TRIMMABLE: u8 = 8;
pub const TRIMMED: u8 = 16;
pub const TRIMMED_LAST_HOP: u8 = 18;
const CONTROL: u8 = 46;

/// Clock cycles of an RTT of 12 us.
pub const RTT: u64 = 2344;
/// Units of 128 ns per clock cycle, with 16 fraction bits.
pub const TICK: u64 = 2621;
/// 0.99 of 64 bytes per clock cycle, in 1 / 65536 of 256 bytes.
const RATE: u64 = 16_220;
/// 100 Gb/s x 12 us.
pub const BDP: u64 = 150_000;
/// PDCs that a host opens, and as many that its peers do.
pub const PDCS: u16 = 8;
pub const WINDOW: u64 = 256;
/// Clock cycles for which the Verilog of a NIC runs in all tests together, about.
pub const CLOCKS: u64 = 1_000_000;
/// Clock cycles in which each PDC is looked at once for whether it stands still without credit: 20 us.
pub const CREDIT_REQUEST_CLOCKS: u64 = 3906;
/// Payload bytes of a packet.
pub const SEGMENT: u32 = 4096;
/// Ethernet, IPv4, UDP, PDS and SES headers, and the CRC.
pub const HEADERS: u64 = 102;
/// Bytes on the wire beside a frame.
pub const OVERHEAD: u64 = 24;

/// The device of a NIC.
pub type Device = Box<dyn Dut>;

/// What differs between loops.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// log2 of the payload bytes of a packet.
    pub segment_log: u32,
    /// The first time-out, in units of 128 ns.
    pub rto: u64,
    /// Algorithms of congestion control. With RCCC among them each PDC has RCCC alone.
    pub algorithms: CccAlgorithms,
    /// Credit that a sender may get in advance, in units of 256 bytes.
    pub advance: u64,
    /// Bytes of a unit of credit on the wire.
    pub credit_unit: u64,
    /// The host takes a record in one of so many clock cycles.
    pub records_every: u64,
    /// Messages of a PDC that can wait or be under way.
    pub messages: u64,
    /// Modes of the selector.
    pub modes: Modes,
    /// The age of a gap above which a loss is suspected, in units of 64 clock cycles.
    pub tolerance: u64,
    /// Cells of the pool in which receivers hold frames; none if they name them.
    pub cells: Option<u64>,
    /// Packets have to be for the MAC address of their receiver.
    pub check_mac: bool,
    /// Packets end with a CRC.
    pub uet_crc: bool,
}

/// What a receiver holds.
pub fn hold(cells: Option<u64>) -> Hold {
    cells.map_or(Hold::Descriptor, |cells| Hold::Payload(PayloadConfig::new(512, cells)))
}

impl Default for Sizes {
    /// Packets of 4 KB, a time-out of 100 us, as htsim has it (uet.md 2.10), and 225,000 bytes in advance.
    fn default() -> Self {
        Sizes {
            segment_log: 12,
            rto: 781,
            algorithms: CccAlgorithms::Nscc,
            advance: 879,
            credit_unit: 256,
            records_every: 1,
            messages: 8,
            modes: Modes::BITMAP,
            // With an RTT alone, packets that were trimmed and sent again through a full queue are reported as lost.
            tolerance: 3 * RTT / 64,
            cells: None,
            check_mac: false,
            uet_crc: true,
        }
    }
}

impl Sizes {
    fn protocols(self) -> Protocols {
        let [trimmed_dscp, trimmed_last_hop_dscp] = [TRIMMED, TRIMMED_LAST_HOP];
        let all = Protocols { uet_crc: self.uet_crc, ..Protocols::default() };
        Protocols { rocev2: false, elab: false, trimming: true, trimmed_dscp, trimmed_last_hop_dscp, ..all }
    }

    /// Inserts or checks the CRC.
    fn icrc(self, mode: IcrcMode) -> Option<IcrcConfig> {
        self.uet_crc.then(|| IcrcConfig::of(512, mode, &self.protocols()))
    }

    /// Makes frames.
    fn builder(self) -> HeaderBuilderConfig {
        let protocols = Protocols { trimming: false, ..self.protocols() };
        HeaderBuilderConfig { protocols, appends_crc: self.uet_crc, ..HeaderBuilderConfig::new(512) }
    }

    /// PDCs get credit.
    fn has_credit(self) -> bool {
        self.algorithms != CccAlgorithms::Nscc
    }
}

/// Inputs of `packet_tracker`'s settings with their values.
pub fn tracker_settings(settings: PacketTrackerSettings) -> [(&'static str, u64); 7] {
    let PacketTrackerSettings { tick, rto, retries, span, backoff, backoff_limit, tail_probe } = settings;
    [
        ("packet_tracker_settings_tick", tick),
        ("packet_tracker_settings_rto", rto),
        ("packet_tracker_settings_retries", retries),
        ("packet_tracker_settings_span", span),
        ("packet_tracker_settings_backoff", backoff),
        ("packet_tracker_settings_backoff_limit", backoff_limit),
        ("packet_tracker_settings_tail_probe", tail_probe),
    ]
}

/// Those of `reorder`, if it has no pool.
pub fn reorder_settings(reorder: &ReorderConfig) -> impl Iterator<Item = (&'static str, u64)> + use<> {
    let ReorderSettings { span, time } = reorder.settings;
    let named = matches!(reorder.hold, Hold::Descriptor)
        .then_some([("reorder_settings_span", span), ("reorder_settings_time", time)]);
    named.into_iter().flatten()
}

/// Those of `credit_pacer`.
fn pacer_settings(settings: CreditPacerSettings) -> [(&'static str, u64); 4] {
    let CreditPacerSettings { rate, quota, burst, advance } = settings;
    [
        ("credit_pacer_settings_rate", rate),
        ("credit_pacer_settings_quota", quota),
        ("credit_pacer_settings_burst", burst),
        ("credit_pacer_settings_advance", advance),
    ]
}

/// The transmit path.
fn tx(sizes: Sizes) -> TxConfig {
    let pdcs = 2 * PDCS as u64;
    let settings = EntropySelectorSettings { rtt: RTT, freeze: 30_518, ..EntropySelectorSettings::DEFAULT };
    let tracker = PacketTrackerConfig::new(pdcs, WINDOW);
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            cccs: pdcs,
            settings: PacketTrackerSettings { tick: TICK, rto: sizes.rto, ..tracker.settings },
            ..tracker
        },
        ccc_table: CccTableConfig {
            settings: CccTableSettings {
                tick: TICK,
                mtu: 4200 + if sizes.has_credit() { 4 } else { 0 } + if sizes.uet_crc { 4 } else { 0 },
                ..CccTableSettings::new()
            },
            credit_unit: sizes.credit_unit,
            ..CccTableConfig::new(pdcs, sizes.algorithms)
        },
        paths: Paths::Selector(EntropySelectorConfig::new(pdcs, 64).modes(sizes.modes).settings(settings)),
        builder: sizes.builder(),
        icrc_insert: sizes.icrc(IcrcMode::Insert),
        messages: sizes.messages,
        segment_log: sizes.segment_log,
        header_bytes: 44,
        handle_bits: 16,
        tag_is_time: false,
        probes: ProbeDefaults::DEFAULT,
        control_dscp: CONTROL.into(),
        credit_request_clocks: CREDIT_REQUEST_CLOCKS,
    }
}

/// The receive path.
fn rx(sizes: Sizes) -> RxConfig {
    let connections = 2 * PDCS as u64;
    let ack = AckGeneratorConfig::new(AckProtocol::Uet, connections, WINDOW);
    let reorder = ReorderConfig::new(connections, WINDOW);
    RxConfig {
        parser: HeaderParserConfig { protocols: sizes.protocols(), ..HeaderParserConfig::new(512) },
        icrc: sizes.icrc(IcrcMode::Check),
        gate: FrameGateConfig::new(512, 32_768, 256),
        lookup: ContextLookupConfig {
            entries: 2 * connections,
            kinds: KeyKinds { rocev2: false, uet: true, elab: false },
            ram_latency: 2,
        },
        reorder: ReorderConfig {
            psn_bits: 32,
            hold: hold(sizes.cells),
            settings: ReorderSettings { time: sizes.tolerance, ..reorder.settings },
            ..reorder
        },
        ack: AckGeneratorConfig { settings: AckGeneratorSettings { tick: TICK, ..ack.settings }, ..ack },
        builder: sizes.builder(),
        icrc_insert: sizes.icrc(IcrcMode::Insert),
        tag_is_time: false,
        ack_dscp: Some(CONTROL.into()),
        answer_interval: 0,
        check_mac: sizes.check_mac,
        request_check: false,
    }
}

/// The pacer: 0.99 of 100 Gb/s, quotas of 16 KiB.
fn pacer(sizes: Sizes) -> CreditPacerConfig {
    let units = |of_256: u64| of_256 * 256 / sizes.credit_unit;
    let (rate, quota, advance) = (units(RATE), units(64), units(sizes.advance));
    let settings = CreditPacerSettings { rate, quota, burst: quota, advance };
    CreditPacerConfig { settings, ..CreditPacerConfig::new(2 * PDCS as u64) }
}

/// What a NIC is told.
pub fn nic(sizes: Sizes) -> NicConfig {
    let algorithms = [("nscc", 0), ("rccc", 1)].into_iter().filter(|_| sizes.algorithms == CccAlgorithms::Both);
    NicConfig {
        segment: 1 << sizes.segment_log,
        pdcs: PDCS,
        messages: sizes.messages as u32,
        ahead: 3,
        latency: 4,
        protocol: Protocol::Uet { trimmed: vec![TRIMMED, TRIMMED_LAST_HOP], crc: sizes.uet_crc },
        records_every: sizes.records_every,
        open: [("weight", 4), ("dscp", TRIMMABLE.into())].into_iter().chain(algorithms).collect(),
        settings: tracker_settings(tx(sizes).packet_tracker.settings)
            .into_iter()
            .chain(reorder_settings(&rx(sizes).reorder))
            .chain(sizes.has_credit().then(|| pacer_settings(pacer(sizes).settings)).into_iter().flatten())
            .collect(),
    }
}

/// The design, which is the same for all settings that are written after reset.
pub fn design(sizes: Sizes) -> pipeline::nic::NicConfig {
    let Sizes { rto, advance, tolerance, .. } = Sizes::default();
    // A pool has its own settings of gaps.
    let tolerance = if sizes.cells.is_some() { sizes.tolerance } else { tolerance };
    let sizes = Sizes { rto, advance, tolerance, ..sizes };
    pipeline::nic::NicConfig { rx: rx(sizes), tx: tx(sizes), pacer: sizes.has_credit().then(|| pacer(sizes)) }
}

/// Models.
pub fn models(sizes: Sizes) -> impl Iterator<Item = Device> {
    let design = design(sizes);
    std::iter::repeat_with(move || model(&design))
}

/// Simulations of the Verilog.
pub fn simulations(sizes: Sizes) -> impl Iterator<Item = Device> {
    let design = design(sizes);
    std::iter::repeat_with(move || -> Device { Box::new(rtl(&design, CLOCKS)) })
}

/// A link of 100 Gb/s.
pub const fn link(delay: u64, first_bit: bool) -> LinkConfig {
    LinkConfig { rate: Rate { bytes: 64, cycles: 1 }, delay, overhead: OVERHEAD, first_bit }
}

/// A queue with the settings of uet.md 1.13.
fn queue(trimmed: Option<u8>) -> QueueConfig {
    let trimming =
        trimmed.map(|trimmed| Trimming { trimmable: TRIMMABLE, trimmed, keep: 24, lengths: Lengths::Adjusted });
    QueueConfig {
        capacity: if trimmed.is_some() { BDP } else { 5 * BDP },
        priority_capacity: BDP,
        control: vec![CONTROL],
        marking: Some(Marking { low: BDP / 5, high: BDP * 4 / 5 }),
        trimming,
    }
}

/// The delays of the links from a host to its leaf and back. Between two hosts on one leaf, with two of each, the RTT of a packet of
/// 4 KB is 12 us: the rest is in the NICs and on the wires.
pub const UP: u64 = 495;
pub const DOWN: u64 = 494;

/// Hosts on one leaf.
pub fn one_leaf(hosts: usize, trims: bool) -> FabricConfig {
    let queue = |trimmed: u8| queue(trims.then_some(trimmed));
    FabricConfig {
        hosts: vec![0; hosts],
        uplink: link(UP, false),
        downlink: PortConfig {
            queue: queue(TRIMMED_LAST_HOP),
            link: link(DOWN, true),
            impairment: Impairment::default(),
        },
        paths: Vec::new(),
        path_queue: queue(TRIMMED),
        seed: 1,
    }
}

/// Two leaves with paths of these delays between them; hosts are on one and the other in turn.
pub fn two_leaves(hosts: usize, delays: &[u64], impairment: Impairment) -> FabricConfig {
    FabricConfig {
        hosts: (0..hosts).map(|host| host % 2).collect(),
        paths: delays.iter().map(|delay| PathConfig { link: link(*delay, false), impairment }).collect(),
        uplink: link(50, false),
        ..one_leaf(hosts, true)
    }
}

/// A loop of models.
pub fn closed_loop(fabric: &FabricConfig, sizes: Sizes, pdcs: &[Pdc]) -> ClosedLoop {
    opened(fabric, sizes, pdcs, models(sizes))
}

/// A loop of these devices in which these PDCs are open.
pub fn opened(fabric: &FabricConfig, sizes: Sizes, pdcs: &[Pdc], devices: impl Iterator<Item = Device>) -> ClosedLoop {
    let nic = nic(sizes);
    let mut run = ClosedLoop::new(fabric, &nic, devices.take(fabric.hosts.len())).expect("the ports are there");
    for pdc in pdcs {
        run.open(&nic, *pdc).expect("it opens");
    }
    run
}

/// A PDC with IPv4 from one host to another.
pub const fn pdc(from: u16, pdc: u16, to: u16, connection: u16) -> Pdc {
    Pdc { from, pdc, to, connection, psn: 0x1000 + 0x100 * pdc as u32, ipv6: false, life: 0 }
}

/// A counter, over all NICs.
pub fn count(run: &ClosedLoop, name: &str) -> u64 {
    let of = |nic: &testbench::closed_loop::Nic| nic.count(name).unwrap_or_else(|| panic!("no counter {name}"));
    run.nics.iter().map(of).sum()
}

/// Microseconds of a number of clock cycles.
pub fn us(cycles: u64) -> f64 {
    cycles as f64 / 195.3125
}

/// Says what has happened, for who reads the output of a test.
pub fn report(name: &str, run: &ClosedLoop) {
    println!("{name}: {:.1} us, {:?}", us(run.now()), run.fabric.counts());
    for (host, nic) in run.nics.iter().enumerate() {
        let (sender, receiver) = (nic.sender.counts, nic.receiver.counts);
        println!("  host {host}: {:?} {sender:?} {receiver:?} {:?}", nic.sent, nic.counts());
    }
}
