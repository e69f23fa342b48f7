// SPDX-License-Identifier: MIT OR Apache-2.0
//! The weight of a sub-path after an event (rows T13, T17 and T23). It is in the loop of the row, from one event to the
//! next of the same sub-path, in one clock cycle. So it is one selection of four, and what can be known without the
//! operand is found before:
//!
//! ```text
//!  step 0      offered   that of a probe or a command, or 1 at TIMEOUT
//!       l + 1  compares  offered with the row, the row with its limit: for both rows that may be the operand
//!              steps     the weight of the row, raised or lowered
//!              select    stepped, the limit, the offered weight, or that of the row
//! ```

use super::records::SubPath;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// The weight that an event offers to the row.
#[derive(Bundle)]
pub struct Offer<L: Reading> {
    pub weight: Bits<L>,
    /// 1 if it is compared with the weight of the row: that is cut by a new limit. Else it is cut by the limit of the row.
    pub is_limit: Bits<L>,
}

/// How an event changes the weight of a sub-path; at most one flag is 1.
#[derive(Bundle)]
pub struct WeightChange<L: Reading> {
    /// It is raised, up to the limit.
    pub raises: Bits<L>,
    /// It is lowered by an eighth, or to its half.
    pub lowers: Bits<L>,
    /// The weight offered replaces it, up to the limit.
    pub replaces: Bits<L>,
    /// The weight offered becomes the limit and cuts it.
    pub bounds: Bits<L>,
}

/// What comparisons say of a row.
#[derive(Bundle)]
pub struct WeightOrder<L: Reading> {
    /// An eighth more is at least the limit.
    pub over: Bits<L>,
    /// The weight offered is below that with which it is compared.
    pub below: Bits<L>,
}

/// Compares the weights of a row.
#[name_nets]
pub fn weight_order<L: Logic>(row: SubPath<L>, offer: Offer<L>) -> WeightOrder<L> {
    WeightOrder { over: reaches_limit(row), below: offer.weight.less(select(offer.is_limit, row.weight, row.limit)) }
}

/// 1 if an eighth more is at least the limit. The three numbers are added at once, not after the new weight is known.
#[name_nets]
fn reaches_limit<L: Logic>(row: SubPath<L>) -> Bits<L> {
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

/// The weight raised by an eighth; if `mark` is 1 lowered by an eighth, or with `halves` to its half (row T13).
#[name_nets]
fn stepped<L: Logic>(weight: Bits<L>, mark: Bits<L>, halves: Bits<L>) -> Bits<L> {
    let width = weight.width();
    let below_8 = !weight.slice(3, width - 3).any();
    // A weight of 1 is not lowered.
    let least = below_8 & (!mark | weight.slice(1, 2).any());
    let amount = select(halves, weight >> 1, weight >> 3 | least.extend(width));
    // One adder: a difference is the complement of the sum of the complement.
    let lowers = (!Bits::lit(width, 0)).gate(mark);
    ((weight ^ lowers) + amount) ^ lowers
}

/// The weight after an event.
#[name_nets]
pub fn changed_weight<L: Logic>(
    row: SubPath<L>,
    change: WeightChange<L>,
    order: WeightOrder<L>,
    offered: Bits<L>,
    mark: Bits<L>,
    halves: Bits<L>,
) -> Bits<L> {
    let WeightChange { raises, lowers, replaces, bounds } = change;
    let WeightOrder { over, below } = order;
    let steps = (lowers | raises & !over).named("steps");
    let takes_limit = (raises & over | replaces & !below).named("takes_limit");
    let takes_offered = ((replaces | bounds) & below).named("takes_offered");
    let unstepped = select(takes_limit, row.limit, select(takes_offered, offered, row.weight));
    select(steps, stepped(row.weight, mark, halves), unstepped)
}
