//! Instructions that ptxas made, with the text that nvdisasm gives them: our text is the same, and the word comes back
//! from it. `tests/encodings/CHIP.txt` has a word and its text in a line, at the address of 16 times the line's index.
//! `./x sass record` writes these files.

use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::{Control, parse, print};
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

fn files() -> Vec<(Sm, String)> {
    let paths = project::entries(&project::tests().join("encodings"));
    let mut files: Vec<(Sm, String)> = paths
        .iter()
        .map(|path| {
            let name = project::stem(path);
            let sm = name
                .parse()
                .unwrap_or_else(|_| panic!("{name} is not a chip"));
            (sm, gzip::read_text(path))
        })
        .collect();
    files.sort_by_key(|(sm, _)| sm.to_string());
    files
}

#[test]
fn words_and_texts_both_ways() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (sm, text) in files() {
        for (index, line) in text.lines().enumerate() {
            let (word, wanted) = line.split_once("  ").expect("two columns");
            let word = u128::from_str_radix(word, 16).expect("a word");
            count += 1;
            let place = index as u64 * 16;
            let ours = print::text(sm, word, place);
            if ours.as_deref().map(str::trim_end) != Some(wanted) {
                wrong.push(format!("{sm} {word:032x}: {wanted}\n    ours {ours:?}"));
                continue;
            }
            let back = print::full_text(sm, word, place)
                .and_then(|text| parse::word(sm, &text, Control::of(word), place));
            if back != Some(word) {
                wrong.push(format!(
                    "{sm} {word:032x}: {wanted}\n    comes back as {back:x?}"
                ));
            }
            let inst = decode(sm, word);
            let back = inst.as_ref().and_then(|inst| encode(inst).ok());
            if back != Some(word) {
                wrong.push(format!(
                    "{sm} {word:032x}: {wanted}\n    {inst:?}\n    is encoded as {back:x?}"
                ));
            }
        }
    }
    println!("{count} instructions");
    assert!(count > 25_000, "{count}");
    let number = wrong.len();
    wrong.truncate(30);
    assert!(number == 0, "{number} wrong:\n{}", wrong.join("\n"));
}
