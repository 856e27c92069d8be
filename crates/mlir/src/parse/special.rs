//! Pretty forms that a line of the table cannot say.

use super::{Parse, Parser};
use crate::number;
use crate::tree::{Attr, Attrs, Op, Region, Use};
use crate::types::Type;
use warpc_diag::codes;

type Reader<'a> = fn(&mut Parser<'a>, &mut Op<'a>) -> Parse<()>;

/// The function that reads the pretty form of an operation.
pub(super) fn reader<'a>(name: &str) -> Option<Reader<'a>> {
    Some(match name {
        "module" | "builtin.module" | "gpu.module" => Parser::module,
        "llvm.func" => Parser::function,
        "llvm.mlir.global" => Parser::global,
        "llvm.mlir.alias" => Parser::global_alias,
        "llvm.call" => Parser::call,
        "llvm.call_intrinsic" => Parser::call_intrinsic,
        "llvm.getelementptr" => Parser::element_address,
        "llvm.switch" => Parser::switch,
        "llvm.comdat" => Parser::comdat,
        "llvm.comdat_selector" => Parser::comdat_selector,
        "nvvm.mma.sync"
        | "nvvm.mma.sp.sync"
        | "nvvm.mma.block_scale"
        | "nvvm.mma.sp.block_scale" => Parser::matrix_product,
        _ => return None,
    })
}

/// An index of `getelementptr` that is a value.
pub(crate) const DYNAMIC: i128 = i32::MIN as i128;

impl<'a> Parser<'a> {
    /// `inbounds|nuw %base[%i, 2] : (!llvm.ptr, i64) -> !llvm.ptr, f32`
    fn element_address(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let mut flags = 0;
        while let Some(word) = self.scan.word() {
            flags |= match word {
                "inbounds" => 3,
                "inbounds_flag" => 1,
                "nusw" => 2,
                "nuw" => 4,
                _ => return self.fail("`inbounds`, `nusw` or `nuw`"),
            };
            self.scan.eat("|");
        }
        op.attrs.push("noWrapFlags", Attr::Int(flags, None));
        op.operands.push(self.operand()?);
        self.want("[")?;
        let mut dynamic = Vec::new();
        let constants = self.list("]", |parser| {
            if parser.scan.peek() == b'%' {
                dynamic.push(parser.operand()?);
                return Ok(DYNAMIC);
            }
            let number = parser.scan.number();
            match number.and_then(number::integer) {
                Some(index) => Ok(index),
                None => parser.fail("an index"),
            }
        })?;
        op.operands.extend(dynamic);
        op.attrs
            .push("rawConstantIndices", Attr::Numbers(constants));
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        self.signature(op, 0)?;
        self.want(",")?;
        let ty = self.ty()?;
        op.attrs.push("elem_type", Attr::Type(ty));
        Ok(())
    }

    /// `(types) -> results` for the operands from one on; attributes of arguments and results may stand in it.
    fn signature(&mut self, op: &mut Op<'a>, from: usize) -> Parse<()> {
        let span = self.scan.span();
        self.want("(")?;
        let inputs = self.list(")", Parser::type_and_attrs)?;
        let results = match self.scan.eat("->") {
            false => Vec::new(),
            true if self.scan.eat("(") => self.list(")", Parser::type_and_attrs)?,
            true => vec![(self.ty()?, Attrs::default())],
        };
        if inputs.len() != op.operands.len() - from {
            let message = format!(
                "{} types for {} operands",
                inputs.len(),
                op.operands.len() - from
            );
            return self.fail_at(codes::MLIR_SYNTAX, span, message);
        }
        let mut of_args = Vec::new();
        for (operand, (ty, attrs)) in op.operands[from..].iter_mut().zip(inputs) {
            operand.ty = Some(ty);
            of_args.push(Attr::Dict(attrs));
        }
        self.push_dicts(op, "arg_attrs", of_args);
        let mut of_results = Vec::new();
        for (ty, attrs) in results {
            if ty != Type::Void {
                op.result_types.push(ty);
            }
            of_results.push(Attr::Dict(attrs));
        }
        self.push_dicts(op, "res_attrs", of_results);
        Ok(())
    }

    /// Adds the attributes of arguments or results, if there are any.
    fn push_dicts(&self, op: &mut Op<'a>, name: &str, dicts: Vec<Attr<'a>>) {
        let filled = |dict: &Attr<'a>| !matches!(dict, Attr::Dict(attrs) if attrs.0.is_empty());
        if dicts.iter().any(filled) {
            op.attrs.push(name, Attr::Array(dicts));
        }
    }

    pub(super) fn type_and_attrs(&mut self) -> Parse<(Type, Attrs<'a>)> {
        let ty = self.ty()?;
        let attrs = match self.scan.peek() {
            b'{' => self.dict()?,
            _ => Attrs::default(),
        };
        Ok((ty, attrs))
    }

