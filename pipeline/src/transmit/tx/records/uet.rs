// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers of UET behind UDP: requests with and without credit, and control packets (rows TX12, TX23, TX26, TX50).

use super::super::config::TxConfig;
use super::{Headers, OfControl, Packet};
use crate::headers::destination::Destination;
use crate::headers::record::HeaderPresence;
use crate::headers::uet::{self, Control, ControlPayload, Dpdcid, Request, RequestCc};
use rtl_model::{Bits, Logic, name_nets, select};

/// Why a field is there.
const OF_UET: &str = "a field of UET";

/// The headers of a packet.
#[name_nets]
pub fn headers<L: Logic>(
    config: &TxConfig,
    packet: &Packet<L>,
    control: Option<OfControl<L>>,
    to: &Destination<L>,
) -> Headers<L> {
    let lit = Bits::lit;
    let request = Request {
        kind: lit(5, config.packet_type()),
        next_hdr: lit(4, config.next_header()),
        reserved_65: lit(2, 0),
        retx: packet.retransmission,
        ar: packet.ack_request,
        syn: lit(1, 0),
        reserved_10: lit(2, 0),
        // So far behind no packet is outstanding.
        clear_psn_offset: lit(16, (1 << 16) - config.packet_tracker.window),
        psn: packet.psn,
        spdcid: to.local_pdcid.expect(OF_UET),
    };
    let mut words = with_dpdcid(&request.words(), to);
    let bytes = packet.length.extend(16) + config.header_bytes;
    let has_payload = if config.header_bytes == 0 { bytes.any() } else { lit(1, 1) };
    if let Some(credit) = packet.credit {
        let ccc_id = if packet.pdc.width() < 8 { packet.pdc.extend(8) } else { packet.pdc.truncate(8) };
        words.extend(RequestCc { ccc_id, credit_target: credit }.words());
    }
    let (of_request, request) = super::padded(&words);
    let (count, header, bytes, has_payload) = match control {
        None => (of_request, request, bytes, has_payload),
        Some(control) => {
            let (count, others) = super::padded(&control_packet(packet, &control, to));
            let is = |other: Bits<L>, word: Bits<L>| select(control.is, other, word);
            let header = std::array::from_fn(|i| is(others[i], request[i]));
            (is(count, of_request), header, bytes.gate(!control.is), has_payload & !control.is)
        }
    };
    Headers {
        udp_source: packet.route.number,
        udp_destination: config.builder.protocols.uet_port,
        header,
        count,
        mpeh: [lit(32, 0); 2],
        has: HeaderPresence::of(lit(1, 0), lit(9, 0)),
        bytes,
        has_payload,
    }
}

/// The words of a header, the last of which ends with the PDC identifier at the receiver.
fn with_dpdcid<L: Logic>(header: &[Bits<L>], to: &Destination<L>) -> Vec<Bits<L>> {
    let mut words = header.to_vec();
    let last = words.len() - 1;
    words[last] = words[last].slice(16, 16).concat(Dpdcid { dpdcid: to.remote_pdcid.expect(OF_UET) }.dpdcid);
    words
}

/// The words of a control packet (rows TX23, TX26, TX50).
#[name_nets]
fn control_packet<L: Logic>(packet: &Packet<L>, control: &OfControl<L>, to: &Destination<L>) -> Vec<Bits<L>> {
    let lit = Bits::lit;
    let flag = lit(1, 0);
    let is_probe = control.ctl_type.equals(uet::PROBE);
    let credit = packet.credit.map_or(lit(32, 0), |credit| lit(8, 0).concat(credit));
    let header = Control {
        kind: lit(5, uet::CONTROL),
        ctl_type: control.ctl_type,
        reserved_6: flag,
        isrod: flag,
        retx: flag,
        ar: flag,
        syn: flag,
        reserved_10: lit(2, 0),
        probe_opaque: control.opaque.map_or(lit(16, 0), |opaque| opaque.gate(is_probe)),
        psn: lit(32, 0),
        spdcid: to.local_pdcid.expect(OF_UET),
    };
    let payload = select(is_probe, packet.psn, credit);
    with_dpdcid(&header.words(), to).into_iter().chain(ControlPayload { payload }.words()).collect()
}
