// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of `reorder` and `ack_generator` that change while packets come take effect: the tolerance for gaps by PSNs and by
//! time (R13), packets per ACK (G7), the time after which one is acknowledged (G19).

use super::alone::{Alone, give_ack_settings, multipath, request};
use super::tag::rocev2;
use super::{QUIET, config, does, model};
use golden_vectors::headers::Mpeh;
use pipeline::receive::ack_generator::{AckGeneratorSettings, AckProtocol};
use pipeline::receive::reorder::ReorderSettings;
use pipeline::receive::rx::RxConfig;
use testbench::Dut;
use testbench::benches::rx_bench::RxBench;
use testbench::streams::Frame;
use tier::pick;

const KEY: u64 = 0x1212;
/// Flag L of the MPEH.
const LOSS: u8 = 2;
/// Stands for never.
const NEVER: u64 = (1 << 20) - 1;

/// Answers with L to packets behind a gap at `psn`, with `span` from the first missing one; the gap is filled afterwards.
fn suspected(alone: &mut Alone, psn: &mut u64, span: u64) -> usize {
    let lossy = |records: &[_]| {
        records.iter().filter(|it| rocev2(it).mpeh.is_some_and(|mpeh| mpeh.flags() & LOSS != 0)).count()
    };
    let mut count = 0;
    for number in 1..=span {
        count += lossy(&alone.answers_to(&request(KEY, *psn + number, 8).with_mpeh(Mpeh::new())));
    }
    count += lossy(&alone.rest());
    let answers = alone.answers_to(&request(KEY, *psn, 8).with_mpeh(Mpeh::new()));
    assert_eq!((answers.len(), lossy(&answers)), (1, 0), "the gap is gone");
    *psn += span + 1;
    assert_eq!(u64::from(rocev2(&answers[0]).bth.psn()), *psn - 1);
    count
}

/// R13: a gap is reported if its span is above the setting in force.
pub fn the_span_takes_effect(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, 50));
    let (mut psn, mut reports) = (50, 0);
    for limit in [63, 4, 10, 4, 63, 0, 20] {
        alone.reorder_settings(ReorderSettings { span: limit, time: NEVER });
        for span in [1_u64, 4, 5, 10, 11, 20, 21] {
            // The report has L, and no ACK.
            let above = usize::from(span > limit);
            assert_eq!(suspected(&mut alone, &mut psn, span), above, "limit {limit}, span {span}");
            reports += usize::from(above > 0);
        }
    }
    assert!(reports > 10, "{reports}");
}

/// R13: a gap is reported if it is older than the setting in force, and at about that time. A gap that is waiting is measured
/// with the new setting.
pub fn the_time_takes_effect(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, 50));
    let mut psn = 50;
    for limit in [20, 100, 35] {
        alone.reorder_settings(ReorderSettings { span: 63, time: limit });
        let since = alone.run.cycle();
        let first = alone.answers_to(&request(KEY, psn + 1, 8).with_mpeh(Mpeh::new()));
        assert_eq!((first.len(), rocev2(&first[0]).mpeh.map(|mpeh| mpeh.flags())), (1, Some(1)), "R alone");
        alone.run.run(alone.dut, 64 * (limit + 4)).expect("nothing breaks");
        let late = alone.rest();
        assert_eq!((late.len(), rocev2(&late[0]).mpeh.map(|mpeh| mpeh.flags())), (1, Some(LOSS | 1)), "L and R");
        let (cycle, _) = *alone.run.answers().expect("they are lawful").last().expect("one");
        let age = cycle - since;
        assert!((64 * limit..64 * (limit + 2) + 300).contains(&age), "limit {limit}: after {age} cycles");
        alone.answers_to(&request(KEY, psn, 8));
        psn += 2;
    }
    // Never, and then a time that has passed.
    alone.reorder_settings(ReorderSettings { span: 63, time: NEVER });
    assert_eq!(alone.answers_to(&request(KEY, psn + 1, 8)).len(), 1);
    alone.run.run(alone.dut, 10_000).expect("nothing breaks");
    assert_eq!(alone.rest().len(), 0);
    alone.reorder_settings(ReorderSettings { span: 63, time: 10 });
    assert_eq!(alone.rest().len(), 1, "the gap is old");
}

