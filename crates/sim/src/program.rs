//! Code made ready to run: names resolved, registers numbered, modifiers looked up.
//!
//! ```text
//!   Function ──decode──► Code { steps: [Step { guard, op }] }
//! ```
//!
//! Registers have three files: predicates (a bit a lane), words (up to 32 bits) and doubles (64
//! bits). A 128-bit register is two doubles.

mod float;
mod order;
mod visit;

pub use float::{CompareFloat, Float, Precision, Relation};
pub use order::{Fence, Order, Scope};
pub use visit::Visitor;
pub(crate) use visit::{visit_reads, visit_writes};

use crate::address::Space;
use crate::source::SourcePlace;
use crate::special::Special;
use smallvec::SmallVec;
use warpc_diag::Span;
use warpc_ptx::types::ScalarType;
use warpc_ptx_eval::{AtomicUpdate, Operation};

/// Index of a register in its file.
pub type Slot = u32;

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Dst {
    /// Nowhere.
    Sink,
    /// A predicate.
    P(Slot),
    /// A register of 8, 16 or 32 bits, with the mask of its bits.
    W(Slot, u32),
    /// A register of 64 bits.
    D(Slot),
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Src {
    /// A predicate, or its opposite.
    P(Slot, bool),
    /// A register of up to 32 bits.
    W(Slot),
    /// A register of 64 bits.
    D(Slot),
    /// A constant.
    Imm(u64),
    /// A special register.
    Special(Special),
    /// An address on the thread's stack: so far above the frame's base.
    Stack(u32),
}

/// `[base+offset]`
#[derive(Clone, Copy, Debug)]
pub struct Addr {
    /// The base.
    pub base: Src,
    /// Added to it.
    pub offset: i64,
}

/// Sources or destinations of an instruction.
pub type Sources = SmallVec<[Src; 4]>;
/// Destinations of an instruction.
pub type Destinations = SmallVec<[Dst; 2]>;

/// One instruction.
#[derive(Debug)]
pub struct Step {
    /// The predicate it hangs on, and the value it must have.
    pub guard: Option<(Slot, bool)>,
    /// Whether control may come here from elsewhere than the step before.
    pub leader: bool,
    /// What it does.
    pub op: Op,
}

/// What an instruction does.
#[derive(Debug)]
pub enum Op {
    /// A common operation on words.
    Word(Word, Slot, Src, Src, Src),
    /// A common operation on doubles.
    Double(Double, Slot, Src, Src, Src),
    /// A comparison of words into a predicate.
    CompareWord(Compare, Slot, Src, Src),
    /// A comparison of doubles into a predicate.
    CompareDouble(Compare, Slot, Src, Src),
    /// A common operation on floating-point numbers, which are words or doubles.
    Float(Float, Precision, Slot, Src, Src, Src),
    /// A comparison of floating-point numbers into a predicate.
    CompareFloat(CompareFloat, Slot, Src, Src),
    /// One source, one result.
    One(fn(u64) -> u64, Dst, Src),
    /// Two sources, one result.
    Two(fn(u64, u64) -> u64, Dst, Src, Src),
    /// Three sources, one result.
    Three(fn(u64, u64, u64) -> u64, Dst, Src, Src, Src),
    /// Anything that computes.
    General(Box<General>),
    /// Copies, element by element, all read before any is written.
    Move(Box<[(Dst, Src)]>),
    /// Elements of so many bits into one value.
    Pack(Box<Pack>),
    /// One value into elements of so many bits.
    Unpack(Box<Unpack>),
    /// A load.
    Load(Box<Load>),
    /// A store.
    Store(Box<Store>),
    /// `atom` and `red`.
    Atomic(Box<Atomic>),
    /// Addresses: cvta, isspacep, mapa, getctarank.
    Address(AddressOp, Dst, Src, Src),
    /// `alloca`, `stacksave`, `stackrestore`.
    Stack(StackOp),
    /// A jump.
    Branch(u32),
    /// A jump to one of several places.
    BranchIndexed(Src, Box<[u32]>),
    /// A call.
    Call(Box<Call>),
    /// The end of a function.
    Return,
    /// The end of a thread.
    Exit,
    /// `trap`
    Trap,
    /// `brkpt`
    Breakpoint,
    /// A barrier of the block.
    Barrier(Box<Barrier>),
    /// `barrier.cluster.arrive`; aligned, and a release?
    ClusterArrive(bool, bool),
    /// `barrier.cluster.wait`; aligned, and an acquire?
    ClusterWait(bool, bool),
    /// What the lanes of a warp do together.
    Collective(Box<Collective>),
    /// `activemask`
    ActiveMask(Dst),
    /// A matrix instruction.
    Matrix(Box<crate::exec::matrix::Matrix>),
    /// An instruction of a warpgroup.
    Group(Box<crate::exec::groups::Group>),
    /// An instruction of tensor memory.
    Tensor(Box<crate::exec::tensor::Tensor>),
    /// A barrier object in shared memory.
    Mbarrier(Box<crate::exec::mbarrier::Mbarrier>),
    /// An asynchronous copy or what waits for one.
    Async(Box<crate::exec::async_copy::Async>),
    /// `nanosleep`: others run, and so many nanoseconds pass.
    Sleep(Src),
    /// A fence: orders what this host thread does in global memory.
    Fence(Fence),
    /// A texture or a surface.
    Texture(Box<crate::exec::texture::TextureOp>),
    /// Something is done with a tensor map.
    TensorMap(Box<crate::exec::tensor_map::MapOp>),
    /// Prefetches and hints.
    Nothing,
}

/// Common operations on words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Word {
    Move,
    Add,
    Sub,
    Mul,
    Mad,
    And,
    Or,
    Xor,
    Not,
    Shl,
    ShrU,
    ShrS,
    MinU,
    MinS,
    MaxU,
    MaxS,
    /// `selp`: the third source is a predicate.
    Select,
    /// The low word of a double.
    Narrow,
    /// The single nearest to an integer.
    SingleOfU,
    SingleOfS,
    /// The integer that a single is cut to.
    CutToU,
    CutToS,
}

