// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings and sizes that cost goodput: they are allowed, and what they cost is said.

use crate::config::Config;
use crate::stages::StageName;
use pipeline::receive::ack_generator::AckProtocol;

/// What the configuration of these stages and their parts loses by, a line for each.
pub(crate) fn losses(stages: &[StageName], config: &Config) -> Vec<String> {
    let parts = StageName::with_parts(stages, config);
    let has = |stage: StageName| parts.contains(&stage);
    let answers_uet = has(StageName::AckGenerator) && config.ack_protocol() == AckProtocol::Uet;
    let windows = has(StageName::CccTable) && config.tx_protocol() == AckProtocol::Uet;
    let lines = [
        answers_uet.then(|| of_ack_bytes(config)),
        windows.then(|| of_mtu(config)),
        has(StageName::PacketTracker).then(|| of_window("packet_tracker", config.packet_tracker.window, config)),
        has(StageName::Reorder).then(|| of_window("reorder", config.reorder.window, config)),
        has(StageName::PathScheduler).then(|| of_sub_paths(config)),
    ];
    lines.into_iter().flatten().flatten().collect()
}

/// The bandwidth-delay product of one pipeline in bytes: what its connections have under way.
fn bdp(config: &Config) -> f64 {
    config.target.link_gbps / config.target.pipelines.max(1) as f64 * config.settings.rtt_us * 1e3 / 8.0
}

/// A sender that has a window of one or two bandwidth-delay products stands still if it hears of a large part of it at once.
fn of_ack_bytes(config: &Config) -> Option<String> {
    let most =
        Config { settings: crate::config::Settings { ack_bytes: None, ..config.settings.clone() }, ..config.clone() };
    let (given, quarter) = (config.settings.ack_bytes?, config.bdp_bytes() / 4.0);
    (given as f64 > quarter && given > config.mtu()).then(|| {
        format!(
            "`settings.ack_bytes` = {given} is more than a quarter of a bandwidth-delay product, {quarter:.0} bytes: senders wait for \
             ACKs; \"auto\" is {}",
            most.ack_bytes()
        )
    })
}

/// NSCC counts with the size of a full packet: with its headers or without.
fn of_mtu(config: &Config) -> Option<String> {
    let (given, segment) = (config.settings.mtu?, config.tx.segment);
    let most = config.packet_bytes().max(segment);
    let what = match given {
        above if above > most => "windows wait for larger packets than are sent",
        below if below < segment => "windows hold fewer packets than they are to, and grow by less",
        _ => return None,
    };
    Some(format!(
        "`settings.mtu` = {given} is no size of a packet of `tx.segment` = {segment} bytes: {what}; \"auto\" is {segment}"
    ))
}

/// One connection alone cannot fill its pipeline if its window is smaller than what is under way.
fn of_window(section: &str, window: u64, config: &Config) -> Option<String> {
    let bytes = window * config.tx.segment.min(config.packet_bytes());
    let needed = bdp(config);
    ((bytes as f64) < needed).then(|| {
        format!(
            "`{section}.window` = {window} packets hold {bytes} bytes, less than a bandwidth-delay product, {needed:.0}: one \
             connection alone does not fill the link"
        )
    })
}

/// The same for the windows of all sub-paths together.
fn of_sub_paths(config: &Config) -> Option<String> {
    let (paths, window) = (config.path_scheduler.paths, config.settings.window_bdps);
    let all = paths as f64 * window;
    (all < 1.0).then(|| {
        format!(
            "`settings.window_bdps` = {window} on each of {paths} sub-paths is {all:.2} bandwidth-delay products: one QP alone does \
             not fill the link"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::READY;

    fn said(text: &str) -> Vec<String> {
        let config = Config::parse("nic.toml", text).unwrap_or_else(|failure| panic!("{failure}"));
        losses(&StageName::pipeline(&config), &config)
    }

    /// The only line begins so.
    fn begins(head: &str, keys: &str, line: &str) {
        let lines = said(&format!("{head}{keys}"));
        assert!(lines.len() == 1 && lines[0].starts_with(line), "{keys}: {lines:?}");
    }

    const UET: &str = "[protocols]\nrocev2 = false\nelab = false\n";
    const ROCEV2: &str = "[protocols]\nuet = false\nelab = false\n";

    #[test]
    fn ready_made_configurations_lose_nothing() {
        for (name, text) in READY.iter().chain(&[("default", "")]) {
            assert_eq!(said(text), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn acks_that_are_too_rare() {
        // 100 Gb/s and 12 us are 150,000 bytes.
        begins(
            UET,
            "[settings]\nack_bytes = 37501\n",
            "`settings.ack_bytes` = 37501 is more than a quarter of a bandwidth-",
        );
        assert!(said(&format!("{UET}[settings]\nack_bytes = 37500\n")).is_empty());
        assert!(said(&format!("{ROCEV2}[settings]\nack_bytes = 60000\n")).is_empty());
    }

    #[test]
    fn a_size_that_no_packet_has() {
        begins(
            UET,
            "[settings]\nmtu = 9000\n",
            "`settings.mtu` = 9000 is no size of a packet of `tx.segment` = 4096 bytes: windows wait",
        );
        begins(
            UET,
            "[settings]\nmtu = 1500\n",
            "`settings.mtu` = 1500 is no size of a packet of `tx.segment` = 4096 bytes: windows hold",
        );
        assert!(said(&format!("{UET}[settings]\nmtu = 4150\n")).is_empty());
    }

    #[test]
    fn windows_below_what_is_under_way() {
        // 64 packets of 256 bytes are 16,384, and 64 of 1024 65,536.
        let small = "[tx]\nsegment = 1024\n[settings]\nack_bytes = 4096\n";
        begins(
            UET,
            &format!("{small}[packet_tracker]\nwindow = 64\n"),
            "`packet_tracker.window` = 64 packets hold 65536 bytes",
        );
        begins(
            ROCEV2,
            "[tx]\nsegment = 1024\n[reorder]\nwindow = 64\n",
            "`reorder.window` = 64 packets hold 65536 bytes",
        );
        // Each of four pipelines has a quarter of it.
        let quarter = format!("[target]\npipelines = 4\n{UET}{small}[packet_tracker]\nwindow = 64\n");
        assert!(said(&quarter).is_empty());
    }

    #[test]
    fn sub_paths_that_do_not_fill_the_link() {
        begins(
            ROCEV2,
            "[settings]\nwindow_bdps = 0.1\n",
            "`settings.window_bdps` = 0.1 on each of 8 sub-paths is 0.80",
        );
        assert!(said(&format!("{ROCEV2}[settings]\nwindow_bdps = 0.125\n")).is_empty());
    }
}
