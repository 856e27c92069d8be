//! Small programs: threads and where they run, locations, instructions.
//!
//! Addresses are known before anything runs: an instruction names its location. Values are bits of at most 64, registers
//! are numbers.

use crate::{Ordering, Scope};

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// What threads do, and where.
    pub threads: Vec<Thread>,
    /// The locations, by number.
    pub locations: Vec<Location>,
}

/// Where a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// The GPU.
    pub gpu: u32,
    /// The cluster of that GPU.
    pub cluster: u32,
    /// The thread block of that cluster.
    pub cta: u32,
}

impl Place {
    /// Whether the threads of another place belong to a scope around this one. Threads are compared by their places: a
    /// caller that asks for [`Scope::Thread`] compares threads first.
    pub fn includes(self, scope: Scope, other: Place) -> bool {
        match scope {
            Scope::Thread => false,
            Scope::Cta => self == other,
            Scope::Cluster => (self.gpu, self.cluster) == (other.gpu, other.cluster),
            Scope::Gpu => self.gpu == other.gpu,
            Scope::Sys => true,
        }
    }
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thread {
    /// Where it runs.
    pub place: Place,
    /// What it does.
    pub code: Vec<Inst>,
    /// What its registers hold at first, by number; there are as many registers.
    pub registers: Vec<u64>,
}

/// A name of memory. Names of the same memory alias each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The memory: a number that aliases share.
    pub memory: usize,
    /// The virtual address: a number that names share which differ only in the proxy that reaches them.
    pub address: usize,
    /// What the memory holds at first; the same for all names of it.
    pub initial: u64,
}

/// The proxy by which an access reaches memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryProxy {
    /// Loads, stores and atomics.
    Generic,
    /// Loads of constants.
    Constant,
    /// Texture loads.
    Texture,
    /// Surface loads, stores and reductions.
    Surface,
    /// Asynchronous copies.
    Async,
}

/// What a proxy fence orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProxyFenceKind {
    /// Accesses by different virtual addresses.
    Alias,
    /// Accesses of the generic proxy and those of another; `Generic` itself orders nothing more.
    With(MemoryProxy),
}

/// How bits are read and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueType {
    /// 1 to 64.
    pub bits: u8,
    /// Whether comparisons, division and shifts to the right are signed.
    pub signed: bool,
}

impl ValueType {
    /// What registers of litmus tests hold.
    pub const S64: ValueType = ValueType {
        bits: 64,
        signed: true,
    };

    /// The bits that a value of the type has.
    pub fn cut(self, value: u64) -> u64 {
        match self.bits {
            64.. => value,
            bits => value & ((1 << bits) - 1),
        }
    }

    /// The number that the bits mean.
    fn number(self, value: u64) -> i128 {
        let value = self.cut(value);
        let negative = self.signed && self.bits > 0 && value >> (self.bits - 1) & 1 == 1;
        match negative {
            true => i128::from(value) - (1i128 << self.bits),
            false => i128::from(value),
        }
    }
}

/// What is computed of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The second.
    Second,
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient; all ones for a division by zero.
    Div,
    /// The remainder; the first for a division by zero.
    Rem,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one.
    Xor,
    /// The smaller.
    Min,
    /// The greater.
    Max,
    /// `a >= b ? 0 : a + 1`
    Inc,
    /// `a == 0 || a > b ? b : a - 1`
    Dec,
    /// Shift to the left.
    Shl,
    /// Shift to the right.
    Shr,
    /// 1 if equal, else 0; so are the others.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Operation {
    /// The result, cut to the type.
    pub fn apply(self, kind: ValueType, a: u64, b: u64) -> u64 {
        let (first, second) = (kind.number(a), kind.number(b));
        let truth = |holds: bool| i128::from(holds);
        let shift = second.clamp(0, 64);
        let result = match self {
            Operation::Second => second,
            Operation::Add => first + second,
            Operation::Sub => first - second,
            Operation::Mul => first.wrapping_mul(second),
            Operation::Div if second == 0 => -1,
            Operation::Div => first / second,
            Operation::Rem if second == 0 => first,
            Operation::Rem => first % second,
            Operation::And => first & second,
            Operation::Or => first | second,
            Operation::Xor => first ^ second,
            Operation::Min => first.min(second),
            Operation::Max => first.max(second),
            Operation::Inc => match first >= second {
                true => 0,
                false => first + 1,
            },
            Operation::Dec => match first == 0 || first > second {
                true => second,
                false => first - 1,
            },
            Operation::Shl => kind.cut(a).checked_shl(shift as u32).map_or(0, i128::from),
            Operation::Shr => first >> shift,
            Operation::Eq => truth(first == second),
            Operation::Ne => truth(first != second),
            Operation::Lt => truth(first < second),
            Operation::Le => truth(first <= second),
            Operation::Gt => truth(first > second),
            Operation::Ge => truth(first >= second),
        };
        kind.cut(result as u64)
    }
}

