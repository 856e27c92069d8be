//! The flags of a launch, as a command line or a `run:` line of a file has them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use warpc_launch::{MemoryModel, Races};

/// What to launch, with what, and what to show of it. [`Options::parse`] reads them from text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// `--kernel NAME`: the kernel; not needed if there is only one.
    pub kernel: Option<String>,
    /// `--grid X[,Y,Z]`: blocks of the grid.
    pub grid: Option<[u32; 3]>,
    /// `--block X[,Y,Z]`: threads of a block.
    pub block: Option<[u32; 3]>,
    /// `--cluster X[,Y,Z]`: blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// `--shared BYTES`: dynamic shared memory a block gets.
    pub shared: Option<u32>,
    /// `--cooperative`: all blocks are resident at once, so that `grid.sync()` works.
    pub cooperative: bool,
    /// `--buffer NAME:SPEC`: a buffer with a name, which this launch and those after it can take the address of.
    pub buffer: Vec<String>,
    /// `--set NAME:SPEC`: gives a variable of the module a value before the launch.
    pub set: Vec<String>,
    /// `--arg SPEC`: an argument, once for each parameter; [`crate::args`] is their language.
    pub arg: Vec<String>,
    /// `--print N[:TYPE][:COUNT]`: show the buffer of argument N, or what has this name, afterwards.
    pub print: Vec<String>,
    /// `--expect N:SPEC`: fail unless the buffer of argument N begins with these elements afterwards.
    pub expect: Vec<String>,
    /// `--save N:FILE`: write it to a file afterwards. Only on the command line.
    pub save: Vec<String>,
    /// `--then FLAGS`: another launch after this one, on the same memory.
    pub then: Vec<String>,
    /// `--on sim|gpu`: where to run.
    pub on: Option<Place>,
    /// `--seed N`: choose another interleaving of the threads (emulator).
    pub seed: Option<u64>,
    /// `--seeds N`: run so many interleavings, and compare them (emulator).
    pub seeds: Option<u64>,
    /// `--explore [N]`: run all schedules that differ in something that can be seen, in at most so many runs (emulator).
    pub explore: Option<u64>,
    /// `--schedule TEXT`: run a schedule that `--explore` has shown (emulator).
    pub schedule: Option<String>,
    /// `--jobs N`, `-j N`: threads of this machine that work (emulator).
    pub jobs: Option<usize>,
    /// `--limit N`: stop with an error when all threads together have executed so many instructions (emulator).
    pub limit: Option<u64>,
    /// `--races off|shared|all`: which races to look for (emulator).
    pub races: Option<Races>,
    /// `--memory strong|weak`: what loads may return (emulator).
    pub memory: Option<MemoryModel>,
    /// `--init on|off`: report uses of uninitialised memory (emulator).
    pub init: Option<bool>,
    /// Folder that `@file` in the arguments is relative to.
    pub arg_folder: PathBuf,
    /// Folder that `@file` in the buffers is relative to.
    pub buffer_folder: PathBuf,
    /// Folder that `@file` in the values of variables is relative to.
    pub set_folder: PathBuf,
    /// Folder that `@file` in the expectations is relative to.
    pub expect_folder: PathBuf,
    /// Folder that `@file` in the launches that follow is relative to.
    pub then_folder: PathBuf,
}

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Place {
    /// On the emulator.
    #[default]
    Sim,
    /// On the first GPU of the machine.
    Gpu,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        match text {
            "sim" => Ok(Place::Sim),
            "gpu" => Ok(Place::Gpu),
            _ => Err("it is `sim` or `gpu`".to_owned()),
        }
    }
}

