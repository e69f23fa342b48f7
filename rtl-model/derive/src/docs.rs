// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[name_nets]` on the struct of a component: its doc comments become those of the scopes of its fields. A field without a
//! comment has that of its type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, Expr, Fields, ItemStruct, Lit, Meta};

/// The implementation of `Documented`.
pub fn documented(component: &ItemStruct) -> syn::Result<TokenStream> {
    let Fields::Named(fields) = &component.fields else {
        return Err(Error::new_spanned(component, "a component is a struct with named fields"));
    };
    let (own, name) = (doc(&component.attrs), &component.ident);
    let (generics, arguments, bounds) = component.generics.split_for_impl();
    let arms = fields.named.iter().filter_map(|field| {
        let name = field.ident.as_ref()?.to_string();
        let (text, name, of) = (doc(&field.attrs), name.trim_start_matches("r#").to_owned(), &field.ty);
        Some(match text.is_empty() {
            false => quote!(#name => #text,),
            true => quote!(#name => (&::rtl_model::names::Made::<#of>::new()).doc(),),
        })
    });
    Ok(quote! {
        impl #generics ::rtl_model::names::Documented for #name #arguments #bounds {
            const DOC: &'static str = #own;
            fn doc_of(field: &str) -> &'static str {
                #[allow(unused_imports)]
                use ::rtl_model::names::{OfComponent as _, OfOther as _};
                match field {
                    #(#arms)*
                    _ => "",
                }
            }
        }
    })
}

/// The first paragraph of a doc comment, on one line.
pub fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let paragraph: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ").replace("[`", "`").replace("`]", "`")
}
