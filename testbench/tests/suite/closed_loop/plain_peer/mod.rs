// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC with a QP of plain RoCEv2 against a [`Peer`](peer::Peer) that is written here from the IBA, byte by byte, and shares no code with what
//! is tested or with its oracles (rows M07, M12, M40, M41, M76; TX53, TX54, RX27).

mod host;
mod illegal;
mod peer;
mod wire;

use super::rocev2::setup::{SINGLE, Sizes, models, simulations};
use super::setup::Device;
use host::{Asked, World, memory};
use peer::{MTU, Message};
use tier::pick;

fn sizes() -> Sizes {
    Sizes { granularity: SINGLE, rto: 160, initial: 16, ..Sizes::paths(1, 64) }
}

fn model() -> Device {
    models(&sizes()).next().expect("there is one")
}

fn verilog() -> Device {
    simulations(&sizes()).next().expect("there is one")
}

/// SENDs and WRITEs of the NIC in turn.
fn asked(number: u64, length: u32) -> Asked {
    let address = 0x1_0000_0000 * (number + 1) + 4 * number + 1;
    let write = (number % 2 == 1).then_some((!address, 0xAB00 + number as u32, length));
    let target = write.unwrap_or((0, 0, 0));
    let fields = vec![
        ("address", address),
        ("length", length.into()),
        ("write", write.is_some().into()),
        ("remote_address", target.0),
        ("rkey", target.1.into()),
    ];
    Asked { fields, message: Message { write, bytes: memory(address, length), ..Message::default() } }
}

/// What the peer sends: bytes of nowhere.
fn of_peer(number: u64, length: u32) -> Message {
    let bytes = memory(0xFF00_0000_0000 + (number << 32), length);
    let write = (number % 3 == 2).then_some((0x5555_0000 + number, 0xBEEF, length));
    Message { write, bytes, ..Message::default() }
}

/// The packets that the host of the NIC has been given, as messages.
fn messages(world: &World) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for (opcode, payload) in &world.delivered {
        all.last_mut().expect("there is one").extend(payload);
        if ![0x00, 0x01, 0x06, 0x07].contains(opcode) {
            all.push(Vec::new());
        }
    }
    assert_eq!(all.pop(), Some(Vec::new()), "a message has no end");
    all
}

const LENGTHS: [u32; 10] = [0, 1, 3, 4095, 4096, 4097, 60_001, 1 << 20, 5, 200_000];

/// Messages of all lengths both ways at once.
fn both_ways(device: Device, loss: f64, lengths: &[u32]) -> World {
    let mut world = World::new(device, 7);
    world.loss = loss;
    let all: Vec<_> = (0..).zip(lengths).map(|(number, length)| asked(number, *length)).collect();
    all.iter().for_each(|asked| world.send(asked));
    let back: Vec<_> = (0..).zip(lengths.iter().rev()).map(|(number, length)| of_peer(number, length / 2)).collect();
    back.iter().for_each(|message| world.peer.send(message));
    world.until_complete(all.len(), 4_000_000);
    world.until_peer_is_done(4_000_000);
    world.steps(2000);
    println!("loss {loss}: {} clock cycles, {:?}, {} frames", world.now, world.peer.counts, world.frames_sent);
    assert_eq!(world.completed, (0..all.len() as u64).collect::<Vec<_>>());
    assert!(world.failed.is_empty(), "{:?}", world.failed);
    for (number, (asked, received)) in all.iter().zip(&world.peer.received).enumerate() {
        assert!(asked.message == *received, "message {number} of {} bytes", asked.message.bytes.len());
    }
    assert_eq!(world.peer.received.len(), all.len());
    let delivered = messages(&world);
    assert_eq!(delivered.len(), back.len());
    for (number, (message, delivered)) in back.iter().zip(&delivered).enumerate() {
        assert!(message.bytes == *delivered, "message {number} of the peer");
    }
    world
}

#[test]
fn messages_are_exchanged_byte_for_byte() {
    let world = both_ways(model(), 0.0, &LENGTHS);
    let counts = world.peer.counts;
    assert_eq!((counts.repeated, counts.behind, counts.again, counts.timeouts), (0, 0, 0, 0), "{counts:?}");
}

#[test]
fn losses_are_repaired_by_going_back() {
    for loss in pick([0.03, 0.01], 1) {
        let counts = both_ways(model(), loss, &LENGTHS).peer.counts;
        // Both ends go back at a NAK, which is said once of a gap.
        assert!(counts.naks > 0 && counts.naks_heard > 0 && counts.again > 0, "{counts:?}");
        assert!(counts.behind > counts.naks, "{counts:?}");
    }
}

#[test]
fn the_verilog_does_the_same() {
    let lengths = &LENGTHS[..7];
    let [model, verilog] = [model(), verilog()].map(|device| both_ways(device, 0.02, lengths));
    assert_eq!((model.now, model.peer.counts), (verilog.now, verilog.peer.counts));
    assert!(model.wire == verilog.wire, "the frames are others");
}

