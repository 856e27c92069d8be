//! Bitcode of real modules: nothing is refused, and the same module gives the same bytes. What LLVM reads from it is
//! compared by `./x ll bitcode-write`.

use warpc_diag::SourceFile;
use warpc_nvvm::{BitcodeDialect, BitcodeOptions, read_bitcode, write_bitcode};
use warpc_testkit::{gzip, project};

#[test]
fn real_modules_are_written() {
    let paths = project::entries(&project::tests().join("corpus/ll"));
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.display().to_string();
        let file = SourceFile::new(name.as_str(), gzip::read_text(&path)).expect("a short text");
        let module = warpc_nvvm::read_text(&file).unwrap();
        let options = BitcodeOptions::new(BitcodeDialect::Current);
        let bytes = write_bitcode(&module, &options).unwrap();
        assert!(bytes.starts_with(b"BC\xC0\xDE"), "{name}");
        assert_eq!(bytes.len() % 4, 0, "{name}");
        let again = write_bitcode(&warpc_nvvm::read_text(&file).unwrap(), &options).unwrap();
        assert!(bytes == again, "{name}: other bytes the second time");
    }
}

#[test]
fn the_producer_can_be_chosen() {
    let file = SourceFile::new("empty.ll", "").expect("a short text");
    let module = warpc_nvvm::read_text(&file).unwrap();
    let mut options = BitcodeOptions::default();
    let usual = write_bitcode(&module, &options).unwrap();
    options.producer = Some(String::from("99.9"));
    let other = write_bitcode(&module, &options).unwrap();
    assert_ne!(usual, other);
}

/// Modules for a GPU have bitcode of LLVM 7, too, or it is said what that lacks.
#[test]
fn real_modules_are_written_for_llvm_7() {
    let mut written = 0;
    for path in project::entries(&project::tests().join("corpus/ll")) {
        let name = path.display().to_string();
        let file = SourceFile::new(name.as_str(), gzip::read_text(&path)).expect("a short text");
        let module = warpc_nvvm::read_text(&file).unwrap();
        let options = BitcodeOptions::new(BitcodeDialect::Llvm7);
        let made = write_bitcode(&module, &options);
        match made.value {
            Some(bytes) => {
                written += 1;
                assert_eq!(bytes, write_bitcode(&module, &options).unwrap(), "{name}");
                // Our reader takes typed pointers, too.
                let file = SourceFile::new(name.as_str(), bytes).expect("a short file");
                let read = read_bitcode(&file).unwrap();
                assert_eq!(read.functions().count() > 0, module.functions().count() > 0);
            }
            None => {
                let found = made.diagnostics.to_string();
                assert!(
                    found.contains("cannot be written as bitcode of LLVM 7"),
                    "{found}"
                );
            }
        }
    }
    assert!(written >= 57, "{written}");
}

/// Arrays and vectors of numbers are data, structs of numbers are not.
#[test]
fn structs_of_numbers_are_aggregates() {
    let text = "%outer = type { %inner, ptr }\n%inner = type { i8, i32 }\n\
        @a = constant %outer { %inner { i8 1, i32 2 }, ptr null }\n@b = constant { float, i64 } { float 1.0, i64 3 }\n\
        @c = constant <{ i16, i16 }> <{ i16 4, i16 5 }>\n@d = constant [2 x { i8, i8 }] [{ i8, i8 } { i8 6, i8 7 }, { i8, i8 } zeroinitializer]\n\
        @e = constant [2 x i16] [i16 8, i16 9]\n@f = constant <2 x i16> <i16 8, i16 9>\n";
    let file = SourceFile::new("structs.ll", text).expect("a short text");
    let module = warpc_nvvm::read_text(&file).unwrap();
    for dialect in [BitcodeDialect::Current, BitcodeDialect::Llvm7] {
        let bytes = write_bitcode(&module, &BitcodeOptions::new(dialect)).unwrap();
        let file = SourceFile::new("structs.bc", bytes).expect("a short file");
        let again = read_bitcode(&file).unwrap();
        assert_eq!(warpc_nvvm::print(&module), warpc_nvvm::print(&again));
    }
}
