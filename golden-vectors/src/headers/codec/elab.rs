// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB: the info header, with a rate behind it if B is set (E04, E06). The original transport header follows (E03).

use super::part::{Part, take};
use crate::headers::{Elab as Info, ElabRate, Header, Udp, udp};
use std::ops::Range;

/// Protocol number of TCP.
const TCP: u8 = 6;
/// Length of a TCP header without options, in bytes.
const TCP_LEN: usize = 20;

/// The info header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elab {
    /// The first two words.
    pub info: Info,
    /// The third word.
    pub rate: Option<ElabRate>,
}

impl Elab {
    /// Reads the headers and moves behind them; `None` if they do not fit.
    #[must_use]
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let info: Info = take(bytes)?;
        Some(Self { info, rate: if info.b() { Some(take(bytes)?) } else { None } })
    }

    /// The headers as parts, in the order of the wire.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let info = Part::of("elab", self.info);
        [info].into_iter().chain(self.rate.map(|rate| Part::of("elab", rate))).collect()
    }
}

/// Where the header of `protocol` lies in `payload`, which it begins; `None` if the protocol is not known here or its
/// header does not fit. ELAB is transparent to it (E01), so that is no fault of the frame.
pub(super) fn inner(payload: &[u8], protocol: u8) -> Option<Range<usize>> {
    let length = match protocol {
        TCP => usize::from(payload.get(12)? >> 4) * 4,
        udp::PROTOCOL => Udp::LEN,
        _ => return None,
    };
    let fits = length <= payload.len() && (protocol != TCP || length >= TCP_LEN);
    fits.then_some(0..length)
}
