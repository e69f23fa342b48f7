// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a stage names every port of its Verilog.

use crate::{Place, root};
use std::collections::BTreeSet;
use std::path::Path;

/// Stages, and the pages that say what their ports are.
const STAGES: [(&str, &[&str]); 10] = [
    ("header_parser", &["header_parser"]),
    // Its record is that of the parser.
    ("header_builder", &["header_builder", "header_parser"]),
    ("icrc", &["icrc"]),
    ("icrc_insert", &["icrc"]),
    // Its records are those of the parser.
    ("frame_gate", &["frame_gate", "header_parser"]),
    ("entropy_selector", &["entropy_selector"]),
    ("path_scheduler", &["path_scheduler"]),
    ("elab_scheduler", &["elab_scheduler"]),
    ("elab_feedback", &["elab_feedback"]),
    ("tally", &["tally"]),
];

#[test]
fn every_port_of_a_stage_is_named_on_its_page() {
    let mut nameless = Vec::new();
    for (stage, pages) in STAGES {
        let verilog = Place::fresh().run(&format!("rtl --stage {stage} --out -")).good();
        let ports = ports(&verilog);
        assert!(ports.len() > 5 && ports.contains("clk"), "{stage}: {ports:?}");
        let words: BTreeSet<_> = pages.iter().flat_map(|page| words(&text(page))).collect();
        let missing = ports.iter().filter(|port| !is_named(port, &words));
        nameless.extend(missing.map(|port| format!("{stage}: {port}")));
    }
    assert!(nameless.is_empty(), "not on the pages in docs/stages: {nameless:#?}");
}

/// A page, and those in the directory of its name.
fn text(page: &str) -> String {
    let pages = root().join("docs/stages");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a page");
    let more = std::fs::read_dir(pages.join(page)).into_iter().flatten();
    let more = more.map(|entry| read(&entry.expect("an entry").path()));
    std::iter::once(read(&pages.join(format!("{page}.md")))).chain(more).collect()
}

/// The ports of the top module, which is the last.
fn ports(verilog: &str) -> BTreeSet<String> {
    let (_, top) = verilog.rsplit_once("\nmodule ").expect("a module");
    let (head, _) = top.split_once(");").expect("its ports");
    let lines = head.lines().map(str::trim).filter(|line| line.starts_with("input ") || line.starts_with("output "));
    let declared = lines.filter_map(|line| line.split("//").next().map(|line| line.trim_end().trim_end_matches(',')));
    declared.filter_map(|line| line.rsplit(' ').next().map(str::to_owned)).collect()
}

/// What is quoted: words, and all of `NAME_FIRST` .. `NAME_LAST`.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut before: Option<(String, u32)> = None;
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 0 {
            // Between two quotations.
            before = before.filter(|_| part == " .. ");
            continue;
        }
        words.extend(part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned));
        let numbered = part.rsplit_once('_').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
        if let (Some((name, first)), Some((same, last))) = (&before, &numbered)
            && name == same
        {
            words.extend((*first..=*last).map(|i| format!("{name}_{i}")));
        }
        before = numbered;
    }
    words
}

/// By its name, by what stands behind its stream's, or a signal of the handshake by its stream's name.
fn is_named(port: &str, words: &BTreeSet<String>) -> bool {
    let parts: Vec<_> = port.split('_').collect();
    let mut tails = (0..parts.len().min(3)).map(|from| parts[from..].join("_"));
    let stream = |port: &str| port.rsplit_once('_').map(|(stream, _)| stream.to_owned());
    let axis = ["_tdata", "_tkeep", "_tlast", "_tuser", "_tvalid", "_tready"].iter().any(|end| port.ends_with(end));
    let plain = ["_valid", "_ready"].iter().any(|end| port.ends_with(end));
    ["clk", "rst"].contains(&port)
        || tails.any(|tail| words.contains(&tail))
        || stream(port).is_some_and(|stream| {
            (axis && words.contains(&stream))
                || (plain && words.iter().any(|word| word.starts_with(&format!("{stream}_"))))
        })
}

#[test]
fn a_port_is_found_by_its_name_its_field_or_its_range() {
    let words = words("`m_record` has `ip_0` .. `ip_9` and `vlan_count`; `udp_0` and `udp_2`; `grant_psn`");
    for port in ["m_record_ip_4", "m_record_vlan_count", "m_record_tvalid", "m_record_udp_2", "grant_valid", "clk"] {
        assert!(is_named(port, &words), "{port}");
    }
    for port in ["m_record_ip_10", "m_record_udp_1", "m_axis_tvalid", "grant_path", "response_valid", "m_record_l3"] {
        assert!(!is_named(port, &words), "{port}");
    }
}
