//! Constant expressions, those of older versions included.

use super::{Parse, Reader};
use crate::constant::{ConstId, ExprOp};
use crate::inst::{BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate};
use crate::lex::TokenKind;
use crate::metadata::Md;
use crate::types::{Type, TypeId};
use warpc_diag::codes;

/// Constant expressions that LLVM has dropped.
pub(super) struct Dropped {
    /// The first version without them.
    version: u64,
    words: &'static [&'static [u8]],
}

const DROPPED: &[Dropped] = &[
    Dropped {
        version: 15,
        words: &[
            b"extractvalue",
            b"insertvalue",
            b"udiv",
            b"sdiv",
            b"urem",
            b"srem",
            b"fadd",
            b"fsub",
            b"fmul",
            b"fdiv",
            b"frem",
            b"fneg",
        ],
    },
    Dropped {
        version: 17,
        words: &[b"select"],
    },
    Dropped {
        version: 18,
        words: &[
            b"and", b"or", b"lshr", b"ashr", b"zext", b"sext", b"fptrunc", b"fpext", b"fptoui",
            b"fptosi", b"uitofp", b"sitofp",
        ],
    },
    Dropped {
        version: 19,
        words: &[b"icmp", b"fcmp", b"shl"],
    },
    Dropped {
        version: 21,
        words: &[b"mul"],
    },
];

