//! Names of the intrinsics for matrices, which follow from shapes and types; `wgmma`, which has no intrinsic.

use super::asm::register;
use super::function::Writer;
use super::operands::Groups;
use super::template::result_type;
use super::{Outcome, Problem};
use crate::table;
use crate::tree::{Attr, Op, Use};
use crate::types::{Float, Type, quoted};
use std::fmt::Write;

/// The numbers of `<m = 16, n = 8, k = 16>`; `k` is missing in some.
fn shape(op: &Op<'_>) -> Outcome<(u32, u32, Option<u32>)> {
    let wrong = || Problem::wrong("`shape` is `<m = …, n = …, k = …>`");
    let Some(Attr::Dialect(_, body)) = op.attrs.get("shape") else {
        return Err(wrong());
    };
    let body = body
        .trim_start_matches("shape")
        .trim_matches(['<', '>', ' ']);
    let number = |wanted: &str| {
        body.split(',').find_map(|part| {
            let (name, number) = part.split_once('=')?;
            (name.trim() == wanted).then(|| number.trim().parse().ok())?
        })
    };
    match (number("m"), number("n")) {
        (Some(m), Some(n)) => Ok((m, n, number("k"))),
        _ => Err(wrong()),
    }
}

fn shape_text(op: &Op<'_>) -> Outcome<String> {
    let (m, n, k) = shape(op)?;
    Ok(match k {
        Some(k) => format!("m{m}n{n}k{k}"),
        None => format!("m{m}n{n}"),
    })
}

impl<'o, 't> Writer<'o, 't> {
    /// Fields of names that take some reckoning.
    pub(super) fn matrix_field(
        &self,
        op: &'t Op<'t>,
        how: &str,
        name: &str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        match how {
            "shape" => shape_text(op),
            "tensor_shape" => {
                let ty = match groups.one(name) {
                    Some(operand) => self.known(operand)?.ty.clone(),
                    None => result_type(op)?.clone(),
                };
                let registers = ty.element().map_or(1, |(len, _)| len);
                let word = op.attrs.word("shape").unwrap_or_default();
                // Registers of a thread for each repetition.
                let (shape, each) = match word {
                    "shape_16x64b" => ("16x64b", 1),
                    "shape_16x128b" => ("16x128b", 2),
                    "shape_16x256b" => ("16x256b", 4),
                    "shape_32x32b" => ("32x32b", 1),
                    "shape_16x32bx2" => ("16x32bx2", 1),
                    _ => return Err(Problem::wrong("there is no such shape")),
                };
                Ok(format!("{shape}.x{}", registers / each))
            }
            _ => Err(Problem::wrong(format!("its row speaks of `{how}`"))),
        }
    }

