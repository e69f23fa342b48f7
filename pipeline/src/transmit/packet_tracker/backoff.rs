// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backoff: the peer has had no room, so nothing is sent for a time, and then one packet first (row D37). A peer that discards all
//! behind a gap is waited for no time, only until what is in flight is marked: the PDC *goes back* (row D39).
//!
//! ```text
//!  NONE --backoff--> WAITING --time--> TRYING --again--> TRIED --ACK--> NONE
//!    ^                  ^ |               ^                | |
//!    +-----go back------|-+               +--loss, NACK----+ |
//!                       +------------backoff-----------------+
//! ```

use super::ports::{BACKOFF_LIMIT_WIDTH, REASON_WIDTH, RETRIES_WIDTH, RTO_WIDTH};
use super::settings::InForce;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Width of a phase.
pub const PHASE_WIDTH: u32 = 2;
/// All may be sent.
pub const NONE: u64 = 0;
/// Nothing is sent for a time.
pub const WAITING: u64 = 1;
/// One marked packet may be sent.
pub const TRYING: u64 = 2;
/// It has been sent.
pub const TRIED: u64 = 3;

/// Units of 128 ns in 10, 20 and 30 us, or a little more: a wait is never too short.
const TENS: [u64; 3] = [79, 157, 235];
/// Width of which time is doubled.
const FIRST_WIDTH: u32 = 2;
/// The setting; or 10, 20 or 30 us.
const OF_SETTINGS: u64 = 0;
const TEN_US: u64 = 1;
const TWENTY_US: u64 = 2;
const THIRTY_US: u64 = 3;
/// The doublings of 10 us that stand for no time: no RNR NAK names them.
const GO_BACK: u64 = 1;
/// The syndrome of a NAK because of a gap.
const SEQUENCE_ERROR: u64 = 0x60;
/// Backoffs in a row without a limit.
const NO_LIMIT: u64 = (1 << BACKOFF_LIMIT_WIDTH) - 1;

/// The backoff of a PDC.
#[derive(Bundle)]
#[shape]
pub struct Backoff<L: Reading> {
    #[width(PHASE_WIDTH)]
    pub phase: Bits<L>,
    /// Backoffs in a row, up to 31.
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub count: Bits<L>,
    /// It is the last one: the PDC fails.
    pub is_last: Bits<L>,
    #[flatten]
    #[shape(Wait::shape())]
    pub wait: Wait<L>,
}

/// A time to wait: which time, and how often it is doubled.
#[derive(Bundle)]
#[shape]
pub struct Wait<L: Reading> {
    #[width(FIRST_WIDTH)]
    pub first: Bits<L>,
    #[width(RETRIES_WIDTH)]
    pub doublings: Bits<L>,
}

#[name_nets]
impl<L: Logic> Backoff<L> {
    /// Its phase is this one.
    pub fn is(&self, phase: u64) -> Bits<L> {
        self.phase.equals(phase)
    }

    /// It begins, or there is another one.
    pub fn may_begin(&self) -> Bits<L> {
        self.is(NONE) | self.is(TRIED)
    }

    /// No marked packet may be sent.
    pub fn holds(&self) -> Bits<L> {
        self.phase.bit(0)
    }

    /// The one that begins now, for this syndrome or code.
    pub fn next(&self, reason: Bits<L>, limit: Bits<L>) -> Self {
        let goes_back = reason.equals(SEQUENCE_ERROR);
        let is_last = limit.differs(NO_LIMIT) & self.count.at_least(limit) & !goes_back;
        let wait = select(goes_back, Wait::none(), Wait::of(reason, self.count));
        // Nobody waits long for a failure.
        let short = Wait { first: Bits::lit(FIRST_WIDTH, OF_SETTINGS), doublings: Bits::lit(RETRIES_WIDTH, 0) };
        Backoff {
            phase: Bits::lit(PHASE_WIDTH, WAITING),
            count: self.count + (!self.count.all() & !goes_back).extend(BACKOFF_LIMIT_WIDTH),
            is_last,
            wait: select(is_last, short, wait),
        }
    }

    /// Its time is over: one packet is tried first, unless the PDC goes back.
    pub fn resumed(self) -> Self {
        let goes_back = self.wait.is_none();
        Backoff { phase: select(goes_back, Bits::lit(PHASE_WIDTH, NONE), Bits::lit(PHASE_WIDTH, TRYING)), ..self }
    }

    /// With another phase.
    pub fn in_phase(self, phase: u64) -> Self {
        Backoff { phase: Bits::lit(PHASE_WIDTH, phase), ..self }
    }
}

#[name_nets]
impl<L: Logic> Wait<L> {
    /// How long this syndrome or code has a peer wait, after so many backoffs in a row: an RNR NAK names a time, which is doubled
    /// with every second code; a NACK doubles it with each one in a row.
    fn of(reason: Bits<L>, count: Bits<L>) -> Self {
        let is_rnr = reason.slice(5, REASON_WIDTH - 5).equals(1);
        let code = reason.truncate(5);
        let lit = |value| Bits::lit(FIRST_WIDTH, value);
        let (is_one, pair) = (code.equals(1), code.slice(1, RETRIES_WIDTH));
        let by_code = select(is_one, lit(TEN_US), select(code.bit(0), lit(THIRTY_US), lit(TWENTY_US)));
        // Code 0 is the longest time: 20 us doubled 15 times.
        let doublings = (pair - 1).gate(!is_one);
        let many = count.bit(RETRIES_WIDTH);
        let in_row = count.truncate(RETRIES_WIDTH) | many.extend_signed(RETRIES_WIDTH);
        Wait { first: by_code.gate(is_rnr), doublings: select(is_rnr, doublings, in_row) }
    }

    /// No time.
    fn none() -> Self {
        Wait { first: Bits::lit(FIRST_WIDTH, TEN_US), doublings: Bits::lit(RETRIES_WIDTH, GO_BACK) }
    }

    /// It is no time.
    fn is_none(&self) -> Bits<L> {
        self.first.equals(TEN_US) & self.doublings.any()
    }

    /// The time that is doubled.
    pub fn time(&self, settings: InForce<L>) -> Bits<L> {
        let is = |first| self.first.equals(first) & !self.is_none();
        let fixed = [TEN_US, TWENTY_US, THIRTY_US].into_iter().zip(TENS);
        let constant = fixed.map(|(first, time)| Bits::lit(RTO_WIDTH, time).gate(is(first)));
        constant.fold(settings.backoff.gate(is(OF_SETTINGS)), |all, time| all | time)
    }
}
