// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header records: from the ports of the hardware to fields by name.

use crate::stream::{Channel, Item};
use std::collections::BTreeMap;

/// A header record: all fields by name, whether or not the frame has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(BTreeMap<String, u128>);

impl Record {
    /// The field; `None` if the hardware has none of that name.
    pub fn field(&self, name: &str) -> Option<u128> {
        self.0.get(name).copied()
    }

    /// The field, 0 if there is none.
    pub fn get(&self, name: &str) -> u128 {
        self.field(name).unwrap_or(0)
    }

    /// From one transfer of the record's stream.
    pub fn of_item(channel: &Channel, item: &Item) -> Self {
        let mut fields = BTreeMap::new();
        let mut at = 0;
        for part in parts(channel) {
            let limbs = part.width.div_ceil(64) as usize;
            let value = item[at..at + limbs].iter().rev().fold(0u128, |value, &limb| value << 64 | limb as u128);
            *fields.entry(part.field).or_insert(0) |= value.checked_shl(part.low).unwrap_or(0);
            at += limbs;
        }
        Record(fields)
    }
}

impl FromIterator<(String, u128)> for Record {
    fn from_iter<T: IntoIterator<Item = (String, u128)>>(fields: T) -> Self {
        Record(fields.into_iter().collect())
    }
}

/// A port of the record's stream: which bits of which field it carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the field.
    pub field: String,
    /// The field's bit that is bit 0 of the port.
    pub low: u32,
    /// Width of the port.
    pub width: u32,
}

/// The parts in the order of the ports. Ports `x_0`, `x_1`.. are the words of field `x`, in network order.
pub fn parts(channel: &Channel) -> Vec<Part> {
    let fields: Vec<_> = channel.fields().collect();
    let widths = |field: &str| -> Vec<u32> {
        let word = |i: usize| fields.iter().find(|(name, _)| *name == format!("{field}_{i}")).map(|(_, width)| *width);
        (0..).map_while(word).collect()
    };
    let part = |&(name, width): &(&str, u32)| {
        let (field, words, index) = match name.rsplit_once('_').map(|(field, index)| (field, index.parse::<usize>())) {
            Some((field, Ok(index))) => (field, widths(field), index),
            _ => (name, vec![], 0),
        };
        match words.get(index + 1..) {
            Some(behind) => Part { field: field.into(), low: behind.iter().sum(), width },
            None => Part { field: name.into(), low: 0, width },
        }
    };
    fields.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ports;

    #[test]
    fn words_of_a_field_are_joined_in_network_order() {
        let outputs = [
            ("r_tvalid", 1),
            ("r_src_ip_0", 32),
            ("r_src_ip_1", 32),
            ("r_src_ip_2", 32),
            ("r_src_ip_3", 32),
            ("r_vlan0_tci", 16),
            ("r_whole", 80),
        ];
        let channel = Channel::output(&Ports::new([("r_tready", 1)], outputs), "r").expect("a whole stream");
        let item = [1, 2, 3, 4, 5, 6, 7].into();
        let record = Record::of_item(&channel, &item);
        assert_eq!(record.field("src_ip"), Some(1 << 96 | 2 << 64 | 3 << 32 | 4));
        assert_eq!((record.field("vlan0_tci"), record.field("src_ip_0")), (Some(5), None));
        assert_eq!(record.get("whole"), 7 << 64 | 6);
    }
}
