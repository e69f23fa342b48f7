// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of a command on a QP and on a sub-path (row T17).

use super::ports::{Command, op};
use super::records::{QpMode, QpState, SubPath, state};
use super::settings_registers::InForce;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, constant, name_nets, select};

/// The rows that a command reads and writes: those of a QP and of a sub-path.
#[derive(Bundle)]
pub struct CommandRows<L: Reading> {
    pub qp_state: QpState<L>,
    pub mode: QpMode<L>,
    pub sub_path: SubPath<L>,
}

/// Conditions on which a command depends.
#[derive(Bundle)]
pub struct CommandConditions<L: Reading> {
    /// 1 if the QP exists.
    pub index_valid: Bits<L>,
    /// 1 if the number of the sub-path is below `paths`.
    pub in_range: Bits<L>,
    /// 1 if no packet is in flight on the sub-path.
    pub idle: Bits<L>,
}

/// The rows after the command, and 1 if the command was done.
#[name_nets]
pub fn apply_command<L: Logic>(
    command: &Command<L>,
    rows: CommandRows<L>,
    conditions: CommandConditions<L>,
    settings: &InForce<L>,
    entropy_table: bool,
) -> (CommandRows<L>, Bits<L>) {
    let CommandRows { qp_state, mode, sub_path } = rows;
    let flag = |x: u64| Bits::lit(1, x);
    let is = |code: Constant| command.op.equals(code);
    let open = conditions.index_valid & qp_state.open;
    let path_addressed = open & conditions.in_range;
    let [absent, unprobed, probed, active] =
        [constant!(state::ABSENT), constant!(state::PROBING), constant!(state::PROBED), constant!(state::ACTIVE)]
            .map(|code| sub_path.is(code));
    let probing = unprobed | probed;
    let failed_unreported = sub_path.is(constant!(state::FAILED_UNREPORTED));
    let failed = sub_path.is(constant!(state::FAILED)) | failed_unreported;
    let (weighted, granularity_valid) = (command.weight.any(), !command.granularity.all());

    let opens = is(constant!(op::OPEN)) & conditions.index_valid & !qp_state.open & granularity_valid;
    let closes = is(constant!(op::CLOSE)) & open & !qp_state.sub_path_count.any();
    let sets_granularity = is(constant!(op::SET_GRANULARITY)) & open & granularity_valid;
    let adds = is(constant!(op::ADD)) & path_addressed & absent & weighted;
    let forced = command.force & weighted;
    let starts = is(constant!(op::START)) & path_addressed & (probed | unprobed & forced);
    let limits = is(constant!(op::LIMIT)) & path_addressed & !absent & weighted;
    let drains = is(constant!(op::DRAIN)) & path_addressed & (probing | active);
    let fails = is(constant!(op::FAIL)) & path_addressed & !absent & !failed;
    let removes = is(constant!(op::REMOVE)) & path_addressed & !absent & !active & !failed_unreported & conditions.idle;
    let reads = is(constant!(op::READ)) & conditions.index_valid & conditions.in_range;
    let sets_flowlet = is(constant!(op::SET_FLOWLET)) & open;
    let sets_entropy = match entropy_table {
        true => is(constant!(op::SET_ENTROPY)) & path_addressed & !absent,
        false => flag(0),
    };
    let done = opens | closes | sets_granularity | adds | starts | limits | drains | fails | removes | reads;
    let done = done | sets_flowlet | sets_entropy;

    let flowlet = select(command.flowlet.any(), command.flowlet, settings.flowlet);
    let mode = QpMode {
        open: mode.open & !closes | opens,
        granularity: select(opens | sets_granularity, command.granularity, mode.granularity),
        flowlet: select(opens | sets_flowlet, flowlet, mode.flowlet),
    };
    let (count, active_count) = (qp_state.sub_path_count, qp_state.active_count);
    let stops = (drains | fails) & active;
    let qp_state = QpState {
        open: qp_state.open & !closes | opens,
        sub_path_count: select(adds, count + 1, select(removes, count - 1, count)),
        active_count: select(starts, active_count + 1, select(stops, active_count - 1, active_count)),
    };

    let to = |set: Bits<L>, value: u64| Bits::lit(sub_path.state.width(), value).gate(set);
    let addresses_path = !(is(constant!(op::OPEN))
        | is(constant!(op::CLOSE))
        | is(constant!(op::SET_GRANULARITY))
        | is(constant!(op::SET_FLOWLET))
        | command.op.greater(constant!(op::SET_ENTROPY)));
    let addressed = path_addressed & addresses_path;
    // The first command that addresses a failed sub-path reports the failure (T14).
    let reports_failure = failed_unreported & addressed;
    let moves = adds | starts | drains | fails | removes | reports_failure;
    let next = to(reports_failure, state::FAILED)
        | to(adds, state::PROBING)
        | to(starts, state::ACTIVE)
        | to(drains, state::DRAINING)
        | to(fails, state::FAILED);
    // The weight of *start* is cut by the limit, the weight of the row by a new limit. One comparison that does not wait
    // for what may be done: *start* is the only operation with the limit of the row.
    let uncut = select(is(constant!(op::START)), sub_path.limit, sub_path.weight);
    let below = command.weight.less(uncut).named("below");
    let (forces, bounds) = (starts & forced, adds | limits);
    let limit = select(bounds, command.weight, sub_path.limit);
    let weight = select((forces | bounds) & below, command.weight, select(forces, sub_path.limit, sub_path.weight));
    let begins = adds | starts;
    let kept = |x: Bits<L>| x.gate(!begins);
    let sub_path = SubPath {
        state: select(moves, next, sub_path.state),
        limit,
        weight,
        congested: kept(sub_path.congested),
        avoided: kept(sub_path.avoided),
        saturated: sub_path.saturated & !addressed,
        on_hold: kept(sub_path.on_hold),
        deadline: sub_path.deadline,
        step_count: kept(sub_path.step_count),
        good_count: kept(sub_path.good_count),
        timeout_count: kept(sub_path.timeout_count),
        completed: sub_path.completed,
    };
    (CommandRows { qp_state, mode, sub_path }, done)
}
