// SPDX-License-Identifier: MIT OR Apache-2.0
//! `docs/sources.md` has every row of the sources once, what is met names tests that are there, and the sums are right.
//!
//! `MPNIC_UPDATE_DOCS=1 cargo test --test cli sources` writes the sums.

use crate::docs::compare;
use crate::root;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

/// The rows of each source, in the order of the page.
const SOURCES: [(char, &[RangeInclusive<u32>]); 4] =
    [('M', &[1..=118]), ('U', &[1..=13, 20..=37]), ('E', &[1..=18]), ('L', &[1..=7, 10..=21])];

/// States of rows, and how "covered by" begins; all else is met.
const STATES: [(&str, &str); 4] =
    [("met", ""), ("in part", "in part:"), ("not yet", "not yet"), ("outside", "outside:")];
const MET: usize = 0;
const IN_PART: usize = 1;

/// Where tests are: what stands in front of their names, the folder, and the file in it that declares its modules; none if
/// each file is a program of its own.
const PROGRAMS: [(&str, &str, Option<&str>); 6] = [
    ("", "testbench/tests/suite", Some("main.rs")),
    ("cli", "tests/cli", Some("main.rs")),
    ("golden-vectors", "golden-vectors/tests/suite", Some("main.rs")),
    ("pipeline", "pipeline/tests/suite", Some("main.rs")),
    ("fabric", "fabric/tests", None),
    ("mpnic", "src", Some("lib.rs")),
];

/// A line of a table: one row or several, such as `M27-M29`.
#[derive(Debug)]
struct Line<'a> {
    source: char,
    numbers: Vec<u32>,
    name: &'a str,
    state: usize,
    tests: Vec<&'a str>,
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The numbers of `M52, M53` or `M27-M29`.
fn numbers(name: &str, source: char) -> Option<Vec<u32>> {
    let number = |text: &str| text.strip_prefix(source)?.parse::<u32>().ok();
    let part = |part: &str| match part.split_once('-') {
        Some((first, last)) => Some(number(first)?..=number(last)?),
        None => number(part).map(|number| number..=number),
    };
    let parts: Option<Vec<_>> = name.split(", ").map(part).collect();
    Some(parts?.into_iter().flatten().collect())
}

/// The lines of the table of a source.
fn lines(page: &str, source: char) -> Vec<Line<'_>> {
    let (_, section) = page.split_once(&format!("\n## {source}: ")).expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let (_, table) = section
        .split_once("\n| row | clause | says | covered by | shown by |\n|---|---|---|---|---|\n")
        .expect("a table");
    let line = |line| {
        let cells: Vec<_> = str::split(line, '|').map(str::trim).collect();
        let [_, name, _, _, covered, shown, _] = cells[..] else { panic!("five cells: {line}") };
        let begins = |state: &usize| covered.starts_with(STATES[*state].1);
        let state = (1..STATES.len()).find(begins).unwrap_or(MET);
        let numbers = numbers(name, source).unwrap_or_else(|| panic!("no rows: {name}"));
        Line { source, numbers, name, state, tests: quoted(shown).collect() }
    };
    table.lines().take_while(|line| line.starts_with('|')).map(line).collect()
}

