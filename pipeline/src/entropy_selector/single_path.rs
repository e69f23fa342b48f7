// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV at a time, changed when it is suspect and that is allowed (rows N1 to N4). With memories of latency `l`:
//!
//! ```text
//!  request   step 0  CCC to `paths` and `suspects`
//!                 l  does the suspect count?
//!             l + 1  is it the EV, and may that change? is it in the EV space?
//!             l + 2  written
//!  feedback   l + 6  the suspect written, for requests that come then
//! ```

use super::EntropySelectorConfig;
use super::ports::Settings;
use super::request::{Caller, Heard};
use crate::clock::{TIME_WIDTH, reached};
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// The EV of a CCC.
#[derive(Bundle)]
struct Path<L: Reading> {
    /// It counts if the life has the same.
    turn: Bits<L>,
    ev: Bits<L>,
    /// From then on the flow counts as idle.
    idle_at: Bits<L>,
    /// From then on it may change without that.
    due_at: Bits<L>,
}

/// The EV of the last feedback that is not GOOD.
#[derive(Bundle)]
struct Suspect<L: Reading> {
    /// It counts if the way has the same.
    turn: Bits<L>,
    ev: Bits<L>,
}

/// A suspect that counts, if there is one.
#[derive(Bundle)]
struct Known<L: Reading> {
    valid: Bits<L>,
    ev: Bits<L>,
}

/// The EVs of all CCCs.
#[name_nets]
pub struct SinglePath<L: Logic> {
    config: EntropySelectorConfig,
    paths: Update<L, Path<L>>,
    suspects: WriteFirst<L, Suspect<L>>,
    /// Step `l` + 1.
    suspect: Reg<Known<L>>,
    /// Step `l` + 2.
    ev: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SinglePath<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, time) = (bits(1), bits(config.ev_bits()), bits(TIME_WIDTH));
        let path = Path { turn: flag, ev, idle_at: time, due_at: time };
        let suspect = Suspect { turn: flag, ev };
        SinglePath {
            config,
            // Goes on over a reset, as its callers do.
            paths: Update::new(config.cccs, config.ram_latency, &path).without_reset(),
            suspects: WriteFirst::new(config.cccs, config.ram_latency, 1, &suspect),
            suspect: Reg::new(&Known { valid: flag, ev }),
            ev: Reg::new(&ev),
        }
    }

    /// The EV of the request in step `l` + 2.
    pub fn ev(&self) -> Bits<L> {
        self.ev.get()
    }

    /// One cycle. `arrives` is the caller in step `l`, `caller` in step `l` + 1, `told` the feedback in step `l` + 6.
    pub fn clock(
        &self,
        asked: Ask<L>,
        arrives: Caller<L>,
        caller: Caller<L>,
        told: Heard<L>,
        settings: Settings<L>,
        time: Bits<L>,
    ) {
        let (row, suspect) = (self.paths.operand(), self.suspect.get());
        let stored = self.suspects.data(0);
        self.paths.clock(asked, arrives.valid);
        when(caller.valid, || {
            let fresh = row.turn.differs(caller.turn).named("path_fresh");
            let may = reached(time, row.idle_at) | reached(time, row.due_at);
            let changes = (!fresh & may & suspect.valid & suspect.ev.equals(row.ev)).named("path_changes");
            let ev = select(fresh, caller.start, select(changes, row.ev + 1, row.ev));
            let ev = ev & self.config.reach(caller.space);
            self.ev.set(ev);
            let due_at = time + settings.reroute.extend(TIME_WIDTH);
            self.paths.change(Path {
                turn: caller.turn,
                ev,
                idle_at: time + settings.idle.extend(TIME_WIDTH),
                due_at: select(fresh | changes, due_at, row.due_at),
            });
        });
        when(arrives.valid, || {
            let valid = stored.turn.equals(arrives.way.suspect_turn);
            self.suspect.set(Known { valid, ev: stored.ev });
        });
        let suspect = Suspect { turn: told.way.suspect_turn, ev: told.ev };
        let write = Ask { valid: told.valid & told.kind.any(), key: told.ccc };
        self.suspects.clock(&[asked.key], write, suspect);
    }
}
