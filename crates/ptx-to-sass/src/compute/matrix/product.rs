//! Products of a warp: `mma`, `mma.sp`, `wmma.mma`.
//!
//! The machine of sm_90 multiplies halves, bytes, bits and doubles. What it does not have is put together:
//!
//! ```text
//!   4-bit numbers          bytes of the lower halves, then of the upper ones
//!   bits that differ       a and not b, then not a and b
//!   8-bit floating point   halves of the lower two of four, then of the upper two, from zero; then what is added
//!   wmma                   a product for every 16 rows and 8 columns; of tf32 two, each of half of the terms
//! ```
//!
//! The order of sums is that of ptxas, and so are their roundings.

use super::super::integer::saturated_to;
use super::sparse_floats::exchange;
use crate::code::{Code, ptx};
use crate::compute::number;
use crate::source::{Argument, Source};
use crate::wired::Operand;
use warpc_ptx::table::fragment::Dims;
use warpc_ptx::types::ScalarType;

/// Registers of an operand or temporary, from one on.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    of: Operand,
    first: u8,
}

impl Registers {
    pub(super) fn of(of: impl Into<Operand>) -> Registers {
        Registers {
            of: of.into(),
            first: 0,
        }
    }

    fn from(self, first: u8) -> Registers {
        Registers {
            first: self.first + first,
            ..self
        }
    }

    pub(super) fn lane(self, number: u8) -> Operand {
        self.of.register(self.first + number)
    }
}

/// The matrices of a product; nothing is added where `c` is nothing.
#[derive(Clone, Copy)]
struct Matrices {
    d: Registers,
    a: Registers,
    b: Registers,
    c: Option<Registers>,
    /// Metadata of a sparse factor.
    e: Operand,
}

/// Types of the matrices.
#[derive(Clone, Copy)]
struct Types {
    a: ScalarType,
    b: ScalarType,
    c: ScalarType,
    d: ScalarType,
}

/// A product of the machine.
struct Product<'a, 's> {
    source: &'a Source<'s>,
    dims: Dims,
    types: Types,
    /// The selector of the metadata of a sparse factor.
    selector: Option<i64>,
    saturates: bool,
}

/// Whether it is the product of eight lanes (`matrix/quad.rs`).
pub(super) fn is_quad(source: &Source) -> bool {
    let choice = source.choice();
    choice.token("shape") == Some(".m8n8k4") && choice.scalar("dtype") != Some(ScalarType::F64)
}

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let choice = source.choice();
    let by_warp = source.opcode() == "wmma";
    let scaled = source
        .words_seen()
        .any(|word| word.starts_with("kind") || word == "block_scale");
    if scaled {
        return None;
    }
    let is_sparse = source.words_seen().any(|word| word.starts_with("sp"));
    let selector = match (is_sparse, source.operand("f")) {
        (false, _) => None,
        (true, Some(Argument::Constant(selector))) => Some(selector),
        (true, _) => return None,
    };
    // The forms of `wmma` in half precision do not name the type of the factors.
    let half = ScalarType::F16;
    let types = Types {
        a: choice.scalar("atype").unwrap_or(half),
        b: choice.scalar("btype").unwrap_or(half),
        c: choice.scalar("ctype").or(choice.scalar("dtype"))?,
        d: choice.scalar("dtype").or(choice.scalar("ctype"))?,
    };
    let product = Product {
        source,
        dims: Dims::parse(choice.token("shape")?),
        types,
        selector,
        saturates: source.has_word("satfinite"),
    };
    let whole = Matrices {
        d: Registers::of(ptx("d")),
        a: Registers::of(ptx("a")),
        b: Registers::of(ptx("b")),
        c: Some(Registers::of(ptx("c"))),
        e: ptx("e"),
    };
    match by_warp {
        true => product.tiles(code, whole),
        false => product.multiply(code, whole),
    }
}

