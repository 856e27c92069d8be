//! ptxas's schedules with a fault put in: a wait dropped, a stall count cut to one. What breaks a rule of the chip on
//! the way that the launch takes is found.

use crate::against_emulator::assembled;
use warpc_cubin::{Content, Cubin};
use warpc_diag::SourceFile;
use warpc_request::{Request, cases};
use warpc_sass::Control;
use warpc_sass::latency::Facts;
use warpc_sass::latency::check::{self, Pair};
use warpc_sass_sim::{Device, Options};
use warpc_testkit::gzip;
use warpc_testkit::project::{self, tests};
use warpc_testkit::scratch::Folder;

/// Modules whose launches are short, and every how many instructions a mutant is made.
const MODULES: [&str; 3] = ["vector", "scan", "reduce"];
const EVERY: usize = 2;

/// The words of a kernel's section.
fn words(cubin: &Cubin, section: usize) -> Vec<u128> {
    let bytes = cubin.sections[section].content.to_bytes();
    let words = bytes.as_chunks::<16>().0.iter();
    words.map(|word| u128::from_le_bytes(*word)).collect()
}

/// The cubin with other words in a section.
fn with_words(cubin: &Cubin, section: usize, words: &[u128]) -> Cubin {
    let mut cubin = cubin.clone();
    cubin.sections[section].content =
        Content::Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect());
    cubin
}

/// What a launch leaves in its buffers, and whether something was found.
fn run(cubin: &Cubin, request: &Request) -> (Vec<Vec<u8>>, bool) {
    let options = Options {
        limit: Some(20_000_000),
        ..Options::default()
    };
    let mut device = Device::new(cubin, options).expect("it loads");
    for buffer in &request.buffers {
        device.buffer(&buffer.bytes);
    }
    let found = device.launch(request.launch()).is_err() || !device.findings().is_empty();
    let left = (0..request.buffers.len())
        .map(|buffer| device.read(buffer))
        .collect();
    (left, found)
}

#[test]
fn damaged_schedules_are_found() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("sass-sim-mutants");
    let (mut made, mut noticed, mut broken) = (0, 0, 0);
    let mut survivors = Vec::new();
    for name in MODULES {
        let text = gzip::read_text(tests().join(format!("kernels/ptx/{name}.ptx.gz")));
        let source = SourceFile::new(format!("{name}.ptx"), text.as_str()).expect("a text");
        let module = warpc_ptx::check(&source).value.expect("a module");
        let cubin = assembled(&ptxas, &folder, name, &text);
        let sm = cubin.chip().expect("a chip");
        let facts = Facts::of(sm).expect("facts of the chip");
        let mut known = Vec::new();
        for case in cases(&source).expect("launches") {
            let request = Request::new(&module, &case.options).expect("a launch");
            let kernel = request.launch().kernel.clone();
            // One launch of a kernel will do.
            if known.contains(&kernel) {
                continue;
            }
            let (section, _) = cubin.section(&format!(".text.{kernel}")).expect("its code");
            known.push(kernel);
            let code = words(&cubin, section);
            let (expected, found) = run(&cubin, &request);
            assert!(!found, "{name}");
            for at in (0..code.len()).step_by(EVERY) {
                let control = Control::of(code[at]);
                let waits_not = Control { wait: 0, ..control };
                let stalls_not = Control {
                    stall: 1,
                    keep: true,
                    ..control
                };
                let mutants = [
                    (control.wait != 0, waits_not),
                    (control.stall > 1, stalls_not),
                ];
                for (_, mutant) in mutants.into_iter().filter(|one| one.0) {
                    let mut code = code.clone();
                    code[at] = mutant.put(code[at]);
                    let (left, found) = run(&with_words(&cubin, section, &code), &request);
                    let seen = found || left != expected;
                    made += 1;
                    noticed += usize::from(seen);
                    // What straight code shows to be a fault, where the launch gets there.
                    let faults = check::faults(facts, &check::lines(sm, &code));
                    let reached = faults.iter().find(|fault| {
                        // A word that is not an instruction ends the run where it is reached.
                        let mut code = code.clone();
                        code[fault.to] = 0;
                        !seen && run(&with_words(&cubin, section, &code), &request).1
                    });
                    if let Some(fault) = reached {
                        let Pair { from, to, .. } = fault;
                        let kernel = &request.launch().kernel;
                        survivors.push(format!("{kernel}: {:#x} and {:#x}", from * 16, to * 16));
                    }
                    if !faults.is_empty() && (seen || reached.is_some()) {
                        broken += 1;
                    }
                }
            }
        }
    }
    println!("{made} mutants, {noticed} noticed; {broken} break a rule where they are run");
    assert!(broken > 50);
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}
