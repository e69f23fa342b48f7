// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the dissectors sit: preferences, and a Wireshark that knows UET by itself.

use super::tshark::{Captured, Tshark};
use golden_vectors::headers::codec::encode::Frame;

const LAYERS: &str = "frame.protocols";

/// One frame of each: MPEH, UET over UDP, UET on IP, ELAB with TCP in it.
fn frames() -> Vec<Captured> {
    let mut mpeh = vec![0; 60];
    (mpeh[0], mpeh[8]) = (0x0A, 0x40);
    let mut tcp = vec![0; 28];
    tcp[8 + 12] = 0x50;
    let frames = [
        Frame::v4().with_port(4791, mpeh),
        Frame::v4().with_port(4793, vec![0x38; 12]).with_uet_crc(),
        Frame::v6().with_protocol(253, vec![0x38; 16]).with_uet_crc(),
        Frame::v4().with_port(7851, tcp),
    ];
    frames.iter().map(|frame| (frame.bytes(), frame.bytes().len())).collect()
}

/// The last two protocols of each frame.
fn layers(tshark: &Tshark, options: &[&str]) -> Vec<String> {
    let shown = tshark.fields(&tshark.capture(&frames()), &[LAYERS], options);
    let last = |layers: &String| layers.rsplit(':').take(2).collect::<Vec<_>>().join(" in ");
    shown.iter().map(|shown| last(&shown[LAYERS][0])).collect()
}

#[test]
fn preferences_move_them() {
    let tshark = Tshark::new();
    let usual = ["infiniband in mpnic_rocev2", "mpnic_uet in udp", "mpnic_uet in ipv6", "tcp in mpnic_elab"];
    assert_eq!(layers(&tshark, &[]), usual);
    // The port goes back to Wireshark's own dissector, which takes the MPEH for a RETH.
    let moved = ["-o", "mpnic_rocev2.port:4792", "-o", "mpnic_uet.port:0", "-o", "mpnic_uet.protocol:254"];
    let moved = [&moved[..], &["-o", "mpnic_elab.port:7850"]].concat();
    assert_eq!(layers(&tshark, &moved), ["infiniband in udp", "data in udp", "data in ipv6", "data in udp"]);
    assert!(tshark.fields(&tshark.capture(&frames()), &[], &moved).iter().all(|shown| shown.is_empty()));
    assert_eq!(layers(&tshark, &["-o", "mpnic_elab.tunnelled:17"])[3], "udp in mpnic_elab");
}

/// Loaded from the plugin directory and again by hand.
#[test]
fn loading_it_twice_is_no_error() {
    let tshark = Tshark::new();
    let layers = layers(&tshark, &["-X", "lua_script:mpnic.lua"]);
    assert_eq!(layers[1], "mpnic_uet in udp");
}

#[test]
fn a_dissector_of_wireshark_for_uet_stays() {
    let tshark = Tshark::new();
    tshark.write(
        "builtin.lua",
        "local uet = Proto.new('uet', 'Stands for one that comes with Wireshark')\n\
         function uet.dissector(tvb, pinfo, tree) tree:add(uet, tvb()) return tvb:len() end\n\
         DissectorTable.get('udp.port'):add(4793, uet)\n",
    );
    let builtin = ["-X", "lua_script:builtin.lua"];
    assert_eq!(layers(&tshark, &builtin)[1..3], ["uet in udp", "mpnic_uet in ipv6"]);
    let replaced = [&builtin[..], &["-o", "mpnic_uet.replace:TRUE"]].concat();
    assert_eq!(layers(&tshark, &replaced)[1], "mpnic_uet in udp");
}
