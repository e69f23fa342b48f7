// SPDX-License-Identifier: MIT OR Apache-2.0
//! All headers by name, for field maps and documentation.

use super::opcode::EXTENSIONS;
use super::{Bth, Elab, ElabRate, Ethernet, Ipv4, Ipv6, Layout, Mpeh, Udp, uet};

/// A header of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name in field maps: `UET_ACK`. No two headers share one.
    pub name: &'static str,
    /// Name in text, with the place of the header if it follows another one.
    pub title: &'static str,
    /// Field of the header record in whose words the header is.
    pub words: &'static str,
    /// Its fields.
    pub layout: Layout,
}

const fn entry(name: &'static str, title: &'static str, words: &'static str, layout: Layout) -> Entry {
    Entry { name, title, words, layout }
}

/// All headers: link to transport, then RoCEv2, UET and ELAB.
pub const CATALOG: [Entry; 34] = [
    entry("ETHERNET", "Ethernet, after two unused bytes", "ethernet", Ethernet::LAYOUT),
    entry("IPV4", "IPv4", "ip", Ipv4::LAYOUT),
    entry("IPV6", "IPv6", "ip", Ipv6::LAYOUT),
    entry("UDP", "UDP", "udp", Udp::LAYOUT),
    entry("BTH", "BTH", "header", Bth::LAYOUT),
    entry("MPEH", "MPEH", "mpeh", Mpeh::LAYOUT),
    entry("DETH", "DETH", "header", EXTENSIONS[0]),
    entry("XRCETH", "XRCETH", "header", EXTENSIONS[1]),
    entry("RETH", "RETH", "header", EXTENSIONS[2]),
    entry("ATOMIC_ETH", "AtomicETH", "header", EXTENSIONS[3]),
    entry("AETH", "AETH", "header", EXTENSIONS[4]),
    entry("ATOMIC_ACK", "AtomicAckETH", "header", EXTENSIONS[5]),
    entry("IMMDT", "ImmDt", "header", EXTENSIONS[6]),
    entry("IETH", "IETH", "header", EXTENSIONS[7]),
    entry("CNP", "CNP", "header", EXTENSIONS[8]),
    entry("UET_ENTROPY", "UET entropy header, the second word", "udp", uet::Entropy::LAYOUT),
    entry("UET_REQUEST", "UET RUD and ROD request", "header", uet::Request::LAYOUT),
    entry("UET_CONTEXT", "UET context, after requests and control packets", "header", uet::Dpdcid::LAYOUT),
    entry("UET_SYN", "UET context while it is set up (syn)", "header", uet::Syn::LAYOUT),
    entry("UET_REQUEST_CC", "UET congestion control, after the context of requests", "header", uet::RequestCc::LAYOUT),
    entry("UET_ACK", "UET ACK", "header", uet::Ack::LAYOUT),
    entry("UET_ACK_CC", "UET congestion control, after ACK", "header", uet::AckCc::LAYOUT),
    entry("UET_NSCC", "UET state of NSCC, after that (cc_type 0)", "header", uet::NsccState::LAYOUT),
    entry("UET_CREDIT", "UET state of credit, in its place (cc_type 1)", "header", uet::CreditState::LAYOUT),
    entry("UET_OTHER", "UET other state, in its place", "header", uet::OtherState::LAYOUT),
    entry("UET_ACK_CCX", "UET extended congestion control, after ACK", "header", uet::AckCcx::LAYOUT),
    entry("UET_NACK", "UET NACK", "header", uet::Nack::LAYOUT),
    entry("UET_NACK_CCX", "UET extended congestion control, after NACK", "header", uet::NackCcx::LAYOUT),
    entry("UET_CONTROL", "UET control packet", "header", uet::Control::LAYOUT),
    entry(
        "UET_CONTROL_PAYLOAD",
        "UET payload of a control packet, after its context",
        "header",
        uet::ControlPayload::LAYOUT,
    ),
    entry("UET_RUDI", "UET RUDI", "header", uet::Rudi::LAYOUT),
    entry("UET_UUD", "UET UUD", "header", uet::Uud::LAYOUT),
    entry("ELAB", "ELAB", "header", Elab::LAYOUT),
    entry("ELAB_RATE", "ELAB rate, after that (b)", "header", ElabRate::LAYOUT),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_macros_too() {
        let names: BTreeSet<_> = CATALOG.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), CATALOG.len());
        let mut macros = BTreeSet::new();
        for entry in &CATALOG {
            for field in entry.layout.fields {
                assert!(macros.insert(format!("{}_{}", entry.name, field.name.to_uppercase())), "{}", field.name);
            }
        }
        assert!(macros.len() > 150, "{}", macros.len());
    }
}
