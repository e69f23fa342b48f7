// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic link`: two NICs as configured, with an imperfect network between them. One sends messages to the other, whose
//! every byte is checked where it is delivered.

mod scenario;
mod summary;

use super::{json, print};
use crate::backend::{self, Use};
use crate::cli::{self, Mode};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::stages::StageName;
use crate::trace;
use devices::AnyStage;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::ccc_table::CccAlgorithms;
use scenario::{Scenario, TRIMMABLE};
use summary::Summary;
use testbench::closed_loop::{ClosedLoop, NicConfig, Pdc, Protocol, SubPaths};
use testbench::network::Impairment;
use testbench::waveform::TraceHandle;
use testbench::{Dut, Error};

/// Modes of `entropy_selector` in the order in which they are taken if none is asked for.
const MODES: [Mode; 7] =
    [Mode::Reps, Mode::Mixed, Mode::Penalty, Mode::Bitmap, Mode::Oblivious, Mode::RoundRobin, Mode::SinglePath];
/// Packets between `fetch` and the wire, and clock cycles from `fetch` to the first byte: a host that is no bottleneck.
const AHEAD: u64 = 3;
const HOST_CLOCKS: u64 = 4;
/// The weight of each sub-path, and of the connection.
const WEIGHT: u64 = 255;
/// The granularity with which each packet has a sub-path chosen for it.
const PACKET: u64 = 2;

pub fn run(args: &cli::Link, config: &Config) -> Outcome {
    StageName::chosen(&[StageName::Nic], config)?;
    let config = &*StageName::Nic.own_config(config);
    if config.packet_tracker.pdcs < 2 {
        let help = "write `pdcs = 2` or more below [packet_tracker]";
        return Err(Failure::with_help("each end of a connection takes one, and the NIC has a single PDC", help));
    }
    let scenario = Scenario::of(args, config)?;
    let mode = mode(args, config)?;
    let nic = nic(config, scenario.paths.len(), mode);
    let bytes = args.messages * u64::from(args.bytes);
    // With what is sent again, and its answers.
    let clocks = 2 * (bytes as f64 * 8.0 / (scenario.gbps(config) * 1e3) * config.target.clock_mhz) as u64;
    let stage = StageName::Nic.of(config);
    let trace = trace::open(args.trace.as_deref())?;
    let device = |watched| backend::device(args.backend, &stage, Use { clocks, watched });
    let (sender, receiver) = (device(trace.is_some())?, device(false)?);
    let (trace, sender) = match trace {
        Some(file) => {
            let (trace, sender) = TraceHandle::of(sender, &StageName::Nic.module(config), file)?;
            (Some(trace), sender)
        }
        None => (None, sender),
    };
    let result = between(&nic, args, &scenario, config, vec![sender, receiver]);
    // That of a run that failed shows the cause.
    let finished = trace.map_or(Ok(()), TraceHandle::finish);
    let summary = result?;
    finished?;
    print(&if args.json { json(&summary)? } else { summary.text() })
}

/// Runs the messages between two devices.
fn between(
    nic: &NicConfig,
    args: &cli::Link,
    scenario: &Scenario,
    config: &Config,
    devices: Vec<Box<dyn Dut>>,
) -> Outcome<Summary> {
    let mut run = ClosedLoop::new(&scenario.fabric(config), nic, devices)?;
    run.open(nic, Pdc { from: 0, pdc: 0, to: 1, connection: 0, psn: 0x1000, ipv6: false, life: 0 })?;
    (0..args.messages).for_each(|_| run.send(0, 0, args.bytes));
    to_end(&mut run, args, scenario, config)?;
    Ok(Summary::of(&run, args, scenario, config))
}

