//! Bitcode to [`Module`].
//!
//! ```text
//!   file ─► blocks at the top: modules, each with the string table that follows it
//!   module ─► types, attributes, globals, constants, metadata in the order of the file; bodies of functions last,
//!             because what they call may be named after them
//! ```
//!
//! Types are entries of a table ([`types`]): an entry of a typed pointer knows what it points to, the type in memory
//! is opaque. Values are numbered as in the file; the results of a function's instructions are its locals in order, so
//! a reference to a later one needs no placeholder.
//!
//! The first fault ends the reading of a module: in a stream of bits nothing says where to go on.

mod attribute;
mod call;
mod constant;
mod expression;
mod function;
mod global;
mod inst;
mod memory;
mod metadata;
mod names;
mod node;
mod node_upgrade;
mod types;
mod words;

use super::codes::record::{self, block};
use super::codes::{EPOCH, MAGIC, WRAPPER_MAGIC};
use super::stream::{Broken, Cursor, Entry};
use crate::inst::SyncScope;
use crate::module::{ComdatId, GlobalId, Module};
use crate::name::Name;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_diag::{Code, Diagnostic, Diagnostics, Output, SourceFile, Span, codes};

/// Why a module cannot be read.
#[derive(Debug)]
struct Fault {
    code: Code,
    bit: u64,
    message: String,
    help: &'static str,
}

type Read<T> = Result<T, Box<Fault>>;

/// A string of a record; most are short.
type Text = SmallVec<[u8; 64]>;

const DAMAGED: &str = "make the file again; it is damaged, or was not written by LLVM";

impl From<Broken> for Box<Fault> {
    #[cold]
    fn from(broken: Broken) -> Box<Fault> {
        Box::new(Fault {
            code: codes::BITCODE,
            bit: broken.bit,
            message: broken.what.to_owned(),
            help: DAMAGED,
        })
    }
}

/// Whether bytes are LLVM bitcode, with or without a wrapper.
pub fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&WRAPPER_MAGIC.to_le_bytes())
}

/// Reads the first module of a bitcode file.
///
/// ```
/// let file = warpc_diag::SourceFile::new("empty.bc", b"BC\xC0\xDE".to_vec()).unwrap();
/// assert!(warpc_nvvm::read_bitcode(&file).has_failed());
/// ```
pub fn read_bitcode(file: &SourceFile) -> Output<Module> {
    read_modules(file).and_then(|mut modules| {
        if modules.len() > 1 {
            let message = format!("the file has {} modules", modules.len());
            let fault = Fault {
                code: codes::BITCODE,
                bit: 0,
                message,
                help: "link them first, or give them one by one",
            };
            return failed(&fault, 0);
        }
        match modules.pop() {
            Some(module) => Output::new(module, Diagnostics::new()),
            None => failed(
                &Fault {
                    code: codes::BITCODE,
                    bit: 0,
                    message: "the file has no module".to_owned(),
                    help: DAMAGED,
                },
                0,
            ),
        }
    })
}

/// Reads all modules of a bitcode file.
pub fn read_modules(file: &SourceFile) -> Output<Vec<Module>> {
    let (bytes, base) = match unwrapped(file.bytes()) {
        Ok(inner) => inner,
        Err(fault) => return failed(&fault, 0),
    };
    let mut modules = Vec::new();
    let mut diagnostics = Diagnostics::new();
    let parts = match parts(bytes) {
        Ok(parts) => parts,
        Err(mut fault) => {
            fault.message = format!("at bit {}: {}", fault.bit, fault.message);
            return failed(&fault, base);
        }
    };
    for part in parts {
        let mut reader = Reader::new(bytes, &part);
        match reader.module(part.module) {
            Ok(()) => {
                diagnostics.append(std::mem::take(&mut reader.diagnostics));
                modules.push(reader.module);
            }
            Err(fault) => {
                let fault = reader.located(*fault);
                return failed(&fault, base);
            }
        }
    }
    Output::new(modules, diagnostics)
}

/// A diagnostic about a fault; `base` is where the stream starts in the file, in bytes.
fn failed<T>(fault: &Fault, base: usize) -> Output<T> {
    let byte = u32::try_from(fault.bit / 8 + base as u64).unwrap_or(u32::MAX - 1);
    let span = Span::new(byte, byte.saturating_add(1));
    let diagnostic = Diagnostic::error(fault.code, span, fault.message.as_str()).help(fault.help);
    Output::failed(Diagnostics::of(diagnostic))
}

