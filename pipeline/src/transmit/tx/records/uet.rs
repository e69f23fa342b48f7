// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers of UET behind UDP: requests with and without credit, and control packets (rows TX12, TX23, TX26).

use super::super::config::TxConfig;
use super::{Headers, Packet};
use crate::headers::destination::Destination;
use crate::headers::uet::{self, Control, ControlPayload, Dpdcid, Request, RequestCc};
use rtl_model::{Bits, Logic, name_nets, select};

/// Why a field is there.
const OF_UET: &str = "a field of UET";

/// The headers of a packet. `control`: whether it is a control packet, and whether that is CREDIT.
#[name_nets]
pub fn headers<L: Logic>(
    config: &TxConfig,
    packet: &Packet<L>,
    control: Option<(Bits<L>, Bits<L>)>,
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
    // A request with credit has as many words as a control packet.
    let (bytes, has_payload) = match packet.credit.zip(control) {
        None => (bytes, has_payload),
        Some((credit, (control, grants))) => {
            let ccc_id = if packet.pdc.width() < 8 { packet.pdc.extend(8) } else { packet.pdc.truncate(8) };
            words.extend(RequestCc { ccc_id, credit_target: credit }.words());
            let others = control_packet(grants, credit, to);
            words = words.into_iter().zip(others).map(|(word, other)| select(control, other, word)).collect();
            (bytes.gate(!control), has_payload & !control)
        }
    };
    let (count, header) = super::padded(&words);
    Headers {
        udp_source: packet.route.number,
        udp_destination: config.builder.protocols.uet_port,
        header,
        count,
        mpeh: None,
        has_reth: lit(1, 0),
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

/// The words of a control packet, CREDIT or CREDIT_REQUEST (rows TX23, TX26).
#[name_nets]
fn control_packet<L: Logic>(grants: Bits<L>, credit: Bits<L>, to: &Destination<L>) -> Vec<Bits<L>> {
    let lit = Bits::lit;
    let flag = lit(1, 0);
    let control = Control {
        kind: lit(5, uet::CONTROL),
        ctl_type: select(grants, lit(4, uet::CTL_CREDIT), lit(4, uet::CTL_CREDIT_REQUEST)),
        reserved_6: flag,
        isrod: flag,
        retx: flag,
        ar: flag,
        syn: flag,
        reserved_10: lit(2, 0),
        probe_opaque: lit(16, 0),
        psn: lit(32, 0),
        spdcid: to.local_pdcid.expect(OF_UET),
    };
    let payload = lit(8, 0).concat(credit);
    with_dpdcid(&control.words(), to).into_iter().chain(ControlPayload { payload }.words()).collect()
}
