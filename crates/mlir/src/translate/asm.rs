//! Inline PTX: what the table writes as `asm`, and `nvvm.inline_ptx`.

use super::function::Writer;
use super::operands::Groups;
use super::template::{Part, parts};
use super::{Outcome, Problem};
use crate::table;
use crate::tree::{Attr, Op, Use};
use crate::types::{Float, Type, quoted};
use std::fmt::Write;

/// The constraint for a register that holds a value of a type.
pub(super) fn register(ty: &Type) -> Outcome<char> {
    Ok(match ty {
        Type::Int(1) => 'b',
        Type::Int(16) | Type::Float(Float::F16 | Float::Bf16) => 'h',
        Type::Int(32) | Type::Pointer(3 | 5 | 6) => 'r',
        Type::Int(64) | Type::Pointer(_) => 'l',
        Type::Int(128) => 'q',
        Type::Float(Float::F32) => 'f',
        Type::Float(Float::F64) => 'd',
        Type::Vector { len, of, .. } => match (len, &**of) {
            (2, Type::Int(16) | Type::Float(Float::F16 | Float::Bf16)) | (4, Type::Int(8)) => 'r',
            _ => return Err(no_register(ty)),
        },
        _ => return Err(no_register(ty)),
    })
}

fn no_register(ty: &Type) -> Problem {
    Problem::unsupported(format!("inline PTX has no register for {ty}"))
}

impl<'o, 't> Writer<'o, 't> {
    /// A line `asm TEXT(ARGUMENTS)` of the table.
    pub(super) fn inline_ptx_line(
        &mut self,
        op: &'t Op<'t>,
        line: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<()> {
        let open = line.rfind('(').unwrap_or(line.len());
        let names = line[open..].trim_matches(['(', ')']).split(", ");
        let mut operands: Vec<(&str, &'t Use<'t>)> = Vec::new();
        for name in names {
            let uses = groups.get(name).unwrap_or_default();
            operands.extend(uses.iter().map(|operand| (name, operand)));
        }
        let mut text = String::new();
        for part in parts(&line[..open]) {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Field(field) => match field.strip_prefix('$') {
                    Some(name) => {
                        let places = operands.iter().enumerate();
                        let places = places.filter(|(_, (group, _))| *group == name);
                        let places: Vec<String> = places.map(|(i, _)| format!("${i}")).collect();
                        text.push_str(&places.join(", "));
                    }
                    None => text.push_str(&self.name_field(op, field, groups)?),
                },
            }
        }
        let operands: Vec<&'t Use<'t>> = operands.into_iter().map(|(_, operand)| operand).collect();
        self.write_asm(&text, &operands)
    }

    /// Writes inline PTX that only reads.
    pub(super) fn write_asm(&mut self, text: &str, operands: &[&'t Use<'t>]) -> Outcome<()> {
        let mut constraints = Vec::new();
        let mut args = Vec::new();
        for operand in operands {
            constraints.push(self.place(operand)?.to_string());
            args.push(self.typed(operand)?);
        }
        let call = format!(
            "call void asm sideeffect {}, {}({})",
            quoted(text.as_bytes()),
            quoted(constraints.join(",").as_bytes()),
            args.join(", ")
        );
        self.write(&call);
        Ok(())
    }

    /// The constraint for an operand that is read: constants stand in the text, as MLIR has it.
    fn place(&self, operand: &Use<'t>) -> Outcome<char> {
        let known = self.known(operand)?;
        let constant = !known.text.starts_with(['%', '@']);
        match (constant, &known.ty) {
            (true, Type::Int(2..)) => Ok('n'),
            _ => register(&known.ty),
        }
    }

