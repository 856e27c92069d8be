//! Matrices between memory and registers, and transposed in registers: `wmma.load`, `wmma.store`,
//! `ldmatrix`, `stmatrix`, `movmatrix`.
//!
//! Nothing here touches memory: each instruction is a list of pieces, a few bytes of a register of a
//! lane and where in memory they lie, and the caller makes the accesses with its own checks.

use super::layout::{self, Places, Widths};
use super::{Dims, opcode_words};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

/// A piece of a `wmma` fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FragmentPiece {
    /// The lane that makes the access.
    pub lane: u8,
    /// The register, counted within the operand.
    pub register: u8,
    /// The lowest bit in the register.
    pub shift: u8,
    /// Bytes to move.
    pub bytes: u8,
    /// How many strides from the address.
    line: u32,
    /// How many elements after that.
    element: u32,
}

/// A `wmma.load` or `wmma.store` made ready.
#[derive(Clone, Debug)]
pub struct FragmentTransfer {
    /// Registers of a lane.
    pub registers: usize,
    /// The pieces, lane by lane.
    pub pieces: Vec<FragmentPiece>,
    /// The stride in elements where the instruction names none: lines lie after each other.
    pub default_stride: u32,
    /// Whether memory is read.
    pub loads: bool,
    /// Bits of an element.
    bits: u32,
    alignment: Alignment,
}

/// What every line of a matrix in memory is a multiple of, in bytes; found by what the assembler
/// makes of the instruction for Hopper.
#[derive(Clone, Copy, Debug)]
struct Alignment {
    /// In `.shared`: multiplicands are loaded a row of 16 bytes at a time where `ldmatrix` can.
    shared: u8,
    /// Elsewhere: what a lane loads at once.
    elsewhere: u8,
}

impl FragmentPiece {
    /// How many strides from the address it lies.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// How many elements after that.
    pub fn element(&self) -> u32 {
        self.element
    }
}

impl FragmentTransfer {
    /// Bits of an element.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many bytes after the address a piece lies.
    pub fn offset(&self, piece: &FragmentPiece, stride: u32) -> u64 {
        let elements = u64::from(piece.line) * u64::from(stride) + u64::from(piece.element);
        elements * u64::from(self.bits) / 8
    }

    /// How many bytes lines lie apart.
    pub fn line_bytes(&self, stride: u32) -> u64 {
        u64::from(stride) * u64::from(self.bits) / 8
    }

    /// What every line must be a multiple of, in bytes, in `.shared` or elsewhere.
    pub fn alignment(&self, shared: bool) -> u32 {
        u32::from(match shared {
            true => self.alignment.shared,
            false => self.alignment.elsewhere,
        })
    }
}

/// What a `wmma.load` or `wmma.store` moves.
pub fn fragment_transfer(choice: &Choice) -> Option<FragmentTransfer> {
    let words = opcode_words(choice);
    if !words.starts_with("wmma.load") && !words.starts_with("wmma.store") {
        return None;
    }
    let dims = Dims::parse(choice.token("shape")?);
    let ty = choice.scalar("type")?;
    let bits = ty.bits();
    let widths = Widths {
        a: bits,
        b: bits,
        c: bits,
        d: bits,
    };
    let tile = layout::whole(dims, widths);
    let (places, multiplicand) = match choice.token("matrix") {
        Some(".a") => (tile.a, true),
        Some(".b") => (tile.b, true),
        _ => (tile.c, false),
    };
    let by_rows = choice.token("layout")? == ".row";
    let copies = match multiplicand && ty == ScalarType::F16 {
        true => HALF_REGISTERS / places.registers(),
        false => 1,
    };
    // Neighbours along a line that a lane takes at once: a word where one register or its
    // transposition holds them, two words of a sum.
    let along = match choice.token("matrix") {
        Some(".a") => by_rows,
        Some(".b") => !by_rows,
        _ => true,
    };
    let elsewhere = match bits {
        // Two neighbours of a row (of `m8n32`, which is turned, of a column) lie in one lane.
        32.. if !multiplicand && by_rows == (dims.n != 32) => bits / 4,
        8 if !along => 1,
        bits => bits.div_ceil(8).max(4),
    };
    let by_matrix_loads = multiplicand && bits <= 16 && (bits == 16 || along);
    Some(FragmentTransfer {
        registers: places.registers() * copies,
        pieces: pieces(&places, by_rows, copies),
        default_stride: match by_rows {
            true => places.columns as u32,
            false => places.rows as u32,
        },
        loads: words.starts_with("wmma.load"),
        bits,
        alignment: Alignment {
            shared: if by_matrix_loads { 16 } else { elsewhere } as u8,
            elsewhere: elsewhere as u8,
        },
    })
}

/// Registers of an `.f16` multiplicand in every `wmma` shape; where fewer would do, they are there
/// several times.
pub const HALF_REGISTERS: usize = 8;

