// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pool of frames that fills slows the senders of UET down, and no longer when it is empty (row RX19).

use super::alone::{Alone, Uet, multipath};
use super::probes::uet;
use super::{config, model};
use golden_vectors::headers::codec::{AckState, CcState, Delivery, Record};
use pipeline::receive::ack_generator::{AckGeneratorSettings, AckProtocol};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use pipeline::receive::rx::RxConfig;

const FIRST: u64 = 0x1000;
const KEY: u64 = 0x77;
/// The flag that asks for an ACK.
const AR: u32 = 0x08;
/// Bytes behind the headers; with these a frame takes several cells.
const BYTES: usize = 900;
/// Cells for two of them.
const ROOM: u64 = 10;

/// A receive path with so many cells.
fn with_cells(cells: u64) -> RxConfig {
    let config = config(AckProtocol::Uet, 512, 2);
    let pool = PayloadConfig { quota: cells, reserve: 0, ..PayloadConfig::new(512, cells) };
    let ack = pipeline::receive::ack_generator::AckGeneratorConfig {
        settings: AckGeneratorSettings { cc: 1, ..config.ack.settings },
        ..config.ack
    };
    RxConfig { ack, reorder: ReorderConfig { hold: Hold::Payload(pool), ..config.reorder }, ..config }
}

/// What RX19 says, in numbers that cannot overflow.
fn expected(cells: u64, free: u64, host: u64) -> u64 {
    let half = cells / 2;
    let own = if free < half { (128 * (half - free) / half).min(127) } else { 0 };
    own.max(host)
}

/// rcv_cwnd_pend of the ACK with state among these answers.
fn pend(answers: &[Record]) -> Option<u64> {
    let of = |record: &Record| match uet(record) {
        Delivery::Ack(_, AckState::Cc(_, CcState::Nscc(nscc))) => Some(u64::from(nscc.rcv_cwnd_pend())),
        _ => None,
    };
    answers.iter().find_map(of)
}

#[test]
fn a_pool_that_fills_slows_senders_down() {
    for (cells, host) in [(64, 0), (64, 30), (256, 0), (256, 100)] {
        let config = with_cells(cells);
        let mut dut = model(&config);
        let mut alone = Alone::new(&mut *dut, &config);
        alone.run.hold("pressure", host).expect("it is a port");
        alone.does(multipath(&config, 0, KEY, FIRST));
        let packet = |number: u64| {
            let frame = Uet { flags: AR, ..Uet::request(KEY as u16, FIRST + number) }.frame();
            frame.with(|frame| frame.payload.extend([0x3C; BYTES]))
        };
        // Number 0 is missing, so all that comes waits in the pool.
        let (mut said, mut free) = (Vec::new(), cells);
        for number in 1..64 {
            // Number 0 must still have room.
            if free < ROOM {
                break;
            }
            let answers = alone.answers_to(&packet(number));
            free = alone.count("free_cells");
            let pend = pend(&answers).unwrap_or_else(|| panic!("number {number}: no ACK with state, {answers:?}"));
            assert_eq!(pend, expected(cells, free, host), "{free} of {cells} cells are free, the host says {host}");
            said.push(pend);
        }
        let different = said.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert!(different > 2 && *said.last().expect("some") > 90, "{said:?}");
        // The gap is closed: all of it leaves.
        alone.answers_to(&packet(0));
        assert_eq!(alone.count("free_cells"), cells);
        let next = said.len() as u64 + 1;
        // One more in order, and one behind a gap, which has an ACK with state in any case.
        alone.answers_to(&packet(next));
        let answers = alone.answers_to(&packet(next + 2));
        let now = alone.count("free_cells");
        assert_eq!(pend(&answers), Some(expected(cells, now, host)));
        assert_eq!(expected(cells, now, 0), 0, "there is room again");
    }
}
