// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two flows through one bottleneck.

use super::setup::{RTT, Sizes, closed_loop, one_leaf, pdc, report};
use testbench::closed_loop::ClosedLoop;

/// RTTs of a period.
const PERIOD: u64 = 20;
const PERIODS: u64 = 16;
/// Periods until the shares have met.
const UNEQUAL: usize = 4;
/// Clock cycles of a microsecond.
const MICROSECOND: u64 = RTT / 12;

/// Both begin at once, and one of them has most of its first window trimmed. Neither finds the queue empty: that the RTT is less than the
/// settings say they learn from their PROBEs (row TX50). NSCC adds the same to both windows and lowers them little by little, so
/// shares move slowly: each period of 20 RTTs brings them nearer up to RTT 80, and from then on they wander about a half. If the
/// shortest RTTs that they have seen differ by a unit of 128 ns, that moves shares by some hundredths.
#[test]
fn two_flows_share_a_link() {
    share(0);
}

/// The one that begins first fills the queue before the other begins.
#[test]
fn two_flows_share_a_link_that_is_full() {
    share(MICROSECOND);
}

/// The second flow begins so many clock cycles after the first.
fn share(later: u64) {
    let mut run = closed_loop(&one_leaf(3, true), Sizes::default(), &[pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)]);
    for host in 0..2 {
        (0..2 * PERIODS).for_each(|_| run.send(host, 0, 1_000_000));
        (0..later * (1 - host as u64)).for_each(|_| run.step().expect("the rules hold"));
    }
    let bytes = |run: &ClosedLoop| [0, 1].map(|host| run.ledger.bytes((host, 0)));
    let mut before = bytes(&run);
    let mut periods = Vec::new();
    for period in 0..PERIODS {
        for clock in 0..PERIOD * RTT {
            if clock == PERIOD * RTT - 200 {
                (0..2).for_each(|host| run.nics[host].ask(0));
            }
            run.step().expect("the rules hold");
        }
        let after = bytes(&run);
        let [a, b] = [after[0] - before[0], after[1] - before[1]];
        let windows = [0, 1].map(|host: usize| run.nics[host].commands.state["cwnd"]);
        let part = a as f64 / (a + b) as f64;
        println!("from RTT {}: {a} and {b} bytes, {part:.3}; windows {windows:?}", PERIOD * period);
        periods.push((a, b));
        before = after;
    }
    report("two flows", &run);
    let excess = |(a, b): (u64, u64)| (a as f64 / (a + b) as f64 - 0.5).abs();
    let excesses: Vec<_> = periods.iter().map(|period| excess(*period)).collect();
    assert!(excesses[..3].is_sorted_by(|before, after| before > after), "{excesses:?}");
    assert!(excesses[UNEQUAL..].iter().all(|excess| *excess < 0.05), "{excesses:?}");
    let sum = |periods: &[(u64, u64)]| periods.iter().fold((0, 0), |sum, (a, b)| (sum.0 + a, sum.1 + b));
    let in_sum = excess(sum(&periods[UNEQUAL..]));
    println!("in sum {in_sum:.4} from a half");
    assert!(in_sum < 0.03, "{in_sum}");
    // From RTT 20 on.
    let (a, b) = sum(&periods[1..]);
    // Of 64 bytes per clock cycle.
    let whole = 64 * (PERIODS - 1) * PERIOD * RTT;
    assert!(a + b > whole * 96 / 100, "the link is not full: {} of {whole}", a + b);
}
