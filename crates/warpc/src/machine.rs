//! Machine code as text and back.

use crate::door::{enter, wrong_kind};
use crate::routines;
use crate::{Kind, Observer, Options, Source};
use std::collections::BTreeSet;
use warpc_cubin::{Cubin, Fault, fatbin, verify};
use warpc_diag::{Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_nvvm_to_ptx::Assembler;
use warpc_sass_text::assembly;
use warpc_sass_text::listing::{self, Layout};

/// Makes a cubin of an assembly text.
///
/// ```
/// use warpc::{Options, Source};
///
/// let text = "\
/// .target sm_90
/// .section .text.k
///     [B------:R-:W-:Y:S05] EXIT ;
/// .section .shstrtab
/// ";
/// let source = Source::new("k.sass", text)?;
/// let cubin = warpc::assemble(&source, &Options::default()).into_result()?;
/// assert!(cubin.section(".text.k").unwrap().1.is_code());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assemble(source: &Source, options: &Options) -> Output<Cubin> {
    assemble_observed(source, options, &mut ())
}

/// The passes from PTX to machine code that an observer is told about, in order; they come once for each function, some
/// of them more than once.
pub fn machine_pass_names() -> impl Iterator<Item = &'static str> {
    warpc_ptx_to_sass::passes::names()
}

/// The names of those passes to machine code that only make it better, and may be left out ([`crate::ChosenPasses`]).
pub fn optional_pass_names() -> impl Iterator<Item = &'static str> {
    warpc_ptx_to_sass::passes::optional()
}

