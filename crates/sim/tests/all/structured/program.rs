//! What a program is made of.

/// Variables of the kernel and of each function.
pub const VARIABLES: usize = 4;
/// Words that a thread keeps in local memory.
pub const KEPT: u32 = 4;
/// What lies where results go, before.
pub const OLD: u32 = 0x5a5a_5a5a;
/// How often a function may call itself.
pub const DEPTH: u32 = 2;

/// An operation on two words.
#[derive(Clone, Copy, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Max,
}

/// A word.
#[derive(Debug)]
pub enum Expr {
    Const(u32),
    /// The thread's number in the grid.
    Thread,
    Variable(usize),
    /// What local memory has at an index.
    Kept(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Shift(Box<Expr>, u32),
}

#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Less,
    Equal,
    NotEqual,
    Above,
}

#[derive(Debug)]
pub struct Cond(pub Relation, pub Expr, pub Expr);

#[derive(Debug)]
pub enum Stmt {
    Set(usize, Expr),
    /// Local memory at an index becomes a value.
    Keep(Expr, Expr),
    /// A value is added to the tally.
    Tally(Expr),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// One assignment, by a guard and not by a branch.
    Guarded(Cond, usize, Expr),
    Loop {
        /// So many rounds, modulo 4.
        rounds: Expr,
        /// Whether the condition stands at the end: there is a first round in any case.
        tested_last: bool,
        body: Vec<Stmt>,
    },
    BreakIf(Cond),
    ContinueIf(Cond),
    Switch {
        /// Which case, modulo their number.
        on: Expr,
        cases: Vec<Vec<Stmt>>,
        /// Whether a case goes on with the next.
        falls: bool,
    },
    Call {
        to: usize,
        function: usize,
        arguments: [Expr; 2],
    },
    /// A call of one of the first two functions, through a pointer.
    CallThrough {
        to: usize,
        which: Expr,
        arguments: [Expr; 2],
    },
    /// The function calls itself, unless that went deep enough.
    Recurse {
        to: usize,
        arguments: [Expr; 2],
    },
    /// The function ends; the kernel's thread does.
    LeaveIf(Cond),
}

/// How threads meet after a section.
#[derive(Clone, Copy, Debug)]
pub enum Meeting {
    /// Not at all.
    Not,
    /// The warp gets the variable of its first lane.
    First(usize),
    /// The warp gets the sum of the variable.
    Sum(usize),
    /// Each thread gets the next thread's variable through shared memory.
    Next(usize),
}

#[derive(Debug)]
pub struct Function {
    pub body: Vec<Stmt>,
    pub result: Expr,
}

/// Functions call those before them.
#[derive(Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    pub sections: Vec<(Vec<Stmt>, Meeting)>,
}
