//! Pretty forms that a line of the [table](crate::table) describes.

use super::{Parse, Parser};
use crate::table::{Count, Row};
use crate::tree::{Attr, Op, Use};
use crate::types::Type;
use std::rc::Rc;
use warpc_diag::{Span, codes};

/// The operands of an operation by name, while it is read.
struct Reading<'a> {
    row: &'static Row,
    groups: Vec<Vec<Use<'a>>>,
}

impl<'a> Reading<'a> {
    fn group(&mut self, name: &str) -> &mut Vec<Use<'a>> {
        let index = self.row.groups().position(|(group, _)| group == name);
        // Checked for every row by a test.
        let index = index.expect("a pretty form speaks of operands that the row has");
        &mut self.groups[index]
    }

    fn count(&self, name: &str) -> Count {
        let group = self.row.groups().find(|(group, _)| *group == name);
        group.map_or(Count::One, |(_, count)| count)
    }
}

impl<'a> Parser<'a> {
    /// Reads what stands after the name of an operation.
    pub(super) fn custom(&mut self, op: &mut Op<'a>, row: &'static Row) -> Parse<()> {
        if row.syntax.is_empty() {
            let message = format!(
                "`{}` has only the generic form, its name in quotes",
                op.name
            );
            let span = Span::new(op.pos, op.pos + op.name.len() as u32);
            return self.fail_at(codes::MLIR_SYNTAX, span, message);
        }
        let words: Vec<&'static str> = row.syntax.split_ascii_whitespace().collect();
        let mut reading = Reading {
            row,
            groups: row.groups().map(|_| Vec::new()).collect(),
        };
        self.words(op, &mut reading, &words)?;
        if op.result_types.is_empty() && !row.result.is_empty() {
            let ty = self.result_type(row.result, op, &mut reading)?;
            op.result_types.push(ty);
        }
        let variable = row.groups().filter(|(_, count)| *count != Count::One);
        if variable.count() > 1 {
            let sizes = reading.groups.iter().map(|group| group.len() as i128);
            op.attrs
                .push("operandSegmentSizes", Attr::Numbers(sizes.collect()));
        }
        op.operands = reading.groups.into_iter().flatten().collect();
        Ok(())
    }

    fn words(
        &mut self,
        op: &mut Op<'a>,
        reading: &mut Reading<'a>,
        words: &[&'static str],
    ) -> Parse<()> {
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            at += 1;
            if word == "<?" {
                let end = at + closing(&words[at..]);
                let inside = &words[at..end];
                at = end + 1;
                if self.starts(inside) {
                    self.words(op, reading, inside)?;
                }
                continue;
            }
            self.one_word(op, reading, word)?;
        }
        Ok(())
    }

    /// Whether the text goes on with an optional part.
    fn starts(&mut self, words: &[&'static str]) -> bool {
        let Some(&first) = words.first() else {
            return false;
        };
        match first.as_bytes()[0] {
            b'%' if first.len() > 1 => self.scan.peek() == b'%',
            b'#' if first.len() > 1 => matches!(self.scan.peek(), b'#' | b'<'),
            _ => self.scan.at(first),
        }
    }

    fn one_word(
        &mut self,
        op: &mut Op<'a>,
        reading: &mut Reading<'a>,
        word: &'static str,
    ) -> Parse<()> {
        let rest = &word[1..];
        match (word.as_bytes()[0], rest) {
            (b'%', name) if !name.is_empty() => self.operands(reading, name),
            (b'^', "") => {
                let successor = self.successor()?;
                op.successors.push(successor);
                Ok(())
            }
            (b'#', name) if name.starts_with(':') => {
                let span = self.scan.span();
                let value = self.attr()?;
                op.attrs.push_at(&name[1..], value, span);
                Ok(())
            }
            (b'#', name) if !name.is_empty() => {
                let span = self.scan.span();
                let value = self.bare_attr()?;
                op.attrs.push_at(name, value, span);
                Ok(())
            }
            (b'!', name) if !name.is_empty() => {
                op.attrs.push(name, Attr::Unit);
                Ok(())
            }
            (b'{', "}") => {
                if self.scan.peek() == b'{' {
                    op.attrs.0.extend(self.dict()?.0);
                }
                Ok(())
            }
            (b'T', "*") => {
                let groups = reading.groups.iter_mut().flatten();
                let mut uses: Vec<&mut Use<'a>> = groups.collect();
                self.types_of(&mut uses)
            }
            (b'T', name) if name.starts_with('%') => {
                let mut uses: Vec<&mut Use<'a>> = reading.group(&name[1..]).iter_mut().collect();
                self.types_of(&mut uses)
            }
            (b'R', "") => loop {
                let ty = self.ty()?;
                op.result_types.push(ty);
                if op.result_types.len() >= op.results.len() || !self.scan.eat(",") {
                    return Ok(());
                }
            },
            (b'F', name) if name.is_empty() || name.starts_with('%') => {
                let span = self.scan.span();
                let Type::Arrow(arrow) = self.ty()? else {
                    return self.fail_at(codes::MLIR_SYNTAX, span, "expected `(types) -> type`");
                };
                let mut uses: Vec<&mut Use<'a>> = match name.strip_prefix('%') {
                    Some(name) => reading.group(name).iter_mut().collect(),
                    None => reading.groups.iter_mut().flatten().collect(),
                };
                if uses.len() != arrow.inputs.len() {
                    let message =
                        format!("{} types for {} operands", arrow.inputs.len(), uses.len());
                    return self.fail_at(codes::MLIR_SYNTAX, span, message);
                }
                for (operand, ty) in uses.iter_mut().zip(&arrow.inputs) {
                    operand.ty = Some(ty.clone());
                }
                op.result_types.clone_from(&arrow.results);
                Ok(())
            }
            _ => self.want(word),
        }
    }