impl Reader<'_> {
    /// Constant expressions that LLVM has dropped are read in the text of a version that had them: text with
    /// typed pointers, or with the mark of such a clang.
    pub(super) fn check_dropped_expressions(&mut self) {
        if self.dropped_expressions.is_empty() || self.typed_pointers {
            return;
        }
        let version = self.clang_version();
        for (span, row) in std::mem::take(&mut self.dropped_expressions) {
            if version.is_none_or(|version| version >= row.version) {
                let word = String::from_utf8_lossy(self.lexer.slice(span));
                let message = format!(
                    "constant expressions of `{word}` ended with LLVM {}",
                    row.version
                );
                let help = "compute the value with an instruction, or write it out";
                self.fail(codes::IR_CONSTANT, span, message, help);
            }
        }
    }

    /// The version of the clang that says it made the module.
    fn clang_version(&self) -> Option<u64> {
        let module = &self.module;
        let ident = module.metadata.named(module.names.find(b"llvm.ident")?)?;
        ident.nodes.iter().find_map(|&node| {
            let Md::String(text) = module.metadata.operand(node, 0)?.get() else {
                return None;
            };
            let text = module.names.text(text);
            let (_, version) = text.split_once("clang version ")?;
            version.split('.').next()?.parse().ok()
        })
    }

    /// A constant expression, which must have a type.
    pub(super) fn expression(&mut self, ty: TypeId) -> Parse<ConstId> {
        let span = self.token.span;
        let constant = self.untyped_expression()?;
        let found = self.module.constants.get(constant).ty;
        if found != ty {
            let found = crate::print::type_text(&self.module, found);
            let what = format!("an expression of type `{found}`");
            return Err(self.wrong_type(span, &what, ty));
        }
        Ok(constant)
    }

    pub(super) fn untyped_expression(&mut self) -> Parse<ConstId> {
        let word = self.text();
        if let Some(row) = DROPPED.iter().find(|row| row.words.contains(&word)) {
            self.dropped_expressions.push((self.token.span, row));
        }
        if let Some(op) = CastOp::from_keyword(word) {
            return self.cast_expression(op);
        }
        if let Some(op) = BinaryOp::from_keyword(word) {
            self.advance();
            let flags = self.arithmetic_flags();
            let operands = self.expression_operands()?;
            let ty = self.expression_type(&operands, 2)?;
            return Ok(self
                .module
                .constants
                .expression(ty, ExprOp::Binary(op), flags, &operands));
        }
        let op = match word {
            b"getelementptr" => return self.gep_expression(),
            b"icmp" => {
                self.advance();
                let predicate = IcmpPredicate::from_keyword(self.text());
                let Some(predicate) = predicate else {
                    return Err(self.unexpected("a comparison of integers"));
                };
                ExprOp::Icmp(predicate)
            }
            b"fcmp" => {
                self.advance();
                let predicate = FcmpPredicate::from_keyword(self.text());
                let Some(predicate) = predicate else {
                    return Err(self.unexpected("a comparison of floating-point numbers"));
                };
                ExprOp::Fcmp(predicate)
            }
            b"select" => ExprOp::Select,
            b"fneg" => ExprOp::Fneg,
            b"extractelement" => ExprOp::ExtractElement,
            b"insertelement" => ExprOp::InsertElement,
            b"shufflevector" => ExprOp::ShuffleVector,
            b"extractvalue" | b"insertvalue" => return self.value_expression(word),
            _ => return Err(self.unexpected("a constant")),
        };
        self.advance();
        let operands = self.expression_operands()?;
        let ty = match op {
            ExprOp::Icmp(_) | ExprOp::Fcmp(_) => {
                let operand = self.expression_type(&operands, 2)?;
                let i1 = self.module.types.i1;
                self.module.types.with_shape_of(operand, i1)
            }
            ExprOp::Select => {
                self.expression_type(&operands, 3)?;
                self.module.constants.get(operands[1]).ty
            }
            ExprOp::Fneg => self.expression_type(&operands, 1)?,
            ExprOp::ExtractElement => {
                let vector = self.expression_type(&operands, 2)?;
                self.module.types.scalar(vector)
            }
            ExprOp::InsertElement => self.expression_type(&operands, 3)?,
            _ => {
                let vector = self.expression_type(&operands, 3)?;
                let element = self.module.types.scalar(vector);
                let mask = self.module.constants.get(operands[2]).ty;
                self.module.types.with_shape_of(mask, element)
            }
        };
        let constants = &mut self.module.constants;
        Ok(constants.expression(ty, op, Flags::empty(), &operands))
    }

    /// The type of the first of so many operands.
    fn expression_type(&mut self, operands: &[ConstId], count: usize) -> Parse<TypeId> {
        if operands.len() != count {
            let message = format!("the expression takes {count} operands");
            let span = self.token.span;
            return Err(self.fail(codes::IR_SYNTAX, span, message, "add or remove operands"));
        }
        Ok(self.module.constants.get(operands[0]).ty)
    }

    /// `(T a, T b, …)`
    fn expression_operands(&mut self) -> Parse<Vec<ConstId>> {
        self.expect(b'(')?;
        let mut operands = Vec::new();
        loop {
            operands.push(self.typed_constant()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(operands)
    }

    /// `op (T v to U)`
    fn cast_expression(&mut self, op: CastOp) -> Parse<ConstId> {
        self.advance();
        let flags = self.arithmetic_flags();
        self.expect(b'(')?;
        let operand = self.typed_constant()?;
        self.expect_word(b"to")?;
        let ty = self.ty()?;
        self.expect(b')')?;
        // With typed pointers most casts were from one pointer type to another.
        if op == CastOp::Bitcast && self.module.constants.get(operand).ty == ty {
            return Ok(operand);
        }
        let constants = &mut self.module.constants;
        Ok(constants.expression(ty, ExprOp::Cast(op), flags, &[operand]))
    }

    /// `getelementptr inbounds (T, ptr p, T i, …)`
    fn gep_expression(&mut self) -> Parse<ConstId> {
        self.advance();
        let mut flags = Flags::empty();
        let mut inrange = None;
        loop {
            flags |= match self.text() {
                b"inbounds" => Flags::INBOUNDS,
                b"nusw" => Flags::NUSW,
                b"nuw" => Flags::NUW,
                b"inrange" => {
                    self.advance();
                    self.expect(b'(')?;
                    let from = self.signed_number()?;
                    self.expect(b',')?;
                    let to = self.signed_number()?;
                    self.expect(b')')?;
                    inrange = Some((from, to));
                    continue;
                }
                _ => break,
            };
            self.advance();
        }
        self.expect(b'(')?;
        let first = self.written_type()?;
        let mut operands = Vec::new();
        let source = if self.accept(b',') {
            operands.push(self.typed_constant()?);
            first.id
        } else {
            operands.push(self.constant(first.id)?);
            match first.pointee {
                Some(pointee) => pointee,
                None => return Err(self.unexpected("`,`")),
            }
        };
        while self.accept(b',') {
            // Before LLVM 19 `inrange` marked an index; what it promised is dropped.
            self.accept_word(b"inrange");
            operands.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        let mut ty = self.module.constants.get(operands[0]).ty;
        if !self.module.types.is_vector(ty) {
            let shape = operands[1..]
                .iter()
                .map(|&index| self.module.constants.get(index).ty)
                .find(|&index| self.module.types.is_vector(index));
            if let Some(shape) = shape {
                ty = self.module.types.with_shape_of(shape, ty);
            }
        }
        let op = ExprOp::Gep { source, inrange };
        // Steps of zero lead nowhere. LLVM gives the address itself, too.
        let zero = operands[1..]
            .iter()
            .all(|&index| self.module.constants.is_zero(index));
        if zero && inrange.is_none() && self.module.constants.get(operands[0]).ty == ty {
            return Ok(operands[0]);
        }
        Ok(self.module.constants.expression(ty, op, flags, &operands))
    }

    /// A number with a sign.
    pub(super) fn signed_number(&mut self) -> Parse<i64> {
        if self.token.kind == TokenKind::Int {
            let text = std::str::from_utf8(self.text()).unwrap_or("");
            if let Ok(value) = text.parse::<i64>() {
                self.advance();
                return Ok(value);
            }
        }
        Err(self.unexpected("a number of 64 bits"))
    }

    /// `extractvalue (T v, 1, 2)`, `insertvalue (T v, U m, 1, 2)`
    fn value_expression(&mut self, word: &[u8]) -> Parse<ConstId> {
        self.advance();
        self.expect(b'(')?;
        let aggregate = self.typed_constant()?;
        let mut operands = vec![aggregate];
        self.expect(b',')?;
        if word == b"insertvalue" {
            operands.push(self.typed_constant()?);
            self.expect(b',')?;
        }
        let mut indices = Vec::new();
        loop {
            indices.push(self.expect_u32("an index")?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        let mut ty = self.module.constants.get(aggregate).ty;
        let list = self.module.types.intern_numbers(&indices);
        let op = if word == b"insertvalue" {
            ExprOp::InsertValue(list)
        } else {
            for &index in &indices {
                ty = match self.module.types.member(ty, u64::from(index)) {
                    Some(member) => member,
                    None => {
                        let span = self.token.span;
                        return Err(self.wrong_type(span, "a member that is not there", ty));
                    }
                };
            }
            ExprOp::ExtractValue(list)
        };
        let constants = &mut self.module.constants;
        Ok(constants.expression(ty, op, Flags::empty(), &operands))
    }

    /// Whether a type is a pointer or a vector of pointers.
    pub(super) fn is_pointer_like(&self, ty: TypeId) -> bool {
        let scalar = self.module.types.scalar(ty);
        matches!(self.module.types.get(scalar), Type::Ptr(_))
    }
}
