// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads records from the transfers of their stream.

use super::places::{Place, places};
use super::{Name, Names, Record};
use crate::streams::{Channel, Item};
use std::cell::RefCell;
use std::sync::Arc;

/// Numbers of this many bits are exact in JSON for all that read its numbers as `f64`.
const EXACT: u32 = 53;

/// Reads the records of a stream. Where the fields are depends on a few of them only, so this is found out once for
/// all records with the same values there.
pub struct Reader {
    /// The limbs that each port takes.
    limbs: Vec<usize>,
    ports: Arc<[String]>,
    seen: Vec<Headers>,
}

/// Records that have the same headers.
struct Headers {
    /// The fields that say which headers there are, and their values.
    when: Vec<(Slices, u128)>,
    names: Arc<Names>,
    /// Of each name.
    slices: Vec<Slices>,
}

/// The position of a field.
struct Slices {
    /// Port, lowest bit, and ones in its width; the upper parts first. A port that the stream does not have is 0.
    parts: Vec<(Option<usize>, u32, u128)>,
    /// Number of zero bits below the field.
    up: u32,
    /// Whether the field only says that one of these bits is 1.
    any: bool,
}

impl Slices {
    fn of(place: &Place, ports: &[String]) -> Self {
        let part = |(name, low, width): &(String, u32, u32)| {
            (ports.iter().position(|port| port == name), *low, (1 << width) - 1)
        };
        Slices { parts: place.parts.iter().map(part).collect(), up: place.up, any: false }
    }

    fn value(&self, ports: &[u128]) -> u128 {
        let join = |high: u128, (port, low, ones): &(Option<usize>, u32, u128)| {
            high << ones.count_ones() | (port.map_or(0, |port| ports[port]) >> low & ones)
        };
        match self.parts.iter().fold(0, join) << self.up {
            value if self.any => (value != 0).into(),
            value => value,
        }
    }
}

impl Reader {
    /// A reader of the stream.
    pub fn new(channel: &Channel) -> Self {
        let limbs = channel.fields().map(|(_, width)| width.div_ceil(64) as usize).collect();
        Reader { limbs, ports: channel.fields().map(|(name, _)| name.to_owned()).collect(), seen: Vec::new() }
    }

    /// Reads the record of a transfer.
    pub fn read(&mut self, item: &Item) -> Record {
        let mut rest = &item[..];
        let ports: Vec<_> = (self.limbs.iter())
            .map(|&limbs| {
                let (limbs, above) = rest.split_at(limbs);
                rest = above;
                limbs.iter().rev().fold(0u128, |value, &limb| value << 64 | limb as u128)
            })
            .collect();
        let same = |headers: &Headers| headers.when.iter().all(|(slices, value)| slices.value(&ports) == *value);
        let at = self.seen.iter().position(same).unwrap_or_else(|| {
            self.seen.push(headers(&self.ports, &ports));
            self.seen.len() - 1
        });
        let Headers { names, slices, .. } = &self.seen[at];
        Record { names: names.clone(), fields: slices.iter().map(|slices| slices.value(&ports)).collect(), ports }
    }
}

/// Finds out where the fields are in records like the one with these values.
fn headers(names: &Arc<[String]>, values: &[u128]) -> Headers {
    let when = RefCell::new(Vec::new());
    let ask = |place: &Place| {
        let slices = Slices::of(place, names);
        let value = slices.value(values);
        when.borrow_mut().push((slices, value));
        value
    };
    let mut places = places(&ask);
    // Row 10 of the parser's contract: the transport of an IPv4 fragment is not read.
    let of_fragments = |place: &&Place| ["ip_mf", "ip_fragment_offset"].contains(&place.name.as_str());
    let parts: Vec<_> = places.iter().filter(of_fragments).flat_map(|place| place.parts.clone()).collect();
    if !parts.is_empty() {
        places.push(Place { name: "fragment".into(), parts, up: 0 });
    }
    places.sort_by(|one, other| one.name.cmp(&other.name));
    let slices = places.iter().map(|place| Slices { any: place.name == "fragment", ..Slices::of(place, names) });
    let slices = slices.collect();
    let name = |place: Place| Name { wide: place.width() > EXACT, name: place.name };
    let fields = places.into_iter().map(name).collect();
    Headers { when: when.into_inner(), names: Arc::new(Names { fields, ports: names.clone() }), slices }
}
