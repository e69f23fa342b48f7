// SPDX-License-Identifier: MIT OR Apache-2.0
//! The testbench of a header builder: records and payloads go in, frames come out.

use super::{expected_beat, limbs};
use crate::conform::builder::{building, expected};
use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::streams::side_band::{self, Carrier};
use crate::streams::{Channel, Item as Beat, beats};
use golden_vectors::Case;
use hdl::testbench::{Item, Stimulus, TestbenchFiles, generate};
use pipeline::frame::header_builder::UdpChecksum;
use rtl_model::netlist::circuit::Circuit;

/// Seed of the undefined bits of records, which are random but the same in every run.
const SEED: u64 = 1;

/// Makes the testbench of a header builder for those of the given cases that can be built: see
/// [`building`](crate::conform::builder::building). For cases of the parser and a builder that makes no UDP checksum
/// ([`UdpChecksum::Zero`]), frames with zeros in its place are expected.
pub fn builder_testbench<'a>(
    circuit: &Circuit,
    header: &hdl::Header,
    cases: impl IntoIterator<Item = &'a Case>,
    udp_checksum: UdpChecksum,
) -> Result<TestbenchFiles, Error> {
    let ports = Ports::of_module(circuit.top());
    let (record, rest) = (Channel::input(&ports, "s_record")?, Channel::input(&ports, "s_axis")?);
    let output = Channel::output(&ports, "m_axis")?;
    let mut random = Random::new(SEED);
    let side_band = side_band::of_ports(&ports);
    let (recorded, carried) = (Carrier::of(&record, side_band)?, Carrier::of(&output, side_band)?);
    let (mut records, mut rests, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    for (case, building) in cases.into_iter().filter_map(|case| Some((case, building(case)?))) {
        let transfer = building.item(&record, &mut random);
        let along = recorded.get(&transfer);
        records.push(item(&record, &transfer)?);
        if !building.rest.bytes.is_empty() {
            for beat in beats(&rest, &building.rest)? {
                rests.push(item(&rest, &beat)?);
            }
        }
        let frame = expected(case, udp_checksum);
        for mut beat in beats(&output, &frame)? {
            carried.put(&mut beat, &along);
            frames.push(expected_beat(&output, &beat)?);
        }
    }
    let inputs = vec![("s_record".into(), records), ("s_axis".into(), rests)];
    let stimulus = Stimulus { inputs, outputs: vec![("m_axis".into(), frames)], ..Stimulus::default() };
    generate(circuit.top(), header, &stimulus).map_err(|error| Error::Design(error.to_string()))
}

fn item(channel: &Channel, beat: &Beat) -> Result<Item, Error> {
    let fields = channel.fields().map(|(name, _)| limbs(channel, beat, name)).collect::<Result<_, _>>()?;
    Ok(Item { fields })
}
