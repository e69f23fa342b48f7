// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of nets.

use crate::call;
use crate::hint::{Hint, Origin};
use crate::logic::Naming;
use crate::netlist::circuit::Op;
use crate::netlist::net::{Mark, Net, Netlist};
use crate::netlist::problem::Title;
use crate::netlist::session::with;
use crate::steps::Pipeline;
use std::panic::Location;

/// Offers a node a name.
fn offer(a: Net, origin: Origin, name: &str) {
    with(|b| {
        // A net of another module is reported where it is used.
        if a.serial == b.serial {
            let hint = Hint { name: name.to_owned(), origin, depth: call::open() };
            b.graph.offer(a.node, Some(hint));
        }
    });
}

impl Naming for Netlist {
    const NAMES: bool = true;
    #[track_caller]
    fn name(a: Net, name: &str, index: Option<usize>) {
        let site = Location::caller();
        with(|b| {
            let id = b.own(a, site);
            b.graph.name(id, || index.map_or(name.to_string(), |i| format!("{name}_{i}")));
        });
    }
    fn offer_name(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore(a: Net) {
        with(|b| {
            if let Op::Input(i) = b.graph.node(a.node).op {
                b.module.inputs[i].unused_ok = true;
            }
        });
    }
    #[track_caller]
    fn in_step(a: Net, step: Option<(Pipeline, u32)>) -> Net {
        let site = Location::caller();
        Net { step: step.map(|(pipeline, step)| Mark { pipeline, step, site }), ..a }
    }
    #[track_caller]
    fn enters(a: Net, pipeline: Pipeline, step: u32) {
        let site = Location::caller();
        // In step 0 something begins, whatever it comes from.
        let Some(is) = a.step.filter(|is| step > 0 && is.pipeline == pipeline && is.step + 1 != step) else { return };
        let text = format!("a value of step {} of `{}` enters step {step}", is.step, pipeline.name());
        let sites = vec![("in its step", is.site), ("enters", site)];
        with(|b| b.problem(Title::StepMismatch, text, "take it through PipelineRegs", sites));
    }
    #[track_caller]
    fn name_wide(a: Net, name: &str, index: Option<usize>) {
        Self::name(a, name, index);
    }
    fn offer_name_wide(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore_wide(a: Net) {
        Self::ignore(a);
    }
    #[track_caller]
    fn in_step_wide(a: Net, step: Option<(Pipeline, u32)>) -> Net {
        Self::in_step(a, step)
    }
    #[track_caller]
    fn enters_wide(a: Net, pipeline: Pipeline, step: u32) {
        Self::enters(a, pipeline, step);
    }
}
