// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side band of frames: `tid`, `tdest` and the user's bits of `tuser`, which every stage passes on with each beat.
//! This module draws, drives and compares it. It does nothing for a device without a side band.

use super::axis::VERDICT;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::streams::{Channel, Item};
use pipeline::headers::side_band::SideBand;
use rtl_model::netlist::interfaces::Direction;

/// The side band of one beat or of a record. Signals that the device does not have are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideBandStimulus {
    /// The value of `tid`.
    pub tid: u64,
    /// The value of `tdest`.
    pub tdest: u64,
    /// The user's bits of `tuser`, the lowest limb first.
    pub tuser: Vec<u64>,
}

/// The widths of a device's side band.
pub fn of_ports(ports: &Ports) -> SideBand {
    let width = |name: &str| ports.field("m_axis", Direction::Out, name).map_or(0, |port| port.width);
    SideBand { tid: width("tid"), tdest: width("tdest"), tuser: width("tuser").saturating_sub(VERDICT) }
}

/// Ones up to bit `width` of a number, in its limb `index`.
fn ones(width: u32, index: usize) -> u64 {
    match width.saturating_sub(64 * index as u32) {
        0 => 0,
        bits => u64::MAX >> (64 - bits.min(64)),
    }
}

/// Draws a side band for a frame of this number of beats: `tid` and `tdest` are the same in the frame, `tuser` differs
/// in every beat.
pub fn draw(side_band: SideBand, beats: usize, random: &mut Random) -> Vec<SideBandStimulus> {
    if side_band == SideBand::NONE {
        return vec![SideBandStimulus::default(); beats];
    }
    let (tid, tdest) = (random.bits() & ones(side_band.tid, 0), random.bits() & ones(side_band.tdest, 0));
    let limbs = side_band.tuser.div_ceil(64) as usize;
    let beat = |_| {
        let tuser = (0..limbs).map(|i| random.bits() & ones(side_band.tuser, i)).collect();
        SideBandStimulus { tid, tdest, tuser }
    };
    (0..beats).map(beat).collect()
}

/// The position of the side band in the transfers of a channel.
#[derive(Clone, Debug)]
pub struct Carrier {
    tid: Option<usize>,
    tdest: Option<usize>,
    /// First limb of `tuser`, and the number of limbs.
    tuser: Option<(usize, usize)>,
    /// Number of bits of `tuser` below those of the user.
    own: u32,
    users: u32,
}

impl Carrier {
    /// Finds the signals of the side band in this channel.
    pub fn of(channel: &Channel, side_band: SideBand) -> Result<Self, Error> {
        let place = |name: &str, width: u32| match width {
            0 => Ok(None),
            _ => channel.field(name).map(|(width, at)| Some((width, at))),
        };
        let tuser = place("tuser", side_band.tuser)?;
        let own = tuser.as_ref().map_or(0, |(width, _)| width.saturating_sub(side_band.tuser));
        Ok(Carrier {
            tid: place("tid", side_band.tid)?.map(|(_, at)| at.start),
            tdest: place("tdest", side_band.tdest)?.map(|(_, at)| at.start),
            tuser: tuser.map(|(_, at)| (at.start, at.len())),
            own,
            users: side_band.tuser,
        })
    }

    /// Writes the side band to a transfer in which its bits are 0.
    pub fn put(&self, item: &mut Item, along: &SideBandStimulus) {
        for (place, value) in [(self.tid, along.tid), (self.tdest, along.tdest)] {
            place.into_iter().for_each(|at| item[at] = value);
        }
        if let Some((start, count)) = self.tuser {
            for (i, limb) in along.tuser.iter().enumerate() {
                item[start + i] |= limb << self.own;
                if i + 1 < count {
                    item[start + i + 1] |= limb.checked_shr(64 - self.own).unwrap_or(0);
                }
            }
        }
    }

    /// Reads the side band from a transfer.
    pub fn get(&self, item: &Item) -> SideBandStimulus {
        let value = |place: Option<usize>| place.map_or(0, |at| item[at]);
        let limb = |(start, count): (usize, usize), i: usize| {
            let above = if i + 1 < count { item[start + i + 1] } else { 0 };
            let above = above.checked_shl(64 - self.own).unwrap_or(0);
            (item[start + i] >> self.own | above) & ones(self.users, i)
        };
        let limbs = self.users.div_ceil(64) as usize;
        let tuser = self.tuser.map_or_else(Vec::new, |place| (0..limbs).map(|i| limb(place, i)).collect());
        SideBandStimulus { tid: value(self.tid), tdest: value(self.tdest), tuser }
    }
}

