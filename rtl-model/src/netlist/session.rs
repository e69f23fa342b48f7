// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modules being elaborated. Elaboration is a depth-first walk, so the modules under construction form a stack; it
//! is kept per thread.

use super::builder::Builder;
use super::circuit::{Module, Site};
use super::problem::{Problem, Title};
use std::cell::RefCell;
use std::panic::Location;

#[derive(Default)]
pub(super) struct Session {
    pub stack: Vec<Builder>,
    pub modules: Vec<Module>,
    pub problems: Vec<Problem>,
    serial: u32,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

impl Session {
    /// Runs `f` in a session of its own, and returns what is in it then.
    pub fn run(f: impl FnOnce()) -> Session {
        let outer = SESSION.take();
        f();
        SESSION.replace(outer)
    }

    /// Runs `f` on the session of this thread.
    pub fn with<R>(f: impl FnOnce(&mut Session) -> R) -> R {
        SESSION.with_borrow_mut(f)
    }

    /// Begins a module inside of the one under construction.
    pub fn begin(&mut self, name: String, site: Site) {
        self.serial += 1;
        self.stack.push(Builder::new(self.serial, name, site));
    }
}

/// Runs `f` on the module under construction.
pub(super) fn with<R>(f: impl FnOnce(&mut Builder) -> R) -> R {
    let (mut f, mut result) = (Some(f), None);
    with_builder(&mut |builder| result = f.take().map(|f| f(builder)));
    result.expect("it has been run")
}

/// Compiled once: stages have thousands of different functions for [`with`].
fn with_builder(f: &mut dyn FnMut(&mut Builder)) {
    Session::with(|session| {
        let builder = session.stack.last_mut();
        f(builder.expect("nets exist only while `elaborate` runs a stage"));
    });
}

/// Reports a wrong width at the caller's line.
#[track_caller]
pub(super) fn width_problem(text: String, help: &'static str) {
    let site = Location::caller();
    with(|b| b.problem(Title::WidthMismatch, text, help, vec![("used", site)]));
}
