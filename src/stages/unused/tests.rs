// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of keys that change nothing.

use super::*;
use crate::config::READY;
use crate::stages::verilog;
use hdl::Header;
use tier::pick;

fn said(stages: &[StageName], text: &str) -> Vec<String> {
    warnings(stages, &Config::parse("nic.toml", text).unwrap_or_else(|failure| panic!("{failure}")))
}

const UET: &str = "[protocols]\nrocev2 = false\nelab = false\n";
const ROCEV2: &str = "[protocols]\nuet = false\nelab = false\n";

/// What is shipped says nothing in vain.
#[test]
fn ready_made_configurations_say_nothing_in_vain() {
    assert_eq!(warnings(&[], &Config::default()), Vec::<String>::new());
    for (name, text) in READY {
        assert_eq!(said(&[], text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_is_replaced_or_left_out_is_said() {
    let tail = |stages: &[StageName], text: &str, ends: &[&str]| assert_eq!(said(stages, text), ends, "{text}");
    let with = |head: &str, keys: &str| format!("{head}{keys}");
    tail(
        &[],
        &with(
            UET,
            "[credit_pacer]\nsources = 64\n[reorder]\nconnections = 64\ncells = 64\n[packet_tracker]\npsn_bits = 24\n",
        ),
        &[
            "`reorder.connections` = 64 is not what nic has: 1024, by `packet_tracker.pdcs`",
            "`reorder.cells` = 64 changes nothing of this pipeline: no frames are held, as `reorder.hold` is \"descriptor\"",
            "`packet_tracker.psn_bits` = 24 is not what nic has: 32, by its protocol",
            "`credit_pacer.sources` = 64 changes nothing of this pipeline: no credit is given, as `protocols.uet` or \
             `ccc_table.algorithms` says",
        ],
    );
    // As many as there are PDCs is what it has.
    let equal = "[packet_tracker]\npdcs = 64\n[reorder]\nconnections = 64\n[credit_pacer]\nsources = 64\n[ccc_table]\n";
    tail(&[], &with(UET, &with(equal, "algorithms = \"both\"\n")), &[]);
    tail(
        &[],
        &with(ROCEV2, "[entropy_selector]\nevs = 64\n[ccc_table]\ncredit_unit = 64\n"),
        &[
            "`entropy_selector.evs` = 64 changes nothing of this pipeline: there is no entropy_selector in it",
            "`ccc_table.credit_unit` = 64 changes nothing of this pipeline",
        ],
    );
    tail(
        &[],
        &with(ROCEV2, "uet_port = 88\n[tx]\nprotocol = \"roce\"\n[frame_gate]\nrecords = false\n"),
        &[
            "`protocols.uet_port` = 88 changes nothing of this pipeline: `protocols.uet` is false",
            "`frame_gate.records` = false is not what nic has: true, by its use there",
            "`tx.protocol` = \"roce\" changes nothing of this pipeline: of RoCEv2 and UET, [protocols] has only one",
        ],
    );
    let nic = said(&[StageName::Nic], "");
    assert!(
        nic.len() == 1 && nic[0].starts_with("nic is of UET alone, as `tx.protocol` says, and [protocols] has"),
        "{nic:?}"
    );
    // By itself a stage has what its keys say; what is for others of the pipeline is not said.
    tail(&[StageName::EntropySelector], &with(UET, "[entropy_selector]\ncccs = 64\n[reorder]\nwindow = 64\n"), &[]);
    tail(
        &[StageName::HeaderParser],
        "[fifo]\nwidth = 8\n",
        &["`fifo.width` = 8 changes nothing of header_parser: there is no fifo in it"],
    );
}

/// A key that is said to change something changes the Verilog.
#[test]
fn what_is_looked_at_changes_the_verilog() {
    let text = "data_width = 64\n[entropy_selector]\ncccs = 8\nevs = 16\n[path_scheduler]\nqps = 8\n[ccc_table]\ncccs = 8\n\
                algorithms = \"none\"\n[packet_tracker]\npdcs = 8\nwindow = 64\n[reorder]\nconnections = 8\nwindow = 64\n\
                [ack_generator]\nconnections = 8\nwindow = 64\n[context_lookup]\nentries = 8\n";
    let print_all = |stage: StageName, config: &Config| -> String {
        let circuit = stage.circuit_called("m", config).expect("it elaborates");
        let files = verilog(&circuit, &Header::default()).expect("Verilog");
        files.into_iter().map(|file| file.text).collect()
    };
    let stages = [StageName::CccTable, StageName::PacketTracker, StageName::Reorder, StageName::AckGenerator];
    let (mut count, mut without) = (0, Vec::new());
    for variant in pick(["none", "nscc", "rccc", "both"], 2) {
        let text = text.replace("none", variant) + if variant == "rccc" { UET } else { "" };
        let small = Config::parse("small.toml", &text).unwrap_or_else(|failure| panic!("{failure}"));
        for stage in stages {
            let before = print_all(stage, &small);
            for key in Key::all().filter(|key| may_be_unused(key) && stage.spec().sections.contains(&key.section)) {
                for value in other_values(key, &small) {
                    let mut config = small.clone();
                    (key.set)(&mut config, value);
                    if print(&[stage], &config) != print(&[stage], &small) {
                        count += 1;
                        if print_all(stage, &config) == before {
                            without.push((variant, stage, key.full_name()));
                        }
                    }
                }
            }
        }
    }
    assert!(count > 10 && without.is_empty(), "{count} {without:?}");
}
