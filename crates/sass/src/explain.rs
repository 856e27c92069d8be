//! What an operation of the machine is, printed from the tables: its forms with their operands, and its latencies.
//!
//! ```text
//!   0x9a8  ATOMG{.E}.<a>{<b>}{<c>} P, R, desc[UR][R{+offset}], R
//!          <a> = ADD | MIN | MAX | …
//! ```
//!
//! A form is written as nvdisasm prints it: what stands in braces may be missing, bars separate alternatives, and longer
//! lists of alternatives stand below the form.

use crate::form::{Form, Forms};
use crate::latency::{Facts, File, Hazard};
use crate::operand::Marks;
use crate::shape::Shape;
use crate::template::{Atom, Kind, Piece};
use std::fmt::Write;
use warpc_target::Sm;

/// Alternatives with more characters than this stand below the form.
const LONGEST: usize = 20;

/// Explains an operation by its name without modifiers on a chip; nothing if no chip has one.
///
/// ```
/// let text = warpc_sass::explain("ATOMG", "sm_90".parse().unwrap()).unwrap();
/// assert!(text.starts_with("ATOMG on sm_90: "), "{text}");
/// assert!(text.contains("waits for a scoreboard"), "{text}");
/// ```
pub fn explain(name: &str, sm: Sm) -> Option<String> {
    let name = crate::form::name_of(name);
    let all = Forms::get();
    let is_it = |form: &&Form| form.name() == name;
    let mut chips: Vec<(u16, u16)> = all
        .all()
        .filter(is_it)
        .map(|form| (form.row.first, form.row.last))
        .collect();
    if chips.is_empty() {
        return None;
    }
    let forms: Vec<&'static Form> = all.named(sm, name).filter(is_it).collect();
    if forms.is_empty() {
        chips.sort_unstable();
        return Some(absent(name, sm, &chips));
    }
    let plural = if forms.len() == 1 { "" } else { "s" };
    let mut out = format!("{name} on {sm}: {} form{plural}\n\n", forms.len());
    for form in &forms {
        describe(&mut out, form);
    }
    latencies(&mut out, &forms, sm);
    Some(out)
}

/// What is said where a chip does not have an operation.
fn absent(name: &str, sm: Sm, chips: &[(u16, u16)]) -> String {
    if !is_described(sm) {
        return format!(
            "{name}: an operation of the machine. The machine code of {sm} is not described: warpc knows that of sm_75 \
             and later chips other than sm_107.\n"
        );
    }
    let first = chips.iter().map(|chip| chip.0).min().unwrap_or_default();
    let last = chips.iter().map(|chip| chip.1).max().unwrap_or_default();
    let until = match last {
        u16::MAX => " or later".to_owned(),
        last => format!(" to sm_{last}"),
    };
    format!(
        "{name}: an operation of the machine that {sm} does not have; sm_{first}{until} has it.\n"
    )
}

/// Whether the machine code of a chip is described.
pub fn is_described(sm: Sm) -> bool {
    let mut forms = Forms::get().all();
    forms.any(|form| form.row.is_on(sm.number()))
}

fn describe(out: &mut String, form: &Form) {
    let mut writer = Writer::default();
    let text = writer.pieces(form.pieces());
    let _ = writeln!(out, "{:#05x}  {text}", form.row.opcode);
    for (index, list) in writer.lists.iter().enumerate() {
        let _ = writeln!(out, "       {} = {}", label(index), list.join(" | "));
    }
}

/// The name of a list of alternatives.
fn label(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index @ 0..26) => format!("<{}>", char::from(b'a' + index)),
        _ => format!("<{index}>"),
    }
}

/// Writes pieces as text.
#[derive(Default)]
struct Writer {
    /// Alternatives that stand below.
    lists: Vec<Vec<String>>,
}

impl Writer {
    fn pieces(&mut self, pieces: &[Piece]) -> String {
        let mut text = String::new();
        for piece in pieces {
            text.push_str(&self.piece(piece));
        }
        text
    }

    fn piece(&mut self, piece: &Piece) -> String {
        match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Atom(atom) => operand(atom),
            Piece::Choice(_, choices) => {
                let mut list: Vec<String> = Vec::new();
                for body in choices.each() {
                    let text = self.pieces(body);
                    if !body.contains(&Piece::Never) && !list.contains(&text) {
                        list.push(text);
                    }
                }
                self.alternatives(list)
            }
            Piece::If(_, _, body) | Piece::Unless(_, _, body) => {
                let text = self.pieces(body);
                match body.contains(&Piece::Never) || text.is_empty() {
                    true => String::new(),
                    false => format!("{{{text}}}"),
                }
            }
            Piece::Hidden(_) | Piece::Never => String::new(),
        }
    }

    /// One of several, or none of them.
    fn alternatives(&mut self, mut list: Vec<String>) -> String {
        let optional = list.iter().any(String::is_empty);
        list.retain(|text| !text.is_empty());
        let length: usize = list.iter().map(String::len).sum();
        let text = match list.len() {
            0 => return String::new(),
            1 => list.remove(0),
            _ if length <= LONGEST => list.join("|"),
            _ => {
                let known = self.lists.iter().position(|known| *known == list);
                let index = known.unwrap_or(self.lists.len());
                if known.is_none() {
                    self.lists.push(list);
                }
                let label = label(index);
                return if optional {
                    format!("{{{label}}}")
                } else {
                    label
                };
            }
        };
        match (optional, text.contains('|')) {
            (true, _) => format!("{{{text}}}"),
            (false, true) => format!("({text})"),
            (false, false) => text,
        }
    }
}

