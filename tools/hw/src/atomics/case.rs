//! The cases: an operation on memory of a type, in a space, with an order at a scope.

use super::operation::{IntOp, Op, TYPES, Ty};

/// The memory that threads contend for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Global memory.
    Global,
    /// Memory of one block.
    Shared,
    /// A generic pointer, which points to global memory in some launches and to shared in others.
    Generic,
    /// Shared memory of the first block of a cluster.
    Cluster,
    /// Memory of one thread: nobody contends.
    Local,
}

/// How far the operation is atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Scope {
    Thread,
    Block,
    Cluster,
    Device,
    System,
}

/// The order of the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Its words in LLVM IR: for an access that reads and writes, and for one that only reads (or the failing
    /// swap), or only writes.
    pub fn words(self) -> [&'static str; 3] {
        match self {
            Order::Relaxed => ["monotonic"; 3],
            Order::Release => ["release", "monotonic", "release"],
            Order::AcqRel => ["acq_rel", "acquire", "release"],
            Order::SeqCst => ["seq_cst"; 3],
        }
    }
}

impl Scope {
    /// Its words in LLVM IR.
    pub fn words(self) -> &'static str {
        match self {
            Scope::Thread => "syncscope(\"singlethread\") ",
            Scope::Block => "syncscope(\"block\") ",
            Scope::Cluster => "syncscope(\"cluster\") ",
            Scope::Device => "syncscope(\"device\") ",
            Scope::System => "",
        }
    }
}

/// A case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// What is done.
    pub op: Op,
    /// To memory of this type.
    pub ty: Ty,
    /// That lies there.
    pub space: Space,
    /// How far it is atomic.
    pub scope: Scope,
    /// Its order.
    pub order: Order,
    /// Whether the kernel looks at what was in memory before.
    pub used: bool,
}

impl Case {
    /// Its name: `add i32 global device acq_rel`.
    pub fn text(&self) -> String {
        let word = |text: String| text.to_lowercase();
        format!(
            "{} {} {} {} {}{}",
            self.op.text(),
            self.ty.text(),
            word(format!("{:?}", self.space)),
            word(format!("{:?}", self.scope)),
            self.order.words()[0],
            if self.used { "" } else { " unused" }
        )
    }

    /// Blocks, threads of each, and whether the blocks are one cluster.
    pub fn shape(&self, to_shared: bool) -> (u32, u32, bool) {
        match (self.space, self.scope) {
            (Space::Shared | Space::Local, _) | (_, Scope::Block) => (1, 1024, false),
            (Space::Generic, _) if to_shared => (1, 1024, false),
            (Space::Cluster, _) | (_, Scope::Cluster) => (8, 128, true),
            _ => (8, 128, false),
        }
    }
}

const ORDERS: [Order; 3] = [Order::Relaxed, Order::AcqRel, Order::SeqCst];

/// Spaces, and the scopes that take in all threads that contend there.
const PLACES: [(Space, &[Scope]); 5] = [
    (
        Space::Global,
        &[Scope::Block, Scope::Cluster, Scope::Device, Scope::System],
    ),
    (Space::Shared, &[Scope::Block, Scope::Device, Scope::System]),
    (
        Space::Generic,
        &[Scope::Block, Scope::Device, Scope::System],
    ),
    (Space::Cluster, &[Scope::Cluster, Scope::System]),
    (Space::Local, &[Scope::Thread, Scope::System]),
];

/// All cases.
pub fn suite() -> Vec<Case> {
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in Op::of(ty) {
            for (space, scopes) in PLACES {
                for &scope in scopes {
                    for order in ORDERS {
                        cases.push(Case {
                            op,
                            ty,
                            space,
                            scope,
                            order,
                            used: true,
                        });
                    }
                }
            }
            // What is left without a look at results must not depend on the order of threads. An exchange
            // whose result is not used is tried for its guards.
            let judged = op.commutes() || op == Op::Int(IntOp::Xchg);
            if judged && op != Op::SwapLoop {
                for space in [Space::Global, Space::Shared, Space::Generic] {
                    for order in [Order::Relaxed, Order::Release, Order::AcqRel] {
                        cases.push(Case {
                            op,
                            ty,
                            space,
                            scope: Scope::Device,
                            order,
                            used: false,
                        });
                    }
                }
            }
        }
    }
    cases
}

/// A case whose operation is not atomic: a suite that finds nothing wrong with it finds nothing.
pub fn racy(ty: Ty, space: Space) -> Case {
    Case {
        op: Op::Racy,
        ty,
        space,
        scope: Scope::Device,
        order: Order::Relaxed,
        used: true,
    }
}
