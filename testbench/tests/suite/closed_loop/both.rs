// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDCs with NSCC and RCCC at once (`ccc_table.algorithms` "both", rows C25, C26, C32 of `ccc_table`, NI10): no more is sent
//! than credit allows, and no more is in flight than the window allows. Either of them is what limits in some test.

use super::setup::{RTT, SEGMENT, Sizes, TRIMMABLE, count, link, models, nic, one_leaf, pdc, report, two_leaves};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableSettings};
use std::collections::VecDeque;
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::{FabricConfig, Impairment, LinkConfig, Rate};

/// The nominal size of a packet of a message without a rest: RUD_CC_REQ with 48 + 44 + 16 bytes beside its payload.
const NOMINAL: u64 = SEGMENT as u64 + 108;
/// Unit of credit numbers.
const UNIT: u64 = 256;
/// Clock cycles that a packet is in flight at most: the window may have been cut since it was sent.
const UNDER_WAY: u64 = 3 * RTT;
/// Packets that leave until the first answer that has come has had its effect.
const LATE: u64 = 3;
/// Room or credit that is less than for so many packets is used up, as turns have four of them.
const FEW: u64 = 5;
/// The identifier of PDC 0 at its sender.
const FIRST_ID: u16 = 0x100;

/// Which algorithms a PDC has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Has {
    nscc: bool,
    rccc: bool,
}

const BOTH: Has = Has { nscc: true, rccc: true };
const RCCC: Has = Has { nscc: false, rccc: true };
const NSCC: Has = Has { nscc: true, rccc: false };

/// A loop in which these PDCs are open.
fn opened(fabric: &FabricConfig, pdcs: &[(Pdc, Has)]) -> ClosedLoop {
    let sizes = Sizes { algorithms: CccAlgorithms::Both, ..Sizes::default() };
    let mut nic = nic(sizes);
    let mut run = ClosedLoop::new(fabric, &nic, models(sizes).take(fabric.hosts.len())).expect("the ports are there");
    for (pdc, Has { nscc, rccc }) in pdcs {
        nic.open = vec![("weight", 4), ("dscp", TRIMMABLE.into()), ("nscc", (*nscc).into()), ("rccc", (*rccc).into())];
        run.open(&nic, *pdc).expect("it opens");
    }
    run
}

/// What is held against the bounds of a sender with one PDC.
#[derive(Clone, Debug, Default)]
struct Watch {
    /// Windows that were read, with their clock cycles.
    windows: VecDeque<(u64, u64)>,
    /// What had been sent when the first answer came: then what is left of the credit of the start is void (C25).
    start: Option<u64>,
    /// Clock cycles in which what was sent was compared, and in how many credit was used up.
    cycles: u64,
    spent: u64,
    /// Readings in which what is in flight was compared, and in how many the window was full.
    readings: u64,
    full: u64,
}

impl Watch {
    /// Compares what has been sent with the credit that has come (C25, C26): the last packet needs one byte of it.
    fn credit(&mut self, run: &ClosedLoop, of: &Pdc) {
        let nic = &run.nics[of.from as usize];
        let counts = nic.sender.counts;
        let sent = (counts.new + counts.again) * NOMINAL;
        if self.start.is_none() && nic.count("gate_passed") != Some(0) {
            self.start = Some(sent + LATE * NOMINAL);
        }
        // All that the peer sends comes in order.
        let numbers = run.nics[of.to as usize].credits.get(&(FIRST_ID + of.pdc)).map_or(&[][..], |numbers| numbers);
        let come = (nic.receiver.counts.credits as usize).min(numbers.len());
        let number = come.checked_sub(1).map_or(0, |last| numbers[last]);
        let first = CccTableSettings::new().config_wnd;
        let allowed = self.start.map_or(first, |start| start.min(first)) + u64::from(number) * UNIT + NOMINAL - 1;
        assert!(sent <= allowed, "cycle {}: {of:?} has sent {sent} bytes of {allowed}", run.now());
        self.cycles += 1;
        self.spent += u64::from(sent + (FEW + LATE) * NOMINAL > allowed);
    }

    /// Compares what is in flight with the widest window since it was sent (C26), and asks for both again.
    fn window(&mut self, run: &mut ClosedLoop, of: &Pdc, has: Has) {
        let now = run.now();
        let commands = &run.nics[of.from as usize].commands.state;
        let (Some(window), Some(inflight)) = (commands.get("cwnd").copied(), commands.get("inflight").copied()) else {
            return;
        };
        run.nics[of.from as usize].ask(of.pdc.into());
        self.readings += 1;
        if !has.nscc {
            assert_eq!((window, inflight), (0, 0), "without NSCC");
            return;
        }
        // It has 29 bits, one of which is the sign.
        let inflight = if inflight >> 28 & 1 == 1 { 0 } else { inflight };
        self.windows.push_back((now, window));
        while self.windows.front().is_some_and(|(at, _)| at + UNDER_WAY < now) {
            self.windows.pop_front();
        }
        let widest = self.windows.iter().map(|(_, window)| *window).max().unwrap_or(0);
        assert!(inflight <= widest, "cycle {now}: {of:?} has {inflight} bytes in flight of {widest}");
        self.full += u64::from(inflight + FEW * NOMINAL > window);
    }
}

