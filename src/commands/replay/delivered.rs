// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets that a receive path delivers, each as the frame in which it came, and the messages that they complete.
//!
//! A receive path of descriptors names frames by their numbers, and one with a pool gives the frames themselves.

use crate::backend::{self, Use};
use crate::cli::Backend;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use pipeline::headers::opcode::completes_message;
use pipeline::receive::ack_generator::AckProtocol;
use std::collections::{BTreeMap, VecDeque};
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::benches::rx_bench::{Delivered, RxBench};
use testbench::streams::Frame;

/// A packet in order.
pub struct Delivery {
    /// The clock cycle, that of the last beat of a frame.
    pub cycle: u64,
    /// The number of its connection.
    pub connection: u64,
    /// Its frame.
    pub bytes: Vec<u8>,
}

/// What a receive path has delivered, in the order of delivery.
pub fn of(bench: &RxBench, config: &Config) -> Outcome<Vec<Delivery>> {
    let cycles = bench.delivery_cycles().iter().copied();
    if bench.holds_frames() {
        let delivered = cycles.zip(bench.delivered_frames()?);
        return Ok(delivered.map(|(cycle, (connection, _, bytes))| Delivery { cycle, connection, bytes }).collect());
    }
    let mut waiting = waiting(bench, config)?;
    let of = |(cycle, Delivered { connection, psn, handle }): (u64, Delivered)| {
        // Numbers come again; the first one that waits is meant.
        let frame = waiting.get_mut(&(connection, psn, handle)).and_then(VecDeque::pop_front);
        let bytes = frame.ok_or_else(|| Failure::message(format!("PSN {psn} is delivered, but did not come")))?;
        Ok(Delivery { cycle, connection, bytes })
    };
    cycles.zip(bench.delivered()?).map(of).collect()
}

/// The frames of packets in sequence, by connection, PSN and number.
type Waiting = BTreeMap<(u64, u64, u64), VecDeque<Vec<u8>>>;

fn waiting(bench: &RxBench, config: &Config) -> Outcome<Waiting> {
    let field = match config.ack_protocol() {
        AckProtocol::Roce => "bth_psn",
        AckProtocol::Uet => "uet_psn",
    };
    let mut waiting = Waiting::new();
    for ((frame, record), packet) in bench.frames()?.into_iter().zip(bench.records()).zip(bench.identified()?) {
        if packet.in_sequence && packet.found {
            let key = (packet.connection, record.get(field) as u64, packet.handle);
            waiting.entry(key).or_default().push_back(frame.bytes);
        }
    }
    Ok(waiting)
}

/// RoCEv2: how many messages the packets of each of so many connections complete, by their OpCodes. In UET that is said by
/// headers that the receive path does not read.
pub fn messages(delivered: &[Delivery], connections: usize, config: &Config) -> Outcome<Option<Vec<u64>>> {
    if config.ack_protocol() == AckProtocol::Uet {
        return Ok(None);
    }
    let frames: Vec<_> = delivered.iter().map(|packet| Frame { bytes: packet.bytes.clone(), user: 0 }).collect();
    let to = Use::frames(frames.iter().map(|frame| frame.bytes.len()), config.data_width);
    let mut parser = backend::device(Backend::Model, &StageName::HeaderParser.of(config), to)?;
    let mut messages = vec![0; connections];
    for (packet, read) in delivered.iter().zip(parse(&mut *parser, &frames, Traffic::default())?) {
        let opcode = read.record.get("bth_opcode") as u8;
        messages[packet.connection as usize] += u64::from(completes_message(opcode, config.protocols.mpeh));
    }
    Ok(Some(messages))
}
