//! Intrinsics that LLVM has renamed or replaced by instructions.
//!
//! The table in `rule` says what becomes of each. A call that becomes several instructions keeps its own place
//! for the last of them, so that its users need no change.

mod replace;

use super::rule::{Rule, rule_of};
use super::{lifetime, mangle};
use crate::constant::ConstId;
use crate::function::Body;
use crate::inst::{Align, CallConv};
use crate::module::{
    DllStorage, Function, Global, GlobalId, GlobalKind, Linkage, Module, ThreadLocal, UnnamedAddr,
    Visibility,
};
use crate::name::Name;
use crate::types::TypeId;
use crate::value::InstId;
use replace::{Replaced, fits, replacement};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes calls of intrinsics that LLVM has renamed or replaced modern, and removes their declarations.
///
/// Readers leave them as they are, because nothing is lost by that; a stage that looks at intrinsics
/// asks for this first.
pub fn upgrade_intrinsics(module: &mut Module) {
    let mut upgrader = Upgrader {
        by_name: FxHashMap::default(),
        rules: FxHashMap::default(),
        renamed: FxHashMap::default(),
        taken: None,
        suffix: 0,
    };
    let old: Vec<Old> = old_intrinsics(module).collect();
    if old.is_empty() {
        return;
    }
    for &id in &module.order {
        if let Some(name) = module.globals[id].name {
            upgrader.by_name.insert(name, id);
        }
    }
    // LLVM makes the new declarations one after the other at the end.
    module
        .order
        .retain(|id| !old.iter().any(|entry| entry.0 == *id));
    for &(id, _, _) in &old {
        if let Some(name) = module.globals[id].name {
            upgrader.by_name.remove(&name);
        }
    }
    let called = called_globals(module);
    for (id, rule, modern) in old {
        let modern = match rule {
            Some(Rule::Rename(modern)) => Some(modern.as_bytes().to_vec()),
            _ => modern,
        };
        match (modern, rule) {
            (Some(modern), _) => upgrader.rename(module, id, &modern),
            (None, Some(rule)) => {
                if called.contains(&id) {
                    upgrader.declare_for(module, id, rule);
                }
                upgrader.rules.insert(id, rule);
            }
            (None, None) => {}
        }
    }
    let functions: Vec<GlobalId> = module.functions().map(|(id, _, _)| id).collect();
    for id in functions {
        let GlobalKind::Function(function) = &mut module.globals[id].kind else {
            continue;
        };
        if let Some(mut body) = function.body.take() {
            upgrader.body(module, &mut body);
            if let GlobalKind::Function(function) = &mut module.globals[id].kind {
                function.body = Some(body);
            }
        }
    }
}

/// Whether a module declares an intrinsic that LLVM has renamed or replaced.
pub(crate) fn has_old_intrinsics(module: &Module) -> bool {
    old_intrinsics(module).next().is_some()
}

/// An intrinsic of older versions: what becomes of its calls, or its new name.
type Old = (GlobalId, Option<Rule>, Option<Vec<u8>>);

/// The intrinsics of older versions that a module declares.
fn old_intrinsics(module: &Module) -> impl Iterator<Item = Old> {
    module.order.iter().filter_map(|&id| {
        let global = &module.globals[id];
        let declared = matches!(&global.kind, GlobalKind::Function(f) if f.body.is_none());
        let bytes = module.names.bytes(global.name?);
        if !declared || !bytes.starts_with(b"llvm.") {
            return None;
        }
        let mark = lifetime::sized_mark(module, id, bytes).map(Rule::Mark);
        let rule = mark.or_else(|| rule_of(bytes));
        if let Some(rule) = rule {
            // An intrinsic of another type is not the one that LLVM knew.
            let ty = global.value_ty;
            let known = match rule {
                Rule::Rename(modern) => crate::intrinsic::find(modern.as_bytes())
                    .is_some_and(|row| row.fits(&module.types, ty)),
                rule => (module.types.signature(ty))
                    .is_some_and(|(ret, params, _)| fits(&module.types, rule, ret, params)),
            };
            if !known {
                return None;
            }
        }
        let modern = match rule {
            Some(_) => None,
            None => mangle::without_pointees(bytes),
        };
        (rule.is_some() || modern.is_some()).then_some((id, rule, modern))
    })
}

/// The globals that are called somewhere.
fn called_globals(module: &Module) -> FxHashSet<GlobalId> {
    let bodies = module
        .functions()
        .filter_map(|(_, _, function)| function.body.as_ref());
    let mut called = FxHashSet::default();
    for body in bodies {
        for (id, inst) in body.insts.iter() {
            if inst.op.call_site().is_some() {
                let callee = body
                    .operands(id)
                    .last()
                    .and_then(|callee| callee.constant());
                called.extend(callee.and_then(|callee| module.global_of(callee)));
            }
        }
    }
    called
}

