//! Gives the NVVM builtins bodies and puts these in the place of the calls. Atomics and fences are
//! [`lower_builtins`](super::PASSES)'s; this pass has all others.
//!
//! ```text
//!   call i32 @__nvvm_vote_any_sync(…)        %yes = icmp ne i32 …
//!   declare i32 @__nvvm_vote_any_sync  ──►   %any = call i1 @llvm.nvvm.vote.any.sync(…)
//!                                            %r = zext i1 %any to i32
//! ```
//!
//! A body is LLVM IR. Most builtins are an intrinsic under another name, so their bodies are made by a rule
//! ([`rule`]); those of the matrix units by tables ([`matrix`]); the others stand written in the `.ll` files
//! of the folder, each a module that LLVM's tools take. What a module declares and does not define is linked
//! to its body, and calls of it are replaced by copies, except for the routines that have loops. A function
//! of that name that the module defines is the user's own.

mod body;
mod matrix;
mod rule;
mod warpgroup;

use crate::edit::{Action, edit_bodies};
use crate::pass::Context;
use body::{Args, Found, find};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_builtins::Builtin;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::{InstId, Value};
use warpc_nvvm::{Module, type_text};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let declared = declared_builtins(module);
    if declared.is_empty() {
        return;
    }
    let mut texts = Texts::default();
    let mut calls = Calls {
        declared: &declared,
        texts: &mut texts,
        context,
    };
    edit_bodies(module, |editor| {
        let called = |module: &Module, body: &Body, inst| {
            callee(module, body, inst).is_some_and(|id| declared.contains_key(&id))
        };
        if !editor.any(called) {
            return;
        }
        editor.rewrite(|editor, inst| calls.decide(editor, inst));
    });
    if context.found.has_errors() {
        return;
    }
    attach(module, &texts);
    put_in_place(module, &texts.inlined);
}

/// The declared functions that this pass knows.
fn declared_builtins(module: &Module) -> FxHashMap<GlobalId, Known> {
    let mut declared = FxHashMap::default();
    for &id in &module.order {
        let global = &module.globals[id];
        let without_body = matches!(&global.kind, GlobalKind::Function(f) if f.body.is_none());
        let Some(name) = global.name.filter(|_| without_body) else {
            continue;
        };
        let Ok(name) = std::str::from_utf8(module.names.bytes(name)) else {
            continue;
        };
        if let Some(known) = Known::by_name(name) {
            declared.insert(id, known);
        }
    }
    declared
}

/// A builtin that has a body, or ought to have one.
#[derive(Clone, Copy, Debug)]
enum Known {
    Builtin(&'static Builtin),
    /// Not among the numbered ones, but called by CUDA's headers.
    Header(&'static str),
}

impl Known {
    fn by_name(name: &str) -> Option<Known> {
        match warpc_builtins::by_name(name) {
            Some(builtin) if body::is_here(builtin) => Some(Known::Builtin(builtin)),
            Some(_) => None,
            None => body::header_function(name).map(Known::Header),
        }
    }
}

fn callee(module: &Module, body: &Body, inst: InstId) -> Option<GlobalId> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    module.global_of(body.operands(inst).last()?.constant()?)
}

/// Modules with the bodies that are needed.
#[derive(Default)]
struct Texts {
    /// By name, so that each is taken once; in order, so that equal modules give equal modules.
    modules: std::collections::BTreeMap<String, String>,
    /// The functions whose calls are replaced by their bodies.
    inlined: FxHashSet<String>,
}

/// Looks at calls and collects the bodies they need.
struct Calls<'c, 'o> {
    declared: &'c FxHashMap<GlobalId, Known>,
    texts: &'c mut Texts,
    context: &'c mut Context<'o>,
}

impl Calls<'_, '_> {
    fn error(&mut self, pos: u32, code: warpc_diag::Code, message: String, help: &str) {
        let error = Diagnostic::error(code, Span::new(pos, pos + 1), message);
        self.context.found.push(error.help(help));
    }

