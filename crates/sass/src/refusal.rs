//! Why a text is not an instruction of a chip, for the person who wrote it.
//!
//! All forms of the name are tried; the one that goes along furthest says where the text leaves it and what may stand
//! there instead.

use crate::explain::is_described;
use crate::form::{Form, Forms, name_of};
use crate::matching::{self, Cursor};
use crate::operand::Marks;
use crate::parse::{self, Text};
use crate::template::{Atom, Kind};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use warpc_target::Sm;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The byte of the text.
    pub at: usize,
    /// What is wrong.
    pub why: Why,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The guard cannot be read.
    Guard,
    /// No chip has an instruction of this name; these names begin alike.
    NoName(String, Vec<&'static str>),
    /// The chip has no instruction of this name; these have: the first of each range, and the last if there is one.
    NotOnChip(String, Sm, Vec<(u16, Option<u16>)>),
    /// The machine code of the chip is not described, so none of its instructions is.
    Undescribed(Sm),
    /// The name is there, but something else is expected here.
    Expected {
        /// What stands there.
        found: String,
        /// What may stand there.
        wanted: Vec<String>,
    },
    /// Everything is right but the kind of the guard.
    GuardKind {
        /// Whether the guard must be a uniform predicate.
        uniform: bool,
    },
    /// Every part can stand where it does, but not together: a value does not fit or contradicts another.
    NotTogether,
    /// The text is right, but not with its control word, or not with all values that it has.
    Control,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Guard => f.write_str("a guard is `@P0`, `@!P0`, `@UP0` or `@!UP0` and a blank"),
            Why::NoName(name, _) if name.is_empty() => {
                f.write_str("the name of an instruction is missing here")
            }
            Why::NoName(name, like) if like.is_empty() => write!(f, "no instruction is `{name}`"),
            Why::NoName(name, like) => {
                write!(
                    f,
                    "no instruction is `{name}`; there is {}",
                    like.join(", ")
                )
            }
            Why::NotOnChip(name, sm, ranges) => {
                write!(f, "{sm} has no `{name}`; chips that have it: ")?;
                for (index, (first, last)) in ranges.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    match last {
                        Some(last) if last == first => write!(f, "{separator}sm_{first}")?,
                        Some(last) => write!(f, "{separator}sm_{first} to sm_{last}")?,
                        None => write!(f, "{separator}sm_{first} and later")?,
                    }
                }
                Ok(())
            }
            Why::Undescribed(sm) => write!(
                f,
                "the machine code of {sm} is not described: warpc knows that of sm_75 and later chips other than sm_107"
            ),
            Why::Expected { found, wanted } => {
                match found.is_empty() {
                    true => f.write_str("the instruction ends too early")?,
                    false => write!(f, "`{found}` cannot stand here")?,
                }
                match wanted.split_last() {
                    None => Ok(()),
                    Some((one, [])) => write!(f, "; {one} can"),
                    Some((last, others)) => write!(f, "; {} or {last} can", others.join(", ")),
                }
            }
            Why::GuardKind { uniform: true } => {
                f.write_str("the guard of this instruction is a uniform predicate (`@UP0`)")
            }
            Why::GuardKind { uniform: false } => f.write_str(
                "the guard of this instruction is a predicate (`@P0`), not a uniform one",
            ),
            Why::Control => f.write_str(
                "this does not go with its control word: without a yield (`Y`) the stall is 1 to 11, `.reuse` goes \
                 without one, and an instruction without a result at no fixed time has no write scoreboard",
            ),
            Why::NotTogether => f.write_str("a number here does not fit, or contradicts another"),
        }
    }
}

