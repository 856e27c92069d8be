//! PTX that stands in the module as text: read by the parser of PTX, put among our own statements.
//!
//! Operands are written as names that only this file makes. The statements are kept as the parser gives
//! them, with the symbols of their own module; [`splice`] copies them into a body, where each symbol
//! becomes one of ours. A text that declares something stands in braces, so that it can stand there twice,
//! and a register of its own that is named as ours are gets another name.

use crate::assemble::Draft;
use crate::code::InlineText;
use crate::legalize_atomics;
use crate::unit::{Refused, Unit, refusal};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use warpc_diag::{SourceFile, Span, codes};
use warpc_ptx::Module;
use warpc_ptx::inst::{At, Guard, MnemonicId, Operand, OperandRange};
use warpc_ptx::module::{Alias, Body, Item, Statement, Variable};
use warpc_ptx::symbol::Symbol;

/// Statements that were read.
#[derive(Debug)]
pub struct Statements {
    module: Module,
    /// For each mnemonic of the text ours.
    mnemonics: Vec<MnemonicId>,
    /// Whether it declares something outside of braces of its own.
    open: bool,
}

/// The name of an operand in the text.
pub fn operand_name(number: usize) -> String {
    format!("{OPERAND}{number}")
}

const OPERAND: &str = "%warpc_operand";

/// Reads statements. Equal texts are read once.
pub fn statements(unit: &mut Unit, text: &str, at: u32) -> Result<Rc<Statements>, Refused> {
    if let Some(known) = unit.inline.get(text) {
        return Ok(known.clone());
    }
    let head = format!(
        ".version {}\n.target {}\n.address_size 64\n.func inline()\n{{\n",
        warpc_target::PtxVersion::LATEST,
        unit.options.sm
    );
    let mut module = read(&head, text, "\n}\n", at)?;
    let function = module.items.iter().find_map(|item| match item {
        Item::Function(function) => function.body.as_ref(),
        _ => None,
    });
    let whole = module.items.len() == 1;
    let Some(body) = function.filter(|_| whole) else {
        let message = "inline PTX must not leave the function it stands in";
        return Err(refusal(codes::INLINE_PTX, at, message)
            .help("its braces do not match")
            .into());
    };
    let open = declares_outside(body);
    let mut mnemonics = Vec::with_capacity(module.mnemonics.len());
    for mnemonic in &module.mnemonics {
        let text = warpc_ptx::mnemonic_text(&mnemonic.choices[0]);
        mnemonics.push(unit.mnemonic(&text, at)?);
    }
    module.mnemonics.clear();
    let made = Rc::new(Statements {
        module,
        mnemonics,
        open,
    });
    unit.inline.insert(text.to_owned(), made.clone());
    Ok(made)
}

/// Reads the text of `module asm` lines: what they declare stands before everything else.
pub fn module_items(unit: &mut Unit) -> Result<Vec<Item>, Refused> {
    let module = unit.module;
    let texts = module
        .module_asm
        .iter()
        .map(|&line| module.names.text(line));
    let text: Vec<_> = texts.collect();
    let text = text.join("\n");
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let version = warpc_target::PtxVersion::LATEST;
    let head = format!(
        ".version {version}\n.target {}\n.address_size 64\n",
        unit.options.sm
    );
    let parsed = read(&head, &text, "", 0)?;
    let mut mnemonics = Vec::with_capacity(parsed.mnemonics.len());
    for mnemonic in &parsed.mnemonics {
        let text = warpc_ptx::mnemonic_text(&mnemonic.choices[0]);
        mnemonics.push(unit.mnemonic(&text, 0)?);
    }
    let names = parsed.symbols.iter();
    let symbols = names.map(|symbol| (symbol, unit.intern(parsed.name(symbol))));
    let mut splicer = Splicer {
        symbols: symbols.collect(),
        mnemonics: &mnemonics,
        start: 0,
        at: At::default(),
    };
    let mut items: Vec<Item> = parsed.items.iter().map(|item| splicer.item(item)).collect();
    for item in &mut items {
        if let Item::Function(function) = item
            && let Some(body) = function.body.take()
        {
            let mut draft = Draft::verbatim(body);
            legalize_atomics::run(unit, &mut draft)?;
            function.body = Some(draft.body);
        }
    }
    Ok(items)
}