/// An operand without its number.
fn operand(atom: &Atom) -> String {
    let body = match atom.kind {
        Kind::Register => "R",
        Kind::Uniform | Kind::NextUniform => "UR",
        Kind::Predicate | Kind::PredicateFromLast => "P",
        Kind::UniformPredicate | Kind::UniformPredicateFromLast => "UP",
        Kind::Constant => "c[bank][offset]",
        Kind::Bindless => "cx[UR][offset]",
        Kind::Barrier => "B",
        Kind::Set => "{bits}",
        Kind::Unsigned | Kind::Signed | Kind::Decimal => "number",
        Kind::Float(_) => "float",
        Kind::Special => "SR",
        Kind::Label => "place",
    };
    let has = |mark: Marks| atom.signs.each().any(|(_, own)| own == mark);
    let mut text = String::new();
    for (mark, sign) in [
        (Marks::NOT, "{!}"),
        (Marks::MINUS, "{-}"),
        (Marks::TILDE, "{~}"),
    ] {
        if has(mark) {
            text.push_str(sign);
        }
    }
    match has(Marks::BARS) {
        true => {
            let _ = write!(text, "{{\\|}}{body}{{\\|}}");
        }
        false => text.push_str(body),
    }
    text
}

/// When results are there, as far as the tables say.
fn latencies(out: &mut String, forms: &[&'static Form], sm: Sm) {
    let Some(facts) = Facts::of(sm) else {
        let _ = writeln!(out, "\nLatencies on {sm} are not known.");
        return;
    };
    let mut lines: Vec<String> = Vec::new();
    for form in forms {
        for line in latency(facts, form) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if lines.is_empty() {
        lines.push("no pipe is recorded for it".to_owned());
    }
    let _ = writeln!(out, "\nLatencies on {sm}:");
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

/// The lines for one form, with every field 0 or as ptxas leaves it.
fn latency(facts: &'static Facts, form: &'static Form) -> Vec<String> {
    let shape = Shape::at_rest(form, facts);
    let Some(pipe) = shape.pipe().or_else(|| facts.pipe(form.name())) else {
        return Vec::new();
    };
    let mut lines = vec![format!(
        "{}: pipe {pipe:?}, takes the next one after {} cycle{}, stall count of at least {}",
        form.name(),
        shape.issue(),
        if shape.issue() == 1 { "" } else { "s" },
        shape.least_stall(),
    )];
    let writes = |file: File| {
        let mut slots = shape.slots().iter();
        slots.any(|slot| slot.file == Some(file) && slot.is_written())
    };
    for (file, words) in [
        (File::Register, "a register"),
        (File::Predicate, "a predicate"),
        (File::Uniform, "a uniform register"),
        (File::UniformPredicate, "a uniform predicate"),
    ] {
        if !writes(file) {
            continue;
        }
        let cycles = facts.cycles(file, Hazard::ReadAfterWrite, pipe);
        lines.push(match (facts.is_variable(pipe), cycles) {
            (true, _) => format!("who reads {words} that it writes waits for a scoreboard"),
            (false, Some((least, most))) if least == most => {
                format!("{words} that it writes is there after {least} cycles")
            }
            (false, Some((least, most))) => format!(
                "{words} that it writes is there after {least} to {most} cycles, by the pipe that reads it"
            ),
            (false, None) => format!("when {words} that it writes is there is not recorded"),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, sm: &str) -> String {
        explain(name, sm.parse().unwrap()).unwrap_or_else(|| panic!("{name}"))
    }

    /// Every operation is explained on every chip, by forms or by why there are none.
    #[test]
    fn every_operation_on_every_chip() {
        let mut names: Vec<&str> = Forms::get().all().map(Form::name).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() > 190, "{}", names.len());
        for sm in Sm::all() {
            for name in &names {
                let text = explain(name, sm).unwrap_or_else(|| panic!("{name}"));
                let here = Forms::get()
                    .named(sm, name)
                    .any(|form| form.name() == *name);
                let listed = text.starts_with(&format!("{name} on {sm}: "));
                assert_eq!(listed, here, "{text}");
                assert!(!text.contains("{}"), "{text}");
                assert_eq!(
                    text.contains("is not described"),
                    !is_described(sm),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn operands_and_latencies() {
        let atomic = text("ATOMG", "sm_90");
        assert!(atomic.contains("0x9a8  ATOMG"), "{atomic}");
        assert!(atomic.contains("waits for a scoreboard"), "{atomic}");
        let sum = text("IADD3", "sm_90");
        assert!(
            sum.contains("a register that it writes is there after"),
            "{sum}"
        );
        let fence = text("MEMBAR", "sm_90");
        assert!(fence.contains("SC") && fence.contains("GPU"), "{fence}");
        let load = text("LDG.E.64", "sm_120");
        assert!(load.starts_with("LDG on sm_120: "), "{load}");
    }

    #[test]
    fn what_is_not_there_is_said() {
        assert!(text("REDG", "sm_80").contains("sm_80 does not have; sm_90 or later has it"));
        assert!(text("ATOMG", "sm_60").contains("is not described"));
        assert!(explain("NOSUCH", "sm_90".parse().unwrap()).is_none());
    }
}
