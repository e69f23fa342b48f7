// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a PDC in both paths by one command (rows NI5 to NI8, NI10). The receive path knows a PDC as long as the
//! transmit path does, and longer: so every answer to what has been sent is found. The pacer knows it as long as there are packets
//! that may ask for credit.
//!
//! ```text
//!  open    pacer: open  ->  rx: open  ->  tx: open  ->  response
//!          refused by rx: pacer: close, if it has just opened it  ->  response
//!          refused by tx: rx: close  ->  what was received last has left for the tracker  ->  the same
//!  close   tx: close  ->  pacer: close  ->  rx: close  ->  what was received last has left for the tracker  ->  response
//!          refused by tx: rx: read  ->  response
//!  read    tx  ->  rx: read  ->  response
//!  resize  tx  ->  rx: change  ->  response
//! ```
//!
//! Credit for a PDC that is being opened or closed waits, and with it all that is behind it; so it is dropped as soon as it is
//! certain that the PDC will be closed, though the rest may take long.

use super::config::PdcsWithCredit;
use super::ports::{Command, Response};
use crate::receive::{credit_pacer, rx};
use crate::transmit::tx;
use rtl_model::{Bits, Logic, Reg, Shape, Signal, StateReg, States, bits, name_nets, select, when};

/// Width of the code of a command of the receive path.
const RX_OP_WIDTH: u32 = 2;

/// Where the sequence of a command is.
#[derive(Clone, Copy, States)]
enum Step {
    /// There is no command.
    Idle,
    /// A command for the receive path is offered, or its response awaited.
    Rx,
    /// The same for the transmit path.
    Tx,
    /// The same for the pacer.
    Pacer,
    /// The last ACK of the PDC goes to `packet_tracker`.
    Settles,
    /// The response is given.
    Responds,
}

/// The sequence of a command through the paths.
#[name_nets]
pub struct Contexts<L: Logic> {
    step: StateReg<L, Step>,
    /// The command of this step has been accepted.
    accepted: Reg<Bits<L>>,
    current: Reg<Command<L>>,
    /// Receive path and pacer are to be closed: when the transmit path has closed the PDC, or after an *open* that was refused.
    closes: Reg<Bits<L>>,
    /// The pacer has opened the PDC for this *open*.
    paces: Reg<Bits<L>>,
    response: Reg<Response<L>>,
    /// Width of a key of the receive path.
    key_width: u32,
    /// Which PDCs the pacer has.
    credit: PdcsWithCredit,
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
    pub pacer_ready: Bits<L>,
    pub pacer_answers: Bits<L>,
    /// The pacer's command was done.
    pub pacer_done: Bits<L>,
    /// The ACKs before the fence have been judged.
    pub ack_fence_passed: Bits<L>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    /// With commands and responses of these shapes, and keys of this width in the receive path.
    pub fn new(command: &Command<Shape>, response: Response<Shape>, key_width: u32, credit: PdcsWithCredit) -> Self {
        let flag = bits(1);
        Contexts {
            step: StateReg::new(),
            accepted: Reg::new(&flag).with_reset(),
            current: Reg::new(command),
            closes: Reg::new(&flag),
            paces: Reg::new(&flag),
            response: Reg::new(&response),
            key_width,
            credit,
            zero: response,
        }
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(Step::Idle)
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        let response = self.response.get();
        Response { tx: tx::Response { valid: self.step.is(Step::Responds), ..response.tx }, ..response }
    }

    /// The command for the receive path. With UET both keys of the PDC have its number.
    pub fn for_rx(&self) -> rx::Command<L> {
        let Command { tx, expected, path, local_qp, any_peer, own_tolerance, tolerance_span, tolerance_time, .. } =
            self.current.get();
        let Command { own_rnr_code, rnr_code, mtu, .. } = self.current.get();
        let lit = |value| Bits::lit(RX_OP_WIDTH, value);
        let other = select(tx.op.equals(tx::op::RESIZE), lit(rx::op::CHANGE), lit(rx::op::READ));
        let opens = select(tx.op.equals(tx::op::OPEN), lit(rx::op::OPEN), other);
        rx::Command {
            valid: self.step.is(Step::Rx) & !self.accepted.get(),
            op: select(self.closes.get(), lit(rx::op::CLOSE), opens),
            connection: tx.pdc,
            key: tx.local_pdcid.or(local_qp).expect("the peer sends to it").extend(self.key_width),
            bidirectional: tx.local_pdcid.map(|_| Bits::lit(1, 1)),
            path,
            psn: expected,
            multipath: tx.multipath,
            peer: tx.remote_qp,
            own_tolerance,
            tolerance_span,
            tolerance_time,
            own_rnr_code,
            rnr_code,
            mtu,
            ends: rx::Ends {
                any_peer,
                ipv6: tx.ipv6,
                peer_ip: tx.destination_ip,
                local_ip: tx.source_ip,
                pkey: tx.pkey,
                remote_pdcid: tx.remote_pdcid,
            },
        }
    }

    /// The command for the transmit path.
    pub fn for_tx(&self) -> tx::Command<L> {
        tx::Command { valid: self.step.is(Step::Tx) & !self.accepted.get(), ..self.current.get().tx }
    }

