//! Relocatable objects: what a linker is left with, and code that the judges take.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use warpc_cubin::{Content, Cubin, Relocation, relocation};
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::{Level, Options, assemble};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

const MODULE: &str = ".version 8.5
.target sm_90
.address_size 64
.extern .func (.param .b32 r) there (.param .b32 a);
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .global .align 4 .b32 far[];
.extern .shared .align 16 .b8 dynamic[];
.const .align 4 .b32 table[4] = {1, 2, 3, 4};
.shared .align 8 .b8 common[64];
.visible .func (.param .b32 r) own (.param .b32 a)
{
    .reg .b32 %r<8>;
    .shared .align 4 .b32 mine[8];
    ld.param.b32 %r1, [a];
    st.shared.b32 [mine+4], %r1;
    bar.sync 1;
    ld.const.b32 %r2, [table+8];
    ld.shared.b32 %r3, [common];
    add.u32 %r1, %r2, %r3;
    st.param.b32 [r], %r1;
    ret;
}
.global .align 8 .u64 pointer = own;
.weak .func (.param .b32 r) weak (.param .b32 a, .param .b64 f)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.b32 %r1, [a];
    ld.param.b64 %rd1, [f];
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1;
    like: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (y), %rd1, (x), like; ld.param.b32 %r2, [y]; }
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2;
    call (y), there, (x); ld.param.b32 %r2, [y]; }
    add.u32 %r2, %r2, %r1;
    st.param.b32 [r], %r2;
    ret;
}
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<12>;
    .reg .b64 %rd<12>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [p];
    mov.u64 %rd2, own;
    ld.global.b32 %r1, [far+12];
    { .param .b32 x; .param .b64 f; .param .b32 y; st.param.b32 [x], %r1; st.param.b64 [f], %rd2;
    call (y), weak, (x, f); ld.param.b32 %r2, [y]; }
    { .param .b64 x; .param .b64 f; .param .b32 y; st.param.b64 [x], %rd1; st.param.b64 [f], 0;
    call (y), vprintf, (x, f); }
    ld.shared.b32 %r3, [dynamic];
    isspacep.global %p1, %rd1;
    selp.b32 %r4, %r3, %r2, %p1;
    mov.u64 %rd3, k;
    st.global.u64 [%rd1+8], %rd3;
    st.global.b32 [%rd1], %r4;
    ret;
}
";

fn object(change: fn(&mut Options)) -> Cubin {
    object_of(MODULE, change).unwrap_or_else(|messages| panic!("{messages:?}"))
}

fn object_of(text: &str, change: fn(&mut Options)) -> Result<Cubin, Vec<String>> {
    let file = SourceFile::new("module.ptx", text).expect("a short text");
    let module = warpc_ptx::check(&file).value.expect("a module");
    let mut options = Options::default();
    options.relocatable = true;
    options.verify = true;
    change(&mut options);
    let made = assemble(&module, &options);
    let messages: Vec<String> = made
        .diagnostics
        .as_slice()
        .iter()
        .map(|one| one.message.to_string())
        .collect();
    made.value.ok_or(messages)
}

/// What a linker writes into a section: the kinds, and the symbols.
fn relocations(cubin: &Cubin, section: &str) -> BTreeSet<(String, String)> {
    let (_, symbols) = cubin.symbols();
    let (_, found) = cubin.section(section).expect("relocations");
    let Content::Relocations(all) = &found.content else {
        panic!("relocations");
    };
    let all = all.iter().map(|one| {
        let name = cubin.symbol_name(&symbols[one.symbol as usize]);
        let kind = relocation::name(one.kind).unwrap_or("?");
        (
            kind.trim_start_matches("R_CUDA_").to_owned(),
            name.into_owned(),
        )
    });
    all.collect()
}

fn set(all: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    let all = all.iter().map(|one| (one.0.to_owned(), one.1.to_owned()));
    all.collect()
}

#[test]
fn a_linker_is_told_of_everything_that_has_no_place_yet() {
    let cubin = object(|_| ());
    assert_eq!(warpc_cubin::verify(&cubin), []);
    let kernel = set(&[
        ("ABS32_32", ".nv.ptx.const0.size"),
        ("ABS32_32", "dynamic"),
        ("ABS32_HI_32", "far"),
        ("ABS32_LO_32", "far"),
        ("ABS55_16_34", "vprintf"),
        ("ABS55_16_34", "weak"),
        ("FUNC_DESC32_HI_32", "k"),
        ("FUNC_DESC32_LO_32", "k"),
        ("UNIFIED32_HI_32", "own"),
        ("UNIFIED32_LO_32", "own"),
    ]);
    assert_eq!(relocations(&cubin, ".rela.text.k"), kernel);
    let own = relocations(&cubin, ".rela.text.own");
    assert!(own.contains(&("ABS16_32".to_owned(), "table".to_owned())));
    assert!(own.contains(&("ABS32_32".to_owned(), "common".to_owned())));
    assert!(own.iter().any(|one| one.1.starts_with("$own$mine")));
    let weak = set(&[("ABS55_16_34", "there"), ("ABS56_16_34", "__UFT_OFFSET")]);
    assert_eq!(relocations(&cubin, ".rela.text.weak"), weak);
    let variable = set(&[("UNIFIED", "own")]);
    assert_eq!(relocations(&cubin, ".rela.nv.global.init"), variable);
    // Functions that only the linker knows are not defined here, and nothing is in bank 4.
    let (_, symbols) = cubin.symbols();
    let is_open = |name: &str| {
        let mut all = symbols.iter();
        all.any(|one| cubin.symbol_name(one) == name && one.section == 0)
    };
    assert!(is_open("there") && is_open("vprintf") && is_open("far") && is_open("dynamic"));
    assert!(cubin.section(".nv.constant4").is_none());
}

