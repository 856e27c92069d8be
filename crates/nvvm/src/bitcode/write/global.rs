//! Variables, functions, aliases and ifuncs, and what else the module's own records hold.

use super::number::{align, set};
use super::stream::{Part, Stream};
use super::{Dialect, Writer};
use crate::bitcode::codes::global::{
    code_model_number, comdat_kind_number, dll_storage_number, linkage_number, thread_local_number,
    unnamed_addr_number, variable as bits, visibility_number,
};
use crate::bitcode::codes::record::{module as code, number};
use crate::constant::ConstId;
use crate::index::Id;
use crate::module::{Function, Global, GlobalId, GlobalKind, Linkage, Variable, Visibility};
use crate::name::Name;

/// Names of globals, one after the other.
#[derive(Default)]
pub(super) struct StringTable {
    pub(super) bytes: Vec<u8>,
}

impl StringTable {
    /// Where a name is, and how long it is.
    fn add(&mut self, name: &[u8]) -> [u64; 2] {
        let at = self.bytes.len() as u64;
        self.bytes.extend_from_slice(name);
        [at, name.len() as u64]
    }
}

impl Writer<'_> {
    /// The number of the module's form.
    pub(super) fn version(&self, stream: &mut Stream) {
        stream.record(code::VERSION, &[number::STRING_TABLE]);
    }

    /// Comdats come before everything that may be in one.
    pub(super) fn comdats(&mut self, stream: &mut Stream) {
        let module = self.module;
        for (_, comdat) in module.comdats.iter() {
            let [at, size] = self.strings.add(module.names.bytes(comdat.name));
            let kind = comdat_kind_number(comdat.kind).unwrap_or(1);
            stream.record(code::COMDAT, &[at, size, kind]);
        }
    }

    /// Triple, layout, assembly, names of sections, then the globals.
    pub(super) fn module_records(&mut self, stream: &mut Stream) {
        let module = self.module;
        let names = &module.names;
        for (code, name) in [
            (code::TRIPLE, module.triple),
            (code::DATALAYOUT, module.data_layout),
        ] {
            if let Some(name) = name.filter(|&name| !names.bytes(name).is_empty()) {
                stream.record(code, &characters(names.bytes(name)));
            }
        }
        if !module.module_asm.is_empty() {
            let mut text = Vec::new();
            for &line in &module.module_asm {
                text.extend_from_slice(names.bytes(line));
                text.push(b'\n');
            }
            stream.record(code::ASM, &characters(&text));
        }
        self.sections_and_collectors(stream);
        stream.define(&[
            Part::Literal(u64::from(code::SOURCE_FILENAME)),
            Part::Array,
            Part::Fixed(8),
        ]);
        if let Some(name) = module.source_filename {
            stream.record(code::SOURCE_FILENAME, &characters(names.bytes(name)));
        }
        for id in super::value::globals_in_order(module) {
            let global = &module.globals[id];
            match &global.kind {
                GlobalKind::Variable(variable) => self.variable(global, variable, stream),
                GlobalKind::Function(function) => self.function_record(global, function, stream),
                GlobalKind::Alias(target) => self.alias(global, *target, code::ALIAS, stream),
                GlobalKind::Ifunc(target) => self.alias(global, *target, code::IFUNC, stream),
                GlobalKind::Pending => {}
            }
        }
    }

    fn sections_and_collectors(&mut self, stream: &mut Stream) {
        let module = self.module;
        for id in super::value::globals_in_order(module) {
            let global = &module.globals[id];
            let gc = match &global.kind {
                GlobalKind::Function(function) => function.gc,
                _ => None,
            };
            for (name, numbered, code) in [
                (global.section, &mut self.sections, code::SECTIONNAME),
                (gc, &mut self.collectors, code::GCNAME),
            ] {
                let Some(name) = name else { continue };
                if numbered.is_new(name) {
                    stream.record(code, &characters(module.names.bytes(name)));
                }
            }
        }
    }

    /// The number of the section plus one; zero if there is none.
    fn section(&mut self, name: Option<Name>) -> u64 {
        name.map_or(0, |name| self.sections.id(name) + 1)
    }

    fn name(&mut self, name: Option<Name>) -> [u64; 2] {
        let module = self.module;
        let name = name.map_or(&b""[..], |name| module.names.bytes(name));
        self.strings.add(name)
    }

    fn comdat(&self, global: &Global) -> u64 {
        global.comdat.map_or(0, |comdat| comdat.index() as u64 + 1)
    }

    fn initial(&self, constant: Option<ConstId>) -> u64 {
        constant.map_or(0, |constant| {
            u64::from(self.values.constant(self.module, constant)) + 1
        })
    }

    fn variable(&mut self, global: &Global, variable: &Variable, stream: &mut Stream) {
        let mut record = Vec::with_capacity(20);
        record.extend(self.name(global.name));
        record.push(self.ty(global.value_ty));
        record.push(
            (u64::from(global.space) << bits::SPACE_SHIFT)
                | bits::EXPLICIT_TYPE
                | set(variable.constant, bits::CONSTANT),
        );
        record.push(self.initial(variable.init));
        record.push(linkage_number(global.linkage));
        record.push(align(global.align));
        record.push(self.section(global.section));
        record.push(visibility_number(global.visibility).unwrap_or(0));
        record.push(thread_local_number(global.thread_local).unwrap_or(0));
        record.push(unnamed_addr_number(global.unnamed_addr).unwrap_or(0));
        record.push(u64::from(variable.externally_initialized));
        record.push(dll_storage_number(global.dll_storage).unwrap_or(0));
        record.push(self.comdat(global));
        record.push(self.attributes.of_variable(self.module, variable.attrs));
        record.push(u64::from(is_local(global)));
        if self.dialect == Dialect::Current {
            record.extend(self.name(global.partition));
            record.push(u64::from(variable.sanitizer.bits()));
            let model = variable.code_model.and_then(code_model_number);
            record.push(model.map_or(0, |model| model + 1));
        }
        stream.record(code::GLOBALVAR, &record);
    }

    fn function_record(&mut self, global: &Global, function: &Function, stream: &mut Stream) {
        let mut record = Vec::with_capacity(24);
        record.extend(self.name(global.name));
        record.push(self.ty(global.value_ty));
        record.push(u64::from(function.conv.0));
        record.push(u64::from(function.body.is_none()));
        record.push(linkage_number(global.linkage));
        record.push(self.attributes.id(self.module, function.attrs));
        record.push(align(global.align));
        record.push(self.section(global.section));
        record.push(visibility_number(global.visibility).unwrap_or(0));
        record.push(function.gc.map_or(0, |gc| self.collectors.id(gc) + 1));
        record.push(unnamed_addr_number(global.unnamed_addr).unwrap_or(0));
        record.push(self.initial(function.prologue));
        record.push(dll_storage_number(global.dll_storage).unwrap_or(0));
        record.push(self.comdat(global));
        record.push(self.initial(function.prefix));
        record.push(self.initial(function.personality));
        record.push(u64::from(is_local(global)));
        if self.dialect == Dialect::Current {
            record.push(u64::from(global.space));
            record.extend(self.name(global.partition));
        }
        stream.record(code::FUNCTION, &record);
    }

    fn alias(&mut self, global: &Global, target: ConstId, code: u32, stream: &mut Stream) {
        let mut record = Vec::with_capacity(16);
        record.extend(self.name(global.name));
        record.push(self.ty(global.value_ty));
        record.push(u64::from(global.space));
        record.push(u64::from(self.values.constant(self.module, target)));
        record.push(linkage_number(global.linkage));
        record.push(visibility_number(global.visibility).unwrap_or(0));
        if code == code::ALIAS {
            record.push(dll_storage_number(global.dll_storage).unwrap_or(0));
            record.push(thread_local_number(global.thread_local).unwrap_or(0));
            record.push(unnamed_addr_number(global.unnamed_addr).unwrap_or(0));
        }
        record.push(u64::from(is_local(global)));
        if self.dialect == Dialect::Current {
            record.extend(self.name(global.partition));
        }
        stream.record(code, &record);
    }

    /// The type of the address of a global.
    pub(super) fn type_of_global(&self, global: GlobalId) -> crate::types::TypeId {
        let data = &self.module.globals[global];
        self.pointer_to(data.value_ty, data.space)
    }
}

/// Whether a global is `dso_local`, written or not.
fn is_local(global: &Global) -> bool {
    global.dso_local
        || matches!(global.linkage, Linkage::Private | Linkage::Internal)
        || (global.visibility != Visibility::Default && global.linkage != Linkage::ExternWeak)
}

/// A text as numbers.
pub(super) fn characters(text: &[u8]) -> Vec<u64> {
    text.iter().map(|&byte| u64::from(byte)).collect()
}
