//! Flags of one launch on their way to a [`Step`]: arguments to parameters, addresses to buffers. What flags name of
//! memory is found in `named`.

mod named;

use crate::args::{self, Reference, Spec, SpecError};
use crate::fill::Source;
use crate::fit::{advice, misfit};
use crate::options::Options;
use crate::request::{Buffer, Origin, Step};
use crate::signature::{Interface, Signature};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use warpc_diag::{Code, Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_launch::{Argument, Launch};
use warpc_ptx::types::ScalarType;

/// A message and what to do.
type Wrong = (String, String);

/// What the launches of a request share.
pub(crate) struct Fitting<'a> {
    interface: &'a Interface,
    /// The buffers so far.
    pub(crate) buffers: Vec<Buffer>,
    /// Those with names.
    named: BTreeMap<String, usize>,
}

/// The flags of one launch, and what they made so far.
struct Fit<'a, 'f> {
    shared: &'a mut Fitting<'f>,
    kernel: &'a Signature,
    options: &'a Options,
    /// The buffer of each argument that is one.
    of_argument: BTreeMap<usize, usize>,
    /// The buffer of each argument that is the address of one.
    pointed: BTreeMap<usize, usize>,
    /// The first buffer of this launch.
    first: usize,
    /// Buffers whose addresses wait for what they name.
    unresolved: Vec<Unresolved>,
    refused: Diagnostics,
}

/// A buffer with the flag that made it, and the addresses in it: offset and what they are of.
type Unresolved = (usize, Flag, Vec<(usize, Reference)>);

/// A flag with its text, as messages show it.
#[derive(Clone)]
struct Flag {
    name: String,
    text: String,
}

