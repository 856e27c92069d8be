//! LLVM's intrinsics that are neither arithmetic nor of NVIDIA: hints, memory, control.

use crate::code::{Arg, Class};
use crate::select::Selector;
use crate::unit::{Refused, refusal};
use warpc_diag::codes;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::InstId;

/// What becomes of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Becomes {
    /// Nothing: it tells the optimiser something.
    Nothing,
    /// Its first argument.
    First,
    /// A number.
    Number(i64),
    /// An instruction without operands.
    Plain(&'static str),
    /// A trap, and the end of the thread.
    Trap,
    /// A clock of 64 bits.
    Clock(&'static str),
    /// What is known of the size of an object: nothing.
    ObjectSize,
    /// An address with some bits cleared.
    MaskedPointer,
    /// An address from a table of distances.
    Relative,
    /// A hint to the caches.
    Prefetch,
    StackSave,
    StackRestore,
    /// Refused, with the reason.
    Refused(&'static str),
}

const UNWINDING: &str = "GPUs have no exceptions: compile without them";
const COROUTINE: &str = "split coroutines before, with LLVM's passes";
const COLLECTOR: &str = "GPUs have no garbage collector";
const FRAMES: &str = "GPU code cannot look at the stack of its callers";

/// The names without `llvm.`; a name may go on after a dot. The first that fits counts.
const NAMES: &[(&str, Becomes)] = &[
    ("lifetime.start", Becomes::Nothing),
    ("lifetime.end", Becomes::Nothing),
    ("invariant.end", Becomes::Nothing),
    ("assume", Becomes::Nothing),
    ("var.annotation", Becomes::Nothing),
    ("codeview.annotation", Becomes::Nothing),
    ("experimental.noalias.scope.decl", Becomes::Nothing),
    ("sideeffect", Becomes::Nothing),
    ("donothing", Becomes::Nothing),
    ("pseudoprobe", Becomes::Nothing),
    ("instrprof", Becomes::Nothing),
    ("fake.use", Becomes::Nothing),
    ("dbg", Becomes::Nothing),
    ("invariant.start", Becomes::Number(0)),
    ("is.constant", Becomes::Number(0)),
    ("allow.runtime.check", Becomes::Number(1)),
    ("allow.ubsan.check", Becomes::Number(1)),
    ("expect", Becomes::First),
    ("annotation", Becomes::First),
    ("ptr.annotation", Becomes::First),
    ("launder.invariant.group", Becomes::First),
    ("strip.invariant.group", Becomes::First),
    ("preserve.array.access.index", Becomes::First),
    ("preserve.union.access.index", Becomes::First),
    ("preserve.struct.access.index", Becomes::First),
    ("ssa.copy", Becomes::First),
    ("arithmetic.fence", Becomes::First),
    ("threadlocal.address", Becomes::First),
    ("objectsize", Becomes::ObjectSize),
    ("ptrmask", Becomes::MaskedPointer),
    ("load.relative", Becomes::Relative),
    ("prefetch", Becomes::Prefetch),
    ("trap", Becomes::Trap),
    ("ubsantrap", Becomes::Trap),
    ("debugtrap", Becomes::Plain("brkpt")),
    ("readcyclecounter", Becomes::Clock("%clock64")),
    ("readsteadycounter", Becomes::Clock("%globaltimer")),
    ("stacksave", Becomes::StackSave),
    ("stackrestore", Becomes::StackRestore),
    ("eh", Becomes::Refused(UNWINDING)),
    (
        "wasm",
        Becomes::Refused("this is an instruction of WebAssembly"),
    ),
    ("coro", Becomes::Refused(COROUTINE)),
    ("gcroot", Becomes::Refused(COLLECTOR)),
    ("gcread", Becomes::Refused(COLLECTOR)),
    ("gcwrite", Becomes::Refused(COLLECTOR)),
    ("experimental.gc", Becomes::Refused(COLLECTOR)),
    ("experimental.stackmap", Becomes::Refused(FRAMES)),
    ("experimental.patchpoint", Becomes::Refused(FRAMES)),
    ("experimental.deoptimize", Becomes::Refused(FRAMES)),
    ("returnaddress", Becomes::Refused(FRAMES)),
    ("addressofreturnaddress", Becomes::Refused(FRAMES)),
    ("frameaddress", Becomes::Refused(FRAMES)),
    ("sponentry", Becomes::Refused(FRAMES)),
    ("localaddress", Becomes::Refused(FRAMES)),
    ("localescape", Becomes::Refused(FRAMES)),
    ("localrecover", Becomes::Refused(FRAMES)),
    (
        "init.trampoline",
        Becomes::Refused("GPUs cannot write code"),
    ),
    (
        "adjust.trampoline",
        Becomes::Refused("GPUs cannot write code"),
    ),
    ("clear_cache", Becomes::Refused("GPUs cannot write code")),
];

/// What an intrinsic of this family becomes, by its name.
pub(super) fn find(name: &str) -> Option<Becomes> {
    let name = name.strip_prefix("llvm.")?;
    let fits = |known: &str| {
        name.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    NAMES
        .iter()
        .find(|(known, _)| fits(known))
        .map(|&(_, becomes)| becomes)
}

/// Whether a call of the intrinsic does nothing but compute its result.
pub(super) fn is_pure(becomes: Option<Becomes>) -> bool {
    use Becomes::*;
    matches!(
        becomes,
        Some(Nothing | First | Number(_) | ObjectSize | MaskedPointer | Relative)
    )
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn general_intrinsic(
        &mut self,
        inst: InstId,
        name: &str,
        becomes: Option<Becomes>,
    ) -> Result<bool, Refused> {
        let Some(becomes) = becomes else {
            return Ok(false);
        };
        let operands = self.body.operands(inst);
        match becomes {
            Becomes::Nothing => {}
            Becomes::First => {
                let args = self.args(operands[0])?;
                self.copy_all(inst, &args)?;
            }
            Becomes::Number(number) => self.copy_all(inst, &[Arg::Int(number)])?,
            Becomes::Plain(mnemonic) => self.emit(mnemonic, &[])?,
            Becomes::Trap => {
                self.emit("trap", &[])?;
                self.emit("exit", &[])?;
            }
            Becomes::Clock(register) => {
                let register = Arg::Name(self.unit.intern(register));
                let made = self.op(Class::B64, "mov.u64", &[register])?;
                self.settle(inst, &[made.into()])?;
            }
            Becomes::ObjectSize => {
                // The second argument says whether the least is asked for.
                let least = self.integer(operands[1]).unwrap_or(0) & 1 == 1;
                let unknown = if least { 0 } else { -1 };
                self.copy_all(inst, &[Arg::Int(unknown)])?;
            }
            Becomes::MaskedPointer => {
                let (pointer, mask) = (self.args(operands[0])?, self.args(operands[1])?);
                let mut made = crate::code::Args::new();
                for (&pointer, &mask) in pointer.iter().zip(&mask) {
                    let ty = self.module.types.scalar(self.type_of(operands[1]));
                    let bits = match self.kind(ty) {
                        Type::Int(bits) => bits,
                        _ => 64,
                    };
                    let op = warpc_nvvm::inst::BinaryOp::And;
                    made.push(self.integer_binary(op, bits, pointer, mask)?);
                }
                self.settle(inst, &made)?;
            }
            Becomes::Relative => {
                let base = self.reg_of(operands[0])?;
                let args = self.args(operands[1])?;
                let bits = match self.kind(self.type_of(operands[1])) {
                    Type::Int(bits) => bits,
                    _ => 32,
                };
                let offset = self.int_resize(&args, bits, 64, true)?;
                let place = self.op(Class::B64, "add.s64", &[base.into(), offset[0]])?;
                let address = self.code.address(place.into(), 0);
                let distance = self.op(Class::B32, "ld.b32", &[address])?;
                let distance = self.op(Class::B64, "cvt.s64.s32", &[distance.into()])?;
                let made = self.op(Class::B64, "add.s64", &[base.into(), distance.into()])?;
                self.settle(inst, &[made.into()])?;
            }
            Becomes::Prefetch => self.prefetch(inst)?,
            Becomes::StackSave => {
                let class = match self.unit.class_of(self.body.insts[inst].ty) {
                    Some(class) => class,
                    None => Class::B64,
                };
                let made = self.op(class, &format!("stacksave.u{}", class.bits()), &[])?;
                self.settle(inst, &[made.into()])?;
            }
            Becomes::StackRestore => {
                let to = self.reg_of(operands[0])?;
                let bits = self.code.class(to).bits();
                self.emit(&format!("stackrestore.u{bits}"), &[to.into()])?;
            }
            Becomes::Refused(reason) => {
                let message = format!("the intrinsic `{name}` is not supported");
                return Err(refusal(codes::UNKNOWN_INTRINSIC, self.at, message)
                    .help(reason)
                    .into());
            }
        }
        Ok(true)
    }

    /// `llvm.prefetch`: the address, whether it is written, how near it shall be kept, whether it is data.
    fn prefetch(&mut self, inst: InstId) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let is_data = self.integer(operands[3]) == Some(1);
        let near = self.integer(operands[2]).unwrap_or(0) >= 2;
        use crate::select::address::Space;
        let address = self.address(operands[0])?;
        let space = match address.space {
            Space::Generic | Space::Global | Space::Local => address.space.modifier(),
            // The other memories are near already.
            _ => return Ok(()),
        };
        if !is_data {
            return Ok(());
        }
        let level = if near { "L1" } else { "L2" };
        let at = self.address_arg(address, 0);
        self.emit(&format!("prefetch{space}.{level}"), &[at])
    }
}
