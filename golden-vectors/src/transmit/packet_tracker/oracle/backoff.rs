// SPDX-License-Identifier: MIT OR Apache-2.0
//! D37: a peer has no room. The PDC sends nothing for a time, and then one packet first.

use super::Settings;

/// Units in 10, 20 and 30 us, rounded up.
const UNITS: [u64; 4] = [0, 79, 157, 235];
/// So many backoffs in a row are not limited.
const NEVER: u64 = 31;
/// The syndrome of a NAK because of a gap.
const SEQUENCE_ERROR: u64 = 0x60;

/// Where a PDC is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// All may be sent.
    #[default]
    None,
    /// Nothing is sent, for this time.
    Waits(Wait),
    /// One packet that is marked may be sent.
    Tries,
    /// It has been sent.
    Tried,
}

/// A time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// That of an RNR NAK, in units.
    Units(u64),
    /// That of the settings, doubled so often.
    OfSettings(u64),
    /// That of the settings, with which the PDC fails.
    Fails,
    /// None: the PDC goes back (D39).
    GoesBack,
}

/// The backoff of a PDC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backoff {
    pub phase: Phase,
    /// How many there have been in a row, up to 31.
    count: u64,
}

impl Backoff {
    /// Another one, for this syndrome or code, unless the answer to the one before is still to come. Returns whether it begins.
    pub fn begin(&mut self, reason: u64, limit: u64) -> bool {
        if !matches!(self.phase, Phase::None | Phase::Tried) {
            return false;
        }
        if reason == SEQUENCE_ERROR {
            self.phase = Phase::Waits(Wait::GoesBack);
            return true;
        }
        let wait = if limit != NEVER && self.count >= limit { Wait::Fails } else { Wait::of(reason, self.count) };
        *self = Backoff { phase: Phase::Waits(wait), count: (self.count + 1).min(31) };
        true
    }

    /// An ACK has released a packet or not, and leaves an empty window or not.
    pub fn acknowledge(&mut self, released: bool, empty: bool) {
        let answers = released && !matches!(self.phase, Phase::Waits(_));
        if answers || empty {
            *self = Backoff::default();
        }
    }

    /// A marked packet may be sent.
    pub const fn may_repeat(&self) -> bool {
        matches!(self.phase, Phase::None | Phase::Tries)
    }

    /// Nothing else may be sent.
    pub const fn holds(&self) -> bool {
        !matches!(self.phase, Phase::None)
    }

    /// The time for which the PDC waits.
    pub const fn wait(&self) -> Option<Wait> {
        if let Phase::Waits(wait) = self.phase { Some(wait) } else { None }
    }

    /// A marked packet is sent.
    pub fn repeat(&mut self) {
        if self.phase == Phase::Tries {
            self.phase = Phase::Tried;
        }
    }

    /// A packet was taken for lost, or a NACK has come: if it is of the one that was tried, nothing is on its way.
    pub fn lose(&mut self) {
        if self.phase == Phase::Tried {
            self.phase = Phase::Tries;
        }
    }

    /// The time is over.
    pub fn resume(&mut self) {
        match self.wait() {
            Some(Wait::GoesBack) => self.phase = Phase::None,
            Some(_) => self.phase = Phase::Tries,
            None => {}
        }
    }
}

impl Wait {
    const fn of(reason: u64, count: u64) -> Self {
        if reason / 32 != 1 {
            return Wait::OfSettings(if count > 15 { 15 } else { count });
        }
        Wait::Units(match reason % 32 {
            0 => UNITS[2] << 15,
            1 => UNITS[1],
            code => UNITS[2 + code as usize % 2] << (code / 2 - 1),
        })
    }

    /// In units, at most 2^26 - 1.
    pub fn units(self, settings: &Settings) -> u64 {
        match self {
            Wait::Units(units) => units,
            Wait::OfSettings(doublings) => settings.backoff << doublings,
            Wait::Fails => settings.backoff,
            Wait::GoesBack => 0,
        }
        .min((1 << 26) - 1)
    }
}
