// SPDX-License-Identifier: MIT OR Apache-2.0
//! `derive(Bundle)`: makes a struct of signals a record that can be held in registers and memories, carried
//! through ports and chosen between. The struct has one type parameter, bound by `Reading`, and fields that are
//! themselves signals over it. A field marked `#[reset]` is cleared when its register is reset, the fields of one marked
//! `#[flatten]` are called without its name. Of a bundle marked `#[shape]` the widths stand at the fields.

use crate::{docs, marks, shape};
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, GenericParam};

pub fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let name = &input.ident;
    let parameter = match input.generics.params.iter().collect::<Vec<_>>()[..] {
        [GenericParam::Type(parameter)] => &parameter.ident,
        _ => return Err(Error::new_spanned(&input.generics, "a bundle has one type parameter: <L: Reading>")),
    };
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(name, "a bundle is a struct with named fields"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(name, "a bundle is a struct with named fields"));
    };
    let marks = marks::marks(&data.fields)?;
    let names: Vec<_> = fields.named.iter().map(|f| f.ident.as_ref().expect("named")).collect();
    let texts: Vec<_> = names.iter().map(|n| n.to_string().trim_start_matches("r#").to_string()).collect();
    let docs: Vec<_> = fields.named.iter().map(|field| docs::doc(&field.attrs)).collect();
    let types: Vec<_> = fields.named.iter().map(|f| &f.ty).collect();
    let marked: Vec<_> = fields.named.iter().map(|f| f.attrs.iter().any(|a| a.path().is_ident("reset"))).collect();
    let flat = fields.named.iter().map(shape::is_flattened).collect::<syn::Result<Vec<_>>>()?;
    let shape = shape::shape(input, fields)?;
    Ok(quote! {
        #shape
        impl<#parameter: ::rtl_model::Reading> ::core::clone::Clone for #name<#parameter>
        where #(#types: ::core::marker::Copy),* {
            fn clone(&self) -> Self { *self }
        }
        impl<#parameter: ::rtl_model::Reading> ::core::marker::Copy for #name<#parameter>
        where #(#types: ::core::marker::Copy),* {}
        impl ::rtl_model::Widths for #name<::rtl_model::Shape> {
            fn describe(&self, leaves: &mut ::rtl_model::widths::Leaves) {
                leaves.record(
                    &[#(::rtl_model::widths::FieldSpec {
                        field: ::rtl_model::Field { name: #texts, doc: #docs }, reset: #marked, mark: #marks, flatten: #flat,
                    }),*],
                    &[#(&self.#names),*],
                );
            }
        }
        impl<#parameter: ::rtl_model::Logic> ::rtl_model::Signal for #name<#parameter> {
            type Logic = #parameter;
            type Shape = #name<::rtl_model::Shape>;
            fn visit(&self, visit: &mut dyn FnMut(::rtl_model::Leaf<#parameter>)) {
                #(::rtl_model::Signal::visit(&self.#names, visit);)*
            }
            fn build(
                shape: &Self::Shape, next: &mut dyn FnMut(u32, bool) -> ::rtl_model::Leaf<#parameter>,
            ) -> Self {
                #name { #(#names: <#types as ::rtl_model::Signal>::build(&shape.#names, next)),* }
            }
            fn shape(&self) -> Self::Shape {
                #name { #(#names: ::rtl_model::Signal::shape(&self.#names)),* }
            }
            fn fits(&self, shape: &Self::Shape) -> bool {
                true #(&& ::rtl_model::Signal::fits(&self.#names, &shape.#names))*
            }
            #[track_caller]
            fn select(c: ::rtl_model::Bits<#parameter>, a: Self, b: Self) -> Self {
                #name { #(#names: <#types as ::rtl_model::Signal>::select(c, a.#names, b.#names)),* }
            }
            #[track_caller]
            fn or(a: Self, b: Self) -> Self {
                #name { #(#names: <#types as ::rtl_model::Signal>::or(a.#names, b.#names)),* }
            }
        }
    })
}
