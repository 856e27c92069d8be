//! Integer arithmetic of 16 to 64 bits; divisions are in `divide.rs`.

use super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    if is_packed(ty) || source.has("relu") {
        return packed(source, code, ty);
    }
    if ty.bits() > 64 {
        return None;
    }
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let wide = ty.bits() == 64;
    match source.opcode() {
        "add" if source.has("sat") => saturated(code, true, a, b),
        "sub" if source.has("sat") => saturated(code, false, a, b),
        "add" if wide => code.add_64(d, a, b),
        "add" => code.step("IADD3 R0, R0, R0, RZ", &[d, a, b]),
        "sub" if wide => code.sub_64(d, a, b),
        "sub" => match source.operand("b").and_then(|b| b.constant()) {
            Some(by) => code.step("IADD3 R0, R0, R0, RZ", &[d, a, number(by.wrapping_neg())]),
            None => code.step("IADD3 R0, R0, -R0, RZ", &[d, a, b]),
        },
        "mad" if source.has("sat") => saturated_sum(source, code),
        "mul" | "mad" => multiply(source, code, ty)?,
        "mul24" | "mad24" => multiply_24(source, code, ty)?,
        "neg" if wide => code.neg_64(d, a),
        "neg" => code.step("IADD3 R0, RZ, -R0, RZ", &[d, a]),
        "abs" => absolute(code, ty),
        "min" => extreme(code, ty, true),
        "max" => extreme(code, ty, false),
        "sad" => difference(code, ty),
        "popc" => population(code, ty),
        "clz" => leading_zeros(code, ty),
        "bfind" => find(source, code, ty),
        "brev" if wide => {
            code.step("BREV R0, R0", &[d.register(0), a.register(1)]);
            code.step("BREV R0, R0", &[d.register(1), a.register(0)]);
        }
        "brev" => code.step("BREV R0, R0", &[d, a]),
        "bfe" => extract(code, ty),
        "bfi" => insert(code, ty),
        "bmsk" => {
            let wrap = if source.has("wrap") { ".W" } else { "" };
            code.step(format!("BMSK{wrap} R0, R0, R0"), &[d, a, b]);
        }
        "szext" => {
            let wrap = if source.has("wrap") { ".W" } else { "" };
            let sign = if is_signed(ty) { "" } else { ".U32" };
            code.step(format!("SGXT{wrap}{sign} R0, R0, R0"), &[d, a, b]);
        }
        "fns" => select_bit(code),
        "dp2a" => {
            let sign = |slot, (signed, unsigned)| {
                let ty = source.choice().scalar(slot)?;
                Some(if is_signed(ty) { signed } else { unsigned })
            };
            let half = if source.has("hi") { "HI" } else { "LO" };
            let (wide, narrow) = (("S16", "U16"), ("S8", "U8"));
            let (first, second) = (sign("atype", wide)?, sign("btype", narrow)?);
            let text = format!("IDP.2A.{half}.{first}.{second} R0, R0, R0, R0");
            code.step(text, &[d, a, b, ptx("c")]);
        }
        "dp4a" => {
            let sign = |slot| {
                Some(if is_signed(source.choice().scalar(slot)?) {
                    "S8"
                } else {
                    "U8"
                })
            };
            let text = format!(
                "IDP.4A.{}.{} R0, R0, R0, R0",
                sign("atype")?,
                sign("btype")?
            );
            code.step(text, &[d, a, b, ptx("c")]);
        }
        _ => return None,
    }
    Some(())
}

/// Two numbers of 16 bits in a register, and the larger one of a number and zero.
fn packed(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let operands = [ptx("d"), ptx("a"), ptx("b")];
    let relu = if source.has("relu") { ".RELU" } else { "" };
    let kind = match ty {
        ScalarType::U16x2 => ".U16x2",
        ScalarType::S16x2 => ".S16x2",
        ScalarType::S32 => "",
        _ => return None,
    };
    let which = match source.opcode() {
        "add" if !kind.is_empty() => {
            code.step("VIADD.16x2 R0, R0, R0", &operands);
            return Some(());
        }
        "min" => "PT",
        "max" => "!PT",
        _ => return None,
    };
    let text = format!("VIMNMX{kind}{relu} R0, R0, R0, {which}");
    code.step(text, &operands);
    Some(())
}

