// SPDX-License-Identifier: MIT OR Apache-2.0
//! One description of the ports on which a record stands. Names, widths and values follow from it, so that their order
//! cannot differ.

use super::ports::{Put, map_of};
use crate::schema::timed::{Column, Row};
use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;

/// A port: its name, its width, and how its value is taken from a record.
type Field<T> = (Cow<'static, str>, u32, Box<dyn Fn(&T) -> u64>);

/// The ports on which a record stands: the columns of a stream, or ports that belong to no stream.
pub struct Fields<T> {
    /// The stream, or what the names of the ports begin with; empty if they are whole.
    name: &'static str,
    fields: Vec<Field<T>>,
}

impl<T: 'static> Fields<T> {
    /// A stream without columns.
    pub const fn new(name: &'static str) -> Self {
        Fields { name, fields: Vec::new() }
    }

    /// The same with one more field.
    pub fn with(self, field: impl Into<Cow<'static, str>>, width: u32, value: impl Fn(&T) -> u64 + 'static) -> Self {
        self.pushed((field.into(), width, Box::new(value)))
    }

    // Not a part of `with`, of which there is one for each field.
    fn pushed(mut self, field: Field<T>) -> Self {
        self.fields.push(field);
        self
    }

    /// The same with the fields of `others` behind its own.
    pub fn and(mut self, others: Self) -> Self {
        self.fields.extend(others.fields);
        self
    }

    /// The same with a stream that stands beside it: its columns have the whole names of their ports.
    pub fn beside(mut self, other: Self) -> Self {
        let name = other.name;
        let others = other.fields.into_iter().map(|(field, width, value)| (whole(name, &field).into(), width, value));
        self.fields.extend(others);
        self
    }

    /// The same for a record of which this one is a part.
    pub fn of<U: 'static>(self, part: impl Fn(&U) -> &T + Copy + 'static) -> Fields<U> {
        let field = |(field, width, value): Field<T>| -> Field<U> {
            (field, width, Box::new(move |record| value(part(record)))) //
        };
        Fields { name: self.name, fields: self.fields.into_iter().map(field).collect() }
    }

    /// The same with a field `valid`. Without a record all are 0.
    pub fn optional(self) -> Fields<Option<T>> {
        let valid = Fields::new(self.name).with("valid", 1, |record: &Option<T>| record.is_some().into());
        self.fields.into_iter().fold(valid, |fields, (field, width, value)| {
            fields.with(field, width, move |record: &Option<T>| record.as_ref().map_or(0, &value)) //
        })
    }

    /// The name of the stream and its columns.
    pub fn columns(&self) -> (String, Vec<Column>) {
        let column = |(name, width, _): &Field<T>| Column { name: name.to_string(), width: *width };
        (self.name.to_owned(), self.fields.iter().map(column).collect())
    }

    /// The name of the stream, and a row of it without its cycle.
    pub fn row(&self, record: &T) -> (&'static str, Row) {
        (self.name, self.fields.iter().map(|(_, _, value)| value(record)).collect())
    }

    /// The name of the stream, and a row for each of these records and its cycle.
    pub fn rows<R: Borrow<T>>(&self, records: impl IntoIterator<Item = (u64, R)>) -> (&'static str, Vec<Row>) {
        let values = |record: &T| self.fields.iter().map(|(_, _, value)| value(record)).collect::<Vec<_>>();
        let row = |(cycle, record): (u64, R)| [cycle].into_iter().chain(values(record.borrow())).collect();
        (self.name, records.into_iter().map(row).collect())
    }

    /// Puts a record on the stream.
    pub fn put(&self, record: &T) -> Put {
        self.row(record).into()
    }

    /// Sets the ports to the values of a record.
    pub fn set(&self, record: &T) -> Put {
        Put::Settings(self.values(record))
    }

    /// The ports with their widths.
    pub fn widths(&self) -> BTreeMap<String, u32> {
        map_of(self.fields.iter().map(|(field, width, _)| (whole(self.name, field), *width)))
    }

    /// The ports with the values of a record.
    pub fn values(&self, record: &T) -> BTreeMap<String, u64> {
        map_of(self.each().map(|(port, value)| (port, value(record))))
    }

    /// Whether any of them is not 0.
    pub fn any(&self, record: &T) -> bool {
        self.fields.iter().any(|(_, _, value)| value(record) != 0)
    }

    /// The ports, with how the value of each is taken.
    pub fn each(&self) -> impl Iterator<Item = (String, impl Fn(&T) -> u64)> {
        self.fields.iter().map(|(field, _, value)| (whole(self.name, field), value))
    }
}

/// The whole name of a port.
fn whole(name: &str, field: &str) -> String {
    if name.is_empty() { field.to_owned() } else { format!("{name}_{field}") }
}

/// Describes [`Fields`]: `fields!("stream": Record { field: width, .. })`, or without a name. The value of a field is that
/// of the record with this name, or what a function behind `=>` takes from the record.
///
/// `fields!(width, Record: field, ..)` are ports of one width that belong to no stream.
macro_rules! fields {
    (@ $record:ty, $field:ident) => {
        |record: &$record| u64::from(record.$field)
    };
    (@ $record:ty, $field:ident, $value:expr) => {
        $value
    };
    ($width:literal, $record:ty: $($field:ident),* $(,)?) => {
        $crate::collect::fields::fields!($record { $($field: $width),* })
    };
    ($name:tt: $record:ty { $($field:ident: $width:expr $(=> $value:expr)?),* $(,)? }) => {
        $crate::collect::fields::Fields::<$record>::new($name)
            $(.with(stringify!($field), $width, $crate::collect::fields::fields!(@ $record, $field $(, $value)?)))*
    };
    ($record:ty { $($fields:tt)* }) => {
        $crate::collect::fields::fields!("": $record { $($fields)* })
    };
}

pub(crate) use fields;
