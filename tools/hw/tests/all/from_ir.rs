//! The kernel suite from clang's LLVM IR: compiled by us and run on the emulator, it must leave what
//! nvcc's build of the same sources left on an H200.

use warpc::Source;
use warpc_hw::kernels::record::{Ran, Record};
use warpc_hw::kernels::{Case, File, Suite, report, run};
use warpc_sim::Options;
use warpc_testkit::gzip;
use warpc_testkit::project::tests;

/// Our PTX of a module, with launches.
fn compiled(name: &str, chip: &str, ll: &str, launches: &str) -> Result<File, String> {
    let source = Source::of_kind(warpc::Kind::Llvm, format!("{name}.ll"), ll);
    let source = source.map_err(|error| error.to_string())?;
    let sm = chip.parse().map_err(|_| "no such chip")?;
    let made = warpc::compile(&source, &warpc::Options::new(sm));
    let Some(ptx) = made.value else {
        let first = made.diagnostics.first_error();
        return Err(first.map_or_else(String::new, |error| error.message.clone()));
    };
    File::new(name, &format!("{launches}{ptx}"))
}

#[test]
fn kernels_from_ir_leave_what_nvccs_build_left_on_hardware() {
    let suite = Suite::read(&tests().join("kernels/ptx")).expect("the suite can be read");
    let bytes = std::fs::read(tests().join("hardware/kernels.tsv.gz")).expect("answers are there");
    let record = Record::read(&bytes).expect("a file of answers");
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    let (mut files, mut launches) = (0, 0);
    for nvcc in &suite.files {
        let path = tests().join(format!("kernels/ll/{}.ll.gz", nvcc.name));
        // clang cannot compile some of the sources.
        if !path.exists() {
            continue;
        }
        let ll = gzip::read_text(path);
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
            let sim = run::on_sim(&module, case, options);
            let difference = match record.answer(nvcc, of_nvcc) {
                Ok(gpu) => report::difference(gpu, &sim),
                Err(reason) => Some(reason),
            };
            problems.extend(difference.map(|text| format!("{} {}: {text}", file.name, case.text)));
        }
    }
    println!(
        "{files} files, {launches} launches, {} files refused",
        refused.len()
    );
    println!("{}", refused.join("\n"));
    assert!(files >= 37, "{files} files");
    let count = problems.len();
    problems.truncate(60);
    assert!(
        problems.is_empty(),
        "{count} problems:\n{}",
        problems.join("\n")
    );
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
}

/// Whether two buffers hold nearly the same numbers of a type, as far as they are kept.
fn near(ty: &str, theirs: &[u8], ours: &[u8]) -> bool {
    let read = |bytes: &[u8]| -> Vec<f32> {
        let short = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        match ty {
            "f32" => bytes
                .chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect(),
            "bf16" => bytes
                .chunks_exact(2)
                .map(|b| f32::from_bits(u32::from(short(b)) << 16))
                .collect(),
            // Scaling by 2^112 puts the exponent of a half in the place of a float's, denormals included.
            _ => bytes
                .chunks_exact(2)
                .map(|b| {
                    let bits = u32::from(short(b));
                    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * 2f32.powi(112);
                    if bits & 0x8000 == 0 {
                        magnitude
                    } else {
                        -magnitude
                    }
                })
                .collect(),
        }
    };
    let slack = match ty {
        "f32" => 2f32.powi(-18),
        "bf16" => 2f32.powi(-7),
        _ => 2f32.powi(-10),
    };
    let pairs = read(theirs).into_iter().zip(read(ours));
    pairs
        .into_iter()
        .all(|(a, b)| (a - b).abs() <= slack * a.abs().max(b.abs()).max(1e-3))
}

/// How two runs differ beyond rounding: Triton has LLVM fuse products and sums that nothing in the IR
/// allows to be fused, so ours are rounded once more.
fn difference(launch: &str, theirs: &Ran, ours: &Ran) -> Option<String> {
    let text = report::difference(theirs, ours)?;
    let (Ok(a), Ok(b)) = (&theirs.outcome, &ours.outcome) else {
        return Some(text);
    };
    let types = launch
        .split("--arg ")
        .filter_map(|arg| arg.split_once('['))
        .map(|(ty, _)| ty);
    let mut buffers = types.zip(a.iter().zip(b));
    let same = buffers.all(|(ty, (a, b))| {
        a.same(b) || a.length == b.length && ty.contains('f') && near(ty, &a.first, &b.first)
    });
    (!same).then_some(text)
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
            gzip::read_text(path)
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
            Ok::<_, String>(run::on_sim(&module, &file.cases[0], options))
        });
        count += 1;
        match ran {
            [Ok(theirs), Ok(ours)] => {
                problems.extend(
                    difference(launch, &theirs, &ours).map(|text| format!("{name}: {text}")),
                );
            }
            [Err(message), _] | [_, Err(message)] => problems.push(format!("{name}: {message}")),
        }
    }
    assert!(count >= 15, "{count} kernels");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
