//! What an operation becomes, from the line of its row.
//!
//! An instruction is written as LLVM IR with fields in braces:
//!
//! | field | means |
//! |---|---|
//! | `{R}` | the type of the result |
//! | `{a}`, `{:a}` | operand `a`, without and with its type |
//! | `{flag? text}` | the text if the flag is set |
//! | `{^0}` | the label of a successor |
//! | a name of [`super::field`] | what that makes of the attributes |
//!
//! A call of an intrinsic is `call NAME(ARGUMENTS)`, with `-> TYPE : HOW` after it if the intrinsic gives something
//! else than the operation, which one more instruction makes of it. In the name:
//!
//! | field | means |
//! |---|---|
//! | `{op}` | the name of the operation, `intr.` dropped |
//! | `{~a}`, `{~R}`, `{~R.0}` | the type of an operand, of the result, of a part of it |
//! | `{a}` | the word of an attribute |
//! | `{#a}` | how many operands have the name, or the number that an attribute is |
//! | `{a?x}`, `{a?x!y}` | `x` if the flag is set or the operand there, else `y` |
//! | `{a=b:x,c:y,:z}`, `{~a=p0:x}` | chosen by the word or type; the empty word is that of a missing attribute |
//! | `{shape:mn}`, `{tensor_shape:a}` | see [`super::matrix`] |
//!
//! Arguments are operands (`a`; `a?` if it is there; `a|i32 -1` or that; `a@alignment` with an alignment; `a>i16` made
//! that type first), constants (`i32 0`), and attributes as constants (`i32 #a`; `i32 #a|0` or that; `#a` with the type
//! it says; `i1 ?a` whether it is there; `i32 =a=b:0,c:1` chosen; `i16 {bit:a}` the bit of that number).
//!
//! `asm TEXT(ARGUMENTS)` is inline PTX, in which `{$a}` is the place of operand `a`, or the places of all of them.
//! `refuse TEXT` says that it is not supported; `nothing` is what operations become that only carry advice.
//!
//! Several such lines, with ` || ` between them, are tried in turn: `[a !b c=w !c=w ~d=p3]` before a line holds if the
//! flag or operand `a` is there, `b` is not, the word of `c` is (or is not) `w`, and the type of `d` is `p3`. `c=v/w` is
//! for one of two words; the empty word is that of a missing attribute.

use super::function::Writer;
use super::operands::Groups;
use super::{Outcome, Problem};
use crate::tree::{Attr, Op, Use};
use crate::types::Type;
use std::fmt::Write;

