// SPDX-License-Identifier: MIT OR Apache-2.0
//! The latencies of a receive path: of a frame to where frames and records leave, and of a packet in order to its delivery and
//! to the frame that answers it. The connection is open and the path idle. The packet asks for its ACK, which is then sent at
//! once; other ACKs wait for further packets, for a time that is a setting.

use super::{Latency, answered, event_on, of_bytes, ready_of, rocev2_frame};
use crate::failure::{Failure, Outcome};
use devices::AnyStage;
use golden_vectors::headers::codec::encode;
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::{RxConfig, op};
use rtl_model::netlist::interfaces::Direction;
use testbench::streams::{Channel, Frame, beats};
use testbench::{Dut, Port};

/// The key of the connection, a QP or a PDC identifier, and its first PSN.
pub const KEY: u16 = 0x11;
const PSN: u32 = 5;
/// Bytes behind the headers: the frame has 62 bytes.
const PAYLOAD: usize = 4;
/// Clock cycles within which the packet is delivered and answered, whatever the bus.
const PATIENCE: u64 = 10_000;

/// An EtherType for experiments.
const NO_TRANSPORT: u16 = 0x88B5;

/// The interfaces of a receive path, or of a stage that has it.
pub struct Path<'a> {
    /// Where frames come.
    pub input: &'a str,
    /// Where frames leave.
    pub frames: &'a str,
    /// Where frames leave that answer.
    pub answers: &'a str,
    /// Fields of the command that opens a connection, beside its code and its first PSN. Those that it does not have are left out.
    pub opening: &'a [(&'a str, u64)],
}

/// Measures from the first beat of a frame to the first transfer on each stream.
pub fn receive(stage: &AnyStage, rx: &RxConfig, path: Path) -> Outcome<Vec<Latency>> {
    // What is held in a pool does not leave with the other frames.
    let frame = match rx.holds_frames() {
        true => encode::Frame::other(NO_TRANSPORT, vec![0; 46]).bytes(),
        false => rocev2_frame(),
    };
    let mut all = of_bytes(stage, &frame, path.input, &[path.frames, "m_record"])?;
    if recognises(rx) {
        all.extend(in_order(stage, rx, path)?);
    }
    Ok(all)
}

/// Measures from the first beat of a packet in order to the first transfer of its delivery and of the frame that answers.
fn in_order(stage: &AnyStage, rx: &RxConfig, Path { input, answers, opening, .. }: Path) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    open(&mut *dut, opening)?;
    let ports = dut.ports().clone();
    let outputs = [if rx.holds_frames() { "m_delivery" } else { "delivery" }, answers];
    let mut inputs = vec![0; ports.input_limbs()];
    for interface in ports.interfaces.iter().filter(|it| it.direction == Direction::Out && it.ready().is_some()) {
        Channel::output(&ports, &interface.name)?.set_ready(&mut inputs, true);
    }
    let frames = Channel::input(&ports, input)?;
    let channels = [Channel::output(&ports, outputs[0])?, Channel::output(&ports, outputs[1])?];
    let bytes = packet(rx);
    if let Some(port) = ports.input("station_address") {
        inputs[port.offset] = bytes[..6].iter().fold(0, |mac, byte| mac << 8 | u64::from(*byte));
    }
    let mut beats = beats(&frames, &Frame { bytes, user: 0 })?.into_iter().peekable();
    let (mut row, mut first, mut clocks) = (vec![0; ports.output_limbs()], None, [None; 2]);
    for cycle in 0..PATIENCE {
        dut.outputs(&mut row);
        frames.set_valid(&mut inputs, beats.peek().is_some());
        if let Some(beat) = beats.peek() {
            frames.set(&mut inputs, beat);
            if frames.ready(&row) {
                first = first.or(Some(cycle));
                beats.next();
            }
        }
        for (clocks, _) in clocks.iter_mut().zip(&channels).filter(|(_, channel)| channel.valid(&row)) {
            *clocks = clocks.or(first.map(|first| cycle - first));
        }
        if let [Some(delivery), Some(answered)] = clocks {
            let latency = |(to, clocks): (&str, u64)| Latency { from: input.to_owned(), to: to.to_owned(), clocks };
            return Ok(outputs.into_iter().zip([delivery, answered]).map(latency).collect());
        }
        dut.clock(false, &inputs);
    }
    Err(Failure::message(format!("the model never sets {} and {}", outputs[0], outputs[1])))
}

/// Opens connection 0 by a command.
fn open(dut: &mut dyn Dut, fields: &[(&str, u64)]) -> Outcome {
    let ports = dut.ports().clone();
    let mut input = vec![0; ports.input_limbs()];
    // Packets that are sent have the same first PSN.
    let first = ["psn", "expected"].map(|name| (name, u64::from(PSN)));
    for (name, value) in fields.iter().copied().chain(first).chain([("op", op::OPEN)]) {
        if let Some(port) = ports.input(&format!("command_{name}")) {
            input[port.offset] = value;
        }
    }
    let (command, response) =
        (event_on(&ports, "command", Direction::In)?, event_on(&ports, "response", Direction::Out)?);
    answered(dut, input, Some(ready_of(&ports, "command")?), command, response)?;
    let mut outputs = vec![0; ports.output_limbs()];
    dut.outputs(&mut outputs);
    let done = |port: &Port| outputs[port.offset] == 1;
    match ports.output("response_done").is_some_and(done) {
        true => Ok(()),
        false => Err(Failure::message("the model does not open a connection")),
    }
}