    /// The command for the pacer. Credit numbers begin with 0, as at the sender (C32).
    pub fn for_pacer(&self) -> credit_pacer::Command<L> {
        let lit = |value| Bits::lit(credit_pacer::op::WIDTH, value);
        credit_pacer::Command {
            valid: self.step.is(Step::Pacer) & !self.accepted.get(),
            op: select(self.closes.get(), lit(credit_pacer::op::CLOSE), lit(credit_pacer::op::OPEN)),
            source: self.current.get().tx.pdc,
            number: Bits::lit(credit_pacer::CREDIT_WIDTH, 0),
        }
    }

    /// Whether credit for a PDC waits, and whether it is dropped, as the PDC will be closed. `closing` is that of the transmit path.
    pub fn holds_credit(&self, pdc: Bits<L>, closing: Bits<L>) -> [Bits<L>; 2] {
        let tx::Command { op, pdc: current, .. } = self.current.get().tx;
        let moves = op.equals(tx::op::OPEN) | op.equals(tx::op::CLOSE);
        let waits = !self.idle() & moves & current.equals(pdc);
        let will_close = self.closes.get() & (op.equals(tx::op::CLOSE) | self.paces.get());
        [waits, waits & (closing | will_close)]
    }

    /// The pacer has the PDC of a command.
    fn has_credit(&self, command: &Command<L>) -> Bits<L> {
        match self.credit {
            PdcsWithCredit::None => Bits::lit(1, 0),
            PdcsWithCredit::Chosen => command.tx.rccc,
            PdcsWithCredit::All => Bits::lit(1, 1),
        }
    }

    /// The receive path answers with this, so it has closed the PDC: the fence for ACKs, of which there are no more.
    pub fn ack_fence(&self, rx: &rx::Response<L>) -> Bits<L> {
        self.closes.get() & self.step.is(Step::Rx) & self.accepted.get() & rx.valid
    }

    /// One clock cycle: a command is offered.
    pub fn clock(&self, offered: Command<L>, shown: &Shown<L>) {
        let [rx, tx, pacer] = [Step::Rx, Step::Tx, Step::Pacer].map(|step| self.step.is(step));
        let (command, accepted, closes) = (self.current.get(), self.accepted.get(), self.closes.get());
        let (is_open, is_close) = (command.tx.op.equals(tx::op::OPEN), command.tx.op.equals(tx::op::CLOSE));
        let (no, response, paces) = (Bits::lit(1, 0), self.response.get(), self.paces.get());

        let accepts = (offered.tx.valid & self.idle() & shown.live).named("accepts");
        let rx_answers = (rx & accepted & shown.rx.valid).named("rx_answers");
        let tx_answers = (tx & accepted & shown.tx.valid).named("tx_answers");
        let pacer_answers = (pacer & accepted & shown.pacer_answers).named("pacer_answers");
        let has_pacer = Bits::lit(1, self.credit.any().into());
        let opened = is_open & !closes & shown.rx.done;
        let undone = is_open & !opened;
        let go = |step| self.step.go(step);

        self.step.cases(|step| match step {
            Step::Idle => {
                when(accepts, || {
                    self.current.set(offered);
                    self.closes.set(no);
                    self.paces.set(no);
                    let zero = Response::zero(&self.zero);
                    let of_tx = tx::Response { op: offered.tx.op, pdc: offered.tx.pdc, ..zero.tx };
                    self.response.set(Response { tx: of_tx, ..zero });
                    let opens = offered.tx.op.equals(tx::op::OPEN);
                    when(!opens, || go(Step::Tx))
                        .or_when(self.has_credit(&offered), || go(Step::Pacer))
                        .otherwise(|| go(Step::Rx));
                });
            }
            Step::Rx => {
                when(rx_answers, || {
                    self.response.set(response.with_rx(&shown.rx));
                    // The pacer is closed after an *open* that was refused, unless it had the PDC before.
                    self.closes.set(closes | undone);
                    when(closes, || go(Step::Settles))
                        .or_when(opened, || go(Step::Tx))
                        .or_when(undone & paces, || go(Step::Pacer))
                        .otherwise(|| go(Step::Responds));
                });
            }
            Step::Tx => {
                when(tx_answers, || {
                    self.response.set(response.with_tx(&shown.tx));
                    // After *close*, and after an *open* that was refused, the receive path is closed.
                    let closed = is_close & shown.tx.done;
                    self.closes.set(closed | is_open & !shown.tx.done);
                    when(is_open & shown.tx.done, || go(Step::Responds))
                        .or_when(closed & has_pacer, || go(Step::Pacer))
                        .otherwise(|| go(Step::Rx));
                });
            }
            Step::Pacer => {
                when(pacer_answers, || {
                    self.paces.set(is_open & !closes & shown.pacer_done);
                    when(is_open & closes, || go(Step::Responds)).otherwise(|| go(Step::Rx));
                });
            }
            Step::Settles => {
                when(shown.ack_fence_passed, || {
                    when(is_open & paces, || go(Step::Pacer)).otherwise(|| go(Step::Responds));
                });
            }
            Step::Responds => go(Step::Idle),
        });
        let takes = rx & shown.rx_ready | tx & shown.tx_ready | pacer & shown.pacer_ready;
        self.accepted.set((accepted | takes) & !(rx_answers | tx_answers | pacer_answers));
    }
}
