//! Real modules, linked by us and by `llvm-link` 22: neighbours in the corpus, modules of
//! different producers, and libdevice with what calls it.
//!
//! ```text
//! a.ll, b.ll ─ llvm-link ─────────────────────────────► text ┐
//!      └─ read ─ link ─ print ─ llvm-as ─ llvm-dis ────► text ┴─ the same canonical form?
//! ```
//!
//! `WARPC_CORPUS_DIR` and `WARPC_ORACLE_DIR` say where corpus and toolkit lie; without them nothing is compared. A
//! few pairs of every producer and build are linked, all with `WARPC_LINK_ALL=1`.

use super::{difference, linked, read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc_nvvm::link::{drop_unused, internalize};
use warpc_nvvm::module::{GlobalId, GlobalKind, Linkage};
use warpc_nvvm::{Module, print, upgrade_intrinsics};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// Pairs of one producer and build.
const PAIRS_EACH: usize = 8;
/// Pairs of different producers.
const PAIRS_MIXED: usize = 80;
/// Modules that are linked with libdevice.
const WITH_LIBDEVICE: usize = 60;
/// Modules of one producer and build whose unused parts are dropped.
const DROPPED_EACH: usize = 3;
/// Flags, dealt out to the pairs in turn.
const FLAGS: [&[&str]; 4] = [
    &[],
    &["--only-needed"],
    &["--internalize"],
    &["--only-needed", "--internalize"],
];

/// A module of the corpus.
#[derive(Clone)]
struct Real {
    path: PathBuf,
    /// Which of LLVM's readers takes it: `22`, or `14`, or `23` for one that LLVM 22 cannot read.
    reader: String,
}

fn corpus() -> Option<Vec<Real>> {
    let folder = project::corpus()?;
    let manifest = std::fs::read_to_string(folder.join("ll/manifest.tsv")).expect("./x corpus ll/");
    let mut lines = manifest.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).expect("a column");
    let (path, reader, verdict) = (column("path"), column("reader"), column("verdict"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[verdict] == "accept").then(|| Real {
            path: folder.join(cells[path]),
            reader: cells[reader].into(),
        })
    };
    let mut modules: Vec<Real> = lines.filter_map(row).collect();
    modules.sort_by(|a, b| a.path.cmp(&b.path));
    Some(modules)
}

fn all() -> bool {
    std::env::var_os("WARPC_LINK_ALL").is_some()
}

/// As many of the items as asked for, spread over all of them.
fn spread<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    match all() || items.len() <= count {
        true => items.to_vec(),
        false => (0..count)
            .map(|n| items[n * items.len() / count].clone())
            .collect(),
    }
}

