// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documentation does what it says: every `console` block is run, all code that it shows is the code.
//!
//! `MPNIC_UPDATE_DOCS=1 cargo test --test cli docs` writes what has changed.

use crate::{Place, ran, root};
use assert_cmd::Command;
use mpnic::config::Config;
use mpnic::stages::StageName;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use tier::is_all;

/// What takes long, and is run in `./test --all`: all vectors, pages that make several prototypes or compile what they make, what
/// other tests do in `./test` with other files, and what needs the files of that.
fn is_long(page: &Path, command: &str) -> bool {
    const PARTS: [&str; 11] = [
        "for mode in",
        "--data-width all",
        "--backend all --filter fields-uet",
        "verilator.vcd",
        "rtl.pcap",
        "--binary",
        "obj_dir",
        "mpnic_path_scheduler_tb.v",
        "two_roce_nics.py",
        "two_plain_nics.py",
        "two_elab_hosts.py",
    ];
    let pages = ["prototype.md", "verilog.md", "new-stage.md", "path-selection.md"];
    pages.iter().any(|name| page.ends_with(name))
        || command == "mpnic conform"
        || PARTS.iter().any(|part| command.contains(part))
}

/// README and how-tos, with `$ ` commands in `console` blocks; `? N` behind the output is an exit status.
#[test]
fn the_commands_print_what_the_pages_show() {
    let mut pages = vec![root().join("README.md")];
    let entries = std::fs::read_dir(root().join("docs/how-to")).expect("the how-tos");
    pages.extend(entries.map(|entry| entry.expect("an entry").path()));
    pages.sort();
    let now: Vec<_> = pages.par_iter().map(|page| run_page(page)).collect();
    for (page, now) in pages.iter().zip(now) {
        compare(page, &now);
    }
}

/// A page whose blocks hold what the commands print now, or what was printed last time. All of a page run in one directory.
fn run_page(page: &Path) -> String {
    let place = Place::fresh();
    let text = std::fs::read_to_string(page).expect("a page");
    let mut result = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        result += &format!("{line}\n");
        if line != "```console" {
            continue;
        }
        let mut keep = false;
        while let Some(line) = lines.next_if(|line| *line != "```") {
            match line.strip_prefix("$ ") {
                Some(command) if is_all() || !is_long(page, command) => {
                    result += &format!("{line}\n{}", output(&place, command));
                    keep = false;
                }
                Some(_) => {
                    result += &format!("{line}\n");
                    keep = true;
                }
                // What was printed last time.
                None if keep => result += &format!("{line}\n"),
                None => {}
            }
        }
    }
    result
}

fn output(place: &Place, command: &str) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_mpnic"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a directory").display());
    let mut shell = Command::new("bash");
    shell
        .env("ARCHIVE", root().join("golden-vectors/vectors.zip"))
        .env("CAPTURES", root().join("golden-vectors/captures"));
    shell.env("EXAMPLES", root().join("docs/examples"));
    shell.current_dir(place.path("")).env("PATH", path).args(["-c", &format!("{{ {command}\n}} 2>&1")]);
    let ran = ran(&mut shell);
    let status = if ran.status == 0 { String::new() } else { format!("? {}\n", ran.status) };
    // What tshark says to an administrator it does not say to others.
    let lines = ran.out.lines().filter(|line| !line.starts_with("Running as user \"root\""));
    lines.map(|line| format!("{}\n", line.trim_end())).collect::<String>() + &status
}

/// `docs/how-to/testing.md` lists the steps of `./test`, which refuses what it does not know.
#[test]
fn the_page_on_tests_lists_the_steps() {
    let run = |arguments: &[&str]| ran(Command::new(root().join("test")).args(arguments));
    let listed = run(&["--list"]).good();
    let rows = listed.lines().map(|line| {
        let (tier, step) = line.split_once(' ').expect("a tier and a step");
        format!("| `{tier}` | {} |\n", step.trim_start())
    });
    let page = root().join("docs/how-to/testing.md");
    let text = std::fs::read_to_string(&page).expect("a page");
    let head = "| tier | step |\n|---|---|\n";
    let (before, table) = text.split_once(head).expect("a table");
    let (_, after) = table.split_once("\n\n").expect("an end");
    assert!(listed.lines().count() > 20, "{listed}");
    compare(&page, &format!("{before}{head}{}\n{after}", rows.collect::<String>()));
    assert!(run(&["--help"]).good().contains("--quick"));
    assert!(run(&["--quik"]).bad(2).starts_with("test: unknown option: --quik"));
    assert_eq!(run(&["--list", "--only", "soak"]).good(), "all      soak\n");
    let soak = run(&["--only", "soak"]).bad(2);
    assert!(soak.starts_with("test: no step of the tier default has `soak` in its name"), "{soak}");
}

