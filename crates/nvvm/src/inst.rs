//! Instructions.
//!
//! An [`Inst`] says what is done ([`Op`]), with which flags, on which operands (a range of the pool of
//! its function) and what comes out. What is the same for many calls (type, convention, attributes)
//! is a [`CallSite`], interned in the module.

use crate::attribute::AttrList;
use crate::index::{Id, define_ids};
use crate::keyword::keywords;
use crate::metadata::NodeId;
use crate::name::{Name, Names};
use crate::types::{IndexList, TypeId};
use crate::value::Local;
use bitflags::bitflags;
use std::fmt;
use warpc_model::Scope;

pub use warpc_model::Ordering;

define_ids! {
    /// What calls have in common.
    CallSiteId
    /// The operand bundles of a call: tags and numbers of operands.
    BundleList
}

keywords! {
    /// Operations on two values of one type.
    BinaryOp {
        Add "add" Fadd "fadd" Sub "sub" Fsub "fsub" Mul "mul" Fmul "fmul" Udiv "udiv" Sdiv "sdiv"
        Fdiv "fdiv" Urem "urem" Srem "srem" Frem "frem" Shl "shl" Lshr "lshr" Ashr "ashr"
        And "and" Or "or" Xor "xor"
    }
    /// Conversions from one type to another.
    CastOp {
        Trunc "trunc" Zext "zext" Sext "sext" Fptrunc "fptrunc" Fpext "fpext" Fptoui "fptoui"
        Fptosi "fptosi" Uitofp "uitofp" Sitofp "sitofp" Ptrtoint "ptrtoint" Ptrtoaddr "ptrtoaddr"
        Inttoptr "inttoptr" Bitcast "bitcast" Addrspacecast "addrspacecast"
    }
    /// Comparisons of integers and pointers.
    IcmpPredicate {
        Eq "eq" Ne "ne" Ugt "ugt" Uge "uge" Ult "ult" Ule "ule" Sgt "sgt" Sge "sge" Slt "slt"
        Sle "sle"
    }
    /// Comparisons of floating-point numbers.
    FcmpPredicate {
        False "false" Oeq "oeq" Ogt "ogt" Oge "oge" Olt "olt" Ole "ole" One "one" Ord "ord"
        Ueq "ueq" Ugt "ugt" Uge "uge" Ult "ult" Ule "ule" Une "une" Uno "uno" True "true"
    }
    /// What `atomicrmw` does with the value in memory.
    RmwOp {
        Xchg "xchg" Add "add" Sub "sub" And "and" Nand "nand" Or "or" Xor "xor" Max "max" Min "min"
        Umax "umax" Umin "umin" Fadd "fadd" Fsub "fsub" Fmax "fmax" Fmin "fmin"
        Fmaximum "fmaximum" Fminimum "fminimum" UincWrap "uinc_wrap" UdecWrap "udec_wrap"
        UsubCond "usub_cond" UsubSat "usub_sat"
        // Since LLVM 23.
        Fmaximumnum "fmaximumnum" Fminimumnum "fminimumnum"
    }
    /// Whether a call may or must reuse the frame of its caller.
    Tail { None "" Tail "tail" MustTail "musttail" NoTail "notail" }
}

bitflags! {
    /// Promises an instruction makes about its operands and result.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Flags: u16 {
        /// `nuw`: no unsigned wrap
        const NUW = 1 << 0;
        /// `nsw`: no signed wrap
        const NSW = 1 << 1;
        /// `exact`: no bits are lost
        const EXACT = 1 << 2;
        /// `disjoint`: no bit is set in both
        const DISJOINT = 1 << 3;
        /// `nneg`: the operand is not negative
        const NNEG = 1 << 4;
        /// `samesign`: both operands have the same sign
        const SAMESIGN = 1 << 5;
        /// `inbounds`; `nusw` follows from it
        const INBOUNDS = 1 << 6;
        /// `nusw`: no wrap of the signed offset on the unsigned address
        const NUSW = 1 << 7;
        /// `reassoc`
        const REASSOC = 1 << 8;
        /// `nnan`
        const NNAN = 1 << 9;
        /// `ninf`
        const NINF = 1 << 10;
        /// `nsz`
        const NSZ = 1 << 11;
        /// `arcp`
        const ARCP = 1 << 12;
        /// `contract`
        const CONTRACT = 1 << 13;
        /// `afn`
        const AFN = 1 << 14;
        /// `fast`: all of the fast-math flags
        const FAST = 0b111_1111 << 8;
    }
}

/// An alignment, as a power of two; or none given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Align(u8);

impl Align {
    /// No alignment given.
    pub const NONE: Align = Align(0);
    /// The largest one, as in LLVM.
    pub const MAX: u64 = 1 << 32;

