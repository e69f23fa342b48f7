// SPDX-License-Identifier: MIT OR Apache-2.0
//! T6, T7, T17, T21, T24, T27 and T28 by hand-made examples: probes, entropies, flowlet times, and S.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::Kind::{Good, Timeout};
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Entropy, Event, Feedback, Granularity, Kind, Op, Packet, Request, Response, Settings, State,
    answer,
};
use proptest::collection::vec;
use proptest::prelude::*;

const FLOW: Granularity = Granularity::Flow;
const FLOWLET: Granularity = Granularity::Flowlet;
const PACKET: Granularity = Granularity::Packet;

/// M61: what *start* needs.
#[test]
fn m61_start_needs_an_answer_unless_it_is_forced() {
    let started = |answered: bool, force: bool, weight: u64| -> Response {
        let mut events = vec![op(400, Op::Add, 0, 50)];
        events.extend(answered.then_some(probe_answer(420, 0, 40)));
        events.push((440, Event::Command(Command { force, ..Command::new(Op::Start, 0, 0).weight(weight) })));
        response(&run(PACKET, &[], &events), 440)
    };
    let seen = |answered, force, weight| {
        let response = started(answered, force, weight);
        (response.done, response.state, response.weight)
    };
    assert_eq!(seen(false, false, 9), (false, State::Probing, 0));
    assert_eq!(seen(false, true, 0), (false, State::Probing, 0));
    assert_eq!(seen(false, true, 9), (true, State::Active, 9));
    assert_eq!(seen(false, true, 90), (true, State::Active, 50));
    assert_eq!([seen(true, false, 9), seen(true, false, 0), seen(true, true, 0)], [(true, State::Active, 40); 3]);
    assert_eq!(seen(true, true, 9), (true, State::Active, 9));
}

/// M43: the answer sets the first weight.
#[test]
fn m43_the_first_weight_is_that_of_the_answer() {
    for (bandwidth, rtt, limit, weight) in
        [(0, 0, 9, 1), (7, 0, 9, 7), (7, 31, 9, 3), (1, 31, 9, 1), (200, 30, 9, 9), (255, 0, 255, 255)]
    {
        let told = (420, Event::Feedback(Feedback::answer(0, 0, bandwidth).rtt(rtt)));
        let events = [op(400, Op::Add, 0, limit), told, op(430, Op::Read, 0, 0), op(450, Op::Start, 0, 0)];
        let answer = run_with(SETTINGS.delay(30), PACKET, &[], &events);
        let probed = response(&answer, 430);
        assert_eq!((probed.state, probed.weight, probed.congested), (State::Probed, weight, rtt > 30), "{bandwidth}");
        assert_eq!((response(&answer, 450).weight, response(&answer, 450).congested), (weight, false));
    }
}

/// M43: an answer takes no packet from those in flight, and is refused where there is nothing to probe.
#[test]
fn m43_an_answer_is_no_packet() {
    let told = |at, path| (at, Event::Feedback(Feedback::answer(0, path, 3)));
    let mut events = stream(400, 2);
    events.extend([told(420, 0), told(421, 1), op(430, Op::Read, 0, 0), op(450, Op::Drain, 0, 0), told(460, 0)]);
    let answer = run(FLOW, &[4], &events);
    assert_eq!((response(&answer, 430).in_flight, response(&answer, 430).weight), (2, 4));
    assert_eq!(answer.feedback_absent, 2);
}

