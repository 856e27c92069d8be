//! The language of the tables: an intrinsic's name and the PTX it becomes, as text.
//!
//! A name is literal text with
//! - `{rn,rz}`: one of these; `{f:f32,d:f64}`: one of these, standing for what is after the colon;
//! - `[.ftz]`: this or nothing;
//! - `*` at the end: any types of an overloaded name; `~` at the end: anything.
//!
//! Each brace or bracket is numbered from 1. The PTX is a mnemonic, a blank, and operands, with
//! - `$1`: what the first brace or bracket stands for; `$S`: the state space of the first pointer among the
//!   arguments, as a modifier; `$C`: the same, with `.shared::cta` for `.shared`; `$F`: `.ftz` if the function flushes denormals; `$R`: how roots are rounded; `$A`: the bits of the first argument; `$T`: the bits of the result, or of the last argument if there is none;
//! - `(?4:text)`: the text if argument 4, a constant, is not zero;
//! - `(=4:0=.a,1=.b)`: the text for the value of argument 4, a constant; other values are refused;
//! - `%d`: the result, `%d0` a part of it; `%0`: an argument; `[%0]`: what it points to; `%^`: the last; `{%1-3}`: a vector of
//!   the parts of arguments, `{%1-}` up to the last, `{%1-^}` without it; `{%d}`: a vector of the parts of the result; `[%0, {%1, %2}]`, `%d0|%d1` as PTX
//!   has them; numbers, `_` and `%laneid`-like names stand for themselves.
//!
//! A text may have a second one after `||`, for targets that lack an instruction of the first.
//! Several instructions are divided by `;`. Between them `%t0`, `%t1` … are registers for what the first passes
//! on to the second, with their class: `%t0:b32`.

use crate::select::Selector;
use crate::unit::Refused;
use smallvec::SmallVec;
use warpc_nvvm::value::InstId;

/// What selects an intrinsic that no template can say. It gets the name without `llvm.nvvm.` and what the braces
/// stand for.
pub(super) type Handler = fn(&mut Selector, InstId, &str, &[&str]) -> Result<(), Refused>;

/// What an intrinsic becomes.
#[derive(Clone, Copy)]
pub(super) enum Becomes {
    /// PTX text with places for the operands.
    Ptx(&'static str),
    /// What a function writes; it gets what the braces stand for.
    Function(Handler),
}

/// Whether a call does anything but compute its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// It may vanish if nobody needs the result.
    Pure,
    /// It must be made.
    Effect,
}

/// A family of intrinsics.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The name, without `llvm.nvvm.`.
    pub(super) name: &'static str,
    /// What it becomes.
    pub(super) becomes: Becomes,
    /// Whether a call may vanish.
    pub(super) effect: Effect,
}

/// An intrinsic that only computes.
pub(super) const fn pure(name: &'static str, ptx: &'static str) -> Row {
    Row {
        name,
        becomes: Becomes::Ptx(ptx),
        effect: Effect::Pure,
    }
}

/// An intrinsic with an effect.
pub(super) const fn effect(name: &'static str, ptx: &'static str) -> Row {
    Row {
        name,
        becomes: Becomes::Ptx(ptx),
        effect: Effect::Effect,
    }
}

/// An intrinsic that only computes, written by a function.
pub(super) const fn pure_by(name: &'static str, function: Handler) -> Row {
    Row {
        name,
        becomes: Becomes::Function(function),
        effect: Effect::Pure,
    }
}

/// An intrinsic with an effect, written by a function.
pub(super) const fn effect_by(name: &'static str, function: Handler) -> Row {
    Row {
        name,
        becomes: Becomes::Function(function),
        effect: Effect::Effect,
    }
}

/// What the braces and brackets of a name stand for.
pub(super) type Captures<'a> = SmallVec<[&'a str; 8]>;

/// Matches a name against a pattern.
pub(super) fn matches<'a>(pattern: &'a str, name: &str) -> Option<Captures<'a>> {
    let mut captures = Captures::new();
    step(pattern, name, &mut captures).then_some(captures)
}

fn step<'a>(pattern: &'a str, name: &str, captures: &mut Captures<'a>) -> bool {
    // Most patterns differ from a name in one of the first letters.
    let mut length = 0;
    for (&wanted, at) in pattern.as_bytes().iter().zip(0..) {
        if matches!(wanted, b'{' | b'[' | b'*' | b'~') {
            break;
        }
        if name.as_bytes().get(at) != Some(&wanted) {
            return false;
        }
        length = at + 1;
    }
    let (name, rest) = (&name[length..], &pattern[length..]);
    let close = match rest.as_bytes().first() {
        None => return name.is_empty(),
        Some(b'~') => return true,
        Some(b'*') => return name.is_empty() || name.starts_with('.'),
        Some(b'[') => ']',
        Some(_) => '}',
    };
    let Some((inside, after)) = rest[1..].split_once(close) else {
        return false;
    };
    let mut attempt = |written: &str, meant: &'a str| {
        let Some(name) = name.strip_prefix(written) else {
            return false;
        };
        captures.push(meant);
        if step(after, name, captures) {
            return true;
        }
        captures.pop();
        false
    };
    match close {
        ']' => attempt(inside, inside) || attempt("", ""),
        _ => inside.split(',').any(|one| {
            let (written, meant) = split_mapping(one);
            attempt(written, meant)
        }),
    }
}

/// `f:f32` is `f`, standing for `f32`; `shared::cta` is itself.
fn split_mapping(one: &str) -> (&str, &str) {
    let bytes = one.as_bytes();
    let single = (0..bytes.len()).find(|&at| {
        bytes[at] == b':' && bytes.get(at + 1) != Some(&b':') && (at == 0 || bytes[at - 1] != b':')
    });
    match single {
        Some(at) => (&one[..at], &one[at + 1..]),
        None => (one, one),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match_patterns() {
        let pattern = "add.{rn,rz}[.ftz][.sat].{f:f32,d:f64}";
        let found = matches(pattern, "add.rz.sat.f").unwrap();
        assert_eq!(found[..], ["rz", "", ".sat", "f32"]);
        assert!(matches(pattern, "add.rz.sat.g").is_none());
        assert!(matches(pattern, "add.rz.sat.f.x").is_none());
        let found = matches("x{a,a.b}.c*", "xa.b.c.p3").unwrap();
        assert_eq!(found[..], ["a.b"]);
        let found = matches("y{.s:.shared::cta,}", "y.s").unwrap();
        assert_eq!(found[..], [".shared::cta"]);
    }
}