impl<'o, 't> Writer<'o, 't> {
    /// Writes what the lines of a row say.
    pub fn template(
        &mut self,
        op: &'t Op<'t>,
        lines: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<()> {
        for line in lines.split(" || ") {
            let Some((conditions, rest)) = line
                .strip_prefix('[')
                .and_then(|line| line.split_once("] "))
            else {
                return self.line(op, line, groups);
            };
            let mut holds = true;
            for condition in conditions.split(' ') {
                holds = holds && self.holds(op, condition, groups)?;
            }
            if holds {
                return self.line(op, rest, groups);
            }
        }
        Err(Problem::wrong("its attributes do not go together"))
    }

    fn holds(&self, op: &'t Op<'t>, condition: &'static str, groups: &Groups<'t>) -> Outcome<bool> {
        let (negated, condition) = match condition.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, condition),
        };
        let holds = match condition.split_once('=') {
            Some((name, wanted)) => {
                let word = match name.strip_prefix('~') {
                    Some(name) => self.mangled(op, name, groups)?,
                    None => match op.attrs.get(name) {
                        Some(value) => self.word(name, value)?,
                        None => String::new(),
                    },
                };
                wanted.split('/').any(|wanted| wanted == word)
            }
            None => is_there(op, condition, groups),
        };
        Ok(holds != negated)
    }

    /// Writes what one line of a row says.
    fn line(&mut self, op: &'t Op<'t>, line: &'static str, groups: &Groups<'t>) -> Outcome<()> {
        if line == "nothing" {
            return Ok(());
        }
        if let Some(message) = line.strip_prefix("refuse ") {
            return Err(Problem::unsupported(message));
        }
        if let Some(rest) = line.strip_prefix("asm ") {
            return self.inline_ptx_line(op, rest, groups);
        }
        if let Some(rest) = line.strip_prefix("call") {
            return self.intrinsic(op, rest, groups);
        }
        let text = self.instruction(op, line, groups)?;
        self.write_result(op, &text);
        Ok(())
    }

    /// The fields of an instruction filled in.
    fn instruction(
        &mut self,
        op: &'t Op<'t>,
        line: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        let mut text = String::new();
        for part in parts(line) {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Field("R") => {
                    let _ = write!(text, "{}", result_type(op)?);
                }
                Part::Field(field) => {
                    if let Some(name) = field.strip_prefix(':') {
                        text.push_str(&self.typed(one(groups, name)?)?);
                    } else if let Some(index) = field.strip_prefix('^') {
                        text.push_str(&self.target(op, index.parse().unwrap_or(0))?);
                    } else if let Some((flag, word)) = field.split_once('?') {
                        if op.attrs.flag(flag) {
                            text.push_str(word);
                        }
                    } else if let Some(uses) = groups.get(field) {
                        let Some(operand) = uses.first() else {
                            return Err(Problem::wrong(format!("`{field}` is missing")));
                        };
                        text.push_str(&self.known(operand)?.text);
                    } else {
                        text.push_str(&self.field(op, field)?);
                    }
                }
            }
        }
        Ok(text)
    }

    /// A call of an intrinsic.
    fn intrinsic(
        &mut self,
        op: &'t Op<'t>,
        line: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<()> {
        let wrong = || Problem::wrong("the line of its row is not one");
        let open = line.find('(').ok_or_else(wrong)?;
        let close = open + line[open..].find(')').ok_or_else(wrong)?;
        let (flags, name) = line[..open].split_once(' ').ok_or_else(wrong)?;
        let flags = self.instruction(op, flags, groups)?;
        let name = self.intrinsic_name(op, name, groups)?;
        let args = self.arguments(op, &line[open + 1..close], groups)?;
        let mut after = line[close + 1..].trim();
        let mut metadata = String::new();
        if let Some(rest) = after.strip_prefix("{metadata}") {
            metadata = self.field(op, "metadata")?;
            after = rest.trim();
        }
        super::attribute::check_lists(op, op.operands.len())?;
        let flags = format!(
            "{flags}{}",
            super::attribute::of_argument(op, "res_attrs", 0)?
        );
        let own = op.result_types.first().cloned();
        let Some(how) = after.strip_prefix("-> ") else {
            let range = match op.attrs.get("range") {
                Some(Attr::Dialect("llvm.constant_range" | "", body)) => {
                    format!("range({}) ", super::attribute::range(body)?)
                }
                Some(_) => return Err(Problem::wrong("`range` is `#llvm.constant_range<…>`")),
                None => String::new(),
            };
            let ty = own.map_or("void".to_owned(), |ty| ty.to_string());
            let call = format!("call{flags} {range}{ty} @{name}({args}){metadata}");
            let text = match op.result_types.is_empty() {
                true => call,
                false => format!("{} = {call}", self.result_name(op)),
            };
            self.write(&text);
            return Ok(());
        };
        // The type may hold blanks; how the result is made from it is the last word or two.
        let (ty, how) = how.rsplit_once(" : ").ok_or_else(wrong)?;
        let Some(own) = own else {
            self.write(&format!("call{flags} {ty} @{name}({args})"));
            return Ok(());
        };
        self.call_then(
            op,
            &format!("call{flags} {ty} @{name}({args})"),
            ty,
            &own,
            how,
        )
    }

    /// A call whose result becomes the operation's in one more instruction.
    pub fn call_then(
        &mut self,
        op: &Op<'t>,
        call: &str,
        ty: &str,
        own: &Type,
        how: &str,
    ) -> Outcome<()> {
        let result = self.result_name(op);
        if ty == own.to_string() && !how.starts_with("extractvalue") {
            self.write(&format!("{result} = {call}"));
            return Ok(());
        }
        let given = self.fresh();
        self.write(&format!("{given} = {call}"));
        let text = match how.split_once(' ') {
            Some((instruction, index)) => format!("{result} = {instruction} {ty} {given}, {index}"),
            None => format!("{result} = {how} {ty} {given} to {own}"),
        };
        self.write(&text);
        Ok(())
    }

    /// The name of an intrinsic, fields filled in.
    pub fn intrinsic_name(
        &self,
        op: &'t Op<'t>,
        pattern: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        let mut name = String::new();
        for part in parts(pattern) {
            match part {
                Part::Text(plain) => name.push_str(plain),
                Part::Field(field) => name.push_str(&self.name_field(op, field, groups)?),
            }
        }
        Ok(name)
    }

    pub(super) fn name_field(
        &self,
        op: &'t Op<'t>,
        field: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        if field == "op" {
            return Ok(op.name.replacen(".intr.", ".", 1));
        }
        if let Some((name, choices)) = field.split_once('=') {
            let word = match name.strip_prefix('~') {
                Some(name) => self.mangled(op, name, groups)?,
                None => match op.attrs.get(name) {
                    None => String::new(),
                    Some(value) => self.word(name, value)?,
                },
            };
            return choose(name, &word, choices);
        }
        if let Some((name, words)) = field.split_once('?') {
            let (yes, no) = words.split_once('!').unwrap_or((words, ""));
            let set = is_there(op, name, groups);
            return Ok(if set { yes } else { no }.to_owned());
        }
        if let Some((how, name)) = field.split_once(':') {
            return self.matrix_field(op, how, name, groups);
        }
        if let Some(name) = field.strip_prefix('~') {
            return self.mangled(op, name, groups);
        }
        if let Some(name) = field.strip_prefix('#') {
            if let Some(uses) = groups.get(name) {
                return Ok(uses.len().to_string());
            }
            return match op.attrs.get(name) {
                Some(Attr::Int(_, Some(ty))) if name == "len" => Ok(ty.mangled()),
                Some(Attr::Int(number, _)) => Ok(number.to_string()),
                _ => Err(Problem::wrong(format!("`{name}` is missing or no number"))),
            };
        }
        match op.attrs.get(field) {
            Some(value) => self.word(field, value),
            None => Err(Problem::wrong(format!(
                "the attribute `{field}` is missing"
            ))),
        }
    }

    /// What an attribute says, as a word.
    pub(super) fn word(&self, name: &str, value: &Attr<'t>) -> Outcome<String> {
        match value {
            Attr::Int(number, _) => Ok(number.to_string()),
            Attr::Bool(truth) => Ok(truth.to_string()),
            Attr::Unit => Ok("true".to_owned()),
            Attr::Type(Type::Float(_) | Type::Int(_)) => {
                Ok(value.ty().map_or(String::new(), Type::mangled))
            }
            Attr::Type(ty) => Ok(ty.to_string()),
            _ => match value.word() {
                Some(word) => Ok(word.to_owned()),
                None => Err(Problem::wrong(format!(
                    "the attribute `{name}` is not a word"
                ))),
            },
        }
    }

    fn mangled(&self, op: &Op<'_>, name: &str, groups: &Groups<'t>) -> Outcome<String> {
        if let Some(part) = name.strip_prefix('R') {
            let ty = result_type(op)?;
            let part = part
                .strip_prefix('.')
                .and_then(|part| part.parse::<usize>().ok());
            return match (part, ty) {
                (None, ty) => Ok(ty.mangled()),
                (Some(index), Type::Struct { fields, .. }) if index < fields.len() => {
                    Ok(fields[index].mangled())
                }
                _ => Err(Problem::wrong("the result is a structure")),
            };
        }
        Ok(self.known(one(groups, name)?)?.ty.mangled())
    }
}

