//! Arithmetic of numbers: which of `ptx-eval`'s operations an instruction is, and how its operands are read.
//!
//! The hardware's special functions are tables; here they are the true value, rounded, as `ptx-eval` has them. Results
//! of `MUFU` may thus differ from a chip's in the last bit or two; what ptxas makes of them (division, roots) is exact
//! on both.

use crate::convert::{between, from_integer, pack, pack_integers, round, to_integer};
use crate::find::{combine, field};
use crate::op::{Combine, What};
use crate::operand::{Args, In};
use smallvec::{SmallVec, smallvec};
use warpc_ptx_eval::{Comparison, Operation, named, named_comparison};
use warpc_sass::{Inst, Marks};

/// How an operand is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// 32 bits.
    Word,
    /// 64 bits.
    Long,
    /// Single precision, with a sign.
    Single,
    /// Double precision, with a sign; a number is the upper half.
    Double,
    /// A pair of halves, of which one may be taken for both.
    Pair(Pick),
    /// One half of a pair, with a sign.
    Half(Pick),
    /// Bits from one on, so many, with or without a sign.
    Part { shift: u32, bits: u32, signed: bool },
    /// The upper word of a number of double precision.
    Upper,
}

/// Which half of a pair is taken for both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Pick {
    Both,
    Low,
    High,
    /// `H0_NH1`: the lower one above, the upper one negated below, as of a complex number times i.
    Turned,
}

/// Where a result goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Output {
    /// A register.
    Word,
    /// Two registers.
    Long,
    /// The upper word goes to a register.
    Upper,
    /// The lower half of a register.
    Half,
}

/// An operation on operands.
pub(crate) struct Compute {
    pub(crate) operation: Operation,
    pub(crate) inputs: SmallVec<[(Kind, In); 3]>,
    pub(crate) output: Output,
}

/// A comparison of numbers.
pub(crate) struct Compare {
    /// Nothing where the answer does not depend on them.
    pub(crate) test: Result<Comparison, bool>,
    pub(crate) inputs: [(Kind, In); 2],
    pub(crate) combine: Combine,
    pub(crate) result: CompareResult,
}

/// What becomes of a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum CompareResult {
    /// The predicate and its contrary.
    Predicates,
    /// One predicate for each half.
    Halves,
    /// The predicate of both halves and its contrary.
    BothHalves,
    /// 1.0 or 0 in a register.
    Single,
    /// In each half: these bits, or zero.
    Pair(u32),
    /// Which of two is the least, and whether there is a NaN.
    Extreme { most: bool },
}

/// The operation of an instruction on numbers.
pub(crate) fn find(inst: &Inst, args: &Args) -> Option<What> {
    let opcode = inst.shape.opcode();
    let has = |modifier: &str| inst.shape.has(modifier);
    // Scales of products, and zeros that win over infinities, are not made by ptxas from PTX.
    let is_rare = ["FMZ", "D2", "D4", "D8", "M2", "M4", "M8"]
        .iter()
        .any(|one| has(one));
    if is_rare {
        return None;
    }
    match opcode {
        "FADD" => single(inst, args, "add"),
        "FMUL" => single(inst, args, "mul"),
        "FFMA" => single(inst, args, "fma"),
        "DADD" => double(inst, args, "add"),
        "DMUL" => double(inst, args, "mul"),
        "DFMA" => double(inst, args, "fma"),
        "FMNMX" => least_single(inst, args),
        "FSETP" => compare(inst, args, Kind::Single, "f32", CompareResult::Predicates),
        "FSET" => compare(inst, args, Kind::Single, "f32", CompareResult::Single),
        "DSETP" => compare(inst, args, Kind::Double, "f64", CompareResult::Predicates),
        "FCHK" => Some(What::CheckDivision),
        "MUFU" => function(inst, args),
        "I2F" | "I2FP" => from_integer(inst, args),
        "F2I" => to_integer(inst, args),
        "F2F" => between(inst, args),
        "FRND" => round(inst, args),
        "F2FP" => pack(inst, args),
        "F2IP" => pack_integers(inst, args, true),
        "I2IP" => pack_integers(inst, args, false),
        "HADD2" | "HMUL2" | "HFMA2" => halves(inst, args),
        "HMNMX2" => least_pair(inst, args),
        "HSETP2" | "HSET2" => compare_pair(inst, args),
        _ => None,
    }
}

