//! The kernel suite from clang's LLVM IR: compiled by us and run on the emulator, it must leave what
//! nvcc's build of the same sources left on an H200.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::PathBuf;
use warpc_diag::{Severity, SourceFile};
use warpc_hw::kernels::record::Record;
use warpc_hw::kernels::{Case, File, Suite, report, run};
use warpc_nvvm::NvvmOptions;
use warpc_pipeline::{CompileOptions, compile_llvm};
use warpc_sim::Options;

/// Launches of kernels that clang leaves without a function they call: it has no `dp4a`, and no `new`
/// for the GPU.
const UNDEFINED: usize = 9;

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// Our PTX of a module, with launches.
fn compiled(name: &str, chip: &str, ll: &str, launches: &str) -> Result<File, String> {
    let file = SourceFile::new(format!("{name}.ll"), ll).ok_or("the text is too long")?;
    let sm = chip.parse().map_err(|_| "no such chip")?;
    let options = CompileOptions::new(sm);
    let made = compile_llvm(&file, NvvmOptions::default(), options, &mut |_, _| {});
    let errors = made.diagnostics.as_slice().iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    let Some(module) = made.module else {
        return Err(errors
            .next()
            .map_or_else(String::new, |d| d.message.clone()));
    };
    File::new(name, &format!("{launches}{}", warpc_ptx::print(&module)))
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes)
        .read_to_string(&mut text)
        .expect("compressed text");
    text
}

#[test]
fn kernels_from_ir_leave_what_nvccs_build_left_on_hardware() {
    let suite = Suite::read(&tests().join("kernels/ptx")).expect("the suite can be read");
    let bytes = std::fs::read(tests().join("hardware/kernels.tsv.gz")).expect("answers are there");
    let record = Record::read(&bytes).expect("a file of answers");
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    let (mut files, mut launches, mut undefined) = (0, 0, 0);
    for nvcc in &suite.files {
        let path = tests().join(format!("kernels/ll/{}.ll.gz", nvcc.name));
        // clang cannot compile some of the sources.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let ll = unpacked(&bytes);
        files += 1;
        let launches_of = |case: &Case| format!("// run: {}\n", case.text);
        let flags: String = nvcc.cases.iter().map(launches_of).collect();
        let file = match compiled(&nvcc.name, "sm_90", &ll, &flags) {
            Ok(file) => file,
            Err(message) => {
                refused.push(format!("{}: {message}", nvcc.name));
                continue;
            }
        };
        let module = match file.module() {
            Ok(module) => module,
            Err(message) => {
                problems.push(message);
                continue;
            }
        };
        for (case, of_nvcc) in file.cases.iter().zip(&nvcc.cases) {
            launches += 1;
            let options = Options {
                jobs: 1,
                ..Options::default()
            };
            let sim = run::on_sim(&file, &module, case, options);
            let difference = match record.answer(nvcc, of_nvcc) {
                Ok(gpu) => report::difference(gpu, &sim),
                Err(reason) => Some(reason),
            };
            if let Err(found) = &sim.outcome
                && found.contains("but nothing defines it")
            {
                undefined += 1;
                continue;
            }
            problems.extend(difference.map(|text| format!("{} {}: {text}", file.name, case.text)));
        }
    }
    println!(
        "{files} files, {launches} launches, {} files refused",
        refused.len()
    );
    println!("{}", refused.join("\n"));
    assert!(files >= 37, "{files} files");
    assert_eq!(undefined, UNDEFINED, "launches without a function");
    let count = problems.len();
    problems.truncate(60);
    assert!(
        problems.is_empty(),
        "{count} problems:\n{}",
        problems.join("\n")
    );
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
}

/// Triton's kernels: the PTX that Triton makes, and ours of the LLVM IR that it makes it from.
#[test]
fn tritons_kernels_leave_what_tritons_own_ptx_leaves() {
    let dir = tests().join("kernels");
    let launches = std::fs::read_to_string(dir.join("triton.tsv")).expect("launches are there");
    let mut problems = Vec::new();
    let mut count = 0;
    for (name, launch) in launches
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
    {
        let read = |ending: &str| {
            let path = dir.join(format!("triton/{name}.{ending}.gz"));
            unpacked(&std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        };
        let flags = format!("// run: {launch}\n");
        let theirs = File::new(name, &(flags.clone() + &read("ptx")));
        let ours = compiled(name, "sm_80", &read("ll"), &flags);
        let ran = [theirs, ours].map(|file| {
            let file = file?;
            let module = file.module()?;
            let options = Options {
                jobs: 1,
                ..Options::default()
            };
            Ok::<_, String>(run::on_sim(&file, &module, &file.cases[0], options))
        });
        count += 1;
        match ran {
            [Ok(theirs), Ok(ours)] => {
                problems.extend(
                    report::difference(&theirs, &ours).map(|text| format!("{name}: {text}")),
                );
            }
            [Err(message), _] | [_, Err(message)] => problems.push(format!("{name}: {message}")),
        }
    }
    assert!(count >= 15, "{count} kernels");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
