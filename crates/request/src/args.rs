//! The language of kernel arguments.
//!
//! ```text
//!   u32=7            a number                      f32=1.5   s64=-1   b32=0xff
//!   u32[256]=0       a buffer, all elements alike; the kernel gets its address
//!   u32[4]=1,2,3,4   … element by element; `0*8` stands for eight zeros, `u32[]` counts by itself
//!   f32[64]=iota     … 0, 1, 2 …                   iota:START:STEP
//!   u32[64]=random   … the same each time          random:SEED   random:SEED:LOW:HIGH
//!   u8[16]=text:abc  … characters, zeros after
//!   u64[16]@in.bin   … the beginning of a file; `u64[]` takes all of it
//!   {u32=1,f32=2}    a structure by value, members aligned as in C; arrays in it lie in it
//!   hex:01ff  raw@p.bin   bytes by value
//!   null  &0  &data  addresses: none, that of the buffer of argument 0, that of the buffer `data`
//!   &u32[4]=0  &{…}  the address of a buffer with these contents
//!   ptr[]=&a,&b,null a buffer of addresses
//!   tensormap:f16[64x8]@&a:box=64x8   a tensor map, by value: see `tensor_map`
//!   texture:u8x4[64x8]@&a  surface:u32[64]@&a  sampler:filter=linear   handles: see `texture`
//! ```

mod tensor_map;
mod texture;

use crate::number::{self, Number, TYPES};
use std::ops::Range;
pub use tensor_map::MapSpec;
pub use texture::TextureSpec;
use warpc_launch::texture::Kind;
use warpc_ptx::types::ScalarType;

/// An argument as it was written.
#[derive(Clone, PartialEq, Debug)]
pub enum Spec {
    /// `null`
    Null,
    /// `&0`, `&data`, `&u32[4]=0`
    Address(Reference),
    /// `ptr[2]=&a,&b`: addresses, a null where there is none.
    Addresses(Vec<Option<Reference>>),
    /// `hex:…`
    Bytes(Vec<u8>),
    /// `raw@file`
    RawFile(String),
    /// `u32=7`
    Scalar(ScalarType, u128),
    /// `u32[4]=…`
    Array(Array),
    /// `{…}`
    Struct(Vec<Spec>),
    /// `tensormap:…`
    TensorMap(Box<MapSpec>),
    /// The description that the address of `texture:…`, `surface:…` or `sampler:…` is of.
    Texture(Box<TextureSpec>),
}

/// The buffer that an address is of.
#[derive(Clone, PartialEq, Debug)]
pub enum Reference {
    /// That of another argument, by its number.
    Argument(usize),
    /// One with a name.
    Named(String),
    /// A new one, with these contents.
    New(Box<Spec>),
}

/// Elements of one type.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// Their type.
    pub ty: ScalarType,
    /// How many; as many as there are values when absent.
    pub len: Option<u64>,
    /// Their values.
    pub fill: Fill,
}

/// What the elements of an array are.
#[derive(Clone, PartialEq, Debug)]
pub enum Fill {
    /// All alike.
    Value(u128),
    /// Bits, and how often they come.
    List(Vec<(u128, u64)>),
    /// `start + i * step`
    Iota {
        /// The first element.
        start: Number,
        /// What each element adds.
        step: Number,
    },
    /// Numbers that look random: any bits for integers, from 0 to 1 for floating-point numbers.
    Random {
        /// Where they start; arguments without one differ from each other.
        seed: Option<u64>,
        /// The smallest, and what all are below.
        range: Option<(Number, Number)>,
    },
    /// Characters.
    Text(Vec<u8>),
    /// The contents of a file.
    File(String),
}

/// What is wrong with a specification, and where in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The bytes of the text that are wrong.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// A piece of a specification, with its place.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
}

impl<'t> Piece<'t> {
    fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn error(self, message: impl Into<String>, help: impl Into<String>) -> SpecError {
        SpecError {
            at: self.range(),
            message: message.into(),
            help: help.into(),
        }
    }

