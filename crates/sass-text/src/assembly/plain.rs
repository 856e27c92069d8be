//! Kernels in the plain form: what a person knows of a kernel, and its instructions.
//!
//! ```text
//! .kernel vector_add
//! .registers 12
//! .param u64 a
//!     [B------:R-:W0:-:S02] LDC.64 R2, c[0x0][a] ;
//!     …
//! ```
//!
//! Everything else that a cubin has comes from the code ([`warpc_sass::facts`]) and from [`warpc_cubin::build`].

mod kernel;

use super::data::Data;
use super::lex::{Line, Name, Wrong, fault};
use super::read::{Item, Text};
use kernel::KernelAssembler;
use std::collections::{HashMap, HashSet};
use warpc_cubin::Cubin;
use warpc_cubin::Parameter;
use warpc_cubin::Record;
use warpc_cubin::attribute::info;
use warpc_cubin::build::{Program, Space, Variable, build};
use warpc_diag::{Diagnostics, Span, codes};

/// A kernel, line by line.
pub(super) struct KernelText<'a> {
    pub name: Name,
    pub items: Vec<Item<'a>>,
    registers: Option<u8>,
    shared: u32,
    shared_align: u32,
    barriers: Option<u8>,
    local: u32,
    parameters: Vec<(Name, Parameter)>,
    attributes: Vec<Record>,
}

/// A variable, line by line.
pub(super) struct VariableText {
    name: Name,
    is_constant: bool,
    align: u32,
    pub data: Vec<Data>,
    /// Whether a line of its data was refused.
    pub is_broken: bool,
}

/// The barriers that a block has.
const MOST_BARRIERS: u8 = 16;

/// What one kernel's parameters may have together.
const MOST_PARAMETER_BYTES: u32 = 32_764;

/// The largest variable that a text may spell out.
const LARGEST_VARIABLE: u64 = 1 << 28;

/// The types of parameters with their sizes.
const TYPES: [(&str, u32); 17] = [
    ("u8", 1),
    ("s8", 1),
    ("b8", 1),
    ("u16", 2),
    ("s16", 2),
    ("b16", 2),
    ("f16", 2),
    ("u32", 4),
    ("s32", 4),
    ("b32", 4),
    ("f32", 4),
    ("u64", 8),
    ("s64", 8),
    ("b64", 8),
    ("f64", 8),
    ("b128", 16),
    ("ptr", 8),
];

/// The directives of a kernel.
const DIRECTIVES: [&str; 8] = [
    ".registers",
    ".shared",
    ".barriers",
    ".local",
    ".param",
    ".maxntid",
    ".reqntid",
    ".cluster",
];

