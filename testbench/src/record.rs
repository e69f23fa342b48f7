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
        for (name, width) in channel.fields() {
            let limbs = width.div_ceil(64) as usize;
            let value = item[at..at + limbs].iter().rev().fold(0u128, |value, &limb| value << 64 | limb as u128);
            fields.insert(name.to_owned(), value);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ports;

    #[test]
    fn ports_are_fields_whatever_their_width() {
        let outputs = [("r_tvalid", 1), ("r_vlan0_tci", 16), ("r_whole", 80)];
        let channel = Channel::output(&Ports::new([("r_tready", 1)], outputs), "r").expect("a whole stream");
        let record = Record::of_item(&channel, &[5, 6, 7].into());
        assert_eq!((record.field("vlan0_tci"), record.field("vlan1_tci")), (Some(5), None));
        assert_eq!(record.get("whole"), 7 << 64 | 6);
    }
}
