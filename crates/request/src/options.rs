//! The flags of a launch, on a command line or in a `run:` line of a file.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What to launch, with what, and what to show of it.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The kernel; not needed if there is only one
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Blocks of the grid
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    pub grid: Option<[u32; 3]>,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    pub block: Option<[u32; 3]>,
    /// Blocks of a cluster
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory a block gets
    #[arg(long, value_name = "BYTES")]
    pub shared: Option<u32>,
    /// An argument, once for each parameter: `u32=7`, `f32[1024]=iota`, `u32[256]=0`, `u8[]=text:abc`,
    /// `u64[16]@file.bin`, `{u32=1,f32=2}`, `null` … (see `warpc explain W0705`)
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub arg: Vec<String>,
    /// Show the buffer of argument N (from 0, or by its parameter's name) afterwards, or its first
    /// COUNT elements
    #[arg(long, value_name = "N[:COUNT]")]
    pub print: Vec<String>,
    /// Fail unless the buffer of argument N begins with these elements afterwards
    #[arg(long, value_name = "N:SPEC")]
    pub expect: Vec<String>,
    /// Where to run
    #[arg(long, value_enum)]
    pub on: Option<Place>,
    /// Choose another interleaving of the threads (emulator)
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads of this machine that work (emulator)
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,
    /// Stop with an error when all threads together have executed so many instructions; a run may take less than 32
    /// more for each of its `--jobs` (emulator)
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Folder that `@file` in the arguments is relative to.
    #[arg(skip)]
    pub arg_folder: PathBuf,
    /// Folder that `@file` in the expectations is relative to.
    #[arg(skip)]
    pub expect_folder: PathBuf,
}

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Place {
    /// On the emulator
    #[default]
    Sim,
    /// On the first GPU of the machine
    Gpu,
}

impl Options {
    /// These flags, and those of a file where these say nothing. Repeated flags go as a whole: one
    /// `--arg` hides all of the file's.
    pub fn over(&self, file: &Options) -> Options {
        let list = |own: &Vec<String>, other: &Vec<String>| {
            if own.is_empty() { other } else { own }.clone()
        };
        let folder = |own: &Vec<String>, mine: &PathBuf, other: &PathBuf| {
            if own.is_empty() { other } else { mine }.clone()
        };
        Options {
            kernel: self.kernel.clone().or_else(|| file.kernel.clone()),
            grid: self.grid.or(file.grid),
            block: self.block.or(file.block),
            cluster: self.cluster.or(file.cluster),
            shared: self.shared.or(file.shared),
            arg: list(&self.arg, &file.arg),
            print: list(&self.print, &file.print),
            expect: list(&self.expect, &file.expect),
            on: self.on.or(file.on),
            seed: self.seed.or(file.seed),
            jobs: self.jobs.or(file.jobs),
            limit: self.limit.or(file.limit),
            arg_folder: folder(&self.arg, &self.arg_folder, &file.arg_folder),
            expect_folder: folder(&self.expect, &self.expect_folder, &file.expect_folder),
        }
    }
}

/// `4`, `4,2` or `4,2,1`; what is left out is 1.
fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut shape = [1; 3];
    let pieces: Vec<&str> = text.split(',').collect();
    if pieces.len() > 3 {
        return Err("there are three dimensions at most".to_owned());
    }
    for (number, piece) in shape.iter_mut().zip(pieces) {
        *number = piece
            .trim()
            .parse()
            .map_err(|_| format!("`{piece}` is not a number of 32 bits"))?;
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(dimensions("7"), Ok([7, 1, 1]));
        assert_eq!(dimensions("7,8,9"), Ok([7, 8, 9]));
        for bad in ["", "1,2,3,4", "x", "-1", "4294967296", "1,,2"] {
            assert!(dimensions(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_are_taken_as_a_whole() {
        let own = Options {
            arg: vec!["u32=1".into()],
            seed: Some(3),
            ..Options::default()
        };
        let file = Options {
            arg: vec!["u32=7".into(), "u32=8".into()],
            print: vec!["0".into()],
            seed: Some(1),
            grid: Some([2, 1, 1]),
            arg_folder: "x".into(),
            expect_folder: "x".into(),
            ..Options::default()
        };
        let both = own.over(&file);
        assert_eq!(both.arg, ["u32=1"]);
        assert_eq!(both.arg_folder, PathBuf::new());
        assert_eq!(both.expect_folder, PathBuf::from("x"));
        assert_eq!(both.print, ["0"]);
        assert_eq!(both.seed, Some(3));
        assert_eq!(both.grid, Some([2, 1, 1]));
    }
}
