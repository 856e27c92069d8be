//! How near the emulator comes to the hardware.

use super::answers::{Answer, digest};
use super::{Form, KINDS, Kind};
use std::collections::HashMap;
use warpc_ptx::types::ScalarType;

/// The comparison of one form.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Elements compared.
    pub elements: usize,
    /// Elements that are equal bit for bit.
    pub equal: usize,
    /// The largest distance in units in the last place, of finite numbers.
    pub worst: u64,
    /// Elements of which one is finite and the other is not, or that are different NaNs.
    pub other_class: usize,
    /// For each kind of data the elements that differ.
    pub by_kind: Vec<(Kind, usize)>,
    /// A few of those that differ: tile, place, hardware, emulator.
    pub examples: Vec<(usize, usize, u64, u64)>,
}

/// Compares the hardware's answers with what the emulator says.
pub fn compare(form: &Form, answer: &Answer) -> Comparison {
    let mut comparison = Comparison::default();
    let mut by_kind = vec![0; KINDS.len()];
    for (tile, hardware) in answer.tiles().enumerate() {
        let ours = form.expected(&form.input(tile));
        let bits = form.element.bits() as usize;
        let ours = elements(&ours, bits);
        for (place, (h, o)) in elements(hardware, bits).into_iter().zip(ours).enumerate() {
            comparison.elements += 1;
            if h == o {
                comparison.equal += 1;
                continue;
            }
            by_kind[tile % KINDS.len()] += 1;
            match distance(form.element, h, o) {
                Some(units) => comparison.worst = comparison.worst.max(units),
                None => comparison.other_class += 1,
            }
            if comparison.examples.len() < 8 {
                comparison.examples.push((tile, place, h, o));
            }
        }
    }
    let kinds = KINDS.iter().copied().zip(by_kind);
    comparison.by_kind = kinds.filter(|(_, n)| *n > 0).collect();
    comparison
}

fn elements(bytes: &[u8], bits: usize) -> Vec<u64> {
    let value = |element: &[u8]| {
        let mut wide = [0; 8];
        wide[..element.len()].copy_from_slice(element);
        u64::from_le_bytes(wide)
    };
    bytes.chunks(bits / 8).map(value).collect()
}

/// How many numbers lie between two; `None` if one of them is none.
fn distance(ty: ScalarType, x: u64, y: u64) -> Option<u64> {
    let (bits, infinity) = match ty {
        ScalarType::F16 => (16, 0x7c00),
        ScalarType::F32 => (32, 0x7f80_0000),
        ScalarType::F64 => (64, 0x7ff0_0000_0000_0000),
        _ => return Some(x.abs_diff(y)),
    };
    let line = |value: u64| {
        let magnitude = (value & (u64::MAX >> (65 - bits))) as i64;
        let negative = value >> (bits - 1) & 1 == 1;
        (magnitude < infinity).then_some(if negative { -magnitude } else { magnitude })
    };
    Some(line(x)?.abs_diff(line(y)?))
}

/// One line for a form: share of equal elements, worst distance, what differs where.
pub fn line(form: &Form, comparison: &Comparison) -> String {
    let share = comparison.equal as f64 / comparison.elements.max(1) as f64 * 100.0;
    let kinds: Vec<String> = comparison
        .by_kind
        .iter()
        .map(|(kind, n)| format!("{kind:?}:{n}"))
        .collect();
    let examples: Vec<String> = comparison
        .examples
        .iter()
        .map(|(tile, place, h, o)| format!("{tile}/{place} hw {h:x} sim {o:x}"))
        .collect();
    format!(
        "{share:.4}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
        comparison.equal,
        comparison.elements,
        comparison.worst,
        comparison.other_class,
        kinds.join(" "),
        form.text,
        examples.join("; ")
    )
}

/// How recorded answers compare.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// A line for each form that differs.
    pub table: String,
    /// Forms that were compared.
    pub forms: usize,
    /// Tiles that were compared.
    pub tiles: usize,
    /// Elements that were compared.
    pub elements: usize,
    /// Forms of which every bit is equal.
    pub equal: usize,
}

impl Compared {
    /// All in a line.
    pub fn summary(&self) -> String {
        format!(
            "{} matrix forms, {} tiles, {} elements; {} forms equal bit for bit",
            self.forms, self.tiles, self.elements, self.equal
        )
    }
}

/// How many tiles the emulator computes otherwise.
fn differing(form: &Form, answer: &Answer) -> usize {
    let differs =
        |(tile, hardware): &(usize, &u64)| digest(&form.expected(&form.input(*tile))) != **hardware;
    answer.digests.iter().enumerate().filter(differs).count()
}

/// Compares recorded answers with what the emulator says, form by form: as elements where the tiles
/// were kept, by their digests elsewhere.
pub fn compare_all(forms: &[Form], answers: &[Answer]) -> Compared {
    let mut compared = Compared {
        table: format!("{HEAD}\n"),
        ..Compared::default()
    };
    let by_text: HashMap<&str, &Form> = forms.iter().map(|f| (f.text.as_str(), f)).collect();
    for answer in answers {
        let Some(form) = by_text.get(answer.text.as_str()) else {
            let line = format!("no such form\t\t\t\t\t\t{}\t\n", answer.text);
            compared.table.push_str(&line);
            continue;
        };
        let tiles = answer.digests.len();
        compared.forms += 1;
        compared.tiles += tiles;
        compared.elements += tiles * form.output_bytes * 8 / form.element.bits() as usize;
        let differing = differing(form, answer);
        compared.equal += usize::from(differing == 0);
        if answer.bytes.is_empty() && differing > 0 {
            let text = &answer.text;
            let line = format!("differs\t\t\t\t\t\t{text}\t{differing} tiles\n");
            compared.table.push_str(&line);
        } else if differing > 0 {
            compared.table.push_str(&line(form, &compare(form, answer)));
            compared.table.push('\n');
        }
    }
    compared
}

/// What the tests keep of answers: one round, as digests where the emulator says the same.
pub fn kept(forms: &[Form], mut answers: Vec<Answer>) -> Vec<Answer> {
    let by_text: HashMap<&str, &Form> = forms.iter().map(|f| (f.text.as_str(), f)).collect();
    answers.retain_mut(|answer| {
        let Some(form) = by_text.get(answer.text.as_str()) else {
            return false;
        };
        let tiles = form.tiles().min(answer.digests.len());
        answer.digests.truncate(tiles);
        match differing(form, answer) {
            0 => answer.bytes.clear(),
            _ => answer.bytes.truncate(tiles * form.output_bytes),
        }
        true
    });
    answers
}

/// The head of the table that [`line()`] fills.
pub const HEAD: &str =
    "equal %\tequal\telements\tworst ulp\tother class\tdiffering by kind\tform\texamples";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let f = |x: f32| u64::from(x.to_bits());
        assert_eq!(
            distance(ScalarType::F32, f(1.0), f(1.0f32.next_up())),
            Some(1)
        );
        assert_eq!(distance(ScalarType::F32, f(-0.0), f(0.0)), Some(0));
        assert_eq!(distance(ScalarType::F32, f(-1e-45), f(1e-45)), Some(2));
        assert_eq!(distance(ScalarType::F32, f(f32::INFINITY), f(0.0)), None);
        assert_eq!(distance(ScalarType::F16, 0x7c00, 0x7bff), None);
        assert_eq!(distance(ScalarType::S32, 5, 3), Some(2));
    }
}
