//! Functions that passes bring along as text, linked to a module that calls them.

use warpc_diag::SourceFile;
use warpc_nvvm::link::Options;
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::{Module, link};

/// Links modules, each a name and its text, to a module: what it calls of them, as functions of its own.
pub(crate) fn attach<'t>(module: &mut Module, texts: impl Iterator<Item = (&'t str, &'t str)>) {
    let mut modules = vec![std::mem::take(module)];
    modules.extend(texts.filter_map(|(name, text)| read(name, text)));
    let options = Options {
        only_needed: true,
        internalize_added: true,
    };
    *module = link(modules, options).module;
}

/// A module whose instructions have no place in the user's text.
fn read(name: &str, text: &str) -> Option<Module> {
    let file = SourceFile::new(name, text)?;
    // The texts are ours, and tests read every one of them.
    let mut module = warpc_nvvm::read_text(&file).unwrap();
    for index in 0..module.order.len() {
        let id = module.order[index];
        let global = &mut module.globals[id];
        global.pos = 0;
        if let GlobalKind::Function(function) = &mut global.kind
            && let Some(body) = &mut function.body
        {
            body.insts.iter_mut().for_each(|(_, inst)| inst.pos = 0);
        }
    }
    Some(module)
}