#[test]
fn the_judges_take_it_at_every_level() {
    object(|options| options.level = Level::O0);
    object(|options| options.level = Level::O1);
    object(|options| options.spill = true);
    object(|options| options.serial = true);
}

const SHARED_BY_PROGRAMS: &str = ".version 8.3
.target sm_90
.address_size 64
.visible .global .u32 plain;
.visible .func own() { ret; }
.visible .global .attribute(.unified(19, 95)) .u32 first;
.global .attribute(.unified(7, 8)) .align 8 .b8 second[8] = {1, 2, 3, 4};
.extern .global .attribute(.unified(1, 2)) .u32 far;
.visible .global .attribute(.unified(3, 4)) .u64 third = plain;
.visible .global .attribute(.unified(5, 6)) .u64 fourth = own;
.visible .global .attribute(.unified(9, 9)) .u8 bytes[2] = {0xff(first), 0xff00(plain)};
.visible .global .u64 pointer = first;
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [first];
    st.global.u32 [%rd1], %r1;
    ld.global.u32 %r1, [far];
    st.global.u32 [%rd1+4], %r1;
    ld.global.u32 %r1, [plain];
    st.global.u32 [%rd1+8], %r1;
    ret;
}
";

#[test]
fn variables_that_programs_share_have_a_table() {
    let cubin = object_of(SHARED_BY_PROGRAMS, |_| ()).expect("an object");
    assert_eq!(warpc_cubin::verify(&cubin), []);
    let code = set(&[
        ("UNIFIED32_LO_32", "first"),
        ("UNIFIED32_HI_32", "first"),
        ("UNIFIED32_LO_32", "far"),
        ("UNIFIED32_HI_32", "far"),
        ("ABS32_LO_32", "plain"),
        ("ABS32_HI_32", "plain"),
    ]);
    assert_eq!(relocations(&cubin, ".rela.text.k"), code);
    let shared = set(&[
        ("UNIFIED", "plain"),
        ("UNIFIED", "own"),
        ("UNIFIED_8_0", "first"),
        ("UNIFIED_8_8", "plain"),
    ]);
    assert_eq!(relocations(&cubin, ".rela.nv.udt"), shared);
    let others = set(&[("G64", "first")]);
    assert_eq!(relocations(&cubin, ".rela.nv.global.init"), others);
    let (_, symbols) = cubin.symbols();
    let (number, data) = cubin.section(".nv.udt").expect("variables");
    let (_, table) = cubin.section(".nv.udt.entry").expect("a table");
    let (Content::Bytes(data), Content::Bytes(table)) = (&data.content, &table.content) else {
        panic!("bytes");
    };
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let mut known = BTreeSet::new();
    for entry in table.chunks(32) {
        let [symbol, place, one, two] = [0, 8, 16, 24].map(|at| word(&entry[at..][..8]));
        // The upper half says that the object defines the variable.
        assert_eq!(symbol >> 32, 1);
        let symbol = &symbols[symbol as u32 as usize];
        assert_eq!((symbol.section, symbol.value), (number as u16, place));
        assert_eq!(symbol.other, 0x30);
        let name = cubin.symbol_name(symbol).into_owned();
        if name == "second" {
            assert_eq!(data[place as usize..][..8], [1, 2, 3, 4, 0, 0, 0, 0]);
        }
        known.insert((name, one, two));
    }
    let wanted = [
        ("bytes", 9, 9),
        ("first", 19, 95),
        ("fourth", 5, 6),
        ("second", 7, 8),
        ("third", 3, 4),
    ];
    let wanted = wanted.map(|(name, one, two)| (name.to_owned(), one, two));
    assert_eq!(known.into_iter().collect::<Vec<_>>(), wanted);
    // The address of a variable is not that of a function.
    let (_, graph) = cubin.section(".nv.callgraph").expect("a call graph");
    let Content::CallGraph(edges) = &graph.content else {
        panic!("a call graph");
    };
    assert_eq!(edges.len(), 5, "four marks, and `own`: {edges:?}");
}

#[test]
fn functions_that_programs_share_are_refused() {
    let text = SHARED_BY_PROGRAMS.replace(".func own", ".func .attribute(.unified(1, 1)) own");
    let messages = object_of(&text, |_| ()).expect_err("it is refused");
    assert!(
        messages[0].contains("`.attribute(.unified)` of functions"),
        "{messages:?}"
    );
    let messages = object_of(SHARED_BY_PROGRAMS, |options| options.relocatable = false);
    let messages = messages.expect_err("it is refused");
    assert!(
        messages[0].contains("outside of relocatable objects"),
        "{messages:?}"
    );
}

