//! Operations that a line of the table cannot describe.

use super::constant::{self, Constant};
use super::function::Writer;
use super::template::result_type;
use super::{Outcome, Problem, attribute};
use crate::parse::DYNAMIC;
use crate::tree::{Attr, Op};
use crate::types::{Type, quoted};
use std::fmt::Write;

/// ` inbounds nuw` of an address computation.
pub(super) fn wrap_flags(op: &Op<'_>) -> String {
    let mut bits = op.attrs.int("noWrapFlags").unwrap_or(0);
    if op.attrs.flag("inbounds") {
        bits |= 3;
    }
    let mut text = String::new();
    if bits & 1 != 0 {
        text.push_str(" inbounds");
    } else if bits & 2 != 0 {
        text.push_str(" nusw");
    }
    if bits & 4 != 0 {
        text.push_str(" nuw");
    }
    text
}

impl<'o, 't> Writer<'o, 't> {
    /// Writes an operation that has a function of its own; `None` if it has none.
    pub(super) fn special(&mut self, op: &'t Op<'t>) -> Option<Outcome<()>> {
        Some(match op.name {
            "llvm.return" => self.give_back(op),
            "llvm.getelementptr" => self.element_address(op),
            "llvm.switch" => self.switch(op),
            "llvm.call" => self.call(op),
            "llvm.call_intrinsic" => self.call_intrinsic(op),
            "llvm.shufflevector" => self.shuffle(op),
            "llvm.inline_asm" => self.inline_asm(op),
            "nvvm.inline_ptx" => self.inline_ptx(op),
            "nvvm.mma.sync"
            | "nvvm.mma.sp.sync"
            | "nvvm.mma.block_scale"
            | "nvvm.mma.sp.block_scale" => self.matrix_product(op),
            "nvvm.wgmma.mma_async" => self.group_product(op),
            "nvvm.tcgen05.mma_smem_desc" => self.shared_descriptor(op),
            "nvvm.mbarrier.wait" => self.wait(op),
            "nvvm.mbarrier.txn" => self.transaction(op),
            "nvvm.tensormap.cp_fenceproxy" => self.copy_tensor_map(op),
            "nvvm.atomic.rmw" | "nvvm.red" => self.atomic(op),
            _ => return None,
        })
    }

    fn give_back(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let text = match op.operands.as_slice() {
            [] => "ret void".to_owned(),
            [value] => {
                let known = self.known(value)?;
                if known.ty != self.result {
                    let message = format!("the function gives {}, not {}", self.result, known.ty);
                    return Err(Problem::wrong(message));
                }
                format!("ret {}", self.typed(value)?)
            }
            _ => return Err(Problem::wrong("a function gives one value")),
        };
        self.write(&text);
        Ok(())
    }

    fn element_address(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let indices = op.attrs.get("rawConstantIndices").and_then(Attr::numbers);
        let element = op.attrs.get("elem_type").and_then(Attr::ty);
        let (Some(indices), Some(element), Some(base)) = (indices, element, op.operands.first())
        else {
            return Err(Problem::wrong("the base, indices or the type are missing"));
        };
        let mut text = format!(
            "getelementptr{} {element}, {}",
            wrap_flags(op),
            self.typed(base)?
        );
        let mut dynamic = op.operands[1..].iter();
        for index in indices {
            if index != DYNAMIC {
                let _ = write!(text, ", i32 {index}");
                continue;
            }
            let Some(operand) = dynamic.next() else {
                return Err(Problem::wrong("there are fewer values than indices"));
            };
            let _ = write!(text, ", {}", self.typed(operand)?);
        }
        if dynamic.next().is_some() {
            return Err(Problem::wrong("there are more values than indices"));
        }
        self.write_result(op, &text);
        Ok(())
    }

    /// Writes an instruction with the result of the operation, if it has one.
    pub(super) fn write_result(&mut self, op: &Op<'t>, text: &str) {
        match op.result_types.is_empty() {
            true => self.write(text),
            false => {
                let name = self.result_name(op);
                self.write(&format!("{name} = {text}"));
            }
        }
    }

    fn switch(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let Some(value) = op.operands.first() else {
            return Err(Problem::wrong("the value is missing"));
        };
        let cases = self.cases(op, &self.known(value)?.ty)?;
        if cases.len() + 1 != op.successors.len() {
            return Err(Problem::wrong(
                "there is one block for each case, and one more",
            ));
        }
        let ty = self.known(value)?.ty.clone();
        let mut text = format!(
            "switch {}, label {} [",
            self.typed(value)?,
            self.target(op, 0)?
        );
        for (i, case) in cases.iter().enumerate() {
            let _ = write!(text, " {ty} {case}, label {}", self.target(op, i + 1)?);
        }
        let weights = self.field(op, "weights")?;
        let _ = write!(text, " ]{weights}");
        self.write(&text);
        Ok(())
    }

    /// The values of the cases of a switch.
    fn cases(&self, op: &Op<'_>, ty: &Type) -> Outcome<Vec<String>> {
        match op.attrs.get("case_values") {
            None => Ok(Vec::new()),
            Some(Attr::Array(values)) => {
                let values = values.iter();
                let values = values.map(|value| Ok(Constant::of_attribute(value, ty)?.text()));
                values.collect()
            }
            Some(Attr::Dense(values, Some(own))) if own.leaf() == ty => {
                constant::elements(values, own)
            }
            Some(_) => Err(Problem::wrong(format!(
                "`case_values` is a list of {ty}, such as `dense<[1, 2]> : vector<2x{ty}>`"
            ))),
        }
    }

