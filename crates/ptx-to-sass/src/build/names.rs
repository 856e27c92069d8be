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
    /// Registers of ranges that were named so far.
    named: FxHashMap<(Symbol, u32), Register>,
}

/// Scopes, the innermost last.
pub(super) struct Names<'m> {
    symbols: &'m SymbolTable,
    scopes: Vec<Scope>,
}

impl<'m> Names<'m> {
    pub fn new(symbols: &'m SymbolTable) -> Names<'m> {
        Names {
            symbols,
            scopes: vec![Scope::default()],
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
                None if scope.named.is_empty() && !scope.has_ranges() => {}
                None => break,
            }
        }
        let name = self.symbols.name(symbol);
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: Option<u32> = name[prefix.len()..].parse().ok();
        let prefix = number.and_then(|_| self.symbols.find(prefix));
        for depth in (0..self.scopes.len()).rev() {
            match self.scopes[depth].meanings.get(&symbol) {
                Some(Meaning::Range(..)) | None => {}
                Some(meaning) => return Some(*meaning),
            }
            let (Some(prefix), Some(number)) = (prefix, number) else {
                continue;
            };
            let scope = &mut self.scopes[depth];
            if let Some(&Meaning::Range(ty, vector, count)) = scope.meanings.get(&prefix)
                && number < count
            {
                let known = scope.named.get(&(prefix, number)).copied();
                let register = known.unwrap_or_else(|| make(ty, vector));
                scope.named.insert((prefix, number), register);
                // The next search finds it at once.
                scope.meanings.insert(symbol, Meaning::Register(register));
                return Some(Meaning::Register(register));
            }
        }
        None
    }
}

impl Scope {
    fn has_ranges(&self) -> bool {
        let mut meanings = self.meanings.values();
        meanings.any(|meaning| matches!(meaning, Meaning::Range(..)))
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
