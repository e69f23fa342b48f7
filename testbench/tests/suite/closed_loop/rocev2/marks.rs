// SPDX-License-Identifier: MIT OR Apache-2.0
//! A path that is marked gets less.

use super::super::setup::{RTT, WINDOW, count, pdc, report, us};
use super::setup::{Sizes, UNIT, closed_loop, gbps, settle, shares, sub_path, two_leaves};
use testbench::network::Impairment;

/// Rows M68, M69: one of four paths has a quarter of the rate of the others. Its queue grows until it marks; the weight of its
/// sub-path falls, and no other. The others have in sum more than the link, so that they are not marked.
fn one_marks(window: u64) {
    let paths = [(400, 24), (400, 24), (400, 6), (400, 24)];
    // The queue of the slow path is longer than any gap that should be taken for a loss.
    let sizes = Sizes { span: WINDOW - 1, tolerance: 20 * RTT / UNIT, ..Sizes::paths(4, window) };
    let mut run = closed_loop(&two_leaves(2, &paths, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 1_000_000));
    let (mut before, mut periods) = (vec![0; 4], Vec::new());
    let mut least = [u64::MAX; 4];
    while !run.ledger.is_done() {
        (0..5 * RTT).for_each(|_| run.step().expect("the rules hold"));
        let now = shares(&run, &sizes, 0, 0);
        let sent: Vec<_> = now.iter().zip(&before).map(|(now, before)| now - before).collect();
        let weights = [0, 1, 2, 3].map(|path| sub_path(&mut run, 0, 0, path)["weight"]);
        println!("{:.1} us: {sent:?}, weights {weights:?}", us(run.now()));
        least = std::array::from_fn(|path| least[path].min(weights[path]));
        (before, periods) = (now, [periods, vec![sent]].concat());
    }
    report("marks", &run);
    let end = run.ledger.messages((0, 0)).iter().filter_map(|message| message.completed).max().expect("eight");
    let marked = [0, 1, 2, 3].map(|path| run.fabric.path(0, 1, path).counts().queue.marked);
    println!("{:.1} Gb/s; marked {marked:?}, {} ACKs with BECN", gbps(8_000_000, end), run.nics[1].sent.becn);
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.nics[1].sent.suspects), (0, 0));
    assert!(marked[2] > 0 && [0, 1, 3].iter().all(|path| marked[*path] == 0), "{marked:?}");
    // When its queue drains into the last link beside the others, which fill it, that marks packets of all for a while.
    assert!(least[2] <= 4 && [0, 1, 3].iter().all(|path| least[*path] >= 24), "{least:?}");
    // The shares of the rates are 1 to 4; weights rise again until there are marks.
    let late = [0, 1, 2, 3].map(|path| periods[5..].iter().map(|sent| sent[path]).sum::<u64>());
    println!("packets after 25 RTTs {late:?}");
    assert!([0, 1, 3].iter().all(|path| late[2] * 3 < late[*path]), "{late:?}");
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

#[test]
fn a_path_that_marks_gets_less() {
    one_marks(256);
}