    /// An alignment in bytes; `None` if it is not a power of two or too large.
    pub fn new(bytes: u64) -> Option<Align> {
        (bytes.is_power_of_two() && bytes <= Align::MAX)
            .then(|| Align(bytes.trailing_zeros() as u8 + 1))
    }

    /// In bytes, if given.
    pub fn bytes(self) -> Option<u64> {
        (self.0 != 0).then(|| 1 << (self.0 - 1))
    }
}

/// Who observes an atomic access: a scope that GPUs have, or a `syncscope("…")` of another processor, which is kept and
/// refused where the module is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SyncScope(u32);

impl SyncScope {
    /// Everybody: LLVM's default, which is not written.
    pub const SYSTEM: SyncScope = SyncScope::new(Scope::Sys);

    /// Numbers from here on are names; those below are scopes. An instruction has room for one number.
    const FIRST_NAME: u32 = 8;

    /// A scope that GPUs have.
    pub const fn new(scope: Scope) -> SyncScope {
        SyncScope(scope as u32)
    }

    /// The scope that a module calls so.
    pub fn named(names: &Names, name: Name) -> SyncScope {
        match Scope::from_llvm(&names.text(name)) {
            Ok(scope) => SyncScope::new(scope),
            Err(_) => SyncScope::other(name),
        }
    }

    /// A scope with this name that GPUs do not have.
    pub(crate) fn other(name: Name) -> SyncScope {
        SyncScope(name.index() as u32 + SyncScope::FIRST_NAME)
    }

    /// The scope, or the name of one that GPUs do not have.
    pub fn resolved(self) -> Result<Scope, Name> {
        match self.0.checked_sub(SyncScope::FIRST_NAME) {
            Some(index) => Err(Name::new(index as usize)),
            None => Ok(Scope::from_edg(u64::from(self.0)).unwrap_or(Scope::Sys)),
        }
    }

    /// What it is called in a module; nothing for everybody.
    pub fn name(self, names: &Names) -> &[u8] {
        match self.resolved() {
            Ok(scope) => scope.llvm().as_bytes(),
            Err(name) => names.bytes(name),
        }
    }
}

impl fmt::Debug for SyncScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.resolved().fmt(f)
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// `volatile`
    pub volatile: bool,
    /// The order; `Weak` for plain accesses.
    pub ordering: Ordering,
    /// The alignment of the address.
    pub align: Align,
    /// The scope of an atomic access.
    pub scope: SyncScope,
}

impl Access {
    /// Whether it is an atomic access.
    pub fn is_atomic(self) -> bool {
        self.ordering != Ordering::Weak
    }
}

/// What an instruction does. The operands are listed as they stand in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Op {
    /// `ret`: the value, or nothing
    Ret,
    /// `br label`: the block
    Br,
    /// `br i1`: condition, block if true, block if false
    CondBr,
    /// `switch`: value, default block, then pairs of constant and block
    Switch,
    /// `indirectbr`: address, then the possible blocks
    IndirectBr,
    /// `invoke`: as `Call`, with the normal and the unwind block before the callee
    Invoke(CallSiteId),
    /// `callbr`: as `Call`, with the default and the indirect blocks before the callee; how many indirect ones
    CallBr(CallSiteId, u32),
    /// `resume`: the value
    Resume,
    /// `unreachable`
    Unreachable,
    /// `cleanupret`: the pad, then the unwind block if there is one
    CleanupRet,
    /// `catchret`: the pad, the block
    CatchRet,
    /// `catchswitch`: the parent pad or `none`, then the unwind block if there is one, then the handlers
    CatchSwitch {
        /// Whether there is an unwind block.
        unwinds: bool,
    },
    /// `catchpad`: the pad it is within, then the arguments
    CatchPad,
    /// `cleanuppad`: the parent pad or `none`, then the arguments
    CleanupPad,
    /// `landingpad`: the clauses; one of array type is a filter, the others catch
    LandingPad {
        /// `cleanup`
        cleanup: bool,
    },
    /// `fneg`: the value
    Fneg,
    /// `add` and its kin: two values
    Binary(BinaryOp),
    /// `trunc` and its kin: the value; the result type is that of the instruction
    Cast(CastOp),
    /// `icmp`: two values
    Icmp(IcmpPredicate),
    /// `fcmp`: two values
    Fcmp(FcmpPredicate),
    /// `alloca`: how many
    Alloca {
        /// The type allocated.
        ty: TypeId,
        /// The alignment.
        align: Align,
        /// `inalloca`
        inalloca: bool,
        /// `swifterror`
        swifterror: bool,
    },
    /// `load`: the address
    Load(Access),
    /// `store`: the value, the address
    Store(Access),
    /// `fence`
    Fence(Ordering, SyncScope),
    /// `cmpxchg`: the address, the value compared with, the new value
    CmpXchg {
        /// The access, with the order on success.
        access: Access,
        /// The order on failure.
        failure: Ordering,
        /// `weak`: may fail for no reason
        weak: bool,
    },
    /// `atomicrmw`: the address, the value
    AtomicRmw(RmwOp, Access),
    /// `getelementptr`: the address, then the indices
    Gep {
        /// The type that the first index steps over.
        source: TypeId,
    },
    /// `extractelement`: vector, index
    ExtractElement,
    /// `insertelement`: vector, element, index
    InsertElement,
    /// `shufflevector`: two vectors, the mask (a constant)
    ShuffleVector,
    /// `extractvalue`: the aggregate
    ExtractValue(IndexList),
    /// `insertvalue`: the aggregate, the new member
    InsertValue(IndexList),
    /// `phi`: pairs of value and block
    Phi,
    /// `select`: condition, value if true, value if false
    Select,
    /// `freeze`: the value
    Freeze,
    /// `call`: the arguments, the operands of the bundles, the callee
    Call(CallSiteId),
    /// `va_arg`: the list
    VaArg,
}

