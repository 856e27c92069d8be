//! `./x mlir`: the modules of `tests/mlir` against MLIR's and LLVM's own tools.
//!
//! ```text
//! tests/mlir/gpu/x.mlir ─ mlir-opt ─► tests/mlir/lowered/x.mlir
//! tests/mlir/{lowered,kernels,ops}/x.mlir ─┬─ warpc ──────────────► LLVM IR, PTX ─► ptxas
//!                                          └─ mlir-translate, llc ► LLVM IR, PTX
//! ```
//!
//! A module must say the same in LLVM IR, in the form it is kept in and in the generic form; ptxas must take our
//! PTX; kernels with `// run:` lines must write the same on the emulator from our PTX and from llc's. What was
//! found is kept in `tests/oracle/mlir.tsv`, and a test replays it without the tools.

mod same;

use crate::ll::gpu;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use same::Sameness;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The passes that lower the `gpu` dialect and what stands in it.
const LOWERING: &str = "builtin.module(gpu.module(expand-strided-metadata, convert-scf-to-cf, convert-vector-to-llvm, \
     convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1 has-redux=1}, convert-math-to-llvm, \
     reconcile-unrealized-casts))";
/// The chip of files that name none.
const CHIP: &str = "sm_90";

/// What was found about a module.
struct Found {
    name: String,
    chip: String,
    same: Sameness,
    /// The number of the code in our LLVM IR, by which a replay knows that nothing has changed since.
    hash: u64,
    /// What llc's code for the kernel shows on the emulator; empty if nothing is run.
    shown: String,
    /// What is wrong.
    wrong: Vec<String>,
}

/// The task.
pub fn mlir(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err("mlir takes no options".into());
    }
    let (tools, _) = oracle::ensure_all();
    let (good, bad) = compare(&tools, true)?;
    println!("{good} modules agree");
    match bad.is_empty() {
        true => Ok(()),
        false => Err(bad.join("\n")),
    }
}

/// How many modules agree, and what is wrong with the others; the lowered modules and the record are written anew
/// if asked for.
pub fn compare(tools: &Tools, record: bool) -> Outcome<(usize, Vec<String>)> {
    let root = project::root().join("tests/mlir");
    let work = project::root().join("target/mlir");
    project::make_dir(&work)?;
    let warpc = release::build()?;
    if record {
        lower(&root)?;
    }
    let mut files = Vec::new();
    for folder in ["lowered", "kernels", "ops"] {
        files.extend(project::files(&root.join(folder), "mlir"));
    }
    let judge = Judge {
        tools,
        warpc: &warpc,
        work: &work,
    };
    let all: Vec<Found> = jobs::map(&files, |file| judge.module(file))
        .into_iter()
        .collect::<Outcome<_>>()?;
    print!("{}", report(&all));
    let wrong: Vec<String> = all
        .iter()
        .flat_map(|found| {
            found
                .wrong
                .iter()
                .map(|what| format!("{}: {what}", found.name))
        })
        .collect();
    if record && wrong.is_empty() {
        let rows: Vec<String> = all.iter().map(Found::row).collect();
        let out = project::root().join("tests/oracle/mlir.tsv");
        project::write(&out, rows.concat())?;
    }
    let good = all.iter().filter(|found| found.wrong.is_empty()).count();
    Ok((good, wrong))
}

impl Found {
    /// The line of the record.
    fn row(&self) -> String {
        let shown = self.shown.replace('\\', "\\\\").replace('\n', "\\n");
        let (name, chip, same, hash) = (&self.name, &self.chip, self.same.word(), self.hash);
        format!("{name}\t{chip}\t{same}\t{hash:016x}\t{shown}\n")
    }
}

fn report(all: &[Found]) -> String {
    let count = |wanted: &dyn Fn(&Found) -> bool| all.iter().filter(|found| wanted(found)).count();
    let mut text = format!("{:5} modules\n", all.len());
    for same in Sameness::ALL {
        let modules = count(&|found| found.same == same);
        text.push_str(&format!("{modules:5} {}\n", same.words()));
    }
    let run = count(&|found| !found.shown.is_empty());
    text.push_str(&format!("{run:5} run on the emulator, ours and llc's\n"));
    text
}

/// Lowers the sources in the `gpu` dialect.
fn lower(root: &Path) -> Outcome {
    for file in project::files(&root.join("gpu"), "mlir") {
        let mut command = Command::new("mlir-opt-22");
        command
            .arg(format!("--pass-pipeline={LOWERING}"))
            .arg(&file);
        let lowered = process::must("mlir-opt-22", &mut command)?;
        let source = project::read(&file)?;
        let head: Vec<&str> = source
            .lines()
            .take_while(|line| line.starts_with("//"))
            .collect();
        let name = project::stem(&file);
        let text = format!("{}\n{lowered}", head.join("\n"));
        project::write(&root.join("lowered").join(format!("{name}.mlir")), text)?;
    }
    Ok(())
}

/// The tools, and where to work.
struct Judge<'a> {
    tools: &'a Tools,
    warpc: &'a Path,
    work: &'a Path,
}

