//! What is known about a function before its calls are looked at: whether it can be copied, and what that costs.

use super::call_graph::{CallGraph, callee};
use super::{CALL, COLD, Work, size_of};
use crate::edit::is_fixed_variable;
use warpc_nvvm::Module;
use warpc_nvvm::attribute::{AttrSet, Attribute};
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{CallConv, CallSite, CastOp, Op};
use warpc_nvvm::module::{Function, Global, GlobalId, GlobalKind, Linkage};
use warpc_nvvm::name::Name;
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::InstId;

/// The largest function that is copied to each of its calls, in instructions: LLVM's threshold of 225 at a cost of 5
/// each.
const SMALL: usize = 45;
/// The same with `inlinehint` (325), and where size counts: `optsize` (75), `minsize` (25).
const HINTED: usize = 65;
const FOR_SIZE: usize = 15;
const FOR_LEAST_SIZE: usize = 5;
/// The largest function that is moved to its only call (LLVM: a bonus of 15,000).
const ONCE: usize = 3_000;
/// The largest frame, in bytes, of a function that is copied without being asked to: each copy has variables of its own.
const FRAME: u64 = 1_024;
/// Metadata that says something about one execution of the callee.
const DROPPED: [&str; 4] = [
    "alias.scope",
    "noalias",
    "llvm.access.group",
    "llvm.mem.parallel_loop_access",
];

/// Intrinsics that only the function itself may call.
const OF_THE_FUNCTION: [&str; 6] = [
    "llvm.experimental.convergence.",
    "llvm.localescape",
    "llvm.va_start",
    "llvm.eh.",
    "llvm.coro.",
    "llvm.returnaddress",
];

/// Names of attributes.
pub(super) struct Words {
    pub(super) always: Name,
    pub(super) never: Name,
    pub(super) not_optimized: Name,
    pub(super) hint: Name,
    pub(super) cold: Name,
    pub(super) for_size: Name,
    pub(super) for_least_size: Name,
    pub(super) naked: Name,
    pub(super) coroutine: Name,
    pub(super) no_copies: Name,
    pub(super) returns_twice: Name,
    pub(super) strict: Name,
    pub(super) by_value: Name,
    pub(super) align: Name,
    pub(super) unusual_params: [Name; 3],
    pub(super) dropped: [Name; 4],
    pub(super) debug: Name,
}

impl Words {
    pub(super) fn new(module: &mut Module) -> Words {
        let mut word = |text: &str| module.names.intern(text.as_bytes());
        Words {
            always: word("alwaysinline"),
            never: word("noinline"),
            not_optimized: word("optnone"),
            hint: word("inlinehint"),
            cold: word("cold"),
            for_size: word("optsize"),
            for_least_size: word("minsize"),
            naked: word("naked"),
            coroutine: word("coroutine"),
            no_copies: word("noduplicate"),
            returns_twice: word("returns_twice"),
            strict: word("strictfp"),
            by_value: word("byval"),
            align: word("align"),
            unusual_params: ["inalloca", "preallocated", "swifterror"].map(&mut word),
            dropped: DROPPED.map(&mut word),
            debug: word("dbg"),
        }
    }
}

/// What is known about a function that can be inlined.
pub(super) struct Facts {
    /// Whether it is, wherever that is possible.
    pub(super) always: bool,
    /// Whether it is where that pays.
    pub(super) worthwhile: bool,
    /// Whether nothing needs it after it was inlined.
    pub(super) goes: bool,
    /// The instructions that it has.
    pub(super) size: usize,
    /// The instructions that count.
    pub(super) cost: usize,
    /// Up to how many of them it is copied.
    pub(super) bound: usize,
    /// Whether it reserves memory whose size is not known.
    pub(super) moves_stack: bool,
    pub(super) has_lines: bool,
    pub(super) mode: Mode,
}

/// How a function computes with floating-point numbers. Code of one mode is not put into a function of another.
#[derive(PartialEq, Eq)]
pub(super) struct Mode {
    denormals: [String; 4],
    strict: bool,
}

impl Mode {
    pub(super) fn of(module: &Module, words: &Words, set: AttrSet) -> Mode {
        let denormals = [
            "denormal-fp-math",
            "denormal-fp-math-f32",
            "denormal_fpenv",
            "nvptx-f32ftz",
        ];
        let text = |name: &str| {
            let name = module.names.find(name.as_bytes())?;
            match module.attributes.find(set, name)? {
                Attribute::Text(_, Some(value)) | Attribute::Words(_, value) => {
                    Some(module.names.text(value).into_owned())
                }
                _ => None,
            }
        };
        // What is the default need not be said.
        let said =
            |name| text(name).filter(|text| !matches!(&**text, "ieee,ieee" | "ieee" | "false"));
        Mode {
            denormals: denormals.map(|name| said(name).unwrap_or_default()),
            strict: has(module, set, words.strict),
        }
    }
}

pub(super) fn has(module: &Module, set: AttrSet, name: Name) -> bool {
    module.attributes.find(set, name).is_some()
}

/// A function without its body.
pub(super) fn function_of(module: &Module, id: GlobalId) -> Option<(&Global, &Function)> {
    let global = &module.globals[id];
    match &global.kind {
        GlobalKind::Function(function) => Some((global, function)),
        _ => None,
    }
}

