// SPDX-License-Identifier: MIT OR Apache-2.0
//! The suites of all stages: their list, the committed files, and the files as they are generated.

mod archive;
mod embedded;
mod files;
mod json;
mod list;

pub use archive::{Archive, Effort, archive_of};
pub use files::{Made, files};
