//! What was asked for: one atomic operation of LLVM IR, in words of this crate.
//!
//! The judge shares no vocabulary with the compiler: an order is the three things that it promises, a scope is
//! how far they reach.

use std::fmt;

/// An order as LLVM IR names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Unordered,
    Monotonic,
    /// Only C++ has it; every compiler makes it an acquire.
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// The word of LLVM IR.
    pub fn word(self) -> &'static str {
        match self {
            Order::Unordered => "unordered",
            Order::Monotonic => "monotonic",
            Order::Consume | Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }

    /// The number that C++ gives it.
    pub fn number(self) -> u32 {
        match self {
            Order::Unordered | Order::Monotonic => 0,
            Order::Consume => 1,
            Order::Acquire => 2,
            Order::Release => 3,
            Order::AcqRel => 4,
            Order::SeqCst => 5,
        }
    }

    /// What it promises.
    pub fn promises(self) -> Promises {
        Promises {
            acquire: matches!(
                self,
                Order::Consume | Order::Acquire | Order::AcqRel | Order::SeqCst
            ),
            release: matches!(self, Order::Release | Order::AcqRel | Order::SeqCst),
            sc: self == Order::SeqCst,
        }
    }
}

/// What an order promises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Promises {
    /// Later accesses stay after the operation.
    pub acquire: bool,
    /// Earlier accesses stay before it.
    pub release: bool,
    /// It has a place in the one order of all such operations.
    pub sc: bool,
}

impl Promises {
    /// Both promises.
    pub fn and(self, other: Promises) -> Promises {
        Promises {
            acquire: self.acquire || other.acquire,
            release: self.release || other.release,
            sc: self.sc || other.sc,
        }
    }
}

/// How far an order reaches, narrowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Reach {
    Thread,
    Cta,
    Cluster,
    Gpu,
    Sys,
}

impl Reach {
    /// All of them.
    pub const ALL: [Reach; 5] = [
        Reach::Thread,
        Reach::Cta,
        Reach::Cluster,
        Reach::Gpu,
        Reach::Sys,
    ];

    /// The clause of LLVM IR, with a blank after it.
    pub fn clause(self) -> &'static str {
        match self {
            Reach::Thread => "syncscope(\"singlethread\") ",
            Reach::Cta => "syncscope(\"block\") ",
            Reach::Cluster => "syncscope(\"cluster\") ",
            Reach::Gpu => "syncscope(\"device\") ",
            Reach::Sys => "",
        }
    }
}

/// A type of LLVM IR that an atomic operation can have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Type {
    I8,
    I16,
    I32,
    I64,
    I128,
    Ptr,
    Half,
    BFloat,
    Float,
    Double,
    Half2,
    BFloat2,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 12] = [
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::Ptr,
        Type::Half,
        Type::BFloat,
        Type::Float,
        Type::Double,
        Type::Half2,
        Type::BFloat2,
    ];

    /// The type of LLVM IR.
    pub fn text(self) -> &'static str {
        match self {
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::I128 => "i128",
            Type::Ptr => "ptr",
            Type::Half => "half",
            Type::BFloat => "bfloat",
            Type::Float => "float",
            Type::Double => "double",
            Type::Half2 => "<2 x half>",
            Type::BFloat2 => "<2 x bfloat>",
        }
    }

    /// Its width.
    pub fn bits(self) -> u32 {
        match self {
            Type::I8 => 8,
            Type::I16 | Type::Half | Type::BFloat => 16,
            Type::I32 | Type::Float | Type::Half2 | Type::BFloat2 => 32,
            Type::I64 | Type::Ptr | Type::Double => 64,
            Type::I128 => 128,
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(
            self,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128
        )
    }

    /// Whether it is a floating-point number or a pair of them.
    pub fn is_number(self) -> bool {
        !self.is_integer() && self != Type::Ptr
    }

    /// Whether it is a pair.
    pub fn is_pair(self) -> bool {
        matches!(self, Type::Half2 | Type::BFloat2)
    }
}

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `load atomic`
    Load,
    /// `store atomic`
    Store,
    /// `atomicrmw` with this word
    Rmw(&'static str),
    /// `cmpxchg`
    Swap {
        /// Whether it may fail for no reason.
        weak: bool,
        /// Its order when it fails.
        failure: Order,
    },
    /// `fence`
    Fence,
}

/// An address space of LLVM IR for NVIDIA's GPUs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Generic,
    Global,
    Shared,
    Constant,
    Local,
    SharedCluster,
}

impl Space {
    /// The number.
    pub fn number(self) -> u32 {
        match self {
            Space::Generic => 0,
            Space::Global => 1,
            Space::Shared => 3,
            Space::Constant => 4,
            Space::Local => 5,
            Space::SharedCluster => 7,
        }
    }

    /// Whether no other thread can see a change: the thread's own memory, and memory that never changes.
    pub fn is_private(self) -> bool {
        matches!(self, Space::Constant | Space::Local)
    }
}

/// How an operation is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Front {
    /// As an instruction of LLVM IR.
    Instruction,
    /// As a call of `__nv_atomic_*`, the way CUDA's front end writes C++.
    Builtin,
}

/// One atomic operation of LLVM IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// How it is written.
    pub front: Front,
    /// What it does.
    pub operation: Operation,
    /// To a value of which type.
    pub ty: Type,
    /// In which order; on success, for a swap.
    pub order: Order,
    /// For which threads.
    pub reach: Reach,
    /// Where.
    pub space: Space,
    /// Whether its result is used.
    pub used: bool,
    /// Whether it is `volatile`.
    pub volatile: bool,
}

/// What it is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The number of the chip.
    pub sm: u16,
    /// The PTX version, times ten; the lowest that fits if none.
    pub version: Option<u16>,
    /// Whether sequentially consistent operations at system scope are CUDA's.
    pub cuda: bool,
}

impl Target {
    /// Whether loads, stores and atomics have orders, and `fence` exists: the manual's memory model begins with
    /// sm_70.
    pub fn has_orders(self) -> bool {
        self.sm >= 70
    }

    /// The narrowest scope of PTX that reaches as far.
    pub fn needed(self, reach: Reach) -> Reach {
        match reach {
            Reach::Cluster if self.sm < 90 => Reach::Gpu,
            _ => reach,
        }
    }

    /// Whether `fence.acquire` and `fence.release` may be used.
    pub fn has_half_fences(self) -> bool {
        self.sm >= 90 && self.version.is_some_and(|version| version >= 86)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.sm)?;
        if let Some(version) = self.version {
            write!(f, " PTX {}.{}", version / 10, version % 10)?;
        }
        match self.cuda {
            true => f.write_str(" --atomics cuda"),
            false => Ok(()),
        }
    }
}

impl Case {
    /// The promises and the reach that the operation must keep on success and on failure, on a target.
    pub fn must_keep(&self, target: Target) -> ([Promises; 2], Reach) {
        let success = self.order.promises();
        let failure = match self.operation {
            Operation::Swap { failure, .. } => failure.promises(),
            _ => success,
        };
        let is_update = matches!(self.operation, Operation::Rmw(_) | Operation::Swap { .. });
        let is_sc = success.sc || failure.sc;
        let is_cuda = target.cuda && self.front == Front::Instruction;
        if is_cuda && is_update && is_sc && self.reach == Reach::Sys {
            return ([Promises::default(); 2], Reach::Gpu);
        }
        let reach = target.needed(self.reach);
        if reach == Reach::Thread || self.space.is_private() {
            return ([Promises::default(); 2], reach);
        }
        ([success, failure], reach)
    }
}
