//! `warpc ptxas`, as tools that call ptxas use it.

use std::process::{Command, Output};
use warpc_testkit::scratch::Folder;

const KERNEL: &str = "\
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[400];
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    .shared .align 4 .b8 s[1024];
    ld.param.u64 %rd1, [p];
    mov.u32 %r3, s;
    ld.global.u32 %r1, [%rd1];
    st.shared.u32 [%r3], %r1;
    bar.sync 2;
    ld.shared.u32 %r2, [%r3];
    st.global.u32 [table], %r2;
    st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry other(.param .u64 p)
{
    ret;
}
";

fn ptxas(folder: &Folder, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("ptxas")
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("warpc runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> Folder {
    let folder = Folder::new("ptxas");
    folder.file("k.ptx", KERNEL.as_bytes());
    folder
}

/// The code of a kernel, as `warpc dis` lists it.
fn listing(folder: &Folder, name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(["dis", name])
        .current_dir(folder.path())
        .output()
        .expect("warpc runs");
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn lines_that_callers_read() {
    let folder = folder();
    let output = ptxas(&folder, &["-arch=sm_90", "-v", "k.ptx", "-o", "k.cubin"]);
    assert!(output.status.success(), "{}", said(&output));
    let lines = said(&output);
    let timeless: Vec<&str> = lines
        .lines()
        .filter(|line| !line.contains("Compile time"))
        .collect();
    assert_eq!(
        timeless,
        [
            "ptxas info    : 400 bytes gmem",
            "ptxas info    : Compiling entry function 'other' for 'sm_90'",
            "ptxas info    : Function properties for other",
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
            "ptxas info    : Used 8 registers, used 0 barriers",
            "ptxas info    : Compiling entry function 'k' for 'sm_90'",
            "ptxas info    : Function properties for k",
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
            "ptxas info    : Used 8 registers, used 3 barriers, 1024 bytes smem",
        ]
    );
    assert!(listing(&folder, "k.cubin").contains("BAR.SYNC"));
    // Without `-o`, as ptxas does.
    let output = ptxas(&folder, &["-arch", "sm_90", "k.ptx"]);
    assert_eq!(
        (output.status.code(), said(&output).as_str()),
        (Some(0), "")
    );
    let same = std::fs::read(folder.path().join("elf.o")).expect("elf.o is there");
    assert_eq!(same, std::fs::read(folder.path().join("k.cubin")).unwrap());
}

/// An object has functions for themselves; `-v` says what each uses, and a bound of registers too low is raised.
#[test]
fn objects_for_a_linker() {
    let folder = folder();
    let module = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .extern .func far();\n\
        .visible .func near() { call far; ret; }\n\
        .visible .entry k() { call near; ret; }\n";
    folder.file("f.ptx", module.as_bytes());
    let words = ["-maxrregcount=16", "-arch=sm_90", "f.ptx", "-o", "f.o"];
    let whole = ptxas(&folder, &words);
    assert_eq!(whole.status.code(), Some(255), "{}", said(&whole));
    assert!(said(&whole).contains("`far`"), "{}", said(&whole));
    let output = ptxas(&folder, &[&words[..], &["-c", "-v"]].concat());
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("Compile time"))
        .collect();
    assert_eq!(
        lines[..4],
        [
            "ptxas warning : For profile sm_90 adjusting per thread register count of 16 to lower bound of 24",
            "ptxas info    : Overriding maximum register limit 256 for 'k' with  24 of maxrregcount option",
            "ptxas info    : 0 bytes gmem",
            "ptxas info    : Compiling entry function 'k' for 'sm_90'",
        ]
    );
    assert_eq!(lines[7], "ptxas info    : Function properties for near");
    assert_eq!(lines.len(), 9, "{text}");
    let listing = listing(&folder, "f.o");
    assert!(
        listing.contains(".section\t.text.near,") && listing.contains("CALL.ABS.NOINC `(far)"),
        "{listing}"
    );
}

#[test]
fn errors_are_in_the_words_of_ptxas() {
    let folder = folder();
    folder.file("bad.ptx", KERNEL.replace("bar.sync", "bar.snc").as_bytes());
    for (words, expected) in [
        (
            &["-arch=sm_90", "bad.ptx"][..],
            "ptxas bad.ptx, line 14; error   : `bar` has no modifier `.snc`\n    did you mean `.sync`?\n\
             ptxas fatal   : Ptx assembly aborted due to errors\n",
        ),
        (
            &["-arch=sm_90", "none.ptx"],
            "ptxas fatal   : Input file 'none.ptx' could not be opened\n\
             ptxas fatal   : Ptx assembly aborted due to errors\n",
        ),
        (
            &["-arch=sm_90", "-e", "q", "k.ptx"],
            "ptxas fatal   : Unknown function q\n",
        ),
        (&["-bad", "k.ptx"], "ptxas fatal   : Unknown option 'bad'\n"),
        (
            &["-arch=sm_90", "-ewp", "k.ptx"],
            "ptxas fatal   : '--extensible-whole-program' is not supported: warpc does not make programs that are extended later yet\n",
        ),
        (
            &["-arch=sm_90", "-O", "2", "k.ptx"],
            "ptxas fatal   : Input file '2' could not be opened\n\
             ptxas fatal   : Ptx assembly aborted due to errors\n",
        ),
        (
            &["-arch=sm_90", "k.ptx", "-o", "no/such/folder/k"],
            "ptxas fatal   : Output file 'no/such/folder/k' could not be opened\n",
        ),
    ] {
        let output = ptxas(&folder, words);
        assert_eq!(output.status.code(), Some(255), "{words:?}");
        assert_eq!(said(&output), expected, "{words:?}");
    }
    // PTX for a later chip.
    let output = ptxas(&folder, &["-arch=sm_80", "k.ptx"]);
    assert!(
        said(&output).contains("PTX for sm_90 cannot be assembled for sm_80"),
        "{}",
        said(&output)
    );
}

#[test]
fn cache_operators_of_accesses_that_name_none() {
    let folder = folder();
    for (flag, load, store) in [
        ("-dlcm=cg", "LDG.E.STRONG.GPU", "STG.E desc"),
        ("-dlcm=cs", "LDG.E.EF", "STG.E desc"),
        ("-dscm=wt", "LDG.E R", "STG.E.STRONG.SYS"),
        ("-fscm=cs", "LDG.E R", "STG.E.EF"),
    ] {
        let output = ptxas(
            &folder,
            &["-arch=sm_90", flag, "-e", "k", "k.ptx", "-o", "c.cubin"],
        );
        assert!(output.status.success(), "{}", said(&output));
        let text = listing(&folder, "c.cubin");
        assert!(
            text.contains(load) && text.contains(store),
            "{flag}: {text}"
        );
        assert!(
            !text.contains(".text.other"),
            "{flag}: only `k` was asked for"
        );
    }
}

/// A kernel with many values that live at a time.
fn wide(directive: &str) -> String {
    let mut text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry wide(.param .u64 p) {directive}\n{{\n\
         .reg .b32 %r<60>;\n.reg .b64 %a;\nld.param.u64 %a, [p];\n"
    );
    (0..60).for_each(|n| text += &format!("ld.global.u32 %r{n}, [%a+{}];\n", 4 * n));
    text += "bar.sync 0;\n";
    (0..60).for_each(|n| text += &format!("st.global.u32 [%a+{}], %r{n};\n", 4 * ((n * 7) % 60)));
    text + "ret;\n}\n"
}

#[test]
fn bounds_of_registers_come_from_the_kernel_first() {
    let folder = folder();
    folder.file("free.ptx", wide("").as_bytes());
    folder.file("bound.ptx", wide(".maxnreg 40").as_bytes());
    folder.file(
        "sized.ptx",
        wide(".maxntid 512, 1, 1 .minnctapersm 2").as_bytes(),
    );
    let used = |words: &[&str]| {
        let output = ptxas(&folder, &[&["-arch=sm_90", "-v"], words].concat());
        assert!(output.status.success(), "{}", said(&output));
        let lines = said(&output);
        let rest = lines.split("Used ").nth(1).expect("it says what is used");
        rest.split(' ')
            .next()
            .and_then(|count| count.parse::<u32>().ok())
    };
    let used = |words: &[&str]| used(words).expect("a number");
    assert!(used(&["free.ptx"]) > 60);
    assert!(used(&["free.ptx", "-maxrregcount=32"]) <= 32);
    assert!(used(&["free.ptx", "-maxntid=1024", "-minnctapersm=2"]) <= 32);
    let bound = used(&["bound.ptx", "-maxrregcount=32"]);
    assert!(bound > 32 && bound <= 40, "{bound}");
    assert!(
        used(&[
            "bound.ptx",
            "-maxrregcount=32",
            "-override-directive-values"
        ]) <= 32
    );
    let sized = used(&["sized.ptx", "-maxrregcount=32"]);
    assert!(sized > 32 && sized <= 64, "{sized}");
}

#[test]
fn spills_are_warned_of() {
    let folder = folder();
    folder.file("wide.ptx", wide(".maxnreg 32").as_bytes());
    let output = ptxas(
        &folder,
        &[
            "-arch=sm_90",
            "-warn-spills",
            "-warn-lmem-usage",
            "wide.ptx",
        ],
    );
    let lines = said(&output);
    assert!(output.status.success(), "{lines}");
    assert!(
        lines.contains(
            "ptxas warning : Local memory used for function 'wide', size of stack frame: "
        ),
        "{lines}"
    );
    assert!(
        lines
            .contains("ptxas warning : Registers are spilled to local memory in function 'wide', "),
        "{lines}"
    );
    // The address of all accesses stays in its register: what is touched least goes.
    let loads = lines
        .split("spill stores, ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let loads: u32 = loads
        .and_then(|count| count.parse().ok())
        .expect("bytes of loads");
    assert!(loads < 4 * 60, "{lines}");
    let output = ptxas(&folder, &["-arch=sm_90", "-w", "-warn-spills", "wide.ptx"]);
    assert_eq!(
        (output.status.code(), said(&output).as_str()),
        (Some(0), "")
    );
    let output = ptxas(
        &folder,
        &[
            "-arch=sm_90",
            "-Werror",
            "-warn-spills",
            "wide.ptx",
            "-o",
            "e.cubin",
        ],
    );
    assert_eq!(output.status.code(), Some(255));
    assert!(
        said(&output).starts_with("ptxas error   : Registers are spilled"),
        "{}",
        said(&output)
    );
    assert!(!folder.path().join("e.cubin").exists());
}

#[test]
fn lines_are_written_unless_they_are_suppressed() {
    let folder = folder();
    let has_lines = |words: &[&str]| {
        let output = ptxas(
            &folder,
            &[&["-arch=sm_90", "k.ptx", "-o", "l.cubin"], words].concat(),
        );
        assert!(output.status.success(), "{}", said(&output));
        let bytes = std::fs::read(folder.path().join("l.cubin")).expect("it is there");
        let name = b".nv_debug_line_sass";
        bytes.windows(name.len()).any(|window| window == name)
    };
    assert!(!has_lines(&[]));
    assert!(has_lines(&["-lineinfo"]));
    // As Triton calls it.
    assert!(!has_lines(&["-lineinfo", "-suppress-debug-info"]));
}

#[test]
fn a_link_named_ptxas_does_the_same() {
    #[cfg(unix)]
    {
        let folder = folder();
        let link = folder.path().join("ptxas");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_warpc"), &link).expect("a link is made");
        let run = |words: &[&str]| {
            Command::new(&link)
                .args(words)
                .current_dir(folder.path())
                .output()
                .expect("it runs")
        };
        let version = run(&["--version"]);
        let text = String::from_utf8_lossy(&version.stdout).into_owned();
        assert!(text.contains("release 13.4, V13.4."), "{text}");
        std::fs::write(
            folder.path().join("options"),
            "-arch=sm_90 \"-o\" \"a b.cubin\"\n",
        )
        .unwrap();
        let output = run(&["-optf", "options", "k.ptx"]);
        assert!(output.status.success(), "{}", said(&output));
        assert!(folder.path().join("a b.cubin").exists());
        // What is checked only, is not written.
        let output = run(&["-arch=compute_90", "k.ptx", "-o", "none.cubin"]);
        assert!(output.status.success(), "{}", said(&output));
        assert!(!folder.path().join("none.cubin").exists());
    }
}

/// The instructions of a kernel that compute with floating-point numbers, by name.
fn float_operations(folder: &Folder, name: &str) -> Vec<String> {
    let text = listing(folder, name);
    let words = text.split_whitespace();
    let is_one = |word: &&str| {
        let opcode = word.split('.').next().unwrap_or_default();
        let all = [
            "FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA", "HADD2", "HMUL2", "HFMA2",
        ];
        all.contains(&opcode)
    };
    words.filter(is_one).map(str::to_owned).collect()
}

/// A kernel that multiplies and adds numbers of a type.
fn product_and_sum(multiply: &str, add: &str) -> String {
    let ty = add.rsplit('.').next().unwrap_or_default();
    let (class, load) = match ty {
        "f64" => ("b64", "b64"),
        "f16" | "bf16" => ("b16", "b16"),
        _ => ("b32", "b32"),
    };
    format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .{class} %x<6>;\n.reg .b64 %a;\nld.param.u64 %a, [p];\n\
         ld.global.{load} %x1, [%a];\nld.global.{load} %x2, [%a+8];\nld.global.{load} %x3, [%a+16];\n\
         {multiply} %x4, %x1, %x2;\n{add} %x5, %x3, %x4;\nst.global.{load} [%a+24], %x5;\nret;\n}}\n"
    )
}