struct Upgrader {
    by_name: FxHashMap<Name, GlobalId>,
    /// Intrinsics whose calls are replaced.
    rules: FxHashMap<GlobalId, Rule>,
    /// Intrinsics that are another global now.
    renamed: FxHashMap<GlobalId, GlobalId>,
    /// The names of values and blocks of the function at hand, once they are needed.
    taken: Option<FxHashSet<Name>>,
    /// The last number that was put after a name of the function at hand.
    suffix: u32,
}

impl Upgrader {
    /// Gives an intrinsic its modern name, or its calls to the intrinsic that has it.
    fn rename(&mut self, module: &mut Module, id: GlobalId, modern: &[u8]) {
        let name = module.names.intern(modern);
        match self.by_name.get(&name) {
            Some(&known) => {
                self.renamed.insert(id, known);
            }
            None => {
                module.globals[id].name = Some(name);
                self.by_name.insert(name, id);
                module.order.push(id);
            }
        }
    }

    /// The intrinsic with a name and type, declared if need be.
    fn intrinsic(
        &mut self,
        module: &mut Module,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
    ) -> (ConstId, TypeId) {
        let ty = module.types.function(ret, params, false);
        let name = module.names.intern(name.as_bytes());
        let id = match self.by_name.get(&name) {
            Some(&id) => id,
            None => {
                let id = module.globals.push(Global {
                    name: Some(name),
                    linkage: Linkage::External,
                    visibility: Visibility::Default,
                    dll_storage: DllStorage::Default,
                    dso_local: false,
                    unnamed_addr: UnnamedAddr::None,
                    thread_local: ThreadLocal::None,
                    value_ty: ty,
                    space: 0,
                    section: None,
                    partition: None,
                    comdat: None,
                    align: Align::NONE,
                    metadata: Vec::new(),
                    pos: 0,
                    kind: GlobalKind::Function(Box::new(Function {
                        conv: CallConv::C,
                        attrs: module.attributes.empty_list,
                        gc: None,
                        prefix: None,
                        prologue: None,
                        personality: None,
                        body: None,
                    })),
                });
                self.by_name.insert(name, id);
                module.order.push(id);
                id
            }
        };
        (module.address_of(id), ty)
    }

    /// Declares what the calls of an intrinsic will call.
    fn declare_for(&mut self, module: &mut Module, id: GlobalId, rule: Rule) {
        let Some((ret, params, _)) = module.types.signature(module.globals[id].value_ty) else {
            return;
        };
        let params = params.to_vec();
        if let Some((name, ret, params)) = replacement(module, rule, ret, &params) {
            self.intrinsic(module, name, ret, &params);
        }
    }

    fn body(&mut self, module: &mut Module, body: &mut Body) {
        self.taken = None;
        self.suffix = 0;
        for index in 0..body.order.len() {
            let block = body.order[index];
            let affected = body.blocks[block]
                .insts
                .iter()
                .any(|&inst| self.callee(module, body, inst).is_some());
            if !affected {
                continue;
            }
            let insts = std::mem::take(&mut body.blocks[block].insts);
            let mut made = Vec::with_capacity(insts.len() + 8);
            // Where debug records go that stood before a call that is replaced.
            let mut moved: FxHashMap<InstId, InstId> = FxHashMap::default();
            let mut gone: Vec<InstId> = Vec::new();
            for inst in insts {
                let first = made.len();
                let mut stays = true;
                if let Some(callee) = self.callee(module, body, inst) {
                    if let Some(&modern) = self.renamed.get(&callee) {
                        let address = module.address_of(modern);
                        if let Some(last) = body.operands_mut(inst).last_mut() {
                            *last = address.into();
                        }
                    } else if let Some(&rule) = self.rules.get(&callee) {
                        let mut call = Replaced {
                            upgrader: self,
                            module,
                            body,
                            made: &mut made,
                            inst,
                        };
                        stays = call.apply(rule);
                    }
                }
                if !stays {
                    gone.push(inst);
                    continue;
                }
                made.push(inst);
                if made[first] != inst {
                    moved.insert(inst, made[first]);
                }
                for gone in gone.drain(..) {
                    moved.insert(gone, made[first]);
                }
            }
            body.blocks[block].insts = made;
            if !moved.is_empty() {
                for record in &mut body.records {
                    if let Some(&inst) = moved.get(&record.before) {
                        record.before = inst;
                    }
                }
            }
        }
    }

