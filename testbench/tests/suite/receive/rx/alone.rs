// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets one at a time, each on an idle device: so it is known to which packet each answer belongs, and in which clock
//! cycle the ACK generator learned of it.

use super::{Command, Dut, Response, RxBench, UET_PORT, does};
use golden_vectors::headers::codec::{Options, Record, encode, read};
use golden_vectors::{Reason, Verdict};
use pipeline::receive::ack_generator::{AckGeneratorSettings, AckProtocol};
use pipeline::receive::reorder::ReorderSettings;
use pipeline::receive::rx::RxConfig;
use testbench::streams::Frame;

/// Clock cycles without any transfer after which a lone packet has been answered.
const QUIET: u64 = 300;

/// A device that is given packets one at a time.
pub struct Alone<'a> {
    pub dut: &'a mut dyn Dut,
    pub run: RxBench,
    config: RxConfig,
    /// Answers that have been read.
    seen: usize,
}

impl<'a> Alone<'a> {
    pub fn new(dut: &'a mut dyn Dut, config: &RxConfig) -> Self {
        let run = RxBench::new(dut, 1, |_| 0.0).expect("the streams are there");
        Alone { dut, run, config: *config, seen: 0 }
    }

    /// The command, which may be refused.
    pub fn tries(&mut self, command: Command) -> Response {
        does(&mut self.run, self.dut, command)
    }

    /// The command, which must be done.
    pub fn does(&mut self, command: Command) -> Response {
        let response = does(&mut self.run, self.dut, command);
        assert!(response.done, "{command:?} is refused");
        response
    }

    /// The clock cycle in which the last beat will be taken of a frame that is sent now.
    pub fn end_of(&self, bytes: usize) -> u64 {
        self.run.cycle() + bytes.div_ceil(self.config.parser.data_width as usize / 8) as u64 - 1
    }

    /// Sends a frame and waits: the answers to it, in their order.
    pub fn answers_to(&mut self, frame: &encode::Frame) -> Vec<Record> {
        let frame = Frame { bytes: frame.bytes(), user: 0 };
        let end = self.end_of(frame.bytes.len());
        self.run.send(&[frame]).expect("it has bytes");
        self.run.until_sent(self.dut).expect("it is taken");
        assert_eq!(self.run.cycle(), end + 1, "the last beat is taken");
        self.rest()
    }

    /// Waits until nothing moves: the answers since the last call.
    pub fn rest(&mut self) -> Vec<Record> {
        self.run.until_idle(self.dut, QUIET).expect("it ends");
        let answers = self.run.answers().expect("they are lawful").split_off(self.seen);
        self.seen += answers.len();
        answers.into_iter().map(|(_, frame)| lawful(&frame)).collect()
    }

    pub fn count(&self, name: &str) -> u64 {
        self.run.count(name).unwrap_or_else(|| panic!("no counter {name}"))
    }

    pub fn ack_settings(&mut self, settings: &AckGeneratorSettings) {
        give_ack_settings(&mut self.run, self.dut, settings);
    }

    pub fn reorder_settings(&mut self, ReorderSettings { span, time }: ReorderSettings) {
        let values = [("span", span), ("time", time)];
        self.run.settings(self.dut, "reorder", &values).expect("the ports are there");
    }

    /// R13 and G3 of `ack_generator`: the time at which it learns of a packet whose last beat is taken in cycle `end`, in units
    /// of 128 ns. From there the packet takes 2 `l` + 39 clock cycles to `reorder`, as its delivery takes 4 `l` + 21 (R11) of
    /// the 6 `l` + 60 that the page of `rx` has at 512 bits; its answer takes `l` + 12 more (R4), and the time is that of 4 later.
    pub fn time_of(&self, end: u64) -> u64 {
        assert_eq!(self.config.parser.data_width, 512);
        let l = u64::from(self.config.reorder.ram_latency);
        let cycle = end + (2 * l + 39) + (l + 12) + 4;
        (cycle * self.config.ack.settings.tick) >> 16 & 0xF_FFFF
    }
}

