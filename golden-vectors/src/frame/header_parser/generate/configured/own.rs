// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors for one configuration: the frames of all groups, converted to its ports, and frames to ports and
//! protocols near these.

use super::ports::probes;
use crate::collect::aim;
use crate::frame::header_parser::suite::suite;
use crate::frame::samples::moved::{OWN, moved};
use crate::headers::codec::{ConfigurationError, Options};
use crate::headers::udp;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{Group, VectorFile};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the groups of `file` for a stage with the protocols of `table`. They have the frames of all groups, whatever
/// their configuration.
///
/// # Errors
///
/// The table has an unknown key or value.
pub fn groups(file: &VectorFile, table: &BTreeMap<String, String>) -> Result<Vec<Group>, ConfigurationError> {
    let to = Options::of_configuration(table)?;
    let configuration: Vec<_> = table.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let mut suite = suite();
    for group in &file.groups {
        let from = Options::of_configuration(&group.configuration)?;
        suite.configured(&format!("{OWN}{}", group.name), &group.comment, &configuration);
        for case in &group.tests {
            let flags: Vec<_> = case.flags.iter().map(String::as_str).collect();
            // The first row is the one that decided with the old configuration, so it is left out.
            let rows: Vec<_> = case.rows.iter().skip(1).map(String::as_str).collect();
            let id = case.id.split_once('/').map_or(case.id.as_str(), |(_, id)| id);
            let (aim, frame) = (aim(&flags, &rows), moved(&case.frame, &from, &to));
            match case.bad_frame {
                true => suite.add_bad(id, case.comment.as_str(), aim, frame),
                false => suite.add(id, case.comment.as_str(), aim, frame),
            }
        }
    }
    let comment = "headers of all transports to their ports and protocols, those beside, and those by default";
    suite.configured(&format!("{OWN}beside"), comment, &configuration);
    let (ports, protocols) = beside(&to);
    probes(&mut suite, &ports, &protocols, &mut SplitMix64::new(SEED));
    Ok(suite.into_groups())
}

/// The configured ports and protocols, their neighbours, and the default ones.
fn beside(to: &Options) -> (Vec<u16>, Vec<u8>) {
    let defaults = Options::default();
    let known = |options: &Options| [options.rocev2_port, options.uet_port, options.elab_port];
    let near = |port: u16| [port, port.wrapping_add(1), port.wrapping_sub(1), port.swap_bytes()];
    let ports: BTreeSet<_> = known(to).into_iter().flat_map(near).chain(known(&defaults)).collect();
    let own = to.uet_protocol;
    let protocols = BTreeSet::from([own, own.wrapping_add(1), own.wrapping_sub(1), defaults.uet_protocol, 6]);
    (ports.into_iter().collect(), protocols.into_iter().filter(|&protocol| protocol != udp::PROTOCOL).collect())
}