/// Whether a type is several numbers in one register.
fn is_packed(ty: ScalarType) -> bool {
    matches!(
        ty,
        ScalarType::U16x2 | ScalarType::S16x2 | ScalarType::U8x4 | ScalarType::S8x4
    )
}

/// `mad.hi.sat.s32`: the upper half of a product, and a sum that stays in range.
fn saturated_sum(source: &Source, code: &mut Code) {
    let high = code.word();
    code.step("IMAD.HI R0, R0, R0, RZ", &[high, ptx("a"), ptx("b")]);
    debug_assert!(source.has("hi"), "only that product has a saturating sum");
    saturated(code, true, high, ptx("c"));
}

/// `fns`: the number of the bit that is so many set bits above or below a position. A search by halves: whether the bits
/// that are looked for are in the lower half of what is left, by counting them.
fn select_bit(code: &mut Code) {
    let (d, mask, base, offset) = (ptx("d"), ptx("mask"), ptx("base"), ptx("offset"));
    // Downwards is upwards in the reversed word.
    let (down, turned, from, bits, place) = (
        code.flag(),
        code.word(),
        code.word(),
        code.word(),
        code.word(),
    );
    code.step("ISETP.LT.AND P0, PT, R0, RZ, PT", &[down, offset]);
    code.step("BREV R0, R0", &[turned, mask]);
    code.step("SEL R0, R0, R0, P0", &[bits, turned, mask, down]);
    code.step("IADD3 R0, -R0, 0x1f, RZ", &[place, base]);
    code.step("SEL R0, R0, R0, P0", &[from, place, base, down]);
    // Bits from the position on. A distance of 0 asks for the bit itself, which must be set; it counts as the first.
    let (ones, here, count, zero) = (code.word(), code.word(), code.word(), code.flag());
    code.copy(ones, number(-1));
    code.step("SHF.L.U32 R0, R0, R0, RZ", &[here, ones, from]);
    code.step("LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT", &[bits, bits, here]);
    code.step("ISETP.EQ.AND P0, PT, R0, RZ, PT", &[zero, offset]);
    let single = code.word();
    code.copy(single, number(1));
    code.step("SHF.L.U32 R0, R0, R0, RZ", &[single, single, from]);
    let text = "LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT";
    code.guarded(Some((zero, false)), text, &[bits, bits, single]);
    code.step("IABS R0, R0", &[count, offset]);
    code.copy_if(Some((zero, false)), count, number(1));
    let (all, found) = (code.word(), code.flag());
    code.step("POPC R0, R0", &[all, bits]);
    code.step("ISETP.GE.U32.AND P0, PT, R0, R0, PT", &[found, all, count]);
    let result = code.word();
    code.copy(result, number(0));
    for width in [16u32, 8, 4, 2, 1] {
        let (low, below, above) = (code.word(), code.word(), code.flag());
        let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", (1u64 << width) - 1);
        code.step(text, &[low, bits]);
        code.step("POPC R0, R0", &[below, low]);
        code.step(
            "ISETP.GT.U32.AND P0, PT, R0, R0, PT",
            &[above, count, below],
        );
        let when = Some((above, false));
        code.guarded(when, "IADD3 R0, R0, -R0, RZ", &[count, count, below]);
        let text = format!("SHF.R.U32.HI R0, RZ, {width:#x}, R0");
        code.guarded(when, text, &[bits, bits]);
        let text = format!("IADD3 R0, R0, {width:#x}, RZ");
        code.guarded(when, text, &[result, result]);
    }
    let text = "IADD3 R0, -R0, 0x1f, RZ";
    code.guarded(Some((down, false)), text, &[result, result]);
    let (least, otherwise) = (code.flag(), code.word());
    code.step("SEL R0, R0, R0, P0", &[otherwise, result, ones, found]);
    // The distance that has no opposite: what ptxas's code gives.
    let operands = [least, offset, number(0x8000_0000)];
    code.step("ISETP.EQ.AND P0, PT, R0, R0, PT", &operands);
    code.step("SEL R0, RZ, R0, P0", &[d, otherwise, least]);
}