impl Op {
    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        matches!(
            self,
            Op::Ret
                | Op::Br
                | Op::CondBr
                | Op::Switch
                | Op::IndirectBr
                | Op::Invoke(_)
                | Op::CallBr(..)
                | Op::Resume
                | Op::Unreachable
                | Op::CleanupRet
                | Op::CatchRet
                | Op::CatchSwitch { .. }
        )
    }

    /// What the calls of this kind have in common, if it is a call.
    pub fn call_site(self) -> Option<CallSiteId> {
        match self {
            Op::Call(site) | Op::Invoke(site) | Op::CallBr(site, _) => Some(site),
            _ => None,
        }
    }

    /// The word that starts the instruction.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Op::Ret => "ret",
            Op::Br | Op::CondBr => "br",
            Op::Switch => "switch",
            Op::IndirectBr => "indirectbr",
            Op::Invoke(_) => "invoke",
            Op::CallBr(..) => "callbr",
            Op::Resume => "resume",
            Op::Unreachable => "unreachable",
            Op::CleanupRet => "cleanupret",
            Op::CatchRet => "catchret",
            Op::CatchSwitch { .. } => "catchswitch",
            Op::CatchPad => "catchpad",
            Op::CleanupPad => "cleanuppad",
            Op::LandingPad { .. } => "landingpad",
            Op::Fneg => "fneg",
            Op::Binary(op) => op.keyword(),
            Op::Cast(op) => op.keyword(),
            Op::Icmp(_) => "icmp",
            Op::Fcmp(_) => "fcmp",
            Op::Alloca { .. } => "alloca",
            Op::Load(_) => "load",
            Op::Store(_) => "store",
            Op::Fence(..) => "fence",
            Op::CmpXchg { .. } => "cmpxchg",
            Op::AtomicRmw(..) => "atomicrmw",
            Op::Gep { .. } => "getelementptr",
            Op::ExtractElement => "extractelement",
            Op::InsertElement => "insertelement",
            Op::ShuffleVector => "shufflevector",
            Op::ExtractValue(_) => "extractvalue",
            Op::InsertValue(_) => "insertvalue",
            Op::Phi => "phi",
            Op::Select => "select",
            Op::Freeze => "freeze",
            Op::Call(_) => "call",
            Op::VaArg => "va_arg",
        }
    }
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Its flags.
    pub flags: Flags,
    /// The type of its result; `void` if it has none.
    pub ty: TypeId,
    /// Where its operands start in the pool of the function.
    pub(crate) start: u32,
    /// How many operands it has.
    pub(crate) len: u32,
    /// Its result; `None` if the type is `void`.
    pub result: Option<ResultLocal>,
    /// Where it comes from: `!dbg`.
    pub debug_location: Option<DebugLocation>,
    /// Where it starts in the text.
    pub pos: u32,
}

/// A [`Local`] in a form where `Option` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultLocal(std::num::NonZeroU32);

/// A [`NodeId`] in a form where `Option` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugLocation(std::num::NonZeroU32);

/// Packs an index plus one into a number that is never zero.
macro_rules! packed_option {
    ($packed:ident, $id:ident) => {
        impl From<$id> for $packed {
            fn from(id: $id) -> $packed {
                let number = crate::index::Id::index(id) as u32;
                $packed(std::num::NonZeroU32::MIN.saturating_add(number))
            }
        }

        impl From<$packed> for $id {
            fn from(packed: $packed) -> $id {
                crate::index::Id::new(packed.0.get() as usize - 1)
            }
        }
    };
}
packed_option!(ResultLocal, Local);
packed_option!(DebugLocation, NodeId);

impl Inst {
    /// Its result.
    pub fn local(&self) -> Option<Local> {
        self.result.map(Local::from)
    }

    /// The node of its `!dbg`.
    pub fn location(&self) -> Option<NodeId> {
        self.debug_location.map(NodeId::from)
    }
}