impl<'f> Fitting<'f> {
    pub(crate) fn new(interface: &'f Interface) -> Fitting<'f> {
        Fitting {
            interface,
            buffers: Vec::new(),
            named: BTreeMap::new(),
        }
    }

    /// Fits the flags of the next launch.
    pub(crate) fn step(
        &mut self,
        kernel: &Signature,
        options: &Options,
        saved: &[String],
    ) -> Result<Step, Diagnostics> {
        let (Some(grid), Some(block)) = (options.grid, options.block) else {
            return Err(no_shape(kernel, options));
        };
        kernel.check_count(options.arg.len())?;
        let mut fit = Fit {
            first: self.buffers.len(),
            pointed: BTreeMap::new(),
            shared: self,
            kernel,
            options,
            of_argument: BTreeMap::new(),
            unresolved: Vec::new(),
            refused: Diagnostics::new(),
        };
        fit.named_buffers();
        let specs = fit.read();
        fit.stop_if_refused()?;
        let arguments = fit.arguments(&specs);
        fit.resolve();
        let assigned = fit.each("--set", &options.set, Fit::assignment);
        let shown = fit.each("--print", &options.print, Fit::shown);
        let expected = fit.each("--expect", &options.expect, Fit::expectation);
        let saved = fit.each("--save", saved, Fit::saved);
        fit.stop_if_refused()?;
        Ok(Step {
            launch: Launch {
                kernel: kernel.kernel.clone(),
                grid,
                block,
                cluster: options.cluster,
                dynamic_shared: options.shared.unwrap_or(0),
                cooperative: options.cooperative,
                arguments,
            },
            assigned,
            shown,
            expected,
            saved,
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

/// Splits `NAME:REST`; colons of C++ (`math::scale`) belong to the name.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while let Some(next) = text[at..].find(':').map(|found| at + found) {
        if !text[next..].starts_with("::") {
            return Some((&text[..next], &text[next + 1..]));
        }
        at = next + 2;
    }
    None
}

/// What a buffer holds: of a texture that is its description, not the address of one.
fn contents(spec: Spec) -> Spec {
    match spec {
        Spec::Address(Reference::New(described)) if matches!(*described, Spec::Texture(_)) => {
            *described
        }
        other => other,
    }
}

fn wrong(at: Range<usize>, (message, help): Wrong) -> SpecError {
    SpecError { at, message, help }
}

impl Fit<'_, '_> {
    fn stop_if_refused(&mut self) -> Result<(), Diagnostics> {
        match self.refused.has_errors() {
            false => Ok(()),
            true => Err(std::mem::take(&mut self.refused)),
        }
    }

    /// Refuses a flag's value, pointing at a part of it.
    fn refuse(&mut self, flag: &Flag, code: Code, error: SpecError) {
        let span = Span::new(error.at.start as u32, error.at.end as u32);
        let mut diagnostic = Diagnostic::error(code, span, error.message);
        if !error.help.is_empty() {
            diagnostic = diagnostic.help(error.help);
        }
        // A flag's text is far shorter than what a source file can hold.
        if let Some(file) = SourceFile::new(flag.name.as_str(), flag.text.as_str()) {
            diagnostic = diagnostic.in_file(&Arc::new(file));
        }
        self.refused.push(diagnostic);
    }

    /// Refuses all of a flag's value.
    fn refuse_whole(&mut self, flag: &Flag, code: Code, message: String, help: String) {
        let error = wrong(0..flag.text.len(), (message, help));
        self.refuse(flag, code, error);
    }

    fn argument_flag(&self, number: usize) -> Flag {
        Flag {
            name: format!("--arg {number}"),
            text: self.options.arg[number].clone(),
        }
    }

    /// Makes something of each text of a flag.
    fn each<T>(
        &mut self,
        flag: &str,
        texts: &[String],
        make: impl Fn(&Self, &str) -> Result<T, SpecError>,
    ) -> Vec<T> {
        let mut made = Vec::new();
        for text in texts {
            match make(self, text) {
                Ok(one) => made.push(one),
                Err(error) => {
                    let (name, text) = (flag.to_owned(), text.clone());
                    self.refuse(&Flag { name, text }, codes::BAD_SPEC, error);
                }
            }
        }
        made
    }

    fn source<'s>(&self, number: usize, folder: &'s Path) -> Source<'s> {
        Source {
            number,
            folder,
            address_bytes: self.kernel.address_bytes,
        }
    }

    /// Makes the buffers that have names.
    fn named_buffers(&mut self) {
        for text in &self.options.buffer {
            let flag = Flag {
                name: "--buffer".to_owned(),
                text: text.clone(),
            };
            let usage = "write `--buffer data:u32[256]=0`".to_owned();
            let Some((name, spec)) = split_name(text) else {
                let message = "the `:` is missing".to_owned();
                self.refuse_whole(&flag, codes::BAD_SPEC, message, usage);
                continue;
            };
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            if !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                || !name.chars().all(is_name)
            {
                let message = format!("`{name}` is not a name of a buffer");
                let help = "a name has letters, digits and `_`".to_owned();
                let error = wrong(0..name.len(), (message, help));
                self.refuse(&flag, codes::BAD_SPEC, error);
                continue;
            }
            if self.shared.named.contains_key(name) {
                let message = format!("there is already a buffer `{name}`");
                let error = wrong(0..name.len(), (message, usage));
                self.refuse(&flag, codes::BAD_SPEC, error);
                continue;
            }
            let start = name.len() + 1;
            match args::parse(spec).map(contents) {
                Ok(spec) => {
                    let number = self.shared.buffers.len();
                    let folder = &self.options.buffer_folder;
                    let place = (Origin::Named, name.to_owned());
                    if self
                        .make(&spec, place, number, folder, &flag, start)
                        .is_some()
                    {
                        self.shared.named.insert(name.to_owned(), number);
                    }
                }
                Err(error) => {
                    let at = error.at.start + start..error.at.end + start;
                    self.refuse(&flag, codes::BAD_SPEC, SpecError { at, ..error });
                }
            }
        }
    }

    /// Makes a buffer with the contents of a specification that stands in a flag from `start` on.
    fn make(
        &mut self,
        spec: &Spec,
        (origin, name): (Origin, String),
        number: usize,
        folder: &Path,
        flag: &Flag,
        start: usize,
    ) -> Option<usize> {
        let source = self.source(number, folder);
        let made = match spec {
            Spec::Null | Spec::Address(_) => {
                Err("an address is not a buffer's contents".to_owned())
            }
            other => source.value(other),
        };
        let ty = match spec {
            Spec::Array(array) => array.ty,
            Spec::Scalar(ty, _) => *ty,
            Spec::Addresses(_) => ScalarType::B64,
            _ => ScalarType::B8,
        };
        match made {
            Ok(value) => {
                let buffer = self.shared.buffers.len();
                self.shared.buffers.push(Buffer {
                    origin,
                    name,
                    ty,
                    bytes: value.bytes,
                    addresses: Vec::new(),
                    maps: value.maps,
                    description: matches!(spec, Spec::Texture(_)),
                });
                if !value.addresses.is_empty() {
                    self.unresolved
                        .push((buffer, flag.clone(), value.addresses));
                }
                Some(buffer)
            }
            Err(message) => {
                let help = match spec {
                    Spec::Null | Spec::Address(_) => {
                        "write `ptr[]=&a,&b` for a buffer of addresses"
                    }
                    _ => "",
                };
                let error = wrong(start..flag.text.len(), (message, help.to_owned()));
                self.refuse(flag, codes::BAD_ARGUMENTS, error);
                None
            }
        }
    }

    /// Reads the arguments, and makes the buffers among them, so that others can point at them.
    fn read(&mut self) -> Vec<Spec> {
        let mut specs = Vec::new();
        for number in 0..self.options.arg.len() {
            match args::parse(&self.options.arg[number]) {
                Ok(spec) => specs.push(spec),
                Err(error) => {
                    self.refuse(&self.argument_flag(number), codes::BAD_SPEC, error);
                }
            }
        }
        if self.refused.has_errors() {
            return specs;
        }
        for (number, param) in self.kernel.parameters.iter().enumerate() {
            let is_buffer = matches!(&specs[number], Spec::Array(_) | Spec::Addresses(_));
            if is_buffer && param.holds_address {
                let place = (Origin::Argument(number), param.name.clone());
                let folder = &self.options.arg_folder;
                let flag = self.argument_flag(number);
                if let Some(made) = self.make(&specs[number], place, number, folder, &flag, 0) {
                    self.of_argument.insert(number, made);
                }
            }
        }
        specs
    }

    fn arguments(&mut self, specs: &[Spec]) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (number, param) in self.kernel.parameters.iter().enumerate() {
            if let Some(&buffer) = self.of_argument.get(&number) {
                arguments.push(Argument::Buffer(buffer));
                continue;
            }
            let spec = &specs[number];
            let flag = self.argument_flag(number);
            let text = &param.text;
            let value = match self.source(number, &self.options.arg_folder).value(spec) {
                Ok(value) => value,
                Err(message) => {
                    self.refuse_whole(&flag, codes::BAD_ARGUMENTS, message, String::new());
                    continue;
                }
            };
            if let Some(what) = misfit(spec, &value, param) {
                let message = format!("argument {number} is {what}, its parameter is {text}");
                self.refuse_whole(&flag, codes::BAD_ARGUMENTS, message, advice(param));
                continue;
            }
            let mut addresses = Vec::new();
            for (offset, reference) in &value.addresses {
                let place = format!("argument {number}");
                match self.buffer(reference, &place, &flag) {
                    Some(buffer) => addresses.push((*offset, buffer)),
                    None => break,
                }
            }
            if let (Spec::Address(_), [(0, buffer)]) = (spec, &addresses[..]) {
                self.pointed.insert(number, *buffer);
            }
            arguments.push(match addresses.is_empty() {
                true => Argument::Value(value.bytes),
                false => Argument::Struct {
                    bytes: value.bytes,
                    addresses,
                    maps: value.maps,
                },
            });
        }
        arguments
    }

