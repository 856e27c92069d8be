//! The data layout: whether it can be read, and what it says, as far as rules depend on it: the sizes of
//! pointers and the address space of code.

use crate::module::Module;

/// Sizes and address spaces of a target.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Size and index size of pointers in bits, by address space; the first is for all others.
    pointers: Vec<(u32, u32, u32)>,
    /// The address space of functions.
    pub(super) program_space: u32,
}

impl Layout {
    /// Reads the layout of a module. What it does not say has LLVM's defaults.
    pub(super) fn of(module: &Module) -> Layout {
        let mut layout = Layout {
            pointers: vec![(0, 64, 64)],
            program_space: 0,
        };
        let text = module.data_layout.map(|name| module.names.text(name));
        for part in text.as_deref().unwrap_or_default().split('-') {
            if let Some(space) = part.strip_prefix('P') {
                layout.program_space = space.parse().unwrap_or(0);
            }
            let Some(pointer) = part.strip_prefix('p') else {
                continue;
            };
            let mut fields = pointer.split(':');
            let space = fields.next().unwrap_or_default();
            let space = space.trim_matches(|c: char| !c.is_ascii_digit());
            let space = if space.is_empty() {
                Ok(0)
            } else {
                space.parse()
            };
            let sizes: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
            if let (Ok(space), Some(&size)) = (space, sizes.first()) {
                let index = sizes.get(3).copied().unwrap_or(size);
                layout.pointers.retain(|row| row.0 != space);
                layout.pointers.push((space, size, index));
                layout.pointers.sort_unstable();
            }
        }
        layout
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32) {
        let row = self.pointers.iter().find(|row| row.0 == space);
        row.or(self.pointers.first())
            .copied()
            .unwrap_or((0, 64, 64))
    }

    /// The size of a pointer in bits.
    pub(super) fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).1
    }

    /// The size of an index of a pointer in bits.
    pub(super) fn index_bits(&self, space: u32) -> u32 {
        self.pointer(space).2
    }
}

/// The largest size and address space that a layout can name.
const MAX: u64 = 1 << 24;

/// What is wrong with a data layout.
pub(crate) fn wrong_layout(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return None;
    }
    text.split('-').find_map(wrong_part)
}

fn wrong_part(part: &str) -> Option<&'static str> {
    const UNKNOWN: &str = "has a part that is not known";
    const SPACE: &str = "names an address space that is not a number below 16777216";
    const SIZE: &str = "has a size that is not a number from 1 to 16777215";
    let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number < MAX);
    let Some(first) = part.chars().next() else {
        return Some("has an empty part");
    };
    let rest = &part[first.len_utf8()..];
    match first {
        'e' | 'E' => (!rest.is_empty()).then_some(UNKNOWN),
        'm' => {
            let known = [":e", ":l", ":m", ":o", ":x", ":w", ":a"];
            (!known.contains(&rest)).then_some("has an unknown way to write symbols")
        }
        'P' | 'A' | 'G' => number(rest).is_none().then_some(SPACE),
        'S' => number(rest)
            .is_none_or(|bits| bits % 8 != 0 || bits != 0 && !bits.is_power_of_two())
            .then_some("has an alignment of the stack that is not a power of two of bytes"),
        'F' => match rest.strip_prefix(['i', 'n']) {
            Some(bits) => wrong_alignments(&[bits], true),
            None => Some(UNKNOWN),
        },
        'n' if rest.starts_with("i:") => rest[2..]
            .split(':')
            .any(|space| number(space).is_none_or(|space| space == 0))
            .then_some(SPACE),
        'n' => rest
            .split(':')
            .any(|size| number(size).is_none_or(|size| size == 0))
            .then_some(SIZE),
        'p' => {
            let fields: Vec<&str> = rest.split(':').collect();
            let space = fields[0].trim_start_matches(['e', 'u']);
            if !space.is_empty() && number(space).is_none() {
                return Some(SPACE);
            }
            let size = fields
                .get(1)
                .and_then(|size| number(size))
                .filter(|&size| size != 0);
            let (Some(size), 3..=5) = (size, fields.len()) else {
                return Some(SIZE);
            };
            let index = fields.get(4).map_or(Some(size), |index| number(index));
            if index.is_none_or(|index| index == 0 || index > size) {
                return Some("has an index that is larger than its pointer");
            }
            wrong_alignments(&fields[2..fields.len().min(4)], false)
        }
        'i' | 'f' | 'v' | 'a' => {
            let fields: Vec<&str> = rest.split(':').collect();
            let size = match first {
                'a' if fields[0].is_empty() => Some(0),
                'a' => number(fields[0]).filter(|&size| size == 0),
                _ => number(fields[0]).filter(|&size| size != 0),
            };
            let (Some(size), 2..=3) = (size, fields.len()) else {
                return Some(SIZE);
            };
            if first == 'i' && size == 8 && fields[1] != "8" {
                return Some("does not align i8 to 8 bits");
            }
            wrong_alignments(&fields[1..], first == 'a')
        }
        's' => None,
        _ => Some(UNKNOWN),
    }
}

/// Alignments in bits are powers of two of bytes, the preferred one not below the other.
fn wrong_alignments(fields: &[&str], may_be_zero: bool) -> Option<&'static str> {
    let mut last = 0;
    for (at, field) in fields.iter().enumerate() {
        let bits = field.parse::<u64>().ok().filter(|&bits| bits < 1 << 16);
        let fits = bits.is_some_and(|bits| match bits {
            0 => may_be_zero && at == 0,
            bits => bits % 8 == 0 && (bits / 8).is_power_of_two(),
        });
        if !fits || bits < Some(last) {
            return Some("has an alignment that is not a power of two of bytes");
        }
        last = bits.unwrap_or(0);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_judged_as_llvm_does() {
        let whole = [
            "",
            "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
            "e-p:64:64:64-p3:32:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-n16:32:64",
            "e-i64:64-i128:128-v16:16-v32:32-n16:32:64",
            "e-p:64:64:64-i1:8:8-i8:8:8-f32:32:32-v128:128:128-a:0:32-n16:32:64-ni:4:5:6",
            "E-m:a-Fi64-A5-G1-P0",
        ];
        for text in whole {
            assert_eq!(wrong_layout(text), None, "{text}");
        }
        let broken = [
            "x",
            "e-",
            "m:q",
            "p:0:64",
            "i64:2",
            "i8:16",
            "i64:0",
            "p:64:64:32",
            "n0",
            "ni:0",
            "i64",
            "S7",
            "A16777216",
            "p:32:32:32:64",
        ];
        for text in broken {
            assert!(wrong_layout(text).is_some(), "{text}");
        }
    }
}