/// Runs `work` on every item, with a folder for its files, and fails if any of them is not as it should be.
fn each<T: Sync>(items: &[T], work: impl Fn(&T, &Path) -> Result<(), String> + Sync) {
    let folder = Folder::new("link");
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let folder = folder.join(format!("{:?}-{at}", std::thread::current().id()));
                    std::fs::create_dir_all(&folder).expect("a folder of our own");
                    if let Err(message) = work(item, &folder) {
                        let short = |line: &str| line.chars().take(300).collect::<String>();
                        let lines: Vec<String> = message.lines().take(4).map(short).collect();
                        wrong.lock().expect("no panic here").push(lines.join("\n"));
                    }
                    std::fs::remove_dir_all(&folder).ok();
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic here");
    println!(
        "{} of {} as LLVM's tools",
        items.len() - wrong.len(),
        items.len()
    );
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// A file that LLVM 22 can read with what we read from the original, and that.
fn for_llvm(real: &Real, to: &Path) -> Result<(PathBuf, Module), String> {
    let bytes = std::fs::read(&real.path).map_err(|e| e.to_string())?;
    let module = read(&real.path.display().to_string(), bytes)?;
    let file = match real.reader.as_str() {
        // As text, for `llvm-link` reads bitcode bit by bit and does not upgrade all of that.
        "14" => {
            let bitcode = to.with_extension("bc");
            run(Command::new("llvm-as-14")
                .arg("-o")
                .arg(&bitcode)
                .arg(&real.path))?;
            run(Command::new("llvm-dis-22").arg("-o").arg(to).arg(&bitcode))?;
            to.to_path_buf()
        }
        // Our print of it, which `./x ll same` holds to be the same.
        "23" => {
            std::fs::write(to, print(&module)).map_err(|e| e.to_string())?;
            to.to_path_buf()
        }
        _ => real.path.clone(),
    };
    Ok((file, module))
}

/// What LLVM 22 reads in our text.
fn as_llvm_reads(text: &str, folder: &Path) -> Result<String, String> {
    let (file, bitcode) = (folder.join("ours.ll"), folder.join("ours.bc"));
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    run(Command::new("llvm-as-22")
        .arg("-o")
        .arg(&bitcode)
        .arg(&file))
    .map_err(|e| format!("LLVM refuses our text: {e}"))?;
    let printed = run(Command::new("llvm-dis-22").args(["-o", "-"]).arg(&bitcode))?;
    Ok(String::from_utf8_lossy(&printed.stdout).into_owned())
}

/// `llvm-link`'s and our verdict and module.
fn compare(
    files: &[PathBuf],
    modules: Vec<Module>,
    flags: &[&str],
    folder: &Path,
) -> Result<(), String> {
    let mut command = Command::new("llvm-link-22");
    command.args(["-S", "--suppress-warnings", "-o", "-"]);
    let theirs = run(command.args(flags).args(files));
    let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
    match (linked(modules, &flags), theirs) {
        (Err(_), Err(_)) => Ok(()),
        (Err(message), Ok(_)) => Err(format!("refused: {message}")),
        (Ok(_), Err(message)) => Err(format!("llvm-link refuses: {message}")),
        (Ok(text), Ok(theirs)) => {
            let ours = as_llvm_reads(&text, folder)?;
            let theirs = String::from_utf8_lossy(&theirs.stdout);
            difference(&ours, &theirs).map_or(Ok(()), Err)
        }
    }
}

/// Links pairs, each with the next of the [`FLAGS`].
fn compare_pairs(pairs: &[[&Real; 2]]) {
    let pairs: Vec<(usize, &[&Real; 2])> = pairs.iter().enumerate().collect();
    each(&pairs, |(n, pair), folder| {
        let flags = FLAGS[n % FLAGS.len()];
        let named = |text: String| {
            let names = pair.map(|real| real.path.display().to_string());
            format!("{} {}:\n{text}", names.join(" "), flags.join(" "))
        };
        let mut files = Vec::new();
        let mut modules = Vec::new();
        for (real, name) in pair.iter().zip(["a.ll", "b.ll"]) {
            let (file, module) = for_llvm(real, &folder.join(name)).map_err(named)?;
            files.push(file);
            modules.push(module);
        }
        compare(&files, modules, flags, folder).map_err(named)
    });
}

#[test]
fn neighbours_in_the_corpus_link_as_llvm_link_does() {
    let Some(modules) = corpus() else { return };
    let mut pairs = Vec::new();
    for build in modules.chunk_by(|a, b| a.path.parent() == b.path.parent()) {
        let neighbours: Vec<[&Real; 2]> = build.windows(2).map(|p| [&p[0], &p[1]]).collect();
        pairs.extend(spread(&neighbours, PAIRS_EACH));
    }
    assert!(pairs.len() > 100, "{} pairs", pairs.len());
    compare_pairs(&pairs);
}

/// Modules of all producers with those of all others: old dialects with new ones, hosts with devices.
#[test]
fn modules_of_different_producers_link_as_llvm_link_does() {
    let Some(modules) = corpus() else { return };
    // A step that has nothing to do with how many modules a producer has made.
    let step = modules.len() * 3 / 8;
    let at = |n: usize| &modules[n % modules.len()];
    let pairs: Vec<[&Real; 2]> = (0..modules.len()).map(|n| [at(n), at(n + step)]).collect();
    compare_pairs(&spread(&pairs, PAIRS_MIXED));
}

/// NVIDIA's library of mathematical functions, from the toolkit, as text.
fn libdevice() -> Option<String> {
    let tools = project::reference_tools()?;
    let versions = project::entries(&tools.join("cuda13/lib"));
    let inside = "site-packages/nvidia/cu13/nvvm/libdevice/libdevice.10.bc";
    let mut files = versions.iter().map(|version| version.join(inside));
    let file = files
        .find(|file| file.is_file())
        .expect("libdevice is in the toolkit");
    let text = run(Command::new("llvm-dis-22").args(["-o", "-"]).arg(file)).expect("LLVM reads it");
    Some(String::from_utf8_lossy(&text.stdout).into_owned())
}

#[test]
fn libdevice_links_as_llvm_link_does() {
    let (Some(modules), Some(text)) = (corpus(), libdevice()) else {
        return;
    };
    let calls = |real: &Real| {
        let text = std::fs::read_to_string(&real.path).unwrap_or_default();
        let library = |line: &str| line.contains("@__nv_") || line.contains("@\"__nv_");
        text.lines()
            .any(|line| line.starts_with("declare ") && library(line))
    };
    let callers: Vec<Real> = modules.into_iter().filter(calls).collect();
    let callers = spread(&callers, WITH_LIBDEVICE);
    assert!(
        callers.len() >= 20,
        "{} modules call libdevice",
        callers.len()
    );
    let library = read("libdevice.ll", text.as_str()).expect("we read libdevice");
    each(&callers, |real, folder| {
        let named = |text: String| format!("{}:\n{text}", real.path.display());
        let file = folder.join("libdevice.ll");
        std::fs::write(&file, &text).map_err(|e| e.to_string())?;
        let (caller, module) = for_llvm(real, &folder.join("a.ll")).map_err(named)?;
        let files = [caller, file];
        let modules = vec![module, library.clone()];
        let flags = ["--only-needed", "--internalize"];
        compare(&files, modules, &flags, folder).map_err(named)
    });
}

/// Every other definition stays visible, the rest becomes internal and goes if nothing needs it.
#[test]
fn internalizing_and_dropping_real_modules_do_as_opt_does() {
    let Some(modules) = corpus() else { return };
    let mut chosen = Vec::new();
    for build in modules.chunk_by(|a, b| a.path.parent() == b.path.parent()) {
        chosen.extend(spread(build, DROPPED_EACH));
    }
    each(&chosen, |real, folder| {
        let named = |text: String| format!("{}:\n{text}", real.path.display());
        let (file, mut module) = for_llvm(real, &folder.join("a.ll")).map_err(named)?;
        upgrade_intrinsics(&mut module);
        let visible = |id: &GlobalId| {
            let global = &module.globals[*id];
            let name = global.name.map(|name| module.names.bytes(name).to_vec());
            let defined = match &global.kind {
                GlobalKind::Function(function) => function.body.is_some(),
                GlobalKind::Variable(variable) => variable.init.is_some(),
                _ => true,
            };
            name.filter(|_| defined && global.linkage == Linkage::External)
        };
        let names: Vec<Vec<u8>> = module.order.iter().filter_map(visible).collect();
        let kept: Vec<Vec<u8>> = names.into_iter().step_by(2).collect();
        let list = folder.join("kept.txt");
        std::fs::write(&list, kept.join(&b'\n')).map_err(|e| e.to_string())?;
        let opt = |flags: &[&str], file: &Path| {
            let mut command = Command::new("opt-22");
            command.args(["-S", "-o", "-"]).args(flags).arg(file);
            let text = run(&mut command).map_err(named)?.stdout;
            Ok::<_, String>(String::from_utf8_lossy(&text).into_owned())
        };
        let list = format!("-internalize-public-api-file={}", list.display());
        let theirs = opt(&["-passes=internalize,globaldce", &list], &file)?;
        internalize(&mut module, |name| kept.iter().any(|kept| kept == name));
        drop_unused(&mut module);
        let ours = folder.join("ours.ll");
        let text = as_llvm_reads(&print(&module), folder).map_err(named)?;
        std::fs::write(&ours, text).map_err(|e| e.to_string())?;
        // Through the same program, for its reader takes types with one identifier for one.
        let ours = opt(&[], &ours)?;
        difference(&ours, &theirs).map_or(Ok(()), |text| Err(named(text)))
    });
}