impl Product<'_, '_> {
    /// A `wmma`: tiles of 16 rows and 8 columns.
    fn tiles(mut self, code: &mut Code, whole: Matrices) -> Option<()> {
        if self.dims.m == 8 && self.dims.n == 8 {
            return self.multiply(code, whole);
        }
        // Registers of a tile.
        let (a, b) = match (self.types.a.bits(), self.dims.k) {
            (16, 16) | (32, 8) => (4, 2),
            (8, 16) => (2, 1),
            _ => return None,
        };
        let (c, d) = (sum_registers(self.types.c), sum_registers(self.types.d));
        // `m8n32` is the transposed product.
        let turned = self.dims.m == 8;
        let (by_rows, by_columns) = match (self.dims.m, self.dims.n) {
            (16, 16) => (0, 1),
            (32, 8) | (8, 32) => (1, 0),
            _ => return None,
        };
        let (first, second) = match turned {
            true => (whole.b, whole.a),
            false => (whole.a, whole.b),
        };
        if turned {
            std::mem::swap(&mut self.types.a, &mut self.types.b);
        }
        (self.dims.m, self.dims.n) = (16, 8);
        for tile in 0..2 {
            let matrices = Matrices {
                d: whole.d.from(tile * d),
                a: first.from(tile * a * by_rows),
                b: second.from(tile * b * by_columns),
                c: whole.c.map(|whole| whole.from(tile * c)),
                e: whole.e,
            };
            self.tile(code, matrices)?;
        }
        Some(())
    }

    /// A tile of a `wmma`, whose sums may have different types.
    fn tile(&self, code: &mut Code, mut matrices: Matrices) -> Option<()> {
        use ScalarType::{F16, F32, Tf32};
        if let (F16, F32, Some(c)) = (self.types.c, self.types.d, matrices.c) {
            let wide = Registers::of(code.registers(4));
            for number in 0..4 {
                let half = if number % 2 == 0 { "H0_H0" } else { "H1_H1" };
                let operands = [wide.lane(number), c.lane(number / 2)];
                code.step(format!("HADD2.F32 R0, -RZ, R0.{half}"), &operands);
            }
            matrices.c = Some(wide);
        }
        let narrow = (self.types.c, self.types.d) == (F32, F16);
        let result = matrices.d;
        if narrow {
            matrices.d = Registers::of(code.registers(4));
        }
        let types = Types {
            d: if narrow { F32 } else { self.types.d },
            ..self.types
        };
        let tile = Product {
            source: self.source,
            dims: Dims {
                k: if types.a == Tf32 { 4 } else { self.dims.k },
                ..self.dims
            },
            types,
            selector: None,
            saturates: self.saturates,
        };
        if types.a == Tf32 {
            let part = Registers::of(code.registers(4));
            let first = Matrices {
                d: part,
                ..matrices
            };
            let second = Matrices {
                a: matrices.a.from(2),
                b: matrices.b.from(1),
                c: Some(part),
                ..matrices
            };
            tile.multiply(code, first)?;
            tile.multiply(code, second)?;
        } else {
            tile.multiply(code, matrices)?;
        }
        if narrow {
            for number in 0..2 {
                let parts = [2 * number + 1, 2 * number].map(|one| matrices.d.lane(one));
                let operands = [result.lane(number), parts[0], parts[1]];
                code.step("F2FP.F16.F32.PACK_AB R0, R0, R0", &operands);
            }
        }
        Some(())
    }

    /// A product of a warp.
    fn multiply(&self, code: &mut Code, matrices: Matrices) -> Option<()> {
        use ScalarType::{B1, Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
        let (a, b) = (self.types.a, self.types.b);
        match a {
            F64 => {
                let Dims { m, n, k } = self.dims;
                let rounding = super::super::divide::rounding(self.source);
                self.one(
                    code,
                    &format!("DMMA.{m}x{n}x{k}{rounding}"),
                    false,
                    matrices,
                );
            }
            F16 | Bf16 | Tf32 => {
                let of = match a {
                    Bf16 => ".BF16",
                    Tf32 => ".TF32",
                    _ => "",
                };
                let sum = if self.types.d == F16 { "F16" } else { "F32" };
                let name = format!("HMMA{}.{}.{sum}{of}", self.sparse(), self.size(1));
                self.one(code, &name, false, matrices);
            }
            S8 | U8 => {
                let saturates = if self.saturates { ".SAT" } else { "" };
                let name = format!("{}{saturates}", self.bytes(1, a, b)?);
                self.one(code, &name, true, matrices);
            }
            S4 | U4 => self.nibbles(code, matrices)?,
            B1 => {
                let name = format!("BMMA.{}.AND.POPC", self.size(1));
                match self.source.has_word("and") {
                    true => self.one(code, &name, true, matrices),
                    false => self.different_bits(code, &name, matrices),
                }
            }
            E4m3 | E5m2 => self.small_floats(code, matrices)?,
            _ => return None,
        }
        Some(())
    }

    fn sparse(&self) -> &'static str {
        if self.selector.is_some() { ".SP" } else { "" }
    }

