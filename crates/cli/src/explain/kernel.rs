//! `warpc explain --kernel FILE`: a kernel's machine code, what it waits for, and what its loops are expected to take.
//!
//! ```text
//!   PTX ── assembled, with the places that instructions come from ─┐
//!   cubin ── decoded ──────────────────────────────────────────────┴─► Listing ──► text, or a page of HTML
//! ```

mod listing;
mod page;
mod text;

use super::Arguments;
use crate::{MessageFormat, report};
use listing::Listing;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use warpc::{Kind, Source};
use warpc_cubin::Cubin;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_target::{Sm, features};

/// The target of PTX for chips whose code warpc does not make.
const ASSEMBLED: &str = "sm_90";

/// Why there is no listing.
enum Problem {
    /// A sentence.
    Said(String),
    /// Diagnostics of a file.
    Found(std::sync::Arc<SourceFile>, Diagnostics),
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem::Said(text)
    }
}

pub fn run(file: &Path, arguments: &Arguments, format: MessageFormat) -> ExitCode {
    match explained(file, arguments) {
        Ok(text) => report::output(&text, arguments.html.as_deref(), format),
        Err(Problem::Said(text)) => report::failure(&text, format),
        Err(Problem::Found(file, found)) => {
            report::diagnostics(&file, &found, format);
            ExitCode::FAILURE
        }
    }
}

fn explained(file: &Path, arguments: &Arguments) -> Result<String, Problem> {
    let name = arguments.name.as_deref();
    let first = read(file, name, arguments.arch)?;
    let mut all = vec![first];
    if let Some(other) = &arguments.beside {
        let same = all[0].name.clone();
        all.push(read(other, Some(&same), arguments.arch)?);
    }
    if arguments.html.is_some() {
        return Ok(page::Page(&all).to_string());
    }
    let mut out = String::new();
    if let [first, other] = all.as_slice() {
        text::comparison(first, other, &mut out);
    }
    for one in &all {
        let _ = write!(out, "{}", text::Text(one));
    }
    Ok(out)
}

/// The listing of a kernel of a file.
fn read(path: &Path, name: Option<&str>, arch: Option<Sm>) -> Result<Listing, Problem> {
    let source = Source::read(path).and_then(|source| source.only(&[Kind::Ptx, Kind::Cubin]));
    let source = source.map_err(|error| error.to_string())?;
    match source.kind() {
        Kind::Cubin => of_cubin(&source, name),
        _ => of_ptx(&source, name, arch),
    }
}

/// Chooses a kernel by its name.
fn chosen<'n>(names: &[&'n str], wanted: Option<&str>, file: &str) -> Result<&'n str, String> {
    let listed = || {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    match (wanted, names) {
        (_, []) => Err(format!("{file} has no kernel")),
        (None, [only]) => Ok(only),
        (None, _) => Err(format!(
            "{file} has several kernels, name one: {}",
            listed()
        )),
        (Some(wanted), _) => {
            let found = names.iter().find(|name| **name == wanted);
            // A name of the source is part of the name in the file.
            let mut part = names.iter().filter(|name| name.contains(wanted));
            let found = found.or_else(|| part.next().filter(|_| part.next().is_none()));
            let none = || format!("{file} has no kernel `{wanted}`; there are {}", listed());
            found.copied().ok_or_else(none)
        }
    }
}

fn of_ptx(source: &Source, name: Option<&str>, arch: Option<Sm>) -> Result<Listing, Problem> {
    let file = source.file();
    let found = |found: Diagnostics| Problem::Found(file.clone(), found);
    let checked = warpc_ptx::check(file);
    if checked.diagnostics.has_errors() {
        return Err(found(checked.diagnostics));
    }
    let nothing = || Problem::Said(format!("{} is not read", source.name()));
    let mut module = checked.value.ok_or_else(nothing)?;
    let usual = || ASSEMBLED.parse().map_err(|_| "no such chip".to_owned());
    module.sm = match arch {
        Some(arch) => arch,
        None if module.sm.has(features::CUBINS_OF_HOPPER) => module.sm,
        None => usual()?,
    };
    let kernels = module.functions().filter(|function| {
        function.kind == warpc_ptx::module::FunctionKind::Entry && function.body.is_some()
    });
    let names: Vec<&str> = kernels.map(|kernel| module.name(kernel.name)).collect();
    let name = chosen(&names, name, source.name())?.to_owned();
    let mut options = warpc_ptx_to_sass::Options::default();
    options.entries = vec![name.clone()];
    let mut kept = Vec::new();
    let made = warpc_ptx_to_sass::assemble_and_keep(&module, &options, &mut kept);
    if made.diagnostics.has_errors() {
        return Err(found(made.diagnostics));
    }
    let kernel = kept.pop().ok_or_else(nothing)?;
    let origin = format!("{}, assembled by warpc", source.name());
    Listing::of_assembled(&kernel, file, origin).ok_or_else(nothing)
}

fn of_cubin(source: &Source, name: Option<&str>) -> Result<Listing, Problem> {
    let cubin = Cubin::read(source.bytes());
    let cubin = cubin.map_err(|fault| format!("{}: {}", source.name(), fault.message))?;
    let unknown = || format!("{}: the chip is not known", source.name());
    let chip = cubin.chip().ok_or_else(unknown)?;
    let sections = warpc_sass_text::sections::sections(&cubin).map_err(|bad| {
        let (section, address) = (bad.section, bad.address);
        format!(
            "{}: no instruction at {address:#x} of {section}",
            source.name()
        )
    })?;
    let of_kernel = sections
        .iter()
        .filter_map(|section| section.name.strip_prefix(".text."));
    let names: Vec<&str> = of_kernel.collect();
    let name = chosen(&names, name, source.name())?;
    let section = sections
        .iter()
        .find(|one| one.name.strip_prefix(".text.") == Some(name));
    let section = section.ok_or_else(unknown)?;
    let listing = Listing::of_section(name, chip, section, source.name().to_owned());
    Ok(listing.ok_or_else(unknown)?)
}