/// Gives all settings of the ACK generator.
pub fn give_ack_settings(run: &mut RxBench, dut: &mut dyn Dut, settings: &AckGeneratorSettings) {
    let it = settings;
    let values = [
        ("tick", it.tick),
        ("count", it.count),
        ("count_multipath", it.count_multipath),
        ("trigger", it.trigger),
        ("min", it.min),
        ("time", it.time),
        ("per_packet", it.per_packet),
        ("on_ecn", it.on_ecn),
        ("on_retx", it.on_retx),
        ("rnr", it.rnr),
        ("no_buffer_time", it.no_buffer_time),
        ("credits", it.credits),
        ("offset", it.offset),
        ("cc", it.cc),
        ("mpr", it.mpr),
        ("added", it.added),
        ("restore", it.restore),
    ];
    run.settings(dut, "ack_generator", &values).expect("the ports are there");
}

/// Reads an answer as any receiver would. It must be lawful.
pub fn lawful(frame: &Frame) -> Record {
    assert_eq!(frame.user, 0, "an answer has a mark");
    let reading = read(&frame.bytes, &Options::default());
    assert_eq!((reading.verdict, reading.reason), (Verdict::Ok, Reason::None), "{reading:?}");
    assert!(reading.icrc != Some(false), "{reading:?}");
    reading.record
}

/// The same packet, marked by ECN.
pub fn marked(frame: encode::Frame) -> encode::Frame {
    frame.with_v4(|ip| ip.set_ecn(3))
}

/// A packet of RoCEv2 with data.
pub fn request(key: u64, psn: u64, payload: usize) -> encode::Frame {
    let payload = (0..payload).map(|at| (at as u64 * 7 + psn) as u8).collect();
    let frame = encode::Frame::v4().with(|frame| frame.payload = payload).with_opcode(0x04);
    frame.with_bth(|bth| {
        bth.set_dqpn(key as u32);
        bth.set_psn(psn as u32 & 0xFF_FFFF);
        bth.set_ackreq(false);
    })
}

/// A packet of UET.
#[derive(Clone, Copy, Debug)]
pub struct Uet {
    /// The type, and `next_hdr` or the type of a control packet.
    pub kind: u32,
    pub next_hdr: u32,
    /// ar 0x08, syn 0x04, retx 0x10.
    pub flags: u32,
    pub psn: u64,
    pub spdcid: u16,
    pub dpdcid: u16,
    /// `clear_psn_offset`, or the opaque of a probe.
    pub offset: u16,
    /// The EV, in the UDP source port.
    pub ev: u16,
    pub dscp: u8,
    pub ecn: u8,
}

impl Uet {
    /// A RUD request.
    pub const fn request(dpdcid: u16, psn: u64) -> Self {
        let (spdcid, ev) = (dpdcid ^ 0x5A5A, 49152 + (psn % 16_384) as u16);
        Uet { kind: 2, next_hdr: 3, flags: 0, psn, spdcid, dpdcid, offset: 0, ev, dscp: 0, ecn: 0 }
    }

    pub fn frame(&self) -> encode::Frame {
        let mut bytes =
            (self.kind << 27 | self.next_hdr << 23 | self.flags << 16 | u32::from(self.offset)).to_be_bytes().to_vec();
        bytes.extend((self.psn as u32).to_be_bytes());
        bytes.extend(self.spdcid.to_be_bytes());
        bytes.extend(self.dpdcid.to_be_bytes());
        bytes.extend([0x5A; 60]);
        let frame = encode::Frame::v4().with_port(UET_PORT, bytes).with_uet_crc().with_v4(|ip| {
            ip.set_dscp(self.dscp);
            ip.set_ecn(self.ecn);
        });
        frame.with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_source(self.ev)))
    }
}

/// The EV that an answer of UET gives back.
pub fn ev_of(record: &Record) -> u16 {
    record.udp.expect("it has a UDP header").source()
}

/// Opens a connection with multipath.
pub fn multipath(config: &RxConfig, connection: u64, key: u64, psn: u64) -> Command {
    let multipath = config.protocol() == AckProtocol::Roce;
    Command { op: 1, key, psn, multipath, peer: super::peer(connection), ..Command::read(connection) }
}
