// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answers to *new* and *again* (row D10), decided in step 2 `l` + 9.

use super::config::PacketTrackerConfig;
use super::outputs::Ending;
use super::ports::{Sent, send_op};
use rtl_model::{Logic, Reg, constant, name_nets, select};

/// The answer that is output.
#[name_nets]
pub struct Answers<L: Logic> {
    sent: Reg<Sent<L>>,
}

#[name_nets]
impl<L: Logic> Answers<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        Answers { sent: Reg::new(&Sent::shape(config)) }
    }

    /// The answer that is output.
    pub fn sent(&self) -> Sent<L> {
        self.sent.get()
    }

    /// One clock cycle: an operation that ends.
    pub fn clock(&self, ending: &Ending<L>) {
        let Ending { pass, load, owner, room, counted, sends, again, repeats, results, .. } = *ending;
        let answers = pass.news | again;
        let ok = sends | repeats;
        let [new, again_op] =
            [constant!(send_op::NEW), constant!(send_op::AGAIN)].map(|code| code.lit::<L>(send_op::WIDTH));
        self.sent.set(Sent {
            valid: answers,
            pdc: pass.pdc.gate(answers),
            op: select(again, again_op, new).gate(answers),
            ok,
            psn: pass.psn.gate(ok),
            size: select(again, results.repeated.size, load.size()).gate(ok),
            rtx_count: results.repeated.rtx_count.gate(repeats),
            marked: counted.marks.gate(answers & owner.open & !owner.holds),
            backs_off: answers & owner.open & owner.backs_off,
            room: room.room.gate(answers & owner.open),
        });
    }
}
