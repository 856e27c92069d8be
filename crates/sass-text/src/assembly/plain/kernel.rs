//! The code and the attributes of a kernel in the plain form.

use super::KernelText;
use crate::assembly::lex::{Line, Name, Wrong, fault};
use crate::assembly::read::Item;
use crate::assembly::record::{self, Reading};
use crate::assembly::warn;
use crate::facts::{attributes_of, padding};
use crate::instruction::{self, Refusal};
use std::collections::HashMap;
use warpc_cubin::attribute;
use warpc_cubin::build::{Kernel, Reference, parameters_at};
use warpc_cubin::relocation;
use warpc_diag::{Diagnostics, Span, codes};
use warpc_sass::facts::kernel_facts;
use warpc_target::Sm;

/// Makes a kernel of its lines.
pub(super) struct KernelAssembler<'t, 'a> {
    pub sm: Sm,
    pub text: &'t KernelText<'a>,
    pub labels: HashMap<Vec<u8>, u64>,
    pub diagnostics: &'t mut Diagnostics,
}

/// From a place on, how many bytes names had before it, and what stands for them has.
struct Replaced {
    from: usize,
    was: usize,
    is: usize,
}

impl KernelAssembler<'_, '_> {
    pub fn kernel(&mut self) -> Kernel {
        let text = self.text;
        self.find_labels();
        let mut code: Vec<(u128, Span)> = Vec::new();
        let mut is_wrong = false;
        let mut attributes = text.attributes.clone();
        let mut relocations = Vec::new();
        for item in &text.items {
            let read = match item {
                Item::Inst(line) => self
                    .instruction(line, code.len() as u64 * 16)
                    .map(|word| code.push((word, line.span()))),
                Item::Word(word) => {
                    code.push((*word, text.name.span));
                    Ok(())
                }
                Item::Record(line) => {
                    let mut line = *line;
                    record::read(attribute::INFO, &mut line, self).map(|one| attributes.push(one))
                }
                Item::Reloc(line) => self.relocation(*line).map(|one| relocations.push(one)),
                _ => Ok(()),
            };
            if let Err(wrong) = read {
                // Places after it stay where they are.
                if matches!(item, Item::Inst(_)) {
                    code.push((0, text.name.span));
                }
                is_wrong = true;
                self.diagnostics.push(*wrong);
            }
        }
        if !is_wrong {
            warn(self.sm, &code, self.diagnostics);
        }
        let mut code: Vec<u128> = code.into_iter().map(|one| one.0).collect();
        code.extend(padding(self.sm, &code));
        let facts = kernel_facts(self.sm, &code);
        let said = attributes.iter().map(|one| one.attribute);
        let said: Vec<u8> = said.collect();
        let implied = attributes_of(self.sm, &facts).into_iter();
        attributes.extend(implied.filter(|one| !said.contains(&one.attribute)));
        Kernel {
            name: text.name.shown(),
            code: code.iter().flat_map(|word| word.to_le_bytes()).collect(),
            parameters: text.parameters.iter().map(|one| one.1).collect(),
            registers: self.registers(facts.registers),
            shared: text.shared,
            shared_align: text.shared_align,
            barriers: text.barriers.unwrap_or(facts.barriers),
            frame: text.local,
            stack: text.local,
            exits: facts.exits,
            attributes,
            relocations,
            ..Kernel::default()
        }
    }

    fn find_labels(&mut self) {
        let mut place = 0;
        for item in &self.text.items {
            match item {
                Item::Label(name) => {
                    let earlier = self.labels.insert(name.bytes.clone(), place);
                    if earlier.is_some() {
                        let message = format!("the label `{}` is there twice", name.shown());
                        self.diagnostics
                            .push(*fault(codes::SASS_NAME, name.span, message));
                    }
                }
                Item::Inst(_) | Item::Word(_) => place += 16,
                _ => {}
            }
        }
    }

    /// The registers that the kernel asks for; at least those that it names.
    fn registers(&mut self, named: u32) -> u8 {
        let name = &self.text.name;
        let (message, help) = match self.text.registers {
            Some(registers) if u32::from(registers) >= named => return registers,
            Some(registers) => (
                format!(
                    "`{}` asks for {registers} registers and uses R{}",
                    name.shown(),
                    named - 1
                ),
                format!("write `.registers {}` or more", named + 2),
            ),
            None => (
                format!("it is not said how many registers `{}` has", name.shown()),
                format!(
                    "write `.registers {}`: two more than it uses",
                    (named + 2).max(8)
                ),
            ),
        };
        let mut wrong = fault(codes::SASS_VALUE, name.span, message);
        wrong.help = Some(help);
        self.diagnostics.push(*wrong);
        0
    }

    fn instruction(&self, line: &Line<'_>, address: u64) -> Result<u128, Wrong> {
        let text = line.rest();
        let text = text.strip_suffix(';').unwrap_or(text).trim_end();
        let (text, moved) = self.with_parameters(line, text)?;
        let place = |name: &str| self.labels.get(name.as_bytes()).copied();
        let word = instruction::read(self.sm, &text, address, place);
        word.map_err(|refusal| {
            let Refusal {
                code,
                range,
                message,
                help,
            } = refusal;
            let back = |at: usize| {
                let before = moved.iter().rev().find(|one| one.from <= at);
                before.map_or(at, |one| (at + one.was).saturating_sub(one.is))
            };
            let mut wrong = fault(code, line.part(back(range.start)..back(range.end)), message);
            wrong.help = (!help.is_empty()).then_some(help);
            wrong
        })
    }

