//! Reads and writes every cubin under folders, and says which do not come back byte for byte, which are not clean
//! for `verify`, and which tables stayed bytes: `round_trip FOLDER…`.

use std::path::{Path, PathBuf};
use warpc_cubin::{Content, Cubin, verify};

fn main() {
    let mut files = Vec::new();
    for folder in std::env::args().skip(1) {
        find(Path::new(&folder), &mut files);
    }
    files.sort();
    let (mut same, mut clean, mut bytes_read) = (0, 0, 0);
    for path in &files {
        let bytes = std::fs::read(path).expect("the file was listed");
        bytes_read += bytes.len();
        let cubin = match Cubin::read(&bytes) {
            Ok(cubin) => cubin,
            Err(fault) => {
                println!("{}: {fault}", path.display());
                continue;
            }
        };
        same += usize::from(cubin.write() == bytes);
        if cubin.write() != bytes {
            println!("{}: does not come back", path.display());
        }
        let faults = verify(&cubin);
        clean += usize::from(faults.is_empty());
        for fault in faults.iter().take(3) {
            println!("{}: {fault}", path.display());
        }
        for section in &cubin.sections {
            let table = section.entry_size > 8
                || matches!(section.kind, 0x7000_0000 | 0x7000_0083 | 0x7000_0086);
            if table && matches!(section.content, Content::Bytes(_)) {
                println!(
                    "{}: {} stays bytes",
                    path.display(),
                    cubin.section_name(section)
                );
            }
        }
    }
    println!(
        "{} files, {bytes_read} bytes: {same} come back, {clean} clean",
        files.len()
    );
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => find(&path, files),
            false => files.extend(
                path.extension()
                    .is_some_and(|end| end == "cubin")
                    .then_some(path),
            ),
        }
    }
}
