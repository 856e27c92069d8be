//! [`Module`] to bitcode, in one of two dialects.
//!
//! ```text
//!   Module ─┬────────────────────────────────► write ► bitcode as LLVM 22 reads it
//!           └ older: LLVM 7's IR ► typed pointers ► write ► bitcode as LLVM 7 reads it
//! ```
//!
//! Numbers are given first: globals, metadata, constants of the module. Then everything is written block by block; types,
//! attributes and names get their numbers on the way, so their blocks are written last and put where they belong.
//!
//! The same module gives the same bytes. A symbol table for linkers is not written: they make one where it is missing.

mod attribute;
mod constant;
mod function;
mod global;
mod instruction;
mod metadata;
mod number;
mod stream;
mod types;
mod value;
mod words;

use super::codes::EPOCH;
use super::codes::operation::{DISJOINT_FLAGS, ICMP_FLAGS, NNEG_FLAGS};
use super::codes::record::{
    block, bundle_tags, constants, function as function_code, identification,
    module as module_code, strtab, sync_scope_names, value_symtab,
};
use super::llvm7::{Pointers, downgrade};
use crate::Module;
use crate::constant::{ConstId, ConstKind};
use crate::index::Id;
use crate::inst::Flags;
use crate::module::{AsmId, GlobalId, GlobalKind};
use crate::name::Name;
use crate::types::{Type, TypeId};
use crate::value::{Block, Operand};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use stream::{Part, Stream};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};

/// Which LLVM is to read the bitcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// LLVM 22, and later ones.
    #[default]
    Current,
    /// LLVM 7, with typed pointers: what libNVVM reads for chips before sm_100.
    Llvm7,
}

impl std::str::FromStr for Dialect {
    type Err = String;

    /// `current` or `7`.
    fn from_str(word: &str) -> Result<Dialect, String> {
        match word {
            "current" => Ok(Dialect::Current),
            "7" => Ok(Dialect::Llvm7),
            _ => Err(String::from("there are `current` and `7`")),
        }
    }
}

/// How bitcode is written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BitcodeOptions {
    /// Which LLVM is to read it.
    pub dialect: Dialect,
    /// The version that the bitcode names as its producer's, after "LLVM"; the dialect's own if none is given.
    pub producer: Option<String>,
}

impl BitcodeOptions {
    /// The options with a dialect.
    pub fn new(dialect: Dialect) -> BitcodeOptions {
        BitcodeOptions {
            dialect,
            ..BitcodeOptions::default()
        }
    }
}

/// The version that a dialect's bitcode names as its producer's.
fn producer(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Current => "22.1.0",
        // What NVIDIA's compilers write, whatever LLVM they are built on.
        Dialect::Llvm7 => "7.0.1",
    }
}

/// The module as bitcode. What the dialect cannot express is an error that names it. Calls of intrinsics that LLVM has
/// replaced become what they are now: LLVM upgrades them while it reads, but not in the same way from bitcode as from text.
///
/// ```
/// use warpc_nvvm::{BitcodeOptions, write_bitcode};
///
/// let text = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";
/// let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
/// let module = warpc_nvvm::read_text(&file).unwrap();
/// let bytes = write_bitcode(&module, &BitcodeOptions::default()).unwrap();
/// assert!(bytes.starts_with(b"BC\xC0\xDE"));
/// ```
pub fn write_bitcode(module: &Module, options: &BitcodeOptions) -> Output<Vec<u8>> {
    let (module, pointers) = match options.dialect {
        Dialect::Current => (modern(module), Pointers::default()),
        Dialect::Llvm7 => match downgrade(module) {
            Ok((module, pointers)) => (Cow::Owned(module), pointers),
            Err(refused) => {
                let mut writer = Writer::new(module, options.dialect, Pointers::default());
                refused.iter().for_each(|what| writer.refuse(what));
                return Output::failed(writer.problems);
            }
        },
    };
    let mut writer = Writer::new(&module, options.dialect, pointers);
    let version = options.producer.as_deref();
    let bytes = writer.file(version.unwrap_or(producer(options.dialect)));
    Output::new(bytes, writer.problems)
}

/// The module without intrinsics that LLVM has replaced.
fn modern(module: &Module) -> Cow<'_, Module> {
    if !crate::upgrade::has_old_intrinsics(module) {
        return Cow::Borrowed(module);
    }
    let mut modern = module.clone();
    crate::upgrade_intrinsics(&mut modern);
    Cow::Owned(modern)
}

/// Names with numbers, in the order in which they are met.
#[derive(Default)]
struct Numbered {
    ids: FxHashMap<Name, u64>,
    order: Vec<Name>,
}

impl Numbered {
    fn id(&mut self, name: Name) -> u64 {
        let order = &mut self.order;
        *self.ids.entry(name).or_insert_with(|| {
            order.push(name);
            order.len() as u64 - 1
        })
    }

