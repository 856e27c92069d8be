//! The code of one function while it is made: instructions of PTX over registers without numbers.
//!
//! ```text
//!   Code ─ sections: Section { label, insts, end }     in the order they will stand
//!        ├ args: operands of all instructions, one array
//!        └ regs: the class of each register
//! ```
//!
//! How a section goes on is not an instruction but its [`End`]: which jumps are needed is known only
//! when the order is. [`crate::assemble`] writes them and gives registers their names. [`Shown`] is the code as text.

mod print;

pub use print::Shown;

use crate::debug::location::Mark;
use crate::frame::Frame;
use crate::select::Located;
use smallvec::SmallVec;
use std::rc::Rc;
use warpc_nvvm::metadata::NodeId;
use warpc_nvvm::value::Block;
use warpc_ptx::inst::{MnemonicId, Part};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// What a register can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A truth value.
    Pred,
    /// 8 bits, for the few instructions that want them.
    B8,
    /// 16 bits.
    B16,
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
    /// 128 bits, for the few instructions that want them in one register.
    B128,
}

impl Class {
    /// Every class, in the order of their declarations.
    pub const ALL: [Class; 6] = [
        Class::Pred,
        Class::B8,
        Class::B16,
        Class::B32,
        Class::B64,
        Class::B128,
    ];

    /// The type registers of the class are declared with.
    pub fn ty(self) -> ScalarType {
        match self {
            Class::Pred => ScalarType::Pred,
            Class::B8 => ScalarType::B8,
            Class::B16 => ScalarType::B16,
            Class::B32 => ScalarType::B32,
            Class::B64 => ScalarType::B64,
            Class::B128 => ScalarType::B128,
        }
    }

    /// What the names of registers of the class start with.
    pub fn prefix(self) -> &'static str {
        match self {
            Class::Pred => "%p",
            Class::B8 => "%rc",
            Class::B16 => "%rs",
            Class::B32 => "%r",
            Class::B64 => "%rd",
            Class::B128 => "%rq",
        }
    }

    /// How many bits a register has.
    pub fn bits(self) -> u32 {
        self.ty().bits()
    }

    /// The class of registers that hold this many bits.
    pub fn for_bits(bits: u32) -> Class {
        match bits {
            1 => Class::Pred,
            2..=32 => Class::B32,
            _ => Class::B64,
        }
    }
}

/// A register, without a name yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reg(pub u32);

/// A place to jump to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Label {
    /// A block of the function.
    Block(Block),
    /// A place that selection has made.
    Made(u32),
}

/// A run of operands in [`Code::args`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArgRange {
    /// The first.
    pub start: u32,
    /// How many.
    pub len: u16,
}

impl ArgRange {
    /// The indices.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.len)
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A register.
    Reg(Reg),
    /// An integer.
    Int(i64),
    /// A single-precision number's bits.
    F32(u32),
    /// A double-precision number's bits.
    F64(u64),
    /// A special register, variable, parameter or function.
    Name(Symbol),
    /// A piece of a special register: `%tid.x`
    Element(Symbol, Part),
    /// A place in the code.
    Label(Label),
    /// `_`
    Sink,
    /// `{a, b}`
    Vector(ArgRange),
    /// `d|p`
    Pair(ArgRange),
    /// `[base+offset]`: the base and, if there is an offset, an integer.
    Address(ArgRange),
    /// `[a, b, {c, d}]`
    Group(ArgRange),
    /// `(a, b)`
    List(ArgRange),
}

impl From<Reg> for Arg {
    fn from(reg: Reg) -> Arg {
        Arg::Reg(reg)
    }
}

/// A few operands.
pub type Args = SmallVec<[Arg; 4]>;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inst {
    /// Opcode and modifiers.
    pub mnemonic: MnemonicId,
    /// The predicate it hangs on, and whether it must be false.
    pub guard: Option<(Reg, bool)>,
    /// Its operands.
    pub args: ArgRange,
    /// Where in the source it comes from.
    pub at: u32,
}

/// A line of code.
#[derive(Clone, Debug)]
pub enum Line {
    /// An instruction.
    Inst(Inst),
    /// `name:` within a section.
    Label(Label),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `.loc`: what follows comes from here.
    Loc(NodeId),
    /// A place that debug information names.
    Mark(Mark),
    /// Any other statement: declarations within a call, tables of targets, inline assembly. Labels and
    /// registers in it must be written by name already.
    Statement(Box<warpc_ptx::module::Statement>),
    /// Statements that stood in the module as text.
    Inline(Box<InlineText>),
    /// `name: .branchtargets …;`
    Targets(Symbol, Vec<Label>),
}

/// PTX that stood in the module as text.
#[derive(Clone, Debug)]
pub struct InlineText {
    /// What was read.
    pub statements: Rc<crate::inline::Statements>,
    /// Our registers for its operands.
    pub registers: Vec<Reg>,
    /// Where it stands in the module.
    pub at: u32,
}

/// How a section goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Not at all: the last instruction leaves the function.
    Stop,
    /// At a label.
    Jump(Label),
    /// At the first label if the predicate holds (`negated`: does not hold), else at the second.
    Branch {
        /// The predicate.
        predicate: Reg,
        /// Whether it is turned round.
        negated: bool,
        /// Where to if it holds.
        yes: Label,
        /// Where to if not.
        no: Label,
    },
}

/// A run of lines with one way in and one [`End`].
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub label: Label,
    /// Its lines.
    pub lines: Vec<Line>,
    /// How it goes on.
    pub end: End,
}

/// What debug information says about a function.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its `DISubprogram`.
    pub program: NodeId,
    /// Its variables.
    pub variables: Vec<Located>,
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Sections in the order they will stand.
    pub sections: Vec<Section>,
    /// Operands.
    pub args: Vec<Arg>,
    /// The class of each register.
    pub regs: Vec<Class>,
    /// Registers that have a name of their own.
    pub named: Vec<(Reg, &'static str)>,
    /// Local memory.
    pub frame: Frame,
    /// The number of the function in the module, for names that no other function has.
    pub number: usize,
    /// What debug information says about it, if it says anything.
    pub described: Option<Box<Described>>,
    /// How many labels were made.
    labels: u32,
}

impl Code {
    /// A new register.
    pub fn reg(&mut self, class: Class) -> Reg {
        self.regs.push(class);
        Reg(self.regs.len() as u32 - 1)
    }

    /// The class of a register.
    pub fn class(&self, reg: Reg) -> Class {
        self.regs[reg.0 as usize]
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label::Made(self.labels - 1)
    }

    /// Stores operands.
    pub fn range(&mut self, args: &[Arg]) -> ArgRange {
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        ArgRange {
            start,
            len: args.len() as u16,
        }
    }

    /// `{a, b}`
    pub fn vector(&mut self, args: &[Arg]) -> Arg {
        Arg::Vector(self.range(args))
    }

    /// `d|p`
    pub fn pair(&mut self, a: Arg, b: Arg) -> Arg {
        Arg::Pair(self.range(&[a, b]))
    }

    /// `(a, b)`
    pub fn list(&mut self, args: &[Arg]) -> Arg {
        Arg::List(self.range(args))
    }

    /// `[a, b]`
    pub fn group(&mut self, args: &[Arg]) -> Arg {
        Arg::Group(self.range(args))
    }

    /// `[base+offset]`
    pub fn address(&mut self, base: Arg, offset: i64) -> Arg {
        match offset {
            0 => Arg::Address(self.range(&[base])),
            _ => Arg::Address(self.range(&[base, Arg::Int(offset)])),
        }
    }
}
