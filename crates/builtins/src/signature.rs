//! Types of arguments and results, and their notation: `u32(u32*,u32,i32,i32)`.
//!
//! ```text
//!   signature = type "(" [ type { "," type } ] ")"        ", ..." for any number of further arguments
//!   type      = [ "const " ] base { "*" } | callback
//!   base      = void bool char T va_list  i16 i32 i64  u8 u16 u32 u64 u128  f32 f64 f32x2
//!   callback  = void(*)(void*)  void(*)(void*,void*)  void(*)(void*,u64)  void*(*)(u64)
//! ```
//!
//! The rows of the table are written in this notation and read by `Signature::parse` while the
//! crate is compiled, so a slip of the pen is a compile error and nothing is read at run time.

use std::fmt;

/// What a pointer points to in the end, or a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// Nothing.
    Void,
    /// True or false.
    Bool,
    /// A character of a string.
    Char,
    /// An integer.
    Int {
        /// Whether it has a sign.
        signed: bool,
        /// Its width.
        bits: u8,
    },
    /// A floating-point number.
    Float {
        /// Its width.
        bits: u8,
    },
    /// Two `f32` in 64 bits.
    FloatPair,
    /// Any type that the builtin takes.
    Any,
    /// The state of a walk over variable arguments.
    VaList,
    /// A function that the builtin calls.
    Callback(Callback),
}

/// The functions that builtins take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callback {
    /// `void(*)(void*)`: makes or ends an object, or frees memory.
    Object,
    /// `void(*)(void*,void*)`: copies an object.
    Copy,
    /// `void(*)(void*,u64)`: frees memory of a size.
    SizedFree,
    /// `void*(*)(u64)`: allocates memory.
    Allocate,
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The type without stars.
    pub base: Base,
    /// The number of stars.
    pub stars: u8,
    /// Whether what is pointed to is only read.
    pub read_only: bool,
}

/// Result and parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// What comes back.
    pub result: Type,
    params: [Type; Signature::MOST],
    count: u8,
    /// Whether further arguments of any type may follow.
    pub variadic: bool,
}

const fn int(signed: bool, bits: u8) -> Base {
    Base::Int { signed, bits }
}

/// The words for types; a word that begins like another stands before it.
const WORDS: [(&str, Type); 20] = [
    (
        "void(*)(void*,void*)",
        Type::of(Base::Callback(Callback::Copy)),
    ),
    (
        "void(*)(void*,u64)",
        Type::of(Base::Callback(Callback::SizedFree)),
    ),
    ("void(*)(void*)", Type::of(Base::Callback(Callback::Object))),
    (
        "void*(*)(u64)",
        Type::of(Base::Callback(Callback::Allocate)),
    ),
    ("void", Type::VOID),
    ("bool", Type::of(Base::Bool)),
    ("char", Type::of(Base::Char)),
    ("va_list", Type::of(Base::VaList)),
    ("T", Type::of(Base::Any)),
    ("i16", Type::of(int(true, 16))),
    ("i32", Type::of(int(true, 32))),
    ("i64", Type::of(int(true, 64))),
    ("u8", Type::of(int(false, 8))),
    ("u16", Type::of(int(false, 16))),
    ("u32", Type::of(int(false, 32))),
    ("u64", Type::of(int(false, 64))),
    ("u128", Type::of(int(false, 128))),
    ("f32x2", Type::of(Base::FloatPair)),
    ("f32", Type::of(Base::Float { bits: 32 })),
    ("f64", Type::of(Base::Float { bits: 64 })),
];

impl Type {
    /// No value.
    pub const VOID: Type = Type::of(Base::Void);

    /// A value of a type without stars.
    pub const fn of(base: Base) -> Type {
        Type {
            base,
            stars: 0,
            read_only: false,
        }
    }

    /// Whether it is an address, of data or of a function.
    pub fn is_pointer(self) -> bool {
        self.stars > 0 || matches!(self.base, Base::Callback(_))
    }

    /// What it points to.
    pub fn pointee(self) -> Option<Type> {
        let stars = self.stars.checked_sub(1)?;
        Some(Type {
            stars,
            read_only: self.read_only && stars > 0,
            ..self
        })
    }

