//! Constants and constant expressions.

use super::Printer;
use super::number::{write_float, write_int, write_wide_int};
use crate::constant::{
    BlockAddressId, Const, ConstId, ConstKind, ExprId, ExprOp, dense_number, dense_width,
};
use crate::types::{IndexList, StructBody, Type, TypeId, Types};

impl Printer<'_> {
    /// The constant with its type in front.
    pub(super) fn typed_constant(&mut self, constant: ConstId) {
        self.ty(self.module.constants.get(constant).ty);
        self.out.byte(b' ');
        self.constant(constant);
    }

    pub(super) fn constant(&mut self, constant: ConstId) {
        let module = self.module;
        let constants = &module.constants;
        let Const { ty, kind } = constants.get(constant);
        match kind {
            ConstKind::Int(value) if ty == module.types.i1 => {
                self.out.str(if value == 0 { "false" } else { "true" });
            }
            ConstKind::Int(_) | ConstKind::WideInt(_) => self.integer(constant),
            ConstKind::Float(bits) => write_float(&mut self.out, module.types.get(ty), &[bits]),
            ConstKind::WideFloat(words) => {
                write_float(&mut self.out, module.types.get(ty), constants.words(words));
            }
            ConstKind::Null => self.out.str("null"),
            ConstKind::TokenNone => self.out.str("none"),
            ConstKind::Undef => self.out.str("undef"),
            ConstKind::Poison => self.out.str("poison"),
            ConstKind::Zero => self.out.str("zeroinitializer"),
            ConstKind::Aggregate(list) => self.aggregate(ty, constants.list(list)),
            ConstKind::Splat(element) => {
                self.out.str("splat (");
                self.typed_constant(element);
                self.out.byte(b')');
            }
            ConstKind::Bytes(name) => self.dense(ty, module.names.bytes(name)),
            ConstKind::Global(global) => self.global_name(global),
            ConstKind::BlockAddress(address) => self.block_address(address),
            ConstKind::DsoLocalEquivalent(global) => {
                self.out.str("dso_local_equivalent ");
                self.global_name(global);
            }
            ConstKind::NoCfi(global) => {
                self.out.str("no_cfi ");
                self.global_name(global);
            }
            ConstKind::PtrAuth(list) => {
                // Pointer and key are always written, the others up to the last that is not zero.
                let parts = constants.list(list);
                let used = parts.iter().rposition(|&part| !constants.is_zero(part));
                let count = used.map_or(0, |last| last + 1).max(2).min(parts.len());
                self.out.str("ptrauth (");
                self.constant_list(&parts[..count]);
                self.out.byte(b')');
            }
            ConstKind::Expr(expr) => self.expression(ty, expr),
        }
    }

    /// An integer as a number, also if it is of type `i1`.
    pub(super) fn integer(&mut self, constant: ConstId) {
        let module = self.module;
        let Const { ty, kind } = module.constants.get(constant);
        let bits = match module.types.get(ty) {
            Type::Int(bits) => bits,
            _ => 64,
        };
        match kind {
            ConstKind::Int(value) => write_int(&mut self.out, bits, value),
            ConstKind::WideInt(words) => {
                write_wide_int(&mut self.out, bits, module.constants.words(words));
            }
            _ => self.constant(constant),
        }
    }

    fn constant_list(&mut self, list: &[ConstId]) {
        for (i, &element) in list.iter().enumerate() {
            self.out.comma(i);
            self.typed_constant(element);
        }
    }

    /// An array of numbers that is kept as bytes.
    fn dense(&mut self, ty: TypeId, bytes: &[u8]) {
        let types = &self.module.types;
        let element = types.member(ty, 0).unwrap_or(types.i8);
        let width = match dense_width(types, element) {
            Some(width) if element != types.i8 => width,
            _ => {
                self.out.byte(b'c');
                return self.out.quoted(bytes);
            }
        };
        self.out.byte(b'[');
        for index in 0..bytes.len() / width {
            let Some(number) = dense_number(bytes, width, index) else {
                break;
            };
            self.out.comma(index);
            self.ty(element);
            self.out.byte(b' ');
            match types.get(element) {
                Type::Int(bits) => {
                    let unused = 64 - bits;
                    let number = ((number << unused) as i64) >> unused;
                    if number < 0 {
                        self.out.byte(b'-');
                    }
                    self.out.number(number.unsigned_abs());
                }
                float => write_float(&mut self.out, float, &[number]),
            }
        }
        self.out.byte(b']');
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ConstId]) {
        let types = &self.module.types;
        let (open, close) = match types.get(ty) {
            Type::Array { .. } => ("[", "]"),
            Type::Vector { .. } => ("<", ">"),
            _ if is_packed(types, ty) => ("<{ ", " }>"),
            _ => ("{ ", " }"),
        };
        self.out.str(open);
        self.constant_list(elements);
        self.out.str(close);
    }

    fn block_address(&mut self, address: BlockAddressId) {
        let address = self.module.constants.block_addresses[address];
        self.out.str("blockaddress(");
        self.global_name(address.function);
        self.out.str(", ");
        match address.block {
            Some(block) => self.block_of(address.function, block),
            None => self.out.str("%0"),
        }
        self.out.byte(b')');
    }

    fn expression(&mut self, ty: TypeId, expr: ExprId) {
        let module = self.module;
        let expr = module.constants.expr(expr);
        let operands = module.constants.list(expr.operands);
        self.out.str(match expr.op {
            ExprOp::Cast(op) => op.keyword(),
            ExprOp::Binary(op) => op.keyword(),
            ExprOp::Gep { .. } => "getelementptr",
            ExprOp::Icmp(_) => "icmp",
            ExprOp::Fcmp(_) => "fcmp",
            ExprOp::Select => "select",
            ExprOp::Fneg => "fneg",
            ExprOp::ExtractElement => "extractelement",
            ExprOp::InsertElement => "insertelement",
            ExprOp::ShuffleVector => "shufflevector",
            ExprOp::ExtractValue(_) => "extractvalue",
            ExprOp::InsertValue(_) => "insertvalue",
        });
        self.flags(expr.flags);
        match expr.op {
            ExprOp::Icmp(predicate) => {
                self.out.byte(b' ');
                self.out.str(predicate.keyword());
            }
            ExprOp::Fcmp(predicate) => {
                self.out.byte(b' ');
                self.out.str(predicate.keyword());
            }
            ExprOp::Gep {
                inrange: Some((from, to)),
                ..
            } => {
                self.out.str(" inrange(");
                self.out.signed(from);
                self.out.str(", ");
                self.out.signed(to);
                self.out.byte(b')');
            }
            _ => {}
        }
        self.out.str(" (");
        if let ExprOp::Gep { source, .. } = expr.op {
            self.ty(source);
            self.out.str(", ");
        }
        match (expr.op, operands) {
            (ExprOp::ShuffleVector, [left, right, mask]) => {
                self.constant_list(&[*left, *right]);
                self.out.str(", ");
                self.shuffle_mask(*mask);
            }
            _ => self.constant_list(operands),
        }
        match expr.op {
            ExprOp::Cast(_) => {
                self.out.str(" to ");
                self.ty(ty);
            }
            ExprOp::ExtractValue(indices) | ExprOp::InsertValue(indices) => self.indices(indices),
            _ => {}
        }
        self.out.byte(b')');
    }

    /// The mask of a `shufflevector` with its type: elements are written one by one, and those that do
    /// not matter are `poison`.
    pub(super) fn shuffle_mask(&mut self, mask: ConstId) {
        let module = self.module;
        let constants = &module.constants;
        let Const { ty, kind } = constants.get(mask);
        self.ty(ty);
        self.out.byte(b' ');
        match kind {
            ConstKind::Undef => self.out.str("poison"),
            ConstKind::Splat(element) => {
                let count = match module.types.get(ty) {
                    Type::Vector { len, .. } => len,
                    _ => 0,
                };
                self.out.byte(b'<');
                for i in 0..count {
                    self.out.comma(i as usize);
                    self.typed_constant(element);
                }
                self.out.byte(b'>');
            }
            ConstKind::Aggregate(list) => {
                self.out.byte(b'<');
                for (i, &element) in constants.list(list).iter().enumerate() {
                    self.out.comma(i);
                    if constants.get(element).kind == ConstKind::Undef {
                        self.ty(constants.get(element).ty);
                        self.out.str(" poison");
                    } else {
                        self.typed_constant(element);
                    }
                }
                self.out.byte(b'>');
            }
            _ => self.constant(mask),
        }
    }

    /// `, 1, 2`
    pub(super) fn indices(&mut self, indices: IndexList) {
        for &index in self.module.types.numbers(indices) {
            self.out.str(", ");
            self.out.number(u64::from(index));
        }
    }
}

fn is_packed(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Struct { packed, .. } => packed,
        Type::Named(id) => matches!(
            types.structs[id].body,
            StructBody::Fields { packed: true, .. }
        ),
        _ => false,
    }
}
