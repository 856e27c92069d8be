//! Products of warpgroups against plain sums, with factors in memory in every order and swizzle.

use super::super::tests::choice;
use super::*;
use crate::matrix::descriptor::Swizzle;
use crate::matrix::number::Format;

fn ready(mnemonic: &str, settings: Settings) -> GroupOperation {
    let sparse = mnemonic.contains(".sp.");
    let floats = [".f16.", ".f32."].iter().any(|ty| mnemonic.contains(ty));
    let turns = [".f16.f16", ".bf16.bf16"]
        .iter()
        .any(|ty| mnemonic.ends_with(ty));
    let text = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.entry k() {{ .reg .b64 %d; .reg .b32 %r; \
         {mnemonic} {{%r}}, %d, %d{}, 1{}{}; }}",
        if sparse { ", %r, 0" } else { "" },
        if floats { ", 1, 1" } else { "" },
        if turns { ", 0, 0" } else { "" },
    );
    let file = warpc_diag::SourceFile::new("k.ptx", text).expect("small");
    let parsed = warpc_ptx::parse(&file);
    let value = parsed.value.as_ref().unwrap();
    let found = value.mnemonics.last().expect("one instruction");
    GroupOperation::new(&found.choices[0], settings).unwrap_or_else(|| panic!("{mnemonic}"))
}

/// Bits of an element with a small whole number, and the number.
fn element(ty: &str, value: i32) -> u32 {
    let float = value as f32;
    match ty {
        "f16" => u32::from(super::super::number::half_of_f64(f64::from(float))),
        "bf16" => float.to_bits() >> 16,
        "tf32" => float.to_bits() | 0x1fff,
        "e4m3" => (0..256)
            .find(|bits| Format::E4m3.decode(*bits).value == f64::from(value))
            .unwrap() as u32,
        "e5m2" => (0..256)
            .find(|bits| Format::E5m2.decode(*bits).value == f64::from(value))
            .unwrap() as u32,
        _ => value as u8 as u32,
    }
}

fn a_value(row: usize, k: usize) -> i32 {
    ((row * 5 + k * 3) % 7) as i32 - 3
}

fn b_value(k: usize, column: usize) -> i32 {
    ((column * 3 + k * 2) % 5) as i32 - 2
}

/// Puts the elements of a factor where its descriptor has them; `at` gives line and position along k.
fn fill(
    memory: &mut [u8],
    matrix: &SharedMatrix,
    (lines, length, bits): (usize, usize, u32),
    major: Major,
    value: impl Fn(usize, usize) -> u32,
) {
    let bytes = bits as usize / 8;
    let per_piece = 16 / bytes;
    for line in 0..lines {
        for k in 0..length {
            let (outer, inner) = match major {
                Major::K => (line, k),
                Major::Lines => (k, line),
            };
            let piece = matrix.piece(major, outer as u32, (inner / per_piece) as u32) as usize;
            let at = piece + inner % per_piece * bytes;
            memory[at..at + bytes].copy_from_slice(&value(line, k).to_le_bytes()[..bytes]);
        }
    }
}

fn matrix(start: u32, swizzle: Swizzle, major: Major) -> SharedMatrix {
    let width = match swizzle {
        Swizzle::Plain => 16,
        Swizzle::Bytes32 => 32,
        Swizzle::Bytes64 => 64,
        Swizzle::Bytes128 | Swizzle::Bytes128Pairs => 128,
    };
    // Eight rows of a swizzled row make a core matrix; of the other direction there may be as many as needed.
    let (leading, stride) = match major {
        Major::K => (0x4000, 8 * width),
        Major::Lines if swizzle == Swizzle::Plain => (0x4000, 128),
        Major::Lines => (16 * width, 8 * width),
    };
    SharedMatrix {
        start,
        leading,
        stride,
        base: 0,
        swizzle,
    }
}

fn value_of(bits: u64, sum: &str) -> f64 {
    match sum {
        "f16" => f64::from(super::super::number::f32_of_half(bits as u16)),
        "f32" => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from(bits as u32 as i32),
    }
}

