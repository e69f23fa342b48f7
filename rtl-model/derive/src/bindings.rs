// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[name_nets]`: after every binding stands a call that names the value if it is a signal and does nothing otherwise, and
//! what a constructor makes for a field of its struct lies in the scope of that name.
//!
//! A function has one body for all readings; what gives names stands behind a constant of the reading:
//!
//! ```text
//! fn f(&self, a: Bits<L>) -> Bits<L> {              let _call = Call::<L>::begin();
//!     let hit = a & self.b.get();                   if L::NAMES { name!(Parameter, a) }
//!     hit | self.c.get()                            let hit = a & self.b.get();
//! }                                                 if L::NAMES { name!(Binding, hit) }
//!                                                   let result: Bits<L> = hit | self.c.get();
//!                                                   if L::NAMES { name!(Result, result as "f") }
//!                                                   result
//! ```

use crate::docs;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Error, Expr, FnArg, GenericParam, Generics, ImplItem, Item, Member, Pat, ReturnType, Signature, Stmt, Type,
    TypeParamBound, parse_quote,
};

pub fn expand(mut item: Item) -> syn::Result<TokenStream> {
    match &mut item {
        Item::Impl(list) => {
            let (outer, own) = (list.generics.clone(), last_name(&list.self_ty));
            for one in &mut list.items {
                if let ImplItem::Fn(function) = one {
                    rewrite(&outer, own.as_ref(), &function.sig, &mut function.block);
                }
            }
        }
        Item::Struct(component) => {
            let documented = docs::documented(component)?;
            return Ok(quote!(#item #documented));
        }
        Item::Fn(function) => rewrite(&Generics::default(), None, &function.sig, &mut function.block),
        other => return Err(Error::new_spanned(other, "`name_nets` stands on a struct, an `impl` or a function")),
    }
    Ok(quote!(#item))
}

/// Adds what gives names to a function that is generic over a reading.
fn rewrite(outer: &Generics, own: Option<&Ident>, signature: &Signature, block: &mut Block) {
    let Some(reading) = reading(&signature.generics).or_else(|| reading(outer)) else { return };
    if signature.constness.is_some() {
        return;
    }
    if let Some(component) = component(&signature.output, own) {
        let ReturnType::Type(_, made) = &signature.output else { return };
        Scopes { reading: &reading, made, component }.visit_block_mut(block);
    }
    Bindings { reading: &reading }.visit_block_mut(block);
    name_result(&reading, signature, block);
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.pat),
        FnArg::Receiver(_) => None,
    });
    let parameters = inputs.flat_map(identifiers).map(|name| call(&reading, "Parameter", &name, &name));
    let statements = &block.stmts;
    *block = parse_quote!({
        #[allow(unused_imports)]
        use ::rtl_model::names::{Named as _, Nameless as _};
        let _call = ::rtl_model::names::Call::<#reading>::begin();
        #(#parameters)*
        #(#statements)*
    });
}

/// The reading that a function is generic over: `L` of `L: Logic`, or that of `T: Signal`.
fn reading(generics: &Generics) -> Option<Type> {
    let bound_by = |wanted: &str| {
        generics.params.iter().find_map(|parameter| match parameter {
            GenericParam::Type(parameter) => {
                let is = |bound: &TypeParamBound| match bound {
                    TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|s| s.ident == wanted),
                    _ => false,
                };
                parameter.bounds.iter().any(is).then(|| parameter.ident.clone())
            }
            _ => None,
        })
    };
    let logic = bound_by("Logic").map(|name| parse_quote!(#name));
    logic.or_else(|| bound_by("Signal").map(|name| parse_quote!(<#name as ::rtl_model::Signal>::Logic)))
}

/// Names what a function returns after it, unless the type cannot be written down for a binding.
fn name_result(reading: &Type, signature: &Signature, block: &mut Block) {
    let ReturnType::Type(_, returned) = &signature.output else { return };
    if has_impl(returned) {
        return;
    }
    let Some(Stmt::Expr(value, None)) = block.stmts.pop_if(|last| matches!(last, Stmt::Expr(_, None))) else { return };
    let result = format_ident!("result_of_{}", signature.ident.to_string().trim_start_matches("r#"));
    let name = call(reading, "Result", &result, &signature.ident);
    block.stmts.push(parse_quote!(let #result: #returned = #value;));
    block.stmts.push(name);
    block.stmts.push(Stmt::Expr(parse_quote!(#result), None));
}

fn has_impl(of: &Type) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_type_impl_trait_mut(&mut self, _: &mut syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type_mut(&mut of.clone());
    find.0
}

/// The statement that names a variable.
fn call(reading: &Type, origin: &str, variable: &Ident, name: &Ident) -> Stmt {
    let origin = Ident::new(origin, variable.span());
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    // With the place of the variable: a type that is not known yet is reported there.
    let call = quote_spanned! {variable.span()=>
        if <#reading as ::rtl_model::logic::Naming>::NAMES {
            (&::rtl_model::names::Held(&#variable)).name(::rtl_model::netlist::circuit::Origin::#origin, #text);
        }
    };
    parse_quote!(#call)
}

/// The last name of a path: `Walker` of `walk::Walker<L>`.
fn last_name(of: &Type) -> Option<Ident> {
    match of {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.clone()),
        _ => None,
    }
}

/// What a constructor makes: the type that the function returns, if it is one with a name.
fn component(output: &ReturnType, own: Option<&Ident>) -> Option<Ident> {
    let ReturnType::Type(_, returned) = output else { return None };
    last_name(returned).and_then(|name| if name == "Self" { own.cloned() } else { Some(name) })
}

/// Opens a scope for every field of what a constructor makes: what is made for the field lies in it.
struct Scopes<'a> {
    reading: &'a Type,
    made: &'a Type,
    component: Ident,
}

impl VisitMut for Scopes<'_> {
    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        visit_mut::visit_expr_struct_mut(self, literal);
        let made = literal.path.segments.last().map(|segment| &segment.ident);
        if !made.is_some_and(|made| *made == self.component || made == "Self") {
            return;
        }
        let (reading, made) = (self.reading, self.made);
        for field in literal.fields.iter_mut().filter(|field| field.colon_token.is_some()) {
            if let (Member::Named(name), value) = (&field.member, &field.expr) {
                let text = name.to_string();
                let text = text.trim_start_matches("r#");
                field.expr = parse_quote!({
                    let _scope = {
                        #[allow(unused_imports)]
                        use ::rtl_model::names::{OfComponent as _, OfOther as _};
                        (&::rtl_model::names::Made::<#made>::new()).enter::<#reading>(#text)
                    };
                    #value
                });
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Adds the calls after the bindings of blocks, in closures too.
struct Bindings<'a> {
    reading: &'a Type,
}

impl VisitMut for Bindings<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let mut statements = Vec::with_capacity(block.stmts.len());
        for statement in block.stmts.drain(..) {
            let names = match &statement {
                Stmt::Local(local) if local.init.is_some() => identifiers(&local.pat),
                Stmt::Expr(Expr::Assign(assign), Some(_)) => assigned(&assign.left).into_iter().collect(),
                _ => Vec::new(),
            };
            statements.push(statement);
            statements.extend(names.iter().map(|name| call(self.reading, "Binding", name, name)));
        }
        block.stmts = statements;
    }

    // What stands inside has no reading of its own, or an attribute of its own.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The variable that is assigned, if it is one as a whole.
fn assigned(left: &Expr) -> Option<Ident> {
    match left {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// The variables of a pattern that have a name to give: not those that begin with `_`.
fn identifiers(pattern: &Pat) -> Vec<Ident> {
    struct Find(Vec<Ident>);
    impl VisitMut for Find {
        fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
            let name = pattern.ident.to_string();
            // A constant in a pattern is written in capitals, and is no variable.
            let variable = name.starts_with(|c: char| c.is_ascii_lowercase()) || name.starts_with("r#");
            if variable {
                self.0.push(pattern.ident.clone());
            }
            visit_mut::visit_pat_ident_mut(self, pattern);
        }
    }
    let mut find = Find(Vec::new());
    find.visit_pat_mut(&mut pattern.clone());
    find.0
}