/// Why a text that [`parse::word`] and [`parse::inst`] do not take is not an instruction.
pub fn refusal(sm: Sm, text: &str) -> Refusal {
    let text = parse::trimmed(text);
    let Some((guard, rest)) = parse::guard(text) else {
        let why = Why::Guard;
        return Refusal { at: 0, why };
    };
    let start = text.len() - rest.len();
    let name = name_of(rest);
    let forms: Vec<&Form> = Forms::get()
        .named(sm, name)
        .filter(|form| name.starts_with(form.name()))
        .collect();
    if forms.is_empty() {
        let why = unknown(sm, name);
        return Refusal { at: start, why };
    }
    let label = Cell::new(None);
    let furthest = RefCell::new(Furthest {
        left: usize::MAX,
        wanted: BTreeSet::new(),
    });
    for form in &forms {
        let cursor = Watched {
            text: Text::new(rest, 0, &label),
            furthest: &furthest,
        };
        if matching::bits(form, cursor).is_some() {
            let uniform = form.is_uniform();
            let why = match guard.fits(uniform) {
                true => Why::Control,
                false => Why::GuardKind { uniform },
            };
            return Refusal { at: 0, why };
        }
    }
    let Furthest { left, wanted } = furthest.into_inner();
    let at = text.len() - left.min(rest.len());
    let why = match wanted.is_empty() {
        true => Why::NotTogether,
        false => Why::Expected {
            found: found(&text[at..]),
            wanted: wanted.into_iter().collect(),
        },
    };
    Refusal { at, why }
}

/// Why a name is not there on a chip.
fn unknown(sm: Sm, name: &str) -> Why {
    let all = Forms::get().all();
    let mut ranges: Vec<(u16, u16)> = all
        .filter(|form| form.name() == name)
        .map(|form| (form.row.first, form.row.last))
        .collect();
    ranges.sort_unstable();
    if ranges.is_empty() {
        return Why::NoName(name.to_owned(), alike(name));
    }
    let mut joined: Vec<(u16, u16)> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    if !is_described(sm) {
        return Why::Undescribed(sm);
    }
    let open = |last: u16| (last != u16::MAX).then_some(last);
    let ranges = joined.into_iter().map(|(first, last)| (first, open(last)));
    Why::NotOnChip(name.to_owned(), sm, ranges.collect())
}

/// A few names that begin as this one does, the most alike first.
fn alike(name: &str) -> Vec<&'static str> {
    let common = |other: &str| {
        let pairs = name.bytes().zip(other.bytes());
        pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    let names: BTreeSet<&'static str> = Forms::get().all().map(Form::name).collect();
    let mut names: Vec<_> = names
        .into_iter()
        .filter(|other| common(other) > 1)
        .collect();
    names.sort_by_key(|other| (std::cmp::Reverse(common(other)), other.len()));
    names.truncate(4);
    names
}

/// The modifier, the operand or the sign at the start of a text.
fn found(text: &str) -> String {
    let inner = text.get(1..).unwrap_or("");
    let end = inner.find(['.', ',', ' ', '[', ']']).unwrap_or(inner.len());
    let end = text.len() - inner.len() + end;
    text[..end].to_owned()
}

/// How far matching came, and what it wanted there.
struct Furthest {
    /// How much of the text was left.
    left: usize,
    wanted: BTreeSet<String>,
}

impl Furthest {
    fn wants(&mut self, left: usize, what: impl FnOnce() -> Option<String>) {
        if left < self.left {
            self.left = left;
            self.wanted.clear();
        }
        if left == self.left {
            self.wanted.extend(what());
        }
    }
}

/// A text with somebody who notes how far it is matched.
#[derive(Clone, Copy)]
struct Watched<'t, 'l> {
    text: Text<'t, 'l>,
    furthest: &'l RefCell<Furthest>,
}

impl Cursor for Watched<'_, '_> {
    fn text(self, wanted: &str) -> Option<Self> {
        let after = self.text.text(wanted);
        if after.is_none() {
            // A part of it may be right.
            let both = self.text.text.bytes().zip(wanted.bytes());
            let same = both.take_while(|(a, b)| a == b).count();
            let same = wanted[..same].rfind(['.', ' ']).unwrap_or(0);
            let left = self.text.text.len() - same;
            let what = || Some(wanted[same..].trim()).filter(|text| !text.is_empty());
            let quoted = || what().map(|text| format!("`{text}`"));
            self.furthest.borrow_mut().wants(left, quoted);
        }
        Some(Watched {
            text: after?,
            ..self
        })
    }

