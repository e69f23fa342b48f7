// SPDX-License-Identifier: MIT OR Apache-2.0
//! The random traffic for the entropy selector reaches its goals, on a selector that runs the oracle.

use crate::common::selector;
use golden_vectors::transmit::entropy_selector::oracle::Shape;
use selector::FakeSelector;
use std::collections::BTreeSet;
use testbench::Dut;
use testbench::device::drive::Drive;
use testbench::device::random::Random;
use testbench::drives::entropy_selector::SelectorDrive;

#[test]
fn grants_responses_and_counters_of_all_kinds_occur() {
    let mut seen = BTreeSet::new();
    for seed in 0..8 {
        let mut dut = FakeSelector::new(Shape::new(3, 16), |_| {});
        let ports = dut.ports().clone();
        let mut drive = SelectorDrive::new(&ports, 3, Random::new(seed)).unwrap();
        let (mut input, mut out) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
        for _ in 0..1200 {
            dut.outputs(&mut out);
            let get = |name: &str| out[ports.output(name).unwrap().offset];
            if get("grant_valid") == 1 {
                seen.insert(format!("grant open {} saturated {}", get("grant_open"), get("grant_saturated")));
            }
            if get("response_valid") == 1 {
                seen.insert(format!("op {} done {}", get("response_op"), get("response_done")));
                seen.insert(format!("marked {}", get("response_marked").min(1)));
            }
            for counter in ["refused_requests", "blocked_requests", "feedback_closed", "feedback_range"] {
                if get(counter) > 0 {
                    seen.insert(counter.to_owned());
                }
            }
            let reset = drive.drive(&out, &mut input);
            dut.clock(reset, &input);
        }
    }
    let expected = [
        "blocked_requests",
        "feedback_closed",
        "feedback_range",
        "grant open 0 saturated 0",
        "grant open 1 saturated 0",
        "grant open 1 saturated 1",
        "marked 0",
        "marked 1",
        "op 0 done 1",
        "op 1 done 0",
        "op 1 done 1",
        "op 2 done 1",
        "op 3 done 0",
        "refused_requests",
    ];
    let missing: Vec<_> = expected.iter().filter(|what| !seen.contains(**what)).collect();
    assert!(missing.is_empty(), "{missing:?} of {seen:?}");
}
