//! Bitcode of LLVM 14, 19 and 22, recorded with the text that `llvm-dis` of the same version makes of it: both are read as
//! the same module. Damaged files get a diagnostic.
//!
//! `./x ll bitcode` compares the whole corpus.

use warpc_diag::SourceFile;
use warpc_testkit::random::Random;
use warpc_testkit::{gzip, project};

/// Name, bitcode and text of every recorded module.
fn recorded() -> Vec<(String, Vec<u8>, String)> {
    let folder = project::tests().join("corpus/bc");
    let mut modules = Vec::new();
    for path in project::entries(&folder) {
        let name = path.display().to_string();
        let Some(stem) = name.strip_suffix(".bc.gz") else {
            continue;
        };
        let text = gzip::read_text(format!("{stem}.ll.gz"));
        modules.push((stem.to_owned(), gzip::read(&path), text));
    }
    assert!(modules.len() >= 10, "{}", modules.len());
    modules
}

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile::new(name, bytes).expect("it is short")
}

#[test]
fn bitcode_is_the_module_that_its_text_is() {
    for (name, bytes, text) in recorded() {
        let text = warpc_nvvm::read_text(&file(&name, text)).unwrap();
        let read = warpc_nvvm::read_bitcode(&file(&name, bytes));
        let first = read.diagnostics.as_slice().first();
        let first = first.map(|diagnostic| diagnostic.message.clone());
        let module = read.value.unwrap_or_else(|| panic!("{name}: {first:?}"));
        let (expected, found) = (warpc_nvvm::print(&text), warpc_nvvm::print(&module));
        let mut lines = expected.lines().zip(found.lines());
        let different = lines.find(|(expected, found)| expected != found);
        assert!(expected == found, "{name}: {different:?}");
        // What is wrong with one is wrong with the other.
        assert_eq!(
            messages(&warpc_nvvm::verify(&text)),
            messages(&warpc_nvvm::verify(&module)),
            "{name}"
        );
    }
}

/// What is found, without places.
fn messages(found: &warpc_diag::Diagnostics) -> Vec<String> {
    let mut messages: Vec<String> = (found.as_slice().iter())
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    messages.sort();
    messages
}

/// Bitcode numbers the addresses of all globals, used or not: that is not a use of `llvm.used`.
#[test]
fn lists_for_the_compiler_are_not_used_by_their_number() {
    let list = "appending global [1 x ptr] [ptr @a], section \"llvm.metadata\"";
    let text = format!(
        "@a = internal global i32 0\n@llvm.used = {list}\n@llvm.compiler.used = {list}\n\
         define void @f() {{\n  store ptr @a, ptr @a\n  ret void\n}}\n!keep = !{{!0}}\n!0 = !{{ptr @llvm.used}}\n"
    );
    for (text, wrong) in [
        (text.clone(), false),
        (text.replace("store ptr @a", "store ptr @llvm.used"), true),
    ] {
        let module = warpc_nvvm::read_text(&file("used.ll", text)).unwrap();
        let options = warpc_nvvm::BitcodeOptions::default();
        let bytes = warpc_nvvm::write_bitcode(&module, &options).unwrap();
        let again = warpc_nvvm::read_bitcode(&file("used.bc", bytes)).unwrap();
        for module in [&module, &again] {
            let found = warpc_nvvm::verify(module);
            assert_eq!(found.has_errors(), wrong, "{:?}", messages(&found));
        }
    }
}

#[test]
fn what_we_write_is_read_as_it_was() {
    for path in project::entries(&project::tests().join("corpus/ll")) {
        let name = path.display().to_string();
        // Numba's and Triton's text is not as LLVM prints it.
        if name.contains("numba") || name.contains("triton") {
            continue;
        }
        let mut module = warpc_nvvm::read_text(&file(&name, gzip::read_text(&path))).unwrap();
        warpc_nvvm::upgrade_intrinsics(&mut module);
        let options = warpc_nvvm::BitcodeOptions::default();
        let bytes = warpc_nvvm::write_bitcode(&module, &options).unwrap();
        let read = warpc_nvvm::read_bitcode(&file(&name, bytes));
        let first = read.diagnostics.as_slice().first();
        let first = first.map(|diagnostic| diagnostic.message.clone());
        let again = read.value.unwrap_or_else(|| panic!("{name}: {first:?}"));
        let (expected, found) = (warpc_nvvm::print(&module), warpc_nvvm::print(&again));
        let mut lines = expected.lines().zip(found.lines());
        let different = lines.find(|(expected, found)| expected != found);
        assert!(different.is_none(), "{name}: {different:?}");
    }
}

#[test]
fn several_modules_and_wrappers_are_seen() {
    let (name, bytes, _) = recorded().swap_remove(0);
    let mut twice = bytes.clone();
    twice.extend_from_slice(&bytes);
    let modules = warpc_nvvm::bitcode::read_modules(&file(&name, twice)).unwrap();
    assert_eq!(modules.len(), 2);
    let mut wrapped = Vec::new();
    for field in [0x0B17_C0DEu32, 0, 20, bytes.len() as u32, 7] {
        wrapped.extend_from_slice(&field.to_le_bytes());
    }
    wrapped.extend_from_slice(&bytes);
    assert!(warpc_nvvm::bitcode::is_bitcode(&wrapped));
    let inner = warpc_nvvm::read_bitcode(&file(&name, wrapped)).unwrap();
    let plain = warpc_nvvm::read_bitcode(&file(&name, bytes)).unwrap();
    assert_eq!(warpc_nvvm::print(&inner), warpc_nvvm::print(&plain));
}

/// Damaged files, `WARPC_DAMAGED` of them: flipped bits, cut ends, spliced parts, large numbers.
#[test]
fn damaged_files_get_a_diagnostic() {
    let count = std::env::var("WARPC_DAMAGED")
        .ok()
        .and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(400);
    let modules = recorded();
    let mut random = Random::new(19);
    let mut refused = 0;
    for round in 0..count {
        let (name, bytes, _) = &modules[random.below(modules.len())];
        let mut damaged = bytes.clone();
        match round % 4 {
            0 => {
                for _ in 0..1 + random.below(8) {
                    let at = random.below(damaged.len());
                    damaged[at] ^= 1 << random.below(8);
                }
            }
            1 => damaged.truncate(random.below(damaged.len())),
            2 => {
                let (_, other, _) = &modules[random.below(modules.len())];
                let from = random.below(other.len()) & !3;
                let len = random.below(other.len() - from).min(4096);
                let at = random.below(damaged.len()) & !3;
                let end = (at + random.below(4096)).min(damaged.len());
                damaged.splice(at..end, other[from..from + len].iter().copied());
            }
            _ => {
                let at = random.below(damaged.len());
                let end = (at + 1 + random.below(8)).min(damaged.len());
                damaged[at..end].fill(0xFF);
            }
        }
        let file = file(name, damaged);
        let read = warpc_nvvm::bitcode::read_modules(&file);
        warpc_diag::render_human(&file, &read.diagnostics, false);
        match read.value {
            None => {
                assert!(read.diagnostics.has_errors());
                refused += 1;
            }
            // What is read can be verified and printed.
            Some(modules) => {
                for module in &modules {
                    warpc_nvvm::verify(module);
                    warpc_nvvm::print(module);
                }
            }
        }
    }
    assert!(refused > count / 3, "{refused} of {count}");
}
