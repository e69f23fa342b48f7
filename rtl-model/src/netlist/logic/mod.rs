// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Logic` for nets: operators become nodes, branches become statements.

mod control;
mod gates;
mod hierarchy;
mod naming;
mod state;

use super::net::Netlist;
use crate::logic::Logic;

impl Logic for Netlist {}
