// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts rows of cycles to changes of signals in time.

use super::format::{Body, Format, Item};
use super::{Layout, Recording};
use crate::device::Port;
use std::io::{self, Seek, Write};

/// Time units of a cycle.
const PERIOD: u64 = 10;

/// Writes the cycles of one or more devices, each in its own scope.
pub struct Writer<W: Write + Seek> {
    body: Body<W>,
    columns: Vec<Column>,
    text: Vec<u8>,
}

/// The scope of a device.
struct Column {
    clk: usize,
    signals: Vec<(usize, Port)>,
    last: Option<Box<[u64]>>,
}

impl<W: Write + Seek> Writer<W> {
    /// Writes the declarations of all scopes.
    pub fn new(to: W, format: Format, scopes: &[(&str, &Layout)]) -> io::Result<Self> {
        let mut items = Vec::new();
        let mut columns = Vec::new();
        // Signals are numbered in the order of their declarations.
        let mut numbers = 0..;
        let mut number = || numbers.next().expect("no end");
        for (name, layout) in scopes {
            items.push(Item::Enter(name));
            items.push(Item::Signal("clk", 1));
            columns.push(Column { clk: number(), signals: Vec::new(), last: None });
            let signals = &mut columns.last_mut().expect("just pushed").signals;
            declare(layout, &[], &mut items, &mut |port| signals.push((number(), port.clone())));
            items.push(Item::Leave);
        }
        Ok(Writer { body: Body::begin(to, format, items.into_iter())?, columns, text: Vec::new() })
    }

    /// Writes a cycle: the rising edge with the row of each scope, then the falling edge. A scope without a row does
    /// not change.
    pub fn cycle(&mut self, cycle: u64, rows: &[Option<&[u64]>]) -> io::Result<()> {
        self.body.time(cycle * PERIOD)?;
        for (column, row) in self.columns.iter_mut().zip(rows) {
            let Some(row) = row else { continue };
            self.body.change(column.clk, b"1")?;
            for (id, port) in &column.signals {
                let now = port.of(row);
                if column.last.as_ref().is_none_or(|last| port.of(last) != now) {
                    bits(now, port.width, &mut self.text);
                    self.body.change(*id, &self.text)?;
                }
            }
            match &mut column.last {
                Some(last) => last.copy_from_slice(row),
                last => *last = Some((*row).into()),
            }
        }
        self.body.time(cycle * PERIOD + PERIOD / 2)?;
        let running = self.columns.iter().zip(rows).filter(|(_, row)| row.is_some());
        running.map(|(column, _)| column.clk).try_for_each(|clk| self.body.change(clk, b"0"))
    }

    /// Ends the last cycle; `cycle` is the number of the next one.
    pub fn finish(mut self, cycle: u64) -> io::Result<()> {
        self.body.time(cycle * PERIOD)?;
        self.body.finish()
    }
}

/// Declares the signals of a scope, then the scopes inside, in the order of their first signals.
fn declare<'a>(layout: &'a Layout, at: &[String], items: &mut Vec<Item<'a>>, each: &mut impl FnMut(&Port)) {
    let mut inside: Vec<&'a String> = Vec::new();
    for signal in layout.signals().iter().filter(|signal| signal.scope.starts_with(at)) {
        match signal.scope.get(at.len()) {
            None => {
                items.push(Item::Signal(&signal.port.name, signal.port.width));
                each(&signal.port);
            }
            Some(name) if !inside.contains(&name) => inside.push(name),
            Some(_) => {}
        }
    }
    for name in inside {
        items.push(Item::Enter(name));
        declare(layout, &[at, std::slice::from_ref(name)].concat(), items, each);
        items.push(Item::Leave);
    }
}

/// The bits as `0` and `1`, the highest first.
fn bits(limbs: &[u64], width: u32, text: &mut Vec<u8>) {
    text.clear();
    text.extend((0..width as usize).rev().map(|i| b'0' + (limbs[i / 64] >> (i % 64) & 1) as u8));
}

/// Writes recordings of the same cycles, each in its own scope.
pub fn write_to(to: impl Write + Seek, format: Format, scopes: &[(&str, &Recording)]) -> io::Result<()> {
    let layouts: Vec<_> = scopes.iter().map(|(name, recording)| (*name, recording.layout())).collect();
    let mut writer = Writer::new(to, format, &layouts)?;
    let first = scopes.iter().map(|(_, recording)| recording.cycles().start).min().unwrap_or(0);
    let end = scopes.iter().map(|(_, recording)| recording.cycles().end).max().unwrap_or(0);
    for cycle in first..end {
        let rows: Vec<_> = scopes.iter().map(|(_, recording)| recording.row(cycle)).collect();
        writer.cycle(cycle, &rows)?;
    }
    writer.finish(end)
}