/// The bytes inside a wrapper, and where they start.
fn unwrapped(bytes: &[u8]) -> Result<(&[u8], usize), Fault> {
    let wrong = |message: &str| Fault {
        code: codes::BITCODE,
        bit: 0,
        message: message.to_owned(),
        help: DAMAGED,
    };
    if bytes.starts_with(&MAGIC) {
        return Ok((bytes, 0));
    }
    if !bytes.starts_with(&WRAPPER_MAGIC.to_le_bytes()) {
        return Err(wrong("the file does not start as bitcode does"));
    }
    let field = |at: usize| -> Option<usize> {
        let field = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(field)).ok()
    };
    let inner = field(8).zip(field(12)).and_then(|(offset, size)| {
        let inner = bytes.get(offset..offset.checked_add(size)?)?;
        inner.starts_with(&MAGIC).then_some((inner, offset))
    });
    inner.ok_or_else(|| wrong("the wrapper names bytes that are not bitcode"))
}

/// A module and the string table of its names.
struct Part<'a> {
    /// Where the block of the module is, in bits, after its number.
    module: u64,
    strings: &'a [u8],
}

/// The modules of a file.
fn parts(bytes: &[u8]) -> Read<Vec<Part<'_>>> {
    let mut cursor = Cursor::new(bytes);
    cursor.fixed(32)?;
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut without_strings = 0;
    loop {
        match cursor.next() {
            Ok(Entry::End) => break,
            Ok(Entry::Block(id)) => match id {
                block::IDENTIFICATION => identification(&mut cursor)?,
                block::MODULE => {
                    parts.push(Part {
                        module: cursor.bit(),
                        strings: &[],
                    });
                    cursor.skip()?;
                }
                block::STRTAB => {
                    cursor.enter(id)?;
                    let mut strings: &[u8] = &[];
                    loop {
                        match cursor.next()? {
                            Entry::End => break,
                            Entry::Block(_) => cursor.skip()?,
                            Entry::Record(record::strtab::BLOB) => strings = cursor.blob,
                            Entry::Record(_) => {}
                        }
                    }
                    for part in &mut parts[without_strings..] {
                        part.strings = strings;
                    }
                    without_strings = parts.len();
                }
                _ => cursor.skip()?,
            },
            // Concatenated files have the mark again.
            Ok(Entry::Record(_)) => break,
            Err(_) if !parts.is_empty() && at_mark(bytes, cursor.start) => {
                cursor.seek(cursor.start + 32);
            }
            // What follows the modules may be anything.
            Err(_) if !parts.is_empty() && cursor.start.is_multiple_of(32) => break,
            Err(broken) => return Err(broken.into()),
        }
        if at_mark(bytes, cursor.bit()) {
            cursor.seek(cursor.bit() + 32);
        }
    }
    Ok(parts)
}

/// Whether bitcode starts at a bit.
fn at_mark(bytes: &[u8], bit: u64) -> bool {
    bit.is_multiple_of(8)
        && usize::try_from(bit / 8)
            .ok()
            .and_then(|byte| bytes.get(byte..))
            .is_some_and(|rest| rest.starts_with(&MAGIC))
}

/// The block that says who wrote the file.
fn identification(cursor: &mut Cursor<'_>) -> Read<()> {
    cursor.enter(block::IDENTIFICATION)?;
    loop {
        match cursor.next()? {
            Entry::End => return Ok(()),
            Entry::Block(_) => cursor.skip()?,
            Entry::Record(record::identification::EPOCH) => {
                let epoch = cursor.ops.first().copied().unwrap_or(EPOCH);
                if epoch != EPOCH {
                    return Err(Box::new(Fault {
                        code: codes::BITCODE_UNSUPPORTED,
                        bit: cursor.start,
                        message: format!("bitcode of epoch {epoch}; only epoch {EPOCH} is read"),
                        help: "write the module with a version of LLVM up to 22",
                    }));
                }
            }
            Entry::Record(_) => {}
        }
    }
}

/// A value of the file: what it is in memory, and the entry of its type.
#[derive(Clone, Copy, Debug)]
struct Typed {
    value: Value,
    ty: u32,
}