/// The same as [`assemble`], with an observer that is told about each pass.
pub fn assemble_observed(
    source: &Source,
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Cubin> {
    enter(source, || match source.kind() {
        Kind::Sass => assembly::read(source.file()),
        Kind::Ptx => {
            let read = warpc_ptx::check(source.file());
            let read = read.and_then(|module| routines::completed(source.file(), module));
            read.and_then(|(file, module)| of_ptx(module, file.bytes(), options, observer))
        }
        Kind::Llvm | Kind::Mlir => {
            let options = &Options {
                ptx_for: Assembler::Warpc,
                ..options.clone()
            };
            crate::compile::to_ptx(source, options, observer)
                .and_then(|ptx| of_made(settled(ptx.module), options, observer))
        }
        _ => wrong_kind(source, &[Kind::Sass, Kind::Ptx, Kind::Llvm, Kind::Mlir]),
    })
}

/// A module that was made, not read, with the choices of its instructions settled.
fn settled(mut module: warpc_ptx::Module) -> warpc_ptx::Module {
    // What the compiler made is checked in its tests; faults of it show in what is assembled.
    let _ = warpc_ptx::settle(&mut module);
    module
}

/// The cubin of a module that was made. Its statements have no places of their own: where lines are asked for, they get
/// those of its text.
fn of_made(
    module: warpc_ptx::Module,
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Cubin> {
    if (options.lineinfo || options.debug)
        && let Some(file) = SourceFile::new("made.ptx", warpc_ptx::print(&module))
        && let read = warpc_ptx::check(&file)
        && let Some(module) = read.value
    {
        return of_ptx(module, file.bytes(), options, observer);
    }
    of_ptx(module, &[], options, observer)
}

/// The cubin of a checked module, for the chip that is asked for.
fn of_ptx(
    mut module: warpc_ptx::Module,
    text: &[u8],
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Cubin> {
    if let Some(target) = options.target {
        if !target.takes(module.sm) {
            let message = format!("PTX for {} cannot be assembled for {target}", module.sm);
            let help = "PTX goes to its own chip and to later ones; with `a` to its own only, with `f` to those of its family";
            let at = module.header.target.0;
            let refused = Diagnostic::error(codes::NEEDS_TARGET, at, message).help(help);
            return Output::failed(Diagnostics::of(refused));
        }
        module.sm = target;
    }
    let mut how = warpc_ptx_to_sass::Options::default();
    how.level = match options.level {
        0 => warpc_ptx_to_sass::Level::O0,
        1 => warpc_ptx_to_sass::Level::O1,
        2 => warpc_ptx_to_sass::Level::O2,
        _ => warpc_ptx_to_sass::Level::O3,
    };
    how.serial = options.assembler.serial;
    how.spill = options.assembler.spill;
    how.tune = options.assembler.tune;
    how.verify = options.assembler.verify;
    how.entries = options.assembler.entries.clone();
    how.bounds = options.assembler.bounds.clone();
    how.loads = options.assembler.loads;
    how.stores = options.assembler.stores;
    how.knobs = options.assembler.knobs;
    how.passes = options.assembler.passes.clone();
    how.contract = options.assembler.contract;
    how.errors_at_exit = options.assembler.errors_at_exit;
    let masks = options.member_masks;
    how.print_member_masks = masks.print && !masks.no_overlap;
    how.extern_functions_do_not_sync = options.assembler.extern_functions_do_not_sync;
    how.threads = options.assembler.more_threads.saturating_add(1);
    how.relocatable = options.assembler.relocatable;
    how.lines = options.lineinfo || options.debug;
    if how.lines {
        how.text = text.to_vec();
    }
    let mut used = Vec::new();
    let watches = observer.watches_passes();
    let mut after = |pass, code: &dyn warpc_ptx_to_sass::Left| observer.after(pass, &code);
    let after = watches.then_some::<warpc_ptx_to_sass::After>(&mut after);
    let made = warpc_ptx_to_sass::assemble_and_count(&module, &how, after, &mut used);
    used.iter().for_each(|usage| observer.used(usage));
    made
}

/// Lists the machine code of a cubin, or of the cubins of a fatbin one after another.
pub fn disassemble(source: &Source, options: &Options) -> Output<String> {
    enter(source, || {
        let cubins = match source.kind() {
            Kind::Cubin => Cubin::read(source.bytes()).map(|cubin| vec![cubin]),
            Kind::Fatbin => cubins_of(source.bytes()),
            _ => return wrong_kind(source, &[Kind::Cubin, Kind::Fatbin]),
        };
        match cubins {
            Ok(cubins) => listed(&cubins, options),
            Err(fault) => {
                Output::failed(Diagnostics::of(crate::check::cubin::diagnostic(fault, "")))
            }
        }
    })
}

/// The text of a cubin that [`assemble`] makes the same bytes of.
pub fn reassemblable(cubin: &Cubin) -> String {
    assembly::print(cubin)
}

fn cubins_of(bytes: &[u8]) -> Result<Vec<Cubin>, Fault> {
    let mut cubins = Vec::new();
    for entry in fatbin::read(bytes)? {
        if entry.kind == fatbin::Kind::Cubin {
            cubins.push(Cubin::read(&entry.unpacked()?)?);
        }
    }
    Ok(cubins)
}

fn listed(cubins: &[Cubin], options: &Options) -> Output<String> {
    let options = &options.listing;
    if let Some(function) = &options.function
        && let Some(unknown) = unknown_function(cubins, function)
    {
        return Output::failed(Diagnostics::of(unknown));
    }
    let text = cubins.iter().map(|cubin| match options.reassemblable {
        true => reassemblable(cubin),
        false => {
            let layout = Layout {
                words: options.words,
                function: options.function.as_deref(),
            };
            listing::print_as(cubin, layout)
        }
    });
    Output::new(text.collect(), Diagnostics::new())
}

/// Says that no cubin has the function that was asked for, and which there are.
fn unknown_function(cubins: &[Cubin], wanted: &str) -> Option<Diagnostic> {
    let sections = cubins.iter().flat_map(listing::sections);
    let functions = sections.flat_map(|section| section.functions);
    let names: BTreeSet<String> = functions.map(|function| function.name).collect();
    if names.contains(wanted) {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let there = match names.as_slice() {
        [] => "it has none".to_owned(),
        names => format!("there are {}", names.join(", ")),
    };
    let message = format!("there is no function `{wanted}`; {there}");
    Some(Diagnostic::error(
        codes::WRONG_INPUT,
        Span::NOWHERE,
        message,
    ))
}

/// Assembles a text and verifies what comes out.
pub(crate) fn check_assembly(source: &Source) -> Output<Cubin> {
    assembly::read(source.file()).and_then(|cubin| {
        let mut diagnostics = Diagnostics::new();
        for fault in verify(&cubin) {
            let message = format!("what this assembles to is wrong: {fault}");
            diagnostics.push(Diagnostic::error(fault.code, Span::default(), message));
        }
        Output::new(cubin, diagnostics)
    })
}
