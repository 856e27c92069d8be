//! Types.

use super::Printer;
use crate::index::Id;
use crate::types::{NamedStruct, StructBody, StructId, Type, TypeId, TypeList};

/// The text of the types that were needed so far: the same few come again and again.
#[derive(Debug, Default)]
pub(super) struct TypeTexts {
    text: Vec<u8>,
    /// Where the text of each type lies; empty if it was not needed yet.
    ranges: Vec<(u32, u32)>,
}

impl TypeTexts {
    pub(super) fn new(types: usize) -> TypeTexts {
        TypeTexts {
            text: Vec::new(),
            ranges: vec![(0, 0); types],
        }
    }
}

impl Printer<'_> {
    #[inline]
    pub(super) fn ty(&mut self, ty: TypeId) {
        let (start, end) = self.types.ranges[ty.index()];
        if start != end {
            let text = &self.types.text[start as usize..end as usize];
            return self.out.bytes(text);
        }
        let from = self.out.len();
        self.new_ty(ty);
        let start = self.types.text.len() as u32;
        self.types.text.extend_from_slice(self.out.since(from));
        self.types.ranges[ty.index()] = (start, self.types.text.len() as u32);
    }

    /// Writes a type from its parts. Parts go the same way, so that only whole types are remembered:
    /// remembering each part of deeply nested types would take memory in the square of their length.
    fn new_ty(&mut self, ty: TypeId) {
        let module = self.module;
        match module.types.get(ty) {
            Type::Void => self.out.str("void"),
            Type::Half => self.out.str("half"),
            Type::BFloat => self.out.str("bfloat"),
            Type::Float => self.out.str("float"),
            Type::Double => self.out.str("double"),
            Type::X86Fp80 => self.out.str("x86_fp80"),
            Type::Fp128 => self.out.str("fp128"),
            Type::PpcFp128 => self.out.str("ppc_fp128"),
            Type::Label => self.out.str("label"),
            Type::Token => self.out.str("token"),
            Type::Metadata => self.out.str("metadata"),
            Type::X86Amx => self.out.str("x86_amx"),
            Type::Int(bits) => {
                self.out.byte(b'i');
                self.out.number(u64::from(bits));
            }
            Type::Ptr(space) => {
                self.out.str("ptr");
                if space != 0 {
                    self.address_space(" ", space);
                }
            }
            Type::Vector {
                element,
                len,
                scalable,
            } => {
                self.out.str(if scalable { "<vscale x " } else { "<" });
                self.out.number(u64::from(len));
                self.out.str(" x ");
                self.new_ty(element);
                self.out.byte(b'>');
            }
            Type::Array { element, len } => {
                self.out.byte(b'[');
                self.out.number(len);
                self.out.str(" x ");
                self.new_ty(element);
                self.out.byte(b']');
            }
            Type::Struct { fields, packed } => self.struct_body(fields, packed),
            Type::Named(id) => {
                self.out.byte(b'%');
                match module.types.structs[id].name {
                    Some(name) => self.out.name(module.names.bytes(name)),
                    None => self.out.number(u64::from(self.struct_numbers[id.index()])),
                }
            }
            Type::Function {
                ret,
                params,
                variadic,
            } => {
                self.new_ty(ret);
                self.out.str(" (");
                let params = module.types.list(params);
                for (i, &param) in params.iter().enumerate() {
                    self.out.comma(i);
                    self.new_ty(param);
                }
                if variadic {
                    self.out.comma(params.len());
                    self.out.str("...");
                }
                self.out.byte(b')');
            }
            Type::Target {
                name,
                types,
                numbers,
            } => {
                self.out.str("target(");
                self.out.quoted(module.names.bytes(name));
                for &ty in module.types.list(types) {
                    self.out.str(", ");
                    self.new_ty(ty);
                }
                for &number in module.types.numbers(numbers) {
                    self.out.str(", ");
                    self.out.number(u64::from(number));
                }
                self.out.byte(b')');
            }
        }
    }

    fn struct_body(&mut self, fields: TypeList, packed: bool) {
        let fields = self.module.types.list(fields);
        self.out.str(if packed { "<{" } else { "{" });
        for (i, &field) in fields.iter().enumerate() {
            self.out.str(if i == 0 { " " } else { ", " });
            self.new_ty(field);
        }
        if !fields.is_empty() {
            self.out.byte(b' ');
        }
        self.out.str(if packed { "}>" } else { "}" });
    }

    /// `addrspace(N)`
    pub(super) fn address_space(&mut self, before: &str, space: u32) {
        self.out.str(before);
        self.out.str("addrspace(");
        self.out.number(u64::from(space));
        self.out.byte(b')');
    }

    /// The definitions of named structs: numbered ones first, as LLVM orders them.
    pub(super) fn struct_definitions(&mut self) {
        let structs = &self.module.types.structs;
        let used = std::mem::take(&mut self.used_structs);
        if !used.is_empty() {
            self.out.gap();
        }
        let (named, numbered): (Vec<StructId>, Vec<StructId>) =
            used.iter().partition(|&&id| structs[id].name.is_some());
        for id in numbered.into_iter().chain(named) {
            let definition = &structs[id];
            self.out.byte(b'%');
            match definition.name {
                Some(name) => self.out.name(self.module.names.bytes(name)),
                None => self.out.number(u64::from(self.struct_numbers[id.index()])),
            }
            self.out.str(" = type ");
            self.definition(definition);
            self.out.newline();
        }
    }

    fn definition(&mut self, definition: &NamedStruct) {
        match definition.body {
            StructBody::Opaque => self.out.str("opaque"),
            StructBody::Fields { fields, packed } => self.struct_body(fields, packed),
        }
    }
}
