// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constants of NSCC that follow from the link.

use crate::Place;
use serde_json::Value;

/// What NSCC derives at an RTT of 12 us and an MTU of 4096 with trimming (3.6.13): Gb/s, MaxWnd, alpha in bytes per 128 ns,
/// fair increase, scale of fast increase, eta, MaxWnd / 8.
const DERIVED: [(u64, f64, &str, f64, f64, &str, f64); 4] = [
    (100, 225_000.0, "174.8", 20_480.0, 0.25, "614.4", 28_125.0),
    (200, 450_000.0, "349.5", 40_960.0, 0.5, "1228.8", 56_250.0),
    (400, 900_000.0, "699.05", 81_920.0, 1.0, "2457.6", 112_500.0),
    (800, 1_800_000.0, "1398.1", 163_840.0, 2.0, "4915.2", 225_000.0),
];

#[test]
fn constants_of_nscc_follow_from_the_link() {
    let mut compared = 0;
    for (gbps, wnd, alpha, fi, fi_scale, eta, gate) in DERIVED {
        let place = Place::fresh();
        place.write("nic.toml", format!("[target]\nlink_gbps = {gbps}\n[settings]\nrtt_us = 12.0\n"));
        let json = place.run("settings --config nic.toml --stage ccc_table --json").good();
        let all: Value = serde_json::from_str(&json).expect("JSON");
        let settings = all[0]["settings"].as_array().expect("settings");
        let value = |port: &str| {
            let found = settings.iter().find(|setting| setting["port"] == format!("settings_{port}"));
            found.and_then(|setting| setting["value"].as_f64()).unwrap_or_else(|| panic!("{port}: {json}"))
        };
        assert_eq!(value("config_wnd"), wnd);
        let digits = alpha.split_once('.').map_or(0, |(_, digits)| digits.len());
        assert_eq!(format!("{:.digits$}", value("alpha") / 256.0), alpha);
        assert_eq!(value("fi"), fi);
        assert_eq!(value("fi_scale") / 256.0, fi_scale);
        // The register holds bytes.
        assert_eq!(value("eta"), eta.parse::<f64>().expect("a number").round());
        assert_eq!((value("config_wnd") / 2_f64.powf(value("qa_gate"))).floor(), gate);
        // 9 us and 1 us, and 12 us.
        let times = ["target", "small_delay", "config_base_rtt", "adjust_period"].map(value);
        assert_eq!(times, [70.0, 8.0, 94.0, 94.0]);
        assert_eq!([value("mtu"), value("adjust_bytes"), value("qa_threshold")], [4096.0, 32_768.0, 65_535.0]);
        // 1.5 x rate in 1 / 16 byte per 128 ns; 0.8; 1 - 0.5.
        assert_eq!(value("wnd_rate"), 1.5 * gbps as f64 * 16.0 * 16.0);
        assert_eq!([value("gamma"), value("max_cut")], [205.0, 128.0]);
        compared += 1;
    }
    assert_eq!(compared, 4);
}
