//! `warpc run` on machine code: cubins, fatbins and assembly texts; what is wrong with an input is said, and nothing hangs.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::project::{self, tests};
use warpc_testkit::scratch::Folder;
use warpc_testkit::{gzip, random::Random};

/// Runs a file with flags that end whatever does not end by itself.
fn run(file: &Path, flags: &[&str]) -> Output {
    let limit = match flags.contains(&"--limit") {
        true => &[][..],
        false => &["--limit", "1000000"],
    };
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("run")
        .arg(file)
        .args(limit)
        .args(flags)
        .output()
        .expect("warpc runs")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The launch of `vector_add` on four numbers.
const SUM: [&str; 12] = [
    "--grid",
    "1",
    "--block",
    "32",
    "--arg",
    "f32[4]=1",
    "--arg",
    "f32[4]=iota",
    "--arg",
    "f32[4]=0",
    "--arg",
    "u32=4",
];

/// The cubin of a kernel of the suite, in a folder.
fn cubin(folder: &Folder, name: &str) -> std::path::PathBuf {
    let from = tests().join(format!("kernels/sass/{name}.sass"));
    let to = folder.join(format!("{name}.cubin"));
    let made = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("compile")
        .arg(from)
        .arg("-o")
        .arg(&to)
        .output()
        .expect("warpc runs");
    assert!(made.status.success(), "{}", message(&made));
    to
}

#[test]
fn a_cubin_runs_as_ptx_does() {
    let folder = Folder::new("run-machine");
    let file = cubin(&folder, "vector_add");
    let flags = [
        "--print",
        "2",
        "--expect",
        "param_2:f32[4]=1,2,3,4",
        "--message-format",
        "json",
    ];
    let output = run(&file, &[&SUM[..], &flags].concat());
    assert!(output.status.success(), "{}", message(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["as_expected"], true);
    assert_eq!(report["chip"], "sm_90");
    assert_eq!(
        report["buffers"][0]["values"],
        serde_json::json!([1, 2, 3, 4])
    );
    assert!(report["cycles"]["longest"].as_u64() > Some(20), "{report}");
    // The text that it was assembled from runs as well, in another order of the warps, too.
    let text = tests().join("kernels/sass/vector_add.sass");
    let output = run(
        &text,
        &[&SUM[..], &["--expect", "2:=1,2,3,4", "--seed", "7"]].concat(),
    );
    assert!(output.status.success(), "{}", message(&output));
}

#[test]
fn findings_are_diagnostics() {
    let folder = Folder::new("run-machine-findings");
    let text =
        std::fs::read_to_string(tests().join("kernels/sass/vector_add.sass")).expect("a text");
    let early = text.replace("[B0-----:R-:W-:Y:S06] FADD", "[B------:R-:W-:Y:S06] FADD");
    let outside = text.replace(
        "STG.E desc[UR4][R6.64], R8",
        "STG.E desc[UR4][R6.64+0x1000], R8",
    );
    for (changed, wanted) in [
        (
            early,
            [
                "is read before the result of",
                "no scoreboard was waited for",
                "`FADD R8",
            ],
        ),
        (
            outside,
            [
                "error[W0712]: out of bounds write of 4 bytes",
                "`STG.E",
                "block (0, 0, 0), thread (0, 0, 0)",
            ],
        ),
    ] {
        assert_ne!(changed, text);
        let file = folder.file("changed.sass", changed);
        let output = run(&file, &SUM);
        assert_eq!(output.status.code(), Some(1));
        for wanted in wanted {
            assert!(
                message(&output).contains(wanted),
                "{wanted}: {}",
                message(&output)
            );
        }
    }
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let folder = Folder::new("run-machine-refused");
    let file = cubin(&folder, "vector_add");
    let with = |at: usize, text: &'static str| {
        let mut flags = SUM;
        flags[at] = text;
        flags.to_vec()
    };
    for (flags, wanted) in [
        (vec![], "`--grid` and `--block` are missing"),
        (
            [&SUM[..], &["--kernel", "vector_ad"]].concat(),
            "did you mean `vector_add`?",
        ),
        (
            [&SUM[..], &["--kernel", "x"]].concat(),
            "there is no kernel `x` in the cubin",
        ),
        (SUM[..10].to_vec(), "takes 4 arguments, 3 were given"),
        (
            with(11, "u64=4"),
            "argument 3 is a u64 of 8 bytes, its parameter is 4 bytes",
        ),
        (with(11, "&0"), "argument 3 is an address of 8 bytes"),
        (with(5, "u8=1"), "argument 0 is a u8 of 1 byte"),
        (with(3, "2000"), "a block of"),
        (with(1, "0"), "the grid is"),
        ([&SUM[..], &["--cluster", "3"]].concat(), "clusters of"),
        (
            [&SUM[..], &["--shared", "999999"]].concat(),
            "shared memory",
        ),
        (
            [&SUM[..], &["--print", "sum"]].concat(),
            "there is no argument `sum`",
        ),
        ([&SUM[..], &["--limit", "3"]].concat(), "error[W0726]"),
        ([&SUM[..], &["--case", "2"]].concat(), "there is no case 2"),
    ] {
        let output = run(&file, &flags);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{flags:?}");
        let message = message(&output);
        assert!(message.contains(wanted), "{flags:?}: {message}");
        assert!(!message.contains("W0999"), "{flags:?}: {message}");
    }
}

/// The recorded cubins of all chips.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let entries = project::entries(&project::oracle("cubins"));
    let cubins = entries.iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name.strip_suffix(".cubin.gz")?.to_owned(), gzip::read(path)))
    });
    cubins.collect()
}