fn pieces(places: &Places, by_rows: bool, copies: usize) -> Vec<FragmentPiece> {
    let registers = places.registers();
    let bits = places.bits;
    // Elements smaller than a byte lie in memory as they lie in a register, a word at a time.
    let word = if bits < 8 { 32 / bits as usize } else { 1 };
    let (lines, length) = match by_rows {
        true => (places.rows, places.columns),
        false => (places.columns, places.rows),
    };
    let mut pieces = Vec::new();
    for line in 0..lines {
        for element in (0..length).step_by(word) {
            let place = match by_rows {
                true => places.at(line, element),
                false => places.at(element, line),
            };
            for copy in 0..copies {
                pieces.push(FragmentPiece {
                    lane: place.lane,
                    register: place.register + (copy * registers) as u8,
                    shift: place.shift,
                    bytes: (bits as usize * word / 8) as u8,
                    line: line as u32,
                    element: element as u32,
                });
            }
        }
    }
    pieces.sort_by_key(|p| (p.lane, p.register, p.shift));
    // Neighbours in the register that are neighbours in memory move at once.
    pieces.dedup_by(|next, piece| {
        let joins = (next.lane, next.register, next.line)
            == (piece.lane, piece.register, piece.line)
            && u32::from(next.shift) == u32::from(piece.shift) + u32::from(piece.bytes) * 8
            && next.element * bits == piece.element * bits + u32::from(piece.bytes) * 8;
        if joins {
            piece.bytes += next.bytes;
        }
        joins
    });
    pieces
}

/// A piece of an 8x8 matrix in memory: the address of its row comes from a lane of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPiece {
    /// The lane that has the piece in its register.
    pub lane: u8,
    /// The register, counted within the operand.
    pub register: u8,
    /// The lowest bit in the register.
    pub shift: u8,
    /// Bytes to move.
    pub bytes: u8,
    /// The lane whose address is the row's.
    pub address_lane: u8,
    /// How many bytes after it the piece lies.
    pub offset: u8,
    /// For an element that is widened its lowest bit and its bits.
    pub bits: Option<(u8, u8)>,
}

impl RowPiece {
    /// What of the bytes goes to the register.
    pub fn element(&self, bytes: u64) -> u64 {
        match self.bits {
            None => bytes,
            Some((low, count)) => bytes >> low & ((1 << count) - 1),
        }
    }
}

/// What an `ldmatrix` or `stmatrix` moves: the pieces of all lanes. Rows are 16 bytes; lanes 0 to 7
/// have the addresses of the first matrix, 8 to 15 of the second, and so on; of matrices of 16 rows twice as many.
///
/// ```text
///   register r of lane 4 g + t, byte j of it
///   m8n8 .b16             row g of matrix r, bytes 4 t + j
///   m8n8 .b16 .trans      row 2 t + j / 2, bytes 2 g + j % 2
///   m8n16                 row g of matrix r, element 4 t + j: 6 or 4 bits that lie together at the start of the row
///   m16n16 .trans         row 4 t + j of matrix r / 2, element g + 8 (r % 2)
///   m16n8 .trans (store)  row 2 t + j % 2 of matrix r, byte g + 8 (j / 2)
/// ```
///
/// The last three are CUTLASS's layouts; `.b4x16_p64` puts an element into the low bits of its byte.
pub fn row_transfer(choice: &Choice) -> Option<Vec<RowPiece>> {
    let opcode = choice.form.form().opcode;
    if opcode != "ldmatrix" && opcode != "stmatrix" {
        return None;
    }
    let matrices: u8 = match choice.token("num")? {
        ".x4" => 4,
        ".x2" => 2,
        _ => 1,
    };
    let trans = choice.has("trans");
    let shape = choice.token("shape")?;
    let element = match choice.token("src_fmt") {
        Some(".b6x16_p32") => Some(6),
        Some(".b4x16_p64") => Some(4),
        _ => None,
    };
    let mut pieces = Vec::new();
    for lane in 0..32u8 {
        let (group, thread) = (lane / 4, lane % 4);
        let whole = |register, shift, bytes, address_lane, offset| RowPiece {
            lane,
            register,
            shift,
            bytes,
            address_lane,
            offset,
            bits: None,
        };
        // An element of a row, which becomes a byte of a register.
        let single = |register, byte: u8, address_lane, index: u8| {
            let Some(bits) = element else {
                return whole(register, byte * 8, 1, address_lane, index);
            };
            let first = index * bits;
            let (start, end) = (first / 8, (first + bits).div_ceil(8));
            RowPiece {
                bits: Some((first % 8, bits)),
                ..whole(register, byte * 8, end - start, address_lane, start)
            }
        };
        for matrix in 0..matrices {
            match shape {
                ".m8n8" if trans => {
                    let row = matrix * 8 + thread * 2;
                    pieces.push(whole(matrix, 0, 2, row, group * 2));
                    pieces.push(whole(matrix, 16, 2, row + 1, group * 2));
                }
                ".m8n8" => pieces.push(whole(matrix, 0, 4, matrix * 8 + group, thread * 4)),
                ".m8n16" if element.is_some() => {
                    let one = |byte| single(matrix, byte, matrix * 8 + group, thread * 4 + byte);
                    pieces.extend((0..4).map(one));
                }
                ".m16n16" if trans && matrices <= 2 => {
                    for half in 0..2 {
                        let row = matrix * 16 + thread * 4;
                        let one =
                            |byte| single(matrix * 2 + half, byte, row + byte, group + half * 8);
                        pieces.extend((0..4).map(one));
                    }
                }
                ".m16n8" if trans && opcode == "stmatrix" => {
                    let row = matrix * 8 + thread * 2;
                    let one =
                        |byte: u8| whole(matrix, byte * 8, 1, row + byte % 2, group + byte / 2 * 8);
                    pieces.extend((0..4).map(one));
                }
                _ => return None,
            }
        }
    }
    Some(pieces)
}

