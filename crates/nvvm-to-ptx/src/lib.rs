//! NVVM IR to PTX.
//!
//! ```text
//!   nvvm::Module ─► globals, heads of functions ───────────────────────┐
//!                └► function ─ select ─► Code ─ assemble ─► ptx::Body ─┴► ptx::Module ─► print
//!                              │ shape: types to registers
//!                              └ abi: parameters and results
//! ```
//!
//! A PTX module has registers without end, so there is no allocation: each value of the IR has registers of
//! its own (`shape`), and ptxas does the rest. `select` turns instructions into PTX mnemonics, which the tables of
//! [`warpc_ptx`] resolve and gate: what the target lacks is refused by name, and the version of the
//! module is the lowest that has everything used.

mod abi;
mod assemble;
mod code;
mod debug;
mod frame;
mod function;
mod global;
mod header;
mod hoist_moves;
mod inline;
mod legalize_atomics;
mod line;
mod merge_fences;
mod name;
pub mod passes;
mod select;
mod shape;
pub mod split;
mod unit;

use std::fmt::Display;
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_model::Mapping;
use warpc_nvvm::Module;
use warpc_nvvm::module::GlobalKind;
use warpc_ptx::module::Item;
use warpc_target::{PtxVersion, Sm};

/// What to make.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The target.
    pub sm: Sm,
    /// The version of PTX; the lowest that fits if none.
    pub version: Option<PtxVersion>,
    /// Whether to say which line of the source an instruction comes from.
    pub lineinfo: bool,
    /// Whether to describe variables, types and scopes for debuggers, where the module does; asks for lines, too.
    pub debug: bool,
    /// Whether products and sums marked `contract` may become one operation.
    pub fmad: bool,
    /// Whether those without the mark may, too.
    pub fuse_unmarked: bool,
    /// Whether quotients of single precision are rounded to the nearest.
    pub precise_division: bool,
    /// Whether square roots of single precision are rounded to the nearest.
    pub precise_square_root: bool,
    /// Whether `.maxntid` and `.reqntid` have all three dimensions, also those that are 1.
    pub all_dimensions: bool,
    /// Whether denormal numbers are flushed to zero, whatever the module specifies.
    pub ftz: Option<bool>,
    /// What orders become. Any other than [`Mapping::SOUND`] makes wrong code, for tests of tests.
    pub mapping: &'static Mapping,
    /// Whether internal variables in shared memory that one function alone uses are declared inside of it.
    pub demote_shared: bool,
    /// In how many parts functions are compiled at the same time; the PTX is the same for every number.
    pub parts: usize,
    /// Who assembles the PTX.
    pub assembler: Assembler,
}

/// Who makes machine code of PTX, and so what PTX has to say twice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Assembler {
    /// ptxas, or the driver's: orders and atomicity that it loses are put into fences and loops.
    #[default]
    Ptxas,
    /// warpc's own, which loses none.
    Warpc,
}

impl Options {
    /// The usual choices for a target.
    pub fn new(sm: Sm) -> Options {
        Options {
            sm,
            version: None,
            lineinfo: false,
            debug: false,
            fmad: true,
            fuse_unmarked: false,
            precise_division: true,
            precise_square_root: true,
            all_dimensions: false,
            ftz: None,
            mapping: &Mapping::SOUND,
            demote_shared: false,
            parts: 1,
            assembler: Assembler::Ptxas,
        }
    }

    /// What is wrong with the version asked for: it does not exist, or does not know the target.
    ///
    /// ```
    /// let mut options = warpc_nvvm_to_ptx::Options::new("sm_90".parse().unwrap());
    /// assert!(options.problem().is_none());
    /// options.version = Some("7.0".parse().unwrap());
    /// assert_eq!(options.problem().unwrap().message, "sm_90 needs PTX 7.8, not 7.0");
    /// ```
    pub fn problem(&self) -> Option<Diagnostic> {
        let asked = self.version?;
        let (sm, first) = (self.sm, self.sm.first_version());
        let (message, version) = match asked.problem() {
            Some(problem) => (problem, first.max(PtxVersion::LATEST.min(asked))),
            None if asked < first => (format!("{sm} needs PTX {first}, not {asked}"), first),
            None => return None,
        };
        let version = if version.exists() { version } else { first };
        let help = format!("say `--ptx-version {version}`, or nothing for the lowest that fits");
        Some(Diagnostic::error(codes::TARGET_LACKS, Span::default(), message).help(help))
    }
}

/// Compiles a module that has been verified.
///
/// ```
/// let text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k(ptr addrspace(1) %p) {\n\
///     store i32 7, ptr addrspace(1) %p\n  ret void\n}\n";
/// let file = warpc_diag::SourceFile::new("k.ll", text).unwrap();
/// let module = warpc_nvvm::read_text(&file).unwrap();
/// let options = warpc_nvvm_to_ptx::Options::new("sm_75".parse().unwrap());
/// let ptx = warpc_nvvm_to_ptx::compile(&module, options).unwrap();
/// assert!(warpc_ptx::print(&ptx).contains("st.global.b32 [%rd1], 7;"));
/// ```
pub fn compile(module: &Module, options: Options) -> Output<warpc_ptx::Module> {
    compile_observed(module, options, &mut |_, _| {})
}

/// Is told the name of each pass and the code of the function after it.
pub type After<'a> = dyn FnMut(&'static str, &dyn Display) + 'a;