    fn next_bytes(self) -> Option<[u8; 2]> {
        // All alternatives are tried: they say what may stand here.
        None
    }

    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)> {
        match self.text.atom(atom) {
            Some((text, value, marks)) if atom.field.fits(value) => {
                Some((Watched { text, ..self }, value, marks))
            }
            _ => {
                let left = self.text.text.len();
                let what = || Some(describe(atom));
                self.furthest.borrow_mut().wants(left, what);
                None
            }
        }
    }

    fn is_at_end(self) -> bool {
        let left = self.text.text.len();
        if left > 0 {
            let what = || Some("the end of the instruction".to_owned());
            self.furthest.borrow_mut().wants(left, what);
        }
        left == 0
    }
}

/// An operand in words.
fn describe(atom: &Atom) -> String {
    let width = atom.field.width();
    match atom.kind {
        Kind::Register => "a register".to_owned(),
        Kind::Uniform | Kind::NextUniform => "a uniform register".to_owned(),
        Kind::Predicate | Kind::PredicateFromLast => "a predicate".to_owned(),
        Kind::UniformPredicate | Kind::UniformPredicateFromLast => "a uniform predicate".to_owned(),
        Kind::Constant => "a constant `c[0x0][0x0]`".to_owned(),
        Kind::Bindless => "a constant `cx[UR0][0x0]`".to_owned(),
        Kind::Barrier => "a convergence barrier".to_owned(),
        Kind::Set => "a set of scoreboards".to_owned(),
        Kind::Unsigned | Kind::Decimal => match atom.scale {
            1 => format!("a number of {width} bits"),
            scale => format!("a number of {width} bits times {scale}"),
        },
        Kind::Signed => match atom.scale {
            1 => format!("a signed number of {width} bits"),
            scale => format!("a signed number of {width} bits times {scale}"),
        },
        Kind::Float(_) => "a floating-point number".to_owned(),
        Kind::Special => "a special register".to_owned(),
        Kind::Label => "a place in the code".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(sm: &str, text: &str) -> (usize, String) {
        let refusal = refusal(sm.parse().unwrap(), text);
        (refusal.at, refusal.to_string())
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (sm, text, at, wanted) in [
            ("sm_90", "@Q0 NOP", 0, "a guard is"),
            (
                "sm_90",
                "IMUL R0, R1, R2",
                0,
                "no instruction is `IMUL`; there is IMAD",
            ),
            (
                "sm_75",
                "@P0 REDUX.OR UR4, R1",
                4,
                "sm_75 has no `REDUX`; chips that have it: sm_80 and later",
            ),
            (
                "sm_107",
                "REDUX.OR UR4, R1",
                0,
                "the machine code of sm_107 is not described",
            ),
            (
                "sm_90",
                ".unknown 0x1",
                0,
                "the name of an instruction is missing",
            ),
            (
                "sm_90",
                "IMAD.FOO R0, R1, R2, R3",
                4,
                "`.FOO` cannot stand here",
            ),
            (
                "sm_90",
                "IADD3 R0, R1, R2",
                16,
                "the instruction ends too early",
            ),
            (
                "sm_90",
                "IADD3 R0, R1, R2, R300",
                18,
                "`R300` cannot stand here",
            ),
            (
                "sm_90",
                "@UP0 IADD3 R0, R1, R2, R3",
                0,
                "the guard of this instruction is a predicate",
            ),
            ("sm_90", "MOV R0, 0x100000000", 8, "a number of 32 bits"),
        ] {
            let (place, message) = why(sm, text);
            assert!(message.contains(wanted), "{text}: {message}");
            assert_eq!(place, at, "{text}: {message}");
        }
    }
}
