// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: BTH, MPEH (M11, M13), then what the OpCode asks for.

use super::options::MpehIndicator;
use super::part::{Part, take};
use crate::headers::opcode::{self, Extension};
use crate::headers::{Aeth, AtomicAck, AtomicEth, Bth, Cnp, Deth, Ieth, ImmDt, Layout, Mpeh, Reth, Xrceth};

/// Name, and name and width of the fields, of a header.
pub(super) type Shape = (&'static str, Vec<(&'static str, u32)>);

/// Declares the headers behind BTH and MPEH. Each is called in the record and outside as its field is here, and is
/// there if the OpCode asks for the extension that is called as its type.
macro_rules! headers {
    ($($(#[$about:meta])* $field:ident: $header:ident,)+) => {
        /// The headers, in the order of the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Rocev2 {
            /// Base transport header.
            pub bth: Bth,
            /// Multipath extension header.
            pub mpeh: Option<Mpeh>,
            $($(#[$about])* pub $field: Option<$header>,)+
        }

        impl Rocev2 {
            /// A BTH and nothing else.
            #[must_use]
            pub const fn new(bth: Bth) -> Self {
                Self { bth, mpeh: None, $($field: None,)+ }
            }

            /// Reads the headers and moves behind them; `None` if they do not fit.
            #[must_use]
            pub fn read(bytes: &mut &[u8], mark: MpehIndicator) -> Option<Self> {
                let bth = take(bytes)?;
                let (mpeh, opcode) = marked(bth, mark);
                let extensions = opcode::extensions(opcode).unwrap_or_default();
                Some(Self {
                    bth,
                    mpeh: if mpeh { Some(take(bytes)?) } else { None },
                    $($field: if extensions.contains(&Extension::$header) { Some(take(bytes)?) } else { None },)+
                })
            }

            /// The headers as parts, in the order of the wire.
            #[must_use]
            pub fn parts(&self) -> Vec<Part> {
                let optional = [
                    self.mpeh.map(|header| Part::of("mpeh", header)),
                    $(self.$field.map(|header| Part::of(stringify!($field), header)),)+
                ];
                [Part::of("bth", self.bth)].into_iter().chain(optional.into_iter().flatten()).collect()
            }

            /// The name of each header that may be absent, and whether it is there.
            #[must_use]
            pub fn presence(&self) -> Vec<(&'static str, bool)> {
                vec![("mpeh", self.mpeh.is_some()), $((stringify!($field), self.$field.is_some()),)+]
            }

            /// All headers that there can be.
            pub(super) fn shapes() -> Vec<Shape> {
                vec![("bth", Bth::fields()), ("mpeh", Mpeh::fields()), $((stringify!($field), $header::fields()),)+]
            }
        }
    };
}

headers! {
    /// Datagram header.
    deth: Deth,
    /// XRC header.
    xrceth: Xrceth,
    /// RDMA header.
    reth: Reth,
    /// Atomic header.
    atomic_eth: AtomicEth,
    /// Acknowledge header.
    aeth: Aeth,
    /// Atomic acknowledge header.
    atomic_ack: AtomicAck,
    /// Immediate data.
    immdt: ImmDt,
    /// Invalidate header.
    ieth: Ieth,
    /// The zero bytes of a congestion notification.
    cnp: Cnp,
}

/// Whether an OpCode is taken for one that announces an MPEH, and the OpCode that says what else there is.
fn marked(bth: Bth, mark: MpehIndicator) -> (bool, u8) {
    let opcode = bth.opcode();
    match mark {
        MpehIndicator::Bit => (bth.mpeh(), opcode),
        MpehIndicator::OpCode => {
            let mirrored = opcode.wrapping_sub(opcode::MPEH);
            let known = mirrored < 0x20 && opcode::extensions(mirrored).is_some();
            if known { (true, mirrored) } else { (false, opcode) }
        }
    }
}

/// Whether the OpCode is that of SEND or WRITE of a reliable connection.
pub(super) fn carries_data(opcode: u8, mark: MpehIndicator) -> bool {
    let (_, opcode) = marked(Bth::new().with_opcode(opcode), mark);
    matches!(opcode, 0x00..=0x0B | 0x16 | 0x17)
}

impl Rocev2 {
    /// Whether the MPEH's flags are those of an acknowledgement (M27 to M30) and not of data (M16 to M20). A read
    /// response carries data.
    #[must_use]
    pub fn acknowledges(&self, mark: MpehIndicator) -> bool {
        let (_, opcode) = marked(self.bth, mark);
        let reliable = [opcode::RC, opcode::XRC].contains(&(opcode & 0xE0));
        reliable && [opcode::ACKNOWLEDGE, opcode::ATOMIC_ACKNOWLEDGE].contains(&(opcode & 0x1F))
    }
}
