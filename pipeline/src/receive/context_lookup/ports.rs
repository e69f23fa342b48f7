// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/context_lookup.md`, defines each field.

use super::config::ContextLookupConfig;
use rtl_model::{Bits, Bundle, Reading};

/// Codes of commands.
pub mod op {
    /// Says whether a key is in the table.
    pub const READ: u64 = 0;
    /// Puts a key into the table.
    pub const INSERT: u64 = 1;
    /// Takes a key out of the table.
    pub const REMOVE: u64 = 2;
}

/// Width of the code of a kind.
pub const KIND_WIDTH: u32 = 2;
/// Width of the code of a command.
pub const OP_WIDTH: u32 = 2;

/// A look-up.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Lookup<L: Reading> {
    /// There is a look-up; it is always taken.
    pub valid: Bits<L>,
    /// The code of the kind of key: 0 RoCEv2, 1 UET, 2 ELAB.
    #[width(KIND_WIDTH)]
    pub kind: Bits<L>,
    /// The key, or its lowest 64 bits: the destination QP, the PDC identifier with its direction, or the lower half of the destination address.
    #[shape(config.low_word())]
    pub key: Bits<L>,
    /// Upper half of the destination address.
    #[shape(config.high_word())]
    pub key_1: Option<Bits<L>>,
    /// Lower half of the source address.
    #[shape(config.high_word())]
    pub key_2: Option<Bits<L>>,
    /// Upper half of the source address.
    #[shape(config.high_word())]
    pub key_3: Option<Bits<L>>,
}

/// A command on a key.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 insert, 2 remove.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The code of the kind of key.
    #[width(KIND_WIDTH)]
    pub kind: Bits<L>,
    /// The key, or its lowest 64 bits, as in a look-up.
    #[shape(config.low_word())]
    pub key: Bits<L>,
    /// Upper half of the destination address.
    #[shape(config.high_word())]
    pub key_1: Option<Bits<L>>,
    /// Lower half of the source address.
    #[shape(config.high_word())]
    pub key_2: Option<Bits<L>>,
    /// Upper half of the source address.
    #[shape(config.high_word())]
    pub key_3: Option<Bits<L>>,
    /// Insert: the index of the context.
    #[shape(config.index())]
    pub index: Bits<L>,
}

/// The ports of a key, of a look-up or a command.
#[derive(Clone, Copy)]
pub(super) struct KeyPorts<L: Reading> {
    pub kind: Bits<L>,
    /// The lowest word.
    pub low: Bits<L>,
    /// The other words, if keys are that wide.
    pub high: [Option<Bits<L>>; 3],
}

impl<L: Reading> Lookup<L> {
    /// The ports of its key.
    pub(super) fn key_ports(self) -> KeyPorts<L> {
        KeyPorts { kind: self.kind, low: self.key, high: [self.key_1, self.key_2, self.key_3] }
    }
}

impl<L: Reading> Command<L> {
    /// The ports of its key.
    pub(super) fn key_ports(self) -> KeyPorts<L> {
        KeyPorts { kind: self.kind, low: self.key, high: [self.key_1, self.key_2, self.key_3] }
    }
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct ContextLookupIn<L: Reading> {
    /// Look-ups: each asks for the context of a key.
    pub lookup: Lookup<L>,
    /// Commands: keys are inserted, removed and read back.
    pub command: Command<L>,
}

/// The answer to a look-up.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Answer<L: Reading> {
    /// There is an answer.
    #[reset]
    pub valid: Bits<L>,
    /// The key is in the table.
    pub found: Bits<L>,
    /// The index of its context; 0 if it is not found.
    #[shape(config.index())]
    pub index: Bits<L>,
}

/// The response to a command.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The key was in the table before.
    pub present: Bits<L>,
    /// Insert: there is no place for the key.
    pub full: Bits<L>,
    /// The index that the key had; 0 if it was not in the table.
    #[shape(config.index())]
    pub index: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ContextLookupOut<L: Reading> {
    /// The table is being emptied after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// Answers, each `l` + 3 clock cycles after its look-up.
    pub answer: Answer<L>,
    /// Responses, each `l` + 4 clock cycles after its command.
    pub response: Response<L>,
    /// Look-ups of RoCEv2 keys that were not found, since reset. The counter wraps.
    pub unknown_rocev2: Option<Bits<L>>,
    /// Look-ups of UET keys that were not found, since reset. The counter wraps.
    pub unknown_uet: Option<Bits<L>>,
    /// Look-ups of ELAB keys that were not found, since reset. The counter wraps.
    pub unknown_elab: Option<Bits<L>>,
    /// Look-ups of a kind that is not included, since reset. The counter wraps.
    pub unknown_kinds: Bits<L>,
}