/// M72: a packet that arrives ends losses in a row. It is none of those in flight, and says nothing of an absent sub-path.
#[test]
fn m72_an_arrival_ends_losses_in_a_row() {
    let told = |at, path, kind| (at, Event::Feedback(Feedback::new(0, path, kind)));
    for (arrives, state) in [(true, State::Active), (false, State::Failed)] {
        let mut events = stream(400, 4);
        events.extend([told(420, 0, Kind::Timeout), told(421, 0, Kind::Timeout)]);
        events.extend(arrives.then_some(told(422, 0, Kind::Arrived)));
        events.extend([told(423, 1, Kind::Arrived), told(424, 0, Kind::Timeout), op(440, Op::Read, 0, 0)]);
        let answer = run_with(Settings { fail: 3, ..SETTINGS }, FLOW, &[4], &events);
        assert_eq!((response(&answer, 440).state, response(&answer, 440).in_flight), (state, 1));
        assert_eq!(answer.feedback_absent, 1);
    }
}

/// M69: a mark lowers the weight of an active sub-path as ECN does, but takes no packet from those in flight; others refuse it.
#[test]
fn m69_a_mark_lowers_a_weight_and_is_no_packet() {
    let told = |at, path| (at, Event::Feedback(Feedback::new(0, path, Kind::Mark)));
    let mut events = stream(400, 2);
    events.extend([told(420, 0), told(421, 1), op(430, Op::Read, 0, 0), op(450, Op::Drain, 0, 0), told(460, 0)]);
    let answer = run(FLOW, &[4], &events);
    let read = response(&answer, 430);
    assert_eq!((read.in_flight, read.weight, read.congested), (2, 3, true));
    assert_eq!(answer.feedback_absent, 2);
}

/// M62: a return takes a packet from those in flight in any state, and is refused where there is none. It says nothing
/// of the path: GOOD and TIMEOUT before and behind it are still in a row, and a long RTT is no mark.
#[test]
fn m62_a_return_is_a_packet_and_says_nothing_of_the_path() {
    let back = |at| (at, Event::Feedback(Feedback::new(0, 0, Kind::Return).rtt(99)));
    let settings = Settings::new(1, 2, 2).delay(30);
    let raised = |kinds: [Kind; 2]| {
        let mut events = stream(400, 5);
        events.extend([back(420), feedback(421, 0, kinds[0]), back(422), feedback(423, 0, kinds[1])]);
        events.extend([op(430, Op::Read, 0, 0), back(450), back(451), op(460, Op::Read, 0, 0)]);
        let answer = run_with(settings, FLOW, &[4], &events);
        let read = response(&answer, 430);
        assert_eq!((read.in_flight, response(&answer, 460).in_flight, answer.feedback_absent), (1, 0, 1));
        (read.state, read.weight, read.congested)
    };
    assert_eq!(raised([Good, Good]), (State::Active, 5, false));
    assert_eq!(raised([Timeout, Timeout]), (State::Failed, 0, true));
    assert_eq!(raised([Timeout, Good]), (State::Active, 1, true));
    for (stop, state) in [(Op::Drain, State::Draining), (Op::Fail, State::Failed)] {
        let mut events = stream(400, 2);
        events.extend([op(420, stop, 0, 0), back(430), op(440, Op::Remove, 0, 0)]);
        events.extend([back(450), op(460, Op::Remove, 0, 0)]);
        let answer = run_with(settings, FLOW, &[4], &events);
        let seen = [420, 440, 460].map(|at| (response(&answer, at).state, response(&answer, at).in_flight));
        assert_eq!(seen, [(state, 2), (state, 1), (State::Absent, 0)]);
    }
    // A window of 2: both are free again.
    let mut events = stream(400, 2);
    events.extend([data(420), back(430), back(431), data(440)]);
    let answer = run_with(settings.window(2), FLOW, &[4], &events);
    assert_eq!(column(&answer, |grant| grant.ok), [true, true, false, true]);
}

/// How a receiver takes a PSN: IBTA vol. 1, 9.7.2.2 calls the 2^23 PSNs before the expected one duplicates.
fn is_duplicate(psn: u64, expected: u64) -> bool {
    let before = (expected + (1 << 24) - psn) % (1 << 24);
    (1..=1 << 23).contains(&before)
}