/// Reads a text between others.
fn read(before: &str, text: &str, after: &str, at: u32) -> Result<Module, Refused> {
    let first_line = before.lines().count();
    let Some(file) = SourceFile::new("inline", format!("{before}{text}{after}")) else {
        return Err(refusal(codes::INLINE_PTX, at, "this inline PTX is too long").into());
    };
    let parsed = warpc_ptx::parse(&file);
    let wrong = match parsed.into_result() {
        Ok(module) => return Ok(module),
        Err(found) => found,
    };
    let Some(wrong) = wrong.first_error() else {
        return Err(refusal(codes::INLINE_PTX, at, "this inline PTX cannot be read").into());
    };
    let line = file.position(wrong.span.start).line;
    let number = line.saturating_sub(first_line).max(1);
    let shown = text.lines().nth(number - 1).unwrap_or_default().trim();
    let shown = shown.replace(OPERAND, "$");
    let message = format!("inline PTX, line {number}: {}", wrong.message);
    Err(refusal(codes::INLINE_PTX, at, message)
        .help(format!("the line is `{shown}`"))
        .into())
}

impl Statements {
    fn body(&self) -> Option<&Body> {
        self.module.items.iter().find_map(|item| match item {
            Item::Function(function) => function.body.as_ref(),
            _ => None,
        })
    }
}

fn declares_outside(body: &Body) -> bool {
    let mut depth = 0;
    body.statements.iter().any(|statement| {
        match statement {
            Statement::Open(_) => depth += 1,
            Statement::Close(_) => depth -= 1,
            Statement::Label(..) | Statement::Variable(_) => return depth == 0,
            _ => {}
        }
        false
    })
}

/// Copies statements to the end of a body. `operands` are the names of their operands.
pub fn splice(unit: &mut Unit, text: &InlineText, operands: &[Symbol], body: &mut Body) {
    let statements = text.statements.clone();
    let Some(from) = statements.body() else {
        return;
    };
    let at = At(Span::new(text.at, text.at + 1));
    let mut splicer = Splicer {
        symbols: symbols(unit, &statements.module, from, operands),
        mnemonics: &statements.mnemonics,
        start: body.operands.len() as u32,
        at,
    };
    if statements.open {
        body.statements.push(Statement::Open(at));
    }
    body.operand_spans
        .0
        .resize(body.operands.len(), Span::default());
    body.operands.extend(
        from.operands
            .iter()
            .map(|&operand| splicer.operand(operand)),
    );
    body.operand_spans.0.resize(body.operands.len(), at.0);
    body.statements.extend(
        from.statements
            .iter()
            .map(|statement| splicer.statement(statement)),
    );
    if statements.open {
        body.statements.push(Statement::Close(at));
    }
}

/// Our symbol for each symbol of the text.
fn symbols(
    unit: &mut Unit,
    module: &Module,
    body: &Body,
    operands: &[Symbol],
) -> FxHashMap<Symbol, Symbol> {
    let declared: FxHashSet<Symbol> = body
        .statements
        .iter()
        .filter_map(|statement| match statement {
            Statement::Variable(variable) => Some(variable.name),
            Statement::Label(name, _) => Some(*name),
            _ => None,
        })
        .collect();
    let ranges: Vec<String> = body
        .statements
        .iter()
        .filter_map(|statement| match statement {
            Statement::Variable(variable) if variable.range.is_some() => {
                Some(module.name(variable.name).to_owned())
            }
            _ => None,
        })
        .collect();
    let mut map = FxHashMap::default();
    for symbol in module.symbols.iter() {
        let name = module.name(symbol);
        let operand = name
            .strip_prefix(OPERAND)
            .and_then(|number| number.parse::<usize>().ok())
            .and_then(|number| operands.get(number));
        let in_range = ranges.iter().any(|prefix| {
            name.strip_prefix(prefix.as_str())
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        });
        let own = declared.contains(&symbol) || in_range;
        let ours = match operand {
            Some(&register) => register,
            None if own && looks_like_ours(name) => {
                let name = name.trim_start_matches(['%', '$']);
                unit.intern(&format!("%asm_{name}"))
            }
            None => unit.intern(name),
        };
        map.insert(symbol, ours);
    }
    map
}

/// Whether a name is one that registers or labels of ours may have.
fn looks_like_ours(name: &str) -> bool {
    let prefixes = crate::code::Class::ALL.iter().map(|class| class.prefix());
    let register = prefixes.into_iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    register || name.starts_with("%SP") || name.starts_with("$L__BB")
}