/// `add.sat.s32`, `sub.sat.s32`: where the sign of the sum cannot be right, the number of the first operand's sign that
/// is farthest from zero.
fn saturated(code: &mut Code, adds: bool, a: Operand, b: Operand) {
    saturated_result(code, adds, ptx("d"), a, b);
}

/// The same sum in another place.
pub(super) fn saturated_to(code: &mut Code, d: Operand, a: Operand, b: Operand) {
    saturated_result(code, true, d, a, b);
}

fn saturated_result(code: &mut Code, adds: bool, d: Operand, a: Operand, b: Operand) {
    let (sum, over, limit, flag) = (code.word(), code.word(), code.word(), code.flag());
    // (a ^ sum) & (b ^ sum) for sums, (a ^ b) & (a ^ sum) for differences.
    let table = match adds {
        true => {
            code.step("IADD3 R0, R0, R0, RZ", &[sum, a, b]);
            "LOP3.LUT R0, R0, R0, R0, 0x42, !PT"
        }
        false => {
            code.step("IADD3 R0, R0, -R0, RZ", &[sum, a, b]);
            "LOP3.LUT R0, R0, R0, R0, 0x18, !PT"
        }
    };
    code.step(table, &[over, a, b, sum]);
    code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[limit, a]);
    code.step(
        "LOP3.LUT R0, R0, 0x7fffffff, RZ, 0x3c, !PT",
        &[limit, limit],
    );
    code.step("ISETP.LT.AND P0, PT, R0, RZ, PT", &[flag, over]);
    code.step("SEL R0, R0, R0, P0", &[d, limit, sum, flag]);
}

fn multiply(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let c = (source.opcode() == "mad").then_some(ptx("c"));
    let sign = if is_signed(ty) { "" } else { ".U32" };
    match (ty.bits(), source.has("wide"), source.has("hi")) {
        (16, false, false) | (32, false, false) => {
            mad(code, "IMAD", d, a, b, c);
        }
        (16, true, _) => {
            let (a, b) = (code.widened("a", ty), code.widened("b", ty));
            mad(code, "IMAD", d, a, b, c);
        }
        (16, _, true) => {
            let (a, b, product) = (code.widened("a", ty), code.widened("b", ty), code.word());
            mad(code, "IMAD", product, a, b, None);
            code.step("SHF.R.U32.HI R0, RZ, 0x10, R0", &[product, product]);
            match c {
                Some(c) => code.step("IADD3 R0, R0, R0, RZ", &[d, product, c]),
                None => code.copy(d, product),
            }
        }
        (32, true, _) => mad(code, &format!("IMAD.WIDE{sign}"), d, a, b, c),
        (32, _, true) => {
            // What is added is in the upper half of a pair.
            let added = c.map(|c| {
                let pair = code.double();
                code.copy(pair.register(0), number(0));
                code.copy(pair.register(1), c);
                pair
            });
            mad(code, &format!("IMAD.HI{sign}"), d, a, b, added);
        }
        (64, false, false) => code.mad_low_64(d, a, b, c),
        (64, _, true) => {
            let high = match c {
                Some(_) => code.double(),
                None => d,
            };
            multiply_high_64(code, high, a, b, is_signed(ty));
            if let Some(c) = c {
                code.add_64(d, high, c);
            }
        }
        _ => return None,
    }
    Some(())
}

/// `d = a * b + c` by one instruction.
fn mad(code: &mut Code, name: &str, d: Operand, a: Operand, b: Operand, c: Option<Operand>) {
    match c {
        Some(c) => code.step(format!("{name} R0, R0, R0, R0"), &[d, a, b, c]),
        None => code.step(format!("{name} R0, R0, R0, RZ"), &[d, a, b]),
    }
}

