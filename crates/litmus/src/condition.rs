//! Final conditions: what registers and memory hold when all threads have ended.

use crate::lex::Kind;
use crate::read::Reader;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::axioms::{Operation, ValueType};

/// Which executions must satisfy a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// One at least.
    Exists,
    /// None.
    NotExists,
    /// All.
    Forall,
}

/// What a condition compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A register: thread and number.
    Register(usize, usize),
    /// What a location holds at last.
    Location(usize),
    /// A number.
    Constant(u64),
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A comparison.
    Compare(Operation, Term, Term),
    /// It does not hold.
    Not(Box<Condition>),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One holds at least.
    Or(Box<Condition>, Box<Condition>),
    /// Always holds.
    True,
}

impl Condition {
    /// Whether it holds, given what terms are. Numbers are compared as signed ones of 64 bits.
    pub fn holds(&self, value: &dyn Fn(Term) -> u64) -> bool {
        match self {
            Condition::Compare(operation, a, b) => {
                operation.apply(ValueType::S64, value(*a), value(*b)) != 0
            }
            Condition::Not(condition) => !condition.holds(value),
            Condition::And(a, b) => a.holds(value) && b.holds(value),
            Condition::Or(a, b) => a.holds(value) || b.holds(value),
            Condition::True => true,
        }
    }

    /// The locations that it speaks of, each once, in order.
    pub fn locations(&self, found: &mut Vec<usize>) {
        match self {
            Condition::Compare(_, a, b) => {
                for term in [a, b] {
                    if let Term::Location(location) = term
                        && !found.contains(location)
                    {
                        found.push(*location);
                    }
                }
            }
            Condition::Not(condition) => condition.locations(found),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.locations(found);
                b.locations(found);
            }
            Condition::True => {}
        }
    }
}

/// How deeply conditions nest.
const MAX_DEPTH: usize = 200;

/// Reads a condition; what is not there is reported, and gives `None`.
pub(crate) fn read(reader: &mut Reader) -> Option<Condition> {
    either(reader, 0)
}

fn either(reader: &mut Reader, depth: usize) -> Option<Condition> {
    let mut left = both(reader, depth)?;
    while reader.accept("\\/") || reader.accept("||") {
        let right = both(reader, depth)?;
        left = Condition::Or(Box::new(left), Box::new(right));
    }
    Some(left)
}

fn both(reader: &mut Reader, depth: usize) -> Option<Condition> {
    let mut left = single(reader, depth)?;
    while reader.accept("/\\") || reader.accept("&&") {
        let right = single(reader, depth)?;
        left = Condition::And(Box::new(left), Box::new(right));
    }
    Some(left)
}

fn single(reader: &mut Reader, depth: usize) -> Option<Condition> {
    if depth > MAX_DEPTH {
        let message = format!("the condition nests more than {MAX_DEPTH} deep");
        reader.error(Diagnostic::error(
            codes::LITMUS_SYNTAX,
            reader.span(),
            message,
        ));
        return None;
    }
    if reader.accept("~") || reader.accept("!") || reader.accept_word("not") {
        return Some(Condition::Not(Box::new(single(reader, depth + 1)?)));
    }
    if reader.accept("(") {
        let inner = either(reader, depth + 1)?;
        reader.expect(")", "the condition")?;
        return Some(inner);
    }
    if reader.accept_word("true") {
        return Some(Condition::True);
    }
    let a = term(reader)?;
    let operation = [
        ("==", Operation::Eq),
        ("=", Operation::Eq),
        ("!=", Operation::Ne),
        ("<=", Operation::Le),
        (">=", Operation::Ge),
        ("<", Operation::Lt),
        (">", Operation::Gt),
    ];
    let Some((_, operation)) = operation.into_iter().find(|(sign, _)| reader.accept(sign)) else {
        reader.unexpected("a comparison: `==`, `!=`, `<`, `<=`, `>` or `>=`");
        return None;
    };
    Some(Condition::Compare(operation, a, term(reader)?))
}

fn term(reader: &mut Reader) -> Option<Term> {
    if let Some(value) = constant(reader) {
        // A thread may be named by its number alone: `0:r1`.
        if reader.accept(":") {
            return register(reader, &format!("P{value}"));
        }
        return Some(Term::Constant(value));
    }
    let in_brackets = reader.accept("[");
    let Kind::Word(name) = reader.peek() else {
        reader.unexpected("a register, a location or a number");
        return None;
    };
    let span = reader.span();
    reader.next();
    if in_brackets {
        reader.expect("]", "the location")?;
    } else if reader.accept(":") {
        return register(reader, name);
    }
    match reader.known_location(name) {
        Some(location) => Some(Term::Location(location)),
        None => {
            reader.unknown_location(name, span);
            None
        }
    }
}

/// A register after the name of its thread.
fn register(reader: &mut Reader, thread: &str) -> Option<Term> {
    let span = reader.span();
    let Kind::Word(name) = reader.peek() else {
        reader.unexpected("a register");
        return None;
    };
    reader.next();
    let number = reader.thread(thread, span)?;
    let register = match reader.known_register(number, name) {
        Some(register) => register,
        None => {
            let message = format!("`{thread}` does not use `{name}`");
            let found = Diagnostic::warning(codes::LITMUS_NAME, span, message);
            reader.error(found.help("a register that nothing writes is 0"));
            reader.register(number, name)
        }
    };
    Some(Term::Register(number, register))
}

/// A number with its sign.
pub(crate) fn constant(reader: &mut Reader) -> Option<u64> {
    let is_negative = reader.peek() == Kind::Sign("-");
    let at = usize::from(is_negative);
    let Kind::Number(number) = reader.peek_at(at) else {
        return None;
    };
    for _ in 0..=at {
        reader.next();
    }
    Some(match is_negative {
        true => number.wrapping_neg(),
        false => number,
    })
}

/// The quantifier at the start of a condition.
pub(crate) fn quantifier(reader: &mut Reader) -> Option<(Quantifier, Span)> {
    let span = reader.span();
    let is_negated = reader.accept("~") || reader.accept_word("not");
    let found = if reader.accept_word("exists") {
        match is_negated {
            true => Quantifier::NotExists,
            false => Quantifier::Exists,
        }
    } else if !is_negated && reader.accept_word("forall") {
        Quantifier::Forall
    } else {
        reader.unexpected("`exists`, `~exists` or `forall`");
        return None;
    };
    Some((found, span))
}