/// For each instruction that loads a handle in a section of code: its place and what it is of.
fn handles(cubin: &Cubin, function: &str) -> Vec<(usize, String)> {
    let (_, symbols) = cubin.symbols();
    let (_, found) = (cubin.section(&format!(".rela.text.{function}"))).expect("relocations");
    let Content::Relocations(all) = &found.content else {
        panic!("relocations");
    };
    let is_field =
        |one: &&Relocation| relocation::name(one.kind) == Some("R_CUDA_CONST_FIELD21_38");
    let all = all.iter().filter(is_field).map(|one| {
        let name = cubin.symbol_name(&symbols[one.symbol as usize]);
        (one.offset as usize, name.into_owned())
    });
    all.collect()
}

/// What a linked program has in bank 0 of a kernel, by place.
fn bank(cubin: &Cubin, kernel: &str) -> BTreeMap<u64, String> {
    let (_, symbols) = cubin.symbols();
    let name = format!(".rel.nv.constant0.{kernel}");
    let (_, found) = cubin.section(&name).expect("handles");
    let Content::Relocations(all) = &found.content else {
        panic!("relocations");
    };
    let all = all.iter().map(|one| {
        let name = cubin.symbol_name(&symbols[one.symbol as usize]);
        (one.offset, name.into_owned())
    });
    all.collect()
}

/// How many records of a kind a linked program has.
fn count(cubin: &Cubin, attribute: u8) -> usize {
    let (_, found) = cubin.section(".nv.info").expect("attributes");
    let Content::Info(records) = &found.content else {
        panic!("attributes");
    };
    (records.iter().filter(|one| one.attribute == attribute)).count()
}

#[test]
fn textures_are_linked_with_those_of_ptxas() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("linked_textures");
    let mut objects = Vec::new();
    for part in ["a", "b"] {
        let source = project::tests().join(format!("objects/textures.{part}.ptx"));
        let text = std::fs::read_to_string(&source).expect("a source");
        let ours = object_of(&text, |_| ()).expect("an object");
        assert_eq!(warpc_cubin::verify(&ours), []);
        std::fs::write(folder.path().join(format!("{part}.w.o")), ours.write()).expect("a file");
        let theirs = folder.path().join(format!("{part}.p.o"));
        let mut command = Command::new(&ptxas);
        command.args(["-arch=sm_90", "-c"]).arg(source);
        let status = command.arg("-o").arg(&theirs).status();
        assert!(status.expect("ptxas runs").success());
        let theirs = Cubin::read(&std::fs::read(theirs).expect("an object"));
        objects.push([("w", ours), ("p", theirs.expect("an object"))]);
    }
    let mut wanted = None;
    for mixture in ["pp", "wp", "pw", "ww"] {
        let (a, b) = mixture.split_at(1);
        let mut nvlink = Command::new(ptxas.with_file_name("nvlink"));
        nvlink.args(["-arch=sm_90", &format!("a.{a}.o"), &format!("b.{b}.o")]);
        nvlink
            .args(["-o", "program.cubin"])
            .current_dir(folder.path());
        assert!(nvlink.status().expect("nvlink runs").success(), "{mixture}");
        let linked = std::fs::read(folder.path().join("program.cubin")).expect("a program");
        let linked = Cubin::read(&linked).expect("a program");
        let used = |part: usize, letter: &str| {
            let mut all = objects[part].iter();
            &all.find(|one| one.0 == letter).expect("an object").1
        };
        // A function has the same places in all kernels.
        for (object, function, kernel) in [
            (used(0, a), "k", "k"),
            (used(1, b), "other", "k"),
            (used(1, b), "other", "k2"),
            (used(1, b), "k2", "k2"),
        ] {
            let bank = bank(&linked, kernel);
            let (_, text) = (linked.section(&format!(".text.{function}"))).expect("code");
            let Content::Bytes(text) = &text.content else {
                panic!("code");
            };
            let handles = handles(object, function);
            assert!(!handles.is_empty(), "{mixture}: {function}");
            for (at, name) in handles {
                let word = u64::from_le_bytes(text[at..][..8].try_into().expect("a word"));
                let place = word >> 38 & 0xffff;
                assert_eq!(
                    bank.get(&place),
                    Some(&name),
                    "{mixture}: {function}, {at:#x}"
                );
            }
        }
        let names: BTreeSet<String> = bank(&linked, "k").into_values().collect();
        use warpc_cubin::attribute::info;
        let counts = [
            info::SAMPLER_INIT,
            info::SAMPLER_FORCE_UNNORMALIZED,
            info::TEXMODE_INDEPENDENT,
        ];
        let found = (names, counts.map(|one| count(&linked, one)));
        match &wanted {
            None => wanted = Some(found),
            Some(wanted) => assert_eq!(found, *wanted, "{mixture}"),
        }
    }
}
