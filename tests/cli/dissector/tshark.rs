// SPDX-License-Identifier: MIT OR Apache-2.0
//! tshark with the script that the command prints.

use crate::{Place, ran, root};
use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A frame as it goes into a capture: the bytes that are there, and how many were sent.
pub type Captured = (Vec<u8>, usize);

/// What tshark says of a frame: every value of every field that it has.
pub type Shown = BTreeMap<String, Vec<String>>;

/// Between values of one field; no message has it.
const BETWEEN: char = '|';

/// tshark, and a directory with the script.
pub struct Tshark(Place);

impl Tshark {
    /// Writes the script.
    pub fn new() -> Self {
        let version = std::process::Command::new("tshark").arg("--version").output();
        assert!(version.is_ok_and(|output| output.status.success()), "tshark is missing; Debian has it as `tshark`");
        let place = Place::fresh();
        let script = place.run("dissector").good();
        place.write("mpnic.lua", script);
        Self(place)
    }

    /// Writes another file beside it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        self.0.write(name, bytes)
    }

    /// Writes a capture.
    pub fn capture(&self, frames: &[Captured]) -> PathBuf {
        let mut bytes = Vec::new();
        // Version 2.4, no time zone, link type Ethernet.
        for word in [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 0x0004_0000, 1] {
            bytes.extend(word.to_le_bytes());
        }
        for (frame, sent) in frames {
            for word in [0, 0, frame.len() as u32, *sent as u32] {
                bytes.extend(word.to_le_bytes());
            }
            bytes.extend(frame);
        }
        self.write("frames.pcap", bytes)
    }

    /// The text of a capture with all details, frame by frame, with the script or without it.
    pub fn text(&self, capture: &Path, with_script: bool) -> Vec<String> {
        let before: &[&str] = if with_script { &["-X", "lua_script:mpnic.lua"] } else { &[] };
        let text = self.run(&[before, &["-V", "-r"]].concat(), capture);
        let frames: Vec<_> = format!("\n{text}").split("\nFrame ").skip(1).map(str::to_owned).collect();
        assert!(!frames.is_empty(), "{text}");
        frames
    }

    /// The fields of our headers of every frame, with `more` fields and, in front of the script, `options`.
    pub fn fields(&self, capture: &Path, more: &[&str], options: &[&str]) -> Vec<Shown> {
        let filters = golden_vectors::dissector::filters();
        let names: Vec<_> = filters.iter().map(String::as_str).chain(more.iter().copied()).collect();
        let between = format!("aggregator={BETWEEN}");
        let mut arguments = options.to_vec();
        arguments.extend([
            "-X",
            "lua_script:mpnic.lua",
            "-T",
            "fields",
            "-E",
            "separator=/t",
            "-E",
            "occurrence=a",
            "-E",
            &between,
        ]);
        names.iter().for_each(|name| arguments.extend(["-e", name]));
        arguments.push("-r");
        let shown = |line: &str| {
            let values = names.iter().zip(line.split('\t')).filter(|(_, values)| !values.is_empty());
            values
                .map(|(name, values)| ((*name).to_owned(), values.split(BETWEEN).map(str::to_owned).collect()))
                .collect()
        };
        self.run(&arguments, capture).lines().map(shown).collect()
    }

    /// Runs it. Lua says what is wrong on standard error while it loads, and in the tree later on.
    fn run(&self, arguments: &[&str], capture: &Path) -> String {
        let mut command = Command::new("tshark");
        // A configuration of the user's would change what is shown.
        command.env("HOME", self.0.path("")).env("XDG_CONFIG_HOME", self.0.path(""));
        let ran = ran(command.current_dir(self.0.path("")).arg("-n").args(arguments).arg(capture));
        assert!(!ran.err.contains("Lua") && !ran.out.contains("Lua Error"), "{}{}", ran.err, first_error(&ran.out));
        ran.good()
    }
}

fn first_error(text: &str) -> &str {
    text.lines().find(|line| line.contains("Lua Error")).unwrap_or_default()
}

/// One of the committed captures, and the frames in it.
pub fn committed(name: &str) -> (PathBuf, Vec<Vec<u8>>) {
    let path = root().join("golden-vectors/captures").join(name);
    let bytes = std::fs::read(&path).expect("committed");
    let mut reader = pcap_file::pcap::PcapReader::new(&bytes[..]).expect("a capture");
    let mut frames = Vec::new();
    while let Some(packet) = reader.next_packet() {
        frames.push(packet.expect("a packet").data.into_owned());
    }
    (path, frames)
}

/// The only value of a field, as a number.
pub fn number(shown: &Shown, name: &str) -> Option<i128> {
    let values = shown.get(name)?;
    assert_eq!(values.len(), 1, "{name}: {values:?}");
    Some(parsed(&values[0]).unwrap_or_else(|| panic!("{name}: {values:?}")))
}

fn parsed(text: &str) -> Option<i128> {
    match text {
        "True" => Some(1),
        "False" => Some(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
    }
}

/// Whether a field is one that the record does not have: the bits of a field, or what follows from others.
pub fn is_detail(name: &str) -> bool {
    let prefixes = ["mpnic.mpeh.data_flags.", "mpnic.mpeh.ack_flags.", "mpnic.aeth.syndrome.", "mpnic.tss."];
    name == "mpnic.uet.flags" || prefixes.iter().any(|prefix| name.starts_with(prefix))
}
