// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams over devices written by hand: a register that passes frames on, and one that breaks the rules.

use super::*;
use crate::device::ports::interface;
use crate::device::random::Random;
use crate::device::{Dut, Error, Ports};
use rtl_model::netlist::interfaces::Direction;
use std::collections::VecDeque;

/// A queue of beats between the two streams. Ready and valid depend on its state alone.
struct Queue {
    ports: Ports,
    beats: VecDeque<[u64; 4]>,
    forgets: bool,
}

fn queue(forgets: bool) -> Queue {
    let axis = |name: &str, direction| {
        let fields = [("tdata", 64), ("tkeep", 8), ("tlast", 1), ("tuser", 1)];
        interface(name, direction, &["tvalid", "tready"], fields)
    };
    let ports = Ports::of_interfaces(vec![axis("s_axis", Direction::In), axis("m_axis", Direction::Out)]);
    Queue { ports, beats: VecDeque::new(), forgets }
}

impl Dut for Queue {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        out.fill(0);
        if let Some(beat) = self.beats.front() {
            out[1] = 1;
            out[2..6].copy_from_slice(beat);
        }
        out[0] = (self.beats.len() < 3) as u64;
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        let room = self.beats.len() < 3;
        if input[5] != 0 || self.forgets && self.beats.len() == 3 {
            self.beats.pop_front();
        }
        if input[0] != 0 && room {
            self.beats.push_back([input[1], input[2], input[3], input[4]]);
        }
        if reset {
            self.beats.clear();
        }
    }
}

fn run(mut dut: Queue, pause: f64) -> Result<(Vec<Frame>, Vec<Frame>), Error> {
    let mut random = Random::new(5);
    let sent: Vec<_> = (0..200)
        .map(|_| {
            let length = random.between(1, 40);
            Frame { bytes: (0..length).map(|_| random.bits() as u8).collect(), user: random.below(2) }
        })
        .collect();
    let ports = dut.ports.clone();
    let streams = Streams::new(&ports, random);
    let mut streams = streams.source("s_axis", |s| s.pause(pause))?.sink("m_axis", |s| s.pause(pause))?;
    let source = streams.source_mut("s_axis")?;
    for frame in &sent {
        let items = beats(source.channel(), frame)?;
        source.send(items);
    }
    let all: u64 = sent.iter().map(|f| f.bytes.len().div_ceil(8) as u64).sum();
    streams.run(&mut dut, 100, |s| s.parts().1[0].taken() == all)?;
    let sink = streams.sink_mut("m_axis")?;
    let got = frames(sink.channel(), sink.items())?;
    Ok((sent, got))
}

#[test]
fn frames_pass_whatever_the_pauses() {
    for pause in [0.0, 0.3, 0.9] {
        let (sent, got) = run(queue(false), pause).expect("the queue keeps the rules");
        assert_eq!(sent, got);
    }
}

#[test]
fn a_device_that_withdraws_its_offer_is_found() {
    let error = run(queue(true), 0.5).expect_err("the queue forgets").to_string();
    assert!(error.contains("changed before `m_axis_tready`"), "{error}");
}

#[test]
fn a_stream_that_is_not_there_is_named() {
    let ports = Ports::of_interfaces(vec![interface("m_axis", Direction::Out, &["tvalid"], [("tdata", 64)])]);
    let no_stream = |found: Result<Channel, Error>| found.err().map(|error| error.to_string());
    let expected = Some("the device has no stream `m_axis`".to_owned());
    assert_eq!(no_stream(Channel::output(&ports, "m_axis")), expected, "there is no ready");
    assert_eq!(no_stream(Channel::input(&ports, "m_axis")), expected, "it goes the other way");
}
