//! What names stand for, scope by scope.
//!
//! A side table over the module's symbols holds the current meaning of each name; leaving a block
//! puts the older meanings back. `%r<10>` is one entry: `%r7` is looked up by its digits the first
//! time it is met, then found directly like any other name.

use crate::module::{Function, Prototype, Space, Variable};
use crate::symbol::{Symbol, SymbolTable};
use crate::types::ScalarType;
use warpc_diag::Span;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'m> {
    /// A register.
    Register {
        /// Its type.
        ty: ScalarType,
        /// Elements of a vector register, else 1.
        vector: u8,
    },
    /// A variable in memory, or a parameter.
    Variable(&'m Variable, Owner),
    /// A function.
    Function(&'m Function),
    /// A label in code.
    Label,
    /// The label of a `.branchtargets` list: how many targets.
    BranchTargets,
    /// The label of a `.calltargets` list.
    CallTargets(&'m [(Symbol, crate::inst::At)]),
    /// The label of a `.callprototype`.
    Prototype(&'m Prototype),
}

/// Whose parameter a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A variable of the module or of a block.
    Nobody,
    /// A parameter of the kernel.
    EntryParam,
    /// A parameter of the device function.
    FuncParam,
    /// A result of the device function.
    FuncReturn,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration<'m> {
    pub(super) meaning: Meaning<'m>,
    /// 0 for the module, 1 for parameters, then the depth of the block.
    pub(super) depth: u32,
    pub(super) span: Span,
    /// Found through `%r<10>` rather than declared by its own name.
    derived: bool,
}

/// `%r<10>`: a name that stands for numbered ones.
#[derive(Clone, Copy, Debug)]
struct Range<'m> {
    variable: &'m Variable,
    count: u32,
    depth: u32,
    span: Span,
}

pub(super) struct Names<'m> {
    symbols: &'m SymbolTable,
    /// For each symbol the index of its declaration plus one.
    current: Vec<u32>,
    /// For each symbol the index of its range plus one.
    ranges: Vec<u32>,
    declarations: Vec<Declaration<'m>>,
    range_list: Vec<Range<'m>>,
    /// What to put back when a block ends.
    undo: Vec<(Symbol, bool, u32)>,
    /// Where each open block starts in `undo`.
    marks: Vec<usize>,
}

impl<'m> Names<'m> {
    pub(super) fn new(symbols: &'m SymbolTable) -> Names<'m> {
        Names {
            symbols,
            current: vec![0; symbols.len()],
            ranges: vec![0; symbols.len()],
            declarations: Vec::new(),
            range_list: Vec::new(),
            undo: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// How many blocks are open.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (symbol, is_range, old) in self.undo.drain(mark..).rev() {
            let table = if is_range {
                &mut self.ranges
            } else {
                &mut self.current
            };
            table[symbol.index()] = old;
        }
        // Outside functions nothing refers to what their blocks declared.
        if self.marks.is_empty() {
            let keep = |index: u32| index as usize;
            let last = self.current.iter().copied().map(keep).max().unwrap_or(0);
            self.declarations.truncate(last);
            let last = self.ranges.iter().copied().map(keep).max().unwrap_or(0);
            self.range_list.truncate(last);
        }
    }

    /// Declares a name in the current block. Gives the declaration that stands there already.
    pub(super) fn declare(
        &mut self,
        symbol: Symbol,
        meaning: Meaning<'m>,
        span: Span,
    ) -> Option<Declaration<'m>> {
        let depth = self.depth();
        let old = self.current[symbol.index()];
        let clash = (old != 0)
            .then(|| self.declarations[old as usize - 1])
            .filter(|declaration| declaration.depth == depth && !declaration.derived);
        self.set(
            symbol,
            Declaration {
                meaning,
                depth,
                span,
                derived: false,
            },
        );
        clash
    }

    /// Declares `%r<10>` in the current block.
    pub(super) fn declare_range(
        &mut self,
        variable: &'m Variable,
        count: u32,
        span: Span,
    ) -> Option<Span> {
        let symbol = variable.name;
        let depth = self.depth();
        let old = self.ranges[symbol.index()];
        let clash = (old != 0)
            .then(|| self.range_list[old as usize - 1])
            .filter(|range| range.depth == depth);
        self.range_list.push(Range {
            variable,
            count,
            depth,
            span,
        });
        self.ranges[symbol.index()] = self.range_list.len() as u32;
        self.undo.push((symbol, true, old));
        clash.map(|range| range.span)
    }

    fn set(&mut self, symbol: Symbol, declaration: Declaration<'m>) {
        let old = self.current[symbol.index()];
        self.declarations.push(declaration);
        self.current[symbol.index()] = self.declarations.len() as u32;
        self.undo.push((symbol, false, old));
    }

    /// What a name stands for here.
    pub(super) fn find(&mut self, symbol: Symbol) -> Option<Declaration<'m>> {
        match self.current[symbol.index()] {
            0 => self.find_numbered(symbol),
            index => Some(self.declarations[index as usize - 1]),
        }
    }

    #[cold]
    fn find_numbered(&mut self, symbol: Symbol) -> Option<Declaration<'m>> {
        let name = self.symbols.name(symbol);
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        // `%x12` may be number 12 of `%x` or number 2 of `%x1`.
        for split in name.len() - digits..name.len() {
            let (prefix, number) = name.split_at(split);
            if number.len() > 1 && number.starts_with('0') {
                continue;
            }
            let Some(prefix) = self.symbols.find(prefix) else {
                continue;
            };
            let index = self.ranges[prefix.index()];
            if index == 0 {
                continue;
            }
            let range = self.range_list[index as usize - 1];
            if number.parse::<u32>().is_ok_and(|n| n < range.count) {
                let variable = range.variable;
                let meaning = match variable.space {
                    Space::Reg => Meaning::Register {
                        ty: variable.ty,
                        vector: variable.vector,
                    },
                    _ => Meaning::Variable(variable, Owner::Nobody),
                };
                let declaration = Declaration {
                    meaning,
                    depth: range.depth,
                    span: range.span,
                    derived: true,
                };
                self.set(symbol, declaration);
                return Some(declaration);
            }
        }
        None
    }
}

impl Meaning<'_> {
    /// For messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Meaning::Register { ty, vector: 1 } => format!("a register of type {ty}"),
            Meaning::Register { ty, vector } => format!("a vector register of {vector} {ty}"),
            Meaning::Variable(variable, Owner::Nobody) => {
                format!("a {} variable", variable.space.text())
            }
            Meaning::Variable(..) => "a parameter".to_owned(),
            Meaning::Function(_) => "a function".to_owned(),
            Meaning::Label => "a label".to_owned(),
            Meaning::BranchTargets => "a list of branch targets".to_owned(),
            Meaning::CallTargets(_) => "a list of call targets".to_owned(),
            Meaning::Prototype(_) => "a prototype".to_owned(),
        }
    }
}

impl<'m> Names<'m> {
    /// The nearest name that is declared here, for "did you mean".
    pub(super) fn nearest(&self, wanted: &str) -> Option<&'m str> {
        let symbols = self.symbols;
        let declared = (0..symbols.len()).filter(|&i| self.current[i] != 0);
        crate::suggest::nearest(
            wanted,
            declared.map(|i| symbols.name(Symbol::from_index(i))),
        )
    }
}
