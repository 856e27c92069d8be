//! From flags to a launch: the kernel found, the arguments fitted to its parameters, the buffers filled.
//!
//! ```text
//!   Options + Module ──Request::new──┐
//!   Options + Signature ─────────────┴─Request::of──► Launch, buffers, what to show, what to expect
//! ```

use crate::args::{self, Spec, SpecError};
use crate::fill::{Source, Value};
use crate::fit::{advice, misfit};
use crate::options::Options;
use crate::signature::Signature;
use std::sync::Arc;
use warpc_diag::{Code, Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_launch::{self as launch, Argument, Launch};
use warpc_ptx::Module;
use warpc_ptx::types::ScalarType;

/// A launch with everything it needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The launch; its buffers are numbered as in `buffers`.
    pub launch: Launch,
    /// The buffers before the launch.
    pub buffers: Vec<Buffer>,
    /// What to show afterwards.
    pub shown: Vec<Shown>,
    /// What to expect afterwards.
    pub expected: Vec<Expected>,
}

/// A buffer that a kernel gets the address of.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// The argument's number.
    pub argument: usize,
    /// The parameter's name.
    pub name: String,
    /// The type of its elements.
    pub ty: ScalarType,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A buffer to show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shown {
    /// Its number.
    pub buffer: usize,
    /// How many elements; some when absent.
    pub count: Option<usize>,
}

/// What a buffer begins with after the launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// The buffer's number.
    pub buffer: usize,
    /// The type in which the elements are compared.
    pub ty: ScalarType,
    /// The elements.
    pub bytes: Vec<u8>,
}

impl Request {
    /// Fits flags to a module. What is wrong with a flag is shown in its text, everything else in the module's.
    pub fn new(module: &Module, options: &Options) -> Result<Request, Diagnostics> {
        let kernel = launch::kernel(module, options.kernel.as_deref())?;
        Request::of(&Signature::of_ptx(module, kernel), options)
    }

    /// Fits flags to a kernel of which only the signature is known.
    pub fn of(kernel: &Signature, options: &Options) -> Result<Request, Diagnostics> {
        let (Some(grid), Some(block)) = (options.grid, options.block) else {
            return Err(no_shape(kernel, options));
        };
        kernel.check_count(options.arg.len())?;
        let mut fitting = Fitting {
            kernel,
            options,
            specs: Vec::new(),
            buffers: Vec::new(),
            refused: Diagnostics::new(),
        };
        fitting.read();
        fitting.stop_if_refused()?;
        let arguments = fitting.arguments();
        let shown = fitting.shown();
        let expected = fitting.expected();
        fitting.stop_if_refused()?;
        Ok(Request {
            launch: Launch {
                kernel: kernel.kernel.clone(),
                grid,
                block,
                cluster: options.cluster,
                dynamic_shared: options.shared.unwrap_or(0),
                cooperative: options.cooperative,
                arguments,
            },
            buffers: fitting.buffers,
            shown,
            expected,
        })
    }
}

fn no_shape(kernel: &Signature, options: &Options) -> Diagnostics {
    let flag = match (options.grid, options.block) {
        (None, None) => "`--grid` and `--block` are",
        (None, _) => "`--grid` is",
        _ => "`--block` is",
    };
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::error(
            codes::BAD_SHAPE,
            kernel.at,
            format!("{flag} missing"),
        )
        .help("add `--grid BLOCKS --block THREADS`, or put a line `// run: --grid … --block …` at the head of the file"),
    );
    diagnostics
}

/// Arguments on their way to parameters.
struct Fitting<'a> {
    kernel: &'a Signature,
    options: &'a Options,
    specs: Vec<Spec>,
    buffers: Vec<Buffer>,
    refused: Diagnostics,
}

