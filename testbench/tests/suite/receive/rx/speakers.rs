// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who may speak to a connection (rows RX20 to RX23): each bit of both addresses, all pairs of members of partitions, the
//! SPDCID, what is counted, and what the host is told.

use super::alone::{Alone, Uet, multipath};
use super::{AckProtocol, Command, Dut, config, holding_frames, model, rtl};
use golden_vectors::headers::codec::encode::{Frame, Network};
use pipeline::receive::rx::RxConfig;
use testbench::benches::rx_bench::Endpoints;
use tier::pick;

const KEY: u64 = 0x600;
const PSN: u64 = 77;
/// The flag *ar* of UET.
const AR: u32 = 0x08;
const V4: [u128; 2] = [0x0A00_0001, 0x0A00_0002];
const V6: [u128; 2] = [0x2001_0DB8 << 96 | 1, 0x2001_0DB8 << 96 | 2];
const CAUSES: [&str; 3] = ["source", "destination", "context"];

/// What a frame says of its ends.
#[derive(Clone, Copy, Debug)]
struct Sent {
    ipv6: bool,
    source: u128,
    destination: u128,
    context: u16,
}

impl Sent {
    const fn right(ipv6: bool, context: u16) -> Self {
        let [source, destination] = if ipv6 { V6 } else { V4 };
        Sent { ipv6, source, destination, context }
    }

    /// The connection that it is right for.
    const fn ends(self) -> Endpoints {
        Endpoints { ipv6: self.ipv6, peer_ip: self.source, local_ip: self.destination, context: self.context }
    }

    /// A packet that asks for its ACK.
    fn frame(self, protocol: AckProtocol) -> Frame {
        let frame = match protocol {
            AckProtocol::Roce => super::alone::request(KEY, PSN, 64).with_bth(|bth| {
                bth.set_ackreq(true);
                bth.set_pkey(self.context);
            }),
            AckProtocol::Uet => Uet { flags: AR, spdcid: self.context, ..Uet::request(KEY as u16, PSN) }.frame(),
        };
        let Network::V6(mut header, _) = Frame::v6().network else { panic!("it is IPv6") };
        header.set_source(self.source);
        header.set_destination(self.destination);
        let frame = frame.with_v4(|ip| {
            ip.set_source(self.source as u32);
            ip.set_destination(self.destination as u32);
        });
        if self.ipv6 { frame.with(|frame| frame.network = Network::V6(header, Vec::new())) } else { frame }
    }
}

/// The counters of what is refused.
fn counts(alone: &Alone) -> [u64; 3] {
    let count = |name: &str| alone.run.count(&format!("refused_{name}"));
    let context = count("pkey").or(count("spdcid")).expect("it counts");
    [count("source").expect("it counts"), count("destination").expect("it counts"), context]
}

/// Sends a packet, with the connection opened anew: whether it is answered, and the cause for which it is refused.
fn judged(alone: &mut Alone, config: &RxConfig, ends: Endpoints, sent: Sent) -> (bool, Option<usize>) {
    alone.does(Command { ends: Some(ends), ..multipath(config, 1, KEY, PSN) });
    let before = counts(alone);
    let (answers, after) = (alone.answers_to(&sent.frame(config.protocol())), counts(alone));
    let cause = (0..3).find(|cause| after[*cause] != before[*cause]);
    let refused: u64 = after.iter().zip(before).map(|(after, before)| after - before).sum();
    let state = alone.does(Command::read(1));
    // It is refused, or it is the packet that is expected.
    assert_eq!((refused, state.expected), (cause.is_some().into(), PSN + u64::from(cause.is_none())), "{sent:?}");
    alone.does(Command::close(1));
    (!answers.is_empty(), cause)
}

/// The frame that is held for the host: connection, cause, version, source, destination and context.
fn held(alone: &Alone) -> Option<(u64, usize, Sent)> {
    let value = |name: &str| alone.count(&format!("refusal_{name}"));
    let address = |name: &str| (0..4).fold(0, |sum, i| sum << 32 | u128::from(value(&format!("{name}_ip_{i}"))));
    let ipv6 = value("ipv6") == 1;
    let shown = |address: u128| if ipv6 { address } else { address >> 96 };
    let sent = Sent {
        ipv6,
        source: shown(address("source")),
        destination: shown(address("destination")),
        context: value("context") as u16,
    };
    (value("valid") == 1).then(|| (value("connection"), value("cause") as usize - 1, sent))
}

