//! The recorded collection of mutants, `tests/oracle/ll_mutants.*`, or a fresh one (`WARPC_MUTANTS`).

use std::collections::HashMap;
use std::path::PathBuf;
use warpc_testkit::project;
use warpc_testkit::record::{self, Table};

fn file(name: &str) -> PathBuf {
    match std::env::var_os("WARPC_MUTANTS") {
        Some(folder) => PathBuf::from(folder).join(name),
        None => project::oracle(name),
    }
}

/// The mutants.
pub fn table() -> Table {
    Table::read(file("ll_mutants.tsv.gz"))
}

/// The modules that they are edits of, by their ids.
pub fn bases() -> HashMap<String, String> {
    let text = |bytes| String::from_utf8(bytes).expect("modules are text");
    let bases = record::bases(file("ll_mutants.bases.gz")).into_iter();
    bases.map(|(id, bytes)| (id, text(bytes))).collect()
}
