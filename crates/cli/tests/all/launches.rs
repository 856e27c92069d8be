//! The launch language on the command line: sequences, names, files, seeds, pages, and the objects of JSON.

use crate::command::fits;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

fn run(file: &Path, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("run")
        .arg(file)
        // Some of these kernels race on purpose: their results are to depend on the order of threads.
        .args(["--races", "off"])
        .args(flags)
        .output()
        .expect("warpc runs")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The objects of a run that came to its end, held against the schema.
fn objects(file: &Path, flags: &[&str]) -> Vec<Value> {
    let schema = project::root().join("docs/run.schema.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is there");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let output = run(file, &[&["--message-format", "json"], flags].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    assert!(!objects.is_empty(), "{}", errors(&output));
    for object in &objects {
        if let Err(why) = fits(&schema, object) {
            panic!("{why}\n{object:#}");
        }
    }
    objects
}

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Two instances of a template: each thread adds a variable to its element.
fn scaled() -> String {
    let kernel = |name: &str| {
        format!(
            ".visible .entry {name}(.param .u64 data, .param .u32 n) {{\n\
            .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<4>;\n\
            ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n\
            setp.ge.u32 %p, %r2, %r1; @%p ret;\n\
            mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r3, [%rd3];\n\
            ld.const.u32 %r4, [_ZN4math4stepE]; add.u32 %r5, %r3, %r4; st.global.u32 [%rd3], %r5;\n\
            st.global.u32 [total], %r5; ret; }}\n"
        )
    };
    let variables =
        ".visible .const .align 4 .b8 _ZN4math4stepE[4];\n.visible .global .u32 total;\n";
    let (first, second) = (kernel("_Z3addIiEvPT_j"), kernel("_Z3addIjEvPT_j"));
    format!("{HEAD}{variables}{first}{second}")
}

#[test]
fn a_sequence_shares_its_memory() {
    let folder = Folder::new("launches");
    let file = folder.file("k.ptx", scaled());
    let objects = objects(
        &file,
        &[
            "--kernel",
            "add<int>",
            "--grid",
            "1",
            "--block",
            "32",
            "--buffer",
            "x:u32[4]=iota",
            "--set",
            "math::step:u32=10",
            "--arg",
            "&x",
            "--arg",
            "u32=4",
            "--print",
            "x",
            "--then",
            "--kernel 'add<unsigned int>(unsigned int*, unsigned int)' --set step:u32=100 --arg &x --arg u32=4 \
             --print x --print total --print step:u32:1 --expect x:=110,111,112,113 --expect total:=113",
        ],
    );
    let [first, second] = &objects[..] else {
        panic!("two launches: {objects:?}");
    };
    assert_eq!(first["kernel"], "_Z3addIiEvPT_j");
    assert_eq!(first["name"], "add<int>(int*, unsigned int)");
    assert_eq!(
        first["buffers"][0]["values"],
        serde_json::json!([10, 11, 12, 13])
    );
    assert_eq!(first["buffers"][0]["kind"], "buffer");
    assert_eq!(
        (&second["launch"], &second["launches"]),
        (&1.into(), &2.into())
    );
    assert_eq!(second["as_expected"], true);
    assert_eq!(second["findings"], 0);
    assert_eq!(second["buffers"][1]["kind"], "variable");
    assert_eq!(second["buffers"][1]["values"], serde_json::json!([113]));
    assert_eq!(second["buffers"][2]["values"], serde_json::json!([100]));
    // A name that fits both, and one that fits none.
    let shape = ["--grid", "1", "--block", "1", "--kernel"];
    let said = errors(&run(&file, &[&shape[..], &["add"]].concat()));
    assert!(said.contains("2 kernels are called `add`"), "{said}");
    assert!(
        said.contains("add<unsigned int>(unsigned int*, unsigned int): _Z3addIjEvPT_j"),
        "{said}"
    );
    let said = errors(&run(&file, &[&shape[..], &["ad"]].concat()));
    assert!(said.contains("there is no kernel `ad`"), "{said}");
}

#[test]
fn buffers_go_to_files_and_come_back() {
    let folder = Folder::new("launches");
    let file = folder.file("k.ptx", scaled());
    let (raw, array) = (folder.join("x.bin"), folder.join("x.npy"));
    let name = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let shape = [
        "--kernel",
        "add<int>",
        "--grid",
        "1",
        "--block",
        "32",
        "--set",
        "step:u32=1",
    ];
    let flags = |argument: &str, more: &[String]| {
        let own = [
            "--arg".to_owned(),
            argument.to_owned(),
            "--arg".to_owned(),
            "u32=4".to_owned(),
        ];
        let all = shape.iter().map(|flag| (*flag).to_owned());
        all.chain(own)
            .chain(more.iter().cloned())
            .collect::<Vec<String>>()
    };
    let go = |flags: Vec<String>| {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        run(&file, &flags)
    };
    let save = |path: &Path| ["--save".to_owned(), format!("data:{}", name(path))];
    let made = go(flags("u32[4]=iota", &[save(&raw), save(&array)].concat()));
    assert!(made.status.success(), "{}", errors(&made));
    let bytes: Vec<u8> = (1..=4u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(std::fs::read(&raw).expect("it was written"), bytes);
    let contents = std::fs::read(&array).expect("it was written");
    assert!(contents.starts_with(b"\x93NUMPY") && contents.ends_with(&bytes));
    let expected = ["--expect".to_owned(), "0:=2,3,4,5".to_owned()];
    for from in [&raw, &array] {
        let ran = go(flags(&format!("u32[4]@{}", name(from)), &expected));
        assert!(ran.status.success(), "{}", errors(&ran));
    }
    let ran = go(flags(&format!("f32[]@{}", name(&array)), &[]));
    assert!(
        errors(&ran).contains("its elements are `<u4`, not f32"),
        "{}",
        errors(&ran)
    );
    let ran = go(flags(
        "u32[4]=0",
        &["--save".to_owned(), "0:/no/such/folder/x".to_owned()],
    ));
    assert_eq!(ran.status.code(), Some(1));
    assert!(
        errors(&ran).contains("/no/such/folder/x: "),
        "{}",
        errors(&ran)
    );
}

/// What the last warp leaves depends on the schedule; every schedule reads past the end.
const UNORDERED: &str = ".entry k(.param .u64 out, .param .u32 at) { .reg .b32 %r<5>; .reg .b64 %rd<4>;\n\
    ld.param.u64 %rd1, [out]; ld.param.u32 %r3, [at]; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;\n\
    mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mov.u32 %r4, %ctaid.x; shl.b32 %r4, %r4, 8; add.u32 %r2, %r2, %r4;\n\
    st.global.u32 [%rd1], %r2; ld.global.u32 %r1, [%rd3]; ret; }\n";

#[test]
fn seeds_are_compared() {
    let folder = Folder::new("launches");
    let file = folder.file("k.ptx", format!("{HEAD}{UNORDERED}"));
    let shape = [
        "--grid", "4", "--block", "128", "--seeds", "8", "--arg", "u32[2]=0", "--arg",
    ];
    let with = |more: &[&str]| run(&file, &[&shape[..], more].concat());
    let ran = with(&["u32=1"]);
    let said = errors(&ran);
    assert_eq!(ran.status.code(), Some(1));
    assert!(
        said.contains("error[W0770]: argument 0, `out` depends on the order"),
        "{said}"
    );
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(shown.contains("1 finding with 8 seeds"), "{shown}");
    // The same for any number of workers, and each time.
    for jobs in ["1", "2", "5"] {
        assert_eq!(errors(&with(&["u32=1", "--jobs", jobs])), said);
    }
    let said = errors(&with(&["u32=2", "--seed", "40"]));
    assert!(
        said.contains("seed 40 (8 of 8 seeds): kernel `k`"),
        "{said}"
    );
    assert!(!said.contains("W0770"), "{said}");
    let objects = objects(&file, &[&shape[..], &["u32=1"]].concat());
    assert_eq!(
        (&objects[0]["seeds"], &objects[0]["findings"]),
        (&8.into(), &1.into())
    );
    let ran = with(&["u32=1", "--seeds", "0"]);
    assert_eq!(ran.status.code(), Some(2));
}

/// Both add one to a word and may lose an addition.
const LOST: &str = ".entry k(.param .u64 out) { .reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [out];\n\
    ld.relaxed.gpu.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\nst.relaxed.gpu.global.u32 [%rd1], %r1;\n@@ ret; }\n";

#[test]
fn all_schedules_are_explored() {
    let folder = Folder::new("launches");
    let lost = folder.file("lost.ptx", format!("{HEAD}{}", LOST.replace("@@", "")));
    let sum = "red.relaxed.gpu.global.add.u32 [%rd1+4], 1;";
    let right = LOST.replace(
        "ld.relaxed.gpu.global.u32 %r1, [%rd1];",
        "ld.global.u32 %r1, [%rd1+8];",
    );
    let right = right.replace("st.relaxed.gpu.global.u32 [%rd1], %r1;", sum);
    let right = folder.file("right.ptx", format!("{HEAD}{}", right.replace("@@", "")));
    let shape = ["--grid", "2", "--block", "1", "--arg", "u32[4]=0"];
    let with = |file: &Path, more: &[&str]| run(file, &[&shape[..], more].concat());

    let ran = with(&right, &["--explore", "--expect", "0:=0,2,0,0"]);
    assert!(ran.status.success(), "{}", errors(&ran));
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        shown.contains("no findings in 1 schedule, all, results as expected"),
        "{shown}"
    );

    let ran = with(&lost, &["--explore", "100"]);
    assert_eq!(ran.status.code(), Some(1));
    let said = errors(&ran);
    assert!(
        said.contains("error[W0770]: argument 0, `out` depends on the order"),
        "{said}"
    );
    assert!(said.contains("schedule `"), "{said}");
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(shown.contains("schedules, all"), "{shown}");
    for jobs in ["1", "3"] {
        assert_eq!(
            errors(&with(&lost, &["--explore=100", "--jobs", jobs])),
            said
        );
    }
    // A bound, and what is said of it.
    let ran = with(&lost, &["--explore", "1"]);
    assert!(ran.status.success(), "{}", errors(&ran));
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        shown.contains("1 schedule: the bound of 1 runs was reached, at least "),
        "{shown}"
    );

    let objects = objects(&lost, &[&shape[..], &["--explore", "100"]].concat());
    assert_eq!(objects[0]["explored"]["all"], true);
    assert_eq!(objects[0]["explored"]["unexplored"], 0);
    assert!(objects[0]["explored"]["schedules"].as_u64() > Some(1));
}

/// A trap in some schedules, its schedule once more, and what does not fit.
#[test]
fn a_schedule_is_repeated() {
    let folder = Folder::new("launches");
    let trap = LOST.replace("@@", "setp.ne.u32 %p1, %r1, 2;\n@%p1 bra END;\ntrap;\nEND:");
    let trap = trap.replace(".reg .b32 %r<3>;", ".reg .b32 %r<3>; .reg .pred %p<2>;");
    let file = folder.file("k.ptx", format!("{HEAD}{trap}"));
    let shape = ["--grid", "2", "--block", "1", "--arg", "u32[4]=0"];
    let with = |more: &[&str]| run(&file, &[&shape[..], more].concat());
    let ran = with(&["--explore"]);
    let said = errors(&ran);
    assert_eq!(ran.status.code(), Some(1));
    assert!(said.contains("error[W0714]"), "{said}");
    let text = said
        .split("`--schedule ")
        .nth(1)
        .and_then(|rest| rest.split('`').next());
    let text = text.unwrap_or_else(|| panic!("{said}")).to_owned();
    let again = with(&["--schedule", &text]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        errors(&again).contains("error[W0714]"),
        "{}",
        errors(&again)
    );
    let usual = with(&["--schedule", "usual", "--print", "0"]);
    assert!(usual.status.success(), "{}", errors(&usual));
    for (text, why) in [
        ("nonsense", "`nonsense` is not a choice such as `12:33`"),
        ("0:77", "`77` cannot come next at event 0"),
        ("999:0", "`0` cannot come next at event 999"),
    ] {
        let ran = with(&["--schedule", text]);
        assert_eq!(ran.status.code(), Some(1), "{text}");
        assert!(errors(&ran).contains(why), "{text}: {}", errors(&ran));
    }
    for (flags, why) in [
        (
            &["--explore", "--seeds", "3"][..],
            "`--explore` and `--seeds` exclude each other",
        ),
        (
            &["--explore", "--on", "gpu"],
            "`--explore` is for the emulator",
        ),
        (
            &["--explore", "--schedule", "usual"],
            "`--explore` and `--schedule` exclude each other",
        ),
    ] {
        let ran = with(flags);
        assert_eq!(ran.status.code(), Some(1), "{flags:?}");
        assert!(errors(&ran).contains(why), "{flags:?}: {}", errors(&ran));
    }
    assert_eq!(with(&["--explore", "0"]).status.code(), Some(2));
    // What cannot be explored says so, and nothing was run.
    let other = trap.replace("trap;", "activemask.b32 %r2;");
    let file = folder.file("other.ptx", format!("{HEAD}{other}"));
    let ran = run(&file, &[&shape[..], &["--explore"]].concat());
    assert!(
        errors(&ran).contains("error[W0711]: `activemask` depends on which lanes"),
        "{}",
        errors(&ran)
    );
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(shown.contains("no schedule was run"), "{shown}");
    // A sequence is explored as a whole; without any schedule that ends there is an object all the same.
    let then = [
        "--arg",
        "&x",
        "--buffer",
        "x:u32[4]=0",
        "--grid",
        "2",
        "--block",
        "1",
        "--explore",
        "--then",
        "--arg &x",
    ];
    let objects = objects(&file_of(&folder), &then);
    assert_eq!(objects.len(), 1, "{objects:?}");
    assert_eq!(objects[0]["explored"]["all"], true, "{objects:?}");
}

/// A kernel that traps at once.
fn file_of(folder: &Folder) -> std::path::PathBuf {
    folder.file(
        "trap.ptx",
        format!("{HEAD}.entry k(.param .u64 out) {{ trap; }}\n"),
    )
}

#[test]
fn a_page_shows_a_run() {
    let folder = Folder::new("launches");
    let file = folder.file("k.ptx", format!("{HEAD}{UNORDERED}"));
    let page = folder.join("page.html");
    let name = page.to_str().expect("a plain path");
    let shape = [
        "--grid", "2", "--block", "64", "--report", name, "--arg", "u32[2]=0", "--arg",
    ];
    let ran = run(&file, &[&shape[..], &["u32=1"]].concat());
    assert!(ran.status.success(), "{}", errors(&ran));
    let text = std::fs::read_to_string(&page).expect("it was written");
    for wanted in [
        "no findings",
        "k: 2 blocks of 64 threads",
        "block (1, 0, 0)",
        "<svg",
        "ld.global.u32 %r1, [%rd3];",
        "argument 0, `out`",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    let opened = text.matches("<table>").count();
    assert_eq!(opened, text.matches("</table>").count());
    assert_eq!(text.matches("<svg").count(), text.matches("</svg>").count());
    assert!(!text.contains("<script") && !text.contains("://"));
    // A run that fails has a page, too.
    let ran = run(&file, &[&shape[..], &["u32=2"]].concat());
    assert_eq!(ran.status.code(), Some(1));
    let text = std::fs::read_to_string(&page).expect("it was written");
    assert!(text.contains("W0712") && text.contains("did not come to its end"));
    let at = shape.map(|flag| {
        if flag == name {
            "/no/such/folder/x.html"
        } else {
            flag
        }
    });
    let ran = run(&file, &[&at[..], &["u32=1"]].concat());
    assert_eq!(ran.status.code(), Some(1));
    assert!(
        errors(&ran).contains("/no/such/folder/x.html: "),
        "{}",
        errors(&ran)
    );
}

/// A finding is shown in the file that `.loc` names, if it is there, and in the PTX if not.
#[test]
fn findings_are_shown_in_the_source() {
    let folder = Folder::new("launches");
    let source = folder.file("k.cu", "int get(int *p) {\n  return p[9];\n}\n");
    let path = source.to_str().expect("a plain path");
    let text = |name: &str| {
        format!(
            "{HEAD}.file 1 \"{name}\"\n.entry k(.param .u64 out) {{ .reg .b32 %r; .reg .b64 %rd;\n\
            ld.param.u64 %rd, [out];\n.loc 1 2 10\nld.global.u32 %r, [%rd+36]; ret; }}\n"
        )
    };
    let flags = ["--grid", "1", "--block", "1", "--arg", "u32[2]=0"];
    let file = folder.file("k.ptx", text(path));
    let said = errors(&run(&file, &flags));
    assert!(said.contains("k.cu:2:10"), "{said}");
    assert!(said.contains("return p[9];"), "{said}");
    assert!(said.contains("k.ptx:8:1"), "{said}");
    let said = errors(&run(
        &file,
        &[&flags[..], &["--message-format", "json"]].concat(),
    ));
    let object: Value = serde_json::from_str(said.trim()).expect("one object");
    assert_eq!(object["line"], 8);
    assert_eq!(object["source"][0]["line"], 2);
    assert_eq!(object["source"][0]["file"], path);
    let gone = folder.file("k.ptx", text("/no/such/k.cu"));
    let said = errors(&run(&gone, &flags));
    assert!(said.contains("ld.global.u32 %r, [%rd+36];"), "{said}");
    assert!(said.contains("from /no/such/k.cu:2:10"), "{said}");
}
