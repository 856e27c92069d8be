//! Whether operations have the attributes that their rows list, and no others.
//!
//! An attribute that nobody reads would change what a module means without a word: an order that is misspelled is an
//! order lost. So whatever a row does not list is an error, an attribute that is there twice is one, and so is a value
//! of another kind than the row says. Enumerators are left as words, however they were written.
//!
//! Attributes of other dialects (`gpu.known_block_size`, `tt.divisibility`) may stand on every operation of MLIR;
//! mlir-translate gives no meaning to them and neither do we. Those of `llvm` and `nvvm` are ours to know.

use crate::table::attribute::{Attribute, Kind};
use crate::table::enumeration::Enumeration;
use crate::table::{Row, row_of};
use crate::translate::is_module;
use crate::tree::{Attr, Entry, Op};
use crate::types::Type;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};

/// Dialects whose attributes mlir-translate turns into LLVM IR: none of them is for NVIDIA's GPUs but our own two.
const TRANSLATED: [&str; 6] = ["llvm", "nvvm", "rocdl", "xevm", "omp", "acc"];

/// Checks the operations of a module and of everything inside, and leaves their attributes in one form.
pub(crate) fn check(ops: &mut [Op<'_>], diagnostics: &mut Diagnostics) {
    // Beside modules for the GPU everything is the host's.
    let only_gpu = ops.iter().any(|op| op.name == "gpu.module");
    for op in ops {
        if diagnostics.is_full() {
            return;
        }
        if only_gpu && !is_module(op.name) {
            continue;
        }
        if let Some(row) = row_of(op.name) {
            attributes(op, row, diagnostics);
        }
        for block in op.regions.iter_mut().flat_map(|region| &mut region.blocks) {
            check(&mut block.ops, diagnostics);
        }
    }
}

/// What is wrong with an attribute.
struct Fault {
    message: String,
    help: String,
    unsupported: bool,
}

fn fault(message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault {
        message: message.into(),
        help: help.into(),
        unsupported: false,
    }
}

fn refused(message: impl Into<String>) -> Fault {
    Fault {
        unsupported: true,
        ..fault(message, "")
    }
}

fn attributes(op: &mut Op<'_>, row: &Row, diagnostics: &mut Diagnostics) {
    if op.attrs.0.is_empty() {
        return;
    }
    let known: Vec<Attribute> = row.attributes().collect();
    let mut seen: Vec<&'static str> = Vec::new();
    for mut entry in std::mem::take(&mut op.attrs.0) {
        let found = match known.iter().find(|one| one.is(&entry.name)) {
            Some(one) if seen.contains(&one.name()) => Err(fault(
                format!("the attribute `{}` is there twice", entry.name),
                "",
            )),
            Some(one) => {
                seen.push(one.name());
                value(one, &entry).map(|value| value.map(|value| (one.name(), value)))
            }
            None if is_foreign(&entry.name) => Ok(None),
            None => Err(unknown(&entry.name, &known)),
        };
        match found {
            Ok(Some((name, value))) => {
                entry.name = name.into();
                entry.value = value;
                op.attrs.0.push(entry);
            }
            Ok(None) => {}
            Err(fault) => {
                let code = match fault.unsupported {
                    true => codes::MLIR_UNSUPPORTED,
                    false => codes::MLIR_OPERATION,
                };
                let whole = Span::new(op.pos, op.pos + op.name.len() as u32);
                let message = format!("`{}`: {}", op.name, fault.message);
                let mut diagnostic = Diagnostic::error(code, entry.span.unwrap_or(whole), message);
                if !fault.help.is_empty() {
                    diagnostic = diagnostic.help(fault.help);
                }
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Whether an attribute belongs to a dialect that has no say in what LLVM IR says. `llvm.mmra` only takes order away,
/// and is for another memory model.
pub(crate) fn is_foreign(name: &str) -> bool {
    match name.split_once('.') {
        Some((dialect, rest)) => {
            name == "llvm.mmra"
                || (!dialect.is_empty() && !rest.is_empty() && !TRANSLATED.contains(&dialect))
        }
        None => false,
    }
}

fn unknown(name: &str, known: &[Attribute]) -> Fault {
    let names: Vec<&str> = known.iter().map(Attribute::name).collect();
    let help = match names.is_empty() {
        true => "it has no attributes".to_owned(),
        false => format!("its attributes are {}", names.join(", ")),
    };
    fault(format!("there is no attribute `{name}`"), help)
}

/// The value of an attribute in its one form; `None` for one that is left out.
fn value<'a>(attribute: &Attribute, entry: &Entry<'a>) -> Result<Option<Attr<'a>>, Fault> {
    let (name, value) = (&entry.name, &entry.value);
    let (right, what) = match attribute.kind {
        Kind::Advice => return Ok(None),
        Kind::Refused => {
            let message = format!("the attribute `{name}` is not supported");
            return Err(refused(message));
        }
        Kind::Word(words) if words.bits => return bits(words, name, value).map(Some),
        Kind::Word(words) => return word(words, name, value).map(Some),
        Kind::Flag => match flag(value) {
            Some(truth) => return Ok(Some(Attr::Bool(truth))),
            None => (false, "a flag"),
        },
        Kind::Empty => match value {
            Attr::Array(values) if values.is_empty() => return Ok(None),
            Attr::Numbers(values) if values.is_empty() => return Ok(None),
            _ => return Err(refused("operand bundles are not read")),
        },
        Kind::Number => (matches!(value, Attr::Int(..)), "a number"),
        Kind::Numbers => (value.numbers().is_some(), "a list of numbers"),
        Kind::Text => (matches!(value, Attr::String(_)), "a string"),
        Kind::Type => (matches!(value, Attr::Type(_)), "a type"),
        Kind::Symbol => (matches!(value, Attr::Symbol(_)), "a symbol"),
        Kind::List => (matches!(value, Attr::Array(_)), "a list"),
        Kind::Any => (true, ""),
    };
    match right {
        true => Ok(Some(value.clone())),
        false => Err(fault(format!("the attribute `{name}` is not {what}"), "")),
    }
}

/// What a flag says: it is there, or a truth value.
pub(crate) fn flag(value: &Attr<'_>) -> Option<bool> {
    match value {
        Attr::Unit => Some(true),
        Attr::Bool(truth) => Some(*truth),
        Attr::Int(0, Some(Type::Int(1))) => Some(false),
        Attr::Int(1 | -1, Some(Type::Int(1))) => Some(true),
        _ => None,
    }
}

/// The enumerator that an attribute is.
fn word<'a>(words: &'static Enumeration, name: &str, value: &Attr<'a>) -> Result<Attr<'a>, Fault> {
    let help = || format!("it is one of {}", words.list());
    if let Attr::Int(number, _) = value {
        return match words.of_number(*number) {
            Some(one) => Ok(Attr::Word(one.word)),
            None => Err(fault(
                format!("`{name}` has no enumerator {number}"),
                help(),
            )),
        };
    }
    let text = spelled(words, name, value)?;
    match words.of_word(&text) {
        Some(one) => Ok(Attr::Word(one.word)),
        None => Err(fault(format!("`{name}` cannot be `{text}`"), help())),
    }
}

/// The flags that an attribute sets, as a number.
fn bits<'a>(words: &'static Enumeration, name: &str, value: &Attr<'a>) -> Result<Attr<'a>, Fault> {
    let numbers = words.enumerators().filter_map(|one| one.number);
    let all = numbers.fold(0, |all, number| all | number);
    let help = || format!("its flags are {}", words.list());
    if let Attr::Int(number, _) = value {
        return match number & !all {
            0 => Ok(Attr::Int(*number, None)),
            _ => Err(fault(format!("`{name}` has no flags {number}"), help())),
        };
    }
    let text = spelled(words, name, value)?;
    let mut set = 0;
    for flag in text.split([',', '|']).map(str::trim) {
        match words.of_word(flag).and_then(|one| one.number) {
            Some(number) => set |= number,
            None => return Err(fault(format!("`{name}` has no flag `{flag}`"), help())),
        }
    }
    Ok(Attr::Int(set, None))
}

/// The words of an enumeration in an attribute, wherever they stand: bare, in quotes, between `<>`, in
/// `#nvvm.kind<words>` or `#nvvm<kind words>`.
fn spelled(words: &Enumeration, name: &str, value: &Attr<'_>) -> Result<String, Fault> {
    let (kind, body) = match value {
        Attr::Word(word) => return Ok((*word).to_owned()),
        // `f16` is a type elsewhere.
        Attr::Type(ty) => return Ok(ty.mangled()),
        Attr::String(bytes) => return Ok(String::from_utf8_lossy(bytes).into_owned()),
        Attr::Dialect("", body) => ("", body.trim()),
        Attr::Dialect(dialect, body) => match dialect.split_once('.') {
            Some((_, kind)) => (kind, body.trim()),
            None => {
                let body = body.trim();
                let end = body.find([' ', '<']).unwrap_or(body.len());
                (&body[..end], body[end..].trim())
            }
        },
        _ => {
            let help = format!("it is one of {}", words.list());
            return Err(fault(format!("`{name}` is not an enumerator"), help));
        }
    };
    if !kind.is_empty() && kind != words.name && !words.any_name {
        let message = format!("`{name}` is a `{}`, not a `{kind}`", words.name);
        return Err(fault(message, ""));
    }
    let inside = body
        .strip_prefix('<')
        .and_then(|body| body.strip_suffix('>'))
        .unwrap_or(body);
    Ok(inside.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests;
