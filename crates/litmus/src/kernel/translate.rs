//! The code of one thread of a kernel, as a program of the model.
//!
//! Read are loads and stores of integers without vectors, `atom` and `red` of integers, `fence` and `membar`, `bar.sync` of
//! all threads of the block, `mov`, integer arithmetic, `setp`, `bra`, `ret` and `exit`, each with a predicate where PTX
//! allows it. Everything else is refused by name.

use super::launch::Index;
use super::memory::{Bytes, Memory};
use super::types::{access_kind, arithmetic, comparison, strength};
use std::collections::HashMap;
use warpc_diag::{Diagnostic, SourceFile, Span, codes};
use warpc_model::axioms::{
    BarrierKind, Inst as ModelInst, MemoryProxy, Operand as ModelOperand, Operation, Rmw, ValueType,
};
use warpc_model::{AtomicOp, Ordering, Scope, TypeClass};
use warpc_ptx::Module;
use warpc_ptx::inst::{Choice, Inst, Operand, Part, Sign};
use warpc_ptx::module::{Body, Function, Item, Space, Statement, Variable};
use warpc_ptx::symbol::Symbol;

/// The code of a thread.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Its instructions.
    pub code: Vec<ModelInst>,
    /// As they are written.
    pub texts: Vec<String>,
    /// The names of its registers.
    pub registers: Vec<String>,
}

fn refuse(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::LITMUS_KERNEL, span, message))
}

struct Translation<'m> {
    file: &'m SourceFile,
    module: &'m Module,
    body: &'m Body,
    index: &'m Index<'m>,
    memory: &'m mut Memory,
    /// Registers that hold an address: variable and offset.
    addresses: HashMap<Symbol, (Symbol, i64)>,
    registers: HashMap<Symbol, usize>,
    labels: HashMap<Symbol, usize>,
    jumps: Vec<(usize, Symbol, Span)>,
    made: Translated,
}

/// Translates the code of one thread.
pub fn thread(
    file: &SourceFile,
    module: &Module,
    kernel: &Function,
    index: &Index,
    memory: &mut Memory,
) -> Result<Translated, Box<Diagnostic>> {
    let Some(body) = &kernel.body else {
        return Err(refuse(kernel.at.0, "the kernel has no code"));
    };
    let mut translation = Translation {
        file,
        module,
        body,
        index,
        memory,
        addresses: HashMap::new(),
        registers: HashMap::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        made: Translated {
            code: Vec::new(),
            texts: Vec::new(),
            registers: Vec::new(),
        },
    };
    translation.find_addresses();
    let mut depth = 0;
    for statement in &body.statements {
        match statement {
            Statement::Inst(inst) => translation.inst(inst)?,
            Statement::Label(label, at) => {
                let here = translation.made.code.len();
                if translation.labels.insert(*label, here).is_some() {
                    return Err(refuse(at.0, "a label is declared in two blocks"));
                }
            }
            Statement::Open(_) => depth += 1,
            Statement::Close(_) => depth -= 1,
            Statement::Loc(_) | Statement::Pragma(..) => {}
            // It may have the name of another one outside.
            Statement::Variable(_) if depth > 0 => {
                let what = "a declaration in an inner block is not read";
                return Err(refuse(statement.at().0, what));
            }
            Statement::Variable(_) => {}
            other => return Err(refuse(other.at().0, "this directive is not read")),
        }
    }
    let end = translation.made.code.len();
    for (at, label, span) in std::mem::take(&mut translation.jumps) {
        let Some(&to) = translation.labels.get(&label) else {
            return Err(refuse(span, "the label is not in the kernel"));
        };
        translation.aim(at, to);
    }
    // Returns go to the end.
    for at in 0..end {
        if translation.made.code[at] == ModelInst::Jump(usize::MAX) {
            translation.aim(at, end);
        }
    }
    Ok(translation.made)
}

