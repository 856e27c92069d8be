//! Operations to LLVM IR.
//!
//! One walk over the modules of a file, writing LLVM IR as text; each line remembers which operation it is for.
//! Operations that only stand for a value (`llvm.mlir.constant`, `llvm.mlir.addressof` …) write nothing: their
//! text goes where they are used.

mod argument;
mod asm;
mod attribute;
mod constant;
pub(crate) mod field;
mod function;
mod global;
mod layout;
mod matrix;
mod mbarrier;
mod operands;
mod order;
mod overload;
mod special;
pub(crate) mod template;

use crate::parse::Structs;
use crate::place::Place;
use crate::tree::{Attr, Attrs, Op};
use crate::types::{Type, quoted};
use std::fmt::Write;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};

/// Something could not be translated: what, and what to do about it. The place is that of the operation.
#[derive(Debug)]
pub(crate) struct Problem {
    pub message: String,
    pub help: String,
    /// Whether it is MLIR that warpc does not read, rather than a mistake.
    pub unsupported: bool,
    /// The operand that it is about, if it is not the operation as a whole.
    pub at: Option<Span>,
}

impl Problem {
    /// A mistake in the input.
    pub fn wrong(message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            help: String::new(),
            unsupported: false,
            at: None,
        }
    }

    /// Something that is not read.
    pub fn unsupported(message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            help: String::new(),
            unsupported: true,
            at: None,
        }
    }

    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = help.into();
        self
    }

    /// Points at a place.
    pub fn at_span(mut self, span: Span) -> Problem {
        self.at = Some(span);
        self
    }

    /// Points at an operand or block, given by its place and its name without the mark.
    pub fn at(mut self, pos: u32, name: &str) -> Problem {
        self.at = Some(Span::new(pos, pos + 1 + name.len() as u32));
        self
    }
}

pub(crate) type Outcome<T> = Result<T, Problem>;

/// What a file became.
pub(crate) struct Translated {
    pub text: String,
    pub places: Vec<Place>,
    pub diagnostics: Diagnostics,
}

/// The LLVM IR that is written, and what its parts share.
struct Output<'t> {
    text: String,
    places: Vec<Place>,
    diagnostics: Diagnostics,
    structs: &'t Structs,
    /// Metadata nodes, by number.
    nodes: Vec<String>,
    flags: Vec<String>,
    /// Functions that the translation calls, as they are declared.
    declarations: Vec<String>,
    data_layout: Option<&'t [u8]>,
    triple: Option<Vec<u8>>,
    module_asm: Vec<&'t [u8]>,
    /// Types of functions and where they are declared, by name.
    signatures: rustc_hash::FxHashMap<&'t [u8], &'t Type>,
    /// Address spaces of global variables, by name.
    spaces: rustc_hash::FxHashMap<&'t [u8], u32>,
}

/// Translates the operations of a file.
pub(crate) fn translate<'t>(ops: &'t [Op<'t>], structs: &'t Structs) -> Translated {
    let mut output = Output {
        text: String::new(),
        places: Vec::new(),
        diagnostics: Diagnostics::new(),
        structs,
        nodes: Vec::new(),
        flags: vec!["!{i32 2, !\"Debug Info Version\", i32 3}".to_owned()],
        declarations: Vec::new(),
        data_layout: None,
        triple: None,
        module_asm: Vec::new(),
        signatures: rustc_hash::FxHashMap::default(),
        spaces: rustc_hash::FxHashMap::default(),
    };
    output.find_symbols(ops);
    output.head();
    output.module(ops);
    output.tail();
    Translated {
        text: output.text,
        places: output.places,
        diagnostics: output.diagnostics,
    }
}

impl<'t> Output<'t> {
    /// Starts a line for the operation at a place.
    fn line(&mut self, source: u32) -> &mut String {
        let line = self.text.len() as u32;
        self.places.push(Place { line, source });
        &mut self.text
    }

    /// Adds a metadata node and returns its name.
    fn node(&mut self, text: String) -> String {
        let number = match self.nodes.iter().position(|node| *node == text) {
            Some(number) => number,
            None => {
                self.nodes.push(text);
                self.nodes.len() - 1
            }
        };
        format!("!{number}")
    }

    /// Declares a builtin, unless the module does.
    fn declare(&mut self, name: &str, result: &str, params: &str) {
        let text = format!("declare {result} @{name}({params})");
        if !self.signatures.contains_key(name.as_bytes()) && !self.declarations.contains(&text) {
            self.declarations.push(text);
        }
    }

