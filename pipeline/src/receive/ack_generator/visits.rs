// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connections that have waited for too long (rows G19 and G20). With memories of latency `l`:
//!
//! ```text
//!  cycle v          visit: a connection to `waiting` and `since`
//!        v + l      age in the next clock cycle
//!        v + l + 1  compare: age with the setting; if it is reached, visits stop
//!        v + l + 2  an expiry waits: its pass enters in cycle k
//!        k + 1      visits go on
//! ```

use super::config::AckGeneratorConfig;
use super::ports::TIME_WIDTH;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Logic, Pipeline, Reg, across, bits, name_nets, when};

/// The pipeline of visits.
const VISIT: Pipeline = Pipeline::new("visit");

/// Visits to all connections.
#[name_nets]
pub struct Visits<L: Logic> {
    latency: u32,
    /// The connection waits.
    waiting: WriteFirstRam<L, Bits<L>>,
    /// When it began to owe.
    since: WriteFirstRam<L, Bits<L>>,
    visiting: Reg<Bits<L>>,
    /// The next connection.
    next: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1 of visits.
    visits: PipelineRegs<Access<L>>,
    /// Step `l` + 1.
    waits: Reg<Bits<L>>,
    age: Reg<Bits<L>>,
    /// The expiry that waits.
    expiry: Reg<Access<L>>,
}

#[name_nets]
impl<L: Logic> Visits<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, time, l, connection) = (bits(1), bits(TIME_WIDTH), config.ram_latency, config.connection());
        let access = Access { valid: flag, index: connection };
        Visits {
            latency: l,
            waiting: WriteFirstRam::new(config.connections, l, 1, &flag),
            since: WriteFirstRam::new(config.connections, l, 1, &time),
            visiting: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            next: Reg::new(&connection).with_reset(),
            visits: PipelineRegs::new(1..=l + 1, &access).checked(VISIT),
            waits: Reg::new(&flag),
            age: Reg::new(&time),
            expiry: Reg::new(&access),
        }
    }

    /// The expiry that waits.
    pub fn expiry(&self) -> Access<L> {
        self.expiry.get()
    }

    /// One clock cycle: the pass in step `l` + 7 leaves its connection `waiting`, and `begins` to owe at `since`; no visits while
    /// `busy`; the expiry enters.
    pub fn clock(
        &self,
        pass: Access<L>,
        waiting: Bits<L>,
        (begins, since): (Bits<L>, Bits<L>),
        busy: Bits<L>,
        (time, limit, expires): (Bits<L>, Bits<L>, Bits<L>),
        enters: Bits<L>,
    ) {
        let l = self.latency;
        let (visiting, next, compared) = (self.visiting.get(), self.next.get(), self.visits.last());

        // l + 1
        let finds = compared.valid & self.waits.get() & expires & self.age.get().at_least(limit);
        // Visits stop while an expiry waits: until then its number may be that of any connection.
        let expiry = self.expiry.get();
        self.expiry.set(Access { valid: finds | expiry.valid & !enters, index: expiry.index });
        when(!expiry.valid, || {
            self.expiry.set(Access { valid: finds, index: compared.index });
        });
        let visits = visiting & !busy;
        self.visiting.set((visiting | enters) & !finds);
        // Not a select: synthesis would make an enable of it, behind all that it takes to find `finds`.
        let follows = next + visits.extend(next.width());
        self.next.set((compared.index + 1).gate(finds) | follows.gate(!finds));

        // 0 to l; those behind the one that finds a connection are without effect.
        let ends = across(finds);
        for step in (1..=l).rev() {
            let visit = self.visits.at(step);
            self.visits.set(step + 1, Access { valid: visit.valid & !ends, ..visit });
        }
        self.visits.set(1, Access { valid: visits & !ends, index: next });
        self.waits.set(self.waiting.data(0));
        self.age.set(time - self.since.data(0));
        self.waiting.clock(&[next], pass, waiting);
        self.since.clock(&[next], Access { valid: begins, ..pass }, since);
    }
}
