// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effect of commands on a QP (T17).

use super::stream::Stream;
use super::sub_path::SubPath;
use super::{Command, Entropy, Granularity, Op, Response, Shape, State};

/// A QP since reset: its stream while it is open, and its sub-paths.
#[derive(Debug)]
pub struct Qp {
    pub stream: Option<Stream>,
    pub paths: Vec<SubPath>,
}

/// When and where a command takes effect.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    pub shape: Shape,
    pub cycle: u64,
    /// `settings_flowlet` for it.
    pub flowlet: u64,
    /// `settings_initial` for it.
    pub initial: u64,
}

impl Effect {
    /// The flowlet time that a command gives.
    const fn pause(self, command: Command) -> u64 {
        if command.flowlet == 0 { self.flowlet } else { command.flowlet }
    }
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

    /// Carries out a command, if it can be done; returns the state after it.
    pub fn operate(&mut self, effect: Effect, command: Command) -> Response {
        let done = self.perform(effect, command).is_some();
        let mut response = Response { done, ..Response::default() };
        let Some(stream) = &self.stream else {
            return response;
        };
        (response.open, response.mode) = (true, Some(stream.granularity));
        // T17 and T25: a command that is not done has addressed it too.
        if let Some(path) = command.addressed().and_then(|path| self.path(path)) {
            (path.unseen, path.reported) = (false, false);
        }
        if let Some(path) = self.path(command.path).filter(|path| path.state != State::Absent) {
            response.state = path.state;
            response.weight = path.told_weight();
            response.limit = path.limit;
            (response.congested, response.avoided) = (path.congested, path.avoided);
            response.full = path.load.full(effect.shape, effect.cycle);
            response.window = path.follow.packets();
            response.in_flight = path.load.in_flight(effect.shape, effect.cycle);
        }
        response
    }

    /// `None` if the command cannot be done.
    fn perform(&mut self, effect: Effect, command: Command) -> Option<()> {
        let pause = effect.pause(command);
        match Op::of(command.op)? {
            Op::Read => self.path(command.path).map(|_| ()),
            Op::Open if self.stream.is_none() => {
                self.stream = Some(Stream::new(command, Granularity::of(command.mode)?, pause));
                Some(())
            }
            Op::Open => None,
            Op::Close if self.paths.iter().all(|path| path.state == State::Absent) => self.stream.take().map(|_| ()),
            Op::Close => None,
            Op::Regrain => {
                let (stream, granularity) = (self.stream.as_mut()?, Granularity::of(command.mode)?);
                // One path, or several, for all of its life.
                if [stream.granularity, granularity].contains(&Granularity::Single) {
                    return None;
                }
                stream.granularity = granularity;
                Some(())
            }
            Op::Reflow => {
                self.stream.as_mut()?.pause = pause;
                Some(())
            }
            op => {
                let is_single = self.stream.as_ref()?.granularity == Granularity::Single;
                if op == Op::Add && is_single && command.path > 0 {
                    return None;
                }
                let unused = |path: &SubPath| path.load.in_flight(effect.shape, effect.cycle) == 0;
                let path = self.path(command.path)?;
                match op {
                    Op::Reroute => {
                        let own = effect.shape.entropy == Entropy::Table && path.state != State::Absent;
                        own.then_some(())
                    }
                    op => on_path(path, op, command, unused, effect),
                }
            }
        }
    }
}

/// The commands on the state of a sub-path of an open QP.
fn on_path(
    path: &mut SubPath,
    op: Op,
    command: Command,
    unused: impl Fn(&SubPath) -> bool,
    effect: Effect,
) -> Option<()> {
    use State::{Absent, Active, Draining, Failed, Probed, Probing};
    let weight = Some(command.weight).filter(|&weight| weight != 0);
    let forced = weight.filter(|_| command.force);
    match (op, path.state) {
        (Op::Add, Absent) => path.add(weight?),
        (Op::Start, Probed) => path.start(effect.shape, effect.initial, forced),
        (Op::Start, Probing) => path.start(effect.shape, effect.initial, Some(forced?)),
        (Op::Limit, state) if state != Absent => path.set_limit(weight?),
        (Op::Drain, Probing | Probed | Active) => path.state = Draining,
        (Op::Fail, Probing | Probed | Active | Draining) => path.state = Failed,
        (Op::Remove, Probing | Probed | Draining | Failed) if !path.unseen && unused(path) => path.state = Absent,
        (Op::Retry, Failed) if !path.unseen && unused(path) => path.retry(),
        _ => return None,
    }
    Some(())
}