    fn from(self, offset: usize) -> Piece<'t> {
        Piece {
            text: &self.text[offset..],
            start: self.start + offset,
        }
    }

    fn to(self, offset: usize) -> Piece<'t> {
        Piece {
            text: &self.text[..offset],
            start: self.start,
        }
    }

    fn trim(self) -> Piece<'t> {
        let start = self.text.len() - self.text.trim_start().len();
        Piece {
            text: self.text.trim(),
            start: self.start + start,
        }
    }

    fn strip(self, prefix: &str) -> Option<Piece<'t>> {
        self.text
            .starts_with(prefix)
            .then(|| self.from(prefix.len()))
    }

    fn split_once(self, separator: char) -> Option<(Piece<'t>, Piece<'t>)> {
        let i = self.text.find(separator)?;
        Some((self.to(i), self.from(i + separator.len_utf8())))
    }

    fn split(self, separator: char) -> impl Iterator<Item = Piece<'t>> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let piece = rest?;
            let cut = piece.split_once(separator);
            rest = cut.map(|(_, after)| after);
            Some(cut.map_or(piece, |(before, _)| before))
        })
    }

    fn number(self, ty: ScalarType) -> Result<Number, SpecError> {
        number::parse_number(self.text, ty).map_err(|message| self.error(message, number_help(ty)))
    }

    fn bits(self, ty: ScalarType) -> Result<u128, SpecError> {
        number::parse(self.text, ty).map_err(|message| self.error(message, number_help(ty)))
    }

    fn count(self) -> Result<u64, SpecError> {
        let digits = self.text.replace('_', "");
        let parsed = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        parsed.map_err(|_| {
            let message = format!("`{}` is not a count", self.text);
            self.error(message, "write a whole number")
        })
    }
}

fn number_help(ty: ScalarType) -> String {
    if number::is_float(ty) {
        format!(
            "write a number such as 1.5, inf or nan, or the {} bits as 0x…",
            ty.bits()
        )
    } else {
        "write a whole number: 12, -3, 0x1F or 0b101".to_owned()
    }
}

const FORMS: &str = "write a number `u32=7`, a buffer `u32[256]=0`, a structure `{u32=1,f32=2}`, `null`, or see `warpc explain W0705`";

/// Reads an argument.
///
/// ```
/// use warpc_request::args::{Spec, parse};
/// use warpc_ptx::types::ScalarType;
/// assert_eq!(parse("u32=7"), Ok(Spec::Scalar(ScalarType::U32, 7)));
/// assert_eq!(parse("u33=7").unwrap_err().at, 0..3);
/// ```
pub fn parse(text: &str) -> Result<Spec, SpecError> {
    let piece = Piece { text, start: 0 };
    if text.matches("ptr[").count() > MOST_ADDRESS_LISTS {
        return Err(piece.error(
            "too many buffers of addresses",
            "give them names with `--buffer`",
        ));
    }
    spec(piece)
}

fn spec(piece: Piece<'_>) -> Result<Spec, SpecError> {
    let piece = piece.trim();
    if piece.text.is_empty() {
        return Err(piece.error("the argument is empty", FORMS));
    }
    if piece.text == "null" {
        return Ok(Spec::Null);
    }
    if let Some(target) = piece.strip("&") {
        return reference(target).map(Spec::Address);
    }
    if let Some(rest) = piece.strip("ptr[") {
        return addresses(rest).map(Spec::Addresses);
    }
    if let Some(digits) = piece.strip("hex:") {
        return hex(digits).map(Spec::Bytes);
    }
    if let Some(path) = piece.strip("raw@") {
        return Ok(Spec::RawFile(path.text.to_owned()));
    }
    if let Some(rest) = piece.strip("tensormap:") {
        return tensor_map::parse(rest).map(|map| Spec::TensorMap(Box::new(map)));
    }
    let kinds = [
        ("texture:", Kind::Texture),
        ("surface:", Kind::Surface),
        ("sampler:", Kind::Sampler),
    ];
    for (word, kind) in kinds {
        if let Some(rest) = piece.strip(word) {
            let described = Spec::Texture(Box::new(texture::parse(kind, rest)?));
            return Ok(Spec::Address(Reference::New(Box::new(described))));
        }
    }
    if piece.text.starts_with('{') {
        return structure(piece).map(Spec::Struct);
    }
    typed(piece)
}