/// Common operations on doubles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Double {
    Move,
    Add,
    Sub,
    Mul,
    Mad,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
    /// A word, extended by zeros.
    WidenU,
    /// A word, extended by its sign.
    WidenS,
    /// The whole product of two words.
    MulWideU,
    MulWideS,
    /// The same, plus a double.
    MadWideU,
    MadWideS,
    Select,
}

/// Comparisons of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    LtU,
    LeU,
    GtU,
    GeU,
    LtS,
    LeS,
    GtS,
    GeS,
}

/// A computation with its places.
#[derive(Debug)]
pub struct General {
    /// The function.
    pub operation: Operation,
    /// What it reads.
    pub sources: Sources,
    /// Whether the carry bit is one source more.
    pub carry_in: bool,
    /// What it writes.
    pub results: Destinations,
    /// Whether the carry bit is one result more.
    pub carry_out: bool,
}

/// `mov.b32 d, {a, b}`
#[derive(Debug)]
pub struct Pack {
    /// Where to: one place, or two for 128 bits.
    pub to: Destinations,
    /// The elements, lowest first.
    pub elements: Sources,
    /// Bits of an element.
    pub bits: u32,
}

/// `mov.b32 {d, e}, a`
#[derive(Debug)]
pub struct Unpack {
    /// The elements, lowest first.
    pub to: Destinations,
    /// The value: one source, or two for 128 bits.
    pub from: Sources,
    /// Bits of an element.
    pub bits: u32,
}

/// How much of the promised order an access has; what a watcher of accesses needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// May not race.
    Weak,
    /// Relaxed, volatile, acquire, release.
    Strong,
}

/// `ld`
#[derive(Debug)]
pub struct Load {
    /// The space.
    pub space: Space,
    /// The type of an element.
    pub ty: ScalarType,
    /// Bytes of an element.
    pub bytes: u32,
    /// Where the elements go; a 128-bit element takes two.
    pub to: SmallVec<[Dst; 4]>,
    /// Where from.
    pub from: Addr,
    /// How strong.
    pub strength: Strength,
    /// What it orders.
    pub order: Order,
    /// Whether it goes through the read-only path: `ld.global.nc`.
    pub cached: bool,
}

/// `st`
#[derive(Debug)]
pub struct Store {
    /// The space.
    pub space: Space,
    /// Bytes of an element.
    pub bytes: u32,
    /// The elements.
    pub elements: SmallVec<[Src; 4]>,
    /// Where to.
    pub to: Addr,
    /// How strong.
    pub strength: Strength,
    /// What it orders.
    pub order: Order,
}

