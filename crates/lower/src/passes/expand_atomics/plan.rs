//! What becomes of an atomic instruction: one question for each kind.
//!
//! | | kept | else |
//! |---|---|---|
//! | load, store | integers, pointers and numbers of 8 to 64 bits; 128 bits where the target has them | vectors: one integer |
//! | `cmpxchg` | 32 and 64 bits; 16 and 128 where the target has them | 8 and 16 bits: their word |
//! | `atomicrmw` | what `atom` has for the type on the target ([`warpc_model::Atomic`]) | the word, or a loop |
//!
//! What ptxas does not keep of an `atom` is not decided here but where PTX is printed: every producer of PTX meets that.
//!
//! Whatever the kind: memory that no other thread can write needs no atomics; more than 16 bytes, and addresses less
//! aligned than the value is long, have no atomics on any GPU; neither has 128 bits on a chip without them. A lock around
//! a plain access would not do: the other side of the program may use real atomics.

use super::private::{self, Memory};
use crate::edit::Editor;
use crate::pass::Context;
use warpc_diag::{Code, codes};
use warpc_model::atomic::is_atomic_size;
use warpc_model::{Atomic, AtomicOp, AtomicType, Requires, Scope, TypeClass, Unmet};
use warpc_nvvm::inst::{Access, Op, RmwOp};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::InstId;
use warpc_target::{Gate, PtxVersion, at_least};

/// Loads and stores of 128 bits at once.
const WIDE_ACCESS: Gate = Gate(&[at_least(70, PtxVersion::new(8, 3))]);

/// What becomes of an instruction. Numbers are the bits of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// It stays.
    Keep,
    /// The same access of one integer.
    AsInteger(u32),
    /// Plain accesses.
    Private,
    /// An addition of the negated value.
    AddNegated,
    /// The same operation on the word around the value.
    Widen(u32),
    /// A loop of swaps of the value.
    Loop(u32),
    /// A loop of swaps of the word around the value.
    LoopInWord(u32),
    /// A swap by swaps of the word around the value.
    SwapInWord,
    /// Nothing: an error.
    Refuse(Refusal),
}

/// Why an instruction is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    pub code: Code,
    pub message: String,
    pub help: String,
}

/// An instruction that is asked about.
struct Question<'a> {
    context: &'a Context<'a>,
    /// Its name, for messages.
    name: String,
    /// The type of its value.
    ty: TypeId,
    bits: u32,
    scope: Scope,
}

/// Decides about an atomic instruction.
pub(super) fn of(editor: &Editor, context: &Context, inst: InstId, access: Access) -> Plan {
    let op = editor.body.insts[inst].op;
    let operands = editor.body.operands(inst);
    let (address, ty) = match op {
        Op::Load(_) => (operands[0], editor.body.insts[inst].ty),
        Op::Store(_) => (operands[1], editor.type_of(operands[0])),
        _ => (operands[0], editor.type_of(operands[1])),
    };
    // Selection refuses scopes that PTX does not have.
    let Ok(scope) = access.scope.resolved() else {
        return Plan::Keep;
    };
    let bits = context.layout.bits(&editor.module.types, ty);
    let question = Question {
        context,
        name: match op {
            Op::Load(_) => "load atomic".to_owned(),
            Op::Store(_) => "store atomic".to_owned(),
            Op::AtomicRmw(op, _) => format!("atomicrmw {}", op.keyword()),
            _ => "cmpxchg".to_owned(),
        },
        ty,
        bits: u32::try_from(bits).unwrap_or(u32::MAX),
        scope,
    };
    match private::memory_of(editor, address) {
        Memory::Constant if !matches!(op, Op::Load(_)) => return question.is_constant(),
        Memory::Constant | Memory::Private => return Plan::Private,
        Memory::Shared => {}
    }
    if !is_atomic_size(bits.div_ceil(8)) {
        return question.is_too_large(editor);
    }
    let bytes = bits / 8;
    if let Some(align) = access.align.bytes().filter(|&align| align < bytes) {
        return question.is_misaligned(bytes, align);
    }
    match op {
        Op::Load(_) | Op::Store(_) => question.expand_load_or_store(editor),
        Op::AtomicRmw(op, _) => question.expand_rmw(editor, op),
        _ => question.expand_cmpxchg(),
    }
}