/// Whether an instruction is `movmatrix`; then [`transpose`] is what it does.
pub fn is_transposition(choice: &Choice) -> bool {
    choice.form.form().opcode == "movmatrix"
}

/// Transposes an 8x8 matrix of 16-bit elements that lies in one register of each lane.
pub fn transpose(source: &[u64; 32]) -> [u64; 32] {
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        let element = |i: usize, j: usize| source[i * 4 + j / 2] >> (j % 2 * 16) & 0xffff;
        element(column, row) | element(column + 1, row) << 16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_twice_is_nothing() {
        let source = std::array::from_fn(|lane| lane as u64 * 0x1_0003 + 0x0a00_0b00);
        assert_ne!(transpose(&source), source);
        assert_eq!(transpose(&transpose(&source)), source);
        // Row 0 becomes column 0: element (0, 1) goes to lane 4's low half.
        assert_eq!(transpose(&source)[4] & 0xffff, source[0] >> 16);
    }

    fn transfer(instruction: &str) -> FragmentTransfer {
        let choice = super::super::tests::choice(instruction);
        fragment_transfer(&choice).unwrap_or_else(|| panic!("{instruction}"))
    }

    #[test]
    fn pieces_cover_the_matrix() {
        let sums = transfer("wmma.load.c.sync.aligned.col.m16n16k16.f32 {%r}, [%p], 16");
        assert_eq!(sums.registers, 8);
        assert_eq!(sums.default_stride, 16);
        let mut offsets: Vec<u64> = sums.pieces.iter().map(|p| sums.offset(p, 16)).collect();
        offsets.sort_unstable();
        let all: Vec<u64> = (0..256).map(|i| i * 4).collect();
        assert_eq!(offsets, all);
        // By columns: element (0, 1) of lane 0 lies a stride after element (0, 0).
        let second = sums.pieces.iter().find(|p| p.lane == 0 && p.register == 1);
        assert_eq!(sums.offset(second.unwrap(), 20), 80);
    }

    #[test]
    fn neighbours_move_at_once() {
        let bits = transfer("wmma.load.a.sync.aligned.row.m8n8k32.u4 {%r}, [%p]");
        assert_eq!(bits.pieces.len(), 32);
        assert_eq!(bits.offset(&bits.pieces[5], 32), 16 + 4);
        let halves = |layout: &str| {
            transfer(&format!(
                "wmma.load.a.sync.aligned.{layout}.m16n16k16.f16 {{%r}}, [%p]"
            ))
        };
        // The elements are there twice; two neighbours of a row make a register.
        assert_eq!(halves("row").pieces.len(), 256);
        assert!(halves("row").pieces.iter().all(|piece| piece.bytes == 4));
        assert_eq!(halves("col").pieces.len(), 512);
    }

    /// What the assembler makes of them for Hopper.
    #[test]
    fn lines_are_aligned() {
        for (text, shared, elsewhere) in [
            ("wmma.load.a.sync.aligned.col.m16n16k16.bf16", 16, 4),
            ("wmma.load.a.sync.aligned.row.m16n16k16.s8", 16, 4),
            ("wmma.load.b.sync.aligned.row.m16n16k16.s8", 1, 1),
            ("wmma.load.b.sync.aligned.row.m16n16k8.tf32", 4, 4),
            ("wmma.load.b.sync.aligned.col.m8n8k128.b1", 16, 4),
            ("wmma.load.a.sync.aligned.row.m8n8k4.f64", 8, 8),
            ("wmma.load.c.sync.aligned.row.m8n8k4.f64", 16, 16),
            ("wmma.load.c.sync.aligned.col.m16n16k16.f32", 4, 4),
            ("wmma.load.c.sync.aligned.col.m8n32k16.s32", 8, 8),
            ("wmma.load.c.sync.aligned.row.m8n32k16.f16", 4, 4),
        ] {
            let transfer = transfer(&format!("{text} {{%r}}, [%p]"));
            let found = (transfer.alignment(true), transfer.alignment(false));
            assert_eq!(found, (shared, elsewhere), "{text}");
        }
    }
}
