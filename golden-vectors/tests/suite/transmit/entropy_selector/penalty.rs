// SPDX-License-Identifier: MIT OR Apache-2.0
//! K1 to K5: penalties in place of marks.

use super::help::{SETTINGS, SHAPE, evs, feedback, request, requests, run_on};
use golden_vectors::transmit::entropy_selector::oracle::Kind::{self, Ecn, Good, Nack, Timeout};
use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Ev, Event, Mode, Op, Settings, Shape,
};

/// CCC 0 is open from cycle 30 on, from EV `start`, with the space of a code.
fn counting(start: u64, code: u64, parts: &[&[(u64, Event)]]) -> Answer {
    run_on(SHAPE, Command::open(0, start, Mode::Penalty).space(code), SETTINGS, &parts.concat())
}

/// So many requests, each of which sees what the one before took off.
fn slow(cycle: u64, count: u64) -> Vec<(u64, Event)> {
    (0..count).map(|n| request(cycle + 16 * n)).collect()
}

fn told(cycle: u64, ev: u64, kinds: &[Kind]) -> Vec<(u64, Event)> {
    (cycle..).zip(kinds).map(|(at, &kind)| feedback(at, ev, kind)).collect()
}

fn read(cycle: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::new(Op::Read, 0, 0)))
}

/// How often EV 1 of two is passed over by the last 20 of the requests: the penalty that the first of them finds.
fn passed(answer: &Answer) -> usize {
    let evs = evs(answer);
    evs[evs.len() - 20..].iter().take_while(|&&ev| ev == 0).count()
}

#[test]
fn k1_penalties_add_up_to_15() {
    let sums: [(&[Kind], usize); 13] = [
        (&[], 0),
        (&[Good], 0),
        (&[Ecn], 1),
        (&[Nack], 4),
        (&[Timeout], 15),
        (&[Ecn, Ecn], 2),
        (&[Ecn, Good, Nack], 5),
        (&[Nack, Nack, Nack, Ecn, Ecn], 14),
        (&[Nack, Nack, Nack, Ecn, Ecn, Ecn], 15),
        (&[Nack, Nack, Nack, Nack], 15),
        (&[Timeout, Ecn], 15),
        (&[Nack, Timeout], 15),
        (&[Timeout, Timeout, Good], 15),
    ];
    for (kinds, penalty) in sums {
        // Cycle 50 is given EV 0, so that all others look at EV 1 first.
        let answer = counting(0, 1, &[&told(31, 1, kinds), &[request(50)], &slow(60, 20)]);
        assert_eq!(passed(&answer), penalty, "{kinds:?}");
    }
}

#[test]
fn k1_an_opened_ccc_has_no_penalties() {
    let [close, open] = [Command::new(Op::Close, 0, 0), Command::open(0, 5, Mode::Penalty)].map(Event::Command);
    let answer = counting(5, 0, &[&told(31, 5, &[Timeout]), &[request(45), (50, close), (71, open), request(91)]]);
    assert_eq!(evs(&answer), [6, 5]);
}

#[test]
fn k2_no_rtt_ends_a_mark() {
    for epochs in [1, 2, 3, 64, 1024] {
        let rtt = (0, Event::Settings(Settings::new(64, 256).into()));
        let answer = counting(5, 0, &[&[rtt], &told(40, 5, &[Ecn]), &[request(64 * epochs)]]);
        assert_eq!(evs(&answer), [6], "{epochs}");
    }
}

#[test]
fn k2_more_than_limit_or_all_are_too_many() {
    for (count, limit, saturated) in [(8, 128, false), (9, 128, true), (16, 511, true), (15, 240, false), (1, 0, true)]
    {
        let limit = (0, Event::Settings(Settings::new(100, limit).into()));
        let marks: Vec<_> = (0..count).map(|ev| feedback(31 + ev, ev, Ecn)).collect();
        let grant = counting(0, 0, &[&[limit], &marks, &[request(60)]]).grants[0];
        assert_eq!((grant.saturated, grant.index), (saturated, if saturated { 0 } else { count }), "{count}");
    }
}

