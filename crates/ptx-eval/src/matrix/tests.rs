//! Products from the text of an instruction on, against plain arithmetic on the matrices.

use super::*;

/// The choice an instruction's text stands for.
pub(super) fn choice(instruction: &str) -> Choice {
    let text =
        format!(".version 8.7\n.target sm_120a\n.address_size 64\n.entry k() {{ {instruction}; }}");
    let file = warpc_diag::SourceFile::new("k.ptx", text).expect("small");
    let parsed = warpc_ptx::parse(&file);
    assert!(!parsed.diagnostics.has_errors(), "{instruction}");
    let last = parsed
        .value
        .as_ref()
        .unwrap()
        .mnemonics
        .last()
        .expect("one instruction");
    last.choices[0].clone()
}

fn prepare(mnemonic: &str) -> Option<MatrixOperation> {
    let sparse = if mnemonic.contains(".sp") {
        ", %r, 0"
    } else {
        ""
    };
    product(&choice(&format!(
        "{mnemonic} {{%r}}, {{%r}}, {{%r}}, {{%r}}{sparse}"
    )))
}

fn ready(mnemonic: &str) -> MatrixOperation {
    prepare(mnemonic).unwrap_or_else(|| panic!("{mnemonic}"))
}

/// Runs one tile: matrices of bits in, a matrix of bits out.
fn run(
    operation: &MatrixOperation,
    a: impl Fn(usize, usize) -> u64,
    b: impl Fn(usize, usize) -> u64,
    c: impl Fn(usize, usize) -> u64,
    metadata: u64,
) -> Vec<Vec<u64>> {
    let mut sources = vec![[0; 32]; operation.sources];
    let mut fill = |first: usize, places: &Places, value: &dyn Fn(usize, usize) -> u64| {
        for row in 0..places.rows {
            for column in 0..places.columns {
                let place = places.at(row, column);
                sources[first + usize::from(place.register)][usize::from(place.lane)] |=
                    value(row, column) << place.shift;
            }
        }
    };
    for tile in &operation.tiles {
        fill(0, &tile.a, &a);
        fill(operation.first.b, &tile.b, &b);
        fill(operation.first.c, &tile.c, &c);
    }
    if operation.sparsity.is_some() {
        sources[operation.first.metadata] = [metadata; 32];
    }
    let mut results = vec![[u64::MAX; 32]; operation.results];
    operation.run(&sources, &mut results);
    let d = &operation.tiles.last().expect("one or four").d;
    let elements: Vec<u64> = d.elements(&results).collect();
    elements.chunks(d.columns).map(<[u64]>::to_vec).collect()
}

#[test]
fn registers_of_the_forms() {
    for (mnemonic, sources, results) in [
        ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 12, 8),
        ("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f16", 8, 8),
        ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 8, 2),
        ("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 7, 4),
        ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 7, 4),
        ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 10, 4),
        ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, 4),
        ("mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64", 4, 2),
        ("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32", 4, 2),
        (
            "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32",
            10,
            4,
        ),
        (
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
            10,
            4,
        ),
        (
            "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
            14,
            4,
        ),
        (
            "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
            14,
            4,
        ),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", 20, 8),
        (
            "wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32",
            18,
            8,
        ),
        (
            "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
            16,
            8,
        ),
        (
            "wmma.mma.sync.aligned.row.row.m32n8k16.s32.u8.u8.s32",
            13,
            8,
        ),
        (
            "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32",
            4,
            2,
        ),
        ("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", 4, 2),
    ] {
        let operation = ready(mnemonic);
        assert_eq!(
            (operation.sources, operation.results),
            (sources, results),
            "{mnemonic}"
        );
    }
}

#[test]
fn what_is_not_a_product() {
    assert!(product(&choice("add.u32 %r, %r, %r")).is_none());
    let transposition = "movmatrix.sync.aligned.m8n8.trans.b16 %r, %r";
    assert!(product(&choice(transposition)).is_none());
}

