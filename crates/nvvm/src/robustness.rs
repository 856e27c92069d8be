//! Bad input: floods of one thing, absurd sizes, depths and chains. Nothing may panic, exhaust the stack, take
//! long or eat the memory. Damaged and cut modules are in `read/tests` and `tests/oracle/cut`.

use crate::link::Options;
use crate::{link, print, read_text, verify};
use std::time::Instant;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_testkit::Random;

const MB: usize = 1 << 20;

/// Everything that looks at a module: reads, verifies, prints, reads the print, links.
fn swallow(bytes: Vec<u8>) -> Diagnostics {
    let Some(file) = SourceFile::new("input", bytes) else {
        return Diagnostics::new();
    };
    let mut read = read_text(&file);
    if read.diagnostics.has_errors() {
        return read.diagnostics;
    }
    read.diagnostics
        .append(verify(read.value.as_ref().unwrap()));
    if read.diagnostics.has_errors() {
        return read.diagnostics;
    }
    let printed = print(read.value.as_ref().unwrap());
    let again = SourceFile::new("printed", printed).expect("not much longer than the input");
    let again = read_text(&again);
    assert!(!again.diagnostics.has_errors(), "our print is not read");
    let linked = link(
        vec![read.value.unwrap(), again.value.unwrap()],
        Options::default(),
    );
    drop(linked);
    read.diagnostics
}