    /// The text with the places of parameters in place of their names, and what was replaced.
    fn with_parameters(
        &self,
        line: &Line<'_>,
        text: &str,
    ) -> Result<(String, Vec<Replaced>), Wrong> {
        let mut out = String::with_capacity(text.len());
        let mut moved = Vec::new();
        let mut at = 0;
        let (mut was, mut is) = (0, 0);
        while let Some(found) = text[at..].find("c[0x0][") {
            let start = at + found + "c[0x0][".len();
            out.push_str(&text[at..start]);
            at = start;
            let rest = &text[start..];
            let end = rest.find([']', '+', '-']).unwrap_or(rest.len());
            let name = &rest[..end];
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            // `c[0x0][R2+0x10]` is a register's.
            let parameter = self
                .text
                .parameters
                .iter()
                .find(|(one, _)| one.bytes == name.as_bytes());
            let Some((_, parameter)) = parameter else {
                if is_name && !is_register(name) {
                    let message = format!("there is no parameter `{name}`");
                    let mut wrong = fault(codes::SASS_NAME, line.part(start..start + end), message);
                    wrong.help = Some("declare it: `.param u64 NAME`".to_owned());
                    return Err(wrong);
                }
                continue;
            };
            let mut whole = end;
            let mut place =
                u64::from(parameters_at(self.sm).unwrap_or(0)) + u64::from(parameter.offset);
            // `name+0x4`, `name-4`
            let after = &rest[end..];
            if let Some(close) = after.find(']').filter(|&close| close > 0) {
                whole += close;
                let (sign, number) = after[..close].split_at(1);
                let more = number_in(number.trim()).filter(|&more| {
                    let is_inside = more < u64::from(parameter.size);
                    more == 0 || (sign == "+" && is_inside)
                });
                let Some(more) = more else {
                    let message = format!(
                        "`{}` is not inside the parameter, which has {} bytes",
                        &rest[..whole],
                        parameter.size
                    );
                    let span = line.part(start..start + whole);
                    let mut wrong = fault(codes::SASS_VALUE, span, message);
                    wrong.help = Some("write a number of bytes: `NAME+4`, `NAME+0x4`".to_owned());
                    return Err(wrong);
                };
                place += more;
            }
            let shown = format!("{place:#x}");
            out.push_str(&shown);
            was += whole;
            is += shown.len();
            moved.push(Replaced {
                from: out.len(),
                was,
                is,
            });
            at = start + whole;
        }
        out.push_str(&text[at..]);
        Ok((out, moved))
    }

    fn place(&self, line: &mut Line<'_>) -> Result<u64, Wrong> {
        if line.is_at_number() {
            return line.unsigned();
        }
        let name = line.name()?;
        self.labels.get(&name.bytes).copied().ok_or_else(|| {
            let message = format!("there is no label `{}` in this kernel", name.shown());
            fault(codes::SASS_NAME, name.span, message)
        })
    }

    fn relocation(&self, mut line: Line<'_>) -> Result<Reference, Wrong> {
        let offset = self.place(&mut line)?;
        line.expect(",")?;
        let span = line.span();
        let name = line.word().map_or("", |(word, _)| word);
        let kind = relocation::number(name).ok_or_else(|| {
            let message = format!("there is no kind of relocation `{name}`");
            fault(codes::SASS_VALUE, span, message)
        })?;
        line.expect(",")?;
        let symbol = line.name()?.shown();
        let addend = match line.accept(",") {
            true => line.unsigned()?,
            false => 0,
        };
        line.end()?;
        Ok(Reference {
            offset,
            kind,
            symbol,
            addend,
        })
    }
}

/// The symbol of a line `PLACE, KIND, SYMBOL`.
pub(super) fn symbol_of(mut line: Line<'_>) -> Result<Name, Wrong> {
    match line.is_at_number() {
        true => drop(line.number()?),
        false => drop(line.name()?),
    }
    line.expect(",")?;
    line.name()?;
    line.expect(",")?;
    line.name()
}

/// A decimal or hexadecimal number.
fn number_in(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let is_plain = digits.starts_with(|c: char| c.is_ascii_hexdigit());
    is_plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

/// `R5`, `RZ`, `UR5`, `URZ`
fn is_register(name: &str) -> bool {
    let number = name.strip_prefix('U').unwrap_or(name).strip_prefix('R');
    number
        .is_some_and(|rest| rest.starts_with('Z') || rest.starts_with(|c: char| c.is_ascii_digit()))
}

impl Reading for KernelAssembler<'_, '_> {
    fn symbol(&self, line: &mut Line<'_>) -> Result<u32, Wrong> {
        let message = "attributes that name symbols stand in files with sections only";
        Err(line.wrong(message.to_owned()))
    }

    fn place(&self, line: &mut Line<'_>) -> Result<u32, Wrong> {
        let span = line.span();
        let place = KernelAssembler::place(self, line)?;
        u32::try_from(place)
            .map_err(|_| fault(codes::SASS_VALUE, span, "the place does not fit 32 bits"))
    }

    fn registers(&self, _: u32) -> Option<u32> {
        None
    }
}
