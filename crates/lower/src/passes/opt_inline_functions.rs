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
//! | `alwaysinline` | at every level, until the module has grown by `MOST_GROWTH` |
//! | local, `linkonce_odr`, `weak_odr`, `available_externally` | from -O1 on: if it is small (`facts::SMALL`), or named once and not large (`facts::ONCE`) |
//! | `inlinehint`, `cold`, `optsize`, `minsize` | as the second, with other bounds |
//! | others; `noinline`, `optnone`, recursive, variadic, kernels | never |
//!
//! Callees come before callers, each call is looked at once, and copied code is not looked at again: a function that is
//! copied is small, or goes away, so time and size stay linear. A function that nothing names afterwards is dropped.
//!
//! What the copy keeps: variables of fixed size move to the first block of the caller; where there are others, the stack
//! is as before after the call. `byval` arguments are copied. Locations say where the call was (`location`). Alias
//! scopes are dropped: they hold within one call. A call whose function computes with denormal numbers in another way, or
//! must keep exceptions of floating-point arithmetic, stays. `indirectbr` is a `switch` already.

mod call_graph;
mod facts;
mod location;

use super::fold_branches::fold_body;
use crate::edit::{Action, Editor, Kept, Symbols, merge_blocks};
use crate::pass::Context;
use call_graph::{CallGraph, callee};
use facts::{Facts, Mode, Words, function_of, has};
use location::Locations;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::function::{BlockData, Body, Def};
use warpc_nvvm::inst::{CallConv, CallSite, Flags, Op, Tail};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::{InstId, Value};

/// The largest function that is copied where it, or the call, is `cold` (45), in instructions.
const COLD: usize = 9;
/// What a call costs that is not made, without its arguments (25).
const CALL: usize = 5;
/// How many instructions `alwaysinline` may add to a module, and how many times its size if that is more.
const MOST_GROWTH: usize = 1 << 20;
const MOST_TIMES: usize = 64;

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
        let inlined = work.inline_into(&mut editor, &bodies);
        changed |= !inlined.is_empty();
        for callee in inlined {
            // Nothing calls it any more; a long chain of such functions would keep a copy of all in each.
            if work.facts.get(&callee).is_some_and(|facts| facts.goes)
                && let Some(body) = bodies.get_mut(&callee)
            {
                *body = without_code(module, body);
            }
        }
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

/// The body of a function that is never called.
fn without_code(module: &Module, body: &Body) -> Body {
    let mut empty = Body::default();
    for (_, local) in body.locals.iter() {
        if let Def::Param(_) = local.def {
            empty.locals.push(*local);
        }
    }
    let inst = empty.add_inst(Op::Unreachable, module.types.void, &[], false);
    let block = empty.blocks.push(BlockData::default());
    empty.blocks[block].insts.push(inst);
    empty.order.push(block);
    empty
}

fn size_of(body: &Body) -> usize {
    let blocks = body.order.iter();
    blocks.map(|&block| body.blocks[block].insts.len()).sum()
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
    /// Inlines calls in a function. Gives what was inlined.
    fn inline_into(
        &mut self,
        editor: &mut Editor,
        bodies: &FxHashMap<GlobalId, Body>,
    ) -> Vec<GlobalId> {
        let mut inlined = Vec::new();
        let Some((_, function)) = function_of(editor.module, editor.function) else {
            return inlined;
        };
        let set = editor.module.attributes.of_function(function.attrs);
        let caller = Caller {
            optimized: self.level > 0 && !has(editor.module, set, self.words.not_optimized),
            mode: Mode::of(editor.module, &self.words, set),
        };
        let mut hoisted = Vec::new();
        if !editor.any(|module, body, inst| self.wanted(module, body, inst, &caller).is_some()) {
            return inlined;
        }
        editor.rewrite(|editor, inst| {
            let Some(id) = self.wanted(editor.module, editor.body, inst, &caller) else {
                return Action::Keep;
            };
            let Some(body) = bodies.get(&id) else {
                return Action::Keep;
            };
            inlined.push(id);
            match self.inline_call(editor, inst, id, body, &mut hoisted) {
                Some(value) => Action::Replace(value),
                None => Action::Remove,
            }
        });
        if let Some(&first) = editor.body.order.first() {
            editor.body.blocks[first].insts.splice(0..0, hoisted);
        }
        if !inlined.is_empty() {
            fold_body(editor);
            merge_blocks(editor.body);
        }
        inlined
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

/// What is known about the function that calls.
struct Caller {
    /// Whether it is to be optimised.
    optimized: bool,
    mode: Mode,
}