impl Judge<'_> {
    fn module(&self, file: &Path) -> Outcome<Found> {
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
        let name = format!("{}/{}", folder.to_string_lossy(), project::stem(file));
        let at = |ending: &str| {
            self.work
                .join(format!("{}.{ending}", name.replace('/', ".")))
        };
        let source = project::read(file)?;
        let chip = source
            .lines()
            .find_map(|line| line.strip_prefix("// arch: "))
            .unwrap_or(CHIP)
            .to_owned();
        let mut found = Found {
            name: name.clone(),
            chip,
            same: Sameness::None,
            hash: 0,
            shown: String::new(),
            wrong: Vec::new(),
        };
        let (ours, theirs) = (at("ours.ll"), at("theirs.ll"));
        if let Err(message) = self.translate(file, &ours) {
            found.wrong.push(message);
            return Ok(found);
        }
        let text = project::read(&ours)?;
        found.hash = project::hash(&code(&text));
        // The same module in MLIR's generic form.
        let (generic, from_generic) = (at("generic.mlir"), at("generic.ll"));
        let mut command = Command::new("mlir-opt-22");
        command.arg("--mlir-print-op-generic").arg(file);
        project::write(&generic, process::must("mlir-opt-22", &mut command)?)?;
        match self.translate(&generic, &from_generic) {
            Ok(()) if project::read(&from_generic)? == text => {}
            Ok(()) => found
                .wrong
                .push("the generic form says something else".into()),
            Err(message) => found.wrong.push(format!("generic form: {message}")),
        }
        reference(&source, &at("plain.mlir"), &theirs)?;
        found.same = same::compare(&ours, &theirs)?;
        if found.same == Sameness::None {
            found.wrong.push("its LLVM IR is another".into());
        }
        self.assemble(file, &at("ptx"), &mut found)?;
        if source.lines().any(|line| line.starts_with("// run:")) {
            self.run(file, &theirs, &at("llc.ptx"), &mut found)?;
        }
        Ok(found)
    }

    /// Our LLVM IR.
    fn translate(&self, file: &Path, out: &Path) -> Outcome {
        let mut command = Command::new(self.warpc);
        command
            .args(["compile", "--emit", "ll", "-o"])
            .arg(out)
            .arg(file);
        process::must("warpc compile --emit ll", &mut command).map(|_| ())
    }

    /// Our PTX, and whether ptxas takes it.
    fn assemble(&self, file: &Path, ptx: &Path, found: &mut Found) -> Outcome {
        let mut command = Command::new(self.warpc);
        command
            .args(["compile", "--arch", &found.chip, "-o"])
            .arg(ptx)
            .arg(file);
        if let Err(message) = process::must("warpc compile", &mut command) {
            found.wrong.push(message);
            return Ok(());
        }
        let bytes = project::read(ptx)?.len();
        let answer = gpu::ptxas(self.tools, &found.chip, ptx, bytes)?;
        if !answer.is_empty() {
            found.wrong.push(format!("ptxas: {answer}"));
        }
        Ok(())
    }

    /// What the kernels of a module write, from our code and from llc's.
    fn run(&self, file: &Path, theirs: &Path, ptx: &Path, found: &mut Found) -> Outcome {
        let mut llc = Command::new("llc-22");
        llc.args(["-mtriple=nvptx64-nvidia-cuda", "-mattr=+ptx83"])
            .arg(format!("-mcpu={}", found.chip))
            .arg(theirs)
            .arg("-o")
            .arg(ptx);
        process::must("llc-22", &mut llc)?;
        let chip = found.chip.as_str();
        let show = |input: &Path| {
            let mut command = Command::new(self.warpc);
            command
                .arg("run")
                .arg(input)
                // What is written is compared; the places of findings differ.
                .args(["--quiet", "--races", "off", "--arch", chip, "--cases"])
                .arg(file);
            process::capture(&mut command)
        };
        let (ours, theirs) = (show(file)?, show(ptx)?);
        if !theirs.ok {
            found
                .wrong
                .push(format!("llc's code: {}", theirs.output.trim_end()));
        } else if !ours.ok || ours.output != theirs.output {
            let (ours, theirs) = (ours.output.trim_end(), theirs.output.trim_end());
            found
                .wrong
                .push(format!("it shows\n{ours}\nand llc's code\n{theirs}"));
        }
        found.shown = theirs.output;
        Ok(())
    }
}

/// The lines that say what a module does: how declarations and metadata are printed may change.
fn code(text: &str) -> Vec<&str> {
    let other = ["declare", "attributes", "!", ";", "source_filename"];
    let lines = text.lines();
    lines
        .filter(|line| !line.is_empty() && !other.iter().any(|start| line.starts_with(start)))
        .collect()
}

/// What `mlir-translate` makes of a module. It takes no modules for a GPU inside another, and wants the operations
/// that are inline PTX lowered first.
fn reference(source: &str, plain: &Path, out: &Path) -> Outcome {
    let mut text = source.to_owned();
    let inner = source
        .lines()
        .position(|line| line.trim_start().starts_with("gpu.module @"));
    if let Some(inner) = inner {
        let lines: Vec<&str> = source.trim_end().lines().collect();
        let body = lines.get(inner + 1..lines.len() - 1).unwrap_or_default();
        text = format!("module {{\n{}\n", body.join("\n"));
    }
    project::write(plain, text)?;
    let lowered: PathBuf = plain.with_extension("lowered");
    let mut opt = Command::new("mlir-opt-22");
    opt.arg("--convert-nvvm-to-llvm")
        .arg(plain)
        .arg("-o")
        .arg(&lowered);
    process::must("mlir-opt-22", &mut opt)?;
    let mut translate = Command::new("mlir-translate-22");
    translate
        .arg("--mlir-to-llvmir")
        .arg(&lowered)
        .arg("-o")
        .arg(out);
    process::must("mlir-translate-22", &mut translate).map(|_| ())
}
