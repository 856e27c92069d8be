//! What an instruction does, found once when its code is loaded: operations with their modifiers resolved.

use crate::compute::{Compare, Compute};
use crate::operand::{Args, From, In};
use smallvec::SmallVec;
use warpc_ptx_eval::matrix::MatrixOperation;
use warpc_ptx_eval::matrix::group::GroupOperation;
use warpc_ptx_eval::{AtomicUpdate, Operation};
use warpc_sass::latency::measured::result_after;
use warpc_sass::latency::{Access, Effects, File, Pipe};
use warpc_sass::shape::Space;
use warpc_sass::{Guard, Inst};

/// An instruction that can be executed.
pub(crate) struct Step {
    pub(crate) inst: Inst,
    pub(crate) guard: Guard,
    pub(crate) what: What,
    pub(crate) args: Args,
    /// What it reads and writes, for the timed register file.
    pub(crate) accesses: SmallVec<[Access; 6]>,
    /// The registers that it writes.
    pub(crate) written: SmallVec<[(File, u8); 4]>,
    pub(crate) pipe: Option<Pipe>,
    /// Cycles until its result is there, as a guess.
    pub(crate) estimate: u16,
}

/// Which part of a product is the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    Low,
    Wide,
    High,
}

/// How a comparison is combined with a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    And,
    Or,
    Xor,
}

impl Combine {
    pub(crate) fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Combine::And => a & b,
            Combine::Or => a | b,
            Combine::Xor => a ^ b,
        }
    }
}

/// How integers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    False,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    True,
}

/// Elements of packed integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elements {
    Unsigned,
    Signed,
    UnsignedHalves,
    SignedHalves,
}

/// How lanes of a shuffle are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shuffle {
    Index,
    Up,
    Down,
    Butterfly,
}

/// What a vote asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    All,
    Any,
    Equal,
}

/// What a reduction of a warp computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduce {
    And,
    Or,
    Xor,
    Sum,
    Min,
    Max,
}

/// What a barrier of a block does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bar {
    Sync,
    Arrive,
    Popc,
    And,
    Or,
}

/// What an atomic operation does.
#[derive(Clone, Copy)]
pub(crate) enum Rmw {
    /// One element after the other, of so many bytes.
    Update(AtomicUpdate, u32),
    /// The same, unless the address is in the block's own shared memory or in local memory: there it is not done, and the
    /// predicate says so.
    UpdateGlobal(AtomicUpdate, u32),
    /// `CAS`
    Swap,
    /// `CAST`: the result is whether it was swapped.
    Try,
    /// `EXCH` of 16 bytes.
    Exchange,
}

/// A move of the state of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bmov {
    /// To a register, or to another barrier.
    Read { clear: bool },
    /// From a register, a number or another barrier.
    Write,
}

/// A product of matrices.
pub(crate) struct Product3 {
    pub(crate) operation: MatrixOperation,
    /// Registers are pairs.
    pub(crate) wide: bool,
}

/// A product of a warpgroup.
pub(crate) struct GroupProduct {
    pub(crate) operation: GroupOperation,
    /// The first of four uniform registers with the matrix descriptors of A and B.
    pub(crate) descriptors: u8,
    /// A, if it is in registers.
    pub(crate) a: Option<In>,
    /// What is added to.
    pub(crate) c: In,
    /// The metadata of a sparse A, and the selector.
    pub(crate) metadata: Option<(In, u64)>,
}

/// What is done to a barrier in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mbarrier {
    /// It gets a value, and the old one comes back.
    Exchange,
    /// Arrivals and bytes: how many of each.
    Arrive {
        arrivals: Amount,
        bytes: Amount,
        drop: bool,
    },
    /// Whether the phase with a parity is over.
    Check,
    /// All its bits.
    Load,
    /// Copies of the lane have arrived.
    Copied {
        counted: bool,
    },
    Nothing,
}

/// How many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Amount {
    None,
    One,
    /// As many as a register says.
    Register,
    /// As many less.
    Less,
}

/// A copy of a part of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tensor {
    pub(crate) dimensions: u8,
    /// To shared memory.
    pub(crate) loads: bool,
    pub(crate) im2col: bool,
    pub(crate) multicast: bool,
    /// The operation that combines elements with what is there, as PTX names it.
    pub(crate) reduce: Option<&'static str>,
}

