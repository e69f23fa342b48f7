// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Logic` for values: operators compute, branches are taken.

mod control;
mod gates;
mod hierarchy;
mod naming;
mod state;

use super::values::Model;
use crate::logic::Logic;

impl Logic for Model {}
