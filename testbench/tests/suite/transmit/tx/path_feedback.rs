// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ACKs and NACKs say of their paths (row TX16): one feedback for each that `packet_tracker` finds good, in the order of
//! arrival, with the EV of its frame; none for one that is outside or void, whatever mark it has. No port shows feedback,
//! so the registers of the reference are looked at.

use super::peer::Network;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits, open_all};
use pipeline::transmit::ccc_table::CccAlgorithms;
use std::cell::RefCell;
use std::rc::Rc;
use testbench::device::model::watched_reference_of;
use testbench::{Dut, Ports, Probe};

/// Feedback: the PDC, the EV, and the code.
pub type Feedback = (u64, u64, u64);

/// A transmit path whose feedback of ACKs and NACKs is written down.
pub struct Watched {
    dut: Box<dyn Dut>,
    seen: Rc<RefCell<Vec<Feedback>>>,
    /// Feedback may wait, and then none comes in the next clock cycle.
    waits: bool,
    was_valid: bool,
}

impl Watched {
    pub fn new(dut: Box<dyn Dut>, waits: bool) -> (Self, Rc<RefCell<Vec<Feedback>>>) {
        let seen = Rc::default();
        (Watched { dut, seen: Rc::clone(&seen), waits, was_valid: false }, seen)
    }

    fn register(&self, values: &[u64], name: &str) -> u64 {
        let of_heard = |probe: &&Probe| probe.scope == ["heard"] && probe.signal.name == name;
        let found = self.dut.probes().iter().find(of_heard);
        found.unwrap_or_else(|| panic!("there is no register {name}")).signal.of(values)[0]
    }
}

impl Dut for Watched {
    fn ports(&self) -> &Ports {
        self.dut.ports()
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.dut.outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        let mut values = vec![0; testbench::device::probe::limbs(self.dut.probes())];
        self.dut.probe(&mut values);
        let [valid, pdc, ev, code] =
            ["valid", "pdc", "path", "kind"].map(|name| self.register(&values, &format!("feedback_{name}")));
        if valid == 1 && !reset && !(self.waits && self.was_valid) {
            self.seen.borrow_mut().push((pdc, ev, code));
        }
        self.was_valid = valid == 1;
        self.dut.clock(reset, input);
    }
}

/// Packets and answers are under way for so long that what the test says comes first.
const SLOW: Network = Network { delay: (3000, 3000), ..CLEAN };
const GOOD: u64 = 0;
const ECN: u64 = 1;
const NACK: u64 = 2;
const LAST_HOP: u64 = 4;

/// The record of an ACK or NACK: its type, whether it is marked, its code or offset, the EV of its frame, the PSN.
fn answer(kind: u64, marked: bool, rest: u64, ev: u64, psn: u64) -> [(&'static str, u64); 7] {
    let head = kind << 27 | u64::from(marked) << 21 | rest;
    [
        ("found", 1),
        ("connection", 0),
        ("transport", 3),
        ("udp_0", ev << 16 | 4793),
        ("transport_words", 4),
        ("header_0", head),
        ("header_1", psn & 0xFFFF_FFFF),
    ]
}

#[test]
fn paths_hear_of_answers_that_are_good() {
    let config = config(CccAlgorithms::Nscc, 64, 8, 1);
    let (mut dut, seen) = Watched::new(watched_reference_of(&config).expect("it has no defects"), false);
    let mut run = Run::new(&mut dut, checker(&config, None), (PDCS, 3), (SLOW, credits(&config)), |_| 0.0, 5);
    open_all(&mut run);
    run.request(0, 256 * 12);
    run.traffic(1500, 0.0);
    let psns: Vec<u64> = run.fetches.iter().map(|(_, fetch)| fetch.psn).collect();
    assert!(psns.len() >= 8 && seen.borrow().is_empty(), "{psns:?}");
    let (nack, ack) = (10, 7);
    // What its code and its mark say of the path (U23); each of another packet in flight.
    let good = [
        (0x01, false, NACK),
        (0x01, true, NACK),
        (0x02, false, LAST_HOP),
        (0x02, true, ECN),
        (0x05, false, GOOD),
        (0x05, true, ECN),
    ];
    for (n, (code, marked, _)) in (0..).zip(good) {
        let psn = psns[n as usize + 1];
        // Before and behind it what says nothing: an ACK of what was not sent, a NACK of what is not in flight, one with a code
        // that is for the host, an ACK of another's connection.
        run.bench.record(&answer(ack, true, 0, 0x100 + n, psns[0] + 1000));
        run.bench.record(&answer(nack, marked, code << 8, 0xC000 + n, psn));
        run.bench.record(&answer(nack, true, code << 8, 0x200 + n, psn));
        run.bench.record(&answer(nack, true, 0x17 << 8, 0x300 + n, psns[7]));
        run.bench.record(
            &answer(ack, true, 0, 0x400 + n, psns[7])
                .map(|(name, value)| (name, if name == "found" { 0 } else { value })),
        );
        run.traffic(100, 0.0);
    }
    let wanted: Vec<Feedback> = (0..).zip(good).map(|(n, (.., kind))| (0, 0xC000 + n, kind)).collect();
    assert_eq!(*seen.borrow(), wanted);
    assert_eq!(["outside_acks", "void_nacks"].map(|name| run.bench.output(&format!("packet_tracker_{name}"))), [6, 12]);
    run.until_done();
    run.traffic(7000, 0.0);
    // The network marks nothing, and loses nothing.
    let acks = seen.borrow().iter().skip(wanted.len()).map(|(pdc, _, code)| (*pdc, *code)).collect::<Vec<_>>();
    assert!(!acks.is_empty() && acks.iter().all(|ack| *ack == (0, GOOD)), "{acks:?}");
}
