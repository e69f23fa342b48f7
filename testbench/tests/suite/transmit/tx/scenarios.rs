// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic through a transmit path, which must do what the checker says.

use super::checker::Checker;
use super::peer::{Credits, Network};
use super::requests::Pace;
use super::run::Run;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};
use pipeline::transmit::entropy_selector::EntropySelectorConfig;
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};
use std::collections::BTreeSet;
use testbench::Dut;

/// PDCs of the device.
pub const PDCS: u64 = 4;
const WINDOW: u64 = 64;
/// The DSCP of control packets.
const CONTROL_DSCP: u8 = 46;
/// Clock cycles in which each PDC is looked at once for whether it stands still.
const CREDIT_REQUEST_CLOCKS: u64 = 1200;

/// A network without faults.
pub const CLEAN: Network = Network { loss: 0.0, trim: 0.0, repeat: 0.0, mark: 0.0, delay: (100, 200) };
/// One with all of them.
pub const LOSSY: Network = Network { loss: 0.02, trim: 0.05, repeat: 0.02, mark: 0.1, delay: (50, 600) };

/// A transmit path of this width, with 4 PDCs of 64 PSNs, packets of 256 bytes, and time-outs after a few round trips.
pub fn config(algorithms: CccAlgorithms, width: u32, messages: u64, ram_latency: u32) -> TxConfig {
    let protocols = Protocols { rocev2: false, elab: false, ..Protocols::default() };
    let settings = PacketTrackerSettings { rto: 80, retries: 15, ..PacketTrackerSettings::for_window(WINDOW) };
    let ccc_settings = CccTableSettings { mtu: 512, ..CccTableSettings::new() };
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            cccs: PDCS,
            ram_latency,
            settings,
            ..PacketTrackerConfig::new(PDCS, WINDOW)
        },
        ccc_table: CccTableConfig { ram_latency, settings: ccc_settings, ..CccTableConfig::new(PDCS, algorithms) },
        paths: Paths::Selector(EntropySelectorConfig::new(PDCS, 64).ram_latency(ram_latency)),
        builder: HeaderBuilderConfig { protocols, appends_crc: true, ..HeaderBuilderConfig::new(width) },
        icrc_insert: Some(IcrcConfig::of(width, IcrcMode::Insert, &protocols)),
        messages,
        segment_log: 8,
        header_bytes: 44,
        handle_bits: 16,
        tag_is_time: false,
        probes: ProbeDefaults::DEFAULT,
        control_dscp: CONTROL_DSCP.into(),
        credit_request_clocks: CREDIT_REQUEST_CLOCKS,
    }
}

/// The same without a CRC.
pub fn without_crc(config: TxConfig) -> TxConfig {
    let protocols = Protocols { uet_crc: false, ..config.builder.protocols };
    let builder = HeaderBuilderConfig { protocols, appends_crc: false, ..config.builder };
    TxConfig { builder, icrc_insert: None, ..config }
}

/// The same with RCCC, in which a PDC has no credit until it has asked for some.
pub fn without_credit(width: u32, messages: u64, ram_latency: u32) -> TxConfig {
    let config = config(CccAlgorithms::Rccc, width, messages, ram_latency);
    let settings = CccTableSettings { config_wnd: 0, ..config.ccc_table.settings };
    TxConfig { ccc_table: CccTableConfig { settings, ..config.ccc_table }, ..config }
}

/// What the checker is to know of such a configuration. In time means so many clock cycles later than two rounds.
pub fn checker(config: &TxConfig, patience: Option<u64>) -> Checker {
    let asks = config.ccc_table.algorithms.has_rccc();
    let pace = Pace { round: PDCS * config.visit_interval(), patience };
    let crc = config.icrc_insert.is_some();
    Checker::new(PDCS, 1 << config.segment_log, (config.messages, WINDOW), (asks, crc), CONTROL_DSCP, pace)
}

/// When peers grant credit.
pub fn credits(config: &TxConfig) -> Credits {
    match config.ccc_table {
        CccTableConfig { algorithms: CccAlgorithms::Rccc, settings, .. } if settings.config_wnd == 0 => Credits::Asked,
        CccTableConfig { algorithms: CccAlgorithms::Rccc, .. } => Credits::Grow,
        _ => Credits::None,
    }
}

/// All requests for credit have left; none has if PDCs have no RCCC.
fn requests_are_right(run: &Run, config: &TxConfig) {
    let frames = run.checker.requests.frames;
    assert!(run.checker.requests.all_have_left(), "{frames} frames");
    if run.bench.has("credit_requests") {
        assert_eq!(frames, run.bench.output("credit_requests"));
    }
    assert!(frames == 0 || credits(config) != Credits::None, "{frames} requests without RCCC");
    let (credits, has_credit) = (run.checker.credits, run.bench.has("credit_requests"));
    assert!((credits > 100) == has_credit, "{credits} CREDIT packets");
}

/// Counters of what never happens if all stages know of the same packets.
pub const CONSISTENT: [&str; 6] = [
    "ccc_table_excess_acks",
    "ccc_table_excess_sends",
    "ccc_table_short_backlogs",
    "ccc_table_refused_data",
    "entropy_selector_refused_requests",
    "header_builder_bad",
];

