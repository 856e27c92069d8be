//! The vocabulary of synchronisation: what becomes of a PTX instruction in SASS, chip by chip.
//!
//! ```text
//!   "atom.acq_rel.gpu.global.add.u32 %r1, [%ga], %r2;"
//!        │ Form::read
//!        ▼
//!   Form::Atomic { order: AcqRel, scope: Gpu, space: Global, op: Add, ty: U32, … }   + Context + chip
//!        │ Form::sequence
//!        ▼
//!   MEMBAR.ALL.GPU  ERRBAR  CGAERRBAR  ATOMG.E.ADD.STRONG.GPU  CCTL.IVALL            (sm_90)
//! ```
//!
//! A form is described with the words of `warpc-model`, and a family's file holds the rules that turn a description
//! into opcodes. The rules say what ptxas 13.4 emits. `tests/vocabulary.rs` holds them against what it was seen to emit
//! for four thousand forms on thirteen chips.
//!
//! | module | PTX |
//! |---|---|
//! | [`access`] | `ld`, `st`, their vectors, orders, cache operators and hints |
//! | [`atomic`] | `atom`, `red`, their vectors, and the loops around compare-and-swap |
//! | [`fence`] | `fence`, `membar`, fences between proxies |
//! | [`barrier`] | `bar`, `barrier`, `bar.warp`, `barrier.cluster` |
//! | [`warp`] | `vote`, `shfl`, `match`, `redux`, `activemask`, `elect` |
//! | [`mbarrier`] | `mbarrier`, `cp.async.mbarrier` |
//! | [`copy`] | `cp.async`, `cp.async.bulk`, `st.async`, `red.async`, `tensormap` |
//! | [`matrix`] | the fences, groups and waits of `wgmma` and `tcgen05` |
//! | [`multimem`] | `multimem` |
//! | [`special`] | special registers |
//! | [`control`] | `nanosleep`, `griddepcontrol`, `setmaxnreg`, `pmevent`, `brkpt`, `trap`, `exit` |
//!
//! [`names`] is the summary of the opcodes with their internal names, [`phases`] what an assembler does with them.
//!
//! A sequence is in program order. A scheduler moves instructions that do not depend on each other, and the moves of
//! operands (into uniform registers, out of constant banks) depend on where the operands are; so the opcodes of a
//! sequence are what an assembler must choose, not a listing.

pub mod access;
pub mod atomic;
pub mod barrier;
mod chip;
pub mod control;
pub mod copy;
pub mod fence;
pub mod matrix;
pub mod mbarrier;
pub mod multimem;
pub mod names;
mod opcode;
pub mod phases;
mod read;
pub mod special;
mod swap_loop;
pub mod warp;

pub use opcode::{Opcode, Sequence};

use chip::Chip;
use opcode::Code;
use read::Words;
use std::fmt;
use warpc_target::{Chips, Sm};

/// The chips whose sequences were recorded.
const FIRST_DESCRIBED: Chips = Chips::AtLeast(75);

/// Where an instruction stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Context {
    /// All threads of the warp come along together, and code follows.
    Straight,
    /// Only some threads of the warp come along.
    Divergent,
    /// As [`Context::Straight`], and the kernel ends behind it: what would leave a loop ends the thread.
    Last,
}

/// An instruction of PTX, as far as its opcodes depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `ld`, `st`
    Access(access::Access),
    /// `atom`, `red`
    Atomic(atomic::Atomic),
    /// `fence`, `membar`
    Fence(fence::Fence),
    /// `bar`, `barrier`
    Barrier(barrier::Barrier),
    /// `barrier.cluster`
    Cluster(barrier::Cluster),
    /// `vote`, `shfl`, `match`, `redux`, `activemask`, `elect`, `bar.warp`
    Warp(warp::Warp),
    /// `mbarrier`
    Mbarrier(mbarrier::Mbarrier),
    /// Copies and what waits for them.
    Copy(copy::Copy),
    /// Fences, groups and waits of the matrix units.
    Matrix(matrix::Matrix),
    /// `multimem`
    Multimem(multimem::Multimem),
    /// A special register is read.
    Special(special::Special),
    /// What steers a thread or the machine.
    Control(control::Control),
}

