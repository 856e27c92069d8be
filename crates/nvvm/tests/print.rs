//! Text that `llvm-dis` 22 wrote is read and printed again: nothing may differ.
//!
//! The files under `tests/files/print` show every construct, a file a subject. Their first line,
//! the comment that names the module, was taken away.

use std::path::Path;
use warpc_diag::SourceFile;

#[test]
fn what_llvm_wrote_is_printed_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/files/print");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
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
        let printed = warpc_nvvm::print(&read.module);
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
