//! Reads the text of a PTX instruction into words, which the families take one by one.

use warpc_model::{AtomicOp, AtomicType, Ordering, Scope, StateSpace};

/// The words of an instruction that nobody has taken yet.
pub(super) struct Words<'a> {
    name: &'a str,
    words: Vec<&'a str>,
    operands: Option<Vec<&'a str>>,
}

impl<'a> Words<'a> {
    pub fn of(text: &'a str) -> Words<'a> {
        let text = text.trim().trim_end_matches(';').trim_end();
        let (opcode, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut words = opcode.split('.');
        let name = words.next().unwrap_or_default();
        Words {
            name,
            words: words.collect(),
            operands: (!rest.is_empty()).then(|| operands(rest)),
        }
    }

    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Whether everything has been taken.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Takes a word.
    pub fn take(&mut self, word: &str) -> bool {
        self.take_by(|candidate| (candidate == word).then_some(()))
            .is_some()
    }

    /// Takes the first word that means something.
    pub fn take_by<T>(&mut self, meaning: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (index, found) = self
            .words
            .iter()
            .enumerate()
            .find_map(|(index, word)| Some((index, meaning(word)?)))?;
        self.words.remove(index);
        Some(found)
    }

    pub fn order(&mut self) -> Option<Ordering> {
        self.take_by(|word| Ordering::from_ptx(word).ok())
    }

    pub fn scope(&mut self) -> Option<Scope> {
        self.take_by(|word| Scope::from_ptx(word).ok())
    }

    /// The state space; generic where none is named.
    pub fn space(&mut self) -> StateSpace {
        self.take_by(StateSpace::from_ptx)
            .unwrap_or(StateSpace::Generic)
    }

    pub fn operation(&mut self) -> Option<AtomicOp> {
        self.take_by(AtomicOp::from_ptx)
    }

    pub fn ty(&mut self) -> Option<AtomicType> {
        self.take_by(AtomicType::from_ptx)
    }

    /// The width of a vector, 1 where it is none.
    pub fn lanes(&mut self) -> u8 {
        let lanes = self.take_by(|word| match word {
            "v2" => Some(2),
            "v4" => Some(4),
            "v8" => Some(8),
            _ => None,
        });
        lanes.unwrap_or(1)
    }

    /// An operand by its number.
    pub fn operand(&self, index: usize) -> Option<&'a str> {
        self.operands.as_ref()?.get(index).copied()
    }

    /// How many operands there are; `None` where the text has none at all.
    pub fn operand_count(&self) -> Option<usize> {
        self.operands.as_ref().map(Vec::len)
    }

    pub fn last_operand(&self) -> Option<&'a str> {
        self.operands.as_ref()?.last().copied()
    }
}

/// Splits operands at the commas outside braces.
fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c: char| {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .collect()
}

/// The value of a number, as PTX writes it.
pub(super) fn number(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_once() {
        let mut words = Words::of("atom.relaxed.gpu.add.u32 %r1, [%ga+4], {%r1,%r2};");
        assert_eq!(words.name(), "atom");
        assert_eq!(words.order(), Some(Ordering::Relaxed));
        assert_eq!(words.order(), None);
        assert_eq!(words.scope(), Some(Scope::Gpu));
        assert_eq!(words.operation(), Some(AtomicOp::Add));
        assert!(!words.is_empty());
        assert_eq!(words.ty(), Some(AtomicType::U32));
        assert!(words.is_empty());
        assert_eq!(words.operand_count(), Some(3));
        assert_eq!(words.last_operand(), Some("{%r1,%r2}"));
        assert_eq!(Words::of("trap;").operand_count(), None);
    }

    #[test]
    fn numbers() {
        assert_eq!(number("-1"), Some(-1));
        assert_eq!(number("0x1f"), Some(31));
        assert_eq!(number("%r1"), None);
    }
}