/// Nothing passes for a while: both ends go back by their time-outs.
#[test]
fn a_wire_that_is_cut_for_a_while() {
    let mut world = World::new(model(), 3);
    let asked = asked(0, 400_000);
    world.send(&asked);
    world.peer.send(&of_peer(0, 400_000));
    world.steps(4000);
    world.loss = 1.0;
    world.steps(40_000);
    world.loss = 0.0;
    world.until_complete(1, 1_000_000);
    world.until_peer_is_done(1_000_000);
    world.steps(2000);
    let timeouts = world.output("packet_tracker_timeouts");
    println!("{:?}, {timeouts} packets of the NIC timed out", world.peer.counts);
    assert!(timeouts > 0 && world.peer.counts.timeouts > 0);
    assert!(asked.message == world.peer.received[0] && messages(&world) == [of_peer(0, 400_000).bytes]);
    assert!(world.failed.is_empty());
}

/// The peer has no room for some packets: each RNR NAK names 10 us, for which the NIC sends nothing; then one packet is tried.
#[test]
fn a_peer_without_room_is_waited_for() {
    let mut world = World::new(model(), 3);
    let asked = asked(0, 100_000);
    world.peer.no_room = (5, 1);
    world.send(&asked);
    world.until_complete(1, 1_000_000);
    let counts = world.peer.counts;
    println!("{} clock cycles, {counts:?}, {} backoffs", world.now, world.output("packet_tracker_backoffs"));
    assert!(counts.rnr == 5 && world.output("packet_tracker_timeouts") == 0);
    assert!(asked.message == world.peer.received[0] && world.failed.is_empty());
}

/// The host of the NIC takes nothing for a while: the peer is told so, and comes again.
#[test]
fn a_nic_without_room_says_so() {
    let mut world = World::new(model(), 3);
    world.stands_still = true;
    world.peer.window = 64;
    world.peer.send(&of_peer(0, 600_000));
    world.steps(40_000);
    world.stands_still = false;
    world.until_peer_is_done(2_000_000);
    world.steps(2000);
    println!("{:?}", world.peer.counts);
    assert!(world.peer.counts.rnr_heard > 0);
    assert!(messages(&world) == [of_peer(0, 600_000).bytes]);
}

/// A fatal NAK ends the QP, and says why.
#[test]
fn a_peer_that_refuses_ends_the_qp() {
    for syndrome in [0x61, 0x62, 0x63] {
        let mut world = World::new(model(), 3);
        world.peer.refuses = Some(syndrome);
        world.send(&asked(1, 20_000));
        world.steps(8000);
        assert_eq!(world.failed, [(2, syndrome.into())]);
        assert!(world.completed.is_empty());
    }
}

/// Messages of the largest number of packets between two bounds, and of one byte less and more.
#[test]
fn lengths_about_the_size_of_a_packet() {
    let mtu = MTU as u32;
    let lengths = [mtu - 1, mtu, mtu + 1, 2 * mtu - 1, 2 * mtu, 2 * mtu + 1];
    both_ways(model(), 0.0, &lengths);
}

/// Clock cycles of 50 us.
const APART: u64 = 9766;

/// Marked data are answered by CNPs, of which every bit is compared, one in 50 us; data without marks are not.
#[test]
fn marked_data_are_answered_by_cnps() {
    let seen = [model(), verilog()].map(|device| {
        let mut world = World::new(device, 3);
        world.peer.send(&of_peer(0, 600_000));
        world.until_peer_is_done(1_000_000);
        world.steps(2000);
        assert!(world.peer.cnps.is_empty(), "{:?}", world.peer.cnps);
        world.peer.marks = true;
        let begin = world.now;
        (1..6).for_each(|number| world.peer.send(&of_peer(number, 1_000_000)));
        world.until_peer_is_done(4_000_000);
        world.steps(2000);
        let (cnps, took) = (world.peer.cnps.clone(), world.now - begin);
        println!("{cnps:?} in {took} clock cycles");
        // They wait for a frame that is on its way, and a time is counted in 64 clock cycles.
        let gaps: Vec<_> = cnps.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| *gap + 80 > APART), "{gaps:?}");
        assert!(cnps.len() as u64 >= took / (APART + 2000), "{} CNPs in {took} clock cycles", cnps.len());
        assert_eq!(messages(&world).len(), 6);
        (cnps, world.now)
    });
    assert_eq!(seen[0], seen[1]);
}

/// A CNP halves window and weight, once in the time of a step, and is no loss; without more of them both grow again.
#[test]
fn cnps_halve_the_window() {
    for device in [model(), verilog()] {
        let mut world = World::new(device, 3);
        world.send(&asked(0, 2_000_000));
        world.steps(30_000);
        let [before, after] = [false, true].map(|notified| {
            if notified {
                world.peer.notify();
                world.steps(1400);
            }
            let state = world.path();
            ["window", "weight", "state"].map(|name| state[name])
        });
        println!("{before:?}, {after:?}");
        assert!(
            before[0] >= 16 && after[0] <= before[0] / 2 + 2 && after[0] + 2 >= before[0] / 2,
            "{before:?}, {after:?}"
        );
        // The weight has grown again since.
        assert!(before[1..] == [32, 2] && (16..28).contains(&after[1]) && after[2] == 2, "{before:?}, {after:?}");
        world.send(&asked(1, 4_000_000));
        world.until_complete(2, 4_000_000);
        let later = world.path();
        println!("{later:?}");
        assert!(later["window"] > after[0] && later["weight"] > after[1], "{later:?}");
        let counts = world.peer.counts;
        assert_eq!((world.failed.len(), counts.repeated, counts.behind), (0, 0, 0), "{counts:?}");
    }
}
