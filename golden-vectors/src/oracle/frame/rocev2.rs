// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: BTH, MPEH (M11, M13), then what the OpCode asks for.

use super::options::MpehMark;
use super::part::{Part, take};
use crate::wire::opcode::{self, Extension};
use crate::wire::{Aeth, AtomicAck, AtomicEth, Bth, Cnp, Deth, Header, Ieth, ImmDt, Mpeh, Reth, Xrceth};

/// The headers, in the order of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rocev2 {
    /// Base transport header.
    pub bth: Bth,
    /// Multipath extension header.
    pub mpeh: Option<Mpeh>,
    /// Datagram header.
    pub deth: Option<Deth>,
    /// XRC header.
    pub xrceth: Option<Xrceth>,
    /// RDMA header.
    pub reth: Option<Reth>,
    /// Atomic header.
    pub atomic_eth: Option<AtomicEth>,
    /// Acknowledge header.
    pub aeth: Option<Aeth>,
    /// Atomic acknowledge header.
    pub atomic_ack: Option<AtomicAck>,
    /// Immediate data.
    pub immdt: Option<ImmDt>,
    /// Invalidate header.
    pub ieth: Option<Ieth>,
    /// The zero bytes of a congestion notification.
    pub cnp: Option<Cnp>,
}

/// Whether an OpCode is taken for one that announces an MPEH, and the OpCode that says what else there is.
fn marked(bth: Bth, mark: MpehMark) -> (bool, u8) {
    let opcode = bth.opcode();
    match mark {
        MpehMark::Bit => (bth.mpeh(), opcode),
        MpehMark::OpCode => {
            let mirrored = opcode.wrapping_sub(opcode::MPEH);
            let known = mirrored < 0x20 && opcode::extensions(mirrored).is_some();
            if known { (true, mirrored) } else { (false, opcode) }
        }
    }
}

impl Rocev2 {
    /// A BTH and nothing else.
    #[must_use]
    pub const fn new(bth: Bth) -> Self {
        Self {
            bth,
            mpeh: None,
            deth: None,
            xrceth: None,
            reth: None,
            atomic_eth: None,
            aeth: None,
            atomic_ack: None,
            immdt: None,
            ieth: None,
            cnp: None,
        }
    }

    /// Reads the headers and moves behind them; `None` if they do not fit.
    pub(super) fn read(bytes: &mut &[u8], mark: MpehMark) -> Option<Self> {
        let mut headers = Self::new(take(bytes)?);
        let (mpeh, opcode) = marked(headers.bth, mark);
        fill(&mut headers.mpeh, mpeh, bytes)?;
        let extensions = opcode::extensions(opcode).unwrap_or_default();
        let has = |extension| extensions.contains(&extension);
        fill(&mut headers.deth, has(Extension::Deth), bytes)?;
        fill(&mut headers.xrceth, has(Extension::Xrceth), bytes)?;
        fill(&mut headers.reth, has(Extension::Reth), bytes)?;
        fill(&mut headers.atomic_eth, has(Extension::AtomicEth), bytes)?;
        fill(&mut headers.aeth, has(Extension::Aeth), bytes)?;
        fill(&mut headers.atomic_ack, has(Extension::AtomicAck), bytes)?;
        fill(&mut headers.immdt, has(Extension::ImmDt), bytes)?;
        fill(&mut headers.ieth, has(Extension::Ieth), bytes)?;
        fill(&mut headers.cnp, has(Extension::Cnp), bytes)?;
        Some(headers)
    }

    /// The headers as parts, in the order of the wire.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let optional = [
            self.mpeh.map(|header| Part::of("mpeh", header)),
            self.deth.map(|header| Part::of("deth", header)),
            self.xrceth.map(|header| Part::of("xrceth", header)),
            self.reth.map(|header| Part::of("reth", header)),
            self.atomic_eth.map(|header| Part::of("atomic_eth", header)),
            self.aeth.map(|header| Part::of("aeth", header)),
            self.atomic_ack.map(|header| Part::of("atomic_ack", header)),
            self.immdt.map(|header| Part::of("immdt", header)),
            self.ieth.map(|header| Part::of("ieth", header)),
            self.cnp.map(|header| Part::of("cnp", header)),
        ];
        [Part::of("bth", self.bth)].into_iter().chain(optional.into_iter().flatten()).collect()
    }

    /// Whether the MPEH's flags are those of an acknowledgement (M27 to M30) and not of data (M16 to M20). A read response
    /// carries data.
    #[must_use]
    pub fn acknowledges(&self, mark: MpehMark) -> bool {
        let (_, opcode) = marked(self.bth, mark);
        let reliable = [opcode::RC, opcode::XRC].contains(&(opcode & 0xE0));
        reliable && [opcode::ACKNOWLEDGE, opcode::ATOMIC_ACKNOWLEDGE].contains(&(opcode & 0x1F))
    }
}

/// Reads a header that is there if `present`.
fn fill<H: Header>(header: &mut Option<H>, present: bool, bytes: &mut &[u8]) -> Option<()> {
    if present {
        *header = Some(take(bytes)?);
    }
    Some(())
}
