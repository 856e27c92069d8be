//! What names stand for, scope by scope.
//!
//! A side table over the module's symbols holds the current meaning of each name; leaving a block
//! puts the older meanings back. `%r<10>` is one entry: `%r7` is looked up by its digits the first
//! time it is met, then found directly like any other name, until a range is declared or ends.
//!
//! Rules (as ptxas has them):
//! - scopes are the module, a function with its parameters, and each block; an inner declaration
//!   hides an outer one, whatever the two are;
//! - in one scope a name is declared once, and `%r5` does not go with `%r<10>`, in either order;
//! - labels share the names, but may be called like a member of a range; who was first is meant.

use crate::module::{Function, Prototype, Variable};
use crate::symbol::{Symbol, SymbolTable};
use crate::types::ScalarType;
use rustc_hash::FxHashMap;
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
    /// 0 for the module, 1 for parameters and the body, then one more a block.
    pub(super) depth: u32,
    pub(super) span: Span,
}

/// `%r<10>`: a name that stands for numbered ones.
#[derive(Clone, Copy, Debug)]
struct Range<'m> {
    declaration: Declaration<'m>,
    count: u32,
    /// The range of the same name in a block around this one, plus one.
    outer: u32,
}

/// What a name was found to stand for, and when that was found out.
#[derive(Clone, Copy, Default, Debug)]
struct Found {
    /// Good as long as it equals [`Names::epoch`].
    epoch: u32,
    target: Target,
}

#[derive(Clone, Copy, Default, Debug)]
enum Target {
    #[default]
    Nothing,
    Declaration(u32),
    Range(u32),
}

/// What to put back when a block ends.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The older declaration of a name.
    Name(Symbol, u32),
    /// The older range of a name.
    Range(Symbol, u32),
    /// One numbered name fewer with this prefix.
    Numbered(Symbol),
}

/// So many names are looked at for "did you mean".
const MAX_SUGGESTIONS: usize = 20_000;

pub(super) struct Names<'m> {
    symbols: &'m SymbolTable,
    /// For each symbol the index of its own declaration plus one.
    current: Vec<u32>,
    /// For each symbol the index of its range plus one.
    ranges: Vec<u32>,
    /// For each symbol what the last search gave.
    found: Vec<Found>,
    /// Counts the changes of ranges; a search is good until the next one.
    epoch: u32,
    declarations: Vec<Declaration<'m>>,
    range_list: Vec<Range<'m>>,
    /// Names such as `%r7` that were declared one by one, by their prefix: number and declaration.
    numbered: FxHashMap<Symbol, Vec<(u32, u32)>>,
    undo: Vec<Undo>,
    /// Where each open block starts in `undo`.
    marks: Vec<usize>,
    /// How many declarations and ranges belong to the module.
    kept: (usize, usize),
}

impl<'m> Names<'m> {
    pub(super) fn new(symbols: &'m SymbolTable) -> Names<'m> {
        Names {
            symbols,
            current: vec![0; symbols.len()],
            ranges: vec![0; symbols.len()],
            found: vec![Found::default(); symbols.len()],
            epoch: 1,
            declarations: Vec::new(),
            range_list: Vec::new(),
            numbered: FxHashMap::default(),
            undo: Vec::new(),
            marks: Vec::new(),
            kept: (0, 0),
        }
    }

    /// How many blocks are open.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn enter(&mut self) {
        if self.marks.is_empty() {
            self.kept = (self.declarations.len(), self.range_list.len());
        }
        self.marks.push(self.undo.len());
    }

