//! File tests: input, command and expectation in one file, found when the tests run.
//!
//! Every `.ptx` file under `tests/files`, but for those of single passes, says in its first lines what to do with it:
//!
//! - `// test: check` reads and verifies the file. Each line with a mistake carries `// error: TEXT`, or
//!   `// error@COLUMN: TEXT`; the message must contain the text. A file without such lines must be right.
//!   ` | ` separates the texts of several errors of one line.
//! - `// test: fmt` prints it; the result must be the comment block after `// expect ptx:`.
//! - `// test: run` runs the launches of its `// run:` lines on the emulator. They have `--expect` flags, or
//!   fault on the lines with `// error: TEXT`, perhaps with `// note: TEXT` on these or other lines for what
//!   is said about them; `// output: TEXT` is a line that the kernels print, and
//!   `// error in FLAG: TEXT` says what is wrong with a launch itself.
//!
//! A `.sass` file under `tests/files` with `// test: check` is assembled; one without mistakes must also come back byte
//! for byte from its listing.
//!
//! Every `.ll` file under `tests/files/compile` has lines `; test: compile FLAGS`: it is made into PTX, and what
//! it says of that must hold (`compile.rs`).
//!
//! `WARPC_BLESS=1` (`./x bless`) rewrites the blocks, and refuses what does not read back as the same
//! module. A plain run never writes.

mod compile;
mod expect;
mod run;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::PathBuf;
use warpc_testkit::project;

fn main() {
    let arguments = Arguments::from_args();
    let root = project::tests().join("files");
    let mut files = project::files(&root, &[".ptx", ".sass"]);
    // Single passes of the assembler are tested in its crate.
    files.retain(|file| !file.starts_with(root.join("pass")));
    files.extend(project::files(&root.join("compile"), &[".ll"]));
    files.sort();
    let mut trials: Vec<Trial> = files
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .display()
                .to_string();
            Trial::test(name, move || expect::run(&path).map_err(Failed::from))
        })
        .collect();
    trials.extend(command_line());
    trials.extend(examples());
    libtest_mimic::run(&arguments, trials).exit();
}

