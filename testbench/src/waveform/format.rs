// SPDX-License-Identifier: MIT OR Apache-2.0
//! The formats of a waveform file: declarations, followed by times and changes.

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError,
};
use std::io::{self, Seek, Write};
use std::path::Path;
use vcd::{IdCode, TimescaleUnit, Value};

/// A format of waveform files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump: a text format that every viewer reads.
    Vcd,
    /// Fast signal trace: a small format that opens quickly.
    Fst,
}

impl Format {
    /// The format for the extension of a file's name, `.vcd` or `.fst`.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "vcd" => Some(Format::Vcd),
            "fst" => Some(Format::Fst),
            _ => None,
        }
    }
}

/// A step through the declarations.
pub enum Item<'a> {
    /// A scope begins.
    Enter(&'a str),
    /// A signal of this number of bits. Signals are numbered in this order.
    Signal(&'a str, u32),
    /// The innermost scope ends.
    Leave,
}

/// A file of either format whose declarations have been written.
pub enum Body<W: Write + Seek> {
    /// The code of each signal.
    Vcd(vcd::Writer<W>, Vec<IdCode>),
    /// The number of each signal in the file.
    Fst(Box<FstBodyWriter<W>>, Vec<FstSignalId>),
}

/// FST is written in blocks, one of which is held in memory.
const BLOCK: usize = 1 << 20;

impl<W: Write + Seek> Body<W> {
    /// Writes the declarations.
    pub fn begin<'a>(to: W, format: Format, items: impl Iterator<Item = Item<'a>>) -> io::Result<Self> {
        match format {
            Format::Vcd => begin_vcd(to, items),
            Format::Fst => begin_fst(to, items).map_err(error),
        }
    }

    /// Sets the time of the following changes. Times must increase.
    pub fn time(&mut self, time: u64) -> io::Result<()> {
        match self {
            Body::Vcd(writer, _) => writer.timestamp(time),
            Body::Fst(writer, _) => {
                if writer.size() > BLOCK {
                    writer.flush().map_err(error)?;
                }
                writer.time_change(time).map_err(error)
            }
        }
    }

    /// Writes the new value of a signal; `bits` are `0` and `1`, the highest first.
    pub fn change(&mut self, signal: usize, bits: &[u8]) -> io::Result<()> {
        match self {
            Body::Vcd(writer, codes) => match bits {
                [bit] => writer.change_scalar(codes[signal], Value::from(*bit == b'1')),
                _ => writer.change_vector(codes[signal], bits.iter().map(|bit| Value::from(*bit == b'1'))),
            },
            Body::Fst(writer, ids) => writer.signal_change(ids[signal], bits).map_err(error),
        }
    }

    /// Writes the rest of the file.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Body::Vcd(mut writer, _) => writer.flush(),
            Body::Fst(writer, _) => writer.finish().map_err(error)?.flush(),
        }
    }
}

fn begin_vcd<'a, W: Write + Seek>(to: W, items: impl Iterator<Item = Item<'a>>) -> io::Result<Body<W>> {
    let mut writer = vcd::Writer::new(to);
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut codes = Vec::new();
    for item in items {
        match item {
            Item::Enter(name) => writer.add_module(name)?,
            Item::Signal(name, width) => codes.push(writer.add_wire(width, name)?),
            Item::Leave => writer.upscope()?,
        }
    }
    writer.enddefinitions()?;
    Ok(Body::Vcd(writer, codes))
}

fn begin_fst<'a, W: Write + Seek>(to: W, items: impl Iterator<Item = Item<'a>>) -> Result<Body<W>, FstWriteError> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: concat!("mpnic ", env!("CARGO_PKG_VERSION")).to_owned(),
        // There is no date, so that equal runs give equal files.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut writer = FstHeaderWriter::new(to, &info)?;
    let mut ids = Vec::new();
    for item in items {
        match item {
            Item::Enter(name) => writer.scope(name, "", FstScopeType::Module)?,
            Item::Signal(name, width) => {
                let bits = FstSignalType::bit_vec(width);
                ids.push(writer.var(name, bits, FstVarType::Wire, FstVarDirection::Implicit, None)?);
            }
            Item::Leave => writer.up_scope()?,
        }
    }
    Ok(Body::Fst(Box::new(writer.finish()?), ids))
}

fn error(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}
