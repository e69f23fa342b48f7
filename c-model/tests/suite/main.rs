// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of the C that is printed in one program, which is built once.

mod package;
mod text;
