//! The kernels of `tests/kernels` and the correct twins of `tests/findings`, run with strong and with weak memory.

use std::collections::BTreeSet;
use std::path::Path;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_ptx::Module;
use warpc_request::{After, Case, Request, cases};
use warpc_sim::{Device, MemoryModel, Options, Races};
use warpc_testkit::{gzip, project};

/// A file of kernels with the launches of each.
pub struct Suite {
    pub name: String,
    pub text: String,
    pub cases: Vec<Case>,
}

/// Launches that bring a kernel to its end: those of a file, of these kernels only.
fn suite(name: &str, text: String, launches: &Path, is_wanted: impl Fn(&Case) -> bool) -> Suite {
    let source = std::fs::read_to_string(launches).expect("a source");
    let source = SourceFile::new(launches.to_string_lossy(), source).expect("a short text");
    let all = cases(&source).expect("launches").into_iter();
    Suite {
        name: name.to_owned(),
        text,
        cases: all.filter(is_wanted).collect(),
    }
}

/// All files; `WARPC_WEAK_FILES` names those to take instead of the given ones.
pub fn suites(usual: Option<&[&str]>) -> Vec<Suite> {
    let chosen = std::env::var("WARPC_WEAK_FILES").ok();
    let is_taken = |name: &str| match (&chosen, usual) {
        (Some(chosen), _) => chosen == "all" || chosen.split(',').any(|one| one == name),
        (None, Some(usual)) => usual.contains(&name),
        (None, None) => true,
    };
    let folder = project::root().join("tests");
    let mut all = Vec::new();
    for path in files(&folder.join("kernels/ptx"), ".ptx.gz") {
        let name = stem(&path);
        if is_taken(&name) {
            let launches = folder.join(format!("kernels/cuda/{name}.cu"));
            all.push(suite(&name, gzip::read_text(&path), &launches, |_| true));
        }
    }
    for path in files(&folder.join("kernels/copies"), ".ptx") {
        let name = stem(&path);
        if is_taken(&name) {
            let text = std::fs::read_to_string(&path).expect("a text");
            all.push(suite(&name, text, &path, |_| true));
        }
    }
    for tool in ["nvcc", "clang"] {
        for path in files(&folder.join("findings").join(tool), ".ptx.gz") {
            let name = stem(&path);
            let launches = folder.join(format!("findings/{name}.cu"));
            if is_taken(&format!("{tool}-{name}")) && launches.exists() {
                let is_right = |case: &Case| {
                    let kernel = case.options.kernel.as_deref();
                    kernel.is_some_and(|kernel| kernel.ends_with("_ok"))
                };
                let name = format!("{tool}-{name}");
                all.push(suite(&name, gzip::read_text(&path), &launches, is_right));
            }
        }
    }
    assert!(!all.is_empty());
    all
}

fn files(folder: &Path, end: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut all: Vec<_> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.to_string_lossy().ends_with(end))
        .collect();
    all.sort();
    all
}

fn stem(path: &Path) -> String {
    let name = path.file_name().expect("a name").to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// A module; none if it is not right.
pub fn load(text: &str) -> Option<Module> {
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    warpc_ptx::check(&file).value
}

/// How a launch ended: what is shown of memory and what was printed, or the finding.
pub type End = Result<Vec<Vec<u8>>, String>;

fn finding(found: &Diagnostics) -> Option<String> {
    let first = found.first_error().or(found.as_slice().first())?;
    Some(format!("{} {}", first.code.0, first.message))
}

/// Carries out a case: all its launches, on the same memory. With strong memory races are looked for.
pub fn run(module: &Module, case: &Case, memory: MemoryModel, seed: u64, limit: u64) -> End {
    run_with(module, case, (memory, Races::All), seed, limit)
}

fn run_with(
    module: &Module,
    case: &Case,
    (memory, races): (MemoryModel, Races),
    seed: u64,
    limit: u64,
) -> End {
    let request = Request::new(module, &case.options);
    let request = request.map_err(|found| finding(&found).unwrap_or_default())?;
    let options = Options {
        seed,
        memory,
        jobs: 1,
        limit: Some(limit),
        races,
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    for buffer in &request.buffers {
        device.named_buffer(&buffer.words(), &buffer.bytes);
    }
    for (number, buffer) in request.buffers.iter().enumerate() {
        let mut bytes = buffer.bytes.clone();
        for &(offset, target) in &buffer.addresses {
            let address = device.address(target).unwrap_or(0);
            bytes[offset..offset + 8].copy_from_slice(&address.to_le_bytes());
        }
        device.write(number, &bytes);
    }
    let mut shown = Vec::new();
    for step in &request.steps {
        for one in &step.assigned {
            assert!(device.set_variable(&one.variable, &one.bytes));
        }
        match device.launch(&step.launch) {
            Err(found) => return Err(finding(&found).unwrap_or_default()),
            Ok(report) => {
                if let Some(warning) = finding(&report.warnings) {
                    return Err(warning);
                }
            }
        }
        let variable = |name: &str| (name.to_owned(), device.variable(name).unwrap_or_default());
        let after = After {
            buffers: (0..request.buffers.len())
                .map(|one| device.read(one))
                .collect(),
            variables: step.variables().into_iter().map(variable).collect(),
        };
        if !step.differences(&after).is_empty() {
            return Err("W0706 a result is not the expected one".to_owned());
        }
        for one in &step.shown {
            shown.push(after.bytes(&one.memory).to_vec());
        }
        shown.push(device.output().to_vec());
        if step.shown.is_empty() {
            shown.extend(after.buffers);
        }
    }
    Ok(shown)
}

/// The results of a case with strong memory; none if it has a finding.
pub fn right(module: &Module, case: &Case, limit: u64) -> Option<BTreeSet<Vec<Vec<u8>>>> {
    let how = (MemoryModel::Strong, Races::Off);
    let ends = (0..3).map(|seed| run_with(module, case, how, seed, limit).ok());
    ends.collect()
}

/// A number from the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().expect("a number"))
}
