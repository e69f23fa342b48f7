// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the tests of a group fit the ports that the group declares.

use super::{Column, Streams, TimedCase, TimedGroup};
use crate::schema::VectorError;
use std::collections::BTreeMap;

/// Checks the ports of a group, then its tests.
pub fn group(group: &TimedGroup) -> Result<(), VectorError> {
    let streams = group.inputs.iter().chain(&group.outputs);
    let columns = streams.flat_map(|(_, columns)| columns.iter().map(|column| (&column.name, column.width)));
    let ports = group.widths.iter().map(|(name, &width)| (name, width));
    if let Some((port, _)) = columns.chain(ports).find(|(_, width)| !(1..=64).contains(width)) {
        return Err(VectorError::Width { group: group.name.clone(), port: port.clone() });
    }
    for (port, &value) in &group.settings {
        if !width(group, &group.name, port).map(|width| fits(value, width))? {
            return Err(VectorError::Row { id: group.name.clone(), port: port.clone(), row: 0 });
        }
    }
    group.tests.iter().try_for_each(|test| Test { group, test }.check())
}

fn fits(value: u64, width: u32) -> bool {
    value.checked_shr(width).unwrap_or(0) == 0
}

fn width(group: &TimedGroup, id: &str, port: &str) -> Result<u32, VectorError> {
    let known = group.widths.get(port).copied();
    known.ok_or_else(|| VectorError::Port { id: id.to_owned(), port: port.to_owned() })
}

/// A test in its group.
struct Test<'a> {
    group: &'a TimedGroup,
    test: &'a TimedCase,
}

impl Test<'_> {
    fn check(&self) -> Result<(), VectorError> {
        let (group, test) = (self.group, self.test);
        for (port, changes) in &test.settings {
            if !group.settings.contains_key(port) {
                return Err(self.no(port));
            }
            let width = width(group, &test.id, port)?;
            self.rows(port, changes.iter(), |&(from, value)| fits(value, width).then_some((from, from)))?;
        }
        self.streams(&group.inputs, &test.inputs)?;
        self.streams(&group.outputs, &test.expect.outputs)?;
        for (stream, rows) in &test.unready {
            let columns = group.inputs.get(stream).ok_or_else(|| self.no(stream))?;
            // They have no cycle; any that is in order will do.
            self.rows(stream, (0..).zip(rows), |(at, row)| values_fit(columns, row).then_some((at, at)))?;
        }
        for (port, spans) in &test.expect.levels {
            let width = width(group, &test.id, port)?;
            let span =
                |&[first, last, value]: &[u64; 3]| (first <= last && fits(value, width)).then_some((first, last));
            self.rows(port, spans.iter(), span)?;
        }
        for (port, &value) in &test.expect.counters {
            let width = width(group, &test.id, port)?;
            self.rows(port, [value].iter(), |&value| fits(value, width).then_some((0, 0)))?;
        }
        Ok(())
    }

    fn streams(&self, streams: &Streams, tables: &BTreeMap<String, Vec<Vec<u64>>>) -> Result<(), VectorError> {
        for (stream, rows) in tables {
            let columns = streams.get(stream).ok_or_else(|| self.no(stream))?;
            self.rows(stream, rows.iter(), |row| {
                let (&cycle, values) = row.split_first()?;
                values_fit(columns, values).then_some((cycle, cycle))
            })?;
        }
        Ok(())
    }

    /// `cycles` gives the first and last cycle of a row, or nothing if the row is wrong in itself.
    fn rows<T>(
        &self,
        port: &str,
        rows: impl Iterator<Item = T>,
        cycles: impl Fn(T) -> Option<(u64, u64)>,
    ) -> Result<(), VectorError> {
        let mut free = 0;
        for (row, item) in rows.enumerate() {
            match cycles(item) {
                Some((first, last)) if first >= free && last < self.test.cycles => free = last + 1,
                _ => return Err(VectorError::Row { id: self.test.id.clone(), port: port.to_owned(), row }),
            }
        }
        Ok(())
    }

    fn no(&self, port: &str) -> VectorError {
        VectorError::Port { id: self.test.id.clone(), port: port.to_owned() }
    }
}

fn values_fit(columns: &[Column], values: &[u64]) -> bool {
    columns.len() == values.len() && columns.iter().zip(values).all(|(column, &value)| fits(value, column.width))
}
