// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of commands on a QP (T17).

use super::stream::Stream;
use super::sub_path::SubPath;
use super::{Command, Granularity, Op, Response, Shape, State};

/// A QP since reset: its stream while it is open, and its sub-paths.
#[derive(Debug)]
pub struct Qp {
    pub stream: Option<Stream>,
    pub paths: Vec<SubPath>,
}

impl Qp {
    /// Closed, all sub-paths absent (T18).
    pub fn new(shape: Shape) -> Self {
        Qp { stream: None, paths: (0..shape.paths).map(|_| SubPath::default()).collect() }
    }

    /// The sub-path of this number, if the number is in range.
    pub fn path(&mut self, number: u64) -> Option<&mut SubPath> {
        self.paths.get_mut(usize::try_from(number).ok()?)
    }

    /// Carries out a command that takes effect in this cycle, if it can be done; returns the state after it.
    pub fn operate(&mut self, shape: Shape, effect: u64, command: Command) -> Response {
        let done = self.perform(shape, effect, command).is_some();
        let names_path = !matches!(Op::of(command.op), None | Some(Op::Open | Op::Close | Op::Regrain));
        if let Some(path) = self.path(command.path).filter(|_| names_path) {
            path.unseen = false;
        }
        let mut response = Response { done, ..Response::default() };
        let Some(stream) = &self.stream else {
            return response;
        };
        (response.open, response.mode) = (true, Some(stream.granularity));
        if let Some(path) = self.path(command.path).filter(|path| path.state != State::Absent) {
            response.state = path.state;
            response.weight = path.weight();
            response.limit = path.limit;
            response.congested = path.congested;
            response.in_flight = path.in_flight(shape, effect);
        }
        response
    }

    /// `None` if the command cannot be done.
    fn perform(&mut self, shape: Shape, effect: u64, command: Command) -> Option<()> {
        match Op::of(command.op)? {
            Op::Read => self.path(command.path).map(|_| ()),
            Op::Open if self.stream.is_none() => {
                self.stream = Some(Stream::new(command, Granularity::of(command.mode)?));
                Some(())
            }
            Op::Open => None,
            Op::Close if self.paths.iter().all(|path| path.state == State::Absent) => self.stream.take().map(|_| ()),
            Op::Close => None,
            Op::Regrain => {
                let (stream, granularity) = (self.stream.as_mut()?, Granularity::of(command.mode)?);
                stream.granularity = granularity;
                Some(())
            }
            op => {
                self.stream.as_ref()?;
                on_path(self.path(command.path)?, op, command.weight, |path| path.in_flight(shape, effect) == 0)
            }
        }
    }
}

/// The commands on a sub-path of an open QP.
fn on_path(path: &mut SubPath, op: Op, weight: u64, unused: impl Fn(&SubPath) -> bool) -> Option<()> {
    match (op, path.state) {
        (Op::Add, State::Absent) if weight != 0 => path.add(weight),
        (Op::Start, State::Probing) if weight != 0 => path.start(weight),
        (Op::Limit, state) if state != State::Absent && weight != 0 => path.set_limit(weight),
        (Op::Drain, State::Probing | State::Active) => path.state = State::Draining,
        (Op::Fail, State::Probing | State::Active | State::Draining) => path.state = State::Failed,
        (Op::Remove, State::Probing | State::Draining | State::Failed) if !path.unseen && unused(path) => {
            path.state = State::Absent;
        }
        _ => return None,
    }
    Some(())
}
