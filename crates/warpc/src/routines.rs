//! The routines that NVIDIA's assembler has for warps and barriers (`__cuda_sm70_…`, `__cuda_reduxsync_…`), in PTX that
//! declares and calls them.
//!
//! They are defined once, as what they mean in LLVM IR (`warpc_lower::assembler_routine`): compiled to PTX, a definition
//! is put after the module.

use crate::{Options, Source};
use std::io::Write;
use std::sync::Arc;
use warpc_diag::{Diagnostics, Output, SourceFile, Span};
use warpc_ptx::Module;
use warpc_ptx::module::FunctionKind;

/// The name of a definition until it gets its own: IR cannot define what it calls.
const STAND_IN: &str = "warpc_routine";

/// A checked module with the routines that it declares and does not define, and its text. `file` is where it was read from.
pub(crate) fn completed(
    file: &Arc<SourceFile>,
    module: Module,
) -> Output<(Arc<SourceFile>, Module)> {
    let names = missing(&module);
    if names.is_empty() {
        return Output::new((file.clone(), module), Diagnostics::new());
    }
    let mut bytes = file.bytes().to_vec();
    for (name, declarations) in names {
        // What is defined in the module is not external.
        for head in declarations {
            let head = &mut bytes[head.start as usize..head.end as usize];
            let word = b".extern";
            if let Some(at) = head.windows(word.len()).position(|window| window == word) {
                head[at..at + word.len()].fill(b' ');
            }
        }
        let made = definition(&name, &module);
        match made.value {
            Some(definition) => _ = write!(bytes, "\n{definition}"),
            None => return Output::failed(made.diagnostics),
        }
    }
    match SourceFile::new(file.name(), bytes) {
        Some(whole) => {
            let whole = Arc::new(whole);
            warpc_ptx::check(&whole).map(|module| (whole, module))
        }
        // The library cannot make a file too large that was not nearly so before.
        None => Output::new((file.clone(), module), Diagnostics::new()),
    }
}

/// The routines that a module declares and does not define, with their declarations.
fn missing(module: &Module) -> Vec<(String, Vec<Span>)> {
    let functions = || {
        let all = module.functions();
        all.filter(|one| one.kind != FunctionKind::Entry)
    };
    let is_defined = |name| functions().any(|one| one.name == name && one.body.is_some());
    let mut all: Vec<(String, Vec<Span>)> = Vec::new();
    for function in functions().filter(|one| one.body.is_none()) {
        let name = module.name(function.name);
        if let Some((_, declarations)) = all.iter_mut().find(|known| known.0 == name) {
            declarations.push(function.at.0);
            continue;
        }
        let is_known =
            name.starts_with("__cuda_") && warpc_lower::assembler_routine(name, STAND_IN).is_some();
        if is_known && !is_defined(function.name) {
            all.push((name.to_owned(), vec![function.at.0]));
        }
    }
    all
}

/// The PTX that defines a routine for the chip and the version of a module.
fn definition(name: &str, module: &Module) -> Output<String> {
    let ir = warpc_lower::assembler_routine(name, STAND_IN).unwrap_or_default();
    let mut options = Options::new(module.sm);
    options.ptx_version = Some(module.version);
    let source = match Source::new(format!("{name}.ll"), ir) {
        Ok(source) => source,
        Err(_) => return Output::failed(Diagnostics::new()),
    };
    let compiled = crate::compile::to_ptx(&source, &options, &mut ());
    compiled.map(|ptx| {
        let text = ptx.to_string().replace(STAND_IN, name);
        // What comes before the first function is the head, which the module has.
        let begin = text.find("\n.visible .func").map_or(0, |at| at + 1);
        text[begin..].replace(".visible .func", ".func")
    })
}
