// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV at a time, which changes if it is suspect and a change is allowed (rules N1 to N4). With memories of latency
//! `l`:
//!
//! ```text
//!  request   step 0  CCC to `paths` and `suspects`
//!                 l  is the suspect valid?
//!             l + 1  is it the EV, and may the EV change? is the EV in the EV space?
//!             l + 2  row written
//!  feedback   l + 6  suspect written, for requests accepted from then on
//! ```

use super::config::EntropySelectorConfig;
use super::ports::Settings;
use super::request::{AdmittedFeedback, AdmittedRequest};
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::blocks::timebase::{TIME_WIDTH, deadline_reached};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Current EV of a CCC.
#[derive(Bundle)]
struct Path<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    generation: Bits<L>,
    ev: Bits<L>,
    /// Deadline from which the flow counts as idle.
    idle_at: Bits<L>,
    /// Deadline from which the EV may change although the flow is not idle.
    reroute_at: Bits<L>,
}

/// EV of the last feedback that is not GOOD.
#[derive(Bundle)]
struct Suspect<L: Reading> {
    /// The row is valid if the mode state has the same suspect generation.
    generation: Bits<L>,
    ev: Bits<L>,
}

/// Suspect of a CCC, with a valid bit.
#[derive(Bundle)]
struct ValidSuspect<L: Reading> {
    valid: Bits<L>,
    ev: Bits<L>,
}

/// Mode `single_path`: current EV and suspect of all CCCs.
#[name_nets]
pub struct SinglePath<L: Logic> {
    config: EntropySelectorConfig,
    /// Current EV of each CCC.
    paths: RmwTable<L, Path<L>>,
    /// Suspect of each CCC.
    suspects: WriteFirstRam<L, Suspect<L>>,
    /// Suspect of the CCC of the request in step `l` + 1.
    suspect: Reg<ValidSuspect<L>>,
    /// EV of the request in step `l` + 2.
    ev: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SinglePath<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, time) = (bits(1), bits(config.ev_bits()), bits(TIME_WIDTH));
        let path = Path { generation: flag, ev, idle_at: time, reroute_at: time };
        let suspect = Suspect { generation: flag, ev };
        SinglePath {
            config,
            // Not reset, as the admitted requests are not.
            paths: RmwTable::new(config.cccs, config.ram_latency, &path).without_reset(),
            suspects: WriteFirstRam::new(config.cccs, config.ram_latency, 1, &suspect),
            suspect: Reg::new(&ValidSuspect { valid: flag, ev }),
            ev: Reg::new(&ev),
        }
    }

    /// The EV of the request in step `l` + 2.
    pub fn ev(&self) -> Bits<L> {
        self.ev.get()
    }

    /// One cycle. `entering` is the admitted request in step `l`, `admitted` that in step `l` + 1, `delayed_feedback`
    /// the feedback in step `l` + 6.
    pub fn clock(
        &self,
        read_access: Access<L>,
        entering: AdmittedRequest<L>,
        admitted: AdmittedRequest<L>,
        delayed_feedback: AdmittedFeedback<L>,
        settings: Settings<L>,
        time: Bits<L>,
    ) {
        let (row, suspect) = (self.paths.operand(), self.suspect.get());
        let stored = self.suspects.data(0);
        self.paths.clock(read_access, entering.valid);
        when(admitted.valid, || {
            let row_stale = row.generation.differs(admitted.generation).named("path_row_stale");
            let may_reroute = deadline_reached(time, row.idle_at) | deadline_reached(time, row.reroute_at);
            let reroutes = (!row_stale & may_reroute & suspect.valid & suspect.ev.equals(row.ev)).named("path_changes");
            let ev = select(row_stale, admitted.start, select(reroutes, row.ev + 1, row.ev));
            let ev = ev & self.config.space_mask(admitted.space);
            self.ev.set(ev);
            let reroute_at = time + settings.reroute.extend(TIME_WIDTH);
            self.paths.modify(Path {
                generation: admitted.generation,
                ev,
                idle_at: time + settings.idle.extend(TIME_WIDTH),
                reroute_at: select(row_stale | reroutes, reroute_at, row.reroute_at),
            });
        });
        when(entering.valid, || {
            let valid = stored.generation.equals(entering.mode_state.suspect_generation);
            self.suspect.set(ValidSuspect { valid, ev: stored.ev });
        });
        let suspect = Suspect { generation: delayed_feedback.mode_state.suspect_generation, ev: delayed_feedback.ev };
        let write = Access { valid: delayed_feedback.valid & delayed_feedback.kind.any(), index: delayed_feedback.ccc };
        self.suspects.clock(&[read_access.index], write, suspect);
    }
}
