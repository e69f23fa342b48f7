// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers that the script knows, by protocol. What is behind what is in the pieces in Lua, except for the headers
//! behind a BTH, of which there is one table for oracle and script.

use super::shape::Shape;
use crate::headers::opcode::{self, Extension};
use crate::headers::{
    AckFlags, Aeth, AtomicAck, AtomicEth, Bth, Cnp, DataFlags, Deth, Elab, ElabRate, Ieth, ImmDt, Mpeh, Reth, Syndrome,
    Xrceth, uet,
};

/// RoCEv2 with MPEH (M11). The flags of an MPEH and the syndrome of an AETH are headers of one byte.
pub(super) fn rocev2() -> Vec<Shape> {
    vec![
        Shape::of::<Bth>("bth", "bth"),
        Shape::of::<Mpeh>("mpeh", "mpeh"),
        Shape::of::<DataFlags>("mpeh.data_flags", "mpeh.data_flags"),
        Shape::of::<AckFlags>("mpeh.ack_flags", "mpeh.ack_flags"),
        Shape::of::<Deth>("deth", "deth"),
        Shape::of::<Xrceth>("xrceth", "xrceth"),
        Shape::of::<Reth>("reth", "reth"),
        Shape::of::<AtomicEth>("atomic_eth", "atomic_eth"),
        Shape::of::<Aeth>("aeth", "aeth"),
        Shape::of::<Syndrome>("aeth.syndrome", "aeth.syndrome"),
        Shape::of::<AtomicAck>("atomic_ack", "atomic_ack"),
        Shape::of::<ImmDt>("immdt", "immdt"),
        Shape::of::<Ieth>("ieth", "ieth"),
        Shape::of::<Cnp>("cnp", "cnp"),
    ]
}

/// UET (uet.md 1.1 to 1.8). The words of the security header behind the first are not in `wire`, which passes them.
pub(super) fn uet() -> Vec<Shape> {
    vec![
        Shape::of::<uet::Entropy>("uet.entropy", "uet"),
        Shape::of::<uet::Prologue>("uet.prologue", "uet"),
        Shape::of::<uet::Request>("uet.request", "uet"),
        Shape::of::<uet::Dpdcid>("uet.dpdcid", "uet"),
        Shape::of::<uet::Syn>("uet.syn", "uet"),
        Shape::of::<uet::RequestCc>("uet.request_cc", "uet"),
        Shape::of::<uet::Ack>("uet.ack", "uet"),
        Shape::of::<uet::AckCc>("uet.ack_cc", "uet"),
        Shape::of::<uet::NsccState>("uet.state.NSCC", "uet"),
        Shape::of::<uet::CreditState>("uet.state.CREDIT", "uet"),
        Shape::of::<uet::OtherState>("uet.state.other", "uet"),
        Shape::of::<uet::AckCcx>("uet.ack_ccx", "uet"),
        Shape::of::<uet::Nack>("uet.nack", "uet"),
        Shape::of::<uet::NackCcx>("uet.nack_ccx", "uet"),
        Shape::of::<uet::Control>("uet.control", "uet"),
        Shape::of::<uet::ControlPayload>("uet.control_payload", "uet"),
        Shape::of::<uet::Rudi>("uet.rudi", "uet"),
        Shape::of::<uet::Uud>("uet.uud", "uet"),
        Shape::of::<uet::Tss>("tss", "tss"),
        Shape::plain("tss.ssi", "tss", &[("ssi", 32)]),
        Shape::plain("tss.tsc", "tss", &[("epoch", 16), ("counter", 48)]),
    ]
}

/// ELAB (E04).
pub(super) fn elab() -> Vec<Shape> {
    vec![Shape::of::<Elab>("elab", "elab"), Shape::of::<ElabRate>("elab.rate", "elab")]
}

/// The headers behind BTH and MPEH, by OpCode, as a table in Lua. An OpCode that is not in it has none that are known.
pub(super) fn extensions() -> String {
    let mut text = "\nlocal EXTENSIONS = {\n".to_owned();
    for opcode in 0..=u8::MAX {
        let Some(headers) = opcode::extensions(opcode) else { continue };
        let names: Vec<_> = headers.into_iter().map(|header| format!("\"{}\"", name(header))).collect();
        text += &format!("  [{opcode:#04x}] = {{ {} }},\n", names.join(", ")).replace("{  }", "{}");
    }
    text + "}\n"
}

fn name(header: Extension) -> &'static str {
    match header {
        Extension::Deth => "deth",
        Extension::Xrceth => "xrceth",
        Extension::Reth => "reth",
        Extension::AtomicEth => "atomic_eth",
        Extension::Aeth => "aeth",
        Extension::AtomicAck => "atomic_ack",
        Extension::ImmDt => "immdt",
        Extension::Ieth => "ieth",
        Extension::Cnp => "cnp",
    }
}