/// A register or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register, by number.
    Register(usize),
    /// A constant.
    Constant(u64),
}

/// What an atomic stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rmw {
    /// What an operation makes of the old value and an operand.
    Apply(Operation, Operand),
    /// The second operand if the old value is the first; otherwise it does not store.
    Cas(Operand, Operand),
}

/// How a thread takes part in a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarrierKind {
    /// It arrives and waits: `bar.sync` and `bar.red`.
    Sync,
    /// It arrives only: `bar.arrive`.
    Arrive,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inst {
    /// A load.
    Load {
        /// The register that is written.
        to: usize,
        /// What is read.
        location: usize,
        /// Weak, relaxed or acquire.
        order: Ordering,
        /// The scope of strong loads.
        scope: Scope,
        /// How memory is reached.
        proxy: MemoryProxy,
        /// What is loaded.
        kind: ValueType,
    },
    /// A store.
    Store {
        /// What is written.
        location: usize,
        /// The value.
        value: Operand,
        /// Weak, relaxed or release.
        order: Ordering,
        /// The scope of strong stores.
        scope: Scope,
        /// How memory is reached.
        proxy: MemoryProxy,
        /// What is stored.
        kind: ValueType,
    },
    /// An atomic that reads and writes.
    Atomic {
        /// The register that gets the old value; a reduction has none.
        to: Option<usize>,
        /// What is read and written.
        location: usize,
        /// What is stored.
        operation: Rmw,
        /// Relaxed, acquire, release or both.
        order: Ordering,
        /// Its scope.
        scope: Scope,
        /// How memory is reached.
        proxy: MemoryProxy,
        /// What is computed.
        kind: ValueType,
    },
    /// A fence.
    Fence {
        /// Acquire, release, both or sequentially consistent.
        order: Ordering,
        /// Its scope.
        scope: Scope,
    },
    /// A proxy fence.
    ProxyFence(ProxyFenceKind),
    /// A barrier of the thread block.
    Barrier {
        /// Arrive, or arrive and wait.
        kind: BarrierKind,
        /// A number for one meeting, where a program names meetings: barriers of different numbers never meet.
        instance: Option<u64>,
        /// The barrier.
        barrier: Operand,
        /// After how many arrivals it opens. Without, all threads that have such a barrier in their code must arrive.
        count: Option<Operand>,
    },
    /// Computes.
    Compute {
        /// The register that is written.
        to: usize,
        /// What is computed.
        operation: Operation,
        /// Of this.
        a: Operand,
        /// And this.
        b: Operand,
        /// Of what kind.
        kind: ValueType,
    },
    /// Goes to another instruction if a comparison holds.
    Branch {
        /// The comparison.
        operation: Operation,
        /// Of this.
        a: Operand,
        /// With this.
        b: Operand,
        /// How both are read.
        kind: ValueType,
        /// Where to; the end of the code ends the thread.
        target: usize,
    },
    /// Goes to another instruction.
    Jump(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_wrap_and_compare_by_type() {
        let u32_ = ValueType {
            bits: 32,
            signed: false,
        };
        let s32 = ValueType {
            bits: 32,
            signed: true,
        };
        let minus_one = u64::from(u32::MAX);
        assert_eq!(Operation::Add.apply(u32_, minus_one, 1), 0);
        assert_eq!(Operation::Max.apply(u32_, minus_one, 1), minus_one);
        assert_eq!(Operation::Max.apply(s32, minus_one, 1), 1);
        assert_eq!(Operation::Inc.apply(u32_, 3, 3), 0);
        assert_eq!(Operation::Dec.apply(u32_, 0, 3), 3);
        assert_eq!(Operation::Sub.apply(ValueType::S64, 0, 1), u64::MAX);
        assert_eq!(Operation::Lt.apply(ValueType::S64, u64::MAX, 0), 1);
        assert_eq!(Operation::Shl.apply(u32_, 1, 40), 0);
        assert_eq!(Operation::Shr.apply(s32, minus_one, 4), minus_one);
        assert_eq!(Operation::Div.apply(u32_, 7, 0), minus_one);
    }

    #[test]
    fn scopes_include_what_is_around_them() {
        let here = Place::default();
        let block = Place { cta: 1, ..here };
        let cluster = Place {
            cluster: 1,
            ..block
        };
        let gpu = Place { gpu: 1, ..here };
        let included = |scope| [here, block, cluster, gpu].map(|place| here.includes(scope, place));
        assert_eq!(included(Scope::Cta), [true, false, false, false]);
        assert_eq!(included(Scope::Cluster), [true, true, false, false]);
        assert_eq!(included(Scope::Gpu), [true, true, true, false]);
        assert_eq!(included(Scope::Sys), [true; 4]);
    }
}