impl Work<'_> {
    /// What is known about a function; nothing if it cannot be inlined.
    pub(super) fn facts_of(
        &self,
        module: &Module,
        graph: &CallGraph,
        id: GlobalId,
        body: &Body,
    ) -> Option<Facts> {
        let words = &self.words;
        let (global, function) = function_of(module, id)?;
        let set = module.attributes.of_function(function.attrs);
        let never = [
            words.never,
            words.not_optimized,
            words.naked,
            words.returns_twice,
        ];
        let variadic = module
            .types
            .signature(global.value_ty)
            .is_none_or(|signature| signature.2);
        if function.conv == CallConv::PTX_KERNEL
            || variadic
            || graph.recursive.get(&id) != Some(&false)
            || never.iter().any(|&name| has(module, set, name))
            || global
                .metadata
                .iter()
                .any(|found| found.kind == words.coroutine)
            || !self.params_can_be_copied(module, function, global.value_ty)
        {
            return None;
        }
        let seen = self.look(module, body)?;
        let once = graph.is_used_once(id);
        let always = has(module, set, words.always);
        // Others are the caller's only if nothing else is linked in their place, and shorter code is little use where the
        // function stays for others to call.
        let worthwhile = matches!(
            global.linkage,
            Linkage::Internal
                | Linkage::Private
                | Linkage::LinkOnceOdr
                | Linkage::WeakOdr
                | Linkage::AvailableExternally
        ) && (once || seen.frame <= FRAME && !seen.alone)
            && !seen.moves_stack;
        let goes = once
            && matches!(
                global.linkage,
                Linkage::Internal | Linkage::Private | Linkage::LinkOnceOdr
            );
        let bounds = [
            (words.for_least_size, FOR_LEAST_SIZE),
            (words.for_size, FOR_SIZE),
            (words.cold, COLD),
            (words.hint, HINTED),
        ];
        let bound = bounds.iter().find(|row| has(module, set, row.0));
        let bound = bound.map_or(SMALL, |row| row.1);
        Some(Facts {
            always,
            worthwhile,
            goes,
            size: size_of(body),
            cost: seen.cost,
            bound: if goes { ONCE } else { bound },
            moves_stack: seen.moves_stack,
            has_lines: global
                .metadata
                .iter()
                .any(|found| found.kind == words.debug),
            mode: Mode::of(module, words, set),
        })
    }

    fn params_can_be_copied(&self, module: &Module, function: &Function, ty: TypeId) -> bool {
        let Some((_, params, _)) = module.types.signature(ty) else {
            return false;
        };
        params.iter().enumerate().all(|(index, &param)| {
            let set = module.attributes.of_param(function.attrs, index);
            let plain = !self
                .words
                .unusual_params
                .iter()
                .any(|&name| has(module, set, name));
            plain && (!has(module, set, self.words.by_value) || param == module.types.ptr)
        })
    }

    /// Counts the instructions of a body; nothing if it cannot be copied.
    fn look(&self, module: &Module, body: &Body) -> Option<Seen> {
        let mut seen = Seen::default();
        let &first = body.order.first()?;
        for &block in &body.order {
            for &inst in &body.blocks[block].insts {
                let data = &body.insts[inst];
                seen.cost += match data.op {
                    Op::Phi | Op::Br | Op::Ret | Op::Unreachable => 0,
                    Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast) => 0,
                    Op::Alloca { ty, .. } => {
                        match block == first && is_fixed_variable(module, body, inst) {
                            true => {
                                let count = body.operands(inst)[0].constant()?;
                                let count = module.constants.as_u64(count)?;
                                let bytes = self.layout.stride(&module.types, ty);
                                let bytes = bytes.saturating_mul(count);
                                seen.frame = seen.frame.saturating_add(bytes);
                                0
                            }
                            false => {
                                seen.moves_stack = true;
                                1
                            }
                        }
                    }
                    Op::Switch => body.operands(inst).len() / 2,
                    Op::Call(site) => {
                        let site = module.call_sites.get(site);
                        let set = module.attributes.of_function(site.attrs);
                        seen.alone |= has(module, set, self.words.no_copies);
                        if has(module, set, self.words.returns_twice) {
                            return None;
                        }
                        self.cost_of_call(module, body, inst, site, &mut seen)?
                    }
                    Op::IndirectBr
                    | Op::Invoke(_)
                    | Op::CallBr(..)
                    | Op::Resume
                    | Op::CleanupRet
                    | Op::CatchRet
                    | Op::CatchSwitch { .. }
                    | Op::CatchPad
                    | Op::CleanupPad
                    | Op::LandingPad { .. }
                    | Op::VaArg => return None,
                    _ => 1,
                };
            }
        }
        Some(seen)
    }

    fn cost_of_call(
        &self,
        module: &Module,
        body: &Body,
        inst: InstId,
        site: &CallSite,
        seen: &mut Seen,
    ) -> Option<usize> {
        let Some((global, function)) =
            callee(module, body, inst).and_then(|id| function_of(module, id))
        else {
            // Through a pointer, or inline PTX.
            return Some(CALL + site.args as usize);
        };
        let set = module.attributes.of_function(function.attrs);
        seen.alone |= has(module, set, self.words.no_copies);
        let name = global
            .name
            .map_or(&b""[..], |name| module.names.bytes(name));
        if OF_THE_FUNCTION
            .iter()
            .any(|own| name.starts_with(own.as_bytes()))
        {
            return None;
        }
        const FREE: [&str; 4] = [
            "llvm.lifetime.",
            "llvm.dbg.",
            "llvm.assume",
            "llvm.invariant.",
        ];
        match name.starts_with(b"llvm.") {
            true if FREE.iter().any(|free| name.starts_with(free.as_bytes())) => Some(0),
            true => Some(1),
            false => Some(CALL + site.args as usize),
        }
    }
}

/// What was found in a body.
#[derive(Default)]
struct Seen {
    cost: usize,
    /// The bytes of variables of fixed size.
    frame: u64,
    moves_stack: bool,
    /// Whether a call in it may not be copied.
    alone: bool,
}
