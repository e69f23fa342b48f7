// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header records: converts the ports of the hardware to fields by name, and back.

mod places;
mod reader;

use golden_vectors::Field;
use places::{Place, places};
pub use reader::Reader;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A header record: the fields of a frame and the ports that they are read from, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    names: Arc<Names>,
    /// Their values.
    fields: Vec<u128>,
    ports: Vec<u128>,
}

/// The names of records that have the same headers.
#[derive(Debug, Default, PartialEq, Eq)]
struct Names {
    /// In alphabetical order.
    fields: Vec<Name>,
    ports: Arc<[String]>,
}

/// The name of a field, and whether JSON needs a string for it, whatever its value is.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    name: String,
    wide: bool,
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'a> {
    /// Its name, without that of its object if it was asked for by the object.
    pub name: &'a str,
    /// Its value.
    pub value: u128,
    /// Whether it has more than 53 bits: many readers of JSON keep numbers as `f64`.
    pub wide: bool,
}

impl Record {
    /// Returns the field, or `None` if the record has no field of that name.
    pub fn field(&self, name: &str) -> Option<u128> {
        let at = self.names.fields.binary_search_by(|field| field.name.as_str().cmp(name)).ok()?;
        Some(self.fields[at])
    }

    /// Returns the field, or 0 if there is none.
    pub fn get(&self, name: &str) -> u128 {
        self.field(name).unwrap_or(0)
    }

    /// Returns the fields whose names begin with `object_`, by the rest of their names.
    pub fn object<'a>(&'a self, object: &'a str) -> impl Iterator<Item = Named<'a>> {
        let first = self.names.fields.partition_point(|field| field.name.as_str() < object);
        let from_here = self.names.fields.iter().zip(&self.fields).skip(first);
        from_here.take_while(move |(field, _)| field.name.starts_with(object)).filter_map(move |(field, value)| {
            let name = field.name.strip_prefix(object)?.strip_prefix('_')?;
            Some(Named { name, value: *value, wide: field.wide })
        })
    }

    /// The ports, by their names in the record.
    pub fn ports(&self) -> impl Iterator<Item = (&str, u128)> {
        self.names.ports.iter().zip(&self.ports).map(|(name, value)| (name.as_str(), *value))
    }
}

/// Returns the ports of a record with these fields, by name: values, and which of their bits are defined. A port that
/// is missing can have any value.
pub fn expected_ports(fields: &BTreeMap<String, Field>) -> BTreeMap<String, Field> {
    let known = |place: &Place| fields.get(&place.name).map_or(0, |field| field.value);
    let mut ports = BTreeMap::new();
    for place in places(&known) {
        let Some(field) = fields.get(&place.name) else { continue };
        let mut above = place.width();
        for (name, low, width) in place.parts {
            above -= width;
            let bits = |number: u128| (number >> above & ((1 << width) - 1)) << low;
            let port: &mut Field = ports.entry(name).or_insert(ANY);
            port.value |= bits(field.value);
            port.mask |= bits(field.mask);
        }
    }
    ports
}

/// The expectation for a port that can have any value.
pub const ANY: Field = Field { value: 0, mask: 0 };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Ports;
    use crate::device::ports::interface;
    use crate::streams::{Channel, Item};
    use rtl_model::netlist::interfaces::Direction;

    /// A record with some ports: BTH with MPEH and immediate data.
    fn record() -> (Channel, Item) {
        let fields = [
            ("l3", 2),
            ("ip_2", 32),
            ("ip_3", 32),
            ("transport", 3),
            ("has_mpeh", 1),
            ("has_immdt", 1),
            ("mpeh_0", 32),
            ("header_2", 32),
            ("header_3", 32),
        ];
        let stream = interface("r", Direction::Out, &["tvalid", "tready"], fields);
        let channel = Channel::output(&Ports::of_interfaces(vec![stream]), "r").expect("a whole stream");
        (channel, [1, 0x4011_0000, 0x0A00_0001, 2, 1, 1, 0xA105_A3A4, 0x8012_3456, 0xB1B2_B3B4].into())
    }

    #[test]
    fn fields_are_where_the_layouts_say() {
        let (channel, item) = record();
        let record = Reader::new(&channel).read(&item);
        assert_eq!((record.field("hop_limit"), record.field("protocol")), (Some(0x40), Some(17)));
        assert_eq!(record.get("src_ip"), 0x0A00_0001 << 96);
        assert_eq!((record.get("bth_ackreq"), record.get("bth_psn")), (1, 0x12_3456));
        assert_eq!((record.get("mpeh_path_id"), record.get("mpeh_flowlet_seq")), (0xA1, 0xA3A4));
        assert_eq!((record.field("immdt"), record.field("aeth_msn")), (Some(0xB1B2_B3B4), None));
        assert_eq!(record.object("mpeh").count(), 5);
    }

    #[test]
    fn records_of_other_headers_have_their_own_names() {
        let (channel, item) = record();
        let mut reader = Reader::new(&channel);
        let whole = reader.read(&item);
        let mut short = item.clone();
        (short[4], short[5]) = (0, 0);
        let other = reader.read(&short);
        assert_eq!((other.object("mpeh").count(), other.field("immdt"), other.get("bth_psn")), (0, None, 0x12_3456));
        assert_eq!(reader.read(&item), whole);
    }

    #[test]
    fn what_is_read_from_ports_is_what_is_expected_of_them() {
        let (channel, item) = record();
        let record = Reader::new(&channel).read(&item);
        let exact = |(field, value): (&Name, &u128)| (field.name.clone(), Field::exact(*value));
        let fields = record.names.fields.iter().zip(&record.fields).map(exact).collect();
        let ports = expected_ports(&fields);
        for ((name, width), &value) in channel.fields().zip(item.iter()) {
            let ones = if name == "ip_2" { 0xFFFF_FFFF } else { (1 << width) - 1 };
            assert_eq!(ports.get(name), Some(&Field { value: value.into(), mask: ones }), "{name}");
        }
        assert_eq!(expected_ports(&BTreeMap::new()).get("header_2"), None);
    }
}