/// A row behind an empty line is text and no row.
#[test]
fn every_table_has_a_head() {
    let mut tables = 0;
    let mut pages = vec![root().join("README.md")];
    for directory in ["docs", "docs/how-to", "docs/stages", "docs/stages/entropy_selector"] {
        let entries = std::fs::read_dir(root().join(directory)).expect("a directory of pages");
        pages.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    for page in pages.iter().filter(|page| page.extension().is_some_and(|kind| kind == "md")) {
        let text = std::fs::read_to_string(page).expect("a page");
        // Not what is quoted.
        let text: String = text.split("```").step_by(2).collect();
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('|')) {
            if i == 0 || !lines[i - 1].starts_with('|') {
                let head = lines.get(i + 1).is_some_and(|next| next.starts_with("|-"));
                assert!(head, "{} line {}: a table without a head: {line}", page.display(), i + 1);
                tables += 1;
            }
        }
    }
    assert!(tables > 50, "{tables} tables");
}

/// `docs/headers.md` lists the fields of all headers, as the hardware reads them.
#[test]
fn the_page_on_headers_lists_the_layouts() {
    let page = root().join("docs/headers.md");
    let text = std::fs::read_to_string(&page).expect("a page");
    let (before, _) = text.split_once("\n## ").expect("a first header");
    compare(&page, &format!("{before}{}", headers()));
}

fn headers() -> String {
    pipeline::headers::catalog::CATALOG.iter().map(|entry| table(entry.title, &entry.layout)).collect()
}

/// Fields with their words and bits; those that must be 0 are marked.
fn table(name: &str, layout: &pipeline::headers::Layout) -> String {
    let row = |(start, field): (u32, pipeline::headers::Field)| {
        let last = start + field.width - 1;
        let (high, low) = (31 - start % 32, 31 - last % 32);
        let place = match start / 32 == last / 32 {
            true if high == low => format!("{} | {high}", start / 32),
            true => format!("{} | {high}:{low}", start / 32),
            false => format!("{} .. {} | {high} .. {low}", start / 32, last / 32),
        };
        format!("| `{}` | {} | {place} |{}\n", field.name, field.width, if field.zero { " 0 |" } else { " |" })
    };
    let rows: String = layout.places().map(row).collect();
    format!(
        "\n## {name}\n\n`{}_`\n\n| field | bits | word | bits of the word | must be |\n|---|---|---|---|---|\n{rows}",
        layout.object
    )
}

/// Stages with a page of their name.
const PAGES: [StageName; 21] = [
    StageName::HeaderParser,
    StageName::HeaderBuilder,
    StageName::Icrc,
    StageName::FrameGate,
    StageName::ContextLookup,
    StageName::Reorder,
    StageName::RequestCheck,
    StageName::AckGenerator,
    StageName::Rx,
    StageName::EntropySelector,
    StageName::PathScheduler,
    StageName::CccTable,
    StageName::PacketTracker,
    StageName::CreditPacer,
    StageName::LiaRouter,
    StageName::Tx,
    StageName::Nic,
    StageName::ElabScheduler,
    StageName::ElabFeedback,
    StageName::ElabHost,
    StageName::MarkMonitor,
];

/// What stands above a table of ports.
const ABOUT_PORTS: &str = "All ports but `clk` and `rst`, with their widths in the default configuration. A bold row is an \
    interface: its bits are those\nof a transfer, and there is a transfer in each clock in which the last column holds.\n\n";

/// The pages of stages list their ports, as the netlist has them.
#[test]
fn the_pages_of_stages_list_their_ports() {
    for stage in PAGES {
        let page = root().join(format!("docs/stages/{}.md", stage.name()));
        let text = std::fs::read_to_string(&page).expect("a page");
        compare(&page, &with_ports(&text, "ports", stage));
    }
    // The page of `icrc` is that of both.
    assert_eq!(ports(StageName::Icrc), ports(StageName::IcrcInsert));
}

/// `docs/blocks.md` lists the ports of the blocks that are stages of their own.
#[test]
fn the_page_on_blocks_lists_their_ports() {
    let page = root().join("docs/blocks.md");
    let text = std::fs::read_to_string(&page).expect("a page");
    let blocks = [StageName::Fifo, StageName::SkidBuffer, StageName::Arbiter];
    let now = blocks.iter().fold(text, |text, block| with_ports(&text, &format!("ports {}", block.name()), *block));
    compare(&page, &now);
}

/// A page whose table of ports, between two comments of which the first is given, is as it is now.
fn with_ports(page: &str, comment: &str, stage: StageName) -> String {
    let (begin, end) = (format!("<!-- {comment} -->\n"), "<!-- end of ports -->\n");
    let (before, rest) = page.split_once(&begin).expect("the ports begin");
    let (_, after) = rest.split_once(end).expect("the ports end");
    format!("{before}{begin}{ABOUT_PORTS}{}{end}{after}", ports(stage))
}

fn ports(stage: StageName) -> String {
    let circuit = stage.circuit(&Config::default()).expect("it elaborates");
    mpnic::interfaces::table::markdown(circuit.top())
}

