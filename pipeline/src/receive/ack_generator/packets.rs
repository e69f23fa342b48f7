// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a packet has beside PSN and mark, with RoCEv2 and with UET.

use super::config::AckGeneratorConfig;
use super::ports::{ArrivedPacket, EV_WIDTH, FLOWLET_WIDTH, LENGTH_WIDTH, PATH_WIDTH, SACK_WIDTH, STAMP_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Low bits of a PSN of which offsets consist.
pub const OFFSET_WIDTH: u32 = 16;

/// What a packet of RoCEv2 has beside PSN and mark.
#[derive(Bundle)]
#[shape]
pub struct RocePacket<L: Reading> {
    #[width(24)]
    pub highest: Bits<L>,
    pub suspected: Bits<L>,
    pub late: Bits<L>,
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    pub flowlet: Bits<L>,
    pub last: Bits<L>,
    pub unserved: Bits<L>,
    pub trimmed: Bits<L>,
    pub no_room: Bits<L>,
    pub stamped: Bits<L>,
    #[width(STAMP_WIDTH)]
    pub stamp: Bits<L>,
}

#[name_nets]
impl<L: Logic> RocePacket<L> {
    pub fn of(packet: ArrivedPacket<L>) -> Option<Self> {
        Some(RocePacket {
            highest: packet.highest?,
            suspected: packet.suspected?,
            late: packet.late?,
            path: packet.path?,
            flowlet: packet.flowlet?,
            last: packet.last?,
            unserved: packet.unserved?,
            trimmed: packet.trimmed,
            no_room: packet.no_room,
            stamped: packet.stamped?,
            stamp: packet.stamp?,
        })
    }

    /// What *open* sets, unless a packet arrives: 0.
    pub fn or_opened(self, arrives: Bits<L>) -> Self {
        RocePacket {
            suspected: self.suspected & arrives,
            path: self.path.gate(arrives),
            flowlet: self.flowlet.gate(arrives),
            stamped: self.stamped & arrives,
            ..self
        }
    }
}

/// What a packet of UET has beside PSN and mark.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct UetPacket<L: Reading> {
    /// Low bits of the PSN of bit 0 of the SACK word.
    #[width(OFFSET_WIDTH)]
    pub sack_base: Bits<L>,
    #[width(SACK_WIDTH)]
    pub sack: Bits<L>,
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    pub syn: Bits<L>,
    pub retx: Bits<L>,
    pub trimmed: Bits<L>,
    pub no_room: Bits<L>,
    pub last_hop: Bits<L>,
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    #[width(16)]
    pub opaque: Bits<L>,
    #[width(config.handle_bits)]
    pub handle: Bits<L>,
}

#[name_nets]
impl<L: Logic> UetPacket<L> {
    pub fn of(packet: ArrivedPacket<L>) -> Option<Self> {
        let sack_base = packet.sack_base?;
        sack_base.ignore();
        Some(UetPacket {
            sack_base: sack_base.truncate(OFFSET_WIDTH),
            sack: packet.sack?,
            length: packet.length?,
            syn: packet.syn?,
            retx: packet.retx?,
            trimmed: packet.trimmed,
            no_room: packet.no_room,
            last_hop: packet.last_hop?,
            ev: packet.ev?,
            opaque: packet.opaque?,
            handle: packet.handle?,
        })
    }

    /// What *open* sets, unless a packet arrives: the word of the expected PSN, and else 0.
    pub fn or_opened(self, arrives: Bits<L>, expected: Bits<L>) -> Self {
        let word = expected.slice(6, OFFSET_WIDTH - 6).concat(Bits::lit(6, 0));
        UetPacket {
            sack_base: select(arrives, self.sack_base, word),
            sack: self.sack.gate(arrives),
            retx: self.retx & arrives,
            ev: self.ev.gate(arrives),
            ..self
        }
    }
}