impl<'a> KernelText<'a> {
    pub fn new(name: Name) -> KernelText<'a> {
        KernelText {
            name,
            items: Vec::new(),
            registers: None,
            shared: 0,
            shared_align: 0,
            barriers: None,
            local: 0,
            parameters: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// Whether a directive is one of kernels.
    pub fn has(directive: &str) -> bool {
        DIRECTIVES.contains(&directive)
    }

    /// Whether kernels have such lines.
    pub fn takes(item: &Item<'_>) -> bool {
        matches!(
            item,
            Item::Label(_) | Item::Inst(_) | Item::Word(_) | Item::Reloc(_) | Item::Record(_)
        )
    }

    /// Reads a directive after its word.
    pub fn directive(
        &mut self,
        directive: &str,
        span: Span,
        line: &mut Line<'_>,
    ) -> Result<(), Wrong> {
        match directive {
            ".registers" => {
                // A number that cannot be is one fault, not two.
                self.registers = Some(u8::MAX);
                self.registers = Some(line.unsigned()?);
            }
            ".barriers" => {
                let start = *line;
                let barriers = line.unsigned::<u8>()?;
                if barriers > MOST_BARRIERS {
                    let message = format!("a kernel has at most {MOST_BARRIERS} barriers");
                    return Err(fault(codes::SASS_VALUE, start.span(), message));
                }
                self.barriers = Some(barriers);
            }
            ".local" => self.local = line.unsigned()?,
            ".shared" => {
                self.shared = line.unsigned()?;
                if line.accept_word("align") {
                    self.shared_align = alignment(line)?;
                }
            }
            ".param" => self.parameter(line)?,
            ".maxntid" => {
                let counts = counts(line)?;
                self.attributes
                    .push(Record::words(info::MAX_THREADS, &counts));
            }
            ".reqntid" => {
                let counts = counts(line)?;
                self.attributes.push(Record::words(info::REQNTID, &counts));
            }
            ".cluster" => {
                let counts = counts(line)?;
                self.attributes.push(Record::flag(info::EXPLICIT_CLUSTER));
                self.attributes
                    .push(Record::words(info::CTA_PER_CLUSTER, &counts));
            }
            _ => return Err(fault(codes::SASS_SYNTAX, span, "kernels have no such line")),
        }
        Ok(())
    }

    /// `u64 a`, or `24 align 8 a` for a parameter of so many bytes.
    fn parameter(&mut self, line: &mut Line<'_>) -> Result<(), Wrong> {
        let start = line.span();
        let (size, align) = if line.is_at_number() {
            let size = line.unsigned::<u16>()?.into();
            let align = match line.accept_word("align") {
                true => alignment(line)?,
                false => 4,
            };
            (size, align)
        } else {
            let word = line.word().map_or("", |(word, _)| word);
            let known = TYPES.iter().find(|(name, _)| *name == word);
            let Some(&(_, size)) = known else {
                let message = format!("there is no type `{word}`");
                let mut wrong = fault(codes::SASS_VALUE, start, message);
                wrong.help = Some(
                    "types are u8 to u64, s8 to s64, b8 to b128, f16, f32, f64 and ptr; or write the size: `.param 24 align 8 name`"
                        .to_owned(),
                );
                return Err(wrong);
            };
            (size, size)
        };
        let name = line.name()?;
        if self
            .parameters
            .iter()
            .any(|(one, _)| one.bytes == name.bytes)
        {
            let message = format!("there are two parameters `{}`", name.shown());
            return Err(fault(codes::SASS_NAME, name.span, message));
        }
        let end = self.parameters.last().map_or(0, |(_, last)| {
            u32::from(last.offset).saturating_add(last.size)
        });
        let offset = end.next_multiple_of(align.max(1));
        if offset.saturating_add(size) > MOST_PARAMETER_BYTES {
            let message = format!("the parameters have more than {MOST_PARAMETER_BYTES} bytes");
            return Err(fault(codes::SASS_VALUE, start, message));
        }
        let parameter = Parameter {
            ordinal: self.parameters.len() as u16,
            offset: offset as u16,
            size,
            ..Parameter::default()
        };
        self.parameters.push((name, parameter));
        Ok(())
    }
}

impl VariableText {
    pub fn span(&self) -> Span {
        self.name.span
    }

