// SPDX-License-Identifier: MIT OR Apache-2.0
//! A key is one entry: what it means, its name, its type, its default, and the values that are allowed.
//!
//! ```text
//! /// Strict classes of CCCs; the lowest one that has a CCC is served.
//! classes: u64 = 2, Whole(1, 4);
//! ```
//!
//! The comment is that of the field, and that above the key where a configuration is printed, line by line. All values of a
//! flag and all words of an enumeration are allowed, so these say none.

/// Makes a section: a structure with a field for each key, its default, and its keys. `TYPE: name { entries }`, where `name` is
/// the section in the file, and the field of the configuration.
///
/// * `=> function` at the end of an entry: what is read goes through the function.
/// * `flags field: TYPE = default => { flag: WHICH; }` behind the entries: a set, with a key for each that may be in it.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $type:ident: $section:ident {
            $(
                $(#[doc = $help:literal])+
                $name:ident: $of:ty = $default:expr $(, $kind:expr)? $(=> $own:path)?;
            )+
        }
        $(
            $(#[doc = $set_help:literal])+
            flags $set:ident: $set_of:ty = $set_default:expr => {
                $($(#[doc = $flag_help:literal])+ $flag:ident: $which:expr;)+
            }
        )?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $type {
            $($(#[doc = $help])+ pub $name: $of,)+
            $($(#[doc = $set_help])+ pub $set: $set_of,)?
        }

        impl Default for $type {
            fn default() -> Self {
                $type { $($name: $default,)+ $($set: $set_default,)? }
            }
        }

        impl $crate::config::keys::Section for $type {
            const KEYS: &'static [$crate::config::keys::Key] = &[
                $(entry!(
                    stringify!($section), stringify!($name), [$($help)+], kind!($of $(, $kind)?),
                    $section.$name: $of $(=> $own)?
                ),)+
                $($($crate::config::keys::Key {
                    section: stringify!($section),
                    name: stringify!($flag),
                    help: &[$($crate::config::keys::line($flag_help)),+],
                    kind: $crate::config::keys::Kind::Flag,
                    get: |config| $crate::config::keys::Value::Flag(config.$section.$set.has($which)),
                    set: |config, value| {
                        let on = value == $crate::config::keys::Value::Flag(true);
                        config.$section.$set = config.$section.$set.with($which, on);
                    },
                },)+)?
            ];
        }
    };
}

/// Makes the keys of a section whose structure is that of a stage, which has the defaults too. `key = field: TYPE` where they are
/// not of one name.
macro_rules! keys {
    (
        $type:ty: $section:ident {
            $($(#[doc = $help:literal])+ $name:ident $(= $field:ident)?: $of:ty $(, $kind:expr)?;)+
        }
    ) => {
        impl $crate::config::keys::Section for $type {
            const KEYS: &'static [$crate::config::keys::Key] = &[
                $(keys!(@entry $section, $name, [$($help)+], kind!($of $(, $kind)?), $of $(, $field)?),)+
            ];
        }
    };
    (@entry $section:ident, $name:ident, $help:tt, $kind:expr, $of:ty) => {
        keys!(@entry $section, $name, $help, $kind, $of, $name)
    };
    (@entry $section:ident, $name:ident, $help:tt, $kind:expr, $of:ty, $field:ident) => {
        entry!(stringify!($section), stringify!($name), $help, $kind, $section.$field: $of)
    };
}

/// Makes the configuration: the keys at the top, and below them the sections in the order in which they are printed.
macro_rules! configuration {
    (
        $(#[doc = $about:literal])+
        $type:ident {
            $($(#[doc = $help:literal])+ $name:ident: $of:ty = $default:expr, $kind:expr;)+
            $([$section:ident] $holds:ty;)+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $type {
            $($(#[doc = $help])+ pub $name: $of,)+
            $(#[doc = concat!("The section `[", stringify!($section), "]`.")] pub $section: $holds,)+
        }

        impl Default for $type {
            fn default() -> Self {
                $type { $($name: $default,)+ $($section: Default::default(),)+ }
            }
        }

        /// In the order in which they are printed; the keys of a section follow one another.
        const SECTIONS: &[&[Key]] = &[
            &[$(entry!("", stringify!($name), [$($help)+], $kind, $name: $of),)+],
            $(<$holds as Section>::KEYS,)+
        ];
    };
}

/// Makes a key whose value is a field of the configuration.
macro_rules! entry {
    ($section:expr, $name:expr, [$($help:literal)+], $kind:expr, $($place:ident).+: $of:ty $(=> $own:path)?) => {
        $crate::config::keys::Key {
            section: $section,
            name: $name,
            help: &[$($crate::config::keys::line($help)),+],
            kind: $kind,
            get: |config| $crate::config::keys::Field::value(&config.$($place).+),
            set: |config, value| {
                if let Some(read) = <$of as $crate::config::keys::Field>::read(value) {
                    $(let read = $own(read);)?
                    config.$($place).+ = read;
                }
            },
        }
    };
}

/// The values that an entry allows, or all of its type.
macro_rules! kind {
    ($of:ty) => {
        <$of as $crate::config::keys::Whatever>::KIND
    };
    ($of:ty, $kind:expr) => {
        $kind
    };
}

/// Says which words of a configuration mean what: `TYPE = an array of pairs`.
macro_rules! words {
    ($type:ty = $all:expr) => {
        impl $crate::config::keys::Words for $type {
            const ALL: &'static [(&'static str, Self)] = &$all;
            const NAMES: &'static [&'static str] = &$crate::config::keys::names(&$all);
        }
    };
}