/// The high 64 bits of a product; a negative factor counts 2^64 too much.
pub(super) fn multiply_high_64(code: &mut Code, d: Operand, a: Operand, b: Operand, signed: bool) {
    let (a1, b1) = (a.register(1), b.register(1));
    let product = match signed {
        true => code.double(),
        false => d,
    };
    high_product(code, product, a, (b.register(0), b1));
    if !signed {
        return;
    }
    let (first_fix, second_fix) = (code.double(), code.double());
    for (fix, of, by) in [(first_fix, a1, b), (second_fix, b1, a)] {
        let flag = code.flag();
        code.step("ISETP.LT.AND P0, PT, R0, RZ, PT", &[flag, of]);
        code.step(
            "SEL R0, R0, RZ, P0",
            &[fix.register(0), by.register(0), flag],
        );
        code.step(
            "SEL R0, R0, RZ, P0",
            &[fix.register(1), by.register(1), flag],
        );
    }
    let partly = code.double();
    code.sub_64(partly, product, first_fix);
    code.sub_64(d, partly, second_fix);
}

/// The high 64 bits of a product without signs: four products of halves and their carries.
pub(super) fn high_product(code: &mut Code, d: Operand, a: Operand, (b0, b1): (Operand, Operand)) {
    let (a0, a1) = (a.register(0), a.register(1));
    let (first, middle, rest) = (code.double(), code.double(), code.double());
    let (over, carry, low, sum) = (code.flag(), code.flag(), code.word(), code.word());
    code.step("IMAD.WIDE.U32 R0, R0, R0, RZ", &[first, a1, b0]);
    code.step(
        "IMAD.WIDE.U32 R0, P0, R0, R0, R0",
        &[middle, over, a0, b1, first],
    );
    code.step("IMAD.HI.U32 R0, R0, R0, RZ", &[low, a0, b0]);
    code.copy(rest.register(0), middle.register(1));
    code.step("IADD3.X R0, RZ, RZ, RZ, P0, !PT", &[rest.register(1), over]);
    let parts = [sum, carry, low, middle.register(0)];
    code.step("IADD3 R0, P0, R0, R0, RZ", &parts);
    code.step(
        "IMAD.WIDE.U32.X R0, R0, R0, R0, P0",
        &[d, a1, b1, rest, carry],
    );
}

/// Products of the low 24 bits: bits 0 to 31 of them, or 16 to 47.
fn multiply_24(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let (x, y) = (code.word(), code.word());
    let right = match is_signed(ty) {
        true => "SHF.R.S32.HI R0, RZ, 0x8, R0",
        false => "SHF.R.U32.HI R0, RZ, 0x8, R0",
    };
    for (to, from) in [(x, a), (y, b)] {
        code.step("SHF.L.U32 R0, R0, 0x8, RZ", &[to, from]);
        code.step(right, &[to, to]);
    }
    let c = (source.opcode() == "mad24").then_some(ptx("c"));
    if source.has("lo") {
        mad(code, "IMAD", d, x, y, c);
        return Some(());
    }
    let wide = code.double();
    let name = if is_signed(ty) {
        "IMAD.WIDE"
    } else {
        "IMAD.WIDE.U32"
    };
    mad(code, name, wide, x, y, None);
    let bits = [x, wide.register(0), wide.register(1)];
    code.step("SHF.R.U64 R0, R0, 0x10, R0", &bits);
    match c {
        Some(c) if source.has("sat") => saturated(code, true, x, c),
        Some(c) => code.step("IADD3 R0, R0, R0, RZ", &[d, x, c]),
        None => code.copy(d, x),
    }
    Some(())
}

fn absolute(code: &mut Code, ty: ScalarType) {
    let (d, a) = (ptx("d"), ptx("a"));
    if ty.bits() < 64 {
        let a = code.widened("a", ty);
        return code.step("IABS R0, R0", &[d, a]);
    }
    let (negated, flag) = (code.double(), code.flag());
    code.neg_64(negated, a);
    code.step("ISETP.LT.AND P0, PT, R0, RZ, PT", &[flag, a.register(1)]);
    code.select_64(d, negated, a, flag);
}

