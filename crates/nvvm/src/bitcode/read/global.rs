//! Records of the module: what it is for, its globals, comdats and sections.

use super::{Read, Reader, Typed};
use crate::bitcode::codes::global as code;
use crate::bitcode::codes::record::{module as record, number};
use crate::index::{Id, IdVec};
use crate::inst::{Align, CallConv};
use crate::module::{
    Comdat, ComdatId, ComdatKind, DllStorage, Function, Global, GlobalId, GlobalKind, Linkage,
    Sanitizer, ThreadLocal, UnnamedAddr, Variable, Visibility,
};
use crate::name::Name;
use crate::types::Type;
use crate::verify::layout::wrong_layout;

/// The part of a global that refers to a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Init,
    Target,
    Prefix,
    Prologue,
    Personality,
}

impl Reader<'_> {
    pub(super) fn module_record(&mut self, code: u32) -> Read<()> {
        match code {
            record::VERSION => {
                self.version = self.op(0)?;
                if self.version > number::STRING_TABLE {
                    let version = self.version;
                    return Err(
                        self.unsupported(format!("a module of the unknown version {version}"))
                    );
                }
            }
            record::TRIPLE => {
                let name = self.name(0);
                self.module.triple = Some(name).filter(|_| !self.ops.is_empty());
            }
            record::DATALAYOUT => {
                let name = self.name(0);
                self.module.data_layout = Some(name).filter(|_| !self.ops.is_empty());
                let text = self.module.names.text(name).into_owned();
                if let Some(wrong) = wrong_layout(&text) {
                    return Err(self.fault(format!("the data layout {wrong}")));
                }
            }
            record::ASM => {
                let text = self.text(0);
                let lines = text.strip_suffix(b"\n").unwrap_or(&text);
                if !text.is_empty() {
                    for line in lines.split(|&byte| byte == b'\n') {
                        let line = self.module.names.intern(line);
                        self.module.module_asm.push(line);
                    }
                }
            }
            record::SECTIONNAME => {
                let name = self.name(0);
                self.sections.push(name);
            }
            record::GCNAME => {
                let name = self.name(0);
                self.collectors.push(name);
            }
            record::SOURCE_FILENAME => {
                let name = self.name(0);
                self.module.source_filename = Some(name);
            }
            record::COMDAT => self.comdat()?,
            record::GLOBALVAR => self.variable()?,
            record::FUNCTION => self.function_record()?,
            record::ALIAS | record::ALIAS_OLD | record::IFUNC => self.alias(code)?,
            // Libraries, offsets of blocks and hashes are for others.
            record::DEPLIB
            | record::VSTOFFSET
            | record::METADATA_VALUES_UNUSED
            | record::HASH
            | record::PURGEVALS => {}
            _ => return Err(self.unsupported("an unknown record")),
        }
        Ok(())
    }

    /// A string of the string table.
    fn table_string(&mut self, offset: u64, size: u64) -> Read<Name> {
        let range = usize::try_from(offset)
            .ok()
            .zip(usize::try_from(size).ok())
            .and_then(|(offset, size)| Some(offset..offset.checked_add(size)?));
        match range.and_then(|range| self.strings.get(range)) {
            Some(bytes) => Ok(self.module.names.intern(bytes)),
            None => Err(self.fault(format!(
                "it names bytes {offset} to {} of the string table, which has {}",
                offset.saturating_add(size),
                self.strings.len()
            ))),
        }
    }

    /// The name at the start of the record, if this version has one there; how many operands it takes.
    fn own_name(&mut self) -> Read<Option<Name>> {
        if self.version < number::STRING_TABLE {
            return Ok(None);
        }
        let (offset, size) = (self.op(0)?, self.op(1)?);
        let name = self.table_string(offset, size)?;
        self.ops.drain(..2);
        Ok((size > 0).then_some(name))
    }

    fn comdat(&mut self) -> Read<()> {
        let name = match self.own_name()? {
            Some(name) => name,
            None if self.version >= number::STRING_TABLE => self.module.names.intern(b""),
            None => {
                let size = usize::try_from(self.op(1)?).unwrap_or(usize::MAX);
                let text = self.text(2);
                match text.get(..size) {
                    Some(text) => self.module.names.intern(text),
                    None => return Err(self.fault("the name of a comdat is too short")),
                }
            }
        };
        let kind = code::comdat_kind_of(self.op(0)?).unwrap_or(ComdatKind::Any);
        let comdat = self.module.comdats.push(Comdat { name, kind });
        self.comdats.push(comdat);
        Ok(())
    }

    /// One of a list of names, counted from one; zero is none.
    fn listed(&self, list: &[Name], index: u64, what: &str) -> Read<Option<Name>> {
        let Some(index) = index.checked_sub(1) else {
            return Ok(None);
        };
        let found = usize::try_from(index)
            .ok()
            .and_then(|index| list.get(index));
        match found {
            Some(&name) => Ok(Some(name)),
            None => Err(self.fault(format!("there is no {what} {index}"))),
        }
    }

    fn comdat_at(&self, index: u64) -> Read<Option<ComdatId>> {
        let Some(index) = index.checked_sub(1) else {
            return Ok(None);
        };
        match usize::try_from(index)
            .ok()
            .and_then(|index| self.comdats.get(index))
        {
            Some(&comdat) => Ok(Some(comdat)),
            None => Err(self.fault(format!("there is no comdat {index}"))),
        }
    }

    /// An alignment: its logarithm plus one, zero for none.
    pub(super) fn align_of(&self, number: u64) -> Read<Align> {
        match number {
            0 => Ok(Align::NONE),
            1..=33 => Ok(Align::new(1 << (number - 1)).unwrap_or(Align::NONE)),
            _ => Err(self.fault("an alignment is larger than 4294967296")),
        }
    }

    /// A global with what all have in common.
    fn new_global(&mut self, name: Option<Name>, linkage: u64, visibility: u64) -> Global {
        let linkage_kind = code::linkage_of(linkage);
        let local = matches!(linkage_kind, Linkage::Private | Linkage::Internal);
        let visibility = match local {
            // Older files had visibility on local globals, which has no meaning.
            true => Visibility::Default,
            false => code::visibility_of(visibility).unwrap_or(Visibility::Default),
        };
        Global {
            name,
            linkage: linkage_kind,
            visibility,
            dll_storage: code::dll_storage_of_linkage(linkage),
            dso_local: local
                || (visibility != Visibility::Default && linkage_kind != Linkage::ExternWeak),
            unnamed_addr: UnnamedAddr::None,
            thread_local: ThreadLocal::None,
            value_ty: self.module.types.void,
            space: 0,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: u32::try_from(self.cursor.start / 8).unwrap_or(u32::MAX),
            kind: GlobalKind::Pending,
        }
    }

    /// Adds a global as the next value.
    fn add_global(&mut self, global: Global, ty: u32) -> GlobalId {
        let id = self.module.globals.push(global);
        self.module.order.push(id);
        let address = self.module.address_of(id);
        self.values.push(Typed {
            value: address.into(),
            ty,
        });
        // Constants may come between globals in damaged files; then the numbers of globals have gaps.
        while self.globals.len() + 1 < self.values.len() {
            self.globals.push(id);
        }
        self.globals.push(id);
        id
    }

    /// The type of a global and its pointer, by the record or by a typed pointer.
    fn global_type(&mut self, explicit: bool, space: u64) -> Read<(u32, u32, u32)> {
        let written = self.type_at(self.op(0)?)?;
        if explicit {
            if space >= 1 << 24 {
                return Err(self.fault("the address space does not fit into 24 bits"));
            }
            let space = space as u32;
            return Ok((written, self.pointer_to(written, space), space));
        }
        let pointee = self.pointee(written)?;
        match self.module.types.get(self.types.id(written)) {
            Type::Ptr(space) => Ok((pointee, written, space)),
            _ => Err(self.fault("the type of a global is not a pointer")),
        }
    }

    fn variable(&mut self) -> Read<()> {
        let name = self.own_name()?;
        let flags = self.op(1)?;
        let explicit = flags & code::variable::EXPLICIT_TYPE != 0;
        let (value, pointer, space) =
            self.global_type(explicit, flags >> code::variable::SPACE_SHIFT)?;
        let init = self.op(2)?;
        let linkage = self.op(3)?;
        let align = self.align_of(self.op(4)?)?;
        let section = self.listed(&self.sections, self.op(5)?, "section")?;
        let mut global = self.new_global(name, linkage, self.optional(6));
        global.value_ty = self.types.id(value);
        if global.value_ty == self.module.types.void {
            return Err(self.fault("a variable of type `void`"));
        }
        global.space = space;
        global.align = align;
        global.section = section;
        global.thread_local =
            code::thread_local_of(self.optional(7)).unwrap_or(ThreadLocal::GeneralDynamic);
        global.unnamed_addr = code::unnamed_addr_of(self.optional(8)).unwrap_or(UnnamedAddr::None);
        if self.ops.len() > 10 {
            global.dll_storage =
                code::dll_storage_of(self.optional(10)).unwrap_or(DllStorage::Default);
        }
        global.comdat = self.comdat_at(self.optional(11))?;
        let attributes = self.optional(12);
        global.dso_local |= self.optional(13) != 0;
        if self.optional(15) > 0 {
            global.partition = Some(self.table_string(self.optional(14), self.optional(15))?);
        }
        let attrs = match attributes {
            0 => self.module.attributes.empty_set,
            number => {
                let list = self.attribute_list(number, None)?;
                self.module.attributes.of_function(list)
            }
        };
        let code_model = self
            .optional(17)
            .checked_sub(1)
            .and_then(code::code_model_of);
        global.kind = GlobalKind::Variable(Variable {
            constant: flags & code::variable::CONSTANT != 0,
            externally_initialized: self.optional(9) != 0,
            code_model,
            sanitizer: Sanitizer::from_bits_truncate(self.optional(16) as u8),
            init: None,
            attrs,
        });
        let id = self.add_global(global, pointer);
        if let Some(init) = init.checked_sub(1) {
            self.pending.push((id, Part::Init, init));
        }
        Ok(())
    }

    fn function_record(&mut self) -> Read<()> {
        let name = self.own_name()?;
        let written = self.type_at(self.op(0)?)?;
        let explicit = !self.module.types.is_ptr(self.types.id(written));
        let space = self.optional(16);
        let (ty, pointer, space) = self.global_type(explicit, space)?;
        if self.module.types.signature(self.types.id(ty)).is_none() {
            return Err(self.fault("the type of a function is not a function type"));
        }
        let conv = self.op(1)?;
        if conv > CallConv::MAX {
            return Err(self.fault(format!("there is no calling convention {conv}")));
        }
        let declared = self.op(2)? != 0;
        let linkage = self.op(3)?;
        let attributes = self.op(4)?;
        let align = self.align_of(self.op(5)?)?;
        let section = self.listed(&self.sections, self.op(6)?, "section")?;
        let mut global = self.new_global(name, linkage, self.op(7)?);
        global.value_ty = self.types.id(ty);
        global.space = space;
        global.align = align;
        global.section = section;
        let gc = self.listed(&self.collectors, self.optional(8), "garbage collector")?;
        global.unnamed_addr = code::unnamed_addr_of(self.optional(9)).unwrap_or(UnnamedAddr::None);
        if self.ops.len() > 11 {
            global.dll_storage =
                code::dll_storage_of(self.optional(11)).unwrap_or(DllStorage::Default);
        }
        global.comdat = self.comdat_at(self.optional(12))?;
        global.dso_local |= self.optional(15) != 0;
        if self.optional(18) > 0 {
            global.partition = Some(self.table_string(self.optional(17), self.optional(18))?);
        }
        let attrs = self.attribute_list(attributes, Some(ty))?;
        global.kind = GlobalKind::Function(Box::new(Function {
            conv: CallConv(conv as u16),
            attrs,
            gc,
            prefix: None,
            prologue: None,
            personality: None,
            body: None,
        }));
        let parts = [
            (Part::Prologue, self.optional(10)),
            (Part::Prefix, self.optional(13)),
            (Part::Personality, self.optional(14)),
        ];
        let id = self.add_global(global, pointer);
        for (part, number) in parts {
            if let Some(number) = number.checked_sub(1) {
                self.pending.push((id, part, number));
            }
        }
        if !declared {
            self.defined.push_back((id, ty));
        }
        Ok(())
    }

    fn alias(&mut self, record: u32) -> Read<()> {
        let name = self.own_name()?;
        let old = record == record::ALIAS_OLD;
        let written = self.type_at(self.op(0)?)?;
        let (value, pointer, space) = match old {
            true => self.global_type(false, 0)?,
            false => {
                let space = self.op(1)?;
                let explicit = !self.module.types.is_ptr(self.types.id(written))
                    || self.types.parts(written).is_empty()
                    || self.version > 0;
                self.global_type(explicit, space)?
            }
        };
        if !old {
            self.ops.remove(1);
        }
        let target = self.op(1)?;
        let mut global = self.new_global(name, self.op(2)?, self.optional(3));
        global.value_ty = self.types.id(value);
        global.space = space;
        let partition = match record {
            record::IFUNC => {
                global.dso_local |= self.optional(4) != 0;
                5
            }
            _ => {
                if self.ops.len() > 4 {
                    global.dll_storage =
                        code::dll_storage_of(self.optional(4)).unwrap_or(DllStorage::Default);
                }
                global.thread_local =
                    code::thread_local_of(self.optional(5)).unwrap_or(ThreadLocal::None);
                global.unnamed_addr =
                    code::unnamed_addr_of(self.optional(6)).unwrap_or(UnnamedAddr::None);
                global.dso_local |= self.optional(7) != 0;
                8
            }
        };
        if self.optional(partition + 1) > 0 {
            let (offset, size) = (self.optional(partition), self.optional(partition + 1));
            global.partition = Some(self.table_string(offset, size)?);
        }
        // The target is put in its place when it is known.
        let nothing = self.module.types.ptr;
        let nothing = self
            .module
            .constants
            .intern(nothing, crate::constant::ConstKind::Null);
        global.kind = match record {
            record::IFUNC => GlobalKind::Ifunc(nothing),
            _ => GlobalKind::Alias(nothing),
        };
        let id = self.add_global(global, pointer);
        self.pending.push((id, Part::Target, target));
        Ok(())
    }

    /// Gives globals the constants that they refer to, and puts them in the order of text.
    pub(super) fn resolve_pending(&mut self) -> Read<()> {
        for (id, part, number) in std::mem::take(&mut self.pending) {
            let constant = usize::try_from(number)
                .ok()
                .and_then(|number| self.values.get(number))
                .and_then(|typed| typed.value.constant());
            let Some(constant) = constant else {
                let name = self.global_text(id);
                return Err(self.fault(format!(
                    "`{name}` refers to value {number}, which is not a constant"
                )));
            };
            let global = &mut self.module.globals[id];
            match (&mut global.kind, part) {
                (GlobalKind::Variable(variable), _) => {
                    if self.module.constants.get(constant).ty != global.value_ty {
                        let name = self.global_text(id);
                        return Err(
                            self.fault(format!("the initial value of `{name}` has another type"))
                        );
                    }
                    variable.init = Some(constant);
                }
                (GlobalKind::Alias(target) | GlobalKind::Ifunc(target), _) => {
                    let ty = self.module.constants.get(constant).ty;
                    if !self.module.types.is_ptr(ty) {
                        return Err(self.fault("the target of an alias is not an address"));
                    }
                    *target = constant;
                }
                (GlobalKind::Function(function), Part::Prefix) => function.prefix = Some(constant),
                (GlobalKind::Function(function), Part::Prologue) => {
                    function.prologue = Some(constant)
                }
                (GlobalKind::Function(function), _) => function.personality = Some(constant),
                (GlobalKind::Pending, _) => {}
            }
        }
        self.order_comdats();
        // Text has variables first, then aliases and functions.
        let globals = &self.module.globals;
        self.module.order.sort_by_key(|&id| match globals[id].kind {
            GlobalKind::Variable(_) => 0,
            GlobalKind::Alias(_) => 1,
            GlobalKind::Ifunc(_) => 2,
            _ => 3,
        });
        Ok(())
    }

    /// Puts comdats in the order of text: those of functions first, then those of variables. Others are dropped.
    fn order_comdats(&mut self) {
        let mut used: Vec<ComdatId> = Vec::new();
        let mut numbers = vec![None; self.module.comdats.len()];
        for functions in [true, false] {
            for &id in &self.module.order {
                let global = &self.module.globals[id];
                let is_function = matches!(global.kind, GlobalKind::Function(_));
                if let Some(comdat) = global.comdat.filter(|_| is_function == functions)
                    && numbers[comdat.index()].is_none()
                {
                    numbers[comdat.index()] = Some(ComdatId::new(used.len()));
                    used.push(comdat);
                }
            }
        }
        let mut comdats = IdVec::new();
        for comdat in used {
            comdats.push(self.module.comdats[comdat].clone());
        }
        self.module.comdats = comdats;
        for (_, global) in self.module.globals.iter_mut() {
            global.comdat = global.comdat.and_then(|comdat| numbers[comdat.index()]);
        }
    }

    /// The name of a global, for messages.
    pub(super) fn global_text(&self, global: GlobalId) -> String {
        match self.module.globals[global].name {
            Some(name) => format!("@{}", self.module.names.text(name)),
            None => "a global without a name".to_owned(),
        }
    }
}
