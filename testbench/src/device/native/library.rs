// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only unsafe code of the workspace: calls into a library that is built from one of the shims.
#![allow(unsafe_code)]

use crate::device::Error;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;

type Handle = *mut c_void;

/// The functions of the shim.
struct Functions {
    delete: unsafe extern "C" fn(Handle),
    outputs: unsafe extern "C" fn(Handle, *mut u64),
    clock: unsafe extern "C" fn(Handle, u64, *const u64),
    run: unsafe extern "C" fn(Handle, u64, u64, *const u64) -> u64,
    probe: unsafe extern "C" fn(Handle, *mut u64),
    missing: unsafe extern "C" fn(Handle) -> *const c_char,
    /// Of Verilator alone.
    flip: Option<unsafe extern "C" fn(Handle, *const c_char, u64, u64) -> u64>,
}

/// One simulation. The slices of callers must be as long as the ports in the `ports.h` of the library.
pub struct Instance {
    handle: Handle,
    functions: Functions,
    /// Must be the last field, so that it outlives the pointers into it.
    _library: Library,
}

impl Instance {
    /// Loads the library and starts the design at power-up.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let failed = |cause: libloading::Error| Error::Load { path: path.into(), cause: cause.to_string() };
        // SAFETY: the library was built from a shim, whose functions have these types, and whose constructors
        // touch nothing outside. The pointers are kept no longer than the library.
        unsafe {
            let library = Library::new(path).map_err(failed)?;
            let new: unsafe extern "C" fn() -> Handle = *library.get(b"dut_new").map_err(failed)?;
            let functions = Functions {
                delete: *library.get(b"dut_delete").map_err(failed)?,
                outputs: *library.get(b"dut_outputs").map_err(failed)?,
                clock: *library.get(b"dut_clock").map_err(failed)?,
                run: *library.get(b"dut_run").map_err(failed)?,
                probe: *library.get(b"dut_probe").map_err(failed)?,
                missing: *library.get(b"dut_missing").map_err(failed)?,
                flip: library.get(b"dut_flip").ok().map(|flip| *flip),
            };
            Ok(Instance { handle: new(), functions, _library: library })
        }
    }

    /// Writes the outputs of the current cycle.
    pub fn outputs(&mut self, out: &mut [u64]) {
        // SAFETY: `out` holds all output limbs.
        unsafe { (self.functions.outputs)(self.handle, out.as_mut_ptr()) }
    }

    /// Makes one rising edge.
    pub fn clock(&mut self, reset: bool, input: &[u64]) {
        // SAFETY: `input` holds all input limbs.
        unsafe { (self.functions.clock)(self.handle, reset as u64, input.as_ptr()) }
    }

    /// Makes many rising edges; returns the digest of the outputs in every `every`th cycle.
    pub fn run(&mut self, cycles: u64, every: u64, rows: &[u64]) -> u64 {
        // SAFETY: `rows` holds `cycles` rows of a limb and all input limbs.
        unsafe { (self.functions.run)(self.handle, cycles, every, rows.as_ptr()) }
    }

    /// Writes the values of the registers.
    pub fn probe(&mut self, out: &mut [u64]) {
        // SAFETY: `out` holds the limbs of all probes.
        unsafe { (self.functions.probe)(self.handle, out.as_mut_ptr()) }
    }

    /// Flips a stored bit of a memory; false if the simulation does not have it.
    pub fn flip(&mut self, net: &str, row: u64, bit: u32) -> bool {
        let (Some(flip), Ok(net)) = (self.functions.flip, CString::new(net)) else { return false };
        // SAFETY: the handle is alive, the name ends with a zero, and the simulation checks row and bit.
        unsafe { flip(self.handle, net.as_ptr(), row, bit.into()) != 0 }
    }

    /// The first register of `ports.h` that the simulation does not have, if any.
    pub fn missing(&mut self) -> Option<String> {
        // SAFETY: the handle is alive, and the name is null or a literal of the library.
        unsafe {
            let name = (self.functions.missing)(self.handle);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle came from `dut_new` and is not used again.
        unsafe { (self.functions.delete)(self.handle) }
    }
}
