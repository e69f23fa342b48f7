// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a signal does among others: which interface it belongs to, and whether it is payload or handshake. The fields of
//! records say so, while `derive(Bundle)` lists their leaves; nobody reads it out of the names of ports.

use crate::leaf::{Field, LeafSpec, join};
pub use crate::leaf::{Place, Role};

/// What the attributes of a field say of the signals in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    /// What its signal does; without an attribute the name of the field says it.
    pub role: Option<Role>,
    /// The field stands beside the record of this name and belongs to it.
    pub beside: Option<&'static str>,
    /// Another field belongs to this one.
    pub has_others: bool,
}

/// What the name of a field says of a signal of one bit.
fn role_of(name: &str) -> Role {
    match name {
        "valid" | "tvalid" => Role::Valid,
        "ready" | "tready" => Role::Ready,
        _ => Role::Payload,
    }
}

/// The leaves of a field of the record under `prefix`.
pub fn in_field(leaves: &mut [LeafSpec], prefix: &str, field: Field, mark: Mark) {
    let single = leaves.len() == 1 && leaves[0].path.is_empty() && leaves[0].width == 1;
    for leaf in leaves {
        leaf.path.insert(0, field);
        // A record with a handshake of its own stays an interface: the configuration may leave that out.
        if leaf.place.interface.is_some() {
            continue;
        }
        if let Some(role) = mark.role {
            leaf.place.role = role;
        } else if single {
            leaf.place.role = role_of(field.name);
        }
        if let Some(record) = mark.beside {
            leaf.place.interface = Some(join(prefix, record));
        } else if mark.has_others {
            leaf.place.interface = Some(join(prefix, field.name));
            leaf.place.inside = Some(leaf.path.len() - 1);
        }
    }
}

/// The leaves of the record under `prefix`: with a handshake of its own it is an interface. What has no name, the ports as a
/// whole, is none.
pub fn in_record(leaves: &mut [LeafSpec], prefix: &str) {
    let free = |leaf: &LeafSpec| leaf.place.interface.is_none();
    let handshake = leaves.iter().any(|leaf| free(leaf) && leaf.place.role != Role::Payload);
    if prefix.is_empty() || !handshake {
        return;
    }
    for leaf in leaves.iter_mut().filter(|leaf| free(leaf)) {
        leaf.place.interface = Some(prefix.to_owned());
        leaf.place.inside = Some(leaf.path.len());
    }
}