/// Whether packets of its protocol are recognised by their UDP port.
fn recognises(rx: &RxConfig) -> bool {
    let Protocols { rocev2, uet, rocev2_port, uet_port, .. } = rx.parser.protocols;
    match rx.protocol() {
        AckProtocol::Roce => rocev2,
        // Of equal ports the first protocol has it.
        AckProtocol::Uet => uet && !(rocev2 && rocev2_port == uet_port),
    }
}

/// The packet, a RoCEv2 SEND Only or a RUD request of UET.
fn packet(rx: &RxConfig) -> Vec<u8> {
    let protocols = &rx.parser.protocols;
    let frame = match rx.protocol() {
        AckProtocol::Roce => {
            let frame = encode::Frame::v4().with(|frame| frame.payload = vec![0; PAYLOAD]).with_bth(|bth| {
                bth.set_dqpn(KEY.into());
                bth.set_psn(PSN);
                bth.set_ackreq(true);
            });
            frame.with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_destination(protocols.rocev2_port)))
        }
        AckProtocol::Uet => {
            // Type RUD_REQ with the flag `ar`, and no header of the semantic sublayer.
            let mut bytes = (2u32 << 27 | 8 << 16).to_be_bytes().to_vec();
            bytes.extend(PSN.to_be_bytes());
            bytes.extend([KEY.to_be_bytes(), KEY.to_be_bytes()].concat());
            bytes.extend([0; PAYLOAD + 4]);
            // Not that of a trimmed packet.
            let dscp = (0..).find(|dscp| ![protocols.trimmed_dscp, protocols.trimmed_last_hop_dscp].contains(dscp));
            let frame = encode::Frame::v4().with_port(protocols.uet_port, bytes);
            let frame = if protocols.uet_crc { frame.with_uet_crc() } else { frame };
            frame.with_v4(|ip| ip.set_dscp(dscp.unwrap_or(0)))
        }
    };
    frame.bytes()
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, HoldMode};
    use crate::stages::StageName;
    use tier::pick;

    /// Clock cycles to delivery, from the page of `rx`: by the latency of memories, with descriptors and with frames.
    const OF_THE_PAGE: [(u64, u64, u64); 3] = [(1, 75, 72), (2, 82, 79), (3, 89, 86)];

    fn latencies(config: &Config) -> Vec<(String, u64)> {
        let all = StageName::Rx.latency(config).unwrap_or_else(|failure| panic!("{failure}"));
        all.into_iter().map(|latency| (latency.to, latency.clocks)).collect()
    }

    fn config(ram_latency: u64, hold: HoldMode) -> Config {
        let mut config = Config::default();
        (config.data_width, config.reorder.hold) = (512, hold);
        config.target.ram_latency = Some(ram_latency);
        config
    }

    #[test]
    fn a_packet_is_delivered_when_the_page_says() {
        let page = include_str!("../../docs/stages/rx.md");
        for said in ["on `delivery` 75, 82 or 89 clock cycles", "leaves on `m_delivery` 72, 79 or 86 clock cycles"] {
            assert!(page.replace('\n', " ").contains(said), "{said}");
        }
        for (ram_latency, packet, frame) in pick(OF_THE_PAGE, 1) {
            let found = latencies(&config(ram_latency, HoldMode::Descriptor));
            assert!(found.contains(&("delivery".to_owned(), packet)), "{ram_latency}: {found:?}");
            let found = latencies(&config(ram_latency, HoldMode::Payload));
            assert!(found.contains(&("m_delivery".to_owned(), frame)), "{ram_latency}: {found:?}");
        }
        assert!(page.replace('\n', " ").contains("after 73 clock cycles with latency 2, and after 57 without"));
        let mut of_uet = config(2, HoldMode::Descriptor);
        of_uet.protocols.rocev2 = false;
        for (uet_crc, clocks) in [(true, 73), (false, 57)] {
            of_uet.protocols.uet_crc = uet_crc;
            let found = latencies(&of_uet);
            assert!(found.contains(&("delivery".to_owned(), clocks)), "{found:?}");
        }
    }
    /// With either protocol, at the narrowest and the widest bus, and wherever frames wait.
    #[test]
    fn every_receive_path_delivers_and_answers() {
        let all = [64, 1024].into_iter().flat_map(|width| {
            let holds = [HoldMode::Descriptor, HoldMode::Payload];
            [true, false].into_iter().flat_map(move |rocev2| holds.map(|hold| (width, rocev2, hold)))
        });
        for (width, rocev2, hold) in pick(all, 3) {
            let mut config = config(2, hold);
            (config.data_width, config.protocols.rocev2, config.protocols.uet) = (width, rocev2, !rocev2);
            let found = latencies(&config);
            let clocks: Vec<_> = found.iter().map(|(_, clocks)| *clocks).collect();
            let [frames, _, delivery, answer] = clocks[..] else { panic!("{width} {rocev2}: {found:?}") };
            assert!(frames < delivery && delivery < answer + 10, "{width} {rocev2}: {found:?}");
            println!("{width} {rocev2} {hold:?}: {found:?}");
        }
    }

    /// What it does not read it does not deliver: there are two latencies, and no error.
    #[test]
    fn a_path_of_no_protocol_has_those_of_frames() {
        let mut config = config(2, HoldMode::Descriptor);
        (config.protocols.rocev2, config.protocols.uet) = (false, false);
        assert_eq!(latencies(&config).iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), ["m_axis", "m_record"]);
    }
}
