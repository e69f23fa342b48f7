// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bits ought to be 0 and are not.

use super::options::MpehIndicator;
use super::{Part, Record, Transport};
use crate::headers::{AckFlags, DataFlags, Mpeh, Syndrome};

/// Whether a field is reserved, by its name.
pub(crate) fn is_reserved(object: &str, name: &str) -> bool {
    // TVer has one lawful value (requirements.md C); all cc_flags are reserved (uet.md 1.5).
    name.starts_with("reserved") || matches!((object, name), ("bth", "tver") | ("uet", "cc_flags"))
}

/// The number of reserved fields of our transports that are not 0.
pub(super) fn count(record: &Record, mark: MpehIndicator) -> u32 {
    let in_part = |part: &Part| {
        part.fields.iter().filter(|field| is_reserved(part.object, field.name) && field.number.bits() != 0).count()
    };
    let named: usize = record.parts().iter().map(in_part).sum();
    named as u32 + unnamed(record, mark)
}

/// Reserved bits that are part of a field, or reserved only in some frames.
fn unnamed(record: &Record, mark: MpehIndicator) -> u32 {
    match &record.transport {
        Some(Transport::Rocev2(headers)) => {
            let flags = headers.mpeh.is_some_and(|mpeh| has_reserved_flags(mpeh, headers.acknowledges(mark)));
            let syndrome = headers.aeth.is_some_and(|aeth| Syndrome::from_bytes([aeth.syndrome()]).reserved());
            // Where the OpCode announces the MPEH, the bit is one of the seven reserved ones.
            let bit = mark == MpehIndicator::OpCode && headers.bth.mpeh();
            u32::from(flags) + u32::from(syndrome) + u32::from(bit)
        }
        Some(Transport::Uet(headers)) => u32::from(headers.marks_request()),
        _ => 0,
    }
}

/// M20: bits 4 to 7 on data; M30: bits 3 to 7 on acknowledgements.
fn has_reserved_flags(mpeh: Mpeh, acknowledges: bool) -> bool {
    if acknowledges {
        AckFlags::from_bytes([mpeh.flags()]).reserved() != 0
    } else {
        DataFlags::from_bytes([mpeh.flags()]).reserved() != 0
    }
}