    /// The intrinsic that a call calls, if something becomes of it.
    fn callee(&self, module: &Module, body: &Body, inst: InstId) -> Option<GlobalId> {
        body.insts[inst].op.call_site()?;
        let callee = body.operands(inst).last()?.constant()?;
        let global = module.global_of(callee)?;
        (self.rules.contains_key(&global) || self.renamed.contains_key(&global)).then_some(global)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = include_str!("tests/old.ll");

    /// The expectation is what `llvm-as-22` makes of the file.
    #[test]
    fn old_intrinsics_become_what_llvm_makes_of_them() {
        let file = warpc_diag::SourceFile::new("old.ll", OLD).expect("a short text");
        let mut module = crate::read_text(&file).unwrap();
        upgrade_intrinsics(&mut module);
        let printed = crate::print(&module);
        let expected = include_str!("tests/old.expected.ll");
        let body = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.trim().to_owned());
            let body = lines.skip_while(|line| !line.starts_with("define"));
            body.take_while(|line| line != "}").collect()
        };
        assert_eq!(body(&printed), body(expected));
        assert!(!printed.contains("barrier0"));
        let memcpy = "declare void @llvm.memcpy.p0.p0.i64(";
        assert!(printed.contains(memcpy), "{printed}");
    }

    /// Intrinsics of older versions with other types than LLVM knew stay as they are, and so do their calls.
    #[test]
    fn other_types_are_not_replaced() {
        for (name, types) in [
            (
                "ldg.global.i.i32.p0",
                ["i32 ()", "i32 (float)", "void (ptr)"],
            ),
            ("ldg.global.p.p0.p0", ["ptr ()", "ptr (i64)", "void (ptr)"]),
            ("rotate.b32", ["i32 ()", "i32 (i32)", "i32 (float, float)"]),
            ("swap.lo.hi.b64", ["i64 ()", "i32 (i32)", "double (double)"]),
            ("abs.i", ["i32 ()", "i32 (float)", "float (float)"]),
            ("barrier0.popc", ["i32 ()", "i32 (i64)", "float (i32)"]),
            ("clz.i", ["i32 ()", "i32 (float)", "float (i32)"]),
            ("clz.ll", ["i32 ()", "i32 (float)", "float (i64)"]),
            ("max.i", ["i32 ()", "i32 (i32)", "float (float, float)"]),
            ("bitcast.f2i", ["i32 ()", "i32 (double)", "ptr (float)"]),
            (
                "ptr.gen.to.global.p1.p0",
                ["ptr ()", "ptr (i64)", "i64 (ptr)"],
            ),
            (
                "atomic.load.inc.32.p0",
                ["i32 ()", "i32 (ptr)", "i32 (i32, i32)"],
            ),
            (
                "atomic.load.add.f32.p0",
                ["i32 ()", "i32 (ptr, i32)", "float (ptr, i32)"],
            ),
        ] {
            for declared in types {
                for called in types.into_iter().chain(["i1 (i1, i1, i1, i1)"]) {
                    check_kept(name, declared, called);
                }
            }
        }
        // A declaration of the known type that a call uses with another one.
        check_kept("rotate.b32", "i32 (i32, i32)", "i32 ()");
        check_kept("ldg.global.i.i32.p0", "i32 (ptr, i32)", "i32 (float)");
    }

    fn check_kept(name: &str, declared: &str, called: &str) {
        let split = |ty: &str| -> (String, Vec<String>) {
            let (ret, params) = ty.split_once(" (").expect("a function type");
            let params = params.trim_end_matches(')').split(", ");
            let params = params.filter(|ty| !ty.is_empty()).map(str::to_owned);
            (ret.to_owned(), params.collect())
        };
        let (ret, params) = split(declared);
        let (called_ret, args) = split(called);
        let args: Vec<String> = args.iter().map(|ty| format!("{ty} undef")).collect();
        let (params, args) = (params.join(", "), args.join(", "));
        let text = format!(
            "declare {ret} @llvm.nvvm.{name}({params})\n\
             define void @f() {{\n  call {called_ret} @llvm.nvvm.{name}({args})\n  ret void\n}}\n"
        );
        let file = warpc_diag::SourceFile::new("old.ll", text.as_str()).expect("a short text");
        let mut module = crate::read_text(&file).unwrap();
        upgrade_intrinsics(&mut module);
        let printed = crate::print(&module);
        for kept in [
            format!("call {called_ret} @llvm.nvvm.{name}("),
            format!("declare {ret} @llvm.nvvm.{name}("),
        ] {
            assert!(printed.contains(&kept), "{text}{printed}");
        }
    }
}