/// G7: packets per ACK, while packets follow each other; the steps from one acknowledged PSN to the next.
pub fn the_count_takes_effect(dut: &mut dyn Dut, config: &RxConfig) {
    const PART: u64 = 60;
    let mut run = RxBench::new(dut, 2, |_| 0.0).expect("the streams are there");
    assert!(does(&mut run, dut, multipath(config, 1, KEY, 0)).done);
    let counts = [1, 5, 3, 1, 6];
    // 16 beats are longer than an ACK takes.
    let frame = |psn| {
        let frame = request(KEY, psn, 960).with_mpeh(Mpeh::new().with_path_id(psn as u8));
        Frame { bytes: frame.bytes(), user: 0 }
    };
    let frames: Vec<_> = (0..PART * counts.len() as u64).map(frame).collect();
    for (frames, count_multipath) in frames.chunks(PART as usize).zip(counts) {
        let settings = AckGeneratorSettings { count_multipath, time: 0, ..config.ack.settings };
        give_ack_settings(&mut run, dut, &settings);
        run.send(frames).expect("they have bytes");
        run.until_sent(dut).expect("they are taken");
    }
    run.until_idle(dut, QUIET).expect("it ends");
    let answers = run.answers().expect("they are lawful");
    let mut acknowledged = vec![-1];
    for (_, frame) in &answers {
        let headers = rocev2(&super::alone::lawful(frame));
        let psn = i64::from(headers.bth.psn());
        assert_eq!(headers.mpeh.map(|mpeh| i64::from(mpeh.path_id())), Some(psn & 0xFF), "G6: the latest packet");
        acknowledged.push(psn);
    }
    let steps: Vec<_> = acknowledged.windows(2).map(|pair| (pair[1], pair[1] - pair[0])).collect();
    let mut checked = 0;
    for (part, count) in counts.into_iter().enumerate() {
        // Some packets of the part before are still on their way when the setting changes.
        let (from, to) = (part as i64 * PART as i64 + 8, (part as i64 + 1) * PART as i64 - 8);
        for (psn, step) in steps.iter().filter(|(psn, _)| (from..to).contains(psn)) {
            assert_eq!(*step, count as i64, "PSN {psn} with {count} packets per ACK: {steps:?}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// G19: a packet that waits for others is acknowledged after the time that is set, and never with 0.
pub fn the_time_of_an_ack_takes_effect(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, 0));
    let tick = config.ack.settings.tick;
    for (psn, time) in [0, 16, 100, 40, 0, 16].into_iter().enumerate() {
        let settings = AckGeneratorSettings { count_multipath: 4, time, ..config.ack.settings };
        alone.ack_settings(&settings);
        let since = alone.run.cycle();
        assert!(alone.answers_to(&request(KEY, psn as u64, 8)).is_empty());
        alone.run.run(alone.dut, 6000).expect("nothing breaks");
        let answers = alone.rest();
        if time == 0 {
            assert!(answers.is_empty(), "never");
            alone.ack_settings(&config.ack.settings);
            assert_eq!(alone.rest().len(), 1, "with a time it is due");
            continue;
        }
        assert_eq!((answers.len(), u64::from(rocev2(&answers[0]).bth.psn())), (1, psn as u64), "time {time}");
        let (cycle, _) = *alone.run.answers().expect("they are lawful").last().expect("one");
        let cycles = (time << 16) / tick;
        assert!((cycles..cycles + 250).contains(&(cycle - since)), "time {time}: {} cycles", cycle - since);
    }
}

#[test]
fn settings_take_effect_while_packets_come() {
    for ram_latency in pick([1, 2], 1) {
        let config = config(AckProtocol::Roce, 512, ram_latency);
        let dut = &mut *model(&config);
        the_span_takes_effect(dut, &config);
        the_time_takes_effect(dut, &config);
        the_count_takes_effect(dut, &config);
        the_time_of_an_ack_takes_effect(dut, &config);
    }
}