/// Why there is no sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The text is no instruction of these families.
    Form(String),
    /// The chip does not have the instruction.
    Chip(Sm),
    /// The machine code of the chip is not described.
    Undescribed(Sm),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Form(text) => write!(f, "`{text}` is not in the vocabulary"),
            Unknown::Chip(sm) => write!(f, "{sm} does not have the instruction"),
            Unknown::Undescribed(sm) => write!(
                f,
                "the machine code of {sm} is not described; that of sm_75 and later chips is"
            ),
        }
    }
}

impl std::error::Error for Unknown {}

impl Form {
    /// The form of an instruction's text. Operands may be missing: then a result is used, masks are constants with all
    /// lanes, and counts are registers.
    ///
    /// ```
    /// use warpc_sass::vocabulary::{Context, Form};
    /// let form = Form::read("atom.acq_rel.gpu.global.add.u32").unwrap();
    /// let sm = "sm_90".parse().unwrap();
    /// let code = form.sequence(Context::Straight, sm).unwrap();
    /// assert_eq!(code.to_string(), "MEMBAR.ALL.GPU ERRBAR CGAERRBAR ATOMG.E.ADD.STRONG.GPU CCTL.IVALL");
    /// ```
    pub fn read(text: &str) -> Result<Form, Unknown> {
        let mut words = Words::of(text);
        let form = match words.name() {
            "ld" | "st" if words.has("async") => copy::read(&mut words).map(Form::Copy),
            "ld" | "st" => access::read(&mut words).map(Form::Access),
            "red" if words.has("async") => copy::read(&mut words).map(Form::Copy),
            "atom" | "red" => atomic::read(&mut words).map(Form::Atomic),
            "fence" | "membar" => fence::read(&mut words).map(Form::Fence),
            "bar" | "barrier" if words.has("warp") => warp::read(&mut words).map(Form::Warp),
            "barrier" if words.has("cluster") => {
                barrier::read_cluster(&mut words).map(Form::Cluster)
            }
            "bar" | "barrier" => barrier::read(&mut words).map(Form::Barrier),
            "vote" | "shfl" | "match" | "redux" | "activemask" | "elect" => {
                warp::read(&mut words).map(Form::Warp)
            }
            "mbarrier" => mbarrier::read(&mut words).map(Form::Mbarrier),
            "cp" if words.has("mbarrier") => mbarrier::read_arrival(&mut words).map(Form::Mbarrier),
            "cp" | "tensormap" => copy::read(&mut words).map(Form::Copy),
            "multimem" => multimem::read(&mut words).map(Form::Multimem),
            "wgmma" | "tcgen05" => matrix::read(&mut words).map(Form::Matrix),
            "mov" => special::read(&mut words).map(Form::Special),
            _ => control::read(&mut words).map(Form::Control),
        };
        match form {
            Some(form) if words.is_empty() => Ok(form),
            _ => Err(Unknown::Form(text.to_owned())),
        }
    }

    /// What ptxas emits for the form.
    pub fn sequence(&self, context: Context, sm: Sm) -> Result<Sequence, Unknown> {
        if !FIRST_DESCRIBED.contains(sm) {
            return Err(Unknown::Undescribed(sm));
        }
        let mut code = Code::new(Chip(sm), context);
        let known = match self {
            Form::Access(form) => form.emit(&mut code),
            Form::Atomic(form) => form.emit(&mut code),
            Form::Fence(form) => form.emit(&mut code),
            Form::Barrier(form) => form.emit(&mut code),
            Form::Cluster(form) => form.emit(&mut code),
            Form::Warp(form) => form.emit(&mut code),
            Form::Mbarrier(form) => form.emit(&mut code),
            Form::Copy(form) => form.emit(&mut code),
            Form::Matrix(form) => form.emit(&mut code),
            Form::Multimem(form) => form.emit(&mut code),
            Form::Special(form) => form.emit(&mut code),
            Form::Control(form) => form.emit(&mut code),
        };
        known.map(|()| code.done()).ok_or(Unknown::Chip(sm))
    }
}
