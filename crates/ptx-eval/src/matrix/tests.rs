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
fn what_is_not_covered_is_refused() {
    for mnemonic in [
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
        "add.u32",
    ] {
        let operation = match mnemonic {
            "add.u32" => product(&choice("add.u32 %r, %r, %r")),
            _ => prepare(mnemonic),
        };
        assert!(operation.is_none(), "{mnemonic}");
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
