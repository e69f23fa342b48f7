// SPDX-License-Identifier: MIT OR Apache-2.0
//! The credit of sources, and in which queues they are (rows PC4 and PC7). With memories of latency `l`:
//!
//! ```text
//!  2          source to `rows`
//!  l + 3      the row; is the source due or idle? credit and queues after the pass
//!  l + 4 (x)  credit, quanta of a grant, new in a queue
//! ```
//!
//! Numbers wrap, so that "less" is the sign of a difference. The differences with the credit are made side by side, with
//! numbers that were summed up in the step before; no difference waits for another one.

use super::config::CreditPacerConfig;
use super::pass::Pass;
use super::ports::{CREDIT_WIDTH, QUANTA_WIDTH};
use super::targets::Aim;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// A row. The queues of a closed source stay.
#[derive(Bundle)]
#[shape]
pub struct Credit<L: Reading> {
    #[width(CREDIT_WIDTH)]
    pub credit: Bits<L>,
    /// The source waits in the demand queue, and in the ahead queue.
    pub queued: Bits<L>,
    pub ahead: Bits<L>,
}

/// What a pass does, in step `l` + 4.
#[derive(Bundle)]
#[shape]
pub struct Deed<L: Reading> {
    /// The credit grows, or the number is said again as it is.
    #[reset]
    pub grants: Bits<L>,
    #[reset]
    pub repeats: Bits<L>,
    /// A take without a grant.
    #[reset]
    pub void_turn: Bits<L>,
    /// By how much it grows; it means nothing without `grants`.
    #[width(QUANTA_WIDTH)]
    pub quanta: Bits<L>,
    /// The source enters the demand queue, or the ahead queue.
    #[reset]
    pub joins: Bits<L>,
    #[reset]
    pub joins_ahead: Bits<L>,
}

/// The state of a source as to its credit. At most one is 1.
struct Standing<L: Logic> {
    due: Bits<L>,
    idle: Bits<L>,
}

/// The credit of all sources.
#[name_nets]
pub struct Credits<L: Logic> {
    config: CreditPacerConfig,
    rows: RmwTable<L, Credit<L>>,
    /// Step `l` + 4.
    deed: Reg<Deed<L>>,
}

#[name_nets]
impl<L: Logic> Credits<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        let (flag, row) = (bits(1), Credit::shape());
        let deed = Deed::shape();
        Credits {
            config,
            rows: RmwTable::new(config.sources, config.ram_latency, &row).compared_early(),
            deed: Reg::new(&deed),
        }
    }

    /// The source of the pass in step `l` + 4 after it.
    pub fn credit(&self) -> Credit<L> {
        self.rows.modified()
    }

    /// What the pass in step `l` + 4 does.
    pub fn deed(&self) -> Deed<L> {
        self.deed.get()
    }

    /// One clock cycle: the passes in all steps, and what the one in step `l` + 3 has found.
    pub fn clock(&self, passes: &[Pass<L>], aim: Aim<L>) {
        let config = self.config;
        let step = config.credits();
        let pass = passes[step as usize];
        let row = self.rows.operand();
        self.rows.clock(passes[config.access(step) as usize].access(), Bits::lit(1, 1));
        let Credit { credit, queued, .. } = row;
        let is_negative = |difference: Bits<L>| difference.bit(CREDIT_WIDTH - 1);
        let is_beyond = |number: Bits<L>| number.differs(credit) & !is_negative(number - credit);

        let (wants, room) = (aim.target - credit, aim.farthest - credit);
        let wants_some = is_beyond(aim.target);
        let due = aim.open & wants_some;
        // A source that is not due has spent at most half of all numbers.
        let has_room = aim.farthest.differs(credit) & (aim.far_advance | !is_negative(room));
        let idle = aim.open & !wants_some & has_room;
        let again = aim.open & aim.repeat;
        let wants_more = is_beyond(aim.last_quota);
        // A room of half of all numbers is more than a quota.
        let room_for_more = is_negative(room) | is_beyond(aim.last_quota_ahead);

        let grants_demand = pass.takes & due;
        let grants_ahead = pass.takes_ahead & idle & !queued;
        let whole = select(pass.takes_ahead, room_for_more, wants_more);
        let quota = aim.quota;
        let rest = select(pass.takes_ahead, room, wants).truncate(QUANTA_WIDTH);
        let last = select(pass.takes_ahead, aim.farthest, aim.target);
        let grants = grants_demand | grants_ahead;
        let repeats = pass.takes & again & !wants_some;
        let granted = select(whole, credit + quota.extend(CREDIT_WIDTH), last);
        let after = select(aim.opens, aim.target, select(grants, granted, credit));

        // After the pass: a take may leave the source due or idle, and a source is opened without credit or demand.
        let left = Standing {
            due: select(grants_demand, whole, select(whole, wants_more, aim.beyond_half)),
            idle: select(grants_demand, !whole & aim.any_advance, whole & !wants_more),
        };
        let stays = !(grants | aim.opens);
        let due = grants & left.due | stays & due;
        let idle = grants & left.idle | aim.opens & aim.any_advance | stays & idle;
        let queued = queued & !pass.takes;
        let ahead = row.ahead & !pass.takes_ahead;
        // A take from the demand queue has said the number, so there is nothing to repeat.
        let waits = due | again & !pass.takes;
        let (joins, joins_ahead) = (waits & !queued, idle & !(waits | queued | ahead));
        let next = Credit { credit: after, queued: queued | joins, ahead: ahead | joins_ahead };
        let access = pass.access();
        when(access.valid, || self.rows.modify(next.gate(!pass.sweeps)));
        let is_source = access.valid & !pass.sweeps;
        self.deed.set(Deed {
            grants,
            repeats,
            void_turn: (pass.takes | pass.takes_ahead) & !(grants | repeats),
            quanta: select(whole, quota, rest),
            joins: joins & is_source,
            joins_ahead: joins_ahead & is_source,
        });
    }
}