/// Each wrong bit is seen, of addresses and of the SPDCID; what is right is answered.
fn each_bit_counts(dut: &mut dyn Dut, config: &RxConfig, every: u32) {
    let mut alone = Alone::new(dut, config);
    for ipv6 in [false, true] {
        let right = Sent::right(ipv6, if config.protocol() == AckProtocol::Roce { 0xFFFF } else { 0x1234 });
        assert_eq!(judged(&mut alone, config, right.ends(), right), (true, None));
        let bits = if ipv6 { 128 } else { 32 };
        for bit in (0..bits).step_by(every as usize).chain([bits - 1]) {
            let (source, destination) = (right.source ^ 1 << bit, right.destination ^ 1 << bit);
            let wrong =
                [Sent { source, ..right }, Sent { destination, ..right }, Sent { source, destination, ..right }];
            for (sent, cause) in wrong.into_iter().zip([0, 1, 0]) {
                assert_eq!(judged(&mut alone, config, right.ends(), sent), (false, Some(cause)), "bit {bit}");
            }
        }
        for bit in 0..15 {
            let sent = Sent { context: right.context ^ 1 << bit, ..right };
            assert_eq!(judged(&mut alone, config, right.ends(), sent), (false, Some(2)), "bit {bit}");
        }
        // The other version is another address, even if the first words are the same.
        let [v4, v6] = [false, true].map(|ipv6| Sent::right(ipv6, right.context));
        let (own, other) = if ipv6 { (v6, v4) } else { (v4, v6) };
        let [source, destination] =
            [own.source, own.destination].map(|address| if ipv6 { address >> 96 } else { address << 96 });
        let other = Sent { source, destination, ..other };
        assert_eq!(judged(&mut alone, config, own.ends(), other), (false, Some(0)), "{own:?} {other:?}");
    }
}

/// A limited member and a full one understand each other, and two limited ones do not; an answer has the P_Key of this end.
fn members_of_a_partition(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let of = |own: u16, its: u16| {
        let sent = Sent::right(false, its);
        (Endpoints { context: own, ..sent.ends() }, sent)
    };
    for (own, its, good) in [
        (0x8A51, 0x8A51, true),
        (0x8A51, 0x0A51, true),
        (0x0A51, 0x8A51, true),
        (0x0A51, 0x0A51, false),
        (0x8A51, 0x8A50, false),
        (0x8A51, 0xCA51, false),
        (0xFFFF, 0x7FFF, true),
    ] {
        let (ends, sent) = of(own, its);
        assert_eq!(judged(&mut alone, config, ends, sent), (good, (!good).then_some(2)), "{own:#x} {its:#x}");
    }
    let (ends, sent) = of(0x8A51, 0x0A51);
    alone.does(Command { ends: Some(ends), ..multipath(config, 1, KEY, PSN) });
    let answers = alone.answers_to(&sent.frame(config.protocol()));
    let pkeys: Vec<_> = answers.iter().map(|answer| super::tag::rocev2(answer).bth.pkey()).collect();
    assert_eq!(pkeys, [0x8A51]);
}

/// The first frame that is refused is held until the host takes it, and then the next first one.
fn the_host_is_told(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let right = Sent::right(true, 0xFFFF);
    let wrong = [
        Sent { destination: 5, ..right },
        Sent { source: 9, context: 3, ..right },
        Sent { context: 0x2222, ..right },
        Sent { source: 7, ..Sent::right(false, 0xFFFF) },
    ];
    for (n, first) in wrong.into_iter().enumerate() {
        assert!(held(&alone).is_none(), "nothing has been refused since");
        let cause = [1, 0, 2, 0][n];
        assert_eq!(judged(&mut alone, config, right.ends(), first), (false, Some(cause)));
        // Others come, and do not take its place.
        for other in wrong {
            judged(&mut alone, config, right.ends(), other);
        }
        let (connection, of_held, sent) = held(&alone).expect("one is held");
        let is = |sent: Sent| (sent.ipv6, sent.source, sent.destination, sent.context);
        assert_eq!((connection, of_held, is(sent)), (1, cause, is(first)), "because of its {}", CAUSES[cause]);
        alone.run.hold("refusal_ready", 1).expect("it is there");
        alone.run.run(alone.dut, 1).expect("nothing breaks");
        alone.run.hold("refusal_ready", 0).expect("it is there");
        alone.rest();
    }
}