    /// Reads the name and the alignment.
    pub fn read(is_constant: bool, line: &mut Line<'_>) -> Result<VariableText, Wrong> {
        let name = line.name()?;
        let align = match line.accept_word("align") {
            true => alignment(line)?,
            false => 8,
        };
        Ok(VariableText {
            name,
            is_constant,
            align,
            data: Vec::new(),
            is_broken: false,
        })
    }
}

fn alignment(line: &mut Line<'_>) -> Result<u32, Wrong> {
    let span = line.span();
    let align: u32 = line.unsigned()?;
    match align.is_power_of_two() && align <= 1 << 16 {
        true => Ok(align),
        false => Err(fault(
            codes::SASS_VALUE,
            span,
            "an alignment is a power of two",
        )),
    }
}

/// `128, 1, 1`; what is missing is 1.
fn counts(line: &mut Line<'_>) -> Result<[u32; 3], Wrong> {
    let start = *line;
    let mut counts = [1; 3];
    counts[0] = line.unsigned()?;
    for count in &mut counts[1..] {
        if line.accept(",") {
            *count = line.unsigned()?;
        }
    }
    match counts.contains(&0) {
        true => Err(fault(
            codes::SASS_VALUE,
            start.span(),
            "each dimension is at least 1",
        )),
        false => Ok(counts),
    }
}

/// Makes the cubin of kernels and variables.
pub(super) fn assemble(text: &Text<'_>, diagnostics: &mut Diagnostics) -> Option<Cubin> {
    let Some(sm) = text.target else {
        let span = text.kernels.first().map(|kernel| kernel.name.span);
        let mut wrong = fault(
            codes::SASS_SYNTAX,
            span.unwrap_or_default(),
            "the text does not say what chip it is for",
        );
        wrong.help = Some("start with a line like `.target sm_90a`".to_owned());
        diagnostics.push(*wrong);
        return None;
    };
    if let Some((key, _, span)) = text.elf.first() {
        let message = format!("`.elf {key}` goes with sections, not with kernels");
        diagnostics.push(*fault(codes::SASS_SYNTAX, *span, message));
    }
    if let Some(stray) = text.strays.first() {
        let message = "`.stray` goes with sections, not with kernels";
        diagnostics.push(*fault(codes::SASS_SYNTAX, stray.span, message));
    }
    let mut program = Program::new(sm);
    for one in &text.kernels {
        let mut assembler = KernelAssembler {
            sm,
            text: one,
            labels: HashMap::new(),
            diagnostics,
        };
        program.kernels.push(assembler.kernel());
    }
    for one in text.variables.iter().filter(|one| !one.is_broken) {
        match variable(one) {
            Ok(variable) => program.variables.push(variable),
            Err(wrong) => diagnostics.push(*wrong),
        }
    }
    check_names(text, diagnostics);
    let addresses = text.addresses.iter();
    program.addresses.extend(addresses.map(Name::shown));
    if diagnostics.has_errors() {
        return None;
    }
    match build(&program) {
        Ok(cubin) => Some(cubin),
        Err(refused) => {
            let span = text.kernels.first().map(|kernel| kernel.name.span);
            let mut wrong = fault(
                refused.code,
                span.unwrap_or_default(),
                refused.message.clone(),
            );
            wrong.help = (!refused.help.is_empty()).then(|| refused.help.to_owned());
            diagnostics.push(*wrong);
            None
        }
    }
}

/// Reports names that are there twice, and addresses of what is not there.
fn check_names(text: &Text<'_>, diagnostics: &mut Diagnostics) {
    let kernels = text.kernels.iter().map(|kernel| &kernel.name);
    let variables = text.variables.iter().map(|variable| &variable.name);
    let mut names = HashSet::new();
    for name in kernels.chain(variables) {
        if !names.insert(&name.bytes) {
            let message = format!("there are two things called `{}`", name.shown());
            let mut wrong = fault(codes::SASS_NAME, name.span, message);
            wrong.help = Some("kernels and variables of a cubin have different names".to_owned());
            diagnostics.push(*wrong);
        }
    }
    let wanted = text.kernels.iter().flat_map(|kernel| &kernel.items);
    let wanted = wanted.filter_map(|item| match item {
        Item::Reloc(line) => kernel::symbol_of(*line).ok(),
        _ => None,
    });
    let addresses = text.addresses.iter().cloned().chain(wanted);
    for name in addresses.filter(|name| !names.contains(&name.bytes)) {
        let message = format!("`{}`, whose address is wanted, is not there", name.shown());
        let mut wrong = fault(codes::SASS_NAME, name.span, message);
        wrong.help =
            Some("declare it: `.global NAME`, `.constant NAME` or `.kernel NAME`".to_owned());
        diagnostics.push(*wrong);
    }
}

fn variable(text: &VariableText) -> Result<Variable, Wrong> {
    let mut bytes = Vec::new();
    let mut zeros = 0u64;
    for data in &text.data {
        match data {
            Data::Bytes(more) => {
                // Zeros before other bytes are spelled out.
                let whole = bytes.len() as u64 + zeros + more.len() as u64;
                if whole > LARGEST_VARIABLE {
                    let message = "the variable has more than 256 MiB";
                    return Err(fault(codes::SASS_VALUE, text.name.span, message));
                }
                bytes.resize(bytes.len() + zeros as usize, 0);
                zeros = 0;
                bytes.extend(more);
            }
            Data::Zeros(count) => {
                zeros = zeros.saturating_add(*count).min(u64::from(u32::MAX) + 1);
            }
        }
    }
    let Ok(size) = u32::try_from(bytes.len() as u64 + zeros) else {
        let message = "the variable has more than 4 GiB";
        return Err(fault(codes::SASS_VALUE, text.name.span, message));
    };
    if size == 0 {
        let message = format!("`{}` has no bytes", text.name.shown());
        let mut wrong = fault(codes::SASS_VALUE, text.name.span, message);
        wrong.help = Some("say what it holds in lines below: `.zero 64` or `.u32 1, 2`".to_owned());
        return Err(wrong);
    }
    Ok(Variable {
        name: text.name.shown(),
        space: match text.is_constant {
            true => Space::Constant,
            false => Space::Global,
        },
        align: text.align,
        size,
        initial: (!bytes.is_empty()).then_some(bytes),
        references: Vec::new(),
        weak: false,
        managed: false,
        visible: true,
    })
}
