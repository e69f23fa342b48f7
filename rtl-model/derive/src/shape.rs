// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[shape]` on a bundle and `#[width]` or `#[shape]` on its fields: the widths stand at the fields, and the function that
//! makes a record of them is derived.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, DeriveInput, Error, Expr, Field, FieldsNamed, GenericArgument, Meta, PathArguments, Token, Type,
    TypePath, parse_quote,
};

/// `fn shape` of the widths, if the bundle is marked `#[shape]`.
pub fn shape(input: &DeriveInput, fields: &FieldsNamed) -> syn::Result<TokenStream> {
    let Some(asked) = one(&input.attrs, "shape")? else {
        let mut attributes = fields.named.iter().flat_map(|field| &field.attrs);
        return match attributes.find(|attribute| is(attribute, "width") || is(attribute, "shape")) {
            Some(unread) => Err(Error::new_spanned(unread, "the bundle is to be marked #[shape]")),
            None => Ok(TokenStream::new()),
        };
    };
    let parameters = parameters(asked)?;
    let (names, types): (Vec<_>, Vec<_>) = parameters.iter().map(|parameter| (&parameter.name, &parameter.of)).unzip();
    let widths = fields.named.iter().map(|field| widths(field, &names)).collect::<syn::Result<Vec<_>>>()?;
    let (bundle, visible) = (&input.ident, &input.vis);
    let fields = fields.named.iter().map(|field| &field.ident);
    // A bundle of constant widths is a field of any bundle.
    let (generics, all, tuple) = match names[..] {
        [] => (quote!(<Any>), quote!(Any), quote!(_)),
        _ => (quote!(), quote!((#(#types,)*)), quote!((#(#names,)*))),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #bundle<::rtl_model::Shape> {
            /// The widths of the fields.
            #visible fn shape(#(#names: #types),*) -> Self {
                #bundle { #(#fields: #widths),* }
            }
        }
        impl #generics ::rtl_model::widths::ShapeOf<#all> for #bundle<::rtl_model::Shape> {
            fn shape_of(#tuple: #all) -> Self {
                Self::shape(#(#names),*)
            }
        }
    })
}

/// Whether a field is marked `#[flatten]`: one that is a record, and nothing else in an interface.
pub fn is_flattened(field: &Field) -> syn::Result<bool> {
    let Some(attribute) = one(&field.attrs, "flatten")? else { return Ok(false) };
    let is_record = |kind: &Kind<'_>| matches!(kind, Kind::Bundle(_));
    let fits = match kind(&field.ty) {
        Kind::OptionOf(inner) => is_record(&inner),
        kind => is_record(&kind),
    };
    if !fits {
        return Err(Error::new_spanned(attribute, "only a record has fields that can be those of another one"));
    }
    match ["valid", "ready", "with", "reset"].into_iter().find(|name| field.attrs.iter().any(|other| is(other, name))) {
        Some(name) => Err(Error::new_spanned(attribute, format!("the fields of the record say what is #[{name}]"))),
        None => Ok(true),
    }
}

fn is(attribute: &Attribute, name: &str) -> bool {
    attribute.path().is_ident(name)
}

/// The attribute of this name, which stands once at most.
fn one<'a>(attributes: &'a [Attribute], name: &str) -> syn::Result<Option<&'a Attribute>> {
    let mut found = attributes.iter().filter(|attribute| is(attribute, name));
    let first = found.next();
    match found.next() {
        Some(second) => Err(Error::new_spanned(second, format!("#[{name}] stands once"))),
        None => Ok(first),
    }
}

/// A parameter of the function.
struct Parameter {
    name: Ident,
    of: Type,
}

impl Parse for Parameter {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Parameter { name, of: input.parse()? })
    }
}

/// None for a bare `#[shape]`.
fn parameters(asked: &Attribute) -> syn::Result<Vec<Parameter>> {
    match &asked.meta {
        Meta::Path(_) => Ok(Vec::new()),
        _ => {
            let list = asked.parse_args_with(Punctuated::<Parameter, Token![,]>::parse_terminated)?;
            Ok(list.into_iter().collect())
        }
    }
}

