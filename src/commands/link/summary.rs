// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has become of the messages, the packets and the paths.

use super::scenario::{Scenario, packet};
use crate::cli;
use crate::config::Config;
use serde::Serialize;
use std::fmt::Write;
use testbench::closed_loop::ClosedLoop;

/// The result of a run.
#[derive(Serialize)]
pub struct Summary {
    protocol: &'static str,
    backend: &'static str,
    seed: u64,
    messages: u64,
    bytes: u64,
    /// From the first request to the last completion.
    us: f64,
    goodput_gbps: f64,
    /// The most that the paths carry beside the headers.
    possible_gbps: f64,
    completion_us: Completion,
    packets: Packets,
    paths: Vec<OfPath>,
}

/// Times from the request of a message to its completion at the sender, in microseconds.
#[derive(Serialize)]
struct Completion {
    least: f64,
    median: f64,
    p99: f64,
    most: f64,
}

/// Data packets of the sender and frames of the network.
#[derive(Serialize)]
struct Packets {
    sent: u64,
    /// Of them, those that had been sent before.
    retransmitted: u64,
    time_outs: u64,
    /// Frames, of either way.
    marked: u64,
    trimmed: u64,
    dropped: u64,
    lost: u64,
    /// Packets that the receiver had already.
    duplicates: u64,
}

/// A path, on the way of the data.
#[derive(Serialize)]
struct OfPath {
    gbps: f64,
    rtt_us: f64,
    frames: u64,
    share: f64,
    marked: u64,
    lost: u64,
    /// The longest queue in bytes.
    longest_queue: u64,
}

impl Summary {
    pub fn of(run: &ClosedLoop, args: &cli::Link, scenario: &Scenario, config: &Config) -> Self {
        let us = |clocks: u64| clocks as f64 / config.target.clock_mhz;
        let messages = run.ledger.messages((0, 0));
        let took = |from: Option<u64>, to: Option<u64>| us(to.unwrap_or(0).saturating_sub(from.unwrap_or(0)));
        let first = messages.iter().filter_map(|message| message.requested).min();
        let all = took(first, messages.iter().filter_map(|message| message.completed).max());
        let mut times: Vec<_> = messages.iter().map(|message| took(message.requested, message.completed)).collect();
        times.sort_by(f64::total_cmp);
        // The nearest rank.
        let percentile = |percent: usize| times[(times.len() * percent).div_ceil(100).max(1) - 1];
        let bytes: u64 = messages.iter().map(|message| u64::from(message.length)).sum();
        let (sender, receiver) = (&run.nics[0], &run.nics[1]);
        let count = |name| sender.count(name).unwrap_or(0);
        let network = run.fabric.counts();
        let ports: Vec<_> = (0..scenario.paths.len()).map(|path| run.fabric.path(0, 1, path).counts()).collect();
        let frames: u64 = ports.iter().map(|port| port.queue.arrived).sum();
        let of_path = |(path, port): (&super::scenario::Path, &testbench::network::PortCounts)| OfPath {
            gbps: path.gbps,
            rtt_us: path.rtt_us,
            frames: port.queue.arrived,
            share: port.queue.arrived as f64 / frames.max(1) as f64,
            marked: port.queue.marked,
            lost: port.lost,
            longest_queue: port.queue.peak,
        };
        Summary {
            protocol: super::protocol_name(config),
            backend: args.backend.name(),
            seed: scenario.seed,
            messages: messages.len() as u64,
            bytes,
            us: all,
            goodput_gbps: bytes as f64 * 8.0 / (all * 1e3),
            possible_gbps: scenario.gbps(config) * config.tx.segment as f64 / packet(config) as f64,
            completion_us: Completion {
                least: percentile(0),
                median: percentile(50),
                p99: percentile(99),
                most: percentile(100),
            },
            packets: Packets {
                sent: sender.sender.counts.new + sender.sender.counts.again,
                retransmitted: sender.sender.counts.again,
                time_outs: count("packet_tracker_timeouts"),
                marked: network.queue.marked,
                trimmed: network.queue.trimmed,
                dropped: network.queue.dropped + network.queue.priority_dropped,
                lost: network.lost,
                duplicates: ["duplicates", "below_window"].iter().filter_map(|name| receiver.count(name)).sum(),
            },
            paths: scenario.paths.iter().zip(&ports).map(of_path).collect(),
        }
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |what: &str, says: String| {
            let _ = writeln!(text, "{what:<12}{says}");
        };
        let Packets { sent, retransmitted, time_outs, marked, trimmed, dropped, lost, duplicates } = self.packets;
        let Completion { least, median, p99, most } = self.completion_us;
        line("nics", format!("two of {}, on {}, seed {}", self.protocol, self.backend, self.seed));
        let percent = 100.0 * self.goodput_gbps / self.possible_gbps;
        line(
            "goodput",
            format!(
                "{:.1} Gb/s, {percent:.1} % of the {:.1} Gb/s that the paths carry beside the headers",
                self.goodput_gbps, self.possible_gbps
            ),
        );
        line(
            "messages",
            format!("{}, {} bytes in {:.1} us, all complete and every byte right", self.messages, self.bytes, self.us),
        );
        line("completion", format!("{least:.1} us at least, {median:.1} median, {p99:.1} P99, {most:.1} at most"));
        line(
            "packets",
            format!("{sent} sent, {retransmitted} of them again, {time_outs} time-outs, {duplicates} came twice"),
        );
        line(
            "network",
            format!("{marked} marked, {trimmed} trimmed, {dropped} dropped by queues, {lost} lost by links"),
        );
        for (number, path) in self.paths.iter().enumerate() {
            let OfPath { gbps, rtt_us, frames, share, marked, lost, longest_queue } = path;
            line(
                &format!("path {number}"),
                format!(
                    "{gbps} Gb/s, {rtt_us} us: {frames} frames, {:.1} %, {marked} marked, {lost} lost, queue up to {longest_queue} bytes",
                    100.0 * share
                ),
            );
        }
        text
    }
}