/// Returns for each frame the first of its beats, if any, whose side band differs from `expected` for this frame and
/// beat.
pub fn strays(
    channel: &Channel,
    side_band: SideBand,
    items: &[Item],
    expected: impl Fn(usize, usize) -> Option<SideBandStimulus>,
) -> Result<Vec<Option<String>>, Error> {
    let carrier = Carrier::of(channel, side_band)?;
    let last = channel.field("tlast")?.1.start;
    let (mut strays, mut stray, mut beat) = (Vec::new(), None, 0);
    for item in items {
        let wrong = || difference(&expected(strays.len(), beat)?, &carrier.get(item));
        stray = stray.or_else(|| wrong().map(|what| format!("beat {beat}, {}_{what}", channel.name())));
        beat += 1;
        if item[last] != 0 {
            strays.push(stray.take());
            beat = 0;
        }
    }
    Ok(strays)
}

/// The first signal that differs.
pub fn difference(expected: &SideBandStimulus, got: &SideBandStimulus) -> Option<String> {
    let hex = |limbs: &[u64]| limbs.iter().rev().map(|limb| format!("{limb:016x}")).collect::<String>();
    let of = |along: &SideBandStimulus| [vec![along.tid], vec![along.tdest], along.tuser.clone()];
    let signals = ["tid", "tdest", "tuser"].into_iter().zip(of(expected).into_iter().zip(of(got)));
    let (name, (expected, got)) = signals.into_iter().find(|(_, (expected, got))| expected != got)?;
    Some(format!("{name}: 0x{}, expected 0x{}", hex(&got), hex(&expected)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::ports::interface;

    /// A channel with this number of bits of its own below those of the user.
    fn channel(own: u32, side_band: SideBand) -> Channel {
        let fields = [
            ("tdata", 64),
            ("tkeep", 8),
            ("tlast", 1),
            ("tid", side_band.tid),
            ("tdest", side_band.tdest),
            ("tuser", own + side_band.tuser),
        ];
        let fields = fields.into_iter().filter(|(_, width)| *width > 0);
        let ports = Ports::of_interfaces(vec![interface("m_axis", Direction::Out, &["tvalid", "tready"], fields)]);
        Channel::output(&ports, "m_axis").expect("a whole stream")
    }

    #[test]
    fn what_is_put_is_read_again_and_nothing_else_changes() {
        let mut random = Random::new(3);
        for (tid, tdest, tuser) in [(0, 0, 0), (8, 4, 0), (32, 8, 97), (0, 0, 59), (0, 1, 60), (1, 0, 128), (0, 0, 256)]
        {
            let side_band = SideBand { tid, tdest, tuser };
            for own in [1, 5] {
                let channel = channel(own, side_band);
                let carrier = Carrier::of(&channel, side_band).expect("it has the ports");
                for along in draw(side_band, 20, &mut random) {
                    let mut item = vec![0; channel.limbs()].into_boxed_slice();
                    let user = channel.field("tuser").expect("it is there").1.start;
                    (item[0], item[2], item[user]) = (7, 1, (1 << own) - 1);
                    carrier.put(&mut item, &along);
                    assert_eq!(carrier.get(&item), along, "{side_band:?}");
                    assert_eq!((item[0], item[2], item[user] & ((1 << own) - 1)), (7, 1, (1 << own) - 1));
                }
            }
        }
    }

    #[test]
    fn a_stray_is_named_with_its_beat() {
        let side_band = SideBand { tid: 8, tdest: 0, tuser: 70 };
        let channel = channel(5, side_band);
        let carrier = Carrier::of(&channel, side_band).expect("it has the ports");
        let sent = draw(side_band, 4, &mut Random::new(1));
        let mut items: Vec<Item> = sent
            .iter()
            .map(|along| {
                let mut item = vec![0; channel.limbs()].into_boxed_slice();
                carrier.put(&mut item, along);
                item
            })
            .collect();
        (items[1][2], items[3][2]) = (1, 1);
        let expected = |frame: usize, beat: usize| sent.get(2 * frame + beat).cloned();
        assert_eq!(strays(&channel, side_band, &items, expected).expect("it has the ports"), [None, None]);
        let tid = items[2][3];
        items[2][3] ^= 1;
        let found = strays(&channel, side_band, &items, expected).expect("it has the ports");
        let what = format!("beat 0, m_axis_tid: 0x{:016x}, expected 0x{tid:016x}", tid ^ 1);
        assert_eq!(found, [None, Some(what)]);
        items[2][3] ^= 1;
        items[1][5] ^= 1 << 8;
        let found = strays(&channel, side_band, &items, expected).expect("it has the ports");
        assert!(found[0].as_ref().is_some_and(|what| what.starts_with("beat 1, m_axis_tuser: ")), "{found:?}");
    }
}
