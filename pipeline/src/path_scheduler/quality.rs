// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of feedback on a sub-path (rows T12 to T14, T20, T23 and T24). It changes only the row of this sub-path.

use super::event_queue::Causes;
use super::ports::Feedback;
use super::records::{Completed, DEADLINE_WIDTH, SubPath, state};
use super::settings_registers::InForce;
use crate::feedback;
use rtl_model::{Bits, Bundle, Logic, Reading, constant, name_nets, select};

/// What a feedback says, as it is found out when it arrives, so that it is not in the loop of the row.
#[derive(Bundle)]
pub struct Quality<L: Reading> {
    /// The answer to a probe, not to a packet.
    pub is_probe: Bits<L>,
    /// ECN, NACK, TIMEOUT, or slow.
    pub mark: Bits<L>,
    pub nack: Bits<L>,
    pub timeout: Bits<L>,
    /// The weight of a sub-path that has just been probed.
    pub first_weight: Bits<L>,
}

/// What a feedback says (rows T12 and T24).
#[name_nets]
pub fn quality<L: Logic>(feedback: Feedback<L>, delay: Bits<L>) -> Quality<L> {
    let Feedback { kind, rtt, bandwidth, .. } = feedback;
    let slow = (delay.any() & rtt.greater(delay)).named("slow");
    let (is_probe, packet) = (kind.bit(2), kind.truncate(2));
    let first = select(slow, bandwidth >> 1, bandwidth);
    Quality {
        is_probe,
        mark: slow | !is_probe & packet.differs(constant!(feedback::GOOD)),
        nack: !is_probe & packet.equals(constant!(feedback::NACK)),
        timeout: !is_probe & packet.equals(constant!(feedback::TIMEOUT)),
        first_weight: first | (!first.any()).extend(first.width()),
    }
}

/// What else the effect of feedback depends on.
#[derive(Bundle)]
pub struct FeedbackConditions<L: Reading> {
    /// Packets completed once the window has been left: as many as sent, less the window.
    pub release_at: Bits<L>,
    /// `filled` of the sub-path.
    pub filled: Bits<L>,
    /// The time of this clock cycle, as deadlines have it.
    pub time: Bits<L>,
    /// The deadline of the sub-path has not been reached.
    pub waits: Bits<L>,
}

/// How feedback changes the weight of a sub-path. The new weight enters the loop of the row behind all other choices.
#[derive(Bundle)]
pub struct WeightChange<L: Reading> {
    /// It is raised, up to the limit.
    pub raises: Bits<L>,
    /// It is lowered by an eighth, or to its half.
    pub lowers: Bits<L>,
    /// It is 1 or that of a probe.
    pub sets: Bits<L>,
}

/// The row of a sub-path after feedback but for its weight, the change of that, and what software should know.
#[name_nets]
pub fn apply_feedback<L: Logic>(
    row: SubPath<L>,
    quality: Quality<L>,
    conditions: FeedbackConditions<L>,
    settings: &InForce<L>,
) -> (SubPath<L>, WeightChange<L>, Causes<L>) {
    let Quality { is_probe, mark, timeout, .. } = quality;
    let FeedbackConditions { release_at, filled, time, waits } = conditions;
    let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
    let more = |count: Bits<L>| select(count.all(), count, count + 1);
    let completed = complete(row.completed, is_probe, filled, release_at);
    let saturates = (!is_probe & row.completed.released.differs(filled)).named("saturates");

    let on_hold = (row.on_hold & waits).named("on_hold");
    let step = (mark & !on_hold).named("step");
    // The setting minus 1 is compared instead of the count plus 1: the subtraction is not in the loop.
    let reached = |count: Bits<L>, setting: Bits<L>| setting.any() & count.at_least(setting - 1);
    let good = !mark & !is_probe;
    let raised = (good & reached(row.good_count, settings.raise)).named("raised");
    let recovers = (raised | !mark & is_probe).named("recovers");
    let avoids = (step & reached(row.step_count, settings.migrate)).named("avoids");
    let failed = (timeout & reached(row.timeout_count, settings.fail)).named("failed");

    // `time` + `settings_rtt` + 1 as one sum.
    let deadline = time - !settings.rtt.extend(DEADLINE_WIDTH);

    let active = row.is(constant!(state::ACTIVE));
    let avoided = !recovers & (row.avoided | avoids);
    let active_row = SubPath {
        state: select(failed, constant!(state::FAILED_UNREPORTED).lit(row.state.width()), row.state),
        congested: mark | row.congested & !recovers,
        avoided,
        saturated: row.saturated | saturates,
        on_hold: select(step, settings.rtt.any(), on_hold),
        deadline: select(step, deadline, row.deadline),
        step_count: select(recovers, zero(row.step_count), select(step, more(row.step_count), row.step_count)),
        good_count: select(good & !raised, more(row.good_count), zero(row.good_count)),
        timeout_count: select(timeout, more(row.timeout_count), zero(row.timeout_count)),
        completed,
        ..row
    };
    let probed_row = SubPath { state: constant!(state::PROBED).lit(row.state.width()), congested: mark, ..row };
    let other_row = select(is_probe, probed_row, SubPath { completed, ..row });
    let weight = WeightChange {
        raises: active & raised,
        lowers: active & step & !timeout,
        sets: select(active, timeout, is_probe),
    };
    let causes = Causes {
        failed: active & failed,
        all_failed: active & failed,
        congested: active & avoided & !row.avoided,
        saturated: active & saturates & !row.saturated,
    };
    (select(active, active_row, other_row), weight, causes)
}

/// One packet less in flight (rows T12 and T20).
#[name_nets]
fn complete<L: Logic>(row: Completed<L>, is_probe: Bits<L>, filled: Bits<L>, release_at: Bits<L>) -> Completed<L> {
    let width = row.count.width();
    let below_window = !(row.count - release_at).bit(width - 1);
    Completed {
        count: row.count + (!is_probe).extend(width),
        released: select(!is_probe & below_window, filled, row.released),
    }
}

/// 1 if an eighth more is at least the limit. The three numbers are added at once, not after the new weight is known.
#[name_nets]
pub fn reaches_limit<L: Logic>(row: SubPath<L>) -> Bits<L> {
    let SubPath { weight, limit, .. } = row;
    let width = weight.width() + 2;
    let below_8 = !weight.slice(3, weight.width() - 3).any();
    let [weight, eighth, limit] =
        [weight, weight >> 3 | below_8.extend(weight.width()), limit].map(|x| x.extend(width));
    let ones = weight ^ eighth ^ !limit;
    let twos = weight & eighth | (weight | eighth) & !limit;
    // Minus the limit is its complement plus 1.
    !(ones + (twos << 1 | Bits::lit(width, 1))).bit(width - 1)
}

/// The weight after feedback (row T13); `base` is the weight if that does not change it by a step. `over` is that of
/// [`reaches_limit`].
#[name_nets]
pub fn changed_weight<L: Logic>(
    row: SubPath<L>,
    change: WeightChange<L>,
    nack: Bits<L>,
    over: Bits<L>,
    base: Bits<L>,
) -> Bits<L> {
    let SubPath { weight, limit, .. } = row;
    let width = weight.width();
    let below_8 = !weight.slice(3, width - 3).any();
    let eighth = |least: Bits<L>| weight >> 3 | least.extend(width);
    let higher = select(over, limit, weight + eighth(below_8));
    let eighth = eighth(below_8 & weight.differs(1));
    let lower = weight - select(nack, weight >> 1, eighth);
    select(change.raises, higher, select(change.lowers, lower, base))
}