/// What follows `&`: a number, a name, or contents.
fn reference(piece: Piece<'_>) -> Result<Reference, SpecError> {
    let is_name = |c: char| c.is_alphanumeric() || ['_', '$', '.'].contains(&c);
    if piece.text.starts_with(|c: char| c.is_ascii_digit()) && !piece.text.contains('.') {
        return Ok(Reference::Argument(piece.count()? as usize));
    }
    if !piece.text.is_empty() && piece.text.chars().all(is_name) {
        return Ok(Reference::Named(piece.text.to_owned()));
    }
    if piece.text.starts_with('&') {
        let help = "write `ptr[]=…` for a buffer of addresses";
        return Err(piece.error("an address has no address", help));
    }
    spec(piece).map(|contents| Reference::New(Box::new(contents)))
}

/// `2]=&a,null`
fn addresses(piece: Piece<'_>) -> Result<Vec<Option<Reference>>, SpecError> {
    let help = "write `ptr[]=&a,&b,null`";
    let Some((len, list)) = piece.split_once(']') else {
        return Err(piece.error("the `]` is missing", help));
    };
    let Some(list) = list.strip("=") else {
        return Err(list.error("the addresses are missing", help));
    };
    let each = items(list).into_iter().map(|item| match spec(item) {
        Ok(Spec::Null) => Ok(None),
        Ok(Spec::Address(reference)) => Ok(Some(reference)),
        Ok(_) => Err(item.error("this is not an address", help)),
        Err(error) => Err(error),
    });
    let each = each.collect::<Result<Vec<_>, _>>()?;
    let len = len.trim();
    if !len.text.is_empty() && len.count()? != each.len() as u64 {
        let message = format!(
            "the buffer has {} addresses, {} are given",
            len.text,
            each.len()
        );
        return Err(len.error(message, "`ptr[]` counts by itself"));
    }
    Ok(each)
}

/// The items of a list of addresses: a comma separates two, unless it is one of a list or structure that is pointed at.
fn items(list: Piece<'_>) -> Vec<Piece<'_>> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (i, c) in list.text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let next = list.text[i + 1..].trim_start();
                // What else follows is a value of the list before it, if that is one.
                let is_value = list.text[start..i].contains('=') && !next.starts_with("null");
                if next.starts_with('&') || !is_value {
                    items.push(list.from(start).to(i - start));
                    start = i + 1;
                }
            }
            _ => {}
        }
    }
    items.push(list.from(start));
    items
}