#[test]
fn products_and_sums_without_a_rounding_become_one() {
    let folder = folder();
    // The names of one for both, and whether ptxas makes that of them.
    for (multiply, add, one) in [
        ("mul.f32", "add.f32", Some("FFMA")),
        ("mul.f32", "sub.f32", Some("FFMA")),
        ("mul.f32", "add.sat.f32", Some("FFMA.SAT")),
        ("mul.ftz.f32", "add.ftz.f32", Some("FFMA.FTZ")),
        ("mul.ftz.f32", "add.f32", None),
        ("mul.sat.f32", "add.f32", None),
        ("mul.rn.f32", "add.f32", None),
        ("mul.f32", "add.rn.f32", None),
        ("mul.f64", "sub.f64", Some("DFMA")),
        ("mul.rn.f64", "add.f64", None),
        ("mul.f16", "add.f16", Some("HFMA2")),
        ("mul.rn.f16", "add.f16", None),
        ("mul.ftz.f16x2", "sub.ftz.sat.f16x2", Some("HFMA2.FTZ.SAT")),
        ("mul.bf16", "add.bf16", Some("HFMA2.BF16_V2")),
        ("mul.bf16x2", "sub.bf16x2", Some("HFMA2.BF16_V2")),
        ("mul.bf16", "add.rn.bf16", None),
    ] {
        folder.file("f.ptx", product_and_sum(multiply, add).as_bytes());
        let made = |flags: &[&str]| {
            let output = ptxas(
                &folder,
                &[&["-arch=sm_90", "f.ptx", "-o", "f.cubin"], flags].concat(),
            );
            assert!(output.status.success(), "{}", said(&output));
            float_operations(&folder, "f.cubin")
        };
        let usual = made(&[]);
        match one {
            Some(one) => assert_eq!(usual, [one], "{multiply}, {add}"),
            None => assert_eq!(usual.len(), 2, "{multiply}, {add}: {usual:?}"),
        }
        assert_eq!(made(&["--fmad=true"]), usual, "{multiply}, {add}");
        for flag in ["--fmad=false", "-O0"] {
            let apart = made(&[flag]);
            assert_eq!(apart.len(), 2, "{multiply}, {add}, {flag}: {apart:?}");
        }
        // What ptxas makes of it: one instruction, or two.
        if let Some(program) = warpc_testkit::project::ptxas("sm_90") {
            let mut command = Command::new(program);
            command.args(["-arch=sm_90", "f.ptx", "-o", "p.cubin"]);
            let status = command.current_dir(folder.path()).status();
            assert!(status.expect("ptxas runs").success());
            let theirs = float_operations(&folder, "p.cubin");
            assert_eq!(theirs.len(), usual.len(), "{multiply}, {add}: {theirs:?}");
        }
    }
}

