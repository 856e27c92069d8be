//! Every way to ask for an atomic operation, and where its address may come from.
//!
//! ```text
//!   instruction  builtin  legacy  intrinsic  inline ─ llvm ─► LLVM IR ┐
//!   MLIR: llvm dialect, nvvm dialect ─────────────── mlir ─► MLIR    ├─► the compiler
//! ```
//!
//! Each case is a kernel of four pointers: to what is accessed before the operation, to what is accessed after it,
//! of the operation, and to its values. Address and values differ by thread, so that ptxas has no reason to let
//! one thread do the work of its warp.

pub mod builtin;
pub mod inline;
pub mod instruction;
pub mod intrinsic;
pub mod llvm;
pub mod mlir;

use crate::asked::{Case, Front, Operation, Order, Reach, Space, Target, Type};
use crate::machine::Memory;
use crate::machine::flow::{AFTER, BEFORE, LOCATION, Origin, POINTER, VALUES};

/// A way to ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Door {
    /// `atomicrmw`, `cmpxchg`, `load atomic`, `store atomic`, `fence`
    Instruction,
    /// `__nv_atomic_*`
    Builtin,
    /// `__nvvm_atom_*`, `__nvvm_membar_*`
    Legacy,
    /// `llvm.nvvm.atomic.*`, `llvm.nvvm.membar.*`
    Intrinsic,
    /// PTX that the user has written.
    Inline,
    /// `llvm.atomicrmw` and the like of MLIR.
    MlirLlvm,
    /// `nvvm.atomic.rmw`, `nvvm.red`, `nvvm.fence.*` of MLIR.
    MlirNvvm,
}

impl Door {
    /// All of them.
    pub const ALL: [Door; 7] = [
        Door::Instruction,
        Door::Builtin,
        Door::Legacy,
        Door::Intrinsic,
        Door::Inline,
        Door::MlirLlvm,
        Door::MlirNvvm,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Door::Instruction => "LLVM IR",
            Door::Builtin => "__nv_atomic_*",
            Door::Legacy => "__nvvm_atom_*",
            Door::Intrinsic => "llvm.nvvm.*",
            Door::Inline => "inline PTX",
            Door::MlirLlvm => "MLIR llvm",
            Door::MlirNvvm => "MLIR nvvm",
        }
    }

    /// Whether its cases are written in MLIR.
    pub fn is_mlir(self) -> bool {
        matches!(self, Door::MlirLlvm | Door::MlirNvvm)
    }

    /// Its cases.
    pub fn cases(self) -> Vec<Written> {
        match self {
            Door::Instruction => instruction::cases(),
            Door::Builtin => builtin::cases(),
            Door::Legacy => builtin::legacy(),
            Door::Intrinsic => intrinsic::cases(),
            Door::Inline => inline::cases(),
            Door::MlirLlvm => mlir::llvm_dialect(),
            Door::MlirNvvm => mlir::nvvm_dialect(),
        }
    }
}

/// Where an address comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Site {
    /// A generic pointer that was loaded from memory: nothing is known of it.
    Unknown,
    /// A generic pointer that is a parameter of a kernel: global memory.
    Parameter,
    /// Global memory by its type.
    Global,
    /// Shared memory by its type.
    Shared,
    /// From `mapa.shared.cluster`: shared memory of any block of the cluster.
    Cluster,
    /// From the generic `mapa`: the same, as a generic pointer.
    ClusterGeneric,
}

impl Site {
    /// All of them.
    pub const ALL: [Site; 6] = [
        Site::Unknown,
        Site::Parameter,
        Site::Global,
        Site::Shared,
        Site::Cluster,
        Site::ClusterGeneric,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Site::Unknown => "generic",
            Site::Parameter => "parameter",
            Site::Global => "global",
            Site::Shared => "shared",
            Site::Cluster => "cluster",
            Site::ClusterGeneric => "cluster, generic",
        }
    }

    /// The address space of the pointer.
    pub fn space(self) -> Space {
        match self {
            Site::Unknown | Site::Parameter | Site::ClusterGeneric => Space::Generic,
            Site::Global => Space::Global,
            Site::Shared => Space::Shared,
            Site::Cluster => Space::SharedCluster,
        }
    }

    /// Whether it is memory of a cluster.
    pub fn is_cluster(self) -> bool {
        matches!(self, Site::Cluster | Site::ClusterGeneric)
    }

    /// The memories that the address may point to. Another block's shared memory exists from sm_90 on.
    pub fn memories(self, target: Target) -> &'static [Memory] {
        match self {
            Site::Unknown if target.sm < 90 => &[Memory::Global, Memory::Own, Memory::Local],
            Site::Unknown => &[Memory::Global, Memory::Own, Memory::Other, Memory::Local],
            Site::Parameter | Site::Global => &[Memory::Global],
            Site::Shared => &[Memory::Own],
            Site::Cluster | Site::ClusterGeneric => &[Memory::Own, Memory::Other],
        }
    }

    /// What the parameters of its kernel are.
    pub fn parameters(self) -> [Origin; 4] {
        let pointer = match self {
            Site::Unknown => POINTER,
            _ => LOCATION,
        };
        [BEFORE, AFTER, pointer, VALUES]
    }
}

/// A case as it is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// How.
    pub door: Door,
    /// Where the address comes from.
    pub site: Site,
    /// What is asked for.
    pub case: Case,
    /// The lines that ask: `%p` is the pointer, `%g` the same as a generic one, `%v` and `%w` the values.
    pub lines: String,
    /// The result `%r` is of this type, if there is one.
    pub result: Option<String>,
    /// Declarations that the lines need.
    pub declares: Vec<String>,
    /// How many elements of the type the values have.
    pub elements: u32,
}

impl Written {
    /// A case of one line.
    pub fn new(door: Door, site: Site, case: Case, line: String) -> Written {
        Written {
            door,
            site,
            case,
            lines: line,
            result: None,
            declares: Vec::new(),
            elements: 1,
        }
    }

    /// Why it must be refused; `None` if it must be compiled.
    pub fn refusal(&self, target: Target) -> Option<&'static str> {
        let is_fence = self.case.operation == Operation::Fence;
        if self.site.is_cluster() && target.sm < 90 && !is_fence {
            return Some("no memory of clusters before sm_90");
        }
        if self.elements > 1 && target.sm < 90 {
            return Some("no atomics of vectors on this chip");
        }
        if self.elements > 1 && self.site.space() != Space::Generic && self.site != Site::Global {
            return Some("no atomics of vectors in shared memory");
        }
        if self.door == Door::Inline && self.case.reach == Reach::Cluster && target.sm < 90 {
            return Some("no scope of clusters in PTX before sm_90");
        }
        let brain = matches!(self.case.ty, Type::BFloat | Type::BFloat2);
        if self.door == Door::Inline && brain && target.sm < 90 {
            return Some("no sums of bfloat in PTX before sm_90");
        }
        crate::expect::refusal(&self.case, target)
    }
}

/// The scopes that concern others.
pub const REACHES: [Reach; 4] = [Reach::Cta, Reach::Cluster, Reach::Gpu, Reach::Sys];

/// A case, not volatile and with its result used.
pub fn case(operation: Operation, ty: Type, order: Order, reach: Reach, site: Site) -> Case {
    Case {
        front: Front::Instruction,
        operation,
        ty,
        order,
        reach,
        space: site.space(),
        used: !matches!(operation, Operation::Store | Operation::Fence),
        volatile: false,
    }
}
