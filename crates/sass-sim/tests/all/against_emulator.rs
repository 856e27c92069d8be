//! ptxas's machine code against the emulator of PTX: all buffers that a launch leaves are the same, and nothing in
//! ptxas's schedules is found. Without the reference tools this is skipped.

use std::path::Path;
use std::process::Command;
use warpc_cubin::Cubin;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_request::{Request, cases};
use warpc_sass_sim::{Device, Options};
use warpc_testkit::gzip;
use warpc_testkit::project::{self, entries, tests};
use warpc_testkit::scratch::Folder;

/// Thread instructions of the longest launch that is compared.
const LIMIT: u64 = 20_000_000;

pub(crate) fn first(diagnostics: &Diagnostics) -> String {
    let first = diagnostics.as_slice().first();
    first.map_or_else(String::new, |one| one.message.clone())
}

/// The cubin that ptxas makes of a text.
pub(crate) fn assembled(ptxas: &Path, folder: &Folder, name: &str, text: &str) -> Cubin {
    assembled_with(ptxas, folder, name, text, &[])
}

/// The same with options.
pub(crate) fn assembled_with(
    ptxas: &Path,
    folder: &Folder,
    name: &str,
    text: &str,
    options: &[&str],
) -> Cubin {
    let from = folder.file(format!("{name}.ptx"), text);
    let to = folder.join(format!("{name}.cubin"));
    let mut command = Command::new(ptxas);
    command.args(["-arch", "sm_90a", "-o"]).arg(&to);
    command.args(options).arg(&from);
    let output = command.output().expect("ptxas runs");
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Cubin::read(&std::fs::read(to).expect("a cubin")).expect("a cubin")
}

/// What came of the launches of a module.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) agreed: usize,
    long: usize,
    pub(crate) wrong: Vec<String>,
}

/// Runs the launches of a text on both.
fn compare(ptxas: &Path, folder: &Folder, name: &str, text: &str, seen: &mut Seen) {
    compare_with(ptxas, folder, name, text, &[], seen);
}

/// The same with options for ptxas.
pub(crate) fn compare_with(
    ptxas: &Path,
    folder: &Folder,
    name: &str,
    text: &str,
    options: &[&str],
    seen: &mut Seen,
) {
    let source = SourceFile::new(format!("{name}.ptx"), text).expect("a text");
    let module = warpc_ptx::check(&source).value.expect("a module");
    let cubin = assembled_with(ptxas, folder, name, text, options);
    for (number, case) in cases(&source).expect("launches").iter().enumerate() {
        let request = Request::new(&module, &case.options).expect("a launch");
        let kernel = &request.launch().kernel;
        let options = warpc_sim::Options {
            jobs: 1,
            limit: Some(LIMIT),
            ..Default::default()
        };
        let mut emulator = warpc_sim::Device::new(&module, options);
        let timed = Options {
            limit: Some(3 * LIMIT),
            ..Options::default()
        };
        let mut device =
            Device::new(&cubin, timed).unwrap_or_else(|why| panic!("{name}: {}", first(&why)));
        for buffer in &request.buffers {
            emulator.buffer(&buffer.bytes);
            device.buffer(&buffer.bytes);
        }
        let what = format!("{name} {number}, {kernel}");
        let expected = emulator.launch(request.launch());
        if expected
            .as_ref()
            .is_err_and(|why| first(why).contains("thread instructions"))
        {
            seen.long += 1;
            continue;
        }
        match (expected, device.launch(request.launch())) {
            (Ok(_), Ok(report)) => {
                let differs = (0..request.buffers.len())
                    .find(|buffer| emulator.read(*buffer) != device.read(*buffer));
                if emulator.output() != device.output() {
                    seen.wrong.push(format!("{what}: other text was printed"));
                }
                if let Some(buffer) = differs {
                    seen.wrong.push(format!("{what}: buffer {buffer} differs"));
                }
                if let Some(finding) = report.findings.first() {
                    seen.wrong.push(format!(
                        "{what} at {:#x}: {}",
                        finding.place,
                        finding.problem.message()
                    ));
                }
                seen.agreed += usize::from(differs.is_none() && report.findings.is_empty());
            }
            (Err(_), Err(_)) => seen.agreed += 1,
            (Ok(_), Err(why)) => seen.wrong.push(format!("{what}: {}", first(&why))),
            (Err(why), Ok(_)) => seen
                .wrong
                .push(format!("{what}: only the emulator fails, {}", first(&why))),
        }
    }
}

#[test]
fn kernels_of_ptxas_leave_what_the_emulator_leaves() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("sass-sim-against-emulator");
    let mut seen = Seen::default();
    for path in entries(&tests().join("kernels/ptx")) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = name.trim_end_matches(".gz").trim_end_matches(".ptx");
        compare(&ptxas, &folder, name, &gzip::read_text(&path), &mut seen);
    }
    println!(
        "{} launches agree, {} take too long",
        seen.agreed, seen.long
    );
    assert!(seen.wrong.is_empty(), "{}", seen.wrong.join("\n"));
    assert!(seen.agreed > 400);
}