    fn report(&mut self, op: &Op<'_>, problem: Problem) {
        let code = match problem.unsupported {
            true => codes::MLIR_UNSUPPORTED,
            false => codes::MLIR_OPERATION,
        };
        let whole = Span::new(op.pos, op.pos + op.name.len() as u32);
        let span = problem.at.unwrap_or(whole);
        let message = format!("`{}`: {}", op.name, problem.message);
        let mut diagnostic = Diagnostic::error(code, span, message);
        if !problem.help.is_empty() {
            diagnostic = diagnostic.help(problem.help);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The functions and variables of all modules: they may be named before they are defined.
    fn find_symbols(&mut self, ops: &'t [Op<'t>]) {
        for op in ops {
            let name = op.attrs.string("sym_name");
            match (op.name, name) {
                ("llvm.func", Some(name)) => {
                    if let Some(ty) = op.attrs.get("function_type").and_then(Attr::ty) {
                        self.signatures.insert(name, ty);
                    }
                }
                ("llvm.mlir.global", Some(name)) => {
                    let space = op.attrs.int("addr_space").unwrap_or(0);
                    self.spaces.insert(name, space as u32);
                }
                _ => {}
            }
            if !is_module(op.name) {
                continue;
            }
            self.module_attributes(&op.attrs);
            for block in op.regions.iter().flat_map(|region| &region.blocks) {
                self.find_symbols(&block.ops);
            }
        }
    }

    /// What stands at the start of a module: the target and the types with names.
    fn head(&mut self) {
        if let Some(layout) = self.data_layout {
            let layout = quoted(layout);
            let _ = writeln!(self.text, "target datalayout = {layout}");
        }
        if let Some(triple) = self.triple.take() {
            let _ = writeln!(self.text, "target triple = {}", quoted(&triple));
        }
        for line in &self.module_asm {
            let _ = writeln!(self.text, "module asm {}", quoted(line));
        }
        for (name, body) in self.structs {
            let body = match body {
                Some((packed, fields)) => Type::Struct {
                    packed: *packed,
                    fields: fields.clone(),
                }
                .to_string(),
                None => "opaque".to_owned(),
            };
            let _ = writeln!(self.text, "%{} = type {body}", quoted(name.as_bytes()));
        }
    }

    /// The operations of a module.
    fn module(&mut self, ops: &'t [Op<'t>]) {
        // Beside modules for the GPU everything is the host's.
        let only_gpu = ops.iter().any(|op| op.name == "gpu.module");
        for op in ops {
            if only_gpu && op.name != "gpu.module" {
                continue;
            }
            if let Err(problem) = self.module_operation(op) {
                self.report(op, problem);
            }
        }
    }

    fn module_operation(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        match op.name {
            name if is_module(name) => {
                // A layout as LLVM IR writes it counts before one in MLIR's words.
                if let Some(spec) = op.attrs.get("dlti.dl_spec")
                    && op.attrs.get("llvm.data_layout").is_none()
                {
                    layout::check(spec)?;
                }
                for block in op.regions.iter().flat_map(|region| &region.blocks) {
                    self.module(&block.ops);
                }
                Ok(())
            }
            "gpu.module_end" => Ok(()),
            "gpu.binary" => Err(Problem::unsupported("a binary for a GPU holds no MLIR")
                .help("give the module before `--gpu-module-to-binary`")),
            "llvm.func" => self.function(op),
            "llvm.mlir.global" => self.global(op),
            "llvm.mlir.alias" => self.alias(op),
            "llvm.module_flags" => self.module_flags(op),
            "llvm.comdat" => self.comdats(op),
            "llvm.mlir.global_ctors" | "llvm.mlir.global_dtors" => self.constructors(op),
            // They speak to a linker that GPUs do not have.
            "llvm.linker_options" => Ok(()),
            _ => Err(Problem::unsupported("this cannot stand in a module")
                .help("warpc reads the `llvm` and `nvvm` dialects")),
        }
    }

    fn module_attributes(&mut self, attrs: &'t Attrs<'t>) {
        self.data_layout = attrs.string("llvm.data_layout").or(self.data_layout);
        if let Some(triple) = attrs.string("llvm.target_triple") {
            self.triple = Some(triple.to_vec());
        }
        if let Some(Attr::Array(lines)) = attrs.get("llvm.module_asm") {
            self.module_asm
                .extend(lines.iter().filter_map(Attr::string));
        }
        let targets = match attrs.get("targets") {
            Some(Attr::Array(targets)) => targets.as_slice(),
            _ => &[],
        };
        let is_nvvm = |target: &Attr<'_>| matches!(target, Attr::Dialect("nvvm.target", _));
        if self.triple.is_none() && targets.iter().any(is_nvvm) {
            self.triple = Some(b"nvptx64-nvidia-cuda".to_vec());
        }
    }

    /// What stands at the end of a module: its flags and the metadata.
    fn tail(&mut self) {
        for declaration in &self.declarations {
            let _ = writeln!(self.text, "{declaration}");
        }
        let flags = std::mem::take(&mut self.flags);
        let flags: Vec<String> = flags.into_iter().map(|flag| self.node(flag)).collect();
        let _ = writeln!(self.text, "!llvm.module.flags = !{{{}}}", flags.join(", "));
        for (number, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(self.text, "!{number} = {node}");
        }
    }
}

/// Whether an operation is a module.
pub(crate) fn is_module(name: &str) -> bool {
    matches!(name, "module" | "builtin.module" | "gpu.module")
}
