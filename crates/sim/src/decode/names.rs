//! What names stand for while a function is decoded, scope by scope.

use rustc_hash::FxHashMap;
use warpc_ptx::module::{Body, Statement};
use warpc_ptx::symbol::{Symbol, SymbolTable};
use warpc_ptx::types::ScalarType;

use crate::program::Slot;

/// A register: its file follows from its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Register {
    /// Its type.
    pub(super) ty: ScalarType,
    /// The first slot; elements of a vector follow one another.
    pub(super) slot: Slot,
    /// Elements of a vector register, else 1.
    pub(super) vector: u8,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A register.
    Register(Register),
    /// `%r<10>`: the type, the elements of a vector, and how many there are.
    Range(ScalarType, u8, u32),
    /// Something at a fixed address of its space, with the size of an array's element.
    Fixed(crate::address::Space, u64, u64),
    /// Something on the stack: offset, bytes, bytes of an element.
    Stack(u32, u32, u64),
    /// A function, by its number in the module.
    Function(usize),
    /// A list of targets or a prototype: calls and jumps find it through its label.
    List,
}

/// How many slots registers take in each file.
#[derive(Clone, Copy, Default)]
pub(super) struct Files {
    pub(super) words: usize,
    pub(super) doubles: usize,
    pub(super) predicates: usize,
}

/// A scope.
#[derive(Default)]
struct Scope {
    meanings: FxHashMap<Symbol, Meaning>,
    /// Registers of ranges that were named so far, by the range and their number. Others take no slot: a
    /// range may have billions.
    named: FxHashMap<(Symbol, u32), Register>,
}

/// Scopes, the innermost last.
pub(super) struct Names<'m> {
    symbols: &'m SymbolTable,
    scopes: Vec<Scope>,
    /// Slots that are given out.
    pub(super) files: Files,
}

impl<'m> Names<'m> {
    pub(super) fn new(symbols: &'m SymbolTable) -> Names<'m> {
        Names {
            symbols,
            scopes: vec![Scope::default()],
            files: Files::default(),
        }
    }

    /// Gives slots to a register.
    pub(super) fn new_register(&mut self, ty: ScalarType, vector: u8) -> Register {
        let file = match ty {
            ScalarType::Pred => &mut self.files.predicates,
            ty if ty.bits() > 32 => &mut self.files.doubles,
            _ => &mut self.files.words,
        };
        let slot = *file as u32;
        *file += usize::from(vector) * slots_of(ty) as usize;
        Register { ty, slot, vector }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    pub(super) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.meanings.insert(symbol, meaning);
        }
    }

    /// The meaning of a name. A name that ends in digits may be one of a range; `%r01` is `%r1`.
    pub(super) fn find(&mut self, symbol: Symbol) -> Option<Meaning> {
        let name = self.symbols.name(symbol);
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let numbered = (digits > 0)
            .then(|| name.split_at(name.len() - digits))
            .and_then(|(prefix, number)| {
                Some((self.symbols.find(prefix)?, number.parse::<u32>().ok()?))
            });
        for depth in (0..self.scopes.len()).rev() {
            match self.scopes[depth].meanings.get(&symbol) {
                Some(Meaning::Range(..)) | None => {}
                Some(meaning) => return Some(*meaning),
            }
            if let Some((prefix, number)) = numbered
                && let Some(&Meaning::Range(ty, vector, count)) =
                    self.scopes[depth].meanings.get(&prefix)
                && number < count
            {
                let register = match self.scopes[depth].named.get(&(prefix, number)) {
                    Some(register) => *register,
                    None => self.new_register(ty, vector),
                };
                let scope = &mut self.scopes[depth];
                scope.named.insert((prefix, number), register);
                // The next search finds it at once.
                scope.meanings.insert(symbol, Meaning::Register(register));
                return Some(Meaning::Register(register));
            }
        }
        None
    }
}

/// Slots of its file that a register of a type takes.
pub(super) fn slots_of(ty: ScalarType) -> u32 {
    if ty == ScalarType::B128 { 2 } else { 1 }
}

/// Labels of a body, scope by scope: a block may have labels that another has, too.
pub(super) struct Labels {
    /// For each scope the one around it.
    parents: Vec<usize>,
    /// Label in a scope to the statement it stands at.
    places: FxHashMap<(usize, Symbol), usize>,
}

impl Labels {
    pub(super) fn of(body: &Body) -> Labels {
        let mut labels = Labels {
            parents: vec![0],
            places: FxHashMap::default(),
        };
        let mut scope = 0;
        for (index, statement) in body.statements.iter().enumerate() {
            match statement {
                Statement::Open(_) => {
                    labels.parents.push(scope);
                    scope = labels.parents.len() - 1;
                }
                Statement::Close(_) => scope = labels.parents[scope],
                Statement::Label(symbol, _) => {
                    labels.places.insert((scope, *symbol), index);
                }
                _ => {}
            }
        }
        labels
    }

    pub(super) fn parent(&self, scope: usize) -> usize {
        self.parents[scope]
    }

    /// The statement at which a label stands that code in a scope names.
    pub(super) fn find(&self, mut scope: usize, symbol: Symbol) -> Option<usize> {
        loop {
            if let Some(place) = self.places.get(&(scope, symbol)) {
                return Some(*place);
            }
            if scope == 0 {
                return None;
            }
            scope = self.parents[scope];
        }
    }
}