/// A calling convention by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CallConv(pub u16);

/// The calling conventions that have a word.
const CALL_CONVS: &[(u16, &str)] = &[
    (0, "ccc"),
    (8, "fastcc"),
    (9, "coldcc"),
    (10, "ghccc"),
    (13, "anyregcc"),
    (14, "preserve_mostcc"),
    (15, "preserve_allcc"),
    (16, "swiftcc"),
    (17, "cxx_fast_tlscc"),
    (18, "tailcc"),
    (19, "cfguard_checkcc"),
    (20, "swifttailcc"),
    (21, "preserve_nonecc"),
    (64, "x86_stdcallcc"),
    (65, "x86_fastcallcc"),
    (66, "arm_apcscc"),
    (67, "arm_aapcscc"),
    (68, "arm_aapcs_vfpcc"),
    (69, "msp430_intrcc"),
    (70, "x86_thiscallcc"),
    (71, "ptx_kernel"),
    (72, "ptx_device"),
    (75, "spir_func"),
    (76, "spir_kernel"),
    (77, "intel_ocl_bicc"),
    (78, "x86_64_sysvcc"),
    (79, "win64cc"),
    (80, "x86_vectorcallcc"),
    (81, "hhvmcc"),
    (82, "hhvm_ccc"),
    (83, "x86_intrcc"),
    (84, "avr_intrcc"),
    (85, "avr_signalcc"),
    (87, "amdgpu_vs"),
    (88, "amdgpu_gs"),
    (89, "amdgpu_ps"),
    (90, "amdgpu_cs"),
    (91, "amdgpu_kernel"),
    (92, "x86_regcallcc"),
    (93, "amdgpu_hs"),
    (95, "amdgpu_ls"),
    (96, "amdgpu_es"),
    (97, "aarch64_vector_pcs"),
    (98, "aarch64_sve_vector_pcs"),
    (100, "amdgpu_gfx"),
    (101, "m68k_intrcc"),
    (102, "aarch64_sme_preservemost_from_x0"),
    (103, "aarch64_sme_preservemost_from_x2"),
    (104, "amdgpu_cs_chain"),
    (105, "amdgpu_cs_chain_preserve"),
    (107, "m68k_rtdcc"),
    (108, "graalcc"),
    (109, "riscv_vector_cc"),
    (110, "aarch64_sme_preservemost_from_x1"),
];

impl CallConv {
    /// The convention of C, which is not written.
    pub const C: CallConv = CallConv(0);
    /// `ptx_kernel`
    pub const PTX_KERNEL: CallConv = CallConv(71);
    /// `ptx_device`
    pub const PTX_DEVICE: CallConv = CallConv(72);
    /// The largest number, as in LLVM.
    pub const MAX: u64 = 1023;

    /// The word, if it has one.
    pub fn keyword(self) -> Option<&'static str> {
        CALL_CONVS
            .iter()
            .find(|row| row.0 == self.0)
            .map(|row| row.1)
    }

    /// The convention that a word names.
    pub fn from_keyword(word: &[u8]) -> Option<CallConv> {
        // Nearly all words that stand where one may stand are others.
        if !word.ends_with(b"cc") && !word.contains(&b'_') {
            return None;
        }
        CALL_CONVS
            .iter()
            .find(|row| row.1.as_bytes() == word)
            .map(|row| CallConv(row.0))
    }
}

/// What calls have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CallSite {
    /// The type of the function called.
    pub ty: TypeId,
    /// The attributes.
    pub attrs: AttrList,
    /// The calling convention.
    pub conv: CallConv,
    /// `tail`, `musttail`, `notail`.
    pub tail: Tail,
    /// How many arguments there are; more than parameters if variadic.
    pub args: u32,
    /// The operand bundles.
    pub bundles: BundleList,
}

/// An operand bundle: its tag and how many of the operands are its.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bundle {
    /// The tag.
    pub tag: Name,
    /// How many operands.
    pub len: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_resolved_and_others_kept() {
        let mut names = Names::default();
        for scope in Scope::all() {
            let name = names.intern(scope.llvm().as_bytes());
            let read = SyncScope::named(&names, name);
            assert_eq!(read, SyncScope::new(scope));
            assert_eq!(read.resolved(), Ok(scope));
            assert_eq!(read.name(&names), scope.llvm().as_bytes());
        }
        let name = names.intern(b"agent");
        let other = SyncScope::named(&names, name);
        assert_eq!(other.resolved(), Err(name));
        assert_eq!(other.name(&names), b"agent");
        assert_eq!(SyncScope::SYSTEM.name(&names), b"");
    }

    /// Modules have millions of instructions.
    #[test]
    fn instructions_are_small() {
        assert_eq!(size_of::<Inst>(), 40);
    }
}