impl Options {
    /// Reads flags: `--flag value` or `--flag=value`.
    ///
    /// ```
    /// let words = ["--grid", "4", "--block=32,2", "--arg", "u32=7"];
    /// let options = warpc_request::Options::parse(words.map(String::from)).unwrap();
    /// assert_eq!(options.block, Some([32, 2, 1]));
    /// assert!(warpc_request::Options::parse(["--gird".to_owned()]).is_err());
    /// ```
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let (flag, inside) = match word.split_once('=') {
                Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
                None => match word.strip_prefix("-j") {
                    Some(number) if !number.is_empty() => {
                        ("-j".to_owned(), Some(number.to_owned()))
                    }
                    _ => (word.clone(), None),
                },
            };
            let Some((_, named)) = FLAGS.iter().find(|(known, _)| *known == flag) else {
                return Err(format!("unexpected argument '{flag}' found"));
            };
            if named.is_empty() {
                if inside.is_some() || options.cooperative {
                    let why = match inside {
                        Some(_) => "takes no value",
                        None => "cannot be used multiple times",
                    };
                    return Err(format!("the argument '{flag}' {why}"));
                }
                options.cooperative = true;
                continue;
            }
            let shown = format!("'{flag} <{named}>'");
            let value = match flag.as_str() {
                // Its value may be left out.
                "--explore" => {
                    let is_value = |word: &String| word.parse::<u64>().is_ok();
                    let next = inside.or_else(|| words.next_if(is_value));
                    Some(next.unwrap_or_else(|| EXPLORED.to_string()))
                }
                _ => inside.or_else(|| words.next()),
            };
            let value = value.ok_or_else(|| format!("a value is required for {shown}"))?;
            options.set(&flag, &shown, value)?;
        }
        Ok(options)
    }

    /// Takes the value of a flag of [`FLAGS`].
    fn set(&mut self, flag: &str, shown: &str, value: String) -> Result<(), String> {
        let wrong = |why: String| format!("invalid value '{value}' for {shown}: {why}");
        fn number<T: FromStr<Err = std::num::ParseIntError>>(text: &str) -> Result<T, String> {
            text.parse().map_err(|error: T::Err| error.to_string())
        }
        let list = match flag {
            "--arg" => Some(&mut self.arg),
            "--print" => Some(&mut self.print),
            "--expect" => Some(&mut self.expect),
            "--buffer" => Some(&mut self.buffer),
            "--set" => Some(&mut self.set),
            "--save" => Some(&mut self.save),
            "--then" => Some(&mut self.then),
            _ => None,
        };
        if let Some(list) = list {
            list.push(value);
            return Ok(());
        }
        let repeated = match flag {
            "--kernel" => self.kernel.replace(value).is_some(),
            "--grid" => {
                let grid = dimensions(&value).map_err(wrong)?;
                self.grid.replace(grid).is_some()
            }
            "--block" => {
                let block = dimensions(&value).map_err(wrong)?;
                self.block.replace(block).is_some()
            }
            "--cluster" => {
                let cluster = dimensions(&value).map_err(wrong)?;
                self.cluster.replace(cluster).is_some()
            }
            "--shared" => {
                let shared = number(&value).map_err(wrong)?;
                self.shared.replace(shared).is_some()
            }
            "--on" => {
                let on = value.parse().map_err(wrong)?;
                self.on.replace(on).is_some()
            }
            "--seed" => {
                let seed = number(&value).map_err(wrong)?;
                self.seed.replace(seed).is_some()
            }
            "--init" => {
                let init = match value.as_str() {
                    "on" => true,
                    "off" => false,
                    _ => return Err(wrong("possible values: on, off".to_owned())),
                };
                self.init.replace(init).is_some()
            }
            "--seeds" => {
                let seeds: u64 = number(&value).map_err(wrong)?;
                if seeds == 0 {
                    return Err(wrong("0 is not in 1..".to_owned()));
                }
                self.seeds.replace(seeds).is_some()
            }
            "--explore" => {
                let most: u64 = number(&value).map_err(wrong)?;
                if most == 0 {
                    return Err(wrong("0 is not in 1..".to_owned()));
                }
                self.explore.replace(most).is_some()
            }
            "--schedule" => self.schedule.replace(value).is_some(),
            "--limit" => {
                let limit = number(&value).map_err(wrong)?;
                self.limit.replace(limit).is_some()
            }
            "--races" => {
                let races = value.parse().map_err(wrong)?;
                self.races.replace(races).is_some()
            }
            "--memory" => {
                let memory = value.parse().map_err(wrong)?;
                self.memory.replace(memory).is_some()
            }
            _ => {
                let jobs = number(&value).map_err(wrong)?;
                self.jobs.replace(jobs).is_some()
            }
        };
        match repeated {
            true => Err(format!(
                "the argument {shown} cannot be used multiple times"
            )),
            false => Ok(()),
        }
    }

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
            cooperative: self.cooperative || file.cooperative,
            buffer: list(&self.buffer, &file.buffer),
            set: list(&self.set, &file.set),
            print: list(&self.print, &file.print),
            expect: list(&self.expect, &file.expect),
            save: list(&self.save, &file.save),
            then: list(&self.then, &file.then),
            on: self.on.or(file.on),
            seed: self.seed.or(file.seed),
            seeds: self.seeds.or(file.seeds),
            explore: self.explore.or(file.explore),
            schedule: self.schedule.clone().or_else(|| file.schedule.clone()),
            jobs: self.jobs.or(file.jobs),
            limit: self.limit.or(file.limit),
            races: self.races.or(file.races),
            memory: self.memory.or(file.memory),
            init: self.init.or(file.init),
            arg_folder: folder(&self.arg, &self.arg_folder, &file.arg_folder),
            buffer_folder: folder(&self.buffer, &self.buffer_folder, &file.buffer_folder),
            set_folder: folder(&self.set, &self.set_folder, &file.set_folder),
            expect_folder: folder(&self.expect, &self.expect_folder, &file.expect_folder),
            then_folder: folder(&self.then, &self.then_folder, &file.then_folder),
        }
    }

    /// The same with all files relative to a folder.
    pub fn in_folder(mut self, folder: &Path) -> Options {
        let all = [
            &mut self.arg_folder,
            &mut self.buffer_folder,
            &mut self.set_folder,
            &mut self.expect_folder,
            &mut self.then_folder,
        ];
        all.into_iter().for_each(|one| *one = folder.to_owned());
        self
    }

    /// The launches that follow this one, from their texts. What a launch does not say of its kernel and its shape is as
    /// in the one before; arguments are given anew.
    pub fn following(&self) -> Result<Vec<Options>, (usize, String)> {
        let mut all: Vec<Options> = Vec::new();
        for (number, text) in self.then.iter().enumerate() {
            let own = crate::cases::words(text).and_then(Options::parse);
            let own = own.map_err(|why| (number, why))?;
            let wrong = [
                (own.then.is_empty(), "`--then` inside `--then`"),
                (own.on.is_none(), "`--on` in `--then`"),
                (own.seed.is_none(), "`--seed` in `--then`"),
                (own.seeds.is_none(), "`--seeds` in `--then`"),
                (own.explore.is_none(), "`--explore` in `--then`"),
                (own.schedule.is_none(), "`--schedule` in `--then`"),
                (own.jobs.is_none(), "`--jobs` in `--then`"),
                (own.limit.is_none(), "`--limit` in `--then`"),
                (own.memory.is_none(), "`--memory` in `--then`"),
                (own.save.is_empty(), "`--save` in `--then`"),
            ];
            if let Some((_, what)) = wrong.iter().find(|(right, _)| !right) {
                return Err((number, format!("{what}: it belongs to the whole run")));
            }
            let own = own.in_folder(&self.then_folder);
            let before = all.last().unwrap_or(self);
            all.push(Options {
                kernel: own.kernel.clone().or_else(|| before.kernel.clone()),
                grid: own.grid.or(before.grid),
                block: own.block.or(before.block),
                cluster: own.cluster.or(before.cluster),
                shared: own.shared.or(before.shared),
                cooperative: own.cooperative || before.cooperative,
                ..own
            });
        }
        Ok(all)
    }
}

