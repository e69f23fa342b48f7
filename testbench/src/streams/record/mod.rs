// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header records: converts the ports of the hardware to fields by name, and back.

mod places;

use crate::streams::{Channel, Item};
use golden_vectors::Field;
use places::{Place, places};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of this many bits are exact in JSON for all that read its numbers as `f64`.
const EXACT: u32 = 53;

/// A header record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The fields of the frame, by name.
    fields: BTreeMap<String, u128>,
    /// Those of them that have more than [`EXACT`] bits.
    wide: BTreeSet<String>,
    /// The ports that they are read from.
    ports: BTreeMap<String, u128>,
}

impl Record {
    /// Returns the field, or `None` if the record has no field of that name.
    pub fn field(&self, name: &str) -> Option<u128> {
        self.fields.get(name).copied()
    }

    /// Returns the field, or 0 if there is none.
    pub fn get(&self, name: &str) -> u128 {
        self.field(name).unwrap_or(0)
    }

    /// Returns the fields whose names begin with `object_`, by the rest of their names.
    pub fn object<'a>(&'a self, object: &'a str) -> impl Iterator<Item = (&'a str, u128)> {
        let rest = move |name: &'a str| name.strip_prefix(object)?.strip_prefix('_');
        self.fields.iter().filter_map(move |(name, value)| Some((rest(name)?, *value)))
    }

    /// Whether JSON needs a string for the field, whatever its value is.
    pub fn is_wide(&self, name: &str) -> bool {
        self.wide.contains(name)
    }

    /// The ports, by their names in the record.
    pub fn ports(&self) -> impl Iterator<Item = (&str, u128)> {
        self.ports.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Reads a record from one transfer of its stream.
    pub fn of_item(channel: &Channel, item: &Item) -> Self {
        let mut ports = BTreeMap::new();
        let mut at = 0;
        for (name, width) in channel.fields() {
            let limbs = width.div_ceil(64) as usize;
            let value = item[at..at + limbs].iter().rev().fold(0u128, |value, &limb| value << 64 | limb as u128);
            ports.insert(name.to_owned(), value);
            at += limbs;
        }
        let port = |name: &str| ports.get(name).copied().unwrap_or(0);
        let value = |place: &Place| {
            let bits = |(name, low, width): &(String, u32, u32)| port(name) >> low & ((1 << width) - 1);
            let joined = place.parts.iter().fold(0, |high, part| high << part.2 | bits(part));
            joined << place.up
        };
        let places = places(&value);
        let mut fields: BTreeMap<_, _> = places.iter().map(|place| (place.name.clone(), value(place))).collect();
        let wide = places.into_iter().filter(|place| place.width() > EXACT).map(|place| place.name).collect();
        // Row 10 of the parser's contract: the transport of an IPv4 fragment is not read.
        if port("l3") == 1 {
            let is = |name: &str| fields.get(name).is_some_and(|value| *value != 0);
            let fragment = is("ip_mf") || is("ip_fragment_offset");
            fields.insert("fragment".to_owned(), fragment.into());
        }
        Record { fields, wide, ports }
    }
}

impl FromIterator<(String, u128)> for Record {
    fn from_iter<T: IntoIterator<Item = (String, u128)>>(fields: T) -> Self {
        Record { fields: fields.into_iter().collect(), ..Record::default() }
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
        let record = Record::of_item(&channel, &item);
        assert_eq!((record.field("hop_limit"), record.field("protocol")), (Some(0x40), Some(17)));
        assert_eq!(record.get("src_ip"), 0x0A00_0001 << 96);
        assert_eq!((record.get("bth_ackreq"), record.get("bth_psn")), (1, 0x12_3456));
        assert_eq!((record.get("mpeh_path_id"), record.get("mpeh_flowlet_seq")), (0xA1, 0xA3A4));
        assert_eq!((record.field("immdt"), record.field("aeth_msn")), (Some(0xB1B2_B3B4), None));
        assert_eq!(record.object("mpeh").count(), 5);
    }

    #[test]
    fn what_is_read_from_ports_is_what_is_expected_of_them() {
        let (channel, item) = record();
        let fields = Record::of_item(&channel, &item).fields;
        let fields = fields.into_iter().map(|(name, value)| (name, Field::exact(value))).collect();
        let ports = expected_ports(&fields);
        for ((name, width), &value) in channel.fields().zip(item.iter()) {
            let ones = if name == "ip_2" { 0xFFFF_FFFF } else { (1 << width) - 1 };
            assert_eq!(ports.get(name), Some(&Field { value: value.into(), mask: ones }), "{name}");
        }
        assert_eq!(expected_ports(&BTreeMap::new()).get("header_2"), None);
    }
}
