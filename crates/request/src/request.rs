//! From flags to launches: the kernels found, the arguments fitted to their parameters, the buffers filled.
//!
//! ```text
//!   Options + Module ──Request::new───┐
//!   Options + Interface ──────────────┴─Request::of──► buffers, and for each launch in order:
//!                                                      what is set before it, the launch, what is shown, expected, saved
//! ```

use crate::fitting::Fitting;
use crate::options::Options;
use crate::signature::{Interface, Signature};
use std::collections::BTreeMap;
use std::path::PathBuf;
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_launch::{self as launch, Launch};
use warpc_ptx::Module;
use warpc_ptx::types::ScalarType;

/// Launches in order on the same memory, with everything they need.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The buffers of all launches, before the first.
    pub buffers: Vec<Buffer>,
    /// The launches; at least one.
    pub steps: Vec<Step>,
}

/// One launch of a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The launch; its buffers are numbered as in the request.
    pub launch: Launch,
    /// Variables of the program that get a value before.
    pub assigned: Vec<Assigned>,
    /// What to show afterwards.
    pub shown: Vec<Shown>,
    /// What to expect afterwards.
    pub expected: Vec<Expected>,
    /// What to write to files afterwards.
    pub saved: Vec<Saved>,
}

/// Where a buffer of a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is the argument with this number, of some launch.
    Argument(usize),
    /// It has a name of its own.
    Named,
    /// An argument or another buffer has its address.
    Pointee,
}

/// A buffer that a kernel gets the address of.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Where it comes from.
    pub origin: Origin,
    /// Its own name, or that of the parameter.
    pub name: String,
    /// The type of its elements.
    pub ty: ScalarType,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Addresses of buffers in it: offset and number.
    pub addresses: Vec<(usize, usize)>,
    /// Where tensor maps begin in it.
    pub maps: Vec<usize>,
    /// Whether it is the description of a texture, a surface or a sampler, which only the emulator of PTX understands.
    pub description: bool,
}

impl Buffer {
    /// What it is, for a sentence: ``argument 0, `data` ``.
    pub fn words(&self) -> String {
        match self.origin {
            Origin::Argument(number) => format!("argument {number}, `{}`", self.name),
            Origin::Named | Origin::Pointee => format!("buffer `{}`", self.name),
        }
    }
}

/// Memory that can be looked at after a launch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// A buffer, by its number.
    Buffer(usize),
    /// A variable of the program, by its name there.
    Variable(String),
}

/// What a variable is before a launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Assigned {
    /// The variable's name in the program.
    pub variable: String,
    /// The bytes it begins with.
    pub bytes: Vec<u8>,
    /// The buffer whose address it begins with instead.
    pub address: Option<usize>,
}

/// Something to show.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// What.
    pub memory: Memory,
    /// What it is called.
    pub name: String,
    /// The argument's number, if it is one.
    pub argument: Option<usize>,
    /// The type of its elements.
    pub ty: ScalarType,
    /// How many elements; some when absent.
    pub count: Option<usize>,
}

/// What memory begins with after a launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// What.
    pub memory: Memory,
    /// What it is, for a sentence: `argument 0`.
    pub words: String,
    /// The argument's number, if it is one.
    pub argument: Option<usize>,
    /// The type in which the elements are compared.
    pub ty: ScalarType,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// What is written to a file after a launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Saved {
    /// What.
    pub memory: Memory,
    /// The type of its elements.
    pub ty: ScalarType,
    /// The file; an array of numpy if it ends in `.npy`, else the bytes alone.
    pub file: PathBuf,
}

impl Saved {
    /// What the file holds if the memory has these bytes.
    pub fn contents(&self, bytes: &[u8]) -> Vec<u8> {
        match crate::npy::is_npy(&self.file.to_string_lossy()) {
            true => crate::npy::write(bytes, self.ty),
            false => bytes.to_vec(),
        }
    }
}

