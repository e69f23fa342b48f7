// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes that do not belong to a frame: unknown in Icarus, and at random on the model. Neither may see them.

use rtl_model::netlist::circuit::Circuit;
use testbench::device::Error;
use testbench::device::compiled::Compiled;
use testbench::device::icarus::IcarusDut;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::{Dut, Port, Ports};

/// The model, with bytes at random where `tkeep` is 0, and the Verilog in Icarus, with X there and in `tdata` while there is
/// no beat. All outputs must be equal in every clock cycle, so none is X.
pub struct Twins {
    model: Box<dyn Dut>,
    icarus: IcarusDut,
    ports: Ports,
    /// The stage passes `tdata` on without a look: bytes whose `tkeep` is 0 are not compared.
    passes: bool,
    random: Random,
    row: Vec<u64>,
    cycle: u64,
    /// Bytes that were unknown in a beat.
    pub unknown_bytes: u64,
    failure: Option<Error>,
}

impl Twins {
    pub fn new(circuit: &Circuit, passes: bool) -> Self {
        let source = Source::of_circuit(circuit).expect("it prints");
        let icarus = IcarusDut::with_unknown_bytes(&source, passes).expect("it compiles");
        let model: Box<dyn Dut> = Box::new(Compiled::new().soon().build(circuit).expect("it compiles"));
        let ports = model.ports().clone();
        let row = vec![0; ports.output_limbs()];
        let (random, failure) = (Random::new(11), None);
        Twins { model, icarus, ports, passes, random, row, cycle: 0, unknown_bytes: 0, failure }
    }
}

/// `tdata` of each channel, with its `tkeep` and `tvalid`.
fn channels(ports: &[Port]) -> impl Iterator<Item = [&Port; 3]> {
    let port = |name: String| ports.iter().find(|port| port.name == name);
    ports.iter().filter_map(move |data| {
        let channel = data.name.strip_suffix("tdata")?;
        Some([data, port(format!("{channel}tkeep"))?, port(format!("{channel}tvalid"))?])
    })
}

/// Gives each byte of `data` in a row whose `tkeep` is 0 a new value.
fn fill(row: &mut [u64], data: &Port, keep: &Port, mut value: impl FnMut() -> u8) {
    let kept = keep.of(row).to_vec();
    let data = data.of_mut(row);
    for byte in (0..8 * data.len()).filter(|byte| kept[byte / 64] >> (byte % 64) & 1 == 0) {
        data[byte / 8] &= !(0xFF << (8 * (byte % 8)));
        data[byte / 8] |= u64::from(value()) << (8 * (byte % 8));
    }
}

impl Dut for Twins {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.model.outputs(out);
        self.icarus.outputs(&mut self.row);
        if self.passes {
            channels(&self.ports.outputs).for_each(|[data, keep, _]| fill(out, data, keep, || 0));
        }
        if self.failure.is_none() {
            self.failure = self.icarus.failure();
        }
        let differs = |port: &&Port| port.of(out) != port.of(&self.row);
        if let Some(port) = self.ports.outputs.iter().find(differs)
            && self.failure.is_none()
        {
            let values = [port.of(out), port.of(&self.row)];
            let what = format!("cycle {}: `{}` is {values:x?}", self.cycle, port.name);
            self.failure = Some(Error::Protocol(what));
        }
        assert!(self.failure.is_none(), "{:?}", self.failure);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.icarus.clock(reset, input);
        let mut noisy = input.to_vec();
        for [data, keep, valid] in channels(&self.ports.inputs) {
            let (on, random) = (valid.of(input)[0], &mut self.random);
            fill(&mut noisy, data, keep, || {
                self.unknown_bytes += on;
                random.bits() as u8
            });
        }
        self.model.clock(reset, &noisy);
        self.cycle += 1;
    }
}