struct Splicer<'s> {
    symbols: FxHashMap<Symbol, Symbol>,
    mnemonics: &'s [MnemonicId],
    /// Where the operands of the text start among ours.
    start: u32,
    at: At,
}

impl Splicer<'_> {
    fn symbol(&self, symbol: Symbol) -> Symbol {
        self.symbols.get(&symbol).copied().unwrap_or(symbol)
    }

    fn range(&self, range: OperandRange) -> OperandRange {
        OperandRange {
            start: range.start + self.start,
            len: range.len,
        }
    }

    fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Name { symbol, part, sign } => Operand::Name {
                symbol: self.symbol(symbol),
                part,
                sign,
            },
            Operand::Offset(range) => Operand::Offset(self.range(range)),
            Operand::Element(range) => Operand::Element(self.range(range)),
            Operand::Vector(range) => Operand::Vector(self.range(range)),
            Operand::Pair(range) => Operand::Pair(self.range(range)),
            Operand::Group(range) => Operand::Group(self.range(range)),
            Operand::List(range) => Operand::List(self.range(range)),
            Operand::Address { items, unified } => Operand::Address {
                items: self.range(items),
                unified,
            },
            Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Sink => operand,
        }
    }

    fn variable(&self, variable: &Variable) -> Variable {
        let mut variable = variable.clone();
        variable.name = self.symbol(variable.name);
        variable.at = self.at;
        variable.name_at = self.at;
        let init = variable
            .extra
            .as_mut()
            .and_then(|extra| extra.init.as_mut());
        for address in init.into_iter().flat_map(|init| init.items.addresses_mut()) {
            address.symbol = self.symbol(address.symbol);
        }
        variable
    }

    fn variables(&self, variables: &[Variable]) -> Vec<Variable> {
        variables.iter().map(|v| self.variable(v)).collect()
    }

    fn list(&self, names: &[(Symbol, At)]) -> Vec<(Symbol, At)> {
        let ours = names.iter().map(|&(name, _)| (self.symbol(name), self.at));
        ours.collect()
    }

    fn item(&mut self, item: &Item) -> Item {
        match item {
            Item::Variable(variable) => Item::Variable(self.variable(variable)),
            Item::Function(function) => {
                let mut function = function.clone();
                function.name = self.symbol(function.name);
                function.returns = self.variables(&function.returns);
                function.params = self.variables(&function.params);
                if let Some(body) = &mut function.body {
                    for operand in &mut body.operands {
                        *operand = self.operand(*operand);
                    }
                    for statement in &mut body.statements {
                        *statement = self.statement(statement);
                    }
                }
                Item::Function(function)
            }
            Item::Alias(alias) => Item::Alias(Alias {
                name: self.symbol(alias.name),
                aliasee: self.symbol(alias.aliasee),
                at: self.at,
            }),
            Item::File(_) | Item::Section(_) | Item::Pragma(..) => item.clone(),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Statement {
        let at = self.at;
        let mut made = statement.clone();
        match &mut made {
            Statement::Inst(inst) => {
                inst.mnemonic = self.mnemonics[inst.mnemonic.0 as usize];
                inst.operands = self.range(inst.operands);
                inst.guard = inst.guard.map(|guard| Guard {
                    register: self.symbol(guard.register),
                    at,
                    ..guard
                });
                inst.at = at;
            }
            Statement::Label(name, place) => (*name, *place) = (self.symbol(*name), at),
            Statement::Open(place) | Statement::Close(place) | Statement::Pragma(_, place) => {
                *place = at;
            }
            Statement::Variable(variable) => **variable = self.variable(variable),
            Statement::Function(function) => {
                function.name = self.symbol(function.name);
                function.returns = self.variables(&function.returns);
                function.params = self.variables(&function.params);
            }
            Statement::Alias(alias) => {
                alias.name = self.symbol(alias.name);
                alias.aliasee = self.symbol(alias.aliasee);
            }
            Statement::Loc(loc) => {
                if let Some(inlined) = &mut loc.inlined {
                    inlined.function = self.symbol(inlined.function);
                }
            }
            Statement::BranchTargets(names, place) | Statement::CallTargets(names, place) => {
                **names = self.list(names);
                *place = at;
            }
            Statement::CallPrototype(prototype, place) => {
                prototype.returns = self.variables(&prototype.returns);
                prototype.params = self.variables(&prototype.params);
                *place = at;
            }
        }
        made
    }
}