/// Memory after a launch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct After {
    /// The buffers, in the request's order.
    pub buffers: Vec<Vec<u8>>,
    /// The variables that the step looks at, by name.
    pub variables: BTreeMap<String, Vec<u8>>,
}

impl After {
    /// The bytes of something; none for what is not there.
    pub fn bytes(&self, memory: &Memory) -> &[u8] {
        let found = match memory {
            Memory::Buffer(number) => self.buffers.get(*number),
            Memory::Variable(name) => self.variables.get(name),
        };
        found.map_or(&[], Vec::as_slice)
    }
}

impl Step {
    /// The variables that it looks at afterwards.
    pub fn variables(&self) -> Vec<&str> {
        let shown = self.shown.iter().map(|one| &one.memory);
        let expected = self.expected.iter().map(|one| &one.memory);
        let saved = self.saved.iter().map(|one| &one.memory);
        let all = shown.chain(expected).chain(saved);
        let mut names: Vec<&str> = all
            .filter_map(|memory| match memory {
                Memory::Variable(name) => Some(name.as_str()),
                Memory::Buffer(_) => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Request {
    /// Fits flags to a module. What is wrong with a flag is shown in its text, everything else in the module's.
    pub fn new(module: &Module, options: &Options) -> Result<Request, Diagnostics> {
        let interface = Interface::of_ptx(module);
        let choose = |wanted: Option<&str>| {
            let found = match wanted {
                Some(name) => interface.kernel(name)?,
                None => None,
            };
            match found {
                Some(kernel) => Ok(kernel.clone()),
                None => {
                    launch::kernel(module, wanted).map(|kernel| Signature::of_ptx(module, kernel))
                }
            }
        };
        Request::of(&interface, choose, options)
    }

    /// Fits flags to a program. `choose` gives the kernel that a name means, or the only one where there is no name, as
    /// [`Interface::kernel`] and the messages of the program's kind have it.
    pub fn of(
        interface: &Interface,
        choose: impl Fn(Option<&str>) -> Result<Signature, Diagnostics>,
        options: &Options,
    ) -> Result<Request, Diagnostics> {
        let following = options.following().map_err(|(number, why)| {
            let error = Diagnostic::error(codes::BAD_SPEC, Span::default(), why);
            let error = error.help("`--then` has the flags of one launch, in quotes");
            match SourceFile::new("--then", options.then[number].as_str()) {
                Some(file) => Diagnostics::of(error.in_file(&std::sync::Arc::new(file))),
                None => Diagnostics::of(error),
            }
        })?;
        let last = following.len();
        let mut fitting = Fitting::new(interface);
        let mut steps = Vec::new();
        for (number, one) in std::iter::once(options).chain(&following).enumerate() {
            let kernel = choose(one.kernel.as_deref())?;
            let saved: &[String] = match number == last {
                true => &options.save,
                false => &[],
            };
            steps.push(fitting.step(&kernel, one, saved)?);
        }
        Ok(Request {
            buffers: fitting.buffers,
            steps,
        })
    }

    /// The first launch: the only one, unless others follow.
    pub fn launch(&self) -> &Launch {
        &self.steps[0].launch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_launch::Argument;

    const TEXT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .entry k(.param .u64 data, .param .f32 scale, .param .align 8 .b8 pair[16], .param .u32 count)\n\
        { ret; }\n";

    fn request(arguments: &[&str], flags: &[&str]) -> Result<Request, String> {
        let file = SourceFile::new("k.ptx", TEXT).expect("a short text");
        let module = warpc_ptx::check(&file).unwrap();
        let of = |flag: &str| {
            flags
                .iter()
                .filter_map(|text| text.strip_prefix(flag))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let options = Options {
            grid: Some([1; 3]),
            block: Some([1; 3]),
            arg: arguments.iter().map(|text| (*text).to_owned()).collect(),
            print: of("print "),
            expect: of("expect "),
            ..Options::default()
        };
        Request::new(&module, &options).map_err(|refused| {
            let all = refused.as_slice().iter();
            all.map(|d| format!("{}: {}\n", d.code.0, d.message))
                .collect()
        })
    }

    #[test]
    fn arguments_that_fit() {
        let flags = [
            "print 0:3",
            "print data",
            "expect 0:u32[2]=0,0",
            "expect data:=1",
        ];
        let request = request(&["u32[4]=iota", "f32=1.5", "{u32=1,&0}", "s32=-1"], &flags)
            .expect("all is right");
        assert_eq!(request.launch().arguments[0], Argument::Buffer(0));
        assert_eq!(
            request.launch().arguments[1],
            Argument::Value(1.5f32.to_le_bytes().to_vec())
        );
        let Argument::Struct {
            bytes, addresses, ..
        } = &request.launch().arguments[2]
        else {
            panic!("it holds an address");
        };
        assert_eq!((bytes.len(), &addresses[..]), (16, &[(8, 0)][..]));
        assert_eq!(
            request.launch().arguments[3],
            Argument::Value(vec![0xff; 4])
        );
        assert_eq!(request.steps[0].shown[0].count, Some(3));
        assert_eq!(request.steps[0].shown[1].memory, Memory::Buffer(0));
        assert_eq!(request.steps[0].expected[0].bytes, [0; 8]);
        assert_eq!(request.steps[0].expected[1].bytes.len(), 16);
        // Bits fit any number of their size, arrays of the right size lie in array parameters.
        super::tests::request(&["u64=0", "b32=0", "u32[4]=1", "b32=1"], &[]).expect("they fit");
        super::tests::request(
            &[
                "null",
                "f32=0",
                "hex:00_00_00_00_00_00_00_00_00_00_00_00_00_00_00_00",
                "u32=1",
            ],
            &[],
        )
        .expect("they fit");
    }

    #[test]
    fn arguments_that_do_not_fit() {
        let good = ["u32[4]=0", "f32=0", "{u64=0,u64=0}", "u32=0"];
        for (number, text, message) in [
            (
                0,
                "u32=7",
                "W0702: argument 0 is a u32 of 4 bytes, its parameter is `data`, .u64, 8 bytes",
            ),
            (0, "f64=7", "argument 0 is an f64 of 8 bytes"),
            (
                1,
                "u32=1",
                "argument 1 is a u32 of 4 bytes, its parameter is `scale`, .f32",
            ),
            (1, "null", "argument 1 is an address of 8 bytes"),
            (
                2,
                "{u32=1}",
                "argument 2 is a value of 4 bytes, its parameter is `pair`, .b8[16], 16 bytes",
            ),
            (2, "&1", "argument 2 is an address"),
            (
                2,
                "{&1,u64=0}",
                "argument 2 points at argument 1, which is not a buffer",
            ),
            (3, "f32=1", "argument 3 is an f32"),
            (
                3,
                "u32[4]=0",
                "argument 3 is a buffer of u32 elements, its parameter is `count`, .u32",
            ),
            (3, "u16=1", "argument 3 is a u16 of 2 bytes"),
            (3, "u33=1", "W0705: `u33` is not a type"),
            (0, "u32[9999999999999]=0", "more than the 16 GB"),
        ] {
            let mut arguments = good;
            arguments[number] = text;
            let errors = request(&arguments, &[]).expect_err(text);
            assert!(errors.contains(message), "{text}: {errors}");
        }
        let errors = request(&["x", "y", "z", "u32=1"], &[]).expect_err("three are wrong");
        assert_eq!(errors.lines().count(), 3, "{errors}");
        let errors = request(&good[..3], &[]).expect_err("one is missing");
        assert!(
            errors.contains("takes 4 arguments, 3 were given"),
            "{errors}"
        );
    }

    #[test]
    fn flags_that_do_not_fit() {
        let good = ["u32[4]=0", "f32=0", "{u64=0,u64=0}", "u32=0"];
        for (flag, message) in [
            ("print 1", "argument 1 is not a buffer"),
            ("print 9", "there is no argument `9`"),
            ("print date", "there is no argument `date`"),
            ("print 0:x", "the count is not a number"),
            ("expect 0", "the `:` is missing"),
            ("expect 3:u32=1", "argument 3 is not a buffer"),
            (
                "expect 0:u32[5]=0",
                "20 bytes are expected, the buffer has 16",
            ),
            (
                "expect 0:=1,2",
                "the buffer has 4 elements, 2 values are given",
            ),
            ("expect 0:null", "only elements can be expected"),
        ] {
            let errors = request(&good, &[flag]).expect_err(flag);
            assert!(errors.contains(message), "{flag}: {errors}");
        }
    }

    const SEQUENCE: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .const .align 4 .b8 _ZN4math5scaleE[16];\n.global .u32 total;\n\
        .entry _Z4fillIfEvPT_i(.param .u64 out, .param .u32 n) { ret; }\n\
        .entry _Z4fillIdEvPT_i(.param .u64 out, .param .u32 n) { ret; }\n\
        .entry sum(.param .u64 out, .param .align 8 .b8 s[16]) { ret; }\n";

    /// The request of a `run:` line, or its messages with flag and columns.
    fn fitted(line: &str) -> Result<Request, String> {
        let file = SourceFile::new("k.ptx", SEQUENCE).expect("a short text");
        let module = warpc_ptx::check(&file).unwrap();
        let words = crate::cases::words(line)?;
        let options = Options::parse(words)?;
        Request::new(&module, &options).map_err(|refused| {
            let all = refused.as_slice().iter();
            let one = |d: &Diagnostic| {
                let file = d.file.as_ref().map_or("k.ptx", |file| file.name());
                let Span { start, end } = d.span;
                let help = d.help.as_deref().unwrap_or("");
                format!("{file} {start}..{end}: {}\n{help}\n", d.message)
            };
            all.map(one).collect()
        })
    }

    const SHAPE: &str = "--grid 1 --block 32";

    #[test]
    fn launches_share_buffers() {
        let line = format!(
            "--kernel fill<float> {SHAPE} --buffer x:f32[4]=iota --arg &x --arg u32=4 --set scale:f32[2]=1,2 \
             --print x:2 --then '--kernel sum --cooperative --arg u32[1]=0 --arg {{&x,u32=4}} --expect out:=6 \
             --print @total --expect math::scale:f32=1' \
             --then '--arg &x --arg {{&u32[2]=7,8,ptr[1]=&x}} --print 1.0 --expect x:=0' --save x:x.npy"
        );
        let request = fitted(&line).expect("it is right");
        let names: Vec<&str> = request.buffers.iter().map(|b| b.name.as_str()).collect();
        assert_eq!(names, ["x", "out", "1.0"]);
        let [first, second, third] = &request.steps[..] else {
            panic!("three launches");
        };
        assert_eq!(first.launch.kernel, "_Z4fillIfEvPT_i");
        assert_eq!(first.assigned[0].variable, "_ZN4math5scaleE");
        assert_eq!(first.assigned[0].bytes.len(), 8);
        assert_eq!(
            (&first.shown[0].memory, first.shown[0].count),
            (&Memory::Buffer(0), Some(2))
        );
        assert!(!first.launch.cooperative && second.launch.cooperative);
        let of = |step: &Step| {
            let each = step.launch.arguments.iter();
            each.map(|one| one.buffers().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(first), [vec![0], vec![]]);
        assert_eq!(of(second), [vec![1], vec![0]]);
        assert_eq!(of(third), [vec![0], vec![2, 0]]);
        assert_eq!(second.variables(), ["_ZN4math5scaleE", "total"]);
        assert_eq!(third.launch.kernel, "sum");
        assert_eq!(third.launch.block, [32, 1, 1]);
        assert_eq!(third.saved[0].memory, Memory::Buffer(0));
        assert!(first.saved.is_empty());
        assert_eq!(request.buffers[2].bytes, [7, 0, 0, 0, 8, 0, 0, 0]);
    }

    /// Buffers may have addresses of each other, whichever comes first.
    #[test]
    fn buffers_point_at_buffers() {
        let line = format!(
            "--kernel sum {SHAPE} --buffer a:{{u32=1,&b}} --buffer b:ptr[]=&a,null,&out,&u8=5 \
             --arg u32[1]=0 --arg {{&a,&b}}"
        );
        let request = fitted(&line).expect("it is right");
        let names: Vec<&str> = request.buffers.iter().map(|b| b.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "out", "b.0"]);
        assert_eq!(request.buffers[0].addresses, [(8, 1)]);
        assert_eq!(request.buffers[1].addresses, [(0, 0), (16, 2), (24, 3)]);
        assert_eq!(request.buffers[1].bytes.len(), 32);
    }

    #[test]
    fn mistakes_of_names_have_their_columns() {
        let sum = format!(
            "--kernel sum {SHAPE} --arg u32[1]=0 --arg hex:{}",
            "00".repeat(16)
        );
        for (line, message) in [
            (
                format!("{SHAPE} --kernel fill"),
                "k.ptx 112..127: 2 kernels are called `fill`\nwrite one of them in full:\n  fill<float>(float*, int): _Z4fillIfEvPT_i\n  fill<double>(double*, int): _Z4fillIdEvPT_i",
            ),
            (format!("{SHAPE} --kernel fil"), "there is no kernel `fil`"),
            (
                format!("{sum} --buffer x"),
                "--buffer 0..1: the `:` is missing",
            ),
            (
                format!("{sum} --buffer 1x:u32=1"),
                "--buffer 0..2: `1x` is not a name",
            ),
            (
                format!("{sum} --buffer x:u33[4]=0"),
                "--buffer 2..5: `u33` is not a type",
            ),
            (
                format!("{sum} --buffer x:u32[4]=0 --buffer x:u32=1"),
                "--buffer 0..1: there is already a buffer `x`",
            ),
            (
                format!("{sum} --buffer x:null"),
                "--buffer 2..6: an address is not a buffer's contents",
            ),
            (
                format!("{sum} --buffer x:ptr[]=&y"),
                "buffer `x` points at `y`, and there is no such buffer\nthe buffers are 0 (`out`), `x`;",
            ),
            (
                format!("{sum} --set total"),
                "--set 0..5: the `:` is missing",
            ),
            (
                format!("{sum} --set totel:=1"),
                "--set 0..5: there is no variable `totel`",
            ),
            (
                format!("{sum} --set total:u64=1"),
                "--set 6..11: 8 bytes are given, the variable has 4",
            ),
            (
                format!("{sum} --set total:=x"),
                "--set 7..8: `x` is not an integer",
            ),
            (
                format!("{sum} --print nothing"),
                "--print 0..7: there is no argument `nothing`\nthe buffers are 0 (`out`); the module's variables are",
            ),
            (format!("{sum} --print @out"), "there is no variable `out`"),
            (
                format!("{sum} --print total:f99"),
                "--print 6..9: the count is not a number",
            ),
            (
                format!("{sum} --expect scale:f32[5]=0"),
                "--expect 6..14: 20 bytes are expected, the variable has 16",
            ),
            (
                format!("{sum} --save 0:"),
                "--save 0..2: the file is missing",
            ),
            (
                format!("{sum} --then '--arg u32[1]=0'"),
                "takes 2 arguments, 1 was given",
            ),
            (
                format!("{sum} --then '--seed 1'"),
                "--then 0..0: `--seed` in `--then`",
            ),
            (
                format!("{sum} --then '--gird 1'"),
                "unexpected argument '--gird'",
            ),
        ] {
            let errors = fitted(&line).expect_err(&line);
            assert!(errors.contains(message), "{line}\n{errors}");
        }
    }
}
