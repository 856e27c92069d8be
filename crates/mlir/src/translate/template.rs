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
//! A call of an intrinsic is `call NAME(ARGUMENTS)`, with `-> TYPE HOW` behind it if the intrinsic gives something
//! else than the operation. In the name:
//!
//! | field | means |
//! |---|---|
//! | `{op}` | the name of the operation, `intr.` dropped |
//! | `{~a}`, `{~R}`, `{~R.0}` | the type of an operand, of the result, of a part of it |
//! | `{a}` | the word of an attribute |
//! | `{#a}` | how many operands have the name, or the number that an attribute is |
//! | `{a?x}`, `{a?x!y}` | `x` if the flag is set or the operand there, else `y` |
//! | `{a=b:x,c:y,:z}`, `{~a=p0:x}` | chosen by the word or type; the empty word is that of a missing attribute |
//!
//! Arguments are operands (`a`, `a?` if it is there, `a|i32 -1` or that, `a@alignment` with an alignment), constants
//! (`i32 0`) and attributes as constants (`i32 #a`, `#a` with the type it says).

use super::constant::Constant;
use super::function::{Groups, Writer};
use super::{Outcome, Problem};
use crate::tree::{Attr, Op};
use crate::types::Type;
use std::fmt::Write;

impl<'o, 't> Writer<'o, 't> {
    /// Writes what a line of the table says.
    pub fn template(
        &mut self,
        op: &'t Op<'t>,
        line: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<()> {
        match line.strip_prefix("call") {
            Some(rest) => self.intrinsic(op, rest, groups),
            None => {
                let text = self.instruction(op, line, groups)?;
                let named = match op.result_types.is_empty() {
                    true => text,
                    false => format!("{} = {text}", self.result_name(op)),
                };
                self.write(&named);
                Ok(())
            }
        }
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
        let mut behind = line[close + 1..].trim();
        let mut metadata = String::new();
        if let Some(rest) = behind.strip_prefix("{metadata}") {
            metadata = self.field(op, "metadata")?;
            behind = rest.trim();
        }
        let own = op.result_types.first().cloned();
        let Some(how) = behind.strip_prefix("-> ") else {
            let range = match op.attrs.get("range") {
                Some(Attr::Dialect(_, body)) => {
                    format!("range({}) ", super::attribute::range(body)?)
                }
                _ => String::new(),
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

    fn name_field(
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
            let set = match groups.get(name) {
                Some(uses) => !uses.is_empty(),
                None => op.attrs.flag(name),
            };
            return Ok(if set { yes } else { no }.to_owned());
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
    fn word(&self, name: &str, value: &Attr<'t>) -> Outcome<String> {
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
                None => Err(Problem::wrong(format!("the attribute `{name}` is no word"))),
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

    /// The arguments of a call, with their types.
    pub fn arguments(
        &self,
        op: &'t Op<'t>,
        list: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        let mut args = Vec::new();
        for arg in list.split(',').map(str::trim).filter(|arg| !arg.is_empty()) {
            if let Some((name, default)) = arg.split_once('|') {
                args.push(match groups.one(name) {
                    Some(operand) => self.typed(operand)?,
                    None => match default.strip_prefix("R ") {
                        Some(value) => format!("{} {value}", result_type(op)?),
                        None => default.to_owned(),
                    },
                });
            } else if let Some((name, align)) = arg.split_once('@') {
                let known = self.known(one(groups, name)?)?;
                let align = op.attrs.int(align).unwrap_or(1);
                args.push(format!("{} align {align} {}", known.ty, known.text));
            } else if let Some((ty, name)) = arg.split_once('#') {
                args.push(attribute_argument(op, ty.trim(), name)?);
            } else if arg.contains(' ') {
                args.push(arg.to_owned());
            } else {
                // Only lists and optional operands may be empty: `Groups` has checked that.
                let name = arg.strip_suffix('?').unwrap_or(arg);
                let Some(uses) = groups.get(name) else {
                    return Err(Problem::wrong(format!("`{name}` is missing")));
                };
                for operand in uses {
                    args.push(self.typed(operand)?);
                }
            }
        }
        Ok(args.join(", "))
    }
}

/// An attribute as a constant argument.
fn attribute_argument(op: &Op<'_>, ty: &str, name: &str) -> Outcome<String> {
    match (op.attrs.get(name), ty) {
        (None, "i1") => Ok("i1 false".to_owned()),
        (None, _) => Err(Problem::wrong(format!("the attribute `{name}` is missing"))),
        (Some(value), "i1") => Ok(format!("i1 {}", value.truth())),
        (Some(Attr::Int(number, Some(own))), "") => Ok(format!("{own} {number}")),
        (Some(value), "") => Err(Problem::wrong(format!("`{name}` is no number: {value:?}"))),
        (Some(value), "double") => {
            let ty = Type::Float(crate::types::Float::F64);
            Ok(Constant::of_attribute(value, &ty)?.typed())
        }
        (Some(value), _) => match value.int() {
            Some(number) => Ok(format!("{ty} {number}")),
            None => Err(Problem::wrong(format!(
                "the attribute `{name}` is no number"
            ))),
        },
    }
}

/// The result of an operation that has one.
pub(super) fn result_type<'x>(op: &'x Op<'_>) -> Outcome<&'x Type> {
    match op.result_types.first() {
        Some(ty) => Ok(ty),
        None => Err(Problem::wrong("it has a result")),
    }
}

fn one<'t>(groups: &Groups<'t>, name: &str) -> Outcome<&'t crate::tree::Use<'t>> {
    match groups.one(name) {
        Some(operand) => Ok(operand),
        None => Err(Problem::wrong(format!("`{name}` is missing"))),
    }
}

/// The choice for a word in `a:x,b:y`.
fn choose(name: &str, word: &str, choices: &'static str) -> Outcome<String> {
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
enum Part {
    Text(&'static str),
    Field(&'static str),
}

fn parts(line: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = line;
    // Structures of LLVM IR have a blank behind the brace, fields do not.
    while let Some(open) = rest.match_indices('{').map(|(at, _)| at).find(|&at| {
        let next = rest.as_bytes().get(at + 1);
        next.is_some_and(|byte| *byte != b' ')
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
