// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kinds of key.

use crate::headers::protocols::Protocols;

/// Codes of the kinds of key.
pub mod kind {
    /// Destination QP of RoCEv2.
    pub const ROCEV2: u64 = 0;
    /// PDC identifier of UET with its direction.
    pub const UET: u64 = 1;
    /// Source and destination address of ELAB.
    pub const ELAB: u64 = 2;
}

/// The kinds of key that are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyKinds {
    /// Destination QP of RoCEv2, 24 bits.
    pub rocev2: bool,
    /// PDC identifier of UET with its direction, 17 bits.
    pub uet: bool,
    /// Source and destination address of ELAB, 256 bits.
    pub elab: bool,
}

impl KeyKinds {
    /// The kinds for these protocols; RoCEv2 if there is none.
    pub const fn of(protocols: &Protocols) -> Self {
        let Protocols { rocev2, uet, elab, .. } = *protocols;
        KeyKinds { rocev2: rocev2 || !(uet || elab), uet, elab }
    }

    /// The codes of the included kinds, in ascending order.
    pub fn codes(self) -> Vec<u64> {
        let all = [(self.rocev2, kind::ROCEV2), (self.uet, kind::UET), (self.elab, kind::ELAB)];
        all.into_iter().filter_map(|(included, code)| included.then_some(code)).collect()
    }

    /// Width of a key in bits.
    pub const fn key_width(self) -> u32 {
        match self {
            KeyKinds { elab: true, .. } => 256,
            KeyKinds { rocev2: true, .. } => 24,
            _ => 17,
        }
    }

    /// Width of the code that is stored, which distinguishes the included kinds only; 0 if there is one.
    pub fn stored_code_width(self) -> u32 {
        self.codes().len() as u32 - 1
    }

    /// Part of a module name.
    pub(super) fn letters(self) -> String {
        let all = [(self.rocev2, "r"), (self.uet, "u"), (self.elab, "e")];
        all.into_iter().filter_map(|(included, letter)| included.then_some(letter)).collect()
    }
}
