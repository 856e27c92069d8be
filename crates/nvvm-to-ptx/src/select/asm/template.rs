//! The text and the constraints of inline assembly, as LLVM writes them.

use crate::code::Class;
use std::fmt::Write;

/// What a constraint asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A register.
    Register(Class),
    /// The place of an output, by its number.
    Tied(usize),
    /// A constant.
    Immediate,
    /// Memory.
    Memory,
}

/// A constraint of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Whether the text writes it.
    pub output: bool,
    /// Whether the argument is a pointer to it.
    pub indirect: bool,
    /// Where it is.
    pub kind: Kind,
}

/// The constraints of the operands, in order; `None` if one is not known. Clobbers are left out: registers
/// have no names that could be clobbered, and memory is taken to be.
pub fn constraints(text: &str) -> Option<Vec<Constraint>> {
    let mut all = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        if part.starts_with('~') {
            continue;
        }
        let (output, rest) = match part.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, part),
        };
        let (indirect, rest) = match rest.strip_prefix('*') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        // Every operand has registers of its own, so that it may be written early; operands that commute
        // are as good as others.
        let rest = rest.trim_start_matches(['&', '%']);
        all.push(Constraint {
            output,
            indirect,
            kind: kind(rest)?,
        });
    }
    Some(all)
}

/// Of several letters the first that is known counts: each of them alone is right.
fn kind(text: &str) -> Option<Kind> {
    if let Ok(number) = text.parse() {
        return Some(Kind::Tied(number));
    }
    text.chars().find_map(|letter| {
        Some(match letter {
            'b' => Kind::Register(Class::Pred),
            'h' | 'c' => Kind::Register(Class::B16),
            'r' | 'f' => Kind::Register(Class::B32),
            'l' | 'd' | 'N' => Kind::Register(Class::B64),
            'q' => Kind::Register(Class::B128),
            'n' | 'i' | 's' => Kind::Immediate,
            'm' => Kind::Memory,
            _ => return None,
        })
    })
}

/// The text with its operands. `number` is the text's own among all.
///
/// `$0` and `${0:m}` are operands, `$$` is a dollar, `${:uid}` the number, and of `$(a$|b$)` the first
/// stands.
pub fn expand(text: &str, operands: &[String], number: usize) -> Result<String, String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    // The alternative that is being read: none, the first, another.
    let mut alternative: Option<usize> = None;
    while let Some(at) = rest.find('$') {
        let written = alternative.is_none_or(|number| number == 0);
        if written {
            out.push_str(&rest[..at]);
        }
        rest = &rest[at + 1..];
        let next = rest.chars().next();
        match next {
            Some('$') => {
                if written {
                    out.push('$');
                }
                rest = &rest[1..];
            }
            Some('(') => {
                if alternative.replace(0).is_some() {
                    return Err("alternatives of inline assembly lie within each other".to_owned());
                }
                rest = &rest[1..];
            }
            Some('|') => {
                if let Some(number) = &mut alternative {
                    *number += 1;
                }
                rest = &rest[1..];
            }
            Some(')') => {
                alternative = None;
                rest = &rest[1..];
            }
            Some('{') => {
                let Some(end) = rest.find('}') else {
                    return Err("`${` of inline assembly is not closed".to_owned());
                };
                let inner = &rest[1..end];
                if written {
                    let (name, modifier) = inner.split_once(':').unwrap_or((inner, ""));
                    match (name, modifier) {
                        ("", "uid") => {
                            let _ = write!(out, "{number}");
                        }
                        ("", "comment") => out.push_str("//"),
                        _ => out.push_str(&operand(operands, name, modifier)?),
                    }
                }
                rest = &rest[end + 1..];
            }
            Some('0'..='9') => {
                let end = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                if written {
                    out.push_str(&operand(operands, &rest[..end], "")?);
                }
                rest = &rest[end..];
            }
            _ => return Err("`$` of inline assembly must be followed by an operand".to_owned()),
        }
    }
    if alternative.is_some() {
        return Err("`$(` of inline assembly is not closed".to_owned());
    }
    out.push_str(rest);
    Ok(out)
}

fn operand(operands: &[String], name: &str, modifier: &str) -> Result<String, String> {
    let number: Option<usize> = name.parse().ok();
    let Some(text) = number.and_then(|number| operands.get(number)) else {
        return Err(format!("inline assembly has no operand `{name}`"));
    };
    match modifier {
        "" | "r" | "c" => Ok(text.clone()),
        // The negated number.
        "n" => match text.parse::<i64>() {
            Ok(number) => Ok(number.wrapping_neg().to_string()),
            Err(_) => Err(format!(
                "operand `{name}:n` of inline assembly is not a number"
            )),
        },
        // An address.
        "a" if !text.starts_with('[') => Ok(format!("[{text}]")),
        "a" => Ok(text.clone()),
        _ => Err(format!("inline assembly knows no modifier `{modifier}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Result<String, String> {
        expand(text, &["%a".to_owned(), "7".to_owned()], 3)
    }

    #[test]
    fn operands_are_filled_in() {
        assert_eq!(with("mov $0, $1;").unwrap(), "mov %a, 7;");
        assert_eq!(with("${0:r} ${1:n} $$L${:uid}").unwrap(), "%a -7 $L3");
        assert_eq!(with("x$(a $0$|b$)y").unwrap(), "xa %ay");
        assert_eq!(with("{ $0 }").unwrap(), "{ %a }");
        for wrong in ["$2", "$x", "${0", "${0:z}", "$(a"] {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn constraints_are_read() {
        let all = constraints("=r,=&l,0,n,*m,~{memory}").unwrap();
        let kinds: Vec<Kind> = all.iter().map(|constraint| constraint.kind).collect();
        let wanted = [
            Kind::Register(Class::B32),
            Kind::Register(Class::B64),
            Kind::Tied(0),
            Kind::Immediate,
            Kind::Memory,
        ];
        assert_eq!(kinds, wanted);
        assert!(all[4].indirect && !all[4].output && all[1].output);
        assert_eq!(constraints("=y"), None);
    }
}
