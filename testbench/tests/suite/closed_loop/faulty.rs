// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC with a fault: the outputs of another one, of which one is changed.

use super::setup::Device;
use testbench::streams::Channel;
use testbench::{Dut, Error, Ports};

/// Beats of a frame after which its payload is changed: no answer has so many.
const BEATS: u64 = 10;

/// What it does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A bit of each long frame is another one.
    Byte,
    /// The first message is complete when its first bytes are asked for.
    Early,
    /// The first completion is not seen.
    Lost,
    /// The first completion is seen twice.
    Twice,
    /// `fetch` names another address.
    Fetch,
    /// A packet is delivered under another PSN.
    Order,
}

/// The NIC.
pub struct Faulty {
    dut: Device,
    fault: Fault,
    ports: Ports,
    outputs: Vec<u64>,
    channels: [Channel; 4],
    /// Beats of the frame that have been taken.
    beats: u64,
    /// Bytes have been asked for.
    fetched: bool,
    /// The completion that was wrong, or is still to be so.
    completion: Option<Vec<u64>>,
    done: bool,
}

impl Faulty {
    pub fn new(dut: Device, fault: Fault) -> Self {
        let ports = dut.ports().clone();
        let channel = |name: &str| Channel::output(&ports, name).expect("it is there");
        let channels = ["m_axis_tx", "fetch", "completion", "delivery"].map(channel);
        let outputs = vec![0; ports.output_limbs()];
        Faulty { dut, fault, ports, outputs, channels, beats: 0, fetched: false, completion: None, done: false }
    }

    /// Where an output is.
    fn at(&self, name: &str) -> usize {
        self.ports.output(name).expect("it is there").offset
    }

    /// This fault shows in the completions of this clock cycle.
    fn completes_wrongly(&self) -> bool {
        let offers = self.channels[2].valid(&self.outputs);
        match self.fault {
            Fault::Early => self.fetched && !self.done && !offers,
            Fault::Lost => offers && !self.done,
            Fault::Twice => self.completion.is_some() && !offers,
            _ => false,
        }
    }
}

impl Dut for Faulty {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.dut.outputs(&mut self.outputs);
        out.copy_from_slice(&self.outputs);
        let (valid, data) = (self.at("completion_valid"), self.at("m_axis_tx_tdata"));
        match self.fault {
            Fault::Byte if self.beats == BEATS => out[data] ^= 1,
            Fault::Fetch => out[self.at("fetch_address")] += 1,
            Fault::Order => out[self.at("delivery_psn")] ^= 1,
            Fault::Early if self.completes_wrongly() => {
                // Message 0 of PDC 0.
                out[valid] = 1;
                out[self.at("completion_pdc")] = 0;
                out[self.at("completion_handle")] = 0;
            }
            Fault::Lost if self.completes_wrongly() => out[valid] = 0,
            Fault::Twice if self.completes_wrongly() => {
                let completion = self.completion.as_ref().expect("there was one");
                out[valid] = 1;
                out[self.at("completion_pdc")] = completion[0];
                out[self.at("completion_handle")] = completion[1];
            }
            _ => {}
        }
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        let [frames, fetch, completion, _] = &self.channels;
        let wrong = self.completes_wrongly();
        if frames.valid(&self.outputs) && frames.ready(input) {
            let last = self.outputs[self.at("m_axis_tx_tlast")] == 1;
            self.beats = if last { 0 } else { self.beats + 1 };
        }
        let (fetches, completes) = (fetch.valid(&self.outputs), completion.valid(&self.outputs));
        let first = [self.at("completion_pdc"), self.at("completion_handle")].map(|at| self.outputs[at]);
        self.fetched |= fetches;
        self.done |= wrong;
        self.completion = match self.completion.take() {
            None if completes && self.fault == Fault::Twice && !self.done => Some(first.to_vec()),
            kept => kept.filter(|_| !wrong),
        };
        self.dut.clock(reset, input);
    }

    fn failure(&mut self) -> Option<Error> {
        self.dut.failure()
    }
}