/// `u32=7`, `u32[4]=…`, `u32[4]@…`
fn typed(piece: Piece<'_>) -> Result<Spec, SpecError> {
    let end = piece
        .text
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(piece.text.len());
    let name = piece.to(end);
    let ty = TYPES.into_iter().find(|ty| ty.name() == name.text);
    let Some(ty) = ty else {
        let names: Vec<&str> = TYPES.iter().map(|ty| ty.name()).collect();
        if name.text.is_empty() || !name.text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(piece.error("an argument begins with its type", FORMS));
        }
        let message = format!("`{}` is not a type of arguments", name.text);
        return Err(name.error(message, format!("the types are {}", names.join(", "))));
    };
    let rest = piece.from(end);
    if let Some(value) = rest.strip("=") {
        return Ok(Spec::Scalar(ty, value.trim().bits(ty)?));
    }
    let Some(rest) = rest.strip("[") else {
        let message = format!("`{}` is followed by neither `=` nor `[`", name.text);
        return Err(piece.error(message, FORMS));
    };
    let Some((len, fill)) = rest.split_once(']') else {
        return Err(rest.error("the `]` is missing", FORMS));
    };
    let len = match len.trim() {
        len if len.text.is_empty() => None,
        len => Some(len.count()?),
    };
    let fill = self::fill(fill, ty)?;
    let needs_length = matches!(fill, Fill::Iota { .. } | Fill::Random { .. });
    if len.is_none() && needs_length {
        let help = format!("write it between the brackets: `{}[256]=…`", ty.name());
        return Err(piece.error("the length is missing", help));
    }
    if let (Some(len), Fill::List(list)) = (len, &fill) {
        let given = list
            .iter()
            .fold(0u64, |sum, (_, times)| sum.saturating_add(*times));
        if given != len {
            let message = format!("the buffer has {len} elements, {given} values are given");
            let help = format!(
                "give one value for all, or as many as elements; `{}[]` counts by itself",
                ty.name()
            );
            return Err(piece.error(message, help));
        }
    }
    let fill = match fill {
        // A single value is one element where no length was given.
        Fill::Value(bits) if len.is_none() => Fill::List(vec![(bits, 1)]),
        fill => fill,
    };
    Ok(Spec::Array(Array { ty, len, fill }))
}

fn fill(piece: Piece<'_>, ty: ScalarType) -> Result<Fill, SpecError> {
    if let Some(path) = piece.strip("@") {
        return Ok(Fill::File(path.text.to_owned()));
    }
    let Some(piece) = piece.strip("=") else {
        return Err(piece.error(
            "the values are missing",
            "write `=0`, `=iota`, `=random`, `=1,2,3` or `@file`",
        ));
    };
    if let Some(text) = piece.strip("text:") {
        return characters(text, ty).map(Fill::Text);
    }
    let piece = piece.trim();
    let mut words = piece.split(':');
    let word = words.next().map_or("", |word| word.text);
    let rest: Vec<Piece<'_>> = words.collect();
    match (word, &rest[..]) {
        ("iota", [..]) if rest.len() <= 2 => {
            let get = |i: usize, otherwise| match rest.get(i) {
                Some(piece) => signed_number(*piece, ty),
                None => Ok(Number::Int(otherwise)),
            };
            Ok(Fill::Iota {
                start: get(0, 0)?,
                step: get(1, 1)?,
            })
        }
        ("random", []) => Ok(Fill::Random {
            seed: None,
            range: None,
        }),
        ("random", [seed]) => Ok(Fill::Random {
            seed: Some(seed.count()?),
            range: None,
        }),
        ("random", [seed, low, high]) => {
            let (least, most) = (low.number(ty)?, high.number(ty)?);
            let ordered = match (least, most) {
                (Number::Int(a), Number::Int(b)) => a < b,
                (Number::Float(a), Number::Float(b)) => a < b && (b - a).is_finite(),
                _ => false,
            };
            if !ordered {
                return Err(high.error("the range is empty", "write random:SEED:LOW:HIGH"));
            }
            Ok(Fill::Random {
                seed: Some(seed.count()?),
                range: Some((least, most)),
            })
        }
        ("iota" | "random", _) => Err(piece.error(
            format!("`{word}` does not take this"),
            "write iota, iota:START, iota:START:STEP, random, random:SEED or random:SEED:LOW:HIGH",
        )),
        _ => values(piece, ty),
    }
}

/// A step may be negative in types that are not.
fn signed_number(piece: Piece<'_>, ty: ScalarType) -> Result<Number, SpecError> {
    match piece.text.strip_prefix('-') {
        Some(_) if !number::is_float(ty) => match piece.from(1).number(ty)? {
            Number::Int(value) => Ok(Number::Int(value.wrapping_neg())),
            other => Ok(other),
        },
        _ => piece.number(ty),
    }
}