/// What an instruction does.
pub(crate) enum What {
    Nothing,
    // Integers.
    Mad {
        part: Product,
        signed: bool,
        extended: bool,
    },
    /// The sum of pairs of registers.
    AddLong,
    Add3 {
        extended: bool,
    },
    Lea {
        high: bool,
        sign: bool,
        extended: bool,
    },
    AddPacked {
        halves: bool,
    },
    Abs,
    Extreme {
        elements: Elements,
        relu: bool,
        add: bool,
        three: bool,
    },
    Dot {
        halves: Option<bool>,
        a_signed: bool,
        b_signed: bool,
    },
    AbsDiff {
        bytes: bool,
        signed: bool,
        accumulate: bool,
    },
    Move,
    Select {
        flush: bool,
        float: bool,
    },
    Permute(Operation),
    Logic {
        and: bool,
    },
    Shift {
        right: bool,
        wrap: bool,
        long: bool,
        signed: bool,
        high: bool,
    },
    Extend {
        wrap: bool,
        signed: bool,
    },
    Mask {
        wrap: bool,
    },
    LeadingOne {
        signed: bool,
        shift: bool,
    },
    Reverse,
    Count,
    CompareIntegers {
        relation: Relation,
        signed: bool,
        combine: Combine,
        extended: bool,
    },
    PredicateLogic,
    SignLogic,
    FromPredicates {
        shift: u32,
        uniform: bool,
    },
    ToPredicates {
        shift: u32,
        uniform: bool,
    },
    Narrow {
        bits: u32,
        signed: bool,
    },
    // Numbers.
    Compute(Compute),
    Least {
        least: Compute,
        most: Compute,
    },
    CompareNumbers(Compare),
    CheckDivision,
    // Special registers and other lanes.
    Special {
        wide: bool,
    },
    ToUniform {
        or: bool,
    },
    Shuffle(Shuffle),
    Vote(Vote),
    Match {
        all: bool,
        wide: bool,
    },
    Reduce(Reduce, bool),
    Elect,
    // Memory.
    Constant {
        bytes: u32,
        signed: bool,
    },
    ConstantIndexed {
        bytes: u32,
        signed: bool,
    },
    Load {
        space: Space,
        bytes: u32,
        signed: bool,
    },
    Store {
        space: Space,
        bytes: u32,
    },
    Atomic {
        space: Space,
        bytes: u32,
        rmw: Rmw,
        returns: bool,
    },
    Copy {
        bytes: u32,
        zero_fill: bool,
    },
    Query(char),
    LoadMatrix {
        count: u32,
        transposed: bool,
    },
    StoreMatrix {
        count: u32,
        transposed: bool,
    },
    Transpose,
    Product(Box<Product3>),
    GroupProduct(Box<GroupProduct>),
    // Barriers in shared memory, and copies that report to them.
    Mbarrier(Mbarrier),
    Bulk {
        to_shared: bool,
        from_shared: bool,
        reduce: Option<(AtomicUpdate, u32)>,
        multicast: bool,
    },
    Tensor(Tensor),
    StoreRemote {
        bytes: u32,
        /// What is done with the old value and the new one.
        update: Option<AtomicUpdate>,
    },
    // Control.
    Branch {
        any: bool,
    },
    BranchDivergent {
        converged: bool,
    },
    BranchIndirect {
        absolute: bool,
    },
    Call,
    CallIndirect {
        absolute: bool,
    },
    ReturnTo {
        absolute: bool,
    },
    PlaceOf,
    Exit,
    Trap,
    Begin,
    Meet,
    Break,
    State(Bmov),
    WarpSync {
        all: bool,
        exclusive: bool,
    },
    EndCollective,
    Yield,
    Barrier(Bar),
    BarrierResult,
    ClusterArrive,
    ClusterWait,
    /// `USETMAXREG`: the warp gives registers back, or takes more if there are any.
    Registers {
        takes: bool,
        count: u32,
    },
}

/// Cycles until the result of an instruction without a fixed latency is there, if nothing is in its way. Those with one wait
/// for nothing but stall counts.
fn estimate(inst: &Inst) -> u16 {
    match inst.shape.pipe() {
        Some(
            Pipe::Memory
            | Pipe::Texture
            | Pipe::Variable
            | Pipe::ToUniform
            | Pipe::Group
            | Pipe::Bulk,
        ) => u16::try_from(result_after(inst.shape)).unwrap_or(u16::MAX),
        _ => 6,
    }
}

impl Step {
    /// The step of an instruction; nothing if it is not executed here.
    pub(crate) fn of(inst: Inst) -> Option<Step> {
        let opcode = inst.shape.opcode();
        let scaled = matches!(opcode, "LDS" | "STS" | "ATOMS");
        let args = Args::of(&inst, scaled);
        // Which bank a descriptor names is not known.
        let is_bindless = |one: &In| matches!(one.from, From::Bindless { .. });
        if args.s.iter().any(is_bindless) {
            return None;
        }
        let what = crate::find::find(&inst, &args)?;
        let effects = Effects::of(&inst);
        let written = effects.accesses.iter().filter(|access| access.is_write());
        let written = written
            .flat_map(|access| access.numbers().map(|number| (access.file, number)))
            .collect();
        Some(Step {
            guard: inst.guard,
            what,
            args,
            written,
            accesses: effects.accesses,
            pipe: inst.shape.pipe(),
            estimate: estimate(&inst),
            inst,
        })
    }
}
