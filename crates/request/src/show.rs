//! Buffers as text for people: numbers in columns.

use crate::number;
use std::fmt::Write;
use warpc_ptx::types::ScalarType;

/// Rows that are shown when nobody says how many elements are wanted.
const ROWS: usize = 16;

/// The widest line.
const WIDTH: usize = 100;

/// The elements of a buffer.
pub fn elements(bytes: &[u8], ty: ScalarType) -> impl Iterator<Item = u128> {
    bytes.chunks_exact(ty.bytes() as usize).map(|chunk| {
        let mut bits = [0; 16];
        bits[..chunk.len()].copy_from_slice(chunk);
        u128::from_le_bytes(bits)
    })
}

/// Numbers in columns, each line with the index of its first. Without a count a long buffer is cut.
///
/// ```
/// let text = warpc_request::show::columns(&[1, 2, 10], warpc_ptx::types::ScalarType::U8, None);
/// assert_eq!(text, "  0 │  1  2 10\n");
/// ```
pub fn columns(bytes: &[u8], ty: ScalarType, count: Option<usize>) -> String {
    let len = bytes.len() / ty.bytes() as usize;
    let wanted = count.unwrap_or(usize::MAX).min(len);
    // No row holds more elements than columns of one digit.
    let looked_at = if count.is_some() {
        wanted
    } else {
        wanted.min(ROWS * WIDTH)
    };
    let texts: Vec<String> = elements(bytes, ty)
        .take(looked_at)
        .map(|bits| number::format(bits, ty))
        .collect();
    let gutter = looked_at.saturating_sub(1).to_string().len().max(3);
    let width = texts.iter().map(String::len).max().unwrap_or(1);
    // A power of two, so that indices are easy to count.
    let fitting = (WIDTH - gutter - 2) / (width + 1);
    let in_row = (fitting.max(1) + 1).next_power_of_two() / 2;
    let shown = if count.is_some() {
        wanted
    } else {
        wanted.min(ROWS * in_row)
    };
    let mut out = String::new();
    for (row, chunk) in texts[..shown].chunks(in_row).enumerate() {
        let _ = write!(out, "{:gutter$} │", row * in_row);
        for text in chunk {
            let _ = write!(out, " {text:>width$}");
        }
        out.push('\n');
    }
    if count.is_none() && shown < len {
        let _ = writeln!(out, "{:gutter$} │ … {} more", "", len - shown);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn u32s(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn columns_are_aligned() {
        let text = columns(&u32s([1, 100, 7]), ScalarType::U32, None);
        assert_eq!(text, "  0 │   1 100   7\n");
        let text = columns(&u32s([0x3f80_0000, 0xbeaa_aaab]), ScalarType::F32, None);
        assert_eq!(text, "  0 │           1 -0.33333334\n");
        assert_eq!(columns(&[], ScalarType::U32, None), "");
    }

    #[test]
    fn rows_are_powers_of_two() {
        let text = columns(&u32s(0..100), ScalarType::U32, None);
        assert!(
            text.lines()
                .nth(1)
                .expect("two rows")
                .starts_with(" 16 │ 16 17"),
            "{text}"
        );
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
    }

    #[test]
    fn long_buffers_are_cut() {
        let text = columns(&u32s(1000..9000), ScalarType::U32, None);
        assert_eq!(text.lines().count(), ROWS + 1);
        assert!(text.ends_with("│ … 7744 more\n"), "{text}");
        let text = columns(&u32s(1000..9000), ScalarType::U32, Some(3));
        assert_eq!(text, "  0 │ 1000 1001 1002\n");
        let text = columns(&u32s(0..8000), ScalarType::U32, Some(8000));
        assert_eq!(text.lines().count(), 500);
        assert_eq!(
            columns(&u32s(0..2), ScalarType::U32, Some(9))
                .lines()
                .count(),
            1
        );
    }
}