/// The processor time of this thread in seconds, which says the same on a busy machine as on a quiet one; where
/// the system does not tell it, the time on the clock.
fn seconds(start: Instant) -> f64 {
    // Clock ticks a second, for user space the same on all of Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    // The times in user and system mode, counted from after the name in parentheses.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields = after.split_whitespace().skip(11).take(2);
    let times: Vec<f64> = fields.filter_map(|n| n.parse().ok()).collect();
    match times[..] {
        [user, system] => (user + system) / TICKS,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// Swallows an input in reasonable time.
fn timed(what: &str, bytes: impl Into<Vec<u8>>) -> Diagnostics {
    let bytes = bytes.into();
    let size = bytes.len();
    let clock = Instant::now();
    let start = seconds(clock);
    let diagnostics = swallow(bytes);
    let time = seconds(clock) - start;
    assert!(time < 20.0, "{what}: {size} bytes took {time} s");
    let message = |d: &warpc_diag::Diagnostic| d.message.len();
    let text: usize = diagnostics.as_slice().iter().map(message).sum();
    assert!(text < MB, "{what}: {text} bytes of messages");
    diagnostics
}

/// `prefix`, the same piece over and over up to a size, `suffix`.
fn flood(prefix: &str, piece: &str, size: usize, suffix: &str) -> String {
    let count = size.saturating_sub(prefix.len()) / piece.len();
    [prefix, &piece.repeat(count), suffix].concat()
}

#[test]
fn floods_are_refused() {
    let cases = [
        ("", "{", 100 * MB, ""),
        ("", "(", 50 * MB, ""),
        ("@a = global ", "{", 20 * MB, ""),
        ("@a = global [1 x i8] ", "[", 20 * MB, ""),
        ("!0 = ", "!{", 20 * MB, ""),
        ("^0 = module: ", "(", 20 * MB, ""),
        ("uselistorder i32 %x, {", "1, ", 20 * MB, ""),
        ("", "a", 50 * MB, ""),
        ("@\"", "a", 50 * MB, ""),
        ("@a = global i64 ", "9", 50 * MB, "\n"),
        ("@a = global i8388608 ", "9", 3 * MB, "\n"),
        ("@a = global double 0x", "9", 20 * MB, "\n"),
        ("@a = global i32 x", "\n@a = global i32 x", 20 * MB, "\n"),
        ("define void @f() {\n", "  foo bar\n", 20 * MB, "}\n"),
        ("define void @f() ", "\"a\"=\"b\" ", 10 * MB, ""),
        (
            "!0 = !DIFile(",
            "filename: \"a\", ",
            10 * MB,
            "directory: \"b\")\n",
        ),
        (
            "define void @f() {\n  fence seq_cst",
            ", !a !0",
            10 * MB,
            "\n",
        ),
    ];
    for (prefix, piece, size, suffix) in cases {
        let what = format!("{prefix}{piece}…");
        let diagnostics = timed(&what, flood(prefix, piece, size, suffix));
        assert!(diagnostics.has_errors(), "{what}");
    }
}

#[test]
fn floods_are_taken() {
    let cases = [
        ("; ", "x", 100 * MB, "\n"),
        ("", "\0", 50 * MB, ""),
        ("@", "a", 50 * MB, " = global i32 0\n"),
        ("@\"", "\\41", 20 * MB, "\" = global i32 0\n"),
        ("@a = global double 1.", "3", 20 * MB, "\n"),
        (
            "@a = global ptr null\n@b = global i8",
            "*",
            20 * MB,
            " null\n",
        ),
        ("!0 = !{!1", ", !1", 20 * MB, "}\n!1 = !{}\n"),
        ("!a = !{!0}\n!0 = !{}\n", "!a = !{!0}\n", 5 * MB, ""),
        ("", "module asm \"x\"\n", 10 * MB, ""),
    ];
    for (prefix, piece, size, suffix) in cases {
        let what = format!("{prefix}{piece}…");
        let diagnostics = timed(&what, flood(prefix, piece, size, suffix));
        let first = diagnostics.as_slice().first();
        assert!(!diagnostics.has_errors(), "{what}: {first:?}");
    }
}

#[test]
fn random_bytes() {
    let mut random = Random::new(1);
    let bytes: Vec<u8> = (0..50 * MB / 8)
        .flat_map(|_| random.bits().to_le_bytes())
        .collect();
    assert!(timed("random bytes", bytes).has_errors());
}

#[test]
fn a_million_levels() {
    const DEEP: usize = 1_000_000;
    let nested = |head: &str, open: &str, middle: &str, close: &str, tail: &str| {
        [head, &open.repeat(DEEP), middle, &close.repeat(DEEP), tail].concat()
    };
    let cases = [
        nested("@a = global ", "[1 x ", "i8", "]", " undef\n"),
        nested("@a = global ", "{", "i8", "}", " undef\n"),
        nested("@a = global ", "<1 x ", "i8", ">", " undef\n"),
        nested("@a = global void ", "(void ", "()", ")", " undef\n"),
        nested("@a = global [1 x i8] ", "[[1 x i8] ", "", "]", "\n"),
        nested(
            "@a = global ptr ",
            "inttoptr (i64 ptrtoint (ptr ",
            "@a",
            " to i64) to ptr)",
            "\n",
        ),
        nested(
            "@a = global ptr ",
            "getelementptr (i8, ptr ",
            "@a",
            ", i64 1)",
            "\n",
        ),
        nested("!0 = ", "!{", "", "}", "\n"),
        nested("!0 = ", "!DIFile(a: ", "1", ")", "\n"),
    ];
    for text in cases {
        let what = text[..40].to_owned();
        assert!(timed(&what, text).has_errors(), "{what}");
    }
}

/// Lines made from numbers.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn chains_and_cycles() {
    const LONG: usize = 200_000;
    let chain = |i: usize| (i, i + 1);
    let cases = [
        (
            "aliases in a cycle",
            lines(LONG, |i| {
                format!("@a{i} = alias i8, ptr @a{}\n", (i + 1) % LONG)
            }),
            true,
        ),
        (
            "aliases in a chain",
            lines(LONG, |i| format!("@a{i} = alias i8, ptr @a{}\n", i + 1))
                + &format!("@a{LONG} = global i8 0\n"),
            false,
        ),
        (
            "structs in a cycle",
            "%a = type { %b }\n%b = type { %a }\n@g = global %a zeroinitializer\n".into(),
            true,
        ),
        (
            "structs of structs",
            lines(LONG, |i| {
                format!("%t{i} = type {{ %t{0}, %t{0} }}\n", i + 1)
            }) + &format!("%t{LONG} = type {{ i8 }}\n@g = global %t0 zeroinitializer\n")
                + "define %t0 @f(ptr %p) {\n  %a = load %t0, ptr %p\n  ret %t0 %a\n}\n",
            false,
        ),
        (
            "nodes in a chain",
            String::from("!llvm.x = !{!0}\n")
                + &lines(LONG, |i| {
                    format!("!{} = !{{!{}}}\n", chain(i).0, chain(i).1)
                })
                + &format!("!{LONG} = !{{}}\n"),
            false,
        ),
        (
            "nodes in a cycle",
            String::from("!llvm.x = !{!0}\n")
                + &lines(LONG, |i| {
                    format!("!{i} = distinct !{{!{}}}\n", (i + 1) % LONG)
                }),
            false,
        ),
        (
            "nodes that are not there",
            lines(LONG, |i| format!("!{i} = !{{!{}}}\n", i + LONG)),
            true,
        ),
        (
            "scattered numbers of nodes",
            lines(LONG, |i| format!("!{} = !{{}}\n", i * 20_011)),
            false,
        ),
        (
            "values that are not there",
            String::from("define void @f() {\n")
                + &lines(LONG, |i| format!("  store i32 %v{i}, ptr null\n"))
                + "  ret void\n}\n",
            true,
        ),
        (
            "blocks in a row",
            String::from("define void @f() {\n")
                + &lines(LONG, |i| format!("b{i}:\n  br label %b{}\n", i + 1))
                + &format!("b{LONG}:\n  ret void\n}}\n"),
            false,
        ),
        (
            "addresses of blocks",
            lines(LONG, |i| {
                format!("@a{i} = global ptr blockaddress(@f, %b{i})\n")
            }) + "define void @f() {\n  br label %b0\n"
                + &lines(LONG, |i| format!("b{i}:\n  br label %b{}\n", i + 1))
                + &format!("b{LONG}:\n  ret void\n}}\n"),
            false,
        ),
        (
            "groups that come late",
            lines(LONG / 4, |i| {
                format!("define void @f{i}() #{i} {{ ret void }} attributes #{i} = {{ nounwind }} ")
            }),
            false,
        ),
        (
            "kinds of nodes",
            lines(LONG, |i| format!("!{i} = !DIX{i}(a{i}: 1)\n")),
            true,
        ),
        (
            "named metadata",
            lines(LONG, |i| format!("!a{i} = !{{}}\n")),
            false,
        ),
        (
            "types of access",
            String::from(
                "define void @f(ptr %p) {\n  store i8 0, ptr %p, !tbaa !0\n  ret void\n}\n",
            ) + "!0 = !{!1, !1, i64 0}\n"
                + &lines(LONG, |i| {
                    format!("!{0} = !{{!\"t{0}\", !{1}, i64 0}}\n", i + 1, i + 2)
                })
                + &format!("!{} = !{{!\"root\"}}\n", LONG + 1),
            false,
        ),
    ];
    for (what, text, wrong) in cases {
        let diagnostics = timed(what, text);
        let first = diagnostics.as_slice().first();
        assert_eq!(diagnostics.has_errors(), wrong, "{what}: {first:?}");
    }
}

#[test]
fn absurd_numbers() {
    for text in [
        "@a = global i99999999999999999999 0\n",
        "@a = global i8388609 0\n",
        "@a = global i0 0\n",
        "@a = global <99999999999 x i8> undef\n",
        "@a = global <0 x i8> undef\n",
        "@a = global [99999999999999999999 x i8] undef\n",
        "!99999999999999999999 = !{}\n",
        "@99999999999999999999 = global i8 0\n",
        "define void @f() {\n  %99999999999999999999 = add i8 1, 1\n  ret void\n}\n",
        "define void @f() align 3 { ret void }\n",
        "define cc1024 void @f() { ret void }\n",
        "@a = global ptr addrspace(99999999) null\n",
        "define void @f(ptr dereferenceable(99999999999999999999) %p) { ret void }\n",
    ] {
        assert!(timed(text, text).has_errors(), "{text}");
    }
    for text in [
        "@a = global [18446744073709551615 x [18446744073709551615 x i64]] zeroinitializer\n",
        "@a = global <4294967295 x i8> zeroinitializer\n",
        "@a = global i8388608 0\n",
        "!18446744073709551615 = !{}\n",
    ] {
        let diagnostics = timed(text, text);
        let first = diagnostics.as_slice().first();
        assert!(!diagnostics.has_errors(), "{text}: {first:?}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let text = b"@\"\xff\xfe\" = global i32 0\n; \xff\n";
    assert!(!timed("names", &text[..]).has_errors());
    assert!(timed("a constant", &b"@b = global \xc3\x28\n"[..]).has_errors());
    assert!(timed("bitcode", &b"BC\xc0\xde\x35\x14\x00\x00"[..]).has_errors());
}
