//! Which kernels of other people's programs warpc assembles: PTX files, and LLVM IR by way of our own PTX.
//!
//! A module counts as its kernels, each assembled alone with the functions and variables around it, and judged. A kernel
//! that is refused is one of three kinds:
//!
//! | kind | is |
//! |---|---|
//! | refused | warpc's: ptxas assembles the module |
//! | of other modules | it reaches a function that its module only declares, or an array of unknown size: ptxas takes it with `-c` only, as a part of a program |
//! | of nobody | the corpus's manifest (`manifest.tsv`) records that ptxas rejects the module |

pub mod records;

use clap::Args;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_diag::SourceFile;
use warpc_launch::functions::Functions;
use warpc_launch::reach::reach;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Function, FunctionKind, Item, Linkage, Space};
use warpc_ptx::symbol::Symbol;

/// The chip that is assembled for.
const CHIP: &str = "sm_90a";

/// The newest chip whose PTX is taken; what newer chips add, this one does not have.
pub const NEWEST: u16 = 90;

/// Count the kernels of PTX and LLVM IR files that warpc assembles (no GPU needed)
#[derive(Args, Debug)]
pub struct Task {
    /// Folders with `.ptx` and `.ll` files, and recorded tables of instructions (`tests/oracle/ptx_*.tsv.gz`)
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Show so many refused instructions of each opcode of a table
    #[arg(long, default_value_t = 0)]
    show: usize,
}

/// What was counted.
#[derive(Default)]
struct Counts {
    /// Files that are not for this chip, or that are not a module.
    others: usize,
    all: Share,
    /// By the chip that the module names.
    by_chip: BTreeMap<String, Share>,
    /// For each kind and reason how many kernels are refused.
    refused: BTreeMap<(Kind, String), usize>,
}

/// Modules and kernels.
#[derive(Default)]
struct Share {
    modules: usize,
    /// Modules all of whose kernels are assembled.
    whole: usize,
    kernels: usize,
    taken: usize,
    /// Kernels that ptxas does not assemble either, or only as parts of programs.
    outside: usize,
}

/// Why a kernel is not assembled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// ptxas does.
    Refused,
    /// It needs other modules.
    OfOthers,
    /// ptxas rejects the module, too.
    OfNobody,
}

impl Task {
    /// Counts and prints.
    pub fn run(&self) -> Result<(), String> {
        for dir in &self.dirs {
            if dir.is_file() {
                records::print(dir, self.show);
                continue;
            }
            let mut files = Vec::new();
            find(dir, &mut files)?;
            files.sort();
            let mut counts = Counts::default();
            let rejected = rejected(dir);
            for file in &files {
                counts.add(file, rejected.contains(&relative(file)));
            }
            counts.print(dir);
        }
        Ok(())
    }
}