/// How an atomic changes what is in memory.
#[derive(Debug)]
pub enum Update {
    /// Up to 64 bits, an element after the other: in shared memory, and in global memory, where sums
    /// of singles flush denormals.
    Elements(AtomicUpdate, AtomicUpdate),
    /// 128 bits are exchanged.
    Exchange128,
    /// 128 bits are compared and exchanged.
    Compare128,
}

/// `atom`, `red`
#[derive(Debug)]
pub struct Atomic {
    /// The space.
    pub space: Space,
    /// Bytes of an element.
    pub bytes: u32,
    /// How it changes.
    pub update: Update,
    /// Where the old values go; empty for `red`.
    pub to: Destinations,
    /// Where.
    pub at: Addr,
    /// The first operand, element by element.
    pub b: Sources,
    /// The second operand of `cas`.
    pub c: Sources,
    /// What it orders.
    pub order: Order,
    /// Whether the old value has no influence on the new one: `exch`.
    pub replaces: bool,
    /// The class of operations that come out the same in every order, if nobody looks at old values.
    pub commutes: Option<u32>,
}

/// What is done with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressOp {
    /// From the space to generic.
    ToGeneric(Space),
    /// From generic to the space.
    FromGeneric(Space),
    /// Whether a generic address lies in the space; for `.shared::cta` in the own block's.
    IsIn(Space, bool),
    /// The same place in another block's shared memory; whether the address is generic.
    MapRank(bool),
    /// The block whose shared memory it is; whether the address is generic.
    RankOf(bool),
}

/// The stack pointer.
#[derive(Clone, Copy, Debug)]
pub enum StackOp {
    /// `alloca`
    Grow {
        /// The address.
        to: Dst,
        /// Bytes.
        size: Src,
        /// Alignment.
        align: u32,
    },
    /// `stacksave`
    Save(Dst),
    /// `stackrestore`
    Restore(Src),
}

/// Bytes that are passed to or from a function: offsets in the two frames.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// Offset in the frame they come from.
    pub from: u32,
    /// Offset in the frame they go to.
    pub to: u32,
    /// How many.
    pub bytes: u32,
}

/// A parameter or result of a function that is a register rather than memory.
#[derive(Clone, Copy, Debug)]
pub struct PassedRegister {
    /// What is read.
    pub from: Src,
    /// What is written.
    pub to: Dst,
}

/// Who is called.
#[derive(Debug)]
pub enum Callee {
    /// A function of the program.
    Function(usize),
    /// The function at an address.
    Pointer(Src),
    /// A function of the system.
    System(crate::exec::library::System),
}

/// One argument or result of a call, as the caller has it.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Memory of the caller's frame: offset and size.
    Memory(u32, u32),
    /// A value that is read.
    Value(Src),
    /// A register that is written.
    Register(Dst),
}

/// `call`
#[derive(Debug)]
pub struct Call {
    /// Who.
    pub callee: Callee,
    /// What goes in.
    pub arguments: Vec<Place>,
    /// What comes out.
    pub results: Vec<Place>,
}

/// What a barrier does when all have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reduce {
    None,
    And,
    Or,
    Count,
}

/// A barrier of the block.
#[derive(Debug)]
pub struct Barrier {
    /// Which.
    pub number: Src,
    /// How many threads; all of the block if it is not said.
    pub threads: Option<Src>,
    /// Whether the thread goes on without waiting.
    pub arrive: bool,
    /// Whether all threads of a warp execute it together.
    pub aligned: bool,
    /// What is computed.
    pub reduce: Reduce,
    /// Of what.
    pub value: Src,
    /// Where to.
    pub to: Dst,
}

/// What the lanes of a mask do together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Together {
    /// `bar.warp.sync`
    Wait,
    ShuffleUp,
    ShuffleDown,
    ShuffleXor,
    ShuffleIndex,
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny,
    MatchAll,
    ReduceAdd,
    ReduceMinU,
    ReduceMinS,
    ReduceMaxU,
    ReduceMaxS,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    /// `redux.f32`: minimum (else maximum), of absolute values, NaN wins.
    ReduceFloat {
        min: bool,
        abs: bool,
        nan: bool,
    },
    Elect,
}

