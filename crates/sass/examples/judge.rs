//! How well the tables know instructions: `judge CHIP FILE`. A line of the file has the lower and the upper half of a
//! word, hexadecimal, and nvdisasm's text. Prints for each opcode how many are printed alike and come back to the
//! same word, the worst first.

use std::collections::BTreeMap;
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::print::At;
use warpc_sass::{Control, Forms, parse, print};
use warpc_target::Sm;

#[derive(Default)]
struct Count {
    all: usize,
    text: usize,
    back: usize,
    example: Option<(String, String, String)>,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let sm: Sm = args.next().and_then(|s| s.parse().ok()).expect("a chip");
    let file = std::fs::read_to_string(args.next().expect("a file")).expect("a file");
    let mut counts: BTreeMap<u16, Count> = BTreeMap::new();
    for line in file.lines() {
        let mut cells = line.split('\t');
        let mut half = || u64::from_str_radix(cells.next()?, 16).ok();
        let (Some(low), Some(high)) = (half(), half()) else {
            continue;
        };
        let word = u128::from(high) << 64 | u128::from(low);
        let wanted = cells.next().unwrap_or("").trim_end_matches(';').trim_end();
        // Labels and relocations are not in the word.
        let has_label = wanted.contains('`') || wanted.contains('(');
        let count = counts.entry((low & 0xfff) as u16).or_default();
        count.all += 1;
        let place = At(0);
        let ours = print::text(sm, word, &place);
        let alike = match &ours {
            Some(ours) if has_label => ours.split(' ').next() == wanted.split(' ').next(),
            Some(ours) => ours.trim_end() == wanted,
            None => false,
        };
        let back = print::full_text(sm, word, &place)
            .as_deref()
            .and_then(|text| parse::word(sm, text, Control::of(word), &place));
        let typed = decode(sm, word).and_then(|inst| encode(sm, &inst));
        let back = if typed == Some(word) { back } else { typed };
        count.text += usize::from(alike);
        count.back += usize::from(back == Some(word));
        if (!alike || back != Some(word)) && count.example.is_none() {
            let ours = match alike {
                true => format!("comes back as {back:x?}"),
                false => ours.unwrap_or_else(|| "unknown".to_owned()),
            };
            count.example = Some((format!("{high:016x}_{low:016x}"), wanted.to_owned(), ours));
        }
    }
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.all - count.text.min(count.back)));
    let (mut all, mut text, mut back) = (0, 0, 0);
    for (opcode, count) in rows {
        all += count.all;
        text += count.text;
        back += count.back;
        if let Some((word, wanted, ours)) = &count.example {
            println!(
                "{opcode:03x} {} alike {} back {}  {word}\n      {wanted}\n      {ours}",
                count.all, count.text, count.back
            );
        }
    }
    println!(
        "{sm}: {all} words, {text} alike, {back} come back; {} forms",
        Forms::get().all().len()
    );
}
