//! How fast the crate is: `speed CHIP FILE [ROUNDS [WAY]]`. A line of the file begins with the lower and the upper half of a
//! word, hexadecimal. Prints instructions a second, one thread, for each way.

use std::hint::black_box;
use std::time::Instant;
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::print::At;
use warpc_sass::{Control, Inst, parse, print};
use warpc_target::Sm;

fn main() {
    let mut args = std::env::args().skip(1);
    let sm: Sm = args.next().and_then(|s| s.parse().ok()).expect("a chip");
    let file = std::fs::read_to_string(args.next().expect("a file")).expect("a file");
    let rounds: usize = args
        .next()
        .map_or(5, |text| text.parse().expect("a number"));
    let way = args.next();
    let words: Vec<u128> = file
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('\t');
            let mut half = || u64::from_str_radix(cells.next()?, 16).ok();
            let (low, high) = (half()?, half()?);
            Some(u128::from(high) << 64 | u128::from(low))
        })
        .filter(|word| decode(sm, *word).is_some())
        .collect();
    let insts: Vec<Inst> = words.iter().filter_map(|w| decode(sm, *w)).collect();
    let texts: Vec<(String, Control)> = words
        .iter()
        .filter_map(|w| Some((print::full_text(sm, *w, &At(0))?, Control::of(*w))))
        .collect();
    let report = |what: &str, each: &dyn Fn()| {
        if way.as_ref().is_some_and(|way| way != what) {
            return;
        }
        let best = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                each();
                start.elapsed()
            })
            .min()
            .expect("a round");
        let rate = words.len() as f64 / best.as_secs_f64() / 1e6;
        println!("{what:<16} {rate:6.2} million a second");
    };
    println!("{sm}: {} different instructions", words.len());
    report("decode", &|| {
        for word in &words {
            black_box(decode(sm, *word));
        }
    });
    report("encode", &|| {
        for inst in &insts {
            black_box(encode(sm, inst));
        }
    });
    report("word to text", &|| {
        for word in &words {
            black_box(print::text(sm, *word, &At(0)));
        }
    });
    report("text to word", &|| {
        for (text, control) in &texts {
            black_box(parse::word(sm, text, *control, &At(0)));
        }
    });
}