    /// Gives a name its number, if it has none.
    fn is_new(&mut self, name: Name) -> bool {
        let count = self.order.len() as u64;
        self.id(name) == count
    }
}

/// The state of writing a module.
struct Writer<'m> {
    module: &'m Module,
    dialect: Dialect,
    types: types::TypeTable,
    /// Typed pointers, where the dialect has them.
    pointers: Pointers,
    attributes: attribute::AttributeTable,
    values: value::Values,
    nodes: metadata::Nodes,
    strings: global::StringTable,
    /// Kinds of attachments.
    kinds: Numbered,
    /// Tags of operand bundles.
    tags: Numbered,
    sections: Numbered,
    /// Garbage collectors.
    collectors: Numbered,
    /// Names of synchronisation scopes; the first two are the same in all modules.
    scopes: Vec<Vec<u8>>,
    /// By function: the others that hold addresses of its blocks.
    block_users: FxHashMap<GlobalId, Vec<GlobalId>>,
    problems: Diagnostics,
}

impl<'m> Writer<'m> {
    fn new(module: &'m Module, dialect: Dialect, pointers: Pointers) -> Writer<'m> {
        Writer {
            module,
            dialect,
            types: types::TypeTable::new(module, pointers.name),
            pointers,
            attributes: attribute::AttributeTable::default(),
            values: value::Values::new(module),
            nodes: metadata::Nodes::new(module, dialect),
            strings: global::StringTable::default(),
            kinds: Numbered::default(),
            tags: Numbered::default(),
            sections: Numbered::default(),
            collectors: Numbered::default(),
            scopes: vec![b"singlethread".to_vec(), Vec::new()],
            block_users: block_users(module),
            problems: Diagnostics::new(),
        }
    }

    /// Reports what the dialect cannot express.
    fn refuse(&mut self, what: &str) {
        let (version, help) = match self.dialect {
            Dialect::Current => ("LLVM 22", "print the module as text (`--emit ll`)"),
            Dialect::Llvm7 => (
                "LLVM 7",
                "write bitcode of current LLVM, or leave the construct out of the module",
            ),
        };
        let message = format!("{what} cannot be written as bitcode of {version}");
        let known = self.problems.as_slice().iter();
        if known.into_iter().any(|problem| problem.message == message) {
            return;
        }
        let problem = Diagnostic::error(codes::BITCODE_DIALECT, Span::NOWHERE, message);
        self.problems.push(problem.help(help));
    }

    /// The number of a type.
    #[inline]
    fn ty(&mut self, ty: TypeId) -> u64 {
        self.types.id(self.module, ty)
    }

    /// The flags of a table, if the dialect has them.
    fn kept(&self, table: &'static [(u64, Flags)]) -> &'static [(u64, Flags)] {
        let newer = [DISJOINT_FLAGS, NNEG_FLAGS, ICMP_FLAGS];
        match self.dialect == Dialect::Llvm7 && newer.contains(&table) {
            true => &[],
            false => table,
        }
    }

    /// The type of a pointer to a type.
    fn pointer_to(&self, pointee: TypeId, space: u32) -> TypeId {
        if let Some(pointer) = self.pointers.find(pointee, space) {
            return pointer;
        }
        let types = self.module.types.iter();
        let mut pointers = types.filter(|(_, ty)| **ty == Type::Ptr(space));
        pointers.next().map_or(self.module.types.ptr, |row| row.0)
    }

    fn type_of_asm(&self, asm: AsmId) -> TypeId {
        let of_function = self.module.asms.get(asm).ty;
        let pointer = self.pointers.find(of_function, 0);
        pointer.unwrap_or(self.module.types.ptr)
    }

    /// The position of a block in its function.
    fn block_number(&self, function: GlobalId, block: Block) -> u64 {
        let GlobalKind::Function(function) = &self.module.globals[function].kind else {
            return 0;
        };
        let order = function.body.as_ref().map_or(&[][..], |body| &body.order);
        order.iter().position(|&b| b == block).unwrap_or(0) as u64
    }

    /// The whole file.
    fn file(&mut self, producer: &str) -> Vec<u8> {
        let mut stream = Stream::new();
        self.identification(producer, &mut stream);
        self.module_block(&mut stream);
        stream.enter(block::STRTAB, 3);
        stream.define(&[Part::Literal(u64::from(strtab::BLOB)), Part::Blob]);
        stream.blob(strtab::BLOB, &[], &self.strings.bytes);
        stream.exit();
        stream.finish()
    }

    fn identification(&self, producer: &str, stream: &mut Stream) {
        stream.enter(block::IDENTIFICATION, 5);
        for part in [Part::Char6, Part::Fixed(8)] {
            stream.define(&[
                Part::Literal(u64::from(identification::STRING)),
                Part::Array,
                part,
            ]);
        }
        let text = format!("LLVM{producer}");
        stream.record(identification::STRING, &global::characters(text.as_bytes()));
        stream.record(identification::EPOCH, &[EPOCH]);
        stream.exit();
    }

    fn module_block(&mut self, stream: &mut Stream) {
        let module = self.module;
        self.number_metadata();
        self.list_module_constants();
        let constants = self.values.number_listed(module);

        stream.enter(block::MODULE, 3);
        self.version(stream);
        stream.block_info(ABBREVIATIONS);

        // What follows the types, apart: the numbers of types are given on the way.
        let mut rest = stream.inside(block::MODULE, 3);
        self.comdats(&mut rest);
        self.module_records(&mut rest);
        rest.define(&[
            Part::Literal(u64::from(module_code::VSTOFFSET)),
            Part::Fixed(32),
        ]);
        rest.record(module_code::VSTOFFSET, &[0]);
        let offset_at = rest.bits() - 32;
        self.constants(&constants, &mut rest);
        self.module_metadata_and_functions(stream, &mut rest, offset_at);
    }

    /// Functions are written before the kinds, tags and scopes that they use, but come after them.
    fn module_metadata_and_functions(
        &mut self,
        stream: &mut Stream,
        rest: &mut Stream,
        offset_at: usize,
    ) {
        let module = self.module;
        let metadata = self.module_metadata(rest.inside(block::METADATA, 4));
        let mut bodies = Vec::new();
        for (id, global, function) in module.functions() {
            if let Some(body) = &function.body {
                let inside = rest.inside(block::FUNCTION, 5);
                bodies.push((id, self.function(id, global, function, body, inside)));
            }
        }
        self.metadata_kinds(rest);
        if let Some(metadata) = metadata {
            rest.insert(block::METADATA, 4, &metadata);
        }
        self.operand_bundle_tags(rest);
        self.scope_names(rest);

        // Attributes name types, so the types come first.
        let (types, attributes) = (&mut self.types, &mut self.attributes);
        let mut lists = stream.inside(block::MODULE, 3);
        attributes.write(module, self.dialect, types, &mut lists);
        let unknown: Vec<Name> = std::mem::take(&mut attributes.unknown);
        types.write(module, stream);
        stream.append(lists);
        for name in unknown {
            let name = module.names.text(name).into_owned();
            self.refuse(&format!("the attribute `{name}`"));
        }
        let moved = stream.bits();
        stream.append(std::mem::replace(rest, Stream::without_magic()));
        let mut places = Vec::new();
        for (id, contents) in &bodies {
            // In words from before the identification block, which is where the magic number is.
            places.push([self.values.global(*id), stream.next_block_word()]);
            stream.insert(block::FUNCTION, 5, contents);
        }
        if !places.is_empty() {
            let at = stream.next_block_word() as u32;
            stream.put_bits(moved + offset_at, at);
            stream.enter(block::VALUE_SYMTAB, 4);
            for place in places {
                stream.record(value_symtab::FNENTRY, &place);
            }
            stream.exit();
        }
        stream.exit();
    }

    /// Lists the constants that globals are made of.
    fn list_module_constants(&mut self) {
        let module = self.module;
        let mut list = |constant: Option<ConstId>| {
            if let Some(constant) = constant {
                self.values.list_constant(module, constant);
            }
        };
        for id in value::globals_in_order(module) {
            match &module.globals[id].kind {
                GlobalKind::Variable(variable) => list(variable.init),
                GlobalKind::Alias(target) | GlobalKind::Ifunc(target) => list(Some(*target)),
                GlobalKind::Function(function) => {
                    list(function.prologue);
                    list(function.prefix);
                    list(function.personality);
                }
                GlobalKind::Pending => {}
            }
        }
    }

    fn operand_bundle_tags(&self, stream: &mut Stream) {
        if self.tags.order.is_empty() {
            return;
        }
        stream.enter(block::OPERAND_BUNDLE_TAGS, 3);
        for &tag in &self.tags.order {
            let tag = global::characters(self.module.names.bytes(tag));
            stream.record(bundle_tags::TAG, &tag);
        }
        stream.exit();
    }

    fn scope_names(&self, stream: &mut Stream) {
        stream.enter(block::SYNC_SCOPE_NAMES, 2);
        for name in &self.scopes {
            stream.record(sync_scope_names::NAME, &global::characters(name));
        }
        stream.exit();
    }
}

/// By function: the others that hold addresses of its blocks, in order.
fn block_users(module: &Module) -> FxHashMap<GlobalId, Vec<GlobalId>> {
    let mut users: FxHashMap<GlobalId, Vec<GlobalId>> = FxHashMap::default();
    if module.constants.block_addresses.is_empty() {
        return users;
    }
    for (id, _, function) in module.functions() {
        let Some(body) = &function.body else { continue };
        let mut seen = vec![false; module.constants.len()];
        let mut pending: Vec<ConstId> = Vec::new();
        for &block in &body.order {
            for &inst in &body.blocks[block].insts {
                let constants = body.operands(inst).iter();
                pending.extend(constants.filter_map(|value| match value.get() {
                    Operand::Const(constant) => Some(constant),
                    _ => None,
                }));
            }
        }
        while let Some(constant) = pending.pop() {
            if std::mem::replace(&mut seen[constant.index()], true) {
                continue;
            }
            if let ConstKind::BlockAddress(address) = module.constants.get(constant).kind {
                let target = module.constants.block_addresses[address].function;
                let of_target = users.entry(target).or_default();
                if target != id && !of_target.contains(&id) {
                    of_target.push(id);
                }
            }
            pending.extend(module.constants.operands(constant));
        }
    }
    users.retain(|_, users| !users.is_empty());
    users
}

/// Abbreviations of blocks that come more than once.
const ABBREVIATIONS: &[(u32, &[Part])] = {
    use Part::{Array, Char6, Fixed, Literal, Vbr};
    const fn code(code: u32) -> Part {
        Literal(code as u64)
    }
    &[
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::ENTRY), Vbr(8), Array, Char6],
        ),
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::ENTRY), Vbr(8), Array, Fixed(7)],
        ),
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::ENTRY), Vbr(8), Array, Fixed(8)],
        ),
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::BBENTRY), Vbr(8), Array, Char6],
        ),
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::BBENTRY), Vbr(8), Array, Fixed(7)],
        ),
        (
            block::VALUE_SYMTAB,
            &[code(value_symtab::FNENTRY), Vbr(8), Vbr(8)],
        ),
        (block::CONSTANTS, &[code(constants::SETTYPE), Vbr(6)]),
        (block::CONSTANTS, &[code(constants::INTEGER), Vbr(8)]),
        (
            block::CONSTANTS,
            &[code(constants::CE_CAST), Fixed(4), Vbr(6), Vbr(8)],
        ),
        (block::CONSTANTS, &[code(constants::NULL)]),
        (block::CONSTANTS, &[code(constants::CSTRING), Array, Char6]),
        (
            block::CONSTANTS,
            &[code(constants::CSTRING), Array, Fixed(7)],
        ),
        (
            block::CONSTANTS,
            &[code(constants::CSTRING), Array, Fixed(8)],
        ),
        (
            block::CONSTANTS,
            &[code(constants::STRING), Array, Fixed(8)],
        ),
        (
            block::FUNCTION,
            &[code(function_code::LOAD), Vbr(6), Vbr(6), Vbr(4), Fixed(1)],
        ),
        (
            block::FUNCTION,
            &[code(function_code::STORE), Vbr(6), Vbr(6), Vbr(4), Fixed(1)],
        ),
        (
            block::FUNCTION,
            &[code(function_code::BINOP), Vbr(6), Vbr(6), Fixed(4)],
        ),
        (
            block::FUNCTION,
            &[
                code(function_code::BINOP),
                Vbr(6),
                Vbr(6),
                Fixed(4),
                Fixed(8),
            ],
        ),
        (
            block::FUNCTION,
            &[code(function_code::CAST), Vbr(6), Vbr(6), Fixed(4)],
        ),
        (
            block::FUNCTION,
            &[code(function_code::CMP2), Vbr(6), Vbr(6), Fixed(6)],
        ),
        (block::FUNCTION, &[code(function_code::RET)]),
        (block::FUNCTION, &[code(function_code::RET), Vbr(6)]),
        (block::FUNCTION, &[code(function_code::BR), Vbr(6)]),
        (
            block::FUNCTION,
            &[code(function_code::BR), Vbr(6), Vbr(6), Vbr(6)],
        ),
        (block::FUNCTION, &[code(function_code::UNREACHABLE)]),
        (
            block::FUNCTION,
            &[code(function_code::GEP), Fixed(3), Vbr(6), Array, Vbr(6)],
        ),
        (block::FUNCTION, &[code(function_code::DEBUG_LOC_AGAIN)]),
        (
            block::FUNCTION,
            &[
                code(function_code::DEBUG_LOC),
                Vbr(8),
                Vbr(8),
                Vbr(8),
                Vbr(8),
                Fixed(1),
                Fixed(1),
                Fixed(1),
            ],
        ),
        (
            block::FUNCTION,
            &[
                code(function_code::DEBUG_RECORD_VALUE_SIMPLE),
                Vbr(7),
                Vbr(7),
                Vbr(7),
                Vbr(6),
            ],
        ),
    ]
};