/// Runs that `--explore` makes at most if it has no number.
pub const EXPLORED: u64 = 10_000;

/// What [`Options::parse`] takes: flags, and what their values are called.
/// A flag without a value has no name for one.
const FLAGS: [(&str, &str); 24] = [
    ("--kernel", "NAME"),
    ("--grid", "X[,Y,Z]"),
    ("--block", "X[,Y,Z]"),
    ("--cluster", "X[,Y,Z]"),
    ("--shared", "BYTES"),
    ("--arg", "SPEC"),
    ("--cooperative", ""),
    ("--buffer", "NAME:SPEC"),
    ("--set", "NAME:SPEC"),
    ("--print", "N[:TYPE][:COUNT]"),
    ("--expect", "N:SPEC"),
    ("--save", "N:FILE"),
    ("--then", "FLAGS"),
    ("--on", "PLACE"),
    ("--seed", "N"),
    ("--seeds", "N"),
    ("--explore", "N"),
    ("--schedule", "TEXT"),
    ("--jobs", "N"),
    ("-j", "N"),
    ("--limit", "N"),
    ("--races", "WHICH"),
    ("--memory", "MODEL"),
    ("--init", "on|off"),
];

/// `4`, `4,2` or `4,2,1`; what is left out is 1.
pub fn dimensions(text: &str) -> Result<[u32; 3], String> {
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

    /// The number of `--explore` may be left out, whatever comes next.
    #[test]
    fn a_number_that_may_be_left_out() {
        let parse = |text: &str| Options::parse(text.split(' ').map(str::to_owned));
        for (text, explore, grid) in [
            ("--explore", EXPLORED, None),
            ("--explore --grid 2", EXPLORED, Some([2, 1, 1])),
            ("--explore 7 --grid 2", 7, Some([2, 1, 1])),
            ("--grid 2 --explore=8", 8, Some([2, 1, 1])),
        ] {
            let options = parse(text).expect("it is right");
            assert_eq!(
                (options.explore, options.grid),
                (Some(explore), grid),
                "{text}"
            );
        }
        assert!(parse("--explore 0").is_err() && parse("--explore=x").is_err());
        assert!(parse("--explore stray").is_err() && parse("--explore 1 --explore 2").is_err());
        let whole = parse("--then --explore").expect("it is right").following();
        assert!(whole.is_err_and(|(_, why)| why.contains("`--explore` in `--then`")));
    }

    #[test]
    fn flags() {
        let parse = |text: &str| Options::parse(text.split(' ').map(str::to_owned));
        let all = "--kernel k --grid=2,3 --block 4 --cluster 1 --shared 16 --arg -1 --arg s32=-1 --print 0 --expect 0:=1 \
            --on gpu --seed 7 -j 2 --limit=9 --races all";
        let options = parse(all).expect("it is right");
        assert_eq!(options.arg, ["-1", "s32=-1"]);
        assert_eq!((options.on, options.jobs), (Some(Place::Gpu), Some(2)));
        assert_eq!(parse("-j3").expect("it is right").jobs, Some(3));
        for (text, message) in [
            ("--gird 2", "unexpected argument '--gird'"),
            ("stray", "unexpected argument 'stray'"),
            ("--grid", "a value is required for '--grid <X[,Y,Z]>'"),
            (
                "--grid x",
                "invalid value 'x' for '--grid <X[,Y,Z]>': `x` is not",
            ),
            ("--seed -1", "invalid value '-1' for '--seed <N>'"),
            ("--on moon", "it is `sim` or `gpu`"),
            (
                "--seed 1 --seed 2",
                "'--seed <N>' cannot be used multiple times",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
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
