//! Leads places in the LLVM IR that was written back to the MLIR it comes from.

use warpc_diag::{Diagnostic, Diagnostics, Output, Span};
use warpc_nvvm::Module;
use warpc_nvvm::module::GlobalKind;

/// Where a line of the LLVM IR starts, and where the operation stands that it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub line: u32,
    pub source: u32,
}

/// Changes every place of a module and of what was said about it. Names of values and blocks, which were only
/// there to be written, go.
pub(crate) fn lead_back(read: &mut Output<Module>, places: &[Place], text: &str) {
    let back = |pos: u32| {
        let at = places.partition_point(|place| place.line <= pos);
        at.checked_sub(1).map_or(0, |at| places[at].source)
    };
    let globals = read
        .value
        .iter_mut()
        .flat_map(|module| module.globals.iter_mut());
    for (_, global) in globals {
        global.pos = back(global.pos);
        let GlobalKind::Function(function) = &mut global.kind else {
            continue;
        };
        let Some(body) = &mut function.body else {
            continue;
        };
        for (_, inst) in body.insts.iter_mut() {
            inst.pos = back(inst.pos);
        }
        for (_, local) in body.locals.iter_mut() {
            local.name = None;
        }
        for (_, block) in body.blocks.iter_mut() {
            block.name = None;
        }
    }
    let mut diagnostics = Diagnostics::new();
    for diagnostic in read.diagnostics.as_slice() {
        let mut diagnostic: Diagnostic = diagnostic.clone();
        diagnostic.span = word_at(text, back(diagnostic.span.start));
        for (span, _) in &mut diagnostic.related {
            *span = word_at(text, back(span.start));
        }
        diagnostics.push(diagnostic);
    }
    diagnostics.sort_by_place();
    read.diagnostics = diagnostics;
}

/// The word at a place, to point at.
fn word_at(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or("");
    let len = rest
        .find(|letter: char| letter.is_whitespace() || letter == '(')
        .unwrap_or(rest.len());
    Span::new(start, start + len as u32)
}
