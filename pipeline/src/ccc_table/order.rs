// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of the events that wait in `ack`, `send` and `loss` (row C2): for each of them one bit of its stream, those accepted
//! first in front. There are two places in each stream, so that six can wait.
//!
//! ```text
//!  waiting      ack  loss  -    -    -    -      place 0 is the event that enters next
//!  it enters    loss  -    -    -    -    -
//!  ack, send    loss ack  send  -    -    -      accepted in the same clock cycle
//! ```

use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// The streams.
const STREAMS: u32 = 3;
/// Events that wait at most.
const PLACES: usize = 2 * STREAMS as usize;

/// The order of events of three streams.
#[name_nets]
pub struct Order<L: Logic> {
    /// One bit per stream; 0 if no event is there. Without gaps.
    places: Vec<Reg<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> Order<L> {
    pub fn new() -> Self {
        let mut places = Vec::with_capacity(PLACES);
        for place in 0..PLACES {
            places.push(Reg::named(&format!("place_{place}"), &bits(STREAMS)).with_reset());
        }
        Order { places }
    }

    /// The stream of the event that was accepted first, one bit each; 0 if none waits. A register.
    pub fn first(&self) -> Bits<L> {
        self.places[0].get()
    }

    /// One clock cycle: an event is accepted in these streams; the first one enters.
    pub fn clock(&self, accepted: [Bits<L>; STREAMS as usize], enters: Bits<L>) {
        let (none, yes) = (Bits::lit(STREAMS, 0), Bits::lit(1, 1));
        let old: Vec<_> = self.places.iter().map(Reg::get).collect();
        let left: Vec<_> =
            (0..PLACES).map(|i| select(enters, old.get(i + 1).copied().unwrap_or(none), old[i])).collect();
        let taken: Vec<_> = left.iter().map(|place| place.any()).collect();

        // The events accepted, without gaps.
        let [ack, send, loss] = accepted;
        let [of_ack, of_send, of_loss] = [1, 2, 4].map(|stream| Bits::lit(STREAMS, stream));
        let other = select(send, of_send, of_loss.gate(loss));
        let second = select(ack, other, of_loss.gate(send & loss));
        let new = [select(ack, of_ack, other), second, of_loss.gate(ack & send & loss)];

        for (i, place) in self.places.iter().enumerate() {
            // The place behind the last one that is taken gets the first of them, and so on.
            let mut value = left[i];
            for (behind, &event) in new.iter().enumerate().take(i + 1) {
                let free = i - behind;
                let before = if free == 0 { yes } else { taken[free - 1] };
                value = value | event.gate(before & !taken[free]);
            }
            place.set(value);
        }
    }
}