/// The last three parts of a path, by which manifests name files: `nvcc/sm_90a/scan.ptx`.
fn relative(file: &Path) -> String {
    let parts: Vec<_> = file.components().rev().take(3).collect();
    let parts = parts.iter().rev().map(|part| part.as_os_str());
    let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The files that the manifest of a corpus, in the folder or one around it, records as rejected by ptxas.
fn rejected(dir: &Path) -> HashSet<String> {
    let manifests = dir.ancestors().map(|dir| dir.join("manifest.tsv"));
    let text = manifests
        .filter_map(|path| fs::read_to_string(path).ok())
        .next();
    let text = text.unwrap_or_default();
    let mut lines = text.lines();
    let names = lines.next().unwrap_or_default().split('\t').enumerate();
    let columns: HashMap<&str, usize> = names.map(|(at, name)| (name, at)).collect();
    // The manifest of LLVM IR has the verdicts of another tool.
    let (Some(path), Some(verdict), true) = (
        columns.get("path"),
        columns.get("verdict"),
        columns.contains_key("ptxas"),
    ) else {
        return HashSet::new();
    };
    let rows = lines.map(|line| line.split('\t').collect::<Vec<&str>>());
    let rows = rows.filter(|row| row.get(*verdict) == Some(&"reject"));
    rows.filter_map(|row| row.get(*path).map(|path| (*path).to_owned()))
        .collect()
}

/// Whether a kernel cannot be assembled without other modules: it reaches a function that is only declared and that the
/// system does not have, or an array of another module, whose size is not known.
fn needs_others(module: &Module, kernel: &Function) -> bool {
    let functions = Functions::of(module);
    let reached = reach(module, &functions, kernel);
    let mut named: HashSet<Symbol> = reached.names.iter().copied().collect();
    for item in &module.items {
        if let Item::Variable(variable) = item {
            let init = variable.extra.as_ref().and_then(|one| one.init.as_ref());
            let addresses = init.map_or(&[][..], |init| init.items.addresses());
            named.extend(addresses.iter().map(|one| one.symbol));
        }
    }
    let is_outside = |name: &Symbol| {
        let number = functions.number(*name);
        let is_known = |number| functions.definition(module, number).is_some();
        let is_system = warpc_ptx_to_sass::is_of_system(module.name(*name));
        number.is_some_and(|number| !is_known(number)) && !is_system
    };
    let has_unsized = module.items.iter().any(|item| match item {
        Item::Variable(variable) => {
            variable.linkage == Linkage::Extern
                && variable.space != Space::Shared
                && variable.bytes().is_none()
        }
        _ => false,
    });
    has_unsized || named.iter().any(is_outside)
}

impl Counts {
    fn add(&mut self, file: &Path, is_rejected: bool) {
        let module = match module(file) {
            Some(module) if module.sm.number() <= NEWEST => module,
            _ => {
                self.others += 1;
                return;
            }
        };
        let kernels = module
            .functions()
            .filter(|one| one.kind == FunctionKind::Entry);
        let mut share = Share::default();
        for kernel in kernels.filter(|kernel| kernel.body.is_some()) {
            share.kernels += 1;
            let Err(why) = assembled_cubin(alone(&module, module.name(kernel.name))) else {
                share.taken += 1;
                continue;
            };
            let kind = match () {
                () if is_rejected => Kind::OfNobody,
                () if needs_others(&module, kernel) => Kind::OfOthers,
                () => Kind::Refused,
            };
            share.outside += usize::from(kind != Kind::Refused);
            *self.refused.entry((kind, why)).or_default() += 1;
        }
        let chip = self.by_chip.entry(module.sm.to_string()).or_default();
        chip.add(&share);
        self.all.add(&share);
    }

    fn print(&self, dir: &Path) {
        println!(
            "{}: {} files are for other chips",
            dir.display(),
            self.others
        );
        let chips = self.by_chip.iter().map(|(chip, share)| (&**chip, share));
        for (chip, share) in chips.chain([("all", &self.all)]) {
            println!("  {chip:8} {share}");
        }
        let kinds = [
            (Kind::Refused, "refused"),
            (Kind::OfOthers, "of other modules"),
            (Kind::OfNobody, "of nobody: ptxas rejects the module"),
        ];
        for (kind, title) in kinds {
            let of_kind = self.refused.iter().filter(|one| one.0.0 == kind);
            let mut reasons: Vec<_> = of_kind.collect();
            reasons.sort_by_key(|(_, kernels)| std::cmp::Reverse(**kernels));
            if !reasons.is_empty() {
                println!("  {title}");
            }
            for ((_, why), kernels) in reasons {
                println!("{kernels:6}  {why}");
            }
        }
    }
}

impl Share {
    /// Counts a module.
    fn add(&mut self, module: &Share) {
        self.modules += 1;
        self.whole += usize::from(module.taken == module.kernels);
        self.kernels += module.kernels;
        self.taken += module.taken;
        self.outside += module.outside;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wanted = self.kernels - self.outside;
        let share = 100.0 * self.taken as f64 / wanted.max(1) as f64;
        write!(
            f,
            "{} of {} modules whole, {} of {wanted} kernels ({share:.1} %), and {} that ptxas does not make a cubin of either",
            self.whole, self.modules, self.taken, self.outside
        )
    }
}

/// The PTX of a file as a module.
pub fn module(file: &Path) -> Option<Module> {
    let text = if file.extension().is_some_and(|ending| ending == "ll") {
        let source = Source::read(file).ok()?;
        let options = Options::new(CHIP.parse().ok()?);
        warpc::compile(&source, &options).value?.to_string()
    } else {
        String::from_utf8(fs::read(file).ok()?).ok()?
    };
    let source = SourceFile::new("module.ptx", text)?;
    let checked = warpc_ptx::check(&source);
    checked.value.filter(|_| !checked.diagnostics.has_errors())
}

/// The text of a module without its other kernels, except those that code which stays names.
pub fn alone(module: &Module, kernel: &str) -> String {
    let mut module = module.clone();
    let mut items = std::mem::take(&mut module.items);
    let mut kept: HashSet<Symbol> = HashSet::new();
    loop {
        let stays = |one: &Function| {
            let name = one.name;
            one.kind != FunctionKind::Entry || module.name(name) == kernel || kept.contains(&name)
        };
        let bodies = items.iter().filter_map(|item| match item {
            Item::Function(one) if stays(one) => one.body.as_ref(),
            _ => None,
        });
        let names = bodies.flat_map(|body| &body.operands);
        let names = names.filter_map(|operand| match operand {
            Operand::Name { symbol, .. } => Some(*symbol),
            _ => None,
        });
        let now: HashSet<Symbol> = names.collect();
        if now == kept {
            break;
        }
        kept = now;
    }
    items.retain(|item| match item {
        Item::Function(one) => {
            one.kind != FunctionKind::Entry
                || module.name(one.name) == kernel
                || kept.contains(&one.name)
        }
        _ => true,
    });
    module.items = items;
    warpc_ptx::print(&module)
}

/// The cubin of a module, judged; why there is none.
pub fn assembled_cubin(text: String) -> Result<Cubin, String> {
    let mut options = Options::new(CHIP.parse().map_err(|_| "no such chip".to_owned())?);
    options.assembler.verify = true;
    let source = Source::new("kernel.ptx", text).map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, &options);
    match made.value {
        Some(cubin) => Ok(cubin),
        None => {
            let first = made.diagnostics.first_error();
            Err(first.map_or_else(String::new, |one| one.message.clone()))
        }
    }
}

