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
mod tests;
