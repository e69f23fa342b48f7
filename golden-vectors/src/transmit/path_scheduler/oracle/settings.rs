// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings, in the units of their ports.

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// The flowlet time of QPs opened without one of their own, in units of 64 cycles (T17).
    pub flowlet: u64,
    /// Number of GOOD feedbacks that raise the weight; 0 for never (T13).
    pub raise: u64,
    /// Number of losses in a row with which a sub-path fails; 0 for never (T14).
    pub fail: u64,
    /// Shortest time from the first of them to a NACK that fails it, in units of 64 cycles; 0 for no such NACK (T14).
    pub fail_time: u64,
    /// A QP without an active sub-path waits for one (T29).
    pub wait: bool,
    /// Number of steps without recovery with which a sub-path is avoided; 0 for never (T13).
    pub migrate: u64,
    /// Packets in flight with which a sub-path is full (T20).
    pub window: u64,
    /// Window of a sub-path when it starts, which then follows marks; 0 for windows that do not (T31).
    pub initial: u64,
    /// Shortest time between two steps, in units of 64 cycles; 0 for none (T23).
    pub rtt: u64,
    /// A feedback with a greater RTT is slow; 0 for never (T12).
    pub delay: u64,
}

impl Settings {
    /// The settings after reset of a stage that is made without any of its own.
    pub const DEFAULT: Self = Settings {
        flowlet: 61,
        raise: 5,
        fail: 3,
        fail_time: 31,
        wait: false,
        migrate: 3,
        window: 293,
        initial: 0,
        rtt: 61,
        delay: 141,
    };

    /// Settings with a wide window. Every mark is a step, nothing is slow, no sub-path is avoided.
    #[must_use]
    pub const fn new(flowlet: u64, raise: u64, fail: u64) -> Self {
        Settings {
            flowlet,
            raise,
            fail,
            fail_time: 0,
            wait: false,
            migrate: 0,
            window: 95,
            initial: 0,
            rtt: 0,
            delay: 0,
        }
    }

    /// The same settings with this number of steps.
    #[must_use]
    pub const fn migrate(self, migrate: u64) -> Self {
        Settings { migrate, ..self }
    }

    /// The same settings with this time.
    #[must_use]
    pub const fn fail_time(self, fail_time: u64) -> Self {
        Settings { fail_time, ..self }
    }

    /// The same settings for QPs that wait.
    #[must_use]
    pub const fn waiting(self) -> Self {
        Settings { wait: true, ..self }
    }

    /// The same settings with this window.
    #[must_use]
    pub const fn window(self, window: u64) -> Self {
        Settings { window, ..self }
    }

    /// The same settings with windows that follow marks, from this one on.
    #[must_use]
    pub const fn initial(self, initial: u64) -> Self {
        Settings { initial, ..self }
    }

    /// The same settings with this time between steps.
    #[must_use]
    pub const fn rtt(self, rtt: u64) -> Self {
        Settings { rtt, ..self }
    }

    /// The same settings with this limit of RTTs.
    #[must_use]
    pub const fn delay(self, delay: u64) -> Self {
        Settings { delay, ..self }
    }
}