    fn decide(&mut self, editor: &mut crate::edit::Editor, inst: InstId) -> Action {
        let Some(id) = callee(editor.module, editor.body, inst) else {
            return Action::Keep;
        };
        let Some(&known) = self.declared.get(&id) else {
            return Action::Keep;
        };
        let operands = editor.body.operands(inst).to_vec();
        let args = &operands[..operands.len() - 1];
        let pos = editor.pos();
        let builtin = match known {
            Known::Header(file) => {
                let name = editor.module.globals[id].name;
                let name = name.map_or_else(String::new, |name| {
                    editor.module.names.text(name).into_owned()
                });
                self.texts.inlined.insert(name);
                self.texts.take_file(file);
                return Action::Keep;
            }
            Known::Builtin(builtin) => builtin,
        };
        let sm = self.context.options.sm;
        if let Some(chips) = builtin.chips.filter(|chips| !chips.contains(sm)) {
            let message = format!("`{}` is not on {sm}", builtin.name);
            let help = format!("it needs {chips}");
            self.error(pos, codes::TARGET_LACKS, message, &help);
            return Action::Keep;
        }
        if let Some(wrong) = wrong_type(editor, builtin, inst, args) {
            let help = "declare and call it with the types that `warpc builtins` lists";
            self.error(pos, codes::UNSUPPORTED, wrong, help);
            return Action::Keep;
        }
        if let Some(intrinsic) = rule::walk(builtin.name) {
            // These are about the function they stand in, so there is no body to be called.
            let void = editor.module.types.void;
            let named = &args[..builtin.signature.map_or(0, |s| s.params().len())];
            editor.intrinsic(intrinsic, void, named);
            return Action::Remove;
        }
        let given = Args {
            constants: args.iter().map(|&arg| editor.as_u64(arg)).collect(),
            types: args
                .iter()
                .map(|&arg| type_text(editor.module, editor.type_of(arg)))
                .collect(),
        };
        match find(builtin, &given) {
            Found::Refused(message, help) => {
                self.error(pos, codes::UNSUPPORTED, message, &help);
                Action::Keep
            }
            Found::File { file, inlined } => {
                self.texts.take_file(file);
                if inlined {
                    self.texts.inlined.insert(builtin.name.to_owned());
                }
                Action::Keep
            }
            Found::Made { name, text } => {
                self.texts.inlined.insert(name.clone());
                let other = name != builtin.name;
                self.texts.modules.entry(name.clone()).or_insert(text);
                if !other {
                    return Action::Keep;
                }
                // A body for these constants: call it under its own name.
                let ret = editor.body.insts[inst].ty;
                let params: Vec<_> = args.iter().map(|&arg| editor.type_of(arg)).collect();
                let special = editor.declare(&name, ret, &params);
                let result = editor.call(special, args);
                match ret == editor.module.types.void {
                    true => Action::Remove,
                    false => Action::Replace(result),
                }
            }
        }
    }
}

impl Texts {
    fn take_file(&mut self, file: &'static str) {
        let text = body::FILES.iter().find(|entry| entry.0 == file);
        if let Some((name, text)) = text {
            let entry = self.modules.entry((*name).to_owned());
            entry.or_insert_with(|| (*text).to_owned());
        }
    }
}

/// What is wrong with the types of a call.
fn wrong_type(
    editor: &crate::edit::Editor,
    builtin: &Builtin,
    inst: InstId,
    args: &[Value],
) -> Option<String> {
    let signature = builtin.signature?;
    let name = builtin.name;
    let params = signature.params();
    if args.len() != params.len() && !(signature.variadic && args.len() > params.len()) {
        let count = args.len();
        return Some(format!(
            "`{name}` takes {} arguments, not {count}",
            params.len()
        ));
    }
    for (index, (&arg, &param)) in args.iter().zip(params).enumerate() {
        let is = type_text(editor.module, editor.type_of(arg));
        let wanted = param.llvm();
        if is != wanted {
            let place = index + 1;
            return Some(format!(
                "argument {place} of `{name}` is `{wanted}`, not `{is}`"
            ));
        }
    }
    let is = type_text(editor.module, editor.body.insts[inst].ty);
    let wanted = signature.result.llvm();
    (is != wanted).then(|| format!("`{name}` returns `{wanted}`, not `{is}`"))
}

/// Links the bodies to the module.
fn attach(module: &mut Module, texts: &Texts) {
    let texts = texts.modules.iter();
    crate::attach::attach(
        module,
        texts.map(|(name, text)| (name.as_str(), text.as_str())),
    );
}

/// Replaces calls of the functions with these names by their bodies.
fn put_in_place(module: &mut Module, names: &FxHashSet<String>) {
    let mut bodies: FxHashMap<GlobalId, Body> = FxHashMap::default();
    for (id, global, function) in module.functions() {
        let name = global.name.map(|name| module.names.text(name));
        if let (Some(name), Some(body)) = (name, &function.body)
            && names.contains(name.as_ref())
        {
            bodies.insert(id, body.clone());
        }
    }
    edit_bodies(module, |editor| {
        if !editor.any(|module, body, inst| {
            callee(module, body, inst).is_some_and(|id| bodies.contains_key(&id))
        }) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let id = callee(editor.module, editor.body, inst);
            let Some(body) = id.and_then(|id| bodies.get(&id)) else {
                return Action::Keep;
            };
            let operands = editor.body.operands(inst).to_vec();
            match editor.inline(body, &operands[..operands.len() - 1]) {
                Some(value) => Action::Replace(value),
                None => Action::Remove,
            }
        });
    });
}