pub(crate) fn rounding(inst: &Inst) -> &'static str {
    let found = inst.shape.modifiers().find_map(|one| match one {
        "RM" => Some("rm"),
        "RP" => Some("rp"),
        "RZ" => Some("rz"),
        _ => None,
    });
    found.unwrap_or("rn")
}

/// `.ftz`, `.sat`, `.relu` where the instruction has them.
fn flags(inst: &Inst) -> String {
    let mut text = String::new();
    for (modifier, flag) in [
        ("FTZ", ".ftz"),
        ("SAT", ".sat"),
        ("RELU", ".relu"),
        ("NAN", ".NaN"),
    ] {
        if inst.shape.has(modifier) {
            text.push_str(flag);
        }
    }
    text
}

pub(crate) fn operands(args: &Args, kind: Kind, count: usize) -> SmallVec<[(Kind, In); 3]> {
    (0..count).map(|index| (kind, args.source(index))).collect()
}

pub(crate) fn made(
    name: &str,
    inputs: SmallVec<[(Kind, In); 3]>,
    output: Output,
) -> Option<Compute> {
    let operation = named(name)?;
    (operation.sources == inputs.len()).then_some(Compute {
        operation,
        inputs,
        output,
    })
}

fn single(inst: &Inst, args: &Args, name: &str) -> Option<What> {
    let count = if name == "fma" { 3 } else { 2 };
    let name = format!("{name}.{}{}.f32", rounding(inst), flags(inst));
    let compute = made(&name, operands(args, Kind::Single, count), Output::Word)?;
    Some(What::Compute(compute))
}

fn double(inst: &Inst, args: &Args, name: &str) -> Option<What> {
    let count = if name == "fma" { 3 } else { 2 };
    let name = format!("{name}.{}.f64", rounding(inst));
    let compute = made(&name, operands(args, Kind::Double, count), Output::Long)?;
    Some(What::Compute(compute))
}

/// With `XORSIGN`, the signs that count are those under the bars, with which ptxas writes both operands.
fn keep_signs(inputs: &mut [(Kind, In)], is_needed: bool) {
    if is_needed {
        for (_, source) in inputs {
            source.marks = Marks(source.marks.0 & !Marks::BARS.0);
        }
    }
}

fn least_single(inst: &Inst, args: &Args) -> Option<What> {
    if inst.shape.has("IS_A") {
        return None;
    }
    let sign = if inst.shape.has("XORSIGN") {
        ".xorsign.abs"
    } else {
        ""
    };
    let one = |name: &str| {
        let name = format!("{name}{}{sign}.f32", flags(inst));
        let mut inputs = operands(args, Kind::Single, 2);
        keep_signs(&mut inputs, !sign.is_empty());
        made(&name, inputs, Output::Word)
    };
    Some(What::Least {
        least: one("min")?,
        most: one("max")?,
    })
}

/// The comparison of an instruction in a type.
fn test(inst: &Inst, ty: &str) -> Option<Result<Comparison, bool>> {
    let relation = inst.shape.modifiers().find(|one| {
        let known = [
            "F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU",
            "NEU", "GEU", "T",
        ];
        known.contains(one)
    })?;
    let ftz = match ty {
        "f32" | "f16" if inst.shape.has("FTZ") => ".ftz",
        _ => "",
    };
    Some(match relation {
        "F" => Err(false),
        "T" => Err(true),
        relation => Ok(named_comparison(&format!(
            "setp.{}{ftz}.{ty}",
            relation.to_lowercase()
        ))?),
    })
}

fn compare(inst: &Inst, args: &Args, kind: Kind, ty: &str, result: CompareResult) -> Option<What> {
    let inputs = [(kind, args.source(0)), (kind, args.source(1))];
    let combine = combine(inst)?;
    let most = inst.shape.has("MAX");
    if ty == "f64" && (most || inst.shape.has("MIN")) {
        return Some(What::CompareNumbers(Compare {
            test: Ok(named_comparison(if most {
                "setp.gt.f64"
            } else {
                "setp.lt.f64"
            })?),
            inputs,
            combine,
            result: CompareResult::Extreme { most },
        }));
    }
    Some(What::CompareNumbers(Compare {
        test: test(inst, ty)?,
        inputs,
        combine,
        result,
    }))
}