    /// `16816`: rows, columns and terms, of these a part.
    fn size(&self, parts: usize) -> String {
        format!("{}{}{}", self.dims.m, self.dims.n, self.dims.k / parts)
    }

    /// The name of a product of bytes.
    fn bytes(&self, parts: usize, a: ScalarType, b: ScalarType) -> Option<String> {
        let name = |ty: ScalarType| match ty {
            ScalarType::S8 | ScalarType::S4 => Some("S8"),
            ScalarType::U8 | ScalarType::U4 => Some("U8"),
            _ => None,
        };
        let (a, b) = (name(a)?, name(b)?);
        Some(format!(
            "IMMA{}.{}.{a}.{b}",
            self.sparse(),
            self.size(parts)
        ))
    }

    /// How many registers the factors have.
    fn factor_registers(&self) -> (u8, u8) {
        let stored = match self.selector {
            Some(_) => self.dims.k / 2,
            None => self.dims.k,
        };
        let bits = |rows: usize, columns: usize, ty: ScalarType| {
            (rows * columns * ty.bits() as usize / (32 * 32)) as u8
        };
        (
            bits(self.dims.m, stored, self.types.a),
            bits(self.dims.k, self.dims.n, self.types.b),
        )
    }

    /// One instruction. Some name the order of their factors.
    fn one(&self, code: &mut Code, name: &str, ordered: bool, matrices: Matrices) {
        let factors = if ordered { "R0.ROW, R0.COL" } else { "R0, R0" };
        let added = if matrices.c.is_some() { "R0" } else { "RZ" };
        let mut text = format!("{name} R0, {factors}, {added}");
        let mut operands = vec![matrices.d.lane(0), matrices.a.lane(0), matrices.b.lane(0)];
        operands.extend(matrices.c.map(|c| c.lane(0)));
        if let Some(selector) = self.selector {
            text += &format!(", R0, {selector:#x}");
            operands.push(matrices.e);
        }
        code.step(text, &operands);
    }

    /// Products of 4-bit numbers: of the lower halves of bytes, then of the upper ones.
    fn nibbles(&self, code: &mut Code, matrices: Matrices) -> Option<()> {
        let (a, b) = (self.types.a, self.types.b);
        let name = self.bytes(2, a, b)?;
        let (of_a, of_b) = self.factor_registers();
        let count = if self.dims.m == 8 { 2 } else { 4 };
        // What saturates is the last sum, of which the products alone are far from the ends.
        let mut sum = matrices.c.filter(|_| !self.saturates);
        for upper in [false, true] {
            let (x, y) = (
                nibbles_of(code, matrices.a, of_a, a == ScalarType::S4, upper),
                nibbles_of(code, matrices.b, of_b, b == ScalarType::S4, upper),
            );
            let d = match upper && !self.saturates {
                true => matrices.d,
                false => Registers::of(code.registers(count)),
            };
            let part = Matrices {
                d,
                a: x,
                b: y,
                c: sum,
                e: matrices.e,
            };
            self.one(code, &name, true, part);
            sum = Some(d);
        }
        if self.saturates {
            let (c, products) = (matrices.c?, sum?);
            for number in 0..count {
                saturated_to(
                    code,
                    matrices.d.lane(number),
                    c.lane(number),
                    products.lane(number),
                );
            }
        }
        Some(())
    }

