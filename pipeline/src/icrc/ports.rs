// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading};

/// Inputs.
#[derive(Bundle)]
pub struct IcrcIn<L: Reading> {
    /// Frames. `tuser`: bit 0 drop, bits 4:1 the reason, on the last beat; above them the side band.
    pub s_axis: Axis<L>,
    /// The consumer is ready.
    pub m_axis: Ready<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct IcrcOut<L: Reading> {
    /// A beat is taken.
    pub s_axis: Ready<L>,
    /// The frames. `tuser`: bit 0 drop, bits 4:1 the reason, on the last beat; above them the side band.
    pub m_axis: Axis<L>,
    /// Frames since reset.
    pub count: IcrcCounts<L>,
}

/// Frames by result, wrapping.
#[derive(Bundle)]
pub struct IcrcCounts<L: Reading> {
    /// RoCEv2 with the right ICRC, or with one put in.
    pub good: Bits<L>,
    /// RoCEv2 with a wrong ICRC.
    pub bad: Bits<L>,
    /// Not RoCEv2, or marked already.
    pub other: Bits<L>,
}
