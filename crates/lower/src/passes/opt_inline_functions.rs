//! Puts the bodies of functions in the place of calls.
//!
//! ```text
//!   define internal i32 @sq(i32 %x) {         define ptx_kernel void @k(ptr %p, i32 %a) {
//!     %y = mul i32 %x, %x                ──►    %1 = mul i32 %a, %a
//!     ret i32 %y                                store i32 %1, ptr %p
//!   }                                           ret void
//!   … call i32 @sq(i32 %a) …                  }
//! ```
//!
//! | function or call | is inlined |
//! |---|---|
//! | `alwaysinline` | at every level, until the module has grown by [`MOST_GROWTH`] |
//! | local, `linkonce_odr`, `weak_odr`, `available_externally` | from -O1 on: if it is small ([`SMALL`]), or named once and not large ([`ONCE`]) |
//! | `inlinehint`, `cold`, `optsize`, `minsize` | as the second, with other bounds |
//! | others; `noinline`, `optnone`, recursive, variadic, kernels | never |
//!
//! Callees come before callers, each call is looked at once, and copied code is not looked at again: a function that is
//! copied is small, or goes away, so time and size stay linear. A function that nothing names afterwards is dropped.
//!
//! What the copy keeps: variables of fixed size move to the first block of the caller; where there are others, the stack
//! is as before after the call. `byval` arguments are copied. Locations say where the call was ([`location`]). Alias
//! scopes are dropped: they hold within one call. A call whose function computes with denormal numbers in another way, or
//! must keep exceptions of floating-point arithmetic, stays. `indirectbr` is a `switch` already.

mod call_graph;
mod location;

use super::fold_branches::fold_body;
use crate::edit::{Action, Editor, Kept, Symbols, is_fixed_variable, merge_blocks};
use crate::pass::Context;
use call_graph::{CallGraph, callee};
use location::Locations;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::attribute::{AttrSet, Attribute};
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{CallConv, CallSite, CastOp, Flags, Op, Tail};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::{Function, Global, GlobalId, GlobalKind, Linkage};
use warpc_nvvm::name::Name;
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::{InstId, Value};

/// The largest function that is copied to each of its calls, in instructions: LLVM's threshold of 225 at a cost of 5
/// each.
const SMALL: usize = 45;
/// The same with `inlinehint` (325), where it is `cold` (45), and where size counts: `optsize` (75), `minsize` (25).
const HINTED: usize = 65;
const COLD: usize = 9;
const FOR_SIZE: usize = 15;
const FOR_LEAST_SIZE: usize = 5;
/// What a call costs that is not made, without its arguments (25).
const CALL: usize = 5;
/// The largest function that is moved to its only call (LLVM: a bonus of 15,000).
const ONCE: usize = 3_000;
/// The largest frame, in bytes, of a function that is copied without being asked to: each copy has variables of its own.
const FRAME: u64 = 1_024;
/// How many instructions `alwaysinline` may add to a module, and how many times its size if that is more.
const MOST_GROWTH: usize = 1 << 20;
const MOST_TIMES: usize = 64;

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

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let mut bodies = take_bodies(module);
    let graph = CallGraph::new(module, &bodies);
    let mut work = Work {
        words: Words::new(module),
        layout: &context.layout,
        level: context.options.level,
        facts: FxHashMap::default(),
        budget: 0,
    };
    let size: usize = bodies.values().map(size_of).sum();
    work.budget = MOST_GROWTH.max(MOST_TIMES.saturating_mul(size));
    let mut symbols = Symbols::default();
    let mut changed = false;
    for &id in &graph.order {
        let Some(mut body) = bodies.remove(&id) else {
            continue;
        };
        let mut editor = Editor::new(module, &mut body, id, &mut symbols);
        changed |= work.inline_into(&mut editor, &bodies);
        if let Some(facts) = work.facts_of(module, &graph, id, &body) {
            work.facts.insert(id, facts);
        }
        bodies.insert(id, body);
    }
    for (id, body) in bodies {
        if let GlobalKind::Function(function) = &mut module.globals[id].kind {
            function.body = Some(body);
        }
    }
    if changed {
        super::drop_dead::run(module, context);
    }
}

/// The bodies of all functions, in a table: one is changed while others are read.
fn take_bodies(module: &mut Module) -> FxHashMap<GlobalId, Body> {
    let mut bodies = FxHashMap::default();
    for index in 0..module.order.len() {
        let id = module.order[index];
        if let GlobalKind::Function(function) = &mut module.globals[id].kind
            && let Some(body) = function.body.take()
        {
            bodies.insert(id, body);
        }
    }
    bodies
}

