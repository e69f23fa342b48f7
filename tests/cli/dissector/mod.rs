// SPDX-License-Identifier: MIT OR Apache-2.0
//! `dissector`: the script in tshark, against the lines beside the captures, the oracle, and tshark without it.

mod captures;
mod cut;
mod made;
mod places;
mod plain;
mod trimmed;
mod tshark;