/// A collective operation.
#[derive(Debug)]
pub struct Collective {
    /// What.
    pub what: Together,
    /// The value each lane brings.
    pub a: Src,
    /// The lane or distance of a shuffle.
    pub b: Src,
    /// The clamp and segment of a shuffle.
    pub c: Src,
    /// The lanes that take part; none for the old forms, in which those do that execute it.
    pub mask: Option<Src>,
    /// The result.
    pub to: Dst,
    /// The predicate.
    pub predicate: Dst,
}

/// Where a step stands in the text, and which source line it came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The instruction in the text that the module came from.
    pub span: Span,
    /// The last `.loc`, as an index into [`Code::locs`].
    pub loc: Option<u32>,
}

impl Op {
    /// Whether it reads a tensor map.
    pub(crate) fn reads_map(&self) -> bool {
        use crate::exec::async_copy::Async;
        matches!(self, Op::Async(op) if matches!(**op, Async::Tensor(_)))
    }
}

impl Step {
    /// The steps that may come next in the same function, this one being at `pc`.
    pub(crate) fn successors(&self, pc: u32) -> SmallVec<[u32; 2]> {
        let (mut next, goes_on) = match &self.op {
            Op::Branch(target) => (SmallVec::from_slice(&[*target]), false),
            Op::BranchIndexed(_, targets) => (SmallVec::from_slice(targets), false),
            Op::Return | Op::Exit | Op::Trap => (SmallVec::new(), false),
            _ => (SmallVec::new(), true),
        };
        if goes_on || self.guard.is_some() {
            next.push(pc + 1);
        }
        next
    }
}

/// A function made ready.
#[derive(Debug, Default)]
pub struct Code {
    /// Its name.
    pub name: String,
    /// The steps; the last one always ends it.
    pub steps: Vec<Step>,
    /// For each step its place.
    pub origins: Vec<Origin>,
    /// What each `.loc` says, in order.
    pub locs: Vec<SourcePlace>,
    /// How many predicates.
    pub predicates: usize,
    /// How many words.
    pub words: usize,
    /// How many doubles.
    pub doubles: usize,
    /// Bytes of its frame on the stack: local variables and parameters.
    pub frame_bytes: u32,
    /// The alignment of its frame.
    pub frame_align: u32,
    /// Bytes of the frame around local variables that belong to nothing: start and end, in order.
    pub gaps: Vec<(u32, u32)>,
    /// Registers that may be read before they are written.
    pub unwritten: Vec<Dst>,
    /// Where its parameters lie.
    pub params: Vec<Place>,
    /// Where its results lie.
    pub returns: Vec<Place>,
    /// What of it may run as native code.
    #[cfg(feature = "jit")]
    pub(crate) native: crate::native::Stretches,
    /// How many registers products of warpgroups use, copies of them among these.
    pub watched: usize,
    /// What each step does to them; empty if there are none.
    pub touches: Vec<Box<[crate::exec::groups::touched::Touch]>>,
}

/// A kernel with all it may call.
#[derive(Debug, Default)]
pub struct Program {
    /// The functions; the kernel is the first.
    pub codes: Vec<Code>,
    /// For each function of the module (whose address has its number) the code.
    pub by_address: Vec<Option<usize>>,
    /// Bytes of the kernel's parameters.
    pub param_bytes: u32,
    /// Where shared memory begins.
    pub shared_begin: u32,
    /// Where static shared memory ends and dynamic begins.
    pub shared_static_end: u32,
    /// Where static shared memory would end without the gaps between variables.
    pub shared_plain_end: u32,
    /// Where shared variables lie: start and end, in order.
    pub shared_variables: Vec<(u32, u32)>,
    /// Whether what one block does can depend on the order in which others run.
    pub order_matters: bool,
    /// Whether it asks states of mbarriers for the arrivals that were missing.
    pub counts_pending: bool,
    /// Whether memory is read through the read-only path.
    pub has_cached: bool,
    /// Whether there are asynchronous copies.
    pub has_copies: bool,
    /// Whether it copies by tensor maps.
    pub has_maps: bool,
    /// Whether there are products of warpgroups.
    pub has_groups: bool,
    /// Whether tensor memory is used.
    pub has_tensor: bool,
}

/// Bytes on each side of a local variable that belong to nothing, so that an access past its end is seen.
pub const LOCAL_GAP: u32 = 32;

/// Bytes after a shared variable that belong to nothing.
pub const SHARED_GAP: u64 = 256;
