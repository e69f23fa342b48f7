// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path in Icarus with X in the bytes whose `tkeep` is 0, beside the model with bytes at random.

use super::alone::{Uet, request};
use super::{QUIET, config, does, open};
use crate::common::unknown::Twins;
use pipeline::receive::ack_generator::AckProtocol;
use rtl_model::elaborate;
use testbench::benches::rx_bench::RxBench;
use testbench::streams::Frame;
use tier::pick;

const KEY: u64 = 0x1111;

/// A packet with this number and so many bytes of payload.
fn packet(protocol: AckProtocol, n: u64) -> Vec<u8> {
    match protocol {
        AckProtocol::Roce => request(KEY, 100 + n, 3 + 5 * n as usize).bytes(),
        AckProtocol::Uet => Uet::request(KEY as u16, 100 + n).frame().bytes(),
    }
}

#[test]
fn bytes_without_tkeep_do_not_matter() {
    for (protocol, width) in pick([(AckProtocol::Roce, 512), (AckProtocol::Uet, 128)], 2) {
        let circuit = elaborate(&config(protocol, width, 1)).expect("it has no defects");
        let mut twins = Twins::new(&circuit, false);
        let mut run = RxBench::new(&mut twins, 5, |_| 0.1).expect("the streams are there");
        assert!(does(&mut run, &mut twins, open(2, KEY, 100)).done);
        // Whole packets, and between them pieces of packets, cut in the headers and behind them.
        let whole = (0..8).map(|n| packet(protocol, n));
        let frames = whole.zip([13, 15, 22, 33, 35, 43, 47, 55]).flat_map(|(whole, cut)| {
            let piece = whole[..cut].to_vec();
            [whole, piece]
        });
        let frames: Vec<_> = frames.map(|bytes| Frame { bytes, user: 0 }).collect();
        run.send(&frames).expect("they have bytes");
        run.until_idle(&mut twins, QUIET).expect("it ends");
        let delivered: Vec<_> =
            run.delivered().expect("the fields are there").iter().map(|packet| packet.psn).collect();
        assert_eq!(delivered, (100..108).collect::<Vec<_>>(), "{protocol:?}, {width} bits");
        assert!(!run.answers().expect("they are lawful").is_empty());
        assert!(twins.unknown_bytes > 100, "{} bytes were unknown", twins.unknown_bytes);
    }
}
