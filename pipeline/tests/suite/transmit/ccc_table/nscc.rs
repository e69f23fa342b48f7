// SPDX-License-Identifier: MIT OR Apache-2.0
//! NSCC.

use super::bench::{Bench, put};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, op, state};

fn configs() -> impl Iterator<Item = CccTableConfig> {
    let config = CccTableConfig::new(3, CccAlgorithms::Nscc);
    (1..=3).map(move |ram_latency| CccTableConfig { ram_latency, ..config })
}

/// The example at the top of the page.
#[test]
fn the_example_of_the_page() {
    for mut config in configs() {
        config.settings.config_wnd = 12_288;
        let mut bench = Bench::new(config);
        let response = bench.open(1, 0, 4);
        assert_eq!((response.done.value(), response.cwnd.value()), (1, 12_288));
        let accepted = bench.cycle;
        bench.data(1, 20_000);
        bench.idle(bench.latency() + 10);
        let (cycle, grant) = bench.grants[0];
        assert_eq!(cycle, accepted + bench.latency(), "C2 to C30");
        assert_eq!((grant.ccc.value(), grant.limit.value(), grant.packets.value()), (1, 8192, 4));
        bench.send(1, 4160, false);
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        let fields = [response.state, response.granted, response.inflight, response.backlog].map(|field| field.value());
        assert_eq!(fields, [state::READY, 1, 4160, 15_840]);
        bench.send(1, 4160, true);
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        let fields = [response.state, response.granted, response.inflight].map(|field| field.value());
        assert_eq!(fields, [state::ACTIVE, 0, 8320]);
        assert_eq!(bench.grants.len(), 1);
        bench.ack(1, 1, 17, |_| ());
        bench.idle(60);
        assert_eq!(bench.grants.len(), 2);
        assert_eq!(bench.grants[1].1.limit.value(), 4224);
        let response = bench.command(op::READ, 1, |_| ());
        let fields = [response.state, response.inflight, response.inflight_pkts].map(|field| field.value());
        assert_eq!(fields, [state::READY, 3968, 1]);
    }
}

/// C24, C20: an adjustment is made 64 clock cycles after the pass that starts it.
#[test]
fn an_adjustment_comes_after_64_cycles() {
    for mut config in configs() {
        config.settings.adjust_bytes = 0;
        config.settings.adjust_period = 65_535;
        let mut bench = Bench::new(config);
        bench.open(1, 0, 4);
        bench.data(1, 200_000);
        bench.send(1, 4160, false);
        bench.idle(1);
        bench.ack(1, 1, 16, |input| {
            put(&mut input.ack.timed, 1);
            put(&mut input.ack.stamp, 0);
            put(&mut input.ack.arrived, 90);
            put(&mut input.ack.service, 0);
        });
        // The first sample is below the base RTT and makes the delay 0: proportional increase.
        let started = bench.cycle;
        let mut adjusted = None;
        for _ in 0..200 {
            bench.idle(1);
            if bench.outputs().counts.adjustments.value() == 1 && adjusted.is_none() {
                adjusted = Some(bench.cycle);
            }
        }
        assert_eq!(adjusted, Some(started + 64 + u64::from(config.ram_latency) + 16));
        let response = bench.command(op::READ, 1, |_| ());
        // alpha x quanta x (target - delay) / cwnd; the ACK is not fast, as fi_count is below cwnd.
        let rise = 44_739 * 16 * 70 / 225_000;
        let max_wnd = 38_400 * 90 / 16_u64;
        assert_eq!(response.base_rtt.value(), 90);
        assert_eq!(response.max_wnd.value(), max_wnd);
        assert_eq!(response.cwnd.value(), (225_000 + rise).min(max_wnd));
    }
}
