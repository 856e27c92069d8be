//! The recorded inputs of other tests, as modules.

use std::path::PathBuf;
use warpc_testkit::record::{Table, bases, lines, unescape};
use warpc_testkit::wrap::{wrap, wrap_operands};
use warpc_testkit::{gzip, project};

/// A text that may be a module.
pub struct Input {
    pub name: String,
    pub text: Vec<u8>,
}

/// Sets the registers of [`wrap`] to something: addresses to where there is memory.
const BEFORE: &str = "mov.u64 %ga, gvar; mov.u64 %ge, gvar; mov.u32 %sa, svar; add.u32 %sb, %sa, 64; \
    mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid; mov.u32 %r2, 3; mov.u32 %r3, -1; mov.u32 %r4, 16; \
    mov.u64 %rd1, gvar; mov.u64 %rd2, 16; mov.u64 %rd3, -5; mov.f32 %f1, 0f3F800000; \
    mov.f32 %f2, 0fC0490FDB; mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, 0dFFF8000000000000; \
    mov.b16 %h1, 15360; mov.b16 %h2, -1; setp.lt.u32 %p1, %r1, 7;\n";

/// Single instructions that some target takes, each in a kernel of its own.
pub fn instructions() -> impl Iterator<Item = Input> {
    let mut names: Vec<String> = std::fs::read_dir(project::oracle(""))
        .expect("the folder with recorded answers")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("ptx_") && name.ends_with(".tsv.gz"))
        .collect();
    names.sort();
    names.into_iter().flat_map(|name| {
        let Table { header, rows } = Table::read(project::oracle(&name));
        let column = header.iter().position(|title| title == "instruction");
        let column = column.expect("a column of instructions");
        rows.into_iter().filter_map(move |row| {
            let targets = header.iter().zip(&row);
            let mut taken = targets
                .filter(|(title, verdict)| title.starts_with("sm_") && verdict.as_str() == "y");
            // The emulated chip, if it is one of them.
            let first = taken.next()?.0;
            let target = taken
                .map(|(title, _)| title)
                .find(|title| *title == "sm_90");
            let target = target.unwrap_or(first);
            let instruction = &row[column];
            let text = wrap(target, newest(target), &format!("{BEFORE}{instruction}"));
            Some(Input {
                name: format!("{target}: {instruction}"),
                text: text.into_bytes(),
            })
        })
    })
}

/// The newest version that the assembler of a target knows.
fn newest(target: &str) -> &'static str {
    let chip: String = target.chars().filter(char::is_ascii_digit).collect();
    match chip.parse() {
        Ok(75..=100 | 102..) => "9.4",
        Ok(_) | Err(_) => "8.8",
    }
}

/// Operands of all kinds in all places.
pub fn operands() -> impl Iterator<Item = Input> {
    let rows = Table::read(project::oracle("operands.tsv.gz")).rows;
    rows.into_iter()
        .filter(|row| row[2] == "y")
        .map(|row| Input {
            name: row[3].clone(),
            text: wrap_operands(&row[1], &row[3]).into_bytes(),
        })
}

/// Small modules with odd declarations.
pub fn modules() -> impl Iterator<Item = Input> {
    let rows = lines(project::oracle("modules.tsv.gz"));
    rows.into_iter().skip(1).map(|line| {
        let fields: Vec<&[u8]> = line.split(|&b| b == b'\t').collect();
        Input {
            name: String::from_utf8_lossy(fields[0]).into_owned(),
            text: unescape(fields[5]),
        }
    })
}

/// Real modules with a fault; some of them are none to ptxas.
pub fn mutants() -> impl Iterator<Item = Input> {
    let bases = bases(project::oracle("mutants.bases.gz"));
    let table = Table::read(project::oracle("mutants.tsv.gz"));
    let column = |wanted: &str| table.column(wanted);
    let [base, start, end] = ["base", "start", "end"].map(column);
    let [replacement, verdict] = ["replacement", "verdict"].map(column);
    let rows = table.rows.into_iter();
    rows.filter(move |row| row[verdict] == "accept")
        .map(move |row| {
            let whole = &bases[&row[base]];
            let offset = |column: usize| row[column].parse::<usize>().expect("an offset");
            let mut text = whole[..offset(start)].to_vec();
            text.extend(unescape(&row[replacement]));
            text.extend_from_slice(&whole[offset(end)..]);
            Input {
                name: row[0].clone(),
                text,
            }
        })
}

/// Real code: what is recorded, and the whole corpus where it was made.
pub fn corpus() -> impl Iterator<Item = Input> {
    let tests = project::tests();
    let mut folders = vec![tests.join("corpus/ptx"), tests.join("kernels/ptx")];
    folders.extend(project::corpus());
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folders {
        files.extend(project::files(&folder, &[".ptx", ".ptx.gz"]));
    }
    files.sort();
    files.into_iter().map(|path| Input {
        name: path.display().to_string(),
        text: gzip::read(&path),
    })
}