fn values(piece: Piece<'_>, ty: ScalarType) -> Result<Fill, SpecError> {
    if !piece.text.contains([',', '*']) {
        return Ok(Fill::Value(piece.bits(ty)?));
    }
    let list: Result<Vec<(u128, u64)>, SpecError> = piece
        .split(',')
        .map(|item| match item.split_once('*') {
            Some((value, times)) => Ok((value.trim().bits(ty)?, times.trim().count()?)),
            None => Ok((item.trim().bits(ty)?, 1)),
        })
        .collect();
    list.map(Fill::List)
}

/// Characters, in quotes or not, with the escapes of C.
fn characters(piece: Piece<'_>, ty: ScalarType) -> Result<Vec<u8>, SpecError> {
    if ty.bytes() != 1 {
        let message = format!("text does not go into elements of type {}", ty.name());
        return Err(piece.error(message, "use u8, s8 or b8"));
    }
    let inner = match piece.text.as_bytes() {
        [b'"', .., b'"'] => piece.from(1).to(piece.text.len() - 2),
        _ => piece,
    };
    let mut bytes = Vec::new();
    let mut rest = inner.text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b @ (b'\\' | b'"')) => b,
            _ => {
                let help = "the escapes are \\n, \\t, \\0, \\\\ and \\\"";
                return Err(inner.error("the text has an unknown escape", help));
            }
        });
    }
    Ok(bytes)
}

fn hex(piece: Piece<'_>) -> Result<Vec<u8>, SpecError> {
    let digits: Vec<u8> = piece.text.bytes().filter(|b| *b != b'_').collect();
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let bytes: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect();
    bytes.ok_or_else(|| {
        piece.error(
            "these are not bytes in hexadecimal",
            "write two digits a byte, the first byte first: hex:0102ff",
        )
    })
}

/// `{u32=1,f32[2]=1,2,{u8=1}}`: a comma separates members, unless a value of a list follows it.
fn structure(piece: Piece<'_>) -> Result<Vec<Spec>, SpecError> {
    let unclosed = || piece.error("the braces do not match", "write {u32=1,f32=2}");
    if !piece.text.ends_with('}') || piece.text.len() < 2 {
        return Err(unclosed());
    }
    let inner = piece.from(1).to(piece.text.len() - 2);
    let mut members = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (i, c) in inner.text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1).ok_or_else(unclosed)?,
            ',' if depth == 0
                && begins_member(&inner.text[i + 1..])
                && !continues_addresses(&inner.text[start..i], &inner.text[i + 1..]) =>
            {
                members.push(spec(inner.from(start).to(i - start))?);
                start = i + 1;
            }
            _ => {}
        }
        if depth > MOST_NESTED {
            return Err(piece.error("the braces nest too deeply", "flatten the structure"));
        }
    }
    if depth != 0 {
        return Err(unclosed());
    }
    members.push(spec(inner.from(start))?);
    Ok(members)
}

/// More than any structure has, and few enough for the stack.
const MOST_NESTED: usize = 16;

/// The same for `ptr[]` inside `ptr[]`.
const MOST_ADDRESS_LISTS: usize = 256;

/// Whether the next address of a list follows, rather than a member.
fn continues_addresses(member: &str, rest: &str) -> bool {
    let next = rest.split([',', '}']).next().unwrap_or("").trim();
    member.trim_start().starts_with("ptr[") && (next.starts_with('&') || next == "null")
}

/// Whether a member begins here, rather than the next value of a list.
fn begins_member(text: &str) -> bool {
    let member = text.split([',', '}']).next().unwrap_or("").trim();
    member.starts_with('{')
        || member.starts_with('&')
        || member == "null"
        || member.contains(['=', '@', '['])
        || member.starts_with("hex:")
}

#[cfg(test)]
mod tests;
