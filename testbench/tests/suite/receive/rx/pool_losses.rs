// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX27: a packet that has no place in the pool behind a gap is lost in silence while the host takes what it is offered, and asked for when
//! the gap is closed; when the host lags, the sender is told that it has no room.

use super::alone::{Alone, Uet, multipath, request};
use super::probes::uet;
use super::tag::rocev2;
use super::tight::{QUOTA, tight};
use super::{AckProtocol, Command, Dut, config, model, rtl};
use golden_vectors::headers::codec::{Delivery, Record};
use pipeline::receive::reorder::{ReorderConfig, ReorderSettings};
use pipeline::receive::rx::RxConfig;
use testbench::streams::Frame;

const KEY: u64 = 0x600;
const PSN: u64 = 77;
/// Flag L: packets are named.
const LOSS: u8 = 2;
/// More packets of one cell than the pool has place for.
const MANY: u64 = 20;

/// What an answer says beside an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// These PSNs are missing.
    Missing { first: u64, number: u64 },
    /// There is no room for this one.
    NoRoom(u64),
}

fn said(protocol: AckProtocol, record: &Record) -> Option<Said> {
    match protocol {
        AckProtocol::Roce => {
            let (headers, psn) = (rocev2(record), u64::from(rocev2(record).bth.psn()));
            let (aeth, mpeh) = (headers.aeth.expect("it has an AETH"), headers.mpeh.expect("it has an MPEH"));
            let tag = u64::from(mpeh.sched_tag());
            match aeth.syndrome() {
                0x2C => Some(Said::NoRoom(psn)),
                // With tag 0 it only repeats that the next one is missing (TX33).
                31 if mpeh.flags() & LOSS != 0 && tag != 0 => {
                    // All ones: the one behind those acknowledged, once more.
                    let offset = if tag & 0xFFF == 0xFFF { 0 } else { tag & 0xFFF };
                    Some(Said::Missing { first: psn + 1 + offset, number: (tag >> 12) + 1 })
                }
                31 => None,
                syndrome => panic!("syndrome {syndrome:#x}"),
            }
        }
        AckProtocol::Uet => match uet(record) {
            Delivery::Ack(..) => None,
            Delivery::Nack(nack, None) if nack.nack_code() == 0x1A => {
                Some(Said::Missing { first: nack.nack_psn().into(), number: 1 })
            }
            Delivery::Nack(nack, None) if nack.nack_code() == 0x07 => Some(Said::NoRoom(nack.nack_psn().into())),
            other => panic!("{other:?}"),
        },
    }
}

/// A pool of 16 cells, and gaps that are never reported for their age.
fn small(protocol: AckProtocol) -> RxConfig {
    let config = tight(config(protocol, 512, 2));
    let settings = ReorderSettings { span: 63, time: (1 << 20) - 1 };
    RxConfig { reorder: ReorderConfig { settings, ..config.reorder }, ..config }
}

fn is_lost_and_asked_for(dut: &mut dyn Dut, config: &RxConfig) {
    let protocol = config.protocol();
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, PSN));
    // Packets of one cell.
    let send = |alone: &mut Alone, psns: &mut dyn Iterator<Item = u64>| -> Vec<Said> {
        let frame = |psn| match protocol {
            AckProtocol::Roce => request(KEY, psn, 64),
            AckProtocol::Uet => Uet::request(KEY as u16, psn).frame(),
        };
        psns.flat_map(|psn| {
            alone.run.send(&[Frame { bytes: frame(psn).bytes(), user: 0 }]).expect("it has bytes");
            alone.rest().iter().filter_map(|record| said(protocol, record)).collect::<Vec<_>>()
        })
        .collect()
    };

    // Behind a gap: as many as the quota has place for wait, and the others are lost.
    let (held, lost) = (PSN + 1..PSN + 1 + QUOTA, PSN + 1 + QUOTA..PSN + 5 + QUOTA);
    assert_eq!(send(&mut alone, &mut held.clone().chain(lost.clone())), []);
    assert_eq!(["pool_losses", "no_buffer", "over_quota"].map(|name| alone.count(name)), [4; 3]);
    assert_eq!(alone.does(Command::read(1)).expected, PSN);
    // The gap is closed, and they are asked for, once.
    let missing = match protocol {
        AckProtocol::Roce => vec![Said::Missing { first: lost.start, number: 4 }],
        AckProtocol::Uet => lost.clone().map(|first| Said::Missing { first, number: 1 }).collect(),
    };
    assert_eq!(send(&mut alone, &mut [PSN].into_iter()), missing);
    assert_eq!(send(&mut alone, &mut lost.clone()), []);
    assert_eq!(alone.does(Command::read(1)).expected, lost.end);

    // The host takes nothing: the pool fills with packets in order, and the first one without a cell is refused.
    alone.run.pause("m_delivery", 1.0).expect("it is there");
    let told = send(&mut alone, &mut (lost.end..lost.end + MANY));
    let expected = alone.does(Command::read(1)).expected;
    assert_eq!(told.first(), Some(&Said::NoRoom(expected)), "{told:?}");
    assert!(told.iter().all(|said| matches!(said, Said::NoRoom(_))), "{told:?}");
    assert_eq!(alone.count("pool_losses"), 4);
    alone.run.pause("m_delivery", 0.0).expect("it is there");
    alone.rest();
    assert_eq!(send(&mut alone, &mut (expected..lost.end + MANY)), []);
    assert_eq!(alone.does(Command::read(1)).expected, lost.end + MANY);

    // What was lost of a connection is forgotten when it is closed.
    let end = lost.end + MANY;
    assert_eq!(send(&mut alone, &mut (end + 1..end + 3 + QUOTA)), []);
    assert_eq!(alone.count("pool_losses"), 6);
    alone.does(Command::close(1));
    alone.does(multipath(config, 1, KEY, end));
    assert_eq!(send(&mut alone, &mut (end..end + 1)), []);
}

#[test]
fn a_packet_without_a_place_in_the_pool_is_lost_or_refused() {
    for protocol in [AckProtocol::Roce, AckProtocol::Uet] {
        let config = small(protocol);
        is_lost_and_asked_for(&mut *model(&config), &config);
        is_lost_and_asked_for(&mut rtl(&config, 20_000), &config);
    }
}
