//! Lines to sections with their items. What needs names of other lines is read later, when all are known.

use super::data::{self, Data};
use super::lex::{Line, Name, Wrong, fault};
use super::plain::{KernelText, VariableText};
use warpc_cubin::Segment;
use warpc_diag::{Diagnostics, SourceFile, Span, codes};
use warpc_target::Sm;

/// A text, line by line.
#[derive(Default)]
pub(super) struct Text<'a> {
    pub target: Option<Sm>,
    /// What `.elf` lines say, by key.
    pub elf: Vec<(&'a str, u64, Span)>,
    pub names: Option<Reference>,
    pub sections: Vec<SectionText<'a>>,
    pub segments: Option<Vec<Segment>>,
    pub strays: Vec<Stray>,
    /// Kernels in the plain form.
    pub kernels: Vec<KernelText<'a>>,
    /// Variables in the plain form.
    pub variables: Vec<VariableText>,
    /// Variables whose addresses are wanted in a bank of constants.
    pub addresses: Vec<Name>,
    /// What the lines belong to.
    part: Part,
}

/// What a line belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    File,
    Section,
    Stray,
    Kernel,
    Variable,
}

/// Bytes outside all parts.
pub(super) struct Stray {
    pub place: u64,
    pub span: Span,
    pub data: Vec<Data>,
}

/// A section by name or number.
#[derive(Clone)]
pub(super) enum Reference {
    Name(Name),
    Number(u64, Span),
}

pub(super) struct SectionText<'a> {
    pub name: Name,
    pub keys: Keys,
    pub items: Vec<Item<'a>>,
}

/// What stands after the name of a section.
#[derive(Default)]
pub(super) struct Keys {
    pub kind: Option<u32>,
    pub flags: Option<u64>,
    pub align: Option<u64>,
    pub entry_size: Option<u64>,
    pub address: Option<u64>,
    pub link: Option<Reference>,
    pub info: Option<u32>,
    pub name_at: Option<u32>,
    pub same_as: Option<Reference>,
    pub gap: Option<u64>,
    pub offset: Option<u64>,
}