/// What a field is, as far as its type says it.
enum Kind<'a> {
    Narrow,
    Wide,
    OptionOf(Box<Kind<'a>>),
    /// So many.
    ArrayOf(Box<Kind<'a>>, &'a Expr),
    Bundle(&'a TypePath),
    Other,
}

/// A type with one type argument: its path, its last name and the argument.
fn split(of: &Type) -> Option<(&TypePath, &Ident, &Type)> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(list) => match list.args.iter().collect::<Vec<_>>()[..] {
            [GenericArgument::Type(argument)] => Some((path, &last.ident, argument)),
            _ => None,
        },
        _ => None,
    }
}

fn kind(of: &Type) -> Kind<'_> {
    if let Type::Array(array) = of {
        return Kind::ArrayOf(Box::new(kind(&array.elem)), &array.len);
    }
    match split(of) {
        Some((_, name, _)) if name == "Bits" => Kind::Narrow,
        Some((_, name, _)) if name == "Wide" => Kind::Wide,
        Some((_, name, inner)) if name == "Option" => Kind::OptionOf(Box::new(kind(inner))),
        Some((path, _, _)) => Kind::Bundle(path),
        None => Kind::Other,
    }
}

/// The expression of the shape of a field.
fn widths(field: &Field, parameters: &[&Ident]) -> syn::Result<TokenStream> {
    let kind = kind(&field.ty);
    match (one(&field.attrs, "width")?, one(&field.attrs, "shape")?) {
        (Some(_), Some(shape)) => Err(Error::new_spanned(shape, "a field has a width or a shape")),
        (Some(width), None) => of_width(width, &kind),
        (None, Some(shape)) => {
            let shape: Expr = shape.parse_args()?;
            Ok(quote!(#shape))
        }
        (None, None) => unsaid(field, &kind, parameters),
    }
}

fn of_width(attribute: &Attribute, kind: &Kind) -> syn::Result<TokenStream> {
    let width: Expr = attribute.parse_args()?;
    let inner: &Kind = match kind {
        Kind::OptionOf(inner) | Kind::ArrayOf(inner, _) => inner,
        kind => kind,
    };
    let at = width.span();
    let of = match inner {
        Kind::Narrow => quote_spanned!(at=> ::rtl_model::bits),
        Kind::Wide => quote_spanned!(at=> ::rtl_model::wide),
        _ => {
            let text = "`Bits`, `Wide`, and options and arrays of them have a width; other fields have a #[shape(..)]";
            return Err(Error::new_spanned(attribute, text));
        }
    };
    Ok(match kind {
        Kind::OptionOf(_) => quote_spanned!(at=> ::core::option::Option::map(#width, #of)),
        Kind::ArrayOf(_, length) => quote_spanned!(at=> [#of(#width); #length]),
        _ => quote_spanned!(at=> #of(#width)),
    })
}

/// Without an attribute: one bit, or a bundle of the same parameters or of none.
fn unsaid(field: &Field, kind: &Kind, parameters: &[&Ident]) -> syn::Result<TokenStream> {
    match kind {
        Kind::Narrow => Ok(quote!(::rtl_model::bits(1))),
        Kind::Bundle(path) => {
            let mut path = (*path).clone();
            if let Some(last) = path.path.segments.last_mut() {
                last.arguments = PathArguments::AngleBracketed(parse_quote!(<::rtl_model::Shape>));
            }
            // A bundle with other parameters is reported at the type.
            Ok(quote_spanned!(path.span()=> <#path as ::rtl_model::widths::ShapeOf<_>>::shape_of((#(#parameters,)*))))
        }
        Kind::Wide => Err(Error::new_spanned(&field.ty, "how wide is it? #[width(..)]")),
        Kind::OptionOf(_) => Err(Error::new_spanned(&field.ty, "when is it there? #[width(..)] or #[shape(..)]")),
        Kind::ArrayOf(..) | Kind::Other => {
            Err(Error::new_spanned(&field.ty, "what are its widths? #[width(..)] or #[shape(..)]"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{Data, Fields};

    fn derived(bundle: &DeriveInput) -> syn::Result<String> {
        let Data::Struct(data) = &bundle.data else { panic!("a struct") };
        let Fields::Named(fields) = &data.fields else { panic!("named fields") };
        shape(bundle, fields).map(|tokens| tokens.to_string())
    }

    fn error(bundle: &DeriveInput) -> String {
        derived(bundle).expect_err("a mistake").to_string()
    }

    /// That of a bundle with one field.
    fn error_of_field(field: &TokenStream) -> String {
        error(&parse_quote!(
            #[shape(config: Config)]
            struct S<L: Reading> {
                #field
            }
        ))
    }

    #[test]
    fn mistakes_in_the_attribute_of_a_bundle_have_texts() {
        let unread = parse_quote!(
            struct S<L: Reading> {
                #[width(8)]
                a: Bits<L>,
            }
        );
        assert_eq!(error(&unread), "the bundle is to be marked #[shape]");
        let twice = parse_quote!(
            #[shape]
            #[shape(config: Config)]
            struct S<L: Reading> {
                a: Bits<L>,
            }
        );
        assert_eq!(error(&twice), "#[shape] stands once");
        let untyped = parse_quote!(
            #[shape(config)]
            struct S<L: Reading> {
                a: Bits<L>,
            }
        );
        assert_eq!(error(&untyped), "expected `:`");
    }

    #[test]
    fn mistakes_at_fields_have_texts() {
        let of_bundle = "`Bits`, `Wide`, and options and arrays of them have a width; other fields have a #[shape(..)]";
        let which = "what are its widths? #[width(..)] or #[shape(..)]";
        for (field, text) in [
            (quote!(#[width(8)] a: Y<L>), of_bundle),
            (quote!(#[width(8)] a: [Y<L>; 2]), of_bundle),
            (quote!(#[width(Some(8))] a: Option<Y<L>>), of_bundle),
            (quote!(#[width(8)] #[shape(bits(8))] a: Bits<L>), "a field has a width or a shape"),
            (quote!(#[width(8)] #[width(9)] a: Bits<L>), "#[width] stands once"),
            (quote!(#[width] a: Bits<L>), "expected attribute arguments in parentheses: #[width(...)]"),
            (quote!(a: Wide<L>), "how wide is it? #[width(..)]"),
            (quote!(a: Option<Bits<L>>), "when is it there? #[width(..)] or #[shape(..)]"),
            (quote!(a: Option<Y<L>>), "when is it there? #[width(..)] or #[shape(..)]"),
            (quote!(a: [Bits<L>; 2]), which),
            (quote!(a: B), which),
        ] {
            assert_eq!(error_of_field(&field), text, "{field}");
        }
    }

    #[test]
    fn only_a_record_is_flattened() {
        let said = |field: TokenStream| {
            let bundle: DeriveInput = parse_quote!(struct S<L: Reading> { #field });
            let Data::Struct(data) = bundle.data else { panic!("a struct") };
            let field = data.fields.into_iter().next().expect("a field");
            is_flattened(&field).map_err(|error| error.to_string())
        };
        let no_record = Err("only a record has fields that can be those of another one".to_owned());
        for (field, expected) in [
            (quote!(#[flatten] a: Y<L>), Ok(true)),
            (quote!(#[flatten] a: Option<y::Y<L>>), Ok(true)),
            (quote!(a: Y<L>), Ok(false)),
            (quote!(#[flatten] a: Bits<L>), no_record.clone()),
            (quote!(#[flatten] a: Option<Wide<L>>), no_record.clone()),
            (quote!(#[flatten] a: [Y<L>; 2]), no_record),
            (quote!(#[flatten] #[flatten] a: Y<L>), Err("#[flatten] stands once".to_owned())),
            (quote!(#[flatten] #[reset] a: Y<L>), Err("the fields of the record say what is #[reset]".to_owned())),
            (quote!(#[with(r)] #[flatten] a: Y<L>), Err("the fields of the record say what is #[with]".to_owned())),
        ] {
            assert_eq!(said(field.clone()), expected, "{field}");
        }
    }

    #[test]
    fn nothing_is_derived_unless_asked_for() {
        let bundle = parse_quote!(
            struct S<L: Reading> {
                a: Wide<L>,
                b: [Y<L>; 2],
            }
        );
        assert_eq!(derived(&bundle).expect("no mistake"), "");
    }
}