#[test]
fn k3_what_is_looked_at_first_loses_one() {
    // EV 1 and 2 of four have a penalty of 1: the one that is passed over behind EV 1 keeps it.
    let answer = counting(0, 2, &[&told(31, 1, &[Ecn]), &told(32, 2, &[Ecn]), &slow(60, 8)]);
    assert_eq!(evs(&answer), [0, 3, 0, 1, 3, 0, 1, 2]);
}

#[test]
fn k3_a_saturated_request_takes_off_too() {
    let answer = counting(0, 1, &[&told(31, 0, &[Ecn]), &told(32, 1, &[Ecn]), &slow(60, 4)]);
    let taken: Vec<_> = answer.grants.iter().map(|grant| (grant.index, grant.saturated)).collect();
    // EV 0 comes back first, as it is granted; then EV 1 is passed over.
    assert_eq!(taken, [(0, true), (0, false), (1, false), (0, false)]);
}

#[test]
fn k3_nothing_is_taken_off_below_0() {
    // Four requests take off one each, as none sees the other; there is only one.
    let answer = counting(0, 1, &[&told(31, 1, &[Ecn]), &requests(60, 5), &told(80, 1, &[Nack]), &slow(90, 20)]);
    assert_eq!((&evs(&answer)[..5], passed(&answer)), (&[0; 5][..], 4));
}

#[test]
fn k3_a_penalty_is_taken_off_that_the_request_did_not_see() {
    // The request of cycle 60 is saturated by EV 1, is given EV 0 and takes off from it in cycle 68.
    for (at, left) in [(67, 3), (68, 4), (69, 4)] {
        let limits = [(0, 0), (64, 256)].map(|(at, limit)| (at, Event::Settings(Settings::new(100, limit).into())));
        let told = [feedback(31, 1, Ecn), feedback(at, 0, Nack)];
        let taken = evs(&counting(0, 1, &[&limits, &told, &slow(60, 1), &slow(84, 8)]));
        // Saturated by both, then EV 0 is passed over as often as it has penalties.
        let passed = taken[2..].iter().take_while(|&&ev| ev == 1).count();
        assert_eq!((&taken[..2], passed), (&[0, 1][..], left), "{at}");
    }
}

#[test]
fn k4_what_a_request_sees() {
    for (distance, ev) in [(7, 1), (8, 0)] {
        assert_eq!(evs(&counting(1, 1, &[&told(40, 1, &[Ecn]), &[request(40 + distance)]])), [ev]);
    }
    // From a request to the first one that sees what it took off.
    for (latency, first) in [(1, 14), (2, 16), (3, 18)] {
        let open = Command::open(0, 1, Mode::Penalty).space(1);
        for (distance, ev) in [(1, 0), (first - 1, 0), (first, 1)] {
            let events = [feedback(40, 1, Ecn), request(50), request(50 + distance)];
            let answer = run_on(SHAPE.ram_latency(latency), open, SETTINGS, &events);
            assert_eq!(evs(&answer), [0, ev], "{latency} {distance}");
        }
    }
}

#[test]
fn k4_any_feedback_but_good_is_in_the_way() {
    // CCC 1 is open; EV 1 of CCC 0 has one penalty, which is to be taken off in cycle 68.
    let other = |open: Command| [(31, Event::Command(open)), feedback(40, 1, Ecn), request(60), read(75)];
    let (rod, counts) = (Command::open(1, 0, Mode::Bitmap).rod(), Command::open(1, 0, Mode::Penalty));
    // Which feedback, and how many marks are its own.
    for (ccc, ev, own) in [(0, 9, 1), (0, 16, 0), (1, 1, 0), (1, 20, 0), (2, 1, 0), (3, 1, 0)] {
        for open in [rod, counts] {
            for (at, kind, left) in
                [(67, Nack, 0), (68, Good, 0), (68, Ecn, 1), (68, Nack, 1), (68, Timeout, 1), (69, Ecn, 0)]
            {
                let answer = counting(1, 0, &[&other(open), &[(at, Event::Feedback(ccc, Ev::Own(ev), kind))]]);
                let own = if kind == Good { 0 } else { own };
                assert_eq!(answer.responses[2].marked, left + own, "{ccc} {ev} {kind:?} {at}");
            }
        }
    }
}

