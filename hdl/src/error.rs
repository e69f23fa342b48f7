// SPDX-License-Identifier: MIT OR Apache-2.0
//! The problems of a circuit that is to be printed.

use rtl_model::netlist::circuit::Site;
use thiserror::Error;

/// Why a circuit has no Verilog.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PrintError {
    /// There is no module.
    #[error("EMPTY CIRCUIT: there is no module to print")]
    Empty,
    /// A port or module name that is not legal in Verilog.
    #[error("ILLEGAL NAME: module `{module}`: `{name}` is not a Verilog identifier")]
    IllegalName {
        /// The module.
        module: String,
        /// The name.
        name: String,
    },
    /// A port or module name that is a keyword of Verilog, SystemVerilog or C++.
    #[error("RESERVED WORD: module `{module}`: `{name}` is a reserved word")]
    ReservedWord {
        /// The module.
        module: String,
        /// The name.
        name: String,
    },
    /// Two ports or two modules have one name.
    #[error("NAME CLASH: module `{module}`: there are two things called `{name}`")]
    NameClash {
        /// The module.
        module: String,
        /// The name.
        name: String,
    },
    /// The netlist contradicts itself.
    #[error("BAD NETLIST: module `{module}`, {site}: {what}")]
    BadNetlist {
        /// The module.
        module: String,
        /// Where the part was made.
        site: Site,
        /// What is wrong.
        what: String,
    },
    /// rust-hdl-core printed something that could not be read back.
    #[error("RUST-HDL: module `{module}`: {what}")]
    RustHdl {
        /// The module.
        module: String,
        /// What was expected.
        what: String,
    },
}
