// SPDX-License-Identifier: MIT OR Apache-2.0
//! The skid buffer, which lets `ready` be a register.
//!
//! ```text
//!            +------+   front empty or leaving: the new one goes to the front
//!   push --->|      |---> front ---> pop
//!            |      |---> spare      front stays: it goes to the spare, and `ready` is low until that is free
//!            +------+
//! ```
//!
//! One clock cycle from push to pop. Nothing is lost or repeated under any pattern of stalls.

use rtl_model::{Bits, Logic, Reg, Signal, bits, name_nets, when};

/// Items that it holds at most.
pub const PLACES: u64 = 2;

/// A skid buffer: accepts and delivers one payload per clock cycle; `ready` and all outputs are registers.
#[name_nets]
pub struct SkidBuffer<T: Signal> {
    ready: Reg<Bits<T::Logic>>,
    front_valid: Reg<Bits<T::Logic>>,
    front: Reg<T>,
    spare_valid: Reg<Bits<T::Logic>>,
    spare: Reg<T>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> SkidBuffer<T> {
    /// A buffer that is empty, at power-up and after reset.
    #[track_caller]
    pub fn new(shape: &T::Shape) -> Self {
        SkidBuffer {
            ready: Reg::new(&bits(1)).with_reset(),
            front_valid: Reg::new(&bits(1)).with_reset(),
            front: Reg::new(shape).without_reset(),
            spare_valid: Reg::new(&bits(1)).with_reset(),
            spare: Reg::new(shape).without_reset(),
        }
    }

    /// A push at this edge is accepted. 0 for one clock cycle after reset.
    #[track_caller]
    pub fn ready(&self) -> Bits<L> {
        self.ready.get()
    }

    /// There is an item to pop.
    #[track_caller]
    pub fn valid(&self) -> Bits<L> {
        self.front_valid.get()
    }

    /// The item to pop; valid while [`Self::valid`] is 1.
    #[track_caller]
    pub fn front(&self) -> T {
        self.front.get()
    }

    /// One clock edge: `push` offers `value` (only while `ready`), `pop` is the consumer's ready. `value` is called
    /// where its result is stored, so a value that is not taken is not computed.
    #[track_caller]
    pub fn clock(&self, push: Bits<L>, value: impl Fn() -> T, pop: Bits<L>) {
        self.step(push, value, pop, None::<fn() -> T>);
    }

    /// The same, and if there is no item in the next clock cycle, this is on [`Self::front`] nevertheless. 1 if so.
    #[track_caller]
    pub fn clock_or(&self, push: Bits<L>, value: impl Fn() -> T, pop: Bits<L>, other: impl Fn() -> T) -> Bits<L> {
        self.step(push, value, pop, Some(other))
    }

    #[track_caller]
    fn step(&self, push: Bits<L>, value: impl Fn() -> T, pop: Bits<L>, other: Option<impl Fn() -> T>) -> Bits<L> {
        let (ready, spare_valid) = (self.ready.get(), self.spare_valid.get());
        let front_free = pop | !self.front_valid.get();
        let push = push & ready;
        when(front_free, || {
            // If the spare is full, `ready` was 0 and nothing is pushed.
            let taken =
                when(spare_valid, || self.front.set(self.spare.get())).or_when(push, || self.front.set(value()));
            if let Some(other) = &other {
                taken.otherwise(|| self.front.set(other()));
            }
            self.front_valid.set(push | spare_valid);
            self.spare_valid.set(Bits::lit(1, 0));
            self.ready.set(Bits::lit(1, 1));
        })
        .otherwise(|| {
            self.ready.set(!(push | spare_valid));
            when(push, || {
                self.spare_valid.set(Bits::lit(1, 1));
                self.spare.set(value());
            });
        });
        front_free & !(push | spare_valid)
    }
}
