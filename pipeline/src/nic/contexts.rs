// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a PDC in both paths by one command (rows NI5 to NI8). The receive path knows a PDC as long as the
//! transmit path does, and longer: so every answer to what has been sent is found.
//!
//! ```text
//!  open    rx: open  ->  tx: open  ->  response
//!          refused by tx: rx: close  ->  response
//!  close   tx: close  ->  rx: close  ->  what was received last has left for the tracker  ->  response
//!          refused by tx: rx: read  ->  response
//!  read, resize   tx  ->  rx: read  ->  response
//! ```

use super::ports::{Command, Response};
use crate::{rx, tx};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, bits, name_nets, select, when};

/// Width of the code of a command of the receive path.
const RX_OP_WIDTH: u32 = 2;

/// Where the sequence is, one bit per step; at most one is 1, none while there is no command.
#[derive(Bundle)]
struct Steps<L: Reading> {
    /// A command for the receive path is offered, or its response awaited.
    #[reset]
    rx: Bits<L>,
    /// The same for the transmit path.
    #[reset]
    tx: Bits<L>,
    /// The last ACK of the PDC goes to `packet_tracker`.
    #[reset]
    settles: Bits<L>,
    /// The response is given.
    #[reset]
    responds: Bits<L>,
}

#[name_nets]
impl<L: Logic> Steps<L> {
    fn none() -> Self {
        let no = Bits::lit(1, 0);
        Steps { rx: no, tx: no, settles: no, responds: no }
    }
}

/// The sequence of a command through the paths.
#[name_nets]
pub struct Contexts<L: Logic> {
    steps: Reg<Steps<L>>,
    /// The command of this step has been accepted.
    accepted: Reg<Bits<L>>,
    current: Reg<Command<L>>,
    /// The receive path is to be closed: at the end of *close*, or after an *open* that was refused.
    closes: Reg<Bits<L>>,
    response: Reg<Response<L>>,
    /// Width of a key of the receive path.
    key_width: u32,
    /// Shape of a response.
    zero: Response<Shape>,
}

/// What the paths show in a clock cycle.
pub struct Shown<L: Logic> {
    /// All tables can be used.
    pub live: Bits<L>,
    pub rx_ready: Bits<L>,
    pub rx: rx::Response<L>,
    pub tx_ready: Bits<L>,
    pub tx: tx::Response<L>,
    /// The transmit path has no record of an ACK.
    pub settled: Bits<L>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    /// With commands and responses of these shapes, and keys of this width in the receive path.
    pub fn new(command: &Command<Shape>, response: Response<Shape>, key_width: u32) -> Self {
        let flag = bits(1);
        Contexts {
            steps: Reg::new(&Steps { rx: flag, tx: flag, settles: flag, responds: flag }),
            accepted: Reg::new(&flag).with_reset(),
            current: Reg::new(command),
            closes: Reg::new(&flag),
            response: Reg::new(&response),
            key_width,
            zero: response,
        }
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        let Steps { rx, tx, settles, responds } = self.steps.get();
        !(rx | tx | settles | responds)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.steps.get().responds, ..self.response.get() }
    }

    /// The command for the receive path. Both keys of the PDC have its number.
    pub fn for_rx(&self) -> rx::Command<L> {
        let Command { tx, expected, path } = self.current.get();
        let lit = |value| Bits::lit(RX_OP_WIDTH, value);
        let opens = select(tx.op.equals(tx::op::OPEN), lit(rx::op::OPEN), lit(rx::op::READ));
        rx::Command {
            valid: self.steps.get().rx & !self.accepted.get(),
            op: select(self.closes.get(), lit(rx::op::CLOSE), opens),
            connection: tx.pdc,
            key: tx.local_pdcid.extend(self.key_width),
            bidirectional: Some(Bits::lit(1, 1)),
            path,
            psn: expected,
            multipath: None,
            peer: None,
        }
    }

    /// The command for the transmit path.
    pub fn for_tx(&self) -> tx::Command<L> {
        tx::Command { valid: self.steps.get().tx & !self.accepted.get(), ..self.current.get().tx }
    }

    /// One clock cycle: a command is offered.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>) {
        let Steps { rx, tx, settles, responds } = self.steps.get();
        let (command, accepted, closes) = (self.current.get(), self.accepted.get(), self.closes.get());
        let (is_open, is_close) = (command.tx.op.equals(tx::op::OPEN), command.tx.op.equals(tx::op::CLOSE));
        let (yes, no, response) = (Bits::lit(1, 1), Bits::lit(1, 0), self.response.get());

        let accepts = (offered.tx.valid & self.idle() & shown.live).named("accepts");
        let rx_answers = (rx & accepted & shown.rx.valid).named("rx_answers");
        let tx_answers = (tx & accepted & shown.tx.valid).named("tx_answers");
        let opened = is_open & !closes & shown.rx.done;
        let closed = is_close & closes;

        when(accepts, || {
            self.current.set(offered);
            self.closes.set(no);
            let zero = Response::zero(&self.zero);
            self.response.set(Response { op: offered.tx.op, pdc: offered.tx.pdc, ..zero });
            let opens = offered.tx.op.equals(tx::op::OPEN);
            self.steps.set(Steps { rx: opens, tx: !opens, ..Steps::none() });
        })
        .or_when(rx_answers, || {
            self.response.set(response.with_rx(&shown.rx));
            self.steps.set(Steps { tx: opened, settles: closed, responds: !(opened | closed), ..Steps::none() });
        })
        .or_when(tx_answers, || {
            self.response.set(response.with_tx(&shown.tx));
            // After *close*, and after an *open* that was refused, the receive path is closed.
            self.closes.set(is_close & shown.tx.done | is_open & !shown.tx.done);
            let ends = is_open & shown.tx.done;
            self.steps.set(Steps { rx: !ends, responds: ends, ..Steps::none() });
        })
        .or_when(settles & shown.settled, || self.steps.set(Steps { responds: yes, ..Steps::none() }))
        .or_when(responds, || self.steps.set(Steps::none()));
        let takes = rx & shown.rx_ready | tx & shown.tx_ready;
        self.accepted.set((accepted | takes) & !(rx_answers | tx_answers));
    }
}
