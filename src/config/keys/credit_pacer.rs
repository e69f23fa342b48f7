// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[credit_pacer]`.

use super::Kind::Whole;

section! {
    /// Size of the stage `credit_pacer`.
    CreditPacer: credit_pacer {
        /// Number of sources that send to this receiver, of the stage `credit_pacer`, per pipeline.
        sources: u64 = 1024, Whole(1, 16_384);
    }
}