impl<'m> Translation<'m> {
    fn aim(&mut self, at: usize, to: usize) {
        if let ModelInst::Jump(target) | ModelInst::Branch { target, .. } = &mut self.made.code[at]
        {
            *target = to;
        }
    }

    fn choice(&self, inst: &Inst) -> &'m Choice {
        let mnemonic = self.module.mnemonic(inst.mnemonic);
        let at = usize::from(inst.choice).min(mnemonic.choices.len() - 1);
        &mnemonic.choices[at]
    }

    fn variable(&self, symbol: Symbol) -> Option<&'m Variable> {
        let of_module = self.module.items.iter().filter_map(|item| match item {
            Item::Variable(variable) => Some(variable),
            _ => None,
        });
        let of_body = self
            .body
            .statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Variable(variable) => Some(&**variable),
                _ => None,
            });
        let is_memory =
            |variable: &&Variable| matches!(variable.space, Space::Global | Space::Shared);
        of_module
            .chain(of_body)
            .filter(is_memory)
            .find(|variable| variable.name == symbol)
    }

    /// Registers that are written once, with the address of a variable, a sum of one and a constant, or the same in
    /// another address space.
    fn find_addresses(&mut self) {
        let insts = || {
            self.body
                .statements
                .iter()
                .filter_map(|statement| match statement {
                    Statement::Inst(inst) => Some(inst),
                    _ => None,
                })
        };
        let mut writes: HashMap<Symbol, usize> = HashMap::new();
        for inst in insts() {
            if let Some(Operand::Name { symbol, .. }) = self.body.operands(inst.operands).first() {
                *writes.entry(*symbol).or_default() += 1;
            }
        }
        let mut found = HashMap::new();
        loop {
            let before = found.len();
            for inst in insts() {
                let operands = self.body.operands(inst.operands);
                let opcode = self.choice(inst).form.form().opcode;
                let Some(Operand::Name { symbol: to, .. }) = operands.first() else {
                    continue;
                };
                let of = |operand: Option<&Operand>| match operand {
                    Some(Operand::Name { symbol, .. }) => match self.variable(*symbol) {
                        Some(_) => Some((*symbol, 0)),
                        None => found.get(symbol).copied(),
                    },
                    Some(Operand::Offset(range)) => match self.body.operands(*range) {
                        [Operand::Name { symbol, .. }, Operand::Int(offset)] => self
                            .variable(*symbol)
                            .map(|_| (*symbol, offset.bits as i64)),
                        _ => None,
                    },
                    _ => None,
                };
                let address = match (opcode, operands) {
                    ("mov" | "cvta", [_, source]) => of(Some(source)),
                    ("add", [_, source, Operand::Int(more)]) => of(Some(source))
                        .map(|(variable, offset)| (variable, offset + more.bits as i64)),
                    _ => None,
                };
                if let Some(address) = address
                    && writes.get(to) == Some(&1)
                    && inst.guard.is_none()
                {
                    found.insert(*to, address);
                }
            }
            if found.len() == before {
                break;
            }
        }
        self.addresses = found;
    }

    fn register(&mut self, symbol: Symbol) -> usize {
        if let Some(known) = self.registers.get(&symbol) {
            return *known;
        }
        let fresh = self.made.registers.len();
        self.made
            .registers
            .push(self.module.name(symbol).to_string());
        self.registers.insert(symbol, fresh);
        fresh
    }

    /// What a special register holds; `None` for an ordinary one.
    fn special(&self, name: &str, part: Part) -> Option<u64> {
        let launch = self.index.launch;
        let first = |x: u32, others: u32| match part {
            Part::X => x,
            _ => others,
        };
        let value = match name {
            "%tid" => first(self.index.thread, 0),
            "%ntid" => first(launch.block, 1),
            "%ctaid" => first(self.index.block, 0),
            "%nctaid" => first(launch.grid, 1),
            "%laneid" => self.index.thread % 32,
            "%warpid" => self.index.thread / 32,
            _ => return None,
        };
        Some(u64::from(value))
    }

    fn operand(&mut self, operand: &Operand, span: Span) -> Result<ModelOperand, Box<Diagnostic>> {
        match *operand {
            Operand::Int(int) => Ok(ModelOperand::Constant(int.bits)),
            Operand::Name { symbol, part, sign } => {
                let name = self.module.name(symbol);
                if let Some(value) = self.special(name, part) {
                    return Ok(ModelOperand::Constant(value));
                }
                if sign != Sign::Plain || part != Part::Whole {
                    return Err(refuse(
                        span,
                        format!("a part or the negation of `{name}` is not read"),
                    ));
                }
                if self.addresses.contains_key(&symbol) || self.variable(symbol).is_some() {
                    return Err(refuse(
                        span,
                        format!("`{name}` is an address, and not read as a value"),
                    ));
                }
                if warpc_ptx::sreg::find(name, part.element_text()).is_some() {
                    return Err(refuse(span, format!("`{name}` is not read")));
                }
                Ok(ModelOperand::Register(self.register(symbol)))
            }
            _ => Err(refuse(
                span,
                "an operand that is neither a register nor an integer is not read",
            )),
        }
    }

    fn target(&mut self, operand: &Operand, span: Span) -> Result<Option<usize>, Box<Diagnostic>> {
        match self.operand_or_sink(operand, span)? {
            Some(ModelOperand::Register(register)) => Ok(Some(register)),
            None => Ok(None),
            _ => Err(refuse(span, "the result is not a register")),
        }
    }

    fn operand_or_sink(
        &mut self,
        operand: &Operand,
        span: Span,
    ) -> Result<Option<ModelOperand>, Box<Diagnostic>> {
        match operand {
            Operand::Sink => Ok(None),
            other => self.operand(other, span).map(Some),
        }
    }

    fn location(
        &mut self,
        operand: &Operand,
        size: u32,
        span: Span,
    ) -> Result<usize, Box<Diagnostic>> {
        let help = "accesses name a variable of the module, or a register that holds its address all the time";
        let Operand::Address { items, .. } = operand else {
            return Err(Box::new(refuse(span, "the address is not read").help(help)));
        };
        let (symbol, more) = match self.body.operands(*items) {
            [Operand::Name { symbol, .. }] => (*symbol, 0),
            [Operand::Name { symbol, .. }, Operand::Int(offset)] => (*symbol, offset.bits as i64),
            _ => return Err(Box::new(refuse(span, "the address is not read").help(help))),
        };
        let (variable, offset) = match self.addresses.get(&symbol) {
            Some(&(variable, offset)) => (variable, offset),
            None => (symbol, 0),
        };
        let Some(declared) = self.variable(variable) else {
            let name = self.module.name(symbol);
            let message = format!("which variable `{name}` points to is not known");
            return Err(Box::new(refuse(span, message).help(help)));
        };
        let offset = offset + more;
        let end = offset.saturating_add(i64::from(size));
        let bytes = declared.bytes().and_then(|bytes| i64::try_from(bytes).ok());
        if offset < 0 || bytes.is_some_and(|bytes| end > bytes) {
            let name = self.module.name(variable);
            return Err(refuse(span, format!("the access is not inside `{name}`")));
        }
        let extra = declared.extra.as_ref();
        if extra.is_some_and(|extra| extra.init.is_some()) {
            let name = self.module.name(variable);
            let message = format!("the initial value of `{name}` is not read");
            let help = "a line `// litmus:` gives initial values";
            return Err(Box::new(refuse(span, message).help(help)));
        }
        let is_shared = declared.space == Space::Shared;
        let block = (is_shared && self.index.launch.grid > 1).then_some(self.index.block);
        let mut name = self.module.name(variable).to_string();
        if offset != 0 {
            name.push_str(&format!("_{offset}"));
        }
        if let Some(block) = block {
            name.push_str(&format!("_block{block}"));
        }
        self.memory.location(Bytes {
            variable,
            block,
            offset,
            size,
            name,
            span,
        })
    }

    fn push(&mut self, inst: ModelInst, span: Span) {
        let text = String::from_utf8_lossy(self.file.slice(span));
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        self.made
            .texts
            .push(words.trim_end_matches(';').to_string());
        self.made.code.push(inst);
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Box<Diagnostic>> {
        let span = inst.at.0;
        let choice = self.choice(inst);
        let opcode = choice.form.form().opcode;
        let operands = self.body.operands(inst.operands);
        // What only makes addresses is known already.
        if let (Some(Operand::Name { symbol, .. }), "mov" | "cvta" | "add") =
            (operands.first(), opcode)
            && self.addresses.contains_key(symbol)
        {
            return Ok(());
        }
        let guard = match inst.guard {
            Some(guard) => {
                let register = self.register(guard.register);
                let skip = self.made.code.len();
                let operation = if guard.negated {
                    Operation::Ne
                } else {
                    Operation::Eq
                };
                let branch = ModelInst::Branch {
                    operation,
                    a: ModelOperand::Register(register),
                    b: ModelOperand::Constant(0),
                    kind: ValueType::S64,
                    target: 0,
                };
                self.push(branch, span);
                Some(skip)
            }
            None => None,
        };
        self.body_of(opcode, choice, operands, span)?;
        if let Some(skip) = guard {
            let after = self.made.code.len();
            self.aim(skip, after);
        }
        Ok(())
    }

    fn body_of(
        &mut self,
        opcode: &str,
        choice: &Choice,
        operands: &[Operand],
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let words: Vec<&str> = choice.words().collect();
        let not_read = || {
            let dotted: Vec<String> = words.iter().map(|word| format!(".{word}")).collect();
            refuse(span, format!("`{opcode}{}` is not read", dotted.concat()))
        };
        let made = match (opcode, operands) {
            ("ld", [to, address]) => {
                let kind =
                    access_kind(&words, &["nc", "const", "param", "local"]).ok_or_else(not_read)?;
                // The register gets the sign in its upper bits, which values of the model do not have.
                if kind.signed && kind.bits < 32 {
                    return Err(not_read());
                }
                let location = self.location(address, u32::from(kind.bits) / 8, span)?;
                let (order, scope) = strength(&words, choice);
                let to = self.target(to, span)?.ok_or_else(not_read)?;
                ModelInst::Load {
                    to,
                    location,
                    order,
                    scope,
                    proxy: MemoryProxy::Generic,
                    kind,
                }
            }
            ("st", [address, value]) => {
                let kind =
                    access_kind(&words, &["param", "local", "async"]).ok_or_else(not_read)?;
                let location = self.location(address, u32::from(kind.bits) / 8, span)?;
                let (order, scope) = strength(&words, choice);
                let value = self.operand(value, span)?;
                ModelInst::Store {
                    location,
                    value,
                    order,
                    scope,
                    proxy: MemoryProxy::Generic,
                    kind,
                }
            }
            ("atom" | "red", _) => self.atomic(choice, operands, span)?.ok_or_else(not_read)?,
            ("membar", []) => {
                let scope = choice.scope().ok_or_else(not_read)?;
                ModelInst::Fence {
                    order: Ordering::SeqCst,
                    scope,
                }
            }
            ("fence", [])
                if !words
                    .iter()
                    .any(|word| word.starts_with("proxy") || *word == "mbarrier_init") =>
            {
                let scope = choice.scope().ok_or_else(not_read)?;
                let order = choice.ordering().unwrap_or(Ordering::AcqRel);
                if words.iter().any(|word| word.starts_with("sync_restrict")) {
                    return Err(not_read());
                }
                ModelInst::Fence { order, scope }
            }
            ("bar" | "barrier", [barrier])
                if words.contains(&"sync") && !words.contains(&"cluster") =>
            {
                let ModelOperand::Constant(barrier) = self.operand(barrier, span)? else {
                    return Err(refuse(
                        span,
                        "a barrier whose number is in a register is not read",
                    ));
                };
                ModelInst::Barrier {
                    kind: BarrierKind::Sync,
                    instance: None,
                    barrier: ModelOperand::Constant(barrier),
                    count: None,
                }
            }
            ("bra", [Operand::Name { symbol, .. }]) => {
                self.jumps.push((self.made.code.len(), *symbol, span));
                ModelInst::Jump(0)
            }
            ("ret" | "exit", []) => ModelInst::Jump(usize::MAX),
            ("setp", [to, a, b]) => {
                let (operation, kind) = comparison(&words).ok_or_else(not_read)?;
                let to = self.target(to, span)?.ok_or_else(not_read)?;
                let (a, b) = (self.operand(a, span)?, self.operand(b, span)?);
                ModelInst::Compute {
                    to,
                    operation,
                    a,
                    b,
                    kind,
                }
            }
            (_, [to, rest @ ..]) => {
                let (operation, kind) = arithmetic(opcode, &words).ok_or_else(not_read)?;
                let to = self.target(to, span)?.ok_or_else(not_read)?;
                let (a, b) = match rest {
                    [a] if operation == Operation::Second => {
                        let a = self.operand(a, span)?;
                        (a, a)
                    }
                    [a, b] if operation != Operation::Second => {
                        (self.operand(a, span)?, self.operand(b, span)?)
                    }
                    _ => return Err(not_read()),
                };
                ModelInst::Compute {
                    to,
                    operation,
                    a,
                    b,
                    kind,
                }
            }
            _ => return Err(not_read()),
        };
        self.push(made, span);
        Ok(())
    }

    fn atomic(
        &mut self,
        choice: &Choice,
        operands: &[Operand],
        span: Span,
    ) -> Result<Option<ModelInst>, Box<Diagnostic>> {
        let Some(atomic) = choice.atomic() else {
            return Ok(None);
        };
        let is_integer = matches!(
            atomic.ty.class(),
            TypeClass::Bits | TypeClass::Unsigned | TypeClass::Signed
        );
        let bits = atomic.ty.bytes().saturating_mul(8);
        if !is_integer || bits > 64 || atomic.elements != 1 || atomic.cache_hint {
            return Ok(None);
        }
        let kind = ValueType {
            bits,
            signed: atomic.ty.class() == TypeClass::Signed,
        };
        let operation = match atomic.op {
            AtomicOp::Exch => Some(Operation::Second),
            AtomicOp::Add => Some(Operation::Add),
            AtomicOp::And => Some(Operation::And),
            AtomicOp::Or => Some(Operation::Or),
            AtomicOp::Xor => Some(Operation::Xor),
            AtomicOp::Max => Some(Operation::Max),
            AtomicOp::Min => Some(Operation::Min),
            AtomicOp::Inc => Some(Operation::Inc),
            AtomicOp::Dec => Some(Operation::Dec),
            AtomicOp::Cas => None,
            _ => return Ok(None),
        };
        let (to, rest) = match (atomic.has_result, operands) {
            (true, [to, rest @ ..]) => (self.target(to, span)?, rest),
            (_, rest) => (None, rest),
        };
        let (address, operation) = match (operation, rest) {
            (Some(operation), [address, value]) => {
                (address, Rmw::Apply(operation, self.operand(value, span)?))
            }
            (None, [address, expected, value]) => {
                let expected = self.operand(expected, span)?;
                (address, Rmw::Cas(expected, self.operand(value, span)?))
            }
            _ => return Ok(None),
        };
        let location = self.location(address, u32::from(bits) / 8, span)?;
        Ok(Some(ModelInst::Atomic {
            to,
            location,
            operation,
            // The manual: relaxed, and the scope of the GPU, where nothing is written.
            order: atomic.order.unwrap_or(Ordering::Relaxed),
            scope: atomic.scope.unwrap_or(Scope::Gpu),
            proxy: MemoryProxy::Generic,
            kind,
        }))
    }
}
