//! `./x sass record`: what the tests replay without tools, and the table in `docs/sass.md`.
//!
//! `tests/encodings/CHIP.txt` has a word and its text by nvdisasm in a line; the text is that of the word at the
//! address of 16 times the line's index. A word is taken if its text has a part that no word of its opcode before it has:
//! a modifier, a sign, a kind of operand at a place. So every form that the corpus has is there, and every value of its
//! fields that changes more than a number. After these are the words of `tests/oracle/sass_words.tsv`, which the corpus
//! lacks.

use crate::oracle::Tools;
use crate::project::{self, Outcome};
use crate::sass::nvdisasm;
use std::collections::HashSet;
use std::fmt::Write;

/// Chooses of these words and writes the file of a chip.
pub fn encodings(tools: &Tools, chip: &str, words: &[(u128, String)]) -> Outcome {
    let mut by_opcode: Vec<&(u128, String)> = words.iter().collect();
    by_opcode.sort_by_key(|(word, _)| (word & 0xfff, *word));
    let mut seen = HashSet::new();
    let mut chosen = Vec::new();
    for (word, text) in by_opcode {
        let mut fresh = false;
        for (place, part) in parts(text) {
            fresh |= seen.insert((word & 0xfff, place, part));
        }
        if fresh {
            chosen.push(*word);
        }
    }
    chosen.extend(more(chip)?);
    let mut file = String::new();
    for (word, text) in chosen.iter().zip(nvdisasm::texts(tools, chip, &chosen)?) {
        let text = text.ok_or_else(|| format!("nvdisasm does not know {word:032x} of {chip}"))?;
        let _ = writeln!(file, "{word:032x}  {text}");
    }
    project::write(
        &project::root().join(format!("tests/encodings/{chip}.txt")),
        file,
    )
}

/// The words of a chip that are recorded though the corpus does not have them.
fn more(chip: &str) -> Outcome<Vec<u128>> {
    let path = project::root().join("tests/oracle/sass_words.tsv");
    let text = project::read(&path)?;
    let rows = text.lines().skip(1).map(|line| line.split('\t'));
    rows.filter_map(|mut cells| (cells.next() == Some(chip)).then(|| cells.next()))
        .map(|word| {
            let word = word.and_then(|word| u128::from_str_radix(word, 16).ok());
            word.ok_or_else(|| format!("{}: a row without a word", path.display()))
        })
        .collect()
}

/// The parts of a text that are more than a number, each with the operand it is in.
fn parts(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (place, operand) in text.split(", ").enumerate() {
        let mut behind_point = false;
        for word in words(operand) {
            match word {
                "." => behind_point = true,
                word => {
                    all.push((place, kind(word, behind_point)));
                    behind_point = false;
                }
            }
        }
    }
    all
}

/// Letters and digits that belong together, and every other character alone.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split_inclusive(move |c: char| !is_word(c))
        .flat_map(move |part| {
            let end = part.trim_end_matches(move |c| !is_word(c)).len();
            let (word, mark) = part.split_at(end);
            [word, mark]
        })
        .filter(|word| !word.is_empty())
}

/// A word without the number of a register, and without a number that is not a modifier.
fn kind(word: &str, is_modifier: bool) -> String {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_register = matches!(letters, "R" | "UR" | "P" | "UP" | "B" | "@P" | "@UP");
    match word.starts_with(|c: char| c.is_ascii_digit()) && !is_modifier {
        true => "#".into(),
        false if is_register => letters.into(),
        false => word.into(),
    }
}

/// Before and after the table in the document.
const MARKS: [&str; 2] = ["<!-- chips -->\n", "<!-- end of chips -->"];

/// Puts the table into the document.
pub fn table(lines: &[String]) -> Outcome {
    let path = project::root().join("docs/sass.md");
    let text = project::read(&path)?;
    let text = replaced(&text, &lines.join("\n"))
        .ok_or_else(|| format!("{} has no place for the table", path.display()))?;
    project::write(&path, text)
}

fn replaced(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}{table}\n{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::{parts, replaced};

    #[test]
    fn numbers_are_no_parts() {
        let all = |text| -> Vec<String> { parts(text).into_iter().map(|(_, part)| part).collect() };
        assert_eq!(
            all("@!P0 LDG.E.64 R2, desc[UR4][R6.64+-0x10]"),
            [
                "@", "!", "P", " ", "LDG", "E", "64", " ", "R", "desc", "[", "UR", "]", "[", "R",
                "64", "+", "-", "#", "]"
            ]
        );
        assert_eq!(all("FADD R1, RZ, 1.5"), ["FADD", " ", "R", "RZ", "#", "5"]);
    }

    #[test]
    fn the_table_is_put_between_its_marks() {
        let text = "a\n<!-- chips -->\nold\n<!-- end of chips -->\nb\n";
        let wanted = "a\n<!-- chips -->\nnew\n<!-- end of chips -->\nb\n";
        assert_eq!(replaced(text, "new").as_deref(), Some(wanted));
        assert_eq!(replaced("a", "new"), None);
    }
}