    fn operands(&mut self, reading: &mut Reading<'a>, name: &str) -> Parse<()> {
        let any = reading.count(name) == Count::Any;
        if any && self.scan.peek() != b'%' {
            return Ok(());
        }
        loop {
            let operand = self.operand()?;
            reading.group(name).push(operand);
            // A list ends where no value follows the comma: `%a, %b, cache = ca`.
            let comma = self.scan.pos();
            if !any || !self.scan.eat(",") {
                return Ok(());
            }
            if self.scan.peek() != b'%' {
                self.scan.go(comma);
                return Ok(());
            }
        }
    }

    fn types_of(&mut self, uses: &mut [&mut Use<'a>]) -> Parse<()> {
        for (i, operand) in uses.iter_mut().enumerate() {
            if i > 0 {
                self.want(",")?;
            }
            operand.ty = Some(self.ty()?);
        }
        Ok(())
    }

    /// The type of a result that the text does not say.
    fn result_type(
        &mut self,
        rule: &'static str,
        op: &Op<'a>,
        reading: &mut Reading<'a>,
    ) -> Parse<Type> {
        let (how, name) = rule.split_at(1);
        if how == "i" {
            // The rows have only sizes here; a test reads them all.
            return Ok(Type::Int(name.parse().unwrap_or(32)));
        }
        if rule == "p0" {
            return Ok(Type::Pointer(0));
        }
        let operand = reading.group(name).first().cloned();
        let Some(ty) = operand.and_then(|operand| operand.ty) else {
            return self.fail("the type of an operand");
        };
        let found = match how {
            "=" => Some(ty),
            "?" => Some(ty.truth()),
            "&" => Some(Type::Struct {
                packed: false,
                fields: Rc::new([ty, Type::Int(1)]),
            }),
            "[" => ty.element().map(|(_, of)| of.clone()),
            "." => self.member(ty, op.attrs.get("position").and_then(Attr::numbers)),
            _ => match (ty, op.attrs.get("mask").and_then(Attr::numbers)) {
                (Type::Vector { scalable, of, .. }, Some(mask)) => Some(Type::Vector {
                    len: mask.len() as u64,
                    scalable,
                    of,
                }),
                _ => None,
            },
        };
        match found {
            Some(ty) => Ok(ty),
            None => self.fail("operands of another type"),
        }
    }

    /// The type of a part of an aggregate.
    pub(super) fn member(&self, mut ty: Type, path: Option<Vec<i128>>) -> Option<Type> {
        for index in path? {
            let index = usize::try_from(index).ok()?;
            ty = match &ty {
                Type::Array(_, of) => (**of).clone(),
                Type::Struct { fields, .. } => fields.get(index)?.clone(),
                Type::Named(name) => {
                    let (_, body) = self.structs.iter().find(|(other, _)| other == name)?;
                    body.as_ref()?.1.get(index)?.clone()
                }
                _ => return None,
            };
        }
        Some(ty)
    }
}

/// Where the optional part that was just opened closes.
fn closing(words: &[&'static str]) -> usize {
    let mut depth = 0;
    for (i, word) in words.iter().enumerate() {
        match *word {
            "<?" => depth += 1,
            "?>" if depth == 0 => return i,
            "?>" => depth -= 1,
            _ => {}
        }
    }
    words.len()
}

#[cfg(test)]
mod tests {
    use crate::table::rows;

    #[test]
    fn pretty_forms_speak_of_operands_that_are_there() {
        for row in rows() {
            for word in row.syntax.split_ascii_whitespace() {
                let name = ["T%", "F%", "%"]
                    .iter()
                    .find_map(|mark| word.strip_prefix(mark));
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    let known = row.groups().any(|(group, _)| group == name);
                    assert!(known, "{}: `{word}`", row.name);
                }
            }
            if let Some(name) = row.result.strip_prefix(['=', '?', '&', '[', '.', '~']) {
                assert!(row.groups().any(|(group, _)| group == name), "{}", row.name);
            } else if let Some(bits) = row.result.strip_prefix('i') {
                assert!(bits.parse::<u32>().is_ok(), "{}", row.name);
            } else {
                assert!(matches!(row.result, "" | "p0"), "{}", row.name);
            }
        }
    }
}
