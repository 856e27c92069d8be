//! The language in which instructions are described: one [`Row`] a form, plain data.
//!
//! ```text
//! form("atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type  d, [a], b{, cache_policy}",
//!      &[SEM, SCOPE, SPACE, OP, L2_CACHE_HINT, TYPE])
//!     .operands("d=T a:addr b:T cache_policy:b64?level::cache_hint")
//!     .since(Gate(&[at_least(60, v(6, 0))]))
//! ```
//!
//! **Syntax** is the manual's: modifiers first, `{…}` around what may be left out, then two spaces
//! and the operands. A modifier whose name is the name of one of the row's sets is a *slot*, filled
//! by one of the set's values; any other modifier is literal. Those in one pair of braces,
//! `{.sem.scope}`, come together or not at all. Operands: `d`, `[a]`, `[a, c]`, `[a{, b}, c]`,
//! `d|p`, `d{|p}`, and `{, x}` for what may be left out.
//!
//! **Operand kinds** (`.operands`), one for each name in the syntax: `name=KIND` is written,
//! `name:KIND` is read. A kind is
//!
//! | kind | means |
//! |---|---|
//! | `T` | the type in the slot `type` |
//! | `atype` | the type in that slot |
//! | `u32`, `pred` … | that type |
//! | `frag.atype` | registers that hold a fragment of a matrix with elements of that slot's type |
//! | `frag.u32` | registers of that type that hold a fragment of a matrix |
//! | `addr` | a memory address in the space of the slot `space` or `ss`, else a generic one |
//! | `addr.shared`, `addr.dst` | an address in that space (`tmem`: tensor memory), or in the space that slot names |
//! | `label`, `callee`, `list`, `proto` | what branches and calls name |
//! | `tex`, `sampler`, `surf` | an opaque handle: a variable's name or a 64-bit register |
//! | `sink` | `_` and nothing else (the row stands before the one that takes a register there) |
//!
//! with, before it, `%` (a register, no constant), `#` (a constant, no register), `_` (the sink `_`
//! is welcome), `!` (`!p` will do), `-` (`-a` will do), `@` (`a.b0` and `a.h10` select a part),
//! `&` (the address of a variable or function will do), `'` (the first element is an index and may
//! be of another type than the others), `$` (a special register will do),
//! `^` (a register of the very `.b` type, no wider and no other one),
//! `~` (`.unified` may follow the address), `<` (registers of 32 or 64 bits will do for an address
//! in any space), and
//! after it `*4` (a vector of four), `*vec` (a vector if the
//! slot `vec` is filled, of that length), `*?` (a vector of a length the rule checks), `*+` (one, or
//! such a vector),
//! `(0..15)` (the range of a constant), `?slot` (there if and only if that slot is filled).
//!
//! **Gates** say which chips and versions have the form ([`Row::since`]) or a single value (in
//! [`Set`]). What no row can say is a named [`Rule`] function; where only some of a row's modifier
//! combinations exist, [`Row::only`] names a [`Combination`], which is asked before the operands are
//! looked at, so that another row may have the combinations this one lacks.

use crate::rule::{Combination, Rule};
use warpc_target::{Gate, PtxVersion, Removal};

/// Values a modifier slot takes.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The slot's name in the syntax, without its dot.
    pub name: &'static str,
    /// Values (with their dots, separated by spaces) and what each group of them needs.
    pub groups: &'static [(&'static str, Gate)],
}

/// A set of values that need nothing beyond the row's own gate, or each group its own.
pub const fn set(name: &'static str, groups: &'static [(&'static str, Gate)]) -> Set {
    Set { name, groups }
}

bitflags::bitflags! {
    /// What an instruction does beyond computing its results from its operands.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Effects: u8 {
        /// Reads memory.
        const READ = 1;
        /// Writes memory.
        const WRITE = 2;
        /// Orders memory or threads: fences, barriers, acquiring and releasing accesses.
        const SYNC = 4;
        /// Its meaning depends on which threads execute it together.
        const CONVERGENT = 8;
        /// Control does not simply go on to the next instruction.
        const CONTROL = 16;
        /// Something outside the program sees it (trap, breakpoint, timer, sleep).
        const OBSERVABLE = 32;
        /// Reads or writes the carry bit.
        const CARRY = 64;
    }
}

/// How strictly register types must match instruction types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typing {
    /// Sizes must be equal, and kinds must agree unless one of them is `.b`.
    Exact,
    /// As for loads, stores and conversions: a register may be wider than the type.
    Wider,
}

/// One form of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The manual's syntax line.
    pub syntax: &'static str,
    /// The sets its slots draw from.
    pub sets: &'static [Set],
    /// Kinds of its operands.
    pub operands: &'static str,
    /// What it needs.
    pub gate: Gate,
    /// From when on it is gone.
    pub removed: Option<Removal>,
    /// Which of its modifier combinations exist; all if there is none.
    pub combination: Option<Combination>,
    /// What no table can say.
    pub rule: Option<Rule>,
    /// What it does beyond computing.
    pub effects: Effects,
    /// How strictly types must match.
    pub typing: Typing,
    /// How many modifiers belong to the name: they come first, in this order.
    pub words: u8,
}

/// Starts a row.
pub const fn form(syntax: &'static str, sets: &'static [Set]) -> Row {
    Row {
        syntax,
        sets,
        operands: "",
        gate: Gate::ALWAYS,
        removed: None,
        combination: None,
        rule: None,
        effects: Effects::empty(),
        typing: Typing::Exact,
        words: 0,
    }
}

impl Row {
    /// Says what the operands are.
    pub const fn operands(mut self, kinds: &'static str) -> Row {
        self.operands = kinds;
        self
    }

    /// Says what the form needs.
    pub const fn since(mut self, gate: Gate) -> Row {
        self.gate = gate;
        self
    }

    /// Says from when on the form is gone.
    pub const fn removed(mut self, chip: u16, version: PtxVersion, instead: &'static str) -> Row {
        self.removed = Some(Removal {
            chip,
            version,
            instead,
        });
        self
    }

    /// Says which modifier combinations the form has.
    pub const fn only(mut self, combination: Combination) -> Row {
        self.combination = Some(combination);
        self
    }

    /// Adds a rule.
    pub const fn rule(mut self, rule: Rule) -> Row {
        self.rule = Some(rule);
        self
    }

    /// Says what the form does.
    pub const fn effects(mut self, effects: Effects) -> Row {
        self.effects = effects;
        self
    }

    /// Says that the first modifiers belong to the name, so that nothing may stand between them.
    /// (For ptxas `mbarrier.arrive.expect_tx` is one word, and so is `cp.async.bulk.tensor`.)
    pub const fn words(mut self, words: u8) -> Row {
        self.words = words;
        self
    }

    /// Lets registers be wider than the type.
    pub const fn wider(mut self) -> Row {
        self.typing = Typing::Wider;
        self
    }

    /// The word before the first modifier.
    pub fn opcode(&self) -> &'static str {
        let end = self
            .syntax
            .find(['.', '{', ' '])
            .unwrap_or(self.syntax.len());
        &self.syntax[..end]
    }
}
