// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames and events per second, compared with those of the link.

use crate::config::Target;
use serde::Serialize;

/// The frame rate at the worst frame length, and at a selection of lengths.
#[derive(Debug, Serialize)]
pub struct Rate {
    /// Number of pipelines that share the link.
    pub pipelines: u64,
    /// Number of bits per beat.
    pub data_width: u64,
    /// The clock, in MHz.
    pub clock_mhz: f64,
    /// The line rate, in Gb/s.
    pub link_gbps: f64,
    /// The frame length, without FCS, at which the pipelines have the least reserve.
    pub worst_frame: u64,
    /// Frames of this length that the pipelines take, in millions per second.
    pub mframes: f64,
    /// Frames of this length that the link delivers, in millions per second.
    pub link_mframes: f64,
    /// The clock at which the pipelines just keep up, in MHz.
    pub clock_needed_mhz: f64,
    /// The rates at lengths from the shortest to the longest.
    pub points: Vec<RatePoint>,
}

/// The rate at one frame length.
#[derive(Debug, Serialize)]
pub struct RatePoint {
    /// The length in bytes, without FCS.
    pub frame: u64,
    /// Number of beats per frame.
    pub beats: u64,
    /// Frames that the link delivers, in millions per second.
    pub link_mframes: f64,
    /// Frames that the pipelines take, in millions per second.
    pub mframes: f64,
    /// The clock at which the pipelines just keep up, in MHz.
    pub clock_needed_mhz: f64,
    /// Whether the pipelines keep up.
    pub keeps_up: bool,
}

/// Events or packets per second.
#[derive(Debug, Serialize)]
pub struct Events {
    /// Clock cycles of each of them.
    pub clocks: u64,
    /// Events that all pipelines take, in millions per second.
    pub mevents: f64,
    /// The line rate, in Gb/s.
    pub link_gbps: f64,
    /// The shortest frame at which one event per frame keeps up with the link; absent if there is none.
    pub from_frame: Option<u64>,
}

/// Number of bytes on the wire in addition to the frame: preamble 8, FCS 4, gap 12.
const OVERHEAD: u64 = 24;

/// The shortest frame, without FCS.
pub const SHORTEST: u64 = 60;
/// The longest frame, a jumbo frame, without FCS.
pub const LONGEST: u64 = 9018;

/// Lengths that are always shown: the shortest, both sides of a beat boundary, 4096 bytes of payload in RoCEv2 over
/// IPv4 (14 Ethernet, 20 IPv4, 8 UDP, 12 BTH, 4 ICRC), and MTU 1500 and 9000 with 802.1Q and without.
const LENGTHS: [u64; 13] = [60, 61, 64, 65, 128, 129, 256, 512, 513, 1024, 1514, 4154, LONGEST];

/// Frames of a length that the link delivers, in millions per second.
fn link_mframes(link_gbps: f64, frame: u64) -> f64 {
    link_gbps * 1e3 / ((frame + OVERHEAD) * 8) as f64
}

impl RatePoint {
    fn at(frame: u64, data_width: u64, link_gbps: f64, clock_mhz: f64, pipelines: u64) -> Self {
        let beats = frame.div_ceil(data_width / 8);
        let link_mframes = link_mframes(link_gbps, frame);
        let clock_needed_mhz = link_mframes * beats as f64 / pipelines as f64;
        RatePoint {
            frame,
            beats,
            link_mframes,
            mframes: clock_mhz * pipelines as f64 / beats as f64,
            clock_needed_mhz,
            keeps_up: clock_needed_mhz <= clock_mhz,
        }
    }
}

