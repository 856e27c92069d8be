//! Where the static shared memory of a kernel lies, and how much it takes.

use crate::functions::Functions;
use crate::reach::{Reached, reach};
use rustc_hash::FxHashMap;
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Item, Linkage, Space, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_target::{Sm, features};

/// Bytes of the `.shared` variables that a kernel and what it may call use, each aligned as it asks
/// for, up to where the dynamic part would begin.
pub fn static_shared_bytes(module: &Module, kernel: &Function) -> u64 {
    let reached = reach(module, &Functions::of(module), kernel);
    u64::from(shared(module, &reached).end - shared_begin(module.sm))
}

/// Where a block's shared memory begins: from sm_80 on the system keeps the first kilobyte.
pub fn shared_begin(sm: Sm) -> u32 {
    match sm.has(features::RESERVED_SHARED_MEMORY) {
        true => 1024,
        false => 0,
    }
}

/// Static shared memory of a kernel.
#[derive(Debug, Default)]
pub struct Shared {
    /// Offsets of variables of the module.
    pub of_module: FxHashMap<Symbol, u32>,
    /// Offsets of variables of functions: by the function's number and the statement.
    pub of_function: FxHashMap<(Symbol, usize), u32>,
    /// Where static shared memory ends and dynamic begins.
    pub end: u32,
    /// Where each variable of the static part begins and ends, in order.
    pub extents: Vec<(u32, u32)>,
}

/// Lays out the shared variables that a kernel and its callees use.
pub fn shared(module: &Module, reached: &Reached<'_>) -> Shared {
    shared_apart(module, reached, 0)
}

/// The same with so many bytes between variables, and before the dynamic part. A gap that is a multiple of every alignment
/// leaves variables as aligned as they are without.
pub fn shared_apart(module: &Module, reached: &Reached<'_>, gap: u64) -> Shared {
    let mut shared = Shared::default();
    let mut extents: Vec<(u32, u32)> = Vec::new();
    let mut end = u64::from(shared_begin(module.sm));
    let mut dynamic_align = 16;
    let mut dynamic: Vec<Symbol> = Vec::new();
    let mut dynamic_local: Vec<(Symbol, usize)> = Vec::new();
    let mut put = |variable: &Variable| -> Option<u32> {
        match variable.bytes() {
            Some(bytes) if variable.linkage != Linkage::Extern || bytes > 0 => {
                let align = variable.alignment().max(1);
                if !extents.is_empty() {
                    end += gap;
                }
                end = end.next_multiple_of(align);
                let at = end;
                end = end.saturating_add(bytes);
                let offset = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
                extents.push((offset(at), offset(end)));
                Some(u32::try_from(at).unwrap_or(u32::MAX))
            }
            _ => {
                dynamic_align = dynamic_align.max(variable.alignment());
                None
            }
        }
    };
    for item in &module.items {
        if let Item::Variable(variable) = item
            && variable.space == Space::Shared
            && reached.names.contains(&variable.name)
            && !shared.of_module.contains_key(&variable.name)
        {
            match put(variable) {
                Some(at) => {
                    shared.of_module.insert(variable.name, at);
                }
                None => dynamic.push(variable.name),
            }
        }
    }
    for function in &reached.bodies {
        let statements = function.body.iter().flat_map(|body| body.statements.iter());
        for (index, statement) in statements.enumerate() {
            if let Statement::Variable(variable) = statement
                && variable.space == Space::Shared
            {
                let key = (function.name, index);
                match put(variable) {
                    Some(at) => {
                        shared.of_function.insert(key, at);
                    }
                    None => dynamic_local.push(key),
                }
            }
        }
    }
    if !extents.is_empty() {
        end = end.saturating_add(gap);
    }
    let end = u32::try_from(end.next_multiple_of(dynamic_align)).unwrap_or(u32::MAX);
    shared.end = end;
    shared.extents = extents;
    shared
        .of_module
        .extend(dynamic.into_iter().map(|name| (name, end)));
    shared
        .of_function
        .extend(dynamic_local.into_iter().map(|key| (key, end)));
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    #[test]
    fn what_a_kernel_can_reach() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
            .shared .align 16 .b8 direct[40];\n.shared .b32 called;\n.shared .b8 unused[512];\n\
            .extern .shared .b8 dynamic[];\n\
            .func f() { .reg .b32 r; mov.u32 r, called; ret; }\n\
            .entry k() { .reg .b32 r; .shared .b8 own[3]; mov.u32 r, dynamic; call f; \
            mov.u32 r, direct; ret; }\n\
            .entry empty() { ret; }\n";
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let checked = warpc_ptx::check(&file);
        assert!(!checked.diagnostics.has_errors());
        let of = |name: &str| {
            let kernel =
                crate::kernel(checked.value.as_ref().unwrap(), Some(name)).expect("it is there");
            static_shared_bytes(checked.value.as_ref().unwrap(), kernel)
        };
        assert!((47..=64).contains(&of("k")), "{}", of("k"));
        assert_eq!(of("empty"), 0);
    }
}
