// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices of designs. Each is compiled once in a process: who wants one that is being compiled waits for it.

use rtl_model::Design;
use std::any::type_name;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use testbench::device::compiled::Compiled;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::{Built, Dut, NativeDut};

type Kept = HashMap<String, Arc<OnceLock<Built>>>;
static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The device of this kind of a design, at power-up.
fn start<T: Debug>(kind: &str, design: &T, compile: impl FnOnce() -> Built) -> NativeDut {
    let name = format!("{kind} {} {design:?}", type_name::<T>());
    let one = Arc::clone(KEPT.lock().expect("no test holds it long").entry(name).or_default());
    one.get_or_init(compile).start().expect("it starts")
}

/// The model.
pub fn model<T: Design + Debug>(design: &T) -> Box<dyn Dut> {
    Box::new(start("model", design, || {
        let circuit = rtl_model::elaborate(design).unwrap_or_else(|report| panic!("{report}"));
        Compiled::new().quick().compile(&circuit).expect("it compiles")
    }))
}

/// The Verilog, which runs for about so many clock cycles in all tests together.
pub fn rtl<T: Design + Debug>(design: &T, clocks: u64) -> NativeDut {
    start(&format!("Verilog {clocks}"), design, || {
        let source = Source::of_design(design).expect("it prints");
        Verilator::new().clocks(clocks).compile(&source).expect("it compiles")
    })
}
