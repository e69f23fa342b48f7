// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of feedback on a sub-path (rows T12 to T14). It changes only the row of this sub-path.

use super::ports::{Settings, WEIGHT_WIDTH};
use super::records::{SubPath, state};
use crate::feedback;
use rtl_model::{Bits, Logic, constant, name_nets, select};

/// Largest value of the timeout count.
const MOST_LOST: u64 = 7;

/// The row of a sub-path after feedback of this kind.
#[name_nets]
pub fn apply_feedback<L: Logic>(row: SubPath<L>, kind: Bits<L>, settings: &Settings<L>) -> SubPath<L> {
    let SubPath { weight, limit, .. } = row;
    let (good, timeout) = (kind.equals(constant!(feedback::GOOD)), kind.equals(constant!(feedback::TIMEOUT)));
    // The setting minus 1 is compared instead of the count plus 1: the subtraction is not in the loop.
    let enough = row.good_count.at_least(settings.raise - 1);
    let raised = (good & settings.raise.any() & enough).named("raised");
    let one = Bits::lit(WEIGHT_WIDTH, 1);
    let higher = select(weight.less(limit), weight + 1, weight);
    let less = select(weight.equals(1), one, weight - 1);
    let half = weight - (weight >> 1);
    let lower = select(timeout, one, select(kind.equals(constant!(feedback::ECN)), less, half));

    let timeout_count = select(row.timeout_count.equals(MOST_LOST), row.timeout_count, row.timeout_count + 1);
    let failed = (timeout & settings.fail.any() & row.timeout_count.at_least(settings.fail - 1)).named("failed");
    let active = row.is(constant!(state::ACTIVE));
    let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
    let completed = row.completed + 1;
    let active_row = SubPath {
        state: select(failed, Bits::lit(row.state.width(), state::FAILED_UNREPORTED), row.state),
        weight: select(good, select(raised, higher, weight), lower),
        congested: !good | row.congested & !raised,
        good_count: select(
            good & !raised,
            select(row.good_count.all(), row.good_count, row.good_count + 1),
            zero(row.good_count),
        ),
        timeout_count: select(timeout, timeout_count, zero(timeout_count)),
        completed,
        ..row
    };
    select(active, active_row, SubPath { completed, ..row })
}