/// Bits of 1.0 in each half.
const ONES_HALF: u32 = 0x3c00_3c00;
const ONES_BRAIN: u32 = 0x3f80_3f80;

fn compare_pair(inst: &Inst, args: &Args) -> Option<What> {
    let brain = inst.shape.has("BF16_V2");
    let ty = if brain { "bf16" } else { "f16" };
    let pair = |index: usize| {
        let source = args.source(index);
        Some((Kind::Pair(pick(inst, &source, index)?), source))
    };
    let ones = match (inst.shape.has("BF"), brain) {
        (false, _) => u32::MAX,
        (true, false) => ONES_HALF,
        (true, true) => ONES_BRAIN,
    };
    let result = match inst.shape.opcode() {
        "HSET2" => CompareResult::Pair(ones),
        _ if inst.shape.has("H_AND") => CompareResult::BothHalves,
        _ => CompareResult::Halves,
    };
    let inputs: Option<[(Kind, In); 2]> = (|| Some([pair(0)?, pair(1)?]))();
    Some(What::CompareNumbers(Compare {
        test: test(inst, ty)?,
        inputs: inputs?,
        combine: combine(inst)?,
        result,
    }))
}

/// The fields that say which half of an operand is taken: of the first, of what stands at bit 32, at bit 64.
const PICK_FIRST: (u32, u128) = (74, 3);
const PICK_LOW: (u32, u128) = (60, 3);
const PICK_FAR: (u32, u128) = (81, 3);
/// The bit that turns the halves of a factor.
const TURNED: (u32, u128) = (86, 1);

/// Which half of an operand is taken.
fn pick(inst: &Inst, source: &In, index: usize) -> Option<Pick> {
    use crate::operand::From;
    let base = inst.shape.base();
    if inst.shape.has("MMA") || matches!(source.from, From::Number(_)) {
        return Some(Pick::Both);
    }
    let field = match (index, source.bit) {
        (0, _) => PICK_FIRST,
        (_, 64) => PICK_FAR,
        _ => PICK_LOW,
    };
    // Only factors have it, for products of complex numbers.
    let is_factor = inst.shape.opcode() == "HFMA2" && index == 1;
    match field::get(base, field) {
        0 if is_factor && field::get(base, TURNED) == 1 => Some(Pick::Turned),
        0 => Some(Pick::Both),
        2 => Some(Pick::Low),
        3 => Some(Pick::High),
        _ => None,
    }
}

fn halves(inst: &Inst, args: &Args) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let brain = has("BF16_V2");
    if has("F32") {
        return sum_of_halves(inst, args);
    }
    let (name, count) = match inst.shape.opcode() {
        "HADD2" => ("add", 2),
        "HMUL2" => ("mul", 2),
        _ => ("fma", 3),
    };
    let ty = if brain { "bf16x2" } else { "f16x2" };
    let mut inputs = SmallVec::new();
    for index in 0..count {
        let source = args.source(index);
        inputs.push((Kind::Pair(pick(inst, &source, index)?), source));
    }
    // The predicate of a limit is always true in what ptxas makes.
    if has("RELU") && args.t.iter().any(|one| one.number != 7) {
        return None;
    }
    let outside = if has("OOB") { ".oob" } else { "" };
    let name = format!("{name}.rn{outside}{}.{ty}", flags(inst));
    Some(What::Compute(made(&name, inputs, Output::Word)?))
}

/// `HADD2.F32`: a sum of two halves in single precision.
fn sum_of_halves(inst: &Inst, args: &Args) -> Option<What> {
    if inst.shape.opcode() != "HADD2" || inst.shape.has("SAT") {
        return None;
    }
    let mut inputs: SmallVec<[(Kind, In); 3]> = SmallVec::new();
    for index in 0..2 {
        let source = args.source(index);
        let pick = match pick(inst, &source, index)? {
            Pick::Both => Pick::Low,
            other => other,
        };
        inputs.push((Kind::Half(pick), source));
    }
    let widen = named("cvt.f32.f16")?;
    let add = named(&format!("add.rn{}.f32", flags(inst)))?;
    let operation = Operation::general(2, 1, move |sources, results| {
        let mut wide = [0; 2];
        for (source, wide) in sources.iter().zip(&mut wide) {
            let mut one = [0];
            widen.run(&[*source], &mut one);
            *wide = one[0];
        }
        add.run(&wide, results);
    });
    Some(What::Compute(Compute {
        operation,
        inputs,
        output: Output::Word,
    }))
}

