// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers behind the BTH, written down OpCode by OpCode, apart from the table of the crate (requirements.md C).

use golden_vectors::headers::opcode::{Extension, extensions};

/// OpCodes with their headers in the order of the wire; any other OpCode is unknown.
const FLAT: &[(u8, &str)] = &[
    // RC, 000: requirements.md C names them all.
    (0x00, ""),
    (0x01, ""),
    (0x02, ""),
    (0x03, "ImmDt"),
    (0x04, ""),
    (0x05, "ImmDt"),
    (0x06, "Reth"),
    (0x07, ""),
    (0x08, ""),
    (0x09, "ImmDt"),
    (0x0A, "Reth"),
    (0x0B, "Reth ImmDt"),
    (0x0C, "Reth"),
    (0x0D, "Aeth"),
    (0x0E, ""),
    (0x0F, "Aeth"),
    (0x10, "Aeth"),
    (0x11, "Aeth"),
    (0x12, "Aeth AtomicAck"),
    (0x13, "AtomicEth"),
    (0x14, "AtomicEth"),
    (0x16, "Ieth"),
    (0x17, "Ieth"),
    // UC, 001: no reads, no atomic operations, no acknowledgements.
    (0x20, ""),
    (0x21, ""),
    (0x22, ""),
    (0x23, "ImmDt"),
    (0x24, ""),
    (0x25, "ImmDt"),
    (0x26, "Reth"),
    (0x27, ""),
    (0x28, ""),
    (0x29, "ImmDt"),
    (0x2A, "Reth"),
    (0x2B, "Reth ImmDt"),
    // UD, 011: one packet a message.
    (0x64, "Deth"),
    (0x65, "Deth ImmDt"),
    // CNP.
    (0x81, "Cnp"),
    // XRC, 101: RC, and requests name the shared receive queue.
    (0xA0, "Xrceth"),
    (0xA1, "Xrceth"),
    (0xA2, "Xrceth"),
    (0xA3, "Xrceth ImmDt"),
    (0xA4, "Xrceth"),
    (0xA5, "Xrceth ImmDt"),
    (0xA6, "Xrceth Reth"),
    (0xA7, "Xrceth"),
    (0xA8, "Xrceth"),
    (0xA9, "Xrceth ImmDt"),
    (0xAA, "Xrceth Reth"),
    (0xAB, "Xrceth Reth ImmDt"),
    (0xAC, "Xrceth Reth"),
    (0xAD, "Aeth"),
    (0xAE, ""),
    (0xAF, "Aeth"),
    (0xB0, "Aeth"),
    (0xB1, "Aeth"),
    (0xB2, "Aeth AtomicAck"),
    (0xB3, "Xrceth AtomicEth"),
    (0xB4, "Xrceth AtomicEth"),
    (0xB6, "Xrceth Ieth"),
    (0xB7, "Xrceth Ieth"),
];

/// The headers of an OpCode by this table; `None` if it is unknown.
pub fn flat(opcode: u8) -> Option<Vec<&'static str>> {
    let (_, names) = FLAT.iter().find(|row| row.0 == opcode)?;
    Some(names.split_whitespace().collect())
}

/// Every OpCode that is known.
pub fn known() -> Vec<u8> {
    FLAT.iter().map(|row| row.0).collect()
}

#[test]
fn every_opcode_has_the_headers_of_the_table() {
    for opcode in 0..=u8::MAX {
        let names = |headers: Vec<Extension>| headers.iter().map(|header| format!("{header:?}")).collect::<Vec<_>>();
        let expected = flat(opcode).map(|names| names.into_iter().map(str::to_owned).collect());
        assert_eq!(extensions(opcode).map(names), expected, "{opcode:#04x}");
    }
}

#[test]
fn agrees_with_the_lists_of_aeth_and_reth() {
    use golden_vectors::headers::{aeth, reth};
    for opcode in aeth::OPCODES {
        assert!(flat(opcode).unwrap().contains(&"Aeth"), "{opcode:#04x}");
    }
    for opcode in reth::OPCODES {
        assert!(flat(opcode).unwrap().contains(&"Reth"), "{opcode:#04x}");
    }
}
