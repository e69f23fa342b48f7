// SPDX-License-Identifier: MIT OR Apache-2.0
//! `derive(States)`: the states of a sequence, with their order and their names in Verilog.

use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Ident};

pub fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let name = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(name, "states are the variants of an enum"));
    };
    if data.variants.len() < 2 {
        return Err(Error::new_spanned(name, "there are two states or more"));
    }
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) || variant.discriminant.is_some() {
            return Err(Error::new_spanned(variant, "a state has neither data nor a number"));
        }
    }
    let states: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let names = states.iter().map(|state| format!("{}_{}", upper(name), upper(state)));
    let numbers = 0..states.len() as u64;
    Ok(quote! {
        #[automatically_derived]
        impl ::rtl_model::States for #name {
            const ALL: &'static [(Self, &'static str)] = &[#((#name::#states, #names)),*];
            fn number(self) -> u64 {
                match self {
                    #(#name::#states => #numbers,)*
                }
            }
        }
    })
}

/// `HAS_ACK` of `HasAck`.
fn upper(name: &Ident) -> String {
    let name = name.unraw().to_string();
    let words = name.char_indices().flat_map(|(at, letter)| {
        let begins = at > 0 && letter.is_ascii_uppercase();
        begins.then_some('_').into_iter().chain([letter.to_ascii_uppercase()])
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn mistakes_have_texts() {
        let error = |input: DeriveInput| expand(&input).expect_err("a mistake").to_string();
        assert_eq!(
            error(parse_quote!(
                struct S;
            )),
            "states are the variants of an enum"
        );
        assert_eq!(
            error(parse_quote!(
                enum S {
                    A,
                }
            )),
            "there are two states or more"
        );
        let with_data = "a state has neither data nor a number";
        assert_eq!(
            error(parse_quote!(
                enum S {
                    A,
                    B(u32),
                }
            )),
            with_data
        );
        assert_eq!(
            error(parse_quote!(
                enum S {
                    A = 3,
                    B,
                }
            )),
            with_data
        );
    }

    #[test]
    fn names_are_those_of_verilog() {
        let text = expand(&parse_quote!(
            enum Step {
                Idle,
                HasAck,
            }
        ))
        .expect("no mistake")
        .to_string();
        assert!(text.contains("\"STEP_IDLE\"") && text.contains("\"STEP_HAS_ACK\""), "{text}");
    }
}