/// The contract of the command: exit statuses, streams, message formats.
fn command_line() -> Vec<Trial> {
    let warpc = |arguments: &'static [&'static str], input: &'static str| {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let mut child = Command::new(env!("CARGO_BIN_EXE_warpc"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that reads nothing may be gone already.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok::<_, String>((
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        ))
    };
    const RIGHT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n";
    const KERNEL: &str = "// run: --grid 1 --block 1 --arg u32=7\n.version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u32 n) { ret; }\n";
    const WRONG: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n  fence.sc.cluster;\n  ret; }\n";
    let expect = |name: &str,
                  arguments: &'static [&'static str],
                  input: &'static str,
                  status: i32,
                  out: &'static str,
                  err: &'static str| {
        Trial::test(format!("command/{name}"), move || {
            let (code, stdout, stderr) = warpc(arguments, input)?;
            if code != Some(status) || !stdout.contains(out) || !stderr.contains(err) {
                return Err(Failed::from(format!(
                    "status {code:?}, wanted {status}\nstdout: {stdout}\nstderr: {stderr}"
                )));
            }
            Ok(())
        })
    };
    vec![
        expect("right_input_is_silent", &["check", "-"], RIGHT, 0, "", ""),
        expect(
            "wrong_input_has_status_1",
            &["check", "-"],
            WRONG,
            1,
            "",
            "<stdin>:5:11",
        ),
        expect(
            "json_is_one_object_a_line",
            &["check", "--message-format", "json", "-"],
            WRONG,
            1,
            "",
            "\"code\":\"W0401\",\"message\":\"`.cluster` of `fence` does not exist on sm_80\",\"file\":\"<stdin>\",\"line\":5,\"column\":11",
        ),
        expect(
            "fmt_prints",
            &["fmt", "-"],
            RIGHT,
            0,
            ".entry k()\n{\n\tret;\n}\n",
            "",
        ),
        expect(
            "fmt_lowers_the_version",
            &["fmt", "--lowest-version", "-"],
            RIGHT,
            0,
            ".version 7.8\n.target sm_90\n",
            "",
        ),
        expect(
            "fmt_reports_what_is_no_ptx",
            &["fmt", "-"],
            "nonsense",
            1,
            "",
            "error[W0501]",
        ),
        expect(
            "a_missing_file_is_named",
            &["check", "no/such/file.ptx"],
            "",
            1,
            "",
            "no/such/file.ptx",
        ),
        expect(
            "a_missing_file_of_bitcode_is_named",
            &["check", "x.bc"],
            "",
            1,
            "",
            "x.bc",
        ),
        expect("no_file_is_wrong_usage", &["check"], "", 2, "", "Usage"),
        expect(
            "an_unknown_command_is_wrong_usage",
            &["frobnicate"],
            "",
            2,
            "",
            "Usage",
        ),
        expect(
            "run_takes_flags_over_the_lines_of_the_file",
            &["run", "-", "--grid", "0"],
            KERNEL,
            1,
            "",
            "a grid of 0 has no blocks",
        ),
        expect(
            "run_reports_what_is_no_ptx",
            &["run", "-"],
            "nonsense",
            1,
            "",
            "error[W0501]",
        ),
        expect(
            "run_wants_a_shape",
            &["run", "-"],
            RIGHT,
            1,
            "",
            "`--grid` and `--block` are missing",
        ),
        expect(
            "run_points_into_flags",
            &["run", "-", "--arg", "u32=x"],
            KERNEL,
            1,
            "",
            "--arg 0:1:5",
        ),
        expect(
            "run_knows_the_cases_of_the_file",
            &["run", "-", "--case", "2"],
            KERNEL,
            1,
            "",
            "the file has 1 `// run:` lines",
        ),
        expect(
            "run_with_wrong_flags_is_wrong_usage",
            &["run", "-", "--grid", "x"],
            KERNEL,
            2,
            "",
            "`x` is not a number",
        ),
        expect(
            "run_without_a_file_is_wrong_usage",
            &["run"],
            "",
            2,
            "",
            "Usage",
        ),
        expect(
            "run_names_a_missing_file_of_bitcode",
            &["run", "x.bc"],
            "",
            1,
            "",
            "x.bc",
        ),
        expect(
            "run_refuses_damaged_machine_code",
            &["run", "-"],
            "\u{7f}ELF\u{2}\u{1}\u{1}",
            1,
            "",
            "error[W1002]",
        ),
        expect(
            "explain_prints_forms",
            &["explain", "bra"],
            "",
            0,
            "bra{.uni}  target;",
            "",
        ),
        expect(
            "explain_knows_codes",
            &["explain", "W0401"],
            "",
            0,
            "W0401: ",
            "",
        ),
        expect(
            "explain_says_what_it_does_not_know",
            &["explain", "atum"],
            "",
            1,
            "",
            "did you mean `atom`",
        ),
    ]
}

/// Every example runs without a flag, and the README shows what the first command prints.
fn examples() -> Vec<Trial> {
    let root = project::root();
    let files = project::files(&root.join("examples"), &[".ptx"]);
    let trial = |path: PathBuf| {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let readme = root.join("README.md");
        Trial::test(format!("example/{name}"), move || {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_warpc"))
                .arg("run")
                .arg(&path)
                .output()?;
            let stdout = String::from_utf8_lossy(&output.stdout);
            if !output.status.success() || !stdout.contains("no findings") {
                let stderr = String::from_utf8_lossy(&output.stderr);
                return Err(Failed::from(format!("{stdout}\n{stderr}")));
            }
            let readme = std::fs::read_to_string(&readme)?;
            let is_shown = readme.contains(&format!("$ warpc run examples/{name}.ptx"));
            let rows = stdout.lines().filter(|line| line.contains('│'));
            match rows
                .into_iter()
                .find(|row| is_shown && !readme.contains(row))
            {
                Some(row) => Err(Failed::from(format!("the README does not show `{row}`"))),
                None => Ok(()),
            }
        })
    };
    files.into_iter().map(trial).collect()
}
