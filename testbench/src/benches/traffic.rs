// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endless frames for lock-step and benches: valid frames, and frames with an error in them.

use crate::benches::parser_bench::has_records;
use crate::device::Error;
use crate::device::random::Random;
use crate::streams::side_band::{self, Carrier};
use crate::streams::{Channel, Feed, Frame, Item, Streams, beats};
use pipeline::headers::side_band::SideBand;

/// Draws from `frames` at random. With probability `broken`, a bit, a byte or the length of a frame is changed, or the
/// MAC marks it as bad. Every frame has another side band.
pub fn feed(frames: Vec<Frame>, broken: f64, side_band: SideBand) -> Feed {
    Box::new(move |channel: &Channel, random: &mut Random| -> Vec<Item> {
        let mut frame = match frames.len() as u64 {
            0 => Frame { bytes: vec![0; 60], user: 0 },
            count => frames[random.below(count) as usize].clone(),
        };
        if random.chance(broken) {
            corrupt(&mut frame, random);
        }
        let mut items = beats(channel, &frame).unwrap_or_default();
        if let Ok(carrier) = Carrier::of(channel, side_band) {
            let along = side_band::draw(side_band, items.len(), random);
            items.iter_mut().zip(&along).for_each(|(item, along)| carrier.put(item, along));
        }
        items
    })
}

fn corrupt(frame: &mut Frame, random: &mut Random) {
    let length = frame.bytes.len() as u64;
    let at = random.below(length.min(80)) as usize;
    match random.below(4) {
        0 => frame.bytes[at] ^= 1 << random.below(8),
        1 => frame.bytes[at] = random.bits() as u8,
        2 => frame.bytes.truncate(1 + random.below(length) as usize),
        _ => frame.user ^= 1,
    }
}

/// The streams of a header parser, or of another stage that frames pass through, with such frames. `stall` is the
/// probability of a pause on every stream, `reset` that of a reset in a cycle.
pub fn parser_streams(
    ports: &crate::device::Ports,
    frames: Vec<Frame>,
    stall: f64,
    reset: f64,
    seed: u64,
) -> Result<Streams, Error> {
    let mut streams = Streams::new(ports, Random::new(seed))
        .source("s_axis", |s| s.pause(stall).feed(feed(frames, 0.3, side_band::of_ports(ports))))?
        .sink("m_axis", |s| s.pause(stall).discard())?;
    if has_records(ports) {
        streams = streams.sink("m_record", |s| s.pause(stall).discard())?;
    }
    Ok(streams.reset(reset))
}
