//! Enumerations that are words of the language: one row a word, read and printed from it.

/// Defines an enumeration whose values are spelled as given.
macro_rules! keywords {
    ($($(#[$doc:meta])* $name:ident { $($value:ident $word:literal)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $value,)*
        }

        impl $name {
            /// All values, in the order of the table.
            pub const ALL: &'static [$name] = &[$($name::$value,)*];

            /// The word.
            pub fn keyword(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }

            /// The value that a word spells.
            pub fn from_keyword(word: &[u8]) -> Option<$name> {
                $(if word == $word.as_bytes() { return Some($name::$value); })*
                None
            }
        }
    )*};
}
pub(crate) use keywords;