/// Runs each kernel of a cubin with addresses of one buffer for all parameters of eight bytes; what came of it.
fn run_all(cubin: &[u8], what: &str) {
    use warpc::request::{Options, Request};
    let Ok(source) = warpc::Source::of_kind(warpc::Kind::Cubin, "k.cubin", cubin) else {
        return;
    };
    let loaded = warpc::load(&source, &warpc::Options::default());
    let shown = loaded.diagnostics.to_string();
    assert!(!shown.contains("W0999"), "{what}: {shown}");
    let Some(program) = loaded.value else {
        assert!(!shown.is_empty(), "{what}");
        return;
    };
    let Ok(cubin) = warpc::cubin::Cubin::read(cubin) else {
        return;
    };
    let (_, symbols) = cubin.symbols();
    for symbol in symbols {
        let kernel = cubin.symbol_name(symbol).into_owned();
        let mut options = Options {
            kernel: Some(kernel.clone()),
            grid: Some([2, 1, 1]),
            block: Some([32, 2, 1]),
            ..Options::default()
        };
        // As many arguments as it takes, of the sizes that it says.
        let mut request: Result<Request, _> = program.request(&options);
        for _ in 0..20 {
            let Err(refused) = &request else { break };
            let text = refused.to_string();
            let number = |after: &str| -> Option<usize> {
                let rest = text.split_once(after)?.1;
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse().ok()
            };
            if text.contains("no kernel") {
                break;
            }
            if let Some(count) = number(" takes ") {
                options.arg = vec!["u32[256]=1".to_owned(); count];
            } else if let (Some(at), Some(bytes)) =
                (number("argument "), number("its parameter is "))
            {
                options.arg[at] = format!("hex:{}", "01".repeat(bytes.min(4096)));
            }
            request = program.request(&options);
        }
        let Ok(request) = request else { continue };
        let buffers: Vec<warpc::Buffer> = request
            .buffers
            .iter()
            .map(|one| warpc::Buffer {
                name: one.name.clone(),
                bytes: one.bytes.clone(),
            })
            .collect();
        let mut settings = warpc::Options::default();
        settings.run.limit = Some(50_000);
        let ran = program.run(request.launch(), &buffers, &settings, &mut ());
        let shown = ran.diagnostics.to_string();
        assert_eq!(ran.value.is_none(), !shown.is_empty(), "{what} {kernel}");
        assert!(!shown.contains("W0999"), "{what} {kernel}: {shown}");
    }
}

#[test]
fn cubins_of_all_chips_have_an_answer() {
    for (name, bytes) in recorded() {
        run_all(&bytes, &name);
    }
}

#[test]
fn damaged_cubins_have_an_answer() {
    let mut random = Random::new(10);
    for (name, bytes) in recorded().into_iter().step_by(3) {
        for round in 0..12 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => 0xff,
                    1 => bytes[at] ^ 1 << random.below(8),
                    _ => random.below(256) as u8,
                };
            }
            if round % 4 == 3 {
                bytes.truncate(random.below(bytes.len()));
            }
            run_all(&bytes, &format!("{name}, damage {round}"));
        }
    }
}
