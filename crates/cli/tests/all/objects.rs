//! Relocatable objects: programs of two files, each assembled by ours and by ptxas, linked by nvlink in all four mixtures and
//! run on the emulator of machine code. All mixtures give what ptxas's two objects give.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn succeed(command: &mut Command, what: &str) {
    let output = run(command);
    assert!(
        output.status.success(),
        "{what}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn warpc() -> Command {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
}

/// What a kernel of a linked program prints and leaves in its buffer, without how long it took.
fn result(folder: &Path, cubin: &str, kernel: &str) -> String {
    let mut command = warpc();
    let words = [
        "run",
        cubin,
        "--kernel",
        kernel,
        "--grid",
        "2",
        "--block",
        "32",
        "--shared",
        "256",
        "--arg",
        "u32[256]=iota",
        "--print",
        "0",
        "--limit",
        "100000000",
    ];
    let output = run(command.args(words).current_dir(folder));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{cubin}: {text}");
    let end = text.find("thread instructions").unwrap_or(text.len());
    text.truncate(end);
    text
}

/// The lines that the code of each function of an object comes from.
fn lines(nvdisasm: &Path, folder: &Path, object: &str) -> BTreeSet<(String, String)> {
    let mut command = Command::new(nvdisasm);
    let listing = run(command.args(["-g", "-c", object]).current_dir(folder));
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let mut function = String::new();
    let mut all = BTreeSet::new();
    for line in listing.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".section\t.text.") {
            function = rest.split(',').next().unwrap_or_default().to_owned();
        }
        if let Some(place) = line.strip_prefix("//## File ") {
            let place = place.split(" inlined").next().unwrap_or(place);
            all.insert((function.clone(), place.to_owned()));
        }
    }
    all
}

#[test]
fn objects_link_with_those_of_ptxas() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let tool = |name: &str| ptxas.with_file_name(name);
    let sources = project::files(&project::tests().join("objects"), &[".a.cu"]);
    assert!(sources.len() >= 15, "programs of two files");
    for source in sources {
        let folder = Folder::new("objects");
        let name = project::stem(&source);
        let name = name.trim_end_matches(".a");
        let mut kernels = vec!["k"];
        for part in ["a", "b"] {
            let source: PathBuf = source.with_file_name(format!("{name}.{part}.cu"));
            let text = std::fs::read_to_string(&source).expect("a source");
            if text.contains("void k2(") {
                kernels.push("k2");
            }
            let ptx = format!("{part}.ptx");
            let mut nvcc = Command::new(tool("nvcc"));
            nvcc.args([
                "-std=c++17",
                "-arch=compute_90",
                "-rdc=true",
                "-lineinfo",
                "-ptx",
            ]);
            nvcc.arg(&source).args(["-o", &ptx]);
            succeed(nvcc.current_dir(folder.path()), name);
            for (mut program, letter, flags) in [
                (Command::new(&ptxas), "p", ["-O3"].as_slice()),
                (Command::new(&ptxas), "l", &["-O3", "-lineinfo"]),
                (warpc(), "w", &["-O3"]),
                (warpc(), "s", &["-O0", "-lineinfo"]),
            ] {
                if matches!(letter, "w" | "s") {
                    program.arg("ptxas");
                }
                let object = format!("{part}.{letter}.o");
                program.args(["-arch=sm_90", "-c", &ptx, "-o", &object]);
                program.args(flags);
                succeed(program.current_dir(folder.path()), name);
            }
            let nvdisasm = tool("nvdisasm");
            let lines = |letter| lines(&nvdisasm, folder.path(), &format!("{part}.{letter}.o"));
            assert_eq!(lines("s"), lines("l"), "{name}: lines of {part}");
            let mut check = warpc();
            check.args(["check", &format!("{part}.w.o")]);
            succeed(check.current_dir(folder.path()), name);
        }
        let mut wanted: Vec<String> = Vec::new();
        for mixture in ["pp", "wp", "pw", "ww", "ss", "sp", "ps", "sl", "ls"] {
            let (a, b) = mixture.split_at(1);
            let cubin = format!("{mixture}.cubin");
            let mut nvlink = Command::new(tool("nvlink"));
            nvlink.args(["-arch=sm_90", &format!("a.{a}.o"), &format!("b.{b}.o")]);
            nvlink.args(["-o", &cubin]);
            succeed(nvlink.current_dir(folder.path()), name);
            // What our objects say of lines is there after linking.
            if mixture.contains('s') {
                let mut nvdisasm = Command::new(tool("nvdisasm"));
                let listing = run(nvdisasm.args(["-g", &cubin]).current_dir(folder.path()));
                let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
                for (letter, part) in [(a, "a"), (b, "b")] {
                    let named = listing.contains(&format!("{name}.{part}.cu\", line "));
                    assert!(named || letter != "s", "{name}, {mixture}: lines of {part}");
                }
            }
            let results = kernels
                .iter()
                .map(|kernel| result(folder.path(), &cubin, kernel));
            let results: Vec<String> = results.collect();
            if mixture == "pp" {
                wanted = results;
            } else {
                assert_eq!(results, wanted, "{name}, {mixture}");
            }
        }
    }
}
