// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps of a command.

use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Where the sequence is, one bit per step; at most one is 1, none while there is no command.
#[derive(Bundle)]
#[shape]
pub struct Steps<L: Reading> {
    /// `messages` is asked for the state of the PDC.
    #[reset]
    pub looks: Bits<L>,
    /// `turns` is told to forget the messages of the PDC.
    #[reset]
    pub empties: Bits<L>,
    /// `completions` is told the same.
    #[reset]
    pub clears: Bits<L>,
    /// A command for `packet_tracker` is offered, or its response awaited.
    #[reset]
    pub tracker: Bits<L>,
    /// The same for the entropy selector.
    #[reset]
    pub selector: Bits<L>,
    /// The same for `ccc_table`.
    #[reset]
    pub cccs: Bits<L>,
    /// Grants that were under way are served.
    #[reset]
    pub grants: Bits<L>,
    /// The header builder takes the packets that were under way.
    #[reset]
    pub packets: Bits<L>,
    /// Their frames end.
    #[reset]
    pub frames: Bits<L>,
    /// Outcomes and events of the PDC leave `packet_tracker`.
    #[reset]
    pub drains: Bits<L>,
    /// The events enter `ccc_table`.
    #[reset]
    pub settles: Bits<L>,
    /// `messages` is told to accept requests.
    #[reset]
    pub admits: Bits<L>,
    /// The response is given.
    #[reset]
    pub responds: Bits<L>,
}

#[name_nets]
impl<L: Logic> Steps<L> {
    /// No step.
    pub fn none() -> Self {
        let no = Bits::lit(1, 0);
        Steps {
            looks: no,
            empties: no,
            clears: no,
            tracker: no,
            selector: no,
            cccs: no,
            grants: no,
            packets: no,
            frames: no,
            drains: no,
            settles: no,
            admits: no,
            responds: no,
        }
    }

    /// There is a step.
    pub fn any(&self) -> Bits<L> {
        let Steps { looks, empties, clears, tracker, selector, cccs, .. } = *self;
        let Steps { grants, packets, frames, drains, settles, admits, responds, .. } = *self;
        let stages = looks | empties | clears | tracker | selector | cccs;
        stages | grants | packets | frames | drains | settles | admits | responds
    }
}