pub(super) enum Item<'a> {
    Label(Name),
    /// The text of an instruction.
    Inst(Line<'a>),
    Word(u128),
    Data(Data),
    Symbol(Line<'a>),
    NoNullSymbol,
    Reloc(Line<'a>),
    Record(Line<'a>),
    Call(Line<'a>),
    Registers(u32),
    Barriers(u8),
}

/// The keys of `.elf` lines that are numbers.
const ELF_KEYS: [&str; 11] = [
    "type",
    "abi",
    "abi_version",
    "version",
    "entry",
    "flags",
    "section_table",
    "segment_table",
    "segment_size",
    "segments",
    "length",
];

/// Reads all lines; those that are wrong are reported and left out.
pub(super) fn read<'a>(file: &'a SourceFile, diagnostics: &mut Diagnostics) -> Text<'a> {
    let mut text = Text::default();
    let mut start = 0;
    for bytes in file.bytes().split_inclusive(|&byte| byte == b'\n') {
        let place = start;
        start += bytes.len();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let Ok(line) = std::str::from_utf8(bytes) else {
            let span = Span::new(place as u32, (place + bytes.len()) as u32);
            diagnostics.push(*fault(
                codes::SASS_SYNTAX,
                span,
                "this line is not UTF-8; other bytes of strings are written `\\x80`",
            ));
            continue;
        };
        let line = Line::new(line, place as u32);
        if line.is_at_end() {
            continue;
        }
        if let Err(wrong) = text.line(line) {
            diagnostics.push(*wrong);
            text.note_fault();
            if diagnostics.is_full() {
                break;
            }
        }
    }
    text
}

impl<'a> Text<'a> {
    /// Whether kernels and variables are described, not sections.
    pub fn is_plain(&self) -> bool {
        self.sections.is_empty() && !(self.kernels.is_empty() && self.variables.is_empty())
    }

    /// Notes that a line of what is being read was refused.
    fn note_fault(&mut self) {
        if self.part == Part::Variable
            && let Some(variable) = self.variables.last_mut()
        {
            variable.is_broken = true;
        }
    }

    fn line(&mut self, mut line: Line<'a>) -> Result<(), Wrong> {
        let whole = line;
        if let Some(label) = label(&mut line)? {
            self.item(Item::Label(label), whole)?;
            return match line.is_at_end() {
                true => Ok(()),
                false => self.line(line),
            };
        }
        let Some(word) = line.peek_word().filter(|word| is_directive(word)) else {
            return self.item(Item::Inst(line), whole);
        };
        let word_span = line.word().map_or(whole.span(), |(_, span)| span);
        match word {
            ".target" => self.target(&mut line)?,
            ".elf" => self.elf(&mut line)?,
            ".segment" => self.segment(&mut line)?,
            ".stray" => {
                let place = line.unsigned()?;
                self.part = Part::Stray;
                self.strays.push(Stray {
                    place,
                    span: whole.span(),
                    data: Vec::new(),
                });
            }
            ".section" => {
                let section = section(&mut line)?;
                self.part = Part::Section;
                self.sections.push(section);
            }
            ".kernel" => {
                self.kernels.push(KernelText::new(line.name()?));
                self.part = Part::Kernel;
            }
            ".global" | ".constant" => {
                let variable = VariableText::read(word == ".constant", &mut line)?;
                self.variables.push(variable);
                self.part = Part::Variable;
            }
            ".address" => self.addresses.push(line.name()?),
            ".symbol" => return self.item(Item::Symbol(line), whole),
            ".no_null_symbol" => self.item(Item::NoNullSymbol, whole)?,
            ".reloc" => return self.item(Item::Reloc(line), whole),
            ".call" => return self.item(Item::Call(line), whole),
            directive if self.part == Part::Kernel && KernelText::has(directive) => {
                if let Some(kernel) = self.kernels.last_mut() {
                    kernel.directive(directive, word_span, &mut line)?;
                }
            }
            ".registers" => {
                let registers = line.unsigned::<u8>()?.into();
                self.item(Item::Registers(registers), whole)?;
            }
            ".barriers" => {
                let barriers = line.unsigned::<u8>()?;
                if barriers > 0x7f {
                    return Err(whole.wrong("a kernel has at most 16 barriers".to_owned()));
                }
                self.item(Item::Barriers(barriers), whole)?;
            }
            ".unknown" => {
                let word = word128(&mut line)?;
                line.accept(";");
                self.item(Item::Word(word), whole)?;
            }
            word if word.starts_with("EI") => return self.item(Item::Record(whole), whole),
            directive => match data::read(directive, &mut line)? {
                Some(data) => {
                    match (self.part, self.strays.last_mut(), self.variables.last_mut()) {
                        (Part::Stray, Some(stray), _) => stray.data.push(data),
                        (Part::Variable, _, Some(variable)) => variable.data.push(data),
                        _ => self.item(Item::Data(data), whole)?,
                    }
                }
                None => {
                    let message = format!("there is no directive `{directive}`");
                    let mut wrong = fault(codes::SASS_SYNTAX, word_span, message);
                    wrong.help = Some(
                        "docs/sass.md lists the directives; instructions start with a control word in brackets"
                            .to_owned(),
                    );
                    return Err(wrong);
                }
            },
        }
        line.end()
    }

    fn item(&mut self, item: Item<'a>, line: Line<'a>) -> Result<(), Wrong> {
        let items = match self.part {
            Part::Section => self.sections.last_mut().map(|section| &mut section.items),
            Part::Kernel if KernelText::takes(&item) => {
                self.kernels.last_mut().map(|kernel| &mut kernel.items)
            }
            _ => None,
        };
        match items {
            Some(items) => {
                items.push(item);
                Ok(())
            }
            None => {
                let mut wrong = fault(codes::SASS_SYNTAX, line.span(), "this cannot stand here");
                wrong.help = Some(
                    "instructions and labels belong to a `.kernel` or a `.section`, data to a `.global`, `.constant` or `.section`"
                        .to_owned(),
                );
                Err(wrong)
            }
        }
    }

    fn target(&mut self, line: &mut Line<'a>) -> Result<(), Wrong> {
        let span = line.span();
        let chip = line.word().and_then(|(word, _)| word.parse().ok());
        let Some(chip) = chip else {
            return Err(fault(
                codes::SASS_VALUE,
                span,
                "there is no such chip; write one like `sm_90a`",
            ));
        };
        if self.target.replace(chip).is_some() {
            return Err(fault(
                codes::SASS_SYNTAX,
                span,
                "the target has been said before",
            ));
        }
        Ok(())
    }

    fn elf(&mut self, line: &mut Line<'a>) -> Result<(), Wrong> {
        let span = line.span();
        let Some((key, _)) = line.word() else {
            return Err(line.wrong("a key is missing here".to_owned()));
        };
        if key == "names" {
            self.names = Some(reference(line)?);
            return Ok(());
        }
        if !ELF_KEYS.contains(&key) {
            let message = format!("there is no key `{key}`; there are {}", ELF_KEYS.join(", "));
            return Err(fault(codes::SASS_SYNTAX, span, message));
        }
        let value = line.unsigned()?;
        if key == "segments" {
            self.segments = Some(Vec::new());
        }
        self.elf.push((key, value, span));
        Ok(())
    }

    fn segment(&mut self, line: &mut Line<'a>) -> Result<(), Wrong> {
        let kind = line.unsigned()?;
        line.expect(",")?;
        let flags = line.unsigned()?;
        let mut rest = [0; 6];
        for value in &mut rest {
            line.expect(",")?;
            *value = line.unsigned()?;
        }
        let [
            offset,
            virtual_address,
            physical_address,
            file_size,
            memory_size,
            align,
        ] = rest;
        self.segments.get_or_insert_default().push(Segment {
            kind,
            flags,
            offset,
            virtual_address,
            physical_address,
            file_size,
            memory_size,
            align,
        });
        Ok(())
    }
}

/// `name:` at the start of a line.
fn label(line: &mut Line<'_>) -> Result<Option<Name>, Wrong> {
    let mut ahead = *line;
    if !ahead.rest().starts_with('"') && ahead.peek_word().is_none() {
        return Ok(None);
    }
    let name = ahead.name()?;
    if !ahead.accept(":") {
        return Ok(None);
    }
    *line = ahead;
    Ok(Some(name))
}

/// Whether a word at the start of a line is not an instruction.
fn is_directive(word: &str) -> bool {
    word.starts_with('.') || word.starts_with("EIATTR_") || word.starts_with("EICOMPAT_ATTR_")
}

pub(super) fn reference(line: &mut Line<'_>) -> Result<Reference, Wrong> {
    if line.is_at_number() {
        let span = line.span();
        return Ok(Reference::Number(line.unsigned()?, span));
    }
    Ok(Reference::Name(line.name()?))
}

/// The name of a section and its keys.
fn section<'a>(line: &mut Line<'a>) -> Result<SectionText<'a>, Wrong> {
    let name = line.name()?;
    let mut keys = Keys::default();
    while line.accept(",") {
        let span = line.span();
        let Some((key, _)) = line.word() else {
            return Err(line.wrong("a key is missing here".to_owned()));
        };
        match key {
            "kind" => keys.kind = Some(line.unsigned()?),
            "flags" => keys.flags = Some(line.unsigned()?),
            "align" => keys.align = Some(line.unsigned()?),
            "entry_size" => keys.entry_size = Some(line.unsigned()?),
            "address" => keys.address = Some(line.unsigned()?),
            "link" => keys.link = Some(reference(line)?),
            "info" => keys.info = Some(line.unsigned()?),
            "name_at" => keys.name_at = Some(line.unsigned()?),
            "same_as" => keys.same_as = Some(reference(line)?),
            "gap" => keys.gap = Some(line.unsigned()?),
            "offset" => keys.offset = Some(line.unsigned()?),
            key => {
                let message = format!(
                    "there is no key `{key}`; there are kind, flags, align, entry_size, address, link, info, name_at, same_as, gap, offset"
                );
                return Err(fault(codes::SASS_SYNTAX, span, message));
            }
        }
    }
    Ok(SectionText {
        name,
        keys,
        items: Vec::new(),
    })
}

/// A number of 128 bits.
fn word128(line: &mut Line<'_>) -> Result<u128, Wrong> {
    let rest = line.rest();
    let digits = rest.strip_prefix("0x").unwrap_or("");
    let end = digits.find(|c: char| !c.is_ascii_hexdigit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    let Ok(word) = u128::from_str_radix(digits, 16) else {
        return Err(line.wrong("a hexadecimal number of 128 bits is missing here".to_owned()));
    };
    line.skip(2 + digits.len());
    Ok(word)
}