/// Frames one behind the other: each verdict is that of its frame, however long records wait.
fn verdicts_keep_their_frames(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let right = Sent::right(false, 0xFFFF);
    alone.does(Command { ends: Some(right.ends()), ..multipath(config, 1, KEY, PSN) });
    let mut psn = 0;
    for pause in [0.0, 0.9, 0.5, 0.0, 0.8, 0.2, 0.95, 0.0] {
        alone.run.pause("m_record", pause).expect("it is there");
        // No more than the gate has room for.
        let frames: Vec<_> = (0..60)
            .map(|n| {
                let foreign = [1, 2, 5, 7].contains(&(n % 9)) || n % 50 > 40;
                let source = right.source ^ u128::from(foreign);
                let frame = Sent { source, ..right }.frame(config.protocol());
                let frame = match config.protocol() {
                    AckProtocol::Roce => frame.with_bth(|bth| bth.set_psn((PSN + psn) as u32)),
                    AckProtocol::Uet => frame.with(|frame| {
                        frame.payload[4..8].copy_from_slice(&((PSN + psn) as u32).to_be_bytes());
                    }),
                };
                psn += u64::from(!foreign);
                testbench::streams::Frame { bytes: frame.bytes(), user: 0 }
            })
            .collect();
        alone.run.send(&frames).expect("they have bytes");
        alone.rest();
        let state = alone.does(Command::read(1));
        assert_eq!((state.expected, state.held), (PSN + psn, 0), "one in {pause} of records waits");
    }
    let foreign = 8 * 60 - psn;
    assert_eq!((counts(&alone), alone.count("below_window") + alone.count("duplicates")), ([foreign, 0, 0], 0));
}

const BOTH: [AckProtocol; 2] = [AckProtocol::Roce, AckProtocol::Uet];

#[test]
fn each_bit_of_an_address_counts() {
    for (protocol, latency) in pick(BOTH.into_iter().flat_map(|protocol| [(protocol, 2), (protocol, 1)]), 2) {
        let config = config(protocol, 512, latency);
        each_bit_counts(&mut *model(&config), &config, 1);
    }
    let config = holding_frames(config(AckProtocol::Uet, 512, 3));
    each_bit_counts(&mut *model(&config), &config, 9);
}

#[test]
fn limited_and_full_members_understand_each_other() {
    let config = config(AckProtocol::Roce, 512, 2);
    members_of_a_partition(&mut *model(&config), &config);
}

#[test]
fn the_first_refused_frame_is_held_for_the_host() {
    for protocol in BOTH {
        let config = config(protocol, 512, 2);
        the_host_is_told(&mut *model(&config), &config);
    }
}

#[test]
fn a_verdict_is_that_of_its_frame() {
    for (latency, width) in pick([(2, 1024), (1, 512), (3, 512), (1, 1024), (3, 1024)], 3) {
        for protocol in BOTH {
            let config = config(protocol, width, latency);
            verdicts_keep_their_frames(&mut *model(&config), &config);
        }
    }
    let config = holding_frames(config(AckProtocol::Roce, 1024, 2));
    verdicts_keep_their_frames(&mut *model(&config), &config);
}

#[test]
fn the_verilog_does_the_same() {
    for protocol in BOTH {
        let config = config(protocol, 512, 2);
        let mut dut = rtl(&config, 100_000);
        each_bit_counts(&mut dut, &config, 31);
        the_host_is_told(&mut dut, &config);
        verdicts_keep_their_frames(&mut dut, &config);
    }
}
