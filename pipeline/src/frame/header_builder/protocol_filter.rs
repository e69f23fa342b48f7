// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transports that are not selected cost no logic: the fields that only their records have are 0, and synthesis removes
//! the logic that depends on them.

use crate::headers::protocols::Protocols;
use crate::headers::record::{HeaderPresence, HeaderRecord};
use rtl_model::{Bits, Logic, name_nets};

/// The record with the fields of transports that are not selected set to 0.
#[name_nets]
pub(super) fn selected<L: Logic>(record: HeaderRecord<L>, protocols: &Protocols) -> HeaderRecord<L> {
    let mut kept = record;
    for (_, word) in (0..).zip(&mut kept.header).filter(|(i, _)| *i >= protocols.words()) {
        tie_off(word);
    }
    if !protocols.rocev2 {
        kept.mpeh.iter_mut().for_each(tie_off);
        let mut mpeh = record.has.mpeh;
        tie_off(&mut mpeh);
        kept.has = HeaderPresence { mpeh, ..record.has };
    }
    if !protocols.native() {
        tie_off(&mut kept.uet_native);
    }
    kept
}

#[name_nets]
fn tie_off<L: Logic>(signal: &mut Bits<L>) {
    signal.ignore();
    *signal = Bits::lit(signal.width(), 0);
}
