//! Machine code: every word has a text that comes back as the same word, or none; any text is a word or refused.
//!
//! The first byte says the chip, the second how many words follow; the rest is text, a line an instruction.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::print::{full_text, text};
use warpc_sass::{Control, parse};
use warpc_target::Sm;

fuzz_target!(|bytes: &[u8]| check(bytes));

const CHIPS: [u16; 9] = [75, 80, 86, 87, 89, 90, 100, 103, 120];

fn check(bytes: &[u8]) {
    let [chip, count, rest @ ..] = bytes else {
        return;
    };
    let number = CHIPS[usize::from(*chip) % CHIPS.len()];
    let accelerated = matches!(number, 90 | 100 | 103) && chip & 0x80 != 0;
    let letter = if accelerated { "a" } else { "" };
    let sm: Sm = format!("sm_{number}{letter}").parse().expect("it exists");
    let (words, _) = rest.as_chunks::<16>();
    let words = &words[..words.len().min(usize::from(*count))];
    for word in words {
        comes_back(sm, u128::from_le_bytes(*word));
    }
    let lines = String::from_utf8_lossy(&rest[16 * words.len()..]).into_owned();
    // Operands can be reused only by a warp that goes on.
    let control = Control {
        stall: 1,
        keep: true,
        ..Control::UNSCHEDULED
    };
    for line in lines.lines() {
        if let Some(word) = parse::word(sm, line, control, 0x100) {
            assert!(text(sm, word, 0x100).is_some(), "{word:#034x} {line}");
            comes_back(sm, word);
        }
    }
}

/// The text of a word, if it has one, is that of this word alone.
fn comes_back(sm: Sm, word: u128) {
    let plain = text(sm, word, 0x100);
    let full = full_text(sm, word, 0x100);
    assert_eq!(plain.is_some(), full.is_some());
    if let Some(full) = full {
        let back = parse::word(sm, &full, Control::of(word), 0x100);
        assert_eq!(back, Some(word), "{word:#034x} {full}");
    }
    // What shapes know of a word is what its text says.
    let inst = decode(sm, word);
    assert_eq!(plain.is_some(), inst.is_some());
    if let Some(inst) = inst {
        assert_eq!(encode(&inst), Ok(word));
    }
}
