//! Kernels that compute, each thread for itself: what they are launched with, and what they must leave.

use super::case::{Case, UNTOUCHED, bits, floats, random};

/// Fewer elements than threads: the last threads must leave theirs alone.
pub fn vector_add() -> Vec<Case> {
    let (a, b) = (floats(1, 1024), floats(2, 1024));
    let sums = |n: usize| -> Vec<u32> {
        let sum = |i: usize| match i < n {
            true => (a[i] + b[i]).to_bits(),
            false => UNTOUCHED,
        };
        (0..1024).map(sum).collect()
    };
    let case = |n: u32| {
        Case::new("vector_add", 4, 256)
            .input(&bits(&a))
            .input(&bits(&b))
            .output(&sums(n as usize))
            .value(n)
    };
    vec![case(1000), case(1024), case(0)]
}

pub fn saxpy() -> Vec<Case> {
    let (x, y, a) = (floats(3, 1024), floats(4, 1024), -1.75f32);
    let quarters = 250;
    let element = |i: usize| match i < 4 * quarters {
        true => x[i].mul_add(a, y[i]).to_bits(),
        false => y[i].to_bits(),
    };
    let after: Vec<u32> = (0..1024).map(element).collect();
    let case = Case::new("saxpy", 2, 128)
        .input(&bits(&x))
        .buffer(&bits(&y), &after)
        .value(a.to_bits())
        .value(quarters as u32);
    vec![case]
}

fn halves(doubles: impl Iterator<Item = f64>) -> Vec<u32> {
    let both = doubles.map(|double| double.to_bits());
    both.flat_map(|bits| [bits as u32, (bits >> 32) as u32])
        .collect()
}

pub fn polynomial() -> Vec<Case> {
    let mut x: Vec<f64> = floats(5, 64).iter().map(|&x| f64::from(x) / 3.0).collect();
    x[0] = 0.0;
    x[1] = -1e300;
    let results = x.iter().flat_map(|&x| {
        let value = (x + 2.0).mul_add(x, 3.0).mul_add(x, 4.0);
        [value, -x.abs()]
    });
    let case = Case::new("polynomial", 1, 64)
        .input(&halves(x.iter().copied()))
        .output(&halves(results));
    vec![case]
}

/// The bits of a small whole number in half precision.
fn half(number: i32) -> u32 {
    let size = number.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let exponent = size.ilog2();
    let fraction = (size << (10 - exponent)) & 0x3ff;
    u32::from(number < 0) << 15 | (exponent + 15) << 10 | fraction
}

/// Tiles of small whole numbers: the products are exact, so the order of sums does not matter.
pub fn matrix() -> Vec<Case> {
    let small = |seed: u64, count: usize| -> Vec<i32> {
        let words = random(seed, count).into_iter();
        words.map(|word| (word % 17) as i32 - 8).collect()
    };
    let (a, b, d) = (small(6, 256), small(7, 128), small(8, 128));
    let (a_at, b_at) = (
        |row: usize, k: usize| a[row * 16 + k],
        |k: usize, column: usize| b[k * 8 + column],
    );
    let pair = |low: i32, high: i32| half(low) | half(high) << 16;
    // Where a lane's parts of the tiles are: the PTX manual's figures for m16n8k16.
    let lanes = || (0..32).map(|lane| (lane / 4, lane % 4 * 2));
    let a_words = lanes().flat_map(|(row, k)| {
        let two = |row: usize, k: usize| pair(a_at(row, k), a_at(row, k + 1));
        [
            two(row, k),
            two(row + 8, k),
            two(row, k + 8),
            two(row + 8, k + 8),
        ]
    });
    let b_words = lanes().flat_map(|(column, k)| {
        let two = |k: usize| pair(b_at(k, column), b_at(k + 1, column));
        [two(k), two(k + 8)]
    });
    let value = |times: i32, row: usize, column: usize| {
        let product: i32 = (0..16).map(|k| a_at(row, k) * b_at(k, column)).sum();
        ((d[row * 8 + column] + times * product) as f32).to_bits()
    };
    let d_words = |times: i32| -> Vec<u32> {
        let parts = lanes().flat_map(|(row, column)| {
            [
                (row, column),
                (row, column + 1),
                (row + 8, column),
                (row + 8, column + 1),
            ]
        });
        parts
            .map(|(row, column)| value(times, row, column))
            .collect()
    };
    let case = Case::new("matrix", 1, 32)
        .input(&a_words.collect::<Vec<_>>())
        .input(&b_words.collect::<Vec<_>>())
        .buffer(&d_words(0), &d_words(2));
    vec![case]
}

/// Numbers with a common divisor, without one, and equal ones.
pub fn uniform() -> Vec<Case> {
    let case = |x: u32, y: u32, divisor: u32| {
        let words: Vec<u32> = (0..96).map(|thread| thread * divisor + 1).collect();
        Case::new("uniform", 1, 96).output(&words).value(x).value(y)
    };
    vec![case(1071, 462, 21), case(17, 96, 1), case(5, 5, 5)]
}

pub fn calls() -> Vec<Case> {
    let input = random(9, 64);
    let function = |x: u32| x.wrapping_mul(x).wrapping_add(1);
    let results = input.iter().enumerate().map(|(thread, &x)| {
        let x = function(function(x));
        match thread % 4 {
            0 => x.wrapping_add(1),
            1 => x.wrapping_mul(x),
            2 => x.count_ones(),
            _ => x.reverse_bits(),
        }
    });
    let results: Vec<u32> = results.collect();
    vec![Case::new("calls", 1, 64).input(&input).output(&results)]
}
