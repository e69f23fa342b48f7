// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real number, and how far from it the integer of the oracle may be.

/// A value of the run with real numbers. That of the oracle differs from it by `common` x *n* and at most `own` more. *n* is by
/// how much the windows differed when no adjustment was under way for the last time: the same number for all values, so that
/// what a decrease takes from a window that is too large is too much as well, and the two parts cancel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Near {
    pub value: f64,
    pub common: f64,
    pub own: f64,
}

impl Near {
    /// The oracle has the same value.
    pub const fn exact(value: f64) -> Self {
        Near { value, common: 0.0, own: 0.0 }
    }

    /// How far that of the oracle may be from it, if *n* is at most `most`.
    pub fn bound(self, most: f64) -> f64 {
        self.common.abs() * most + self.own
    }

    /// The sum.
    pub fn and(self, other: Near) -> Self {
        Near { value: self.value + other.value, common: self.common + other.common, own: self.own + other.own }
    }

    /// The sum with a number that both have.
    pub fn plus(self, number: f64) -> Self {
        Near { value: self.value + number, ..self }
    }

    /// It is not above a limit that both have. A limit takes no two values further apart.
    pub fn at_most(self, limit: f64, most: f64) -> Self {
        let bound = self.bound(most);
        if self.value + bound <= limit {
            self
        } else if self.value - bound >= limit {
            Self::exact(limit)
        } else {
            Near { value: self.value.min(limit), common: 0.0, own: bound }
        }
    }

    /// It is not below a limit that both have.
    pub fn at_least(self, limit: f64, most: f64) -> Self {
        let bound = self.bound(most);
        if self.value - bound >= limit {
            self
        } else if self.value + bound <= limit {
            Self::exact(limit)
        } else {
            Near { value: self.value.max(limit), common: 0.0, own: bound }
        }
    }

    /// A factor of it that both have.
    pub fn times(self, factor: f64) -> Self {
        Near { value: self.value * factor, common: self.common * factor, own: self.own * factor.abs() }
    }

    /// The oracle may differ by so much more.
    pub fn within(self, more: f64) -> Self {
        Near { own: self.own + more, ..self }
    }
}
