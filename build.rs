// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options of the linker: relative relocations, of which the tables of stages have a quarter of a million, in their short form.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
