// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of the events that wait in `ack`, `send` and `loss` (row C2): for each of them one bit of its stream,
//! those accepted first in front. There are two places in each stream, so that six can wait.
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
pub const PLACES: usize = 2 * STREAMS as usize;

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
        let none = Bits::lit(STREAMS, 0);
        let stay: Vec<_> = self.places.iter().map(Reg::get).collect();
        let go: Vec<_> = (1..=PLACES).map(|i| stay.get(i).copied().unwrap_or(none)).collect();

        // The events accepted, without gaps.
        let [ack, send, loss] = accepted;
        let [of_ack, of_send, of_loss] = [1, 2, 4].map(|stream| Bits::lit(STREAMS, stream));
        let other = select(send, of_send, of_loss.gate(loss));
        let second = select(ack, other, of_loss.gate(send & loss));
        let new = [select(ack, of_ack, other), second, of_loss.gate(ack & send & loss)];

        // Whether one enters is known late, so that it chooses between two orders.
        let (stay, go) = (appended(&stay, new), appended(&go, new));
        for (place, (stay, go)) in self.places.iter().zip(stay.into_iter().zip(go)) {
            place.set(select(enters, go, stay));
        }
    }
}

/// The order with new events behind those that wait.
#[name_nets]
fn appended<L: Logic>(waiting: &[Bits<L>], new: [Bits<L>; STREAMS as usize]) -> Vec<Bits<L>> {
    let taken: Vec<_> = waiting.iter().map(|place| place.any()).collect();
    let mut places = Vec::with_capacity(PLACES);
    for (i, &place) in waiting.iter().enumerate() {
        // The first free place gets the first of them, and so on.
        let mut value = place;
        for (behind, &event) in new.iter().enumerate().take(i + 1) {
            let free = i - behind;
            let before = if free == 0 { Bits::lit(1, 1) } else { taken[free - 1] };
            value = value | event.gate(before & !taken[free]);
        }
        places.push(value);
    }
    places
}
