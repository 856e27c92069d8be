//! Kernels whose threads meet in memory: what they are launched with, and what they must leave.

use super::case::{Case, random};

pub fn reduce() -> Vec<Case> {
    let input = random(10, 8 * 256);
    let sums = input.chunks(256);
    let sums = sums.map(|block| {
        block
            .iter()
            .fold(0, |sum: u32, &word| sum.wrapping_add(word))
    });
    let sums: Vec<u32> = sums.collect();
    vec![Case::new("reduce", 8, 256).input(&input).output(&sums)]
}

/// Bins that are not empty at the start, and bytes of which some are frequent.
pub fn histogram() -> Vec<Case> {
    let blocks = 24;
    let mut input = random(11, blocks * 256);
    for word in input.iter_mut().step_by(3) {
        *word &= 0x0f0f_00ff;
    }
    let before: Vec<u32> = (0..256).collect();
    let mut after = before.clone();
    for byte in input.iter().flat_map(|word| word.to_le_bytes()) {
        after[usize::from(byte)] += 1;
    }
    let total = after.iter().sum();
    let case = Case::new("histogram", blocks as u32, 256)
        .input(&input)
        .buffer(&before, &after)
        .buffer(&[0], &[blocks as u32])
        .output(&[total]);
    vec![case]
}

pub fn handover() -> Vec<Case> {
    let data: Vec<u32> = (100..132).collect();
    let tripled: Vec<u32> = data.iter().map(|word| 3 * word).collect();
    let case = Case::new("handover", 2, 32)
        .output(&data)
        .buffer(&[0], &[1])
        .output(&tripled);
    vec![case]
}

pub fn lock() -> Vec<Case> {
    let blocks = 400;
    let sum: u32 = (0..blocks).sum();
    let case = Case::new("lock", blocks, 64)
        .buffer(&[0], &[0])
        .buffer(&[7], &[7 + sum]);
    vec![case]
}

/// As many rounds as the kernel makes.
const ROUNDS: usize = 9;

pub fn mbarrier() -> Vec<Case> {
    let input = random(12, 128);
    let moved: Vec<u32> = (0..128)
        .map(|thread| input[(thread + ROUNDS) % 128])
        .collect();
    vec![Case::new("mbarrier", 1, 128).input(&input).output(&moved)]
}

pub fn bulk_copy() -> Vec<Case> {
    let input = random(13, 1024);
    let reversed: Vec<u32> = input.iter().rev().copied().collect();
    vec![
        Case::new("bulk_copy", 1, 128)
            .input(&input)
            .output(&reversed),
    ]
}

pub fn async_copy() -> Vec<Case> {
    let input = random(14, 512);
    let swapped: Vec<u32> = (0..512).map(|word| input[word ^ 4]).collect();
    vec![
        Case::new("async_copy", 1, 128)
            .input(&input)
            .output(&swapped),
    ]
}

/// As many chunks as the kernel copies, and words of each.
const CHUNKS: usize = 8;
const CHUNK: usize = 256;

pub fn pipeline() -> Vec<Case> {
    let input = random(17, CHUNKS * CHUNK);
    let sum = |thread: usize| {
        let chunks = input.chunks(CHUNK);
        chunks.fold(0u32, |sum, chunk| {
            let second = chunk[thread + 128].wrapping_mul(3);
            sum.wrapping_add(chunk[thread]).wrapping_add(second)
        })
    };
    let sums: Vec<u32> = (0..128).map(sum).collect();
    vec![Case::new("pipeline", 1, 128).input(&input).output(&sums)]
}

/// Three clusters of four blocks: each block gets the words of the next one of its cluster.
pub fn ring() -> Vec<Case> {
    let input = random(18, 3 * 4 * 64);
    let from = |word: usize| {
        let (block, thread) = (word / 64, word % 64);
        let next = block / 4 * 4 + (block + 1) % 4;
        input[next * 64 + thread]
    };
    let moved: Vec<u32> = (0..input.len()).map(from).collect();
    vec![Case::new("ring", 12, 64).input(&input).output(&moved)]
}

pub fn wide_swap() -> Vec<Case> {
    let (blocks, threads, start) = (8, 64, 5);
    let end = start + blocks * threads;
    let case = Case::new("wide_swap", blocks, threads)
        .buffer(&[start, 0, 3 * start, 0], &[end, 0, 3 * end, 0])
        .input(&[0]);
    vec![case]
}
