// SPDX-License-Identifier: MIT OR Apache-2.0
//! A traced device that is given away: whoever traces keeps a handle, by which the waveform is ended.

use super::{TraceFile, Traced};
use crate::device::{Dut, Error, Ports, Probe};
use std::cell::RefCell;
use std::rc::Rc;

/// The waveform of a device that somebody else runs.
pub struct TraceHandle(Rc<RefCell<Traced<Box<dyn Dut>>>>);

/// The device.
struct Given {
    traced: Rc<RefCell<Traced<Box<dyn Dut>>>>,
    ports: Ports,
    probes: Vec<Probe>,
}

impl TraceHandle {
    /// Traces every cycle of the device from now on, in a scope of this name, for whoever runs what is returned.
    pub fn of(dut: Box<dyn Dut>, scope: &str, file: TraceFile) -> Result<(Self, Box<dyn Dut>), Error> {
        let (ports, probes) = (dut.ports().clone(), dut.probes().to_vec());
        let traced = Rc::new(RefCell::new(Traced::new(dut, scope, file)?));
        Ok((TraceHandle(Rc::clone(&traced)), Box::new(Given { traced, ports, probes })))
    }

    /// Ends the trace, after the device has been dropped. When this returns, the file has its final name.
    pub fn finish(self) -> Result<(), Error> {
        let Ok(traced) = Rc::try_unwrap(self.0) else {
            return Err(Error::Protocol("a device is still run whose waveform is to end".to_owned()));
        };
        traced.into_inner().finish()
    }
}

impl Dut for Given {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.traced.borrow_mut().outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.traced.borrow_mut().clock(reset, input);
    }

    fn probes(&self) -> &[Probe] {
        &self.probes
    }

    fn probe(&mut self, out: &mut [u64]) {
        self.traced.borrow_mut().probe(out);
    }

    fn failure(&mut self) -> Option<Error> {
        self.traced.borrow_mut().failure()
    }
}