    /// `fastcc tail @f(%a) vararg(!llvm.func<…>) {…} : (i32) -> i32`
    fn call(&mut self, op: &mut Op<'a>) -> Parse<()> {
        loop {
            let span = self.scan.span();
            let Some(word) = self.scan.word() else {
                break;
            };
            let name = match word {
                "tail" | "musttail" | "notail" => "TailCallKind",
                _ => "CConv",
            };
            op.attrs.push_at(name, Attr::Word(word), span);
        }
        let direct = self.scan.peek() == b'@';
        if direct {
            let callee = self.symbol_name()?;
            op.attrs.push("callee", Attr::Symbol(vec![callee]));
        } else {
            op.operands.push(self.operand()?);
        }
        self.want("(")?;
        op.operands.extend(self.list(")", Parser::operand)?);
        self.no_bundles()?;
        if self.scan.eat("vararg") {
            self.want("(")?;
            let ty = self.ty()?;
            op.attrs.push("var_callee_type", Attr::Type(ty));
            self.want(")")?;
        }
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        if !direct {
            op.operands[0].ty = Some(self.ty()?);
            self.want(",")?;
        }
        self.signature(op, usize::from(!direct))
    }

    /// Operand bundles: GPUs have no use for them.
    fn no_bundles(&mut self) -> Parse<()> {
        if self.scan.peek() != b'[' {
            return Ok(());
        }
        let span = self.scan.span();
        self.want("[")?;
        if self.scan.eat("]") {
            return Ok(());
        }
        self.fail_at(
            codes::MLIR_UNSUPPORTED,
            span,
            "operand bundles are not read",
        )
    }

    /// `"llvm.x"(%a) : (i32) -> i32`
    fn call_intrinsic(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let Some(name) = self.scan.string() else {
            return self.fail("the name of an intrinsic");
        };
        op.attrs.push("intrin", Attr::String(name.into()));
        self.want("(")?;
        op.operands = self.list(")", Parser::operand)?;
        self.no_bundles()?;
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        self.signature(op, 0)?;
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        Ok(())
    }

    /// `%v : i32, ^bb1(%a : i32) [ 1: ^bb2, 2: ^bb3(%b : i32) ]`
    fn switch(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let mut value = self.operand()?;
        self.want(":")?;
        value.ty = Some(self.ty()?);
        op.operands.push(value);
        self.want(",")?;
        let default = self.target(op)?;
        self.want("[")?;
        let mut segments = Vec::new();
        let cases = self.list("]", |parser| {
            let case = parser.bare_attr()?;
            parser.want(":")?;
            segments.push(parser.target(op)? as i128);
            Ok(case)
        })?;
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        let sizes = vec![1, default as i128, segments.iter().sum()];
        op.attrs.push("operandSegmentSizes", Attr::Numbers(sizes));
        op.attrs
            .push("case_operand_segments", Attr::Numbers(segments));
        op.attrs.push("case_values", Attr::Array(cases));
        Ok(())
    }

    /// A block and what it is given; how many values that are.
    fn target(&mut self, op: &mut Op<'a>) -> Parse<usize> {
        let successor = self.successor()?;
        op.successors.push(successor);
        if !self.scan.eat("(") {
            return Ok(0);
        }
        let mut uses = Vec::new();
        loop {
            uses.push(self.operand()?);
            if !self.scan.eat(",") {
                break;
            }
        }
        self.want(":")?;
        for (i, operand) in uses.iter_mut().enumerate() {
            if i > 0 {
                self.want(",")?;
            }
            operand.ty = Some(self.ty()?);
        }
        self.want(")")?;
        let count = uses.len();
        op.operands.extend(uses);
        Ok(count)
    }

    /// `A[%a, %b] B[%c] C[%d] selector[…] {…} : (types) -> type`
    fn matrix_product(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let mut segments: Vec<i128> = Vec::new();
        while self.scan.word().is_some() {
            let close = match self.scan.peek() {
                b'[' => "]",
                b'(' => ")",
                _ => return self.fail("`[` or `(`"),
            };
            self.scan.go(self.scan.pos() + 1);
            let uses: Vec<Use<'a>> = self.list(close, Parser::operand)?;
            // The three matrices have several operands each; what follows are single ones.
            match segments.len() {
                0..3 => segments.push(uses.len() as i128),
                _ => segments.extend(uses.iter().map(|_| 1)),
            }
            op.operands.extend(uses);
        }
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        let span = self.scan.span();
        let Type::Arrow(arrow) = self.ty()? else {
            return self.fail_at(codes::MLIR_SYNTAX, span, "expected `(types) -> type`");
        };
        // The first types are those of the values of each matrix; other values have theirs from their definitions.
        let mut rest = op.operands.as_mut_slice();
        for (ty, size) in arrow.inputs.iter().zip(segments.iter().take(3)) {
            let (part, more) = rest.split_at_mut(*size as usize);
            part.iter_mut()
                .for_each(|operand| operand.ty = Some(ty.clone()));
            rest = more;
        }
        op.attrs
            .push("operandSegmentSizes", Attr::Numbers(segments));
        op.result_types.clone_from(&arrow.results);
        Ok(())
    }

    /// `@name { llvm.comdat_selector @f any }`
    fn comdat(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let name = self.symbol_name()?;
        op.attrs.push("sym_name", Attr::String(name));
        let region: Region<'a> = self.region()?;
        op.regions.push(region);
        Ok(())
    }

    fn comdat_selector(&mut self, op: &mut Op<'a>) -> Parse<()> {
        let name = self.symbol_name()?;
        op.attrs.push("sym_name", Attr::String(name));
        let kind = self.bare_attr()?;
        op.attrs.push("comdat", kind);
        Ok(())
    }
}
