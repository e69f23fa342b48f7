// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device that holds frames in a pool: those in sequence leave on `m_delivery` in the order of PSNs, each with its connection and
//! its PSN (row RX16).

use super::axis::Axis;
use crate::device::ports::Port;
use crate::device::{Error, Ports};
use crate::network::FrameBytes;
use rtl_model::netlist::interfaces::Direction;

/// The stream of frames in order.
pub struct Pool {
    frames: Axis,
    /// The connection and the PSN, beside each beat.
    beside: [Port; 2],
    /// What is beside the first beat, and the beats that have come.
    partial: Option<([u64; 2], FrameBytes)>,
}

impl Pool {
    /// Of a device with these ports; `None` if it has no pool.
    pub fn of(ports: &Ports) -> Result<Option<Self>, Error> {
        if ports.interface("m_delivery", Direction::Out).is_none() {
            return Ok(None);
        }
        let port = |name: &str| ports.output(name).cloned().ok_or_else(|| Error::NoPort(name.to_owned()));
        let beside = [port("delivery_connection")?, port("delivery_psn")?];
        Ok(Some(Pool { frames: Axis::new(ports, "m_delivery", Direction::Out)?, beside, partial: None }))
    }

    /// The host takes nothing.
    pub fn stand_still(&self, inputs: &mut [u64]) {
        self.frames.set_ready(inputs, false);
    }

    /// A clock cycle; the connection and the PSN of a frame whose last beat comes, and the frame.
    pub fn drive(&mut self, outputs: &[u64], inputs: &mut [u64]) -> Result<Option<([u64; 2], FrameBytes)>, Error> {
        self.frames.set_ready(inputs, true);
        if !self.frames.is_valid(outputs) {
            return Ok(None);
        }
        let beside = self.beside.each_ref().map(|port| port.of(outputs)[0]);
        let (first, frame) = self.partial.get_or_insert_with(|| (beside, FrameBytes::new()));
        if *first != beside {
            return Err(Error::Protocol(format!("connection and PSN are {first:?} and then {beside:?} in one frame")));
        }
        Ok(if self.frames.take(outputs, frame)? { self.partial.take() } else { None })
    }
}
