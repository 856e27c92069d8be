//! Functions on the host.

use crate::machine;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with the driver, ready to be linked.
pub struct Native {
    dir: PathBuf,
}

/// What a function left: for each row, its bytes if it ended.
pub type Rows = Vec<Option<Vec<u8>>>;

/// The driver, and what checks accesses to memory.
const SOURCES: [(&str, &str); 3] = [
    ("driver.c", include_str!("driver.c")),
    ("objects.c", include_str!("objects.c")),
    ("objects.h", include_str!("objects.h")),
];

fn run(command: &mut Command) -> Result<(), String> {
    let name = format!("{:?}", command.get_program());
    let output = command
        .output()
        .map_err(|e| format!("cannot run {name}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

impl Native {
    /// Compiles the driver in a folder.
    pub fn new(dir: &Path) -> Result<Native, String> {
        let failed = |e: std::io::Error| format!("cannot write to {}: {e}", dir.display());
        std::fs::create_dir_all(dir).map_err(failed)?;
        let native = Native {
            dir: std::path::absolute(dir).map_err(failed)?,
        };
        for (name, text) in SOURCES {
            std::fs::write(dir.join(name), text).map_err(failed)?;
        }
        let mut command = Command::new("clang-22");
        command
            .current_dir(dir)
            .args(["-O1", "-c", "driver.c", "objects.c"]);
        run(&mut command)?;
        Ok(native)
    }

    /// Compiles a module for the host at a level and links it; the error names what the linker misses.
    pub fn link(&self, level: &str, text: &str) -> Result<String, String> {
        let object = self.dir.join("module.o").display().to_string();
        let arguments = [
            level,
            "-relocation-model=pic",
            "-filetype=obj",
            "-",
            "-o",
            &object,
        ];
        machine::command("llc-22", &arguments, text)?;
        self.linked(level)?;
        Ok(String::new())
    }

    /// The same for a source of C++ with these flags.
    pub fn link_source(&self, level: &str, flags: &[&str], text: &str) -> Result<(), String> {
        let object = self.dir.join("module.o").display().to_string();
        let arguments = [&[level, "-c", "-o", &object], flags].concat();
        machine::command("clang++-22", &arguments, text)?;
        self.linked(level)
    }

    fn linked(&self, level: &str) -> Result<(), String> {
        let mut command = Command::new("clang-22");
        let name = format!("run{level}");
        command.current_dir(&self.dir).args([
            "driver.o",
            "objects.o",
            "module.o",
            "-lm",
            "-o",
            &name,
        ]);
        run(&mut command)
    }

    /// Runs what was linked: for each function its bytes of a row, read and written, and all its rows.
    pub fn run(
        &self,
        level: &str,
        rows: usize,
        functions: &[(usize, usize, Vec<u8>, Vec<u8>)],
    ) -> Result<Vec<Rows>, String> {
        let mut plan = format!("{} {rows}\n", functions.len());
        let mut input = Vec::new();
        for (read, written, ins, outs) in functions {
            plan.push_str(&format!("{read} {written}\n"));
            input.extend(ins);
            input.extend(outs);
        }
        let failed = |e: std::io::Error| format!("the host's files: {e}");
        std::fs::write(self.dir.join("plan"), plan).map_err(failed)?;
        std::fs::write(self.dir.join("input"), input).map_err(failed)?;
        let mut command = Command::new(self.dir.join(format!("run{level}")));
        run(command
            .current_dir(&self.dir)
            .args(["plan", "input", "results"]))?;
        let all = std::fs::read(self.dir.join("results")).map_err(failed)?;
        let mut rest = &all[..];
        let mut results = Vec::new();
        for (_, written, _, _) in functions {
            let (ended, after) = rest.split_at(rows);
            let (bytes, after) = after.split_at(rows * written);
            rest = after;
            let row =
                |row: usize| (ended[row] == 1).then(|| bytes[row * written..][..*written].to_vec());
            results.push((0..rows).map(row).collect());
        }
        Ok(results)
    }
}