    /// Bits that differ: those of the one and not of the other, and the opposite.
    fn different_bits(&self, code: &mut Code, name: &str, matrices: Matrices) {
        let (of_a, of_b) = self.factor_registers();
        let not = |code: &mut Code, from: Registers, count: u8| {
            let to = Registers::of(code.registers(count));
            for number in 0..count {
                let operands = [to.lane(number), from.lane(number)];
                code.step("LOP3.LUT R0, RZ, R0, RZ, 0x33, !PT", &operands);
            }
            to
        };
        let (other_a, other_b) = (not(code, matrices.a, of_a), not(code, matrices.b, of_b));
        let count = if self.dims.m == 8 { 2 } else { 4 };
        let part = Registers::of(code.registers(count));
        let first = Matrices {
            d: part,
            b: other_b,
            ..matrices
        };
        let second = Matrices {
            a: other_a,
            c: Some(part),
            ..matrices
        };
        self.one(code, name, true, first);
        self.one(code, name, true, second);
    }

    /// Products of 8-bit floating point: as halves.
    fn small_floats(&self, code: &mut Code, matrices: Matrices) -> Option<()> {
        let single = self.types.d == ScalarType::F32;
        let sum = if single { "F32" } else { "F16" };
        let name = format!("HMMA{}.{}.{sum}", self.sparse(), self.size(2));
        let (of_a, of_b) = self.factor_registers();
        let count = sum_registers(self.types.d);
        let exchanged = self.selector.map(|_| exchange(code, matrices.b, of_b));
        let mut total: Option<Registers> = None;
        for (part, upper) in [false, true].into_iter().enumerate() {
            let a = halves_of(code, matrices.a, of_a, self.types.a, upper)?;
            let (b, e) = match &exchanged {
                Some(all) => {
                    let b = halves_of(code, all.rows[part], of_b, self.types.b, false)?;
                    (b, all.metadata[part])
                }
                None => {
                    let b = halves_of(code, matrices.b, of_b, self.types.b, upper)?;
                    (b, matrices.e)
                }
            };
            let d = Registers::of(code.registers(count));
            let c = total;
            self.one(code, &name, false, Matrices { d, a, b, c, e });
            total = Some(d);
        }
        let text = if single {
            "FADD R0, R0, R0"
        } else {
            "HADD2 R0, R0, R0"
        };
        for number in 0..count {
            let operands = [
                matrices.d.lane(number),
                matrices.c?.lane(number),
                total?.lane(number),
            ];
            code.step(text, &operands);
        }
        Some(())
    }
}

/// Registers of a sum of 16 rows and 8 columns.
fn sum_registers(ty: ScalarType) -> u8 {
    if ty == ScalarType::F16 { 2 } else { 4 }
}

/// The lower or the upper halves of bytes, as bytes.
fn nibbles_of(code: &mut Code, from: Registers, count: u8, signed: bool, upper: bool) -> Registers {
    let to = Registers::of(code.registers(count));
    for lane in 0..count {
        let mut word = from.lane(lane);
        if upper {
            let moved = code.word();
            code.step("SHF.R.U32.HI R0, RZ, 0x4, R0", &[moved, word]);
            word = moved;
        }
        let text = "LOP3.LUT R0, R0, 0xf0f0f0f, RZ, 0xc0, !PT";
        if !signed {
            code.step(text, &[to.lane(lane), word]);
            continue;
        }
        // The sign is copied to the four bits above: 8 * 30 is 240.
        let (low, sign) = (code.word(), code.word());
        code.step(text, &[low, word]);
        code.step("LOP3.LUT R0, R0, 0x8080808, RZ, 0xc0, !PT", &[sign, word]);
        let operands = [to.lane(lane), sign, number(0x1e), low];
        code.step("IMAD R0, R0, R0, R0", &operands);
    }
    to
}

/// Two of the four 8-bit numbers of each register, as halves.
fn halves_of(
    code: &mut Code,
    from: Registers,
    count: u8,
    ty: ScalarType,
    upper: bool,
) -> Option<Registers> {
    let name = match ty {
        ScalarType::E4m3 => "E4M3",
        ScalarType::E5m2 => "E5M2",
        _ => return None,
    };
    let part = if upper { ".H1" } else { "" };
    let to = Registers::of(code.registers(count));
    for lane in 0..count {
        let operands = [to.lane(lane), from.lane(lane)];
        code.step(format!("F2FP.F16.{name}.UNPACK_B R0, R0{part}"), &operands);
    }
    Some(to)
}
