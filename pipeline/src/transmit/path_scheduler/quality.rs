// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of feedback on a sub-path (rows T12 to T14, T20, T23, T24, T27, T28 and T30). It changes only the row of this
//! sub-path.

use super::comparisons::Comparisons;
use super::news::Causes;
use super::ports::{ARRIVED, Feedback, MARK, RETURN};
use super::records::{Completed, DEADLINE_WIDTH, SubPath, state};
use super::settings_registers::InForce;
use super::weight::WeightChange;
use super::window::followed;
use crate::transmit::feedback;
use rtl_model::{Bits, Bundle, Logic, Reading, constant, name_nets, select};

/// What a feedback says, as it is found out when it arrives, so that it is not in the loop of the row.
#[derive(Bundle)]
#[shape]
pub struct Quality<L: Reading> {
    /// PROBE_ANSWER, MARK or ARRIVED: no packet less is in flight.
    pub no_packet: Bits<L>,
    /// MARK.
    pub is_mark: Bits<L>,
    /// ARRIVED: only losses in a row end, and the fields below mean nothing.
    pub is_arrival: Bits<L>,
    /// RETURN: a packet less is in flight, and the fields below mean nothing.
    pub is_return: Bits<L>,
    /// ECN, NACK, TIMEOUT, MARK, or slow.
    pub mark: Bits<L>,
    pub nack: Bits<L>,
    /// A NACK, or a MARK that is a notification: weight and window are halved.
    pub halves: Bits<L>,
    pub timeout: Bits<L>,
    /// GOOD, slow or not; ECN or MARK, and not only slow.
    pub is_good: Bits<L>,
    pub is_marked: Bits<L>,
}

/// What a feedback says (rows T12, T24, T27, T28 and T30), and the weight that it offers: that of a sub-path that has just
/// been probed, or 1.
#[name_nets]
pub fn quality<L: Logic>(feedback: Feedback<L>, delay: Bits<L>) -> (Quality<L>, Bits<L>) {
    let Feedback { kind, rtt, bandwidth, .. } = feedback;
    let slow = (delay.any() & rtt.greater(delay)).named("slow");
    let rates_packet = !kind.bit(2);
    let [is_mark, is_return, is_arrival] =
        [constant!(MARK), constant!(RETURN), constant!(ARRIVED)].map(|code| kind.equals(code));
    let first = select(slow, bandwidth >> 1, bandwidth);
    let least = Bits::lit(1, 1).extend(first.width());
    let nack = kind.equals(constant!(feedback::NACK));
    let offered = select(rates_packet, least, first | (!first.any()).extend(first.width()));
    let quality = Quality {
        no_packet: !rates_packet & !is_return,
        is_mark,
        is_arrival,
        is_return,
        mark: slow & !is_arrival | is_mark | rates_packet & kind.differs(constant!(feedback::GOOD)),
        nack,
        halves: nack | is_mark & bandwidth.any(),
        timeout: kind.equals(constant!(feedback::TIMEOUT)),
        is_good: kind.equals(constant!(feedback::GOOD)),
        is_marked: is_mark | kind.equals(constant!(feedback::ECN)),
    };
    (quality, offered)
}

/// What else the effect of feedback depends on.
#[derive(Bundle)]
pub struct FeedbackConditions<L: Reading> {
    /// `filled` of the sub-path.
    pub filled: Bits<L>,
    /// The QP has one path only, which does not fail by itself.
    pub single: Bits<L>,
    /// The time of this clock cycle, as deadlines have it.
    pub time: Bits<L>,
    pub comparisons: Comparisons<L>,
}

/// The row of a sub-path after feedback but for its weight, the change of that, and what software should know.
#[name_nets]
pub fn apply_feedback<L: Logic>(
    row: SubPath<L>,
    quality: Quality<L>,
    conditions: FeedbackConditions<L>,
    settings: &InForce<L>,
) -> (SubPath<L>, WeightChange<L>, Causes<L>) {
    let Quality { no_packet, is_arrival, is_return, mark, nack, timeout, .. } = quality;
    let FeedbackConditions { filled, single, time, comparisons } = conditions;
    let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
    let more = |count: Bits<L>| select(count.all(), count, count + 1);
    let completed = complete(row.completed, no_packet, filled, comparisons.window.has_room);
    let saturates = (!no_packet & row.completed.released.differs(filled)).named("saturates");
    // In every state: *start* clears it before it is looked at (row T25).
    let saturated = row.saturated | saturates;

    let on_hold = (row.on_hold & comparisons.waits).named("on_hold");
    let step = (mark & !on_hold).named("step");
    let good = !mark & !no_packet;
    let raised = (good & settings.raise.reached_by(row.good_count)).named("raised");
    let recovers = (raised | !mark & no_packet & !is_arrival).named("recovers");
    let avoids =
        (step & settings.migrate.reached_by(row.step_count) | timeout & settings.migrate.is_set).named("avoids");
    let first = !row.loss_count.any();
    let silent = (nack & settings.fail_time.any() & !first & !comparisons.spares).named("silent");
    let failed = ((timeout | silent) & settings.fail.reached_by(row.loss_count) & !single).named("failed");

    // `time` + the setting + 1 as one sum.
    let [deadline, fail_deadline] =
        [settings.rtt, settings.fail_time].map(|after| time - !after.extend(DEADLINE_WIDTH));

    let active = row.is(constant!(state::ACTIVE));
    // A RETURN leaves an active row as it leaves the others (row T28).
    let rated = (active & !is_return).named("rated");
    let avoided = !recovers & (row.avoided | avoids);
    let [window, calm, growth] = followed(row, comparisons.window, quality, step);
    let active_row = SubPath {
        state: select(failed, constant!(state::FAILED_UNREPORTED).lit(row.state.width()), row.state),
        congested: mark | row.congested & !recovers,
        avoided,
        saturated,
        on_hold: select(step, settings.rtt.any(), on_hold),
        deadline: select(step, deadline, row.deadline),
        step_count: select(recovers, zero(row.step_count), select(step, more(row.step_count), row.step_count)),
        good_count: select(good & !raised, more(row.good_count), row.good_count.gate(is_arrival)),
        loss_count: more(row.loss_count).gate(timeout | nack),
        fail_deadline: select(first, fail_deadline, row.fail_deadline),
        calm: select(settings.adapts, calm, row.calm),
        growth: select(settings.adapts, growth, row.growth),
        completed: Completed { window: select(settings.adapts, window, row.completed.window), ..completed },
        ..row
    };
    let probed_row = SubPath { state: constant!(state::PROBED).lit(row.state.width()), congested: mark, ..row };
    let other_row = select(no_packet & !is_arrival, probed_row, SubPath { completed, saturated, ..row });
    let weight = WeightChange {
        raises: rated & raised,
        lowers: rated & step & !timeout,
        replaces: select(rated, timeout, no_packet & !is_arrival),
        bounds: Bits::lit(1, 0),
    };
    let causes = Causes {
        failed: rated & failed,
        all_failed: rated & failed,
        congested: rated & avoided & !row.avoided,
        saturated: active & saturates & !row.saturated,
    };
    (select(rated, active_row, other_row), weight, causes)
}

/// One packet less in flight (rows T12 and T20).
#[name_nets]
fn complete<L: Logic>(row: Completed<L>, no_packet: Bits<L>, filled: Bits<L>, has_room: Bits<L>) -> Completed<L> {
    Completed {
        count: row.count + (!no_packet).extend(row.count.width()),
        released: select(!no_packet & has_room, filled, row.released),
        window: row.window,
    }
}
