//! What `--print`, `--expect`, `--save` and `--set` name: an argument, a buffer, a variable of the program.

use super::{Fit, Wrong, split_name, wrong};
use crate::args::{self, Spec, SpecError};
use crate::number::TYPES;
use crate::request::{Assigned, Expected, Memory, Saved, Shown};
use std::path::Path;
use warpc_ptx::types::ScalarType;

/// Something that can be looked at.
struct Found {
    memory: Memory,
    name: String,
    words: String,
    argument: Option<usize>,
    ty: ScalarType,
    bytes: u64,
}

/// A name that means two buffers.
pub(super) fn ambiguous(name: &str, number: usize) -> Wrong {
    let message = format!(
        "`{name}` is a buffer and the parameter of argument {number}, which is another buffer"
    );
    let help = format!("write `{number}` for the argument, or give the buffer another name");
    (message, help)
}

impl Fit<'_, '_> {
    /// What a flag names: an argument by its number or its parameter's name, a buffer, or a variable of the program. `@`
    /// says that it is a variable.
    ///
    /// A name can be that of a parameter, of a buffer and of a variable at once. It means the memory of the first of these
    /// that has any; if the argument and the buffer of that name are different memory, it is refused.
    fn found(&self, name: &str) -> Result<Found, Wrong> {
        if let Some(variable) = name.strip_prefix('@') {
            return self.variable(variable);
        }
        let parameters = &self.kernel.parameters;
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = name.parse().ok();
            let number = number.filter(|number: &usize| *number < parameters.len());
            let number =
                number.ok_or_else(|| (format!("there is no argument `{name}`"), self.listed()))?;
            return self.argument(number);
        }
        let parameter = parameters.iter().position(|one| one.name == name);
        let argument = parameter.filter(|number| self.memory_of(*number).is_some());
        let named = self.shared.named.get(name).copied();
        match (argument, named) {
            (Some(number), Some(buffer)) if self.memory_of(number) != Some(buffer) => {
                return Err(ambiguous(name, number));
            }
            (Some(number), _) => return self.argument(number),
            (None, Some(buffer)) => return Ok(self.of_buffer(buffer, None)),
            (None, None) => {}
        }
        let none = || match parameter {
            Some(number) => (format!("argument {number} is not a buffer"), self.listed()),
            None => (format!("there is no argument `{name}`"), self.listed()),
        };
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(none());
        }
        let variables = self.shared.interface.variables.as_deref();
        match self.variable(name) {
            Err((message, _)) if message.starts_with("there is no") => {
                let (message, mut help) = none();
                let all: Vec<&str> = variables.into_iter().flatten().map(|v| &*v.name).collect();
                if !all.is_empty() {
                    let all = warpc_ptx::suggest::one_of(&all);
                    help.push_str(&format!("; the module's variables are {all}"));
                }
                Err((message, help))
            }
            Err(_) if variables.is_none() => Err(none()),
            other => other,
        }
    }

    /// The buffer of an argument: its own, or the one that it is the address of.
    fn argument(&self, number: usize) -> Result<Found, Wrong> {
        match self.memory_of(number) {
            Some(buffer) => Ok(self.of_buffer(buffer, Some(number))),
            None => Err((format!("argument {number} is not a buffer"), self.listed())),
        }
    }

    /// The buffer that an argument is, or is the address of.
    fn memory_of(&self, number: usize) -> Option<usize> {
        let own = self.of_argument.get(&number);
        own.or_else(|| self.pointed.get(&number)).copied()
    }

    fn of_buffer(&self, number: usize, argument: Option<usize>) -> Found {
        let buffer = &self.shared.buffers[number];
        Found {
            memory: Memory::Buffer(number),
            name: buffer.name.clone(),
            words: match argument {
                Some(argument) => format!("argument {argument}"),
                None => buffer.words(),
            },
            argument,
            ty: buffer.ty,
            bytes: buffer.bytes.len() as u64,
        }
    }

    fn variable(&self, name: &str) -> Result<Found, Wrong> {
        let number = self.shared.interface.variable(name)?;
        let variable = &self.shared.interface.variables.as_deref().unwrap_or(&[])[number];
        Ok(Found {
            memory: Memory::Variable(variable.name.clone()),
            name: name.to_owned(),
            words: format!("variable `{name}`"),
            argument: None,
            ty: variable.ty,
            bytes: variable.bytes,
        })
    }

    /// `NAME`, `NAME:COUNT`, `NAME:TYPE`, `NAME:TYPE:COUNT`
    pub(super) fn shown(&self, text: &str) -> Result<Shown, SpecError> {
        let (name, rest) = match split_name(text) {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let found = self.found(name).map_err(|w| wrong(0..text.len(), w))?;
        let (mut ty, mut count) = (found.ty, None);
        if let Some(rest) = rest {
            let (first, second) = match rest.split_once(':') {
                Some((first, second)) => (Some(first), second),
                None => (None, rest),
            };
            let named = TYPES
                .into_iter()
                .find(|ty| ty.name() == first.unwrap_or(second));
            count = match (first, named) {
                (_, Some(named)) => {
                    ty = named;
                    first.map(|_| second)
                }
                (None, None) => Some(second),
                (Some(_), None) => Some(rest),
            };
        }
        let count = count.map(str::parse).transpose().map_err(|_| {
            let message = "the count is not a number".to_owned();
            let help = "write `--print N`, `--print N:COUNT` or `--print N:TYPE:COUNT`".to_owned();
            wrong(name.len() + 1..text.len(), (message, help))
        })?;
        Ok(Shown {
            memory: found.memory,
            name: found.name,
            argument: found.argument,
            ty,
            count,
        })
    }

    /// `NAME:FILE`
    pub(super) fn saved(&self, text: &str) -> Result<Saved, SpecError> {
        let Some((name, file)) = split_name(text).filter(|(_, file)| !file.is_empty()) else {
            let help = "write `--save 0:out.bin` or `--save 0:out.npy`".to_owned();
            return Err(wrong(
                0..text.len(),
                ("the file is missing".to_owned(), help),
            ));
        };
        let found = self.found(name).map_err(|w| wrong(0..name.len(), w))?;
        Ok(Saved {
            memory: found.memory,
            ty: found.ty,
            file: file.into(),
        })
    }

    /// `NAME:SPEC`: what is named, and elements for it; `=0` is short for its own type and length.
    fn elements(
        &self,
        text: &str,
        (flag, verb): (&str, &str),
        folder: &Path,
        find: impl Fn(&str) -> Result<Found, Wrong>,
    ) -> Result<(Found, ScalarType, Vec<u8>), SpecError> {
        let Some((name, spec)) = split_name(text) else {
            let help = format!("write what it is for first: `{flag} 1:u32[4]=0,1,2,3`");
            return Err(wrong(
                0..text.len(),
                ("the `:` is missing".to_owned(), help),
            ));
        };
        let found = find(name).map_err(|w| wrong(0..name.len(), w))?;
        let start = name.len() + 1;
        let ty = found.ty;
        let head = if spec.starts_with(['=', '@']) {
            let len = found.bytes / u64::from(ty.bytes());
            format!("{}[{len}]", ty.name())
        } else {
            String::new()
        };
        let parsed = args::parse(&format!("{head}{spec}")).map_err(|mut error| {
            let place = |at: usize| (at + start).saturating_sub(head.len()).max(start);
            error.at = place(error.at.start)..place(error.at.end);
            error
        })?;
        let source = self.source(found.argument.unwrap_or(0), folder);
        let whole = start..text.len();
        let (ty, made) = match &parsed {
            Spec::Array(array) => (array.ty, source.array(array)),
            Spec::Scalar(ty, _) => (*ty, source.value(&parsed).map(|value| value.bytes)),
            Spec::Bytes(_) | Spec::RawFile(_) => (
                ScalarType::B8,
                source.value(&parsed).map(|value| value.bytes),
            ),
            Spec::Struct(_) => {
                let value = source.value(&parsed);
                let value =
                    value.map_err(|message| wrong(whole.clone(), (message, String::new())))?;
                if !value.addresses.is_empty() {
                    let message = format!("addresses cannot be {verb}");
                    let help = "give the elements themselves".to_owned();
                    return Err(wrong(whole, (message, help)));
                }
                (ScalarType::B8, Ok(value.bytes))
            }
            Spec::Null
            | Spec::Address(_)
            | Spec::Addresses(_)
            | Spec::TensorMap(_)
            | Spec::Texture(_) => {
                let message = format!("only elements can be {verb}");
                let help = format!("write `{flag} {name}:u32[4]=0,1,2,3`");
                return Err(wrong(whole, (message, help)));
            }
        };
        let bytes = made.map_err(|message| wrong(whole.clone(), (message, String::new())))?;
        if bytes.len() as u64 > found.bytes {
            let is = if bytes.len() == 1 { "is" } else { "are" };
            let what = match found.memory {
                Memory::Buffer(_) => "buffer",
                Memory::Variable(_) => "variable",
            };
            let has = found.bytes;
            let message = format!("{} bytes {is} {verb}, the {what} has {has}", bytes.len());
            return Err(wrong(whole, (message, String::new())));
        }
        Ok((found, ty, bytes))
    }

    pub(super) fn expectation(&self, text: &str) -> Result<Expected, SpecError> {
        let folder = &self.options.expect_folder;
        let (found, ty, bytes) = self.elements(text, ("--expect", "expected"), folder, |name| {
            self.found(name)
        })?;
        Ok(Expected {
            memory: found.memory,
            words: found.words,
            argument: found.argument,
            ty,
            bytes,
        })
    }

    pub(super) fn assignment(&self, text: &str) -> Result<Assigned, SpecError> {
        let folder = &self.options.set_folder;
        let find = |name: &str| self.variable(name.strip_prefix('@').unwrap_or(name));
        if let Some((name, address)) = split_name(text).and_then(|(name, spec)| {
            let address = spec.strip_prefix('&')?;
            Some((name, address))
        }) {
            return self.assigned_address(text, (name, address), find(name));
        }
        let (found, _, bytes) = self.elements(text, ("--set", "given"), folder, find)?;
        let Memory::Variable(variable) = found.memory else {
            unreachable!("only variables were looked for");
        };
        Ok(Assigned {
            variable,
            bytes,
            address: None,
        })
    }

    /// `NAME:&BUFFER`: a variable gets the address of a buffer, or the handle of what the buffer describes.
    fn assigned_address(
        &self,
        text: &str,
        (name, buffer): (&str, &str),
        found: Result<Found, Wrong>,
    ) -> Result<Assigned, SpecError> {
        let found = found.map_err(|w| wrong(0..name.len(), w))?;
        let at = name.len() + 1..text.len();
        let number = match buffer.parse::<usize>() {
            Ok(number) => self.of_argument.get(&number).copied(),
            Err(_) => (self.named_buffer(buffer)).map_err(|w| wrong(at.clone(), w))?,
        };
        let Some(number) = number else {
            let message = format!("there is no buffer `{buffer}`");
            return Err(wrong(at, (message, self.listed())));
        };
        let size = self.kernel.address_bytes;
        if found.bytes < size as u64 {
            let message = format!(
                "an address has {size} bytes, the variable has {}",
                found.bytes
            );
            return Err(wrong(at, (message, String::new())));
        }
        let Memory::Variable(variable) = found.memory else {
            unreachable!("only variables were looked for");
        };
        Ok(Assigned {
            variable,
            bytes: vec![0; size],
            address: Some(number),
        })
    }
}
