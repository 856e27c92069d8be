//! What a function takes and gives.

use crate::ty::{Format, Scalar, Ty};

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Param {
    /// A value.
    Value(Ty),
    /// The address of a buffer.
    Pointer,
}

/// A function's parameters and result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Parameters, with their names.
    pub params: Vec<Param>,
    /// The text of the parameters, without attributes.
    pub text: String,
    /// The result; `None` for `void`.
    pub result: Option<Ty>,
}

impl Signature {
    /// Name and signature from the line that begins a definition.
    pub fn of(head: &str) -> Option<(String, Signature)> {
        let at = head.find('@')?;
        let open = at + head[at..].find('(')?;
        let name = head[at + 1..open].to_string();
        let before: Vec<&str> = words(head[..at].strip_prefix("define ")?);
        // Linkage and attributes stand before the type, which is the last.
        let result = *before.last()?;
        let promises = [
            "range(",
            "nofpclass(",
            "ptx_kernel",
            "amdgpu",
            "spir_kernel",
            "swift",
        ];
        if promises.iter().any(|word| head.contains(word)) {
            return None;
        }
        let result = match result {
            "void" => None,
            text => Some(ty(text)?),
        };
        let close = open + matching(&head[open..])?;
        let mut params = Vec::new();
        let mut texts = Vec::new();
        for (i, param) in split(&head[open + 1..close]).into_iter().enumerate() {
            let words = words(param);
            let first = *words.first()?;
            if words.iter().any(|word| {
                ["byval", "sret", "byref", "inreg", "nest"]
                    .iter()
                    .any(|w| word.starts_with(w))
            }) {
                return None;
            }
            let kind = match first {
                "ptr" => Param::Pointer,
                text => Param::Value(ty(text)?),
            };
            params.push(kind);
            let name = words
                .last()
                .filter(|word| word.starts_with('%') && words.len() > 1);
            let name = name.map_or_else(|| format!("%{i}"), |name| name.to_string());
            texts.push(format!("{first} {name}"));
        }
        let buffers = params.contains(&Param::Pointer);
        if result.is_none() && !buffers || params.len() > 12 {
            return None;
        }
        let text = texts.join(", ");
        Some((
            name,
            Signature {
                params,
                text,
                result,
            },
        ))
    }
}

/// Where the parenthesis at the start is closed.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// Pieces between separators that are not inside brackets.
fn pieces(text: &str, separator: char) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' | '>' | '}' | ']' => depth -= 1,
            _ if c == separator && depth == 0 => {
                all.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    all.push(text[start..].trim());
    all.retain(|piece| !piece.is_empty());
    all
}

pub(super) fn split(text: &str) -> Vec<&str> {
    pieces(text, ',')
}

pub(super) fn words(text: &str) -> Vec<&str> {
    pieces(text, ' ')
}

/// A type that values of the attack can have.
pub fn ty(text: &str) -> Option<Ty> {
    let text = text.trim();
    let inside = |open: &str, close: &str| text.strip_prefix(open)?.strip_suffix(close);
    let fields = |text: &str| split(text).into_iter().map(ty).collect::<Option<Vec<Ty>>>();
    if let Some(inner) = inside("<{", "}>") {
        return Some(Ty::Struct(true, fields(inner)?)).filter(|ty| !ty.leaves().is_empty());
    }
    if let Some(inner) = inside("{", "}") {
        return Some(Ty::Struct(false, fields(inner)?)).filter(|ty| !ty.leaves().is_empty());
    }
    if let Some(inner) = inside("<", ">") {
        let (count, scalar) = inner.split_once(" x ")?;
        let count: u32 = count.trim().parse().ok().filter(|n| (1..=64).contains(n))?;
        let Ty::One(scalar) = ty(scalar)? else {
            return None;
        };
        return Some(Ty::Vector(count, scalar));
    }
    let format = match text {
        "half" => Format::Half,
        "bfloat" => Format::BFloat,
        "float" => Format::Float,
        "double" => Format::Double,
        _ => {
            let width: u32 = text.strip_prefix('i')?.parse().ok()?;
            return (1..=128).contains(&width).then(|| Ty::int(width));
        }
    };
    Some(Ty::One(Scalar::Fp(format)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let head = "define internal noundef zeroext { i8, <2 x half> } @\"a b\"(i7 signext %x, ptr align 4 %p, <3 x i1>) #0 {";
        let (name, signature) = Signature::of(head).expect("it is a signature");
        assert_eq!(name, "\"a b\"");
        assert_eq!(signature.text, "i7 %x, ptr %p, <3 x i1> %2");
        assert_eq!(signature.params[1], Param::Pointer);
        assert_eq!(
            signature.result.map(|ty| ty.to_string()).as_deref(),
            Some("{ i8, <2 x half> }")
        );
        assert!(Signature::of("define void @f(i32 %x) {").is_none());
        assert!(Signature::of("define i32 @f(<vscale x 2 x i32> %x) {").is_none());
        assert!(Signature::of("define i32 @f(x86_fp80 %x) {").is_none());
    }
}