/// The state of reading a module.
struct Reader<'a> {
    cursor: Cursor<'a>,
    strings: &'a [u8],
    module: Module,
    diagnostics: Diagnostics,
    /// The block that is being read, and its record, for messages.
    block: u32,
    code: Option<u32>,
    version: u64,
    types: types::TypeTable,
    attributes: attribute::AttributeTable,
    /// Values of the module, then of the function that is being read up to its instructions.
    values: Vec<Typed>,
    /// Globals by their number as values.
    globals: Vec<GlobalId>,
    /// Numbers of values that globals refer to.
    pending: Vec<(GlobalId, global::Part, u64)>,
    /// Functions with a body and the entries of their types, in the order in which their bodies come.
    defined: std::collections::VecDeque<(GlobalId, u32)>,
    /// Where the bodies are.
    bodies: Vec<u64>,
    sections: Vec<Name>,
    collectors: Vec<Name>,
    comdats: Vec<ComdatId>,
    metadata: Vec<metadata::Entry>,
    /// The lists of values of the function that is being read.
    arg_lists: Vec<Box<[Value]>>,
    kinds: FxHashMap<u64, Name>,
    scopes: Vec<SyncScope>,
    tags: Vec<Name>,
    block_addresses: FxHashMap<(GlobalId, u64), crate::constant::BlockAddressId>,
    locations: metadata::Locations,
    words: words::KnownWords,
    node_words: node::NodeWords,
    /// Which debug intrinsic a global is, as far as calls have asked.
    debug_intrinsics: FxHashMap<GlobalId, Option<crate::read::DebugIntrinsic>>,
    /// Operands of the record that is being read.
    ops: Vec<u64>,
    function: function::Function,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], part: &Part<'a>) -> Reader<'a> {
        let mut module = Module::default();
        let words = words::KnownWords::new(&mut module);
        Reader {
            cursor: Cursor::new(bytes),
            strings: part.strings,
            module,
            diagnostics: Diagnostics::new(),
            block: block::MODULE,
            code: None,
            version: 0,
            types: types::TypeTable::default(),
            attributes: attribute::AttributeTable::default(),
            values: Vec::new(),
            globals: Vec::new(),
            pending: Vec::new(),
            defined: std::collections::VecDeque::new(),
            bodies: Vec::new(),
            sections: Vec::new(),
            collectors: Vec::new(),
            comdats: Vec::new(),
            metadata: Vec::new(),
            arg_lists: Vec::new(),
            kinds: FxHashMap::default(),
            scopes: Vec::new(),
            tags: Vec::new(),
            block_addresses: FxHashMap::default(),
            locations: metadata::Locations::default(),
            words,
            node_words: node::NodeWords::default(),
            debug_intrinsics: FxHashMap::default(),
            ops: Vec::new(),
            function: function::Function::default(),
        }
    }

    /// The fault with the block, the record and the bit in its message.
    fn located(&self, fault: Fault) -> Fault {
        let block = match record::block_name(self.block) {
            Some(name) => format!("block {name}"),
            None => format!("block {}", self.block),
        };
        let place = match self.code {
            Some(code) => match record::record_name(self.block, code) {
                Some(name) => format!("record {name} of {block}"),
                None => format!("record {code} of {block}"),
            },
            None => block,
        };
        Fault {
            message: format!("{place} at bit {}: {}", fault.bit, fault.message),
            ..fault
        }
    }

    /// A fault of the file.
    #[cold]
    fn fault(&self, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            code: codes::BITCODE,
            bit: self.cursor.start,
            message: message.into(),
            help: DAMAGED,
        })
    }

    /// Something that is not read.
    #[cold]
    fn unsupported(&self, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            code: codes::BITCODE_UNSUPPORTED,
            bit: self.cursor.start,
            message: message.into(),
            help: "write the module with a version of LLVM from 3.8 to 22",
        })
    }

    /// The next entry of the block; the operands of a record are in `ops`.
    #[inline]
    fn next(&mut self) -> Read<Entry> {
        let entry = self.cursor.next()?;
        if let Entry::Record(code) = entry {
            self.code = Some(code);
            std::mem::swap(&mut self.ops, &mut self.cursor.ops);
        }
        Ok(entry)
    }

    /// Enters a block; returns the one around it, to be given to [`leave`](Reader::leave).
    fn enter(&mut self, id: u32) -> Read<u32> {
        self.cursor.enter(id)?;
        self.code = None;
        Ok(std::mem::replace(&mut self.block, id))
    }

    fn leave(&mut self, around: u32) {
        self.block = around;
        self.code = None;
    }

    /// An operand of the record.
    #[inline]
    fn op(&self, index: usize) -> Read<u64> {
        match self.ops.get(index) {
            Some(&op) => Ok(op),
            None => Err(self.fault(format!(
                "it has {} operands, and needs at least {}",
                self.ops.len(),
                index + 1
            ))),
        }
    }

    /// An operand that older records lack.
    #[inline]
    fn optional(&self, index: usize) -> u64 {
        self.ops.get(index).copied().unwrap_or(0)
    }

    /// The operands from an index on, as bytes.
    fn text(&self, from: usize) -> Text {
        let ops = self.ops.get(from..).unwrap_or_default();
        ops.iter().map(|&op| op as u8).collect()
    }

    fn name(&mut self, from: usize) -> Name {
        let text = self.text(from);
        self.module.names.intern(&text)
    }

    /// Reads the records of a block that has nothing else; blocks in it are skipped.
    fn records(&mut self, id: u32, mut read: impl FnMut(&mut Self, u32) -> Read<()>) -> Read<()> {
        let around = self.enter(id)?;
        loop {
            match self.next()? {
                Entry::End => break,
                Entry::Block(_) => self.cursor.skip()?,
                Entry::Record(code) => read(self, code)?,
            }
        }
        self.leave(around);
        Ok(())
    }

    /// Everything of a module.
    fn module(&mut self, at: u64) -> Read<()> {
        self.cursor.seek(at);
        self.cursor.enter(block::MODULE)?;
        loop {
            match self.next()? {
                Entry::End => break,
                Entry::Block(id) => self.module_block(id)?,
                Entry::Record(code) => self.module_record(code)?,
            }
        }
        self.code = None;
        self.resolve_pending()?;
        let bodies = std::mem::take(&mut self.bodies);
        for at in bodies {
            self.cursor.seek(at);
            self.body()?;
        }
        self.code = None;
        self.block = block::MODULE;
        if let Some(&(global, _)) = self.defined.front() {
            let name = self.global_text(global);
            return Err(self.fault(format!("the function `{name}` has no body")));
        }
        self.check_block_addresses()?;
        self.finish();
        Ok(())
    }

    fn module_block(&mut self, id: u32) -> Read<()> {
        match id {
            block::BLOCKINFO => Ok(self.cursor.block_info()?),
            block::TYPE => self.type_block(),
            block::PARAMATTR_GROUP => self.attribute_groups(),
            block::PARAMATTR => self.attribute_lists(),
            block::CONSTANTS => self.constants_block(),
            block::METADATA => self.metadata_block(),
            block::METADATA_KIND => self.records(id, |reader, code| match code {
                record::metadata_kind::KIND => reader.metadata_kind(),
                _ => Ok(()),
            }),
            block::VALUE_SYMTAB => self.module_names(),
            block::FUNCTION => {
                self.bodies.push(self.cursor.bit());
                Ok(self.cursor.skip()?)
            }
            block::OPERAND_BUNDLE_TAGS => self.records(id, |reader, code| {
                if code == record::bundle_tags::TAG {
                    let tag = reader.name(0);
                    reader.tags.push(tag);
                }
                Ok(())
            }),
            block::SYNC_SCOPE_NAMES => self.records(id, |reader, code| {
                if code == record::sync_scope_names::NAME {
                    let name = reader.name(0);
                    let scope = SyncScope::named(&reader.module.names, name);
                    reader.scopes.push(scope);
                }
                Ok(())
            }),
            // Orders of uses have no meaning; summaries and symbol tables are made again when they are needed.
            block::USELIST
            | block::GLOBALVAL_SUMMARY
            | block::FULL_LTO_GLOBALVAL_SUMMARY
            | block::MODULE_STRTAB
            | block::SYMTAB => Ok(self.cursor.skip()?),
            _ => {
                self.code = None;
                Err(self.unsupported(format!("a block with the unknown number {id}")))
            }
        }
    }

    /// What the text reader does when a module is read.
    fn finish(&mut self) {
        let (globals, names) = (&self.module.globals, &self.module.names);
        self.module.order.retain(|&global| {
            let name = globals[global].name;
            name.is_none_or(|name| crate::read::record_named(names.bytes(name)).is_none())
        });
        crate::upgrade::module(&mut self.module);
    }
}
