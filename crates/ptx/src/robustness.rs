//! Bad input: random bytes, cut and changed modules, and inputs of absurd size or depth. Nothing may
//! panic, take long or eat the memory.

use crate::{parse, print, verify};
use proptest::prelude::*;
use std::time::{Duration, Instant};
use warpc_diag::{Diagnostics, SourceFile};

const HEADER: &str = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// Small modules that have a bit of everything.
const SEEDS: [&str; 4] = [
    ".global .align 8 .b8 t[4] = {1, 0x2, 3, 4};\n.const .f32 c = 0f3F800000;\n\
     .visible .entry k(.param .u64 p, .param .u32 n)\n.maxntid 128, 1, 1\n{\n\
     .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n\
     ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];\n\
     setp.lt.u32 %p1, %r1, 7;\n@!%p1 bra $L1;\n\
     atom.global.add.u32 %r2, [%rd1+4], 1;\n$L1: st.global.v2.u32 [%rd1], {%r1, %r2};\nret;\n}\n",
    ".extern .func (.param .b32 r) f(.param .b64 a, .param .align 8 .b8 s[16]);\n\
     .func (.param .b32 r) g(.param .b32 a)\n.noreturn\n{\n{\n.param .b32 q; .reg .b32 x;\n\
     P: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
     call.uni (q), g, (x);\nld.param.b32 x, [q];\n}\nret;\n}\n.alias h, g;\n",
    ".file 1 \"a.cu\", 12, 34\n.section .debug_str { info: .b8 1, 2, -3\n.b64 info+4\n}\n\
     .global .texref t;\n.entry k()\n{\n.loc 1 2 3\n\
     .loc 1 5 6, function_name info+0, inlined_at 1 2 3\n\
     .reg .u32 i; T: .branchtargets A, B; brx.idx i, T; A: B: .pragma \"nounroll\"; exit;\n}\n",
    ".shared .u64 s = 1 ? (2 + 3 * 4) << 1 : ~0;\n.global .u64 a[] = {s, generic(a)+8, 0xFF(a)};\n",
];

/// Everything that looks at a module.
fn swallow(bytes: impl Into<Vec<u8>>) -> Diagnostics {
    let Some(file) = SourceFile::new("input", bytes) else {
        return Diagnostics::new();
    };
    let parsed = parse(&file);
    if parsed.diagnostics.has_errors() {
        return parsed.diagnostics;
    }
    let diagnostics = verify(parsed.value.as_ref().unwrap(), Some(&file));
    let _ = verify(parsed.value.as_ref().unwrap(), None);
    let _ = parsed
        .value
        .as_ref()
        .unwrap()
        .required_version(parsed.value.as_ref().unwrap().sm);
    let printed = print(parsed.value.as_ref().unwrap());
    if let Some(file) = SourceFile::new("printed", printed.clone())
        && !diagnostics.has_errors()
    {
        let again = parse(&file);
        assert!(
            !again.diagnostics.has_errors(),
            "the print is not read:\n{printed}"
        );
        assert_eq!(
            again.value.unwrap(),
            parsed.value.unwrap(),
            "another module:\n{printed}"
        );
    }
    diagnostics
}

fn seed(index: usize) -> Vec<u8> {
    format!("{HEADER}{}", SEEDS[index % SEEDS.len()]).into_bytes()
}

/// Pieces that PTX is made of, good and bad.
const PIECES: [&str; 44] = [
    ".global",
    ".reg",
    ".param",
    ".b32",
    ".u64",
    ".v4",
    ".align",
    ".func",
    ".entry",
    ".extern",
    ".alias",
    ".pragma",
    ".section",
    ".loc",
    ".file",
    ".callprototype",
    ".branchtargets",
    ".ptr",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ":",
    "=",
    "+",
    "-",
    "@",
    "!",
    "%r1",
    "_",
    "k",
    "ld.param.u32",
    "call",
    "0x",
    "1e",
    "0f3F800000",
    "18446744073709551615",
    "\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        swallow(bytes.clone());
        swallow([HEADER.as_bytes(), &bytes].concat());
        swallow([HEADER.as_bytes(), b".entry k() {", &bytes].concat());
    }

    #[test]
    fn random_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40), inside: bool) {
        let body = if inside { ".entry k() {\n" } else { "" };
        swallow(format!("{HEADER}{body}{}", pieces.join(" ")));
    }

    #[test]
    fn cut_modules(index in 0usize..4, at in 0usize..900) {
        let mut bytes = seed(index);
        bytes.truncate(at);
        swallow(bytes);
    }

    #[test]
    fn changed_modules(
        index in 0usize..4,
        changes in prop::collection::vec((0usize..900, prop::sample::select(&PIECES[..]), 0usize..12), 1..4),
    ) {
        let mut bytes = seed(index);
        for (at, piece, removed) in changes {
            let at = at % (bytes.len() + 1);
            let end = (at + removed).min(bytes.len());
            bytes.splice(at..end, piece.bytes());
        }
        swallow(bytes);
    }
}

