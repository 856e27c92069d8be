//! What a program has that a request can name: kernels with what they take, and variables. Of PTX all of it is known, of
//! machine code the sizes of the parameters.

use crate::{names, number};
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_launch::parameter_text;
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Item, Linkage, Space};
use warpc_ptx::suggest;
use warpc_ptx::types::ScalarType;

/// Bytes of an address in machine code.
const ADDRESS_BYTES: u64 = 8;

/// Kernels and variables of a program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interface {
    /// The kernels, in order.
    pub kernels: Vec<Signature>,
    /// The variables in global and constant memory whose size is known, in order; `None` where a program of this kind
    /// has none that can be named here.
    pub variables: Option<Vec<Variable>>,
}

/// A variable of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name in the program.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// The type of its elements, as it is declared: compilers declare most as bytes.
    pub ty: ScalarType,
}

impl Interface {
    /// What a module of PTX has.
    pub fn of_ptx(module: &Module) -> Interface {
        let kernels = warpc_launch::kernels(module);
        let kernels = kernels.map(|kernel| Signature::of_ptx(module, kernel));
        let variables = module.items.iter().filter_map(|item| match item {
            Item::Variable(variable)
                if matches!(
                    variable.space,
                    Space::Global | Space::Const | Space::ConstBank(_)
                ) && variable.linkage != Linkage::Extern =>
            {
                Some(Variable {
                    name: module.name(variable.name).to_owned(),
                    bytes: variable.bytes()?,
                    ty: variable.ty,
                })
            }
            _ => None,
        });
        Interface {
            kernels: kernels.collect(),
            variables: Some(variables.collect()),
        }
    }

    /// The kernel that a name means, mangled or as people write it ([`names`]); none if there is no such kernel. Several
    /// that fit equally well are an error that lists them.
    pub fn kernel(&self, wanted: &str) -> Result<Option<&Signature>, Diagnostics> {
        let all: Vec<&str> = self.kernels.iter().map(|one| one.kernel.as_str()).collect();
        match names::find(&all, wanted)[..] {
            [] => Ok(None),
            [one] => Ok(Some(&self.kernels[one])),
            [first, ..] => {
                let found = names::find(&all, wanted);
                let message = format!("{} kernels are called `{wanted}`", found.len());
                let at = self.kernels[first].at;
                let found = found.into_iter().map(|index| all[index]);
                let error = Diagnostic::error(codes::NO_KERNEL, at, message);
                Err(Diagnostics::of(error.help(candidates(found))))
            }
        }
    }

    /// The number of the variable that a name means; an error is a message and what to do.
    pub(crate) fn variable(&self, wanted: &str) -> Result<usize, (String, String)> {
        let Some(variables) = &self.variables else {
            let message = "variables of machine code cannot be named here".to_owned();
            return Err((message, "run the PTX it was made from".to_owned()));
        };
        let all: Vec<&str> = variables.iter().map(|one| one.name.as_str()).collect();
        match names::find(&all, wanted)[..] {
            [one] => Ok(one),
            [] => {
                let help = match all.is_empty() {
                    true => "the module has no variables in global or constant memory".to_owned(),
                    false => format!("the module has {}", suggest::one_of(&all)),
                };
                Err((format!("there is no variable `{wanted}`"), help))
            }
            ref several => {
                let message = format!("{} variables are called `{wanted}`", several.len());
                Err((message, candidates(several.iter().map(|&index| all[index]))))
            }
        }
    }
}

/// What a name could mean.
fn candidates<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let rows: Vec<String> = names
        .map(|name| match names::readable(name) {
            Some(readable) => format!("  {readable}: {name}"),
            None => format!("  {name}"),
        })
        .collect();
    format!("write one of them in full:\n{}", rows.join("\n"))
}

/// A kernel and its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The kernel's name.
    pub kernel: String,
    /// Where a text has it.
    pub at: Span,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// How many bytes an address has.
    pub address_bytes: usize,
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name; `--print` and `--expect` can use it.
    pub name: String,
    /// What it is, in words.
    pub text: String,
    /// How many bytes it has, where that is known.
    pub bytes: Option<u64>,
    /// Its type, if it is a number; bits, if any number of its size will do.
    pub ty: Option<ScalarType>,
    /// Whether it can be the address of a buffer.
    pub holds_address: bool,
}

impl Parameter {
    /// A parameter of which only the number and the size are known, as cubins have them.
    fn of_size(number: usize, bytes: u64) -> Parameter {
        let ty = match bytes {
            1 => Some(ScalarType::B8),
            2 => Some(ScalarType::B16),
            4 => Some(ScalarType::B32),
            8 => Some(ScalarType::B64),
            _ => None,
        };
        Parameter {
            name: format!("param_{number}"),
            text: counted(bytes, "byte"),
            bytes: Some(bytes),
            ty,
            holds_address: bytes == ADDRESS_BYTES,
        }
    }
}

impl Signature {
    /// The signature of a kernel of machine code: the sizes of its parameters.
    pub fn of_sizes(kernel: &str, sizes: impl Iterator<Item = u64>) -> Signature {
        let parameters = sizes.enumerate();
        let parameters = parameters.map(|(number, bytes)| Parameter::of_size(number, bytes));
        Signature {
            kernel: kernel.to_owned(),
            at: Span::default(),
            parameters: parameters.collect(),
            address_bytes: ADDRESS_BYTES as usize,
        }
    }

    /// The signature of a kernel of a module.
    pub fn of_ptx(module: &Module, kernel: &Function) -> Signature {
        let address_bytes = usize::from(module.address_size.unwrap_or(32) / 8);
        let parameters = kernel.params.iter().map(|param| Parameter {
            name: module.name(param.name).to_owned(),
            text: parameter_text(module, param),
            bytes: param.bytes(),
            ty: (param.dims.is_empty() && param.vector == 1).then_some(param.ty),
            holds_address: param.bytes() == Some(address_bytes as u64)
                && !number::is_float(param.ty),
        });
        Signature {
            kernel: module.name(kernel.name).to_owned(),
            at: kernel.name_at.0,
            parameters: parameters.collect(),
            address_bytes,
        }
    }

    /// Whether the kernel takes so many arguments.
    pub fn check_count(&self, given: usize) -> Result<(), Diagnostics> {
        let wanted = self.parameters.len();
        if given == wanted {
            return Ok(());
        }
        let were = if given == 1 { "was" } else { "were" };
        let wanted = counted(wanted as u64, "argument");
        let message = format!(
            "the kernel `{}` takes {wanted}, {given} {were} given",
            self.kernel
        );
        let error = Diagnostic::error(codes::BAD_ARGUMENTS, self.at, message);
        Err(Diagnostics::of(error.help(self.parameters_text())))
    }

    fn parameters_text(&self) -> String {
        if self.parameters.is_empty() {
            return format!("`{}` takes no arguments", self.kernel);
        }
        let rows = self.parameters.iter().enumerate();
        let rows: Vec<String> = rows
            .map(|(number, one)| format!("  {number}: {}", one.text))
            .collect();
        let rows = rows.join("\n");
        format!("the parameters of `{}` are\n{rows}", self.kernel)
    }
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
