//! A module in the IR of LLVM 7: what is newer becomes what it was then, and pointers get types.
//!
//! ```text
//!   record       debug records            ► calls of `llvm.dbg.*`
//!   instruction  `fneg`, `freeze`, newer `atomicrmw` ► older instructions
//!   intrinsic    names and signatures     ► those of LLVM 7
//!   attribute    newer ones               ► older ones, or nothing where they are only promises
//!   annotation   conventions, `"nvvm.…"`  ► `!nvvm.annotations`
//!   flag         how module flags are joined ► the ways that LLVM 7 knows
//!   pointer      `ptr`                    ► `T*`, with `bitcast` where two do not agree
//! ```
//!
//! All but the last give modules that are right by the rules of [`Module`]. Typed pointers do not exist there: the last
//! step writes them as `target` types with a name of their own, which only the writer of bitcode sees.

mod annotation;
mod attribute;
mod body;
mod constant;
mod flag;
mod infer;
mod instruction;
mod intrinsic;
mod pointer;
mod record;

use crate::Module;
use crate::name::Name;
use crate::types::{Type, TypeId};
use rustc_hash::FxHashMap;

/// The name of `target` types that are typed pointers: no text can have it, because modules with `target` types are
/// refused before.
const POINTER: &[u8] = b"\0pointer";

/// The typed pointers of a module.
#[derive(Default)]
pub(super) struct Pointers {
    /// The name of the `target` types that they are.
    pub(super) name: Option<Name>,
    by_pointee: FxHashMap<(TypeId, u32), TypeId>,
    pointees: FxHashMap<TypeId, (TypeId, u32)>,
}

impl Pointers {
    /// The pointer to a type, if there is one.
    pub(super) fn find(&self, pointee: TypeId, space: u32) -> Option<TypeId> {
        self.by_pointee.get(&(pointee, space)).copied()
    }

    /// The pointer to a type.
    fn to(&mut self, module: &mut Module, pointee: TypeId, space: u32) -> TypeId {
        if let Some(&ty) = self.by_pointee.get(&(pointee, space)) {
            return ty;
        }
        let name = module.names.intern(POINTER);
        self.name = Some(name);
        let types = module.types.intern_list(&[pointee]);
        let numbers = module.types.intern_numbers(&[space]);
        let ty = module.types.intern(Type::Target {
            name,
            types,
            numbers,
        });
        self.by_pointee.insert((pointee, space), ty);
        self.pointees.insert(ty, (pointee, space));
        ty
    }

    /// What a pointer points to, and its address space.
    fn pointee(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        self.pointees.get(&ty).copied()
    }
}

/// The module in the IR of LLVM 7, or what it has that LLVM 7 does not.
pub(super) fn downgrade(module: &Module) -> Result<(Module, Pointers), Vec<String>> {
    let mut module = module.clone();
    let mut refused = Vec::new();
    refuse_types(&module, &mut refused);
    record::lower(&mut module);
    instruction::lower(&mut module, &mut refused);
    intrinsic::lower(&mut module, &mut refused);
    annotation::lower(&mut module);
    flag::lower(&mut module);
    attribute::lower(&mut module, &mut refused);
    if !refused.is_empty() {
        return Err(refused);
    }
    let pointers = pointer::type_pointers(&mut module, &mut refused);
    match refused.is_empty() {
        true => Ok((module, pointers)),
        false => Err(refused),
    }
}

/// Types that LLVM 7 does not have.
fn refuse_types(module: &Module, refused: &mut Vec<String>) {
    // Their last field points to data or to a function; which of both is not known any more.
    for name in ["llvm.global_ctors", "llvm.global_dtors"] {
        let name = module.names.find(name.as_bytes());
        let mut variables = module.variables();
        let is_there = name.is_some() && variables.any(|(_, global, _)| global.name == name);
        if is_there {
            refused.push(String::from("a list of constructors or destructors"));
        }
    }
    // Types that nothing uses do no harm; which ones are used is not known here, so only those of globals and values count.
    let mut found = |ty: TypeId| {
        let what = match module.types.get(ty) {
            Type::BFloat => "`bfloat`",
            Type::X86Amx => "`x86_amx`",
            Type::Target { .. } => "a `target` type",
            Type::Vector { scalable: true, .. } => "a scalable vector",
            _ => return,
        };
        let what = String::from(what);
        if !refused.contains(&what) {
            refused.push(what);
        }
    };
    for (_, constant) in module.constants.iter() {
        found(constant.ty);
    }
    for &id in &module.order {
        found(module.globals[id].value_ty);
    }
    for (_, _, function) in module.functions() {
        for (_, local) in function.body.iter().flat_map(|body| body.locals.iter()) {
            found(module.types.scalar(local.ty));
            found(local.ty);
        }
    }
}

#[cfg(test)]
mod tests;
