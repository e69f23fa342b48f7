// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL simulators that are installed on this machine and compile their input.

use crate::device::cxxrtl::Cxxrtl;
use crate::device::source::Source;
use crate::device::verilator::Verilator;
use crate::device::{Dut, Error};

/// A simulator.
#[derive(Clone, Debug)]
pub enum Simulator {
    /// A Verilator; several versions may be installed.
    Verilator(Verilator),
    /// CXXRTL, which is a part of yosys.
    Cxxrtl(Cxxrtl),
}

impl Simulator {
    /// Returns its name and version.
    pub fn name(&self) -> Result<String, Error> {
        Ok(match self {
            // Some builds print only a revision.
            Simulator::Verilator(verilator) => match verilator.version()? {
                version if version.starts_with("Verilator") => version,
                revision => format!("Verilator {revision}"),
            },
            Simulator::Cxxrtl(cxxrtl) => format!("CXXRTL of {}", cxxrtl.version()?),
        })
    }

    /// Compiles the design, or loads it from the cache, and starts it at power-up.
    pub fn build(&self, source: &Source) -> Result<Box<dyn Dut>, Error> {
        Ok(match self {
            Simulator::Verilator(verilator) => Box::new(verilator.build(source)?),
            Simulator::Cxxrtl(cxxrtl) => Box::new(cxxrtl.build(source)?),
        })
    }
}

/// Returns all simulators that are found, with their names: the default Verilator, those of `more` (paths separated by
/// colons), and CXXRTL. A simulator that is named must exist.
pub fn found(more: &str) -> Result<Vec<(Simulator, String)>, Error> {
    let mut found = Vec::new();
    let verilator = Simulator::Verilator(Verilator::new().fast());
    match verilator.name() {
        Ok(name) => found.push((verilator, name)),
        Err(Error::MissingTool { .. }) => {}
        Err(error) => return Err(error),
    }
    for path in more.split(':').filter(|path| !path.is_empty()) {
        let named = Simulator::Verilator(Verilator::new().fast().executable(path));
        let name = named.name()?;
        found.push((named, name));
    }
    let cxxrtl = Cxxrtl::new();
    match cxxrtl.headers() {
        Ok(_) => {
            let cxxrtl = Simulator::Cxxrtl(cxxrtl);
            let name = cxxrtl.name()?;
            found.push((cxxrtl, name));
        }
        Err(Error::MissingTool { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulator_that_is_named_has_to_be_there() {
        let error = found("/nowhere/verilator").expect_err("there is no such verilator").to_string();
        assert!(error.contains("/nowhere/verilator") && error.lines().count() == 1, "{error}");
    }
}
