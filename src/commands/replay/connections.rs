// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections that `replay --out` opens: those of a file, or one for each key in the capture.

use crate::config::Config;
use crate::failure::{Failure, Mistake, Outcome, Place};
use crate::files;
use pipeline::receive::ack_generator::AckProtocol;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use testbench::benches::rx_bench::Command;

/// Columns of the file; the first one must be there.
const COLUMNS: [&str; 4] = ["key", "psn", "peer", "multipath"];
const HELP: &str = "the first line has the names of the columns: key, and where needed psn, peer, multipath";

/// A connection to open. What is not given follows from the first packet with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The destination QP, or the DPDCID of requests.
    pub key: u64,
    pub psn: Option<u64>,
    pub peer: Option<u64>,
    pub multipath: Option<bool>,
}

/// The first packet of a connection.
#[derive(Clone, Copy, Debug)]
pub struct First {
    pub key: u64,
    pub psn: u64,
    pub has_mpeh: bool,
}

impl Connection {
    /// Whether its first packet must be known.
    fn is_open_question(&self, protocol: AckProtocol) -> bool {
        self.psn.is_none() || (protocol == AckProtocol::Roce && self.multipath.is_none())
    }
}

/// Reads the file.
pub fn load(path: &Path, config: &Config) -> Outcome<Vec<Connection>> {
    let text = files::read_text(path).map_err(Failure::file(path))?;
    parse(&path.display().to_string(), &text, config)
}

/// Whether the capture must be read before these are opened.
pub fn need_capture(connections: &[Connection], config: &Config) -> bool {
    connections.iter().any(|connection| connection.is_open_question(config.ack_protocol()))
}

/// A field of the file and its place in the text.
type Entry<'a> = (&'a str, Range<usize>);

fn parse(name: &str, text: &str, config: &Config) -> Outcome<Vec<Connection>> {
    let mistake = |message: String, label: &str, span: Range<usize>, help: &str| {
        let place = Place { name: name.to_owned(), text: text.to_owned(), span, label: label.to_owned() };
        Failure::Usage(Box::new(Mistake { message, place: Some(place), help: Some(help.to_owned()) }))
    };
    let mut lines = lines(text);
    let Some(columns) = lines.next() else {
        return Err(Failure::with_help(format!("{name} holds no connections"), HELP));
    };
    for (i, (column, span)) in columns.iter().enumerate() {
        if !COLUMNS.contains(column) {
            let help = format!("columns are {}", COLUMNS.join(", "));
            return Err(mistake(format!("there is no column `{column}`"), "unknown", span.clone(), &help));
        }
        if columns[..i].iter().any(|(before, _)| before == column) {
            return Err(mistake(format!("two columns are `{column}`"), "the second one", span.clone(), "remove one"));
        }
    }
    if columns.iter().all(|(column, _)| *column != COLUMNS[0]) {
        let span = columns[0].1.start..columns[columns.len() - 1].1.end;
        return Err(mistake("there is no column `key`".to_owned(), "the columns", span, HELP));
    }
    let mut connections = Vec::new();
    let mut keys = BTreeMap::new();
    for fields in lines {
        let line = fields[0].1.start..fields[fields.len() - 1].1.end;
        if fields.len() != columns.len() {
            let label = format!("{} here, {} columns", fields.len(), columns.len());
            let help = "a value that is left out stays empty between its commas";
            return Err(mistake("another number of values than of columns".to_owned(), &label, line, help));
        }
        let value = |column: &str, limit: u64| -> Outcome<Option<u64>> {
            let at = columns.iter().position(|(name, _)| *name == column);
            let Some((text, span)) = at.map(|at| fields[at].clone()).filter(|(text, _)| !text.is_empty()) else {
                return Ok(None);
            };
            match number(text).filter(|value| *value <= limit) {
                Some(value) => Ok(Some(value)),
                None => {
                    let help = format!("`{column}` is a number from 0 to {limit} ({limit:#x})");
                    Err(mistake(format!("`{column}` cannot have this value"), "not allowed", span, &help))
                }
            }
        };
        let [key, psn] = limits(config);
        let Some(key) = value("key", key)? else {
            return Err(mistake("a connection has no key".to_owned(), "no key", line, HELP));
        };
        if keys.insert(key, ()).is_some() {
            let help = "each key has one connection";
            return Err(mistake(format!("the key {key} has a connection already"), "the second one", line, help));
        }
        connections.push(Connection {
            key,
            psn: value("psn", psn)?,
            peer: value("peer", (1 << 24) - 1)?,
            multipath: value("multipath", 1)?.map(|on| on == 1),
        });
    }
    match connections.is_empty() {
        true => Err(Failure::with_help(format!("{name} holds no connections"), HELP)),
        false => Ok(connections),
    }
}

/// The largest key and PSN.
fn limits(config: &Config) -> [u64; 2] {
    let protocol = config.ack_protocol();
    let key_bits = if protocol == AckProtocol::Roce { 24 } else { 16 };
    [key_bits, protocol.psn_bits()].map(|bits| (1 << bits) - 1)
}

