// SPDX-License-Identifier: MIT OR Apache-2.0
//! What numbers mean, by field.

use crate::headers::opcode;
use crate::headers::uet::{ack_cc, prologue};

/// Number and meaning.
type Meaning = (u32, String);

/// The fields whose numbers have names.
const NAMED: [&str; 9] = [
    "bth.opcode",
    "aeth.syndrome",
    "aeth.syndrome.type",
    "uet.type",
    "uet.next_hdr",
    "uet.ctl_type",
    "uet.req",
    "uet.cc_type",
    "uet.nack_code",
];

/// Types of packets (uet.md 1.2).
const TYPES: [(u8, &str); 14] = [
    (prologue::TSS, "TSS"),
    (prologue::RUD_REQ, "RUD_REQ"),
    (prologue::ROD_REQ, "ROD_REQ"),
    (prologue::RUDI_REQ, "RUDI_REQ"),
    (prologue::RUDI_RESP, "RUDI_RESP"),
    (prologue::UUD_REQ, "UUD_REQ"),
    (prologue::ACK, "ACK"),
    (prologue::ACK_CC, "ACK_CC"),
    (prologue::ACK_CCX, "ACK_CCX"),
    (prologue::NACK, "NACK"),
    (prologue::CONTROL, "CP"),
    (prologue::NACK_CCX, "NACK_CCX"),
    (prologue::RUD_CC_REQ, "RUD_CC_REQ"),
    (prologue::ROD_CC_REQ, "ROD_CC_REQ"),
];

/// What follows the packet delivery header (uet.md 1.2).
const NEXT: [&str; 7] =
    ["NONE", "REQUEST_SMALL", "REQUEST_MEDIUM", "REQUEST_STANDARD", "RESPONSE", "RESPONSE_DATA", "RESPONSE_DATA_SMALL"];

/// Control packets (uet.md 1.7).
const CONTROL: [&str; 10] = [
    "NOOP",
    "ACK_REQUEST",
    "CLEAR",
    "CLEAR_REQUEST",
    "CLOSE",
    "CLOSE_REQUEST",
    "PROBE",
    "CREDIT",
    "CREDIT_REQUEST",
    "NEGOTIATION",
];

/// What an acknowledgement asks for (uet.md 1.2).
const REQ: [&str; 3] = ["none", "CLEAR", "CLOSE"];

/// Codes of a negative acknowledgement, from 1 (uet.md 1.9); an empty one is reserved.
const NACK: [&str; 26] = [
    "TRIMMED",
    "TRIMMED_LASTHOP",
    "TRIMMED_ACK",
    "NO_PDC_AVAIL",
    "NO_CCC_AVAIL",
    "NO_BITMAP",
    "NO_PKT_BUFFER",
    "NO_GTD_DEL_AVAIL",
    "NO_SES_MSG_AVAIL",
    "NO_RESOURCE",
    "PSN_OOR_WINDOW",
    "",
    "ROD_OOO",
    "INV_DPDCID",
    "PDC_HDR_MISMATCH",
    "CLOSING",
    "CLOSING_IN_ERR",
    "PKT_NOT_RCVD",
    "GTD_RESP_UNAVAIL",
    "ACK_WITH_DATA",
    "INVALID_SYN",
    "PDC_MODE_MISMATCH",
    "NEW_START_PSN",
    "RCVD_SES_PROCG",
    "UNEXP_EVENT",
    "RCVR_INFER_LOSS",
];

/// Its experimental codes, from 0xFD (uet.md 1.9).
const NACK_EXPERIMENTAL: [&str; 3] = ["experimental, normal", "experimental, error", "experimental, fatal"];

