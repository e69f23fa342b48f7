// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traffic of the bench keeps a receive path at work: all packets find their connections, overtake each other, and are
//! delivered.

use super::{config, holding_frames, model};
use pipeline::receive::ack_generator::AckProtocol;
use testbench::device::drive::Drive;
use testbench::drives::rx::RxDrive;

#[test]
fn packets_of_the_bench_are_delivered() {
    let config = config(AckProtocol::Roce, 128, 2);
    for (config, ends) in
        [(config, &["delivery_valid"][..]), (holding_frames(config), &["m_delivery_tvalid", "m_delivery_tlast"])]
    {
        let mut dut = model(&config);
        let ports = dut.ports().clone();
        let mut drive = RxDrive::new(&ports, 8, 256, 0.0, 1).expect("the ports are there");
        let (mut outputs, mut inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        let mut delivered = 0;
        let out = |outputs: &[u64], name: &str| outputs[ports.output(name).expect("a port").offset];
        for _ in 0..20_000 {
            dut.outputs(&mut outputs);
            delivered += u64::from(ends.iter().all(|name| out(&outputs, name) == 1));
            let reset = drive.drive(&outputs, &mut inputs);
            dut.clock(reset, &inputs);
        }
        let refused = ["unknown_connections", "duplicates", "below_window", "above_window", "no_buffer"];
        assert_eq!(refused.map(|name| out(&outputs, name)), [0; 5], "{refused:?}");
        assert!(delivered > 500, "{delivered} packets");
        assert!(out(&outputs, "gate_passed") >= delivered, "{delivered} packets");
    }
}
