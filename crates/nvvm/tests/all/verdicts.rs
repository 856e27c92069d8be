//! Small modules at the edges of what LLVM 22 takes, each with the verdict of its `opt -passes=verify`.

use warpc_diag::SourceFile;
use warpc_nvvm::{print, read_text, verify};

/// The first error, from the reader or the verifier.
fn verdict(text: &str) -> Result<String, String> {
    let file = SourceFile::new("t.ll", text).expect("tests are small");
    let read = read_text(&file);
    let mut found = read.diagnostics;
    if !found.has_errors() {
        found.append(verify(read.value.as_ref().unwrap()));
    }
    match found.has_errors() {
        true => Err(found.as_slice()[0].message.clone()),
        false => Ok(print(read.value.as_ref().unwrap())),
    }
}

fn all_taken(texts: &[(&str, &str)]) {
    for (text, part) in texts {
        let printed = verdict(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert!(printed.contains(part), "{text}\n{printed}");
        let again = verdict(&printed).unwrap_or_else(|error| panic!("{printed}\n{error}"));
        assert_eq!(again, printed);
    }
}

fn all_refused(texts: &[(&str, &str)]) {
    for (text, part) in texts {
        match verdict(text) {
            Ok(printed) => panic!("{text}\nis taken:\n{printed}"),
            Err(error) => assert!(error.contains(part), "{text}\n{error}"),
        }
    }
}

#[test]
fn comments_in_the_middle() {
    all_taken(&[
        (
            "/* a */ define /* b\n; c */ void @f() { ret /**/ void }",
            "ret void",
        ),
        ("/* a /* b */ @x = global i32 /* 1 */ 2 ; /*\n", "i32 2"),
        ("@x = global [2 x i8] c\"/*\"", "c\"/*\""),
        // What stands in a comment is not an attribute group.
        (
            "define void @f() #0 { ret void }\n/*\nattributes #0 = { noinline }\n*/\nattributes #0 = { nounwind }\n/*\nattributes #0 = { cold }\n*/\n",
            "attributes #0 = { nounwind }",
        ),
    ]);
    all_refused(&[
        ("@x = global i32 0 /* never", "never ends"),
        ("@x = global i32 0 */", "`*`"),
    ]);
}

#[test]
fn counts_in_hexadecimal() {
    all_taken(&[
        ("@a = global [u0x3 x i8] c\"abc\"", "[3 x i8]"),
        (
            "@a = external global [u0xFFFFFFFF x i8]",
            "[4294967295 x i8]",
        ),
        ("define void @f(<u0x4 x i32> %a) { ret void }", "<4 x i32>"),
        ("@a = external global i8, align u0x10", "align 16"),
    ]);
    all_refused(&[
        ("@a = external global [s0x3 x i8]", ""),
        ("@a = external global [-3 x i8]", ""),
        ("define void @f(<u0x0 x i32> %a) { ret void }", ""),
        ("@a = external global [u0x10000000000000000 x i8]", ""),
    ]);
}

#[test]
fn empty_names_are_numbers() {
    all_taken(&[
        (
            "@\"\" = global i32 0\ndefine ptr @f() { ret ptr @0 }",
            "ret ptr @0",
        ),
        (
            "define void @\"\"() { ret void }\ndefine void @g() {\n  call void @0()\n  ret void\n}",
            "call void @0()",
        ),
        (
            "@\"\" = global i32 0\n@\"\" = global i32 1\ndefine ptr @f() { ret ptr @1 }",
            "@1 = global i32 1",
        ),
        (
            "@\"\" = global i32 0\n@1 = global i32 1\ndefine ptr @f() { ret ptr @1 }",
            "ret ptr @1",
        ),
        ("define i32 @f(i32 %\"\") { ret i32 %0 }", "ret i32 %0"),
        (
            "define i32 @f(i32 %\"\") {\n  %\"\" = add i32 %0, 1\n  ret i32 %2\n}",
            "%2 = add i32 %0, 1",
        ),
    ]);
    all_refused(&[
        (
            "@\"\" = global i32 0\ndefine ptr @f() { ret ptr @\"\" }",
            "not defined",
        ),
        ("@\"\" = global i32 0\n@0 = global i32 1", "1 or greater"),
    ]);
}

#[test]
fn results_of_intrinsics_may_have_names() {
    for (result, name, params) in [
        ("i32, i1", "llvm.uadd.with.overflow.i32", "i32, i32"),
        ("i64, i1", "llvm.smul.with.overflow.i64", "i64, i64"),
        (
            "<2 x i8>, <2 x i1>",
            "llvm.ssub.with.overflow.v2i8",
            "<2 x i8>, <2 x i8>",
        ),
        ("float, i32", "llvm.frexp.f32.i32", "float"),
        ("float, float", "llvm.sincos.f32", "float"),
        ("i32, i1", "llvm.nvvm.match.all.sync.i32p", "i32, i32"),
    ] {
        for ty in [format!("{{ {result} }}"), format!("<{{ {result} }}>")] {
            let args: Vec<String> = params
                .split(", ")
                .enumerate()
                .map(|(at, param)| format!("{param} %{at}"))
                .collect();
            let text = format!(
                "%r = type {ty}\ndeclare %r @{name}({params})\n\
                 define %r @f({params}) {{\n  %x = call %r @{name}({})\n  ret %r %x\n}}\n",
                args.join(", ")
            );
            assert!(verdict(&text).is_ok(), "{text}{:?}", verdict(&text));
        }
    }
    for ty in ["{ i32, i32 }", "{ i32 }", "{ i32, i1, i1 }"] {
        let text = format!(
            "%r = type {ty}\ndeclare %r @llvm.uadd.with.overflow.i32(i32, i32)\n\
             define void @f(i32 %a) {{\n  %x = call %r @llvm.uadd.with.overflow.i32(i32 %a, i32 1)\n  ret void\n}}\n"
        );
        all_refused(&[(&text, "does not have the type")]);
    }
}

#[test]
fn ranges() {
    for (ty, low, high, taken) in [
        ("i32", "0", "9223372036854775807", false),
        ("i32", "0", "4294967296", false),
        ("i32", "0", "4294967295", true),
        ("i32", "-2147483648", "2147483647", true),
        ("i32", "-2147483649", "5", false),
        ("i32", "5", "5", false),
        ("i32", "u0x0", "u0x5", true),
        ("i32", "u0x0", "u0x100000000", false),
        ("i1", "0", "1", true),
        ("i1", "false", "true", false),
        ("i8", "0", "255", true),
        ("i8", "0", "256", false),
        ("i8", "-128", "127", true),
        ("i8", "-129", "127", false),
        ("i128", "0", "340282366920938463463374607431768211455", true),
        (
            "i128",
            "0",
            "340282366920938463463374607431768211456",
            false,
        ),
    ] {
        let text = format!("define void @f({ty} range({ty} {low}, {high}) %a) {{ ret void }}");
        assert_eq!(verdict(&text).is_ok(), taken, "{text}");
    }
    all_taken(&[("declare void @llvm.foo(i32 immarg range(i32 0, 3))", "")]);
    all_refused(&[
        (
            "declare void @llvm.foo(i32 immarg noundef)",
            "`immarg` stands alone",
        ),
        (
            "declare void @llvm.foo(i32 immarg range(i32 0, 3) noundef)",
            "`immarg` stands alone",
        ),
    ]);
}

#[test]
fn names_hold_no_zero_byte() {
    for text in [
        "@\"a\\00b\" = global i32 0",
        "define void @f() {\n\"a\\00\":\n  ret void\n}",
        "%\"a\\00\" = type { i32 }\n@g = global %\"a\\00\" zeroinitializer",
        "$\"a\\00\" = comdat any\n@g = global i32 0, comdat($\"a\\00\")",
        "define void @f(i32 %\"a\\00\") { ret void }",
        "define void @f() {\n  %\"x\\00\" = add i32 1, 1\n  ret void\n}",
    ] {
        all_refused(&[(text, "zero byte")]);
    }
    all_taken(&[
        ("@a = global i32 0, section \"a\\00b\"", "section"),
        ("define void @f() \"a\\00b\" { ret void }", "a\\00b"),
    ]);
}

#[test]
fn target_features() {
    for (features, taken) in [
        ("", true),
        ("+ptx80,+sm_90", true),
        ("-foo", true),
        ("+", true),
        ("bad", false),
        ("+a,,+b", false),
        ("+a,", false),
        ("+a, +b", false),
    ] {
        let text = format!("define void @f() \"target-features\"=\"{features}\" {{ ret void }}");
        assert_eq!(verdict(&text).is_ok(), taken, "{text}");
    }
}

#[test]
fn numbers_of_labels() {
    for (number, taken) in [
        ("10", true),
        ("4294967294", true),
        ("4294967296", false),
        ("18446744073709551615", false),
    ] {
        let text = format!("define void @f() {{\n  br label %{number}\n{number}:\n  ret void\n}}");
        assert_eq!(verdict(&text).is_ok(), taken, "{text}");
    }
}

#[test]
fn floating_point_numbers() {
    all_taken(&[
        ("@a = global half 0xH1", "half 0xH0001"),
        ("@a = global half 0xH00001234", "half 0xH1234"),
        ("@a = global bfloat 0xR0000001", "bfloat 0xR0001"),
        // As LLVM 23 writes them; LLVM 22 wants those of `float` and shorter to be exact.
        ("@a = global float 1.002960e+00", "float 0x3FF00C1FC0000000"),
        ("@a = global half 0.1", "half 0xH2E66"),
        ("@a = global bfloat 1.1", "bfloat 0xR3F8D"),
        ("@a = global double 0.1", "double 1.000000e-01"),
        ("@a = global double 1.0e400", "double 0x7FF0000000000000"),
    ]);
    all_refused(&[
        ("@a = global half 0xH12345", "16 bits"),
        ("@a = global bfloat 0xR12345", "16 bits"),
        ("@a = global half 0xH", ""),
        ("@a = global float 1.0e39", "near"),
        ("@a = global half 70000.0", "near"),
        ("@a = global float 1.0e-60", "near"),
        ("@a = global float 0x3FF0CCCCCCCCCCCD", "exactly"),
    ]);
}

/// Tables are kept as bytes, and are printed as they were written.
#[test]
fn arrays_of_numbers() {
    for text in [
        "@a = global [3 x i16] [i16 -1, i16 2, i16 32767]",
        "@a = global [2 x i32] [i32 -2147483648, i32 7]",
        "@a = global [2 x i64] [i64 -9223372036854775808, i64 9223372036854775807]",
        "@a = global [2 x float] [float 1.500000e+00, float 0x7FF0000000000000]",
        "@a = global [2 x double] [double -0.000000e+00, double 0x7FF8000000000001]",
        "@a = global [2 x half] [half 0xH3C00, half 0xH8000]",
        "@a = global [2 x bfloat] [bfloat 0xR3F80, bfloat 0xR0001]",
        "@a = global [2 x i32] zeroinitializer",
        "@a = global [3 x i32] [i32 1, i32 undef, i32 3]",
        "@a = global [2 x i24] [i24 1, i24 -1]",
        "@a = global [2 x [2 x i32]] [[2 x i32] [i32 1, i32 2], [2 x i32] zeroinitializer]",
    ] {
        all_taken(&[(text, text)]);
    }
    all_taken(&[
        ("@a = global [2 x i32] [i32 0, i32 0]", "zeroinitializer"),
        (
            "@a = global [2 x i32] [i32 u0x10, i32 99999999999999999999]",
            "[i32 16, i32 1661992959]",
        ),
        (
            "@b = global i32 0\n@a = global [2 x i64] [i64 7, i64 ptrtoint (ptr @b to i64)]",
            "[i64 7, i64 ptrtoint (ptr @b to i64)]",
        ),
    ]);
    all_refused(&[
        ("@a = global [2 x i32] [i32 1]", "array of 1 elements"),
        (
            "@a = global [2 x i32] [i32 1, i32 2, i32 3]",
            "array of 3 elements",
        ),
        (
            "@a = global [2 x i32] [i32 1, i64 2]",
            "element 1 has another type",
        ),
        (
            "@a = global [2 x i32] [i32 1, float 2.0]",
            "element 1 has another type",
        ),
        ("@a = global [2 x i32] [i32 1, i32 2.0]", ""),
        ("@a = global [2 x float] [float 1.0, float 2]", ""),
    ]);
}

/// Types that hold each other very often or very deep.
#[test]
fn nested_types() {
    let nested = |depth: usize, first: &str, second: &str| {
        let mut text = format!("%t0 = type {first}\n");
        for level in 1..=depth {
            let second = second.replace('$', &format!("%t{}", level - 1));
            text += &format!("%t{level} = type {{ %t{}, {second} }}\n", level - 1);
        }
        text + &format!("@g = external global %t{depth}\n")
    };
    for (depth, first, second) in [
        (40, "{ i32 }", "$"),
        (60, "{}", "$"),
        (20_000, "{ i64 }", "i32"),
    ] {
        let text = nested(depth, first, second);
        let error = verdict(&text).err();
        assert_eq!(error, None, "{depth} {first} {second}");
    }
}