/// Runs until all is delivered; each sender has one PDC, with RCCC.
fn watched(run: &mut ClosedLoop, pdcs: &[(Pdc, Has)], patience: u64) -> Vec<Watch> {
    let mut watches = vec![Watch::default(); pdcs.len()];
    pdcs.iter().for_each(|(pdc, _)| run.nics[pdc.from as usize].ask(pdc.pdc.into()));
    let end = run.now() + patience;
    while !run.ledger.is_done() {
        assert!(run.now() < end, "{:?} is not complete", run.ledger.missing());
        run.step().expect("the rules hold");
        for ((pdc, has), watch) in pdcs.iter().zip(&mut watches) {
            watch.credit(run, pdc);
            watch.window(run, pdc, *has);
        }
    }
    for watch in &watches {
        let Watch { cycles, spent, readings, full, .. } = watch;
        println!("credit used up in {spent} of {cycles} clock cycles, window full in {full} of {readings} readings");
        assert!(*cycles > 10 * RTT && *readings > 100);
    }
    watches
}

/// Credit comes at the rate of the link, and the window is larger than what is in flight then: neither costs anything.
#[test]
fn a_single_flow_with_both_is_as_fast_as_with_credit_alone() {
    let took = [RCCC, BOTH].map(|has| {
        let pdcs = [(pdc(0, 0, 1, 0), has)];
        let mut run = opened(&one_leaf(2, true), &pdcs);
        run.send(0, 0, 500 * SEGMENT);
        watched(&mut run, &pdcs, 50_000);
        assert_eq!(run.nics[0].sender.counts.again, 0);
        run.now()
    });
    assert!(took[1] <= took[0] + took[0] / 100, "{took:?}");
}

/// Four senders share the credit of one receiver, while their windows have room.
#[test]
fn credit_limits_senders_to_one_receiver() {
    let pdcs: Vec<_> = (0..4).map(|host| (pdc(host, host, 4, host), BOTH)).collect();
    let mut run = opened(&one_leaf(5, true), &pdcs);
    (0..4).for_each(|host| run.send(host, host, 200 * SEGMENT));
    let watches = watched(&mut run, &pdcs, 100_000);
    report("incast", &run);
    for watch in &watches {
        assert!(watch.spent * 4 > watch.cycles * 3 && watch.full * 5 < watch.readings, "{watch:?}");
    }
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.fabric.counts().queue.dropped), (0, 0));
}

/// A path has a quarter of the rate of the links, of which a receiver that grants credit knows nothing. With RCCC alone all
/// that is too much is trimmed and sent again; with NSCC beside it, the window keeps it back.
#[test]
fn the_window_limits_a_sender_whose_path_is_narrow() {
    let mut fabric = two_leaves(2, &[400], Impairment::default());
    fabric.paths[0].link = LinkConfig { rate: Rate { bytes: 16, cycles: 1 }, ..link(400, false) };
    let [alone, both] = [RCCC, BOTH].map(|has| {
        let pdcs = [(pdc(0, 0, 1, 0), has)];
        let mut run = opened(&fabric, &pdcs);
        run.send(0, 0, 500 * SEGMENT);
        let watch = watched(&mut run, &pdcs, 300_000).remove(0);
        report("narrow path", &run);
        assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
        (run.fabric.counts().queue.trimmed, run.now(), watch)
    });
    assert!(alone.0 > 500 && both.0 * 20 < alone.0, "{} packets trimmed, and with both {}", alone.0, both.0);
    assert!(both.1 <= alone.1, "{} clock cycles, and with both {}", alone.1, both.1);
    assert!(both.2.full * 4 > both.2.readings * 3 && both.2.spent * 4 < both.2.cycles, "{:?}", both.2);
}

/// PDCs of one NIC with both, with one and with the other, at the same time: credit is granted to those that have RCCC (NI10),
/// and those that have NSCC have a window.
#[test]
fn each_pdc_of_a_nic_has_the_algorithms_with_which_it_was_opened() {
    let pdcs = [(pdc(0, 0, 1, 0), BOTH), (pdc(0, 1, 1, 1), NSCC), (pdc(0, 2, 1, 2), RCCC)];
    let mut run = opened(&one_leaf(2, true), &pdcs);
    (0..3).for_each(|number| run.send(0, number, 300 * SEGMENT));
    (0..4 * RTT).for_each(|_| run.step().expect("the rules hold"));
    for (pdc, has) in &pdcs {
        let state = run.command(0, vec![("pdc", pdc.pdc.into())]).expect("there is a response");
        assert_eq!((state["open"], state["cwnd"] > 0), (1, has.nscc), "{has:?}: {state:?}");
        let granted = run.nics[1].credits.get(&(FIRST_ID + pdc.pdc)).map_or(0, |numbers| numbers.len());
        assert_eq!(granted > 5, has.rccc, "{has:?}: {granted} CREDIT packets");
    }
    run.until_done(200_000).expect("it is delivered");
    report("each its own", &run);
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
}
