// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads waveform files.

use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use vcd::{Command, Parser, ScopeItem};

/// A signal: its width, and its values with the times at which they begin.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wave {
    /// Width in bits.
    pub width: u32,
    /// Times and values in binary.
    pub changes: Vec<(u64, String)>,
}

/// Signals by path.
pub type Waves = BTreeMap<String, Wave>;

impl Wave {
    /// Returns the value at a time.
    pub fn at(&self, time: u64) -> u128 {
        let before = self.changes.iter().take_while(|(at, _)| *at <= time).last();
        let (_, bits) = before.unwrap_or_else(|| panic!("no value at {time}"));
        u128::from_str_radix(bits, 2).expect("known bits")
    }

    fn add(&mut self, time: u64, bits: String) {
        assert_eq!(bits.len(), self.width as usize);
        if self.changes.last().is_none_or(|(_, last)| *last != bits) {
            self.changes.push((time, bits));
        }
    }
}

/// Reads a file of either format.
pub fn read(path: &Path) -> Waves {
    let file = BufReader::new(File::open(path).expect("the waveform is there"));
    if path.extension().is_some_and(|end| end == "vcd") { read_vcd(file) } else { read_fst(file) }
}

fn read_vcd(file: BufReader<File>) -> Waves {
    let mut parser = Parser::new(file);
    let header = parser.parse_header().expect("declarations");
    let mut names = HashMap::new();
    let mut waves = Waves::new();
    declare(&header.items, "", &mut |path, width, code| {
        names.insert(code, path.clone());
        assert!(waves.insert(path, Wave { width, changes: vec![] }).is_none(), "every name once");
    });
    let mut time = 0;
    for command in parser {
        match command.expect("a command") {
            Command::Timestamp(at) => time = at,
            Command::ChangeScalar(code, value) => add(&mut waves, &names[&code], time, value.to_string()),
            Command::ChangeVector(code, value) => {
                add(&mut waves, &names[&code], time, value.iter().map(|bit| bit.to_string()).collect());
            }
            other => panic!("unexpected {other:?}"),
        }
    }
    waves
}

fn declare(items: &[ScopeItem], at: &str, each: &mut impl FnMut(String, u32, vcd::IdCode)) {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => declare(&scope.items, &format!("{at}{}.", scope.identifier), each),
            ScopeItem::Var(var) => each(format!("{at}{}", var.reference), var.size, var.code),
            _ => {}
        }
    }
}

fn read_fst(file: BufReader<File>) -> Waves {
    let mut reader = FstReader::open(file).expect("an FST");
    let mut scopes: Vec<String> = Vec::new();
    let mut names = HashMap::new();
    let mut waves = Waves::new();
    let declared = reader.read_hierarchy(|entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => drop(scopes.pop()),
        FstHierarchyEntry::Var { name, length, handle, .. } => {
            let path = [&*scopes, &[name]].concat().join(".");
            names.insert(handle.get_index(), path.clone());
            assert!(waves.insert(path, Wave { width: length, changes: vec![] }).is_none(), "every name once");
        }
        other => panic!("unexpected {other:?}"),
    });
    declared.expect("declarations");
    let changes = reader.read_signals(&FstFilter::all(), |time, handle, value| {
        let FstSignalValue::String(bits) = value else { panic!("no reals") };
        add(&mut waves, &names[&handle.get_index()], time, String::from_utf8_lossy(bits).into_owned());
        Ok::<(), ()>(())
    });
    assert!(changes.is_ok(), "changes");
    waves
}

fn add(waves: &mut Waves, path: &str, time: u64, bits: String) {
    waves.get_mut(path).expect("declared").add(time, bits);
}