    /// Costs as much as was declared in the block.
    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Name(symbol, old)) => {
                    self.current[symbol.index()] = old;
                    self.found[symbol.index()].epoch = 0;
                }
                Some(Undo::Range(symbol, old)) => {
                    self.ranges[symbol.index()] = old;
                    self.epoch += 1;
                }
                Some(Undo::Numbered(prefix)) => {
                    if let Some(list) = self.numbered.get_mut(&prefix) {
                        list.pop();
                    }
                }
                None => {}
            }
        }
        // Outside functions nothing refers to what their blocks declared.
        if self.marks.is_empty() {
            self.epoch += 1;
            self.declarations.truncate(self.kept.0);
            self.range_list.truncate(self.kept.1);
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
        let mut clash = (old != 0)
            .then(|| self.declarations[old as usize - 1])
            .filter(|declaration| declaration.depth == depth);
        self.declarations.push(Declaration {
            meaning,
            depth,
            span,
        });
        let index = self.declarations.len() as u32;
        self.current[symbol.index()] = index;
        self.found[symbol.index()].epoch = 0;
        self.remember(Undo::Name(symbol, old));
        // A label may share its name with one of a range; everything else may not.
        if !matches!(meaning, Meaning::Label)
            && let Some((prefix, number, plain)) = self.split_number(symbol)
        {
            clash = clash.or_else(|| {
                let range = self.range_with(prefix, number)?;
                (range.declaration.depth == depth).then_some(range.declaration)
            });
            if plain {
                self.numbered
                    .entry(prefix)
                    .or_default()
                    .push((number, index - 1));
                self.remember(Undo::Numbered(prefix));
            }
        }
        clash
    }

    /// Declares a name of the module from inside a function. Gives what the name stands for
    /// already, in whatever block.
    pub(super) fn declare_in_module(
        &mut self,
        symbol: Symbol,
        meaning: Meaning<'m>,
        span: Span,
    ) -> Option<Declaration<'m>> {
        if self.marks.is_empty() {
            return self.declare(symbol, meaning, span);
        }
        let clash = self.find(symbol);
        if clash.is_none_or(|old| old.depth == 0) {
            self.declarations.push(Declaration {
                meaning,
                depth: 0,
                span,
            });
            self.current[symbol.index()] = self.declarations.len() as u32;
            self.found[symbol.index()].epoch = 0;
            self.kept = (self.declarations.len(), self.range_list.len());
        }
        clash
    }

    /// Declares `%r<10>` in the current block. Gives the place of what stands in its way.
    pub(super) fn declare_range(
        &mut self,
        variable: &'m Variable,
        meaning: Meaning<'m>,
        count: u32,
        span: Span,
    ) -> Option<Span> {
        let symbol = variable.name;
        let depth = self.depth();
        let outer = self.ranges[symbol.index()];
        let clash = (outer != 0)
            .then(|| self.range_list[outer as usize - 1].declaration)
            .filter(|range| range.depth == depth)
            .or_else(|| self.member_of(symbol, count));
        self.range_list.push(Range {
            declaration: Declaration {
                meaning,
                depth,
                span,
            },
            count,
            outer,
        });
        self.ranges[symbol.index()] = self.range_list.len() as u32;
        self.epoch += 1;
        self.remember(Undo::Range(symbol, outer));
        clash.map(|declaration| declaration.span)
    }

    /// A name of the current block that would be one of `prefix<count>`.
    fn member_of(&self, prefix: Symbol, count: u32) -> Option<Declaration<'m>> {
        let depth = self.depth();
        let list = self.numbered.get(&prefix)?;
        list.iter()
            .rev()
            .map(|&(number, index)| (number, self.declarations[index as usize]))
            .take_while(|(_, declaration)| declaration.depth == depth)
            .find(|(number, _)| *number < count)
            .map(|(_, declaration)| declaration)
    }

    /// At module level there is nothing to put back.
    fn remember(&mut self, undo: Undo) {
        if !self.marks.is_empty() {
            self.undo.push(undo);
        }
    }

    /// What a name stands for here.
    pub(super) fn find(&mut self, symbol: Symbol) -> Option<Declaration<'m>> {
        let mut found = self.found[symbol.index()];
        if found.epoch != self.epoch {
            found = Found {
                epoch: self.epoch,
                target: self.search(symbol),
            };
            self.found[symbol.index()] = found;
        }
        match found.target {
            Target::Nothing => None,
            Target::Declaration(index) => Some(self.declarations[index as usize]),
            Target::Range(index) => Some(self.range_list[index as usize].declaration),
        }
    }

    /// Names and ranges count alike, the innermost first; in one block the first of the two.
    #[cold]
    fn search(&self, symbol: Symbol) -> Target {
        let own = self.current[symbol.index()];
        let named = if own == 0 {
            Target::Nothing
        } else {
            Target::Declaration(own - 1)
        };
        let Some((prefix, number, _)) = self.split_number(symbol) else {
            return named;
        };
        let Some(index) = self.range_index(prefix, number) else {
            return named;
        };
        let range = self.range_list[index as usize].declaration;
        let place = |declaration: Declaration<'m>| {
            (declaration.depth, std::cmp::Reverse(declaration.span.start))
        };
        if own != 0 && place(self.declarations[own as usize - 1]) >= place(range) {
            return named;
        }
        Target::Range(index)
    }

    /// `%r12` as `%r` and 12, and whether the number is written without leading zeros. All digits
    /// at the end are the number, so nobody can name a member of `%r1<3>`.
    fn split_number(&self, symbol: Symbol) -> Option<(Symbol, u32, bool)> {
        let name = self.symbols.name(symbol);
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &name[prefix.len()..];
        if digits.is_empty() {
            return None;
        }
        let prefix = self.symbols.find(prefix)?;
        let number = digits.parse().ok()?;
        Some((
            prefix,
            number,
            digits.len() == 1 || !digits.starts_with('0'),
        ))
    }

    /// The innermost range that has this number.
    fn range_index(&self, prefix: Symbol, number: u32) -> Option<u32> {
        let mut index = self.ranges[prefix.index()];
        while index != 0 {
            let range = &self.range_list[index as usize - 1];
            if number < range.count {
                return Some(index - 1);
            }
            index = range.outer;
        }
        None
    }

    fn range_with(&self, prefix: Symbol, number: u32) -> Option<Range<'m>> {
        self.range_index(prefix, number)
            .map(|index| self.range_list[index as usize])
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
        let declared = (0..symbols.len())
            .filter(|&i| {
                let found = self.found[i];
                let numbered =
                    found.epoch == self.epoch && !matches!(found.target, Target::Nothing);
                self.current[i] != 0 || numbered
            })
            .take(MAX_SUGGESTIONS);
        crate::suggest::nearest(
            wanted,
            declared.map(|i| symbols.name(Symbol::from_index(i))),
        )
    }
}