    /// Arguments with their types and attributes.
    fn call_arguments(&self, op: &'t Op<'t>, from: usize) -> Outcome<String> {
        let mut args = Vec::new();
        attribute::check_lists(op, op.operands.len() - from)?;
        for (i, operand) in op.operands.iter().skip(from).enumerate() {
            let known = self.known(operand)?;
            let attrs = attribute::of_argument(op, "arg_attrs", i)?;
            args.push(format!("{}{attrs} {}", known.ty, known.text));
        }
        Ok(args.join(", "))
    }

    /// How exactly a call computes; one that gives no floats has nothing to say about that.
    fn call_flags(&self, op: &Op<'_>) -> String {
        match op.result_types.first().map(Type::leaf) {
            Some(Type::Float(_)) => super::field::fast_math(op.attrs.get("fastmathFlags")),
            _ => String::new(),
        }
    }

    fn call(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let callee = op.attrs.get("callee").and_then(Attr::symbol);
        let (callee, from) = match (callee, op.operands.first()) {
            (Some(name), _) => (format!("@{}", quoted(name)), 0),
            (None, Some(operand)) => (self.known(operand)?.text.clone(), 1),
            (None, None) => return Err(Problem::wrong("it does not say what is called")),
        };
        let args = self.call_arguments(op, from)?;
        let declared = op.attrs.get("callee").and_then(Attr::symbol);
        let declared = declared.and_then(|name| self.out.signatures.get(name).copied());
        let written = op.attrs.get("var_callee_type").and_then(Attr::ty);
        let ty = match written.or(declared) {
            Some(Type::Function(signature)) if signature.variadic => {
                Type::Function(signature.clone()).to_string()
            }
            _ => op
                .result_types
                .first()
                .map_or("void".to_owned(), Type::to_string),
        };
        let tail = match op.attrs.word("TailCallKind") {
            Some(word @ ("tail" | "musttail" | "notail")) => format!("{word} "),
            _ => String::new(),
        };
        let mut after = attribute::memory(&op.attrs)?;
        for (name, word) in [
            ("convergent", "convergent "),
            ("no_unwind", "nounwind "),
            ("will_return", "willreturn "),
            ("no_inline", "noinline "),
            ("always_inline", "alwaysinline "),
            ("inline_hint", "inlinehint "),
        ] {
            if op.attrs.flag(name) {
                after.push_str(word);
            }
        }
        let text = format!(
            "{tail}call{} {}{} {ty} {callee}({args}) {after}",
            self.call_flags(op),
            attribute::convention(&op.attrs, "CConv", false)?,
            attribute::of_argument(op, "res_attrs", 0)?.trim_start(),
        );
        self.write_result(op, text.trim_end());
        Ok(())
    }

    fn call_intrinsic(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let Some(name) = op.attrs.string("intrin") else {
            return Err(Problem::wrong("`intrin` is missing"));
        };
        let name = String::from_utf8_lossy(name);
        let args = self.call_arguments(op, 0)?;
        let ty = op
            .result_types
            .first()
            .map_or("void".to_owned(), Type::to_string);
        let types: Vec<Type> = op
            .operands
            .iter()
            .map(|operand| self.known(operand).map(|known| known.ty.clone()))
            .collect::<Outcome<_>>()?;
        let name = super::overload::full_name(&name, &types, op.result_types.first());
        let flags = super::field::fast_math(op.attrs.get("fastmathFlags"));
        let attrs = attribute::of_argument(op, "res_attrs", 0)?;
        let text = format!(
            "call{flags}{attrs} {ty} @{}({args})",
            quoted(name.as_bytes())
        );
        self.write_result(op, &text);
        Ok(())
    }

    fn shuffle(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let mask = op.attrs.get("mask").and_then(Attr::numbers);
        let (Some(mask), [left, right]) = (mask, op.operands.as_slice()) else {
            return Err(Problem::wrong("it takes two vectors and `mask`"));
        };
        let lanes: Vec<String> = mask
            .iter()
            .map(|lane| match lane {
                -1 => "i32 poison".to_owned(),
                lane => format!("i32 {lane}"),
            })
            .collect();
        let text = format!(
            "shufflevector {}, {}, <{} x i32> <{}>",
            self.typed(left)?,
            self.typed(right)?,
            lanes.len(),
            lanes.join(", ")
        );
        self.write_result(op, &text);
        Ok(())
    }

    fn inline_asm(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (Some(text), Some(constraints)) = (
            op.attrs.string("asm_string"),
            op.attrs.string("constraints"),
        ) else {
            return Err(Problem::wrong("the text or its constraints are missing"));
        };
        let mut words = String::new();
        if op.attrs.flag("has_side_effects") {
            words.push_str("sideeffect ");
        }
        if op.attrs.flag("is_align_stack") {
            words.push_str("alignstack ");
        }
        if op.attrs.word("asm_dialect") == Some("intel") {
            words.push_str("inteldialect ");
        }
        let mut args = Vec::new();
        for (i, operand) in op.operands.iter().enumerate() {
            let known = self.known(operand)?;
            let attrs = attribute::of_argument(op, "operand_attrs", i)?;
            args.push(format!("{}{attrs} {}", known.ty, known.text));
        }
        let ty = match op.result_types.is_empty() {
            true => &Type::Void,
            false => result_type(op)?,
        };
        let tail = match op.attrs.word("tail_call_kind") {
            Some(word @ ("tail" | "musttail" | "notail")) => format!("{word} "),
            _ => String::new(),
        };
        let call = format!(
            "{tail}call {ty} asm {words}{}, {}({})",
            quoted(text),
            quoted(constraints),
            args.join(", ")
        );
        self.write_result(op, &call);
        Ok(())
    }
}
