// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Stream channels and their beats.

use crate::bits::{Bits, bits};
use crate::logic::{Logic, Reading, Shape};
use crate::signal::Bundle;
use crate::wide::{Wide, wide};
use rtl_model_derive::name_nets;

/// Signals carried through a stage with every beat, unchanged: a time stamp, a tag, a port. Signals that are not wanted
/// are left out.
#[derive(Bundle)]
pub struct Side<L: Reading> {
    /// Stream that the frame belongs to.
    pub tid: Option<Bits<L>>,
    /// Destination of the frame.
    pub tdest: Option<Bits<L>>,
    /// The user's bits of `tuser`, above those of the channel.
    pub tuser: Option<Wide<L>>,
}

impl Side<Shape> {
    /// Nothing.
    pub const NONE: Self = Side { tid: None, tdest: None, tuser: None };

    /// The widths in bits; 0 leaves the signal out.
    pub const fn new(tid: u32, tdest: u32, tuser: u32) -> Self {
        const fn narrow(width: u32) -> Option<Bits<Shape>> {
            if width > 0 { Some(bits(width)) } else { None }
        }
        let tuser = if tuser > 0 { Some(wide(tuser)) } else { None };
        Side { tid: narrow(tid), tdest: narrow(tdest), tuser }
    }
}

/// The payload of a beat. Byte 0 of the frame is in `tdata[7:0]`.
#[derive(Bundle)]
#[shape(data_width: u32, own: u32, side: Side<Shape>)]
pub struct Beat<L: Reading> {
    /// Data.
    #[width(data_width)]
    pub tdata: Wide<L>,
    /// One bit per byte: contiguous from bit 0, all ones except on the last beat.
    #[width(data_width / 8)]
    pub tkeep: Wide<L>,
    /// The frame ends with this beat.
    pub tlast: Bits<L>,
    /// The lowest bits of `tuser`; the channel defines their meaning.
    #[width(own)]
    pub tuser: Bits<L>,
    /// Side band carried with the beat.
    #[shape(side)]
    pub side: Side<L>,
}

/// The forward half of an AXI4-Stream channel. Of `tuser` the lowest `own` bits are the channel's.
#[derive(Bundle)]
#[shape(data_width: u32, own: u32, side: Side<Shape>)]
pub struct Axis<L: Reading> {
    /// There is a beat; stays 1 until `tready`.
    pub tvalid: Bits<L>,
    /// Data of the beat. Byte 0 of the frame is in bits 7:0 of its first beat.
    #[width(data_width)]
    pub tdata: Wide<L>,
    /// One bit per byte.
    #[width(data_width / 8)]
    pub tkeep: Wide<L>,
    /// This is the last beat of the frame.
    pub tlast: Bits<L>,
    /// The stream that the frame belongs to.
    #[shape(side.tid)]
    pub tid: Option<Bits<L>>,
    /// The place that the frame goes to.
    #[shape(side.tdest)]
    pub tdest: Option<Bits<L>>,
    /// The channel's own bits, and above them the side band.
    #[width(own + side.tuser.map_or(0, Wide::bits))]
    pub tuser: Wide<L>,
}

#[name_nets]
impl<L: Logic> Axis<L> {
    /// The payload; the lowest `own` bits of `tuser` are the channel's.
    #[track_caller]
    pub fn beat(&self, own: u32) -> Beat<L> {
        let Axis { tdata, tkeep, tlast, tid, tdest, tuser, .. } = *self;
        let users = tuser.width() - own;
        let side = Side { tid, tdest, tuser: (users > 0).then(|| tuser.part(own, users)) };
        Beat { tdata, tkeep, tlast, tuser: tuser.slice(0, own), side }
    }

    /// A channel that offers a payload.
    #[track_caller]
    pub fn offer(tvalid: Bits<L>, beat: Beat<L>) -> Self {
        let Beat { tdata, tkeep, tlast, tuser, side } = beat;
        let own = tuser.widen();
        let tuser = side.tuser.map_or(own, |users| users.concat(own));
        Axis { tvalid, tdata, tkeep, tlast, tid: side.tid, tdest: side.tdest, tuser }
    }
}

/// The backward half of a channel.
#[derive(Bundle)]
#[shape]
pub struct Ready<L: Reading> {
    /// The receiver is ready. A transfer happens in each clock cycle in which `tvalid` is 1 too.
    pub tready: Bits<L>,
}
