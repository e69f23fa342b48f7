// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time, and what is to happen when.
//!
//! Events come in the order of their times; those of one time in the order in which they were added, so that a run is the same
//! everywhere. Most of them lie a few microseconds ahead. A calendar has a vector for each short interval of that future, and sorts
//! one when its time has come; what lies further ahead waits in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Time in picoseconds since the beginning of the run.
pub type Time = u64;

/// Picoseconds of a nanosecond.
pub const NANOSECOND: Time = 1000;
/// Picoseconds of a microsecond.
pub const MICROSECOND: Time = 1000 * NANOSECOND;

/// log2 of the picoseconds of a day: about 1 ns, in which a network of hundreds of fast links has some ten events.
const DAY: u32 = 10;
/// Days of a calendar: 16.8 us, more than most links are long.
const DAYS: u64 = 1 << 14;

/// An event with its time, and with its number in the order in which events were added.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time: Time,
    number: u64,
    event: E,
}

impl<E> Entry<E> {
    const fn key(&self) -> (Time, u64) {
        (self.time, self.number)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Events that are to happen.
#[derive(Debug)]
pub struct Calendar<E> {
    now: Time,
    added: u64,
    /// The number of the present day.
    day: u64,
    /// What is left of it; the next one is the last.
    today: Vec<Entry<E>>,
    /// The days ahead, each at its number modulo [`DAYS`], in any order.
    days: Vec<Vec<Entry<E>>>,
    /// Vectors of days that are over: their memory is in the cache.
    empty: Vec<Vec<Entry<E>>>,
    /// Events of the days ahead.
    ahead: usize,
    /// Events behind these days.
    later: BinaryHeap<Reverse<Entry<E>>>,
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        let days = std::iter::repeat_with(Vec::new).take(DAYS as usize).collect();
        Calendar {
            now: 0,
            added: 0,
            day: 0,
            today: Vec::new(),
            days,
            empty: Vec::new(),
            ahead: 0,
            later: BinaryHeap::new(),
        }
    }
}

impl<E> Calendar<E> {
    /// The time of the last event.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.now
    }

    /// Events so far, those that are still to happen among them.
    #[must_use]
    pub const fn added(&self) -> u64 {
        self.added
    }

    /// Whether nothing is to happen any more.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.today.is_empty() && self.ahead == 0 && self.later.is_empty()
    }

    /// Something is to happen at a time; what would have happened in the past happens now.
    pub fn add(&mut self, time: Time, event: E) {
        let entry = Entry { time: time.max(self.now), number: self.added, event };
        self.added += 1;
        let day = entry.time >> DAY;
        if day == self.day {
            let at = self.today.partition_point(|other| other.key() > entry.key());
            self.today.insert(at, entry);
        } else if day < self.day + DAYS {
            self.put(entry);
        } else {
            self.later.push(Reverse(entry));
        }
    }

    /// An event of one of the days ahead.
    fn put(&mut self, entry: Entry<E>) {
        let day = &mut self.days[((entry.time >> DAY) % DAYS) as usize];
        if day.capacity() == 0 {
            *day = self.empty.pop().unwrap_or_default();
        }
        day.push(entry);
        self.ahead += 1;
    }

    /// The next event. Time goes on to it.
    #[expect(clippy::should_implement_trait, reason = "events are added between calls")]
    pub fn next(&mut self) -> Option<(Time, E)> {
        loop {
            if let Some(Entry { time, event, .. }) = self.today.pop() {
                self.now = time;
                return Some((time, event));
            }
            self.turn_over()?;
        }
    }

    /// The next day with events, or one before it.
    fn turn_over(&mut self) -> Option<()> {
        self.day = if self.ahead > 0 { self.day + 1 } else { self.later.peek()?.0.time >> DAY };
        while let Some(Reverse(entry)) = self.later.peek()
            && entry.time >> DAY < self.day + DAYS
        {
            let Reverse(entry) = self.later.pop()?;
            self.put(entry);
        }
        let next = std::mem::take(&mut self.days[(self.day % DAYS) as usize]);
        // On a day without events yesterday's vector is as good.
        if next.capacity() > 0 {
            let over = std::mem::replace(&mut self.today, next);
            if over.capacity() > 0 {
                self.empty.push(over);
            }
        }
        self.ahead -= self.today.len();
        self.today.sort_unstable_by_key(|entry| Reverse(entry.key()));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden_vectors::rng::SplitMix64;

    /// A random walk of events that add others, against a heap.
    #[test]
    fn events_come_in_the_order_of_time_then_of_insertion() {
        let mut rng = SplitMix64::new(1);
        let mut calendar = Calendar::default();
        let mut heap = BinaryHeap::new();
        let mut number = 0;
        let mut add = |calendar: &mut Calendar<u64>, heap: &mut BinaryHeap<Reverse<(Time, u64)>>, time: Time| {
            calendar.add(time, number);
            heap.push(Reverse((time, number)));
            number += 1;
        };
        add(&mut calendar, &mut heap, 5);
        let mut seen = 0;
        while let Some((time, event)) = calendar.next() {
            assert_eq!(heap.pop(), Some(Reverse((time, event))));
            assert_eq!(calendar.now(), time);
            seen += 1;
            let children = if seen < 200_000 { 1 + u64::from(rng.below(100) < 5) } else { 0 };
            for _ in 0..children {
                let distance = match rng.below(8) {
                    0 => 0,
                    1..4 => rng.below(20 * NANOSECOND),
                    4..7 => rng.below(3 * MICROSECOND),
                    _ => rng.below(400 * MICROSECOND),
                };
                // Coarse, so that many are at one time.
                add(&mut calendar, &mut heap, time + distance / 500 * 500);
            }
        }
        assert!(calendar.is_empty() && heap.is_empty());
        assert_eq!(seen, calendar.added());
        assert!(seen > 200_000, "{seen}");
    }

    #[test]
    fn the_past_is_now() {
        let mut calendar = Calendar::default();
        calendar.add(3 * MICROSECOND, 'a');
        assert_eq!(calendar.next(), Some((3 * MICROSECOND, 'a')));
        calendar.add(0, 'b');
        assert_eq!(calendar.next(), Some((3 * MICROSECOND, 'b')));
        assert_eq!(calendar.next(), None);
    }
}
