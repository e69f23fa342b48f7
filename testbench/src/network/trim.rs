// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trimming: of a frame for which there is no room the headers go on, with another DSCP (uet.md 1.12).

use super::FrameBytes;
use super::headers::Headers;

/// What becomes of the lengths in the headers of a trimmed frame: switches differ (uet.md 1.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// They become those of the frame.
    Adjusted,
    /// That of IP becomes that of the frame, with the checksum of IPv4; that of UDP stays.
    IpAdjusted,
    /// They stay, and so does the checksum of IPv4, also if it was that of another DSCP.
    Kept,
}

/// How a switch trims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trimming {
    /// The DSCP of frames that may be trimmed.
    pub trimmable: u8,
    /// The DSCP of trimmed frames.
    pub trimmed: u8,
    /// Bytes that are left from the UDP header on; 24 is the least: UDP, and 16 of the PDS header.
    pub keep: usize,
    /// The lengths in the headers.
    pub lengths: Lengths,
}

impl Trimming {
    /// Trims a frame; gives it back if it may not be trimmed, or is no longer than what would be left.
    pub fn trim(&self, mut frame: FrameBytes) -> Result<FrameBytes, FrameBytes> {
        let Some(headers) = Headers::of(&frame) else { return Err(frame) };
        let end = headers.transport + self.keep;
        if headers.dscp(&frame) != self.trimmable || frame.len() <= end {
            return Err(frame);
        }
        frame.truncate(end);
        match self.lengths {
            Lengths::Adjusted | Lengths::IpAdjusted => {
                headers.set_dscp(&mut frame, self.trimmed);
                headers.set_lengths(&mut frame, self.lengths == Lengths::Adjusted);
            }
            Lengths::Kept => headers.put_dscp(&mut frame, self.trimmed),
        }
        Ok(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{PSN, TRIMMABLE, ack, data, data_v6};
    use super::*;
    use golden_vectors::headers::codec::{Options, read};

    const TRIMMING: Trimming = Trimming { trimmable: TRIMMABLE, trimmed: 16, keep: 24, lengths: Lengths::Adjusted };

    #[test]
    fn the_headers_are_left() {
        for (frame, network) in [(data(7, 4096), 20), (data_v6(7, 4096), 40)] {
            let trimmed = TRIMMING.trim(frame.clone()).expect("it is long");
            assert_eq!(trimmed.len(), 14 + network + 24);
            let headers = Headers::of(&trimmed).expect("it is IP");
            assert_eq!((headers.dscp(&trimmed), headers.source_port(&trimmed)), (16, Some(7)));
            let line =
                serde_json::Value::Object(read(&trimmed, &Options { trimming: true, ..Options::default() }).line());
            assert_eq!(line["verdict"], "ok", "{line}");
            assert_eq!(line["uet"]["psn"], PSN, "{line}");
            assert_eq!(TRIMMING.trim(trimmed.clone()), Err(trimmed), "once");
        }
    }

    #[test]
    fn lengths_can_stay() {
        let frame = data(7, 4096);
        let kept = Trimming { lengths: Lengths::Kept, ..TRIMMING }.trim(frame.clone()).expect("it is long");
        assert_eq!((kept.len(), &kept[16..18], &kept[38..40]), (58, &frame[16..18], &frame[38..40]));
    }

    #[test]
    fn others_are_not_trimmed() {
        assert!(TRIMMING.trim(ack(7)).is_err());
        assert!(Trimming { trimmable: 5, ..TRIMMING }.trim(data(7, 4096)).is_err());
        assert!(TRIMMING.trim(vec![0; 1500]).is_err());
    }
}
