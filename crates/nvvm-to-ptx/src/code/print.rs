//! [`Code`] as text, for people.
//!
//! ```text
//! k:
//! $B0:
//! \tld.param.b64 %rd0, [k_param_0];
//! \tsetp.eq.b64 %p1, %rd0, 0;
//! \t=> %p1 ? $B2 : $B1
//! ```
//!
//! Registers have the numbers of the code, one count for all classes; the last line of a section says how it goes on.

use super::{Arg, ArgRange, Code, End, InlineText, Inst, Label, Line, Reg};
use crate::unit::Unit;
use std::fmt::{self, Display, Formatter, Write};
use std::rc::Rc;
use warpc_nvvm::index::Id;
use warpc_ptx::module::{Body, Function};
use warpc_ptx::symbol::Symbol;

/// The code of a function, to be printed.
pub struct Shown<'c> {
    unit: &'c Unit<'c>,
    head: &'c Function,
    code: &'c Code,
}

impl<'c> Shown<'c> {
    /// The code of the function with this head.
    pub fn new(unit: &'c Unit<'c>, head: &'c Function, code: &'c Code) -> Shown<'c> {
        Shown { unit, head, code }
    }

    fn name(&self, symbol: Symbol) -> &'c str {
        self.unit.ptx.name(symbol)
    }

    fn line(&self, f: &mut Formatter<'_>, line: &Line) -> fmt::Result {
        match line {
            Line::Inst(inst) => self.inst(f, inst),
            Line::Label(label) => writeln!(f, "{label}:"),
            Line::Open => writeln!(f, "\t{{"),
            Line::Close => writeln!(f, "\t}}"),
            Line::Loc(node) => writeln!(f, "\t.loc !{}", node.index()),
            Line::Mark(_) => Ok(()),
            Line::Statement(statement) => {
                let text = warpc_ptx::print_statement(&self.unit.ptx, &Body::default(), statement);
                writeln!(f, "\t{text}")
            }
            Line::Inline(text) => self.inline(f, text),
            Line::Targets(name, labels) => {
                write!(f, "{}:\t.branchtargets ", self.name(*name))?;
                separated(f, labels, |f, label| write!(f, "{label}"))?;
                writeln!(f, ";")
            }
        }
    }

    /// The text as it was read, with the registers that its operands are.
    fn inline(&self, f: &mut Formatter<'_>, inline: &InlineText) -> fmt::Result {
        let mut texts = self.unit.inline.iter();
        let text = texts.find(|(_, known)| Rc::ptr_eq(known, &inline.statements));
        let text = text.map_or("", |(text, _)| text.trim());
        write!(f, "\tasm(\"{}\"", text.escape_debug())?;
        for (number, &reg) in inline.registers.iter().enumerate() {
            let operand = crate::inline::operand_name(number);
            write!(f, ", {operand} = {}", self.reg(reg))?;
        }
        writeln!(f, ");")
    }

    fn inst(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        f.write_char('\t')?;
        if let Some((reg, negated)) = inst.guard {
            let not = if negated { "!" } else { "" };
            write!(f, "@{not}{} ", self.reg(reg))?;
        }
        let mnemonic = self.unit.ptx.mnemonic(inst.mnemonic);
        f.write_str(&warpc_ptx::mnemonic_text(&mnemonic.choices[0]))?;
        if inst.args.len > 0 {
            f.write_char(' ')?;
            self.args(f, inst.args, ", ")?;
        }
        writeln!(f, ";")
    }

    fn args(&self, f: &mut Formatter<'_>, range: ArgRange, between: &str) -> fmt::Result {
        for (i, &arg) in self.code.args[range.indices()].iter().enumerate() {
            if i > 0 {
                f.write_str(between)?;
            }
            self.arg(f, arg)?;
        }
        Ok(())
    }

    fn arg(&self, f: &mut Formatter<'_>, arg: Arg) -> fmt::Result {
        let mut inside = |open: &str, range, between, close: &str| {
            f.write_str(open)?;
            self.args(f, range, between)?;
            f.write_str(close)
        };
        match arg {
            Arg::Reg(reg) => write!(f, "{}", self.reg(reg)),
            Arg::Int(value) => write!(f, "{value}"),
            Arg::F32(bits) => write!(f, "0f{bits:08X}"),
            Arg::F64(bits) => write!(f, "0d{bits:016X}"),
            Arg::Name(symbol) => f.write_str(self.name(symbol)),
            Arg::Element(symbol, part) => write!(f, "{}{part}", self.name(symbol)),
            Arg::Label(label) => write!(f, "{label}"),
            Arg::Sink => f.write_char('_'),
            Arg::Vector(range) => inside("{", range, ", ", "}"),
            Arg::Pair(range) => inside("", range, "|", ""),
            Arg::Address(range) => inside("[", range, "+", "]"),
            Arg::Group(range) => inside("[", range, ", ", "]"),
            Arg::List(range) => inside("(", range, ", ", ")"),
        }
    }

    /// A register by its own name, or by its class and number.
    fn reg(&self, reg: Reg) -> String {
        let mut named = self.code.named.iter();
        match named.find(|(known, _)| *known == reg) {
            Some((_, name)) => (*name).to_owned(),
            None => format!("{}{}", self.code.class(reg).prefix(), reg.0),
        }
    }
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        write(f, item)?;
    }
    Ok(())
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:", self.name(self.head.name))?;
        for section in &self.code.sections {
            writeln!(f, "{}:", section.label)?;
            for line in &section.lines {
                self.line(f, line)?;
            }
            match section.end {
                End::Stop => {}
                End::Jump(to) => writeln!(f, "\t=> {to}")?,
                End::Branch {
                    predicate,
                    negated,
                    yes,
                    no,
                } => {
                    let not = if negated { "!" } else { "" };
                    writeln!(f, "\t=> {not}{} ? {yes} : {no}", self.reg(predicate))?;
                }
            }
        }
        Ok(())
    }
}

impl Display for Label {
    /// `$B3` for a block of the IR, `$M3` for a place that selection has made.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Label::Block(block) => write!(f, "$B{}", block.index()),
            Label::Made(number) => write!(f, "$M{number}"),
        }
    }
}
