// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcome of each arrival and of each command, and what it returns.

use super::Checker;

impl Checker {
    /// R2, R32 and R33
    pub(super) fn answer(&mut self, [connection, psn, outcome, expected, held]: [u64; 5]) {
        let (now, l, window, mask) = (self.now, self.latency, self.config.window, self.mask());
        let arrival = self.arrivals.pop_front().expect("an arrival");
        assert_eq!(now, arrival.cycle + l + 12, "R4");
        let frame = arrival.frame;
        assert_eq!((connection, psn), (frame.connection, frame.psn & mask), "R4 in cycle {now}");
        let used = self.used(connection, arrival.cycle);
        let it = &mut self.connections[connection as usize];
        let distance = frame.psn.wrapping_sub(it.expected) & mask;
        let number = it.expected.wrapping_add(distance);
        let over_quota = used + arrival.cells > arrival.quota;
        let below_reserve = arrival.free < arrival.reserve;
        let is_base = distance == 0 && arrival.transferred == it.expected;
        let may_be_base = distance == 0;
        let may_lack_slot = distance < window && number - arrival.transferred.min(number) >= window;
        let received = if distance == 0 { 0 } else { 1 };
        let refused = 5;
        let right: &[u64] = if !frame.found || !it.open {
            &[6]
        } else if frame.flags & 4 != 0 {
            &[7]
        } else if distance > mask / 2 {
            &[3]
        } else if it.frames.contains_key(&number) {
            &[2]
        } else if distance >= window {
            &[4]
        } else if arrival.cut || (over_quota || below_reserve) && !may_be_base {
            &[refused]
        } else if (over_quota || below_reserve) && !is_base || may_lack_slot {
            self.counts.open_outcomes += 1;
            &[received, refused]
        } else {
            self.counts.exempt += u64::from(over_quota || below_reserve);
            &[received]
        };
        assert!(
            right.contains(&outcome),
            "R32: outcome {outcome} and not {right:?} in cycle {now}: {used} cells used, {} needed, {} free, {:?}",
            arrival.cells,
            arrival.free,
            (arrival.quota, arrival.reserve, distance, arrival.transferred, it.expected)
        );
        self.counts.answers[outcome as usize] += 1;
        self.outcomes.push((arrival.cycle, connection, number, outcome));
        if outcome == refused {
            self.causes[3] += 1;
            match may_lack_slot {
                true => self.uncertain += 1,
                false if arrival.cut => self.causes[0] += 1,
                false if over_quota => {
                    self.causes[1] += 1;
                    self.counts.over_quota += 1;
                }
                false => {
                    self.causes[2] += 1;
                    self.counts.below_reserve += 1;
                }
            }
        }
        if outcome < 2 {
            it.frames.insert(number, (frame, arrival.cells));
            *it.accepted.entry(arrival.cycle).or_default() += arrival.cells;
            while it.frames.contains_key(&it.expected) {
                it.expected += 1;
            }
        }
        if outcome != 6 {
            assert_eq!(expected, it.expected & mask, "R4 expected in cycle {now}");
            assert_eq!(held, it.frames.range(it.expected..).count() as u64, "R4 held in cycle {now}");
        }
        for _ in 0..arrival.cells {
            self.walked = (self.walked + 1).max(arrival.cycle + 2 * l + 10);
            if outcome >= 2 {
                self.counts.refused_cells += 1;
                self.returns(None, self.walked);
            }
        }
    }

    /// R32: *used* for an arrival that is accepted in this cycle.
    fn used(&mut self, connection: u64, cycle: u64) -> u64 {
        let (l, it) = (self.latency, &mut self.connections[connection as usize]);
        while let Some(entry) = it.accepted.first_entry().filter(|entry| entry.key() + l + 8 <= cycle) {
            it.used += entry.remove();
        }
        while let Some(entry) = it.returned.first_entry().filter(|entry| entry.key() + l + 6 <= cycle) {
            it.used -= entry.remove();
        }
        it.used
    }

    /// R17, R18 and R35
    pub(super) fn respond(&mut self, [op, connection, done, open, draining, held]: [u64; 6]) {
        let (now, l) = (self.now, self.latency);
        let command = self.commands.pop_front().expect("a command");
        assert_eq!(now, command.cycle + 2 * l + 25, "R17");
        assert_eq!((op, connection), (command.op, command.connection));
        let effect = command.cycle + l + 12;
        let [any, same, drains] = command.cleared;
        let it = &mut self.connections[connection as usize];
        let is_behind = it.is_known() && it.transferred < it.expected;
        let mut clears = false;
        match op {
            1 => {
                let may = !it.open && !same;
                assert!(done == 0 || may, "R35: opened in cycle {now}");
                assert!(done == 1 || !may || is_behind || now < 1000, "R18: not opened in cycle {now}");
                self.counts.blocked += u64::from(same);
                if done == 1 {
                    let psn = (((it.expected >> 40) + 1) << 40) + command.psn;
                    // What has been read of the life before is transferred first.
                    it.begins = is_behind.then_some((it.expected, psn));
                    (it.open, it.expected) = (true, psn);
                    if !is_behind {
                        it.transferred = psn;
                    }
                }
            }
            2 => {
                assert_eq!(done == 1, it.open && !any, "R35: close in cycle {now}");
                self.counts.blocked += u64::from(any && it.open);
                if done == 1 {
                    let discarded = it.frames.split_off(&it.expected);
                    assert_eq!(held, discarded.len() as u64, "R19 held in cycle {now}");
                    it.open = false;
                    clears = !discarded.is_empty();
                    let cells: u64 = discarded.values().map(|(_, cells)| cells).sum();
                    self.counts.cleared_cells += cells;
                    let at = |i: u64| effect + 2 * l + 20 + i * (l + 6);
                    (0..cells).for_each(|i| self.returns(Some(connection), at(i)));
                    if clears {
                        self.clearing = Some((connection, at(cells - 1)));
                    }
                }
            }
            _ => {}
        }
        let it = &self.connections[connection as usize];
        assert_eq!(open == 1, it.open, "R19 in cycle {now}");
        assert!(draining == 1 || !(drains || clears), "R35: draining in cycle {now}");
        assert!(
            draining == 0 || drains || clears || is_behind || it.transferred_since(effect),
            "R19 draining in {now}"
        );
        self.counts.responses += 1;
    }
}
