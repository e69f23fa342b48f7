// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design that is compiled and can be started.

use super::NativeDut;
use crate::device::probe::Probe;
use crate::device::{Error, Ports};
use std::path::PathBuf;

/// The shared library of a design, with its ports and the registers that it shows. Any number of devices may be started from it.
#[derive(Clone, Debug)]
pub struct Built {
    pub(crate) library: PathBuf,
    pub(crate) ports: Ports,
    pub(crate) probes: Vec<Probe>,
}

impl Built {
    /// Starts a device at power-up.
    pub fn start(&self) -> Result<NativeDut, Error> {
        NativeDut::load(&self.library, self.ports.clone(), self.probes.clone())
    }
}