/// `docs/stages/tally.md` shows parts of the Rust and of the Verilog, the ports, and at its end the whole Verilog.
#[test]
fn the_page_on_tally_shows_the_code() {
    let page = root().join("docs/stages/tally.md");
    let text = std::fs::read_to_string(&page).expect("a page");
    let rust = std::fs::read_to_string(root().join("pipeline/src/examples/tally.rs")).expect("the source");
    let verilog = Place::fresh().run("rtl --stage tally --out -").good();
    let text = with_ports(&text, "ports", StageName::Tally);
    let (before, _) = text.split_once("```verilog\n// SPDX").expect("the whole Verilog");
    compare(&page, &format!("{before}```verilog\n{verilog}```\n"));
    for (language, source) in [("rust", &rust), ("verilog", &verilog)] {
        let parts = blocks(&text, language);
        assert!(!parts.is_empty(), "{language}");
        for part in parts.iter().filter(|part| !part.starts_with("// SPDX")) {
            assert!(unindented(source).contains(&unindented(part)), "not in the {language} source:\n{part}");
        }
    }
}

/// `docs/how-to/new-stage.md` shows parts of the files that it names.
#[test]
fn the_page_on_a_new_stage_shows_the_code() {
    let text = std::fs::read_to_string(root().join("docs/how-to/new-stage.md")).expect("a page");
    let files = [
        "pipeline/src/examples/mark_monitor.rs",
        "pipeline/src/receive/rx/ports.rs",
        "src/config/keys/blocks.rs",
        "src/stages/mark_monitor.rs",
        "golden-vectors/src/examples/mark_monitor/oracle.rs",
        "golden-vectors/src/examples/mark_monitor/suite.rs",
        "golden-vectors/src/examples/mark_monitor/cases.rs",
        "testbench/tests/suite/examples/mark_monitor.rs",
    ];
    let sources = files.map(|file| unindented(&std::fs::read_to_string(root().join(file)).expect(file)));
    let parts = blocks(&text, "rust");
    for (file, source) in files.iter().zip(&sources) {
        assert!(parts.iter().any(|part| source.contains(&unindented(part))), "nothing of {file} is shown");
    }
    for part in parts {
        assert!(sources.iter().any(|source| source.contains(&unindented(part))), "in none of the files:\n{part}");
    }
}

/// What the page on the language shows stands in stages, and each check of the language is in its table.
#[test]
fn the_page_on_the_language_shows_code_of_stages() {
    let text = std::fs::read_to_string(root().join("docs/language.md")).expect("a page");
    let sources = sources(&root().join("pipeline/src"));
    let parts = blocks(&text, "rust");
    assert!(parts.len() > 10, "{}", parts.len());
    for part in parts {
        assert!(part.lines().count() <= 12, "too long:\n{part}");
        assert!(sources.iter().any(|source| source.contains(&unindented(part))), "in no stage:\n{part}");
    }
    let titles = std::fs::read_to_string(root().join("rtl-model/src/netlist/problem.rs")).expect("a source");
    let titles: Vec<_> = titles.split(" => \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(titles.len() > 10, "{titles:?}");
    for title in titles {
        assert!(text.contains(&format!("\n| {title} | ")), "{title}");
    }
}

/// All files of Rust in a directory.
fn sources(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path());
    let one = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![unindented(&std::fs::read_to_string(path).expect("a source"))],
    };
    entries.flat_map(one).collect()
}

/// The pages show the examples as they are, but for the line of the licence.
#[test]
fn the_pages_show_the_examples() {
    let shown: [(&str, &str, &[&str]); 4] = [
        ("model", "c", &["model/count.c"]),
        ("model", "python", &["model/count.py", "model/bench.py"]),
        ("model", "systemverilog", &["model/compare.sv"]),
        ("nic", "python", &["nic/two_paths.py"]),
    ];
    for (page, language, files) in shown {
        let text = std::fs::read_to_string(root().join(format!("docs/how-to/{page}.md"))).expect("a page");
        let read = |file: &&str| std::fs::read_to_string(root().join("docs/examples").join(file)).expect("an example");
        let sources: Vec<_> = files.iter().map(read).collect();
        let shown: Vec<_> = sources.iter().map(|source| source.split_once('\n').expect("a licence").1).collect();
        assert_eq!(blocks(&text, language), shown, "{files:?}");
    }
}

fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

fn unindented(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim())).collect()
}

/// Compares what is committed with what it is now, or writes it.
pub fn compare(page: &Path, now: &str) {
    if std::env::var_os("MPNIC_UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(page.parent().expect("a directory")).expect("made");
        std::fs::write(page, now).expect("written");
        return;
    }
    let shown = std::fs::read_to_string(page).expect("a page");
    let differs = shown.lines().zip(now.lines()).find(|(shown, now)| shown != now);
    assert!(
        shown == now,
        "{} is not up to date; MPNIC_UPDATE_DOCS=1 writes it. First difference: {differs:?}",
        page.display()
    );
}

/// Links inside the documentation lead somewhere.
#[test]
fn links_lead_somewhere() {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    for dir in ["docs", "docs/how-to", "docs/stages", "docs/examples/cocotb"] {
        let entries = std::fs::read_dir(root().join(dir)).expect(dir);
        pages.extend(entries.map(|e| e.expect(dir).path()).filter(|p| p.extension().is_some_and(|end| end == "md")));
    }
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !link.contains("://") {
                let target = page.parent().expect("a directory").join(file);
                assert!(target.exists(), "{}: {link}", page.display());
            }
        }
    }
}
