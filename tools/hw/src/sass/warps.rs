//! Kernels whose lanes work together: what they are launched with, and what they must leave.

use super::case::{Case, random};

pub fn scan() -> Vec<Case> {
    let input = random(15, 256);
    let sums = input.chunks(32).flat_map(|warp| {
        warp.iter().scan(0u32, |sum, &word| {
            *sum = sum.wrapping_add(word);
            Some(*sum)
        })
    });
    let sums: Vec<u32> = sums.collect();
    vec![Case::new("scan", 4, 64).input(&input).output(&sums)]
}

/// Lanes with different words, some of them alike; lanes with one word; and a large one among small ones.
pub fn votes() -> Vec<Case> {
    let mixed: Vec<u32> = random(16, 32).iter().map(|word| word % 150).collect();
    let alike = vec![42; 32];
    let mut one_large = mixed.clone();
    one_large[5] = 5000;
    let case = |input: &[u32]| {
        let lanes = |test: &dyn Fn(u32) -> bool| -> u32 {
            let set = (0..32).filter(|&lane| test(input[lane as usize]));
            set.map(|lane| 1u32 << lane).sum()
        };
        let results = (0..32).flat_map(|lane: usize| {
            let same = lanes(&|word| word == input[lane]);
            [
                lanes(&|word| word < 100),
                u32::from(input.iter().all(|&word| word < 1000)),
                same,
                if same == u32::MAX { same } else { 0 },
                input.iter().sum(),
                input[31 - lane],
            ]
        });
        Case::new("votes", 1, 32)
            .input(input)
            .output(&results.collect::<Vec<_>>())
    };
    vec![case(&mixed), case(&alike), case(&one_large)]
}

fn steps(mut number: u32) -> u32 {
    let mut steps = 0;
    while number != 1 {
        number = if number % 2 == 1 {
            3 * number + 1
        } else {
            number / 2
        };
        steps += 1;
    }
    steps
}

/// Numbers from 1 on: lanes leave the loop after 0 to 118 steps, and all meet again.
pub fn collatz() -> Vec<Case> {
    let input: Vec<u32> = (1..=128).collect();
    let results: Vec<u32> = input
        .iter()
        .flat_map(|&number| [steps(number), 32])
        .collect();
    vec![Case::new("collatz", 1, 128).input(&input).output(&results)]
}

/// Numbers below 64, which are found, and larger ones, which are not.
pub fn breaks() -> Vec<Case> {
    let input: Vec<u32> = random(19, 64).iter().map(|word| word % 70).collect();
    let looked_at = |number: u32| if number < 64 { number + 1 } else { 64 };
    let results: Vec<u32> = input
        .iter()
        .flat_map(|&number| [looked_at(number), 32])
        .collect();
    vec![Case::new("breaks", 1, 64).input(&input).output(&results)]
}