/// Reads an input and says how long that took.
fn timed(what: &str, text: String) -> Diagnostics {
    let size = text.len();
    let start = Instant::now();
    let diagnostics = swallow(text);
    let time = start.elapsed();
    assert!(
        time < Duration::from_secs(20),
        "{what}: {size} bytes took {time:?}"
    );
    diagnostics
}

/// `prefix`, the same piece over and over up to a size, `suffix`.
fn flood(prefix: &str, piece: &str, size: usize, suffix: &str) -> String {
    let mut text = String::with_capacity(size + 1000);
    text.push_str(HEADER);
    text.push_str(prefix);
    while text.len() < size {
        text.push_str(piece);
    }
    text.push_str(suffix);
    text
}

const MB: usize = 1 << 20;

#[test]
fn floods_of_brackets() {
    for (prefix, piece) in [
        ("", "{"),
        (".entry k() ", "{"),
        (".global .b8 x[] = ", "{"),
        (".entry k() { call ", "("),
        (".global .b64 x = ", "("),
        (".entry k() { ld.global.u32 ", "["),
        (".entry k() { mov.b32 ", "{"),
    ] {
        let size = if piece == "{" { 100 * MB } else { 30 * MB };
        let diagnostics = timed(prefix, flood(prefix, piece, size, ""));
        assert!(diagnostics.has_errors(), "{prefix}");
    }
}

#[test]
fn long_lines_and_words() {
    let cases = [
        ("// ", "x", "\n", false),
        ("/*", "* /", "*/", false),
        (".global .b8 x", "x", ";", true),
        (".global .b64 x = 1", "1", ";", true),
        (".entry k() { x", ".x", ";}", true),
        (".entry k() { .pragma \"", "x", "\"; ret; }", false),
        ("", "#", "", true),
        ("", "# 1 ", "", true),
        ("", ";", "", true),
        (".entry k() { ", "a ", "", true),
        (".entry k() { ", "1e", "", true),
    ];
    for (prefix, piece, suffix, wrong) in cases {
        let diagnostics = timed(prefix, flood(prefix, piece, 50 * MB, suffix));
        assert_eq!(diagnostics.has_errors(), wrong, "{prefix}{piece}");
        let message = |d: &warpc_diag::Diagnostic| d.message.len();
        assert!(diagnostics.as_slice().iter().map(message).sum::<usize>() < MB);
    }
}

#[test]
fn deep_expressions() {
    for piece in ["-", "!", "1+(", "1?", "1?1:", "(.s64)", "1+"] {
        timed(piece, flood(".global .b64 x = ", piece, MB, "1;"));
        timed(piece, flood(".entry k() { mov.b64 x, ", piece, MB, "1; }"));
    }
}

#[test]
fn a_million_labels_and_many_of_all_else() {
    let labels: String = (0..1_000_000)
        .map(|i| format!("L{i}: bra L{};\n", 999_999 - i))
        .collect();
    let count = 100_000;
    let list = |piece: &dyn Fn(usize) -> String| (0..count).map(piece).collect::<String>();
    let cases = [
        (format!(".entry k() {{ {labels} }}"), false),
        (
            format!(".entry k() {{ {} }}", list(&|i| format!(".reg .b32 r{i};"))),
            false,
        ),
        (
            format!(
                ".entry k() {{ {} }}",
                list(&|_| "{.reg .b32 r<9>;}".to_owned())
            ),
            false,
        ),
        (list(&|i| format!(".global .b8 g{i};")), false),
        (
            format!(".global .b8 x[] = {{{}0}};", list(&|_| "7,".to_owned())),
            false,
        ),
        (list(&|i| format!(".file {i} \"a\"\n")), false),
        (list(&|i| format!(".extern .func f{i}();")), false),
        (
            list(&|i| format!(".func f{i}(); .func f{i}(){{ret;}}")),
            false,
        ),
        (
            format!(
                ".entry k() {{ mov.b32 {{{}a}}, b; }}",
                list(&|_| "a,".to_owned())
            ),
            true,
        ),
        (
            format!(".entry k({}) {{ }}", list(&|_| ".param .u8 p,".to_owned())),
            true,
        ),
    ];
    for (text, wrong) in cases {
        let what = text[..40.min(text.len())].to_owned();
        let diagnostics = timed(&what, format!("{HEADER}{text}"));
        assert_eq!(
            diagnostics.has_errors(),
            wrong,
            "{what}: {:?}",
            diagnostics.as_slice().first()
        );
    }
}