proptest! {
    /// M48, M18: for every receiver whose expected PSN is the next one or up to 2^23 - 1 before it, the PSN of a probe is a
    /// duplicate, so it is never taken for data. On the old rule it was the expected PSN itself.
    #[test]
    fn m48_no_receiver_takes_a_probe_for_data(first in 0..1u64 << 24, behind in 0..1u64 << 23, sent in 0..40u64) {
        let mut events = vec![(20, Event::Command(Command::open(0, first, 0, FLOW)))];
        events.extend([op(40, Op::Add, 0, 5), op(60, Op::Start, 0, 5)]);
        events.extend(stream(100, sent));
        events.push(probe(100 + sent, 0));
        let answer = answer(SHAPE, SETTINGS, &events);
        let psn = answer.grants.last().unwrap().psn;
        for expected in [behind, 0, (1 << 23) - 1].map(|behind| (first + sent + (1 << 24) - behind) % (1 << 24)) {
            prop_assert!(is_duplicate(psn, expected), "{psn:x} {expected:x}");
        }
    }

    /// M17, M65: by packets S comes at most once per change of the active sub-paths, and not without any.
    #[test]
    fn m17_spraying_has_s_once_per_change(changes in vec((0..4u64, 0..4usize), 0..8), weights in vec(1..16u64, 4)) {
        let mut events = stream(400, 700);
        for (at, &(path, what)) in (430..).step_by(80).zip(&changes) {
            events.push(op(at, [Op::Drain, Op::Fail, Op::Limit, Op::Read][what], path, 9));
        }
        events.extend((430..1100).map(|at| feedback(at, at % 4, Good)));
        let answer = run(PACKET, &weights, &events);
        let switches = answer.grants.iter().filter(|grant| grant.flags & 2 != 0).count();
        let done = answer.responses.iter().filter(|r| r.done && [7, 8].contains(&r.op) && r.cycle > 400).count();
        prop_assert!(switches <= done, "{switches} of {done}");
    }

    /// M35: all packets of a sub-path have its entropy, which changes only by command.
    #[test]
    fn m35_a_sub_path_has_one_entropy(weights in vec(1..16u64, 8), xor in any::<bool>()) {
        let entropy = if xor { Entropy::Xor } else { Entropy::Table };
        let mut events = running(PACKET, &weights);
        events.extend(stream(400, 90));
        let answer = answer(SHAPE.entropy(entropy), SETTINGS, &events);
        prop_assert!(answer.grants.iter().all(|grant| grant.entropy == ENTROPY ^ grant.path));
    }

    /// M03, M45: no flowlet begins before the flowlet time of the QP is over, and it does one unit and two cycles later.
    #[test]
    fn m03_a_flowlet_never_begins_early(flowlet in 1..200u64, first in 500..700u64, gap in 1..20_000u64) {
        let mut events = vec![(20, Event::Command(Command::open(0, 0, 0, FLOWLET).flowlet(flowlet)))];
        for path in 0..2 {
            events.extend([op(40 + 40 * path, Op::Add, path, 5), op(60 + 40 * path, Op::Start, path, 5)]);
        }
        events.extend([data(first), data(first + gap)]);
        let began = answer(SHAPE, SETTINGS, &events).grants[1].flags & 1 == 1;
        prop_assert!(!began || gap > 64 * flowlet);
        prop_assert!(began || gap < 64 * (flowlet + 2));
    }
}

/// M80, M36: two sub-paths with the same entropy are separated while packets flow; requests see it 2 cycles early.
#[test]
fn m80_an_entropy_changes_while_running() {
    let set = (600, Event::Command(Command::new(Op::Reroute, 0, 0).entropy(0x77)));
    for (at, entropy) in [(598, ENTROPY), (599, 0x77), (640, 0x77)] {
        assert_eq!(run(FLOW, &[1], &[set, data(at)]).grants[0].entropy, entropy, "{at}");
    }
    let refused = answer(SHAPE.entropy(Entropy::Xor), SETTINGS, &[running(FLOW, &[1]), vec![set, data(640)]].concat());
    assert_eq!((response(&refused, 600).done, refused.grants[0].entropy), (false, ENTROPY));
}