/// Whether an operand is there, or a flag set.
pub(super) fn is_there(op: &Op<'_>, name: &str, groups: &Groups<'_>) -> bool {
    match groups.get(name) {
        Some(uses) => !uses.is_empty(),
        None => op.attrs.flag(name),
    }
}

/// The result of an operation that has one.
pub(super) fn result_type<'x>(op: &'x Op<'_>) -> Outcome<&'x Type> {
    match op.result_types.first() {
        Some(ty) => Ok(ty),
        None => Err(Problem::wrong("it has a result")),
    }
}

pub(super) fn one<'t>(groups: &Groups<'t>, name: &str) -> Outcome<&'t Use<'t>> {
    match groups.one(name) {
        Some(operand) => Ok(operand),
        None => Err(Problem::wrong(format!("`{name}` is missing"))),
    }
}

/// The choice for a word in `a:x,b:y`.
pub(super) fn choose(name: &str, word: &str, choices: &'static str) -> Outcome<String> {
    let mut pairs = choices.split(',').filter_map(|pair| pair.split_once(':'));
    if let Some((_, chosen)) = pairs.clone().find(|(key, _)| *key == word) {
        return Ok(chosen.to_owned());
    }
    if let Some((_, rest)) = pairs.find(|(key, _)| *key == "*") {
        return Ok(rest.to_owned());
    }
    let known: Vec<&str> = choices
        .split(',')
        .filter_map(|pair| pair.split_once(':'))
        .map(|(key, _)| key)
        .filter(|key| !key.is_empty())
        .collect();
    let name = name.trim_start_matches('~');
    Err(match word {
        "" => Problem::wrong(format!("`{name}` is missing")),
        _ => Problem::wrong(format!("`{name}` cannot be `{word}` here")),
    }
    .help(format!("it is one of {}", known.join(", "))))
}

/// A piece of a line.
pub(super) enum Part {
    Text(&'static str),
    Field(&'static str),
}

pub(super) fn parts(line: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = line;
    // Structures of LLVM IR have a blank after the brace, fields do not.
    while let Some(open) = rest.match_indices('{').map(|(at, _)| at).find(|&at| {
        let next = rest.as_bytes().get(at + 1);
        next.is_some_and(|byte| !byte.is_ascii_whitespace())
    }) {
        let Some(len) = rest[open..].find('}') else {
            break;
        };
        parts.push(Part::Text(&rest[..open]));
        parts.push(Part::Field(&rest[open + 1..open + len]));
        rest = &rest[open + len + 1..];
    }
    parts.push(Part::Text(rest));
    parts
}