/// How UET chooses paths.
fn mode(args: &cli::Link, config: &Config) -> Outcome<Mode> {
    let has = |mode: &Mode| config.entropy_selector.modes.mask() >> (*mode as u64) & 1 == 1;
    let of_roce = config.tx_protocol() == AckProtocol::Roce;
    match args.mode {
        Some(_) if of_roce => Err(Failure::with_help(
            "--mode is of UET, and these NICs are of RoCEv2",
            "leave it out, or choose UET by `tx.protocol`",
        )),
        Some(mode) if !has(&mode) => Err(Failure::with_help(
            format!("[entropy_selector] has no mode {mode:?}"),
            "include it there, or ask for another one",
        )),
        Some(mode) => Ok(mode),
        None => Ok(MODES.into_iter().find(has).unwrap_or(Mode::Bitmap)),
    }
}

/// What the hosts know of the NIC.
fn nic(config: &Config, paths: usize, mode: Mode) -> NicConfig {
    let trimmed = vec![config.protocols.trimmed_dscp, config.protocols.trimmed_last_hop_dscp];
    let mut open = vec![("weight", WEIGHT), ("dscp", TRIMMABLE.into())];
    let protocol = match config.tx_protocol() {
        AckProtocol::Roce => {
            if matches!(StageName::Nic.of(config), AnyStage::Nic(nic) if nic.rx.request_check().is_some()) {
                open.push(("mtu", config.tx.segment));
            }
            Protocol::Rocev2(SubPaths {
                granularity: PACKET,
                weights: vec![WEIGHT; paths],
                forced: !config.settings.probe_paths,
                trimmed,
            })
        }
        AckProtocol::Uet => {
            open.push(("mode", mode as u64));
            if config.ccc_table.algorithms == CccAlgorithms::Both {
                open.extend([("nscc", 1), ("rccc", 0)]);
            }
            Protocol::Uet { trimmed, crc: config.protocols.uet_crc }
        }
    };
    NicConfig {
        segment: config.tx.segment as u32,
        pdcs: 1,
        messages: config.tx.messages as u32,
        ahead: AHEAD,
        latency: HOST_CLOCKS,
        protocol,
        records_every: 1,
        open,
        settings: Vec::new(),
    }
}

/// What the NICs speak.
fn protocol_name(config: &Config) -> &'static str {
    match config.tx_protocol() {
        AckProtocol::Uet => "Ultra Ethernet",
        AckProtocol::Roce => "multipath RoCEv2",
    }
}

/// Runs until all messages are complete.
fn to_end(run: &mut ClosedLoop, args: &cli::Link, scenario: &Scenario, config: &Config) -> Outcome {
    let clocks = |us: f64| (us * config.target.clock_mhz) as u64;
    let fails = scenario.fails.map(|(path, us)| (path, run.now() + clocks(us)));
    let end = run.now() + clocks(args.limit_us);
    let packets = args.messages * u64::from(args.bytes).div_ceil(config.tx.segment);
    let progress = Progress::new("link", packets as usize);
    let mut shown = 0;
    while !run.ledger.is_done() {
        if let Some((path, _)) = fails.filter(|(_, at)| *at == run.now()) {
            for (from, to) in [(0, 1), (1, 0)] {
                run.fabric.path_mut(from, to, path).impair(Impairment { loss: 1.0, duplication: 0.0 });
            }
        }
        run.step().map_err(wrong)?;
        if run.now().is_multiple_of(4096) {
            let delivered = run.ledger.delivered_packets((0, 0));
            progress.add((delivered - shown) as usize);
            shown = delivered;
        }
        if let Some((at, pdc, reason)) = run.nics.iter().flat_map(|nic| &nic.failed).next() {
            let us = *at as f64 / config.target.clock_mhz;
            let message = format!("connection {pdc} has failed after {us:.1} us with `failure_reason` {reason}");
            return Err(Failure::with_help(
                message,
                "lose less, leave a path alive, or set `wait_for_path` and `rto_retries`",
            ));
        }
        if run.now() >= end {
            let done = run.ledger.delivered_packets((0, 0));
            let message = format!("after {} us {done} of {packets} packets have been delivered", args.limit_us);
            return Err(Failure::with_help(message, "give more time with --limit-us, or send less"));
        }
    }
    Ok(())
}

/// A rule of the loop is broken: the NIC is wrong.
fn wrong(error: Error) -> Failure {
    Failure::defect(error)
}
