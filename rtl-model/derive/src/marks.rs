// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[valid]`, `#[ready]` and `#[with]` on the fields of a bundle: what a signal does in an interface that its name and its
//! place do not say.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, Error, Field, Fields, Ident, Meta};

/// The attributes, each with what it makes of the field. The record that a field stands beside goes in brackets.
const KINDS: [&str; 3] = ["valid", "ready", "with"];

/// An attribute of a field.
struct Mark<'a> {
    attribute: &'a Attribute,
    kind: &'static str,
    beside: Option<Ident>,
}

impl<'a> Mark<'a> {
    /// That of a field, if it has one.
    fn of(field: &'a Field) -> syn::Result<Option<Self>> {
        let mut found = None;
        for attribute in &field.attrs {
            let Some(kind) = KINDS.into_iter().find(|kind| attribute.path().is_ident(kind)) else { continue };
            let beside = match &attribute.meta {
                Meta::List(list) => Some(list.parse_args::<Ident>()?),
                Meta::Path(_) if kind != "with" => None,
                _ => return Err(Error::new_spanned(attribute, format!("it names a record: #[{kind}(record)]"))),
            };
            if found.replace(Mark { attribute, kind, beside }).is_some() {
                return Err(Error::new_spanned(attribute, "a signal does one thing in one interface"));
            }
        }
        Ok(found)
    }

    /// Nothing else of the record does the same, and the record is there. That of a `ready` is among the ports of the other
    /// direction.
    fn check(&self, names: &[String], marks: &[Option<Mark>]) -> syn::Result<()> {
        let Mark { attribute, kind, beside } = self;
        let same = |mark: &&Mark| mark.kind == *kind && mark.beside == *beside;
        if *kind != "with" && marks.iter().flatten().filter(same).count() > 1 {
            let of = beside.as_ref().map_or_else(|| "the record".to_owned(), |record| format!("`{record}`"));
            return Err(Error::new_spanned(attribute, format!("{of} has two signals that are its {kind}")));
        }
        match beside {
            Some(record) if *kind != "ready" && !names.iter().any(|name| record == name) => {
                Err(Error::new_spanned(record, format!("there is no field `{record}` beside it")))
            }
            _ => Ok(()),
        }
    }
}

/// What the attributes say, one expression of `role::Mark` a field.
pub fn marks(fields: &Fields) -> syn::Result<Vec<TokenStream>> {
    let name = |field: &Field| field.ident.as_ref().map_or_else(String::new, ToString::to_string);
    let names: Vec<_> = fields.iter().map(name).collect();
    let marks = fields.iter().map(Mark::of).collect::<syn::Result<Vec<_>>>()?;
    for mark in marks.iter().flatten() {
        mark.check(&names, &marks)?;
    }
    let one = |(name, mark): (&String, &Option<Mark>)| {
        let (role, beside) = match mark {
            Some(Mark { kind, beside, .. }) => (role(kind), beside.as_ref()),
            None => (quote!(None), None),
        };
        let beside = match beside.map(|record| record.unraw().to_string()) {
            Some(record) => quote!(Some(#record)),
            None => quote!(None),
        };
        let has_others = marks.iter().flatten().any(|mark| mark.beside.as_ref().is_some_and(|record| record == name));
        quote!(::rtl_model::role::Mark { role: #role, beside: #beside, has_others: #has_others })
    };
    Ok(names.iter().zip(&marks).map(one).collect())
}

fn role(kind: &str) -> TokenStream {
    match kind {
        "valid" => quote!(Some(::rtl_model::role::Role::Valid)),
        "ready" => quote!(Some(::rtl_model::role::Role::Ready)),
        _ => quote!(Some(::rtl_model::role::Role::Payload)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{ItemStruct, parse_quote};

    fn error(bundle: &ItemStruct) -> String {
        marks(&bundle.fields).expect_err("a mistake").to_string()
    }

    #[test]
    fn mistakes_have_texts() {
        let twice = parse_quote!(
            struct S {
                #[valid]
                #[ready]
                a: B,
            }
        );
        assert_eq!(error(&twice), "a signal does one thing in one interface");
        let nothing = parse_quote!(
            struct S {
                #[with]
                a: B,
            }
        );
        assert_eq!(error(&nothing), "it names a record: #[with(record)]");
        let absent = parse_quote!(
            struct S {
                #[valid(record)]
                a: B,
                records: B,
            }
        );
        assert_eq!(error(&absent), "there is no field `record` beside it");
        let two = parse_quote!(
            struct S {
                #[valid(r)]
                a: B,
                #[valid(r)]
                b: B,
                r: B,
            }
        );
        assert_eq!(error(&two), "`r` has two signals that are its valid");
        let bare = parse_quote!(
            struct S {
                #[ready]
                a: B,
                #[ready]
                b: B,
            }
        );
        assert_eq!(error(&bare), "the record has two signals that are its ready");
    }

    #[test]
    fn a_ready_may_name_a_record_of_the_other_direction() {
        let bundle: ItemStruct = parse_quote!(
            struct S {
                #[ready(r)]
                a: B,
                #[with(b)]
                c: B,
                b: B,
            }
        );
        assert_eq!(marks(&bundle.fields).expect("no mistake").len(), 3);
    }
}