    /// `nvvm.mma.*`: the products of a warp.
    pub(super) fn matrix_product(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let row = table::row_of(op.name);
        let groups = Groups::of(op, row.ok_or_else(|| Problem::wrong("it has no row"))?)?;
        let part = |name: &str| groups.get(name).unwrap_or_default();
        let (a, b, c) = (part("operandA"), part("operandB"), part("operandC"));
        let sparse = op.name.contains(".sp.");
        let scaled = op.name.ends_with("block_scale");
        let type_a = self.multiplicand(op, "multiplicandAPtxType", a)?;
        let type_b = self.multiplicand(op, "multiplicandBPtxType", b)?;
        let of_sum = self.element_word(c)?;
        let of_result = match result_type(op)? {
            Type::Struct { fields, .. } => fields.first().map_or("", accumulator),
            ty => accumulator(ty),
        };
        let mut name = String::from("llvm.nvvm.mma");
        match op.attrs.word("b1Op") {
            Some("xor_popc") => name.push_str(".xor.popc"),
            Some("and_popc") => name.push_str(".and.popc"),
            _ => {}
        }
        if sparse {
            name.push_str(".sp");
        }
        if op.attrs.flag("orderedMetadata") && !scaled {
            name.push_str(".ordered.metadata");
        }
        if scaled {
            name.push_str(".block.scale");
        }
        let layout = |name: &str, default: &'static str| op.attrs.word(name).unwrap_or(default);
        let _ = write!(
            name,
            ".{}.{}.{}",
            shape_text(op)?,
            layout("layoutA", "row"),
            layout("layoutB", "col")
        );
        if op.attrs.word("intOverflowBehavior") == Some("satfinite") {
            name.push_str(".satfinite");
        }
        if scaled {
            let size = match op.attrs.word("scaleVecSize") {
                Some("x1") => "1x",
                Some("x2") => "2x",
                Some("x4") => "4x",
                _ => return Err(Problem::wrong("`scaleVecSize` is x1, x2 or x4")),
            };
            let kind = op.attrs.word("kind").unwrap_or_default();
            let format = op.attrs.word("blockScaleFormat").unwrap_or_default();
            // The size that is the only one of its kind is not said.
            let size = match kind {
                "mxf8f6f4" => String::new(),
                _ => format!(".scale.{size}"),
            };
            let _ = write!(
                name,
                ".{kind}{size}.{of_sum}.{type_a}.{type_b}.{of_result}.{format}"
            );
        } else if let Some(kind) = op.attrs.word("kind") {
            let kind = kind.replace("f8f6f4", "kind.f8f6f4");
            let _ = write!(name, ".{kind}.{of_result}.{type_a}.{type_b}.{of_sum}");
        } else {
            match type_a.as_str() {
                "f16" => {
                    let _ = write!(name, ".{of_result}.{of_sum}");
                }
                "e4m3" | "e5m2" | "e3m2" | "e2m3" | "e2m1" => {
                    let _ = write!(name, ".{of_result}.{type_a}.{type_b}.{of_sum}");
                }
                _ => {
                    let _ = write!(name, ".{type_a}");
                    if type_a != type_b {
                        let _ = write!(name, ".{type_b}");
                    }
                }
            }
        }
        let mut args = Vec::new();
        for operand in &op.operands {
            args.push(self.typed(operand)?);
        }
        let text = format!("call {} @{name}({})", result_type(op)?, args.join(", "));
        self.write_result(op, &text);
        Ok(())
    }

