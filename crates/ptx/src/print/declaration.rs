//! Declarations as text.

use super::{Printer, put};
use crate::module::{
    Attribute, FieldValue, InitItem, Initializer, Pointee, Pointer, Space, Variable,
};
use std::fmt::Write;

impl Printer<'_> {
    /// `.visible .global .align 4 .b8 x[4] = {1, 2, 3, 4}`
    pub(super) fn variable(&mut self, variable: &Variable) {
        if !variable.linkage.text().is_empty() {
            put!(self, "{} ", variable.linkage.text());
        }
        self.space(variable.space);
        let extra = variable.extra.as_deref();
        if let Some(extra) = extra {
            self.attributes(&extra.attributes);
        }
        let pointer = extra.and_then(|extra| extra.pointer);
        if let Some(align) = variable.align {
            put!(self, ".align {align} ");
        }
        if variable.vector > 1 {
            put!(self, ".v{} ", variable.vector);
        }
        put!(self, "{} ", variable.ty);
        if let Some(pointer) = pointer {
            self.pointer(pointer);
        }
        self.out.push_str(self.module.name(variable.name));
        if let Some(count) = variable.range {
            put!(self, "<{count}>");
        }
        for dim in &variable.dims {
            match dim {
                Some(length) => put!(self, "[{length}]"),
                None => self.out.push_str("[]"),
            }
        }
        if let Some(init) = extra.and_then(|extra| extra.init.as_ref()) {
            self.out.push_str(" = ");
            self.initializer(init);
        }
    }

    /// `.const[2] ` with a blank after it.
    fn space(&mut self, space: Space) {
        self.out.push_str(space.text());
        if let Space::ConstBank(bank) = space {
            put!(self, "[{bank}]");
        }
        self.out.push(' ');
    }

    fn pointer(&mut self, pointer: Pointer) {
        self.out.push_str(".ptr ");
        match pointer.pointee {
            Some(Pointee::Space(space)) => self.space(space),
            Some(Pointee::Opaque(ty)) => put!(self, "{ty} "),
            None => {}
        }
        if let Some(align) = pointer.align {
            put!(self, ".align {align} ");
        }
    }

    /// `.attribute(.managed) ` with a blank after it, or nothing.
    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for (i, attribute) in attributes.iter().enumerate() {
            self.out.push_str(if i == 0 { ".attribute(" } else { ", " });
            match attribute {
                Attribute::Managed => self.out.push_str(".managed"),
                Attribute::Unified(high, low) => put!(self, ".unified({high}, {low})"),
            }
        }
        if !attributes.is_empty() {
            self.out.push_str(") ");
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        let mut first = true;
        for item in &init.items {
            if !first && !matches!(item, InitItem::Close) {
                self.out.push_str(", ");
            }
            first = matches!(item, InitItem::Open);
            match item {
                InitItem::Open => self.out.push('{'),
                InitItem::Close => self.out.push('}'),
                InitItem::Int(int) => self.int(int),
                InitItem::F32(bits) => put!(self, "0f{bits:08X}"),
                InitItem::F64(bits) => put!(self, "0d{bits:016X}"),
                InitItem::Address(address) => {
                    if let Some(mask) = address.mask {
                        put!(self, "0x{mask:X}(");
                    }
                    let name = self.module.name(address.symbol);
                    if address.generic {
                        put!(self, "generic({name})");
                    } else {
                        self.out.push_str(name);
                    }
                    if address.offset != 0 {
                        put!(self, "+{}", address.offset);
                    }
                    if address.mask.is_some() {
                        self.out.push(')');
                    }
                }
                InitItem::Field(field) => {
                    put!(self, "{} = ", field.name);
                    match &field.value {
                        FieldValue::Int(int) => self.int(*int),
                        FieldValue::Word(word) => self.out.push_str(word),
                    }
                }
            }
        }
    }

    /// `(a, b)`; on lines of their own when there are several.
    pub(super) fn parameters(&mut self, list: &[Variable]) {
        self.out.push('(');
        for (i, parameter) in list.iter().enumerate() {
            if list.len() > 1 {
                self.out.push_str(if i == 0 { "\n\t" } else { ",\n\t" });
            }
            self.mark(parameter.name_at);
            self.variable(parameter);
        }
        self.out.push_str(if list.len() > 1 { "\n)" } else { ")" });
    }
}
