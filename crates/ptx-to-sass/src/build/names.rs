//! What names stand for while a kernel is built, scope by scope.

use crate::ir::Reg;
use rustc_hash::FxHashMap;
use warpc_cubin::build::OpaqueKind;
use warpc_ptx::module::{Body, Statement};
use warpc_ptx::symbol::{Symbol, SymbolTable};
use warpc_ptx::types::ScalarType;

/// A register of PTX.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    /// The virtual register.
    pub reg: Reg,
    /// Its type, of a vector that of an element.
    pub ty: ScalarType,
    /// Elements of a vector register, else 1.
    pub vector: u8,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A register.
    Register(Register),
    /// `%r<10>`: the type, the elements of a vector, and how many there are.
    Range(ScalarType, u8, u32),
    /// A parameter of the kernel: where it is among the parameters.
    Param(u32),
    /// A variable that is passed to or from a function, by its number.
    Argument(u32),
    /// A variable in shared memory, with its address in the block's.
    Shared(u32),
    /// A variable in constant memory, with its address there.
    Const(u32),
    /// A variable in global memory.
    Global(Symbol),
    /// A variable in local memory, with its place in the frame.
    Local(u32),
    /// A function, with its address.
    Function(u32),
    /// A kernel whose address is taken.
    Kernel(Symbol),
    /// A variable in global memory, a function or a kernel that a linker places.
    Linked(Symbol),
    /// A variable in shared memory that a linker places, by the number of its symbol.
    LinkedShared(u32),
    /// A variable in constant memory that a linker places.
    LinkedConst(Symbol),
    /// A texture, sampler or surface, with the place of its handle in bank 0.
    Handle(OpaqueKind, u32),
    /// The same where a linker gives the handle its place.
    LinkedHandle(OpaqueKind, Symbol),
}

#[derive(Default)]
struct Scope {
    meanings: FxHashMap<Symbol, Meaning>,
    /// Registers of ranges that were named with zeros before their numbers; the others are among the meanings.
    odd: FxHashMap<(Symbol, u32), Register>,
    has_ranges: bool,
}

/// Names of ranges that are remembered.
const PREFIXES: usize = 8;

/// Scopes, the innermost last.
pub(super) struct Names<'m> {
    symbols: &'m SymbolTable,
    scopes: Vec<Scope>,
    /// The names of ranges that were looked for last.
    prefixes: Vec<(&'m str, Option<Symbol>)>,
}

impl<'m> Names<'m> {
    pub fn new(symbols: &'m SymbolTable) -> Names<'m> {
        Names {
            symbols,
            scopes: vec![Scope::default()],
            prefixes: Vec::new(),
        }
    }

    pub fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub fn leave(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    pub fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.has_ranges |= matches!(meaning, Meaning::Range(..));
            scope.meanings.insert(symbol, meaning);
        }
    }

    /// The meaning of a name. A name that ends in digits may be one of a range; such registers are made when they are
    /// first named, for a range may have billions.
    pub fn find(
        &mut self,
        symbol: Symbol,
        make: impl FnOnce(ScalarType, u8) -> Register,
    ) -> Option<Meaning> {
        for scope in self.scopes.iter().rev() {
            match scope.meanings.get(&symbol) {
                Some(Meaning::Range(..)) => {}
                Some(meaning) => return Some(*meaning),
                // A range of this scope comes before an outer name.
                None if !scope.has_ranges => {}
                None => break,
            }
        }
        let name = self.symbols.name(symbol);
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, digits) = name.split_at(name.len() - digits);
        let number: Option<u32> = digits.parse().ok();
        let is_odd = digits.len() > 1 && digits.starts_with('0');
        let range = number.and_then(|_| self.prefix(prefix));
        for depth in (0..self.scopes.len()).rev() {
            match self.scopes[depth].meanings.get(&symbol) {
                Some(Meaning::Range(..)) | None => {}
                Some(meaning) => return Some(*meaning),
            }
            let (Some(range), Some(number)) = (range, number) else {
                continue;
            };
            let scope = &mut self.scopes[depth];
            if let Some(&Meaning::Range(ty, vector, count)) = scope.meanings.get(&range)
                && number < count
            {
                let mut known = match scope.odd.is_empty() {
                    true => None,
                    false => scope.odd.get(&(range, number)).copied(),
                };
                if known.is_none() && is_odd {
                    let plain = self.symbols.find(&format!("{prefix}{number}"));
                    let plain = plain.and_then(|plain| scope.meanings.get(&plain));
                    if let Some(Meaning::Register(register)) = plain {
                        known = Some(*register);
                    }
                }
                let register = known.unwrap_or_else(|| make(ty, vector));
                if is_odd {
                    scope.odd.insert((range, number), register);
                }
                // The next search finds it at once.
                scope.meanings.insert(symbol, Meaning::Register(register));
                return Some(Meaning::Register(register));
            }
        }
        None
    }

    /// The symbol of the name of a range, if there is one: a kernel has a few of them.
    fn prefix(&mut self, prefix: &'m str) -> Option<Symbol> {
        let known = self.prefixes.iter().find(|one| one.0 == prefix);
        if let Some((_, symbol)) = known {
            return *symbol;
        }
        let found = self.symbols.find(prefix);
        if self.prefixes.len() == PREFIXES {
            self.prefixes.remove(0);
        }
        self.prefixes.push((prefix, found));
        found
    }
}

/// Labels of a body, scope by scope: a block may have labels that another has, too.
pub(super) struct Labels {
    parents: Vec<usize>,
    places: FxHashMap<(usize, Symbol), u32>,
    /// Where they stand among the statements, by number.
    statements: Vec<usize>,
}

impl Labels {
    /// Numbers the labels of a body in order.
    pub fn of(body: &Body) -> Labels {
        let mut labels = Labels {
            parents: vec![0],
            places: FxHashMap::default(),
            statements: Vec::new(),
        };
        let mut scope = 0;
        for (at, statement) in body.statements.iter().enumerate() {
            match statement {
                Statement::Open(_) => {
                    labels.parents.push(scope);
                    scope = labels.parents.len() - 1;
                }
                Statement::Close(_) => scope = labels.parents[scope],
                Statement::Label(symbol, _) => {
                    let number = labels.statements.len() as u32;
                    labels.statements.push(at);
                    labels.places.insert((scope, *symbol), number);
                }
                _ => {}
            }
        }
        labels
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.statements.len() as u32
    }

    /// Where a label that code in a scope names stands among the statements.
    pub fn statement(&self, scope: usize, symbol: Symbol) -> Option<usize> {
        let number = self.find(scope, symbol)?;
        self.statements.get(number as usize).copied()
    }

    pub fn parent(&self, scope: usize) -> usize {
        self.parents[scope]
    }

    /// The number of the label that code in a scope names.
    pub fn find(&self, mut scope: usize, symbol: Symbol) -> Option<u32> {
        loop {
            if let Some(number) = self.places.get(&(scope, symbol)) {
                return Some(*number);
            }
            if scope == 0 {
                return None;
            }
            scope = self.parents[scope];
        }
    }
}
