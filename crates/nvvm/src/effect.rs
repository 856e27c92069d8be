//! What an instruction does besides computing its result: the one place that says so for NVVM IR.
//!
//! | effect | who |
//! |---|---|
//! | none | arithmetic, addresses, phis, calls that touch no memory and say so |
//! | reads | plain loads, inline assembly without side effects |
//! | acts | stores, atomics, fences, volatile and ordered loads, inline assembly with side effects |
//! | calls | other calls: whoever knows the callee knows more |
//! | leaves | what ends a block |
//!
//! What an *intrinsic* does that does not say `memory(none)` is known where intrinsics are selected, by its row; what an
//! *instruction of PTX* does is said by the effects of its row.

use crate::Module;
use crate::attribute::{AttrList, Attribute};
use crate::function::Body;
use crate::inst::{Access, CallSiteId, Op, Ordering};
use crate::module::{AsmFlags, GlobalKind};
use crate::value::{InstId, Operand, Value};

/// What an instruction does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: it may be dropped, repeated and moved.
    None,
    /// It reads memory: it may be dropped, and moved where nothing writes.
    Reads,
    /// It writes memory, or other threads or devices see it.
    Acts,
    /// It calls something that is not known here.
    Calls,
    /// It ends its block.
    Leaves,
}

impl Effect {
    /// Whether memory may be different afterwards, or accesses may not cross it.
    pub fn may_write(self) -> bool {
        matches!(self, Effect::Acts | Effect::Calls)
    }

    /// Whether it may be dropped if nobody needs the result.
    pub fn may_be_dropped(self) -> bool {
        matches!(self, Effect::None | Effect::Reads)
    }
}

impl Access {
    /// Whether the access is neither volatile nor ordered with others: a load that nobody needs may be dropped.
    pub fn is_unobserved(self) -> bool {
        !self.volatile && self.ordering <= Ordering::Unordered
    }
}

impl Op {
    /// What the instruction does besides computing its result, as far as the operation alone says it.
    pub fn effect(self) -> Effect {
        match self {
            Op::Load(access) if access.is_unobserved() => Effect::Reads,
            Op::Load(_)
            | Op::Store(_)
            | Op::Fence(..)
            | Op::CmpXchg { .. }
            | Op::AtomicRmw(..)
            | Op::VaArg => Effect::Acts,
            Op::Call(_) | Op::Invoke(_) | Op::CallBr(..) => Effect::Calls,
            op if op.is_terminator() => Effect::Leaves,
            _ => Effect::None,
        }
    }
}

/// What an instruction does besides computing its result.
pub fn effect_of(module: &Module, body: &Body, inst: InstId) -> Effect {
    match body.insts[inst].op {
        Op::Call(site) => {
            let callee = body.operands(inst).last();
            callee.map_or(Effect::Calls, |&callee| of_call(module, site, callee))
        }
        op => op.effect(),
    }
}

fn of_call(module: &Module, site: CallSiteId, callee: Value) -> Effect {
    if let Operand::Asm(asm) = callee.get() {
        let asm = module.asms.get(asm);
        let constraints = module.names.text(asm.constraints);
        // Operands in memory may be written, and whatever a text says that it clobbers.
        let acts = asm.flags.contains(AsmFlags::SIDE_EFFECT)
            || constraints.contains('*')
            || constraints.contains("~{memory}");
        let says_so = || touches_nothing(module, module.call_sites.get(site).attrs);
        return match acts {
            true => Effect::Acts,
            false if says_so() => Effect::None,
            // Nothing forbids a text to load.
            false => Effect::Reads,
        };
    }
    let global = callee
        .constant()
        .and_then(|callee| module.global_of(callee));
    let Some(global) = global.map(|global| &module.globals[global]) else {
        return Effect::Calls;
    };
    let GlobalKind::Function(function) = &global.kind else {
        return Effect::Calls;
    };
    // A function that touches no memory may still not return; an intrinsic that says so returns.
    let name = global.name.map(|name| module.names.bytes(name));
    let is_intrinsic = name.is_some_and(|name| name.starts_with(b"llvm."));
    let lists = [module.call_sites.get(site).attrs, function.attrs];
    match is_intrinsic && lists.iter().any(|&list| touches_nothing(module, list)) {
        true => Effect::None,
        false => Effect::Calls,
    }
}

/// `memory(none)`, or `readnone` of older versions.
fn touches_nothing(module: &Module, list: AttrList) -> bool {
    let set = module.attributes.of_function(list);
    module.attributes.set(set).iter().any(|&attribute| {
        let bytes = |name| module.names.bytes(name);
        match module.attributes.get(attribute) {
            Attribute::Words(name, words) => bytes(name) == b"memory" && bytes(words) == b"none",
            Attribute::Flag(name) => bytes(name) == b"readnone",
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_of_instructions() {
        use Effect::{Acts, Calls, Leaves, None, Reads};
        let lines = [
            ("%a = add i32 1, 2", None),
            ("%b = load i32, ptr %p", Reads),
            ("%c = load atomic i32, ptr %p unordered, align 4", Reads),
            ("%d = load atomic i32, ptr %p monotonic, align 4", Acts),
            ("%e = load volatile i32, ptr %p", Acts),
            ("store i32 1, ptr %p", Acts),
            ("fence acquire", Acts),
            ("%g = atomicrmw add ptr %p, i32 1 monotonic", Acts),
            (
                "%h = call i32 asm \"ld.u32 $0, [$1];\", \"=r,l\"(ptr %p)",
                Reads,
            ),
            (
                "%j = call i32 asm \"mov.u32 $0, 1;\", \"=r\"() memory(none)",
                None,
            ),
            ("call void asm sideeffect \"bar.sync 0;\", \"\"()", Acts),
            (
                "call void asm \"st.u32 [$0], 1;\", \"l,~{memory}\"(ptr %p)",
                Acts,
            ),
            ("%i = call i32 @llvm.ctpop.i32(i32 1)", None),
            ("call void @llvm.nvvm.barrier0()", Calls),
            ("call void @f(ptr %p)", Calls),
            ("call void %p()", Calls),
            ("ret void", Leaves),
        ];
        let code: String = lines
            .iter()
            .map(|(line, _)| format!("  {line}\n"))
            .collect();
        let text = format!(
            "define void @f(ptr %p) {{\n{code}}}\ndeclare i32 @llvm.ctpop.i32(i32) memory(none)\n\
             declare void @llvm.nvvm.barrier0()\n"
        );
        let file = warpc_diag::SourceFile::new("f.ll", text).expect("a short text");
        let read = crate::read_text(&file);
        assert!(
            !read.diagnostics.has_errors(),
            "{}",
            read.diagnostics.error_count()
        );
        let module = read.value.expect("a module");
        let (_, _, function) = module.functions().next().expect("a function");
        let body = function.body.as_ref().expect("a body");
        let insts = body
            .order
            .iter()
            .flat_map(|&block| &body.blocks[block].insts);
        let found: Vec<Effect> = insts.map(|&inst| effect_of(&module, body, inst)).collect();
        let wanted: Vec<Effect> = lines.iter().map(|&(_, effect)| effect).collect();
        assert_eq!(found, wanted);
    }
}
