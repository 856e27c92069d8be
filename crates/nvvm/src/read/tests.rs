//! What the reader takes, what it refuses and how it says so.
//!
//! `tests/modern.ll` holds a bit of everything that LLVM 22 has, `tests/typed.ll` what LLVM 14 wrote
//! with typed pointers; both are accepted by the `llvm-as` of their version.

use super::*;
use crate::print;
use warpc_testkit::Random;

const MODERN: &str = include_str!("tests/modern.ll");
const TYPED: &str = include_str!("tests/typed.ll");

fn read(text: &[u8]) -> Output<Module> {
    let file = SourceFile::new("t.ll", text).expect("a short text");
    read_text(&file)
}

fn messages(text: &str) -> Vec<(usize, String)> {
    let file = SourceFile::new("t.ll", text).expect("a short text");
    let read = read_text(&file);
    let shown = read.diagnostics.as_slice().iter();
    shown
        .map(|diagnostic| {
            let line = file.position(diagnostic.span.start).line;
            (line, diagnostic.message.clone())
        })
        .collect()
}

#[test]
fn what_is_printed_reads_back_the_same() {
    for text in [MODERN, TYPED] {
        let first = read(text.as_bytes());
        assert_eq!(first.diagnostics.error_count(), 0);
        let printed = print(&first.unwrap());
        let second = read(printed.as_bytes());
        assert_eq!(second.diagnostics.error_count(), 0, "{printed}");
        assert_eq!(print(&second.unwrap()), printed);
    }
}

#[test]
fn typed_pointers_leave_no_trace() {
    let printed = print(&read(TYPED.as_bytes()).unwrap());
    assert!(!printed.contains("*)") && !printed.contains("i32*"));
    for modern in [
        "%2 = load float, ptr %1, align 4, !tbaa",
        "@fp = global ptr @callee",
        "ptr captures(none)",
        "define i32 @id(i32 %x) #",
        "memory(none)",
        "memory(argmem: read)",
        "#dbg_declare(ptr %a, ",
        "call i32 (ptr, ...) @printf(ptr @str, i32 1)",
        "addrspacecast (ptr addrspace(3) getelementptr inbounds ([0 x float], ptr addrspace(3) @sh, i32 0, i32 3) to ptr)",
    ] {
        assert!(printed.contains(modern), "{modern}\n{printed}");
    }
    assert!(!printed.contains("declare void @llvm.dbg"));
}

#[test]
fn several_errors_in_one_run() {
    let found = messages(
        "@a = global i32 1.5\n\
         define i32 @f(i32 %x) {\n  %y = add i32 %x, %z\n  %w = frob i32 %y\n  %v = load i33x, ptr null\n  ret i32 %y\n}\n\
         define void @g() {\n  %a = add i32 %later, 1\n  br label %nowhere\n}\n\
         declare void @g()\n\
         !0 = !{!7}\n",
    );
    let lines: Vec<usize> = found.iter().map(|entry| entry.0).collect();
    assert_eq!(lines, [1, 4, 5, 9, 10, 12, 13], "{found:?}");
}

#[test]
fn what_llvm_refuses_is_refused() {
    for (text, part) in [
        ("define void @f() {\n}", "at least one block"),
        (
            "define void @f() {\n  %1 = add i32 1, 2\nb:\n  ret void\n}",
            "no terminator",
        ),
        (
            "define void @f() {\n  %0 = add i32 1, 2\n  ret void\n}",
            "numbered 1 or greater",
        ),
        (
            "define void @f(i32 %x) {\n  %x = add i32 1, 2\n  ret void\n}",
            "taken",
        ),
        (
            "define void @f() {\n  %x = fence seq_cst\n  ret void\n}",
            "no result",
        ),
        (
            "define void @f(i32 %x) {\n  %y = add i64 %x, 2\n  ret void\n}",
            "type `i32`, not `i64`",
        ),
        ("@a = global i32 0\n@a = global i32 0", "twice"),
        (
            "@a = addrspace(1) global i32 0\n@b = global ptr @a",
            "address space 1, not 0",
        ),
        (
            "@b = global ptr @a\n@a = addrspace(1) global i32 0",
            "address space 1",
        ),
        ("@a = global [2 x i32] [i32 1]", "array of 1 elements"),
        ("@a = global [2 x i8] c\"abc\"", "string of 3 bytes"),
        ("@a = global i0 0", "width"),
        ("@a = global %T zeroinitializer", "`%T` is not defined"),
        ("@a = global i32 0, align 3", "not an alignment"),
        ("define void @f() #3 {\n  ret void\n}", "`#3`"),
        (
            "@a = global ptr blockaddress(@f, %x)\ndefine void @f() {\n  ret void\n}",
            "no block",
        ),
        (
            "define void @f() {\n  call void (i32) @f()\n  ret void\n}",
            "takes 1",
        ),
        ("@a = global i32 0, comdat", "comdat `@a` is not defined"),
        ("@a = global i32 \"", "never closed"),
        ("define void @f() {\n  ret void\n", "`}`"),
        ("%a = type i32 () ()", "result of this type"),
    ] {
        let found = messages(text);
        let hit = found.iter().any(|entry| entry.1.contains(part));
        assert!(hit, "{text}\n{found:?}");
    }
}