/// M45, M46, M108: each QP has its own flowlet time, or that of the settings when it is given.
#[test]
fn m45_flowlet_times_of_qps() {
    let open = |at, flowlet| (at, Event::Command(Command::open(0, 0, 0, FLOWLET).flowlet(flowlet)));
    let set = |at, flowlet| (at, Event::Command(Command::new(Op::Reflow, 0, 0).flowlet(flowlet)));
    let change = |at, flowlet| (at, Event::Settings(Some(Settings::new(flowlet, 0, 0))));
    let flowlets = |commands: &[(u64, Event)]| {
        let mut events = commands.to_vec();
        for path in 0..2 {
            events.extend([op(40 + 40 * path, Op::Add, path, 5), op(60 + 40 * path, Op::Start, path, 5)]);
        }
        // Gaps of 2, 4 and 8 units.
        events.extend([448, 576, 832, 1344].map(data));
        events.sort_by_key(|&(cycle, _)| cycle);
        column(&answer(SHAPE, Settings::new(3, 0, 0), &events), |grant| grant.flowlet)
    };
    assert_eq!(flowlets(&[open(20, 1)]), [0, 1, 2, 3]);
    assert_eq!(flowlets(&[open(20, 0)]), [0, 0, 1, 2]);
    assert_eq!(flowlets(&[open(20, 7)]), [0, 0, 0, 1]);
    // The setting is that of 4 cycles after the command; a later one does nothing.
    assert_eq!(flowlets(&[open(20, 0), change(23, 1)]), [0, 1, 2, 3]);
    assert_eq!(flowlets(&[open(20, 0), change(24, 1)]), [0, 0, 1, 2]);
    assert_eq!(flowlets(&[open(20, 7), set(700, 1)]), [0, 0, 1, 2]);
    assert_eq!(flowlets(&[open(20, 1), set(700, 0)]), [0, 1, 2, 3]);
    assert_eq!(flowlets(&[open(20, 1), set(700, 100)]), [0, 1, 1, 1]);
}

/// M65: S in the first packet after the set of active sub-paths has changed, in every granularity.
#[test]
fn m65_s_after_a_change_of_the_active_sub_paths() {
    let switches = |answer: &Answer| column(answer, |grant| grant.flags >> 1 & 1);
    for granularity in Granularity::ALL {
        let start = [op(400, Op::Add, 5, 9), op(420, Op::Start, 5, 1)];
        let events = [stream(410, 3), start.to_vec(), vec![data(440), data(441)]].concat();
        assert_eq!(switches(&run(granularity, &[3, 3], &events)), [0, 0, 0, 1, 0], "{granularity:?}");
        let events = [stream(400, 3), vec![op(420, Op::Drain, 1, 0), data(440), data(441)]].concat();
        assert_eq!(switches(&run(granularity, &[3, 3], &events))[3..], [1, 0], "{granularity:?}");
        let failing = Settings::new(1, 0, 1);
        let mut events = stream(400, 3);
        events.extend([feedback(420, 0, Timeout), data(440), data(441)]);
        assert_eq!(switches(&run_with(failing, granularity, &[3, 3], &events))[3..], [1, 0], "{granularity:?}");
    }
    let sprayed = run(PACKET, &[1, 2, 3], &stream(400, 90));
    assert!(switches(&sprayed).iter().all(|&switched| switched == 0), "not a single one when spraying");
    // A probe of another QP or sub-path is no packet of the stream.
    let request = Request { qp: 0, kind: Packet::Probe, path: 1 };
    let probed = run(FLOW, &[3, 3], &[data(400), (401, Event::Request(request)), data(402)]);
    assert_eq!(column(&probed, |grant| grant.flags), [0, 4, 0]);
}
