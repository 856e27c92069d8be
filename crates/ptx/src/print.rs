//! [`Module`] to text, in canonical form.
//!
//! Modifiers stand in the manual's order, one statement a line, one name a declaration, one tab a
//! level. Printing what was read from a printed module gives the same text again.

mod declaration;

use crate::decimal::push_decimal;
use crate::inst::{At, Choice, Inst, Int, Operand, OperandRange, Part, Sign};
use crate::module::{
    Alias, Body, Function, FunctionDirective, FunctionKind, Item, Loc, Module, Section,
    SectionLine, Statement, TargetOption,
};
use std::fmt::Write;
use warpc_diag::Span;

/// The module as PTX text.
///
/// ```
/// let text = ".version 8.0 .target sm_90 .address_size 64 .entry k() { bar.sync 0; ret; }";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// let printed = warpc_ptx::print(&warpc_ptx::parse(&file).unwrap());
/// assert!(printed.ends_with(".entry k()\n{\n\tbar.sync 0;\n\tret;\n}\n"), "{printed}");
/// ```
pub fn print(module: &Module) -> String {
    let mut printer = Printer::new(module, None);
    printer.module();
    printer.out
}

/// A function of a module as text, also one that is not among its items.
pub fn print_function(module: &Module, function: &Function) -> String {
    let mut printer = Printer::new(module, None);
    printer.function(function);
    printer.out
}

/// A statement as text, without a line break.
pub fn print_statement(module: &Module, body: &Body, statement: &Statement) -> String {
    let mut printer = Printer::new(module, None);
    printer.statement(body, statement);
    printer.out
}

/// Where something of the module stands in both texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Offset in the print: within the line that it begins.
    pub(crate) offset: usize,
    /// Offset in the text that the module was read from.
    pub(crate) source: u32,
}

/// The print, and for what begins its lines where that came from.
pub(crate) fn print_with_marks(module: &Module) -> (String, Vec<Mark>) {
    let mut printer = Printer::new(module, Some(Vec::new()));
    printer.module();
    (printer.out, printer.marks.unwrap_or_default())
}

/// Opcode and modifiers of a choice, in the manual's order.
pub fn mnemonic_text(choice: &Choice) -> String {
    let mut text = String::new();
    let form = choice.form.form();
    text.push_str(form.opcode);
    for (slot, &value) in form.slots.iter().zip(&choice.values) {
        if value != Choice::ABSENT {
            text.push_str(slot.values[usize::from(value)].text);
        }
    }
    text
}

struct Printer<'m> {
    module: &'m Module,
    out: String,
    /// For each mnemonic the choices that were printed, with their texts.
    mnemonics: Vec<Vec<(u8, String)>>,
    /// Noted only if somebody asks for them.
    marks: Option<Vec<Mark>>,
}

/// Writing to a string cannot fail.
macro_rules! put {
    ($printer:expr, $($arg:tt)*) => {{ let _ = write!($printer.out, $($arg)*); }};
}
use put;

impl<'m> Printer<'m> {
    fn new(module: &'m Module, marks: Option<Vec<Mark>>) -> Printer<'m> {
        Printer {
            module,
            out: String::new(),
            mnemonics: vec![Vec::new(); module.mnemonics.len()],
            marks,
        }
    }
}

impl Printer<'_> {
    /// Notes that what comes next was read at a place.
    fn mark(&mut self, at: At) {
        if let Some(marks) = &mut self.marks {
            marks.push(Mark {
                offset: self.out.len(),
                source: at.0.start,
            });
        }
    }

