//! Text that `llvm-dis` 22 wrote is read and printed again: nothing may differ.
//!
//! The files under `tests/files/print` show every construct, a file a subject. Their first line,
//! the comment that names the module, was taken away.

use warpc_diag::SourceFile;
use warpc_testkit::project;

#[test]
fn what_llvm_wrote_is_printed_as_it_was() {
    let paths = project::entries(&project::tests().join("files/print"));
    assert!(!paths.is_empty());
    let mut failures = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = SourceFile::new(name.as_ref(), text.clone()).expect("it is small");
        let read = warpc_nvvm::read_text(&file);
        if let Some(first) = read.diagnostics.as_slice().first() {
            failures.push(format!("{name}: {}", first.message));
            continue;
        }
        let printed = warpc_nvvm::print(read.value.as_ref().unwrap());
        let difference = text
            .lines()
            .zip(printed.lines())
            .position(|(original, ours)| original != ours);
        if let Some(line) = difference {
            failures.push(format!(
                "{name}:{}\n  - {}\n  + {}",
                line + 1,
                text.lines().nth(line).unwrap_or_default(),
                printed.lines().nth(line).unwrap_or_default()
            ));
        } else if text != printed {
            failures.push(format!("{name}: one of the two texts is longer"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is written differently and means the same is printed as LLVM prints it.
#[test]
fn other_spellings_are_printed_as_llvm_prints_them() {
    for (text, expected) in [
        (
            "declare void @f()\n!named = !{!{i32 1}}\n",
            "declare void @f()\n\n!named = !{!0}\n\n!0 = !{i32 1}\n",
        ),
        (
            "define cc 99 void @f() {\n  ret void\n}\n",
            "define cc99 void @f() {\n  ret void\n}\n",
        ),
        (
            "declare void @f() vscale_range(1, 2)\n",
            "; Function Attrs: vscale_range(1,2)\ndeclare void @f() #0\n\nattributes #0 = { vscale_range(1,2) }\n",
        ),
        // LLVM 23 writes infinities, NaNs and bits of floating-point numbers in another way.
        (
            "@f = constant <4 x float> <float f0x3FB8AA3B, float -inf, float +qnan, float -nan(0x1)>\n",
            "@f = constant <4 x float> <float 0x3FF7154760000000, float 0xFFF0000000000000, float 0x7FF8000000000000, float 0xFFF8000020000000>\n",
        ),
        // Values of a function as metadata, and nodes that are written where they are used.
        (
            "declare void @llvm.foo(metadata, metadata, metadata)\ndefine void @f(i32 %x) {\n  call void @llvm.foo(metadata i32 %x, metadata !DIExpression(), metadata !{ptr null, !\"s\"})\n  ret void\n}\n",
            "declare void @llvm.foo(metadata, metadata, metadata)\n\ndefine void @f(i32 %x) {\n  call void @llvm.foo(metadata i32 %x, metadata !DIExpression(), metadata !0)\n  ret void\n}\n\n!0 = !{ptr null, !\"s\"}\n",
        ),
        // Structs that nothing uses are left out; the others come in the order of their uses.
        (
            "%b = type { i32 }\n%unused = type opaque\n%a = type { %b }\n@g = external global %a\n",
            "%a = type { %b }\n%b = type { i32 }\n\n@g = external global %a\n",
        ),
    ] {
        let file = SourceFile::new("a.ll", text).expect("it is small");
        let read = warpc_nvvm::read_text(&file);
        assert_eq!(read.diagnostics.as_slice(), [], "{text}");
        assert_eq!(warpc_nvvm::print(read.value.as_ref().unwrap()), expected);
    }
}

/// Bits must be those of the type; decimal numbers are rounded, as LLVM 23 rounds them, to a number that is there.
#[test]
fn numbers_that_do_not_fit_are_refused() {
    for (number, fits) in [
        ("float 0.1", true),
        ("float 0x3FB99999A0000000", true),
        ("float 16777217.0", true),
        ("float 0x7FF8000000000001", false),
        ("half 65504.0", true),
        ("half 65520.0", false),
        ("half 0x3E70000000000000", true),
        ("bfloat 1.00390625", true),
        ("double 0.1", true),
        ("float 0x3FB999999999999A", false),
        ("float 1.0e39", false),
        ("bfloat 1.0e-60", false),
    ] {
        let file = SourceFile::new("a.ll", format!("@a = global {number}\n")).expect("small");
        let read = warpc_nvvm::read_text(&file);
        assert_eq!(!read.diagnostics.has_errors(), fits, "{number}");
    }
}
