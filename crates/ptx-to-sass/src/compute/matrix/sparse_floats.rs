//! Sparse products of eight-bit floating point, `mma.sp.m16n8k64`: two sparse products of halves.
//!
//! ```text
//!   stored bytes of A     0 1 | 2 3      the lower two of each register, then the upper two
//!   what they meet in B   k 0..3 | 4..7  so every other four rows: those of the even lanes of a quad, then of the odd ones
//!   metadata              every other four bits, of lanes 0 and 1 of a quad for lane 0, of 2 and 3 for lane 1
//! ```
//!
//! `warpc_ptx_eval::matrix::{layout, sparse}` have where elements and metadata are.

use super::product::Registers;
use crate::code::{Code, ptx};
use crate::wired::Operand;

/// What the lanes of a warp need of each other for one product.
pub(super) struct Exchanged {
    /// For both products, rows of B, two bytes in the lower half of each register.
    pub rows: [Registers; 2],
    /// And the metadata.
    pub metadata: [Operand; 2],
}

/// Exchanges rows of B and metadata.
pub(super) fn exchange(code: &mut Code, b: Registers, count: u8) -> Exchanged {
    let (lane, odd, by, flag) = (code.word(), code.word(), code.word(), code.flag());
    code.step("S2R R0, SR_LANEID", &[lane]);
    code.step("LOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT", &[odd, lane]);
    code.step("SHF.L.U32 R0, R0, 0x4, RZ", &[by, odd]);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[flag, odd]);
    let rows = [code.registers(count), code.registers(count)].map(Registers::of);
    for number in 0..count {
        let other = code.word();
        let own = b.lane(number);
        code.step("SHFL.BFLY PT, R0, R0, 0x1, 0x1f", &[other, own]);
        // Of the even lane, then of the odd one; an odd lane wants the upper bytes.
        for (rows, even) in rows.iter().zip([true, false]) {
            let chosen = code.word();
            let (if_odd, if_even) = match even {
                true => (other, own),
                false => (own, other),
            };
            code.step("SEL R0, R0, R0, P0", &[chosen, if_odd, if_even, flag]);
            let operands = [rows.lane(number), by, chosen];
            code.step("SHF.R.U32.HI R0, RZ, R0, R0", &operands);
        }
    }
    Exchanged {
        rows,
        metadata: metadata(code, lane),
    }
}

/// The metadata of both products.
fn metadata(code: &mut Code, lane: Operand) -> [Operand; 2] {
    let mut parts = [false, true].map(|upper| {
        let mut word = ptx("e");
        if upper {
            let moved = code.word();
            code.step("SHF.R.U32.HI R0, RZ, 0x4, R0", &[moved, word]);
            word = moved;
        }
        // 0a0b0c0d becomes abcd.
        for (mask, by) in [(0x0f0f_0f0f_u32, 4), (0x00ff_00ff, 8)] {
            let (kept, moved, both) = (code.word(), code.word(), code.word());
            let text = format!("LOP3.LUT R0, R0, {mask:#x}, RZ, 0xc0, !PT");
            code.step(text, &[kept, word]);
            let text = format!("SHF.R.U32.HI R0, RZ, {by:#x}, R0");
            code.step(text, &[moved, kept]);
            code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &[both, kept, moved]);
            word = both;
        }
        word
    });
    let both = code.word();
    code.step("PRMT R0, R0, 0x5410, R0", &[both, parts[0], parts[1]]);
    // Lanes 0 and 1 take those of 0 and 1, 2 and 3.
    let (quad, low, twice, first) = (code.word(), code.word(), code.word(), code.word());
    code.step("LOP3.LUT R0, R0, 0x1c, RZ, 0xc0, !PT", &[quad, lane]);
    code.step("LOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT", &[low, lane]);
    code.step("SHF.L.U32 R0, R0, 0x1, RZ", &[twice, low]);
    code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &[first, quad, twice]);
    let second = code.word();
    code.step("LOP3.LUT R0, R0, 0x1, RZ, 0xfc, !PT", &[second, first]);
    let (of_row, of_other) = (code.word(), code.word());
    for (to, from) in [(of_row, first), (of_other, second)] {
        code.step("SHFL.IDX PT, R0, R0, R0, 0x1f", &[to, both, from]);
    }
    for (part, choice) in parts.iter_mut().zip(["0x5410", "0x7632"]) {
        *part = code.word();
        let text = format!("PRMT R0, R0, {choice}, R0");
        code.step(text, &[*part, of_row, of_other]);
    }
    parts
}
