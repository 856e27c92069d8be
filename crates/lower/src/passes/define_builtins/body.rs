//! Where the body of a builtin comes from.

use super::{matrix, rule, warpgroup};
use warpc_builtins::{Builtin, Category};

/// The written bodies, by the name of their file.
pub(super) static FILES: [(&str, &str); 9] = [
    ("barrier", include_str!("barrier.ll")),
    ("bits", include_str!("bits.ll")),
    ("cluster", include_str!("cluster.ll")),
    ("dot", include_str!("dot.ll")),
    ("float", include_str!("float.ll")),
    ("memory", include_str!("memory.ll")),
    ("space", include_str!("space.ll")),
    ("vector", include_str!("vector.ll")),
    ("warp", include_str!("warp.ll")),
];

/// The file whose routines have loops and stay functions.
const ROUTINES: &str = "vector";

/// The file of functions that are not numbered builtins.
const HEADER: &str = "dot";

/// What a call is given.
pub(super) struct Args {
    /// The values of arguments that are integer constants.
    pub(super) constants: Vec<Option<u64>>,
    /// The types of all arguments in LLVM IR.
    pub(super) types: Vec<String>,
}

/// What there is for a call.
pub(super) enum Found {
    /// A body in a file.
    File { file: &'static str, inlined: bool },
    /// A body made for this call, and the name of its function.
    Made { name: String, text: String },
    /// None: a message and what to do.
    Refused(String, String),
}

/// Whether a builtin is one of this pass.
pub(super) fn is_here(builtin: &Builtin) -> bool {
    let atomic = matches!(
        builtin.category,
        Category::AtomicLegacy | Category::AtomicCxx11 | Category::Cas
    );
    let fence = ["__nv_atomic_", "__nvvm_membar_"];
    !atomic && !fence.iter().any(|name| builtin.name.starts_with(name))
}

/// Whether a name is that of a function in the header file; the file.
pub(super) fn header_function(name: &str) -> Option<&'static str> {
    // Most declarations are of intrinsics, which nothing defines.
    if name.starts_with("llvm.") {
        return None;
    }
    let (file, text) = FILES.iter().find(|entry| entry.0 == HEADER)?;
    defines(text, name).then_some(file)
}

fn defines(text: &str, name: &str) -> bool {
    let needle = format!("@{name}(");
    let lines = text.lines().filter(|line| line.starts_with("define "));
    lines.into_iter().any(|line| line.contains(&needle))
}

/// The body for a call of a builtin.
pub(super) fn find(builtin: &Builtin, args: &Args) -> Found {
    if builtin.is_reserved() {
        return Found::Refused(
            format!("`{}` is a reserved number without a function", builtin.name),
            "nothing is known to stand after it; call something else".to_owned(),
        );
    }
    if let Some((file, _)) = FILES.iter().find(|entry| defines(entry.1, builtin.name)) {
        let inlined = *file != ROUTINES;
        return Found::File { file, inlined };
    }
    if let Some(found) = matrix::find(builtin, &args.constants) {
        return found;
    }
    if let Some(found) = warpgroup::find(builtin, args) {
        return found;
    }
    if let Some(text) = rule::text(builtin) {
        let name = builtin.name.to_owned();
        return Found::Made { name, text };
    }
    let why = rule::why_not(builtin);
    Found::Refused(format!("`{}` {}", builtin.name, why.0), why.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    #[test]
    fn written_bodies_are_right_ir() {
        for (name, text) in FILES {
            let file = SourceFile::new(name, text).unwrap();
            let read = warpc_nvvm::read_text(&file);
            assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
            let found = warpc_nvvm::verify(read.value.as_ref().unwrap());
            assert!(!found.has_errors(), "{found:?}");
        }
    }

    /// Every builtin has a body, apart from those that say why not.
    #[test]
    fn every_builtin_has_a_body_or_a_reason() {
        let mut refused = Vec::new();
        for builtin in warpc_builtins::all().iter().filter(|row| is_here(row)) {
            let params = builtin.signature.map_or(0, |s| s.params().len());
            let args = Args {
                constants: vec![Some(0); params],
                types: Vec::new(),
            };
            match find(builtin, &args) {
                Found::Refused(message, help) => {
                    assert!(!help.is_empty());
                    refused.push((builtin.name, message));
                }
                Found::File { .. } => {}
                Found::Made { name, text } => {
                    let file = SourceFile::new(&name, text.clone()).unwrap();
                    let read = warpc_nvvm::read_text(&file);
                    let problems = &read.diagnostics;
                    assert!(!problems.has_errors(), "{problems:?}\n{text}");
                    let found = warpc_nvvm::verify(read.value.as_ref().unwrap());
                    assert!(!found.has_errors(), "{found:?}\n{text}");
                }
            }
        }
        let names: Vec<&str> = refused.iter().map(|entry| entry.0).collect();
        assert_eq!(names, NONE, "{refused:#?}");
    }

    /// What has no body: no instruction, no known signature, types that LLVM IR does not have, reserved
    /// numbers, and the walk over variable arguments, which is not a function.
    const NONE: [&str; 19] = [
        "__nvvm_ex2_approx_d",
        "__nvvm_lg2_approx_d",
        "reserved_359",
        "reserved_360",
        "reserved_404",
        "__nv_p2r",
        "__nv_r2p",
        "__cu_va_start",
        "__cu_va_end",
        "__cu_va_arg",
        "__cu_va_copy",
        "__nv_tex_surf_handler",
        "reserved_662",
        "reserved_664",
        "reserved_665",
        "__wgmma_mma_async_f16",
        "__wgmma_mma_async_bf16",
        "__wgmma_mma_async_tf32",
        "__wgmma_mma_async_f8",
    ];
}
