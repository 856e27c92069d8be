//! Operations as MLIR's generic form has them: a name, operands, attributes, successors, regions, results.
//!
//! Whatever form an operation was written in, the parser leaves this.

use crate::types::Type;
use std::rc::Rc;

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
pub(crate) struct Attrs<'a>(pub Vec<(Rc<str>, Attr<'a>)>);

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(crate) enum Attr<'a> {
    Unit,
    Bool(bool),
    /// An integer and its type; of hexadecimal spelling all bits count.
    Int(i128, Option<Type>),
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
    /// `dense<…>`; what it makes has a type of its own.
    Dense(Rc<Attr<'a>>),
    /// A word, as enumerations are written.
    Word(&'a str),
    /// `#dialect.name<body>`; the body as it is written.
    Dialect(&'a str, &'a str),
}

impl<'a> Attrs<'a> {
    pub fn get(&self, name: &str) -> Option<&Attr<'a>> {
        self.0
            .iter()
            .find(|(key, _)| **key == *name)
            .map(|(_, value)| value)
    }

    /// Adds an attribute.
    pub fn push(&mut self, name: &str, value: Attr<'a>) {
        self.0.push((name.into(), value));
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

    /// The word of an enumeration, wherever it stands: bare, between `<>`, in `#nvvm.kind<word>` or
    /// `#nvvm<kind word>`.
    pub fn word(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.word()
    }

    /// The same for enumerations that the generic form writes as numbers: the names in their order.
    pub fn choice(&self, name: &str, names: &[&'static str]) -> Option<&'a str> {
        let value = self.get(name)?;
        match value.int() {
            Some(number) => names.get(usize::try_from(number).ok()?).copied(),
            None => value.word(),
        }
    }
}

impl<'a> Attr<'a> {
    pub fn truth(&self) -> bool {
        match self {
            Attr::Bool(value) => *value,
            Attr::Int(value, _) => *value != 0,
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

    /// The word that it is, see [`Attrs::word`].
    pub fn word(&self) -> Option<&'a str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        self.any_word().filter(|word| word.bytes().all(plain))
    }

    fn any_word(&self) -> Option<&'a str> {
        match self {
            Attr::Word(word) => Some(word),
            // `#nvvm<shfl_kind bfly>` and `#nvvm.shfl_kind<bfly>`: the last word says it.
            Attr::Dialect(_, body) => {
                let body = body.trim();
                let body = body.strip_suffix('>').unwrap_or(body);
                body.rsplit([' ', '<']).next()
            }
            _ => None,
        }
    }

    /// The numbers of `array<…>` or of a list.
    pub fn numbers(&self) -> Option<Vec<i128>> {
        match self {
            Attr::Numbers(numbers) => Some(numbers.clone()),
            Attr::Array(values) => values.iter().map(Attr::int).collect(),
            Attr::Dense(values) => values.numbers(),
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