fn size_of(body: &Body) -> usize {
    let blocks = body.order.iter();
    blocks.map(|&block| body.blocks[block].insts.len()).sum()
}

/// Names of attributes.
struct Words {
    always: Name,
    never: Name,
    not_optimized: Name,
    hint: Name,
    cold: Name,
    for_size: Name,
    for_least_size: Name,
    naked: Name,
    coroutine: Name,
    no_copies: Name,
    returns_twice: Name,
    strict: Name,
    by_value: Name,
    align: Name,
    unusual_params: [Name; 3],
    dropped: [Name; 4],
    debug: Name,
}

impl Words {
    fn new(module: &mut Module) -> Words {
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
struct Facts {
    /// Whether it is, wherever that is possible.
    always: bool,
    /// Whether it is where that pays.
    worthwhile: bool,
    /// The instructions that it has.
    size: usize,
    /// The instructions that count.
    cost: usize,
    /// Up to how many of them it is copied.
    bound: usize,
    /// Whether it reserves memory whose size is not known.
    moves_stack: bool,
    has_lines: bool,
    mode: Mode,
}

/// How a function computes with floating-point numbers. Code of one mode is not put into a function of another.
#[derive(PartialEq, Eq)]
struct Mode {
    denormals: [String; 4],
    strict: bool,
}

impl Mode {
    fn of(module: &Module, words: &Words, set: AttrSet) -> Mode {
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

fn has(module: &Module, set: AttrSet, name: Name) -> bool {
    module.attributes.find(set, name).is_some()
}

/// A function without its body.
fn function_of(module: &Module, id: GlobalId) -> Option<(&Global, &Function)> {
    let global = &module.globals[id];
    match &global.kind {
        GlobalKind::Function(function) => Some((global, function)),
        _ => None,
    }
}

struct Work<'l> {
    words: Words,
    layout: &'l Layout,
    level: u8,
    /// The functions that were looked at and can be inlined.
    facts: FxHashMap<GlobalId, Facts>,
    /// How many instructions may be added by force.
    budget: usize,
}

impl Work<'_> {
    /// What is known about a function; nothing if it cannot be inlined.
    fn facts_of(
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

    /// Inlines calls of a function. Says whether it did.
    fn inline_into(&mut self, editor: &mut Editor, bodies: &FxHashMap<GlobalId, Body>) -> bool {
        let Some((_, function)) = function_of(editor.module, editor.function) else {
            return false;
        };
        let set = editor.module.attributes.of_function(function.attrs);
        let caller = Caller {
            optimized: self.level > 0 && !has(editor.module, set, self.words.not_optimized),
            mode: Mode::of(editor.module, &self.words, set),
        };
        let mut hoisted = Vec::new();
        let mut changed = false;
        if !editor.any(|module, body, inst| self.wanted(module, body, inst, &caller).is_some()) {
            return false;
        }
        editor.rewrite(|editor, inst| {
            let Some(id) = self.wanted(editor.module, editor.body, inst, &caller) else {
                return Action::Keep;
            };
            let Some(body) = bodies.get(&id) else {
                return Action::Keep;
            };
            changed = true;
            match self.inline_call(editor, inst, id, body, &mut hoisted) {
                Some(value) => Action::Replace(value),
                None => Action::Remove,
            }
        });
        if let Some(&first) = editor.body.order.first() {
            editor.body.blocks[first].insts.splice(0..0, hoisted);
        }
        if changed {
            fold_body(editor);
            merge_blocks(editor.body);
        }
        changed
    }

    /// The function that a call is to be replaced by.
    fn wanted(
        &self,
        module: &Module,
        body: &Body,
        inst: InstId,
        caller: &Caller,
    ) -> Option<GlobalId> {
        let Op::Call(site) = body.insts[inst].op else {
            return None;
        };
        let id = callee(module, body, inst)?;
        let facts = self.facts.get(&id)?;
        let site = module.call_sites.get(site);
        let (global, function) = function_of(module, id)?;
        let set = module.attributes.of_function(site.attrs);
        if site.ty != global.value_ty
            || site.conv != function.conv
            || !module.bundles.get(site.bundles).is_empty()
            || has(module, set, self.words.never)
            || facts.mode != caller.mode
        {
            return None;
        }
        let always = facts.always || has(module, set, self.words.always);
        let pays = || {
            let bound = match has(module, set, self.words.cold) {
                true => COLD,
                false => facts.bound,
            };
            caller.optimized && facts.worthwhile && facts.cost <= bound + CALL + site.args as usize
        };
        let chosen = match always {
            true => facts.size <= self.budget,
            false => pays(),
        };
        chosen.then_some(id)
    }

    fn inline_call(
        &mut self,
        editor: &mut Editor,
        inst: InstId,
        id: GlobalId,
        body: &Body,
        hoisted: &mut Vec<InstId>,
    ) -> Option<Value> {
        let facts = &self.facts[&id];
        self.budget = self.budget.saturating_sub(facts.size);
        let operands = editor.body.operands(inst);
        let mut args = operands[..operands.len() - 1].to_vec();
        for (index, arg) in args.iter_mut().enumerate() {
            *arg = editor.resolve(*arg);
            *arg = self.argument(editor, id, index, *arg, hoisted);
        }
        let ptr = editor.module.types.ptr;
        let saved = facts
            .moves_stack
            .then(|| editor.intrinsic("llvm.stacksave.p0", ptr, &[]));
        let location = editor.body.insts[inst].debug_location;
        let mut locations = Locations::new(location, facts.has_lines);
        let mut kept = Kept {
            relocate: &mut |module, from| locations.relocate(module, from),
            records: location.is_some(),
            dropped: &self.words.dropped,
            hoisted: Vec::new(),
        };
        let value = editor.inline_function(body, &args, &mut kept);
        hoisted.append(&mut kept.hoisted);
        if let Some(saved) = saved {
            let void = editor.module.types.void;
            editor.intrinsic("llvm.stackrestore.p0", void, &[saved]);
        }
        value
    }

    /// What a parameter of the callee is: the argument, or a copy of what it points to.
    fn argument(
        &self,
        editor: &mut Editor,
        id: GlobalId,
        index: usize,
        arg: Value,
        hoisted: &mut Vec<InstId>,
    ) -> Value {
        let module = &mut *editor.module;
        let Some((_, function)) = function_of(module, id) else {
            return arg;
        };
        let set = module.attributes.of_param(function.attrs, index);
        let Some(Attribute::Type(_, ty)) = module.attributes.find(set, self.words.by_value) else {
            return arg;
        };
        let natural = self.layout.align(&module.types, ty);
        let given = match module.attributes.find(set, self.words.align) {
            Some(Attribute::Int(_, align)) => align,
            _ => natural,
        };
        let (to_align, from_align) = (given.max(natural), given.min(natural));
        let bytes = self.layout.stride(&module.types, ty);
        let copy = editor.alloca(ty, to_align);
        let block = editor.block();
        hoisted.extend(editor.body.blocks[block].insts.pop());
        self.copy_bytes(editor, copy, arg, bytes, to_align, from_align);
        copy
    }

    /// `llvm.memcpy` with alignments.
    fn copy_bytes(
        &self,
        editor: &mut Editor,
        to: Value,
        from: Value,
        bytes: u64,
        to_align: u64,
        from_align: u64,
    ) {
        let types = &editor.module.types;
        let (void, ptr, i64, i1) = (types.void, types.ptr, types.i64, types.i1);
        let callee = editor.declare("llvm.memcpy.p0.p0.i64", void, &[ptr, ptr, i64, i1]);
        let (len, volatile) = (editor.int(i64, bytes), editor.int(i1, 0));
        let module = &mut *editor.module;
        let mut aligned = |align: u64| {
            let attribute = module
                .attributes
                .intern(Attribute::Int(self.words.align, align));
            module.attributes.intern_set(&[attribute])
        };
        let sets = [aligned(to_align), aligned(from_align)];
        let empty = module.attributes.empty_set;
        let site = CallSite {
            ty: module.globals[callee].value_ty,
            attrs: module.attributes.intern_list(empty, empty, &sets),
            conv: CallConv::C,
            tail: Tail::None,
            args: 4,
            bundles: module.bundles.intern(&[]),
        };
        let site = module.call_sites.intern(site);
        let address = module.address_of(callee).into();
        let operands = [to, from, len, volatile, address];
        editor.emit(Op::Call(site), Flags::empty(), void, &operands);
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

/// What is known about the function that calls.
struct Caller {
    /// Whether it is to be optimised.
    optimized: bool,
    mode: Mode,
}
