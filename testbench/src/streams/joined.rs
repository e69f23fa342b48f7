// SPDX-License-Identifier: MIT OR Apache-2.0
//! All streams of a device together, as one drive.

use super::{Channel, Sink, Source};
use crate::device::drive::Drive;
use crate::device::random::Random;
use crate::device::{Dut, Error, Port, Ports};

/// Sources, sinks, random values on every input outside the streams, and resets.
pub struct Streams {
    ports: Ports,
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    others: Vec<Port>,
    random: Random,
    reset: f64,
    cycle: u64,
}

impl Streams {
    /// Makes a drive without streams.
    pub fn new(ports: &Ports, random: Random) -> Self {
        Streams {
            others: ports.inputs.clone(),
            ports: ports.clone(),
            sources: Vec::new(),
            sinks: Vec::new(),
            random,
            reset: 0.0,
            cycle: 0,
        }
    }

    /// Adds the input stream `name`, configured by `with`.
    pub fn source(mut self, name: &str, with: impl FnOnce(Source) -> Source) -> Result<Self, Error> {
        let channel = Channel::input(&self.ports, name)?;
        self.belongs(&channel);
        self.sources.push(with(Source::new(channel)));
        Ok(self)
    }

    /// Adds the output stream `name`, configured by `with`.
    pub fn sink(mut self, name: &str, with: impl FnOnce(Sink) -> Sink) -> Result<Self, Error> {
        let channel = Channel::output(&self.ports, name)?;
        self.belongs(&channel);
        self.sinks.push(with(Sink::new(channel)));
        Ok(self)
    }

    /// Sets the probability of a reset in a cycle. A reset loses the items in flight, so it is meant for lock-step.
    pub fn reset(mut self, p: f64) -> Self {
        self.reset = p;
        self
    }

    fn belongs(&mut self, channel: &Channel) {
        self.others.retain(|port| channel.ports().all(|p| p.name != port.name));
    }

    /// Finds the source `name`.
    pub fn source_mut(&mut self, name: &str) -> Result<&mut Source, Error> {
        let found = self.sources.iter_mut().find(|s| s.channel().name() == name);
        found.ok_or_else(|| Error::NoStream(name.to_owned()))
    }

    /// Finds the sink `name`.
    pub fn sink_mut(&mut self, name: &str) -> Result<&mut Sink, Error> {
        let found = self.sinks.iter_mut().find(|s| s.channel().name() == name);
        found.ok_or_else(|| Error::NoStream(name.to_owned()))
    }

    /// Number of cycles driven.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Runs the device until `done`. It is an error if no stream has moved for `patience` cycles.
    pub fn run(&mut self, dut: &mut dyn Dut, patience: u64, mut done: impl FnMut(&Self) -> bool) -> Result<(), Error> {
        let mut outputs = vec![0; self.ports.output_limbs()];
        let mut input = vec![0; self.ports.input_limbs()];
        let (mut moved, mut last) = (self.moved(), self.cycle);
        while !done(self) {
            dut.outputs(&mut outputs);
            if let Some(error) = dut.failure() {
                return Err(error);
            }
            let reset = self.drive(&outputs, &mut input);
            dut.clock(reset, &input);
            self.finish()?;
            if self.moved() != moved {
                (moved, last) = (self.moved(), self.cycle);
            } else if self.cycle - last > patience {
                let what = format!("cycle {}: nothing has moved for {patience} cycles", self.cycle);
                return Err(Error::Protocol(what));
            }
        }
        Ok(())
    }

    /// All sources and sinks.
    pub fn parts(&self) -> (&[Source], &[Sink]) {
        (&self.sources, &self.sinks)
    }

    fn moved(&self) -> u64 {
        self.sources.iter().map(Source::taken).chain(self.sinks.iter().map(Sink::taken)).sum()
    }
}

impl Drive for Streams {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        for source in &mut self.sources {
            source.drive(outputs, input, &mut self.random);
        }
        for sink in &mut self.sinks {
            sink.drive(self.cycle, outputs, input, &mut self.random);
        }
        for port in &self.others {
            self.random.value(port, input);
        }
        self.cycle += 1;
        let reset = self.random.chance(self.reset);
        if reset {
            self.sources.iter_mut().for_each(Source::reset);
            self.sinks.iter_mut().for_each(Sink::reset);
        }
        reset
    }

    fn finish(&mut self) -> Result<(), Error> {
        let broken = self.sinks.iter().find_map(Sink::violation);
        broken.map_or(Ok(()), |what| Err(Error::Protocol(what.into())))
    }
}
