// SPDX-License-Identifier: MIT OR Apache-2.0
//! What feedback makes of a sub-path (rows T12 to T14): its own row, and no other.

use super::ports::{Settings, WEIGHT_WIDTH, feedback};
use super::records::{SubPath, state};
use rtl_model::{Bits, Logic, name_nets, select};

/// Most TIMEOUTs that are counted.
const MOST_LOST: u64 = 7;

/// The row behind a feedback of this kind.
#[name_nets]
pub fn heard<L: Logic>(row: SubPath<L>, kind: Bits<L>, settings: &Settings<L>) -> SubPath<L> {
    let SubPath { weight, limit, .. } = row;
    let (good, timeout) = (kind.equals(feedback::GOOD), kind.equals(feedback::TIMEOUT));
    // One less is taken of the setting, which is not in the loop.
    let enough = row.good.at_least(settings.raise - 1);
    let raised = (good & settings.raise.any() & enough).named("raised");
    let one = Bits::lit(WEIGHT_WIDTH, 1);
    let higher = select(weight.less(limit), weight + 1, weight);
    let less = select(weight.equals(1), one, weight - 1);
    let half = weight - (weight >> 1);
    let lower = select(timeout, one, select(kind.equals(feedback::ECN), less, half));

    let lost = select(row.lost.equals(MOST_LOST), row.lost, row.lost + 1);
    let failed = (timeout & settings.fail.any() & row.lost.at_least(settings.fail - 1)).named("failed");
    let active = row.is(state::ACTIVE);
    let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
    let answered = row.answered + 1;
    let active_row = SubPath {
        state: select(failed, Bits::lit(row.state.width(), state::VANISHED), row.state),
        weight: select(good, select(raised, higher, weight), lower),
        congested: !good | row.congested & !raised,
        good: select(good & !raised, select(row.good.all(), row.good, row.good + 1), zero(row.good)),
        lost: select(timeout, lost, zero(lost)),
        answered,
        ..row
    };
    select(active, active_row, SubPath { answered, ..row })
}
