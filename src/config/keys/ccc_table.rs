// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[ccc_table]`.

use super::Kind::{OneOf, Whole};
use pipeline::transmit::ccc_table::CccAlgorithms;

words!(
    CccAlgorithms = [
        ("nscc", CccAlgorithms::Nscc),
        ("rccc", CccAlgorithms::Rccc),
        ("both", CccAlgorithms::Both),
        ("none", CccAlgorithms::None),
    ]
);

section! {
    /// Size and algorithms of the stage `ccc_table`.
    CccTable: ccc_table {
        /// Number of congestion control contexts (CCCs) of the stage `ccc_table`, per pipeline.
        cccs: u64 = 1024, Whole(1, 16_384);
        /// Congestion control that the stage includes: "nscc", "rccc", "both" (each CCC chooses) or "none".
        algorithms: CccAlgorithms = CccAlgorithms::Nscc;
        /// Strict classes of CCCs; the lowest one that has a CCC is served.
        classes: u64 = 2, Whole(1, 4);
        /// NSCC: weight of a delay sample in the filtered delay, as a negative power of two.
        delay_shift: u64 = 6, Whole(4, 8);
        /// RCCC: bytes of a unit of credit on the wire, of senders and of receivers.
        credit_unit: u64 = 256, OneOf(&[64, 128, 256, 512, 1024, 2048, 4096]);
    }
}