impl Fitting<'_> {
    fn stop_if_refused(&mut self) -> Result<(), Diagnostics> {
        match self.refused.has_errors() {
            false => Ok(()),
            true => Err(std::mem::take(&mut self.refused)),
        }
    }

    /// Refuses a flag's value, pointing at a part of it.
    fn refuse(&mut self, flag: String, text: &str, code: Code, error: SpecError) {
        let span = Span::new(error.at.start as u32, error.at.end as u32);
        let mut diagnostic = Diagnostic::error(code, span, error.message);
        if !error.help.is_empty() {
            diagnostic = diagnostic.help(error.help);
        }
        // A flag's text is far shorter than what a source file can hold.
        if let Some(file) = SourceFile::new(flag, text) {
            diagnostic = diagnostic.in_file(&Arc::new(file));
        }
        self.refused.push(diagnostic);
    }

    fn refuse_argument(&mut self, number: usize, message: String, help: String) {
        let text = self.options.arg[number].clone();
        let at = 0..text.len();
        let error = SpecError { at, message, help };
        self.refuse(
            format!("--arg {number}"),
            &text,
            codes::BAD_ARGUMENTS,
            error,
        );
    }

    /// Reads the texts, and makes the buffers, so that other arguments can point at them.
    fn read(&mut self) {
        for number in 0..self.options.arg.len() {
            let text = &self.options.arg[number];
            match args::parse(text) {
                Ok(spec) => self.specs.push(spec),
                Err(error) => self.refuse(format!("--arg {number}"), text, codes::BAD_SPEC, error),
            }
        }
        if self.refused.has_errors() {
            return;
        }
        for (number, param) in self.kernel.parameters.iter().enumerate() {
            if let Spec::Array(array) = &self.specs[number]
                && param.holds_address
            {
                let (ty, made) = (array.ty, self.source(number).array(array));
                match made {
                    Ok(bytes) => self.buffers.push(Buffer {
                        argument: number,
                        name: param.name.clone(),
                        ty,
                        bytes,
                    }),
                    Err(message) => self.refuse_argument(number, message, String::new()),
                }
            }
        }
    }

    fn source(&self, number: usize) -> Source<'_> {
        Source {
            number,
            folder: &self.options.arg_folder,
            address_bytes: self.address_bytes(),
        }
    }

    fn address_bytes(&self) -> usize {
        self.kernel.address_bytes
    }

    fn buffer_of(&self, argument: usize) -> Option<usize> {
        self.buffers.iter().position(|b| b.argument == argument)
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (number, param) in self.kernel.parameters.iter().enumerate() {
            if let Some(buffer) = self.buffer_of(number) {
                arguments.push(Argument::Buffer(buffer));
                continue;
            }
            let spec = &self.specs[number];
            let text = &param.text;
            let value = match self.source(number).value(spec) {
                Ok(value) => value,
                Err(message) => {
                    self.refuse_argument(number, message, String::new());
                    continue;
                }
            };
            if let Some(what) = misfit(spec, &value, param) {
                let message = format!("argument {number} is {what}, its parameter is {text}");
                self.refuse_argument(number, message, advice(param));
                continue;
            }
            match self.with_addresses(number, value) {
                Ok(argument) => arguments.push(argument),
                Err(message) => {
                    let help = "`&N` is the address of the buffer that argument N makes".to_owned();
                    self.refuse_argument(number, message, help);
                }
            }
        }
        arguments
    }

    fn with_addresses(&self, number: usize, value: Value) -> Result<Argument, String> {
        if value.addresses.is_empty() {
            return Ok(Argument::Value(value.bytes));
        }
        let addresses: Result<Vec<(usize, usize)>, String> = value
            .addresses
            .iter()
            .map(|(offset, argument)| {
                let buffer = self.buffer_of(*argument).ok_or_else(|| {
                    format!(
                        "argument {number} points at argument {argument}, which is not a buffer"
                    )
                })?;
                Ok((*offset, buffer))
            })
            .collect();
        Ok(Argument::Struct {
            bytes: value.bytes,
            addresses: addresses?,
        })
    }

    /// The buffer that a flag names, by the argument's number or the parameter's name.
    fn named_buffer(&self, name: &str) -> Result<usize, (String, String)> {
        let parameters = self.kernel.parameters.iter();
        let names: Vec<&str> = parameters.map(|param| param.name.as_str()).collect();
        let argument = match name.parse::<usize>() {
            Ok(number) => Some(number).filter(|number| *number < names.len()),
            Err(_) => names.iter().position(|other| *other == name),
        };
        let help = self
            .buffers
            .iter()
            .map(|buffer| format!("{} (`{}`)", buffer.argument, buffer.name))
            .collect::<Vec<_>>();
        let help = if help.is_empty() {
            "no argument of this launch is a buffer".to_owned()
        } else {
            format!("the buffers are {}", help.join(", "))
        };
        let Some(argument) = argument else {
            return Err((format!("there is no argument `{name}`"), help));
        };
        self.buffer_of(argument)
            .ok_or_else(|| (format!("argument {argument} is not a buffer"), help))
    }

    fn shown(&mut self) -> Vec<Shown> {
        let mut shown = Vec::new();
        for text in &self.options.print {
            let (name, count) = match text.split_once(':') {
                Some((name, count)) => (name, Some(count)),
                None => (text.as_str(), None),
            };
            let parsed = match count.map(str::parse) {
                Some(Err(_)) => Err((
                    "the count is not a number".to_owned(),
                    "write `--print N` or `--print N:COUNT`".to_owned(),
                )),
                Some(Ok(count)) => Ok(Some(count)),
                None => Ok(None),
            };
            let found = parsed.and_then(|count| Ok((self.named_buffer(name)?, count)));
            match found {
                Ok((buffer, count)) => shown.push(Shown { buffer, count }),
                Err(wrong) => self.refuse_flag("--print", text, 0..text.len(), wrong),
            }
        }
        shown
    }

    fn refuse_flag(
        &mut self,
        flag: &str,
        text: &str,
        at: std::ops::Range<usize>,
        (message, help): (String, String),
    ) {
        let error = SpecError { at, message, help };
        self.refuse(flag.to_owned(), text, codes::BAD_SPEC, error);
    }

    fn expected(&mut self) -> Vec<Expected> {
        let mut expected = Vec::new();
        for text in &self.options.expect {
            match self.expectation(text) {
                Ok(one) => expected.push(one),
                Err(error) => self.refuse("--expect".to_owned(), text, codes::BAD_SPEC, error),
            }
        }
        expected
    }

    fn expectation(&self, text: &str) -> Result<Expected, SpecError> {
        let error = |at, (message, help): (String, String)| SpecError { at, message, help };
        let Some((name, spec)) = text.split_once(':') else {
            let help = "write the argument's number first: `--expect 1:u32[4]=0,1,2,3`".to_owned();
            return Err(error(
                0..text.len(),
                ("the `:` is missing".to_owned(), help),
            ));
        };
        let buffer = self
            .named_buffer(name)
            .map_err(|wrong| error(0..name.len(), wrong))?;
        let start = name.len() + 1;
        let bytes = &self.buffers[buffer].bytes;
        let ty = self.buffers[buffer].ty;
        // `1:=0` is short for the buffer's own type and length.
        let head = if spec.starts_with(['=', '@']) {
            let len = bytes.len() / ty.bytes() as usize;
            format!("{}[{len}]", ty.name())
        } else {
            String::new()
        };
        let parsed = args::parse(&format!("{head}{spec}")).map_err(|mut wrong| {
            let place = |at: usize| (at + start).saturating_sub(head.len()).max(start);
            wrong.at = place(wrong.at.start)..place(wrong.at.end);
            wrong
        })?;
        let source = Source {
            number: self.buffers[buffer].argument,
            folder: &self.options.expect_folder,
            address_bytes: self.address_bytes(),
        };
        let whole = start..text.len();
        let (ty, made) = match &parsed {
            Spec::Array(array) => (array.ty, source.array(array)),
            Spec::Scalar(ty, _) => (*ty, source.value(&parsed).map(|value| value.bytes)),
            Spec::Bytes(_) | Spec::RawFile(_) => (
                ScalarType::B8,
                source.value(&parsed).map(|value| value.bytes),
            ),
            Spec::Null | Spec::Address(_) | Spec::Struct(_) => {
                let message = "only elements can be expected".to_owned();
                let help = "write `--expect 1:u32[4]=0,1,2,3`".to_owned();
                return Err(error(whole, (message, help)));
            }
        };
        let wanted = made.map_err(|message| error(whole.clone(), (message, String::new())))?;
        if wanted.len() > bytes.len() {
            let message = format!(
                "{} bytes are expected, the buffer has {}",
                wanted.len(),
                bytes.len()
            );
            return Err(error(whole, (message, String::new())));
        }
        Ok(Expected {
            buffer,
            ty,
            bytes: wanted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(request.launch.arguments[0], Argument::Buffer(0));
        assert_eq!(
            request.launch.arguments[1],
            Argument::Value(1.5f32.to_le_bytes().to_vec())
        );
        let Argument::Struct { bytes, addresses } = &request.launch.arguments[2] else {
            panic!("it holds an address");
        };
        assert_eq!((bytes.len(), &addresses[..]), (16, &[(8, 0)][..]));
        assert_eq!(request.launch.arguments[3], Argument::Value(vec![0xff; 4]));
        assert_eq!(request.shown[0].count, Some(3));
        assert_eq!(request.shown[1].buffer, 0);
        assert_eq!(request.expected[0].bytes, [0; 8]);
        assert_eq!(request.expected[1].bytes.len(), 16);
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
}