    /// Puts the numbers of buffers where their addresses go; buffers that are made on the way may have some, too.
    fn resolve(&mut self) {
        while let Some((buffer, flag, addresses)) = self.unresolved.pop() {
            let place = self.shared.buffers[buffer].words();
            for (offset, reference) in addresses {
                if let Some(target) = self.buffer(&reference, &place, &flag) {
                    self.shared.buffers[buffer].addresses.push((offset, target));
                }
            }
        }
    }

    /// The buffer that an address is of; one that is new is made.
    fn buffer(&mut self, reference: &Reference, place: &str, flag: &Flag) -> Option<usize> {
        let found = match reference {
            Reference::Argument(number) => self.of_argument.get(number).copied().ok_or_else(|| {
                let message = format!("{place} points at argument {number}, which is not a buffer");
                let help = "`&N` is the address of the buffer that argument N makes".to_owned();
                (message, help)
            }),
            Reference::Named(name) => self.named_buffer(name).and_then(|found| {
                found.ok_or_else(|| {
                    let message =
                        format!("{place} points at `{name}`, and there is no such buffer");
                    (
                        message,
                        format!("{}; `--buffer {name}:SPEC` makes one", self.listed()),
                    )
                })
            }),
            Reference::New(spec) => {
                let number = self.shared.buffers.len();
                // Named by the buffer or argument that has its address, and how many came before.
                let owner = match place.strip_prefix("argument ") {
                    Some(rest) => rest.split(',').next().unwrap_or(rest).to_owned(),
                    None => place.trim_start_matches("buffer ").replace('`', ""),
                };
                let prefix = format!("{owner}.");
                let before = self.shared.buffers[self.first..].iter().filter(|one| {
                    let rest = one.name.strip_prefix(&prefix);
                    rest.is_some_and(|rest| !rest.contains('.'))
                });
                let name = format!("{prefix}{}", before.count());
                let folder = match flag.name == "--buffer" {
                    true => &self.options.buffer_folder,
                    false => &self.options.arg_folder,
                };
                let place = (Origin::Pointee, name.clone());
                let made = self.make(spec, place, number, folder, flag, 0)?;
                self.shared.named.insert(name, made);
                return Some(made);
            }
        };
        match found {
            Ok(buffer) => Some(buffer),
            Err((message, help)) => {
                self.refuse_whole(flag, codes::BAD_ARGUMENTS, message, help);
                None
            }
        }
    }

    /// A buffer by its own name, or by that of the parameter that it is the argument of.
    fn named_buffer(&self, name: &str) -> Result<Option<usize>, Wrong> {
        let parameters = &self.kernel.parameters;
        let own = parameters.iter().position(|param| param.name == name);
        let own = own.filter(|number| self.of_argument.contains_key(number));
        let named = self.shared.named.get(name).copied();
        match (own, named) {
            (Some(number), Some(_)) => Err(named::ambiguous(name, number)),
            (Some(number), None) => Ok(Some(self.of_argument[&number])),
            (None, named) => Ok(named),
        }
    }

    /// The buffers that can be named.
    fn listed(&self) -> String {
        let of_arguments = self
            .of_argument
            .iter()
            .map(|(number, &buffer)| format!("{number} (`{}`)", self.shared.buffers[buffer].name));
        let named = self.shared.named.keys().map(|name| format!("`{name}`"));
        let all: Vec<String> = of_arguments.chain(named).collect();
        match all.is_empty() {
            true => "no argument of this launch is a buffer".to_owned(),
            false => format!("the buffers are {}", all.join(", ")),
        }
    }
}