pub fn counters_are_0(run: &Run, names: &[&str]) {
    for name in names {
        assert_eq!(run.bench.output(name), 0, "{name}");
    }
}

/// What happened in a run.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub frames: u64,
    pub retransmissions: u64,
    pub completions: u64,
    pub nacks: u64,
    /// CREDIT_REQUESTs.
    pub requests: u64,
}

fn seen(run: &Run) -> Seen {
    let Checker { frames, retransmissions, completions, .. } = run.checker;
    Seen { frames, retransmissions, completions, nacks: run.peer.nacks, requests: run.checker.requests.frames }
}

/// Opens all PDCs; one of them with PSNs that wrap.
pub fn open_all(run: &mut Run) {
    for pdc in 0..PDCS {
        let psn = if pdc == 1 { 0xFFFF_FFF0 } else { run.random.bits() & 0xFFFF_FFFF };
        let response = run.open(pdc, psn, &[]);
        assert!(response.done && response.open, "{response:?}");
        assert_eq!((response.base, response.next, response.messages), (psn, psn, 0));
    }
}

/// Every message arrives once, byte by byte, whatever the network does, and however slowly everybody takes and brings.
pub fn delivers(dut: &mut dyn Dut, config: &TxConfig, seed: u64, cycles: u64, faults: bool) -> Seen {
    let (network, host) = if faults { (LOSSY, 300) } else { (CLEAN, 20) };
    // Each stream pauses in its own way, and in another one with each seed.
    let pause = |name: &str| if faults { [0.0, 0.3, 0.6, 0.9][(seed as usize + name.len()) % 4] } else { 0.0 };
    let patience = (!faults).then_some(600);
    let mut run = Run::new(dut, checker(config, patience), (PDCS, seed), (network, credits(config)), pause, host);
    // Nothing is open yet.
    run.request(0, 100);
    run.until_done();
    assert_eq!(run.checker.refusals, 1);
    open_all(&mut run);
    // Back to back for one PDC, more than it has places for.
    for _ in 0..3 * config.messages {
        let length = run.length();
        run.request(2, length);
    }
    run.until_done();
    for length in [0, 1, 255, 256, 257, 512, 256 * 40, 0] {
        run.request(3, length);
        run.until_done();
    }
    run.traffic(cycles, 0.02);
    run.until_done();
    // The last ACKs reach all stages.
    run.traffic(2000, 0.0);
    for pdc in 0..PDCS {
        let response = run.read(pdc);
        assert_eq!((response.done, response.open, response.messages), (true, true, 0));
        assert_eq!((response.base, response.next), (run.checker.next_psn(pdc), run.checker.next_psn(pdc)));
        let nothing = (response.in_flight, response.marked, response.state, response.inflight);
        assert_eq!(nothing, (0, 0, 0, 0), "{response:?}");
    }
    assert_eq!(run.failures, [], "clock cycle, PDC");
    let closed = ["packet_tracker_closed_events", "ccc_table_closed_events", "entropy_selector_feedback_closed"];
    counters_are_0(&run, &closed);
    counters_are_0(&run, &CONSISTENT);
    requests_are_right(&run, config);
    probes_are_right(&run, config, faults);
    seen(&run)
}

/// PDCs with NSCC have been probed, eight times each if nothing is lost.
fn probes_are_right(run: &Run, config: &TxConfig, faults: bool) {
    let probes = &run.checker.probes;
    if !config.ccc_table.algorithms.has_nscc() {
        assert!(probes.is_empty() && !run.bench.has("probes"), "{probes:?} without NSCC");
        return;
    }
    let (packets, lost) = (run.bench.output("probes"), run.bench.output("lost_probes"));
    assert_eq!(packets, probes.len() as u64);
    assert!(packets > 0 && (faults || packets == 8 * PDCS && lost == 0), "{packets} PROBEs, {lost} without an answer");
    let names: BTreeSet<_> = probes.iter().collect();
    assert_eq!(names.len(), probes.len(), "PROBEs with the same name: {probes:?}");
}

/// One PDC has all the credit that it wants, and the host is so slow that always as many of its packets wait as may. The others
/// have credit only when they ask.
pub fn floods(dut: &mut dyn Dut, config: &TxConfig, seed: u64, cycles: u64) -> Seen {
    let pause = |name: &str| if name == "s_axis" { 0.8 } else { 0.0 };
    let credits = Credits::AskedBesideOne;
    let mut run = Run::new(dut, checker(config, Some(20_000)), (PDCS, seed), (CLEAN, credits), pause, 20);
    open_all(&mut run);
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        for (pdc, length) in (0..PDCS).zip([256 * 12, 700, 300, 100]) {
            if run.checker.under_way(pdc) < config.messages.min(4) && run.is_answered() {
                run.request(pdc, length);
            }
        }
        run.grant();
        run.step();
        // A command now and then, which waits for a request that is under way.
        if run.bench.cycle().is_multiple_of(1500) {
            assert!(run.read(1).open);
        }
    }
    run.until_done();
    assert!(run.checker.most_due >= 32, "{} packets waited at most", run.checker.most_due);
    run.traffic(2000, 0.0);
    counters_are_0(&run, &CONSISTENT);
    requests_are_right(&run, config);
    seen(&run)
}

