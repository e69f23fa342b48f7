// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of the cases mean. These texts are part of the vector file.

use crate::schema::Note;
use std::collections::BTreeMap;

/// Flag, kind of fault that it finds, description, links to known faults of this kind.
const NOTES: [(&str, &str, &str, &[&str]); 27] = [
    ("BadFrame", "verdict", "The MAC has marked the frame; nothing else counts.", &[]),
    (
        "Bits",
        "data path",
        "Each bit of the headers has a number, and the frames hold a digit each of these numbers: a bit read from the wrong \
         place differs in one of them.",
        &[],
    ),
    ("Boundary", "off by one", "A length or number right at a limit, or one beside it.", &[]),
    (
        "ChecksumFold",
        "arithmetic",
        "The sum of the header's words has a certain number of carries; a fold that loses or repeats one errs.",
        &[
            "https://github.com/alexforencich/verilog-ethernet/issues/264",
            "https://github.com/alexforencich/verilog-ethernet/pull/268",
        ],
    ),
    ("Configured", "configuration", "A stage that is not configured as by default; the group says how.", &[]),
    (
        "Corner",
        "data path",
        "Fields at 0, 1, their maximum or an alternating pattern, or one field unlike all others.",
        &[],
    ),
    ("Corrupted", "verdict", "One bit or one word of the header changed behind the checksum's back.", &[]),
    ("ExtensionHeader", "not ours", "IPv6 with an extension header: passed through, transport not read.", &[]),
    ("Fragment", "not ours", "IPv4 fragment: passed through, transport not read.", &[]),
    ("Inner", "not ours", "What ELAB carries, right or wrong: it is not looked into.", &[]),
    ("Jumbo", "overflow", "Frames near 9000 bytes.", &[]),
    (
        "Long",
        "overflow",
        "Frames of about 128 KiB: the first that are too long, and the last that are not. They end with zeros.",
        &[],
    ),
    ("Mixed", "state", "Random frames of all protocols in no order.", &[]),
    ("Native", "alignment", "UET on IP: the entropy header stands where UDP would.", &[]),
    ("NotOurs", "not ours", "Other people's traffic, passed through untouched.", &[]),
    ("OpCode", "decoding", "Each BTH OpCode, with the headers it asks for.", &[]),
    ("Options", "alignment", "IPv4 options move all that follows.", &[]),
    ("Padding", "length", "Bytes behind the IP packet, which do not count.", &[]),
    ("Precedence", "order of checks", "Two rows of the contract hold at once; the upper one decides.", &[]),
    (
        "Reserved",
        "strictness",
        "Reserved bits or TVer not 0, or all bits but these: reported, and by configuration counted or refused.",
        &[],
    ),
    ("Slack", "length", "Bytes of the IP packet behind the UDP datagram: not payload, and no fault.", &[]),
    ("StaleState", "state", "A frame behind one that had more headers, or fewer; nothing of that one may show.", &[]),
    ("Tagged", "alignment", "One or two 802.1Q tags move all that follows.", &[]),
    ("Trimmed", "length", "What a switch has left of a packet, or something that looks like it.", &[]),
    ("Truncated", "length", "A good frame cut after some byte.", &[]),
    ("Type", "decoding", "Each type of UET, with the headers it has.", &[]),
    ("UdpChecksum", "strictness", "A UDP checksum of 0, or a wrong one: not verified.", &[]),
];

/// The notes of the flags, by flag.
pub fn notes() -> BTreeMap<String, Note> {
    let note = |&(flag, bug_type, description, links): &(&str, &str, &str, &[&str])| {
        let links = links.iter().map(|&link| link.to_owned()).collect();
        (flag.to_owned(), Note { bug_type: bug_type.into(), description: description.into(), links })
    };
    NOTES.iter().map(note).collect()
}
