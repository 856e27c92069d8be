//! Variations of known instructions: `vary CHIP FILE COUNT [OPCODE,…]`. For each opcode of the file (as `judge` reads
//! it), flips bits that the row's fields cover in so many words, and prints each word and our text of it (`-` if
//! there is none), to be compared with what nvdisasm says.

use std::collections::BTreeMap;
use warpc_sass::print::At;
use warpc_sass::{Forms, control, print};
use warpc_target::Sm;

/// A small generator, so that the same words come out each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let sm: Sm = args.next().and_then(|s| s.parse().ok()).expect("a chip");
    let file = std::fs::read_to_string(args.next().expect("a file")).expect("a file");
    let count: usize = args.next().and_then(|s| s.parse().ok()).expect("a count");
    let only: Option<Vec<u16>> = args.next().map(|list| {
        let each = |opcode| u16::from_str_radix(opcode, 16).expect("an opcode");
        list.split(',').map(each).collect()
    });
    let mut words: BTreeMap<u16, Vec<u128>> = BTreeMap::new();
    for line in file.lines() {
        let mut cells = line.split('\t');
        let mut half = || u64::from_str_radix(cells.next()?, 16).ok();
        let (Some(low), Some(high)) = (half(), half()) else {
            continue;
        };
        let word = u128::from(high) << 64 | u128::from(low);
        words.entry((low & 0xfff) as u16).or_default().push(word);
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (opcode, known) in words {
        if only.as_ref().is_some_and(|only| !only.contains(&opcode)) {
            continue;
        }
        for _ in 0..count {
            let word = known[random.below(known.len())];
            let Some(form) = Forms::get().of(sm, word) else {
                continue;
            };
            // Opcode, guard and control word stay as they are.
            let fields = form.covered() & !(control::MASK | 0xffff);
            let bits: Vec<u32> = (0..128).filter(|bit| fields >> bit & 1 == 1).collect();
            if bits.is_empty() {
                continue;
            }
            let mut varied = word;
            for _ in 0..=random.below(3) {
                varied ^= 1 << bits[random.below(bits.len())];
            }
            let text = print::text(sm, varied, &At(0));
            println!(
                "{:016x}\t{:016x}\t{}",
                varied as u64,
                (varied >> 64) as u64,
                text.as_deref().unwrap_or("-")
            );
        }
    }
}