/// Small floats by their kinds, every type with every other; 6-bit elements have the low bits of their byte, 4-bit ones those in
/// the middle.
#[test]
fn small_floats() {
    let encode = |ty: &str, value: i32| -> u64 {
        let bits: [u64; 4] = match ty {
            "e4m3" => [0, 0x38, 0x40, 0x44],
            "e5m2" => [0, 0x3c, 0x40, 0x42],
            "e3m2" => [0, 0x0c, 0x10, 0x12],
            "e2m3" => [0, 0x08, 0x10, 0x14],
            _ => [0, 2 << 2, 4 << 2, 5 << 2],
        };
        bits[value as usize]
    };
    let types = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];
    for (a, b) in types.iter().flat_map(|a| types.map(|b| (*a, b))) {
        for (scale, factor) in [(None, 1), (Some(128), 4)] {
            let operation = match scale {
                None => ready(&format!(
                    "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.{a}.{b}.f32"
                )),
                Some(_) => scaled(&format!(
                    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.{a}.{b}.f32.ue8m0"
                )),
            };
            let value = |at: usize| (at % 4) as i32;
            let tile = &operation.tiles[0];
            let mut sources = vec![[0; 32]; operation.sources];
            for (first, places, ty) in [(0, &tile.a, a), (operation.first.b, &tile.b, b)] {
                for (at, place) in places.iter().enumerate() {
                    let register = first + usize::from(place.register);
                    sources[register][usize::from(place.lane)] |=
                        encode(ty, value(at)) << place.shift;
                }
            }
            if let Some(bits) = scale {
                // A by two in the second byte, B by two in the fourth byte of the third lane.
                let at = operation.first.scales;
                sources[at] = [bits << 8; 32];
                sources[at + 1] = [1; 32];
                sources[at + 3] =
                    std::array::from_fn(|lane| if lane % 4 == 2 { bits << 24 } else { 0 });
                (sources[at + 4], sources[at + 5]) = ([3; 32], [2; 32]);
                operation.check(&sources).expect("valid selectors");
            }
            let mut results = vec![[0; 32]; 4];
            operation.run(&sources, &mut results);
            for (at, bits) in tile.d.elements(&results).enumerate() {
                let (row, column) = (at / 8, at % 8);
                let term = |k: usize| value(row * 32 + k) * value(k * 8 + column);
                let expected = factor * (0..32).map(term).sum::<i32>();
                assert_eq!(
                    f32::from_bits(bits as u32),
                    expected as f32,
                    "{a} {b} {row} {column}"
                );
            }
        }
    }
}

fn scaled(mnemonic: &str) -> MatrixOperation {
    let sparse = if mnemonic.contains(".sp") {
        ", %r, 0"
    } else {
        ""
    };
    let text =
        format!("{mnemonic} {{%r}}, {{%r}}, {{%r}}, {{%r}}{sparse}, %r, {{0, 0}}, %r, {{0, 0}}");
    product(&choice(&text)).unwrap_or_else(|| panic!("{mnemonic}"))
}

/// Packed floats of 4 bits, with two and four scale factors of a line; dense and sparse.
#[test]
fn packed_floats() {
    for (sparse, form, blocks, one) in [
        (
            false,
            "kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
            2,
            127,
        ),
        (
            false,
            "kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
            4,
            0x38,
        ),
        (
            true,
            "kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
            4,
            0x38,
        ),
        (
            true,
            "kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
            2,
            127,
        ),
    ] {
        let (sp, k) = if sparse {
            (".sp::ordered_metadata", 128)
        } else {
            ("", 64)
        };
        let operation = scaled(&format!("mma{sp}.sync.aligned.m16n8k{k}.row.col.{form}"));
        let tile = &operation.tiles[0];
        let mut sources = vec![[0; 32]; operation.sources];
        let value = |at: usize| at % 5;
        let bits = [0, 2, 4, 5, 6];
        for (first, places) in [(0, &tile.a), (operation.first.b, &tile.b)] {
            for (at, place) in places.iter().enumerate() {
                let register = first + usize::from(place.register);
                sources[register][usize::from(place.lane)] |= bits[value(at)] << place.shift;
            }
        }
        // Of each eight the pairs 0 and 3.
        if sparse {
            sources[operation.first.metadata] = [0xcccc_cccc; 32];
        }
        // The first block is doubled: of A in every row, of B nothing is scaled.
        let step = if one == 127 { 1 } else { 8 };
        let at = operation.first.scales;
        let word = |first: u64| (1..4).fold(first, |word, byte| word | one << (8 * byte));
        sources[at] = [word(one + step); 32];
        sources[at + 3] = [word(one); 32];
        let mut results = vec![[0; 32]; 4];
        operation.run(&sources, &mut results);
        for (at, bits) in tile.d.elements(&results).enumerate() {
            let (row, column) = (at / 8, at % 8);
            let number = [0.0, 1.0, 2.0, 3.0, 4.0];
            let expected: f32 = (0..64)
                .map(|stored| {
                    let k = match sparse {
                        true => stored / 4 * 8 + [0, 1, 6, 7][stored % 4],
                        false => stored,
                    };
                    let scale = if stored < 64 / blocks { 2.0 } else { 1.0 };
                    scale * number[value(row * 64 + stored)] * number[value(k * 8 + column)]
                })
                .sum();
            assert_eq!(
                f32::from_bits(bits as u32),
                expected,
                "{form} {row} {column}"
            );
        }
    }
}

