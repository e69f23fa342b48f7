// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of a command on a QP and on a sub-path (row T17).

use super::ports::{Command, granularity, op};
use super::records::{Completed, QpMode, QpState, SubPath, state};
use super::settings_registers::InForce;
use super::weight::WeightChange;
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

/// The operation of a command, decoded before the rows are there. No flag is 1 if an operand is not allowed.
#[derive(Bundle)]
#[shape(entropy_table: bool)]
pub struct Operation<L: Reading> {
    pub opens: Bits<L>,
    pub closes: Bits<L>,
    pub sets_granularity: Bits<L>,
    pub adds: Bits<L>,
    pub starts: Bits<L>,
    /// *Start* with a weight, beside `starts`.
    pub forces: Bits<L>,
    pub limits: Bits<L>,
    pub drains: Bits<L>,
    pub fails: Bits<L>,
    pub removes: Bits<L>,
    pub reads: Bits<L>,
    pub sets_flowlet: Bits<L>,
    pub retries: Bits<L>,
    #[width(entropy_table.then_some(1))]
    pub sets_entropy: Option<Bits<L>>,
    /// The command is one to a sub-path, whatever its operands.
    pub addresses_path: Bits<L>,
}

/// The operation of a command.
#[name_nets]
pub fn operation<L: Logic>(command: &Command<L>, entropy_table: bool) -> Operation<L> {
    let is = |code: Constant| command.op.equals(code);
    let (weighted, is_single) = (command.weight.any(), command.granularity.equals(constant!(granularity::SINGLE)));
    let starts = is(constant!(op::START));
    let to_qp = is(constant!(op::OPEN))
        | is(constant!(op::CLOSE))
        | is(constant!(op::SET_GRANULARITY))
        | is(constant!(op::SET_FLOWLET))
        | command.op.greater(constant!(op::RETRY));
    Operation {
        opens: is(constant!(op::OPEN)),
        closes: is(constant!(op::CLOSE)),
        sets_granularity: is(constant!(op::SET_GRANULARITY)) & !is_single,
        adds: is(constant!(op::ADD)) & weighted,
        starts,
        forces: starts & command.force & weighted,
        limits: is(constant!(op::LIMIT)) & weighted,
        drains: is(constant!(op::DRAIN)),
        fails: is(constant!(op::FAIL)),
        removes: is(constant!(op::REMOVE)),
        reads: is(constant!(op::READ)),
        sets_flowlet: is(constant!(op::SET_FLOWLET)),
        retries: is(constant!(op::RETRY)),
        sets_entropy: entropy_table.then(|| is(constant!(op::SET_ENTROPY))),
        addresses_path: !to_qp,
    }
}

/// The rows after the command but for the weight, the change of that, and 1 if the command was done.
#[name_nets]
pub fn apply_command<L: Logic>(
    command: &Command<L>,
    operation: Operation<L>,
    rows: CommandRows<L>,
    conditions: CommandConditions<L>,
    settings: &InForce<L>,
) -> (CommandRows<L>, WeightChange<L>, Bits<L>) {
    let CommandRows { qp_state, mode, sub_path } = rows;
    let open = conditions.index_valid & qp_state.open;
    let path_addressed = open & conditions.in_range;
    let [absent, unprobed, probed, active] =
        [constant!(state::ABSENT), constant!(state::PROBING), constant!(state::PROBED), constant!(state::ACTIVE)]
            .map(|code| sub_path.is(code));
    let probing = unprobed | probed;
    let failed_unreported = sub_path.is(constant!(state::FAILED_UNREPORTED));
    let failed = sub_path.is(constant!(state::FAILED)) | failed_unreported;

    let opens = operation.opens & conditions.index_valid & !qp_state.open;
    let closes = operation.closes & open & !qp_state.sub_path_count.any();
    // A QP has one path for all of its life, which is sub-path 0, or it has several.
    let single = mode.granularity.equals(constant!(granularity::SINGLE));
    let sets_granularity = operation.sets_granularity & open & !single;
    let adds = operation.adds & path_addressed & absent & !(single & command.path.any());
    let forces = operation.forces & path_addressed & probing;
    let starts = operation.starts & path_addressed & probed | forces;
    let limits = operation.limits & path_addressed & !absent;
    let drains = operation.drains & path_addressed & (probing | active);
    let fails = operation.fails & path_addressed & !absent & !failed;
    // Whether something is in flight is known late.
    let may_leave = path_addressed & !failed_unreported;
    let removes = operation.removes & may_leave & !absent & !active & conditions.idle;
    let retries = operation.retries & may_leave & sub_path.is(constant!(state::FAILED)) & conditions.idle;
    let reads = operation.reads & conditions.index_valid & conditions.in_range;
    let sets_flowlet = operation.sets_flowlet & open;
    let done = opens | closes | sets_granularity | adds | starts | limits | drains | fails | removes | reads;
    let done = done | sets_flowlet | retries;
    let done = match operation.sets_entropy {
        Some(sets_entropy) => done | sets_entropy & path_addressed & !absent,
        None => done,
    };

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
    let addressed = path_addressed & operation.addresses_path;
    // The first command that addresses a failed sub-path reports the failure (T14).
    let reports_failure = failed_unreported & addressed;
    let moves = adds | starts | drains | fails | removes | retries | reports_failure;
    let next = to(reports_failure, state::FAILED)
        | to(adds | retries, state::PROBING)
        | to(starts, state::ACTIVE)
        | to(drains, state::DRAINING)
        | to(fails, state::FAILED);
    let bounds = adds | limits;
    let limit = select(bounds, command.weight, sub_path.limit);
    let begins = adds | starts | retries;
    let kept = |x: Bits<L>| x.gate(!begins);
    let sub_path = SubPath {
        state: select(moves, next, sub_path.state),
        limit,
        weight: sub_path.weight,
        congested: kept(sub_path.congested),
        avoided: kept(sub_path.avoided),
        saturated: sub_path.saturated & !addressed,
        on_hold: kept(sub_path.on_hold),
        deadline: sub_path.deadline,
        step_count: kept(sub_path.step_count),
        good_count: kept(sub_path.good_count),
        loss_count: kept(sub_path.loss_count),
        fail_deadline: sub_path.fail_deadline,
        calm: sub_path.calm | starts.extend_signed(sub_path.calm.width()),
        growth: sub_path.growth.gate(!starts),
        completed: Completed {
            window: select(starts, settings.initial, sub_path.completed.window),
            ..sub_path.completed
        },
    };
    let no = Bits::lit(1, 0);
    let weight = WeightChange { raises: no, lowers: no, replaces: forces, bounds };
    (CommandRows { qp_state, mode, sub_path }, weight, done)
}
