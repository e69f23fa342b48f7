// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which packets of UET find a connection: keys of one direction and of both (rows RX3, RX8, RX9).

use super::{AckProtocol, Command, Dut, RxBench, UET_PORT, config, does, model};
use golden_vectors::headers::codec::encode;
use testbench::streams::Frame;

/// The direction in a key: what a target sends to its initiator.
const OF_TARGET: u64 = 1 << 16;

/// Types of packets with `next_hdr`, or the type of a control packet, and whether a target sends it (uet.md 1.2, 1.7).
const PACKETS: [(u32, u32, bool); 16] = [
    (2, 3, false),  // RUD_REQ
    (3, 3, false),  // ROD_REQ
    (13, 3, false), // RUD_CC_REQ
    (7, 0, true),   // ACK
    (8, 0, true),   // ACK_CC
    (9, 0, true),   // ACK_CCX
    (10, 0, true),  // NACK
    (12, 0, true),  // NACK_CCX
    (11, 0, false), // NOOP
    (11, 2, false), // CLEAR
    (11, 3, true),  // CLEAR_REQUEST
    (11, 4, false), // CLOSE
    (11, 5, true),  // CLOSE_REQUEST
    (11, 6, false), // PROBE
    (11, 7, true),  // CREDIT
    (11, 8, false), // CREDIT_REQUEST
];

/// A packet for this PDC identifier.
fn packet((kind, next_hdr, _): (u32, u32, bool), pdcid: u16) -> Frame {
    let mut bytes = (kind << 27 | next_hdr << 23).to_be_bytes().to_vec();
    bytes.extend([0, 0, 0, 5, 0xEE, 0xEE]);
    bytes.extend(pdcid.to_be_bytes());
    bytes.extend([0; 40]);
    Frame { bytes: encode::Frame::v4().with_port(UET_PORT, bytes).with_uet_crc().bytes(), user: 0 }
}

/// A CLOSE_REQUEST, which a target sends and which is in sequence.
pub fn close_request(pdcid: u16) -> Frame {
    packet(PACKETS[12], pdcid)
}

/// One of each kind for this identifier: the connections that those of initiators and those of targets find.
fn found(run: &mut RxBench, dut: &mut dyn Dut, pdcid: u16) -> [Option<u64>; 2] {
    let before = run.identified().expect("there are records").len();
    let sent: Vec<_> = PACKETS.iter().map(|kind| packet(*kind, pdcid)).collect();
    run.send(&sent).expect("they have bytes");
    run.until_idle(dut, 500).expect("it ends");
    let identified = run.identified().expect("there are records").split_off(before);
    assert_eq!(identified.len(), PACKETS.len());
    [false, true].map(|of_target| {
        let of = PACKETS.iter().zip(&identified).filter(|((.., target), _)| *target == of_target);
        let mut found: Vec<_> = of.map(|(_, it)| it.found.then_some(it.connection)).collect();
        found.dedup();
        assert_eq!(found.len(), 1, "{pdcid:#x}: {identified:?}");
        found[0]
    })
}

/// Opens a connection with the key of one direction, or with both.
pub const fn open(connection: u64, key: u64, bidirectional: bool) -> Command {
    Command { op: 1, key, bidirectional, psn: 5, ..Command::read(connection) }
}

#[test]
fn a_connection_has_one_key_or_both() {
    let dut = &mut *model(&config(AckProtocol::Uet, 512, 2));
    let run = &mut RxBench::new(dut, 3, |_| 0.1).expect("the streams are there");
    assert!(does(run, dut, open(0, 0x111, false)).done);
    assert!(does(run, dut, open(1, OF_TARGET | 0x222, false)).done);
    assert!(does(run, dut, open(2, 0x333, true)).done);
    // Bit 16 says nothing if there are both keys.
    assert!(does(run, dut, open(3, OF_TARGET | 0x444, true)).done);
    let expected = [(0x111, [Some(0), None]), (0x222, [None, Some(1)]), (0x333, [Some(2); 2]), (0x444, [Some(3); 2])];
    for (pdcid, connections) in expected {
        assert_eq!(found(run, dut, pdcid), connections, "{pdcid:#x}");
    }
    // Both keys go with the connection.
    assert!(does(run, dut, Command::close(2)).done);
    assert_eq!(found(run, dut, 0x333), [None; 2]);
    assert_eq!(found(run, dut, 0x444), [Some(3); 2]);
}

#[test]
fn an_open_that_is_refused_leaves_no_key() {
    let dut = &mut *model(&config(AckProtocol::Uet, 512, 1));
    let run = &mut RxBench::new(dut, 4, |_| 0.1).expect("the streams are there");
    assert!(does(run, dut, open(0, 0x111, false)).done);
    assert!(does(run, dut, open(1, OF_TARGET | 0x222, false)).done);
    for (pdcid, connections) in [(0x111, [Some(0), None]), (0x222, [None, Some(1)])] {
        // The one key or the other has a connection.
        let refused = does(run, dut, open(2, pdcid, true));
        assert!(!refused.done && refused.key_refused, "{refused:?}");
        assert_eq!(found(run, dut, pdcid as u16), connections, "{pdcid:#x}");
    }
    // The keys that were free are free again.
    assert!(does(run, dut, open(2, OF_TARGET | 0x111, false)).done);
    assert!(does(run, dut, open(3, 0x222, false)).done);
    assert_eq!(found(run, dut, 0x111), [Some(0), Some(2)]);
    assert_eq!(found(run, dut, 0x222), [Some(3), Some(1)]);
    assert!(does(run, dut, Command::close(2)).done);
    assert!(!does(run, dut, Command::close(2)).done, "it is closed");
}

/// All eight connections have both keys: the lookup has room for sixteen.
#[test]
fn there_is_room_for_both_keys_of_all_connections() {
    let dut = &mut *model(&config(AckProtocol::Uet, 512, 3));
    let run = &mut RxBench::new(dut, 5, |_| 0.1).expect("the streams are there");
    for round in 0..20 {
        for connection in 0..8 {
            let key = 0x1000 + 0x777 * (8 * round + connection);
            assert!(does(run, dut, open(connection, key & 0xFFFF, true)).done, "{round}, {connection}");
        }
        (0..8).for_each(|connection| assert!(does(run, dut, Command::close(connection)).done));
    }
}
