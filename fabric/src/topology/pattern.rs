// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links by their names: `leaf0 -> spine3` is one, `leaf* - spine0` all between leaves and that spine, in both directions.

use super::Topology;
use crate::link::{LinkId, Wire};

/// Which links are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    from: String,
    to: String,
    both: bool,
}

/// Whether a name is what a text with `*` for any letters says.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It does not name two ends.
    pub fn read(text: &str) -> Result<Self, String> {
        let ends =
            text.split_once("->").map(|ends| (ends, false)).or_else(|| text.split_once(" - ").map(|ends| (ends, true)));
        let Some(((from, to), both)) = ends else {
            return Err(format!(
                "`{text}` names no two ends; write `leaf0 -> spine1`, or `leaf* - spine1` for both directions"
            ));
        };
        Ok(Pattern { from: from.trim().to_owned(), to: to.trim().to_owned(), both })
    }

    fn means(&self, topology: &Topology, wire: &Wire) -> bool {
        let (from, to) = (topology.name(wire.from), topology.name(wire.to));
        fits(&self.from, from) && fits(&self.to, to) || self.both && fits(&self.from, to) && fits(&self.to, from)
    }

    /// The links that it names.
    #[must_use]
    pub fn links(&self, topology: &Topology) -> Vec<LinkId> {
        let named = topology.wires.iter().enumerate().filter(|(_, wire)| self.means(topology, wire));
        named.map(|(at, _)| at as LinkId).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Cable, leaf_spine};

    #[test]
    fn stars_are_any_letters() {
        assert!(fits("leaf*", "leaf12") && fits("*", "core3") && fits("*2", "leaf12") && fits("l*f1*", "leaf12"));
        assert!(!fits("leaf1", "leaf12") && !fits("leaf", "leaf1") && !fits("*3", "leaf12") && !fits("a*b*c", "acb"));
    }

    #[test]
    fn patterns_name_links() {
        let topology = leaf_spine(8, 4, 2, Cable { rate: 1, delay: 1 }).expect("it is one");
        let count = |text: &str| Pattern::read(text).expect("it has two ends").links(&topology).len();
        assert_eq!(count("leaf* - spine0"), 8);
        assert_eq!(count("spine0 - leaf*"), 8);
        assert_eq!(count("leaf* -> spine0"), 4);
        assert_eq!(count("leaf3 -> spine1"), 1);
        assert_eq!(count("host* - *"), 16);
        assert_eq!(count("leaf0 -> leaf1"), 0);
        assert!(Pattern::read("leaf0").is_err());
    }
}
