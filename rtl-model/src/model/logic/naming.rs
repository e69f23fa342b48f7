// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values have no names.

use crate::logic::Naming;
use crate::model::arith::Word;
use crate::model::values::Model;
use crate::words::Words;

impl Naming for Model {
    fn name(_: Word, _: &str, _: Option<usize>) {}
    fn ignore(_: Word) {}
    fn name_wide(_: Words, _: &str, _: Option<usize>) {}
    fn ignore_wide(_: Words) {}
}
