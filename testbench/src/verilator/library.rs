// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only unsafe code of the workspace: calls into a library built from `shim.cpp`.
#![allow(unsafe_code)]

use crate::Error;
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;

type Handle = *mut c_void;

/// The functions of the shim.
struct Functions {
    delete: unsafe extern "C" fn(Handle),
    outputs: unsafe extern "C" fn(Handle, *mut u64),
    clock: unsafe extern "C" fn(Handle, u64, *const u64),
    run: unsafe extern "C" fn(Handle, u64, u64, *const u64) -> u64,
    trace_open: unsafe extern "C" fn(Handle, *const c_char) -> c_int,
    trace_close: unsafe extern "C" fn(Handle),
}

/// One simulation. Callers pass slices as long as the ports in the `ports.h` the library was built with.
pub struct Instance {
    handle: Handle,
    functions: Functions,
    /// Last, so that it outlives the pointers into it.
    _library: Library,
}

impl Instance {
    /// Loads the library and starts the design at power-up.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let failed = |cause: libloading::Error| Error::Load { path: path.into(), cause: cause.to_string() };
        // SAFETY: the library was built from `shim.cpp`, whose functions have these types, and whose constructors
        // touch nothing outside. The pointers are kept no longer than the library.
        unsafe {
            let library = Library::new(path).map_err(failed)?;
            let new: unsafe extern "C" fn() -> Handle = *library.get(b"dut_new").map_err(failed)?;
            let functions = Functions {
                delete: *library.get(b"dut_delete").map_err(failed)?,
                outputs: *library.get(b"dut_outputs").map_err(failed)?,
                clock: *library.get(b"dut_clock").map_err(failed)?,
                run: *library.get(b"dut_run").map_err(failed)?,
                trace_open: *library.get(b"dut_trace_open").map_err(failed)?,
                trace_close: *library.get(b"dut_trace_close").map_err(failed)?,
            };
            Ok(Instance { handle: new(), functions, _library: library })
        }
    }

    /// Outputs of the current cycle.
    pub fn outputs(&mut self, out: &mut [u64]) {
        // SAFETY: `out` holds all output limbs.
        unsafe { (self.functions.outputs)(self.handle, out.as_mut_ptr()) }
    }

    /// One rising edge.
    pub fn clock(&mut self, reset: bool, input: &[u64]) {
        // SAFETY: `input` holds all input limbs.
        unsafe { (self.functions.clock)(self.handle, reset as u64, input.as_ptr()) }
    }

    /// Many rising edges; the digest of the outputs in every `every`th cycle.
    pub fn run(&mut self, cycles: u64, every: u64, rows: &[u64]) -> u64 {
        // SAFETY: `rows` holds `cycles` rows of a limb and all input limbs.
        unsafe { (self.functions.run)(self.handle, cycles, every, rows.as_ptr()) }
    }

    /// Starts a VCD; false if that is not possible.
    pub fn trace_open(&mut self, path: &Path) -> bool {
        let Ok(path) = CString::new(path.as_os_str().as_encoded_bytes()) else { return false };
        // SAFETY: the path ends in a zero byte and is only read.
        unsafe { (self.functions.trace_open)(self.handle, path.as_ptr()) != 0 }
    }

    /// Ends the VCD.
    pub fn trace_close(&mut self) {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.trace_close)(self.handle) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle came from `dut_new` and is not used again.
        unsafe { (self.functions.delete)(self.handle) }
    }
}
