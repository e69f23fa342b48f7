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

/// A device and how often it has been started.
type Kept = HashMap<String, (u32, Arc<OnceLock<Built>>)>;
static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// From this number of starts on, a model is worth an optimizing compiler.
const OFTEN: u32 = 8;

/// The device under this name, and the number of its starts before this one.
fn kept(name: String) -> (u32, Arc<OnceLock<Built>>) {
    let mut all = KEPT.lock().expect("no test holds it long");
    let (starts, device) = all.entry(name).or_default();
    *starts += 1;
    (*starts - 1, Arc::clone(device))
}

fn start(device: &OnceLock<Built>, compile: impl FnOnce() -> Built) -> NativeDut {
    device.get_or_init(compile).start().expect("it starts")
}

fn named<T: Debug>(kind: &str, design: &T) -> String {
    format!("{kind} {} {design:?}", type_name::<T>())
}

/// The model.
pub fn model<T: Design + Debug>(design: &T) -> Box<dyn Dut> {
    let compile = |compiler: Compiled| {
        let circuit = rtl_model::elaborate(design).unwrap_or_else(|report| panic!("{report}"));
        compiler.compile(&circuit).expect("it compiles")
    };
    let (starts, device) = kept(named("model", design));
    Box::new(match starts < OFTEN {
        true => start(&device, || compile(Compiled::new().soon())),
        false => start(&kept(named("optimized model", design)).1, || compile(Compiled::new().quick())),
    })
}

/// The Verilog, which runs for about so many clock cycles in all tests together.
pub fn rtl<T: Design + Debug>(design: &T, clocks: u64) -> NativeDut {
    start(&kept(named(&format!("Verilog {clocks}"), design)).1, || {
        let source = Source::of_design(design).expect("it prints");
        Verilator::new().clocks(clocks).compile(&source).expect("it compiles")
    })
}