impl Question<'_> {
    /// Whether a load or store is expanded.
    fn expand_load_or_store(&self, editor: &Editor) -> Plan {
        let types = &editor.module.types;
        let wide = Requires::NOTHING.and("the access", WIDE_ACCESS);
        if self.bits == 128
            && let Err(unmet) = self.check(&wide)
        {
            self.is_lacking(Some(unmet))
        } else if types.is_vector(self.ty) || types.get(self.ty) == Type::Fp128 {
            Plan::AsInteger(self.bits)
        } else {
            Plan::Keep
        }
    }

    /// Whether a compare-and-swap is expanded.
    fn expand_cmpxchg(&self) -> Plan {
        match self.swap() {
            Ok(()) => Plan::Keep,
            Err(_) if self.bits < 32 => Plan::SwapInWord,
            Err(unmet) => self.is_lacking(unmet),
        }
    }

    /// Whether a read-modify-write is expanded.
    fn expand_rmw(&self, editor: &Editor, op: RmwOp) -> Plan {
        if self.is_native(editor, op) {
            return Plan::Keep;
        }
        match op {
            RmwOp::Fsub if self.is_native(editor, RmwOp::Fadd) => Plan::AddNegated,
            RmwOp::And | RmwOp::Or | RmwOp::Xor if self.bits < 32 => Plan::Widen(self.bits),
            // A swap of 16 bits is a loop of swaps of the word, too: one loop is better than one in another.
            _ if self.bits < 32 => Plan::LoopInWord(self.bits),
            _ => match self.swap() {
                Ok(()) => Plan::Loop(self.bits),
                Err(unmet) => self.is_lacking(unmet),
            },
        }
    }

    /// Whether the target has an `atom` for the operation.
    fn is_native(&self, editor: &Editor, op: RmwOp) -> bool {
        let Some((operation, class)) = AtomicOp::from_llvm(op.keyword()) else {
            return false;
        };
        let (operation, class) = match (operation, class) {
            // An integer is subtracted by adding its negation, which needs no other instruction.
            (AtomicOp::Sub, TypeClass::Unsigned) => (AtomicOp::Add, class),
            other => other,
        };
        let ty = match class {
            TypeClass::Float => number(editor, self.ty),
            _ => AtomicType::new(class, u64::from(self.bits) / 8),
        };
        ty.is_some_and(|ty| self.needs(operation, ty).is_ok())
    }

    /// Whether the target has a swap of the value's size, or what it lacks for that.
    fn swap(&self) -> Result<(), Option<Unmet>> {
        match AtomicType::new(TypeClass::Bits, u64::from(self.bits) / 8) {
            Some(ty) => self.needs(AtomicOp::Cas, ty),
            None => Err(None),
        }
    }

    /// Whether the target has an `atom`, or what it lacks for that; nothing if no target has it.
    fn needs(&self, op: AtomicOp, ty: AtomicType) -> Result<(), Option<Unmet>> {
        let mut atomic = Atomic::new(op, ty);
        // The widest scope has needs of its own; the others are widened if need be.
        atomic.scope = (self.scope == Scope::Sys).then_some(Scope::Sys);
        match atomic.check() {
            Ok(needs) => self.check(&needs).map_err(Some),
            Err(_) => Err(None),
        }
    }

    fn check(&self, needs: &Requires) -> Result<(), Unmet> {
        let options = self.context.options;
        let version = options.version.unwrap_or(PtxVersion::LATEST);
        needs.check(options.sm, version)
    }

    fn is_lacking(&self, unmet: Option<Unmet>) -> Plan {
        let sm = self.context.options.sm;
        let what = format!("`{}` of {} bits", self.name, self.bits);
        let (message, help) = match unmet {
            Some(Unmet { error, .. }) => (error.message(&what, sm), error.help()),
            None => (
                format!("{what} does not exist on {sm}"),
                "no target has it".to_owned(),
            ),
        };
        Plan::Refuse(Refusal {
            code: codes::TARGET_LACKS,
            message,
            help: format!("{help}; atomics of up to 64 bits exist on all targets"),
        })
    }

    fn is_constant(&self) -> Plan {
        Plan::Refuse(Refusal {
            code: codes::UNSUPPORTED,
            message: format!("`{}` would write to constant memory", self.name),
            help: "only the host writes constant memory: use a variable in global memory"
                .to_owned(),
        })
    }

    fn is_misaligned(&self, bytes: u64, align: u64) -> Plan {
        Plan::Refuse(Refusal {
            code: codes::UNSUPPORTED,
            message: format!(
                "`{}` of {bytes} bytes is aligned to {align} only",
                self.name
            ),
            help:
                "GPUs have atomic accesses to naturally aligned values only: align it to its size"
                    .to_owned(),
        })
    }

    fn is_too_large(&self, editor: &Editor) -> Plan {
        let ty = warpc_nvvm::type_text(editor.module, self.ty);
        Plan::Refuse(Refusal {
            code: codes::UNSUPPORTED,
            message: format!("`{}` of type `{ty}` is too large", self.name),
            help: "atomic accesses have at most 16 bytes: use several, or a lock".to_owned(),
        })
    }
}

/// The type of `atom` for numbers of a type.
fn number(editor: &Editor, ty: TypeId) -> Option<AtomicType> {
    let types = &editor.module.types;
    Some(match types.get(ty) {
        Type::Half => AtomicType::F16,
        Type::BFloat => AtomicType::Bf16,
        Type::Float => AtomicType::F32,
        Type::Double => AtomicType::F64,
        Type::Vector {
            element, len: 2, ..
        } => match types.get(element) {
            Type::Half => AtomicType::F16x2,
            Type::BFloat => AtomicType::Bf16x2,
            _ => return None,
        },
        _ => return None,
    })
}
