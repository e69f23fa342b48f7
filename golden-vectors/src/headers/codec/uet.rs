// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET: the entropy header where there is no UDP, then the packet delivery header by its type (uet.md 1.1 to 1.8).

use super::part::{Part, take};
use crate::headers::uet::{
    Ack, AckCc, AckCcx, Control, ControlPayload, CreditState, Dpdcid, Entropy, Nack, NackCcx, NsccState, OtherState,
    Prologue, Request, RequestCc, Rudi, Syn, Tss, Uud, ack_cc, prologue, tss,
};
use crate::headers::{Header, Layout};

/// Length of the shortest packet delivery header in bytes (uet.md 1.2). A packet of a reserved type is as long, so that
/// hardware need not know the type to see that there are no headers.
const SHORTEST: usize = 4;

/// The headers of a UET packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uet {
    /// Where there is no UDP header.
    pub entropy: Option<Entropy>,
    /// The packet delivery header.
    pub delivery: Delivery,
}

/// The packet delivery header. Its first field is the type, which decides on the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// RUD or ROD request.
    Request(Request, Context, Option<RequestCc>),
    /// Acknowledgement.
    Ack(Ack, AckState),
    /// Negative acknowledgement.
    Nack(Nack, Option<NackCcx>),
    /// Control packet.
    Control(Control, Context, ControlPayload),
    /// RUDI request or response.
    Rudi(Rudi),
    /// UUD request.
    Uud(Uud),
    /// Of this type, which is reserved or the security header's (uet.md 1.8): nothing is taken off, the payload
    /// begins with the type.
    Opaque(u8),
}

/// The context at the receiver, by `syn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// It is set up.
    Known(Dpdcid),
    /// It is being set up.
    Syn(Syn),
}

/// What follows an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckState {
    /// Nothing.
    None,
    /// Congestion control.
    Cc(AckCc, CcState),
    /// Opaque congestion control.
    Ccx(AckCcx),
}

/// The state behind the congestion control, by `cc_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CcState {
    /// Network signalled.
    Nscc(NsccState),
    /// By credit.
    Credit(CreditState),
    /// Of a reserved kind.
    Other(OtherState),
}

impl Uet {
    /// Reads the headers and moves behind them; `None` if they do not fit.
    #[must_use]
    pub fn read(bytes: &mut &[u8], native: bool) -> Option<Self> {
        let entropy = if native { Some(take(bytes)?) } else { None };
        bytes.get(..SHORTEST)?;
        Some(Self { entropy, delivery: Delivery::read(bytes)? })
    }

    /// The headers as parts, in the order of the wire.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        self.entropy.map(part).into_iter().chain(self.delivery.parts()).collect()
    }

    /// The type of the packet (uet.md 1.2).
    #[must_use]
    pub fn kind(&self) -> u8 {
        match self.delivery {
            Delivery::Request(head, ..) => head.kind(),
            Delivery::Ack(head, _) => head.kind(),
            Delivery::Nack(head, _) => head.kind(),
            Delivery::Control(head, ..) => head.kind(),
            Delivery::Rudi(head) => head.kind(),
            Delivery::Uud(head) => head.kind(),
            Delivery::Opaque(kind) => kind,
        }
    }
}

impl Uet {
    /// Whether a RUDI request has the flag `m`, which only a response may have (uet.md 1.2).
    pub(super) fn marks_request(&self) -> bool {
        matches!(self.delivery, Delivery::Rudi(head) if head.kind() == prologue::RUDI_REQ && head.m())
    }
}

/// A header as a part of UET.
fn part<H: Layout>(header: H) -> Part {
    Part::of("uet", header)
}

impl Delivery {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let kind = Prologue::read(bytes)?.kind();
        Some(match kind {
            prologue::RUD_REQ | prologue::ROD_REQ | prologue::RUD_CC_REQ | prologue::ROD_CC_REQ => {
                let head: Request = take(bytes)?;
                let context = Context::read(bytes, head.syn())?;
                let controlled = matches!(kind, prologue::RUD_CC_REQ | prologue::ROD_CC_REQ);
                Self::Request(head, context, if controlled { Some(take(bytes)?) } else { None })
            }
            prologue::ACK => Self::Ack(take(bytes)?, AckState::None),
            prologue::ACK_CC => Self::Ack(take(bytes)?, AckState::read(bytes)?),
            prologue::ACK_CCX => Self::Ack(take(bytes)?, AckState::Ccx(take(bytes)?)),
            prologue::NACK => Self::Nack(take(bytes)?, None),
            prologue::NACK_CCX => Self::Nack(take(bytes)?, Some(take(bytes)?)),
            prologue::CONTROL => {
                let head: Control = take(bytes)?;
                Self::Control(head, Context::read(bytes, head.syn())?, take(bytes)?)
            }
            prologue::RUDI_REQ | prologue::RUDI_RESP => Self::Rudi(take(bytes)?),
            prologue::UUD_REQ => Self::Uud(take(bytes)?),
            prologue::TSS => {
                let source = if Tss::read(bytes)?.sp() { tss::SOURCE_LEN } else { 0 };
                bytes.get(..tss::LEN + source)?;
                Self::Opaque(kind)
            }
            _ => Self::Opaque(kind),
        })
    }

    /// Without the entropy header.
    pub(super) fn parts(&self) -> Vec<Part> {
        match *self {
            Self::Request(head, context, controlled) => {
                [part(head), context.part()].into_iter().chain(controlled.map(part)).collect()
            }
            Self::Ack(head, AckState::None) => vec![part(head)],
            Self::Ack(head, AckState::Cc(control, state)) => vec![part(head), part(control), state.part()],
            Self::Ack(head, AckState::Ccx(opaque)) => vec![part(head), part(opaque)],
            Self::Nack(head, opaque) => [part(head)].into_iter().chain(opaque.map(part)).collect(),
            Self::Control(head, context, payload) => vec![part(head), context.part(), part(payload)],
            Self::Rudi(head) => vec![part(head)],
            Self::Uud(head) => vec![part(head)],
            Self::Opaque(_) => Vec::new(),
        }
    }
}

impl Context {
    fn read(bytes: &mut &[u8], syn: bool) -> Option<Self> {
        Some(if syn { Self::Syn(take(bytes)?) } else { Self::Known(take(bytes)?) })
    }

    fn part(self) -> Part {
        match self {
            Self::Known(header) => part(header),
            Self::Syn(header) => part(header),
        }
    }
}

impl AckState {
    /// uet.md 1.5: what stands in the last eight bytes is said by `cc_type`.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let control: AckCc = take(bytes)?;
        let state = match control.cc_type() {
            ack_cc::NSCC => CcState::Nscc(take(bytes)?),
            ack_cc::CREDIT => CcState::Credit(take(bytes)?),
            _ => CcState::Other(take(bytes)?),
        };
        Some(Self::Cc(control, state))
    }
}

impl CcState {
    fn part(self) -> Part {
        match self {
            Self::Nscc(state) => part(state),
            Self::Credit(state) => part(state),
            Self::Other(state) => part(state),
        }
    }
}
