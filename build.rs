// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options of the linker: relative relocations, of which the tables of stages have a quarter of a million, in their short form;
//! each of several equal functions once; and no tables for unwinding, which a panic that ends the process does not do.

use std::env::var;
use std::path::Path;

/// Leaves out what a debugger or a catch of panics would read: an eighth of the program.
const NO_UNWINDING: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.gcc_except_table*) } } INSERT AFTER .text;\n";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    if var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if var("PROFILE").is_ok_and(|profile| profile == "release") && links_by_lld() {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
        let script = Path::new(&var("OUT_DIR").expect("cargo sets it")).join("no-unwinding.ld");
        std::fs::write(&script, NO_UNWINDING).expect("cargo has made the directory");
        println!("cargo:rustc-link-arg-bins=-Wl,--no-eh-frame-hdr,-T,{}", script.display());
    }
}

/// Whether rustc takes its own linker, as it does for this target unless it is told otherwise. Others do not know the option.
fn links_by_lld() -> bool {
    let told = var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"));
    // Cargo says so if the environment or a file of configuration names one.
    let linker = var("RUSTC_LINKER").is_ok();
    var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu") && !told && !linker
}