/// The smaller or the larger one.
fn extreme(code: &mut Code, ty: ScalarType, least: bool) {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let signed = is_signed(ty);
    if ty.bits() == 64 {
        // The same comparison for both: who wants both compares once.
        let flag = code.less_64(a, b, signed);
        let (first, second) = if least { (a, b) } else { (b, a) };
        return code.select_64(d, first, second, flag);
    }
    let (a, b) = (code.widened("a", ty), code.widened("b", ty));
    let name = code.chip.min_max();
    let sign = if signed { "" } else { ".U32" };
    let which = if least { "PT" } else { "!PT" };
    code.step(format!("{name}{sign} R0, R0, R0, {which}"), &[d, a, b]);
}

/// `|a - b| + c`
fn difference(code: &mut Code, ty: ScalarType) {
    let (d, a, b, c) = (ptx("d"), ptx("a"), ptx("b"), ptx("c"));
    let signed = is_signed(ty);
    if ty.bits() < 64 {
        let (a, b) = (code.widened("a", ty), code.widened("b", ty));
        let name = if signed { "VABSDIFF" } else { "VABSDIFF.U32" };
        return code.step(format!("{name} R0, R0, R0, R0"), &[d, a, b, c]);
    }
    let flag = code.less_64(a, b, signed);
    let (forward, backward) = (code.double(), code.double());
    code.sub_64(forward, a, b);
    code.sub_64(backward, b, a);
    code.select_64(forward, backward, forward, flag);
    code.add_64(d, forward, c);
}

fn population(code: &mut Code, ty: ScalarType) {
    let (d, a) = (ptx("d"), ptx("a"));
    if ty.bits() < 64 {
        return code.step("POPC R0, R0", &[d, a]);
    }
    let (low, high) = (code.word(), code.word());
    code.step("POPC R0, R0", &[low, a.register(0)]);
    code.step("POPC R0, R0", &[high, a.register(1)]);
    code.step("IADD3 R0, R0, R0, RZ", &[d, low, high]);
}

/// `FLO` gives the number of the highest bit, and -1 where there is none.
fn leading_zeros(code: &mut Code, ty: ScalarType) {
    let (d, a) = (ptx("d"), ptx("a"));
    if ty.bits() < 64 {
        let place = code.word();
        code.step("FLO.U32 R0, R0", &[place, a]);
        return code.step("IADD3 R0, -R0, 0x1f, RZ", &[d, place]);
    }
    let place = find_64(code, a.register(0), a.register(1));
    code.step("IADD3 R0, -R0, 0x3f, RZ", &[d, place]);
}

/// The number of the highest bit of 64 that is set; -1 where there is none.
fn find_64(code: &mut Code, low: Operand, high: Operand) -> Operand {
    let (in_low, in_high, place, flag) = (code.word(), code.word(), code.word(), code.flag());
    code.step("FLO.U32 R0, R0", &[in_low, low]);
    code.step("FLO.U32 R0, R0", &[in_high, high]);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[flag, high]);
    code.step("IADD3 R0, R0, 0x20, RZ", &[in_high, in_high]);
    code.step("SEL R0, R0, R0, P0", &[place, in_high, in_low, flag]);
    place
}

fn find(source: &Source, code: &mut Code, ty: ScalarType) {
    let (d, a) = (ptx("d"), ptx("a"));
    let shift = source.has("shiftamt");
    if ty.bits() < 64 {
        let sign = if is_signed(ty) { "" } else { ".U32" };
        let shift = if shift { ".SH" } else { "" };
        return code.step(format!("FLO{sign}{shift} R0, R0"), &[d, a]);
    }
    // Of a negative number the highest bit that is not the sign counts.
    let (mut low, mut high) = (a.register(0), a.register(1));
    if is_signed(ty) {
        let (sign, bits) = (code.word(), code.double());
        code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[sign, high]);
        for (half, from) in [(0, low), (1, high)] {
            let operands = [bits.register(half), from, sign];
            code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &operands);
        }
        (low, high) = (bits.register(0), bits.register(1));
    }
    let place = find_64(code, low, high);
    if !shift {
        return code.copy(d, place);
    }
    let (flag, amount) = (code.flag(), code.word());
    code.step("ISETP.GE.AND P0, PT, R0, RZ, PT", &[flag, place]);
    code.step("IADD3 R0, -R0, 0x3f, RZ", &[amount, place]);
    code.step("SEL R0, R0, R0, P0", &[d, amount, place, flag]);
}