#[test]
fn odd_command_lines_get_the_answers_of_ptxas() {
    let folder = folder();
    folder.file("quoted", b"-arch=sm_90 k.ptx -o \"out file.cubin\"");
    folder.file("escaped", b"-arch=sm_90 k.ptx -o out\\ file.cubin");
    folder.file("self", b"--options-file self");
    let new = KERNEL.replace(".version 8.0", ".version 9.9");
    folder.file("new.ptx", new.as_bytes());
    for number in 1..15 {
        let text = format!("--options-file n{}", number + 1);
        folder.file(format!("n{number}"), text.as_bytes());
    }
    folder.file("n15", b"-arch=sm_90 k.ptx");
    let conflict = "Conflicting options --device-debug and --generate-line-info specified";
    let cache = "Conflicting options force-load-cache and def-load-cache specified";
    for (words, succeeds, message) in [
        (&["-optf", "quoted"][..], true, ""),
        (&["-optf", "escaped"], true, ""),
        (&["-optf", "n1"], true, ""),
        (
            &["-optf", "self"],
            false,
            "Too many options file opened 'self'",
        ),
        (&["-w", "-Werror", "-g", "-lineinfo", "k.ptx"], true, ""),
        (&["-Werror", "-g", "-lineinfo", "k.ptx"], false, conflict),
        (&["-flcm=cg", "-dlcm=ca", "k.ptx"], true, cache),
        (&["-maxrregcount", "0x20", "k.ptx"], true, ""),
        (
            &["-maxrregcount", "0x", "k.ptx"],
            false,
            "Invalid value '0x' for option 'maxrregcount'",
        ),
        (&["-maxntid=x", "k.ptx"], true, ""),
        (
            &["new.ptx"],
            false,
            "ptxas new.ptx, line 1; fatal   : Unsupported .version 9.9; current version is '9.4'",
        ),
        (
            &["-maxntid=5000", "-e", "k", "k.ptx"],
            true,
            "Value of threads per SM for entry k is out of range. .minnctapersm and .maxntid will be ignored",
        ),
        (
            &["-maxntid=64", "-minnctapersm=33", "-e", "k", "k.ptx"],
            true,
            "Value of minnctapersm for entry k is out of range. minnctapersm will be ignored",
        ),
        (
            &["--split-compile=-2", "k.ptx"],
            false,
            "Invalid value '-2' for option '--split-compile'",
        ),
        (
            &["-Ofc=huge", "k.ptx"],
            false,
            "Invalid value for --Ofast-compile/-Ofc (huge), is not 'max', 'mid', 'min', or '0'",
        ),
    ] {
        let mut all = words.to_vec();
        if words[0] != "-optf" {
            all.push("-arch=sm_90");
        }
        let output = ptxas(&folder, &all);
        let said = said(&output);
        assert_eq!(output.status.success(), succeeds, "{words:?}: {said}");
        assert!(said.contains(message), "{words:?}: {said}");
        assert!(!message.is_empty() || said.is_empty(), "{words:?}: {said}");
    }
    assert!(folder.path().join("out file.cubin").exists());
    let output = ptxas(
        &folder,
        &["-arch=sm_90", "-v2", "-maxrregcount=32", "-e", "k", "k.ptx"],
    );
    let said = said(&output);
    for line in [
        "ptxas info    : Processing k\n",
        "ptxas info    : Overriding maximum register limit 256 for 'k' with  32 of maxrregcount option\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

/// A kernel with collectives whose masks are a constant, the same in all lanes, and different.
const MASKS: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;
    shfl.sync.idx.b32 %r4, %r3, 0, 31, %r1;
    shfl.sync.idx.b32 %r5, %r4, 0, 31, %r2;
    st.global.u32 [%rd1], %r5;
    ret;
}
";

#[test]
fn masks_that_may_overlap_are_said_where_that_is_asked_for() {
    let folder = Folder::new("ptxas");
    folder.file("k.ptx", MASKS.as_bytes());
    let lines = |words: &[&str]| {
        let output = ptxas(&folder, &[&["-arch=sm_90", "k.ptx"], words].concat());
        assert!(output.status.success(), "{}", said(&output));
        let said = said(&output);
        let masks = said.lines().filter(|line| line.contains("different masks"));
        masks.map(str::to_owned).collect::<Vec<String>>()
    };
    let print = "--print-potentially-overlapping-membermasks";
    assert_eq!(lines(&[]), [""; 0]);
    let [line] = &lines(&[print])[..] else {
        panic!("one mask differs: {:?}", lines(&[print]));
    };
    assert!(line.contains("line 13"), "{line}");
    assert_eq!(lines(&[print, "--no-membermask-overlap=true"]), [""; 0]);
    assert_eq!(lines(&[print, "--no-membermask-overlap=false"]).len(), 1);
}

/// A kernel that meets twice, and calls a function of the system.
const PRINTS: &str = "\
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 b);
.visible .entry k(.param .u64 p)
{
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    bar.sync 1;
    bar.sync 1;
    {
        .param .b64 f;
        .param .b64 b;
        .param .b32 r;
        st.param.b64 [f], %rd1;
        st.param.b64 [b], %rd1;
        call (r), vprintf, (f, b);
    }
    ret;
}
";

#[test]
fn functions_that_are_elsewhere_may_be_promised_not_to_synchronise() {
    let folder = Folder::new("ptxas");
    folder.file("k.ptx", PRINTS.as_bytes());
    let barriers = |words: &[&str]| {
        let words = [&["-arch=sm_90", "k.ptx", "-o", "k.cubin"], words].concat();
        let output = ptxas(&folder, &words);
        assert!(output.status.success(), "{}", said(&output));
        listing(&folder, "k.cubin").matches("BAR.SYNC").count()
    };
    let flag = "--assume-extern-functions-do-not-sync";
    assert_eq!(barriers(&[]), 2);
    assert_eq!(barriers(&[flag, "false"]), 2);
    assert_eq!(barriers(&[flag, "true"]), 1);
    assert_eq!(barriers(&[flag, "true", "-c"]), 1);
    assert_eq!(barriers(&["-c"]), 2);
}

#[test]
fn errors_at_exit_are_in_code_and_attributes() {
    let folder = folder();
    let run = |words: &[&str]| {
        let words = [&["-arch=sm_90", "k.ptx", "-o", "k.cubin"], words].concat();
        let output = ptxas(&folder, &words);
        assert!(output.status.success(), "{}", said(&output));
        let text = listing(&folder, "k.cubin");
        let json = Command::new(env!("CARGO_BIN_EXE_warpc"))
            .args(["dis", "--json", "k.cubin"])
            .current_dir(folder.path())
            .output()
            .expect("warpc runs");
        let json = String::from_utf8_lossy(&json.stdout).into_owned();
        (
            text.matches(" ERRBAR").count(),
            json.matches("EIATTR_GEN_ERRBAR_AT_EXIT").count(),
        )
    };
    assert_eq!(run(&[]), (0, 0));
    let (waits, attributes) = run(&["--make-errors-visible-at-exit"]);
    assert!(waits >= 2 && attributes == 2, "{waits}, {attributes}");
}