/// The same. `after` is called after each of the [`passes`], once a function, with its name and the code as it is then; not
/// for functions that are compiled in several parts, because these have no order.
pub fn compile_observed(
    module: &Module,
    options: Options,
    after: &mut After,
) -> Output<warpc_ptx::Module> {
    if let Some(problem) = options.problem() {
        return Output::failed(Diagnostics::of(problem));
    }
    let mut options = options;
    options.lineinfo |= options.debug;
    let mut unit = unit::Unit::new(module, options);
    let variables = global::compile(&mut unit);
    let functions = functions(&mut unit, after);
    let mut declared = Vec::new();
    for (number, &id) in module.order.iter().enumerate() {
        match header::declaration(&mut unit, id, number as u32 + 1) {
            Ok(items) => declared.extend(items),
            Err(refused) => unit.report(refused),
        }
    }
    match inline::module_items(&mut unit) {
        Ok(items) => unit.ptx.items = items,
        Err(refused) => unit.report(refused),
    }
    unit.ptx.items.extend(declared);
    unit.ptx.items.extend(variables);
    unit.ptx.items.extend(functions);
    let items = std::mem::take(&mut unit.ptx.items);
    let sections = debug::items(&mut unit, &items);
    unit.ptx.items = items;
    let files = line::items(&mut unit);
    unit.ptx.items.extend(files);
    unit.ptx.items.extend(sections);
    finish(unit)
}

/// What is defined besides variables, in the order of the module.
fn functions(unit: &mut unit::Unit, after: &mut After) -> Vec<Item> {
    let module = unit.module;
    let defined = module.order.iter().enumerate();
    let defined = defined.filter(|(_, id)| header::is_defined(&module.globals[**id]));
    let mut jobs = Vec::new();
    let mut number = 0;
    for (position, &id) in defined.clone() {
        let global = &module.globals[id];
        match global.kind {
            GlobalKind::Function(_) => {
                let item = position as u32 + 1;
                jobs.push(split::Job { id, item, number });
                number += 1;
            }
            GlobalKind::Alias(_) => number += header::alias_items(global),
            _ => {}
        }
    }
    let mut in_parts = match unit.options.parts {
        0 | 1 => None,
        _ => split::compile(unit, &jobs).map(Vec::into_iter),
    };
    let mut jobs = jobs.into_iter();
    let mut functions = Vec::new();
    for (position, &id) in defined {
        unit.item = position as u32 + 1;
        let made = match (&module.globals[id].kind, &mut in_parts) {
            (GlobalKind::Function(_), Some(compiled)) => Ok(compiled.next().unwrap_or_default()),
            (GlobalKind::Function(_), None) => {
                let number = jobs.next().map_or(0, |job| job.number);
                function::compile(unit, id, number, after)
            }
            (GlobalKind::Alias(_), _) => header::alias(unit, id),
            (GlobalKind::Ifunc(_), _) => Err(header::no_ifunc(unit, id)),
            _ => continue,
        };
        match made {
            Ok(items) => functions.extend(items),
            Err(refused) => unit.report(refused),
        }
    }
    functions
}

/// Gives the module the version it needs.
fn finish(unit: unit::Unit) -> Output<warpc_ptx::Module> {
    let unit::Unit {
        mut ptx,
        mut diagnostics,
        options,
        wider_scope,
        ..
    } = unit;
    if diagnostics.has_errors() {
        return Output::failed(diagnostics);
    }
    if let Some(at) = wider_scope {
        let message = format!(
            "`syncscope(\"cluster\")` becomes the scope of the device on {}",
            options.sm
        );
        diagnostics.push(
            Diagnostic::warning(codes::WIDER_SCOPE, Span::new(at, at + 1), message).help(
                "clusters of blocks exist from sm_90 on; the wider scope is right, but slower",
            ),
        );
    }
    match (ptx.required_version(options.sm), options.version) {
        (Some(needed), Some(asked)) if asked < needed => {
            let message = format!("the module needs PTX {needed}, not {asked}");
            let diagnostic = Diagnostic::error(codes::TARGET_LACKS, Span::default(), message)
                .help(format!("say `--ptx-version {needed}` or nothing"));
            diagnostics.push(diagnostic);
            return Output::failed(diagnostics);
        }
        (Some(needed), None) => ptx.version = needed,
        // What the lowest version has may be gone from the asked one.
        (Some(_), Some(asked)) => {
            ptx.version = asked;
            report_invalid(&ptx, &mut diagnostics);
            if diagnostics.has_errors() {
                return Output::failed(diagnostics);
            }
        }
        (None, _) => {
            // Constants that PTX does not take come from the module; anything else would be our mistake.
            report_invalid(&ptx, &mut diagnostics);
            if !diagnostics.has_errors() {
                let message = format!("no version of PTX has all of this for {}", options.sm);
                diagnostics.push(
                    Diagnostic::error(codes::TARGET_LACKS, Span::default(), message)
                        .help("compile for another target with `--arch`"),
                );
            }
            return Output::failed(diagnostics);
        }
    }
    Output::new(ptx, diagnostics)
}

/// Reports what the verifier of PTX says to a module.
fn report_invalid(ptx: &warpc_ptx::Module, diagnostics: &mut Diagnostics) {
    for problem in warpc_ptx::verify(ptx, None).as_slice() {
        let message = format!("the PTX this becomes is not valid: {}", problem.message);
        let mut diagnostic = Diagnostic::error(codes::BAD_PTX, problem.span, message);
        diagnostic.help = problem.help.clone();
        diagnostics.push(diagnostic);
    }
}