/// Position and length of a bit field: of 32 bits their low bytes count, of 64 bits a length beyond is all of them.
fn field(
    code: &mut Code,
    position: &'static str,
    length: &'static str,
    wide: bool,
) -> (Operand, Operand) {
    let (at, bits) = (code.word(), code.word());
    if wide {
        let name = code.chip.min_max();
        code.copy(at, ptx(position));
        let text = format!("{name}.U32 R0, R0, R0, PT");
        code.step(text, &[bits, ptx(length), number(64)]);
        return (at, bits);
    }
    for (to, from) in [(at, position), (bits, length)] {
        code.step("LOP3.LUT R0, R0, 0xff, RZ, 0xc0, !PT", &[to, ptx(from)]);
    }
    (at, bits)
}

/// A mask of so many low bits, of 64.
fn mask_64(code: &mut Code, bits: Operand) -> Operand {
    let (one, mask) = (code.double(), code.double());
    code.copy(one.register(0), number(1));
    code.copy(one.register(1), number(0));
    code.shift_left_64(mask, one, bits);
    let borrow = code.flag();
    let low = [mask.register(0), borrow, mask.register(0)];
    code.step("IADD3 R0, P0, R0, -0x1, RZ", &low);
    let high = [mask.register(1), mask.register(1), borrow];
    code.step("IADD3.X R0, R0, -0x1, RZ, P0, !PT", &high);
    mask
}

fn extract(code: &mut Code, ty: ScalarType) {
    let (d, a) = (ptx("d"), ptx("a"));
    let (at, bits) = field(code, "b", "c", ty.bits() == 64);
    let signed = is_signed(ty);
    if ty.bits() < 64 {
        let shifted = code.word();
        let (right, extend) = match signed {
            true => ("SHF.R.S32.HI R0, RZ, R0, R0", "SGXT R0, R0, R0"),
            false => ("SHF.R.U32.HI R0, RZ, R0, R0", "SGXT.U32 R0, R0, R0"),
        };
        code.step(right, &[shifted, at, a]);
        return code.step(extend, &[d, shifted, bits]);
    }
    let shifted = code.double();
    code.shift_right_64(shifted, a, at, signed);
    if !signed {
        let mask = mask_64(code, bits);
        for half in [0, 1] {
            let operands = [
                d.register(half),
                shifted.register(half),
                mask.register(half),
            ];
            code.step("LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT", &operands);
        }
        return;
    }
    // To the top and back, so that its highest bit is the sign; a field without bits is 0.
    let (unused, flag, up, down) = (code.word(), code.flag(), code.double(), code.double());
    code.step("IADD3 R0, -R0, 0x40, RZ", &[unused, bits]);
    code.shift_left_64(up, shifted, unused);
    code.shift_right_64(down, up, unused, true);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[flag, bits]);
    for half in [0, 1] {
        let operands = [d.register(half), down.register(half), flag];
        code.step("SEL R0, R0, RZ, P0", &operands);
    }
}

fn insert(code: &mut Code, ty: ScalarType) {
    let (f, a, b) = (ptx("f"), ptx("a"), ptx("b"));
    let (at, bits) = field(code, "c", "d", ty.bits() == 64);
    // (a << position) & mask | b & ~mask
    let merge = "LOP3.LUT R0, R0, R0, R0, 0xe2, !PT";
    if ty.bits() < 64 {
        let (shifted, mask) = (code.word(), code.word());
        code.step("SHF.L.U32 R0, R0, R0, RZ", &[shifted, a, at]);
        code.step("BMSK R0, R0, R0", &[mask, at, bits]);
        return code.step(merge, &[f, shifted, mask, b]);
    }
    let low_mask = mask_64(code, bits);
    let (mask, shifted) = (code.double(), code.double());
    code.shift_left_64(mask, low_mask, at);
    code.shift_left_64(shifted, a, at);
    for half in [0, 1] {
        let operands = [
            f.register(half),
            shifted.register(half),
            mask.register(half),
            b.register(half),
        ];
        code.step(merge, &operands);
    }
}
