//! Operations as MLIR's generic form has them: a name, operands, attributes, successors, regions, results.
//!
//! Whatever form an operation was written in, the parser leaves this.

use crate::types::Type;
use std::rc::Rc;
use warpc_diag::Span;

/// An operation.
#[derive(Debug)]
pub(crate) struct Op<'a> {
    /// `llvm.add`
    pub name: &'a str,
    /// Where it stands.
    pub pos: u32,
    pub results: Vec<Value<'a>>,
    pub result_types: Vec<Type>,
    pub operands: Vec<Use<'a>>,
    pub attrs: Attrs<'a>,
    pub successors: Vec<Successor<'a>>,
    pub regions: Vec<Region<'a>>,
}

/// The name of a value: `%x`, or one of several, `%x#1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value<'a> {
    pub name: &'a str,
    pub index: u32,
}

/// A value where it is used, with its type where the text says it.
#[derive(Clone, Debug)]
pub(crate) struct Use<'a> {
    pub value: Value<'a>,
    pub pos: u32,
    pub ty: Option<Type>,
}

/// A block that control may go to.
#[derive(Debug)]
pub(crate) struct Successor<'a> {
    pub block: &'a str,
    pub pos: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Region<'a> {
    pub blocks: Vec<Block<'a>>,
}

/// A block; the first of a region may have no name.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub name: Option<&'a str>,
    pub pos: u32,
    pub args: Vec<(Value<'a>, Type)>,
    pub ops: Vec<Op<'a>>,
}

/// Attributes by name, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attrs<'a>(pub Vec<Entry<'a>>);

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub name: Rc<str>,
    pub value: Attr<'a>,
    /// Where it stands; `None` if the parser made it from other words.
    pub span: Option<Span>,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(crate) enum Attr<'a> {
    Unit,
    Bool(bool),
    /// An integer and its type; of hexadecimal spelling all bits count.
    Int(i128, Option<Type>),
    /// An integer of more bits as it is spelled, and its type.
    Wide(&'a str, Option<Type>),
    /// A float as it is spelled, and its type.
    Float(&'a str, Option<Type>),
    String(Rc<[u8]>),
    Type(Type),
    /// `@a`, or `@a::@b` as a list.
    Symbol(Vec<Rc<[u8]>>),
    Array(Vec<Attr<'a>>),
    Dict(Attrs<'a>),
    /// `array<i32: 1, 2>`
    Numbers(Vec<i128>),
    /// `dense<…> : type`
    Dense(Rc<Attr<'a>>, Option<Type>),
    /// A word, as enumerations are written.
    Word(&'a str),
    /// `#dialect.name<body>`; the body as it is written.
    Dialect(&'a str, &'a str),
}

impl<'a> Attrs<'a> {
    pub fn get(&self, name: &str) -> Option<&Attr<'a>> {
        self.0
            .iter()
            .find(|entry| *entry.name == *name)
            .map(|entry| &entry.value)
    }

    /// Adds an attribute that no dictionary holds.
    pub fn push(&mut self, name: &str, value: Attr<'a>) {
        self.0.push(Entry {
            name: name.into(),
            value,
            span: None,
        });
    }

    /// The same for one that stands at a place.
    pub fn push_at(&mut self, name: &str, value: Attr<'a>, span: Span) {
        self.0.push(Entry {
            name: name.into(),
            value,
            span: Some(span),
        });
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(Attr::truth)
    }

    pub fn int(&self, name: &str) -> Option<i128> {
        self.get(name)?.int()
    }

    pub fn string(&self, name: &str) -> Option<&[u8]> {
        self.get(name)?.string()
    }

    /// The word of an enumeration. Whatever form it was written in, the parser leaves the word.
    pub fn word(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.word()
    }
}

impl<'a> Attr<'a> {
    /// Whether a flag is set; of other attributes, whether they are there.
    pub fn truth(&self) -> bool {
        match self {
            Attr::Bool(value) => *value,
            _ => true,
        }
    }

    pub fn int(&self) -> Option<i128> {
        match self {
            Attr::Int(value, _) => Some(*value),
            Attr::Bool(value) => Some((*value).into()),
            _ => None,
        }
    }

    pub fn string(&self) -> Option<&[u8]> {
        match self {
            Attr::String(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The word of an enumeration, see [`Attrs::word`].
    pub fn word(&self) -> Option<&'a str> {
        match self {
            Attr::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The numbers of `array<…>` or of a list.
    pub fn numbers(&self) -> Option<Vec<i128>> {
        match self {
            Attr::Numbers(numbers) => Some(numbers.clone()),
            Attr::Array(values) => values.iter().map(Attr::int).collect(),
            Attr::Dense(values, ty) => match (&**values, ty) {
                // One number stands for all.
                (Attr::Int(value, _), Some(ty)) => Some(vec![*value; ty.count()?]),
                (Attr::Array(_), _) => values.numbers(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The last part of the name of a symbol.
    pub fn symbol(&self) -> Option<&[u8]> {
        match self {
            Attr::Symbol(path) => path.last().map(|name| &**name),
            _ => None,
        }
    }

    pub fn ty(&self) -> Option<&Type> {
        match self {
            Attr::Type(ty) => Some(ty),
            _ => None,
        }
    }
}
