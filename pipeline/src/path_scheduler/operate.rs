// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an operation makes of a QP and of a sub-path (row T17).

use super::ports::{Control, op};
use super::records::{Context, Presence, SubPath, state};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Where an operation finds a QP and a sub-path, and how it leaves them.
#[derive(Bundle)]
pub struct Place<L: Reading> {
    pub presence: Presence<L>,
    pub context: Context<L>,
    pub sub_path: SubPath<L>,
}

/// What there is to say of a place.
#[derive(Bundle)]
pub struct Facts<L: Reading> {
    /// There is such a QP.
    pub inside: Bits<L>,
    /// It has such a sub-path.
    pub in_range: Bits<L>,
    /// Nothing is in flight.
    pub idle: Bits<L>,
    /// The turn that the sender's row has not.
    pub turn: Bits<L>,
}

/// The place behind the operation, and whether it could be done.
#[name_nets]
pub fn operate<L: Logic>(control: &Control<L>, place: Place<L>, facts: Facts<L>) -> (Place<L>, Bits<L>) {
    let Place { presence, context, sub_path } = place;
    let (flag, zero) = (|x: u64| Bits::lit(1, x), |x: Bits<L>| Bits::lit(x.width(), 0));
    let is = |code: u64| control.op.equals(code);
    let open = facts.inside & presence.open;
    let here = open & facts.in_range;
    let [absent, probing, active] = [state::ABSENT, state::PROBING, state::ACTIVE].map(|x| sub_path.is(x));
    let vanished = sub_path.is(state::VANISHED);
    let failed = sub_path.is(state::FAILED) | vanished;
    let (weighted, moded) = (control.weight.any(), !control.mode.all());

    let opens = is(op::OPEN) & facts.inside & !presence.open & moded;
    let closes = is(op::CLOSE) & open & !presence.sub_paths.any();
    let regrains = is(op::REGRAIN) & open & moded;
    let adds = is(op::ADD) & here & absent & weighted;
    let starts = is(op::START) & here & probing & weighted;
    let limits = is(op::LIMIT) & here & !absent & weighted;
    let drains = is(op::DRAIN) & here & (probing | active);
    let fails = is(op::FAIL) & here & !absent & !failed;
    let removes = is(op::REMOVE) & here & !absent & !active & !vanished & facts.idle;
    let reads = is(op::READ) & facts.inside & facts.in_range;
    let done = opens | closes | regrains | adds | starts | limits | drains | fails | removes | reads;

    let opened =
        Context { open: flag(1), turn: facts.turn, mode: control.mode, psn: control.psn, entropy: control.entropy };
    let kept = Context { open: context.open & !closes, mode: select(regrains, control.mode, context.mode), ..context };
    let count = presence.sub_paths;
    let presence = Presence {
        open: presence.open & !closes | opens,
        sub_paths: select(adds, count + 1, select(removes, count - 1, count)),
    };

    let to = |set: Bits<L>, value: u64| Bits::lit(sub_path.state.width(), value).gate(set);
    // Whoever names it sees that it has failed.
    let names = !(is(op::OPEN) | is(op::CLOSE) | is(op::REGRAIN) | control.op.greater(op::REMOVE));
    let sees = vanished & here & names;
    let moves = adds | starts | drains | fails | removes | sees;
    let next = to(sees, state::FAILED)
        | to(adds, state::PROBING)
        | to(starts, state::ACTIVE)
        | to(drains, state::DRAINING)
        | to(fails, state::FAILED);
    let limit = select(adds | limits, control.weight, sub_path.limit);
    // A weight to start with, or that the new limit cuts.
    let weight = select(starts, control.weight, sub_path.weight);
    let sub_path = SubPath {
        state: select(moves, next, sub_path.state),
        limit,
        weight: select(weight.less(limit), weight, limit),
        congested: sub_path.congested & !starts & !adds,
        good: select(starts, zero(sub_path.good), sub_path.good),
        lost: select(starts, zero(sub_path.lost), sub_path.lost),
        answered: sub_path.answered,
    };
    (Place { presence, context: select(opens, opened, kept), sub_path }, done)
}