    /// The type of a factor as PTX names it: as it is said, or as the values have it.
    fn multiplicand(&self, op: &Op<'_>, name: &str, uses: &[Use<'t>]) -> Outcome<String> {
        if let Some(word) = op.attrs.word(name) {
            return Ok(word.to_owned());
        }
        let word = self.element_word(uses)?;
        match word {
            "f16" | "f64" | "tf32" | "bf16" => Ok(word.to_owned()),
            "f32" => Ok("tf32".to_owned()),
            _ => Err(Problem::wrong(format!(
                "`{name}` must say what the bits are"
            ))),
        }
    }

    fn element_word(&self, uses: &[Use<'t>]) -> Outcome<&'static str> {
        match uses.first() {
            Some(operand) => Ok(accumulator(&self.known(operand)?.ty)),
            None => Err(Problem::wrong("a matrix is missing")),
        }
    }

    /// `nvvm.wgmma.mma_async`: inline PTX, as MLIR lowers it.
    pub(super) fn group_product(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let [inouts, left, right] = op.operands.as_slice() else {
            return Err(Problem::wrong("it has three operands"));
        };
        let Type::Struct { fields, .. } = self.known(inouts)?.ty.clone() else {
            return Err(Problem::wrong("the sums are a structure"));
        };
        let word = |name: &str| op.attrs.word(name).unwrap_or_default();
        let (a, b, d) = (word("typeA"), word("typeB"), word("typeD"));
        let ty = Type::Struct {
            packed: false,
            fields: fields.clone(),
        };
        let sums = self.known(inouts)?.text.clone();
        let mut args = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            let name = self.fresh();
            self.write(&format!("{name} = extractvalue {ty} {sums}, {i}"));
            args.push(format!("{field} {name}"));
        }
        let mut constraints = Vec::new();
        for field in fields.iter() {
            constraints.push(format!("={}", register(field)?));
        }
        let count = fields.len();
        constraints.extend((0..count).map(|i| i.to_string()));
        for descriptor in [left, right] {
            constraints.push("l".to_owned());
            args.push(self.typed(descriptor)?);
        }
        let mut constant = |value: i32| {
            constraints.push("n".to_owned());
            args.push(format!("i32 {value}"));
        };
        constant(i32::from(word("scaleD") == "one"));
        let places: Vec<String> = (0..count).map(|i| format!("${i}")).collect();
        let at = 2 * count;
        let mut text = format!(
            "{{\n.reg .pred p;\nsetp.ne.b32 p, ${}, 0;\nwgmma.mma_async.sync.aligned.{}.{d}.{a}.{b}{} {{{}}}, ${at}, ${}, p",
            at + 2,
            shape_text(op)?,
            match word("satfinite") {
                "satfinite" => ".satfinite",
                _ => "",
            },
            places.join(", "),
            at + 1
        );
        // Integers are not scaled, and only halves may lie transposed.
        if d != "s32" {
            let sign = |name: &str| if word(name) == "neg" { -1 } else { 1 };
            constant(sign("scaleA"));
            constant(sign("scaleB"));
            let _ = write!(text, ", ${},  ${}", at + 3, at + 4);
            if matches!(a, "f16" | "bf16") {
                // A is stored by rows and B by columns where nothing is transposed.
                constant(i32::from(word("layoutA") == "col"));
                constant(i32::from(word("layoutB") == "row"));
                let _ = write!(text, ", ${},  ${}", at + 5, at + 6);
            }
        }
        text.push_str(";\n}\n");
        let call = format!(
            "call {ty} asm sideeffect {}, {}({})",
            quoted(text.as_bytes()),
            quoted(constraints.join(",").as_bytes()),
            args.join(", ")
        );
        self.write_result(op, &call);
        Ok(())
    }

    /// `nvvm.tcgen05.mma_smem_desc`: a descriptor put together from its fields.
    pub(super) fn shared_descriptor(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        // Width and place of each field; after the third stands the version, 1.
        const FIELDS: [(u32, u32); 6] = [(14, 0), (14, 16), (14, 32), (3, 49), (1, 52), (3, 61)];
        if op.operands.len() != FIELDS.len() {
            return Err(Problem::wrong("it has six operands"));
        }
        let mut whole = "0".to_owned();
        for (i, (operand, (width, place))) in op.operands.iter().zip(FIELDS).enumerate() {
            let known = self.known(operand)?.clone();
            let mut part = known.text;
            match known.ty {
                Type::Int(32) => {}
                Type::Int(1 | 8) => {
                    let name = self.fresh();
                    self.write(&format!("{name} = zext {} {part} to i32", known.ty));
                    part = name;
                }
                ty => return Err(Problem::wrong(format!("a field cannot be {ty}"))),
            }
            let (masked, wide, moved) = (self.fresh(), self.fresh(), self.fresh());
            self.write(&format!(
                "{masked} = and i32 {part}, {}",
                (1u32 << width) - 1
            ));
            self.write(&format!("{wide} = zext i32 {masked} to i64"));
            self.write(&format!("{moved} = shl i64 {wide}, {place}"));
            let name = match i + 1 == FIELDS.len() {
                true => self.result_name(op),
                false => self.fresh(),
            };
            self.write(&format!("{name} = or i64 {whole}, {moved}"));
            whole = name;
            if i == 2 {
                let name = self.fresh();
                self.write(&format!("{name} = or i64 {whole}, {}", 1u64 << 46));
                whole = name;
            }
        }
        Ok(())
    }
}

/// The type of an element of a sum as PTX names it.
fn accumulator(ty: &Type) -> &'static str {
    match ty {
        Type::Vector { of, .. } => accumulator(of),
        Type::Float(Float::F16) => "f16",
        Type::Float(Float::Bf16) => "bf16",
        Type::Float(Float::F32) => "f32",
        Type::Float(Float::F64) => "f64",
        _ => "s32",
    }
}
