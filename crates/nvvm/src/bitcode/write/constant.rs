//! Blocks of constants.

use super::number::{active, sign_extended, signed};
use super::stream::Stream;
use super::value::{Entry, Splat, numbers, numbers_of_bytes, splat};
use super::{Dialect, Writer};
use crate::bitcode::codes::global::asm;
use crate::bitcode::codes::operation::{
    self, GEP_FLAGS, binary_flags, binary_number, bits_of, cast_number, fcmp_number, icmp_number,
};
use crate::bitcode::codes::record::{block, constants as code};
use crate::constant::{Const, ConstId, ConstKind, ExprId, ExprOp};
use crate::inst::Flags;
use crate::module::{AsmFlags, AsmId};
use crate::types::{Type, TypeId};

impl Writer<'_> {
    /// A block of constants, in the order of their numbers.
    pub(super) fn constants(&mut self, entries: &[Entry], stream: &mut Stream) {
        if entries.is_empty() {
            return;
        }
        stream.enter(block::CONSTANTS, 4);
        let mut record = Vec::new();
        let mut current = None;
        for &entry in entries {
            let ty = match entry {
                Entry::Const(constant) => self.module.constants.get(constant).ty,
                Entry::Asm(asm) => self.type_of_asm(asm),
                Entry::Number(_) => self.module.types.i64,
            };
            if current != Some(ty) {
                current = Some(ty);
                let ty = self.ty(ty);
                stream.record(code::SETTYPE, &[ty]);
            }
            record.clear();
            let code = match entry {
                Entry::Const(constant) => self.constant(constant, &mut record),
                Entry::Asm(asm) => self.inline_assembly(asm, &mut record),
                Entry::Number(0) => code::NULL,
                Entry::Number(number) => {
                    record.push(signed(number));
                    code::INTEGER
                }
            };
            stream.record(code, &record);
        }
        stream.exit();
    }

    fn constant(&mut self, constant: ConstId, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let constants = &module.constants;
        let Const { ty, kind } = constants.get(constant);
        if constants.is_zero(constant) {
            return code::NULL;
        }
        match kind {
            ConstKind::Int(_)
            | ConstKind::WideInt(_)
            | ConstKind::Float(_)
            | ConstKind::WideFloat(_) => self.scalar(constant, record),
            ConstKind::Null | ConstKind::TokenNone | ConstKind::Zero => code::NULL,
            ConstKind::Undef => code::UNDEF,
            // Before LLVM 12 all of it was `undef`, which is less than `poison` allows.
            ConstKind::Poison if self.dialect == Dialect::Llvm7 => code::UNDEF,
            ConstKind::Poison => code::POISON,
            ConstKind::Aggregate(list) => match numbers(module, constant) {
                Some(numbers) => {
                    record.extend(numbers);
                    code::DATA
                }
                None => {
                    let list = constants.list(list).iter();
                    record.extend(list.map(|&element| self.value_of(element)));
                    code::AGGREGATE
                }
            },
            ConstKind::Splat(element) => match splat(module, constant) {
                Splat::Data => {
                    record.extend(numbers(module, constant).unwrap_or_default());
                    code::DATA
                }
                Splat::Elements => {
                    let len = match module.types.get(ty) {
                        Type::Vector { len, .. } => len as usize,
                        _ => 0,
                    };
                    let element = self.value_of(element);
                    record.extend(std::iter::repeat_n(element, len));
                    code::AGGREGATE
                }
                Splat::Scalar => {
                    let is_scalar = matches!(
                        constants.get(element).kind,
                        ConstKind::Int(_) | ConstKind::WideInt(_) | ConstKind::Float(_)
                    );
                    if self.dialect == Dialect::Llvm7 || !is_scalar {
                        self.refuse("a very long or scalable vector of one value");
                    }
                    self.scalar(element, record)
                }
            },
            ConstKind::Bytes(name) => self.bytes(ty, module.names.bytes(name), record),
            // These are not in blocks of constants.
            ConstKind::Global(_) => code::NULL,
            ConstKind::BlockAddress(address) => {
                let address = constants.block_addresses[address];
                let ty = self.type_of_global(address.function);
                let block = address
                    .block
                    .map_or(0, |block| self.block_number(address.function, block));
                record.extend([self.ty(ty), self.values.global(address.function), block]);
                code::BLOCKADDRESS
            }
            ConstKind::DsoLocalEquivalent(global) | ConstKind::NoCfi(global) => {
                let ty = self.type_of_global(global);
                record.extend([self.ty(ty), self.values.global(global)]);
                match kind {
                    ConstKind::NoCfi(_) => code::NO_CFI_VALUE,
                    _ => code::DSO_LOCAL_EQUIVALENT,
                }
            }
            ConstKind::PtrAuth(list) => {
                let list = constants.list(list);
                record.extend(list.iter().map(|&part| self.value_of(part)));
                match list.len() {
                    5 => code::PTRAUTH2,
                    _ => code::PTRAUTH,
                }
            }
            ConstKind::Expr(expr) => self.expression(ty, expr, record),
        }
    }

    fn value_of(&self, constant: ConstId) -> u64 {
        u64::from(self.values.constant(self.module, constant))
    }

    fn scalar(&mut self, constant: ConstId, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let Const { ty, kind } = module.constants.get(constant);
        match kind {
            ConstKind::Int(value) => {
                let bits = match module.types.get(ty) {
                    Type::Int(bits) => bits,
                    _ => 64,
                };
                record.push(signed(sign_extended(value, bits)));
                code::INTEGER
            }
            ConstKind::WideInt(words) => {
                let words = active(module.constants.words(words)).iter();
                record.extend(words.map(|&word| signed(word as i64)));
                code::WIDE_INTEGER
            }
            ConstKind::Float(bits) => {
                record.push(bits);
                code::FLOAT
            }
            ConstKind::WideFloat(words) => {
                let words = module.constants.words(words);
                let (low, high) = (words[0], words.get(1).copied().unwrap_or(0));
                match module.types.get(ty) {
                    // The mantissa is split.
                    Type::X86Fp80 => record.extend([high << 48 | low >> 16, low & 0xFFFF]),
                    _ => record.extend([low, high]),
                }
                code::FLOAT
            }
            _ => code::NULL,
        }
    }

    fn bytes(&mut self, ty: TypeId, bytes: &[u8], record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        record.extend(numbers_of_bytes(module, ty, bytes));
        if module.types.member(ty, 0) != Some(module.types.i8) {
            return code::DATA;
        }
        // A zero at the end, and no other, is not written.
        match bytes.iter().position(|&byte| byte == 0) {
            Some(end) if end + 1 == bytes.len() => {
                record.pop();
                code::CSTRING
            }
            _ => code::STRING,
        }
    }

    fn expression(&mut self, ty: TypeId, expr: ExprId, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let expr = module.constants.expr(expr);
        let operands = module.constants.list(expr.operands);
        let of = |this: &Self, index: usize| operands.get(index).map_or(0, |&c| this.value_of(c));
        let type_of = |index: usize| {
            let operand = operands.get(index);
            operand.map_or(ty, |&operand| module.constants.get(operand).ty)
        };
        match expr.op {
            ExprOp::Cast(op) => {
                record.push(cast_number(op).unwrap_or(0));
                record.extend([self.ty(type_of(0)), of(self, 0)]);
                code::CE_CAST
            }
            ExprOp::Binary(op) => {
                record.push(binary_number(op).unwrap_or(0));
                record.extend([of(self, 0), of(self, 1)]);
                let flags = bits_of(self.kept(binary_flags(op)), expr.flags);
                record.extend((flags != 0).then_some(flags));
                code::CE_BINOP
            }
            ExprOp::Gep { source, inrange } => {
                record.push(self.ty(source));
                let code = self.address_form(expr.flags, inrange, record);
                for index in 0..operands.len() {
                    record.extend([self.ty(type_of(index)), of(self, index)]);
                }
                code
            }
            ExprOp::Icmp(_) | ExprOp::Fcmp(_) => {
                let predicate = match expr.op {
                    ExprOp::Icmp(predicate) => icmp_number(predicate),
                    ExprOp::Fcmp(predicate) => fcmp_number(predicate),
                    _ => None,
                };
                record.extend([self.ty(type_of(0)), of(self, 0), of(self, 1)]);
                record.push(predicate.unwrap_or(0));
                code::CE_CMP
            }
            ExprOp::Select => {
                record.extend([of(self, 0), of(self, 1), of(self, 2)]);
                code::CE_SELECT
            }
            ExprOp::Fneg => {
                record.extend([operation::FNEG, of(self, 0)]);
                code::CE_UNOP
            }
            ExprOp::ExtractElement => {
                record.extend([self.ty(type_of(0)), of(self, 0)]);
                record.extend([self.ty(type_of(1)), of(self, 1)]);
                code::CE_EXTRACTELT
            }
            ExprOp::InsertElement => {
                record.extend([of(self, 0), of(self, 1), self.ty(type_of(2)), of(self, 2)]);
                code::CE_INSERTELT
            }
            ExprOp::ShuffleVector => {
                let code = match type_of(0) == ty {
                    true => code::CE_SHUFFLEVEC,
                    false => {
                        record.push(self.ty(type_of(0)));
                        code::CE_SHUFVEC_EX
                    }
                };
                record.extend([of(self, 0), of(self, 1), of(self, 2)]);
                code
            }
            ExprOp::ExtractValue(_) | ExprOp::InsertValue(_) => {
                self.refuse("a constant `extractvalue` or `insertvalue`");
                code::UNDEF
            }
        }
    }

    /// Appends what follows the type in a `getelementptr`, and gives its code.
    fn address_form(
        &mut self,
        flags: Flags,
        inrange: Option<(i64, i64)>,
        record: &mut Vec<u64>,
    ) -> u32 {
        if self.dialect == Dialect::Llvm7 {
            // `inrange` is a promise; LLVM 7 makes it about an index and not about bytes.
            return match flags.contains(Flags::INBOUNDS) {
                true => code::CE_INBOUNDS_GEP,
                false => code::CE_GEP_OLD,
            };
        }
        record.push(bits_of(GEP_FLAGS, with_implied(flags)));
        match inrange {
            Some((from, to)) => {
                const OFFSET_BITS: u64 = 64;
                record.extend([OFFSET_BITS, signed(from), signed(to)]);
                code::CE_GEP_WITH_INRANGE
            }
            None => code::CE_GEP,
        }
    }

    fn inline_assembly(&mut self, id: AsmId, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let data = module.asms.get(id);
        if self.dialect == Dialect::Current {
            record.push(self.ty(data.ty));
        }
        let flags = [
            (AsmFlags::SIDE_EFFECT, asm::SIDE_EFFECT),
            (AsmFlags::ALIGN_STACK, asm::ALIGN_STACK),
            (AsmFlags::INTEL, asm::INTEL),
            (AsmFlags::UNWIND, asm::UNWIND),
        ];
        let set = flags.iter().filter(|row| data.flags.contains(row.0));
        record.push(set.fold(0, |bits, row| bits | row.1));
        for text in [data.text, data.constraints] {
            let text = module.names.bytes(text);
            record.push(text.len() as u64);
            record.extend(text.iter().map(|&byte| u64::from(byte)));
        }
        match self.dialect {
            Dialect::Current => code::INLINEASM,
            Dialect::Llvm7 => code::INLINEASM_OLD2,
        }
    }
}

/// Flags of an address with those that follow from them.
pub(super) fn with_implied(flags: Flags) -> Flags {
    match flags.contains(Flags::INBOUNDS) {
        true => flags | Flags::NUSW,
        false => flags,
    }
}