    fn module(&mut self) {
        self.mark(self.module.header.version);
        put!(self, ".version {}\n", self.module.version);
        self.mark(self.module.header.target);
        put!(self, ".target {}", self.module.sm);
        for option in &self.module.options {
            let name = TargetOption::ALL
                .iter()
                .find(|(o, _)| o == option)
                .map_or("", |(_, name)| name);
            put!(self, ", {name}");
        }
        self.out.push('\n');
        if let Some(bits) = self.module.address_size {
            self.mark(self.module.header.address_size);
            put!(self, ".address_size {bits}\n");
        }
        for note in &self.module.notes.0 {
            put!(self, "// {note}\n");
        }
        let mut after_block = true;
        for item in &self.module.items {
            let block = matches!(item, Item::Function(_) | Item::Section(_));
            if block || after_block {
                self.out.push('\n');
            }
            after_block = block;
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        self.mark(match item {
            Item::Variable(variable) => variable.name_at,
            Item::Function(function) => function.at,
            Item::Alias(alias) => alias.at,
            Item::File(file) => file.at,
            Item::Section(section) => section.at,
            Item::Pragma(_, at) => *at,
        });
        match item {
            Item::Variable(variable) => {
                self.variable(variable);
                self.out.push_str(";\n");
            }
            Item::Function(function) => self.function(function),
            Item::Alias(alias) => {
                self.alias(alias);
                self.out.push('\n');
            }
            Item::File(file) => {
                put!(self, ".file {} \"{}\"", file.index, file.name);
                for number in [file.time, file.size].into_iter().flatten() {
                    put!(self, ", {number}");
                }
                self.out.push('\n');
            }
            Item::Section(section) => self.section(section),
            Item::Pragma(strings, _) => {
                self.pragma(strings);
                self.out.push('\n');
            }
        }
    }

    fn alias(&mut self, alias: &Alias) {
        put!(
            self,
            ".alias {}, {};",
            self.module.name(alias.name),
            self.module.name(alias.aliasee)
        );
    }

    fn pragma(&mut self, strings: &[String]) {
        self.out.push_str(".pragma ");
        for (i, string) in strings.iter().enumerate() {
            put!(self, "{}\"{string}\"", if i == 0 { "" } else { ", " });
        }
        self.out.push(';');
    }

    fn section(&mut self, section: &Section) {
        put!(self, ".section {}\n{{\n", section.name);
        for line in &section.lines {
            self.mark(match line {
                SectionLine::Label(_, at)
                | SectionLine::Numbers(_, _, at)
                | SectionLine::Address(_, _, _, at)
                | SectionLine::Difference(_, _, at) => *at,
            });
            match line {
                SectionLine::Label(symbol, _) => put!(self, "{}:", self.module.name(*symbol)),
                SectionLine::Numbers(ty, values, _) => {
                    put!(self, "\t{ty} ");
                    for (i, value) in values.iter().enumerate() {
                        self.out.push_str(if i == 0 { "" } else { ", " });
                        self.int(*value);
                    }
                }
                SectionLine::Address(ty, symbol, offset, _) => {
                    put!(self, "\t{ty} {}", self.module.name(*symbol));
                    if *offset != 0 {
                        put!(self, "+{}", *offset as u64);
                    }
                }
                SectionLine::Difference(ty, [a, b], _) => {
                    let (a, b) = (self.module.name(*a), self.module.name(*b));
                    put!(self, "\t{ty} {a}-{b}");
                }
            }
            self.out.push('\n');
        }
        let end = section.at.0.end;
        self.mark(At(Span::new(end.saturating_sub(1), end)));
        self.out.push_str("}\n");
    }

    fn function(&mut self, function: &Function) {
        self.function_head(function);
        match &function.body {
            None => self.out.push_str(";\n"),
            Some(body) => {
                self.out.push('\n');
                self.mark(body.open);
                self.out.push_str("{\n");
                self.body(body);
                self.mark(body.close);
                self.out.push_str("}\n");
            }
        }
    }

    fn function_head(&mut self, function: &Function) {
        if !function.linkage.text().is_empty() {
            put!(self, "{} ", function.linkage.text());
        }
        self.out.push_str(match function.kind {
            FunctionKind::Entry => ".entry ",
            FunctionKind::Func => ".func ",
        });
        self.attributes(&function.attributes);
        if !function.returns.is_empty() {
            self.parameters(&function.returns);
            self.out.push(' ');
        }
        self.out.push_str(self.module.name(function.name));
        if function.has_param_list {
            self.parameters(&function.params);
            // Without directives the head ends with the list.
            if let Some(marks) = &mut self.marks
                && function.directives.is_empty()
            {
                marks.push(Mark {
                    offset: self.out.len() - 1,
                    source: function.at.0.end.saturating_sub(1),
                });
            }
        }
        for directive in &function.directives {
            self.out.push('\n');
            self.mark(directive.at);
            self.function_directive(directive);
        }
    }

    fn function_directive(&mut self, directive: &FunctionDirective) {
        if !directive.strings.is_empty() {
            self.pragma(&directive.strings);
            return;
        }
        self.out.push_str(directive.name);
        for (i, value) in directive.values.iter().enumerate() {
            self.out.push_str(if i == 0 { " " } else { ", " });
            self.int(*value);
        }
    }

    fn body(&mut self, body: &Body) {
        let mut depth = 1usize;
        for statement in &body.statements {
            if self.marks.is_some() {
                self.mark(statement.at());
            }
            if matches!(statement, Statement::Close(_)) {
                depth = depth.saturating_sub(1).max(1);
            }
            if !matches!(statement, Statement::Label(..)) {
                self.out.extend(std::iter::repeat_n('\t', depth));
            }
            self.statement(body, statement);
            self.out.push('\n');
            if matches!(statement, Statement::Open(_)) {
                depth += 1;
            }
        }
    }

    fn statement(&mut self, body: &Body, statement: &Statement) {
        match statement {
            Statement::Inst(inst) => self.inst(body, inst),
            Statement::Label(symbol, _) => put!(self, "{}:", self.module.name(*symbol)),
            Statement::Open(_) => self.out.push('{'),
            Statement::Close(_) => self.out.push('}'),
            Statement::Variable(variable) => {
                self.variable(variable);
                self.out.push(';');
            }
            Statement::Function(function) => {
                self.function_head(function);
                self.out.push(';');
            }
            Statement::Alias(alias) => self.alias(alias),
            Statement::Loc(loc) => self.loc(loc),
            Statement::Pragma(strings, _) => self.pragma(strings),
            Statement::BranchTargets(list, _) | Statement::CallTargets(list, _) => {
                let branch = matches!(statement, Statement::BranchTargets(..));
                self.out.push_str(if branch {
                    ".branchtargets "
                } else {
                    ".calltargets "
                });
                for (i, (symbol, _)) in list.iter().enumerate() {
                    put!(
                        self,
                        "{}{}",
                        if i == 0 { "" } else { ", " },
                        self.module.name(*symbol)
                    );
                }
                self.out.push(';');
            }
            Statement::CallPrototype(prototype, _) => {
                self.out.push_str(".callprototype ");
                if !prototype.returns.is_empty() {
                    self.parameters(&prototype.returns);
                    self.out.push(' ');
                }
                self.out.push_str("_ ");
                self.parameters(&prototype.params);
                for directive in &prototype.directives {
                    self.out.push(' ');
                    self.function_directive(directive);
                }
                self.out.push(';');
            }
        }
    }

    fn loc(&mut self, loc: &Loc) {
        put!(self, ".loc {} {} {}", loc.file, loc.line, loc.column);
        if let Some(inlined) = &loc.inlined {
            put!(
                self,
                ", function_name {}",
                self.module.name(inlined.function)
            );
            if inlined.offset != 0 {
                put!(self, "+{}", inlined.offset as u64);
            }
            let (file, line, column) = inlined.call;
            put!(self, ", inlined_at {file} {line} {column}");
        }
    }

    fn inst(&mut self, body: &Body, inst: &Inst) {
        if let Some(guard) = &inst.guard {
            self.out.push_str(if guard.negated { "@!" } else { "@" });
            self.out.push_str(self.module.name(guard.register));
            self.out.push(' ');
        }
        let texts = &mut self.mnemonics[inst.mnemonic.0 as usize];
        let known = texts.iter().position(|(choice, _)| *choice == inst.choice);
        let known = known.unwrap_or_else(|| {
            let choices = &self.module.mnemonic(inst.mnemonic).choices;
            let text = mnemonic_text(&choices[usize::from(inst.choice)]);
            texts.push((inst.choice, text));
            texts.len() - 1
        });
        self.out.push_str(&texts[known].1);
        if inst.operands.len > 0 {
            self.out.push(' ');
            self.operands(body, inst.operands);
        }
        self.out.push(';');
    }

    fn operands(&mut self, body: &Body, range: OperandRange) {
        for (i, operand) in body.operands(range).iter().enumerate() {
            self.out.push_str(if i == 0 { "" } else { ", " });
            self.operand(body, operand);
        }
    }

    fn operand(&mut self, body: &Body, operand: &Operand) {
        match operand {
            Operand::Name { symbol, part, sign } => {
                self.out.push_str(match sign {
                    Sign::Plain => "",
                    Sign::Not => "!",
                    Sign::Minus => "-",
                });
                self.out.push_str(self.module.name(*symbol));
                if *part != Part::Whole {
                    put!(self, "{part}");
                }
            }
            Operand::Int(int) => self.int(*int),
            Operand::F32(bits) => put!(self, "0f{bits:08X}"),
            Operand::F64(bits) => put!(self, "0d{bits:016X}"),
            Operand::Offset(range) => {
                let pair = body.operands(*range);
                self.operand(body, &pair[0]);
                self.out.push('+');
                self.operand(body, &pair[1]);
            }
            Operand::Element(range) => {
                let items = body.operands(*range);
                self.operand(body, &items[0]);
                self.out.push('[');
                self.operand(body, &items[1]);
                if let Some(offset) = items.get(2) {
                    self.out.push('+');
                    self.operand(body, offset);
                }
                self.out.push(']');
            }
            Operand::Sink => self.out.push('_'),
            Operand::Vector(range) => {
                self.out.push('{');
                self.operands(body, *range);
                self.out.push('}');
            }
            Operand::Pair(range) => {
                let pair = body.operands(*range);
                self.operand(body, &pair[0]);
                self.out.push('|');
                self.operand(body, &pair[1]);
            }
            Operand::Address { items, unified } => {
                self.out.push('[');
                let items = body.operands(*items);
                self.operand(body, &items[0]);
                if let Some(Operand::Int(offset)) = items.get(1) {
                    // `+-4` is understood by every reader of PTX, `-4` is not.
                    self.out.push('+');
                    self.int(*offset);
                }
                self.out.push(']');
                self.out.push_str(if *unified { ".unified" } else { "" });
            }
            Operand::Group(range) => {
                self.out.push('[');
                self.operands(body, *range);
                self.out.push(']');
            }
            Operand::List(range) => {
                self.out.push('(');
                self.operands(body, *range);
                self.out.push(')');
            }
        }
    }

    fn int(&mut self, int: Int) {
        match (int.hex, int.unsigned) {
            (true, _) => put!(self, "0x{:X}", int.bits),
            (false, true) => push_decimal(&mut self.out, int.bits),
            (false, false) => {
                let number = int.bits as i64;
                self.out.push_str(if number < 0 { "-" } else { "" });
                push_decimal(&mut self.out, number.unsigned_abs());
            }
        }
        // Beyond the signed range a literal is unsigned by itself.
        if int.unsigned && int.bits <= i64::MAX as u64 {
            self.out.push('U');
        }
    }
}
