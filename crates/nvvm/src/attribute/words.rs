//! What may stand between the parentheses of attributes that hold words.

/// What is wrong with the words of an attribute, if anything.
pub(crate) fn wrong_words(name: &[u8], words: &str) -> Option<&'static str> {
    let fits = match name {
        b"captures" => captures(words),
        b"memory" => memory(words),
        b"allocsize" => match numbers(words).as_deref() {
            Some([_]) => true,
            Some([size, count]) => size != count,
            _ => false,
        },
        b"vscale_range" => numbers(words).is_some_and(|all| matches!(all.len(), 1 | 2)),
        b"uwtable" => matches!(words, "sync" | "async"),
        b"allockind" => alloc_kind(words),
        b"nofpclass" => float_classes(words),
        b"initializes" => ordered_ranges(words),
        _ => true,
    };
    if fits {
        return None;
    }
    Some(match name {
        b"captures" => {
            "lists `address`, `address_is_null`, `provenance`, `read_provenance` or just `none`, and `ret:` once"
        }
        b"memory" => "holds an access, then places with an access: none, read, write or readwrite",
        b"allocsize" => "holds the numbers of one parameter or of two",
        b"vscale_range" => "holds one number or two",
        b"uwtable" => "is sync or async",
        b"allockind" => "holds known words in quotes",
        b"nofpclass" => "holds known classes, or a number from 1 to 1023",
        _ => "holds ranges that are in order and apart",
    })
}

/// Unsigned numbers of 32 bits, separated by commas.
fn numbers(words: &str) -> Option<Vec<u32>> {
    words
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect()
}

fn captures(words: &str) -> bool {
    const PARTS: &[&str] = &[
        "none",
        "address",
        "address_is_null",
        "provenance",
        "read_provenance",
    ];
    let mut of_result = false;
    // For each of the two groups: how many parts, and whether one of them is `none`.
    let mut count = 0;
    let mut none = false;
    for part in words.split(',').map(str::trim) {
        let part = match part.strip_prefix("ret:") {
            Some(_) if of_result => return false,
            Some(rest) => {
                of_result = true;
                (count, none) = (0, false);
                rest.trim()
            }
            None => part,
        };
        if !PARTS.contains(&part) {
            return false;
        }
        none |= part == "none";
        count += 1;
        if none && count > 1 {
            return false;
        }
    }
    true
}

fn memory(words: &str) -> bool {
    const PLACES: &[&str] = &[
        "argmem",
        "inaccessiblemem",
        "errnomem",
        "target_mem0",
        "target_mem1",
    ];
    let mut placed = false;
    words.split(',').all(|part| {
        let (place, access) = match part.split_once(':') {
            Some((place, access)) => (Some(place.trim()), access.trim()),
            None => (None, part.trim()),
        };
        let in_order = place.is_some() || !placed;
        placed |= place.is_some();
        in_order
            && place.is_none_or(|place| PLACES.contains(&place))
            && matches!(access, "none" | "read" | "write" | "readwrite")
    })
}

fn alloc_kind(words: &str) -> bool {
    const KINDS: &[&str] = &[
        "alloc",
        "realloc",
        "free",
        "uninitialized",
        "zeroed",
        "aligned",
    ];
    words
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .is_some_and(|inner| inner.split(',').all(|kind| KINDS.contains(&kind)))
}

fn float_classes(words: &str) -> bool {
    const CLASSES: &[&str] = &[
        "all", "nan", "snan", "qnan", "inf", "ninf", "pinf", "norm", "nnorm", "pnorm", "sub",
        "nsub", "psub", "zero", "nzero", "pzero",
    ];
    if let Ok(mask) = words.parse::<u32>() {
        return (1..1024).contains(&mask);
    }
    !words.is_empty() && words.split(' ').all(|word| CLASSES.contains(&word))
}

/// Whether the ranges `(0, 4), (8, 12)` are in order and do not touch.
fn ordered_ranges(words: &str) -> bool {
    let Some(inner) = words
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return false;
    };
    let mut last: Option<i64> = None;
    inner.split("), (").all(|range| {
        let bounds = range.split_once(',');
        let bounds = bounds.map(|(low, high)| (low.trim().parse(), high.trim().parse()));
        let Some((Ok(low), Ok(high))) = bounds else {
            return false;
        };
        let fits = low < high && last.is_none_or(|last| last < low);
        last = Some(high);
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that LLVM 22 takes and does not take.
    #[test]
    fn words_are_judged_as_llvm_judges_them() {
        let right = [
            ("captures", "address, ret: none"),
            ("captures", "ret: address, provenance"),
            ("memory", "none, argmem: read"),
            ("memory", "argmem: read, argmem: write"),
            ("allocsize", "0,1"),
            ("vscale_range", "1,0"),
            ("allockind", "\"alloc,zeroed\""),
            ("nofpclass", "nan inf"),
            ("nofpclass", "3"),
            ("initializes", "(-4, 4), (5, 8)"),
            ("some_other", "anything"),
        ];
        let wrong = [
            ("captures", ""),
            ("captures", "none, address"),
            ("captures", "ret: none, none"),
            ("captures", "ret: none, ret: address"),
            ("captures", "none true"),
            ("memory", ""),
            ("memory", "argmem"),
            ("memory", "argmem: read, none"),
            ("memory", "other: read"),
            ("allocsize", "0,0"),
            ("allocsize", "0,1,2"),
            ("vscale_range", ""),
            ("uwtable", "none"),
            ("allockind", "alloc"),
            ("allockind", "\"foo\""),
            ("nofpclass", "1024"),
            ("nofpclass", "nan 3"),
            ("initializes", "(0, 4), (4, 8)"),
            ("initializes", "(4, 4)"),
            ("initializes", ""),
        ];
        for (name, words) in right {
            assert_eq!(wrong_words(name.as_bytes(), words), None, "{name}({words})");
        }
        for (name, words) in wrong {
            let found = wrong_words(name.as_bytes(), words);
            assert!(found.is_some(), "{name}({words})");
        }
    }
}
