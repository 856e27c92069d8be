//! Video instructions: arithmetic on bytes and halves of 32-bit registers.
//!
//! An operand may name the piece of the register that is meant. In the scalar instructions it is
//! one byte or half (`.b2`, `.h1`); written with the destination it asks for a merge with `c`. In
//! the SIMD ones it is a choice from the two sources together (`.h32`, `.b7654`: halves 0 to 3,
//! bytes 0 to 7) or, with the destination, a mask (`.h10`, `.b320`). SIMD instructions take
//! registers only.

use super::gates::ALWAYS;
use crate::inst::{Operand, Part, Sign};
use crate::row::{Row, Set, form, set};
use crate::rule::{RuleView, Violation};

const DTYPE: Set = set("dtype", &[(".u32 .s32", ALWAYS)]);
const ATYPE: Set = set("atype", &[(".u32 .s32", ALWAYS)]);
const BTYPE: Set = set("btype", &[(".u32 .s32", ALWAYS)]);
const OP2: Set = set("op2", &[(".add .min .max", ALWAYS)]);
const MODE: Set = set("mode", &[(".clamp .wrap", ALWAYS)]);
const SCALE: Set = set("scale", &[(".shr7 .shr15", ALWAYS)]);
const CMP: Set = set("cmp", &[(".eq .ne .lt .le .gt .ge", ALWAYS)]);

/// A second operation needs `c`; so does a selector on `d`, which asks for a merge.
const fn scalar(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("d=@dtype a:@atype b:@btype c:dtype")
        .rule(check_scalar)
}

const fn shift(syntax: &'static str) -> Row {
    form(syntax, &[DTYPE, ATYPE, MODE, OP2])
        .operands("d=@dtype a:@atype b:@u32 c:dtype")
        .rule(check_scalar)
}

const fn halves(syntax: &'static str) -> Row {
    form(syntax, &[DTYPE, ATYPE, BTYPE])
        .operands("d=@dtype a:%@atype b:%@btype c:%dtype")
        .rule(check_halves)
}

const fn bytes(syntax: &'static str) -> Row {
    form(syntax, &[DTYPE, ATYPE, BTYPE])
        .operands("d=@dtype a:%@atype b:%@btype c:%dtype")
        .rule(check_bytes)
}

const SCALAR: &[Set] = &[DTYPE, ATYPE, BTYPE, OP2];

/// The section's forms.
pub static ROWS: &[Row] = &[
    scalar("vadd.dtype.atype.btype{.sat}{.op2}  d, a, b{, c}", SCALAR),
    scalar("vsub.dtype.atype.btype{.sat}{.op2}  d, a, b{, c}", SCALAR),
    scalar(
        "vabsdiff.dtype.atype.btype{.sat}{.op2}  d, a, b{, c}",
        SCALAR,
    ),
    scalar("vmin.dtype.atype.btype{.sat}{.op2}  d, a, b{, c}", SCALAR),
    scalar("vmax.dtype.atype.btype{.sat}{.op2}  d, a, b{, c}", SCALAR),
    shift("vshl.dtype.atype.u32{.sat}.mode{.op2}  d, a, b{, c}"),
    shift("vshr.dtype.atype.u32{.sat}.mode{.op2}  d, a, b{, c}"),
    form(
        "vmad.dtype.atype.btype{.po}{.sat}{.scale}  d, a, b, c",
        &[DTYPE, ATYPE, BTYPE, SCALE],
    )
    .operands("d=dtype a:-@atype b:-@btype c:-dtype")
    .rule(check_vmad),
    form(
        "vset.atype.btype.cmp{.op2}  d, a, b{, c}",
        &[ATYPE, BTYPE, CMP, OP2],
    )
    .operands("d=@u32 a:@atype b:@btype c:u32")
    .rule(check_scalar),
    halves("vadd2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vadd2.dtype.atype.btype.add  d, a, b, c"),
    halves("vsub2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vsub2.dtype.atype.btype.add  d, a, b, c"),
    halves("vavrg2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vavrg2.dtype.atype.btype.add  d, a, b, c"),
    halves("vabsdiff2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vabsdiff2.dtype.atype.btype.add  d, a, b, c"),
    halves("vmin2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vmin2.dtype.atype.btype.add  d, a, b, c"),
    halves("vmax2.dtype.atype.btype{.sat}  d, a, b, c"),
    halves("vmax2.dtype.atype.btype.add  d, a, b, c"),
    form(
        "vset2.atype.btype.cmp{.add}  d, a, b, c",
        &[ATYPE, BTYPE, CMP],
    )
    .operands("d=@u32 a:%@atype b:%@btype c:%u32")
    .rule(check_halves),
    bytes("vadd4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vadd4.dtype.atype.btype.add  d, a, b, c"),
    bytes("vsub4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vsub4.dtype.atype.btype.add  d, a, b, c"),
    bytes("vavrg4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vavrg4.dtype.atype.btype.add  d, a, b, c"),
    bytes("vabsdiff4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vabsdiff4.dtype.atype.btype.add  d, a, b, c"),
    bytes("vmin4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vmin4.dtype.atype.btype.add  d, a, b, c"),
    bytes("vmax4.dtype.atype.btype{.sat}  d, a, b, c"),
    bytes("vmax4.dtype.atype.btype.add  d, a, b, c"),
    form(
        "vset4.atype.btype.cmp{.add}  d, a, b, c",
        &[ATYPE, BTYPE, CMP],
    )
    .operands("d=@u32 a:%@atype b:%@btype c:%u32")
    .rule(check_bytes),
];