impl Rate {
    /// The frame rate of pipelines with beats of `data_width` bits.
    pub fn of(data_width: u64, target: &Target) -> Self {
        let at = |frame| RatePoint::at(frame, data_width, target.link_gbps, target.clock_mhz, target.pipelines);
        let by_need = |a: &RatePoint, b: &RatePoint| a.clock_needed_mhz.total_cmp(&b.clock_needed_mhz);
        // Of equal lengths the shortest is used.
        let worst = (SHORTEST..=LONGEST).rev().map(at).max_by(by_need).unwrap_or_else(|| at(SHORTEST));
        let mut lengths = LENGTHS.to_vec();
        lengths.push(worst.frame);
        lengths.sort_unstable();
        lengths.dedup();
        Rate {
            pipelines: target.pipelines,
            data_width,
            clock_mhz: target.clock_mhz,
            link_gbps: target.link_gbps,
            worst_frame: worst.frame,
            mframes: worst.mframes,
            link_mframes: worst.link_mframes,
            clock_needed_mhz: worst.clock_needed_mhz,
            points: lengths.into_iter().map(at).collect(),
        }
    }

    /// The clock at which one event per frame keeps up at every length.
    pub fn one_event_a_frame_mhz(&self) -> f64 {
        link_mframes(self.link_gbps, SHORTEST) / self.pipelines as f64
    }

    /// The clock at which one event per frame keeps up at one length.
    pub fn at(&self, frame: u64) -> RatePoint {
        RatePoint::at(frame, self.data_width, self.link_gbps, self.clock_mhz, self.pipelines)
    }
}

impl Events {
    /// The rate at one event per `clocks` clock cycles and pipeline.
    pub fn of(target: &Target, clocks: u64) -> Self {
        let mevents = target.clock_mhz * target.pipelines as f64 / clocks as f64;
        Events {
            clocks,
            mevents,
            link_gbps: target.link_gbps,
            from_frame: (SHORTEST..=LONGEST).find(|&frame| link_mframes(target.link_gbps, frame) <= mevents),
        }
    }

    /// Whether only frames from some length on keep up.
    pub fn is_limit(&self) -> bool {
        self.from_frame.is_none_or(|frame| frame > SHORTEST)
    }

    /// Why packets do not keep up, if there is no frame that is long enough.
    pub fn problem(&self) -> Option<String> {
        let Events { clocks, mevents, link_gbps, from_frame } = self;
        let slow = *clocks > 1 && from_frame.is_none();
        slow.then(|| {
            format!("{mevents:.2} million packets a second do not keep up with {link_gbps} Gb/s at any frame length")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(clock_mhz: f64, link_gbps: f64) -> Target {
        Target { device: String::new(), clock_mhz, link_gbps, ..Target::default() }
    }

    #[test]
    fn one_byte_beyond_a_beat_is_the_worst_length() {
        let rate = Rate::of(512, &target(322.265625, 100.0));
        assert_eq!(rate.worst_frame, 65);
        assert!((rate.clock_needed_mhz - 280.9).abs() < 0.1, "{}", rate.clock_needed_mhz);
    }

    #[test]
    fn a_narrow_bus_is_worst_with_long_frames() {
        let rate = Rate::of(64, &target(156.25, 10.0));
        assert!(rate.worst_frame > 9000 && rate.clock_needed_mhz < 156.25, "{rate:?}");
        assert!(rate.points.iter().any(|point| point.frame == rate.worst_frame));
    }

    #[test]
    fn shorter_frames_than_one_event_each_can_follow() {
        // The link delivers 148.8 million frames of 60 bytes per second.
        assert_eq!(Events::of(&target(150.0, 100.0), 1).from_frame, Some(60));
        // A frame of 101 + 24 bytes has 1000 bits.
        assert_eq!(Events::of(&target(100.0, 100.0), 1).from_frame, Some(101));
        assert_eq!(Events::of(&target(1.0, 800.0), 1).from_frame, None);
        // Packets that take 26 clock cycles each.
        let packets = Events::of(&target(260.0, 100.0), 26);
        assert_eq!((packets.mevents, packets.from_frame, packets.problem()), (10.0, Some(1226), None));
        let slow = Events::of(&target(26.0, 100.0), 26).problem();
        assert_eq!(
            slow.as_deref(),
            Some("1.00 million packets a second do not keep up with 100 Gb/s at any frame length")
        );
    }
}
