// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV at a time, which moves if it is suspect or asked to move, and a move is allowed (rules N1 to N6). With
//! memories of latency `l`:
//!
//! ```text
//!  request   step 0  CCC to `paths`, `suspects` and `asked`
//!                 l  are suspect and asked EV valid?
//!             l + 1  is one of them the EV, and may the EV move? is the EV in the EV space?
//!             l + 2  row written
//!  feedback   l + 6  suspect written, for requests accepted from then on
//!  reroute    l      asked EV written, for requests accepted from then on
//! ```

use super::config::EntropySelectorConfig;
use super::epoch::EPOCH_WIDTH;
use super::request::{AdmittedFeedback, AdmittedRequest};
use super::reroute::{Asked, AskedWrite};
use super::settings::RTTS_WIDTH;
use super::settings_registers::SettingsInForce;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Current EV of a CCC.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Path<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    generation: Bits<L>,
    #[width(config.ev_bits())]
    ev: Bits<L>,
    /// Epoch from which the flow counts as idle.
    #[width(EPOCH_WIDTH)]
    idle_at: Bits<L>,
    /// Epoch from which the EV may move although the flow is not idle.
    #[width(EPOCH_WIDTH)]
    reroute_at: Bits<L>,
}

/// EV of the last feedback that is not GOOD.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Suspect<L: Reading> {
    /// The row is valid if the mode state has the same suspect generation.
    generation: Bits<L>,
    #[width(config.ev_bits())]
    ev: Bits<L>,
}

/// EV that is to be left, with a valid bit.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct ValidSuspect<L: Reading> {
    valid: Bits<L>,
    #[width(config.ev_bits())]
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
    /// Asked EV of each CCC.
    asked: WriteFirstRam<L, Asked<L>>,
    /// Suspect and asked EV of the CCC of the request in step `l` + 1.
    to_leave: Reg<[ValidSuspect<L>; 2]>,
    /// EV of the request in step `l` + 2.
    ev: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SinglePath<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ev, epoch) = (bits(1), bits(config.ev_bits()), bits(EPOCH_WIDTH));
        let path = Path::shape(config);
        let suspect = Suspect::shape(config);
        SinglePath {
            config,
            // Not reset, as the admitted requests are not.
            paths: RmwTable::new(config.cccs, config.ram_latency, &path).without_reset(),
            suspects: WriteFirstRam::new(config.cccs, config.ram_latency, 1, &suspect),
            asked: WriteFirstRam::new(config.cccs, config.ram_latency, 1, &Asked::shape(config)),
            to_leave: Reg::new(&[ValidSuspect::shape(config); 2]),
            ev: Reg::new(&ev),
        }
    }

    /// The EV of the request in step `l` + 2.
    pub fn ev(&self) -> Bits<L> {
        self.ev.get()
    }

    /// One cycle. `entering` is the admitted request in step `l`, `admitted` that in step `l` + 1, `delayed_feedback`
    /// the feedback in step `l` + 6, `asked` the write of an asked EV.
    pub fn clock(
        &self,
        read_access: Access<L>,
        entering: AdmittedRequest<L>,
        admitted: AdmittedRequest<L>,
        delayed_feedback: AdmittedFeedback<L>,
        asked: AskedWrite<L>,
        settings: SettingsInForce<L>,
    ) {
        let (row, to_leave, now) = (self.paths.operand(), self.to_leave.get(), admitted.epoch);
        let (stored, stored_asked) = (self.suspects.data(0), self.asked.data(0));
        self.paths.clock(read_access, entering.valid);
        when(admitted.valid, || {
            let row_stale = row.generation.differs(admitted.generation).named("path_row_stale");
            let may_move = epoch_reached(now, row.idle_at) | epoch_reached(now, row.reroute_at);
            let [suspect, asked] = to_leave.map(|leave| leave.valid & leave.ev.equals(row.ev));
            let moves = (!row_stale & may_move & (suspect | asked)).named("path_moves");
            // A multiple of the stride, so that no other CCC of the group has the EV (rule N3).
            let stride = Bits::lit(self.config.ev_bits(), 1) << admitted.stride;
            let ev = select(row_stale, admitted.start, select(moves, row.ev + stride, row.ev));
            let ev = ev & self.config.space_mask(admitted.space);
            self.ev.set(ev);
            // At least 1, so that not every mark moves the path (rule N4).
            let rtts = settings.reroute | (!settings.reroute.any()).extend(RTTS_WIDTH);
            let after = |rtts: Bits<L>| now + (rtts.extend(EPOCH_WIDTH) + 1);
            self.paths.modify(Path {
                generation: admitted.generation,
                ev,
                idle_at: after(settings.idle),
                reroute_at: select(row_stale | moves, after(rtts), row.reroute_at),
            });
        });
        when(entering.valid, || {
            let valid = stored.generation.equals(entering.mode_state.suspect_generation);
            let asked = stored_asked.valid & stored_asked.generation.equals(entering.generation);
            self.to_leave
                .set([ValidSuspect { valid, ev: stored.ev }, ValidSuspect { valid: asked, ev: stored_asked.ev }]);
        });
        let suspect = Suspect { generation: delayed_feedback.mode_state.suspect_generation, ev: delayed_feedback.ev };
        let write = Access { valid: delayed_feedback.valid & delayed_feedback.kind.any(), index: delayed_feedback.ccc };
        self.suspects.clock(&[read_access.index], write, suspect);
        self.asked.clock(&[read_access.index], asked.access, asked.asked);
    }
}

/// 1 if the epoch of a deadline has come, which is at most 256 epochs after it was set (rule N3).
#[name_nets]
fn epoch_reached<L: Logic>(now: Bits<L>, deadline: Bits<L>) -> Bits<L> {
    (now - deadline).slice(RTTS_WIDTH, EPOCH_WIDTH - RTTS_WIDTH).differs((1 << (EPOCH_WIDTH - RTTS_WIDTH)) - 1)
}
