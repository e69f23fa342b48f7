// SPDX-License-Identifier: MIT OR Apache-2.0
//! The macros of `rtl-model`: records of signals, and nets called after the Rust bindings that hold them.

mod bindings;
mod bundle;
mod docs;
mod marks;
mod shape;
mod states;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, Item, parse_macro_input};

/// Makes a struct of signals a record that can be held in registers and memories, carried through ports and chosen between.
/// The struct has one type parameter, bound by `Reading`, and fields that are themselves signals over it. Of a
/// register the synchronous reset acts on the fields marked `#[reset]`.
///
/// A record with a handshake is an interface of the stage. A field of one bit called `valid` or `tvalid` is the valid of its record,
/// `ready` or `tready` its ready; a field of another name is marked `#[valid]` or `#[ready]`. What stands beside its record
/// names it: `#[valid(record)]`, `#[ready(record)]`, where the record may be one of the other direction, and for further
/// payload `#[with(record)]`.
///
/// On a struct marked `#[shape(config: Config)]`, or `#[shape]` without parameters, the widths stand at the fields, as expressions
/// of the parameters: `#[width(..)]` on `Bits`, `Wide`, and options and arrays of them, `#[shape(..)]` with any shape of the field. Without
/// an attribute `Bits` has one bit, and a bundle is one of the same parameters or of none. `Name::shape(config)` is the record of
/// them.
///
/// The fields of a record that is marked `#[flatten]` are called as those of the record around it, without its name before them.
#[proc_macro_derive(Bundle, attributes(reset, valid, ready, with, width, shape, flatten))]
pub fn bundle(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    bundle::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// Makes an enum whose variants have no data the states of a sequence, `rtl_model::States`. The first variant is the state at power-up
/// and after reset.
#[proc_macro_derive(States)]
pub fn states(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    states::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// On an `impl` or a function: a net of the hardware is called after the binding, the parameter or the function that it comes
/// from, so that `let hit = a & b` prints as `hit`; and what a constructor makes for a field of its struct lies in a scope of
/// that name, after which registers and memories are called. On the struct: the doc comments of the fields are those of the
/// scopes. It costs the model nothing.
#[proc_macro_attribute]
pub fn name_nets(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as Item);
    bindings::expand(item).unwrap_or_else(Error::into_compile_error).into()
}