    /// The type in LLVM IR; `ptr` for all that lies after an address.
    pub fn llvm(self) -> &'static str {
        if self.is_pointer() {
            return "ptr";
        }
        match self.base {
            Base::Void => "void",
            Base::Bool | Base::Int { bits: 1, .. } => "i1",
            Base::Char | Base::Int { bits: 8, .. } => "i8",
            Base::Int { bits: 16, .. } => "i16",
            Base::Int { bits: 32, .. } => "i32",
            Base::Int { bits: 64, .. } => "i64",
            Base::Int { .. } => "i128",
            Base::Float { bits: 64 } => "double",
            Base::Float { .. } => "float",
            Base::FloatPair => "<2 x float>",
            Base::Any | Base::VaList | Base::Callback(_) => "ptr",
        }
    }

    /// The width of a value in bits; addresses have 64. `None` where it is not fixed.
    pub fn bits(self) -> Option<u32> {
        if self.is_pointer() {
            return Some(64);
        }
        match self.base {
            Base::Bool | Base::Char => Some(8),
            Base::Int { bits, .. } | Base::Float { bits } => Some(bits.into()),
            Base::FloatPair => Some(64),
            Base::Void | Base::Any | Base::VaList | Base::Callback(_) => None,
        }
    }
}

impl Signature {
    /// The most parameters that a builtin has.
    pub const MOST: usize = 10;

    /// Types of the parameters.
    pub fn params(&self) -> &[Type] {
        &self.params[..usize::from(self.count)]
    }

    /// Reads the notation; an empty text is an unknown signature.
    ///
    /// # Panics
    /// On anything else. It is for the rows of the table, where a panic is a compile error.
    pub(crate) const fn parse(text: &'static str) -> Option<Signature> {
        let text = text.as_bytes();
        if text.is_empty() {
            return None;
        }
        let (result, mut at) = read_type(text, 0);
        assert!(starts_with(text, at, "("), "no parameters");
        at += 1;
        let mut signature = Signature {
            result,
            params: [Type::VOID; Signature::MOST],
            count: 0,
            variadic: false,
        };
        while text[at] != b')' {
            if starts_with(text, at, "...") {
                signature.variadic = true;
                at += 3;
            } else {
                let (param, next) = read_type(text, at);
                signature.params[signature.count as usize] = param;
                signature.count += 1;
                at = next;
            }
            assert!(text[at] == b')' || text[at] == b',', "no comma");
            at += (text[at] == b',') as usize;
        }
        assert!(at + 1 == text.len(), "something after the parameters");
        Some(signature)
    }
}

const fn starts_with(text: &[u8], at: usize, word: &str) -> bool {
    let word = word.as_bytes();
    let mut i = 0;
    while i < word.len() {
        if at + i >= text.len() || text[at + i] != word[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The type that stands at a place, and the place after it.
const fn read_type(text: &[u8], mut at: usize) -> (Type, usize) {
    let read_only = starts_with(text, at, "const ");
    if read_only {
        at += 6;
    }
    let mut i = 0;
    while i < WORDS.len() {
        let (word, mut ty) = WORDS[i];
        if starts_with(text, at, word) {
            at += word.len();
            while at < text.len() && text[at] == b'*' {
                ty.stars += 1;
                at += 1;
            }
            ty.read_only = read_only;
            return (ty, at);
        }
        i += 1;
    }
    panic!("no type");
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, ty)| ty.base == self.base);
        let (word, _) = word.expect("every type was read from a word");
        f.write_str(if self.read_only { "const " } else { "" })?;
        f.write_str(word)?;
        (0..self.stars).try_for_each(|_| f.write_str("*"))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.result)?;
        for (i, param) in self.params().iter().enumerate() {
            write!(f, "{}{param}", if i == 0 { "" } else { "," })?;
        }
        match (self.variadic, self.count) {
            (true, 0) => f.write_str("...)"),
            (true, _) => f.write_str(",...)"),
            (false, _) => f.write_str(")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_taken_apart() {
        let signature = Signature::parse("void*(const i32*,f32,void(*)(void*),...)").unwrap();
        assert_eq!(signature.result.pointee(), Some(Type::VOID));
        assert!(signature.variadic);
        let [address, number, callback] = signature.params() else {
            panic!("three parameters");
        };
        assert!(address.read_only && address.is_pointer());
        assert_eq!(address.pointee(), Some(Type::of(int(true, 32))));
        assert_eq!((number.bits(), number.pointee()), (Some(32), None));
        assert_eq!(callback.base, Base::Callback(Callback::Object));
        assert_eq!((callback.bits(), callback.is_pointer()), (Some(64), true));
        assert_eq!(Signature::parse(""), None);
    }

    #[test]
    #[should_panic(expected = "no type")]
    fn an_unknown_type_is_found() {
        Signature::parse("void(i33)");
    }
}