/// The table at the head of the page.
fn sums(lines: &[Line<'_>]) -> String {
    let count = |sources: &[char], state: Option<usize>| {
        let fits = |line: &&Line<'_>| sources.contains(&line.source) && state.is_none_or(|state| state == line.state);
        lines.iter().filter(fits).map(|line| line.numbers.len()).sum::<usize>()
    };
    let row = |name: &str, sources: &[char]| {
        let states: String = (0..STATES.len()).map(|state| format!(" {} |", count(sources, Some(state)))).collect();
        format!("| {name} |{states} {} |\n", count(sources, None))
    };
    let states = STATES.map(|(state, _)| format!(" {state} |")).concat();
    let rows: String = SOURCES.iter().map(|(source, _)| row(&source.to_string(), &[*source])).collect();
    let all = row("all", &SOURCES.map(|(source, _)| source));
    format!("| rows |{states} all |\n|---|{}---|\n{rows}{all}", "---|".repeat(STATES.len()))
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A source has this line, whoever may see what it declares.
fn declares(text: &str, declaration: &str) -> bool {
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub "));
    lines.any(|line| line == declaration)
}

/// A source has a test of this name that is run.
fn has_test(text: &str, name: &str) -> bool {
    let begin = format!("fn {name}(");
    let mut lines = text.lines().map(str::trim);
    while lines.any(|line| line == "#[test]") {
        let mut attributes = Vec::new();
        let function = lines.find(|line| {
            attributes.push(*line);
            !line.starts_with("#[") && !line.starts_with("//")
        });
        // Nothing but its own attribute: one that is left out, or expected to panic, shows nothing here.
        let is_run = !attributes.iter().any(|line| line.starts_with("#["));
        if is_run && function.is_some_and(|line| line.starts_with(&begin)) {
            return true;
        }
    }
    false
}

/// Looks for a test in the file that its path names; else what is not there.
fn find(test: &str) -> Result<(), String> {
    let (program, path) = test.split_once(": ").unwrap_or(("", test));
    let program = PROGRAMS.iter().find(|(name, ..)| *name == program);
    let (_, folder, main) = program.ok_or_else(|| format!("no tests have this prefix: {test}"))?;
    let mut folder = root().join(folder);
    let mut text = main.map(|main| read(&folder.join(main)));
    let (modules, name) = path.rsplit_once("::").ok_or_else(|| format!("no module: {test}"))?;
    for module in modules.split("::") {
        let declared = |end: &str| text.as_ref().map(|text| declares(text, &format!("mod {module}{end}")));
        // One that is inside its file.
        if declared(" {") == Some(true) {
            continue;
        }
        if declared(";") == Some(false) {
            return Err(format!("no module {module}: {test}"));
        }
        let files = [format!("{module}.rs"), format!("{module}/mod.rs")].map(|file| folder.join(file));
        let file = files.iter().find(|file| file.is_file()).ok_or_else(|| format!("no file of {module}: {test}"))?;
        text = Some(read(file));
        folder.push(module);
    }
    let is_there = text.is_some_and(|text| has_test(&text, name));
    is_there.then_some(()).ok_or_else(|| format!("no test {name}: {test}"))
}

/// What is wrong with a line.
fn problems(line: &Line<'_>) -> Vec<String> {
    let mut problems: Vec<_> = line.tests.iter().filter_map(|test| find(test).err()).collect();
    let is_shown = line.state == MET || line.state == IN_PART;
    if is_shown == line.tests.is_empty() {
        problems.push(format!("{} tests show what is {}", line.tests.len(), STATES[line.state].0));
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", line.name)).collect()
}

#[test]
fn rows_that_are_met_name_tests_that_are_there() {
    let page = root().join("docs/sources.md");
    let text = read(&page);
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for (source, ranges) in SOURCES {
        let lines = lines(&text, source);
        let found: Vec<_> = lines.iter().flat_map(|line| line.numbers.iter().copied()).collect();
        let wanted: Vec<_> = ranges.iter().cloned().flatten().collect();
        let once: BTreeSet<_> = found.iter().copied().collect();
        wrong.extend(
            wanted.iter().filter(|row| !once.contains(row)).map(|row| format!("{source}{row:02}: it is not there")),
        );
        wrong.extend(
            once.iter()
                .filter(|row| !wanted.contains(row))
                .map(|row| format!("{source}{row:02}: there is no such row")),
        );
        if found.len() > once.len() {
            wrong.push(format!("{source}: {} rows are there twice", found.len() - once.len()));
        }
        all.extend(lines);
    }
    wrong.extend(all.iter().flat_map(problems));
    // What the text beside the tables names.
    let (head, _) = text.split_once("\n## ").expect("a first section");
    wrong.extend(
        quoted(head).filter(|name| name.contains("::") && !name.ends_with("::")).filter_map(|name| find(name).err()),
    );
    let rows: usize = all.iter().map(|line| line.numbers.len()).sum();
    let tests: BTreeSet<_> = all.iter().flat_map(|line| &line.tests).collect();
    println!("{rows} rows, {} tests", tests.len());
    assert!(wrong.is_empty(), "{} problems of {}:\n{}", wrong.len(), page.display(), wrong.join("\n"));
    assert!(rows > 0 && !tests.is_empty(), "{rows} rows, {} tests", tests.len());
    let (begin, end) = ("<!-- sums -->\n", "<!-- end of sums -->\n");
    let (before, rest) = text.split_once(begin).expect("the sums begin");
    let (_, after) = rest.split_once(end).expect("the sums end");
    compare(&page, &format!("{before}{begin}{}{end}{after}", sums(&all)));
}

/// That the test above would see it.
#[test]
fn a_test_that_is_not_there_is_not_found() {
    let here = "cli: sources::a_test_that_is_not_there_is_not_found";
    assert_eq!(find(here), Ok(()));
    let inside = "mpnic: stages::lia_router::tests::the_settings_are_those_of_the_page";
    assert_eq!(find(inside), Ok(()));
    let cases = [
        ("cli: sources::rows_that_are_met", "no test rows_that_are_met"),
        // It is a function, and no test.
        ("cli: sources::problems", "no test problems"),
        ("cli: source::a_test_that_is_not_there_is_not_found", "no module source"),
        ("sources::a_test_that_is_not_there_is_not_found", "no module sources"),
        ("fabric: long::u3_incast", "no file of long"),
        ("clo: sources::problems", "no tests have this prefix"),
        ("cli: problems", "no module"),
    ];
    for (test, says) in cases {
        let error = find(test).expect_err(test);
        assert!(error.starts_with(says), "{test}: {error}");
    }
}