#[test]
fn factors_in_memory() {
    use Swizzle::*;
    for (name, sum, ty, k) in [
        ("m64n24k16.f32.f16.f16", "f32", "f16", 16),
        ("m64n16k16.f16.f16.f16", "f16", "f16", 16),
        ("m64n8k16.f32.bf16.bf16", "f32", "bf16", 16),
        ("m64n64k16.f32.bf16.bf16", "f32", "bf16", 16),
        ("m64n16k8.f32.tf32.tf32", "f32", "tf32", 8),
        ("m64n8k32.f32.e4m3.e4m3", "f32", "e4m3", 32),
        ("m64n8k32.f16.e5m2.e5m2", "f16", "e5m2", 32),
        ("m64n24k32.s32.s8.s8", "s32", "s8", 32),
    ] {
        let can_turn = matches!(ty, "f16" | "bf16");
        for swizzle in [Plain, Bytes32, Bytes64, Bytes128] {
            for turned in [[false, false], [true, false], [false, true]] {
                if turned != [false, false] && !can_turn {
                    continue;
                }
                let settings = Settings {
                    negated: [false, ty == "bf16"],
                    turned,
                };
                let operation = ready(&format!("wgmma.mma_async.sync.aligned.{name}"), settings);
                let bits = operation.a.bits;
                let (a_major, b_major) = (operation.a.major, operation.b.major);
                let (a, b) = (
                    matrix(0, swizzle, a_major),
                    matrix(0x8000, swizzle, b_major),
                );
                let columns = operation.b.lines;
                let mut memory = vec![0; 0x14000];
                fill(&mut memory, &a, (64, k, bits), a_major, |row, k| {
                    element(ty, a_value(row, k))
                });
                fill(&mut memory, &b, (columns, k, bits), b_major, |column, k| {
                    element(ty, b_value(k, column))
                });
                for warp in 0..4 {
                    let read = |side, matrix: &SharedMatrix| {
                        let pieces = operation.pieces(side, matrix, warp);
                        let bytes: Vec<u8> = (pieces.iter())
                            .flat_map(|at| &memory[*at as usize..*at as usize + 16])
                            .copied()
                            .collect();
                        operation.elements(side, &bytes)
                    };
                    let (a, b) = (read(Side::A, &a), read(Side::B, &b));
                    let mut d = vec![[0; 32]; operation.d_registers()];
                    operation.run(&a, &b, None, (&mut d, false));
                    operation.run(&a, &b, None, (&mut d, true));
                    let found: Vec<u64> = operation.d.elements(&d).collect();
                    for row in 0..16 {
                        for column in 0..columns {
                            let line = warp as usize * 16 + row;
                            let term = |k| a_value(line, k) * b_value(k, column);
                            let sign = if ty == "bf16" { -1 } else { 1 };
                            let expected = 2 * sign * (0..k).map(term).sum::<i32>();
                            let value = value_of(found[row * columns + column], sum);
                            assert_eq!(
                                value,
                                f64::from(expected),
                                "{name} {swizzle:?} {turned:?} {line} {column}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn factors_in_registers() {
    let operation = ready(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
        Settings::default(),
    );
    let mut registers = [[0; 32]; 4];
    for (lane, register) in (0..32).flat_map(|lane| (0..4).map(move |r| (lane, r))) {
        // As the manual draws it: two rows, eight apart; two pairs of columns, eight apart.
        let row = lane / 4 + register % 2 * 8;
        let column = lane % 4 * 2 + register / 2 * 8;
        let pair = [column, column + 1].map(|k| u64::from(element("f16", a_value(row, k))));
        registers[register][lane] = pair[0] | pair[1] << 16;
    }
    let elements = operation.a_elements(&registers);
    let expected: Vec<u32> = (0..16 * 16)
        .map(|at| element("f16", a_value(at / 16, at % 16)))
        .collect();
    assert_eq!(elements, expected);
    assert_eq!(operation.a_registers(), 4);
}

#[test]
fn a_sparse_factor() {
    let operation = ready(
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16",
        Settings::default(),
    );
    assert!(operation.is_sparse());
    // Of each four the second and the last are stored.
    let metadata = [0xdddd_dddd; 32];
    let a: Vec<u32> = (0..16 * 16)
        .map(|at| element("f16", a_value(at / 16, at % 16)))
        .collect();
    let b: Vec<u32> = (0..8 * 32)
        .map(|at| element("f16", b_value(at % 32, at / 32)))
        .collect();
    let mut d = vec![[0; 32]; 4];
    operation.run(&a, &b, Some((&metadata, 0)), (&mut d, false));
    for (at, bits) in operation.d.elements(&d).enumerate() {
        let (row, column) = (at / 8, at % 8);
        let term = |i: usize| a_value(row, i) * b_value(i / 2 * 4 + [1, 3][i % 2], column);
        let expected: i32 = (0..16).map(term).sum();
        assert_eq!(value_of(bits, "f32"), f64::from(expected));
    }
}

#[test]
fn integers_and_bits() {
    let clamped = ready(
        "wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.u8.s8",
        Settings::default(),
    );
    let (a, b) = (vec![255; 16 * 32], vec![0x80; 8 * 32]);
    let mut d = vec![[u64::from(i32::MIN as u32 + 7); 32]; 4];
    clamped.run(&a, &b, None, (&mut d, true));
    assert_eq!(d[0][0], u64::from(i32::MIN as u32));
    let wrapped = ready(
        "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8",
        Settings::default(),
    );
    let mut d = vec![[u64::from(i32::MIN as u32 + 7); 32]; 4];
    wrapped.run(&a, &b, None, (&mut d, true));
    let expected = (i32::MIN + 7).wrapping_sub(255 * 128 * 32);
    assert_eq!(d[3][31], u64::from(expected as u32));
    let bits = ready(
        "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc",
        Settings::default(),
    );
    let mut d = vec![[100; 32]; 4];
    let a: Vec<u32> = (0..16 * 8).map(|at| 0xf0f0_0000 | at).collect();
    bits.run(&a, &[0xffff_000f; 64], None, (&mut d, true));
    let row: u32 = (8..16)
        .map(|at| (0xf0f0_0000u32 | at & 0xf).count_ones())
        .sum();
    assert_eq!(d[0][4], u64::from(100 + row));
}

#[test]
fn what_is_not_one() {
    let other = choice("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r}, {%r}, {%r}, {%r}");
    assert!(GroupOperation::new(&other, Settings::default()).is_none());
}
