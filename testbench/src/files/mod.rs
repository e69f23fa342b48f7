// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output files that are written as a whole or not at all, and temporary files that nothing leaves behind.

mod temporary;
mod whole_file;

pub use temporary::{Listed, listed, remove_all, undisturbed};
pub use whole_file::WholeFile;