/// Small whole numbers are exact in every type, so plain sums must come out.
fn check_small(mnemonic: &str, encode: impl Fn(i32) -> u64, result: impl Fn(i32) -> u64) {
    let operation = ready(mnemonic);
    let terms = operation.tiles[0].b.rows;
    let a = |i: usize, t: usize| (i * 5 + t * 3) as i32 % 4;
    let b = |t: usize, j: usize| (t * 7 + j * 2) as i32 % 3;
    let c = |i: usize, j: usize| (i + 2 * j) as i32;
    let d = run(
        &operation,
        |i, t| encode(a(i, t)),
        |t, j| encode(b(t, j)),
        |i, j| result(c(i, j)),
        0,
    );
    for (i, row) in d.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            let sum = (0..terms).map(|t| a(i, t) * b(t, j)).sum::<i32>() + c(i, j);
            assert_eq!(value, result(sum), "{mnemonic} {i} {j}");
        }
    }
}

fn single(value: i32) -> u64 {
    u64::from((value as f32).to_bits())
}

fn half(value: i32) -> u64 {
    u64::from(number::half_of_f64(f64::from(value)))
}

#[test]
fn whole_numbers() {
    for form in [
        "m8n8k4.row.col",
        "m8n8k4.row.row",
        "m8n8k4.col.col",
        "m8n8k4.col.row",
        "m16n8k8.row.col",
        "m16n8k16.row.col",
    ] {
        check_small(
            &format!("mma.sync.aligned.{form}.f32.f16.f16.f32"),
            half,
            single,
        );
        check_small(
            &format!("mma.sync.aligned.{form}.f16.f16.f16.f16"),
            half,
            half,
        );
    }
    let brain = |value| single(value) >> 16;
    check_small(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        brain,
        single,
    );
    check_small(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        single,
        single,
    );
    let e4m3 = |value: i32| [0, 0x38, 0x40, 0x44][value as usize];
    check_small(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        e4m3,
        single,
    );
    check_small(
        "mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e4m3.f16",
        e4m3,
        half,
    );
    let double = |value: i32| f64::from(value).to_bits();
    for form in ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"] {
        let mnemonic = format!("mma.sync.aligned.{form}.row.col.f64.f64.f64.f64");
        check_small(&mnemonic, double, double);
    }
    let integer = |value| value as u64;
    check_small(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32",
        integer,
        integer,
    );
    check_small(
        "mma.sync.aligned.m8n8k32.row.col.s32.u4.s4.s32",
        integer,
        integer,
    );
    for shape in ["m16n16k16", "m8n32k16", "m32n8k16"] {
        for layout in ["row.col", "col.row"] {
            let head = format!("wmma.mma.sync.aligned.{layout}.{shape}");
            check_small(&format!("{head}.f32.f32"), half, single);
            check_small(&format!("{head}.f16.f16"), half, half);
            check_small(&format!("{head}.s32.u8.u8.s32"), integer, integer);
            check_small(&format!("{head}.f32.bf16.bf16.f32"), brain, single);
        }
    }
    check_small(
        "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
        single,
        single,
    );
}

#[test]
fn signs_and_saturation() {
    let run_with = |mnemonic: &str, a: u64, b: u64, c: i32| {
        run(
            &ready(mnemonic),
            |_, _| a,
            |_, _| b,
            |_, _| c as u32 as u64,
            0,
        )[0][0] as u32 as i32
    };
    let wrapping = "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32";
    let saturating = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32";
    assert_eq!(run_with(wrapping, 0x80, 0xff, 7), 32 * -128 * 255 + 7);
    assert_eq!(run_with(saturating, 0x80, 0xff, i32::MIN + 5), i32::MIN);
    assert_eq!(
        run_with(wrapping, 0x7f, 1, i32::MAX),
        i32::MIN + 32 * 127 - 1
    );
    assert_eq!(run_with(saturating, 0x7f, 1, i32::MAX), i32::MAX);
    let bits = "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32";
    assert_eq!(run_with(&format!("{bits}.xor.popc"), 1, 0, -1), 127);
    assert_eq!(run_with(&format!("{bits}.and.popc"), 1, 0, -1), -1);
}

/// With the metadata `0100` everywhere, the stored elements are the first two of each four.
#[test]
fn sparse_products() {
    for (mnemonic, k, group) in [
        ("mma.sp.sync.aligned.m16n8k64.row.col.s32.u8.u8.s32", 64, 4),
        (
            "mma.sp.sync.aligned.m16n8k128.row.col.s32.u4.u4.s32",
            128,
            8,
        ),
    ] {
        let operation = ready(mnemonic);
        let d = run(
            &operation,
            |_, _| 1,
            |t, _| if t % group < group / 2 { 2 } else { 5 },
            |i, j| (i * 8 + j) as u64,
            0x4444_4444,
        );
        for (i, row) in d.iter().enumerate() {
            for (j, &value) in row.iter().enumerate() {
                assert_eq!(value, (k + i * 8 + j) as u64, "{mnemonic}");
            }
        }
    }
}