fn least_pair(inst: &Inst, args: &Args) -> Option<What> {
    if inst.shape.has("IS_A") {
        return None;
    }
    let ty = if inst.shape.has("BF16_V2") {
        "bf16x2"
    } else {
        "f16x2"
    };
    let sign = if inst.shape.has("XORSIGN") {
        ".xorsign.abs"
    } else {
        ""
    };
    let one = |name: &str| {
        let mut inputs = SmallVec::new();
        for index in 0..2 {
            let source = args.source(index);
            inputs.push((Kind::Pair(pick(inst, &source, index)?), source));
        }
        keep_signs(&mut inputs, !sign.is_empty());
        made(
            &format!("{name}{}{sign}.{ty}", flags(inst)),
            inputs,
            Output::Word,
        )
    };
    Some(What::Least {
        least: one("min")?,
        most: one("max")?,
    })
}

/// The sine of a number of turns, as the unit has it.
fn sine(turns: u64) -> u64 {
    circular(turns, f64::sin)
}

fn cosine(turns: u64) -> u64 {
    circular(turns, f64::cos)
}

fn circular(turns: u64, function: fn(f64) -> f64) -> u64 {
    let turns = f32::from_bits(turns as u32);
    // What is a subnormal number counts as zero, and a whole turn changes nothing.
    let turns = if turns.is_subnormal() { 0.0 } else { turns };
    let part = f64::from(turns).rem_euclid(1.0);
    let value = function(part * std::f64::consts::TAU) as f32;
    match value.is_nan() {
        true => 0x7fff_ffff,
        false if value.is_subnormal() => 0,
        false => u64::from(value.to_bits()),
    }
}

fn function(inst: &Inst, args: &Args) -> Option<What> {
    let mut modifiers = inst.shape.modifiers();
    let name = modifiers.next()?;
    let format = modifiers.next();
    let source = args.source(0);
    let half = |ty: &str| -> Option<Compute> {
        let name = match name {
            "EX2" => "ex2.approx",
            "TANH" => "tanh.approx",
            _ => return None,
        };
        let flush = if ty == "bf16" && name == "ex2.approx" {
            ".ftz"
        } else {
            ""
        };
        let pick = match field::get(inst.shape.base(), field::PART) {
            0 => Pick::Low,
            _ => Pick::High,
        };
        made(
            &format!("{name}{flush}.{ty}"),
            smallvec![(Kind::Half(pick), source)],
            Output::Half,
        )
    };
    let one = |operation: Operation, kind: Kind, output: Output| Compute {
        operation,
        inputs: smallvec![(kind, source)],
        output,
    };
    let unit = |name: &str| {
        Some(one(
            named(&format!("{name}.approx.ftz.f32"))?,
            Kind::Single,
            Output::Word,
        ))
    };
    Some(What::Compute(match (name, format) {
        (_, Some("F16")) => half("f16")?,
        (_, Some("BF16")) => half("bf16")?,
        (_, Some(_)) => return None,
        ("RCP", _) => unit("rcp")?,
        ("RSQ", _) => unit("rsqrt")?,
        ("SQRT", _) => unit("sqrt")?,
        ("EX2", _) => unit("ex2")?,
        ("LG2", _) => unit("lg2")?,
        ("TANH", _) => one(named("tanh.approx.f32")?, Kind::Single, Output::Word),
        ("SIN", _) => one(Operation::one(sine), Kind::Single, Output::Word),
        ("COS", _) => one(Operation::one(cosine), Kind::Single, Output::Word),
        ("RCP64H", _) => one(named("rcp.approx.ftz.f64")?, Kind::Upper, Output::Upper),
        ("RSQ64H", _) => one(named("rsqrt.approx.ftz.f64")?, Kind::Upper, Output::Upper),
        _ => return None,
    }))
}
