// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX25: a packet for which the gate has no room, as the host takes nothing, is answered at once and once, if it is good and its
//! sender may speak to the connection.

use super::alone::{Alone, Uet, multipath};
use super::probes::uet;
use super::tag::rocev2;
use super::{AckProtocol, Command, Dut, QUIET, config, holding_frames, model, rtl};
use golden_vectors::headers::codec::encode::Frame;
use golden_vectors::headers::codec::{Delivery, Network, Record};
use pipeline::receive::rx::RxConfig;
use testbench::benches::rx_bench::Endpoints;
use testbench::streams;
use tier::pick;

const KEY: u64 = 0x600;
const PSN: u64 = 77;
/// Records that the gate keeps.
const FRAMES: u64 = 64;
const PEER: u32 = 0x0A00_0001;
const HERE: u32 = 0x0A00_0002;
/// 0.64 ms, and NO_PKT_BUFFER.
const RNR: u8 = 0x2C;
const NO_BUFFER: u8 = 0x07;

/// A packet from this address.
fn packet(protocol: AckProtocol, psn: u64, source: u32) -> streams::Frame {
    let frame: Frame = match protocol {
        AckProtocol::Roce => super::alone::request(KEY, psn, 64),
        AckProtocol::Uet => Uet::request(KEY as u16, psn).frame(),
    };
    let frame = frame.with_v4(|ip| {
        ip.set_source(source);
        ip.set_destination(HERE);
    });
    streams::Frame { bytes: frame.bytes(), user: 0 }
}

/// What an answer says: its reason and its PSN. It goes to the peer.
fn said(protocol: AckProtocol, record: &Record) -> (u8, u64) {
    let Some(Network::V4(ip)) = record.network else { panic!("{record:?}") };
    assert_eq!((ip.source(), ip.destination()), (HERE, PEER));
    match protocol {
        AckProtocol::Roce => {
            let headers = rocev2(record);
            (headers.aeth.expect("it has an AETH").syndrome(), headers.bth.psn().into())
        }
        AckProtocol::Uet => match uet(record) {
            Delivery::Nack(nack, None) => (nack.nack_code(), nack.nack_psn().into()),
            other => panic!("{other:?}"),
        },
    }
}

/// Sends frames; what is said of them.
fn answers(alone: &mut Alone, protocol: AckProtocol, frames: &[streams::Frame]) -> Vec<(u8, u64)> {
    alone.run.send(frames).expect("they have bytes");
    alone.rest().iter().map(|record| said(protocol, record)).collect()
}

fn a_lost_packet_is_answered(dut: &mut dyn Dut, config: &RxConfig) {
    let protocol = config.protocol();
    let roce = protocol == AckProtocol::Roce;
    let mut alone = Alone::new(dut, config);
    let context = if roce { 0xFFFF } else { Uet::request(KEY as u16, 0).spdcid };
    let [peer_ip, local_ip] = [PEER, HERE].map(u128::from);
    let ends = Endpoints { ipv6: false, peer_ip, local_ip, context };
    alone.does(Command { ends: Some(ends), ..multipath(config, 1, KEY, PSN) });
    let stall = |alone: &mut Alone, pause| {
        ["m_record", "m_axis"].iter().for_each(|stream| alone.run.pause(stream, pause).expect("it is there"));
    };
    stall(&mut alone, 1.0);

    // The first one is not of the connection, so it waits for the host, and all behind it, whatever holds them.
    let (good, foreign) = (|psn| packet(protocol, psn, PEER), || packet(protocol, PSN, PEER + 7));
    let count = FRAMES - 1;
    let fill: Vec<_> = [foreign()].into_iter().chain((PSN..PSN + count).map(good)).collect();
    assert_eq!(answers(&mut alone, protocol, &fill), []);
    assert_eq!(alone.count("gate_overflowed"), 0);
    // There is no room for these: they do not speak for the connection, or are damaged.
    assert_eq!(answers(&mut alone, protocol, &[foreign()]), []);
    let mut damaged = good(PSN + count);
    *damaged.bytes.last_mut().expect("it has bytes") ^= 1;
    if roce {
        assert_eq!(answers(&mut alone, protocol, &[damaged]), []);
    }
    assert_eq!(alone.count("gate_overflowed"), 1);
    // The first good one is answered, though nothing of the connection has been taken: the host stands still.
    let lost = [good(PSN + count), good(PSN + count + 1), good(PSN + count)];
    let expected = if roce { (RNR, PSN) } else { (NO_BUFFER, PSN + count) };
    assert_eq!(answers(&mut alone, protocol, &lost), [expected]);
    assert_eq!(alone.count("gate_overflowed"), 4);

    // It goes on: what had its place is received, and the rest when it comes again.
    stall(&mut alone, 0.0);
    alone.rest();
    assert_eq!(alone.does(Command::read(1)).expected, PSN + count);
    alone.run.send(&[good(PSN + count), good(PSN + count + 1)]).expect("they have bytes");
    alone.rest();
    assert_eq!(alone.does(Command::read(1)).expected, PSN + count + 2);
    alone.run.until_idle(alone.dut, QUIET).expect("it ends");

    // *Close* does not wait for what is lost, nor does it forget a packet that is to be told of.
    alone.does(Command::close(1));
    assert_eq!(alone.count("unknown_connections"), 0);
}

#[test]
fn a_packet_without_room_is_answered_once() {
    for protocol in [AckProtocol::Roce, AckProtocol::Uet] {
        for latency in pick([2, 1, 3], 1) {
            let config = config(protocol, 512, latency);
            a_lost_packet_is_answered(&mut *model(&config), &config);
            let config = holding_frames(config);
            a_lost_packet_is_answered(&mut *model(&config), &config);
        }
        let config = config(protocol, 512, 2);
        a_lost_packet_is_answered(&mut rtl(&config, 20_000), &config);
    }
}