    /// `nvvm.inline_ptx "text" ro (…) rw (…), predicate = %p -> types`
    pub(super) fn inline_ptx(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let row = table::row_of(op.name);
        let groups = Groups::of(op, row.ok_or_else(|| Problem::wrong("it has no row"))?)?;
        let Some(code) = op.attrs.get("ptxCode").and_then(Attr::string) else {
            return Err(Problem::wrong("its text is missing"));
        };
        let code =
            std::str::from_utf8(code).map_err(|_| Problem::wrong("its text is not UTF-8"))?;
        let read = groups.get("readOnlyArgs").unwrap_or_default();
        let changed = groups.get("readWriteArgs").unwrap_or_default();
        // Results first, those of arguments that are changed before the others; then what is read.
        let mut result_types = Vec::new();
        for operand in changed {
            result_types.push(self.known(operand)?.ty.clone());
        }
        result_types.extend(op.result_types.iter().cloned());
        let mut constraints = Vec::new();
        for ty in &result_types {
            constraints.push(format!("={}", register(ty)?));
        }
        let mut args = Vec::new();
        for operand in read {
            constraints.push(self.place(operand)?.to_string());
            args.push(self.typed(operand)?);
        }
        for (i, operand) in changed.iter().enumerate() {
            constraints.push(i.to_string());
            args.push(self.typed(operand)?);
        }
        let mut text = placed(code, changed.len(), result_types.len());
        if let Some(predicate) = groups.one("predicate") {
            let place = constraints.len();
            text = format!("@${place} {text}");
            constraints.push("b".to_owned());
            args.push(self.typed(predicate)?);
        }
        let ty = match result_types.as_slice() {
            [] => Type::Void,
            [ty] => ty.clone(),
            types => Type::Struct {
                packed: false,
                fields: types.into(),
            },
        };
        let call = format!(
            "call {ty} asm sideeffect {}, {}({})",
            quoted(text.as_bytes()),
            quoted(constraints.join(",").as_bytes()),
            args.join(", ")
        );
        self.give_results(op, &call, &ty, changed)
    }

    /// Hands the parts of what inline PTX gives to the arguments that it changes and to the results.
    fn give_results(
        &mut self,
        op: &'t Op<'t>,
        call: &str,
        ty: &Type,
        changed: &'t [Use<'t>],
    ) -> Outcome<()> {
        let count = match ty {
            Type::Void => {
                self.write(call);
                return Ok(());
            }
            Type::Struct { fields, .. } => fields.len(),
            _ => 1,
        };
        let whole = self.fresh();
        self.write(&format!("{whole} = {call}"));
        for index in 0..count {
            let name = match index.checked_sub(changed.len()) {
                Some(result) => match self.result_name_of(op, result) {
                    Some(name) => name,
                    None => continue,
                },
                None => self.fresh(),
            };
            let text = match count {
                // A copy under another name, which LLVM IR has no instruction for.
                1 => format!("{name} = bitcast {ty} {whole} to {ty}"),
                _ => format!("{name} = extractvalue {ty} {whole}, {index}"),
            };
            self.write(&text);
            if let Some(operand) = changed.get(index) {
                self.change(op, operand, name)?;
            }
        }
        Ok(())
    }
}

/// The text with `{$w0}`, `{$r0}` and `{$rw0}` as places of operands: first what is changed, then what is written,
/// then what is read.
fn placed(code: &str, changed: usize, results: usize) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(open) = rest.find("{$") {
        let (before, field) = rest.split_at(open);
        text.push_str(before);
        let end = field.find('}').unwrap_or(field.len());
        let inside = &field[2.min(end)..end];
        let letters = inside.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = inside[letters.len()..].parse::<usize>().ok();
        let place = match (letters, number) {
            ("rw", Some(number)) => Some(number),
            ("w", Some(number)) => Some(changed + number),
            ("r", Some(number)) => Some(results + number),
            _ => None,
        };
        match place {
            Some(place) if end < field.len() => {
                let _ = write!(text, "${place}");
                rest = &field[end + 1..];
            }
            _ => {
                text.push_str("{$");
                rest = &field[2..];
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::placed;

    #[test]
    fn fields_become_places() {
        assert_eq!(
            placed("add {$w0}, {$r1}, {$rw0}; {$x} {$0}", 1, 2),
            "add $1, $3, $0; {$x} {$0}"
        );
        assert_eq!(placed("a {$r", 0, 0), "a {$r");
    }
}