#[test]
fn numbers_and_names_of_all_kinds() {
    let text = "@\"\\01a b\" = global i32 -1\n@c = global i128 340282366920938463463374607431768211455\n\
        @d = global float 0x36A0000000000000\n@e = global i16 s0xFF\n@f = global double 0x7FF0000000000001\n";
    let read = read(text.as_bytes());
    assert_eq!(read.diagnostics.error_count(), 0);
    let printed = print(read.value.as_ref().unwrap());
    for line in [
        "@\"\\01a b\" = global i32 -1",
        "@c = global i128 -1",
        "@d = global float 0x36A0000000000000",
        "@e = global i16 -1",
        "@f = global double 0x7FF0000000000001",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
}

#[test]
fn groups_that_stand_anywhere() {
    let text = "declare void @f() #0\n  attributes\n #0 = { nounwind }";
    let read = read(text.as_bytes());
    assert_eq!(read.diagnostics.error_count(), 0);
    assert!(print(read.value.as_ref().unwrap()).contains("attributes #0 = { nounwind }"));
}

#[test]
fn damaged_text_is_answered() {
    const SNIPPETS: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "*",
        "!",
        "%",
        "@",
        "#",
        "\"",
        "%0",
        "@0",
        "!0",
        "#0",
        "i32",
        "ptr",
        "label",
        "metadata",
        "void",
        "...",
        "=",
        ",",
        "-",
        "0x",
        "splat",
        "c\"",
        "null",
        "99999999999999999999",
        "define",
        "declare",
        "asm",
        "to",
        "\n",
        "zeroinitializer",
        "x",
    ];
    let mut random = Random::new(7);
    for text in [MODERN, TYPED] {
        for _ in 0..1500 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                let end = (at + random.below(12)).min(bytes.len());
                match random.below(5) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => drop(bytes.drain(at..end)),
                    2 => {
                        let other = random.below(text.len() - 60);
                        let part = &text.as_bytes()[other..other + random.below(60)];
                        bytes.splice(at..at, part.iter().copied());
                    }
                    3 => bytes.truncate(at.max(1)),
                    _ => {
                        let snippet = SNIPPETS[random.below(SNIPPETS.len())];
                        bytes.splice(at..end, snippet.bytes());
                    }
                }
            }
            let read = read(&bytes);
            if !read.diagnostics.has_errors() {
                let printed = print(read.value.as_ref().unwrap());
                let again = self::read(printed.as_bytes());
                assert!(!again.diagnostics.has_errors(), "{printed}");
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    for text in [
        format!(
            "@a = global {}i32{} undef",
            "[1 x ".repeat(deep),
            "]".repeat(deep)
        ),
        format!(
            "@a = global i32 {}1{}",
            "add (i32 ".repeat(deep),
            ", i32 1)".repeat(deep)
        ),
        format!("!0 = {}{}", "!{".repeat(deep), "}".repeat(deep)),
        (0..deep)
            .map(|i| format!("%a{} = type [1 x %a{i}]\n", i + 1))
            .fold("%a0 = type [1 x i32]\n".to_owned(), |all, line| all + &line),
    ] {
        let read = read(text.as_bytes());
        assert!(read.diagnostics.has_errors());
        assert_eq!(read.diagnostics.as_slice()[0].code, codes::IR_TOO_DEEP);
    }
}

#[test]
fn large_numbers_cost_nothing() {
    let text = "@a = global <4000000000 x ptr> splat (ptr @a)\n!4000000000 = !{}\n\
        define void @f() {\n  %4000000000 = add i32 1, 2\n  ret void\n}\n";
    assert_eq!(read(text.as_bytes()).diagnostics.error_count(), 0);
}
