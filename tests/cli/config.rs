// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations: errors point at their line and say what is allowed.

use crate::Place;
use tier::pick;

/// What the command says of a configuration that it does not take.
fn error(text: &str) -> String {
    let place = Place::fresh();
    place.write("nic.toml", text);
    let error = place.run("budget --config nic.toml").bad(2);
    error.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_value_that_is_not_allowed() {
    insta::assert_snapshot!(error("# mine\ndata_width = 96\n"));
}

#[test]
fn a_value_out_of_range() {
    insta::assert_snapshot!(error("[target]\nclock_mhz = 0\n"));
}

#[test]
fn a_latency_that_memories_do_not_have() {
    for latency in ["0", "4", "\"fast\""] {
        let error = error(&format!("[target]\nram_latency = {latency}\n"));
        assert!(error.contains("nic.toml:2:") && error.contains("`ram_latency` is \"auto\", 1, 2 or 3"), "{error}");
    }
}

#[test]
fn an_unknown_key() {
    insta::assert_snapshot!(error("[target]\nclock = 250\n"));
}

#[test]
fn an_unknown_table() {
    insta::assert_snapshot!(error("[targets]\nclock_mhz = 250\n"));
}

#[test]
fn a_key_in_the_wrong_table() {
    insta::assert_snapshot!(error("[target]\ndata_width = 64\n"));
}

#[test]
fn the_wrong_type() {
    insta::assert_snapshot!(error("data_width = \"64\"\n"));
}

#[test]
fn a_value_where_a_table_is_wanted() {
    insta::assert_snapshot!(error("target = 3\n"));
}

#[test]
fn values_that_do_not_fit_each_other() {
    insta::assert_snapshot!(error("[tally]\nwidth = 8\n"));
}

/// A pool of cells that the contract of `reorder` does not allow: the message names the remedy.
#[test]
fn a_pool_of_cells_that_is_none() {
    let mut refused = 0;
    for (top, keys, line, remedy) in [
        ("data_width = 1024", "cell_bytes = 256", 4, "`cell_bytes` is 512 or more with this `data_width`"),
        ("data_width = 256", "cell_bytes = 64", 4, "`cell_bytes` is 128 or more with this `data_width`"),
        ("", "cells = 64\nquota = 65", 5, "`quota` is at most `cells`"),
        ("", "cells = 64\nreserve = 65", 5, "`reserve` is at most `cells`"),
        ("", "cells = 100", 4, "`cells` is 16, 32, 64"),
        ("", "quota = 0", 4, "`quota` is \"auto\" or a whole number from 1 to 65536"),
    ] {
        let error = error(&format!("{top}\n[reorder]\nhold = \"payload\"\n{keys}\n"));
        assert!(error.contains(&format!("nic.toml:{line}:")) && error.contains(remedy), "{error}");
        refused += 1;
    }
    assert_eq!(refused, 6);
}

/// Row NI9: what a NIC with RCCC cannot have, and what else can.
#[test]
fn a_nic_with_credit_does_not_hold_frames() {
    let text = |algorithms: &str, rocev2: bool| {
        format!(
            "[protocols]\nelab = false\nrocev2 = {rocev2}\n[ccc_table]\nalgorithms = \"{algorithms}\"\n[reorder]\nhold = \"payload\"\n"
        )
    };
    for algorithms in ["rccc", "both"] {
        let error = error(&text(algorithms, false));
        let remedy = "write `hold = \"descriptor\"` below [reorder]";
        assert!(error.contains("nic.toml:7:") && error.contains(remedy), "{error}");
    }
    for (algorithms, rocev2) in [("nscc", false), ("both", true)] {
        let place = Place::fresh();
        place.write("nic.toml", text(algorithms, rocev2));
        place.run("budget --config nic.toml --print-config").good();
    }
}

#[test]
fn a_setting_that_its_register_cannot_hold() {
    insta::assert_snapshot!(error("[settings]\nrtt_us = 5000\nflowlet_rtts = 10\n"));
}

/// The help names what makes the value smaller, of `[target]` too, and the message what the value follows from.
#[test]
fn what_makes_the_value_of_a_setting_smaller() {
    let long = "[protocols]\nelab = false\nrocev2 = false\n[target]\nlink_gbps = 3200\n\n[settings]\nrtt_us = 5000\nreps_explore_bdps = 0\n";
    for (text, message, place, help) in [
        (
            long,
            "`settings_config_wnd` of ccc_table cannot hold rtt_us = 5000, mtu = \"auto\", link_gbps = 3200",
            "nic.toml:8:10",
            "a smaller `rtt_us`, or a smaller `link_gbps`",
        ),
        (
            "[settings]\nrtt_us = 3000\ntrim = false\n",
            "`settings_qa_threshold` of ccc_table cannot hold rtt_us = 3000, trim = false",
            "nic.toml:2:10",
            "a smaller `rtt_us`",
        ),
    ] {
        let error = error(text);
        assert!(error.contains(&format!("{message}\n")) && error.contains(place), "{error}");
        assert!(error.ends_with(&format!("help: choose {help}")), "{error}");
    }
}

#[test]
fn an_unknown_device() {
    insta::assert_snapshot!(error("[target]\ndevice = \"xc7z020\"\n"));
}

#[test]
fn no_toml() {
    insta::assert_snapshot!(error("[target\n"));
    insta::assert_snapshot!(error("data_width ="));
}

#[test]
fn no_file() {
    let error = Place::fresh().run("budget --config nothing.toml").bad(2);
    assert!(error.starts_with("mpnic: cannot read the configuration nothing.toml: "), "{error}");
    assert!(error.contains("or one of uet-400g, mp-rdma-100g, elab-100g, dragonfly-switch, ecp5-10g"), "{error}");
}

#[test]
fn no_utf8() {
    let place = Place::fresh();
    place.write("nic.toml", b"data_width = 64 # \xff\n");
    place.run("budget --config nic.toml").bad(2);
}

#[test]
fn the_printed_configuration_is_one() {
    let place = Place::fresh();
    for name in pick(["elab-100g", "uet-400g", "mp-rdma-100g", "dragonfly-switch", "ecp5-10g"], 1) {
        let printed = place.run(&format!("--config {name} --print-config")).good();
        place.write("nic.toml", &printed);
        assert_eq!(place.run("--config nic.toml --print-config").good(), printed);
        place.run(&format!("budget --config {name}")).good();
    }
}

/// Check bits take a clock cycle of the memory's latency; where the tool chooses that, it adds one.
#[test]
fn check_bits_with_a_latency_of_1() {
    let protected = "[reorder]\nconnections = 16\nsram_protection = \"secded\"\n";
    let error = error(&format!("{protected}[target]\nram_latency = 1\n"));
    assert!(error.contains("memories with check bits have a latency of 2 or 3"), "{error}");
    assert!(error.contains("nic.toml:3:19") && error.contains("write `ram_latency = 3`"), "{error}");
    let place = Place::fresh();
    for (clock, latency) in [("50", 2), ("322", 3)] {
        place.write("nic.toml", format!("{protected}[target]\ndevice = \"u280\"\nclock_mhz = {clock}\n"));
        let budget = place.run("budget --config nic.toml --stage reorder").good();
        let taken = budget.lines().find(|line| line.ends_with("taken")).unwrap_or_default();
        assert!(taken.contains(&format!("target.ram_latency = {latency}")), "{budget}");
        assert!(!budget.contains("target.ram_latency = 1"), "{budget}");
        // A row of 24 bits and its 6 check bits.
        assert!(budget.contains(": 16 x 30 bits"), "{budget}");
    }
}

/// The ports of check bits are those of a configuration that has them.
#[test]
fn check_bits_are_in_the_verilog() {
    let place = Place::fresh();
    for (protection, there) in [("none", false), ("secded", true)] {
        let text = format!("[reorder]\nconnections = 16\nsram_protection = \"{protection}\"\n");
        place.write("nic.toml", text);
        place.run(&format!("rtl --config nic.toml --stage reorder --out {protection}")).good();
        let verilog = place.read(&format!("{protection}/mpnic_reorder.v"));
        for port in ["sram_corrected", "sram_uncorrectable", "sram_faulty"] {
            assert_eq!(verilog.contains(port), there, "{protection}: {port}");
        }
    }
}

/// Rules of the pipeline hold for a stage that is named, too, whether the pipeline has it or not.
#[test]
fn what_a_stage_cannot_be_made_of_is_said() {
    let place = Place::fresh();
    place.write("nic.toml", "[reorder]\nhold = \"payload\"\n\n[ccc_table]\nalgorithms = \"rccc\"\n");
    for command in ["rtl --out o", "model --out o", "prototype --out o", "budget", "settings"] {
        let said = place.run(&format!("{command} --stage nic --config nic.toml")).bad(2);
        assert!(said.starts_with("mpnic: a NIC with RCCC does not hold frames"), "{command}: {said}");
    }
    assert_eq!(place.names(""), ["in.pcap", "nic.toml"]);
}

/// Vectors have a sub-path that the connection does not have, if there is one that fits its port.
#[test]
fn as_many_sub_paths_as_there_can_be() {
    let place = Place::fresh();
    place.write("nic.toml", "[reorder]\npaths = 256\nconnections = 4\nwindow = 64\n");
    place.run("rtl --stage reorder --config nic.toml --out rtl").good();
}

/// What a configuration says in vain is said by each command that makes or weighs hardware, which goes on.
#[test]
fn what_is_said_in_vain_is_told() {
    let place = Place::fresh();
    place.write("nic.toml", "[credit_pacer]\nsources = 8\n[tally]\nrows = 8\n[fifo]\nwidth = 8\n");
    for command in ["rtl --out o", "model --out o", "prototype --out o", "budget", "settings"] {
        let ran = place.run(&format!("{command} --stage credit_pacer --config nic.toml"));
        assert_eq!(ran.status, 0, "{command}: {}", ran.err);
        let warnings: Vec<_> = ran.err.lines().filter(|line| line.starts_with("mpnic: warning: ")).collect();
        let of_tally = "mpnic: warning: `tally.rows` = 8 changes nothing of credit_pacer: there is no tally in it";
        assert_eq!(warnings.iter().filter(|line| **line == of_tally).count(), 1, "{command}: {}", ran.err);
        assert!(warnings.len() == 2 && warnings[1].contains("`fifo.width` = 8"), "{command}: {}", ran.err);
    }
}

/// Stages that are named together and do not fit are refused, at the place in the file.
#[test]
fn sizes_that_do_not_fit_are_refused() {
    let place = Place::fresh();
    place.write("nic.toml", "[context_lookup]\nentries = 16\n");
    let said = place.run("rtl --out o --stage context_lookup,reorder --config nic.toml").bad(2);
    assert!(said.contains("context_lookup is too small for the connections of reorder"), "{said}");
    assert!(said.contains("nic.toml:2:11") && said.contains("at least `reorder.connections`: 1024"), "{said}");
    place.run("budget --stage context_lookup --config nic.toml").good();
    // A path of no protocol takes no packet.
    place.write("nic.toml", "[protocols]\nrocev2 = false\nuet = false\n");
    for stage in ["rx", "tx", "nic"] {
        let said = place.run(&format!("rtl --out o --stage {stage} --config nic.toml")).bad(2);
        assert!(said.contains(&format!("{stage} is of RoCEv2 or UET, and [protocols] has neither")), "{said}");
    }
}