/// The settings of `ccc_table` of the configuration, by the names of the ports.
pub fn ccc_settings(config: &TxConfig) -> Vec<(&'static str, u64)> {
    let set = config.ccc_table.settings;
    vec![
        ("tick", set.tick),
        ("mtu", set.mtu),
        ("config_base_rtt", set.config_base_rtt),
        ("rtt_floor", set.rtt_floor),
        ("wnd_rate", set.wnd_rate),
        ("config_wnd", set.config_wnd),
        ("target", set.target),
        ("small_delay", set.small_delay),
        ("alpha", set.alpha),
        ("fi", set.fi),
        ("fi_scale", set.fi_scale),
        ("eta", set.eta),
        ("gamma", set.gamma),
        ("max_cut", set.max_cut),
        ("qa_enable", set.qa_enable),
        ("qa_gate", set.qa_gate),
        ("qa_threshold", set.qa_threshold),
        ("adjust_bytes", set.adjust_bytes),
        ("adjust_period", set.adjust_period),
        ("ack_trigger", set.ack_trigger),
    ]
}

/// PDCs are closed and opened again amid traffic. The stream `slow` stands still for hundreds of clock cycles; if that is
/// `settings`, `ccc_table` does so.
pub fn reopens(dut: &mut dyn Dut, config: &TxConfig, seed: u64, rounds: u64, slow: &str) -> Seen {
    let pause = |name: &str| {
        if name != slow {
            0.2
        } else if name == "m_axis" {
            0.9
        } else {
            0.985
        }
    };
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), (LOSSY, credits(config)), pause, 100);
    open_all(&mut run);
    run.traffic(3000, 0.05);
    // A reset amid traffic leaves nothing.
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed + 3), (LOSSY, credits(config)), pause, 100);
    if slow == "settings" {
        run.bench.settings("ccc_table", 250, &ccc_settings(config));
    }
    assert!(!run.close(0, true).done, "it is closed");
    open_all(&mut run);
    let refused = run.open(1, 7, &[]);
    assert!(!refused.done && refused.open, "it is open: {refused:?}");
    let mut forced = 0;
    for round in 0..rounds {
        let pdc = run.random.below(PDCS);
        let cycles = run.random.below(3000);
        run.traffic(cycles, 0.05);
        let waited = run.checker.under_way(pdc);
        let response = run.close(pdc, false);
        if !response.done {
            assert!(response.open && response.messages > 0, "{response:?}, {waited} before");
            // It is as before.
            run.traffic(500, 0.05);
            forced += 1;
            let closed = run.close(pdc, true);
            assert!(closed.done && !closed.open && closed.messages == 0 && closed.next == 0, "{closed:?}");
        }
        // Often it is opened again at once.
        if round % 4 == 0 {
            let state = run.read(pdc);
            assert!(state.done && !state.open && state.state == 0, "{state:?}");
            run.traffic(300, 0.05);
        }
        // A selector that refuses has the others closed again; 15 is no EV space.
        if round % 4 == 1 {
            let refused = run.open(pdc, 5, &[("space", 15)]);
            assert!(!refused.done && !refused.open, "{refused:?}");
            let refused = run.open(pdc, 5, &[("class", 3)]);
            assert!(!refused.done && !refused.open, "{refused:?}");
        }
        let psn = run.random.bits() & 0xFFFF_FFFF;
        assert!(run.open(pdc, psn, &[]).done);
    }
    run.until_done();
    run.traffic(2000, 0.0);
    for pdc in 0..PDCS {
        let response = run.read(pdc);
        let nothing = (response.in_flight, response.marked, response.state, response.inflight);
        assert_eq!(nothing, (0, 0, 0, 0), "{response:?}");
    }
    counters_are_0(&run, &CONSISTENT);
    requests_are_right(&run, config);
    assert!(forced > rounds / 4, "too few were forced: {forced} of {rounds}");
    // When nothing is under way, no force is needed.
    for pdc in 0..PDCS {
        assert!(run.close(pdc, false).done);
    }
    seen(&run)
}

/// The clock cycles between packets of one message over a network without faults: the fewest and the most.
pub fn interval(dut: &mut dyn Dut, config: &TxConfig) -> (u64, u64) {
    let mut run = Run::new(dut, checker(config, None), (PDCS, 1), (CLEAN, credits(config)), |_| 0.0, 0);
    assert!(run.open(0, 1000, &[("weight", 15)]).done);
    run.request(0, 256 * 100);
    let (mut shortest, mut longest, mut last) = (u64::MAX, 0, None);
    while !(run.checker.frames == 100 && run.checker.is_done()) {
        let before = run.checker.next_psn(0);
        run.step();
        if run.checker.next_psn(0) != before {
            let now = run.bench.cycle();
            if let Some(last) = last {
                (shortest, longest) = (shortest.min(now - last), longest.max(now - last));
            }
            last = Some(now);
        }
    }
    (shortest, longest)
}
