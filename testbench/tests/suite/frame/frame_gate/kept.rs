// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output `kept`: every record that leaves was shown when it entered its memory, in the same order, and beside these only
//! those of good frames for which there was no room.

use super::judge::Traffic;
use super::{sizes, soak};
use pipeline::frame::frame_gate::FrameGateConfig;
use std::collections::VecDeque;
use testbench::device::drive::Drive;
use testbench::device::model::model_of;
use testbench::streams::Channel;

#[test]
fn a_record_is_shown_once_before_it_leaves() {
    for config in sizes().into_iter().filter(|config| config.records) {
        let config = FrameGateConfig { shows_kept: true, ..config };
        // From the memory to the port.
        let way = u64::from(config.ram_latency) + 2;
        let mut model = model_of(&config).expect("it elaborates");
        let ports = model.ports().clone();
        let records = Channel::output(&ports, "m_record").expect("records leave");
        let port = |name: &str| ports.output(&format!("kept_{name}")).expect("it is shown").clone();
        let (lost_field, overflowed) = (port("lost"), ports.output("count_overflowed").expect("it counts").clone());
        let (valid, fields) = (port("valid"), records.fields().map(|(name, _)| port(name)).collect::<Vec<_>>());
        let mut traffic = Traffic::new(&ports, 20);
        let (mut outputs, mut input) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        let (mut shown, mut left, mut at_once, mut lost, mut all_lost) = (VecDeque::new(), 0, 0, 0, 0);
        for cycle in 0..soak::cycles(20_000) {
            model.outputs(&mut outputs);
            // One that is lost late has no verdict, so it is not shown.
            assert!(lost <= outputs[overflowed.offset], "{config:?}, cycle {cycle}: {lost} are shown");
            if outputs[valid.offset] == 1 && outputs[lost_field.offset] == 1 {
                lost += 1;
                all_lost += 1;
            } else if outputs[valid.offset] == 1 {
                let record: Vec<_> = fields.iter().flat_map(|port| port.of(&outputs).to_vec()).collect();
                shown.push_back((cycle, record));
            }
            let reset = traffic.drive(&outputs, &mut input);
            if records.valid(&outputs) && records.ready(&input) {
                let (since, record) = shown.pop_front().expect("it was shown");
                assert_eq!(*records.get(&outputs), *record, "{config:?}, cycle {cycle}");
                assert!(cycle >= since + way, "{config:?}: shown in cycle {since}, left in {cycle}");
                left += 1;
                at_once += u64::from(cycle == since + way);
            }
            model.clock(reset, &input);
            if reset {
                shown.clear();
                lost = 0;
            }
        }
        assert!(left > 200 && at_once > 0, "{config:?}: {left} left, {at_once} of them at once");
        assert!(all_lost > 20, "{config:?}: {all_lost} are lost");
    }
}