/// The piece of a register an operand names.
fn part(inst: &RuleView<'_>, name: &str) -> Part {
    match inst.operand(name) {
        Some(Operand::Name { part, .. }) => *part,
        _ => Part::Whole,
    }
}

/// Whether the operand has a minus sign.
fn minus(inst: &RuleView<'_>, name: &str) -> bool {
    matches!(
        inst.operand(name),
        Some(Operand::Name {
            sign: Sign::Minus,
            ..
        })
    )
}

/// One byte or half of a register, or all of it.
fn check_piece(inst: &RuleView<'_>, name: &'static str) -> Result<(), Violation> {
    let (lanes, limit) = match part(inst, name) {
        Part::Bytes(lanes) => (lanes, 4),
        Part::Halves(lanes) => (lanes, 2),
        _ => return Ok(()),
    };
    if lanes.count() == 1 && lanes.numbers().all(|n| n < limit) {
        return Ok(());
    }
    Err(Violation::operand(
        name,
        format!("`{}` is not a piece of a register", part(inst, name)),
    )
    .help("a piece is .b0 .b1 .b2 .b3 .h0 or .h1"))
}

fn check_scalar(inst: &RuleView<'_>) -> Result<(), Violation> {
    for name in ["d", "a", "b"] {
        check_piece(inst, name)?;
    }
    let merge = part(inst, "d").is_selector();
    if merge && inst.has("op2") {
        return Err(Violation::operand(
            "d",
            "a second operation and a merge exclude each other",
        ));
    }
    if (merge || inst.has("op2")) && inst.operand("c").is_none() {
        return Err(Violation::modifiers("the operand `c` is missing"));
    }
    Ok(())
}

/// Either the product or `c` may be negative, neither with `.po`. Two negative factors cancel out.
fn check_vmad(inst: &RuleView<'_>) -> Result<(), Violation> {
    for name in ["a", "b"] {
        check_piece(inst, name)?;
    }
    let product = minus(inst, "a") != minus(inst, "b");
    let c = minus(inst, "c");
    if inst.has("po") && (product || c) {
        return Err(Violation::modifiers("with .po nothing can be negative"));
    }
    if product && c {
        return Err(Violation::operand(
            "c",
            "the product and `c` cannot both be negative",
        ));
    }
    Ok(())
}

fn check_halves(inst: &RuleView<'_>) -> Result<(), Violation> {
    check_lanes(inst, 2, 'h')
}

fn check_bytes(inst: &RuleView<'_>) -> Result<(), Violation> {
    check_lanes(inst, 4, 'b')
}

/// A mask on `d`, numbers falling; for each lane one number on `a` and `b`, from both sources.
fn check_lanes(inst: &RuleView<'_>, width: u8, letter: char) -> Result<(), Violation> {
    for name in ["d", "a", "b"] {
        let lanes = match (part(inst, name), letter) {
            (Part::Whole, _) => continue,
            (Part::Bytes(lanes), 'b') | (Part::Halves(lanes), 'h') => lanes,
            (other, _) => {
                return Err(
                    Violation::operand(name, format!("`{other}` has the wrong size"))
                        .help(format!("write .{letter} and numbers")),
                );
            }
        };
        let fits = if name == "d" {
            let numbers: Vec<u8> = lanes.numbers().collect();
            numbers.iter().all(|&n| n < width) && numbers.windows(2).all(|w| w[0] > w[1])
        } else {
            lanes.count() == usize::from(width) && lanes.numbers().all(|n| n < 2 * width)
        };
        if !fits {
            let help = if name == "d" {
                format!("a mask has falling numbers from {} to 0", width - 1)
            } else {
                format!("a selector has {width} numbers from 0 to {}", 2 * width - 1)
            };
            let message = format!("`{}` does not fit", part(inst, name));
            return Err(Violation::operand(name, message).help(help));
        }
    }
    Ok(())
}