/// Lines with anything in them, as fields without the space around them. What follows a `#` is a comment.
fn lines(text: &str) -> impl Iterator<Item = Vec<Entry<'_>>> {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let content = |line: &'_ str| line.split('#').next().unwrap_or_default().trim().len();
    text.lines().filter(move |line| content(line) > 0).map(move |line| {
        let line = line.split('#').next().unwrap_or_default();
        let field = |part| (part, place(part)..place(part) + part.len());
        line.split(',').map(|part| field(unquoted(part.trim()))).collect()
    })
}

/// A field without the quotes that spreadsheets write.
fn unquoted(field: &str) -> &str {
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).map_or(field, str::trim)
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => u64::from_str_radix(digits, 16).ok(),
        _ if text.bytes().all(|digit| digit.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// One connection for each key, in the order of the first packets.
pub fn of_capture(firsts: &[First]) -> Vec<Connection> {
    firsts.iter().map(|first| Connection { key: first.key, psn: None, peer: None, multipath: None }).collect()
}

/// The commands that open the connections, which have the numbers 0, 1, ..
pub fn opening(connections: &[Connection], firsts: &[First], config: &Config) -> Outcome<Vec<Command>> {
    let room = config.reorder.connections;
    if connections.len() as u64 > room {
        return Err(Failure::with_help(
            format!("{} connections are to be opened, and there is room for {room}", connections.len()),
            "set reorder.connections, or name the connections in a file with --connections",
        ));
    }
    let command = |(number, connection): (u64, &Connection)| {
        let first = firsts.iter().find(|first| first.key == connection.key);
        Command {
            op: 1,
            connection: number,
            key: connection.key,
            // Each direction is a connection of its own: a capture has packets of both.
            bidirectional: false,
            psn: connection.psn.or(first.map(|first| first.psn)).unwrap_or(0),
            multipath: connection.multipath.or(first.map(|first| first.has_mpeh)).unwrap_or(false),
            // Packets of reliable connections do not name their sender.
            peer: connection.peer.unwrap_or(connection.key),
            // A capture may have been made anywhere between the ends.
            ends: None,
        }
    };
    Ok((0..).zip(connections).map(command).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Outcome<Vec<Connection>> {
        parse("qps.csv", text, &Config::default())
    }

    #[test]
    fn values_are_left_out_or_not() {
        let text = "# of the test\npsn, key ,multipath\n 7,0x11,1 # first\n\n,18,\n";
        let Ok(connections) = read(text) else { panic!("it reads") };
        let of = |key, psn, multipath| Connection { key, psn, peer: None, multipath };
        assert_eq!(connections, [of(17, Some(7), Some(true)), of(18, None, None)]);
        let config = Config::default();
        assert!(need_capture(&connections, &config) && !need_capture(&connections[..1], &config));
        let firsts = [First { key: 18, psn: 99, has_mpeh: true }];
        let Ok(commands) = opening(&connections, &firsts, &config) else { panic!("there is room") };
        assert_eq!((commands[0].psn, commands[0].multipath, commands[0].peer), (7, true, 17));
        assert_eq!((commands[1].psn, commands[1].multipath, commands[1].connection), (99, true, 1));
    }

    #[test]
    fn values_may_stand_in_quotes() {
        let Ok(connections) = read("\"key\",\"psn\"\r\n\"0x11\", \" 7 \"\r\n18,\"\"\r\n") else { panic!("it reads") };
        let of = |key, psn| Connection { key, psn, peer: None, multipath: None };
        assert_eq!(connections, [of(17, Some(7)), of(18, None)]);
    }

    /// Each mistake is one message that names its line.
    #[test]
    fn mistakes_name_their_line() {
        let cases = [
            ("qp,psn\n", "there is no column `qp`", 1),
            ("key,key\n", "two columns are `key`", 1),
            ("psn\n1\n", "there is no column `key`", 1),
            ("key,psn\n1,2\n3\n", "another number of values", 3),
            ("key\n1\n0x1000000\n", "`key` cannot have this value", 3),
            ("key,multipath\n1,2\n", "`multipath` cannot have this value", 2),
            ("key\n+1\n", "`key` cannot have this value", 2),
            ("key,psn\n,4\n", "a connection has no key", 2),
            ("key\n1\n\n1\n", "the key 1 has a connection already", 4),
        ];
        for (text, message, line) in cases {
            let Err(failure) = read(text) else { panic!("{text} reads") };
            let said = failure.to_string();
            assert_eq!(failure.status(), 2);
            assert!(said.contains(message) && said.contains(&format!("qps.csv:{line}:")), "{text}: {said}");
        }
        for text in ["", "# nothing\n", "key\n"] {
            let Err(failure) = read(text) else { panic!("{text} reads") };
            assert!(failure.to_string().contains("qps.csv holds no connections"), "{failure}");
        }
    }

    #[test]
    fn there_may_be_too_many() {
        let config = Config::default();
        let firsts: Vec<_> = (0..1025).map(|key| First { key, psn: 0, has_mpeh: false }).collect();
        assert!(opening(&of_capture(&firsts[..1024]), &firsts, &config).is_ok());
        let Err(failure) = opening(&of_capture(&firsts), &firsts, &config) else { panic!("there is no room") };
        assert!(failure.to_string().contains("1025 connections") && failure.status() == 2);
    }
}
