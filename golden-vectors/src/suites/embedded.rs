// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vector files, which are part of this crate.

use super::list::{SUITES, Suite};
use crate::schema::{TimedFile, VectorError, VectorFile, Vectors};
use rayon::prelude::*;

impl VectorFile {
    /// The committed files of frames.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().filter(|suite| !suite.is_timed()).map(parsed_frames).collect()
    }

    /// The committed file of one stage; `None` if there is none with frames.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        let suite = SUITES.iter().find(|suite| !suite.is_timed() && suite.stage == stage);
        suite.map(parsed_frames).transpose()
    }
}

impl TimedFile {
    /// The committed files of events with cycles.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().filter(|suite| suite.is_timed()).map(parsed_timed).collect()
    }

    /// The committed file of one stage; `None` if there is none with cycles. Of two files it is the one called as the
    /// stage.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        Self::embedded_file(stage)
    }

    /// The committed file of this name, without `.json`; `None` if there is none with cycles.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_file(file: &str) -> Result<Option<Self>, VectorError> {
        let suite = SUITES.iter().find(|suite| suite.is_timed() && suite.file == file);
        suite.map(parsed_timed).transpose()
    }
}

impl Vectors {
    /// The committed files of both kinds.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        let parsed = |suite: &Suite| match suite.is_timed() {
            true => parsed_timed(suite).map(Self::Timed),
            false => parsed_frames(suite).map(Self::Frames),
        };
        SUITES.par_iter().map(parsed).collect()
    }
}

fn parsed_frames(suite: &Suite) -> Result<VectorFile, VectorError> {
    VectorFile::from_json(&suite.file_name(), suite.committed)
}

fn parsed_timed(suite: &Suite) -> Result<TimedFile, VectorError> {
    TimedFile::from_json(&suite.file_name(), suite.committed)
}