/// The files below a folder.
pub fn find(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| ending == "ptx" || ending == "ll")
        {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Module {
        let head = ".version 9.0\n.target sm_90a\n.address_size 64\n";
        let source = SourceFile::new("module.ptx", format!("{head}{text}")).expect("a short text");
        warpc_ptx::check(&source).value.expect("a module")
    }

    #[test]
    fn kernels_that_are_named_stay() {
        let module = parsed(
            ".visible .entry b() { ret; }\n.visible .entry c() { ret; }\n\
             .visible .entry a() { .reg .b64 %rd<2>; mov.u64 %rd1, b; ret; }\n",
        );
        let text = alone(&module, "a");
        let has = |name: &str| text.contains(&format!(".entry {name}("));
        assert!(has("a") && has("b") && !has("c"), "{text}");
        assert!(!alone(&module, "b").contains(".entry a("));
    }

    #[test]
    fn only_what_is_reached_needs_other_modules() {
        let module = parsed(
            ".extern .func outside();\n.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n\
             .func inside() { call outside; ret; }\n\
             .visible .entry calls() { call inside; ret; }\n.visible .entry not() { ret; }\n",
        );
        let needs = |name: &str| {
            let mut all = module.functions();
            let kernel = all.find(|one| module.name(one.name) == name);
            needs_others(&module, kernel.expect("a kernel"))
        };
        assert!(needs("calls"));
        assert!(!needs("not"));
        let unsized_array = parsed(".extern .global .b32 a[];\n.visible .entry k() { ret; }\n");
        let kernel = unsized_array.functions().next().expect("a kernel");
        assert!(needs_others(&unsized_array, kernel));
    }

    #[test]
    fn rejected_files_are_in_the_manifest_of_the_corpus() {
        let folder = warpc_testkit::scratch::Folder::new("covered_manifest");
        let text = "path\ttool\tptxas\tverdict\nnvcc/sm_90a/a.ptx\tnvcc\t13.4\taccept\n\
                    nvcc/sm_90a/b.ptx\tnvcc\t13.4\treject\n";
        folder.file("manifest.tsv", text);
        let dir = folder.join("nvcc");
        let all = rejected(&dir);
        assert!(all.contains(&relative(&dir.join("sm_90a").join("b.ptx"))));
        assert!(!all.contains(&relative(&dir.join("sm_90a").join("a.ptx"))));
        // Verdicts of another tool say nothing.
        folder.file("manifest.tsv", text.replace("ptxas", "reader"));
        assert!(rejected(&dir).is_empty());
    }
}