#[test]
fn k4_added_and_taken_off_in_cycles_beside_each_other() {
    // Taken off in cycle 68.
    for (before, added, left) in [
        (Timeout, Ecn, [14, 15, 15]),
        (Timeout, Nack, [14, 15, 15]),
        (Nack, Ecn, [4, 5, 4]),
        (Ecn, Ecn, [1, 2, 1]),
        (Ecn, Timeout, [14, 15, 15]),
    ] {
        for (at, left) in (67..).zip(left) {
            let answer =
                counting(1, 1, &[&told(40, 1, &[before]), &[request(60), feedback(at, 1, added)], &slow(90, 20)]);
            assert_eq!(passed(&answer), left, "{before:?} {added:?} {at}");
        }
    }
}

#[test]
fn k5_a_read_knows_what_came_shortly_behind_it() {
    for (latency, last) in [(1, 9), (2, 8), (3, 7)] {
        let run = |events: &[(u64, Event)]| {
            let all = [events, &[read(70), feedback(40, 1, Ecn), feedback(41, 3, Nack)]].concat();
            let open = Command::open(0, 1, Mode::Penalty);
            run_on(SHAPE.ram_latency(latency), open, SETTINGS, &all).responses[1].marked
        };
        let told = |behind: u64| run(&[feedback(70 + behind, 7, Ecn)]);
        assert_eq!((run(&[]), told(last), told(last + 1)), (2, 3, 2), "{latency}");
        // Taken off as many cycles behind the request as its grant comes.
        let taken = |behind: u64| run(&[request(70 + behind - (6 + latency))]);
        assert_eq!([taken(last), taken(last + 1)], [1, 2], "{latency}");
    }
}

#[test]
fn k5_a_smaller_space_has_no_penalties() {
    let resize = |code| (40, Event::Command(Command::resize(0, code)));
    for (from, to, marked, first) in [(0, 2, 1, 0), (2, 2, 3, 0), (2, 0, 3, 0), (3, 1, 0, 0)] {
        let told = [feedback(35, 1, Timeout), feedback(59, 2, Ecn), feedback(60, 3, Ecn)];
        let answer = counting(0, from, &[&told, &[resize(to), read(61), request(75)]]);
        assert_eq!((answer.responses[2].marked, answer.grants[0].index), (marked, first), "{from} {to}");
    }
    // A request takes off in cycle 59, 60, 61 or 62; in cycle 60 the space becomes smaller, in cycle 61 EV 1 is marked.
    for (asked, marked) in [(51, 1), (52, 1), (53, 1), (54, 0)] {
        let told = [feedback(35, 1, Nack), feedback(61, 1, Ecn)];
        let answer = counting(1, 0, &[&told, &[resize(2), request(asked), read(61)]]);
        assert_eq!((evs(&answer), answer.responses[2].marked), (vec![2], marked), "{asked}");
    }
}

#[test]
fn s14_s15_of_the_mode() {
    let answer = counting(5, 0, &[&[request(40), request(41), read(50)]]);
    assert_eq!((answer.responses[1].last, answer.responses[1].mode), (6, 6));
    let open = Command::open(0, 5, Mode::Penalty).rod();
    let answer = run_on(SHAPE, open, SETTINGS, &[feedback(40, 5, Timeout), request(60), read(61)]);
    assert_eq!((evs(&answer), answer.responses[1].marked), (vec![5], 0));
}

