// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `#[name_nets]` adds to a function: names for nets, and scopes for the state that a constructor makes.
//!
//! How it finds out which bindings hold signals:
//! `(&Held(&x)).name(..)` is [`Named::name`] where the type of `x` can give names, as the compiler tries it first, and
//! [`Nameless::name`], which does nothing, where it cannot.

pub use crate::call::Call;
pub use crate::called::Called;
use crate::hint::Origin;
use crate::leaf::LeafSpec;
use crate::logic::{Hierarchy, Logic, Naming};
use crate::signal::{Leaf, Signal, leaves};
use crate::widths::leaves_of;
use std::marker::PhantomData;

/// A value that is held by a binding.
pub struct Held<'a, T>(pub &'a T);

/// The types that can be given a name: signals, records of them, and tuples.
pub trait Names {
    /// Offers a name to every net.
    fn offer(&self, origin: Origin, name: &str);
}

impl<T: Signal> Names for T {
    fn offer(&self, origin: Origin, name: &str) {
        if T::Logic::NAMES {
            offer(leaves(self), origin, leaves_of(&self.shape(), name));
        }
    }
}

fn offer<L: Logic>(leaves: Vec<Leaf<L>>, origin: Origin, names: Vec<LeafSpec>) {
    for (leaf, LeafSpec { name, .. }) in leaves.into_iter().zip(names) {
        match leaf {
            Leaf::Narrow(net) => L::offer_name(net, origin, &name),
            Leaf::Wide(net) => L::offer_name_wide(net, origin, &name),
        }
    }
}

macro_rules! tuple {
    ($($type:ident $index:tt),*) => {
        impl<$($type: Names),*> Names for ($($type,)*) {
            fn offer(&self, origin: Origin, name: &str) {
                $(self.$index.offer(origin, &format!("{name}_{}", $index));)*
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

/// For values that can give names.
pub trait Named {
    /// Offers the name to every net of the value.
    fn name(&self, origin: Origin, name: &str);
}

impl<T: Names> Named for Held<'_, T> {
    fn name(&self, origin: Origin, name: &str) {
        self.0.offer(origin, name);
    }
}

/// For all other values.
pub trait Nameless {
    /// Does nothing.
    fn name(&self, _: Origin, _: &str) {}
}

impl<T> Nameless for &Held<'_, T> {}

/// A scope of the hardware: state that is made until it is dropped belongs to it. Scopes nest; a child stage has its
/// own.
#[must_use = "the scope ends when this is dropped"]
pub struct Scope<L: Hierarchy>(PhantomData<L>);

impl<L: Hierarchy> Scope<L> {
    /// Enters a scope, with a comment for the reader of the hardware.
    pub fn enter(name: &str, doc: &str) -> Self {
        L::enter_scope(name, doc);
        Scope(PhantomData)
    }
}

impl<L: Hierarchy> Drop for Scope<L> {
    fn drop(&mut self) {
        L::leave_scope();
    }
}

/// A component whose struct is under `#[name_nets]`.
pub trait Documented {
    /// The first paragraph of its doc comment.
    const DOC: &'static str;
    /// Comment of a field, or of its type.
    fn doc_of(field: &str) -> &'static str;
}

/// A type whose comment is wanted, if it has one.
pub struct Made<T>(PhantomData<T>);

impl<T> Made<T> {
    /// The type.
    #[expect(clippy::new_without_default, reason = "made by the macro alone")]
    pub fn new() -> Self {
        Made(PhantomData)
    }
}

/// For components with comments.
pub trait OfComponent {
    /// Comment of the component.
    fn doc(&self) -> &'static str;
    /// Goes into the scope of a field.
    fn enter<L: Hierarchy>(&self, field: &str) -> Scope<L>;
}

impl<T: Documented> OfComponent for Made<T> {
    fn doc(&self) -> &'static str {
        T::DOC
    }
    fn enter<L: Hierarchy>(&self, field: &str) -> Scope<L> {
        Scope::enter(field, T::doc_of(field))
    }
}

/// For all other types.
pub trait OfOther {
    /// Nothing.
    fn doc(&self) -> &'static str {
        ""
    }
    /// Goes into the scope of a field.
    fn enter<L: Hierarchy>(&self, field: &str) -> Scope<L> {
        Scope::enter(field, "")
    }
}

impl<T> OfOther for &Made<T> {}