/// The operations of InfiniBand's OpCodes, from 0 (requirements.md C); 0x15 is none.
const OPERATIONS: [&str; 24] = [
    "SEND_FIRST",
    "SEND_MIDDLE",
    "SEND_LAST",
    "SEND_LAST_IMM",
    "SEND_ONLY",
    "SEND_ONLY_IMM",
    "WRITE_FIRST",
    "WRITE_MIDDLE",
    "WRITE_LAST",
    "WRITE_LAST_IMM",
    "WRITE_ONLY",
    "WRITE_ONLY_IMM",
    "READ_REQ",
    "READ_RESP_FIRST",
    "READ_RESP_MIDDLE",
    "READ_RESP_LAST",
    "READ_RESP_ONLY",
    "ACK",
    "ATOMIC_ACK",
    "CMP_SWAP",
    "FETCH_ADD",
    "",
    "SEND_LAST_INV",
    "SEND_ONLY_INV",
];

/// Its transports, by the upper bits of the OpCode. The last is this project's choice (M13).
const TRANSPORTS: [(u8, &str); 5] =
    [(opcode::RC, "RC"), (opcode::UC, "UC"), (opcode::UD, "UD"), (opcode::XRC, "XRC"), (opcode::MPEH, "RC with MPEH,")];

/// NAK codes of a syndrome, from 0 (requirements.md C).
const NAK: [&str; 5] =
    ["PSN sequence error", "invalid request", "remote access error", "remote operational error", "invalid RD request"];

/// Whether the numbers of a field have names.
pub(super) fn has(path: &str) -> bool {
    NAMED.contains(&path)
}

/// All names, as a table in Lua.
pub(super) fn tables() -> String {
    let mut text = "\nlocal VALUES = {}\n".to_owned();
    for path in NAMED {
        text += &format!("VALUES[\"{path}\"] = {{\n");
        for (number, meaning) in meanings(path) {
            text += &format!("  [{number}] = \"{meaning}\",\n");
        }
        text += "}\n";
    }
    text
}

fn meanings(path: &str) -> Vec<Meaning> {
    match path {
        "bth.opcode" => opcodes(),
        "aeth.syndrome" => syndromes(),
        "aeth.syndrome.type" => [(0, "ACK"), (1, "RNR NAK"), (3, "NAK")].map(|(n, name)| (n, name.to_owned())).into(),
        "uet.type" => TYPES.iter().map(|&(number, name)| (number.into(), name.to_owned())).collect(),
        "uet.next_hdr" => from(0, &NEXT),
        "uet.ctl_type" => from(0, &CONTROL),
        "uet.req" => from(0, &REQ),
        "uet.cc_type" => {
            [(ack_cc::NSCC, "NSCC"), (ack_cc::CREDIT, "CREDIT")].map(|(n, name)| (n.into(), name.to_owned())).into()
        }
        "uet.nack_code" => [from(1, &NACK), from(0xFD, &NACK_EXPERIMENTAL)].concat(),
        _ => Vec::new(),
    }
}

/// Meanings of consecutive numbers.
fn from(first: u32, names: &[&str]) -> Vec<Meaning> {
    let numbered = (first..).zip(names.iter().map(|&name| name.to_owned()));
    numbered.filter(|(_, name)| !name.is_empty()).collect()
}

fn opcodes() -> Vec<Meaning> {
    let mut names = vec![(opcode::CNP.into(), "CNP".to_owned())];
    for (bits, transport) in TRANSPORTS {
        for (operation, name) in (0..).zip(OPERATIONS) {
            let lawful = if bits == opcode::MPEH { operation } else { bits | operation };
            if opcode::extensions(lawful).is_some() {
                names.push((u32::from(bits | operation), format!("{transport} {name}")));
            }
        }
    }
    names.sort();
    names
}

/// Bits 6 and 5 are the type, those below credits, a timer or a code (requirements.md C).
fn syndromes() -> Vec<Meaning> {
    let acks = (0..0x20).map(|credits| (credits, format!("ACK, credit count {credits}")));
    let not_ready = (0..0x20).map(|timer| (0x20 + timer, format!("RNR NAK, timer {timer}")));
    let naks = (0x60..).zip(NAK).map(|(number, code)| (number, format!("NAK, {code}")));
    acks.chain(not_ready).chain(naks).collect()
}