/// What stands on the inputs in each cycle from cycle 80 on.
type Inputs = Vec<(Option<(u64, u64, Kind)>, Option<u64>)>;

/// The contract once more, cycle by cycle: EV, and whether it is saturated, of every request for CCC 0 and 1.
fn simulated(shape: Shape, sizes: [u64; 2], limit: u64, inputs: &Inputs) -> Vec<(u64, bool)> {
    let far = 6 + shape.ram_latency as usize;
    let mut penalties = [[0u64; 16]; 2];
    let mut behind = [0; 2];
    // Penalties behind each cycle, and what is to be taken off in it.
    let mut past = vec![penalties; far];
    let mut due = vec![None; far];
    let mut grants = Vec::new();
    for (cycle, &(told, asked)) in inputs.iter().enumerate() {
        let mut next = None;
        if let Some(ccc) = asked.filter(|&ccc| ccc < 2).map(|ccc| ccc as usize) {
            let (size, seen) = (sizes[ccc], past[cycle][ccc]);
            let count = seen.iter().filter(|&&penalty| penalty > 0).count() as u64;
            let saturated = count * 256 > limit * size || count == size;
            let first = behind[ccc] % size;
            let free = (first..first + size).map(|ev| ev % size).find(|&ev| saturated || seen[ev as usize] == 0);
            let ev = free.unwrap();
            next = (saturated || ev != first).then_some((ccc, first as usize));
            behind[ccc] = ev + 1;
            grants.push((ev, saturated));
        }
        due.push(next);
        match told {
            Some((ccc, ev, kind)) if kind != Good => {
                if ccc < 2 && ev < sizes[ccc as usize] {
                    let penalty = &mut penalties[ccc as usize][ev as usize];
                    *penalty = 15.min(*penalty + [0, 1, 4, 15, 0][kind.code() as usize]);
                }
            }
            _ => {
                if let Some((ccc, ev)) = due[cycle] {
                    penalties[ccc][ev] -= u64::from(penalties[ccc][ev] > 0);
                }
            }
        }
        past.push(penalties);
    }
    grants
}

mod properties {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: tier::cases(128), ..ProptestConfig::default() })]

        #[test]
        fn k1_to_k4_cycle_by_cycle(
            latency in 1..4u64,
            codes in (1..5u64, 1..5u64),
            limit in 0..300u64,
            hot in 1..20u64,
            good in 0..9usize,
            busy in (1..9u8, 1..9u8),
            dice in vec(((0..8u8, 0..4u64, 0..20u64, 0..12usize), (0..8u8, 0..3u64)), 600),
        ) {
            let shape = SHAPE.ram_latency(latency);
            let kind = |dice: usize| if dice < good { Good } else { Kind::ALL[dice % 5] };
            let inputs: Inputs = dice
                .iter()
                .map(|&((told, ccc, ev, dice), (asked, of))| {
                    ((told < busy.0).then(|| (ccc, ev % hot, kind(dice))), (asked < busy.1).then_some(of))
                })
                .collect();
            let mut events = vec![(0, Event::Settings(Settings::new(64, limit).into()))];
            events.push((40, Event::Command(Command::open(1, 0, Mode::Penalty).space(codes.1))));
            for (cycle, &(told, asked)) in (80..).zip(&inputs) {
                events.extend(told.map(|(ccc, ev, kind)| (cycle, Event::Feedback(ccc, Ev::Own(ev), kind))));
                events.extend(asked.map(|ccc| (cycle, Event::Request(ccc, ALL_FREE))));
            }
            let open = Command::open(0, 0, Mode::Penalty).space(codes.0);
            let answer = run_on(shape, open, SETTINGS, &events);
            let granted: Vec<_> = answer.grants.iter().filter(|g| g.ccc < 2).map(|g| (g.index, g.saturated)).collect();
            prop_assert_eq!(granted, simulated(shape, [1 << codes.0, 1 << codes.1], limit, &inputs));
        }
    }
}
