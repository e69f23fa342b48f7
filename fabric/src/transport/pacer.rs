// SPDX-License-Identifier: MIT OR Apache-2.0
//! Credit of a receiver (RCCC). The standard's own text is not public, so this is what uet-htsim does (uet.md 3).
//!
//! Connections that ask for credit get that of four packets in turn, at 99 % of the rate of the link. If none asks, those that
//! have sent before get some ahead, up to a window.

use super::Setup;
use crate::event::Time;
use std::collections::VecDeque;

/// Bytes of a unit of credit.
pub const UNIT_OF_CREDIT: u64 = 256;
/// Numbers of credit are modulo this.
const NUMBERS: u32 = 1 << 24;

/// What a connection has asked for and was granted, as cumulative numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    granted: u32,
    target: u32,
    active: bool,
    idle: bool,
}

/// How far a number is above another one; negative if it is below.
const fn above(number: u32, other: u32) -> i64 {
    let distance = number.wrapping_sub(other) % NUMBERS;
    if distance < NUMBERS / 2 { distance as i64 } else { distance as i64 - NUMBERS as i64 }
}

impl Account {
    /// Credit that was asked for and is not granted.
    const fn demand(&self) -> i64 {
        above(self.target, self.granted)
    }
}

/// The pacer of a host.
#[derive(Debug)]
pub struct Pacer {
    /// Picoseconds of a unit of credit, times 2^16.
    pace: u64,
    /// Units of a grant.
    grant: u32,
    /// Units that may be granted ahead.
    ahead: i64,
    accounts: Vec<Account>,
    active: VecDeque<u32>,
    idle: VecDeque<u32>,
    /// The next grant is not before.
    free: Time,
}

impl Pacer {
    /// Of so many connections.
    pub fn new(setup: Setup, connections: usize) -> Self {
        // 8 bits at one Mb/s are 8 us; at 99 % of the rate.
        let pace = (u128::from(UNIT_OF_CREDIT * 8_000_000) << 16) * 100 / 99 / u128::from(setup.rate);
        Pacer {
            pace: pace as u64,
            grant: (4 * setup.payload() / UNIT_OF_CREDIT).max(1) as u32,
            ahead: (setup.bdp() * 3 / 2 / UNIT_OF_CREDIT) as i64,
            accounts: vec![Account::default(); connections],
            active: VecDeque::new(),
            idle: VecDeque::new(),
            free: 0,
        }
    }

    /// A packet of a connection has come with this target. One that was trimmed will come again.
    pub fn ask(&mut self, now: Time, connection: u32, target: u32, again: bool) {
        let account = &mut self.accounts[connection as usize];
        let more = above(target, account.target) > 0;
        if more {
            account.target = target % NUMBERS;
        }
        if !account.active && (again || more) {
            account.active = true;
            self.active.push_back(connection);
            self.free = self.free.max(now);
        }
    }

    /// When there is a grant.
    pub fn wake_up(&self) -> Option<Time> {
        (!self.active.is_empty() || !self.idle.is_empty()).then_some(self.free)
    }

    /// The grant of this time, if one is due: a connection, and its credit.
    pub fn wake(&mut self, now: Time) -> Option<(u32, u32)> {
        if self.free > now {
            return None;
        }
        let (connection, units) = if let Some(connection) = self.active.pop_front() {
            let account = &mut self.accounts[connection as usize];
            let units = account.demand().clamp(0, self.grant.into()) as u32;
            account.granted = (account.granted + units) % NUMBERS;
            if account.demand() > 0 {
                self.active.push_back(connection);
            } else {
                account.active = false;
                if !account.idle {
                    account.idle = true;
                    self.idle.push_back(connection);
                }
            }
            (connection, units)
        } else {
            let connection = self.idle.pop_front()?;
            let account = &mut self.accounts[connection as usize];
            account.granted = (account.granted + self.grant) % NUMBERS;
            if account.demand() <= 0 && -account.demand() < self.ahead {
                self.idle.push_back(connection);
            } else {
                account.idle = false;
            }
            (connection, self.grant)
        };
        // Some time passes even if nothing is granted.
        let units = if units == 0 { 1024 / UNIT_OF_CREDIT } else { units.into() };
        self.free = now + ((self.pace * units) >> 16);
        Some((connection, self.accounts[connection as usize].granted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_around() {
        assert_eq!([above(5, 3), above(3, 5), above(2, NUMBERS - 1), above(NUMBERS - 1, 2)], [2, -2, 3, -3]);
    }
}
